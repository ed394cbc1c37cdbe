"""The star of tiles with its dice, claims and cards, and the pad for it.

Some entries need several taps: the next die, an end, a claim, the card to drop. A button with the name `ask` and a
value such as `tile=6-4&end=w` leads to the next question: on a new page without scripts, on the same page with them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games import Match, cards
from games.base import Game, State
from games.dominards import DominardsState
from games.moves import Claim, Draw, Move, Pass, Play, Roll, move_entry
from games.tiles import NAMES, parse
from scorekeeper import words
from scorekeeper.drawing import card_svg, tile_svg
from scorekeeper.drawing.die import die_svg
from scorekeeper.pages import context
from scorekeeper.pages.boards import line
from scorekeeper.pages.boards.base import BoardPad
from scorekeeper.pages.boards.line import drawn
from scorekeeper.templatetags.tiles import as_entry, as_json

FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Tap:
    """What a button sends: a complete `entry`, or an `ask` for the rest of it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, eq=False)  # made once, so that keeping what is drawn of it is quick
class StarTile:
    name: str
    label: str
    """What a screen reader says."""
    svg: SafeString
    lit: bool
    gone: bool
    totals: str
    """The total before an end is chosen: 9, or 9/14 if it depends on the end."""
    made: str
    """For every end that takes it, the total there and the possible claims, as JSON."""
    tap: Tap


class Face(NamedTuple):
    """A face of a die, and what a tap on it sends. The last die completes the roll."""

    pips: int
    svg: SafeString
    tap: Tap


class Dice(NamedTuple):
    """How many dice are rolled, and the faces so far."""

    number: int
    numbers: tuple[tuple[int, Tap], ...]
    """The possible numbers of dice, and the tap for each."""
    slots: tuple[Face, ...]
    """The dice entered so far; a tap removes one."""
    empty: range
    untap: Tap | None
    faces: tuple[Face, ...]


# --- what everybody sees -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class StarCard:
    """A card in words and as a drawing."""

    name: str
    words: str
    suit: str
    svg: SafeString
    tap: Tap | None = None


@dataclass(frozen=True, slots=True)
class CardHolder:
    """What is known of a player's cards."""

    name: str
    left: int
    dropped: tuple[StarCard, ...]


@dataclass(frozen=True, slots=True)
class StarEnd:
    """A button for an open end."""

    end: str
    letter: str
    where: str
    pips: int
    total: int | None
    """The total that the waiting tile makes there."""
    tap: Tap | None


@dataclass(frozen=True, slots=True)
class ClaimShown:
    """How the total that a tile makes may be claimed: each way with what it sends."""

    tile: SafeString
    letter: str
    total: int
    dropping: bool
    """Whether a card is dropped for the virtual card."""
    plain: Tap
    multiple: Tap | None
    virtual: Tap | None


@dataclass(frozen=True, kw_only=True)
class StarShown(line.LineShown):
    template: str = "scorekeeper/boards/star/shown.html"
    dice: list[SafeString]
    dice_words: str
    turns: str
    """How many turns the dice last."""
    total: int | None
    holders: list[CardHolder]


@dataclass(frozen=True, kw_only=True)
class StarPad(StarShown, BoardPad):
    taps: str = "scorekeeper/boards/star/pad.html"
    seat: int
    tray: list[StarTile]
    stage: str
    """roll, claim, end or tile: what is asked now."""
    chosen: str
    roll: Dice
    ends: list[StarEnd]
    claim: ClaimShown | None
    pack: list[StarCard]
    """The cards that can be tapped now."""
    droppable: list[str]
    few: bool
    suits: list[tuple[str, str]]
    sum: int
    begun: bool
    lacking: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class StarHand(StarPad):
    taps: str = "scorekeeper/boards/star/hand.html"
    own: tuple[StarCard, ...]
    """The cards of one player."""
    rolls: tuple[tuple[int, Mapping[str, Any]], ...]
    """How many dice can be rolled, and the entry that asks for so many."""


def shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> StarShown:
    star: Any = state
    rolled = star.dice if star and star.turns else ()
    laid = context(line.shown(game, state, players, slim=slim))
    return StarShown(
        **laid | {"template": StarShown.template},
        dice=[drawn(die_svg(pips)) for pips in rolled],
        dice_words=", ".join(map(str, rolled)),
        turns=_turns_words(star, players) if star else "",
        total=star.line.total if star and star.line.laid else None,
        holders=[
            CardHolder(name, left, tuple(map(card_shown, dropped)))
            for name, left, dropped in zip(players, star.cards_left(), star.dropped_names(), strict=True)
        ]
        if star
        else [],
    )


def _turns_words(star: Any, players: Sequence[str]) -> str:
    """How many turns the dice last, and who rolls next."""
    if star.rolls_next is None:
        return ""
    then = players[star.rolls_next]
    if not star.turns:
        return _("{player} rolls now").format(player=then)
    text = ngettext("last turn, then {player} rolls", "{n} turns, then {player} rolls", star.turns)
    return text.format(n=star.turns, player=then)


def _own_turns_words(state: DominardsState) -> str:
    """The same for a reader who rolls next."""
    if not state.turns:
        return _("you roll now")
    return ngettext("last turn, then you roll", "{n} turns, then you roll", state.turns).format(n=state.turns)


def card_shown(card: str, tap: Tap | None = None) -> StarCard:
    number = cards.parse(card)
    return StarCard(card, words.card_words(number), card[1], drawn(card_svg(number)), tap)


# --- the pad -----------------------------------------------------------------------------------------------
def pad(match: Match, typed: Mapping[str, str]) -> StarPad:
    assert match.hand is not None
    offers, state = match.offers(), match.hand.state
    made_by = _made_by_tile(state, offers)
    chosen = typed.get("tile", "") if made_by.get(typed.get("tile", "")) else ""
    made = _made_at(made_by[chosen], typed.get("end")) if chosen else None
    asks_end = chosen if made is None else ""
    claim, dropping = made if made and _claimable(made) else None, typed.get("by") == "virtual"
    droppable = offers["cards"][offers["seat"]]["droppable"]
    page = StarPad(
        **context(shown(match.game, state, match.present, slim=True)),
        seat=offers["seat"],
        tray=_tray(offers, made_by),
        stage="roll" if offers["roll"] else "claim" if claim else "end" if asks_end else "tile",
        chosen=chosen,
        roll=_roll(match, offers, typed),
        ends=_ends(state, offers["seat"], asks_end, made_by.get(asks_end, ())),
        claim=_claim(offers, claim, dropping=dropping) if claim else None,
        pack=_cards(offers, claim, dropping=dropping),
        droppable=droppable,
        few=len(droppable) <= match.game.starts_with_cards,
        suits=[*words.SUITS.items()],
        sum=sum(offers["dice"]),
        begun=bool(state.line and state.line.laid),
        lacking=move_entry(Draw(offers["seat"], 1) if offers["boneyard"] else Pass(offers["seat"])),
        ahead=_ahead(match.game, state, offers),
    )
    if not (asks_end and state.line):
        return page
    lit = [each["end"] for each in made_by[asks_end]]
    return replace(page, line=line.line_shown(state.line, line.last_move(state), lit=lit))


def own_hand(match: Match, seat: int, typed: Mapping[str, str], *, counts: bool) -> StarHand:
    """The hand of a player who sees only their own tiles and cards. `counts`: whether the total is shown, and what
    tiles would make of it.

    A roll names the number of dice; what they show is not for the player to say."""
    assert match.hand is not None
    state = match.hand.state
    assert isinstance(state, DominardsState)
    turn, held, offers = state.turn == seat, state.holdings.known[seat], match.offers()
    page = pad(match, typed if turn else {})
    lit, laid = [end.end for end in page.ends if end.tap and turn], line.laid_by(seat, state)
    tiles = [tile for tile in page.tray if held >> parse(tile.name) & 1]
    if not turn:
        tiles = [
            replace(tile, label=tile.name, lit=False, totals="", made="[]", tap=_enters(Play(seat, parse(tile.name))))
            for tile in tiles
        ]
    if not counts:
        tiles = [replace(tile, label=tile.name, totals="") for tile in tiles]
    return StarHand(
        **context(page)
        | {
            "taps": StarHand.taps,
            "thumb": "scorekeeper/boards/star/hand_roll.html" if turn and page.stage == "roll" else "",
            "line": line.line_shown(state.line, line.last_move(state), lit=lit, own=laid),
            "wide_line": line.line_shown(state.line, line.last_move(state), width=line.WIDE, lit=lit, own=laid),
            "tray": tiles,
            "stage": page.stage if turn else "",
            "total": page.total if counts else None,
            "turns": _own_turns_words(state) if state.rolls_next == seat else page.turns,
            "due": _("Roll two dice to claim multiples of their sum, or four to claim just their sum with any card.")
            if turn and page.stage == "roll"
            else "",
        },
        own=tuple(map(card_shown, offers["cards"][seat]["droppable"])),
        rolls=tuple((number, move_entry(Roll(seat, (1,) * number))) for number in offers["rolls"]),
    )


def _enters(move: Move) -> Tap:
    return Tap("entry", as_entry(move_entry(move)))


def _asks(**answers: object) -> Tap:
    return Tap("ask", urlencode({key: value for key, value in answers.items() if value is not None}))


# --- tiles and ends ----------------------------------------------------------------------------------------
def _made_by_tile(state: Any, offers: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The total that each tile makes at every end that takes it.

    A tile that fits but cannot be in the player's hand has totals too: laying it shows which entry was wrong.
    """
    made: dict[str, list[dict[str, Any]] | None] = {
        name: [] if offers["roll"] or name not in offers["unseen"] else None for name in NAMES
    }
    for each in offers["totals"]:
        made[each["tile"]] = [*(made[each["tile"]] or ()), _useful(each)]
    return {
        name: [_useful(state.made(parse(name), end)) for end in state.line.fits(parse(name))] if each is None else each
        for name, each in made.items()
    }


def _tray(offers: dict[str, Any], made_by: Mapping[str, Sequence[dict[str, Any]]]) -> list[StarTile]:
    """All 28 tiles."""
    plays, unseen, seat, language = {*offers["plays"]}, {*offers["unseen"]}, offers["seat"], get_language()
    names = [NAMES[number] for number in line.TRAY]
    return [
        _tile_shown(name, seat, as_json(made_by[name]), language, lit=name in plays, gone=name not in unseen)
        for name in names
    ]


@lru_cache(4096)
def _tile_shown(name: str, seat: int, made_json: str, _language: str, *, lit: bool, gone: bool) -> StarTile:
    made = json.loads(made_json)
    totals = "/".join(map(str, sorted({each["total"] for each in made})))
    label = f"{name}, {_('total {total}').format(total=totals)}" if totals else name
    return StarTile(
        name,
        label if lit else f"{name} ({_('cannot be laid now')})",
        drawn(tile_svg(parse(name))),
        lit,
        gone,
        totals,
        made_json,
        _tap(seat, name, made),
    )


def _useful(made: dict[str, Any]) -> dict[str, Any]:
    """A total of nothing cannot be claimed."""
    return made | {"multiple": made["multiple"] and made["total"] > 0}


def _claimable(made: dict[str, Any]) -> bool:
    return bool(made["cards"] or made["multiple"] or made["virtual"])


def _tap(seat: int, tile: str, made: Sequence[dict[str, Any]]) -> Tap:
    """One tap lays the tile, if there is nothing to ask."""
    if len(made) > 1 or any(map(_claimable, made)):
        return _asks(tile=tile)
    return _enters(Play(seat, parse(tile), made[0]["end"] if made else None))


def _made_at(made: Sequence[dict[str, Any]], end: str | None) -> dict[str, Any] | None:
    """The total at this end, or at the only end that takes the tile."""
    if len(made) == 1:
        return made[0]
    return next((each for each in made if each["end"] == end), None)


def _ends(state: Any, seat: int, tile: str, makes: Sequence[dict[str, Any]]) -> list[StarEnd]:
    made = {each["end"]: each for each in makes}
    letters = words.end_letters()
    return [
        StarEnd(
            end,
            letters[end],
            words.end_words(end),
            pips,
            made[end]["total"] if end in made else None,
            _tap_end(seat, tile, made[end]) if end in made else None,
        )
        for end, pips in state.line.open.items()
    ]


def _tap_end(seat: int, tile: str, made: dict[str, Any]) -> Tap:
    if _claimable(made):
        return _asks(tile=tile, end=made["end"])
    return _enters(Play(seat, parse(tile), made["end"]))


# --- claims ------------------------------------------------------------------------------------------------
def _claim(offers: dict[str, Any], made: dict[str, Any], *, dropping: bool) -> ClaimShown:
    play = Play(offers["seat"], parse(made["tile"]), made["end"])
    return ClaimShown(
        tile=drawn(tile_svg(play.tile)),
        letter=words.end_letter(made["end"]),
        total=made["total"],
        dropping=dropping,
        plain=_enters(play),
        multiple=_enters(play._replace(claim=Claim("multiple"))) if made["multiple"] else None,
        virtual=_asks(tile=made["tile"], end=made["end"], by="virtual") if made["virtual"] else None,
    )


def _cards(offers: dict[str, Any], made: dict[str, Any] | None, *, dropping: bool) -> list[StarCard]:
    """The cards that can be tapped now: to claim with, or to drop for the virtual card."""
    if made is None:
        return []
    seat, by = offers["seat"], "virtual" if dropping else "card"
    offered = offers["cards"][seat]["droppable"] if dropping else made["cards"]

    def tap(card: str) -> Tap:
        return _enters(Play(seat, parse(made["tile"]), made["end"], Claim(by, cards.parse(card))))

    return [card_shown(card, tap(card)) for card in offered]


# --- dice --------------------------------------------------------------------------------------------------
def _roll(match: Match, offers: dict[str, Any], typed: Mapping[str, str]) -> Dice:
    seat, numbers, asked = offers["seat"], tuple(offers["rolls"]), typed.get("number", "")
    number = int(asked) if asked in map(str, numbers) else _number_before(match, seat, numbers[0])
    return _dice(seat, numbers, number, tuple(int(face) for face in typed.get("dice", "") if face in map(str, FACES)))


@lru_cache(1024)
def _dice(seat: int, numbers: tuple[int, ...], number: int, faces: tuple[int, ...]) -> Dice:
    """The dice of this seat while these `faces` are tapped; the last one completes the roll."""
    tapped = [*faces[: number - 1]]
    slots = (_dice_asked(number, tapped[:at] + tapped[at + 1 :]) for at in range(len(tapped)))
    return Dice(
        number=number,
        numbers=tuple((each, _asks(number=each)) for each in numbers),
        slots=tuple(Face(pips, drawn(die_svg(pips)), tap) for pips, tap in zip(tapped, slots, strict=True)),
        empty=range(number - len(tapped)),
        untap=_dice_asked(number, tapped[:-1]) if tapped else None,
        faces=tuple(Face(face, drawn(die_svg(face)), _face(seat, number, tapped, face)) for face in FACES),
    )


def _face(seat: int, number: int, tapped: list[int], face: int) -> Tap:
    dice = [*tapped, face]
    if len(dice) == number:
        return _enters(Roll(seat, tuple(dice)))
    return _dice_asked(number, dice)


def _dice_asked(number: int, tapped: Sequence[int]) -> Tap:
    """Asks for the rest of a roll."""
    return _asks(number=number, dice="".join(map(str, tapped)) or None)


def _number_before(match: Match, seat: int, else_: int) -> int:
    """How many dice this player rolled last in the match; if they have not rolled, how many anybody did."""
    rolls = [move for hand in match.hands for move in hand.state.moves if isinstance(move, Roll)]
    own = [roll for roll in rolls if roll.seat == seat]
    return len((own or rolls)[-1].dice) if rolls else else_


# --- without network ---------------------------------------------------------------------------------------
def ahead(match: Match) -> dict[str, Any] | None:
    """The hand for `boards/star.js`; None if no move is due, because only the server knows what comes next."""
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
    """How many players have passed in a row."""
    count = 0
    while count < len(moves) and isinstance(moves[-1 - count], Pass):
        count += 1
    return count
