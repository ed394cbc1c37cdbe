"""Entries that correct earlier ones: undo back to an entry, replace a hand, note an irregularity.

Each is an entry like the others, so it can be undone too.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from games import read
from games.errors import Malformed, marked
from games.moves import Move
from games.played import Played
from games.record import Noted, check_noted, read_hand, read_noted

P = TypeVar("P", bound=Played)


def undo(match: P, content: dict[str, Any]) -> P:
    """Goes back to just before an entry (``to``). Corrections of what came before it stay."""
    read.keyed(content, required=("to",), optional=("why",))
    read.why(content)
    to = read.keyed(content["to"], required=("hand", "move"))
    number, move = read.whole(to["hand"]), None if to["move"] is None else read.whole(to["move"])
    if number >= len(match.hands) or (move is not None and move >= len(match.hands[number].state.moves)):
        raise Malformed(marked("There is nothing to undo."))
    record = match.as_record()
    hands = list(record.hands[:number])
    if move is not None:
        again = record.hands[number]
        hands.append(again._replace(moves=(again.moves or ())[:move], ending=None, final=None))
    kept = tuple(n for n in match.noted if n.hand < number or (n.hand == number and move is not None and n.move < move))
    # Substitutes stay in their seats, except those who would come later than the next hand.
    substitutes = tuple(each for each in match.substitutes if each.hand <= len(hands))
    abandoned = tuple(each for each in match.abandoned if each.hand <= number)
    back = record._replace(hands=tuple(hands), stopped=None, noted=kept, result=None)
    return match.of(back._replace(substitutes=substitutes, abandoned=abandoned))


def emptied(match: P) -> P:
    """Without hands and without a result. Who sits where, and the cards, stay."""
    substitutes = tuple(each for each in match.substitutes if each.hand == 0)
    bare = match.as_record()._replace(hands=(), stopped=None, noted=(), result=None)
    return match.of(bare._replace(substitutes=substitutes, abandoned=()))


def replace_hand(match: P, content: dict[str, Any]) -> P:
    """Replaces a hand that was played."""
    read.keyed(content, required=("hand", "with"), optional=("why",))
    read.why(content)
    number = read.whole(content["hand"])
    if number >= len(match.hands):
        raise Malformed(marked("There is no hand {hand}."), hand=number + 1)
    hand = read_hand(content["with"], match.game, match.options, len(match.players), number)
    record = match.as_record()
    others = [noted for noted in match.noted if noted.hand != number]
    noted = (*others, *_noted_still(match, number, hand.moves or ()))
    hands = (*record.hands[:number], hand, *record.hands[number + 1 :])
    return match.of(record._replace(hands=hands, noted=noted))


def _noted_still(match: Played, number: int, moves: Sequence[Move]) -> Iterator[Noted]:
    """The notes about moves of the old hand that are also in the new one, before or after the changed part."""
    old = match.hands[number].state.moves
    first, last = alike(old, moves)
    for noted in match.noted_in(number):
        if noted.move < first:
            yield noted
        elif noted.move >= len(old) - last:
            yield noted._replace(move=noted.move + len(moves) - len(old))


def alike(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How many moves two hands have in common at the beginning, and how many of the rest at the end."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    last = next((at for at in range(shorter - first) if old[-1 - at] != new[-1 - at]), shorter - first)
    return first, last


def note(match: P, content: dict[str, Any]) -> P:
    """Notes an irregularity that the players leave as it is. Malformed if the move cannot have it."""
    noted = read_noted(content)
    check_noted(noted, match.hands[noted.hand].state.moves if noted.hand < len(match.hands) else ())
    return match.of(match.as_record()._replace(noted=(*match.noted, noted)))
