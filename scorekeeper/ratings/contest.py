"""What is rated: who played against whom, when, and how it ended."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from games import GAMES, read
from games.errors import Malformed, marked

FULL, MOST = 100, 200
"""The weight of a match that nothing else is said of, and the greatest one."""


class Contest(NamedTuple):
    """A match that ended: the players of each side by number, and the total of each side. `weight`: how much it counts,
    in per cent."""

    at: datetime
    game: str
    sides: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    lower_wins: bool = False
    weight: int = FULL

    @property
    def places(self) -> tuple[int, ...]:
        """Of each side: 1 and the number of better sides."""
        return _places(self.totals, self.lower_wins)


@lru_cache(maxsize=256)
def _places(totals: tuple[int, ...], lower_wins: bool) -> tuple[int, ...]:
    sign = 1 if lower_wins else -1
    return tuple(1 + sum(sign * other < sign * total for other in totals) for total in totals)


@lru_cache(maxsize=256)
def halves_won(places: tuple[int, ...], side: int) -> int:
    """How many halves of wins a side has against the others: two for each worse side, one for each equal one."""
    mine = places[side]
    return sum((mine < place) * 2 + (mine == place) for place in places) - 1


class Refused(Exception):
    """A line that cannot be read: its number from 1, and a sentence (`template` with its `facts`)."""

    def __init__(self, line: int, template: str, **facts: Any) -> None:
        super().__init__(line, template)
        self.line, self.template, self.facts = line, template, facts

    @property
    def message(self) -> str:
        return self.template.format(**self.facts)


def read_lines(lines: Iterable[str | bytes]) -> list[Contest]:
    """The contests in NDJSON, from the oldest to the newest; those of one time as in the file. Raises Refused."""
    return sorted(
        (_line(number, line) for number, line in enumerate(lines, 1) if line.strip()), key=lambda contest: contest.at
    )


def _line(number: int, line: str | bytes) -> Contest:
    try:
        return _contest(read.keyed(read.json_value(line), required=KEYS, optional=("lower_wins", "weight")))
    except Malformed as error:
        raise Refused(number, error.template, **error.facts) from error


KEYS = ("at", "game", "sides", "totals")


def _contest(content: Mapping[str, Any]) -> Contest:
    sides = tuple(tuple(read.whole(player) for player in read.listed(side)) for side in read.listed(content["sides"]))
    players = [player for side in sides for player in side]
    if len(sides) < 2 or not all(sides):
        raise Malformed(marked("A match needs at least two sides, each with a player."))
    if len(players) != len(set(players)):
        raise Malformed(marked("A player can only be at one place in a match."))
    totals = tuple(read.number(total) for total in read.listed(content["totals"], len(sides)))
    lower_wins = read.flag(content.get("lower_wins", False))
    weight = read.whole(content.get("weight", FULL))
    if not 0 < weight <= MOST:
        raise Malformed(
            marked("A weight is a number of per cent from 1 to {most}, not {weight}."), most=MOST, weight=weight
        )
    game, games = read.text(content["game"]), ", ".join(sorted(GAMES))
    if game not in GAMES:
        raise Malformed(marked("There is no game {game}. The games are {games}."), game=read.shown(game), games=games)
    return Contest(_time(content["at"]), game, sides, totals, lower_wins, weight)


def _time(value: Any) -> datetime:
    try:
        at = datetime.fromisoformat(read.text(value))
    except ValueError as error:
        raise Malformed(marked("{value} is no time (write it like 2026-01-05T20:00:00Z)."), value=value) from error
    if at.tzinfo is None:
        raise Malformed(marked("The time {value} needs a time zone, such as Z at its end."), value=value)
    return at
