"""What a visitor did with the puzzles of the last days."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Self

from scorekeeper.practice.puzzle import Choice, Puzzle

FORMAT = "scorekeeper-puzzles/1"
DAY = timedelta(days=1)
KEPT = 2
"""Days of which the tries are kept: today and yesterday."""


@dataclass(frozen=True, slots=True)
class Tries:
    """The visitor's first tries, and how many days in a row they were right. Immutable."""

    laid: Mapping[date, str] = field(default_factory=dict)
    """What they laid in the last puzzles, by day, as ``Choice.name``."""
    solved: date | None = None
    """The last day that they solved."""
    row: int = 0
    """How many days in a row they had solved then."""
    best: int = 0
    """The most days in a row so far."""

    def choice(self, puzzle: Puzzle) -> Choice | None:
        """What they laid in this puzzle; None if they have not tried it."""
        return puzzle.named(self.laid.get(puzzle.day, ""))

    def streak(self, today: date) -> int:
        """How many days in a row they have solved: up to today, or up to yesterday if today's puzzle is open."""
        last = today if today in self.laid else today - DAY
        return self.row if self.solved is not None and self.solved >= last else 0

    def tried(self, puzzle: Puzzle, choice: Choice) -> Self:
        """After a try of a puzzle. Only the first one counts."""
        day = puzzle.day
        if day in self.laid:
            return self
        row, laid = self.streak(day) + 1, {**self.laid, day: choice.name}
        after = replace(self, laid={each: laid[each] for each in sorted(laid)[-KEPT:]})
        return replace(after, solved=day, row=row, best=max(self.best, row)) if choice.worth > 0 else after

    # --- as JSON -------------------------------------------------------------------------------------------
    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "laid": {day.isoformat(): name for day, name in self.laid.items()},
            "solved": None if self.solved is None else self.solved.isoformat(),
            "row": self.row,
            "best": self.best,
        }

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """What ``as_json`` wrote."""
        solved = value["solved"]
        return cls(
            {date.fromisoformat(day): name for day, name in value["laid"].items()},
            None if solved is None else date.fromisoformat(solved),
            value["row"],
            value["best"],
        )
