"""The part of a tournament that is about its entrants: who they are, what is known of them, what directors decided."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from scorekeeper.events.penalties import Penalty, cancelled
from scorekeeper.events.program import Entry, Program
from scorekeeper.events.records import About, Category
from scorekeeper.events.rounds import Impossible


@dataclass(frozen=True)
class Entered(Program):
    """An event of entrants with start numbers. An entrant is a player, a fixed pair or a team."""

    entrants: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The players of each entrant, by start number. Of a team, the first ones sit."""
    about: Mapping[int, About] = field(default_factory=dict)
    """By start number, of those about whom something is known."""
    penalties: tuple[Penalty, ...] = ()
    manual: tuple[int, ...] = ()
    """The start numbers of entrants in the order in which the director decided between those who were equal."""
    categories: tuple[Category, ...] = ()
    """In the order in which they were added."""

    def named(self, entrant: int, name_of: Callable[[int], str]) -> str:
        """The name of an entrant, else of its players; `name_of` names a player."""
        about = self.about.get(entrant)
        return about.name if about and about.name else " + ".join(map(name_of, self.entrants[entrant]))

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """By player: the start number of their entrant."""
        return {player: number for number, players in self.entrants.items() for player in players}

    # --- the steps -----------------------------------------------------------------------------------------
    def _describe(self, entry: Entry) -> Self:
        """Replaces what is known ``about`` an ``entrant``. Impossible "not-entered"."""
        (entrant,) = self._known([entry["entrant"]])
        return replace(self, about={**self.about, entrant: About(**entry["about"])})

    def _penalty(self, entry: Entry) -> Self:
        """Impossible "not-entered", "no-such-round". It may be for a round to come."""
        if entry["round"] < 1:
            raise Impossible("no-such-round")
        (entrant,) = self._known([entry["entrant"]])
        penalty = Penalty(entrant, entry["round"], entry["points"], entry["reason"])
        return replace(self, penalties=(*self.penalties, penalty))

    def _cancel_penalty(self, entry: Entry) -> Self:
        """``number`` counts the penalties from 0. Impossible "no-such-penalty"."""
        return replace(self, penalties=cancelled(self.penalties, entry))

    def _manual(self, entry: Entry) -> Self:
        """The director's order replaces the earlier one. Impossible "not-entered"."""
        self._known(entry["entrants"])
        return replace(self, manual=tuple(entry["entrants"]))

    def _category(self, entry: Entry) -> Self:
        """A category gets this ``name`` and these ``entrants``. ``number`` counts the categories from 0; None: it is a
        new one. Impossible "not-entered" or "no-such-category"."""
        category, number = Category(entry["name"], self._known(entry["entrants"])), entry["number"]
        if number is None:
            return replace(self, categories=(*self.categories, category))
        return self._with_category(number, category)

    def _remove_category(self, entry: Entry) -> Self:
        """``number`` as in `_category`. Impossible "no-such-category"."""
        return self._with_category(entry["number"])

    # --- their parts ---------------------------------------------------------------------------------------
    def _known(self, entrants: Iterable[int]) -> frozenset[int]:
        """Impossible "not-entered"."""
        numbers = frozenset(entrants)
        if not numbers <= self.entrants.keys():
            raise Impossible("not-entered")
        return numbers

    def _with_category(self, number: int, *instead: Category) -> Self:
        """With these in place of the category with this number."""
        if not 0 <= number < len(self.categories):
            raise Impossible("no-such-category")
        return replace(self, categories=(*self.categories[:number], *instead, *self.categories[number + 1 :]))

    def _players(self, entrants: Iterable[int]) -> tuple[int, ...]:
        return tuple(player for entrant in entrants for player in self.entrants[entrant])

    STEPS = {
        **Program.STEPS,
        "describe": _describe,
        "penalty": _penalty,
        "cancel-penalty": _cancel_penalty,
        "manual": _manual,
        "category": _category,
        "remove-category": _remove_category,
    }
