"""The review of a match by Nestor: curves for each hand, what each choice was worth, and a summary for each player."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games.base import Game, State
from games.cards import NAMES as CARDS
from games.dom import DomState
from games.dominards import DominardsState
from games.moves import Discard, Follow, Move, Pass, PlaceCard, Play, Roll
from games.nestor.positions import is_choice, known_before
from games.nestor.review import Reviewed, above_others, chances
from games.tiles import NAMES, members
from scorekeeper import words
from scorekeeper.drawing.standing_line import Moment, standing_line_svg
from scorekeeper.models import Job, Match, Review
from scorekeeper.pages.boards import board_shown
from scorekeeper.pages.boards.base import BoardShown
from scorekeeper.pages.match import whom
from scorekeeper.pages.replay import within
from scorekeeper.selectors.reviews import WAITING, plays_of


class Summary(NamedTuple):
    """What somebody did in all hands."""

    name: str
    choices: int
    """Moves at which more than one was possible."""
    alike: int
    """Those of them in which nothing was better."""
    mistakes: int
    sizes: str
    """How large they were, in words."""
    lost: str
    """The points that they cost in all."""


class Ahead(NamedTuple):
    """Who is ahead, and by how much."""

    mark: str
    """As above and below the curve; "" if the sides are even."""
    side: str
    points: str


class Made(NamedTuple):
    """A move as it is drawn: tiles, a card, and words after them, such as the end or the claim. ``spoken`` says what is
    drawn."""

    tiles: Sequence[str]
    card: str
    words: str
    spoken: str

    @property
    def said(self) -> str:
        return f"{self.spoken} {self.words}".strip()


class PlayShown(NamedTuple):
    """A choice in the list of a hand."""

    at: int
    name: str
    made: Made
    before: Ahead
    cost: str
    size: str
    word: str
    """What `size` is called; "" for no mistake."""
    chosen: bool


class ChoiceShown(NamedTuple):
    made: Made
    worth: str
    opened: str
    """With open hands; "" if that is not known."""
    played: bool


class ChancesShown(NamedTuple):
    """Tiles that a player did not see, and for each other place the chance that one of them is there, in per cent."""

    tiles: Sequence[str]
    at: Sequence[int]


class Laid(NamedTuple):
    """A move of the best line."""

    name: str
    tile: str
    end: str
    words: str


@dataclass(frozen=True, slots=True)
class ChosenPlay:
    """One play in all detail."""

    at: int
    words: str
    board: BoardShown
    held: Sequence[str]
    held_cards: Sequence[str]
    verdict: str
    rests_on: str
    choices: Sequence[ChoiceShown]
    opened: bool
    """Whether all hands are known."""
    opened_verdict: str
    line: Sequence[Laid]
    """With all hands known, if there was a choice: the best play to the end."""
    places: Sequence[str]
    chances: Sequence[ChancesShown]


class Curve(NamedTuple):
    """How a side stood. `name` is whose it is; "" if it is of both sides."""

    name: str
    svg: SafeString


@dataclass(frozen=True, slots=True)
class HandReviewed:
    number: int
    curves: Sequence[Curve]
    """One for two sides, else one for each player."""
    opened: bool
    """Whether the curve has a second line, for open hands."""
    plays: Sequence[PlayShown]
    results: Sequence[tuple[str, Ahead]]
    """Whose result it is, as in `Curve`, and the result."""
    chosen: ChosenPlay
    left_out: int
    """Choices of which the record does not say what their player held."""


@dataclass(frozen=True, kw_only=True)
class ReviewPage:
    match: Match
    title: str
    sides: Sequence[Sequence[str]]
    board: str
    """`Game.board`: what the numbers mean depends on it."""
    over: bool
    may: bool
    """Whether the visitor may start a review."""
    job: Job | None
    going: bool
    refusal: str
    review: Review | None
    summary: Sequence[Summary]
    hands: Sequence[int]
    hand: HandReviewed | None


def review_page(
    match: Match,
    state: games.Match,
    review: Review | None,
    job: Job | None,
    *,
    may: bool,
    hand: str | None = None,
    move: str | None = None,
    refusal: str = "",
) -> ReviewPage:
    """The page of a hand and of one of its plays: numbers from an address, else the first hand and its most expensive
    play. `state` is the match as the visitor may see it."""
    plays = plays_of(review, match) if review else []
    hands = sorted({play.hand for play in plays})
    going = job is not None and job.state in WAITING
    failed = job.error if job and job.state == Job.State.FAILED and not review else ""
    shown = within(hand, len(state.hands) - 1) if hand else -1
    return ReviewPage(
        match=match,
        title=words.versus([[state.present[seat] for seat in side] for side in state.sides]),
        sides=[[state.present[seat] for seat in side] for side in state.sides],
        board=state.game.board,
        over=state.finished,
        may=may,
        job=job,
        going=going,
        refusal=refusal or failed,
        review=review,
        summary=_summaries(state, plays),
        hands=hands,
        hand=_hand(state, plays, shown if shown in hands else hands[0], move) if hands else None,
    )


def _summaries(state: games.Match, plays: Sequence[Reviewed]) -> list[Summary]:
    return [_summary(name, [play for play in plays if play.seat == seat]) for seat, name in enumerate(whom(state))]


def _summary(name: str, plays: Sequence[Reviewed]) -> Summary:
    chosen = [play for play in plays if len(play.choices) > 1]
    mistakes = [play for play in chosen if play.size]
    sizes = Counter(play.size for play in mistakes)
    return Summary(
        name,
        len(chosen),
        sum(not play.loss for play in chosen),
        len(mistakes),
        ", ".join(_counted(size, sizes[size]) for size in ("big", "clear", "small") if sizes[size]),
        words.tenths(sum((play.loss for play in mistakes), Fraction(0))),
    )


def _counted(size: str, number: int) -> str:
    match size:
        case "big":
            return ngettext("{n} big", "{n} big", number).format(n=number)
        case "clear":
            return ngettext("{n} clear", "{n} clear", number).format(n=number)
        case _:
            return ngettext("{n} small", "{n} small", number).format(n=number)


def size_words(size: str) -> str:
    """How large a mistake was; "" for none."""
    return {"": "", "small": _("small mistake"), "clear": _("clear mistake"), "big": _("big mistake")}[size]


def _hand(state: games.Match, plays: Sequence[Reviewed], number: int, move: str | None) -> HandReviewed:
    within_hand = next([*group] for hand, group in groupby(plays, lambda play: play.hand) if hand == number)
    chosen = next(
        (play for play in within_hand if str(play.at) == move), max(within_hand, key=lambda play: (play.loss, -play.at))
    )
    players, moves = state.seated(number), state.hands[number].state.moves
    shown = [_play(state, play, players, chosen) for play in within_hand]
    whose = [(0, "")] if len(state.sides) == 2 else [*enumerate(players)]
    curves = []
    for seat, name in whose:
        own = [(play, each) for play, each in zip(within_hand, shown, strict=True) if not name or play.seat == seat]
        if own:
            curves.append(Curve(name, _curve(state, number, seat, name, own)))
    results = [(name, _result(state, number, seat)) for seat, name in whose]
    return HandReviewed(
        number=number,
        curves=curves,
        opened=any(_opened(state, play) is not None for play in within_hand),
        plays=shown,
        results=[(name, _ahead(state, points, name, players)) for name, points in results if points is not None],
        chosen=_chosen(state, chosen, players),
        left_out=sum(map(is_choice, moves)) - len(within_hand),
    )


def _curve(
    state: games.Match, number: int, seat: int, name: str, plays: Sequence[tuple[Reviewed, PlayShown]]
) -> SafeString:
    """How the side of a seat stood. `name`: whose curve it is; "" for both sides."""
    label = _("How well each side stood in hand {n}") if not name else _("How well {player} stood in hand {n}")
    moments = [
        Moment(
            play.at,
            _stands(state, play),
            _opened(state, play),
            play.size,
            _says(each),
            f"?hand={number}&move={play.at}#play",
            each.chosen,
        )
        for play, each in plays
    ]
    curve = standing_line_svg(
        moments,
        moves=len(state.hands[number].state.moves),
        result=_result(state, number, seat),
        label=label.format(n=number + 1, player=name),
    )
    return mark_safe(curve)  # noqa: S308 (what is not ours is escaped where it is drawn)


def _stands(state: games.Match, play: Reviewed) -> Fraction:
    """The points above the others if the best move was made: of the first of two sides, else of the player."""
    return _for_first(state, play, play.made + play.choices[0].worth)


def _opened(state: games.Match, play: Reviewed) -> int | None:
    """The same with open hands."""
    worths = [choice.opened for choice in play.choices if choice.opened is not None]
    return int(_for_first(state, play, play.made + max(worths))) if worths else None


def _for_first(state: games.Match, play: Reviewed, points: Fraction) -> Fraction:
    return points if len(state.sides) > 2 or play.seat in state.sides[0] else -points


def _result(state: games.Match, number: int, seat: int) -> Fraction | None:
    """The points that a seat won above the others in the hand; None before it was counted."""
    hand = state.hands[number]
    if hand.outcome is None:
        return None
    points = above_others(state.sides, hand.points, seat)
    return -points if state.game.lower_wins else points


def _play(state: games.Match, play: Reviewed, players: Sequence[str], chosen: Reviewed) -> PlayShown:
    name = players[play.seat]
    return PlayShown(
        play.at,
        name,
        _made(play.choices[play.played].move),
        _ahead(state, _stands(state, play), name, players),
        words.tenths(play.loss) if round(play.loss * 10) else "",
        play.size,
        size_words(play.size),
        play is chosen,
    )


def _ahead(state: games.Match, points: Fraction, name: str, players: Sequence[str]) -> Ahead:
    """`points` are those by which the first of two sides is ahead, else those of the player with this name."""
    if len(state.sides) > 2:
        return Ahead("", name, words.signed_tenths(points))
    if not round(points * 10):
        return Ahead("", _("even"), words.tenths(0))
    mark, side = ("▲", state.sides[0]) if points > 0 else ("▼", state.sides[1])
    return Ahead(mark, words.together([players[seat] for seat in side]), words.tenths(abs(points)))


def _says(play: PlayShown) -> str:
    ahead = f"{play.before.side} +{play.before.points}" if play.before.mark else play.before.side
    return ", ".join(filter(None, [f"{play.at + 1}. {play.name} {play.made.said}", ahead, play.word]))


def _made(move: Move) -> Made:
    match move:
        case Play(_, tile, end, claim):
            more = [words.end_letter(end), f"({words.claim_words(claim)})" if claim else ""]
            return Made((NAMES[tile],), "", " ".join(filter(None, more)), NAMES[tile])
        case Follow(_, tile, suit):
            return Made((NAMES[tile],), "", "" if suit is None else _("suit {n}").format(n=suit), NAMES[tile])
        case PlaceCard(_, card, cell):
            return Made((), CARDS[card], words.cell_words(cell), words.card_words(card))
        case Discard(_, number, tiles):
            away = [NAMES[tile] for tile in tiles or ()]
            return Made(away, "", _("exchanged") if number else _("kept all tiles"), ", ".join(away))
        case Roll(_, dice):
            return Made((), "", ngettext("{n} die", "{n} dice", len(dice)).format(n=len(dice)), "")
        case _:
            raise AssertionError(move)


def _chosen(state: games.Match, play: Reviewed, players: Sequence[str]) -> ChosenPlay:
    known: Any = known_before(state, play.hand, play.at)
    assert known is not None, "a review is of the hands as they are"
    tiles, held_cards = _held(known, play.seat)
    found = chances(known)
    places = [seat for seat in range(len(players)) if seat != play.seat]
    yard = len(players)
    if any(chance.at[yard] for chance in found):
        places.append(yard)
    return ChosenPlay(
        at=play.at,
        words=words.move_words(play.choices[play.played].move, players),
        board=board_shown(state.game, known, players),
        held=[NAMES[tile] for tile in reversed([*members(tiles)])],
        held_cards=[CARDS[card] for card in members(held_cards)],
        verdict=_verdict(play),
        rests_on=_rests_on(play, players[play.seat]),
        choices=[
            ChoiceShown(
                _made(choice.move),
                words.signed_tenths(choice.worth),
                "" if choice.opened is None else words.signed(choice.opened),
                number == play.played,
            )
            for number, choice in enumerate(play.choices)
        ],
        opened=play.opened_loss is not None,
        opened_verdict=_opened_verdict(play),
        line=[_line(move, players) for move in play.line],
        places=[players[seat] if seat < yard else _in_no_hand(state.game) for seat in places],
        chances=_together(
            {NAMES[chance.tile]: tuple(round(100 * chance.at[place]) for place in places) for chance in found}
        ),
    )


def _together(found: Mapping[str, tuple[int, ...]]) -> list[ChancesShown]:
    """Tiles with the same chances in one row, the surest first."""
    rows = sorted(set(found.values()), key=lambda at: (-max(at), at))
    return [ChancesShown([tile for tile, its in found.items() if its == at], at) for at in rows]


def _line(move: Move, players: Sequence[str]) -> Laid:
    name = players[move.seat]
    if isinstance(move, Play):
        return Laid(name, NAMES[move.tile], words.end_letter(move.end), "")
    return Laid(name, "", "", _("passes") if isinstance(move, Pass) else words.move_words(move, players))


def _held(known: State, seat: int) -> tuple[int, int]:
    """The tiles and the cards of a seat, as masks."""
    if isinstance(known, DomState):
        return 0, known.playable(seat)
    state: Any = known
    own = known.opening.cards[seat] if isinstance(known, DominardsState) else None
    return state.holdings.known[seat], 0 if own is None else own & ~state.dropped[seat]


def _in_no_hand(game: Game[Any]) -> str:
    """What is called the place of tiles that are in no hand."""
    return _("not in play") if game.board == "tricks" else _("boneyard")


def _verdict(play: Reviewed) -> str:
    """What Nestor says of the move."""
    if len(play.choices) == 1:
        return _("It was the only possible play.")
    if not play.loss:
        return _("Nestor found nothing better.")
    points = words.tenths(play.loss)
    match play.size:
        case "":
            cost = _("A difference of {points} points is too small to be sure of.")
        case "small":
            cost = _("A small mistake: it cost {points} points.")
        case "clear":
            cost = _("A clear mistake: it cost {points} points.")
        case _:
            cost = _("A big mistake: it cost {points} points.")
    return f"{_better(play.choices[0].move)} {cost.format(points=points)}"


def _better(move: Move) -> str:
    """What Nestor would have done."""
    made = _made(move)
    match move:
        case Play():
            return _("Nestor would have laid {tile}.").format(tile=made.said)
        case Follow(_, tile, int() as suit):
            text = _("Nestor would have led {tile} in the suit of {suit}.")
            return text.format(tile=NAMES[tile], suit=suit)
        case Discard(_, 0):
            return _("Nestor would have kept all tiles.")
        case Discard():
            return _("Nestor would have exchanged {tiles}.").format(tiles=made.spoken)
        case Roll():
            return _("Nestor would have rolled {dice}.").format(dice=made.words)
        case PlaceCard():
            return _("Nestor would have put {card} in {place}.").format(card=made.spoken, place=made.words)
        case _:
            return _("Nestor would have played {tile}.").format(tile=made.spoken)


def _rests_on(play: Reviewed, player: str) -> str:
    if play.exact:
        text = ngettext(
            "Exact: only {n} deal fits what {player} knew, and Nestor played it to the end.",
            "Exact: only {n} deals fit what {player} knew, and Nestor played each to the end.",
            play.deals,
        )
    else:
        text = ngettext(
            "An estimate: the mean of {n} deal that fits what {player} knew.",
            "An estimate: the mean of {n} deals that fit what {player} knew.",
            play.deals,
        )
    return text.format(n=play.deals, player=player)


def _opened_verdict(play: Reviewed) -> str:
    """What is seen when all hands are known; "" if they are not."""
    if play.opened_loss is None:
        return ""
    if not play.opened_loss:
        return _("With all hands known, nothing was better.")
    text = ngettext(
        "With all hands known, {play} was {n} point better. Nobody at the table could know that.",
        "With all hands known, {play} was {n} points better. Nobody at the table could know that.",
        play.opened_loss,
    )
    return text.format(play=_made(play.line[0]).said, n=play.opened_loss)
