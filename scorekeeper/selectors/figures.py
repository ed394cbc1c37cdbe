"""Reading figures: what players did in the hands of many matches, added up."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from scorekeeper.figures import Counts, added
from scorekeeper.models import Match, SeatResult


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


def figures_by_game(players: Collection[int], matches: QuerySet[Match]) -> dict[str, Figures]:
    """What these people did in those of the matches that count, by game, the game with the most hands first. Who was
    merged with somebody is not one of them. One query."""
    results = SeatResult.objects.filter(player__in=players, match__in=matches.order_by().values("pk"), counts=True)
    sittings: dict[str, list[tuple[int, datetime, dict[str, Any]]]] = {}
    columns = ("game", "match", "ended", "figures")
    for game, match, ended, figures in results.annotate(ended=F("match__finished_at")).values_list(*columns):
        sittings.setdefault(game, []).append((match, ended, figures or {}))
    found = {game: _together(each) for game, each in sittings.items()}
    return dict(sorted(found.items(), key=lambda each: (-each[1].number("hands", "played"), each[0])))


def _together(sittings: list[tuple[int, datetime, dict[str, Any]]]) -> Figures:
    best = [
        BestHand(figures["best"][1], match, figures["best"][0], ended)
        for match, ended, figures in sittings
        if "best" in figures
    ]
    return Figures(
        matches=len({match for match, _ended, _figures in sittings}),
        counts=added(figures["counts"] for _match, _ended, figures in sittings if "counts" in figures),
        best=sorted(best, key=lambda each: (each.points, each.ended, each.match), reverse=True),
    )
