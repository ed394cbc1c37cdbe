"""A match as pages show it."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

import games
from games import GAMES
from games.base import Game
from games.moves import Draw, Move
from scorekeeper import words
from scorekeeper.access import is_past
from scorekeeper.models import Match, Seat, Substitute
from scorekeeper.pages import context
from scorekeeper.pages.agreement import Agreed, agreed
from scorekeeper.pages.boards import board_sheet
from scorekeeper.pages.boards.base import SheetShown
from scorekeeper.pages.hands import HandShown, hands_shown
from scorekeeper.pages.series import series_words
from scorekeeper.selectors.ending import Ending, ending_in_lists
from scorekeeper.selectors.matches import position, seated_now
from scorekeeper.selectors.tournaments import absent_from


@dataclass(frozen=True, slots=True)
class Side:
    seats: tuple[int, ...]
    names: tuple[str, ...]
    points: int | None
    """None in a match that was given up before anything was scored."""
    won: bool
    """Whether they alone have the best total of a match that is over."""
    tied: bool
    """Whether they share it."""
    by_hand: tuple[int, ...] = ()
    """The points of each hand up to now."""
    absent: bool = False
    """Whether a director has noted that they did not come."""
    alone: bool = False
    """Whether nobody else came, so that they won by forfeit."""


@dataclass(frozen=True, slots=True)
class SeatShown:
    number: int
    name: str
    held: int | None
    turn: bool
    side: int


@dataclass(frozen=True, kw_only=True)
class EndingShown:
    """How near its end a match is: now, and when its clock runs out."""

    ending: Ending
    ending_words: str
    then: Ending | None
    then_words: str


@dataclass(frozen=True, kw_only=True)
class MatchShown(EndingShown):
    """Everything about the current state of a match."""

    match: Match
    state: games.Match
    game: Game[Any]
    say: str
    players: tuple[str, ...]
    version: str
    sheet: Mapping[str, Any]
    offers: Mapping[str, Any]
    over: bool
    won: str
    """Who won or tied; "" before the end, and without a winner."""
    absent: str
    """Who did not come, in a sentence; "" if all did, and while somebody is to play."""
    absent_seats: frozenset[int]
    too_few: str
    """That the others cannot play without them, in a sentence; "" if they can."""
    forfeited: bool
    """Whether nobody plays, because fewer than two sides came."""
    past: bool
    """Whether it ended so long ago that the table no longer changes it."""
    series: str
    """Which match of its table it is, and who leads there, where several decide; "" for the first, and while somebody
    is to play."""
    sides: list[Side]
    seats: list[SeatShown]
    hand_number: int
    options_shown: list[str]
    last_move_words: str
    turn: str | None
    hands: Sequence[HandShown]
    """Built when a template reads it, which does not happen while tiles are laid."""
    own: SheetShown | None
    """The score sheet of the board, if it has its own."""
    agreed: Agreed | None
    """None before the end, and of an abandoned match, which counts for nobody."""


def match_shown(match: Match, *, recording: bool) -> MatchShown:
    """The match; a known deal only for those who record. The price is the position's."""
    whole = position(match)
    state = whole if recording else whole.public()
    sheet, offers = state.sheet(), state.offers()
    hand = state.hands[-1] if state.hands else None
    moves = hand.state.moves if hand else ()
    now = timezone.now()
    plays = offers["next"] == "move"  # a play pays nothing for what follows
    absent = frozenset() if plays else absent_from(match)
    came = [side for number, side in enumerate(state.sides) if number not in absent]
    gone = [seat for number in sorted(absent) for seat in state.sides[number]]
    forfeited = len(came) < 2
    hands: Any = SimpleLazyObject(lambda: hands_shown(state, sheet))
    return MatchShown(
        **context(ending_of(match, now)),
        match=match,
        state=state,
        game=state.game,
        say=announced(state, whole),
        players=state.present,
        version=f"{match.pk}:{match.length}{limits(match)}" + (f":{sorted(absent)}" if absent else ""),
        sheet=sheet,
        offers=offers,
        over=state.finished,
        won=_won_by_forfeit(state, came) if forfeited else words.won(state),
        absent=_did_not_come([state.present[seat] for seat in gone]) if gone else "",
        absent_seats=frozenset(gone),
        too_few=_too_few(state.game, len(state.players) - len(gone)) if gone and not forfeited else "",
        forfeited=forfeited,
        past=is_past(match, now),
        series="" if plays else series_words(match),
        sides=sides(state, whom(state), state.totals, state.winners, [hand.points for hand in state.hands]),
        seats=seats(state, state.present, sheet["held"], sheet["turn"]),
        hand_number=len(state.hands),
        options_shown=words.options_words(state.game, state.options),
        last_move_words=last_move_words(moves, state.seated(len(state.hands) - 1)),
        turn=None if sheet["turn"] is None else state.present[sheet["turn"]],
        hands=hands,
        own=board_sheet(state),
        agreed=agreed(state) if state.finished and state.stopped != "abandoned" else None,
    )


def _won_by_forfeit(state: games.Match, came: Sequence[Sequence[int]]) -> str:
    names = [words.together([state.present[seat] for seat in side]) for side in came]
    return _("{names} won by forfeit").format(names=names[0]) if names else _("Nobody came: all lose by forfeit")


def _did_not_come(names: Sequence[str]) -> str:
    return _("{name} did not come").format(name=words.listed(names))


def _too_few(game: Game[Any], came: int) -> str:
    if came in game.seats:
        return ""
    return _("{game} needs {n} players. Call the director.").format(game=_(game.name), n=min(game.seats))


def limits(match: Match) -> str:
    """What limits the match and can change without an entry; "" without limits."""
    if not match.minutes and not match.last_hand:
        return ""
    paused = int(match.paused_at.timestamp()) if match.paused_at else ""
    return f":{match.minutes}:{match.last_hand}:{match.stood}:{paused}"


def ending_of(match: Match, now: datetime) -> EndingShown:
    """No query."""
    hands, end = match.sheet["hands"], ending_in_lists(match, now)
    between = not hands or hands[-1]["state"] == "counted"
    then = ending_in_lists(match, end.at) if end.at and now < end.at and not match.sheet["finished"] else None
    return EndingShown(
        ending=end,
        ending_words=_ending_words(end, between),
        then=then,
        then_words=_ending_words(then, between) if then else "",
    )


def _ending_words(end: Ending, between: bool) -> str:
    """A notice when the end is near, else ""."""
    if end.over:
        return _("Time is up")
    if end.paused and end.waits:
        return _("The clock starts soon: {time}").format(time=words.minutes_and_seconds(end.paused))
    if end.paused:
        return _("The clock is paused: {time} left").format(time=words.minutes_and_seconds(end.paused))
    if not end.last:
        return ""
    if between:
        return _("The next hand is the last")
    return _("Time is up: this is the last hand") if end.up else _("Last hand")


def announced(public: games.Match, whole: games.Match) -> str:
    """What happened last, in short words for screen readers: a move and whose turn it is, or the score after a hand."""
    standing = words.standing(
        [(words.together([public.present[seat] for seat in side]), public.totals[side[0]]) for side in public.sides]
    )
    if public.finished:
        return f"{words.won(public) or _('The match is over')}. {standing}"
    hand = public.hands[-1] if public.hands else None
    if hand is None:
        return ""
    if hand.outcome is not None:
        return _("Hand {n} counted: {standing}").format(n=len(public.hands), standing=standing)
    turn = public.sheet()["turn"]
    scored = whole.before is not None and whole.before.totals != whole.totals
    parts = [
        last_move_words(hand.state.moves, public.seated(len(public.hands) - 1)),
        standing if scored else "",
        _("The hand is over") if turn is None else words.to_play(public.present[turn]),
    ]
    return ". ".join(part for part in parts if part)


def whom(state: games.Match) -> list[str]:
    """Who sits where now, and for whom if they took over the seat."""
    return [words.seated(now, first) for now, first in zip(state.present, state.players, strict=True)]


def unplayed(stopped: str | None, totals: Sequence[int]) -> bool:
    """Whether a match was given up before anybody scored: it has no points, not even 0."""
    return stopped == "abandoned" and not any(totals)


def sides(
    state: games.Match,
    players: Sequence[str],
    totals: Sequence[int],
    winners: Sequence[int] = (),
    hands: Sequence[Sequence[int]] = (),
) -> list[Side]:
    """Each side under the names of `players`, by seat; `hands` are the points of each hand, by seat."""
    return [
        Side(
            side,
            tuple(players[seat] for seat in side),
            None if unplayed(state.stopped, totals) else totals[side[0]],
            *_marks(side, state.sides, winners),
            tuple(points[side[0]] for points in hands),
        )
        for side in state.sides
    ]


def _marks(side: Sequence[int], sides: Sequence[Sequence[int]], winners: Sequence[int]) -> tuple[bool, bool]:
    """Whether the side won, and whether it tied. `winners` are the seats with the best total."""
    best = side[0] in winners
    several = sum(each[0] in winners for each in sides) > 1
    return best and not several, best and several


def seats(state: games.Match, players: Sequence[str], held: Sequence[int] | None, turn: int | None) -> list[SeatShown]:
    side_of = {seat: number for number, side in enumerate(state.sides) for seat in side}
    return [
        SeatShown(seat, name, held[seat] if held else None, seat == turn, side_of[seat])
        for seat, name in enumerate(players)
    ]


def last_move_words(moves: Sequence[Move], players: Sequence[str]) -> str:
    """The last event of the hand, for the line above the tray. Several draws in a row count as one."""
    if not moves:
        return ""
    last = moves[-1]
    if isinstance(last, Draw):
        same = itertools.takewhile(lambda move: move.seat == last.seat, reversed(moves))
        draws = itertools.takewhile(lambda move: isinstance(move, Draw), same)
        last = Draw(last.seat, sum(draw.number for draw in draws if isinstance(draw, Draw)))
    return words.move_words(last, players)


@dataclass(frozen=True, kw_only=True)
class MatchLine:
    """A match in a list."""

    match: Match
    game: Game[Any]
    hand: int
    """From 1; 0 before the first."""
    sides: tuple[Side, ...]


@dataclass(frozen=True, kw_only=True)
class TimedLine(MatchLine, EndingShown):
    """A match in a host's list, with how near its end it is."""


Called = Callable[[Seat | Substitute], str]


def _written(seat: Seat | Substitute) -> str:
    return seat.name


def match_line(match: Match, called: Called = _written) -> MatchLine:
    """From what is cached with the match: no query for one of `listed`. `called`: how people are called there; as it
    was written down, if nobody says otherwise."""
    game = GAMES[match.game]
    seats = zip(seated_now(match), match.seats.all(), strict=True)
    names = [words.seated(called(now), called(first)) for now, first in seats]
    totals, winners = match.sheet["totals"], match.sheet["winners"]
    no_points = unplayed(match.sheet["stopped"], totals)
    sides = game.sides(len(names))
    return MatchLine(
        match=match,
        game=game,
        hand=len(match.sheet["hands"]),
        sides=tuple(
            Side(
                side,
                tuple(names[seat] for seat in side),
                None if no_points else totals[side[0]],
                *_marks(side, sides, winners),
            )
            for side in sides
        ),
    )


def timed_line(match: Match, now: datetime, called: Called = _written) -> TimedLine:
    return TimedLine(**context(match_line(match, called), ending_of(match, now)))
