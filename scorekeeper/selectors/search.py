"""Finding people, clubs, matches and events by what somebody typed. Who may find what is decided by the rows that come
in. An index of the database proposes names (`models.named`), and `names.fit` judges them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import and_
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Case, F, IntegerField, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Concat

from scorekeeper.models import Club, Event, Match, Player, Seat, Substitute
from scorekeeper.models.named import Named
from scorekeeper.names import (
    BEGINS,
    MOST_SLIPS,
    NEARLY,
    SAME,
    Clause,
    alphabetical,
    begun,
    fit,
    fit_words,
    guessed,
    meant,
    sought,
    words,
)
from scorekeeper.selectors.matches import with_seats

# Words typed for a match, and people for each of them, of whom those that fit best are looked for.
MOST_PARTS = 8
MOST_PEOPLE = 200
# Names that are judged for each text. More of them may fit only one or two letters.
MOST_NAMES = 300
# How well names fit: from those with whole words that were typed to all.
FITS = (1 + SAME, 1 + BEGINS, 1 + NEARLY)
BETWEEN = re.compile(r"[,;+&/]|\b(?:and|vs?|y)\b", re.IGNORECASE)
Row = TypeVar("Row", bound=Named)


@dataclass(frozen=True, slots=True)
class Known:
    """The people who fit some texts."""

    fits: Mapping[str, Sequence[tuple[int, str]]]
    """By text: the ids of those who fit it, the best first, each with the name that fits. Who was merged counts as the
    other person."""
    rows: Mapping[int, Sequence[int]]
    """By the same ids: the rows of everybody who was merged with them."""
    how: Mapping[str, Mapping[int, int]]
    """By text and id: how well they fit it, as `names.fit` says."""
    persons: Mapping[int, int]
    """By id: as whom they count on the whole server."""

    def fitting(self, text: str) -> list[tuple[int, str]]:
        """As `fits`, but of several players who are linked as one person only the one who fits best."""
        best: dict[int, tuple[int, str]] = {}
        for player, name in self.fits[text]:
            best.setdefault(self.persons[player], (player, name))
        return [*best.values()]

    def sitting(self, text: str, worst: int) -> list[int]:
        """The rows of those who fit the text best, and not worse than this."""
        best = [player for player, _name in self.fits[text][:MOST_PEOPLE] if self.how[text][player] <= worst]
        return [row for player in best for row in (player, *self.rows.get(player, ()))]


def known_people(players: QuerySet[Player], text: str) -> Known:
    """Those of the players who fit the text or a part of it. Two queries, and two for each of these texts; four for one
    of one or two letters."""
    found = {each: _named_like(players, each) for each in (text, *_parts(text))}
    merged = dict(Player.objects.filter(merged_into__gt=0).values_list("pk", "merged_into"))
    rows: dict[int, list[int]] = {}
    for player in merged:
        rows.setdefault(_counted(player, merged), []).append(player)
    met = {_counted(player, merged) for named in found.values() for player, _name, _words in named}
    # Somebody who was merged with a person who may not be found is not found either.
    seen = players.filter(pk__in={*met, *(row for each in met for row in rows.get(each, ()))})
    names, persons = dict[int, str](), dict[int, int]()
    for player, name, person in seen.values_list("pk", "name", "person"):
        names[player], persons[player] = name, person or player
    fits: dict[str, Sequence[tuple[int, str]]] = {}
    hows: dict[str, Mapping[int, int]] = {}
    for each, named in found.items():
        best: dict[int, tuple[int, bool, str]] = {}
        wanted = words(each).split()
        for player, name, of_name in named:
            counting, how = _counted(player, merged), fit_words(wanted, of_name.split())
            if how is not None and counting in names:
                way = how, name != names[counting], name
                best[counting] = min(best.get(counting, way), way)
        ordered = sorted(best, key=lambda player: (best[player][0], alphabetical(names[player]), player))
        fits[each] = [(player, best[player][2]) for player in ordered]
        hows[each] = {player: how for player, (how, *_name) in best.items()}
    merged_with = {player: [row for row in rows.get(player, ()) if row in names] for player in met}
    return Known(fits, merged_with, hows, persons)


def people_meant(players: QuerySet[Player], text: str, at_most: int) -> list[int]:
    """The ids of those whom somebody may have meant by a text that fits nobody, with as few slips as possible; each
    person once. Nobody who is shown by initials: their name is not told to who does not know it. Two queries at
    most."""
    named = players.filter(merged_into=None, initials=False)
    for slips in range(1, MOST_SLIPS + 1):
        wanted = guessed(text, slips)
        likely = _proposed(named, wanted, text).values_list("name", "pk", "person") if wanted else ()
        found = sorted((alphabetical(name), *who) for name, *who in likely if meant(text, name, slips))
        persons: dict[int, int] = {}
        for _order, player, person in found:
            persons.setdefault(person or player, player)
        if persons:
            return [*persons.values()][:at_most]
    return []


def _counted(player: int, merged: Mapping[int, int | None]) -> int:
    while (into := merged.get(player)) is not None:
        player = into
    return player


def _named_like(players: QuerySet[Player], text: str) -> list[tuple[int, str, str]]:
    """Who may fit the text, each with a name that may, and its words."""
    found: list[tuple[int, str, str]] = []
    for wanted in (begun(text), sought(text)):
        if wanted and len(found) < MOST_PEOPLE:
            found = [
                row
                for of in ("", "former_names__")
                for row in _proposed(players, wanted, text, of).values_list("pk", f"{of}name", f"{of}name_words")
            ]
    return found


def proposed(rows: QuerySet[Row], text: str) -> QuerySet[Any, Any]:
    """Those of the rows whose names may fit the text."""
    wanted = sought(text)
    return _proposed(rows, wanted, text) if wanted else rows.none()


def _proposed(rows: QuerySet[Row], wanted: list[list[Clause]], text: str, of: str = "") -> QuerySet[Any, Any]:
    """Where they are too many, those with whole words that were typed, then those with words that begin so, then those
    with words in which it is. `of`: the relation to the rows with the names."""
    padded = Concat(Value(" "), F(f"{of}name_words"), Value(" "), output_field=TextField())
    ways = [
        When(reduce(and_, (Q(padded__contains=way.format(word)) for word in words(text).split())), then=how)
        for how, way in enumerate((" {} ", " {}", "{}"))
    ]
    how = Case(*ways, default=len(ways), output_field=IntegerField())
    likely = rows.filter(**{f"{of}name_keys__meet": wanted}).annotate(padded=padded, how=how)
    return likely.order_by("how", f"{of}name_words", "pk")[:MOST_NAMES]


def _parts(text: str) -> list[str]:
    """What stands for one person each in a text about a match; none if it is about one person only."""
    named = [part for part in BETWEEN.split(text) if part.strip()]
    parts = named if len(named) > 1 else text.split()
    return parts if 1 < len(parts) <= MOST_PARTS else []


def people_numbered(ids: Sequence[int]) -> list[Player]:
    """The people with these ids in the same order, with their clubs. One query."""
    found = Player.objects.select_related("club").in_bulk(ids)
    return [found[pk] for pk in ids]


def matches_found(matches: QuerySet[Match], known: Known, text: str) -> QuerySet[Match]:
    """Those with the sheet of this number, then those of somebody whom the whole text names, and those in which there
    is somebody for each of its words: first where the words are words of the names, then where they begin them, then
    the others; of each, the newest first. Three queries for any slice."""
    written = Q(paper__iexact=text) & ~Q(paper="")
    ways = [written]
    for worst in FITS:
        one = _sat(known.sitting(text, worst))
        each = [_sat(known.sitting(part, worst)) for part in _parts(text)] or [one]
        ways += [one, reduce(and_, each)]
    best = Case(*(When(way, then=order) for order, way in enumerate(ways)), output_field=IntegerField())
    return _newest(matches.filter(written | ways[-2] | ways[-1]), best)


def matches_with(matches: QuerySet[Match], players: Sequence[int]) -> QuerySet[Match]:
    """Those in which one of these people sat, the newest first. Three queries for any slice."""
    return _newest(matches.filter(_sat(players)))


def _newest(matches: QuerySet[Match], *first: Case) -> QuerySet[Match]:
    return with_seats(matches).defer("offers").order_by(*first, "-created_at", "-id")


def _sat(players: Sequence[int]) -> Q:
    at = (model.objects.filter(player__in=players).values("match") for model in (Seat, Substitute))
    seats, substitutes = at
    return Q(pk__in=seats) | Q(pk__in=substitutes)


def clubs_found(clubs: QuerySet[Club], text: str, at_most: int) -> list[Club]:
    """Those with such a name, the best first. One query."""
    fits = [
        (how, alphabetical(club.name), club.pk, club)
        for club in proposed(clubs, text)
        if (how := fit(text, club.name)) is not None
    ]
    return [club for *_order, club in sorted(fits)[:at_most]]


def events_found(events: QuerySet[Event], text: str, on: Callable[[date], bool] | None, at_most: int) -> list[Event]:
    """Those with such a name, or that began on such a day (`on`) in the time zone of their club: those that fit best
    first, of each the newest. With their clubs. Two queries; the first of all names and days if a day was typed."""
    columns = ("pk", "name", "started_at", "club__time_zone")
    fits: dict[int, int] = {}
    began: dict[int, datetime] = {}
    for pk, name, started, zone in (events if on else proposed(events, text)).values_list(*columns):
        how = SAME if on and on(started.astimezone(ZoneInfo(zone)).date()) else fit(text, name)
        if how is not None:
            fits[pk], began[pk] = how, started
    best = sorted(fits, key=lambda pk: (-fits[pk], began[pk], pk), reverse=True)[:at_most]
    found = Event.objects.select_related("club").in_bulk(best)
    return [found[pk] for pk in best]
