"""The practice table: a visitor's game against Nestor, and its menu."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games import GAMES
from games.base import Game
from games.cards import NAMES as CARDS
from games.line import Line
from games.moves import Contract, Discard, Draw, Follow, Move, Pass, PlaceCard, Play, Roll
from games.nestor import LEVELS
from games.record import read_move
from games.tiles import NAMES, mask, members, names, parse
from scorekeeper import words
from scorekeeper.forms.practice import PracticeForm, ThemeForm
from scorekeeper.pages import context
from scorekeeper.pages.advice import advice
from scorekeeper.pages.boards import board_own_hand, board_shown
from scorekeeper.pages.boards.base import BoardShown
from scorekeeper.pages.boards.line import line_shown
from scorekeeper.pages.boards.star import StarCard, card_shown
from scorekeeper.pages.hands import HandShown, hands_shown
from scorekeeper.pages.match import SeatShown, Side, seats, sides
from scorekeeper.practice.contest import YOU, Contest, Told
from scorekeeper.practice.hints import Reason, reasons
from scorekeeper.practice.table import PracticeTable, Preserved
from scorekeeper.practice.themes import COLOURS, Measured, Theme, measured


@dataclass(frozen=True, slots=True)
class Peek:
    """Hidden tiles and cards that the visitor looks at."""

    label: str
    tiles: tuple[str, ...]
    cards: tuple[StarCard, ...] = ()


@dataclass(frozen=True, slots=True)
class Won:
    """A row of the tally."""

    who: str
    games: int
    percent: int


@dataclass(frozen=True, slots=True)
class PreservedShown:
    name: str
    game: Game[Any]
    points: str


@dataclass(frozen=True, kw_only=True)
class MenuShown:
    """What the menu shows, with or without a game on the table."""

    seen: int
    practice: bool = True
    tally: Sequence[Won]
    tally_games: int
    tally_marked: int
    undo: bool
    preserved: Sequence[PreservedShown]
    themes: Sequence[bool]
    """Whether each is in use."""
    own_theme: bool
    """Whether one of them is in use, and not the colours of the other pages."""
    stamp: int
    """Changes with the colours, so that a browser asks for them again."""
    refusal: str = ""


@dataclass(frozen=True, kw_only=True)
class StartShown(MenuShown):
    """Before the first game."""

    games: Sequence[Game[Any]]
    next: str = "start"


@dataclass(frozen=True, kw_only=True)
class ContestShown(MenuShown):
    """The game on the table."""

    game: Game[Any]
    level: str
    marks: Sequence[str]
    """What marks the game, in sentences."""
    next: str
    """``move``, ``nestor``, ``hand`` or ``done``."""
    auto: bool
    """Whether the page goes on by itself."""
    board: BoardShown
    offers: Mapping[str, Any]
    told: Sequence[str]
    """What happened since the visitor's last turn began, in sentences."""
    due: str
    sides: Sequence[Side]
    seats: Sequence[SeatShown]
    sheet: Mapping[str, Any]
    players: Sequence[str]
    hand_number: int
    boneyard: int
    """The number of tiles that can be drawn."""
    yard: bool
    """Whether there are tiles in no hand, which can be looked at."""
    over: bool
    won: str
    hands: Sequence[HandShown]
    peeks: Sequence[Peek]
    looking: frozenset[str]
    options_shown: Sequence[str]
    say: str
    may_ask: bool
    """Whether there is a choice for which the visitor can ask for a hint."""
    hint: Sequence[str] = ()


def practice_page(
    table: PracticeTable, typed: Mapping[str, str], refusal: str = "", hint: Mapping[str, Any] | None = None
) -> StartShown | ContestShown:
    """The page of the practice table. `typed`: a tile that waits for its end, in the address of a page without
    scripts. `hint`: the move that Nestor would make for the visitor, as a record has it."""
    menu = _menu(table, refusal)
    if table.contest is None:
        return StartShown(**context(menu), games=[*GAMES.values()])
    page = _contest(table, table.contest, menu, typed)
    return page if hint is None else replace(page, hint=_hint(table.contest, hint))


def _hint(contest: Contest, hint: Mapping[str, Any]) -> list[str]:
    """The hint and its reasons, in sentences."""
    move = read_move(hint, contest.match.game.moves, len(contest.match.players))
    why = [_reason(contest, each) for each in reasons(contest, move)]
    return [advice(move), *(why or [_("It does best in the deals that Nestor imagines.")])]


def _reason(contest: Contest, reason: Reason) -> str:
    match reason.kind:
        case "scores":
            return ngettext("It scores {n} point.", "It scores {n} points.", reason.number).format(n=reason.number)
        case "seen":
            text = ngettext(
                "{n} of the three tiles that you have seen is a {pips}.",
                "{n} of the three tiles that you have seen are {pips}s.",
                reason.number,
            )
            return text.format(n=reason.number, pips=reason.pips)
        case "trumps":
            text = ngettext("It keeps your trump.", "It keeps your {n} trumps.", reason.number)
            return text.format(n=reason.number)
        case "takes":
            return _("It takes the trick.")
        case "unbeaten":
            return _("Nobody who plays after you can beat it.")
        case "ducks":
            return _("It does not take the trick.")
        case "keeps":
            text = ngettext(
                "It keeps {pips}s open for you: you hold {n} more.",
                "It keeps {pips}s open for you: you hold {n} more.",
                reason.number,
            )
            return text.format(pips=reason.pips, n=reason.number)
    following = (YOU + 1) % len(contest.match.players)
    return _("{player} has no {pips}.").format(player=contest.match.players[following], pips=reason.pips)


def _menu(table: PracticeTable, refusal: str) -> MenuShown:
    tally = table.tally
    rows = [(_("You"), tally.you), ("Nestor", tally.nestor), *([(_("Tied"), tally.drawn)] if tally.drawn else [])]
    return MenuShown(
        seen=table.step,
        tally=[Won(who, won, table.percent(won)) for who, won in rows],
        tally_games=tally.games,
        tally_marked=tally.marked,
        undo=table.before is not None,
        preserved=[_preserved(each) for each in table.preserved],
        themes=[number == table.themes.used for number in range(len(table.themes.themes))],
        own_theme=table.themes.used is not None,
        stamp=table.step,
        refusal=refusal,
    )


def _preserved(each: Preserved) -> PreservedShown:
    match = each.contest.match
    return PreservedShown(each.name, match.game, words.totals(match.totals[side[0]] for side in match.sides))


def _contest(table: PracticeTable, contest: Contest, menu: MenuShown, typed: Mapping[str, str]) -> ContestShown:
    match = contest.view
    board, sheet, players = _board(table, contest, match, typed), match.sheet(), match.players
    due = _next(contest)
    offers = match.offers()
    told = _told(contest, players, table.comfort.auto_ok)
    hands: Any = SimpleLazyObject(lambda: hands_shown(match, sheet))
    return ContestShown(
        **context(menu),
        game=match.game,
        level=_(LEVELS[contest.level].name),
        marks=[MARKS[mark]() for mark in sorted(table.marked)],
        next=due,
        auto=table.comfort.auto_ok and due in ("nestor", "hand"),
        board=board,
        offers={**offers, "undo": menu.undo, "undoes": ""},
        told=told,
        due=_due(contest, due, board.due),
        sides=sides(match, players, match.totals, match.winners),
        seats=seats(match, players, sheet["held"], sheet["turn"]),
        sheet=sheet,
        players=players,
        hand_number=len(match.hands),
        boneyard=offers.get("boneyard", 0),
        yard=bool(contest.boneyard()),
        over=contest.over,
        won=_won(contest),
        hands=hands,
        peeks=_peeks(table, contest),
        looking=table.shown,
        options_shown=words.options_words(match.game, match.options, goal=True),
        say=" ".join(told),
        may_ask=due == "move" and contest.must_choose,
    )


def _next(contest: Contest) -> str:
    if contest.over:
        return "done"
    if contest.state is None:
        return "hand"
    return "move" if contest.turn == YOU else "nestor"


def _board(table: PracticeTable, contest: Contest, match: games.Match, typed: Mapping[str, str]) -> BoardShown:
    if contest.state is None:
        assert match.last is not None
        return board_shown(match.game, match.last.state, match.players)
    return board_own_hand(match, YOU, typed, counts=table.comfort.table_count)


def _told(contest: Contest, players: Sequence[str], quietly: bool) -> list[str]:
    """The status lines. `quietly`: without what the visitor did."""
    told = [each for each in contest.told() if not (quietly and each.move.seat == YOU)]
    lines = []
    for draws, group in itertools.groupby(told, lambda each: isinstance(each.move, Draw) and each.move.seat):
        moves = list(group)
        if draws is not False:
            lines.append(_drew(moves[0].move.seat, len(moves), players))
        else:
            lines += [_line(each, players) for each in moves]
    return lines


def _drew(seat: int, number: int, players: Sequence[str]) -> str:
    if seat == YOU:
        return ngettext("You drew a tile.", "You drew {n} tiles.", number).format(n=number)
    text = ngettext("{player} drew a tile.", "{player} drew {n} tiles.", number)
    return text.format(player=players[seat], n=number)


def _line(told: Told, players: Sequence[str]) -> str:
    move = told.move
    done = _you_did(move) if move.seat == YOU else f"{words.move_words(move, players)}."
    points = ngettext("{n} point.", "{n} points.", told.points).format(n=told.points) if told.points else ""
    return " ".join(filter(None, [done, points, _took(told.winner, players)]))


def _took(winner: int | None, players: Sequence[str]) -> str:
    """Who took the trick that a move ended; "" if it ended none."""
    if winner is None:
        return ""
    return _("You take the trick.") if winner == YOU else _("{player} takes the trick.").format(player=players[winner])


def _you_did(move: Move) -> str:
    match move:
        case Play():
            claim = f" ({words.claim_words(move.claim)})" if move.claim else ""
            return _("You laid {tile}.").format(tile=words.tile_words(move) + claim)
        case Pass():
            return _("You passed.")
        case Roll(_, dice):
            return _("You rolled {dice}.").format(dice=", ".join(map(str, dice)))
        case Contract(_, contract, None):
            return _("You called {contract}.").format(contract=words.word(contract))
        case Contract(_, contract, trump):
            text = _("You called {contract}, trumps are {trump}.")
            return text.format(contract=words.word(contract), trump=trump)
        case Discard(_, 0):
            return _("You kept all tiles.")
        case Discard(_, number):
            return ngettext("You exchanged {n} tile.", "You exchanged {n} tiles.", number).format(n=number)
        case Follow(_, tile, None):
            return _("You played {tile}.").format(tile=NAMES[tile])
        case Follow(_, tile, suit):
            return _("You led {tile} in the suit of {suit}.").format(tile=NAMES[tile], suit=suit)
        case PlaceCard(_, card, cell):
            return _("You put {card} in {at}.").format(card=words.card_words(card), at=words.cell_words(cell))
        case Draw():
            return _drew(YOU, move.number, ())


def _due(contest: Contest, due: str, asked: str) -> str:
    """What is waited for. `asked`: what the board asks of the visitor; "" if it is simply their turn."""
    match due:
        case "done":
            return _won(contest)
        case "hand":
            number = len(contest.match.hands)
            by_games = contest.match.game.hand_word == "game"
            return _("Game {n} is over.").format(n=number) if by_games else _("The hand is over.")
        case "nestor":
            assert contest.turn is not None
            return _("It is {player}’s turn.").format(player=contest.match.players[contest.turn])
    move = contest.choices[0]
    if isinstance(move, Draw):
        return _("You have no tile that fits: draw.")
    return _("You have no tile that fits: pass.") if isinstance(move, Pass) else asked or _("Your turn.")


def _won(contest: Contest) -> str:
    """How the game ended; "" before."""
    winners = contest.match.winners
    if not contest.over:
        return ""
    if set(winners) <= set(contest.match.sides[YOU]):
        return _("You won the game.")
    if len(contest.match.sides) == 2:
        return _("The game is tied.") if YOU in winners else _("Nestor won the game.")
    return f"{words.won(contest.match)}."


def _peeks(table: PracticeTable, contest: Contest) -> list[Peek]:
    """The hidden tiles that are shown now, of the hands and of the boneyard."""
    found = []
    if "hands" in table.shown:
        hands, cards = contest.hands(), contest.cards()
        for seat, player in enumerate(contest.match.players):
            if seat != YOU and (hands or cards):
                tiles = names(hands[seat]) if hands else ()
                held = [card_shown(CARDS[card]) for card in members(cards[seat])] if cards else ()
                found.append(Peek(player, tuple(tiles), tuple(held)))
    if "boneyard" in table.shown:
        found.append(Peek(_("Boneyard"), tuple(names(contest.drawable()))))
        if away := contest.boneyard() & ~contest.drawable():
            found.append(Peek(_("Out of play"), tuple(names(away))))
    return found


MARKS = {
    "undo": lambda: _("You took back a move in this game."),
    "peek": lambda: _("You looked at hidden tiles in this game."),
}


@dataclass(frozen=True, kw_only=True)
class SettingsPage(MenuShown):
    """The form for the rules of a game and the comforts."""

    game: Game[Any]
    games: Sequence[Game[Any]]
    form: PracticeForm
    unfinished: bool
    """Whether a game is on the table that is not over."""


def settings_page(table: PracticeTable, game: Game[Any], form: PracticeForm, refusal: str = "") -> SettingsPage:
    return SettingsPage(
        **context(_menu(table, refusal)),
        game=game,
        games=[*GAMES.values()],
        form=form,
        unfinished=table.contest is not None and not table.contest.over,
    )


SAMPLE = (
    Line().lay(parse("6-6")).lay(parse("6-1"), "e").lay(parse("6-3"), "w").lay(parse("1-1"), "e").lay(parse("3-0"), "w")
)


class ContrastShown(NamedTuple):
    """Two colours that must be told apart. `upper` and `lower` are their fields; `ratio` is rounded down, so that what
    is too little never looks like enough; `least` is in tenths."""

    upper: str
    lower: str
    names: str
    ratio: str
    least: int
    at_least: str
    enough: bool


@dataclass(frozen=True, kw_only=True)
class ThemePage(MenuShown):
    """The form for the colours of a theme, with a preview."""

    number: int
    """From 1."""
    form: ThemeForm
    contrasts: Sequence[ContrastShown]
    line: SafeString
    """A line of play with tiles of both."""
    hand: Sequence[str]


def theme_page(table: PracticeTable, number: int, form: ThemeForm, theme: Theme, refusal: str = "") -> ThemePage:
    return ThemePage(
        **context(_menu(table, refusal)),
        number=number + 1,
        form=form,
        contrasts=[_contrast(each) for each in measured(theme)],
        line=line_shown(SAMPLE, None, own=mask(SAMPLE.laid[at].tile for at in (0, 2, 4))),
        hand=("6-5", "4-1", "3-3"),
    )


def _contrast(each: Measured) -> ContrastShown:
    (upper, lower, least), below = each.pair, Fraction(int(10 * each.ratio), 10)
    names = _("{upper} on {lower}").format(upper=_(COLOURS[upper]), lower=_(COLOURS[lower]))
    return ContrastShown(upper, lower, names, words.tenths(below), int(10 * least), words.tenths(least), each.enough)


def theme_css(theme: Theme) -> str:
    """The theme as a stylesheet: see practice.css. Its lines have their full colour."""
    colours = "".join(f"--{name}:{colour};" for name, colour in theme.items())
    return f".practice{{--line-strength:1;{colours}}}"
