"""Finding people, matches and events by what somebody typed. Who may find what is decided by the rows that come in."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import and_
from zoneinfo import ZoneInfo

from django.db.models import Case, IntegerField, Q, QuerySet, When

from scorekeeper.models import Event, FormerName, Match, Player, Seat, Substitute
from scorekeeper.names import SAME, alphabetical, fit
from scorekeeper.selectors.matches import with_seats

# Words typed for a match, and people for each of them, of whom those that fit best are looked for.
MOST_PARTS = 8
MOST_PEOPLE = 200
BETWEEN = re.compile(r"[,;+&/]|\b(?:and|vs?|y)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """The people who may be found."""

    names: Mapping[int, Sequence[str]]
    """By id of everybody who counts: their name, and every other one by which they are known."""
    rows: Mapping[int, Sequence[int]]
    """By the same ids: their rows, with those of people who were merged with them."""

    def fitting(self, text: str) -> list[tuple[int, str]]:
        """Who fits the text, the best first: their ids, each with the name that fits."""
        fits = []
        for player, names in self.names.items():
            how = min(
                ((how, at) for at, name in enumerate(names) if (how := fit(text, name)) is not None), default=None
            )
            if how:
                fits.append((how[0], alphabetical(names[0]), player, names[how[1]]))
        return [(player, name) for _how, _order, player, name in sorted(fits)]

    def sitting(self, text: str) -> list[int]:
        """The rows of those who fit the text best."""
        return [row for player, _name in self.fitting(text)[:MOST_PEOPLE] for row in self.rows[player]]


def known_people(players: QuerySet[Player]) -> Known:
    """Two queries, of names only."""
    found = {pk: (name, into) for pk, name, into in players.values_list("pk", "name", "merged_into")}
    former: dict[int, list[str]] = {}
    for player, name in FormerName.objects.filter(player__in=players.values("pk")).values_list("player", "name"):
        former.setdefault(player, []).append(name)
    names: dict[int, list[str]] = {}
    rows: dict[int, list[int]] = {}
    # Those who count come first, so that the first name of each is theirs.
    for pk, (name, _into) in sorted(found.items(), key=lambda each: each[1][1] is not None):
        counts: int | None = pk
        while counts in found and (into := found[counts][1]) is not None:
            counts = into
        if counts in found:  # else they were merged with somebody who may not be found
            names.setdefault(counts, []).extend([name, *former.get(pk, ())])
            rows.setdefault(counts, []).append(pk)
    return Known(names, rows)


def people_numbered(ids: Sequence[int]) -> list[Player]:
    """The people with these ids in the same order, with their clubs. One query."""
    found = Player.objects.select_related("club").in_bulk(ids)
    return [found[pk] for pk in ids]


def matches_found(matches: QuerySet[Match], known: Known, text: str) -> QuerySet[Match]:
    """Those with the sheet of this number, then those of somebody whom the whole text names, then those in which
    there is somebody for each of its words; of each, the newest first. Three queries for any slice."""
    named = [part for part in BETWEEN.split(text) if part.strip()]
    parts = named if len(named) > 1 else text.split()
    one = _sat(known.sitting(text))
    each = [_sat(known.sitting(part)) for part in parts] if 1 < len(parts) <= MOST_PARTS else [one]
    written = Q(paper__iexact=text) & ~Q(paper="")
    best = Case(When(written, then=0), When(one, then=1), default=2, output_field=IntegerField())
    return _newest(matches.filter(written | one | reduce(and_, each)), best)


def matches_with(matches: QuerySet[Match], players: Sequence[int]) -> QuerySet[Match]:
    """Those in which one of these people sat, the newest first. Three queries for any slice."""
    return _newest(matches.filter(_sat(players)))


def _newest(matches: QuerySet[Match], *first: Case) -> QuerySet[Match]:
    return with_seats(matches).defer("offers").order_by(*first, "-created_at", "-id")


def _sat(players: Sequence[int]) -> Q:
    at = (model.objects.filter(player__in=players).values("match") for model in (Seat, Substitute))
    seats, substitutes = at
    return Q(pk__in=seats) | Q(pk__in=substitutes)


def events_found(events: QuerySet[Event], text: str, on: Callable[[date], bool] | None, at_most: int) -> list[Event]:
    """Those with such a name, or that began on such a day (`on`) in the time zone of their club: those that fit best
    first, of each the newest. With their clubs. Two queries, the first of names and days only."""
    named = (events if on else events.exclude(name="")).order_by("-started_at", "-pk")
    fits: dict[int, int] = {}
    for pk, name, began, zone in named.values_list("pk", "name", "started_at", "club__time_zone"):
        how = SAME if on and on(began.astimezone(ZoneInfo(zone)).date()) else fit(text, name)
        if how is not None:
            fits[pk] = how
    best = sorted(fits, key=fits.__getitem__)[:at_most]
    found = Event.objects.select_related("club").in_bulk(best)
    return [found[pk] for pk in best]
