"""The page of a club's records: who plays most, the best hands, and a year in figures."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime, make_aware
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from scorekeeper.access import Actor, events_for, matches_for
from scorekeeper.models import Club, Event, Player, SeatResult
from scorekeeper.pages.bars import Bar, Table
from scorekeeper.selectors import records
from scorekeeper.selectors.clubs import who_came
from scorekeeper.selectors.records import Numbered

LEADERS = 10
NIGHTS = 12


@dataclass(frozen=True, slots=True)
class Record:
    """A record, whose it is, and the page that proves it."""

    name: str
    number: int
    people: Sequence[Player]
    about: str
    href: str
    equal: int
    """How often somebody has reached the same since."""


@dataclass(frozen=True, slots=True)
class Number:
    name: str
    number: int


@dataclass(frozen=True, kw_only=True)
class RecordsPage:
    club: Club
    years: Sequence[int]
    """From which the visitor can choose, the newest first."""
    year: int | None
    """None for all years."""
    wrong: bool
    """Whether somebody has asked for another year."""
    numbers: Sequence[Number]
    """Empty if no match counts."""
    tables: Sequence[Table]
    records: Sequence[Record]


def records_page(actor: Actor, club: Club, asked: str) -> RecordsPage:
    """Eighteen queries, however many matches. `asked`: a year from an address; "" means all years."""
    seen = matches_for(actor).filter(club=club)
    years = records.years(seen)
    year = next((each for each in years if str(each) == asked), None)
    if asked and year is None:
        return RecordsPage(club=club, years=years, year=None, wrong=True, numbers=(), tables=(), records=())
    results = records.results_of(seen.filter(_within(year, "finished_at")))
    earlier = records.results_of(seen.filter(finished_at__lt=_first_day(year)) if year else seen.none())
    events = events_for(actor).filter(_within(year, "started_at"), club=club)
    nights = list(events.filter(kind=Event.Kind.NIGHT).order_by("-started_at", "-pk"))
    came = {night: people for night, people in who_came(club, nights).items() if people}
    nights = [night for night in nights if night.pk in came]
    games = records.games_in_numbers(results)
    played = _leaders(records.most_matches(results))
    present = _leaders(_most_present(came.values(), records.hidden_players(club)))
    found = _Found(results)
    leading = {each.player for leaders in (played, present) for each in leaders.first}
    people = Player.objects.in_bulk(leading | found.people)
    with_matches = records.results_of(seen).values("match__event")
    tournaments = events.filter(kind=Event.Kind.TOURNAMENT, pk__in=with_matches).count()
    return RecordsPage(
        club=club,
        years=years,
        year=year,
        wrong=False,
        numbers=[*_numbers(results, earlier, games, len(nights), tournaments, new=year is not None)] if games else (),
        tables=[table for table in _tables(games, nights, came, played, present, people) if table.bars],
        records=[*found.shown(people)],
    )


def _first_day(year: int) -> datetime:
    """Its beginning, in the time zone of the club."""
    return make_aware(datetime(year, 1, 1))


def _within(year: int | None, column: str) -> Q:
    if year is None:
        return Q()
    return Q((f"{column}__gte", _first_day(year)), (f"{column}__lt", _first_day(year + 1)))


class _Leaders(NamedTuple):
    first: Sequence[Numbered]
    equal: int
    """How many others have as many as the last of them."""


def _leaders(numbered: Sequence[Numbered]) -> _Leaders:
    """The first of those who may be named."""
    first = numbered[:LEADERS]
    return _Leaders(first, sum(each.number == first[-1].number for each in numbered[LEADERS:]))


def _most_present(came: Iterable[Collection[int]], hidden: Collection[int]) -> list[Numbered]:
    """Everybody by the number of nights at which they were, without those who are hidden."""
    nights = Counter(player for people in came for player in people if player not in hidden)
    return [Numbered(*each) for each in sorted(nights.items(), key=lambda each: (-each[1], each[0]))]


# --- numbers and tables --------------------------------------------------------------------------------------
def _numbers(
    results: QuerySet[SeatResult],
    earlier: QuerySet[SeatResult],
    games: Sequence[records.GameInNumbers],
    nights: int,
    tournaments: int,
    *,
    new: bool,
) -> Iterator[Number]:
    """`new`: whether the number of new people says anything. One query."""
    everybody, newcomers = records.people_in_numbers(results, earlier)
    yield Number(_("Matches"), sum(each.matches for each in games))
    yield Number(_("Hands"), sum(each.hands for each in games))
    yield Number(_("People"), everybody)
    if new:
        yield Number(_("New people"), newcomers)
    yield Number(_("Nights"), nights)
    yield Number(_("Tournaments"), tournaments)


def _tables(
    games: Sequence[records.GameInNumbers],
    nights: Sequence[Event],
    came: Mapping[int, Collection[int]],
    played: _Leaders,
    present: _Leaders,
    people: Mapping[int, Player],
) -> Iterator[Table]:
    most = max((each.matches for each in games), default=0)
    by_game = [
        Bar(_(GAMES[each.game].name), each.matches, 100 * each.matches // most, (each.hands,))
        for each in games
        if each.game in GAMES
    ]
    yield Table(_("Matches by game"), _("Matches"), by_game, more=(_("Hands"),))
    yield _leading(_("Most matches"), _("Matches"), played, people)
    yield _leading(_("Most nights"), _("Nights"), present, people)
    yield _attendance(nights, came)


def _leading(name: str, heading: str, leaders: _Leaders, people: Mapping[int, Player]) -> Table:
    """The first one has the longest bar."""
    bars = [
        Bar(
            people[each.player].name,
            each.number,
            100 * each.number // leaders.first[0].number,
            href=reverse("player", args=[each.player]),
        )
        for each in leaders.first
    ]
    equal = leaders.equal
    text = ngettext(
        "{n} more person has as many as the last one.", "{n} more people have as many as the last one.", equal
    )
    return Table(name, heading, bars, beyond=text.format(n=equal) if equal else "")


def _attendance(nights: Sequence[Event], came: Mapping[int, Collection[int]]) -> Table:
    """The newest nights, each with the number of people who came."""
    numbers = [len(came[night.pk]) for night in nights]
    bars = [
        Bar(_day(night.started_at), number, 100 * number // max(numbers), href=reverse("night", args=[night.pk]))
        for night, number in zip(nights[:NIGHTS], numbers, strict=False)
    ]
    average = number_format(round(Decimal(sum(numbers)) / len(numbers), 1), 1) if numbers else ""
    return Table(_("People at a night"), _("People"), bars, over=_("{n} on average").format(n=average))


def _day(at: datetime) -> str:
    return date_format(localtime(at), "j M Y")


# --- records -------------------------------------------------------------------------------------------------
class _Found:
    """The records in these results. Eight queries."""

    def __init__(self, results: QuerySet[SeatResult]) -> None:
        self.hands = records.highest_hands(results)
        self.run = records.longest_run(results)
        self.busy = records.busiest_night(results)
        self.long = records.longest_match(results)

    @property
    def people(self) -> set[int]:
        """Everybody who holds one."""
        hands = {player for hand in self.hands for player in hand.players}
        return hands | {held.player for held in (self.run, self.busy) if held}

    def shown(self, people: Mapping[int, Player]) -> Iterator[Record]:
        if self.run:
            first, last = _day(self.run.first), _day(self.run.last)
            yield Record(
                _("Longest run of wins"),
                self.run.wins,
                [people[self.run.player]],
                last if first == last else _("{first} to {last}").format(first=first, last=last),
                reverse("match", args=[self.run.match]),
                self.run.equal,
            )
        if self.busy:
            yield Record(
                _("Most matches at a night"),
                self.busy.matches,
                [people[self.busy.player]],
                _day(self.busy.began),
                reverse("night", args=[self.busy.night]),
                self.busy.equal,
            )
        if self.long:
            yield Record(
                _("Most hands in a match"),
                self.long.hands,
                [],
                f"{_(GAMES[self.long.game].name)} · {_day(self.long.ended)}",
                reverse("match", args=[self.long.match]),
                self.long.equal,
            )
        for hand in self.hands:
            game = GAMES[hand.game]
            bad, good = _("{game}: most bad points for the others in a hand"), _("{game}: most points in a hand")
            yield Record(
                (bad if game.lower_wins else good).format(game=_(game.name)),
                hand.points,
                [people[player] for player in hand.players],
                _day(hand.ended),
                f"{reverse('match', args=[hand.match])}?hand={hand.hand}",
                hand.equal,
            )
