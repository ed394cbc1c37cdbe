"""The steps of a league: its setup, divisions and fixtures, what becomes of each fixture, and the next season."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from scorekeeper.events import League
from scorekeeper.events.encounters import fewest_players
from scorekeeper.events.league import TOO_LATE, Fixture
from scorekeeper.events.rounds import Impossible, Pairing
from scorekeeper.events.setup import SWISS
from scorekeeper.models import Club, Event, Match, Player
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import (
    FixtureNow,
    State,
    fixtures_now,
    home_and_away,
    is_annulled,
    is_to_come,
    league_in,
    league_of,
    meetings_dated,
    moved_by,
    moved_text,
    places,
    round_drawn,
    season_after,
    turned,
)
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.steps import totals_text
from scorekeeper.services import events, league_setups, matches, recording, steps, storable, tournaments, typed_results
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.entrants import Named, must_differ, plain
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.words import listed

MOST_DIVISIONS = 20
MOST_ENTRANTS = 40  # of a division
MOST_PLAYERS = 40  # of a squad
Divisions = Sequence[tuple[str, Sequence[Named]]]
"""The name of each division, and its entrants as they are typed."""


@in_one_transaction
def start(*, club: Club, name: str, setup: Mapping[str, Any], step: Step) -> Event:
    """Begins a season of a league. `setup` is that of `events.league.League`. The same key again is the same season.

    Raises setups.BadSetup, games.Malformed for an invalid name, and GameError for an option that the game does not
    allow.
    """
    known = club.events.filter(kind=Event.Kind.LEAGUE, log__seq=0, log__key=step.key).first()
    if known:
        return known
    kept = storable.name(name)
    event = Event.objects.create(club=club, kind=Event.Kind.LEAGUE, name=kept, started_at=step.now)
    events.append(event, {"kind": "setup", "name": kept, **league_setups.checked(setup)}, step)
    return event


@in_one_transaction
def set_up(*, event_id: int, name: str, setup: Mapping[str, Any], step: Step) -> None:
    """Changes the name of the season, and how it is played; without a `form`, that of the teams stays. Raises as
    `start`; also Refused "fixtures-played" for what cannot change after that."""
    form = league_in(Event.objects.get(pk=event_id)).setup.get("form")
    asked = {"kind": "setup", "name": storable.name(name), **league_setups.checked({"form": form, **setup})}
    event, known = events.locked(event_id, asked, step)
    if not known:
        before = league_in(event)
        if before.begun and asked["lots"] != before.setup["lots"]:  # whoever knows the results could choose it
            raise Refused("fixtures-played", events.words_of(Impossible("fixtures-played")))
        event.name = asked["name"]
        event.save(update_fields=["name"])
        events.append(event, asked, step)


@in_one_transaction
def divide(*, event_id: int, divisions: Divisions, step: Step) -> None:
    """Enters everybody, division by division, in place of those entered before. Unknown names become guests. Unsure as
    `people.named`.

    Refused "fixtures-played", "no-division", "too-many", "bad-name", "division-twice", "wrong-size", "too-few",
    "name-twice" or "entered-twice".
    """
    typed = [
        {"name": name.strip(), "entrants": [{"name": each.about.name, "names": list(each.players)} for each in named]}
        for name, named in divisions
    ]
    asked = {"kind": "divisions", "typed": typed}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = league_in(event)
    if state.begun:
        raise Refused("fixtures-played", events.words_of(Impossible("fixtures-played")))
    _must_be_divisions(state, divisions)
    # The only division needs no name.
    kept = [(storable.name(name) if name.strip() else "", plain(named)) for name, named in divisions]
    must_differ([each.about.name for _name, named in kept for each in named])
    names = [player for _name, named in kept for each in named for player in each.players]
    found = events.guests_named(event.club, names, step)
    _must_be_once(found)
    people = iter(found)
    entered = [
        {
            "name": name,
            "entrants": [
                {"name": each.about.name, "players": [player.pk for player in islice(people, len(each.players))]}
                for each in named
            ],
        }
        for name, named in kept
    ]
    events.append(event, asked | {"divisions": entered}, step)


def _must_be_divisions(state: League, divisions: Divisions) -> None:
    size, least = state.setup["size"], fewest_players(state.form) if state.form else 0
    if not divisions:
        raise Refused("no-division", _("Type the name of a division, and its entrants."))
    if len(divisions) > MOST_DIVISIONS:
        text = _("A league can have up to {most} divisions. Remove some.")
        raise Refused("too-many", text.format(most=MOST_DIVISIONS))
    for name, named in divisions:
        division = f"“{name.strip()}”" if name.strip() else _("The league")
        if not name.strip() and len(divisions) > 1:
            raise Refused("bad-name", _("A division has no name. Type one."))
        if len(named) < 2:
            text = _("{division} has too few entrants. Type at least two, each on a line.")
            if least:
                text = _(
                    "{division} has too few squads. Type at least two, each on a line like Ship: Ana + Bo + …, with"
                    " {least} players or more."
                )
            raise Refused("too-few", text.format(division=division, least=least))
        if len(named) > MOST_ENTRANTS:
            text = _("{division} has too many entrants. Up to {most} fit. Make another division.")
            raise Refused("too-many", text.format(division=division, most=MOST_ENTRANTS))
        wrong = next((each for each in named if not least <= len(each.players) <= MOST_PLAYERS), None)
        if least and wrong:
            text = _(
                "{squad}: players typed: {n}. A squad has from {least} to {most}. Type one on a line, like The Ship: "
                "Ana + Bo + Cleo."
            )
            squad = wrong.about.name or listed(wrong.players)
            raise Refused("wrong-size", text.format(squad=squad, n=len(wrong.players), least=least, most=MOST_PLAYERS))
        if not least and any(len(each.players) != size for each in named):
            one = _("An entrant is one player. Type one name on a line.")
            pair = _("An entrant is a pair. Type two names on a line, like Ana + Bo.")
            raise Refused("wrong-size", one if size == 1 else pair)


def _must_be_once(people: Sequence[Player]) -> None:
    """Refused "entered-twice" names who is entered twice."""
    twice = sorted({each.name for at, each in enumerate(people) if each in people[:at]})
    if twice:
        text = ngettext(
            "{names} is entered twice. Each plays for one entrant of one division.",
            "{names} are entered twice. Each plays for one entrant of one division.",
            len(twice),
        )
        raise Refused("entered-twice", text.format(names=listed(twice)))


@in_one_transaction
def make_fixtures(*, event_id: int, step: Step) -> None:
    """Makes all fixtures with their dates, in place of those made before. Days may be over: a league may be under way
    already. Refused "no-division", "drawn-by-round" unless it is a round robin, "fixtures-played"."""
    asked = {"kind": "fixtures"}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state, zone = league_in(event), ZoneInfo(event.club.time_zone)
    if not state.divisions:
        raise Refused("no-division", _("Enter the divisions first."))
    if state.by_results:
        raise Refused("drawn-by-round", _("Each round is drawn from the results. Draw the next round."))
    fixtures = [{**meeting._asdict(), "at": at.isoformat()} for meeting, at in meetings_dated(state, zone)]
    events.append(event, asked | {"fixtures": fixtures}, step)


@in_one_transaction
def draw_round(*, event_id: int, step: Step) -> None:
    """Makes the fixtures of the next round from the results. Refused "no-division", "has-a-schedule" in a round robin,
    "fixtures-open" before the round before is over, "no-more-rounds"."""
    asked = {"kind": "round"}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = results_now(event)
    state = league_of(snapshot)
    if not state.divisions:
        raise Refused("no-division", _("Enter the divisions first."))
    if not state.by_results:
        raise Refused("has-a-schedule", _("In a round robin all fixtures are made at once."))
    if state.fixtures:
        _must_be_over(list(fixtures_now(snapshot).values()))
    meetings, byes, at = round_drawn(snapshot)
    if not meetings:
        text = _("All rounds are played. Close the season.")
        if state.setup["system"] == SWISS:
            text = _("All rounds are played. Close the season, or ask for more in the setup.")
        raise Refused("no-more-rounds", text)
    fixtures = [{**meeting._asdict(), "at": at.isoformat()} for meeting in meetings]
    events.append(event, asked | {"round": state.rounds_made + 1, "fixtures": fixtures, "byes": byes}, step)


@in_one_transaction
def exchange(*, event_id: int, round_number: int, entrants: Sequence[int], step: Step) -> None:
    """Two entrants swap places in the newest round of a Swiss system; one of them may have a bye. Line-ups that are in,
    but not open, are withdrawn in their fixtures: they were for other opponents. Refused "not-newest-round",
    "knock-out", "not-in-the-round", "other-division" or "fixture-open"."""
    if len(entrants) != 2:
        raise Refused("not-in-the-round", events.words_of(Impossible("not-in-the-round")))
    asked = {"kind": "exchange", "round": round_number, "entrants": list(entrants)}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


@in_one_transaction
def set_date(
    *, event_id: int, fixture: int, at: datetime | None, where: str = "", reason: str = "", step: Step
) -> None:
    """Gives a fixture another time (None: it is not known yet) and place. A `reason` says why it is postponed.

    Refused "no-such-fixture", "fixture-begun", "given-up", "no-reason" without a time or a reason, "in-the-past",
    "too-late" or "no-play-then".
    """
    asked = {"kind": "date", "fixture": fixture, "at": at.isoformat() if at else None}
    asked |= {"where": storable.note(where), "reason": storable.note(reason)}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state, zone = league_in(event), ZoneInfo(event.club.time_zone)
    if at is None and not asked["reason"]:
        raise Refused("no-reason", _("Say why the fixture is postponed, or choose its new date."))
    if at and at.date() >= TOO_LATE:
        raise Refused("too-late", _("Choose a day before the year {year}.").format(year=TOO_LATE.year))
    if at and at.astimezone(zone).date() < step.now.astimezone(zone).date():
        raise Refused("in-the-past", _("This day is over. Choose a later one."))
    if at and at.astimezone(zone).date().isoformat() in state.setup["without"]:
        raise Refused("no-play-then", _("Nobody plays on this day. Choose another one, or change the setup."))
    events.append(event, asked, step)


@in_one_transaction
def play(*, event_id: int, fixture: int, table: int, board: int | None = None, step: Step) -> Match:
    """Starts a fixture at the table with this number; without a `board`, its only one. Raises as `matches.open_match`;
    also Refused "no-such-fixture", "given-up", "fixture-begun", "which-board", "no-such-board" or "no-such-table"."""
    board = _board_or_only(event_id, board)
    asked = {"kind": "play", "fixture": fixture, "board": board, "table": table}
    event, known = events.locked(event_id, asked, step)
    if known:
        return event.matches.get(pk=known["match"])
    found = _to_play(event, fixture, board)
    place = event.club.tables.filter(number=table).first()
    if place is None:
        raise Refused("no-such-table", _("This table does not exist. Choose another one."))
    pairing = _pairing(league_in(event), found.fixture, table, board)
    match = matches.open_at(place, pairing, event=event, round_number=fixture, by=step.by, now=step.now)
    events.append(event, asked | {"match": match.pk, "matches": [match.pk]}, step)
    return match


@in_one_transaction
def type_result(
    *,
    event_id: int,
    fixture: int,
    totals: Sequence[int],
    board: int | None = None,
    early: bool = False,
    why: str = "",
    sure: bool = False,
    ahead: bool = False,
    step: Step,
) -> None:
    """Enters the totals of home and away; without a `board`, at the only one of the fixture. `early`: they do not end
    the match by its rules. `why` is the note that everybody can read if they replace a result or hands. `sure`: the
    host knows that it changes the final table of a season that is closed. `ahead`: they played before the day of the
    fixture.

    Refused "no-such-fixture", "in-the-future", "given-up", "which-board", "no-such-board", "no-note", "same-result" and
    "changes-final"; GameError for totals that the game does not allow, `hand-unfinished` if nothing ended the match.
    """
    board = _board_or_only(event_id, board)
    asked = {"kind": "score", "fixture": fixture, "board": board, "totals": list(totals), "why": storable.note(why)}
    asked |= {"early": True} if early else {}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = league_in(event)
    there = _fixture(state, fixture)
    begun = event.matches.filter(pk=there.matches.get(board, 0)).exclude(sheet__stopped="abandoned").first()
    if (
        begun is None
        and not ahead
        and state.form is None
        and is_to_come(there, ZoneInfo(event.club.time_zone), step.now)
    ):
        text = _("The day of this fixture is still to come. If this is no mistake, tick that they played before it.")
        raise Refused("in-the-future", text)
    match = recording.locked(begun.pk) if begun else _match_for(event, there, board, step)
    done = {"ended": match.pk, "match": match.pk, "made": begun is None}
    events.append(event, asked | done, step)
    entry = typed_results.typed_entry(match, turned(state, board, totals), early=early, why=why, now=step.now)
    if state.closed and not sure:
        _must_keep_the_places(event, match, position(match).enter(entry))
    typed_results.enter(match, [entry], step)


@in_one_transaction
def give_up(*, event_id: int, fixture: int, absent: Sequence[int], reason: str = "", step: Step) -> None:
    """Notes which sides gave a fixture up (0: home, 1: away), so that it is lost by forfeit; none: it is to be played
    after all. A match in play is abandoned; an undo continues it.

    Refused "no-such-fixture", "fixture-played", "nobody-chosen"."""
    asked = {"kind": "absent", "fixture": fixture, "absent": sorted(absent), "reason": storable.note(reason)}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    there = _fixture(league_in(event), fixture)
    if not absent and not there.absent:
        raise Refused("nobody-chosen", _("Choose who gave the fixture up."))
    now = fixtures_now(results_now(event))[fixture]
    if absent and now.state == State.PLAYED:
        raise Refused("fixture-played", _("This fixture has a result. Correct that, or undo it first."))
    ended = steps.matches_in_play(event, round=fixture)
    events.append(event, asked | {"matches": [match.pk for match in ended]}, step)
    for match in ended:
        steps.record(match, {"kind": "stop", "stopped": "abandoned"}, f"{step.key}-stop", step)


@in_one_transaction
def withdraw(*, event_id: int, entrant: int, step: Step) -> None:
    """Notes that an entrant has left the league. By the rule of the setup, all their results are annulled, or they lose
    the fixtures that are left by forfeit. Refused "not-entered", "has-left" or "matches-open"."""
    asked = {"kind": "withdraw", "entrant": entrant}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = results_now(event)
    state, now = league_of(snapshot), fixtures_now(snapshot)
    if any(now[each.number].state == State.PLAYING for each in state.fixtures_of(entrant)):
        raise Refused("matches-open", _("They are playing a fixture. End that match first."))
    events.append(event, asked | {"annul": is_annulled(state, now, entrant)}, step)


@in_one_transaction
def close(*, event_id: int, early: bool, step: Step) -> None:
    """Ends the season. Refused "no-fixtures", "fixtures-open" while a fixture is to be played, or "rounds-left" while
    there is another round to draw, unless it is meant to end `early`."""
    asked = {"kind": "close"}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = results_now(event)
    _must_be_over(list(fixtures_now(snapshot).values()))
    if league_of(snapshot).by_results and not early and round_drawn(snapshot)[0]:
        text = _("Not all rounds are played. Draw the next round, or say that you want to close the season early.")
        raise Refused("rounds-left", text)
    event.closed_at = step.now
    event.save(update_fields=["closed_at"])
    events.append(event, asked | {"matches": [], "final": places(snapshot)}, step)


@in_one_transaction
def change_squad(*, event_id: int, entrant: int, joins: Sequence[str], leaves: Sequence[int], step: Step) -> None:
    """Players join a team by their names, at the end of its squad, and players with these ids leave it. What is over or
    whose line-ups are open stays. Unknown names become guests. Unsure as `people.named`.

    Refused "nobody-chosen", "wrong-size", "has-left", "not-in-squad", "other-squad", "empty-squad" or "no-teams".
    """
    asked = {"kind": "squad", "entrant": entrant, "names": list(joins), "left": sorted(leaves)}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    if not joins and not leaves:
        raise Refused("nobody-chosen", _("Type who joins the squad, or tick who leaves it."))
    joined = [player.pk for player in events.guests_named(event.club, joins, step)]
    entry = asked | {"joined": joined}
    after = events.entered(league_in(event), entry)
    assert isinstance(after, League)
    if len(after.squad_of(entrant)) > MOST_PLAYERS:
        raise Refused("wrong-size", _("A squad has up to {most} players.").format(most=MOST_PLAYERS))
    events.append(event, entry, step)


@in_one_transaction
def penalise(*, event_id: int, entrant: int, points: int | str, reason: str, step: Step) -> None:
    """Takes points off from the newest round on. `points` is written as in the tournament file. Refused "no-reason",
    "not-entered", "too-many-points"."""
    asked = {"kind": "penalty", "entrant": entrant, "points": points, "reason": storable.note(reason)}
    if not asked["reason"]:
        raise Refused("no-reason", _("Give a reason for the penalty."))
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = league_in(event)
    tournaments.must_be_possible(points, state.setup["worth"], max(state.rounds_made, state.rounds_wanted))
    begun = [each.fixture.round for each in fixtures_now(results_now(event)).values() if not each.open]
    events.append(event, asked | {"round": max(begun, default=1)}, step)


def not_closed() -> Refused:
    return Refused("not-closed", _("This season is not closed. Play all fixtures, then close it."))


@in_one_transaction
def next_season(*, event_id: int, name: str, setup: Mapping[str, Any], divisions: Divisions, step: Step) -> Event:
    """Begins the next season of a league that is closed, with these divisions. Raises as `start` and `divide`; also
    Refused "not-closed", or "season-made" if there is one."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    state = league_in(event)
    if not state.closed:
        raise not_closed()
    after = season_after(event, state)
    if after and not after.log.filter(seq=0, key=step.key).exists():
        text = _("The next season is made already: {name}. Change its setup and its divisions instead.")
        raise Refused("season-made", text.format(name=after.name))
    series = state.setup["series"] or event.pk
    begun = start(
        club=event.club, name=name, setup={"form": state.setup.get("form"), **setup, "series": series}, step=step
    )
    then = Step(step.by, f"{step.key}-divisions", 1, step.now, step.typist)
    divide(event_id=begun.pk, divisions=divisions, step=then)
    return begun


# --- their parts -------------------------------------------------------------------------------------------
def _must_be_over(fixtures: Sequence[FixtureNow]) -> None:
    if not fixtures:
        raise Refused("no-fixtures", _("There are no fixtures yet, so there is nothing to close."))
    if left := sum(each.open for each in fixtures):
        text = ngettext(
            "{n} fixture is not played. Type its result, or note who gave it up.",
            "{n} fixtures are not played. Type their results, or note who gave them up.",
            left,
        )
        raise Refused("fixtures-open", text.format(n=left))


def _must_keep_the_places(event: Event, match: Match, after: games.Match) -> None:
    """Refused "changes-final" if a correction would change the table of a season that is closed."""
    if found := moved_by(results_now(event), match, after):
        text = _("The season is closed, and this changes its final table: {moves}. To save it, tick that you are sure.")
        raise Refused("changes-final", text.format(moves=moved_text(found)))


def _board_or_only(event_id: int, board: int | None) -> int:
    """Refused "which-board" if a fixture has several, and none is named."""
    if board is not None:
        return board
    if league_in(Event.objects.get(pk=event_id)).boards > 1:
        text = _("This fixture has several boards. Start them, and type their results, on the page of its boards.")
        raise Refused("which-board", text)
    return 1


def _fixture(state: League, number: int) -> Fixture:
    """Refused "no-such-fixture"."""
    try:
        return state.fixture(number)
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error


def _to_play(event: Event, number: int, board: int) -> FixtureNow:
    """A fixture that has no match on this board. Refused "no-such-fixture", "given-up" or "fixture-begun"."""
    snapshot = results_now(event)
    there = _fixture(league_of(snapshot), number)
    boards = {match.pk: match for match in snapshot.matches if match.sheet["stopped"] != "abandoned"}
    if match := boards.get(there.matches.get(board, 0)):
        if match.finished_at:
            text = _("This fixture has a result: {totals}. Correct that, or undo it first.")
            raise Refused("fixture-begun", text.format(totals=totals_text(home_and_away(match))))
        raise Refused("fixture-begun", _("This fixture is in play already."))
    return fixtures_now(snapshot)[number]


def _pairing(state: League, fixture: Fixture, table: int, board: int) -> Pairing:
    """Refused as `League.pairing`, or "no-such-board"."""
    try:
        if not 0 < board <= state.boards:
            raise Impossible("no-such-board")
        return state.pairing(fixture, table, board)
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error


def _match_for(event: Event, fixture: Fixture, board: int, step: Step) -> Match:
    """A match at no table, for a result that is typed. Refused as `_pairing`."""
    pairing = _pairing(league_in(event), fixture, 0, board)
    return matches.at_no_table(pairing, event=event, round_number=fixture.number, now=step.now)
