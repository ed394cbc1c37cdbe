"""What is entered at the table: a kind of entry is a function from what was played to what is played after it.

Here are the entries of play, from the opening of a hand to the end of the match; ``games.corrections`` has those that
change what was entered, ``games.seats`` those about who sits where.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from games import read
from games.corrections import P, note, replace_hand, undo
from games.errors import Code, Malformed, illegal, marked
from games.moves import Move
from games.record import (
    STOPPED,
    Abandoned,
    Record,
    check_noted,
    hand_json,
    read_cards,
    read_hand,
    read_move,
    read_noted,
    read_told,
    record_json,
)
from games.seats import substitute, swap


class Entry(Protocol):
    def __call__(self, match: P, content: dict[str, Any], /) -> P:
        """The match after an entry of this kind; GameError if it cannot be."""
        ...


def hand(match: P, content: dict[str, Any]) -> P:
    """A hand is opened, or entered whole."""
    word = match.game.opener_word
    if "opener" in content and word not in content:
        content[word] = content.pop("opener")
    if "final" not in content:
        content.setdefault("moves", [])
    return match.with_hand(read_hand(content, match.game, match.options, len(match.players), len(match.hands)))


def move(match: P, content: dict[str, Any]) -> P:
    """A move. ``noted`` is the code of an irregularity that stands: where the hand is known the move is refused
    without it."""
    read.keyed(content, required=("move",), optional=("noted",))
    made = _read_move(match, content["move"])
    if "noted" not in content or match.hand is None or match.stopped:
        return match.with_move(made)
    moves = (*match.hand.state.moves, made)
    noted = read_noted({"hand": len(match.hands) - 1, "move": len(moves) - 1, "code": content["noted"]})
    check_noted(noted, moves)
    record = match.as_record()
    hands = (*record.hands[:-1], record.hands[-1]._replace(moves=moves))
    return match.of(record._replace(hands=hands, noted=(*match.noted, noted)))


def _read_move(match: P, value: Any) -> Move:
    """A move as it is written; what cannot be read is placed where it would stand."""
    try:
        return read_move(value, match.game.moves, len(match.players))
    except Malformed as error:
        if match.hands:
            error.hand, error.move = len(match.hands) - 1, len(match.hands[-1].state.moves)
        raise


def told(match: P, content: dict[str, Any]) -> P:
    """How a hand ended, after its moves: what is left, or the tricks."""
    key = str(match.game.told)
    read.keyed(content, required=(key,))
    return match.with_told(read_told(content[key], match.game, len(match.players)))


def final(match: P, content: dict[str, Any]) -> P:
    """The final state of a hand, whatever its moves."""
    read.keyed(content, required=("final",))
    return match.with_final(match.game.read_final(content["final"], match.options, len(match.players)))


def cards(match: P, content: dict[str, Any]) -> P:
    """The cards each seat has for the match, before its first hand."""
    read.keyed(content, required=("cards",))
    if match.hands:
        raise Malformed(marked("Enter the cards before the first hand."))
    return replace(match, cards=read_cards(content["cards"], match.game, len(match.players)))


def abandon(match: P, content: dict[str, Any]) -> P:
    """The hand in play is given up: the next one has its number and follows from the hand before it."""
    read.keyed(content, optional=("why",))
    number = len(match.hands) - 1
    if match.finished:
        raise illegal(Code.MATCH_OVER, marked("This match is over."), number)
    if match.hand is None:
        raise Malformed(marked("No hand is in play."))
    given_up = Abandoned(number, match.hand.opener, len(match.hand.moves), read.why(content))
    return replace(
        match,
        hands=match.hands[:-1],
        noted=tuple(noted for noted in match.noted if noted.hand < number),
        abandoned=(*match.abandoned, given_up),
    )


def stop(match: P, content: dict[str, Any]) -> P:
    """The match ends before its own end."""
    read.keyed(content, required=("stopped",))
    if match.finished:
        raise illegal(Code.MATCH_OVER, marked("This match is over."), len(match.hands))
    return replace(match, stopped=read.one_of(content["stopped"], STOPPED))


def result(match: P, content: dict[str, Any]) -> P:
    """Only how the match ended, from paper: nothing was seen of its hands."""
    read.keyed(content, required=("totals",))
    totals = tuple(read.number(total) for total in read.listed(content["totals"], len(match.players)))
    if match.finished:
        raise illegal(Code.MATCH_OVER, marked("This match is over."), len(match.hands))
    if match.hands:
        raise Malformed(marked("A result without hands must come before the first hand."))
    for side in match.sides:
        if len({totals[seat] for seat in side}) > 1:
            raise illegal(
                Code.RESULT_MISMATCH,
                marked("{players} are partners. Their points must be the same."),
                None,
                players=", ".join(match.present[seat] for seat in side),
            )
    return replace(match, result=totals)


ENTRIES: Mapping[str, Entry] = {
    "hand": hand,
    "move": move,
    "left": told,
    "tricks": told,
    "cards": cards,
    "final": final,
    "undo": undo,
    "replace": replace_hand,
    "swap": swap,
    "abandon": abandon,
    "stop": stop,
    "note": note,
    "substitute": substitute,
    "result": result,
}
"""The kinds of entries that change what was played."""


def entries_of(record: Record) -> list[dict[str, Any]]:
    """A record as the entries that make it, one a move."""
    entries: list[dict[str, Any]] = []
    if record.cards is not None:
        entries.append({"kind": "cards", "cards": record_json(record)["cards"]})
    noted = {(each.hand, each.move): each.code for each in record.noted}
    for number, played in enumerate(record.hands):
        written = hand_json(played, record.game)
        moves = written.pop("moves", [])
        ends = [{"kind": key, key: written.pop(key)} for key in ("left", "tricks", "final") if key in written]
        entries.append({"kind": "hand", **written})
        for at, made in enumerate(moves):
            entry = {"kind": "move", "move": made}
            entries.append({**entry, "noted": noted[number, at]} if (number, at) in noted else entry)
        entries += ends
    if record.totals_alone:
        entries.append({"kind": "result", "totals": list(record.totals_alone)})
    elif record.stopped:
        entries.append({"kind": "stop", "stopped": record.stopped})
    return entries
