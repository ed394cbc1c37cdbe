"""The big screen of a tournament: pairings by table and by name, live scores, standings, and the clock."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper import live
from scorekeeper.events import Tournament
from scorekeeper.live.parts import drawn
from scorekeeper.models import Club, Event, Match
from scorekeeper.pages import context
from scorekeeper.pages.big_screen import Standings
from scorekeeper.pages.bracket import BracketOnScreen, on_screen, titles_of
from scorekeeper.pages.event import (
    Attendee,
    TableCard,
    attendees,
    screen_topic,
    screen_version,
    snapshot,
    table_card,
    version,
    with_outlooks,
)
from scorekeeper.pages.free_play import WaitingShown, waiting_shown
from scorekeeper.pages.prospects import head, reach
from scorekeeper.pages.tournament import StandingsShown, TableShown, round_shown, standings_shown
from scorekeeper.pages.tournament_day import PARTS, ClockShown, clock_shown
from scorekeeper.selectors.events import EventNow, in_play, rounds_under_way
from scorekeeper.selectors.tournaments import is_open, parts, prospects_now, rounds_announced, tournament_of
from scorekeeper.standings.possible import Chance

FEW = 24  # people


@dataclass(frozen=True, slots=True)
class PartOnScreen:
    """A group or a final; or the whole tournament, where there are none."""

    name: str
    round: int
    """The number of its newest one in the whole tournament; 0 before the first."""
    standings: Standings
    """The figure that counts first, those that separate people who are equal in it, and what can still be reached."""
    too_few: str
    """What “too few tables” means, if somebody came to too few."""


@dataclass(frozen=True, kw_only=True)
class TournamentScreen:
    """The content of the screen."""

    night: Event
    """The tournament, under the name that all big screens use."""
    club: Club
    topic: live.Topic
    """What it follows."""
    version: str
    round: int
    """The newest one; 0 before the first."""
    rounds_planned: int
    tables: list[TableCard]
    """Those of the newest round, then those of earlier ones that still play."""
    attendees: tuple[Attendee, ...]
    few: bool
    """Whether they are so few that there is room for whom they play with and against."""
    brackets: list[BracketOnScreen]
    """What is played of the bracket of each knock-out, in leaves that can be read from afar."""
    standings: list[PartOnScreen]
    """Of each group or final that is played."""
    provisional: bool
    clock: ClockShown
    last_hand: bool
    """Whether all matches are on their last hand."""
    going: bool
    """Whether a match is in play."""
    next_at: str
    """When the next round begins by the setup, like 19:30; "" if nobody knows."""
    entrants: int
    open_play: bool
    """Whether whoever is free plays."""
    waiting: list[WaitingShown]
    """Who is free then, whoever waits longest first."""


@dataclass(frozen=True, kw_only=True)
class ScreenPage:
    night: Event
    club: Club
    show: str
    """Which part the screen holds; "" to turn through all."""
    drawn: SafeString
    """The live part."""


def screen_address(event: Event, show: str) -> str:
    """The address of the big screen of a night or a tournament, which holds the part `show` if it has it."""
    if event.kind != Event.Kind.TOURNAMENT:
        return reverse("league_screen" if event.kind == Event.Kind.LEAGUE else "night_screen", args=[event.pk])
    return reverse("tournament_screen", args=[event.pk]) + (f"?show={show}" if show in PARTS else "")


def screen_page(event: Event, show: str, topic: live.Topic, newest: int) -> ScreenPage:
    """The screen of a tournament from `access.tournament_for`. Its live part is drawn once for all screens. `newest`:
    the newest change of the topic that it follows, or of the club."""
    part = drawn(topic, "hall", get_language() or "", newest)
    return ScreenPage(night=event, club=event.club, show=show, drawn=SafeString(part.text))


def screen_shown(now: EventNow, *, looks_on: bool) -> TournamentScreen:
    """`looks_on`: for a visitor for whom `access.looks_on` holds. One query for them, and one in free play."""
    state = tournament_of(now)
    here = [part.snapshot for part in parts(now) if part.now]
    cards = [*_cards(now)]
    if looks_on and now.event.outlook:
        cards = [*zip(with_outlooks(now, cards), (match for _card, match in cards), strict=True)]
    going = [match for _card, match in cards if in_play(match)]
    people = attendees(now) if going else ()
    return TournamentScreen(
        night=now.event,
        club=now.event.club,
        topic=screen_topic(now.event, looks_on=looks_on),
        version=screen_version(version(now), [card for card, _match in cards]),
        round=len(state.rounds),
        rounds_planned=rounds_announced(now),
        tables=[card for card, _match in cards],
        attendees=people,
        few=len(people) <= FEW,
        brackets=[each for part in here for each in on_screen(part)] if state.begun or state.earlier else [],
        standings=[_of_part(part) for part in here],
        provisional=any(is_open(state, match) for match in now.matches),
        clock=clock_shown([match for card, match in cards if not card.of_round], timezone.now()),
        last_hand=bool(going) and all(match.last_hand is not None for match in going),
        going=bool(going),
        next_at=_planned(state, len(state.rounds)),
        entrants=len(state.taking_part),
        open_play=state.free_play,
        waiting=waiting_shown(now),
    )


def _of_part(now: EventNow) -> PartOnScreen:
    shown = standings_shown(now)
    rounds = len(tournament_of(now).rounds)
    return PartOnScreen(now.part, rounds and now.rounds_before + rounds, _standings(now, shown), shown.too_few)


def _standings(now: EventNow, shown: StandingsShown) -> Standings:
    columns = [0, *shown.decisive] if shown.columns else []
    heads = [shown.columns[at] for at in columns]
    figures = [[line.values[at] for at in columns] for line in shown.lines]
    can = {entrant: reach(prospect) for entrant, prospect in prospects_now(now).items()}
    reached = [can[line.entrant] for line in shown.lines] if can else []
    if reached:
        heads.append(head(reached))
        figures = [[*each, one.places] for each, one in zip(figures, reached, strict=True)]
    rows = [(line.place, line.name, line.out, each) for line, each in zip(shown.lines, figures, strict=True)]
    # Who is out of the prize places is not for a wall.
    notes = ["" if each.chance is Chance.OUT else each.words for each in reached]
    return Standings.of(heads, rows, notes)


def _planned(state: Tournament, before: int) -> str:
    """When the round after so many others begins, if the setup says from when on they are played."""
    until, minutes = state.setup["until"], state.setup["minutes"]
    if not until or not minutes:
        return ""
    begin = datetime.combine(date.min, time.fromisoformat(until["start"]))
    return f"{begin + before * timedelta(minutes=minutes + until['pause']):%H:%M}"


def _cards(now: EventNow) -> Iterator[tuple[TableCard, Match]]:
    """The tables of the newest round, and of earlier ones those that still play, each with its match. In free play,
    all that play."""
    newest = len(now.state.rounds)
    if tournament_of(now).free_play:
        rounds = [round_shown(now, number) for number in rounds_under_way(now)]
        found = [(table, table.match) for each in rounds for table in each.tables if table.match]
        playing = [(_card(now, table, match), match) for table, match in found if in_play(match)]
        yield from sorted(playing, key=lambda each: each[0].number)
        return
    titles = {two: title for part in parts(now) if part.now for two, title in titles_of(part.snapshot).items()}
    numbers = tournament_of(now).numbers
    for number in rounds_under_way(now):
        for table in round_shown(now, number).tables:
            if table.match and (number == newest or in_play(table.match)):
                two = frozenset(numbers[player] for side in table.sides for player in side.players if player in numbers)
                title = " · ".join(filter(None, (table.group, titles.get(two))))
                card = _card(now, table, table.match, title)
                yield replace(card, of_round=0 if number == newest else number), table.match


def _card(now: EventNow, table: TableShown, match: Match, title: str = "") -> TableCard:
    assert match.table
    card = table_card(now, match.table, match)
    series = " · ".join(filter(None, (table.score, table.which_match))) if card.going else ""
    ended = _("forfeit") if table.forfeited else card.ended
    sides = table.sides_of_match(card.sides)
    if table.series and not card.going:  # what counts then is how many each has won
        sides = tuple(replace(side, points=shown.total) for side, shown in zip(sides, table.sides, strict=True))
    return replace(card, sides=sides, title=title, ended=ended, waits_for=table.waits_for, series=series)


def hall(kind: str, number: int) -> str:
    """The live part of the screen."""
    shown = screen_shown(snapshot(number, Event.Kind.TOURNAMENT), looks_on=kind == "outlook")
    return render_to_string("scorekeeper/_tournament_screen.html", context(shown))


live.register(Event.Kind.TOURNAMENT, "outlook", hall=hall)
