"""What happened, in the reader's language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache, wraps
from typing import Any, TypeVar, TypeVarTuple

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

import games
from games import GameError, cards
from games.base import Game
from games.dom import SIDE
from games.errors import marked
from games.moves import Claim, Contract, Discard, Draw, Follow, Move, Pass, PlaceCard, Play, Roll, move_json
from games.record import read_move
from games.tiles import NAMES

# Black and red in turn.
SUITS = {suit: cards.SIGNS[suit] for suit in "SHCD"}
Ts = TypeVarTuple("Ts")
T = TypeVar("T")
NAMED = 3  # people in a sentence that may be about many


# Marked for translation here; `word` and `chosen` translate one at a time.
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
    "three": marked("three of a kind"),
    "four": marked("four of a kind"),
    "run": marked("run"),
    "flush": marked("flush"),
    "tricks": marked("tricks"),
    "quota": marked("quota"),
    "rounding": marked("rounding"),
    "evens": marked("evens"),
    "odds": marked("odds"),
    "zero": marked("zero"),
    "final": marked("only the result entered"),
    "time": marked("time was up"),
    "early": marked("ended early"),
    "last-hand": marked("ended after the last hand"),
    "night-closed": marked("ended when the night was closed"),
    "tournament-closed": marked("ended when the tournament was closed"),
    "hands": marked("all hands were played"),
    "abandoned": marked("abandoned"),
    "1 for each tile": marked("1 for each tile"),
    "2 for each card": marked("2 for each card"),
    "wrong-pass": marked("wrong pass"),
    "revoke": marked("revoke"),
}
CHOSEN: Mapping[str, str] = {
    "debit both": marked("each side its own pips"),
    "debit higher": marked("only the side with more pips"),
    "block_award low": marked("the lighter hand"),
    "block_award last": marked("the player who laid last"),
    "block_amount difference": marked("the difference of the hands"),
    "block_amount opponent": marked("the pips of the other hand"),
    "block_amount both": marked("the pips of both hands"),
    "leader doublet": marked("the player with the heaviest double"),
    "leader winner": marked("the winner of the last hand"),
    "leader loser": marked("the loser of the last hand"),
    "leader alternate": marked("each in turn"),
}
# Entries that are the same sentence for everybody.
ENTRIES: Mapping[str, str] = {
    "left": marked("the tiles left were counted"),
    "tricks": marked("the tricks were counted"),
    "cards": marked("the cards of the match were entered"),
    "final": marked("only the result of the hand was entered"),
    "undo": marked("the last entry was undone"),
    "swap": marked("wrong seats were corrected"),
    "abandon": marked("a hand was given up and does not count"),
    "reopen": marked("the match was reopened"),
    "stop": marked("the match was ended"),
    "note": marked("an irregularity was noted"),
    "result": marked("only the result was entered"),
}


def word(value: object) -> str:
    """A reason, an ending, a number or a yes, in words for people."""
    if value is None:
        return _("no limit")
    if isinstance(value, bool):
        return pgettext("option", "yes") if value else pgettext("option", "no")
    text = WORDS.get(str(value))
    return _(text) if text else str(value)


def group_words(group: str) -> str:
    """The name of a game, or of a family of games."""
    family = next((game.family_name for game in games.GAMES.values() if game.family == group), "")
    return _(family or games.GAMES[group].name)


def stopped(sheet: Mapping[str, Any]) -> str:
    """What ended a match before its rules did, by its sheet; "" if nothing did."""
    return word(sheet.get("ended") or sheet["stopped"]) if sheet["stopped"] else ""


def ended(sheet: Mapping[str, Any]) -> str:
    """How a match that is over ended, by its sheet; whether its score is disputed comes first, and that it was only
    typed comes last."""
    how = _("disputed") if sheet.get("disputed") else stopped(sheet) or _("finished")
    return f"{how} · {_('without hands')}" if sheet.get("unverified") else how


def chosen(option: str, value: object) -> str:
    """The value of an option, in words for people. The same value can mean different things for different options."""
    text = CHOSEN.get(f"{option} {value}")
    return _(text) if text else word(value)


def once_a_language(work: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Calls `work` once for each language and arguments, and keeps what it returns."""

    @cache
    def kept(_language: str, *arguments: *Ts) -> T:
        return work(*arguments)

    @wraps(work)
    def in_this_language(*arguments: *Ts) -> T:
        return kept(get_language() or "", *arguments)

    return in_this_language


def together(names: Sequence[str]) -> str:
    """The names of one side."""
    return " + ".join(names)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: Ana, Bo and Cleo."""
    *first, last = names
    return _("{names} and {last}").format(names=", ".join(first), last=last) if first else last


def some_of(names: Sequence[str]) -> str:
    """The first few names in a sentence, and how many more there are; "" without any."""
    more = len(names) - NAMED
    if more > 0:
        return _("{names} and {n} more").format(names=", ".join(names[:NAMED]), n=more)
    return listed(names) if names else ""


def seated(now: str, first: str) -> str:
    """The player in a seat now, and the one they replace: “Eva for Ana”."""
    return now if now == first else _("{player} for {other}").format(player=now, other=first)


def in_words(error: GameError) -> str:
    """What the rules have against it."""
    return _(error.template).format(**error.facts)


def move_words(move: Move, players: Sequence[str]) -> str:
    """One move: “Bo laid 6-4 E”. Gives the number of tiles drawn or discarded, never which ones."""
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
        case Contract():
            return _called(move, player)
        case Discard(_, number):
            text = ngettext("{player} exchanged a tile", "{player} exchanged {n} tiles", number)
            return text.format(player=player, n=number)
        case Follow():
            return _followed(move, player)
        case PlaceCard(_, card, cell):
            text = _("{player} put {card} in {at}")
            return text.format(player=player, card=card_words(card), at=cell_words(cell))


def _laid(move: Play, player: str) -> str:
    """A tile laid, and how its player claimed the total."""
    laid = _("{player} laid {tile}").format(player=player, tile=tile_words(move))
    return laid if move.claim is None else f"{laid} ({claim_words(move.claim)})"


def _called(move: Contract, player: str) -> str:
    """A contract, with its trumps if it has any."""
    if move.trump is None:
        return _("{player} called {contract}").format(player=player, contract=word(move.contract))
    text = _("{player} called {contract}, trumps are {trump}")
    return text.format(player=player, contract=word(move.contract), trump=move.trump)


def _followed(move: Follow, player: str) -> str:
    """A tile played to a trick, with its suit if it leads."""
    if move.suit is None:
        return _("{player} played {tile}").format(player=player, tile=NAMES[move.tile])
    text = _("{player} led {tile} in the suit of {suit}")
    return text.format(player=player, tile=NAMES[move.tile], suit=move.suit)


def claim_words(claim: Claim) -> str:
    """How a total was claimed."""
    return word(claim.by) if claim.card is None else f"{word(claim.by)}: {card_words(claim.card)}"


def card_words(card: int) -> str:
    """A card with the sign of its suit: 10♥."""
    return cards.shown(card)


def opened(player: str, opener_word: str) -> str:
    """The start of a hand: who leads or deals."""
    text = _("{player} deals") if opener_word == "dealer" else _("{player} opens")
    return text.format(player=player)


def first_seat(game: Game[Any]) -> str:
    """What the seat that a draw names first does in the first hand; "" if the tiles decide who does it."""
    if game.double_leads_first:
        return ""
    return _("deals the first hand") if game.opener_word == "dealer" else _("leads the first hand")


def entry_words(entry: Mapping[str, Any], state: games.Match) -> str:
    """One entry of the log. `state` is its match."""
    match entry:
        case {"kind": "move", "move": move}:
            try:
                return move_words(read_move(move, state.game.moves, len(state.players)), state.present)
            except GameError:
                return _("an entry")
        case {"kind": "hand", **opening}:
            return _opened_words(opening, state)
        case {"kind": "undo", "to": _to}:
            return _("entries were undone")
        case {"kind": "replace", "hand": int(hand)}:
            return _("hand {number} was corrected").format(number=hand + 1)
        case {"kind": "confirm", "seats": list(seats)} if seats:
            return _("{players}: correct").format(players=listed([state.present[seat] for seat in seats]))
        case {"kind": "dispute", "seat": int(seat)}:
            return _("{player}: disputed").format(player=state.present[seat])
        case {"kind": "substitute", "player": str(player)}:
            return _("{player} took over a seat").format(player=player)
    text = ENTRIES.get(str(entry.get("kind")))
    return _(text) if text else _("an entry")


def _opened_words(opening: Mapping[str, Any], state: games.Match) -> str:
    """A new hand, and who opened it if the entry says so."""
    opener = opening.get("opener", opening.get(state.game.opener_word))
    if not isinstance(opener, int) or not 0 <= opener < len(state.present):
        return _("a new hand was opened")
    return _("a new hand: {opened}").format(opened=opened(state.present[opener], state.game.opener_word))


def sayings(game: Any) -> dict[str, Any]:
    """Sentences for the entries of a phone without network, by type of move or kind of entry, and for the next
    hand."""
    deals = game.opener_word == "dealer"
    return {
        "play": _("{player} laid {tile}"),
        "pass": _("{player} passed"),
        "draw": ngettext("{player} drew a tile", "{player} drew {n} tiles", 1),
        "left": _("the tiles left were counted"),
        "final": _("only the result of the hand was entered"),
        "hand": _("a new hand was opened"),
        "undo": _("the last entry was undone"),
        "entry": _("an entry"),
        "turn": _("{player} to play"),
        "opens": _("{player} deals the next hand") if deals else _("{player} opens the next hand"),
        "who": _("Who deals?") if deals else _("Who opens the next hand?"),
        "begin": _("The cards are dealt: play") if game.deals_cards else _("The tiles are dealt: play"),
    }


def pieces(entry: Mapping[str, Any], error: GameError, state: games.Match) -> tuple[str, ...]:
    """The names of tiles, cards and cells in a refused entry, in the entry that is wrong, in the one that proves it,
    and in the message."""
    about = [entry.get("move"), error.facts]
    for reference in (error, error.proof):
        if reference is None or reference.hand is None or reference.move is None or reference.hand >= len(state.hands):
            continue
        moves = state.hands[reference.hand].state.moves
        if reference.move < len(moves):
            about.append(move_json(moves[reference.move]))
    named = [facts.get(kind) for facts in about if isinstance(facts, Mapping) for kind in ("tile", "card", "cell")]
    return tuple(dict.fromkeys(str(name) for name in named if name))


def typed_words(entry: Mapping[str, Any], state: games.Match) -> str:
    """A refused entry, number by number if it was typed. `state` is its match."""
    values = entry.get("final") or entry
    if not isinstance(values, Mapping):
        return _("an entry")
    typed = {name: numbers for name, numbers in values.items() if isinstance(numbers, list)}
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


def won(state: games.Match) -> str:
    """Who won the match, or who tied for the best total; "" if nobody did either."""
    best = [[state.present[seat] for seat in side] for side in state.sides if side[0] in state.winners]
    if len(best) > 1:
        return _("{names} tied").format(names=listed([together(side) for side in best]))
    return "".join(ngettext("{names} won", "{names} won", len(side)).format(names=together(side)) for side in best)


def to_play(player: str) -> str:
    """The player on turn."""
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


def tile_words(move: Play) -> str:
    """A tile and the letter of the end where it was laid, if the move names one."""
    return f"{NAMES[move.tile]} {end_letter(move.end)}".rstrip()


def cell_words(cell: int) -> str:
    """Where a cell of the square is."""
    row, column = divmod(cell, SIDE)
    return _("row {row}, column {column}").format(row=row + 1, column=column + 1)


def end_letter(end: str | None) -> str:
    """The letter of the end where a tile was laid; "" if the move does not name one."""
    return end_letters()[end] if end else ""


def end_words(end: str) -> str:
    """An open end of the line of play."""
    return {"w": _("left end"), "e": _("right end"), "n": _("upper end"), "s": _("lower end")}[end]


def options_words(game: Any, options: Mapping[str, Any], *, goal: bool = False) -> list[str]:
    """The options that differ from the game's defaults; with `goal` also the points that end the match."""
    target = game.target(options) if goal else None
    return [
        f"{_(option.label)}: {chosen(option.name, value)}"
        for option in game.options
        for value in (options.get(option.name, option.default),)
        if value != option.default or (option.kind == "whole" and value is not None and value == target)
    ]


def minutes_and_seconds(time: timedelta) -> str:
    """A time on a clock: 12:05."""
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"


def players_words(seats: Sequence[int]) -> str:
    """How many people play a game: 4 players, 2 to 4 players."""
    least, most = min(seats), max(seats)
    if least == most:
        return ngettext("{n} player", "{n} players", most).format(n=most)
    return ngettext("{least} to {n} player", "{least} to {n} players", most).format(least=least, n=most)


def wrong_number_words(game: Any) -> str:
    """For a number of people that the game does not take."""
    return _("{game} is for {players}. Choose another game, or change who plays.").format(
        game=_(game.name), players=players_words(game.seats)
    )


def length_words(game: Any, options: Mapping[str, Any], minutes: int | None) -> list[str]:
    """The limits of a match, and the other options that differ from the game's defaults."""
    whole = {option.name for option in game.options if option.kind == "whole"}
    limits = [
        f"{_(option.label)}: {options[option.name]}"
        for option in game.options
        if option.name in whole and options.get(option.name) is not None
    ]
    others = {name: value for name, value in options.items() if name not in whole}
    time = [ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)] if minutes else []
    return limits + time + options_words(game, others)


FRACTIONS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def signed(points: int | Fraction) -> str:
    """Points with their sign, rounded to a whole number: +5 or −3."""
    whole = round(points)
    return number(whole) if whole < 0 else f"+{whole}"


def number(value: int | Fraction) -> str:
    """As people write it, with a true minus sign, in one piece: 2½, −1, 3 2⁄5."""
    sign, whole, rest = mixed(value)
    if not rest:
        return f"{sign}{whole}"
    part = FRACTIONS.get(rest)
    return f"{sign}{whole or ''}{part}" if part else f"{sign}{apart(whole)}{rest.numerator}⁄{rest.denominator}"


def mixed(value: int | Fraction) -> tuple[str, int, Fraction]:
    """Its sign, "" or a true minus, its whole part and the rest."""
    exact = abs(Fraction(value))
    return "−" if value < 0 else "", int(exact), exact % 1


def apart(whole: int) -> str:
    """A whole number before a fraction, with a space that is narrow and never ends a line."""
    return f"{whole}\N{NARROW NO-BREAK SPACE}" if whole else ""


def tenths(value: int | Fraction) -> str:
    """Rounded to one decimal, as the reader writes it: 5.4 or −0.5."""
    rounded = round(abs(Fraction(value)) * 10)
    text = number_format(Decimal(rounded).scaleb(-1), 1)
    return f"−{text}" if value < 0 and rounded else text


def signed_tenths(value: int | Fraction) -> str:
    """The same with its sign: +1.3, −0.5 or 0.0."""
    return f"+{tenths(value)}" if round(value * 10) > 0 else tenths(value)


def contest(state: games.Match) -> tuple[str, str]:
    """The players and the score of a match, the sides in order."""
    sides = [[state.present[seat] for seat in side] for side in state.sides]
    return versus(sides), totals(state.totals[side[0]] for side in state.sides)


def versus(sides: Iterable[Sequence[str]]) -> str:
    """The players of all sides of a match: Ana + Cleo – Bo + Dan."""
    return "\N{NO-BREAK SPACE}– ".join(map(together, sides))


def totals(sides: Iterable[int | None]) -> str:
    """The totals of a match by side, like `100 : 85`; who did not come has none."""
    return " : ".join("–" if total is None else number(total) for total in sides)
