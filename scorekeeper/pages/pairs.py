"""Two people: what they have won against each other and as partners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from games import GAMES
from games.base import Game
from scorekeeper.access import Actor, matches_for
from scorekeeper.forms.pairs import CompareForm
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Match, Player
from scorekeeper.names import fit
from scorekeeper.pages import context
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.pages.player_pairs import Compare, seen_in_club, suggested
from scorekeeper.ratings import Rating
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.matches import with_seats
from scorekeeper.selectors.pairs import played_by_both, played_with
from scorekeeper.selectors.ratings import CLUB, edition, groups_of, in_edition, newest
from scorekeeper.standings.pairs import LOST, WON, Meeting, Meetings, Record, Streak, longest, meetings, record, streaks
from scorekeeper.words import group_words

AT_ONCE = 20  # matches
MOST_FITTING = 10  # people whom a name may mean


@dataclass(frozen=True, slots=True)
class GameRecord:
    game: Game[Any]
    record: Record


@dataclass(frozen=True, kw_only=True)
class Two(Compare):
    """The player of `of` and another one, and some of the matches in which both sat at the end."""

    other: Player
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
    fitting: Sequence[Player]
    """Several people whom the name may mean."""
    route: str
    """The page of the two people; "" if it is not clear who is meant."""
    meant: Player | None


def head_to_head(actor: Actor, one: Player, other: Player, asked: PageForm, *, now: datetime) -> HeadToHead:
    """Nine queries at most, and some more for somebody who is signed in."""
    counting = edition()
    partners, opponents = meetings(one.pk, played_by_both(one.pk, other.pk, matches_for(actor), edition=counting))
    found, together = opponents.get(other.pk, []), partners.get(other.pk, [])
    games, ended = by_game(found or together), streaks(found)
    group = groups_of(games[0].game.slug)[-1] if games else ""
    ratings = newest(in_edition(counting), CLUB, group, [one.pk, other.pk]) if group else {}
    today = [rating and rating.on(now) for rating in (ratings.get(one.pk), ratings.get(other.pk))]
    return HeadToHead(
        **context(_two(actor, one, other, found, asked, against=len(found), together=len(together))),
        streak=ended[-1] if ended else None,
        ahead=bool(ended) and any(each.among > 2 for each in found[-ended[-1].length :]),
        longest=(longest(ended, WON), longest(ended, LOST)),
        several=any(each.among > 2 for each in found),
        group=group_words(group) if group else "",
        ratings=(today[0], today[1]),
    )


def partnership(actor: Actor, one: Player, other: Player, asked: PageForm) -> Partnership:
    """Ten queries, and some more for somebody who is signed in."""
    matches, counting = matches_for(actor), edition()
    partners, opponents = meetings(one.pk, played_with(one.pk, matches, edition=counting))
    of_other, _opponents = meetings(other.pk, played_with(other.pk, matches, edition=counting))
    found, against = partners.get(other.pk, []), opponents.get(other.pk, [])
    return Partnership(
        **context(_two(actor, one, other, found, asked, against=len(against), together=len(found))),
        sides=[
            Side([one, other], record(found)),
            Side([one], _without(other, partners)),
            Side([other], _without(one, of_other)),
        ],
    )


def compare_page(actor: Actor, of: Player, form: CompareForm) -> ComparePage:
    """What the name in the form leads to; what is wrong with it stands in the form. Six queries at most, and some
    more for somebody who is signed in."""
    seen = seen_in_club(actor, of)
    fitting = _fitting(form.cleaned_data["name"], of, seen) if form.is_valid() else []
    if form.is_valid() and not fitting:
        text = _("Nobody in {club} is called {name}. Choose a name from the list.")
        form.add_error("name", text.format(club=of.club.name, name=form.cleaned_data["name"]))
    elif fitting == [of]:
        form.add_error("name", _("This is {name} again. Choose somebody else.").format(name=of.name))
    meant = fitting[0] if len(fitting) == 1 and form.is_valid() else None
    return ComparePage(
        compare=form,
        of=of,
        people=suggested(seen, of),
        fitting=[] if meant or form.errors else fitting,
        route=_route(actor, of, meant) if meant else "",
        meant=meant,
    )


def _fitting(name: str, of: Player, seen: Mapping[int, Player]) -> list[Player]:
    """Who may be meant: who has or had exactly this name; else those whose name fits it, without the player."""
    exact = players_named(of.club_id, [name]).get(name)
    if exact and exact.pk in seen:
        return [seen[exact.pk]]
    fits = {player: how for player in seen.values() if player != of and (how := fit(name, player.name)) is not None}
    return sorted(fits, key=fits.__getitem__)[:MOST_FITTING]


def _route(actor: Actor, one: Player, other: Player) -> str:
    """Where the two have more matches."""
    partners, opponents = meetings(one.pk, played_by_both(one.pk, other.pk, matches_for(actor), edition=edition()))
    partner_more = len(partners.get(other.pk, ())) > len(opponents.get(other.pk, ()))
    return "partnership" if partner_more else "head_to_head"


def _two(
    actor: Actor, one: Player, other: Player, found: Sequence[Meeting], asked: PageForm, *, against: int, together: int
) -> Two:
    """Four queries at most."""
    asked.full_clean()
    last = max(-(-len(found) // AT_ONCE), 1)
    page = min(asked.cleaned_data.get("page") or 1, last)
    newest_first = [each.match for each in reversed(found)]
    return Two(
        compare=CompareForm(),
        of=one,
        people=suggested(seen_in_club(actor, one), one),
        other=other,
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
