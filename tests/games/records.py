"""Short ways to write records for the tests of the rules."""

from typing import Any

import games

WHIST_PLAYERS = ["Ana", "Bo", "Cleo", "Dan"]
BLOCK_PLAYERS = ["Ana", "Bo"]


def moves(written: str, opener: int = 0, seats: int = 4) -> list[dict[str, Any]]:
    """Moves by seats in turn, such as ``"6-6 6-1e pass 1-0"``. A seat can be given before a colon: ``"2:6-4w"``."""
    result: list[dict[str, Any]] = []
    for at, word in enumerate(written.split()):
        seat, _, what = word.rpartition(":")
        move: dict[str, Any] = {"seat": int(seat) if seat else (opener + at) % seats}
        if what == "pass":
            move["type"] = "pass"
        else:
            move |= {"type": "play", "tile": what[:3]} | ({"end": what[3:]} if what[3:] else {})
        result.append(move)
    return result


def hand(written: str, opener: int = 0, **more: Any) -> dict[str, Any]:
    """A hand of Domino Whist."""
    return {"opener": opener, "moves": moves(written, opener), **more}


def block_hand(written: str, leader: int = 0, **more: Any) -> dict[str, Any]:
    return {"leader": leader, "moves": moves(written, leader, 2), **more}


def whist(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "scorekeeper-record/1",
        "game": "domino-whist",
        "players": WHIST_PLAYERS,
        "hands": list(hands),
        **more,
    }


def block(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "scorekeeper-record/1",
        "game": "block",
        "players": BLOCK_PLAYERS,
        "hands": list(hands),
        **more,
    }


def first_error(record: dict[str, Any]) -> dict[str, Any] | None:
    """The only error of a record, without its message; None if the record is valid."""
    verdict = games.verify(record)
    assert len(verdict["errors"]) <= 1
    for error in verdict["errors"]:
        assert error["message"]
        return {"proof": None, **{key: value for key, value in error.items() if key != "message"}}
    return None
