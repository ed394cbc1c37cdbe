"""A club ladder: a standing order of players or pairs, who challenge those a few rungs above them.

The log has what people did. Who stands where also depends on the results of matches, and on days that pass without a
match. So `Ladder` only keeps its steps, and `Ladder.at` climbs them for any moment: a result that is corrected counts
from the day of its match.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, Self

from games import GAMES
from scorekeeper.events.league import Team
from scorekeeper.events.program import Entry, Program
from scorekeeper.events.rounds import Impossible, Pairing
from scorekeeper.events.setup import by_seat

CLIMBS, STAYS = "climbs", "stays"
CONSEQUENCES = (CLIMBS, STAYS)
"""What a challenge without a match does: the challenger takes the place, or the order stays."""
DAYS_TO_CONFIRM = 3
"""How many days the other side has at least, after somebody typed or recorded a result."""


class Result(NamedTuple):
    """What came of a match."""

    won: bool | None
    """Whether the challenger won; a tie is no win, nor is what somebody disputes. None while it is in play."""
    until: datetime | None = None
    """Until when it waits for the sides to confirm it; None: it counts."""


Results = Mapping[int, Result]
"""By the id of a match. Abandoned matches are not there."""


class State(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    TYPED = "typed"
    """A side typed a result, and nobody has confirmed it."""
    PLAYING = "playing"
    RECORDED = "recorded"
    """It is played, and not both sides have confirmed what was recorded at the table."""
    PLAYED = "played"
    AWARDED = "awarded"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"
    """Somebody left, or the ladder was closed."""


WAITING = (State.OPEN, State.ACCEPTED, State.TYPED)
RUNS_OUT = (*WAITING, State.RECORDED)
UNSETTLED = (*RUNS_OUT, State.PLAYING)


@dataclass(frozen=True, slots=True)
class Challenge:
    """`challenger` and `challenged` are numbers of entrants, its own `number` counts from 1."""

    number: int
    challenger: int
    challenged: int
    at: datetime
    until: datetime
    """The end of its last day."""
    state: State = State.OPEN
    match: int | None = None
    """The id of its match, but for one that was abandoned."""
    claims: Mapping[int, Entry] = field(default_factory=dict)
    """By the side that typed it: a result that is not confirmed. It has ``totals``, ``early`` and ``won``, whether the
    challenger won by it."""
    won: bool = False
    """Whether the challenger won by what was recorded, and is not confirmed."""
    climbed: bool = False
    """Whether the challenger took the place."""
    settled: datetime | None = None

    @property
    def sides(self) -> tuple[int, int]:
        return self.challenger, self.challenged

    @property
    def unsettled(self) -> bool:
        return self.state in UNSETTLED


@dataclass(frozen=True)
class Rungs:
    """Who stands where at one moment."""

    order: tuple[int, ...] = ()
    """The numbers of the entrants, from the top."""
    away: frozenset[int] = frozenset()
    """Who cannot be challenged for some time."""
    challenges: Mapping[int, Challenge] = field(default_factory=dict)
    """By number."""
    leaders: tuple[tuple[datetime, int], ...] = ()
    """Who stood at the top, and since when, the first one first."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The setup at this moment."""

    @property
    def open(self) -> list[Challenge]:
        """The challenges that are to be answered or played, or in play."""
        return [each for each in self.challenges.values() if each.unsettled]

    def rung(self, entrant: int) -> int | None:
        """From 1 at the top; None for somebody who is not on the ladder."""
        return self.order.index(entrant) + 1 if entrant in self.order else None

    def within_reach(self, challenger: int) -> tuple[int, ...]:
        """Whose rungs are near enough. Those who are away do not count as rungs."""
        above = [each for each in self.order[: self.order.index(challenger)] if each not in self.away]
        return tuple(above[-self.rules["reach"] :])

    def refuses(self, challenger: int, challenged: int, at: datetime) -> str:
        """Why the one may not challenge the other: "nobody" if one is not on the ladder, "yourself", "you-are-away",
        "they-are-away", "below", "too-far", "you-challenge", "they-are-challenged", "too-soon"; "" if they may."""
        if not {challenger, challenged} <= {*self.order}:
            return "nobody"
        if challenger == challenged:
            return "yourself"
        if challenger in self.away:
            return "you-are-away"
        if challenged in self.away:
            return "they-are-away"
        if self.order.index(challenged) > self.order.index(challenger):
            return "below"
        if challenged not in self.within_reach(challenger):
            return "too-far"
        return self.busy(challenger, challenged) or ("too-soon" if self.too_soon(challenger, challenged, at) else "")

    def busy(self, challenger: int, challenged: int) -> str:
        """Everybody has at most one open challenge each way: "you-challenge", "they-are-challenged", or ""."""
        if any(each.challenger == challenger for each in self.open):
            return "you-challenge"
        return "they-are-challenged" if any(each.challenged == challenged for each in self.open) else ""

    def too_soon(self, one: int, other: int, at: datetime) -> bool:
        """Whether the two have just had a challenge, whoever made it."""
        gap = timedelta(days=self.rules["gap"])
        theirs = (each for each in self.challenges.values() if {*each.sides} == {one, other})
        return any(each.settled is not None and at < each.settled + gap for each in theirs)

    def may_challenge(self, challenger: int, at: datetime) -> tuple[int, ...]:
        if challenger not in self.order:
            return ()
        return tuple(each for each in self.within_reach(challenger) if not self.refuses(challenger, each, at))

    def held_back(self, challenger: int) -> str:
        """Why somebody on the ladder may challenge nobody at all: "top", "you-are-away", "you-challenge", or ""."""
        if self.order[0] == challenger:
            return "top"
        if challenger in self.away:
            return "you-are-away"
        return "you-challenge" if any(each.challenger == challenger for each in self.open) else ""

    # --- the steps -----------------------------------------------------------------------------------------
    def after(self, entry: Entry, results: Results) -> "Rungs":
        """After one more step. A step about a challenge that is settled by then, or in play, says nothing: a correction
        of an earlier result may have settled it. What was recorded waits for nothing but a result that a host types."""
        at = datetime.fromisoformat(entry["at"])
        now = self.passed(at)
        waits = RUNS_OUT if entry["kind"] == "score" else WAITING
        if "challenge" in entry and now._of(entry).state not in waits:
            return now
        return CLIMBING[entry["kind"]](now, entry, at, results)._led(at)

    def passed(self, at: datetime) -> "Rungs":
        """With the consequences of the challenges whose last day is over."""
        late = [each for each in self.open if each.state in RUNS_OUT and each.until <= at]
        now = self
        for each in sorted(late, key=lambda each: (each.until, each.number)):
            state = State.PLAYED if each.state == State.RECORDED else State.EXPIRED
            now = now._settled(each, state, each.until, climbs=self._climbs_late(each))._led(each.until)
        return now

    def _climbs_late(self, late: Challenge) -> bool:
        """Whether the challenger takes the place after the last day: by what was recorded, or by a typed result, if
        the other side typed no other one, else by the rules."""
        if late.state == State.RECORDED:
            return late.won
        if late.claims:
            return [each["won"] for each in late.claims.values()] == [True]
        return bool(self.rules["unanswered" if late.state == State.OPEN else "unplayed"] == CLIMBS)

    def _led(self, at: datetime) -> "Rungs":
        first = self.order[:1]
        if not first or (self.leaders and self.leaders[-1][1] == first[0]):
            return self
        return replace(self, leaders=(*self.leaders, (at, first[0])))

    def _with(self, challenge: Challenge) -> "Rungs":
        return replace(self, challenges={**self.challenges, challenge.number: challenge})

    def _settled(self, challenge: Challenge, state: State, at: datetime, *, climbs: bool = False) -> "Rungs":
        after = self._with(replace(challenge, state=state, climbed=climbs, settled=at))
        return replace(after, order=climbed(self.order, *challenge.sides)) if climbs else after

    def _of(self, entry: Entry) -> Challenge:
        return self.challenges[entry["challenge"]]

    def _rule(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return replace(self, rules=entry)

    def _join(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return replace(self, order=placed(self.order, entry["numbers"], entry["place"]))

    def _leave(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        entrant = entry["entrant"]
        order = tuple(each for each in self.order if each != entrant)
        return replace(self, order=order, away=self.away - {entrant})._ended(at, entrant)

    def _away(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        one = {entry["entrant"]}
        return replace(self, away=self.away | one if entry["away"] else self.away - one)

    def _challenge(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        until = datetime.fromisoformat(entry["until"])
        number = len(self.challenges) + 1
        return self._with(Challenge(number, entry["challenger"], entry["challenged"], at, until))

    def _accept(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return self._with(replace(self._of(entry), state=State.ACCEPTED))

    def _decline(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return self._settled(self._of(entry), State.DECLINED, at, climbs=self.rules["declined"] == CLIMBS)

    def _take_back(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return self._settled(self._of(entry), State.WITHDRAWN, at)

    def _award(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return self._settled(self._of(entry), State.AWARDED, at, climbs=entry["climbs"])

    def _dated(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        """`Ladder.at` has given the challenge its last day from the beginning."""
        return self

    def _claim(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        """The other side has time to answer, also on the last day."""
        challenge, time_to_answer = self._of(entry), datetime.fromisoformat(entry["until"])
        claims, until = {**challenge.claims, entry["side"]: entry}, max(challenge.until, time_to_answer)
        return self._with(replace(challenge, state=State.TYPED, claims=claims, until=until))

    def _match(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        """The first match that was not abandoned decides, from when it began, also over what was typed before. What was
        recorded in it waits until it is confirmed; what a host typed, or the sides agreed on, does not."""
        challenge = self._of(entry)
        if entry["match"] not in results:
            return self._with(replace(challenge, state=State.ACCEPTED, claims={}))
        challenge, (won, until) = replace(challenge, match=entry["match"], claims={}), results[entry["match"]]
        if won is None:
            return self._with(replace(challenge, state=State.PLAYING))
        if until and entry["kind"] == "play":
            until = max(challenge.until, until)
            return self._with(replace(challenge, state=State.RECORDED, until=until, won=won))
        return self._settled(challenge, State.PLAYED, at, climbs=won)

    def _close(self, entry: Entry, at: datetime, results: Results) -> "Rungs":
        return self._ended(at, *self.order)

    def _ended(self, at: datetime, *entrants: int) -> "Rungs":
        """Without the open challenges of these entrants."""
        now = self
        for each in self.open:
            now = now if {*entrants}.isdisjoint(each.sides) else now._settled(each, State.ENDED, at)
        return now


CLIMBING: Mapping[str, Callable[[Rungs, Entry, datetime, Results], Rungs]] = {
    "setup": Rungs._rule,
    "join": Rungs._join,
    "rung": Rungs._join,
    "leave": Rungs._leave,
    "away": Rungs._away,
    "challenge": Rungs._challenge,
    "accept": Rungs._accept,
    "decline": Rungs._decline,
    "take-back": Rungs._take_back,
    "award": Rungs._award,
    "date": Rungs._dated,
    "play": Rungs._match,
    "score": Rungs._match,
    "claim": Rungs._claim,
    "confirm": Rungs._match,
    "close": Rungs._close,
}
"""By kind of step, what it does to the rungs."""


@dataclass(frozen=True)
class Ladder(Program):
    """The steps of a ladder. `at` says who stands where."""

    setup: Mapping[str, Any] = field(default_factory=dict)
    """Its `name`, and how it is played: `game`, `options`, `minutes`; `size`, how many players an entrant has; `reach`,
    how many rungs up a challenge may go; `days` until it must be played; `gap`, the days before the same two may have
    another; what happens if it is `unanswered`, `declined` or `unplayed` (of CONSEQUENCES); whether it is `public`, and
    whether players may challenge, start and type (`by_players`)."""
    entrants: Mapping[int, Team] = field(default_factory=dict)
    """By number, also those who have left."""
    steps: tuple[Entry, ...] = ()
    """Those that were not undone."""

    INDEPENDENT = frozenset({"challenge", "accept", "decline", "take-back", "away", "claim"})
    AFTER_THE_END = frozenset({"score"})

    @property
    def public(self) -> bool:
        return bool(self.setup["public"])

    @property
    def can_undo(self) -> bool:
        return self.before is not None and bool(self.before.setup)

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """By player: the number of their entrant."""
        return {player: number for number, team in self.entrants.items() for player in team.players}

    @property
    def sides_of(self) -> Mapping[int, tuple[int, int]]:
        """By number of a challenge: the challenger and the challenged."""
        made = (each for each in self.steps if each["kind"] == "challenge")
        return {number: (each["challenger"], each["challenged"]) for number, each in enumerate(made, 1)}

    def players_of(self, *entrants: int) -> tuple[int, ...]:
        return tuple(player for entrant in entrants for player in self.entrants[entrant].players)

    def may_act_for(self, *entrants: int) -> tuple[int, ...]:
        """Which players may act for these entrants: theirs, if the setup lets players act, else only hosts do."""
        return self.players_of(*entrants) if self.setup["by_players"] else ()

    def pairing(self, challenge: int, table: int) -> Pairing:
        """The table of a challenge. The challenger leads the first hand. Impossible "no-such-challenge"."""
        if challenge not in self.sides_of:
            raise Impossible("no-such-challenge")
        players = by_seat(GAMES[self.setup["game"]], self.players_of(*self.sides_of[challenge]))
        return Pairing(table, self.setup["game"], self.setup["options"], self.setup["minutes"], players)

    def at(self, moment: datetime, results: Results) -> Rungs:
        """Who stands where at this moment, by these results."""
        steps = [each for each in self.steps if datetime.fromisoformat(each["at"]) <= moment]
        moved = {each["challenge"]: each["until"] for each in steps if each["kind"] == "date"}
        rungs, made = Rungs(), 0
        for each in steps:
            if each["kind"] == "challenge":
                made += 1
                rungs = rungs.after({**each, "until": moved.get(made, each["until"])}, results)
            else:
                rungs = rungs.after(each, results)
        return rungs.passed(moment)

    def enter(self, entry: Entry) -> Self:
        """Impossible "nothing-to-undo" for the first setup: there is no ladder without one."""
        if entry["kind"] == "undo" and not self.can_undo:
            raise Impossible("nothing-to-undo")
        return super().enter(entry)

    # --- the steps -----------------------------------------------------------------------------------------
    def _set_up(self, entry: Entry) -> Self:
        """Impossible "ladder-begun" if another number of players is to share a rung than those who are there."""
        if self.entrants and entry["size"] != self.setup["size"]:
            raise Impossible("ladder-begun")
        setup = {name: value for name, value in entry.items() if name not in ("kind", "at")}
        return replace(self._keep(entry), setup=setup)

    def _join(self, entry: Entry) -> Self:
        """The ``entrants``, each with ``players`` and ``name``, join at this ``place``, or at the bottom without one.
        Who was there before gets the same number again. Impossible "entered-twice"."""
        known = {frozenset(team.players): number for number, team in self.entrants.items()}
        entrants, numbers = dict(self.entrants), list[int]()
        for each in entry["entrants"]:
            number = known.get(frozenset(each["players"]), len(entrants) + 1)
            entrants[number] = Team(tuple(each["players"]), each["name"])
            numbers.append(number)
        came = tuple(player for number in numbers for player in entrants[number].players)
        if len({*came, *self.here}) < len(came) + len(self.here):
            raise Impossible("entered-twice")
        if any(len({*team.players} & {*came}) not in (0, len(team.players)) for team in entrants.values()):
            raise Impossible("other-partner")
        after = replace(self._keep({**entry, "numbers": numbers}), entrants=entrants)
        return replace(after, here=(*self.here, *came), came=tuple(dict.fromkeys((*self.came, *came))))

    def _move(self, entry: Entry) -> Self:
        """An ``entrant`` comes to another ``place``. Impossible "not-entered"."""
        return self._keep({**entry, "numbers": [self._entered(entry)]})

    def _leave(self, entry: Entry) -> Self:
        """Impossible "not-entered"."""
        gone = {*self.entrants[self._entered(entry)].players}
        return replace(self._keep(entry), here=tuple(player for player in self.here if player not in gone))

    def _away(self, entry: Entry) -> Self:
        """An ``entrant`` is ``away``, or back. Impossible "not-entered"."""
        self._entered(entry)
        return self._keep(entry)

    def _challenge(self, entry: Entry) -> Self:
        """A ``challenger`` wants the place of the ``challenged``, and to play ``until`` then. Impossible
        "not-entered"."""
        for name in ("challenger", "challenged"):
            self._entered({"entrant": entry[name]})
        return self._keep(entry)

    def _about(self, entry: Entry) -> Self:
        """Impossible "no-such-challenge"."""
        if entry["challenge"] not in self.sides_of:
            raise Impossible("no-such-challenge")
        return self._keep(entry)

    def _end(self, entry: Entry) -> Self:
        return replace(self._keep(entry), closed=True)

    def _entered(self, entry: Entry) -> int:
        """The number of somebody on the ladder. Impossible "not-entered"."""
        found = int(entry["entrant"])
        if found not in self.entrants or {*self.entrants[found].players}.isdisjoint(self.here):
            raise Impossible("not-entered")
        return found

    def _keep(self, entry: Entry) -> Self:
        return replace(self, steps=(*self.steps, entry))

    STEPS = {
        "setup": _set_up,
        "join": _join,
        "rung": _move,
        "leave": _leave,
        "away": _away,
        "challenge": _challenge,
        **dict.fromkeys(
            ("accept", "decline", "take-back", "award", "date", "play", "score", "claim", "confirm"), _about
        ),
        "close": _end,
    }


def placed(order: Iterable[int], entrants: Iterable[int], place: int | None) -> tuple[int, ...]:
    """The order with these entrants from this place on, one after the other; without a place at the bottom."""
    new = tuple(entrants)
    others = tuple(each for each in order if each not in new)
    at = len(others) if place is None else place - 1
    return (*others[:at], *new, *others[at:])


def climbed(order: tuple[int, ...], challenger: int, challenged: int) -> tuple[int, ...]:
    """The order after the challenger has taken the place: the challenged and those between move down by one. Who is
    above already, or plays somebody who left, stays."""
    if not {challenger, challenged} <= {*order} or order.index(challenger) < order.index(challenged):
        return order
    return placed(order, [challenger], order.index(challenged) + 1)
