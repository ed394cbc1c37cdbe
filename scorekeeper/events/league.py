"""A league: divisions whose entrants meet over months, each fixture for itself when its day comes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple, Self

from games import GAMES
from scorekeeper.events.encounters import SIDES, Squad
from scorekeeper.events.penalties import Penalty, cancelled
from scorekeeper.events.program import Entry
from scorekeeper.events.rounds import Impossible, Pairing
from scorekeeper.events.setup import KNOCK_OUT, SINGLE, SWISS, by_seat, usual_rounds
from scorekeeper.events.team_play import TeamPlay
from scorekeeper.schedule import berger
from scorekeeper.schedule.seating import HEADS

LEGS = (1, 2)
"""How often two entrants meet. The second time at the other one's home."""
TOO_LATE = date(2200, 1, 1)
"""No season begins and no fixture moves to this day or later. So their days stay within the calendar."""
ROUND_ROBIN = "round-robin"
SYSTEMS = (ROUND_ROBIN, SWISS, KNOCK_OUT)
"""What decides who meets whom: a schedule of all fixtures, or the results of the rounds before."""
USUAL: Mapping[str, Any] = {"system": ROUND_ROBIN, "rounds": None, "bracket": SINGLE}
"""What the setup has if it does not say otherwise."""
HALF, FORFEIT, ANNUL = "half", "forfeit", "annul"
LEAVING = (HALF, FORFEIT, ANNUL)
"""What becomes of somebody who leaves. "annul": their results count no more. "forfeit": what they still had to play is
lost. "half": the first before they have played half of their fixtures, else the second."""
FIXED = ("game", "size", "form", "system", "bracket", "legs", "first", "every", "time")
"""What of the setup cannot change once a fixture is played: its results would belong to other fixtures."""


class Team(NamedTuple):
    """An entrant: a player, or those who play together."""

    players: tuple[int, ...]
    name: str = ""
    """Empty: the names of the players."""

    def named(self, name_of: Callable[[int], str]) -> str:
        """`name_of` names a player."""
        return self.name or " + ".join(map(name_of, self.players))


class Division(NamedTuple):
    name: str
    entrants: tuple[int, ...]
    """Their start numbers, in their order."""


class Meeting(NamedTuple):
    """A fixture before it counts. `division` counts from 0, `round` from 1; `home` and `away` are start numbers."""

    division: int
    round: int
    home: int
    away: int


@dataclass(frozen=True, slots=True)
class Fixture:
    """Two entrants who play each other. Their start numbers are `home` and `away`, its own `number` counts from 1."""

    number: int
    division: int
    """Counts from 0."""
    round: int
    home: int
    away: int
    at: datetime | None
    """When it begins. None: it is postponed without a new date."""
    planned: datetime
    """When it was to begin at first."""
    where: str = ""
    """What people want to know about the place."""
    postponed: str = ""
    """Why it is not on its first date; empty if it is."""
    absent: frozenset[int] = frozenset()
    """The sides that gave it up: 0 is home, 1 is away."""
    why_absent: str = ""
    matches: Mapping[int, int] = field(default_factory=dict)
    """The id of the newest match on each board, from 1."""
    changes: int = 0
    """How often its date, its place or whether it is played changed."""

    @property
    def sides(self) -> tuple[int, int]:
        return self.home, self.away

    @property
    def begun(self) -> bool:
        return bool(self.matches or self.absent)

    @property
    def meeting(self) -> Meeting:
        return Meeting(self.division, self.round, self.home, self.away)


@dataclass(frozen=True)
class League(TeamPlay):
    """A season of a league, or a day of teams. In a round robin all fixtures are made at once, and each is played for
    itself. By another system, each round is drawn from the results of those before."""

    setup: Mapping[str, Any] = field(default_factory=dict)
    """Its `name`, and how it is played: `game`, `options`, `minutes`; `size`, how many players an entrant has at the
    table; `form`, what teams play in each fixture as `encounters.Form` writes it, or None if entrants are no teams;
    `system` (of SYSTEMS), and for Swiss the number of `rounds`, None for as many as usual; `legs` (of LEGS); `worth`,
    `order`, `minimum_played` and `lots` as in the tournament file; `first`, the day of the first round (as in
    2026-09-04), `every`, the days between rounds (0: all are on that day), `time` (as in 19:30), `without`, the days
    without play; how many go `up` and `down` between neighbouring divisions; `leaving` (of LEAVING); whether it is
    `public`, whether players may start and type their own fixtures (`by_players`); `series`, the id of its first
    season, or None if this is it."""
    divisions: tuple[Division, ...] = ()
    """The strongest first."""
    entrants: Mapping[int, Team] = field(default_factory=dict)
    """By start number."""
    fixtures: Mapping[int, Fixture] = field(default_factory=dict)
    """By number."""
    byes: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """By round that was drawn: the entrants whom the draw left out."""
    former: Mapping[int, int] = field(default_factory=dict)
    """By player who has left a squad: the start number of the team."""
    penalties: tuple[Penalty, ...] = ()
    final: tuple[Mapping[int, int], ...] = ()
    """For each division the place of each entrant when the season was closed; empty if nobody noted it."""
    withdrawn: frozenset[int] = frozenset()
    annulled: frozenset[int] = frozenset()
    """Those of them whose results do not count."""

    AFTER_THE_END = frozenset({"score", "remove"})

    @property
    def public(self) -> bool:
        return bool(self.setup["public"]) and not self.removed

    @property
    def by_results(self) -> bool:
        """Whether each round is drawn from the results of those before."""
        return bool(self.setup["system"] != ROUND_ROBIN)

    @property
    def rounds_made(self) -> int:
        """How many rounds have their fixtures."""
        return max((fixture.round for fixture in self.fixtures.values()), default=0)

    @property
    def rounds_wanted(self) -> int:
        """How many rounds a Swiss system has."""
        usual = max((usual_rounds(len(each.entrants), HEADS) for each in self.divisions), default=0)
        return self.setup["rounds"] or usual

    @property
    def boards(self) -> int:
        """How many matches a fixture has."""
        return len(self.form.boards) if self.form else 1

    @property
    def can_undo(self) -> bool:
        return self.before is not None and bool(self.before.setup) and not self.opened_last

    @property
    def begun(self) -> bool:
        """Whether a fixture is played or given up, or one is in play."""
        return bool(self.encounters) or any(fixture.begun for fixture in self.fixtures.values())

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """By player, also of those who have left a squad: the start number of their entrant."""
        here = {player: number for number, team in self.entrants.items() for player in team.players}
        return {**self.former, **here}

    def named(self, entrant: int, name_of: Callable[[int], str]) -> str:
        """The name of a pair or team, else of its players; `name_of` names a player."""
        return self.entrants[entrant].named(name_of)

    def squads_at(self, fixture: int) -> tuple[Squad, Squad]:
        home, away = self.fixture(fixture).sides
        return self.squad_of(home), self.squad_of(away)

    def squad_of(self, entrant: int) -> Squad:
        if entrant not in self.entrants:
            raise Impossible("not-entered")
        return self.entrants[entrant].players

    @property
    def secret_of(self) -> Mapping[tuple[int, int], tuple[int, Squad, int, Any]]:
        return {
            (number, side): (self.captain_of(each), self.squad_of(each), fixture.sides[1 - side], self.setup["form"])
            for number, fixture in self.fixtures.items()
            for side, each in enumerate(fixture.sides)
            if self.form
        }

    @property
    def can_change(self) -> list[Fixture]:
        """The fixtures of the newest round that was drawn by a Swiss system in which nothing has happened yet: who
        plays in them can change."""
        if self.setup["system"] != SWISS:
            return []
        return [
            fixture
            for fixture in self.fixtures.values()
            if fixture.round == self.rounds_made
            and not (fixture.begun or fixture.number in self.encounters or self.absent_at(fixture))
        ]

    @property
    def swaps(self) -> "list[League]":
        """The league after each swap in the newest round, the newest first, then as that round was drawn. Empty if
        no round was drawn from results."""
        found: list[League] = []
        state: League = self
        while state.before and state.did and state.did["kind"] != "round":
            found += [state] if state.did["kind"] == "exchange" else []
            state = state.before
        return [*found, state] if state.did and state.did["kind"] == "round" else []

    @property
    def swapped(self) -> frozenset[int]:
        """The entrants who met somebody else in the newest round before hosts swapped places in it."""
        now = self.meetings_in(self.rounds_made)
        others = (two for before in self.swaps for two in now ^ before.meetings_in(self.rounds_made))
        return frozenset(entrant for two in others for entrant in two)

    def meetings_in(self, number: int) -> frozenset[frozenset[int]]:
        """Who meets whom in a round."""
        return frozenset(frozenset(each.sides) for each in self.fixtures.values() if each.round == number)

    def division_of(self, entrant: int) -> int:
        """Counts from 0."""
        return next(at for at, division in enumerate(self.divisions) if entrant in division.entrants)

    def fixtures_of(self, entrant: int) -> list[Fixture]:
        """Their fixtures by number."""
        return [fixture for fixture in self.fixtures.values() if entrant in fixture.sides]

    def free_in(self, number: int) -> list[int]:
        """Those without a fixture in a round that has its fixtures: the draw gave them a bye, or the schedule a free
        round."""
        if self.by_results:
            return sorted(self.byes.get(number, ()))
        there = [fixture for fixture in self.fixtures.values() if fixture.round == number]
        playing = {each for fixture in there for each in fixture.sides}
        divisions = [self.divisions[at] for at in sorted({fixture.division for fixture in there})]
        return [each for division in divisions for each in division.entrants if each not in playing]

    def free_rounds(self, entrant: int) -> list[int]:
        """The rounds in which an entrant is free, of those that have fixtures."""
        return [number for number in range(1, self.rounds_made + 1) if entrant in self.free_in(number)]

    def counting(self, division: int) -> list[Fixture]:
        """The fixtures of a division that count, or will."""
        return [
            fixture
            for fixture in self.fixtures.values()
            if fixture.division == division and self.annulled.isdisjoint(fixture.sides)
        ]

    def absent_at(self, fixture: Fixture) -> frozenset[int]:
        """The sides that gave it up, both if no player of them came, or that left before it was over: boards that were
        left empty may have decided it."""
        met = self.encounters.get(fixture.number)
        if met and met.nobody_came:
            return frozenset(SIDES)
        if fixture.begun or (met and met.score({}).over):
            return fixture.absent
        return frozenset(side for side, entrant in enumerate(fixture.sides) if entrant in self.withdrawn)

    def players_of(self, fixture: Fixture) -> tuple[int, ...]:
        return tuple(player for entrant in fixture.sides for player in self.entrants[entrant].players)

    def may_play(self, fixture: Fixture) -> tuple[int, ...]:
        """Which players may start the fixture and type its result: its own, if the setup lets players do so, else only
        hosts do."""
        return self.players_of(fixture) if self.setup["by_players"] else ()

    def pairing(self, fixture: Fixture, table: int, board: int = 1) -> Pairing:
        """The table of a board of a fixture. The side at home leads the first hand; between teams, on odd boards.
        Impossible "line-ups-secret", or "board-forfeited" where somebody is missing."""
        setup = self.setup
        if self.form:
            played, players = self.form.boards[board - 1], self.encounter(fixture.number).seats_at(board)
            return Pairing(table, played.game, played.setting.options, played.setting.minutes, players)
        players = by_seat(GAMES[setup["game"]], self.players_of(fixture))
        return Pairing(table, setup["game"], setup["options"], setup["minutes"], players)

    def enter(self, entry: Entry) -> Self:
        """Impossible "removed" until that is undone, "nothing-to-undo" for the first setup: there is no league without
        one."""
        if self.removed and entry["kind"] != "undo":
            raise Impossible("removed")
        if entry["kind"] == "undo" and not self.can_undo:
            raise Impossible("nothing-to-undo")
        return super().enter(entry)

    # --- the steps -----------------------------------------------------------------------------------------
    def _set_up(self, entry: Entry) -> Self:
        """Impossible "fixtures-played" if something of FIXED changes after that. Before, such a change gives up the
        fixtures, and another number of players at the table the entrants."""
        setup = {**USUAL, **{name: value for name, value in entry.items() if name != "kind"}}
        changed = {name for name in FIXED if self.setup and setup.get(name) != self.setup.get(name)}
        if self.begun and changed:
            raise Impossible("fixtures-played")
        after = replace(self._without_fixtures() if changed else self, setup=setup)
        teams = bool(self.setup) and bool(setup.get("form")) != bool(self.setup.get("form"))
        return replace(after, divisions=(), entrants={}, here=(), came=()) if "size" in changed or teams else after

    def _divide(self, entry: Entry) -> Self:
        """These ``divisions`` take the place of those before: each a ``name``, and ``entrants`` with their ``players``
        and ``name``. They get start numbers in this order; fixtures are given up. Impossible "fixtures-played",
        "division-twice" or "entered-twice"."""
        if self.begun:
            raise Impossible("fixtures-played")
        names = [each["name"] for each in entry["divisions"]]
        if len({*names}) < len(names):
            raise Impossible("division-twice")
        number, entrants, divisions = count(1), dict[int, Team](), list[Division]()
        for each in entry["divisions"]:
            new = {next(number): Team(tuple(one["players"]), one["name"]) for one in each["entrants"]}
            entrants |= new
            divisions.append(Division(each["name"], tuple(new)))
        players = tuple(player for team in entrants.values() for player in team.players)
        if len({*players}) < len(players):
            raise Impossible("entered-twice")
        before = replace(self._without_fixtures(), captains={}, former={}, penalties=())
        return replace(before, divisions=tuple(divisions), entrants=entrants, here=players, came=players)

    def _make_fixtures(self, entry: Entry) -> Self:
        """All ``fixtures`` at once, each with ``division``, ``round``, ``home``, ``away`` and ``at``. Impossible
        "fixtures-played", "not-entered" or "fixture-twice"."""
        if self.begun:
            raise Impossible("fixtures-played")
        fixtures = self._read(entry["fixtures"], 1)
        met = Counter(frozenset(each.sides) for each in fixtures.values())
        homes = Counter(each.sides for each in fixtures.values())
        if any(times > self.setup["legs"] for times in met.values()) or any(times > 1 for times in homes.values()):
            raise Impossible("fixture-twice")
        return replace(self, fixtures=fixtures, byes={})

    def _draw(self, entry: Entry) -> Self:
        """The next ``round``: its ``fixtures`` as in `_make_fixtures`, and the entrants with ``byes``. Impossible
        "no-such-round", "not-entered" or "somebody-twice"."""
        number = entry["round"]
        if number != self.rounds_made + 1 or any(each["round"] != number for each in entry["fixtures"]):
            raise Impossible("no-such-round")
        fixtures = self._read(entry["fixtures"], len(self.fixtures) + 1)
        there = [*entry["byes"], *(entrant for each in fixtures.values() for entrant in each.sides)]
        if not {*there} <= self.entrants.keys():
            raise Impossible("not-entered")
        if len({*there}) < len(there):
            raise Impossible("somebody-twice")
        byes = {**self.byes, number: frozenset(entry["byes"])}
        return replace(self, fixtures={**self.fixtures, **fixtures}, byes=byes)

    def _exchange(self, entry: Entry) -> Self:
        """Two ``entrants`` of a division swap places in the newest ``round``, which was drawn; one of them may have its
        bye. Impossible "not-newest-round", "knock-out", "not-in-the-round", "other-division", and "fixture-open" if
        something has happened in a fixture of one of them."""
        number, (one, other) = entry["round"], entry["entrants"]
        if self.setup["system"] == KNOCK_OUT:
            raise Impossible("knock-out")
        if not self.by_results or number != self.rounds_made:
            raise Impossible("not-newest-round")
        theirs = {
            each.number: each
            for each in self.fixtures.values()
            if each.round == number and not {one, other}.isdisjoint(each.sides)
        }
        byes = self.byes.get(number, frozenset())
        there = byes.union(*(each.sides for each in theirs.values()))
        if one == other or not theirs or not {one, other} <= there:
            raise Impossible("not-in-the-round")
        if self.division_of(one) != self.division_of(other):
            raise Impossible("other-division")
        if not theirs.keys() <= {each.number for each in self.can_change}:
            raise Impossible("fixture-open")
        instead = {one: other, other: one}
        fixtures = dict(self.fixtures)
        for each in theirs.values():
            home, away = (instead.get(entrant, entrant) for entrant in each.sides)
            fixtures[each.number] = replace(each, home=home, away=away, changes=each.changes + 1)
        free = frozenset(instead.get(entrant, entrant) for entrant in byes)
        return replace(self, fixtures=fixtures, byes={**self.byes, number: free})

    def _date(self, entry: Entry) -> Self:
        """The ``fixture`` is ``at`` another time (None: that is not known), or at another place (``where``). With a
        ``reason`` it is postponed. Impossible "no-such-fixture" or "fixture-begun"."""
        fixture = self._to_play(entry["fixture"])
        at = datetime.fromisoformat(entry["at"]) if entry["at"] else None
        postponed = entry["reason"] or fixture.postponed
        return self._with(replace(fixture, at=at, where=entry["where"], postponed=postponed))

    def _board(self, entry: Entry) -> Self:
        """A ``match`` is played on a ``board`` of the ``fixture``, in place of an earlier one there. Impossible
        "no-such-fixture", "no-such-board" or "given-up"; between teams also "line-ups-secret" or "board-forfeited"."""
        fixture = self.fixture(entry["fixture"])
        if not 0 < entry["board"] <= self.boards:
            raise Impossible("no-such-board")
        if self.absent_at(fixture):
            raise Impossible("given-up")
        if self.form:
            self.encounter(fixture.number).seats_at(entry["board"])
        matches = {**fixture.matches, entry["board"]: entry["match"]}
        return self._with(replace(fixture, matches=matches), changed=False)

    def _part(self, entry: Entry) -> Self:
        """A match is played on each of these ``boards`` of the ``fixture``, by their numbers. Impossible as `_board`,
        "line-ups-secret" or "board-forfeited"."""
        after = self
        for board, match in entry["boards"].items():
            after = after._board({"fixture": entry["fixture"], "board": int(board), "match": match})
        return after

    def _absent(self, entry: Entry) -> Self:
        """The ``absent`` sides gave the ``fixture`` up; none: it is to be played after all. Impossible
        "no-such-fixture"."""
        fixture = self.fixture(entry["fixture"])
        absent = frozenset(entry["absent"])
        if not absent <= {0, 1}:
            raise Impossible("no-such-fixture")
        return self._with(replace(fixture, absent=absent, why_absent=entry["reason"] if absent else ""))

    def _squad(self, entry: Entry) -> Self:
        """Players join the squad of a team (``joined``), at its end, and leave it (``left``). Line-ups that are open
        stay. Impossible "no-teams", "not-entered", "has-left", "not-in-squad", "empty-squad", or "other-squad" for who
        was in another squad of this season."""
        if self.form is None:
            raise Impossible("no-teams")
        entrant, joined, left = entry["entrant"], entry["joined"], {*entry["left"]}
        squad = self.squad_of(entrant)
        if entrant in self.withdrawn:
            raise Impossible("has-left")
        if not left <= {*squad}:
            raise Impossible("not-in-squad")
        if any(self.numbers.get(player, entrant) != entrant for player in joined):
            raise Impossible("other-squad")
        players = tuple(dict.fromkeys(player for player in (*squad, *joined) if player not in left))
        if not players:
            raise Impossible("empty-squad")
        return replace(
            self,
            entrants={**self.entrants, entrant: self.entrants[entrant]._replace(players=players)},
            former={**self.former, **dict.fromkeys(left, entrant)},
            captains={number: player for number, player in self.captains.items() if player not in left},
            here=tuple(dict.fromkeys(player for player in (*self.here, *joined) if player not in left)),
            came=tuple(dict.fromkeys((*self.came, *joined))),
        )

    def _penalty(self, entry: Entry) -> Self:
        """``points`` are taken off an ``entrant``. Impossible "not-entered"."""
        if entry["entrant"] not in self.entrants:
            raise Impossible("not-entered")
        penalty = Penalty(entry["entrant"], entry["round"], entry["points"], entry["reason"])
        return replace(self, penalties=(*self.penalties, penalty))

    def _cancel_penalty(self, entry: Entry) -> Self:
        """``number`` counts the penalties from 0. Impossible "no-such-penalty"."""
        return replace(self, penalties=cancelled(self.penalties, entry))

    def _remove(self, entry: Entry) -> Self:
        return replace(self, removed=True)

    def _close(self, entry: Entry) -> Self:
        """With the ``final`` places of each division, as pairs of an entrant and their place."""
        final = tuple(map(dict, entry.get("final", ())))
        return replace(super()._close(entry), final=final)

    def _withdraw(self, entry: Entry) -> Self:
        """An ``entrant`` leaves; ``annul``: none of their results count. Impossible "not-entered" or "has-left"."""
        entrant = entry["entrant"]
        if entrant not in self.entrants:
            raise Impossible("not-entered")
        if entrant in self.withdrawn:
            raise Impossible("has-left")
        gone = {*self.entrants[entrant].players}
        fixtures = {
            number: replace(each, changes=each.changes + 1) if entrant in each.sides else each
            for number, each in self.fixtures.items()
        }
        return replace(
            self,
            withdrawn=self.withdrawn | {entrant},
            annulled=self.annulled | ({entrant} if entry["annul"] else frozenset()),
            fixtures=fixtures,
            here=tuple(player for player in self.here if player not in gone),
        )

    # --- their parts ---------------------------------------------------------------------------------------
    def _read(self, written: Iterable[Mapping[str, Any]], first: int) -> dict[int, Fixture]:
        """These fixtures by their numbers, from `first`. Impossible "not-entered"."""
        fixtures = {
            number: Fixture(number, each["division"], each["round"], each["home"], each["away"], at, at)
            for number, each in enumerate(written, first)
            for at in [datetime.fromisoformat(each["at"])]
        }
        for each in fixtures.values():
            if not 0 <= each.division < len(self.divisions):
                raise Impossible("not-entered")
            if each.home == each.away or not {*each.sides} <= {*self.divisions[each.division].entrants}:
                raise Impossible("not-entered")
        return fixtures

    def _without_fixtures(self) -> Self:
        return replace(self, fixtures={}, byes={})

    def fixture(self, number: int) -> Fixture:
        """Impossible "no-such-fixture"."""
        if number not in self.fixtures:
            raise Impossible("no-such-fixture")
        return self.fixtures[number]

    def _to_play(self, number: int) -> Fixture:
        """Impossible "no-such-fixture" or "fixture-begun"."""
        fixture = self.fixture(number)
        if fixture.begun:
            raise Impossible("fixture-begun")
        if self.absent_at(fixture):
            raise Impossible("given-up")
        return fixture

    def _with(self, fixture: Fixture, *, changed: bool = True) -> Self:
        fixture = replace(fixture, changes=fixture.changes + changed)
        return replace(self, fixtures={**self.fixtures, fixture.number: fixture})

    STEPS = {
        **TeamPlay.TEAM_STEPS,
        "setup": _set_up,
        "divisions": _divide,
        "fixtures": _make_fixtures,
        "round": _draw,
        "exchange": _exchange,
        "date": _date,
        "play": _board,
        "part": _part,
        "score": _board,
        "absent": _absent,
        "withdraw": _withdraw,
        "squad": _squad,
        "penalty": _penalty,
        "cancel-penalty": _cancel_penalty,
        "remove": _remove,
        "close": _close,
    }


def meetings(divisions: Iterable[Division], legs: int) -> list[Meeting]:
    """Who meets whom in which round, by round and division: by the Berger tables, so that everybody is at home and away
    as evenly as possible. In the second leg the sides change."""
    schedule = {1: berger.single, 2: berger.double}[legs]
    found = [
        Meeting(at, number, division.entrants[home], division.entrants[away])
        for at, division in enumerate(divisions)
        for number, (tables, _byes) in enumerate(schedule(len(division.entrants)), 1)
        for home, away in tables
    ]
    return sorted(found, key=lambda each: (each.round, each.division))


def days(first: date, every: int, without: Iterable[date]) -> Iterator[date]:
    """The days of the rounds, one after the other. A round that falls on a day without play moves on."""
    out = {*without}
    return (day for number in count() if (day := first + timedelta(days=number * every)) not in out)
