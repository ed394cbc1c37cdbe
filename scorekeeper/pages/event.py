"""The parts of a night's pages that live updates replace: one function each for the page and for the stream."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import GAMES
from games.base import Game
from games.solver import can_solve
from scorekeeper import live, words
from scorekeeper.live.parts import made_of, shared
from scorekeeper.models import Club, Event, Match, Table
from scorekeeper.names import alphabetical
from scorekeeper.pages import context
from scorekeeper.pages.big_screen import Standings
from scorekeeper.pages.codes import qr
from scorekeeper.pages.match import MatchLine, Side, limits, match_line
from scorekeeper.pages.outlook import outlook_words
from scorekeeper.place import reader
from scorekeeper.selectors import ending
from scorekeeper.selectors.events import EventNow, event_now, in_play, still_playing
from scorekeeper.selectors.matches import seated_now
from scorekeeper.selectors.outlooks import outlooks_of
from scorekeeper.selectors.standings import event_tables
from scorekeeper.serving import addresses
from scorekeeper.standings import Row


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table with its newest match of the night. Equal values are drawn alike."""

    table: int
    number: int
    game: str
    sides: tuple[Side, ...]
    hand: int
    """From 1; 0 before the first."""
    going: bool
    ended: str
    """How the match ended, in a word; "" while it is in play."""
    last_hand: bool
    until: datetime | None
    waits_for: str = ""
    """Who still plays elsewhere, and where."""
    title: str = ""
    """What is played there, like the final; its group; "" where that is nothing special."""
    of_round: int = 0
    """Its round, if the newest one has begun without it."""
    series: str = ""
    """The matches won, like 2 : 1, and which match it is, where several decide."""
    outlook: str | None = None
    """Who stands better, for spectators; "" while nobody knows; None where that is not said."""


@dataclass(frozen=True, slots=True)
class Attendee:
    """A person at the night, with their seat if they have one. Equal values are drawn alike."""

    player: int
    name: str
    table: int | None = None
    """The number that stands on it."""
    seat: int = 0
    """From 1, clockwise."""
    partners: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    sits_out: int = 0
    """The number of byes tonight, if this player has a bye now; otherwise 0."""
    still_at: int | None = None
    """The table at which they still play in an earlier round, whatever the newest one has for them."""


@dataclass(frozen=True, slots=True)
class ResultShown:
    """A finished match among the results. Equal values are drawn alike."""

    match: int
    table: int | None
    """The number that stands on it."""
    game: str
    sides: tuple[Side, ...]
    stopped: str
    """How it ended before its rules ended it, in words; "" if it did not."""
    unverified: bool
    disputed: bool


@dataclass(frozen=True, slots=True)
class Results:
    """Finished matches of one round. None as the round: matches arranged at a table or entered from paper."""

    round: int | None
    lines: list[MatchLine]
    """By table."""
    shown: tuple[ResultShown, ...]
    """The same for pages."""

    @property
    def title(self) -> str:
        return _("Round {n}").format(n=self.round) if self.round else _("Other matches")

    @property
    def list_id(self) -> str:
        """The id of the list on the page."""
        return f"night-results-{self.round or 'other'}"


@dataclass(frozen=True, kw_only=True)
class SeatsShown:
    """The seats of the players, without the draft."""

    night: Event
    club: Club
    version: str
    rounds: int
    attendees: tuple[Attendee, ...]


@dataclass(frozen=True, kw_only=True)
class NightShown(SeatsShown):
    """Everything public about the night."""

    tables: list[TableCard]
    people_here: int
    sitting_out: list[Attendee]
    waiting: list[Attendee]
    """Players who are free but have no bye."""
    results: list[Results]
    newest: MatchLine | None
    """The match that ended most recently."""
    standings: list[tuple[Game[Any], tuple[Row, ...]]]
    most_played: str
    """Which of these games has the most matches; "" before the first result."""
    of: tuple[tuple[Match, ...], Mapping[int, str]]
    """What `results`, `newest` and `standings` follow from: the finished matches, and the names of the players."""


@dataclass(frozen=True, kw_only=True)
class ScreenShown(NightShown):
    """The content of the big screen."""

    topic: live.Topic
    """What it follows."""
    points: list[tuple[Game[Any], Standings]]
    newest_results: list[Results]
    """Those of the last two rounds."""
    going: bool
    """Whether a match is in play."""
    last_hand: bool
    """Whether all matches are on their last hand."""
    until: datetime | None
    """When the first clock runs out."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """The visitor of the night's page."""

    me: Attendee | None
    """Where they sit, if they have chosen their name."""
    host: bool
    scorer: bool
    """Whether they keep scores for the club, as every host may."""


@dataclass(frozen=True, slots=True)
class FollowLink:
    """How to follow the night on a phone."""

    qr: SafeString
    host: str
    path: tuple[str, ...]
    """The parts between slashes."""
    only_here: bool
    """Whether no phone can reach the address."""


@dataclass(frozen=True, slots=True)
class TvPage:
    nights: list[Event]
    """The events in progress."""
    newest: Event | None
    """The last night, while none is in progress."""
    base: str
    """The address of the server."""
    seen: bool
    """Whether there is a club that this screen may show."""
    hidden: bool
    """Whether nobody is signed in on this screen, and the server has a club that only members see. It does not depend
    on what that club does now."""


def table_card(snapshot: EventNow, table: Table, match: Match) -> TableCard:
    line, going = match_line(match, snapshot.called), in_play(match)
    return TableCard(
        table=table.pk,
        number=table.number,
        game=line.game.name,
        sides=line.sides,
        hand=line.hand,
        going=going,
        ended="" if going else words.ended(match.sheet),
        last_hand=going and match.last_hand is not None,
        until=until(match),
    )


def with_outlooks(snapshot: EventNow, cards: Iterable[tuple[TableCard, Match]]) -> list[TableCard]:
    """The cards, each with its match, where it is in play and Nestor can say it: with who stands better. One query."""
    found = outlooks_of(snapshot.event)

    def of(card: TableCard, match: Match) -> TableCard:
        if not card.going or not can_solve(GAMES[match.game], sum(len(side.seats) for side in card.sides)):
            return card
        known = found.get(match.pk)
        return replace(card, outlook=outlook_words(known, card.sides) if known else "")

    return [of(card, match) for card, match in cards]


def screen_topic(event: Event, *, looks_on: bool) -> live.Topic:
    """What a big screen of the event follows; `looks_on`: one that may show who stands better."""
    return live.Topic("outlook", event.pk) if looks_on else live.Topic.of_event(event)


def screen_version(version: str, cards: Sequence[TableCard]) -> str:
    """That of a big screen: it also changes with who stands better."""
    found = "".join(card.outlook or "" for card in cards)
    return f"{version}:{crc32(found.encode())}" if found else version


def until(match: Match) -> datetime | None:
    """When the time of a match in play runs out; None without a time limit, and while its clock is paused."""
    return ending.until(match) if in_play(match) else None


def seats_shown(snapshot: EventNow) -> SeatsShown:
    """No query."""
    return SeatsShown(
        night=snapshot.event,
        club=snapshot.event.club,
        version=version(snapshot),
        rounds=len(snapshot.state.rounds),
        attendees=attendees(snapshot),
    )


def night_shown(snapshot: EventNow, before: NightShown | None = None) -> NightShown:
    """One query; none if no result has changed since what was shown `before`."""
    seats = seats_shown(snapshot)
    of = over(snapshot), {player: snapshot.name(player) for player in snapshot.people}
    same = before if before and _is_same(before.of, of) else None
    points, matches = same.standings if same else standings(snapshot), Counter(match.game for match in of[0])
    return NightShown(
        **context(seats),
        tables=night_tables(snapshot),
        people_here=len(snapshot.here),
        sitting_out=[attendee for attendee in seats.attendees if attendee.sits_out],
        waiting=[attendee for attendee in seats.attendees if not attendee.table and not attendee.sits_out],
        results=same.results if same else results(snapshot),
        newest=same.newest if same else newest(snapshot),
        standings=points,
        most_played=max((game.slug for game, _rows in points), key=matches.__getitem__, default=""),
        of=of,
    )


def _is_same(
    before: tuple[tuple[Match, ...], Mapping[int, str]], now: tuple[tuple[Match, ...], Mapping[int, str]]
) -> bool:
    """Whether no finished match was read again, which a snapshot does only if something in it has changed."""
    return before[1] == now[1] and [*map(id, before[0])] == [*map(id, now[0])]


def screen_shown(snapshot: EventNow, night: NightShown, *, looks_on: bool) -> ScreenShown:
    """`looks_on`: for a visitor for whom `access.looks_on` holds. One query for them, else none."""
    going = [match for match in snapshot.matches if in_play(match)]
    tables = night.tables
    if looks_on and snapshot.event.outlook:
        tables = with_outlooks(snapshot, [(card, snapshot.current[card.table]) for card in tables])
    return ScreenShown(
        **context(night) | {"tables": tables, "version": screen_version(night.version, tables)},
        topic=screen_topic(snapshot.event, looks_on=looks_on),
        points=[(game, _points(rows)) for game, rows in night.standings],
        newest_results=night.results[:2],
        going=bool(going),
        last_hand=bool(going) and all(match.last_hand is not None for match in going),
        until=min(filter(None, map(until, going)), default=None),
    )


def _points(rows: Sequence[Row]) -> Standings:
    heads = _("Won"), _("Played"), _("Difference")
    figures = ((words.number(row.wins), str(row.played), words.signed(row.difference)) for row in rows)
    return Standings.of(heads, [(row.place, row.name, False, each) for row, each in zip(rows, figures, strict=True)])


def follow(url: str) -> FollowLink:
    at = urlsplit(url)
    return FollowLink(
        qr=qr(url), host=at.netloc, path=tuple(at.path.strip("/").split("/")), only_here=addresses.only_here(url)
    )


def version(snapshot: EventNow) -> str:
    """A number that changes with the night and with each of its matches."""
    matches = snapshot.matches
    entries = sum(match.length for match in matches)
    clocks = crc32("".join(map(limits, matches)).encode())
    return f"{snapshot.event.pk}:{snapshot.event.length}:{len(matches)}:{entries}:{clocks}"


def night_tables(snapshot: EventNow) -> list[TableCard]:
    """The tables with a match tonight, by number."""
    current = snapshot.current
    return [table_card(snapshot, table, current[table.pk]) for table in snapshot.tables if table.pk in current]


def attendees(snapshot: EventNow) -> tuple[Attendee, ...]:
    """Everybody who is here, with their seats, by name. Where rounds overlap, the newest round counts: whoever still
    plays in an earlier one has their next seat, or bye, already."""
    rounds = snapshot.state.rounds
    # The newest matches last, because what they say counts.
    at = {
        each.player: each
        for match in reversed(snapshot.matches)
        if in_play(match)
        for each in seats_in(snapshot, match)
    }
    earlier = still_playing(snapshot.matches, len(rounds)) if snapshot.state.rounds_overlap else {}
    times = Counter(player for each in rounds for player in each.byes)
    goes_on = any(in_play(match) and match.round == len(rounds) for match in snapshot.matches)
    out = set(rounds[-1].byes) if goes_on else set()
    free = (*snapshot.free, *(player for player in earlier if player in out))
    here = at | {
        player: Attendee(player, snapshot.name(player), sits_out=times[player] if player in out else 0)
        for player in free
    }
    still = (replace(each, still_at=_number(earlier.get(player))) for player, each in here.items())
    return tuple(sorted(still, key=lambda attendee: alphabetical(attendee.name)))


def _number(match: Match | None) -> int | None:
    """Of the match's table."""
    return match.table.number if match and match.table else None


def seats_in(snapshot: EventNow, match: Match) -> Iterable[Attendee]:
    """Those of the club's players who sit in the match."""
    now = seated_now(match)
    names = [snapshot.called(each) for each in now]
    sides = GAMES[match.game].sides(len(now))
    for seat, each in enumerate(now):
        if each.player_id:
            own = next(side for side in sides if seat in side)
            partners = tuple(names[other] for other in own if other != seat)
            opponents = tuple(names[other] for side in sides if side != own for other in side)
            yield Attendee(each.player_id, names[seat], _number(match), seat + 1, partners, opponents)


def over(snapshot: EventNow) -> tuple[Match, ...]:
    """The finished matches, newest first. Matches given up before their first hand do not count."""
    return tuple(match for match in snapshot.matches if not in_play(match) and _counts(match))


def results(snapshot: EventNow) -> list[Results]:
    """The finished matches by round, newest first, then the matches outside rounds."""
    lines = [match_line(match, snapshot.called) for match in over(snapshot)]
    lines.sort(key=lambda line: line.match.table.number if line.match.table else 0)
    rounds = sorted({line.match.round for line in lines if line.match.round}, reverse=True)
    groups = ([line for line in lines if line.match.round == each] for each in (*rounds, None))
    return [Results(group[0].match.round, group, tuple(map(_result_shown, group))) for group in groups if group]


def _result_shown(line: MatchLine) -> ResultShown:
    match = line.match
    number = match.table.number if match.table else None
    return ResultShown(
        match=match.pk,
        table=number,
        game=line.game.name,
        sides=line.sides,
        stopped=words.stopped(match.sheet),
        unverified=match.unverified,
        disputed=bool(match.sheet.get("disputed")),
    )


def newest(snapshot: EventNow) -> MatchLine | None:
    """The match that ended most recently."""
    ended = {match.finished_at: match for match in over(snapshot) if match.finished_at}
    return match_line(ended[max(ended)], snapshot.called) if ended else None


def standings(snapshot: EventNow) -> list[tuple[Game[Any], tuple[Row, ...]]]:
    """The standings of each game. One query."""
    return [(GAMES[game], tuple(rows)) for game, rows in event_tables(snapshot.event).items()]


def _counts(match: Match) -> bool:
    return bool(match.sheet["hands"] or match.sheet["winners"])


def night(kind: str, number: int) -> str:
    return render_to_string("scorekeeper/_night.html", context(_night(number)))


def seats(kind: str, number: int) -> str:
    return render_to_string("scorekeeper/_night_seats.html", context(seats_shown(snapshot(number))))


def screen(kind: str, number: int) -> str:
    shown = screen_shown(snapshot(number), _night(number), looks_on=kind == "outlook")
    return render_to_string("scorekeeper/_screen.html", context(shown))


def _night(number: int) -> NightShown:
    """The night's page and its big screens show the same. It is in the active language."""
    topic = live.Topic("night", number)
    shown: NightShown = shared(topic, "shown", *reader()).of(
        made_of(topic), lambda before: night_shown(snapshot(number), before)
    )
    return shown


def snapshot(number: int, kind: str = Event.Kind.NIGHT) -> EventNow:
    """The data of the event. Ten queries; none if it was just read for another part or another language."""
    topic = live.Topic(kind, number)
    found: EventNow = shared(topic, "snapshot").of(
        made_of(topic), lambda before: event_now(Event.objects.select_related("club").get(pk=number), before)
    )
    return found


def snapshot_of(event: Event) -> EventNow:
    """The data of a tournament from `access.tournament_for`. As `snapshot`."""
    found: EventNow = shared(live.Topic.of_event(event), "snapshot").of(
        event.newest_change, lambda before: event_now(event, before)
    )
    return found


live.register(Event.Kind.NIGHT, night=night, seats=seats)
live.register(Event.Kind.NIGHT, "outlook", screen=screen)
