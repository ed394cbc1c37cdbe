"""The trick on the table, and the pad that calls, exchanges and plays to it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import Hand, Match
from games.base import Game, State
from games.domizerka import DomizerkaState, dealt_first
from games.moves import Contract, Discard, Follow, move_entry
from games.tiles import HALVES, NAMES, parse
from scorekeeper import words
from scorekeeper.drawing import tile_svg
from scorekeeper.forms.typed import typed_contract
from scorekeeper.pages import context
from scorekeeper.pages.boards.base import BoardPad, BoardShown, SheetShown
from scorekeeper.pages.boards.line import TRAY, drawn
from scorekeeper.pages.contracts import called_before, calls_of


@dataclass(frozen=True, slots=True)
class TrickSeat:
    """A seat at the table: its tile in the trick, and its tricks so far."""

    name: str
    role: str
    tricks: int
    quota: int | None
    tile: str
    leads: bool
    won: bool


@dataclass(frozen=True, slots=True)
class TrumpChoice:
    """A contract with one trump number; `move` calls it."""

    value: str
    trump: int | None
    move: Contract


@dataclass(frozen=True, slots=True)
class ContractShown:
    """A contract with every trump number it may have."""

    name: str
    quotas: tuple[tuple[str, int], ...]
    """Each role, and the tricks it owes."""
    calls: tuple[TrumpChoice, ...]
    before: int | None
    """The hand in which the caller called it before."""


@dataclass(frozen=True, slots=True)
class ExchangeShown:
    seat: int
    name: str
    role: str
    number: int | None
    """How many tiles it has exchanged; None while it still can."""
    moves: tuple[Discard, ...]
    """One for each possible number of tiles."""


@dataclass(frozen=True, slots=True)
class TrickTile:
    name: str
    svg: SafeString
    lit: bool
    gone: bool
    suits: tuple[int, ...]
    """The suits to choose from, if the player must name one."""
    move: Follow


# --- what everybody sees -----------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class TricksShown(BoardShown):
    template: str = "scorekeeper/boards/tricks/shown.html"
    called: str | None = None
    trump: int | None = None
    led: int | None = None
    trick_seats: list[TrickSeat] = field(default_factory=list)
    drawn: bool = False
    """Whether the trick is drawn at all."""


@dataclass(frozen=True, kw_only=True)
class TricksPad(TricksShown, BoardPad):
    taps: str = "scorekeeper/boards/tricks/pad.html"
    stage: str
    contracts: tuple[ContractShown, ...]
    exchanges: list[ExchangeShown]
    boneyard: int
    """The most tiles that can be exchanged."""
    tray: list[TrickTile]
    chosen: str
    """The tile that waits for its suit; "" for none."""
    suits: list[tuple[int, Mapping[str, Any] | None]]
    """Every suit, with the entry that leads the waiting tile in it."""


@dataclass(frozen=True, kw_only=True)
class TricksHand(TricksPad):
    taps: str = "scorekeeper/boards/tricks/hand.html"
    unseen: range
    """The tiles of the hand that its player has not seen yet."""


def shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> TricksShown:
    """The trick on the table. A won trick stays until the next one is led."""
    if state is None:
        return TricksShown()
    offers = state.offers()
    trick = offers["table"] or not offers["taken"]
    lies = offers if trick else offers["taken"]
    return TricksShown(
        called=words.word(offers["contract"]) if offers["contract"] else None,
        trump=offers["trump"],
        led=lies["led"],
        trick_seats=_trick_seats(offers, lies, players),
        drawn=bool(lies["table"]) or offers.get("stage") == "play",
        due=_due(offers, players),
    )


def _trick_seats(offers: Mapping[str, Any], lies: Mapping[str, Any], players: Sequence[str]) -> list[TrickSeat]:
    roles = dict(_roles(offers))
    tiles = {each["seat"]: each["tile"] for each in lies["table"]}
    leader, quotas = next(iter(tiles), None), offers["quotas"]
    return [
        TrickSeat(
            name,
            roles[seat],
            offers["tricks"][seat],
            quotas[seat] if quotas else None,
            tiles.get(seat, ""),
            seat == leader,
            seat == lies.get("winner"),
        )
        for seat, name in enumerate(players)
    ]


def _roles(offers: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The seats in the order of the deal, each with its role."""
    return zip(offers["order"], _role_words(), strict=True)


def _role_words() -> list[str]:
    return [_("caller"), _("second"), _("dealer")]


def _due(offers: Mapping[str, Any], players: Sequence[str]) -> str:
    """What comes next; at the end, who won the last trick."""
    if offers["next"] == "over":
        return _("{player} won the last trick").format(player=players[offers["taken"]["winner"]])
    return _dues()[_what_is_due(offers)].format(player=players[offers["seat"]])


def _what_is_due(offers: Mapping[str, Any]) -> str:
    if offers["stage"] in ("contract", "exchange"):
        return str(offers["stage"])
    if offers["table"]:
        return "follow"
    return "lead-on" if offers["taken"] else "lead"


def _dues() -> dict[str, str]:
    return {
        "contract": _("{player} calls"),
        "exchange": _("{player} may exchange"),
        "follow": _("{player} follows"),
        "lead": _("{player} leads"),
        "lead-on": _("{player} won and leads"),
    }


# --- the pad -----------------------------------------------------------------------------------------------
def pad(match: Match, typed: Mapping[str, str]) -> TricksPad:
    assert match.hand is not None
    offers = match.offers()
    tiles, tapped = _tray(offers), typed.get("tile", "")
    suits = next((each.suits for each in tiles if each.name == tapped and not each.gone), ())
    return TricksPad(
        **context(shown(match.game, match.hand.state, match.present, slim=True)),
        stage=offers["stage"],
        contracts=_contracts(match, offers),
        exchanges=_exchanges(match, offers),
        boneyard=offers["exchange"]["most"],
        tray=tiles,
        chosen=tapped if suits else "",
        suits=[
            (suit, move_entry(Follow(offers["player"], parse(tapped), suit)) if suit in suits else None)
            for suit in HALVES
        ],
    )


def own_hand(match: Match, seat: int, typed: Mapping[str, str], *, counts: bool) -> TricksHand:
    """The hand of a player who sees only their own tiles: three of them before the contract. There is nothing on the
    table to count."""
    assert match.hand is not None
    state = match.hand.state
    assert isinstance(state, DomizerkaState)
    hand, stage = state.holdings.known[seat], match.offers()["stage"] if state.turn == seat else ""
    seen = hand if state.rules else dealt_first(hand)
    page = pad(match, typed if stage == "play" else {})
    tiles = [tile for tile in page.tray if seen >> parse(tile.name) & 1]
    return TricksHand(
        **context(page)
        | {
            "template": TricksHand.template,
            "taps": TricksHand.taps,
            "thumb": "scorekeeper/boards/tricks/hand_exchange.html" if stage == "exchange" else "",
            "stage": stage,
            "tray": [replace(tile, lit=tile.lit and stage == "play") for tile in tiles],
            "due": _asked_of(state, stage, tiles),
        },
        unseen=range((hand & ~seen).bit_count()),
    )


def _asked_of(state: DomizerkaState, stage: str, hand: Sequence[TrickTile]) -> str:
    """What a player on turn does now; "" for anybody else."""
    match stage:
        case "":
            return ""
        case "contract":
            return _("Call a contract. You see three of your tiles.")
        case "exchange":
            return _("Tap the tiles to exchange, up to {n}.").format(n=state.boneyard)
    if not state.trick:
        return _("Lead to the trick.")
    if len(hand) > 1 and all(tile.lit for tile in hand):
        return _("Play any tile.")
    return _("Follow suit.")


def _contracts(match: Match, offers: Mapping[str, Any]) -> tuple[ContractShown, ...]:
    """The contracts, and which ones the caller has called before."""
    caller, terms = offers["order"][0], _terms(match.game)
    before, roles = called_before(match, caller), [role for _seat, role in _roles(offers)]
    return tuple(
        ContractShown(
            name,
            tuple(zip(roles, terms[calls[0][0]]["quotas"], strict=True)),
            tuple(TrumpChoice(value, trump, Contract(caller, name, trump)) for value, trump in calls),
            before.get(name),
        )
        for name, calls in calls_of(match.game, match.options)
    )


@cache
def _terms(game: Game[Any]) -> dict[str, dict[str, Any]]:
    """The terms of a deal for each call, as a form writes the call. The engine gives them when a contract is called for
    the first time. Quotas are in the order caller, second, dealer."""
    state = Match.new(game.slug, {}, ["1", "2", "3"]).opened(0)
    found = {}
    for name, calls in calls_of(game, game.read_options({})):
        for value, trump in calls:
            after = state.play(Contract(state.offers()["seat"], name, trump)).offers()
            quotas = tuple(after["quotas"][seat] for seat in after["order"])
            found[value] = {"contract": name, "trump": trump, "special": after["special"], "quotas": quotas}
    return found


def _exchanges(match: Match, offers: Mapping[str, Any]) -> list[ExchangeShown]:
    """A row for each seat, in the order of the exchange. Before the call everybody waits."""
    assert match.hand is not None
    waiting = offers["exchange"]["seats"] if offers["contract"] else offers["order"]
    exchanged = {move.seat: move.number for move in match.hand.state.moves if isinstance(move, Discard)}
    return [
        ExchangeShown(
            seat,
            match.present[seat],
            role,
            None if seat in waiting else exchanged.get(seat, 0),
            tuple(Discard(seat, number) for number in range(offers["exchange"]["most"] + 1)),
        )
        for seat, role in _roles(offers)
    ]


def _tray(offers: Mapping[str, Any]) -> list[TrickTile]:
    """All 28 tiles. Tiles that can be played are lit, tiles already played are gone.

    A tile that cannot be in the player's hand is a button too: playing it shows which entry was wrong.
    """
    return list(_tiles(offers))


def _tiles(offers: Mapping[str, Any]) -> Iterator[TrickTile]:
    suits = {} if offers["table"] else offers["suits"]
    for number in TRAY:
        name = NAMES[number]
        choice = tuple(suits.get(name, ()))
        gone = name not in offers["unseen"]
        yield TrickTile(
            name,
            drawn(tile_svg(number)),
            name in offers["plays"],
            gone,
            choice if len(choice) > 1 else (),
            Follow(offers["player"], number),
        )


# --- while the server cannot be reached --------------------------------------------------------------------
def ahead(match: Match) -> dict[str, Any]:
    """The deal for `boards/tricks.js`: the call, the exchanges, the trick, the tiles not played yet, the contracts left
    for each player, and how many deals follow."""
    terms, deals = _terms(match.game), _deals(match)
    state = match.hand.state if match.hand else match.opened(match.offers()["openers"][0])
    offers = state.offers()
    names = list(dict.fromkeys(each["contract"] for each in terms.values()))
    called = (called_before(match, seat) for seat in range(len(match.players)))
    left = [[name for name in names if name not in before] for before in called]
    exchanged = {move.seat: move.number for move in state.moves if isinstance(move, Discard)}
    return {
        "opener": match.hand and match.hand.opener,
        "openers": None if match.hand else match.offers()["openers"],
        "rest": deals - len(match.hands),
        "calls": terms,
        "left": left,
        "order": offers["order"],
        "called": offers["contract"] and typed_contract(offers["contract"], offers["trump"]),
        "waiting": offers["exchange"]["seats"],
        "most": offers["exchange"]["most"],
        "exchanged": exchanged,
        "due": f"due-{_what_is_due(offers)}",
        "player": offers["player"],
        "led": offers["led"],
        "table": offers["table"],
        "taken": offers["taken"],
        "tricks": offers["tricks"],
        "unseen": offers["unseen"],
        "dealt": match.game.dealt,
    }


def says(game: Game[Any]) -> dict[str, Any]:
    """The sentences of `boards/tricks.js`."""
    names = list(dict.fromkeys(each["contract"] for each in _terms(game).values()))
    dues = {f"due-{what}": sentence for what, sentence in _dues().items()}
    return dues | {
        "contract": _("{player} called {contract}"),
        "discard": _("{player} exchanged {count}"),
        "play": _("{player} played {tile}"),
        "of": _("of {quota}"),
        "exchange": _("{player} exchanges {n}"),
        "exchanges": _("exchanges"),
        "exchanged": _("exchanged {n}"),
        "roles": _role_words(),
        "contracts": {name: capfirst(words.word(name)) for name in names},
        "spoken": {name: words.word(name) for name in names},
    }


def _deals(match: Match) -> int:
    """How many deals the match has: every seat calls every contract once, unless the match is shorter by its
    options."""
    whole = len(calls_of(match.game, match.options)) * len(match.players)
    return min(match.options["hands"] or whole, whole)


# --- the score sheet ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class SheetCell:
    """The result of a seat in a hand; tricks and quota are None before the call."""

    tricks: int | None
    quota: int | None
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class SheetRow:
    number: int
    dealer: str
    caller: str
    called: str
    trump: int | None
    cells: tuple[SheetCell, ...]
    counted: bool
    stopped: str
    """Why the match was stopped before it was counted; "" otherwise."""
    check: int
    """The points of all seats up to this hand."""


@dataclass(frozen=True, kw_only=True)
class TricksSheet(SheetShown):
    template: str = "scorekeeper/boards/tricks/sheet.html"
    rows: list[SheetRow]
    to_come: range
    """The numbers of the hands to come."""
    names: tuple[str, ...]
    left: tuple[tuple[str, tuple[int | None, ...]], ...]
    """Every contract, and the hand in which each seat called it; None if it has not yet."""


def sheet(match: Match) -> TricksSheet:
    """A row for each hand, played or to come, and the contracts left for each player."""
    contracts = calls_of(match.game, match.options)
    rows, totals = [], [0] * len(match.players)
    for number, hand in enumerate(match.hands):
        totals = [total + points for total, points in zip(totals, hand.points, strict=True)]
        rows.append(_row(number, hand, match.seated(number), totals, match.stopped))
    before = [called_before(match, seat) for seat in range(len(match.players))]
    return TricksSheet(
        rows=rows,
        to_come=range(len(rows) + 1, _deals(match) + 1),
        names=match.present,
        left=tuple((words.word(name), tuple(called.get(name) for called in before)) for name, _calls in contracts),
    )


def _row(number: int, hand: Hand, players: Sequence[str], totals: Sequence[int], stopped: str | None) -> SheetRow:
    called = hand.called
    if hand.outcome is None:
        offers: dict[str, Any] = hand.state.offers()
        tricks, quotas = offers["tricks"], offers["quotas"] or [None] * len(players)
    else:
        terms = {(term.seat, term.label): abs(term.value) for score in hand.outcome.scores for term in score.terms}
        tricks, quotas = ([terms[seat, label] for seat in range(len(players))] for label in ("tricks", "quota"))
    cells = zip(tricks, quotas, hand.points, totals, strict=True)
    return SheetRow(
        number,
        players[hand.opener],
        players[called.seat] if called else "",
        words.word(called.contract) if called else "",
        called.trump if called else None,
        tuple(SheetCell(*each) for each in cells),
        hand.outcome is not None,
        words.word(stopped) if stopped and hand.outcome is None else "",
        sum(totals),
    )
