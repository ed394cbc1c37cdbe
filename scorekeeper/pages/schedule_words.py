"""A schedule in words: how even it is, where it falls short, what a change did, and what cannot be kept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper import words
from scorekeeper.events import Tournament
from scorekeeper.events.plan import Plan, needless, rounds_asked
from scorekeeper.events.setup import first_repeat
from scorekeeper.events.wishes import Wish
from scorekeeper.schedule.faults import Fault
from scorekeeper.schedule.measures import Measures
from scorekeeper.schedule.seating import Format
from scorekeeper.schedule.tally import Frequencies, Pair

NAMED = 12  # pairs of entrants, or changes, that are listed by name
MOST_CHANGES = 200  # that can be opened: each is a sentence, and a new draw of 200 has thousands

Name = Callable[[int], str]
"""The name of the entrant with a start number."""


@dataclass(frozen=True, slots=True)
class Relation:
    """How to say how often pairs meet, are partners, or are opponents. `{often}` is “twice” or “once or twice”."""

    everybody: Promise | str
    nobody_twice: Promise | str
    never: Callable[[int], str]
    """For this number of pairs."""
    times: Callable[[int], str]
    others: Promise | str
    now: Promise | str
    """For two names, with how often it was `{before}`."""
    now_never: Promise | str


RELATIONS = {
    "meet": Relation(
        gettext_lazy("Everybody meets everybody {often}."),
        gettext_lazy("Nobody meets anybody twice."),
        lambda n: ngettext("Two entrants never meet.", "{n} pairs of entrants never meet.", n),
        lambda n: ngettext("Two entrants meet {often}.", "{n} pairs of entrants meet {often}.", n),
        gettext_lazy("All others meet {often}."),
        gettext_lazy("{one} and {other} now meet {often}; before, {before}."),
        gettext_lazy("{one} and {other} now never meet; before, {before}."),
    ),
    "partner": Relation(
        gettext_lazy("Everybody partners everybody {often}."),
        gettext_lazy("Nobody has the same partner twice."),
        lambda n: ngettext("Two entrants are never partners.", "{n} pairs of entrants are never partners.", n),
        lambda n: ngettext("Two entrants are partners {often}.", "{n} pairs of entrants are partners {often}.", n),
        gettext_lazy("All others are partners {often}."),
        gettext_lazy("{one} and {other} are now partners {often}; before, {before}."),
        gettext_lazy("{one} and {other} are now never partners; before, {before}."),
    ),
    "oppose": Relation(
        gettext_lazy("Everybody plays against everybody {often}."),
        gettext_lazy("Nobody plays against anybody twice."),
        lambda n: ngettext(
            "Two entrants never play against each other.", "{n} pairs of entrants never play against each other.", n
        ),
        lambda n: ngettext(
            "Two entrants play against each other {often}.",
            "{n} pairs of entrants play against each other {often}.",
            n,
        ),
        gettext_lazy("All others play against each other {often}."),
        gettext_lazy("{one} and {other} now play against each other {often}; before, {before}."),
        gettext_lazy("{one} and {other} now never play against each other; before, {before}."),
    ),
}


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Pairs of entrants who meet too often, or never."""

    heading: str
    pairs: list[str]
    more: int
    """How many are not listed."""


def misfit(state: Tournament) -> str:
    """That the rounds of this stage are not as many as its setup asks for; "" if they are."""
    in_all, planned = rounds_asked(state), len(state.plan)
    asked = planned if in_all is None else in_all - state.rounds_before
    if state.by_results or not planned or asked == planned:
        return ""
    text = ngettext(
        "The schedule has {n} round, the setup asks for {asked}: make it anew.",
        "The schedule has {n} rounds, the setup asks for {asked}: make it anew.",
        planned,
    )
    return text.format(n=planned, asked=asked)


def needless_names(state: Tournament, name: Name) -> list[str]:
    """Who is in the rounds to come, and will not play; where results decide who meets, also why."""
    if not state.by_results:
        return [name(entrant) for entrant in needless(state)]
    why = {True: _("{name} (has left)"), False: _("{name} (asked not to play)")}
    return [why[entrant in state.withdrawn].format(name=name(entrant)) for entrant in needless(state)]


def meet_again(rounds: int, entrants: int, format: Format, before: int = 0) -> str:
    """From which round of a Swiss tournament on somebody has to meet again, if it has so many; else "". `before`: how
    many rounds the earlier stages had."""
    first = first_repeat(entrants, format)
    if not 0 < first <= rounds:
        return ""
    text = _("With {entrants} entrants, some meet again in round {n} at the latest, however it is drawn.")
    return text.format(entrants=entrants, n=before + first)


def in_words(counted: Frequencies) -> list[str]:
    """Who meets whom, and who has byes, in sentences."""
    return [sentence for name in _relations(counted) for sentence in _pairs(name, getattr(counted, name))] + [
        _byes(counted.byes)
    ]


def leads(measures: Measures) -> list[str]:
    """Whether all lead equally often, if not."""
    return [_("Some lead more often than others.")] if measures.lead else []


def shortfalls(plan: Plan, name: Name) -> list[Shortfall]:
    """Who meets more often than necessary, and who never meets although all others do."""
    found = []
    for relation in _relations(plan.tally.frequencies):
        fair = _fair(getattr(plan.tally.frequencies, relation))
        counted: Mapping[Pair, int] = getattr(plan.tally, relation)
        times: dict[int, list[Pair]] = {}
        for pair in combinations(range(plan.tally.players), 2):
            if (often := counted.get(pair, 0)) not in fair:
                times.setdefault(often, []).append(pair)
        for often, pairs in sorted(times.items(), reverse=True):
            named = [words.listed([name(plan.people[player]) for player in pair]) for pair in pairs[:NAMED]]
            found.append(Shortfall(_so_many(relation, len(pairs), often), named, len(pairs) - len(named)))
    return found


class Broken(NamedTuple):
    """A rule or a wish that a schedule breaks."""

    code: str
    who: tuple[int, ...]
    """The start numbers."""
    round: int


def changes(before: Plan, after: Plan, name: Name) -> list[str]:
    """What is different: wishes that are not kept any more, then pairs of entrants and their byes, the worst first."""
    found: list[tuple[int, Callable[[], str]]] = []
    was_broken = _broken(before)
    broken = [each for each in _broken(after) if each.code in BROKEN_WISHES and each not in was_broken]
    for relation in _relations(after.tally.frequencies):
        fair = _fair(getattr(after.tally.frequencies, relation))
        was, now = (_by_entrant(getattr(plan.tally, relation), plan.people) for plan in (before, after))
        for pair in sorted(was.keys() | now.keys()):
            if (old := was.get(pair, 0)) != (new := now.get(pair, 0)):
                worth = -abs(new - fair[-1]) if new > fair[-1] else -1 if new < fair[0] else 1
                found.append((worth, partial(_changed_pair, relation, pair, old, new, name)))
    found += [(0, change) for change in _changed_byes(before, after, name)]
    found.sort(key=lambda each: each[0])
    listed = [change() for _worth, change in found[:MOST_CHANGES]]
    if more := len(found) - len(listed):
        listed.append(ngettext("{n} more change.", "{n} more changes.", more).format(n=more))
    return _in_words(broken, name) + (listed or [_("Who meets whom stays the same.")])


def faults(plan: Plan, name: Name) -> list[str]:
    """What the verifier finds wrong, each once with all its rounds."""
    return _in_words(_broken(plan), name)


def _broken(plan: Plan) -> dict[Broken, None]:
    """Each once, in the order of the rounds."""
    found: dict[Broken, None] = {}
    for fault in plan.faults:
        who = [] if fault.player is None else [fault.player]
        if fault.code == "met-too-early":
            who = _too_early(plan, fault)
        found[Broken(fault.code, tuple(plan.people[player] for player in who), (fault.round or 0) + 1)] = None
    return found


def _in_words(found: Iterable[Broken], name: Name) -> list[str]:
    rounds: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for code, who, number in found:
        rounds.setdefault((code, who), []).append(number)
    return [
        str(FAULTS[code]).format(
            rounds=ngettext("Round {rounds}", "Rounds {rounds}", len(numbers)).format(
                rounds=words.listed([*map(str, numbers)])
            ),
            name=words.listed([name(each) for each in who]) if who else "",
        )
        for (code, who), numbers in rounds.items()
    ]


def _too_early(plan: Plan, fault: Fault) -> list[int]:
    """Who meets at the table of that player, although they should not."""
    table = next(table for table in plan.schedule.rounds[fault.round or 0].tables if fault.player in table)
    groups = [group.players for group in plan.wishes.apart if fault.player in group.players]
    return max((sorted({*table} & {*group}) for group in groups), key=len)


FAULTS: Mapping[str, Promise | str] = {
    "met-too-early": gettext_lazy("{rounds}: {name} meet, but should not."),
    "wrong-table": gettext_lazy("{rounds}: {name} is not at their table."),
    "not-there": gettext_lazy("{rounds}: {name} plays, but is not present."),
    "player-missing": gettext_lazy("{rounds}: {name} has no table and no bye."),
    "player-twice": gettext_lazy("{rounds}: {name} has two places."),
    "table-size": gettext_lazy("{rounds}: a table has the wrong size."),
}
BROKEN_WISHES = frozenset({"met-too-early", "wrong-table", "not-there"})


def wish_warning(wish: Wish, state: Tournament) -> str:
    """What a wish costs, or that somebody changed the drawn round against it; "" if nothing."""
    if state.by_results and state.plan and not _kept(wish, state):
        return _("The round that is drawn does not keep it.")
    if wish.what != "apart" or wish.last is not None or state.setup["rounds"] is not None:
        return ""
    return _("So they never meet, although the setup says that everybody meets.")


def _kept(wish: Wish, state: Tournament) -> bool:
    """Whether the round that is drawn keeps a wish about a table."""
    number = len(state.rounds) + 1
    if wish.what == "meet" and wish.first == number:
        return {*wish.entrants} in ({*table} for table in state.plan[0].tables)
    if wish.what == "table":
        drawn = state.round_to_come(number, public=False).pairings
        others = (state.sides_of(each.game, each.players) for each in drawn if each.table != wish.table)
        return not any(wish.entrants[0] in side for sides in others for side in sides)
    return True


# --- their parts -------------------------------------------------------------------------------------------
def _relations(counted: Frequencies) -> list[str]:
    return ["partner", "oppose"] if counted.partner else ["meet"]


def _pairs(name: str, counted: Mapping[int, int]) -> list[str]:
    relation, fair = RELATIONS[name], _fair(counted)
    odd = [times for times in counted if times and times not in fair]
    never = [_so_many(name, counted[0], 0)] if counted.get(0) else []
    if fair == [0]:  # nobody plays
        return []
    if not odd and fair == [0, 1]:
        return [*never, str(relation.nobody_twice)]
    if not odd and not never:
        return [str(relation.everybody).format(often=_often(fair))]
    listed = never + [_so_many(name, counted[times], times) for times in odd]
    if rest := [times for times in fair if times and times in counted]:
        listed.append(str(relation.others).format(often=_often(rest)))
    return listed


def _so_many(name: str, pairs: int, times: int) -> str:
    """A sentence: this many pairs have this relation this many times."""
    relation = RELATIONS[name]
    text = relation.times(pairs) if times else relation.never(pairs)
    return text.format(n=pairs, often=_often([times]))


def _fair(counted: Mapping[int, int]) -> list[int]:
    """The most even numbers with the same total."""
    total = sum(times * number for times, number in counted.items())
    least, more = divmod(total, max(1, sum(counted.values())))
    return [least, least + 1] if more else [least]


def _often(times: Sequence[int]) -> str:
    """“twice”, or “once or twice” for two."""
    texts = [ONCE[each] if each in ONCE else _("{n} times").format(n=each) for each in times]
    return _("{one} or {other}").format(one=texts[0], other=texts[1]) if len(texts) == 2 else str(texts[0])


ONCE = {0: gettext_lazy("never"), 1: gettext_lazy("once"), 2: gettext_lazy("twice"), 3: gettext_lazy("three times")}


def _byes(counted: Mapping[int, int]) -> str:
    least, most = min(counted, default=0), max(counted, default=0)
    if not most:
        return _("Nobody has a bye.")
    if least == most:
        return ngettext("Everybody has one bye.", "Everybody has {n} byes.", most).format(n=most)
    if (least, most) == (0, 1):
        return _("Everybody has at most one bye.")
    return _("Everybody has {least} to {most} byes.").format(least=least, most=most)


def _by_entrant(times: Mapping[tuple[int, int], int], people: Sequence[int]) -> dict[tuple[int, int], int]:
    return {(people[one], people[other]): often for (one, other), often in times.items()}


def _changed_pair(relation: str, pair: tuple[int, int], old: int, new: int, name: Name) -> str:
    one, other = map(name, pair)
    text = RELATIONS[relation].now if new else RELATIONS[relation].now_never
    return str(text).format(one=one, other=other, often=_often([new]), before=_often([old]))


def _changed_byes(before: Plan, after: Plan, name: Name) -> Iterable[Callable[[], str]]:
    was, now = ({plan.people[player]: n for player, n in plan.tally.byes.items()} for plan in (before, after))
    for entrant in sorted(was.keys() | now.keys()):
        if (old := was.get(entrant, 0)) != (new := now.get(entrant, 0)):
            yield partial(_changed_bye, entrant, old, new, name)


def _changed_bye(entrant: int, old: int, new: int, name: Name) -> str:
    text = ngettext("{name} now has {n} bye; before, {old}.", "{name} now has {n} byes; before, {old}.", new)
    return text.format(name=name(entrant), n=new, old=old)
