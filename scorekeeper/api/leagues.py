"""Leagues: those of a club, their fixtures and tables, and the steps of their hosts and players."""

from collections.abc import Collection, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import read
from scorekeeper import access
from scorekeeper.api.reading import actor_in
from scorekeeper.api.steps import (
    CANCEL_PENALTY,
    UNDO,
    Body,
    Kind,
    asked,
    listed,
    numbers,
    points_off,
    sent,
    sides,
    totals,
)
from scorekeeper.forms.leagues import moment
from scorekeeper.models import Event, Role
from scorekeeper.pages.event import snapshot_of
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import (
    FixtureNow,
    fixtures_now,
    league_file,
    league_in,
    league_of,
    leagues_of,
    tables_now,
    team_name,
)
from scorekeeper.services import leagues, storable
from scorekeeper.services.events import Step
from scorekeeper.standings.writing import as_json


class OfClub(APIView):
    """GET /clubs/{club}/leagues/: the seasons of its leagues, the newest first."""

    def get(self, request: Request, club: str) -> Response:
        actor = actor_in(request)
        found = access.club_for(actor, club)
        shown = leagues_of(found, host=access.has_role(actor, found.pk, Role.DIRECTOR))
        return Response({"leagues": [listed(each) for each in shown]})


class ReadLeague(APIView):
    """GET /leagues/{id}/: the league now, with its divisions, entrants and fixtures."""

    def get(self, request: Request, league_id: int) -> Response:
        return Response(_shown(request, league_id))


class File(APIView):
    """GET /leagues/{id}/file/: the league as a tournament file. 404 before somebody is entered."""

    def get(self, request: Request, league_id: int) -> Response:
        return Response(league_file(_entered(request, league_id)))


class Standings(APIView):
    """GET /leagues/{id}/standings/: the tables of its divisions, like `manage.py standings --json`."""

    def get(self, request: Request, league_id: int) -> Response:
        return Response(as_json(tables_now(_entered(request, league_id)), why=False))


class Steps(APIView):
    """POST /leagues/{id}/entries/ `{seen, key, kind, …}`: one step. 200 and the league now."""

    def post(self, request: Request, league_id: int) -> Response:
        actor = actor_in(request)
        found = access.league_for(actor, league_id)
        kind, body, step = asked(request, KINDS)
        access.must_play(actor, found, kind.players(found, body))
        kind.make(found, body, step)
        return Response(_shown(request, league_id))


# --- the steps ---------------------------------------------------------------------------------------------
def _its_players(found: Event, body: Body) -> Collection[int]:
    """Those who play in the fixture. Only hosts name a board: boards are for teams, whose fixtures hosts run."""
    state = league_in(found)
    fixture = state.fixtures.get(sent(body, "fixture", read.whole))
    return state.may_play(fixture) if fixture and "board" not in body else ()


def _fixtures(found: Event, _body: Body, step: Step) -> None:
    leagues.make_fixtures(event_id=found.pk, step=step)


def _round(found: Event, _body: Body, step: Step) -> None:
    leagues.draw_round(event_id=found.pk, step=step)


def _exchange(found: Event, body: Body, step: Step) -> None:
    entrants = sent(body, "entrants", numbers)
    leagues.exchange(event_id=found.pk, round_number=sent(body, "round", read.whole), entrants=entrants, step=step)


def _play(found: Event, body: Body, step: Step) -> None:
    leagues.play(event_id=found.pk, **_where(body), table=sent(body, "table", read.whole), step=step)


def _result(found: Event, body: Body, step: Step) -> None:
    """With `why` in place of what is there."""
    leagues.type_result(
        event_id=found.pk,
        **_where(body),
        totals=sent(body, "totals", totals),
        early=sent(body, "early", read.flag, False),
        why=sent(body, "why", storable.note, ""),
        sure=sent(body, "sure", read.flag, False),
        ahead=sent(body, "ahead", read.flag, False),
        step=step,
    )


def _date(found: Event, body: Body, step: Step) -> None:
    """Without a day and a time it is postponed."""
    when = {name: sent(body, name, read.text, "") for name in ("day", "time")}
    leagues.set_date(
        event_id=found.pk,
        fixture=sent(body, "fixture", read.whole),
        at=moment(when, ZoneInfo(found.club.time_zone)),
        where=sent(body, "where", storable.note, ""),
        reason=sent(body, "reason", storable.note, ""),
        step=step,
    )


def _forfeit(found: Event, body: Body, step: Step) -> None:
    leagues.give_up(
        event_id=found.pk,
        fixture=sent(body, "fixture", read.whole),
        absent=sent(body, "absent", sides),
        reason=sent(body, "reason", storable.note, ""),
        step=step,
    )


def _withdraw(found: Event, body: Body, step: Step) -> None:
    leagues.withdraw(event_id=found.pk, entrant=sent(body, "entrant", read.whole), step=step)


def _penalty(found: Event, body: Body, step: Step) -> None:
    leagues.penalise(
        event_id=found.pk,
        entrant=sent(body, "entrant", read.whole),
        points=sent(body, "points", points_off),
        reason=sent(body, "reason", storable.note, ""),
        step=step,
    )


def _close(found: Event, body: Body, step: Step) -> None:
    leagues.close(event_id=found.pk, early=sent(body, "early", read.flag, False), step=step)


KINDS: Mapping[str, Kind] = {
    "fixtures": Kind(_fixtures),
    "round": Kind(_round),
    "exchange": Kind(_exchange, ("round", "entrants")),
    "play": Kind(_play, ("fixture", "table"), ("board",), _its_players),
    "result": Kind(_result, ("fixture", "totals"), ("board", "early", "why", "sure", "ahead"), _its_players),
    "date": Kind(_date, ("fixture",), ("day", "time", "where", "reason")),
    "forfeit": Kind(_forfeit, ("fixture", "absent"), ("reason",)),
    "withdraw": Kind(_withdraw, ("entrant",)),
    "penalty": Kind(_penalty, ("entrant", "points", "reason")),
    "cancel-penalty": CANCEL_PENALTY,
    "close": Kind(_close, (), ("early",)),
    "undo": UNDO,
}


def _where(body: Body) -> dict[str, int]:
    """The fixture, and its board if that is named."""
    return {name: sent(body, name, read.whole) for name in ("fixture", "board") if name in body}


# --- what is answered --------------------------------------------------------------------------------------
def _now(request: Request, league_id: int) -> EventNow:
    return snapshot_of(access.league_for(actor_in(request), league_id))


def _entered(request: Request, league_id: int) -> EventNow:
    now = _now(request, league_id)
    if not league_of(now).entrants:
        raise Http404(_("Nobody is entered yet."))
    return now


def _shown(request: Request, league_id: int) -> dict[str, Any]:
    now = _now(request, league_id)
    state = league_of(now)
    return {
        **listed(now.event),
        "length": now.event.length,
        "divisions": [{"name": each.name, "entrants": list(each.entrants)} for each in state.divisions],
        "entrants": [
            {"id": number, "name": team_name(now, number), "players": list(map(now.name, team.players))}
            for number, team in state.entrants.items()
        ],
        "fixtures": [_fixture(each) for each in fixtures_now(now).values()],
    }


def _fixture(now: FixtureNow) -> dict[str, Any]:
    """Its sides and totals are those of home and away; `reason` says why it is postponed or was given up."""
    fixture = now.fixture
    return {
        "fixture": fixture.number,
        "division": fixture.division,
        "round": fixture.round,
        "sides": list(fixture.sides),
        "at": fixture.at.isoformat() if fixture.at else None,
        "where": fixture.where,
        "state": now.state,
        "reason": fixture.why_absent if fixture.absent else fixture.postponed,
        "totals": list(now.totals) if now.totals else None,
        "absent": sorted(now.absent),
        "match": now.match.pk if now.match else None,
    }
