"""The finals that follow the groups of a rehearsed day, by the rule of who goes on."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import count

from games.errors import marked
from scorekeeper.pairing.knock_out import rows_apart
from scorekeeper.rehearsal.programme import Programme, planned
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.standings.advancing import Quota, advancing
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.tournament import Play, Round, Stage, System, Tournament


@dataclass(frozen=True)
class Rule:
    """Who goes on from the groups, and how they play."""

    first: int
    """How many of each group."""
    best: int = 0
    """How many of those who come next."""
    system: System = System.KNOCK_OUT
    consolation: System | None = None
    """How the others play a final, too; None: they do not."""
    best_of: int = 1
    """In a knock-out: of how many matches at a table who wins most goes on."""
    names: tuple[str, str] = ("Final", "Consolation final")
    left: frozenset[int] = frozenset()
    """Who has left before this day."""

    def going_on(self, sizes: Sequence[int]) -> int:
        """How many go on from groups of these sizes, if everybody comes."""
        return sum(min(self.first, size) for size in sizes) + min(self.best, sum(size > self.first for size in sizes))


def finals(tournament: Tournament, groups: Sequence[Stage], rule: Rule, gone: Collection[int]) -> tuple[Programme, ...]:
    """The finals after these groups of the tournament, which have all their results. Refused "too-few" if not enough go
    on."""
    first = groups[0]
    standings = [calculate(tournament, stage=each.name).stages[0] for each in groups]
    rows = advancing(standings, Quota(rule.first, rule.best), rule.left.union(gone)).groups
    through, others = (
        tuple(rows_apart([[each.row.entrant for each in group if each.through is on] for group in rows]))
        for on in (True, False)
    )
    if len(through) < (needed := _fewest(first.play, rule.system)):
        text = marked(
            "Too few go on to {name}: {n}. A table needs {needed}. Let more go on, or rehearse with fewer no-shows."
        )
        raise Refused("too-few", text, name=rule.names[0], n=len(through), needed=needed)
    fields = [(through, rule.system)]
    if rule.consolation and len(others) >= _fewest(first.play, rule.consolation):
        fields.append((others, rule.consolation))
    stages = [
        replace(
            first,
            name=name,
            system=system,
            entrants=entrants,
            order=() if system is System.KNOCK_OUT else first.order or ("points", "start"),
            rounds=(),
            rounds_planned=None,
            minimum_played=0,
            manual=(),
            penalties=(),
            double=False,
            third_place=False,
            placement=False,
            next=Round(),
            best_of=rule.best_of if system is System.KNOCK_OUT else 1,
            final_best_of=0,
        )
        for name, (entrants, system) in zip(rule.names, fields, strict=False)
    ]
    whole = replace(tournament, stages=(*tournament.stages, *stages))
    before = len(tournament.stages)
    return tuple(planned(whole, stage, (), f"stages[{at}]") for at, stage in enumerate(stages, before))


def must_find_entrants(rule: Rule, play: Play, sizes: Sequence[int]) -> None:
    """Refused at the field of the `rule` that cannot be kept after groups of these `sizes`: "too-many", "too-few"."""
    first, most, everybody = rule.first, max(sizes), sum(sizes)
    if first > most:
        text = marked("The largest group has {n} entrants. Let {n} or fewer of each group go on.")
        raise Refused("too-many", text, "first", n=most)
    if rule.best > (nexts := sum(size > first for size in sizes)):
        text = marked(
            "After the first {first} only one of each group comes next, {n} in all. Let {n} or fewer of these go on."
        )
        if not nexts:
            text = marked(
                "Nobody comes next after the first {first} of each group. Let fewer of each group go on, or 0 of those"
                " who come next."
            )
        raise Refused("too-many", text, "best", first=first, n=nexts)
    # With fewer entrants than one table needs, no number is enough: the rehearsal says so.
    going_on, needed = rule.going_on(sizes), min(_fewest(play, rule.system), everybody)
    if going_on < needed:
        enough = next(each for each in count(first) if replace(rule, first=each).going_on(sizes) >= needed)
        text = marked(
            "Too few go on to the final: {n}. A table needs {needed}. Let {enough} or more of each group go on."
        )
        raise Refused("too-few", text, "first", n=going_on, needed=needed, enough=enough)
    left = everybody - going_on
    if rule.consolation and left < (needed := _fewest(play, rule.consolation)):
        text = marked(
            "Of {all} entrants {n} do not go on, and a table of the consolation final needs {needed}. Let fewer go on,"
            " or leave this final out."
        )
        raise Refused("too-few", text, "consolation", all=everybody, n=left, needed=needed)


def _fewest(play: Play, system: System) -> int:
    """How many entrants a final after groups that play so needs."""
    return 2 if system is System.KNOCK_OUT else FORMATS[play].sizes[0]
