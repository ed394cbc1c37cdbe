"""What happened, said in the reader's language."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

import games
from games import GameError, cards
from games.errors import marked
from games.moves import Claim, Contract, Discard, Draw, Follow, Move, Pass, Place, Play, Roll, move_json
from games.record import read_move
from games.tiles import NAMES

# Black and red in turn.
SUITS = {suit: cards.SIGNS[suit] for suit in "SHCD"}
P = ParamSpec("P")
T = TypeVar("T")


# Only marked here for who translates: one of them is said at a time.
WORDS: Mapping[str, str] = {
    "bad-points": marked("bad points"),
    "not-debited": marked("the lighter side, not debited"),
    "table": marked("on the table"),
    "out": marked("went out"),
    "blocked": marked("blocked"),
    "reached": marked("reached the target"),
    "dropped": marked("dropped the last card"),
    "played": marked("played to the end"),
    "card": marked("claimed with a card"),
    "multiple": marked("a multiple of the dice"),
    "virtual": marked("the virtual card of four dice"),
    "claims": marked("claimed in play"),
    "points": marked("points of the whole game"),
    "row": marked("a row"),
    "column": marked("a column"),
    "diagonal": marked("a diagonal"),
    "pair": marked("pair"),
    "three": marked("three alike"),
    "four": marked("four alike"),
    "run": marked("run"),
    "flush": marked("flush"),
    "tricks": marked("tricks"),
    "quota": marked("quota"),
    "rounding": marked("rounding"),
    "evens": marked("evens"),
    "odds": marked("odds"),
    "zero": marked("zero"),
    "final": marked("by its final state"),
    "time": marked("time was up"),
    "hands": marked("enough hands were played"),
    "abandoned": marked("abandoned"),
    "1 for each tile": marked("1 for each tile"),
    "2 for each card": marked("2 for each card"),
    "wrong-pass": marked("wrong pass"),
    "revoke": marked("revoke"),
}
CHOSEN: Mapping[str, str] = {
    "debit both": marked("each side its own pips"),
    "debit higher": marked("only the side that holds more"),
    "block_award low": marked("the lighter hand"),
    "block_award last": marked("whoever laid last"),
    "block_amount difference": marked("the difference of the hands"),
    "block_amount opponent": marked("the pips of the other hand"),
    "block_amount both": marked("the pips of both hands"),
    "leader doublet": marked("whoever holds the heaviest double"),
    "leader winner": marked("the winner of the last hand"),
    "leader loser": marked("the loser of the last hand"),
    "leader alternate": marked("both in turn"),
}


def word(value: object) -> str:
    """A reason, an ending, a number or a yes as a person says it."""
    if value is None:
        return _("no limit")
    if isinstance(value, bool):
        return pgettext("option", "yes") if value else pgettext("option", "no")
    text = WORDS.get(str(value))
    return _(text) if text else str(value)


def chosen(option: str, value: object) -> str:
    """The value of an option as a person says it: the same word means another thing of another option."""
    text = CHOSEN.get(f"{option} {value}")
    return _(text) if text else word(value)


def once_a_language(work: Callable[P, T]) -> Callable[P, T]:
    """Works out once for every language what depends on nothing else but what it is asked with."""

    @cache
    def worked_out(_language: str, *asked: P.args, **named: P.kwargs) -> T:
        return work(*asked, **named)

    @wraps(work)
    def in_this_language(*asked: P.args, **named: P.kwargs) -> T:
        return worked_out(get_language() or "", *asked, **named)

    return in_this_language


def together(names: Sequence[str]) -> str:
    """Names of one side."""
    return " + ".join(names)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    *first, last = names
    return _("{names} and {last}").format(names=", ".join(first), last=last) if first else last


def seated(now: str, first: str) -> str:
    """Who sits in a seat now, and whom he sits there for: “Eva for Ana”."""
    return now if now == first else _("{player} for {other}").format(player=now, other=first)


def move_words(move: Move, players: Sequence[str]) -> str:
    """One move: “Bo laid 6-4 E”. Tiles that somebody drew or put out of play are counted, never named."""
    player = players[move.seat]
    match move:
        case Play():
            return _laid(move, player)
        case Draw(_, number):
            return ngettext("{player} drew a tile", "{player} drew {n} tiles", number).format(player=player, n=number)
        case Pass():
            return _("{player} passed").format(player=player)
        case Roll(_, dice):
            return _("{player} rolled {dice}").format(player=player, dice=", ".join(map(str, dice)))
        case Contract(_, contract, None):
            return _("{player} called {contract}").format(player=player, contract=word(contract))
        case Contract(_, contract, trump):
            text = _("{player} called {contract}, trumps are {trump}")
            return text.format(player=player, contract=word(contract), trump=trump)
        case Discard(_, number):
            text = ngettext("{player} exchanged a tile", "{player} exchanged {n} tiles", number)
            return text.format(player=player, n=number)
        case Follow(_, tile, None):
            return _("{player} played {tile}").format(player=player, tile=NAMES[tile])
        case Follow(_, tile, suit):
            text = _("{player} led {tile} in the suit of {suit}")
            return text.format(player=player, tile=NAMES[tile], suit=suit)
        case Place(_, card, cell):
            row, column = divmod(cell, 4)
            text = _("{player} put {card} in row {row}, column {column}")
            return text.format(player=player, card=card_words(card), row=row + 1, column=column + 1)


def _laid(move: Play, player: str) -> str:
    """A tile laid, with how its player claimed the total."""
    tile = f"{NAMES[move.tile]} {end_letter(move.end)}".rstrip()
    laid = _("{player} laid {tile}").format(player=player, tile=tile)
    return laid if move.claim is None else f"{laid} ({claim_words(move.claim)})"


def claim_words(claim: Claim) -> str:
    """How a total was claimed."""
    return word(claim.by) if claim.card is None else f"{word(claim.by)}: {card_words(claim.card)}"


def card_words(card: int) -> str:
    """A card with the sign of its suit: 10♥."""
    return cards.shown(card)


def opened(player: str, opener_word: str) -> str:
    """Before the first move of a hand, which its opener leads or deals."""
    text = _("{player} deals") if opener_word == "dealer" else _("{player} opens")
    return text.format(player=player)


def entry_words(entry: Mapping[str, Any], state: games.Match) -> str:
    """One entry of the log, as the page that entered it would say it; `state` is the match it belongs to."""
    match entry:
        case {"kind": "move", "move": move}:
            try:
                return move_words(read_move(move, state.game.moves, len(state.players)), state.present)
            except GameError:
                return _("an entry")
        case {"kind": "hand", **told}:
            return _opened_words(told, state)
        case {"kind": "left"}:
            return _("what was left was counted")
        case {"kind": "tricks"}:
            return _("the tricks were counted")
        case {"kind": "cards"}:
            return _("the cards of the match were told")
        case {"kind": "final"}:
            return _("the hand was counted by its final state")
        case {"kind": "undo", "to": _to}:
            return _("entries were taken back")
        case {"kind": "undo"}:
            return _("the last entry was taken back")
        case {"kind": "replace", "hand": int(hand)}:
            return _("hand {number} was corrected").format(number=hand + 1)
        case {"kind": "swap"}:
            return _("wrong seats were put right")
        case {"kind": "abandon"}:
            return _("a hand was given up: it is not counted")
        case {"kind": "confirm", "seats": list(seats)} if seats:
            return _("{players}: it is right").format(players=listed([state.present[seat] for seat in seats]))
        case {"kind": "dispute", "seat": int(seat)}:
            return _("{player}: not so").format(player=state.present[seat])
        case {"kind": "reopen"}:
            return _("the match was opened again")
        case {"kind": "stop"}:
            return _("the match was ended")
        case {"kind": "note"}:
            return _("an irregularity was noted")
        case {"kind": "substitute", "player": str(player)}:
            return _("{player} took over a seat").format(player=player)
        case {"kind": "result"}:
            return _("the bare result was entered")
    return _("an entry")


def _opened_words(told: Mapping[str, Any], state: games.Match) -> str:
    """A new hand, with who opened it where that is said."""
    opener = told.get("opener", told.get(state.game.opener_word))
    if not isinstance(opener, int) or not 0 <= opener < len(state.present):
        return _("a new hand was opened")
    return _("a new hand: {opened}").format(opened=opened(state.present[opener], state.game.opener_word))


def sayings(game: Any) -> dict[str, Any]:
    """Sentences for what a phone enters while the server cannot be reached, by type of move or kind of entry, and for
    the next hand."""
    deals = game.opener_word == "dealer"
    return {
        "play": _("{player} laid {tile}"),
        "pass": _("{player} passed"),
        "draw": ngettext("{player} drew a tile", "{player} drew {n} tiles", 1),
        "left": _("what was left was counted"),
        "final": _("the hand was counted by its final state"),
        "hand": _("a new hand was opened"),
        "undo": _("the last entry was taken back"),
        "entry": _("an entry"),
        "turn": _("{player} to play"),
        "opens": _("{player} deals the next hand") if deals else _("{player} opens the next hand"),
        "who": _("Who deals?") if deals else _("Who opens the next hand?"),
        "begin": _("The cards are dealt: play") if game.deals_cards else _("The tiles are dealt: play"),
    }


def pieces(entry: Mapping[str, Any], error: GameError, state: games.Match) -> tuple[str, ...]:
    """The tiles, cards and cells by name that a refused entry is about: its own, those of the entries at fault and of
    the one that shows it, and what the sentence names."""
    about = [entry.get("move"), error.facts]
    for place in (error, error.proof):
        if place is None or place.hand is None or place.move is None or place.hand >= len(state.hands):
            continue
        moves = state.hands[place.hand].state.moves
        if place.move < len(moves):
            about.append(move_json(moves[place.move]))
    named = [each.get(kind) for each in about if isinstance(each, Mapping) for kind in ("tile", "card", "cell")]
    return tuple(dict.fromkeys(str(name) for name in named if name))


def typed_words(entry: Mapping[str, Any], state: games.Match) -> str:
    """An entry that was not taken, number by number where it was typed; `state` is the match it was meant for."""
    told = entry.get("final") or entry
    if not isinstance(told, Mapping):
        return _("an entry")
    typed = {name: numbers for name, numbers in told.items() if isinstance(numbers, list)}
    bad, left, table = (typed.get(name, []) for name in ("bad", "left", "table"))
    pairs = [
        *zip(state.present, typed.get("points") or typed.get("tricks") or [], strict=False),
        *((together([state.present[seat] for seat in side]), one) for side, one in zip(state.sides, bad, strict=False)),
        *zip(state.present, left, strict=False),
        *((f"{name} ({_('on the table')})", one) for name, one in zip(state.present, table, strict=False)),
    ]
    return ", ".join(f"{name} {_held(one)}" for name, one in pairs) or entry_words(entry, state)


def _held(left: object) -> str:
    """Tiles or pips."""
    return (" + ".join(map(str, left)) or "0") if isinstance(left, list) else str(left)


def won(names: Sequence[str]) -> str:
    """Who won the match."""
    return ngettext("{names} won", "{names} won", len(names)).format(names=together(names))


def to_play(player: str) -> str:
    """Whose turn it is."""
    return _("{player} to play").format(player=player)


def standing(sides: Sequence[tuple[str, int]]) -> str:
    """The points of all sides: “Bo + Dan 53, Cleo + Ana 37”."""
    return ", ".join(f"{names} {points}" for names, points in sides)


@once_a_language
def end_letters() -> Mapping[str, str]:
    """The letter of each open end of the line of play, as on a compass."""
    return {
        "w": pgettext("compass", "W"),
        "e": pgettext("compass", "E"),
        "n": pgettext("compass", "N"),
        "s": pgettext("compass", "S"),
    }


def end_letter(end: str | None) -> str:
    """The letter of the end where a tile was laid; nothing where no end was said."""
    return end_letters()[end] if end else ""


def end_words(end: str) -> str:
    """Which open end of the line of play."""
    return {"w": _("left end"), "e": _("right end"), "n": _("upper end"), "s": _("lower end")}[end]


def options_words(game: Any, options: Mapping[str, Any]) -> list[str]:
    """The options in which a match differs from the game's defaults."""
    return [
        f"{_(option.label)}: {chosen(option.name, options[option.name])}"
        for option in game.options
        if options.get(option.name, option.default) != option.default
    ]


def length_words(game: Any, options: Mapping[str, Any], minutes: int | None) -> list[str]:
    """How long a match goes at most, and the other options in which it differs from the game's defaults."""
    whole = {option.name for option in game.options if option.kind == "whole"}
    limits = [
        f"{_(option.label)}: {options[option.name]}"
        for option in game.options
        if option.name in whole and options.get(option.name) is not None
    ]
    others = {name: value for name, value in options.items() if name not in whole}
    time = [ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)] if minutes else []
    return limits + time + options_words(game, others)
