"""Reading club nights: who is here, who plays where, what was drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, QuerySet

from games import GAMES
from scorekeeper.models import Club, Event, Match, Night, Player, Table
from scorekeeper.schedule import night as schedule
from scorekeeper.schedule.mixing import History, Played
from scorekeeper.selectors.clubs import players_of
from scorekeeper.selectors.matches import listed, seated_now


@dataclass(frozen=True)
class Evening:
    """A night with all that its pages show: read at once, asked often."""

    night: Night
    state: schedule.Night
    tables: tuple[Table, ...]
    """The club's tables by number."""
    matches: tuple[Match, ...]
    """Tonight's, the newest first, with seats and substitutes."""
    people: Mapping[int, Player]
    """Everybody of the club, by id."""
    newest: int
    """The id of the last event of the night that is in it for sure; 0 before the first."""

    @cached_property
    def playing(self) -> dict[int, Match]:
        """Who sits in a match that goes on, by player."""
        return {player: match for match in self.matches if going_on(match) for player in seated(match)}

    @cached_property
    def here(self) -> tuple[int, ...]:
        """Who is here, in the order of coming; who sat down at a table tonight without being ticked came too."""
        sat = (match for match in reversed(self.matches) if going_on(match) or self._began_here(match))
        met = (player for match in sat for player in sorted(seated(match)))
        return self.state.here + tuple(dict.fromkeys(player for player in met if player not in self.state.came))

    def _began_here(self, match: Match) -> bool:
        """A sheet may tell of another day, and of people long gone."""
        return match.created_at >= self.night.started_at and not match.paper and not match.unverified

    @cached_property
    def current(self) -> dict[int, Match]:
        """The newest match at each table, by the table's id."""
        return {match.table_id: match for match in reversed(self.matches) if match.table_id}

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Who is here and does not play, in the order of coming."""
        return tuple(player for player in self.here if player not in self.playing)

    @cached_property
    def free_tables(self) -> tuple[int, ...]:
        """Numbers of tables at which a match may begin, enough for everybody: those there are, then new ones."""
        busy = {match.table_id for match in self.matches if going_on(match)}
        there = [table.number for table in self.tables if table.open and table.pk not in busy]
        after = max((table.number for table in self.tables), default=0) + 1
        return tuple(there) + tuple(range(after, after + len(self.free)))

    @cached_property
    def history(self) -> History:
        """Who met whom tonight, and who sat out when."""
        met = [seatings for match in reversed(self.matches) if (seatings := _met(match))]
        return History(
            tuple(Played(first, tuple(later)) for first, *later in met),
            tuple(each.byes for each in self.state.rounds),
        )

    def name(self, player: int) -> str:
        return self.people[player].name


def going_on(match: Match) -> bool:
    return match.status == Match.Status.PLAYING


def seated(match: Match) -> set[int]:
    """The players who sit in the match, as far as the club knows them: now, and from the next hand on. No query with
    seats at hand."""
    now = [each.player_id for each in seated_now(match)]
    then = next(reversed(seatings_of(match).values()))
    return {player for player in [*now, *then] if player is not None}


def seatings_of(match: Match) -> dict[int, list[int | None]]:
    """The player of each seat from the beginning, each by the hand from which on they sat like that, counted from 0;
    None for a name nobody of the club has."""
    players = [seat.player_id for seat in match.seats.all()]
    seatings = {0: players}
    for each in match.substitutes.all():
        players = [*players]
        players[each.number] = each.player_id
        seatings[each.from_hand] = players
    return seatings


def open_night(club_id: int) -> Night | None:
    """The club's night that goes on. One query."""
    return Night.objects.filter(club_id=club_id, closed_at=None).first()


def open_nights() -> QuerySet[Night]:
    """The nights that go on, of all clubs by name. One query."""
    return Night.objects.select_related("club").filter(closed_at=None).order_by("club__name", "pk")


def newest_night() -> Night | None:
    """The night that began last, of any club. One query."""
    return Night.objects.select_related("club").order_by("-pk").first()


def state_of(night: Night) -> schedule.Night:
    """What the host did so far. One query."""
    return schedule.Night.of(night.log.order_by("seq").values_list("payload", flat=True))


def matches_of_night(night: Night) -> QuerySet[Match]:
    """Tonight's matches, the newest first, with club, table, seats and substitutes. Three queries."""
    return listed(night.matches.all())


def evening_of(night: Night, before: Evening | None = None) -> Evening:
    """Eight queries, however many people, tables and matches; one more with the same night as it was read `before`, of
    which those matches are kept to which nothing happened since: to read them is most of the work."""
    events = Event.objects.filter(night=night)
    # Asked first: what happens while the rest is read will be read again.
    newest = events.aggregate(newest=Max("pk"))["newest"] or 0
    known = {match.pk: match for match in before.matches} if before else {}
    changed = set(events.filter(pk__gt=before.newest).values_list("match", flat=True)) if before else set()
    tonight = list(night.matches.order_by("-pk").values_list("pk", flat=True))
    unknown = [pk for pk in tonight if pk not in known or pk in changed]
    # What may be entered next is the tables' own, and half of what is kept of a match.
    known |= {match.pk: match for match in matches_of_night(night).filter(pk__in=unknown).defer("offers")}
    return Evening(
        night,
        state_of(night),
        tuple(night.club.tables.order_by("number")),
        tuple(known[pk] for pk in tonight if pk in known),
        {player.pk: player for player in players_of(night.club)},
        newest,
    )


def settings_of(evening: Evening) -> dict[str, schedule.Setting]:
    """How each game is played tonight: as the host said, else as the club played it last, else by its defaults. One
    query."""
    matches = evening.night.club.matches.filter(unverified=False)
    newest = matches.filter(pk__in=matches.order_by().values("game").annotate(last=Max("pk")).values("last"))
    defaults = {slug: schedule.Setting(game.read_options({}), None) for slug, game in GAMES.items()}
    played = {match.game: schedule.Setting(match.options, match.minutes) for match in newest}
    return {**defaults, **played, **evening.state.settings}


def nights_of(club: Club) -> QuerySet[Night]:
    """The club's nights, the newest first. One query."""
    return club.nights.order_by("-id")


def last_time_first(club: Club) -> list[Player]:
    """The club's players by name, those of its last night before the others. Three queries."""
    last = nights_of(club).first()
    came = state_of(last).came if last else ()
    return sorted(players_of(club), key=lambda player: player.pk not in came)


def _met(match: Match) -> list[tuple[tuple[int, ...], ...]]:
    """Who met in the match, by side, as far as its people are known: at first, and after each substitution. Who sat
    down and never played has not met."""
    hands = None if going_on(match) or match.unverified else len(match.sheet["hands"])
    met = []
    for hand, players in seatings_of(match).items():
        sides = GAMES[match.game].sides(len(players))
        known = (tuple(player for seat in side if (player := players[seat]) is not None) for side in sides)
        there = tuple(side for side in known if side)
        if len(there) > 1 and (hands is None or hand < hands):
            met.append(there)
    return met
