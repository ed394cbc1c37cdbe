"""The kinds of entries. Each is a function from a match to the match after the entry.

This module has the entries of play, from the first hand to the end of the match. ``games.corrections`` has those that
correct earlier entries, ``games.seats`` those about who sits where.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from games import read
from games.corrections import P, emptied, note, replace_hand, undo
from games.errors import Code, Malformed, illegal, marked
from games.moves import Move
from games.record import (
    EARLY,
    STOPPED,
    Abandoned,
    Record,
    check_noted,
    hand_json,
    read_cards,
    read_ending,
    read_final,
    read_hand,
    read_move,
    read_noted,
    record_json,
)
from games.seats import substitute, swap


class EntryKind(Protocol):
    def __call__(self, match: P, content: dict[str, Any], /) -> P:
        """The match after an entry of this kind with this content. GameError if it cannot be read or is illegal."""
        ...


def hand(match: P, content: dict[str, Any]) -> P:
    """Opens a hand, or enters a whole one."""
    word = match.game.opener_word
    if "opener" in content and word not in content:
        content[word] = content.pop("opener")
    if "final" not in content:
        content.setdefault("moves", [])
    return match.with_hand(read_hand(content, match.game, match.options, len(match.players), len(match.hands)))


def move(match: P, content: dict[str, Any]) -> P:
    """A move. ``noted`` is the code of an irregularity that the players leave as it is. If the hand is known, the move
    would be refused without this note."""
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
    """Reads a move. An error gets the number that the move would have."""
    try:
        return read_move(value, match.game.moves, len(match.players))
    except Malformed as error:
        if match.hands:
            error.hand, error.move = len(match.hands) - 1, len(match.hands[-1].state.moves)
        raise


def ending(match: P, content: dict[str, Any]) -> P:
    """The end of a hand after its moves: what each seat has left, or its tricks."""
    key = str(match.game.ending_key)
    read.keyed(content, required=(key,))
    return match.with_ending(read_ending(content[key], match.game, len(match.players)))


def final(match: P, content: dict[str, Any]) -> P:
    """The final state of a hand, in place of further moves."""
    read.keyed(content, required=("final",))
    return match.with_final(read_final(content["final"], match.game, match.options, len(match.players)))


def cards(match: P, content: dict[str, Any]) -> P:
    """The cards that each seat has for the whole match; only before the first hand."""
    read.keyed(content, required=("cards",))
    if match.hands:
        raise Malformed(marked("Enter the cards before the first hand."))
    return replace(match, cards=read_cards(content["cards"], match.game, len(match.players)))


def abandon(match: P, content: dict[str, Any]) -> P:
    """Gives up the hand in play. The next hand gets its number, and follows the hand before it."""
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
    """Ends the match before the rules do. A match that is over can still be abandoned: then nobody wins."""
    read.keyed(content, required=("stopped",), optional=("why",))
    read.why(content)
    stopped = _stopped(content)
    if match.stopped == "abandoned" or (match.finished and stopped != "abandoned"):
        raise illegal(Code.MATCH_OVER, marked("This match is over."), len(match.hands))
    return replace(match, stopped=stopped)


def _stopped(content: Mapping[str, Any]) -> str:
    """What ended the match."""
    return read.one_of(content["stopped"], (*STOPPED, *EARLY))


def result(match: P, content: dict[str, Any]) -> P:
    """The result alone, copied from paper, for a match whose hands were not recorded. ``stopped``: what ended it, if
    that was not its rules. With ``why`` it replaces what was entered before: another result, or the hands."""
    read.keyed(content, required=("totals",), optional=("stopped", "why"))
    if read.why(content):
        match = emptied(match)
    with read.field("totals"):
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
    return replace(match, result=totals, stopped=_stopped(content) if "stopped" in content else None)


ENTRIES: Mapping[str, EntryKind] = {
    "hand": hand,
    "move": move,
    "left": ending,
    "tricks": ending,
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
"""The kinds of entries that change the hands, the players or the end of a match."""


def entries_of(record: Record) -> list[dict[str, Any]]:
    """The entries that make this record, one for each move."""
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
    stopped = {"stopped": record.stopped} if record.stopped else {}
    if record.totals_alone:
        entries.append({"kind": "result", "totals": list(record.totals_alone), **stopped})
    elif stopped:
        entries.append({"kind": "stop", **stopped})
    return entries
