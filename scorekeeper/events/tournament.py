"""A tournament: entrants have start numbers, and each round follows the schedule."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from scorekeeper.events.program import Entry, Program
from scorekeeper.events.rounds import Impossible


@dataclass(frozen=True)
class Tournament(Program):
    """A tournament. An entrant is a player, a fixed pair or a team."""

    entrants: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The players of each entrant, by start number."""
    withdrawn: frozenset[int] = frozenset()
    """The start numbers of entrants who have left. They may return."""

    @property
    def numbers(self) -> Mapping[int, int]:
        """By player: the start number of their entrant."""
        return {player: number for number, players in self.entrants.items() for player in players}

    def _enter(self, entry: Entry) -> Self:
        """Adds ``entrants`` (a list of players for each) under the next start numbers. Impossible "entered-twice"."""
        first = max(self.entrants, default=0) + 1
        new = {number: tuple(players) for number, players in enumerate(entry["entrants"], first)}
        everybody = [player for players in (*self.entrants.values(), *new.values()) for player in players]
        if len(set(everybody)) < len(everybody):
            raise Impossible("entered-twice")
        return self._taking_part({**self.entrants, **new}, self.withdrawn)

    def _withdraw(self, entry: Entry) -> Self:
        """Removes entrants. Their tables in the draft are given up, because nobody else can take a place in a
        schedule."""
        return self._taking_part(self.entrants, self.withdrawn | self._known(entry))

    def _return(self, entry: Entry) -> Self:
        return self._taking_part(self.entrants, self.withdrawn - self._known(entry))

    def _known(self, entry: Entry) -> frozenset[int]:
        numbers = frozenset(entry["entrants"])
        if not numbers <= self.entrants.keys():
            raise Impossible("not-entered")
        return numbers

    def _taking_part(self, entrants: Mapping[int, tuple[int, ...]], withdrawn: frozenset[int]) -> Self:
        here = tuple(p for number, players in entrants.items() if number not in withdrawn for p in players)
        draft = self.draft
        for player in sorted((draft.players if draft else frozenset()) - set(here)):
            draft = draft and draft.giving_up(player)
        came = tuple(dict.fromkeys((*self.came, *here)))
        return replace(self, entrants=entrants, withdrawn=withdrawn, here=here, came=came, draft=draft)

    STEPS = {**Program.STEPS, "enter": _enter, "withdraw": _withdraw, "return": _return}
