"""A record as text for people: who sits where, every move, the running score and the arithmetic of each score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games import cards, tiles
from games.base import Score
from games.errors import GameError
from games.match import Match
from games.moves import CELLS, Claim, Contract, Discard, Draw, Follow, Move, Pass, PlaceCard, Play, Roll
from games.record import HandRecord, Record, Result, read_record
from games.registry import GAMES

SCORES = 34
"""The column of the scores."""


def _plain(text: str) -> str:
    """The text without line breaks and control characters."""
    return "".join(char if char.isprintable() else "?" for char in text)


def show(value: Any) -> str:
    """The text of a record, which is given as the value of its JSON. Ends with the first error in it. GameError if it
    is not a record."""
    record = read_record(value, GAMES)
    return "\n".join(_lines(record._replace(players=tuple(map(_plain, record.players)))))


def _lines(record: Record) -> Iterator[str]:
    changed = [f"{name} {_value(value)}" for name, value in record.options.items() if value != _default(record, name)]
    yield ", ".join([record.game.name, *changed])
    for key, text in (record.meta or {}).items():
        yield f"{_plain(key)}: {_plain(text)}"
    for seat, player in enumerate(record.players):
        held = record.cards[seat] if record.cards else None
        yield f"seat {seat}: {player}" + (f", cards {_pieces(tiles.members(held), cards.NAMES)}" if held else "")
    match, noted = Match.begun(record), {(n.hand, n.move): n.code for n in record.noted}
    try:
        for hand in record.hands:
            yield ""
            yield from _hand(match, hand, noted)
            match = match.with_hand(hand)
    except GameError as error:
        yield f"error in the record: {error.message} ({error.code})"
        return
    yield ""
    yield from _ending(match.settled(), record)


def _default(record: Record, name: str) -> Any:
    return next(option.default for option in record.game.options if option.name == name)


def _value(value: Any) -> str:
    return {"True": "on", "False": "off", "None": "none"}.get(str(value), str(value))


def _ending(match: Match, record: Record) -> Iterator[str]:
    if not record.hands and record.result is not None:
        yield "result, unverified: " + _result(record)
        return
    if record.stopped:
        yield f"stopped: {record.stopped}"
        match = Match.of(match.as_record()._replace(stopped=record.stopped))
    state = "final score" if match.finished else "score so far"
    yield f"{state}: {_numbers(match.totals)}{_won(record, match.winners)}"
    if record.result not in (None, Result(match.totals, match.winners)):
        yield "the result in the record is different: " + _result(record)


def _result(record: Record) -> str:
    assert record.result is not None
    return _numbers(record.result.totals) + _won(record, record.result.winners)


def _won(record: Record, winners: Sequence[int]) -> str:
    if not winners:
        return ""
    tie = sum(side[0] in winners for side in record.game.sides(len(record.players))) > 1
    return f", {'tie of' if tie else 'won by'} {' and '.join(record.players[seat] for seat in winners)}"


def _numbers(values: Sequence[int]) -> str:
    return " : ".join(map(str, values))


# --- a hand ------------------------------------------------------------------------------------------------
def _hand(match: Match, hand: HandRecord, noted: Mapping[tuple[int, int], str]) -> Iterator[str]:
    """The lines of one hand, up to its first error."""
    game, names = match.game, match.players
    yield f"hand {len(match.hands) + 1}, {game.opener_word} {names[hand.opener]}"
    written = cards.NAMES if game.deals_cards else tiles.NAMES
    for seat, dealt in enumerate(hand.deal or ()):
        if dealt is not None:
            yield f"  {names[seat]} was dealt {_pieces(reversed(list(tiles.members(dealt))), written)}"
    totals = list(match.settled().totals)
    state = match.with_hand(HandRecord(hand.opener, hand.deal, ())).hands[-1].state
    wide = max(len(name) for name in names)
    for at, move in enumerate(hand.moves or ()):
        after = state.play(move)
        scores = after.scores[len(state.scores) :]
        line = f"  {at + 1:3} {names[move.seat]:{wide}}  {words(move)}"
        if code := noted.get((len(match.hands), at)):
            line += f" (noted: {code})"
        if not scores:
            yield line
        for score in scores:
            yield f"{line:{SCORES}} {_added(score, totals)}"
            line = ""
        state = after
    counted = match.with_hand(hand).settled().hands[-1]
    if hand.ending is not None:
        yield f"  {game.ending_key}: " + ", ".join(
            f"{name} {_left(left)}" for name, left in zip(names, hand.ending, strict=True)
        )
    if counted.outcome is None:
        yield "  (the hand is not over)" if state.end is None else "  (not counted yet)"
        return
    end = counted.outcome.end
    yield f"  {end.by}" + (f" by {names[end.seat]}" if end.seat is not None else "")
    for score in counted.outcome.scores[len(state.scores) :]:
        who = " and ".join(names[seat] for seat in score.seats)
        yield f"  {who:{SCORES - 2}} {_added(score, totals)}"


def _added(score: Score, totals: list[int]) -> str:
    """The score with its sum, and the new totals. Adds the score to ``totals``."""
    for seat in score.seats:
        totals[seat] += score.points
    summed = "".join(
        f" {'-' if term.value < 0 else '+'} {abs(term.value)}{f' ({term.label})' if term.label else ''}"
        for term in score.terms
    )
    reason, summed = score.reason.replace("-", " "), summed.removeprefix(" + ").strip()
    return f"{score.points:+} {reason} = {summed or 0}   {_numbers(totals)}"


def _left(left: Any) -> str:
    return str(left) if isinstance(left, int) else _pieces(left, tiles.NAMES) or "nothing"


def _pieces(pieces: Any, written: Sequence[str]) -> str:
    return " ".join(written[piece] for piece in pieces)


# --- a move ------------------------------------------------------------------------------------------------
def words(move: Move) -> str:
    """A move in words, without the player."""
    match move:
        case Play(_, tile, end, claim):
            return " ".join(filter(None, (tiles.NAMES[tile], end, _claim(claim))))
        case Draw(_, number, seen):
            return f"draws {number}" + _seen(seen)
        case Pass():
            return "passes"
        case Roll(_, dice):
            return "rolls " + " ".join(map(str, dice))
        case Contract(_, contract, trump):
            return f"calls {contract}" + ("" if trump is None else f", trump {trump}")
        case Discard(_, number, seen, drawn):
            return f"discards {number}{_seen(seen)}" + (f" and draws{_seen(drawn)[1:]}" if drawn else "")
        case Follow(_, tile, suit):
            return tiles.NAMES[tile] + ("" if suit is None else f" as {suit}")
        case PlaceCard(_, card, cell):
            return f"{cards.NAMES[card]} {CELLS[cell]}"


def _seen(pieces: Sequence[int] | None) -> str:
    return f": {_pieces(pieces, tiles.NAMES)}" if pieces else ""


def _claim(claim: Claim | None) -> str:
    if claim is None:
        return ""
    card = "" if claim.card is None else cards.NAMES[claim.card]
    return {
        "card": f"claims {card}",
        "multiple": "claims a multiple",
        "virtual": f"claims the virtual card, drops {card}",
    }[claim.by]
