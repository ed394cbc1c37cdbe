"""The hands of a match with their points, and the arithmetic behind them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import games
from games.tiles import NAMES, PIPS
from scorekeeper import words
from scorekeeper.pages.boards import board_counted, counts_moves
from scorekeeper.pages.boards.base import BoardShown, PlayCounted


@dataclass(frozen=True, slots=True)
class TermShown:
    """One number of a sum, labelled by a tile or by a word: the engine's, or the label itself."""

    label: str
    value: int
    tile: bool

    @property
    def size(self) -> int:
        return abs(self.value)


@dataclass(frozen=True, slots=True)
class PartShown:
    """What one player adds to a score."""

    name: str
    terms: tuple[TermShown, ...]

    @property
    def pips(self) -> int:
        return sum(term.value for term in self.terms)


@dataclass(frozen=True, slots=True)
class ScoreShown:
    """A score as a sum by player: Bo 6-4 10 + 1-0 1."""

    names: str
    points: int
    reason: str
    parts: tuple[PartShown, ...]
    nothing: bool
    """Whether nothing was left to count."""


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand with its points by side and the sums they come from. Hands that differ at most in single moves and at the
    table are equal."""

    number: int
    """From 0."""
    opener: str
    state: str
    points: tuple[int, ...]
    totals: tuple[int, ...]
    """The points of the match after it."""
    scores: tuple[ScoreShown, ...]
    by_move: bool
    """Whether it is counted move by move."""
    plays: Callable[[], Sequence[PlayCounted]] = field(compare=False)
    """Its moves with the arithmetic of each, if they are counted so."""
    by_final: bool
    end: str
    """How it ended, in a word: if the match was stopped first, why; "" while it is in play."""
    out: str
    """Who went out; "" for nobody."""
    moves: int
    noted: tuple[int, ...]
    """Moves with an irregularity."""
    board: BoardShown | None = field(default=None, compare=False)
    """How the table lay at its end, if that is shown too."""


def hands_shown(state: games.Match, sheet: Mapping[str, Any]) -> list[HandShown]:
    """Every hand of the match; `sheet` is that of the state."""
    shown, running = [], [0] * len(state.players)
    for number, (hand, row) in enumerate(zip(state.hands, sheet["hands"], strict=True)):
        running = [total + points for total, points in zip(running, row["points"], strict=True)]
        end, players = row["end"], state.seated(number)
        ended_by = end["by"] if end else state.stopped if row["state"] == "open" else None
        shown.append(
            HandShown(
                number=number,
                opener=players[row["opener"]],
                state=row["state"],
                points=tuple(row["points"][side[0]] for side in state.sides),
                totals=tuple(running[side[0]] for side in state.sides),
                scores=tuple(_score_shown(score, players) for score in row["scores"]),
                by_move=counts_moves(state.game) and bool(hand.moves or hand.outcome),
                plays=partial(board_counted, state.game, hand.state, players),
                by_final=hand.final is not None,
                end=words.word(ended_by) if ended_by else "",
                out=players[end["seat"]] if end and end["by"] == "out" and end["seat"] is not None else "",
                moves=len(hand.moves),
                noted=tuple(each["move"] for each in sheet["irregularities"] if each["hand"] == number),
            )
        )
    return shown


@dataclass(frozen=True, slots=True)
class LeftShown:
    """What a player or a side had left at the end of a hand."""

    name: str
    tiles: tuple[str, ...]
    """Empty if only a number is known."""
    pips: int
    count: int | None
    """How many tiles, if neither they nor their pips are known."""


@dataclass(frozen=True, slots=True)
class FinalShown:
    """A hand that is known by its final state."""

    left: tuple[LeftShown, ...]
    """Empty if nothing was left, or the game does not ask for it."""
    hand: HandShown


def final_shown(state: games.Match, number: int) -> FinalShown | None:
    """None for a hand that was not entered by its final state."""
    final, players = state.hands[number].final, state.seated(number)
    if final is None:
        return None
    sides = [words.together([players[seat] for seat in side]) for side in state.sides]
    left = [
        *(
            LeftShown(name, _names(rest), _pips(rest), None)
            for name, rest in zip(players, final.get("left", ()), strict=False)
        ),
        *(LeftShown(name, (), pips, None) for name, pips in zip(sides, final.get("bad", ()), strict=False)),
        *(LeftShown(name, (), 0, count) for name, count in zip(players, final.get("tiles", ()), strict=False)),
    ]
    return FinalShown(tuple(left), hands_shown(state, state.sheet())[number])


def _names(rest: int | Sequence[int]) -> tuple[str, ...]:
    return () if isinstance(rest, int) else tuple(NAMES[tile] for tile in rest)


def _pips(rest: int | Sequence[int]) -> int:
    return rest if isinstance(rest, int) else sum(PIPS[tile] for tile in rest)


def _score_shown(score: Mapping[str, Any], players: Sequence[str]) -> ScoreShown:
    """A single number that repeats the score is left out, unless it is another player's."""
    by_player: dict[int, list[TermShown]] = {}  # in the order of the sum: 41 less 9
    for term in score["terms"]:
        terms, tile = by_player.setdefault(term["seat"], []), term["label"] in NAMES
        if terms and tile and terms[-1].label == term["label"]:
            # A tile that lies alone is both ends: it counts twice, and is shown once.
            terms[-1] = replace(terms[-1], value=terms[-1].value + term["value"])
        else:
            terms.append(TermShown(term["label"], term["value"], tile))
    alone = len(score["terms"]) == 1 and not score["terms"][0]["label"]
    return ScoreShown(
        names=words.together([players[seat] for seat in score["seats"]]),
        points=score["points"],
        reason=score["reason"],
        parts=tuple(
            PartShown(players[seat], tuple(terms))
            for seat, terms in by_player.items()
            if not (alone and seat in score["seats"])
        ),
        nothing=not score["terms"],
    )
