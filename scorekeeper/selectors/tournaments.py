"""Reading tournaments: their file, and the standings that follow from it."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from games import GAMES
from scorekeeper.events import Tournament
from scorekeeper.events.groups import MAIN
from scorekeeper.events.rounds import Pairing, Round
from scorekeeper.events.setup import DOUBLE, OF_THE_WHOLE, PLACEMENT, THIRD_PLACE, USUAL
from scorekeeper.models import Event, EventEntry, Match
from scorekeeper.pairing import reachable
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.knock_out import last_round, next_games
from scorekeeper.selectors.events import EventNow, in_play, state_of
from scorekeeper.selectors.series import Series, absent_in, in_order, seated_at, series_at
from scorekeeper.selectors.standings import Seated
from scorekeeper.standings import comparison
from scorekeeper.standings.calculation import Calculated, calculate
from scorekeeper.standings.criteria import MANUAL
from scorekeeper.standings.exact import as_json
from scorekeeper.standings.possible import Prospect, prospects, something_open
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.reading import FORMAT, read_value
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import By
from scorekeeper.standings.tournament import Pairing as Meeting

BROUGHT_ALONG = "points from the stage before"
MOST_WITH_PROSPECTS = 200  # entrants
EFFORT = 100_000  # for prospects, which then take about 50 ms


def standings_now(snapshot: EventNow) -> Calculated:
    """The standings of a tournament with everything that is over, calculated once for the same results. No query."""
    return _standings(json.dumps(tournament_file(snapshot)))


@lru_cache(maxsize=8)
def _standings(file: str) -> Calculated:
    return calculate(read_value(json.loads(file)))


def prospects_now(snapshot: EventNow) -> Mapping[int, Prospect]:
    """What each entrant can still reach by points, at the tables in play and those of the released rounds to come; in a
    knock-out, which place. Calculated once for the same results. Empty while everybody can reach every place, before
    the first result, at the end, where points are not what counts first, and with more than MOST_WITH_PROSPECTS
    entrants. No query."""
    state = tournament_of(snapshot)
    setup = state.setup
    if state.closed or state.free_play or not 0 < len(state.entrants) <= MOST_WITH_PROSPECTS:
        return {}
    if state.knock_out:
        return _prospects_in_tree(json.dumps(tournament_file(snapshot)), setup["prizes"], frozenset(state.withdrawn))
    if setup["order"][:1] != ["points"] or setup["worth"]["by"] == By.SCORE:
        return {}
    return _prospects(json.dumps(tournament_file(snapshot)), setup["prizes"], frozenset(state.withdrawn))


@lru_cache(maxsize=8)
def _prospects(file: str, prizes: int, gone: frozenset[int]) -> Mapping[int, Prospect]:
    with_all_rounds = json.loads(file)
    for stage in with_all_rounds["stages"]:
        stage["rounds"] += stage.get("to_come", [])
    tournament = read_value(with_all_rounds)
    results = Results.of(tournament, tournament.stages[0])
    if not results.begun or not something_open(results):
        return {}
    return _unless_all_is_open(prospects(results, prizes, EFFORT, gone))


@lru_cache(maxsize=8)
def _prospects_in_tree(file: str, prizes: int, gone: frozenset[int]) -> Mapping[int, Prospect]:
    tournament = read_value(json.loads(file))
    stage = tournament.stages[0]
    if not Results.of(tournament, stage).begun:
        return {}
    found = reachable.prospects(tournament, stage, prizes, gone)
    is_open = any(each.possible.best != each.possible.worst for each in found.values())
    return _unless_all_is_open(found) if is_open else {}


def _unless_all_is_open(found: Mapping[int, Prospect]) -> Mapping[int, Prospect]:
    any_place = 1, len(found)
    return found if any((each.possible.best, each.possible.worst) != any_place for each in found.values()) else {}


def director_decides(state: Tournament) -> bool:
    """Whether the director decides between entrants who are equal, in this stage."""
    return any(MANUAL in field.setup["order"] for field in state.fields)


def equals(snapshot: EventNow) -> list[list[Standing]]:
    """The groups of entrants between whom the director decides, by place. None before the first result. No query."""
    if not tournament_of(snapshot).entrants:
        return []
    stages = zip(parts(snapshot), standings_now(snapshot).stages, strict=True)
    here = [stage for part, stage in stages if part.now and stage.results.begun]
    return [group for stage in here for group in comparison.equals(stage.rows, MANUAL)]


def standings_if(snapshot: EventNow, match: Match, sheet: Mapping[str, Any], seats: Seated | None) -> Calculated:
    """The standings if the match had this sheet. `seats`: who sits where, if that changes. No query."""
    file = tournament_file(snapshot)
    for part, stage in zip(parts(snapshot), file["stages"], strict=True):
        rounds = tournament_of(part.snapshot).rounds
        for number, (drawn, played) in enumerate(zip(rounds, stage["rounds"], strict=True), 1):
            for pairing, table in zip(drawn.pairings, played["tables"], strict=True):
                _change(table, part.snapshot, number, pairing, match, sheet, seats)
    return calculate(read_value(file))


def _change(
    table: dict[str, Any],
    snapshot: EventNow,
    number: int,
    pairing: Pairing,
    match: Match,
    sheet: Mapping[str, Any],
    seats: Seated | None,
) -> None:
    """As `standings_if`, if the match was played at this table."""
    state = tournament_of(snapshot)
    series = series_at(snapshot, state, number, pairing)
    if series and match in series.all:
        table |= _of_series(series.if_it_had(match, sheet), table.get("absent", []))
    elif table.get("match") == match.pk:
        sat = seated_at(state, pairing, match)
        players = [sat[each] if isinstance(each, int) else each.pk for each in seats or range(len(sat))]
        table["sides"] = state.sides_of(match.game, players)
        table["totals"] = _totals(match.game, sheet, table.get("absent", []))
        table["abandoned"] = sheet["stopped"] == "abandoned"


class Part(NamedTuple):
    """A group of entrants in a stage of the tournament, with standings of their own."""

    name: str
    snapshot: EventNow
    """It alone, as if it were the whole tournament: its rounds are numbered from 1."""
    stage: int = 0
    """The number of its stage, from 0."""
    now: bool = True
    """Whether its stage is not over."""
    one_of_several: bool = False

    def has(self, number: int, entrant: int) -> bool:
        """Whether the entrant is in it, and the round of the whole tournament with this number, too."""
        state = tournament_of(self.snapshot)
        return entrant in state.entrants and 0 < number - self.snapshot.rounds_before <= len(state.rounds)


def parts(snapshot: EventNow) -> list[Part]:
    """Every stage of the file: the groups of the earlier stages, then those of this one. A tournament that has
    neither is its only part. No query."""
    state = tournament_of(snapshot)
    if not (state.groups or state.earlier):
        return [Part(snapshot.part or MAIN, snapshot)]
    found, now = [], len(state.earlier)
    for number, (before, stage) in enumerate(state.stages):
        for group in stage.groups:
            within = state.within(group, stage, before)
            part = replace(snapshot, state=within, part=group.name, rounds_before=before)
            found.append(Part(group.name, part, number, number == now, True))
    return found


def tournament_file(snapshot: EventNow) -> dict[str, Any]:
    """The tournament as its file (docs/tournament.md). No query."""
    state, found = tournament_of(snapshot), parts(snapshot)
    head = _head(snapshot)
    return {
        **head,
        "stages": [with_places(head, _stage(part, state)) for part in found],
        "overall": _overall(found),
        # Other programs pass over this. With it, an import is set up as it was.
        "scorekeeper": {
            "setup": dict(state.setup),
            **({"stages": _stages(state)} if state.groups or state.earlier or state.advances else {}),
            "withdrawn": sorted(state.withdrawn),
            **({"resting": sorted(state.resting)} if state.resting else {}),
            **({"categories": [each.as_json() for each in state.categories]} if state.categories else {}),
            "closed": snapshot.event.closed_at is not None,
        },
    }


def _stages(state: Tournament) -> list[dict[str, Any]]:
    """Which stages of the file are groups side by side, what of their setup is other than now, what some of them have
    for themselves, the points that their entrants brought along, and what was decided about who goes on from them."""
    return [
        {
            "groups": [group.name for group in stage.groups],
            **({"own": own} if (own := {group.name: dict(group.own) for group in stage.groups if group.own}) else {}),
            "setup": {
                name: value
                for name, value in stage.setup.items()
                if name not in OF_THE_WHOLE and value != state.setup.get(name)
            },
            "carried": [[entrant, points] for entrant, points in stage.carried.items()],
            **(
                {"advances": advances}
                if (advances := [each.as_json() for each in state.advances if each.stage == number])
                else {}
            ),
        }
        for number, (_before, stage) in enumerate(state.stages)
    ]


def _overall(found: Sequence[Part]) -> list[list[str]]:
    """Finals place one after the other, the groups before them side by side."""
    groups = [part.name for part in found if part.stage == 0]
    finals = [[part.name] for part in sorted(found, key=lambda part: -part.stage) if part.stage]
    return [*finals, groups]


def _head(snapshot: EventNow) -> dict[str, Any]:
    """What all stages of the file have in common."""
    state = tournament_of(snapshot)
    setup = state.setup
    return {
        "format": FORMAT,
        "name": snapshot.event.name,
        "game": setup["game"],
        "options": setup["options"],
        "lower_wins": GAMES[setup["game"]].lower_wins,
        "entrants": [_entrant(snapshot, number, players) for number, players in state.entrants.items()],
    }


def with_places(head: Mapping[str, Any], stage: dict[str, Any]) -> dict[str, Any]:
    """The stage of a file with this head, in a knock-out with the places that its tables decide."""
    if not (stage.get("third_place") or stage.get("placement")):
        return stage
    found: dict[str, Any] = json.loads(_placed(json.dumps({**head, "stages": [stage]})))
    return found


@lru_cache(maxsize=8)
def _placed(written: str) -> str:
    """The stage of this file of a knock-out with its places, as they were drawn: round after round."""
    file = json.loads(written)
    (stage,) = file["stages"]
    for number, played in enumerate(stage["rounds"]):
        before = read_value({**file, "stages": [{**stage, "rounds": stage["rounds"][:number]}]})
        places = {
            frozenset(each for side in game.sides for each in side): game.places
            for game in next_games(Field(before, before.stages[0])).tables
        }
        for table in played["tables"]:
            if at := places.get(frozenset(each for side in table["sides"] for each in side)):
                table["places"] = list(at)
    return json.dumps(stage)


def _stage(part: Part, whole: Tournament) -> dict[str, Any]:
    """A part without the places that tables of a knock-out decide."""
    snapshot, state = part.snapshot, tournament_of(part.snapshot)
    setup = state.setup
    planned = state.rounds_announced if state.closed else max(state.rounds_announced, 1)
    return {
        "name": part.name,
        "system": setup["system"],
        **({"entrants": [*state.entrants]} if part.one_of_several else {}),
        **({"rounds_planned": planned} if planned and not state.free_play else {}),
        "worth": setup["worth"],
        "order": setup["order"],
        "minimum_played": setup["minimum_played"],
        "lots": setup["lots"],
        "manual": list(state.manual),
        "rounds": [_round(snapshot, number) for number in range(1, len(state.rounds) + 1)],
        **({"to_come": to_come(state, whole, public=True)} if state.published and not state.closed else {}),
        **(_tree(state) if state.knock_out else {} if state.rounds_overlap else _pairing(snapshot)),
        "penalties": [*_carried(state), *(each.as_json() for each in state.penalties)],
    }


def _carried(state: Tournament) -> list[dict[str, Any]]:
    """The points that entrants brought along from an earlier stage: penalties that give instead of taking off, except
    where the fewest points are best."""
    fewest_first = state.setup["worth"]["by"] == By.SCORE and GAMES[state.setup["game"]].lower_wins
    return [
        {
            "entrant": entrant,
            "round": 1,
            "points": as_json(Fraction(points) * (1 if fewest_first else -1)),
            "reason": BROUGHT_ALONG,
        }
        for entrant, points in state.carried.items()
    ]


def tournament_of(snapshot: EventNow) -> Tournament:
    assert isinstance(snapshot.state, Tournament), "a night has no entrants"
    return snapshot.state


def tournament_in(event: Event) -> Tournament:
    """The state of a tournament. One query."""
    state = state_of(event)
    assert isinstance(state, Tournament), "a night has no entrants"
    return state


def tournaments_in(events: Collection[Event]) -> dict[int, Tournament]:
    """The states of several tournaments, by id. One query."""
    steps = EventEntry.objects.filter(event__in=events).order_by("event", "seq").values_list("event", "payload")
    logs = groupby(steps, key=itemgetter(0))
    return {event: Tournament.of(payload for _event, payload in log) for event, log in logs}


def match_at(snapshot: EventNow, round_number: int, table: int) -> Match | None:
    """The match of a round at a table, the newest if there are several; None before it is seated. No query."""
    return snapshot.at_tables.get((round_number, table))


def absent_from(match: Match) -> frozenset[int]:
    """The sides that did not come to the match of a round, by index. At most three queries: one if all came, none
    outside rounds."""
    if match.event_id is None or match.round is None or match.table is None:
        return frozenset()
    here = {"payload__round": match.round, "payload__table": match.table.number}
    if not EventEntry.objects.filter(event=match.event_id, kind="forfeit", **here).exists():
        return frozenset()
    return absent_in(tournament_in(Event.objects.get(pk=match.event_id)), match)


def unconfirmed(state: Tournament, match: Match) -> bool:
    """Whether the match is over, but fewer seats than the tournament asks for have confirmed it. A result that was
    typed at the desk needs no confirmation."""
    sheet = match.sheet
    asked = min(state.setup["confirm"], len(sheet["totals"]))
    return bool(sheet["winners"]) and not match.unverified and len(sheet.get("confirmed", ())) < asked


def rounds_announced(snapshot: EventNow) -> int:
    """How many rounds everybody knows of; a knock-out in which a table did not decide has more. Of a part, how many it
    has for itself. No query."""
    state = tournament_of(snapshot)
    if state.closed or not (state.knock_out and state.begun):
        return state.rounds_announced
    stages = zip(parts(snapshot), standings_now(snapshot).stages, strict=True)
    before = snapshot.rounds_before
    return max(
        state.rounds_announced,
        *(
            part.snapshot.rounds_before - before + last_round(stage.results)
            for part, stage in stages
            if part.now and tournament_of(part.snapshot).knock_out
        ),
    )


def is_of_the_last_round(match: Match, event: Event) -> bool:
    """Whether the tournament announces no round after that of the match."""
    return match.round is not None and match.round >= tournament_in(event).rounds_announced


def is_open(state: Tournament, match: Match) -> bool:
    """Whether its result can still change without a director, so that the standings are provisional."""
    return in_play(match) or unconfirmed(state, match)


def open_results(snapshot: EventNow) -> int:
    """How many results can still change without a director. No query."""
    state = tournament_of(snapshot)
    return sum(is_open(state, match) for match in snapshot.matches)


def unsettled(state: Tournament, match: Match) -> bool:
    """Whether the match is over, but waits for confirmations, or a player disputes its result."""
    return unconfirmed(state, match) or bool(match.sheet["winners"] and match.sheet.get("disputed"))


def unsettled_in(event: Event, state: Tournament) -> list[Match]:
    """The matches of the tournament whose results are not settled, by round and table. One query."""
    over = event.matches.select_related("table").filter(finished_at__isnull=False).defer("offers")
    return [match for match in over.order_by("round", "table__number") if unsettled(state, match)]


def entrant_name(snapshot: EventNow, number: int) -> str:
    """The name of a team, else of its players."""
    return tournament_of(snapshot).named(number, snapshot.name)


def _entrant(snapshot: EventNow, number: int, players: tuple[int, ...]) -> dict[str, Any]:
    about = tournament_of(snapshot).about.get(number)
    return {
        "id": number,
        "name": entrant_name(snapshot, number),
        "players": [snapshot.name(player) for player in players],
        **({"club": about.club} if about and about.club else {}),
        **({"rating": about.rating} if about and about.rating is not None else {}),
    }


def _round(snapshot: EventNow, number: int) -> dict[str, Any]:
    state = tournament_of(snapshot)
    played, usual = state.rounds[number - 1], state.setup["best_of"] if state.knock_out else 1
    tables = []
    for pairing in played.pairings:
        match = match_at(snapshot, number, pairing.table)
        series = series_at(snapshot, state, number, pairing)
        absent = sorted(state.absent_at(number, pairing.table))
        if absent and match and not series:
            sides = in_order(state, number, pairing, match, range(len(state.sides_of(pairing.game, pairing.players))))
            absent = [at for at, side in enumerate(sides) if side in absent]
        tables.append(
            {
                "table": pairing.table,
                "sides": state.sides_of(pairing.game, seated_at(state, pairing, match)),
                "totals": _totals(match.game, match.sheet, absent) if match else None,
                **(_of_series(series, absent) if series else {}),
                **({"best_of": most} if (most := series.most if series else 1) != usual else {}),
                **({"abandoned": True} if match and match.sheet["stopped"] == "abandoned" else {}),
                **({"absent": absent} if absent else {}),
                **({"match": match.pk} if match else {}),
            }
        )
    return {"tables": tables, "unplayed": _unplayed(state, number, played)}


def _of_series(series: Series, absent: Collection[int]) -> dict[str, Any]:
    """The sides of a table as they were drawn, what its matches decided, and each of them that counts."""
    state, pairing = series.state, series.pairing
    return {
        "sides": state.sides_of(pairing.game, pairing.players),
        "totals": None if absent else series.totals,
        "matches": [
            {
                "match": match.pk,
                "sides": state.sides_of(pairing.game, seated_at(state, pairing, match)),
                "totals": _totals(match.game, match.sheet, []),
            }
            for match in series.matches
            if match.sheet["stopped"] != "abandoned"
        ],
    }


def to_come(state: Tournament, whole: Tournament, *, public: bool) -> list[dict[str, Any]]:
    """The rounds to come of a part of the `whole` tournament; `public`: those that everybody may see, as they were
    released."""
    rounds = state.published if public else state.scheduled
    numbers = range(len(whole.rounds) + 1, len(whole.rounds) + len(rounds) + 1)
    return [
        {
            "tables": [
                {"table": pairing.table, "sides": state.sides_of(pairing.game, pairing.players)}
                for pairing in drawn.pairings
            ],
            "unplayed": _unplayed(state, number - whole.rounds_before, drawn),
        }
        for number in numbers
        if (drawn := whole.round_to_come(number, public=public).among(state.numbers))
    ]


def _tree(state: Tournament) -> dict[str, Any]:
    """Who is where in a knock-out, and who plays on."""
    return {
        "entrants": list(state.seeds),
        **plays_on(state.setup["bracket"]),
        **{name: state.setup[name] for name in ("best_of", "final_best_of") if state.setup[name] != USUAL[name]},
    }


def plays_on(bracket: str) -> dict[str, bool]:
    """Who plays on in a knock-out, as its stage says it."""
    return {"double": bracket == DOUBLE, "third_place": bracket == THIRD_PLACE, "placement": bracket == PLACEMENT}


def at_tables_now(snapshot: EventNow) -> set[int]:
    """The entrants who play at a table of the tournament now. No query."""
    numbers = tournament_of(snapshot).numbers
    seats = (seat for match in snapshot.matches if in_play(match) for seat in match.seats.all())
    return {numbers[seat.player_id] for seat in seats if seat.player_id is not None and seat.player_id in numbers}


def _pairing(snapshot: EventNow) -> dict[str, Any]:
    """How the next round is drawn from the results; in free play, for those who are free."""
    state = tournament_of(snapshot)
    setup, number = state.setup, len(state.rounds) + 1
    out = state.resting.union(at_tables_now(snapshot)) if state.free_play else state.away(number)
    by_lots = number == 1 and setup["first_by_lots"]
    return {
        "play": setup["format"],
        "pairing": Meeting.RANDOM if by_lots else setup["pairing"],
        "first": setup["first"],
        **({"apart": {"by": "club", "rounds": setup["apart"]}} if setup["apart"] else {}),
        "next": {
            "tables": [],
            "unplayed": [
                *_of_kind("asked", (entrant for entrant in sorted(out) if entrant not in state.withdrawn)),
                *_of_kind("absent", sorted(state.withdrawn)),
            ],
        },
    }


def _unplayed(state: Tournament, number: int, drawn: Round) -> list[dict[str, Any]]:
    """Who has no table in the round with this number. In a round robin only those with a bye are
    named."""
    there = {state.numbers[player] for player in drawn.players}
    asked = (entrant for entrant in state.away(number) if entrant not in there)
    byes = dict.fromkeys(state.numbers[player] for player in drawn.byes)
    return [*_of_kind("bye", byes), *(() if state.rounds_overlap else _of_kind("asked", asked))]


def _of_kind(kind: str, entrants: Iterable[int]) -> list[dict[str, Any]]:
    return [{"entrant": entrant, "kind": kind} for entrant in entrants]


def _totals(game: str, sheet: Mapping[str, Any], absent: list[int]) -> list[int | None] | None:
    """The total of each side; None while the match is in play, and if it was abandoned."""
    sides = GAMES[game].sides(len(sheet["totals"]))
    if not sheet["winners"] or len(sides) - len(absent) < 2:
        return None
    totals = [sheet["totals"][side[0]] for side in sides]
    return [None if side in absent else total for side, total in enumerate(totals)]
