"""The verdict on a record, as ``python -m games verify`` prints it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games import read
from games.errors import Code, GameError, Illegal, marked
from games.match import Match
from games.record import Record, Result, read_record
from games.registry import GAMES


def verify(value: Any) -> dict[str, Any]:
    """The verdict on one record, given as the value of its JSON."""
    try:
        record = read_record(value, GAMES)
    except GameError as error:
        return _verdict((), (), False, (), [error])
    if not record.hands and record.result is not None:
        finished = bool(record.result.winners) or record.stopped is not None
        return {**_verdict((), record.result.totals, finished, record.result.winners, []), "unverified": True}
    match, first = _played(record)
    if first is not None:
        return _of(replace(match, stopped=None), [first], record, finished=False)
    wrong = _compared(match, record.result)
    return _of(match, [wrong] if wrong else [], record, finished=match.finished)


def verify_line(line: str | bytes) -> dict[str, Any]:
    """The verdict on one record, given as JSON text."""
    try:
        value = read.json_value(line)
    except GameError as error:
        return _verdict((), (), False, (), [error])
    return verify(value)


def verified(value: Any) -> Match:
    """The match of a record, given as the value of its JSON. Raises the first error of its verdict."""
    record = read_record(value, GAMES)
    match = Match.of(record)
    if match.hands and (wrong := _compared(match.settled(), record.result)):
        raise wrong
    return match


def _played(record: Record) -> tuple[Match, GameError | None]:
    """The match up to the first error in the record, and that error."""
    match, error = Match.begun(record).with_hands(record.hands)
    if error is not None:
        return replace(match, hands=match.hands[: error.hand]), error
    match = match.settled()
    return match if record.stopped is None else replace(match, stopped=record.stopped), None


def _compared(match: Match, result: Result | None) -> GameError | None:
    if result is None or result == Result(match.totals, match.winners):
        return None
    return Illegal(
        Code.RESULT_MISMATCH,
        marked("The hands give {totals} and the winners {winners}. The result in the record is different."),
        {"totals": _numbers(match.totals), "winners": _numbers(match.winners)},
    )


def _numbers(values: Sequence[int]) -> str:
    return ", ".join(map(str, values)) or "–"


def _of(match: Match, errors: list[GameError], record: Record, *, finished: bool) -> dict[str, Any]:
    hands = tuple(hand.points for hand in match.hands)
    winners = match.winners if finished else ()
    verdict = _verdict(hands, match.totals, finished, winners, errors)
    if record.noted:
        verdict["irregularities"] = [noted.as_json() for noted in record.noted]
    return verdict


def _verdict(
    hands: Sequence[Sequence[int]],
    totals: Sequence[int],
    finished: bool,
    winners: Sequence[int],
    errors: list[GameError],
) -> dict[str, Any]:
    return {
        "valid": not errors,
        "finished": finished,
        "errors": [error.as_json() for error in errors],
        "hands": [list(points) for points in hands],
        "totals": list(totals),
        "winners": list(winners),
    }
