"""The part of an event whose entrants are teams that meet at several boards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from scorekeeper.events.encounters import Encounter, Form, Squad, line_up_of
from scorekeeper.events.program import Entry, Program
from scorekeeper.events.rounds import Impossible


@dataclass(frozen=True)
class TeamPlay(Program):
    """An event in which teams may meet. It says who is in a fixture (`squads_at`) and what is played (`setup`)."""

    setup: Mapping[str, Any] = field(default_factory=dict)
    """`form`: what is played in each encounter, or None if entrants meet at one table."""
    encounters: Mapping[int, Encounter] = field(default_factory=dict)
    """By fixture: those whose line-ups are open."""
    captains: Mapping[int, int] = field(default_factory=dict)
    """By entrant: the player whom a host made captain of the team."""

    @cached_property
    def form(self) -> Form | None:
        return Form.of(self.setup["form"]) if self.setup.get("form") else None

    def squads_at(self, fixture: int) -> tuple[Squad, Squad]:
        """The squads of a fixture: at home, and away. Impossible "no-such-fixture"."""
        raise NotImplementedError

    def squad_of(self, entrant: int) -> Squad:
        """Impossible "not-entered"."""
        raise NotImplementedError

    def captain_of(self, entrant: int) -> int:
        """The player whom a host made captain, else the first of the squad."""
        return self.captains.get(entrant, self.squad_of(entrant)[0])

    @property
    def secret_of(self) -> Mapping[tuple[int, int], tuple[int, Squad, int, Any]]:
        """By fixture and side: the captain and squad of whom a line-up is the secret, the entrant whom they meet, and
        the form. With another one somebody else would read it, or it would be for others or for other boards. Empty
        unless teams meet."""
        raise NotImplementedError

    def encounter(self, fixture: int) -> Encounter:
        """What is known to everybody: line-ups only if they are open. Impossible "no-such-fixture", "no-teams"."""
        if self.form is None:
            raise Impossible("no-teams")
        home, away = self.squads_at(fixture)
        return self.encounters.get(fixture) or Encounter(self.form, (tuple(home), tuple(away)))

    @property
    def opened_last(self) -> bool:
        """Whether the last step opened the line-ups of both sides. What everybody has read cannot become a secret
        again; only who opened one before the other was in can take that back."""
        return self.did is not None and self.did["kind"] == "open" and None not in self.did["line_ups"]

    # --- the steps -----------------------------------------------------------------------------------------
    def _captain(self, entry: Entry) -> Self:
        """A ``player`` of the squad is the captain of the ``entrant``. Impossible "not-entered", "not-in-squad"."""
        if entry["player"] not in self.squad_of(entry["entrant"]):
            raise Impossible("not-in-squad")
        return replace(self, captains={**self.captains, entry["entrant"]: entry["player"]})

    def _open(self, entry: Entry) -> Self:
        """Both ``line_ups`` of a ``fixture`` become known; None of a side that submitted none. Impossible
        "line-ups-open" and as `encounter`, Wrong."""
        met = self.encounter(entry["fixture"])
        for side, line_up in enumerate(entry["line_ups"]):
            if line_up is not None:
                met = met.submit(side, line_up_of(line_up))
        return replace(self, encounters={**self.encounters, entry["fixture"]: met.opened()})

    def _substitute(self, entry: Entry) -> Self:
        """Others (``players``) come to a ``board`` of a ``side``, and ``why``. Impossible as
        `Encounter.with_substitutes`."""
        met = self.encounter(entry["fixture"])
        players = tuple(entry["players"])
        changed = met.with_substitutes(entry["board"], entry["side"], players, entry["why"])
        return replace(self, encounters={**self.encounters, entry["fixture"]: changed})

    TEAM_STEPS: ClassVar[Mapping[str, Callable[[Any, Entry], Any]]] = {
        "captain": _captain,
        "open": _open,
        "substitute": _substitute,
    }
