"""What somebody looks for, and what they find; and the matches of one person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import QuerySet

from scorekeeper.access import Actor, clubs_for, clubs_hosted, clubs_listed, events_for, matches_for, players_listed
from scorekeeper.forms.search import PageForm, SearchForm, days_meant
from scorekeeper.models import Club, Event, Match, Player
from scorekeeper.pages import context
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.selectors import search
from scorekeeper.selectors.clubs import same_people

AT_ONCE = 20  # of each kind
GUESSES = 5


@dataclass(frozen=True, slots=True)
class Person:
    player: Player
    host: bool
    """Whether the visitor hosts their club."""
    also: str
    """Another name of theirs, by which a host found them; else ""."""


@dataclass(frozen=True, kw_only=True)
class Lines:
    """A page of a list of matches."""

    matches: Sequence[MatchLine]
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""


@dataclass(frozen=True, kw_only=True)
class Found(Lines):
    people: Sequence[Person]
    guesses: Sequence[Person]
    """Whom the visitor may have meant, if nothing was found."""
    clubs: Sequence[Club]
    events: Sequence[Event]
    more: bool
    """Whether more people, clubs or events fit than are shown."""


@dataclass(frozen=True, kw_only=True)
class SearchPage(Found):
    form: SearchForm
    text: str
    """"" if nothing is looked for."""


@dataclass(frozen=True, kw_only=True)
class PlayerMatchesPage(Lines):
    club: Club
    player: Player


NOTHING = Found(people=(), guesses=(), clubs=(), events=(), more=False, matches=(), earlier="", later="")


def search_page(actor: Actor, form: SearchForm) -> SearchPage:
    """No query without a text; else twelve at most, one more for somebody who is signed in, two more for each part that
    names somebody, two for each part of one or two letters with which few names begin, and two if nothing is found."""
    form.full_clean()
    text = " ".join(form.cleaned_data.get("q", "").split())
    found = _found(actor, text, form.cleaned_data.get("page") or 1) if text else NOTHING
    return SearchPage(**context(found), form=form, text=text)


def _found(actor: Actor, text: str, page: int) -> Found:
    """People, clubs and events are on the first page only."""
    known = search.known_people(players_listed(actor), text)
    lines = _lines(search.matches_found(matches_for(actor), known, text), page, {"q": text})
    if page > 1:
        return Found(people=(), guesses=(), clubs=(), events=(), more=False, **context(lines))
    days = days_meant(text)
    listed = events_for(actor).filter(club__in=clubs_listed(actor).values("pk"))
    events = search.events_found(listed, text, days.have if days else None, AT_ONCE + 1)
    fits = dict(known.fits[text][: AT_ONCE + 1])
    clubs = search.clubs_found(clubs_for(actor), text, AT_ONCE + 1)
    hosted = set(clubs_hosted(actor).values_list("pk", flat=True)) if actor.user else set()
    nothing = not (fits or clubs or events or lines.matches)
    guesses = search.people_meant(players_listed(actor), text, GUESSES) if nothing else []
    return Found(
        people=[_person(each, fits[each.pk], hosted) for each in search.people_numbered([*fits][:AT_ONCE])],
        guesses=[_person(each, each.name, hosted) for each in search.people_numbered(guesses)],
        clubs=clubs[:AT_ONCE],
        events=events[:AT_ONCE],
        more=max(len(fits), len(clubs), len(events)) > AT_ONCE,
        **context(lines),
    )


def _person(player: Player, name: str, hosted: set[int]) -> Person:
    host = player.club_id in hosted
    return Person(player, host, name if host and name != player.name else "")


def player_matches_page(actor: Actor, club: Club, player: Player, asked: PageForm) -> PlayerMatchesPage:
    """The matches of a person of the club who was not merged with anybody, and of those who were merged with them. Five
    queries."""
    matches = search.matches_with(matches_for(actor).filter(club=club), [*same_people(club.pk, player.pk)])
    asked.full_clean()
    lines = _lines(matches, asked.cleaned_data.get("page") or 1, {})
    return PlayerMatchesPage(**context(lines), club=club, player=player)


def _lines(matches: QuerySet[Match], page: int, kept: Mapping[str, str]) -> Lines:
    """Three queries."""
    rows = list(matches[(page - 1) * AT_ONCE : page * AT_ONCE + 1])
    return Lines(
        matches=[match_line(match) for match in rows[:AT_ONCE]],
        earlier=urlencode({**kept, "page": page - 1}) if page > 1 else "",
        later=urlencode({**kept, "page": page + 1}) if len(rows) > AT_ONCE else "",
    )
