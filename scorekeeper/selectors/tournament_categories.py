"""Entrants of a tournament who are placed among themselves: in a category, or of one club."""

from collections import defaultdict
from dataclasses import dataclass
from urllib.parse import urlencode

from scorekeeper.events import Tournament
from scorekeeper.names import alphabetical, folded

CATEGORY, CLUB = "category", "club"


@dataclass(frozen=True, slots=True)
class Among:
    kind: str
    """CATEGORY or CLUB."""
    name: str
    entrants: frozenset[int]
    """Their start numbers."""

    @property
    def query(self) -> str:
        """What names it in an address."""
        return urlencode({self.kind: self.name})


def categories(state: Tournament) -> list[Among]:
    """Those that have entrants, in the order in which directors added them. No query."""
    return [Among(CATEGORY, name, entrants) for name, entrants in state.categories if entrants]


def clubs(state: Tournament) -> list[Among]:
    """By name: the clubs of two or more entrants, unless everybody is of one club. Names that differ only in capitals
    or spaces are one club. No query."""
    found: dict[str, list[int]] = defaultdict(list)
    names: dict[str, str] = {}
    for entrant in state.entrants:
        about = state.about.get(entrant)
        if about and about.club:
            found[folded(about.club)].append(entrant)
            names.setdefault(folded(about.club), about.club)
    several = [
        Among(CLUB, names[key], frozenset(entrants))
        for key, entrants in found.items()
        if 1 < len(entrants) < len(state.entrants)
    ]
    return sorted(several, key=lambda each: alphabetical(each.name))


def among(state: Tournament, kind: str, name: str) -> Among | None:
    """The category or club with this name; None if there is none. No query."""
    everybody = categories(state) if kind == CATEGORY else clubs(state)
    return next((each for each in everybody if each.name == name), None)
