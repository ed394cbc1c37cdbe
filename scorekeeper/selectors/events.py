"""Reading events: who is here, who plays where, what is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, QuerySet

from games import GAMES
from scorekeeper.events import FOLDS, Program
from scorekeeper.events.rounds import Setting
from scorekeeper.live.topics import Topic
from scorekeeper.models import Change, Club, Event, Match, Player, Table
from scorekeeper.schedule.meetings import History, PlayedMatch
from scorekeeper.selectors.clubs import players_of
from scorekeeper.selectors.matches import listed, seated_now, substitutes_of


@dataclass(frozen=True)
class EventNow:
    """An event with everything that its pages show, read at one moment."""

    event: Event
    state: Program
    tables: tuple[Table, ...]
    """The club's tables by number."""
    matches: tuple[Match, ...]
    """The event's matches, the newest first, with seats and substitutes."""
    elsewhere: Mapping[int, Match]
    """Who plays in a match that is not of this event, by player."""
    taken: frozenset[int]
    """Ids of the tables at which a match that is not of this event is in play."""
    people: Mapping[int, Player]
    """Everybody of the club, by id."""
    newest: int
    """The id of the last change of the event that is surely in it; 0 before the first."""

    @cached_property
    def playing(self) -> dict[int, Match]:
        """Who sits in a match that is in play, in this event or another one of the club, by player."""
        here = {player: match for match in self.matches if in_play(match) for player in seated(match)}
        return {**self.elsewhere, **here}

    @cached_property
    def here(self) -> tuple[int, ...]:
        """Who is here, in the order in which they came. Somebody who sat down at a table without being ticked is here
        too."""
        sat = (match for match in reversed(self.matches) if in_play(match) or self._began_here(match))
        met = (player for match in sat for player in sorted(seated(match)))
        return self.state.here + tuple(dict.fromkeys(player for player in met if player not in self.state.came))

    def _began_here(self, match: Match) -> bool:
        """A sheet can be of another day, with people who are long gone."""
        return match.created_at >= self.event.started_at and not match.paper and not match.unverified

    @cached_property
    def unticked(self) -> tuple[int, ...]:
        """Who is here and was never ticked."""
        return self.here[len(self.state.here) :]

    @cached_property
    def current(self) -> dict[int, Match]:
        """The newest match at each table, by the table's id."""
        return {match.table_id: match for match in reversed(self.matches) if match.table_id}

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Who is here and does not play, in the order in which they came."""
        return tuple(player for player in self.here if player not in self.playing)

    @cached_property
    def free_tables(self) -> tuple[int, ...]:
        """Numbers of tables at which a match can begin, enough for everybody: those that exist, then new ones."""
        busy = self.taken | {match.table_id for match in self.matches if in_play(match)}
        there = [table.number for table in self.tables if table.open and table.pk not in busy]
        after = max((table.number for table in self.tables), default=0) + 1
        return tuple(there) + tuple(range(after, after + len(self.free)))

    @cached_property
    def history(self) -> History:
        """Who has met whom, and who had a bye when."""
        met = [seatings for match in reversed(self.matches) if (seatings := _met(match))]
        return History(
            tuple(PlayedMatch(first, tuple(later)) for first, *later in met),
            tuple(each.byes for each in self.state.rounds),
        )

    def name(self, player: int) -> str:
        return self.people[player].name


def in_play(match: Match) -> bool:
    return match.status == Match.Status.PLAYING


def seated(match: Match) -> set[int]:
    """The players who sit in the match, as far as the club knows them: now, and from the next hand on. No query with
    seats at hand."""
    now = [each.player_id for each in seated_now(match)]
    then = next(reversed(seatings_of(match).values()))
    return {player for player in [*now, *then] if player is not None}


def seatings_of(match: Match) -> dict[int, list[int | None]]:
    """The player of each seat from the beginning, each by the hand from which on they sat like that, counted from 0;
    None for a name that nobody in the club has."""
    players = [seat.player_id for seat in match.seats.all()]
    seatings = {0: players}
    for each in substitutes_of(match):
        players = [*players]
        players[each.number] = each.player_id
        seatings[each.from_hand] = players
    return seatings


def open_night(club_id: int) -> Event | None:
    """The club's night that is open. One query."""
    return Event.objects.filter(club_id=club_id, kind=Event.Kind.NIGHT, closed_at=None).first()


def open_nights() -> QuerySet[Event]:
    """The nights that are open, of all clubs by name. One query."""
    nights = Event.objects.select_related("club").filter(kind=Event.Kind.NIGHT, closed_at=None)
    return nights.order_by("club__name", "pk")


def newest_night() -> Event | None:
    """The night that began last, of any club. One query."""
    return Event.objects.select_related("club").filter(kind=Event.Kind.NIGHT).order_by("-pk").first()


def nights_of(club: Club) -> QuerySet[Event]:
    """The club's nights, the newest first. One query."""
    return club.events.filter(kind=Event.Kind.NIGHT).order_by("-id")


def state_of(event: Event) -> Program:
    """What the hosts have done so far. One query."""
    return FOLDS[event.kind].of(event.log.order_by("seq").values_list("payload", flat=True))


def event_matches(event: Event) -> QuerySet[Match]:
    """The event's matches, the newest first, with club, table, seats and substitutes. Three queries."""
    return listed(event.matches.all())


def event_now(event: Event, before: EventNow | None = None) -> EventNow:
    """Ten queries, however many people, tables and matches; one more with the same event as it was read `before`:
    matches that have not changed since are kept, because reading them is most of the work."""
    changes = Change.objects.filter(topic=str(Topic.of_event(event)))
    # Asked first: what happens while the rest is read will be read again.
    newest = changes.aggregate(newest=Max("pk"))["newest"] or 0
    known = {match.pk: match for match in before.matches} if before else {}
    changed = set(changes.filter(pk__gt=before.newest).values_list("match", flat=True)) if before else set()
    numbers = list(event.matches.order_by("-pk").values_list("pk", flat=True))
    unknown = [pk for pk in numbers if pk not in known or pk in changed]
    # What can be entered next is the tables' own, and half of what is kept of a match.
    known |= {match.pk: match for match in event_matches(event).filter(pk__in=unknown).defer("offers")}
    others = list(playing_in(event.club).exclude(event=event).defer("offers"))
    return EventNow(
        event,
        state_of(event),
        tuple(event.club.tables.order_by("number")),
        tuple(known[pk] for pk in numbers if pk in known),
        {player: match for match in others for player in seated(match)},
        frozenset(match.table_id for match in others if match.table_id),
        {player.pk: player for player in players_of(event.club)},
        newest,
    )


def playing_in(club: Club) -> QuerySet[Match]:
    """The club's matches that are in play. Three queries."""
    return listed(club.matches.filter(status=Match.Status.PLAYING))


def settings_of(snapshot: EventNow) -> dict[str, Setting]:
    """How each game is played at the event: as the host said, else as the club played it last, else by its defaults.
    One query."""
    matches = snapshot.event.club.matches.filter(unverified=False)
    newest = matches.filter(pk__in=matches.order_by().values("game").annotate(last=Max("pk")).values("last"))
    defaults = {slug: Setting(game.read_options({}), None) for slug, game in GAMES.items()}
    played = {match.game: Setting(match.options, match.minutes) for match in newest}
    return {**defaults, **played, **snapshot.state.settings}


def last_time_first(club: Club) -> list[Player]:
    """The club's players by name, those of its last night before the others. Three queries."""
    last = nights_of(club).first()
    came = set(last.entrants.values_list("player", flat=True)) if last else set()
    return sorted(players_of(club), key=lambda player: player.pk not in came)


def _met(match: Match) -> list[tuple[tuple[int, ...], ...]]:
    """Who met in the match, by side, as far as its people are known: at first, and after each substitution. Who sat
    down and never played has not met."""
    hands = None if in_play(match) or match.unverified else len(match.sheet["hands"])
    met = []
    for hand, players in seatings_of(match).items():
        sides = GAMES[match.game].sides(len(players))
        known = (tuple(player for seat in side if (player := players[seat]) is not None) for side in sides)
        there = tuple(side for side in known if side)
        if len(there) > 1 and (hands is None or hand < hands):
            met.append(there)
    return met
