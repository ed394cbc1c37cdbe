"""A club night: people come and go, and each round mixes those who are free."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from games.base import Game
from scorekeeper.events.program import Entry, Program
from scorekeeper.events.rounds import Pairing, Round, Setting
from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.meetings import History
from scorekeeper.schedule.mixing import draw, tables_for
from scorekeeper.schedule.seating import Seating, Shape


@dataclass(frozen=True)
class Night(Program):
    """A club night. The host ticks people who come and go (``people``), and a draft adapts at once."""

    wishes: tuple[tuple[str, int | None], ...] = ()
    """What the host asked for when tables were last drawn: each a game and its maximum number of tables."""

    @property
    def game(self) -> str:
        """The game that the host last chose; "" before the first draw."""
        return self.wishes[0][0] if self.wishes else ""

    shows_outlook: bool = False
    """Whether the host has turned on what `outlook` says."""

    INDEPENDENT = Program.INDEPENDENT | {"people", "outlook"}

    @property
    def outlook(self) -> bool:
        return self.shows_outlook

    def _outlook(self, entry: Entry) -> Self:
        return replace(self, shows_outlook=entry["on"])

    def _people(self, entry: Entry) -> Self:
        """In a draft, people who come get a bye, and people who leave are replaced by somebody with a bye."""
        gone, draft = set(entry["left"]), self.draft
        for player in sorted(gone):
            if draft and player in draft.players:
                draft = draft.without(player)
        stayed = tuple(player for player in self.here if player not in gone)
        new = tuple(player for player in dict.fromkeys(entry["came"]) if player not in stayed)
        return replace(
            self,
            here=stayed + new,
            came=tuple(dict.fromkeys((*self.came, *new, *entry["left"]))),
            draft=draft and replace(draft, byes=(*draft.byes, *new)),
        )

    def _draft(self, entry: Entry) -> Self:
        """``came``: people who sat down at a table and were never ticked. The same round again keeps the wishes."""
        drawn = Program._draft(self._people({"came": entry.get("came", ()), "left": ()}), entry)
        return replace(drawn, wishes=tuple((game, tables) for game, tables in entry.get("wishes", self.wishes)))

    STEPS = {**Program.STEPS, "people": _people, "outlook": _outlook, "draft": _draft}


@dataclass(frozen=True, slots=True)
class Wish:
    """A game for the next round, with at most this number of ``tables`` of each size; None for as many as fit."""

    game: Game[Any]
    tables: int | None = None

    def fits(self, people: int) -> list[Shape]:
        """The tables of this game that this number of people fills, the largest first."""
        sizes = sorted(self.game.seats, reverse=True)
        return tables_for(people, [(Shape(seats, self.game.sides(seats)), self.tables) for seats in sizes])


def tables_of(wishes: Sequence[Wish], people: int) -> list[tuple[Wish, Shape]]:
    """The tables of a round for this number of people, wish after wish; none if not even one table fits."""
    tables: list[tuple[Wish, Shape]] = []
    for wish in wishes:
        seated = sum(shape.seats for _wish, shape in tables)
        tables += [(wish, shape) for shape in wish.fits(people - seated)]
    return tables


def mixed(
    free: Sequence[int],
    numbers: Sequence[int],
    wishes: Sequence[Wish],
    settings: Mapping[str, Setting],
    history: History,
    rng: random.Random,
) -> Iterator[Progress[Round]]:
    """Draws the next round for everybody who is ``free``, at the tables with these ``numbers``, so that people mix.
    Reports the best round so far, as ``schedule.mixing.draw`` does."""
    tables = tables_of(wishes, len(free))

    def round_of(seating: Seating) -> Round:
        pairings = tuple(
            Pairing(number, wish.game.slug, setting.options, setting.minutes, players)
            for number, players, (wish, _shape) in zip(numbers, seating.tables, tables, strict=False)
            for setting in [settings[wish.game.slug]]
        )
        return Round(pairings, seating.byes)

    for report in draw(free, [shape for _wish, shape in tables], history, rng):
        yield Progress(round_of(report.best), report.done, report.total)
