"""Reading figures: what players did in the hands of many matches, added up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from scorekeeper.figures import Counts, added


@dataclass(frozen=True, slots=True)
class BestHand:
    """The best hand of somebody in a match."""

    points: int
    match: int
    hand: int
    """From 0."""
    ended: datetime
    """When its match ended."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What players did in the matches of a game."""

    matches: int
    counts: Counts
    best: list[BestHand]
    """One for each match that has one, the best first; of equal ones the newest."""

    def number(self, figure: str, of: str) -> int:
        return self.counts.get(figure, {}).get(of, 0)


class Sitting(NamedTuple):
    """What somebody did in a match that counts, in one seat."""

    game: str
    match: int
    ended: datetime
    """When the match ended."""
    figures: Mapping[str, Any] | None
    """None if a job must still read them."""


def figures_by_game(sittings: Iterable[Sitting]) -> dict[str, Figures]:
    """What was done in them together, by game, the game with the most hands first."""
    by_game: dict[str, list[Sitting]] = {}
    for sitting in sittings:
        by_game.setdefault(sitting.game, []).append(sitting)
    found = {game: _together(each) for game, each in by_game.items()}
    return dict(sorted(found.items(), key=lambda each: (-each[1].number("hands", "played"), each[0])))


def _together(sittings: Sequence[Sitting]) -> Figures:
    known = [(sitting, sitting.figures) for sitting in sittings if sitting.figures]
    best = [
        BestHand(figures["best"][1], sitting.match, figures["best"][0], sitting.ended)
        for sitting, figures in known
        if "best" in figures
    ]
    return Figures(
        matches=len({sitting.match for sitting in sittings}),
        counts=added(figures["counts"] for _sitting, figures in known if "counts" in figures),
        best=sorted(best, key=lambda each: (each.points, each.ended, each.match), reverse=True),
    )
