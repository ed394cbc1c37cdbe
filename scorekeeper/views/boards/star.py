"""The star of tiles with its dice, claims and cards, and the pad for it.

What is asked before an entry is whole (the next die, an end, a claim, the card to drop) is a value `ask` such as
`tile=6-4&end=w`: without scripts a page of its own, with scripts the same in place.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import Match, cards
from games.base import Game, State
from games.moves import Claim, Draw, Move, Pass, Play, Roll, move_entry
from games.tiles import NAMES, parse
from scorekeeper import words
from scorekeeper.drawing import card_svg, tile_svg
from scorekeeper.drawing.die import die_svg
from scorekeeper.views.boards import line
from scorekeeper.views.boards.line import drawn

FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Tap:
    """What a button sends: an `entry` that is whole, or an `ask` for the rest of it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class TileShown:
    name: str
    svg: SafeString
    lit: bool
    gone: bool
    totals: str
    """What it makes of the total before an end is chosen: 9, or 9/14 where it depends."""
    made: str
    """For every end that takes it the total it makes there and how that may be claimed, as JSON."""
    tap: Tap


class Face(NamedTuple):
    """A face of a die, and what a tap on it sends: a roll is whole with its last one."""

    pips: int
    svg: SafeString
    tap: Tap


class Dice(NamedTuple):
    """How many dice are rolled and what they show so far."""

    number: int
    numbers: tuple[tuple[int, Tap], ...]
    """With how many it may be, and what asks for them."""
    slots: tuple[Face, ...]
    """Those that are tapped; a tap takes one off."""
    empty: range
    untap: Tap | None
    faces: tuple[Face, ...]


# --- what everybody sees -----------------------------------------------------------------------------------
def shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> dict[str, Any]:
    star: Any = state
    return line.shown(game, state, players, slim=slim) | {
        "dice": [drawn(die_svg(pips)) for pips in star.dice] if star and star.turns else [],
        "dice_said": ", ".join(map(str, star.dice)) if star and star.turns else "",
        "turns": _turns_words(star, players) if star else "",
        "total": star.line.total if star and star.line.laid else None,
        "holders": [
            {"name": name, "left": left, "dropped": [card_shown(card) for card in dropped]}
            for name, left, dropped in zip(players, star.cards_left(), star.dropped_names(), strict=True)
        ]
        if star
        else [],
    }


def _turns_words(star: Any, players: Sequence[str]) -> str:
    """For how long the dice in force are good, and who rolls then."""
    if star.rolls_next is None:
        return ""
    then = players[star.rolls_next]
    if not star.turns:
        return _("{player} rolls now").format(player=then)
    text = ngettext("last turn, then {player} rolls", "{n} turns, then {player} rolls", star.turns)
    return text.format(n=star.turns, player=then)


def card_shown(card: str) -> dict[str, Any]:
    """A card by its name, as it is said and drawn."""
    number = cards.parse(card)
    return {"name": card, "words": words.card_words(number), "suit": card[1], "svg": drawn(card_svg(number))}


# --- the pad -----------------------------------------------------------------------------------------------
def pad(match: Match, typed: Mapping[str, str]) -> dict[str, Any]:
    assert match.hand is not None
    offers, state = match.offers(), match.hand.state
    made_by = _made_by_tile(state, offers)
    chosen = typed.get("tile", "") if made_by.get(typed.get("tile", "")) else ""
    made = _made_at(made_by[chosen], typed.get("end")) if chosen else None
    asks_end = chosen if made is None else ""
    claim = made if made and _claimable(made) else None
    return {
        "seat": offers["seat"],
        "tray": [_tile_shown(offers, NAMES[number], made_by[NAMES[number]]) for number in line.TRAY],
        "stage": "roll" if offers["roll"] else "claim" if claim else "end" if asks_end else "tile",
        "chosen": chosen,
        "roll": _roll(match, offers, typed),
        "ends": _ends(state, offers["seat"], asks_end, made_by.get(asks_end, ())),
        "claim": claim and _claim(offers, claim, dropping=typed.get("by") == "virtual"),
        "pack": _cards(offers, claim, dropping=typed.get("by") == "virtual"),
        "droppable": offers["cards"][offers["seat"]]["droppable"],
        "few": len(offers["cards"][offers["seat"]]["droppable"]) <= match.game.starts_with_cards,
        "suits": [*words.SUITS.items()],
        "sum": sum(offers["dice"]),
        "begun": bool(state.line.laid),
        "lacking": move_entry(Draw(offers["seat"], 1) if offers["boneyard"] else Pass(offers["seat"])),
        "ahead": _ahead(match.game, state, offers),
    } | (
        {"line": line.line_shown(state.line, line.last_move(state), lit=[each["end"] for each in made_by[asks_end]])}
        if asks_end and state.line
        else {}
    )


def _enters(move: Move) -> Tap:
    return Tap("entry", json.dumps(move_entry(move), separators=(",", ":")))


def _asks(**said: object) -> Tap:
    return Tap("ask", urlencode({key: value for key, value in said.items() if value is not None}))


# --- tiles and ends ----------------------------------------------------------------------------------------
def _made_by_tile(state: Any, offers: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What each tile makes of the total, at every end that takes it. One that fits though it cannot be there has its
    totals too: laid all the same, it shows which entry was wrong."""
    made = {name: [] if offers["roll"] or name not in offers["unseen"] else None for name in NAMES}
    for each in offers["totals"]:
        made[each["tile"]] = [*(made[each["tile"]] or ()), _useful(each)]
    return {
        name: [_useful(state.made(parse(name), end)) for end in state.line.fits(parse(name))] if each is None else each
        for name, each in made.items()
    }


def _tile_shown(offers: dict[str, Any], name: str, made: Sequence[dict[str, Any]]) -> TileShown:
    return TileShown(
        name,
        drawn(tile_svg(parse(name))),
        name in offers["plays"],
        name not in offers["unseen"],
        "/".join(map(str, sorted({each["total"] for each in made}))),
        json.dumps(made, separators=(",", ":")),
        _tap(offers["seat"], name, made),
    )


def _useful(made: dict[str, Any]) -> dict[str, Any]:
    """Nothing is claimed where it is worth nothing."""
    return made | {"multiple": made["multiple"] and made["total"] > 0}


def _claimable(made: dict[str, Any]) -> bool:
    return bool(made["cards"] or made["multiple"] or made["virtual"])


def _tap(seat: int, tile: str, made: Sequence[dict[str, Any]]) -> Tap:
    """One tap lays it, if there is nothing to ask."""
    if len(made) > 1 or any(map(_claimable, made)):
        return _asks(tile=tile)
    return _enters(Play(seat, parse(tile), made[0]["end"] if made else None))


def _made_at(made: Sequence[dict[str, Any]], end: str | None) -> dict[str, Any] | None:
    """What a tile makes at this end, or at the only one that takes it."""
    if len(made) == 1:
        return made[0]
    return next((each for each in made if each["end"] == end), None)


def _ends(state: Any, seat: int, tile: str, makes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A button for every open end, with the total that the waiting tile makes there; "" where none waits."""
    made = {each["end"]: each for each in makes}
    letters = words.end_letters()
    return [
        {
            "end": end,
            "letter": letters[end],
            "where": words.end_words(end),
            "pips": pips,
            "total": made[end]["total"] if end in made else None,
            "tap": _tap_end(seat, tile, made[end]) if end in made else None,
        }
        for end, pips in state.line.open.items()
    ]


def _tap_end(seat: int, tile: str, made: dict[str, Any]) -> Tap:
    if _claimable(made):
        return _asks(tile=tile, end=made["end"])
    return _enters(Play(seat, parse(tile), made["end"]))


# --- claims ------------------------------------------------------------------------------------------------
def _claim(offers: dict[str, Any], made: dict[str, Any], *, dropping: bool) -> dict[str, Any]:
    """How the total that a tile makes may be claimed: each way with what it sends."""
    play = Play(offers["seat"], parse(made["tile"]), made["end"])
    return {
        "tile": drawn(tile_svg(play.tile)),
        "letter": words.end_letter(made["end"]),
        "total": made["total"],
        "dropping": dropping,
        "plain": _enters(play),
        "multiple": made["multiple"] and _enters(play._replace(claim=Claim("multiple"))),
        "virtual": made["virtual"] and _asks(tile=made["tile"], end=made["end"], by="virtual"),
    }


def _cards(offers: dict[str, Any], made: dict[str, Any] | None, *, dropping: bool) -> list[dict[str, Any]]:
    """The cards that can be tapped now: to claim with one of them, or to drop one for the virtual card."""
    if made is None:
        return []
    seat, by = offers["seat"], "virtual" if dropping else "card"
    offered = offers["cards"][seat]["droppable"] if dropping else made["cards"]

    def tap(card: str) -> Tap:
        return _enters(Play(seat, parse(made["tile"]), made["end"], Claim(by, cards.parse(card))))

    return [card_shown(card) | {"tap": tap(card)} for card in offered]


# --- dice --------------------------------------------------------------------------------------------------
def _roll(match: Match, offers: dict[str, Any], typed: Mapping[str, str]) -> Dice:
    numbers, asked = offers["rolls"], typed.get("number", "")
    number = int(asked) if asked in map(str, numbers) else _number_before(match, offers["seat"], numbers[0])
    tapped = [int(face) for face in typed.get("dice", "") if face in map(str, FACES)][: number - 1]
    slots = (_dice_asked(number, tapped[:at] + tapped[at + 1 :]) for at in range(len(tapped)))
    return Dice(
        number=number,
        numbers=tuple((each, _asks(number=each)) for each in numbers),
        slots=tuple(Face(pips, drawn(die_svg(pips)), tap) for pips, tap in zip(tapped, slots, strict=True)),
        empty=range(number - len(tapped)),
        untap=_dice_asked(number, tapped[:-1]) if tapped else None,
        faces=tuple(Face(face, drawn(die_svg(face)), _face(offers, number, tapped, face)) for face in FACES),
    )


def _face(offers: dict[str, Any], number: int, tapped: list[int], face: int) -> Tap:
    dice = [*tapped, face]
    if len(dice) == number:
        return _enters(Roll(offers["seat"], tuple(dice)))
    return _dice_asked(number, dice)


def _dice_asked(number: int, tapped: Sequence[int]) -> Tap:
    """Asks for the rest of a roll."""
    return _asks(number=number, dice="".join(map(str, tapped)) or None)


def _number_before(match: Match, seat: int, else_: int) -> int:
    """With how many dice this player rolled last in the match, or else anybody."""
    rolls = [move for hand in match.hands for move in hand.state.moves if isinstance(move, Roll)]
    own = [roll for roll in rolls if roll.seat == seat]
    return len((own or rolls)[-1].dice) if rolls else else_


# --- without network ---------------------------------------------------------------------------------------
def ahead(match: Match) -> dict[str, Any] | None:
    """The hand as `boards/star.js` goes on with it; None where no move is due, as only the server knows how to go
    on."""
    if match.hand is None or match.hand.state.turn is None:
        return None
    return _ahead(match.game, match.hand.state, match.offers())


def _ahead(game: Game[Any], state: Any, offers: dict[str, Any]) -> dict[str, Any]:
    first = state.line.first
    return {
        "dice": offers["dice"],
        "turns": offers["turns"],
        "numbers": offers["rolls"],
        "boneyard": offers["boneyard"],
        "first": None if first is None else NAMES[first],
        "arms": {arm: [laid[-1].inner, laid[-1].outer] for arm, laid in state.line.arms().items() if laid},
        "unseen": offers["unseen"],
        "laid": [],
        "few": game.starts_with_cards,
        "cards": [{"held": each["held"], "droppable": each["droppable"]} for each in offers["cards"]],
        "passes": _passes(state.moves),
    }


def says(game: Game[Any]) -> dict[str, Any]:
    """The sentences of `boards/star.js`."""
    return {
        "asks": _("What did {player} roll?"),
        "passes": _("{player} passes"),
        "draws": _("{player} draws a tile"),
        "multiple": _("A multiple of {sum}"),
        "virtual": _("The dice make {sum}: virtual card, drop one …"),
        "total": _("total {total}"),
        "unlit": _("cannot be laid now"),
        "at": _("at the {pips}"),
        "ends": {end: [letter, words.end_words(end)] for end, letter in words.end_letters().items()},
        "turns": ngettext("last turn, then {player} rolls", "{n} turns, then {player} rolls", 2),
        "last": ngettext("last turn, then {player} rolls", "{n} turns, then {player} rolls", 1),
        "now": _("{player} rolls now"),
        "roll": _("{player} rolled {dice}"),
    }


def _passes(moves: Sequence[Move]) -> int:
    """How many have passed in a row."""
    count = 0
    while count < len(moves) and isinstance(moves[-1 - count], Pass):
        count += 1
    return count
