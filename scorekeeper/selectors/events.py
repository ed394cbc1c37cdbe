"""Reading events: who is here, who plays where, and the draft."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper.events import FOLDS, Night, Program
from scorekeeper.events.rounds import Setting
from scorekeeper.live.topics import Topic
from scorekeeper.models import Change, Club, Event, Match, Player, Role, Seat, Substitute, Table, User
from scorekeeper.names import alphabetical
from scorekeeper.schedule.meetings import History, PlayedMatch
from scorekeeper.selectors.clubs import canonical, everybody_of
from scorekeeper.selectors.decisions import recorded_by_scorers
from scorekeeper.selectors.matches import seated_now, substitutes_of, with_seats

LASTING = (Event.Kind.LEAGUE, Event.Kind.LADDER)
"""The kinds of events that last for months."""


@dataclass(frozen=True)
class EventNow:
    """A snapshot: an event with everything that its pages show, read at one moment."""

    event: Event
    state: Program
    tables: tuple[Table, ...]
    """The club's tables by number."""
    matches: tuple[Match, ...]
    """The event's matches, the newest first, with seats and substitutes."""
    elsewhere: Mapping[int, Match]
    """By player: the match in play outside this event in which they sit."""
    taken: Mapping[int, Match]
    """By the id of its table: every match in play outside this event."""
    people: Mapping[int, Player]
    """Everybody whom the club ever had, by id."""
    newest: int
    """The id of a change of the event. Everything up to this change is in the snapshot. 0 before the first change."""
    part: str = ""
    """The name of the part of the event that `state` is; "": the whole event."""
    rounds_before: int = 0
    """How many rounds of the event there were before the first one of this part."""

    @cached_property
    def playing(self) -> dict[int, Match]:
        """By player: the match in play in which they sit, in this event or elsewhere in the club."""
        here = {player: match for match in self.matches if in_play(match) for player in seated(match)}
        return {**self.elsewhere, **here}

    @cached_property
    def here(self) -> tuple[int, ...]:
        """The players who are here, in the order in which they came. People who sat down at a table without being
        ticked are here too."""
        sat = (match for match in reversed(self.matches) if in_play(match) or self._began_here(match))
        met = (player for match in sat for player in sorted(seated(match)))
        return self.state.here + tuple(dict.fromkeys(player for player in met if player not in self.state.came))

    def _began_here(self, match: Match) -> bool:
        """Whether its players were here. A match copied from paper may have been played on another day."""
        return match.created_at >= self.event.started_at and not match.paper and not match.unverified

    @cached_property
    def unticked(self) -> tuple[int, ...]:
        """The players who are here but were never ticked."""
        return self.here[len(self.state.here) :]

    @cached_property
    def current(self) -> dict[int, Match]:
        """The newest match at each table, by the table's id."""
        return {match.table_id: match for match in reversed(self.matches) if match.table_id}

    @cached_property
    def at_tables(self) -> dict[tuple[int, int], Match]:
        """The newest match of each round at each table, by their numbers."""
        return {place: matches[-1] for place, matches in self.matches_at.items()}

    @cached_property
    def matches_at(self) -> dict[tuple[int, int], list[Match]]:
        """All matches of each round at each table, by their numbers, the oldest first."""
        found: dict[tuple[int, int], list[Match]] = {}
        for match in reversed(self.matches):
            if match.round and match.table:
                found.setdefault((match.round - self.rounds_before, match.table.number), []).append(match)
        return found

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The players who are here and not playing, in the order in which they came."""
        return tuple(player for player in self.here if player not in self.playing)

    @cached_property
    def free_tables(self) -> tuple[int, ...]:
        """The numbers of tables where a match can begin: existing ones, then enough new ones for everybody."""
        busy = self.taken.keys() | {match.table_id for match in self.matches if in_play(match)}
        there = [table.number for table in self.tables if table.open and table.pk not in busy]
        after = max((table.number for table in self.tables), default=0) + 1
        people = self.here if self.state.rounds_overlap else self.free
        return tuple(there) + tuple(range(after, after + len(people)))

    @cached_property
    def moved(self) -> dict[int, int]:
        """The tables of the draft at which something else is played now, each with the free one that takes its place
        when the round is released; by their numbers."""
        drafted = [each.table for each in self.state.draft.pairings] if self.state.draft else []
        taken = {table.number for table in self.tables if table.pk in self.taken}
        free = (number for number in self.free_tables if number not in drafted)
        return dict(zip((number for number in drafted if number in taken), free, strict=False))

    @cached_property
    def history(self) -> History:
        """Who has met whom, and who had a bye when."""
        met = [seatings for match in reversed(self.matches) if (seatings := _met(match))]
        return History(
            tuple(PlayedMatch(first, tuple(later)) for first, *later in met),
            tuple(each.byes for each in self.state.rounds),
        )

    @cached_property
    def offered(self) -> tuple[Player, ...]:
        """Who can be chosen from a list, by name: those who are here, and everybody who has not left the club."""
        return tuple(each for each in self.people.values() if each.offered or each.pk in self.here)

    @cached_property
    def recorded_by_scorers(self) -> frozenset[int]:
        """The ids of the matches of the event that hosts or scorers recorded. One query."""
        return recorded_by_scorers(self.event)

    def name(self, player: int) -> str:
        """The name of today; of somebody who was merged, that of the person as whom they count."""
        return canonical(self.people[player], self.people).name

    def called(self, seat: Seat | Substitute) -> str:
        """The name of somebody in a seat: while the event is open that of today, then the one that was written down."""
        known = seat.player_id if self.event.closed_at is None else None
        return self.name(known) if known else seat.name


def in_play(match: Match) -> bool:
    return match.status == Match.Status.PLAYING


def has_counted(match: Match) -> bool:
    """Whether the match has a score: a counted hand."""
    return any(hand["state"] == "counted" for hand in match.sheet["hands"])


def seated(match: Match) -> set[int]:
    """The club's players who sit in the match now, or from the next hand. No query for a match from `with_seats`."""
    now = [each.player_id for each in seated_now(match)]
    then = next(reversed(seatings_of(match).values()))
    return {player for player in [*now, *then] if player is not None}


def still_playing(matches: Iterable[Match], round_number: int) -> dict[int, Match]:
    """By player: the match in play, of these and of a round before this one, in which they sit. No query for matches
    from `event_matches`."""
    earlier = (match for match in matches if in_play(match) and match.round and match.round < round_number)
    return {player: match for match in earlier for player in seated(match)}


def waited_for(match: Match) -> list[str]:
    """Who of a match of a tournament still plays in an earlier round while nothing is entered in it, each with their
    table. One query, more while somebody does; none after the first entry, nor in the first round."""
    if not (in_play(match) and match.blank and match.round and match.round > 1):
        return []
    earlier = _of_other_rounds(match, round__lt=match.round)
    playing = still_playing(with_seats(earlier).select_related("event").defer("offers"), match.round)
    seats = match.seats.all() if playing else ()
    return [
        where_playing(each.name, playing[each.player_id], match.event) for each in seats if each.player_id in playing
    ]


def tables_waiting_for(match: Match) -> list[int]:
    """The ids of the tables at which a later round of the tournament is in play, but for that of the match: they may
    wait for somebody in it. One query; none outside rounds."""
    if not match.round:
        return []
    later = _of_other_rounds(match, round__gt=match.round, table__isnull=False)
    return [*later.exclude(table=match.table_id).values_list("table", flat=True).distinct().order_by("table")]


def _of_other_rounds(match: Match, **of: int | bool) -> QuerySet[Match]:
    """The matches in play of other rounds of the tournament of this match."""
    here = {"event": match.event_id, "event__kind": Event.Kind.TOURNAMENT, "finished_at": None}
    return Match.objects.filter(**here, **of)


def where_playing(name: str, match: Match, event: Event | None) -> str:
    """Somebody with the table of the match in which they play, and with its event if that is not this one. No query
    for a match of `playing_in`, or of the event."""
    number = match.table.number if match.table else "–"
    if match.event is None or match.event == event:
        return _("{name} (table {n})").format(name=name, n=number)
    title = match.event.name or match.event.get_kind_display()
    return _("{name} (table {n}, {event})").format(name=name, n=number, event=title)


def of_the_first_round(playing: Sequence[Match]) -> list[Match]:
    """Those of these matches whose round is the earliest: what ends a round ends this one, where rounds overlap."""
    first = min((match.round or 0 for match in playing), default=0)
    return [match for match in playing if (match.round or 0) == first]


def rounds_under_way(snapshot: EventNow) -> list[int]:
    """The numbers of the newest round, and of earlier ones with a match in play, the newest first."""
    newest = len(snapshot.state.rounds)
    playing = {match.round for match in snapshot.matches if in_play(match)}
    return [number for number in range(newest, 0, -1) if number == newest or number in playing]


def seatings_of(match: Match) -> dict[int, list[int | None]]:
    """The player of each seat (None for somebody who is not in the club), for the beginning and after each
    substitution. The key is the first hand with these players, from 0."""
    players = [seat.player_id for seat in match.seats.all()]
    seatings = {0: players}
    for each in substitutes_of(match):
        players = [*players]
        players[each.number] = each.player_id
        seatings[each.from_hand] = players
    return seatings


def open_night(club_id: int) -> Event | None:
    """The club's open night. One query."""
    return Event.objects.filter(club_id=club_id, kind=Event.Kind.NIGHT, closed_at=None).first()


def open_nights(clubs: QuerySet[Club]) -> list[Event]:
    """The open nights of these clubs, by the name of the club. One query."""
    nights = Event.objects.select_related("club").filter(club__in=clubs, kind=Event.Kind.NIGHT, closed_at=None)
    return sorted(nights, key=lambda night: alphabetical(night.club.name))


def desks_of(user: User, *, also: int | None) -> QuerySet[Event]:
    """The open nights and tournaments of the clubs where the user is a host, and the one with the id `also`. A league
    or ladder is open for months, and nobody waits at its desk. One query."""
    hosts = [role for role in Role if role.covers(Role.DIRECTOR)]
    theirs = Event.objects.filter(club__memberships__user=user, club__memberships__role__in=hosts)
    return theirs.filter(Q(closed_at=None, removed=False) & ~Q(kind__in=LASTING) | Q(pk=also))


def tournaments_under_way(clubs: QuerySet[Club]) -> QuerySet[Event]:
    """The tournaments of these clubs that have begun and are not closed, if they are public. One query."""
    begun = Event.objects.filter(kind=Event.Kind.TOURNAMENT, closed_at=None, public=True, matches__isnull=False)
    return begun.filter(club__in=clubs).select_related("club").order_by("club__name", "pk").distinct()


def newest_night(clubs: QuerySet[Club]) -> Event | None:
    """The night that began last, of any of these clubs. One query."""
    return Event.objects.select_related("club").filter(club__in=clubs, kind=Event.Kind.NIGHT).order_by("-pk").first()


def nights_of(club: Club) -> QuerySet[Event]:
    """The club's nights, the newest first. One query."""
    return club.events.filter(kind=Event.Kind.NIGHT).order_by("-id")


def tournaments_of(club: Club, *, host: bool) -> QuerySet[Event]:
    """The club's tournaments, the newest first: those that everybody may see, for a host all. One query."""
    found = club.events.filter(kind=Event.Kind.TOURNAMENT).order_by("-id")
    return found if host else found.filter(public=True)


def lasting_of(club: Club, *, host: bool) -> QuerySet[Event]:
    """The club's leagues and ladders, which last for months, as `tournaments_of`. One query."""
    found = club.events.filter(kind__in=LASTING).order_by("-id")
    return found if host else found.filter(public=True)


def state_of(event: Event) -> Program:
    """The state of the event: the fold of its log. One query."""
    return FOLDS[event.kind].of(event.log.order_by("seq").values_list("payload", flat=True))


def night_now(snapshot: EventNow) -> Night:
    assert isinstance(snapshot.state, Night), "a tournament has no wishes for the next round"
    return snapshot.state


def event_matches(event: Event) -> QuerySet[Match]:
    """The event's matches, the newest first, with club, table, seats and substitutes. Three queries."""
    return with_seats(event.matches.all())


def event_now(event: Event, before: EventNow | None = None) -> EventNow:
    """A snapshot of the event. Nine queries, however many people, tables and matches; with an earlier snapshot
    (`before`) one more for much less work."""
    newest, matches = _matches_now(event, event_matches(event), before)
    others = list(playing_in(event.club).exclude(event=event).defer("offers"))
    return EventNow(
        event,
        state_of(event),
        tuple(event.club.tables.order_by("number")),
        matches,
        {player: match for match in others for player in seated(match)},
        {match.table_id: match for match in others if match.table_id},
        {player.pk: player for player in everybody_of(event.club)},
        newest,
    )


def results_now(event: Event, before: EventNow | None = None) -> EventNow:
    """A snapshot for pages that show only results: without tables, substitutes, and what is played elsewhere. Five
    queries, and with an earlier snapshot one more for much less work, as in `event_now`."""
    matches = event.matches.select_related("table").prefetch_related("seats").order_by("-id")
    newest, found = _matches_now(event, matches, before)
    people = {player.pk: player for player in everybody_of(event.club)}
    return EventNow(event, state_of(event), (), found, {}, {}, people, newest)


def _matches_now(event: Event, matches: QuerySet[Match], before: EventNow | None) -> tuple[int, tuple[Match, ...]]:
    """The newest change of the event, and its `matches`, newest first. Those that have not changed since the earlier
    snapshot are taken from it, because reading them is most of the work."""
    changes = Change.objects.filter(topic=str(Topic.of_event(event)))
    # Pages of events do not show offers, which are half of the data of a match.
    read = matches.defer("offers")
    # Changes are read first: what changes while the rest is read is then read again the next time.
    since = dict(changes.filter(pk__gte=before.newest).values_list("pk", "match")) if before else {}
    # If the change of that snapshot has been pruned, others that followed it may be missing, too.
    if before is None or before.newest not in since:
        newest = changes.aggregate(newest=Max("pk"))["newest"] or 0
        return newest, tuple(read)
    changed = {match for change, match in since.items() if change > before.newest}
    numbers = list(event.matches.order_by("-pk").values_list("pk", flat=True))
    known = {match.pk: match for match in before.matches if match.pk not in changed}
    known |= {match.pk: match for match in read.filter(pk__in=[pk for pk in numbers if pk not in known])}
    return max(since), tuple(known[pk] for pk in numbers if pk in known)


def playing_in(club: Club) -> QuerySet[Match]:
    """The club's matches that are in play, with their events. Three queries."""
    return with_seats(club.matches.filter(finished_at=None)).select_related("event")


def also_at(match: Match) -> dict[str, int]:
    """By name of who sits in this match in play, the number of another table at which they play, too. That happens only
    while a host corrects the seats of two tables, one after the other. Six queries; none once the match is over."""
    if not in_play(match):
        return {}
    here = seated(match)
    others = ((each, seated(each)) for each in playing_in(match.club).exclude(pk=match.pk).defer("offers"))
    names = dict(Player.objects.filter(pk__in=here).values_list("pk", "name"))
    return {names[player]: each.table.number for each, there in others if each.table for player in here & there}


def settings_of(snapshot: EventNow) -> dict[str, Setting]:
    """How each game is played at the event: as the host set it, else as the club last played it, else with its
    defaults. One query."""
    matches = snapshot.event.club.matches.filter(unverified=False)
    newest = matches.filter(pk__in=matches.order_by().values("game").annotate(last=Max("pk")).values("last"))
    defaults = {slug: Setting(game.read_options({}), None) for slug, game in GAMES.items()}
    played = {match.game: Setting(match.options, match.minutes) for match in newest}
    return {**defaults, **played, **snapshot.state.settings}


def tables_in_play(event: Event) -> list[int]:
    """The numbers of the tables at which a match of the event is in play. One query."""
    playing = event.matches.filter(status=Match.Status.PLAYING, table__isnull=False).order_by("table__number")
    return [*playing.values_list("table__number", flat=True)]


def last_time(club: Club) -> set[int]:
    """The people who came to the club's last night that is over, and can be chosen. One query."""
    last = club.events.filter(kind=Event.Kind.NIGHT, closed_at__isnull=False).order_by("-pk").values("pk")[:1]
    offered = club.players.filter(left=False, merged_into=None)
    return set(offered.filter(entries__event__in=last).values_list("pk", flat=True))


def _met(match: Match) -> list[tuple[tuple[int, ...], ...]]:
    """The sides of the match with the club's players, at the beginning and after each substitution. Leaves out people
    who sat down but played no hand."""
    hands = None if in_play(match) or match.unverified else len(match.sheet["hands"])
    met = []
    for hand, players in seatings_of(match).items():
        sides = GAMES[match.game].sides(len(players))
        known = (tuple(player for seat in side if (player := players[seat]) is not None) for side in sides)
        there = tuple(side for side in known if side)
        if len(there) > 1 and (hands is None or hand < hands):
            met.append(there)
    return met
