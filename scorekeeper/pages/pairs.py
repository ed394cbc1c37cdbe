"""Two people: what they have won against each other and as partners."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from games import GAMES
from games.base import Game
from scorekeeper.access import Actor, matches_for, players_for
from scorekeeper.forms.pairs import CompareForm
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Match, Player
from scorekeeper.names import folded
from scorekeeper.pages import context
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.pages.player_pairs import Compare, one_each
from scorekeeper.ratings import Rating
from scorekeeper.selectors.matches import with_seats
from scorekeeper.selectors.pairs import played_by_both, played_with
from scorekeeper.selectors.players import linked_with
from scorekeeper.selectors.ratings import CLUB, SERVER, Edition, edition, groups_of, in_edition, newest
from scorekeeper.selectors.search import MOST_PEOPLE, known_people, people_numbered
from scorekeeper.standings.pairs import (
    LOST,
    WON,
    Meeting,
    Meetings,
    Record,
    Streak,
    as_people,
    longest,
    meetings,
    record,
    streaks,
)
from scorekeeper.words import group_words

AT_ONCE = 20  # matches
MOST_FITTING = 10  # people whom a name may mean, at once


@dataclass(frozen=True, slots=True)
class GameRecord:
    game: Game[Any]
    record: Record


@dataclass(frozen=True, kw_only=True)
class Two(Compare):
    """The player of `of` and another one, and some of the matches in which both sat at the end."""

    other: Player
    clubs: Sequence[str]
    """Where they play: their matches at all these clubs count."""
    against: int
    """In how many they were opponents."""
    together: int
    """In how many they were partners."""
    record: Record
    games: Sequence[GameRecord]
    """The game that they played most comes first."""
    matches: Sequence[MatchLine]
    """The newest first."""
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""


@dataclass(frozen=True, kw_only=True)
class HeadToHead(Two):
    """Their matches as opponents, from the point of view of `of`."""

    streak: Streak | None
    """How the last ones ended; None before the first."""
    ahead: bool
    """Whether some of these had more than two sides, so that nobody has won who finished ahead of the other one."""
    longest: tuple[int, int]
    """The most wins in a row of each."""
    several: bool
    """Whether some of them had more than two sides."""
    group: str
    """The label of the games in which they have these ratings; "" before their first match."""
    ratings: tuple[Rating | None, Rating | None]


@dataclass(frozen=True, slots=True)
class Side:
    """What somebody won with a partner."""

    players: Sequence[Player]
    record: Record


@dataclass(frozen=True, kw_only=True)
class Partnership(Two):
    """Their matches as partners."""

    sides: Sequence[Side]
    """The two together; then each of them with all others."""


@dataclass(frozen=True, kw_only=True)
class ComparePage(Compare):
    meant: Player | None
    """The only one whose name fits; or the only one who is called so, if they play at the same club."""


@dataclass(frozen=True, slots=True)
class _Person:
    """A person, and the same one at other clubs, as far as the visitor may see them."""

    player: Player
    elsewhere: Sequence[Player]

    @property
    def rows(self) -> list[int]:
        return [each.pk for each in (self.player, *self.elsewhere)]


def head_to_head(actor: Actor, one: Player, other: Player, asked: PageForm, *, now: datetime) -> HeadToHead:
    """Six queries at most, and one more for each of them who is linked."""
    counting, people = edition(), _persons(actor, one, other)
    partners, opponents = _meetings(actor, people, counting)
    found, together = opponents.get(other.pk, []), partners.get(other.pk, [])
    games, ended = by_game(found or together), streaks(found)
    group = groups_of(games[0].game.slug)[-1] if games else ""
    return HeadToHead(
        **context(_two(people, found, asked, against=len(found), together=len(together))),
        streak=ended[-1] if ended else None,
        ahead=bool(ended) and any(each.among > 2 for each in found[-ended[-1].length :]),
        longest=(longest(ended, WON), longest(ended, LOST)),
        several=any(each.among > 2 for each in found),
        group=group_words(group) if group else "",
        ratings=_ratings(one, other, group, counting, now) if group else (None, None),
    )


def partnership(actor: Actor, one: Player, other: Player, asked: PageForm) -> Partnership:
    """Six queries at most, and as many more as in `head_to_head`."""
    matches, counting, people = matches_for(actor), edition(), _persons(actor, one, other)
    known = _numbers(people)
    both = [
        meetings(each.player.pk, as_people(played_with(each.rows, matches, edition=counting), known)) for each in people
    ]
    (partners, opponents), (of_other, _opponents) = both
    found, against = partners.get(other.pk, []), opponents.get(other.pk, [])
    return Partnership(
        **context(_two(people, found, asked, against=len(against), together=len(found))),
        sides=[
            Side([one, other], record(found)),
            Side([one], _without(other, partners)),
            Side([other], _without(one, of_other)),
        ],
    )


def compare_page(actor: Actor, of: Player, form: CompareForm) -> ComparePage:
    """Whom of the whole server the name in the form may mean: who has exactly this name, then people of the same club,
    the best first; what is wrong with the name stands in the form. Seven queries at most, and four more for each of
    several words."""
    name = form.cleaned_data["name"] if form.is_valid() else ""
    named = dict(known_people(players_for(actor), name).fits[name][:MOST_PEOPLE]) if name else {}
    found = people_numbered([*named])
    exact = {pk for pk, known_as in named.items() if folded(known_as) == folded(name)}
    found.sort(key=lambda each: (each.pk not in exact, each.club_id != of.club_id))
    people = one_each(found, of)
    fitting = [each for each, _numbers in people if not same_person(each, of)]
    called = [each for each, numbers in people if not exact.isdisjoint(numbers)]
    if name and not people:
        form.add_error("name", _("Nobody on this server is called {name}. Type a part of a name.").format(name=name))
    elif people and (not fitting or any(same_person(each, of) for each in called)):
        form.add_error("name", _("This is {name} again. Choose somebody else.").format(name=of.name))
    likely = fitting if len(fitting) == 1 else called
    clear = len(likely) == 1 and (likely == fitting or likely[0].club_id == of.club_id) and not form.errors
    return ComparePage(
        compare=form,
        of=of,
        fitting=fitting[:MOST_FITTING],
        more=len(fitting) > MOST_FITTING,
        meant=likely[0] if clear else None,
    )


def same_person(one: Player, other: Player) -> bool:
    """Whether they are the same row, or linked as one person."""
    return one == other or (one.person_id is not None and one.person_id == other.person_id)


def route_of(actor: Actor, one: Player, other: Player) -> str:
    """Where the two have more matches. Two queries, and one for each of them who is linked."""
    partners, opponents = _meetings(actor, _persons(actor, one, other), edition())
    partner_more = len(partners.get(other.pk, ())) > len(opponents.get(other.pk, ()))
    return "partnership" if partner_more else "head_to_head"


def _persons(actor: Actor, one: Player, other: Player) -> tuple[_Person, _Person]:
    seen = players_for(actor)
    return _Person(one, linked_with(one, seen)), _Person(other, linked_with(other, seen))


def _numbers(people: Iterable[_Person]) -> dict[int, int]:
    return {row: each.player.pk for each in people for row in each.rows}


def _meetings(actor: Actor, people: tuple[_Person, _Person], counting: Edition) -> tuple[Meetings, Meetings]:
    """Those of the first of two people with the other one. One query."""
    one, other = people
    played = played_by_both(one.rows, other.rows, matches_for(actor), edition=counting)
    return meetings(one.player.pk, as_people(played, _numbers(people)))


def _ratings(
    one: Player, other: Player, group: str, counting: Edition, now: datetime
) -> tuple[Rating | None, Rating | None]:
    """Those of today: at their club, or on the whole server if the two are of different clubs. One query."""
    at_club = one.club_id == other.club_id
    numbers = [each.pk if at_club else each.person_id or each.pk for each in (one, other)]
    found = newest(in_edition(counting), CLUB if at_club else SERVER, group, numbers)
    first, second = (rating and rating.on(now) for rating in map(found.get, numbers))
    return first, second


def _two(
    people: tuple[_Person, _Person], found: Sequence[Meeting], asked: PageForm, *, against: int, together: int
) -> Two:
    """Three queries at most."""
    asked.full_clean()
    last = max(-(-len(found) // AT_ONCE), 1)
    page = min(asked.cleaned_data.get("page") or 1, last)
    newest_first = [each.match for each in reversed(found)]
    one, other = people
    played = [row.club.name for each in people for row in (each.player, *each.elsewhere)]
    return Two(
        compare=CompareForm(),
        of=one.player,
        fitting=(),
        more=False,
        other=other.player,
        clubs=list(dict.fromkeys(played)),
        against=against,
        together=together,
        record=record(found),
        games=by_game(found),
        matches=_lines(newest_first[(page - 1) * AT_ONCE : page * AT_ONCE]),
        earlier=urlencode({"page": page - 1}) if page > 1 else "",
        later=urlencode({"page": page + 1}) if page < last else "",
    )


def by_game(found: Sequence[Meeting]) -> list[GameRecord]:
    """The records of each game, those of the game that they played most first."""
    games = {slug: [each for each in found if each.game == slug] for slug in GAMES}
    records = [GameRecord(GAMES[slug], record(played)) for slug, played in games.items() if played]
    return sorted(records, key=lambda each: -each.record.matches)


def _lines(numbers: Sequence[int]) -> list[MatchLine]:
    """The matches with these ids in the same order, with their events. Three queries."""
    found = with_seats(Match.objects.filter(pk__in=numbers)).select_related("club", "table", "event").defer("offers")
    lines = {match.pk: match_line(match) for match in found}
    return [lines[number] for number in numbers]


def _without(partner: Player, partners: Meetings) -> Record:
    """What somebody won with all other partners."""
    return record([each for player, found in partners.items() if player != partner.pk for each in found])
