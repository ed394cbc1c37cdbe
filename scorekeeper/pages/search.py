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
from scorekeeper.selectors.everybody import of_the_same

AT_ONCE = 20  # of each kind
GUESSES = 5


@dataclass(frozen=True, slots=True)
class Person:
    player: Player
    """Who fits best, of those who are linked as one person."""
    clubs: Sequence[Club]
    """Theirs first."""
    hosted: Player | None
    """The one whose club the visitor hosts, if any."""
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
    day: bool
    """Whether the text means a day."""
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


NOTHING = Found(people=(), guesses=(), clubs=(), events=(), day=False, more=False, matches=(), earlier="", later="")


def search_page(actor: Actor, form: SearchForm) -> SearchPage:
    """No query without a text; else twelve at most, one more for somebody who is signed in, one more if somebody found
    is linked with people of other clubs, two more for each part that names somebody, two for each part of one or two
    letters with which few names begin, and two if nothing is found."""
    form.full_clean()
    text = " ".join(form.cleaned_data.get("q", "").split())
    found = _found(actor, text, form.cleaned_data.get("page") or 1) if text else NOTHING
    return SearchPage(**context(found), form=form, text=text)


def _found(actor: Actor, text: str, page: int) -> Found:
    """People, clubs and events are on the first page only."""
    known = search.known_people(players_listed(actor), text)
    lines = _lines(search.matches_found(matches_for(actor), known, text), page, {"q": text})
    if page > 1:
        return Found(people=(), guesses=(), clubs=(), events=(), day=False, more=False, **context(lines))
    days = days_meant(text)
    listed = events_for(actor).filter(club__in=clubs_listed(actor).values("pk"))
    events = search.events_found(listed, text, days.have if days else None, AT_ONCE + 1)
    fits = known.fitting(text)[: AT_ONCE + 1]
    clubs = search.clubs_found(clubs_for(actor), text, AT_ONCE + 1)
    hosted = set(clubs_hosted(actor).values_list("pk", flat=True)) if actor.user else set()
    nothing = not (fits or clubs or events or lines.matches)
    guesses = search.people_meant(players_listed(actor), text, GUESSES) if nothing else []
    return Found(
        people=_people(actor, dict(fits[:AT_ONCE]), hosted),
        guesses=_people(actor, dict.fromkeys(guesses, ""), hosted),
        clubs=clubs[:AT_ONCE],
        events=events[:AT_ONCE],
        day=days is not None,
        more=max(len(fits), len(clubs), len(events)) > AT_ONCE,
        **context(lines),
    )


def _people(actor: Actor, fits: Mapping[int, str], hosted: set[int]) -> list[Person]:
    """The people with these ids, each with the name that fits; "" for that of today. One query, and one more if
    somebody is linked."""
    found = of_the_same(players_listed(actor), search.people_numbered([*fits]))
    return [_person(same, fits[same[0].pk], hosted) for same in found]


def _person(same: Sequence[Player], name: str, hosted: set[int]) -> Person:
    player = same[0]
    of_host = next((each for each in same if each.club_id in hosted), None)
    also = name if player.club_id in hosted and name != player.name else ""
    return Person(player, [each.club for each in same], of_host, also)


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
