"""Tournaments: those of a club, their files and standings, and the steps of their directors."""

import secrets
from collections.abc import Mapping
from functools import partial
from random import SystemRandom
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import read
from games.errors import Malformed, marked
from scorekeeper import access
from scorekeeper.api.reading import actor_in, is_set
from scorekeeper.api.steps import (
    CANCEL_PENALTY,
    UNDO,
    Body,
    Kind,
    asked,
    body_in,
    key,
    listed,
    numbers,
    points_off,
    sent,
    sides,
    some,
)
from scorekeeper.events.groups import DRAWS, Group
from scorekeeper.events.records import About
from scorekeeper.events.setup import KNOCK_OUT
from scorekeeper.events.tournament import Tournament
from scorekeeper.forms import directing as typed
from scorekeeper.forms.tournaments import setup_of_preset
from scorekeeper.models import Event, Role
from scorekeeper.selectors.events import tournaments_of
from scorekeeper.selectors.tournament_exports import file_for_everybody
from scorekeeper.selectors.tournament_results import TournamentResults, tournament_results
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import directing, entrants, events, free_play, schedules, setups, stages, tournaments
from scorekeeper.services.entrants import Named
from scorekeeper.services.events import Step
from scorekeeper.services.stages import Final
from scorekeeper.standings.advancing import Quota
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.writing import as_json


class OfClub(APIView):
    """GET /clubs/{club}/tournaments/: the newest first. POST `{key, name, preset, setup}`: 201 and the new one."""

    def get(self, request: Request, club: str) -> Response:
        actor = actor_in(request)
        found = access.club_for(actor, club)
        shown = tournaments_of(found, host=access.has_role(actor, found.pk, Role.DIRECTOR))
        return Response({"tournaments": [listed(each) for each in shown]})

    def post(self, request: Request, club: str) -> Response:
        actor = actor_in(request)
        found = access.club_for(actor, club, need=Role.DIRECTOR)
        body = read.keyed(body_in(request), required=("key", "name"), optional=("preset", "setup"))
        setup = {**_preset(body), **sent(body, "setup", _setup, {})}
        step = Step(actor, key(body["key"]), 0, timezone.now())
        made = tournaments.start(club=found, name=body["name"], setup=setup, step=step)
        return Response(_shown(made.pk, host=True), status=201)


class ReadTournament(APIView):
    """GET /tournaments/{id}/: the tournament now."""

    def get(self, request: Request, tournament_id: int) -> Response:
        actor = actor_in(request)
        found = access.tournament_for(actor, tournament_id)
        return Response(_shown(found.pk, host=access.has_role(actor, found.club_id, Role.DIRECTOR)))


class File(APIView):
    """GET /tournaments/{id}/file/: the tournament as its file. 404 before somebody is entered."""

    def get(self, request: Request, tournament_id: int) -> Response:
        return Response(file_for_everybody(_results(request, tournament_id).snapshot))


class Standings(APIView):
    """GET /tournaments/{id}/standings/: like `manage.py standings --json`, also with `?after=` and `?why=1`."""

    def get(self, request: Request, tournament_id: int) -> Response:
        results = _results(request, tournament_id)
        asked = request.query_params.get("after")
        found = calculate(read_value(results.file), after=None if asked is None else _rounds(asked, results.rounds))
        return Response(as_json(found, why=is_set(request, "why")))


class Steps(APIView):
    """POST /tournaments/{id}/entries/ `{seen, key, kind, …}`: one step of a director. 200 and the tournament now."""

    def post(self, request: Request, tournament_id: int) -> Response:
        found = access.tournament_for(actor_in(request), tournament_id, need="host")
        kind, body, step = asked(request, KINDS)
        kind.make(found, body, step)
        return Response(_shown(found.pk, host=True))


# --- the steps ---------------------------------------------------------------------------------------------
def _enter(found: Event, body: Body, step: Step) -> None:
    named = [_named(each) for each in sent(body, "entrants", some)]
    entrants.enter_named(event_id=found.pk, players=[], named=named, step=step)


def _withdraw(found: Event, body: Body, step: Step) -> None:
    tournaments.withdraw(event_id=found.pk, entrants=sent(body, "entrants", numbers), step=step)


def _return(found: Event, body: Body, step: Step) -> None:
    tournaments.come_back(event_id=found.pk, entrants=sent(body, "entrants", numbers), step=step)


def _schedule(found: Event, body: Body, step: Step) -> None:
    schedules.schedule(event=found, rng=SystemRandom(), step=step)


def _draft(found: Event, body: Body, step: Step) -> None:
    tournaments.draft_next(event_id=found.pk, step=step)


def _drop(found: Event, body: Body, step: Step) -> None:
    events.drop(event_id=found.pk, step=step)


def _seat(found: Event, body: Body, step: Step) -> None:
    minutes = typed.minutes({"minutes": str(sent(body, "minutes", read.whole))}) if "minutes" in body else None
    unconfirmed = sent(body, "unconfirmed", read.flag, False)
    tournaments.release(event_id=found.pk, minutes=minutes, unconfirmed=unconfirmed, step=step)


def _result(found: Event, body: Body, step: Step) -> None:
    """With `why` in place of what is there."""
    totals = sent(body, "totals", _totals)
    number, table = sent(body, "round", read.whole), sent(body, "table", read.whole)
    at = {"event_id": found.pk, "round_number": number, "table": table}
    early = sent(body, "early", read.flag, False)
    if "why" in body:
        directing.replace_result(**at, totals=totals, why=sent(body, "why", read.text), early=early, step=step)
    else:
        directing.type_result(**at, totals=totals, early=early, step=step)


def _forfeit(found: Event, body: Body, step: Step) -> None:
    tournaments.forfeit(
        event_id=found.pk,
        round_number=sent(body, "round", read.whole),
        table=sent(body, "table", read.whole),
        absent=sent(body, "absent", sides),
        step=step,
    )


def _penalty(found: Event, body: Body, step: Step) -> None:
    tournaments.penalise(
        event_id=found.pk,
        entrant=sent(body, "entrant", read.whole),
        round_number=sent(body, "round", read.whole),
        points=sent(body, "points", points_off),
        reason=sent(body, "reason", read.text),
        step=step,
    )


def _manual(found: Event, body: Body, step: Step) -> None:
    tournaments.decide(event_id=found.pk, places=sent(body, "places", _places), step=step)


def _group(found: Event, body: Body, step: Step) -> None:
    stages.group(event_id=found.pk, groups=sent(body, "groups", _groups), step=step)


def _draw_groups(found: Event, body: Body, step: Step) -> None:
    stages.draw_groups(
        event_id=found.pk,
        how=sent(body, "how", partial(read.one_of, choices=DRAWS)),
        names=[*map(read.text, sent(body, "names", some))],
        rng=SystemRandom(),
        step=step,
    )


def _move(found: Event, body: Body, step: Step) -> None:
    entrant, number = sent(body, "entrant", read.whole), sent(body, "group", read.whole)
    stages.move(event_id=found.pk, entrant=entrant, group=number, step=step)


def _lots(found: Event, body: Body, step: Step) -> None:
    equal = sent(body, "equal", numbers)
    stages.draw_lots(event_id=found.pk, quota=_quota(body), equal=equal, rng=SystemRandom(), step=step)


def _decide(found: Event, body: Body, step: Step) -> None:
    places, why = sent(body, "places", _places), sent(body, "why", read.text)
    stages.decide(event_id=found.pk, quota=_quota(body), places=places, why=why, step=step)


def _finals(found: Event, body: Body, step: Step) -> None:
    state = tournament_in(found)
    setup = _changed(state.setup, body, state)
    points_count = sent(body, "points_count", read.flag, False)
    finals = [_final(each, setup, state, points_count=points_count) for each in sent(body, "finals", some)]
    stages.begin_finals(event_id=found.pk, finals=finals, setup=setup, step=step)


def _way(found: Event, body: Body, step: Step) -> None:
    state = tournament_in(found)
    setup = _changed(state.setup, body, state) if "setup" in body else None
    stages.change_way(event_id=found.pk, final=sent(body, "final", read.whole), setup=setup, step=step)


def _match(found: Event, body: Body, step: Step) -> None:
    free_play.match(event=found, only_new=sent(body, "only_new", read.flag, False), rng=SystemRandom(), step=step)


def _start(found: Event, body: Body, step: Step) -> None:
    table = sent(body, "table", read.whole) if "table" in body else None
    entrants = sent(body, "entrants", numbers)
    free_play.start(event_id=found.pk, entrants=entrants, table=table, rng=SystemRandom(), step=step)


def _rest(found: Event, body: Body, step: Step) -> None:
    free_play.rest(event_id=found.pk, entrants=sent(body, "entrants", numbers), step=step)


def _play_on(found: Event, body: Body, step: Step) -> None:
    free_play.play_on(event_id=found.pk, entrants=sent(body, "entrants", numbers), step=step)


def _close(found: Event, body: Body, step: Step) -> None:
    early, unconfirmed = sent(body, "early", read.flag, False), sent(body, "unconfirmed", read.flag, False)
    open_matches = sent(body, "open", partial(setups.or_none, reader=_open_matches), None)
    tournaments.close(event_id=found.pk, open_matches=open_matches, early=early, unconfirmed=unconfirmed, step=step)


QUOTA = ("best", "by_places")
KINDS: Mapping[str, Kind] = {
    "enter": Kind(_enter, ("entrants",)),
    "withdraw": Kind(_withdraw, ("entrants",)),
    "return": Kind(_return, ("entrants",)),
    "schedule": Kind(_schedule),
    "draft": Kind(_draft),
    "drop": Kind(_drop),
    "seat": Kind(_seat, (), ("minutes", "unconfirmed")),
    "result": Kind(_result, ("round", "table", "totals"), ("early", "why")),
    "forfeit": Kind(_forfeit, ("round", "table", "absent")),
    "penalty": Kind(_penalty, ("entrant", "round", "points", "reason")),
    "cancel-penalty": CANCEL_PENALTY,
    "manual": Kind(_manual, ("places",)),
    "group": Kind(_group, ("groups",)),
    "draw-groups": Kind(_draw_groups, ("names", "how")),
    "move": Kind(_move, ("entrant", "group")),
    "lots": Kind(_lots, ("equal", "first"), QUOTA),
    "decide": Kind(_decide, ("places", "why", "first"), QUOTA),
    "finals": Kind(_finals, ("finals",), ("setup", "points_count")),
    "way": Kind(_way, ("final",), ("setup",)),
    "match": Kind(_match, (), ("only_new",)),
    "start": Kind(_start, ("entrants",), ("table",)),
    "rest": Kind(_rest, ("entrants",)),
    "play-on": Kind(_play_on, ("entrants",)),
    "close": Kind(_close, (), ("open", "early", "unconfirmed")),
    "undo": UNDO,
}


# --- what is sent ------------------------------------------------------------------------------------------
def _preset(body: Body) -> Mapping[str, Any]:
    """The setup of a preset, with lots that nobody could foresee."""
    if "preset" not in body:
        return {}
    return {**setup_of_preset(sent(body, "preset", read.text)), "lots": secrets.token_hex(4)}


def _setup(value: Any) -> Mapping[str, Any]:
    """What of a setup was sent. Malformed for a name that no setup has: it would change nothing, and nobody knew."""
    return read.keyed(value, optional=setups.NAMES)


def _changed(setup: Mapping[str, Any], body: Body, state: Tournament) -> dict[str, Any]:
    """The setup of a final with what was sent for it. A knock-out has no criteria; a final of another kind then has
    those of the tournament."""
    found = {**setup, **sent(body, "setup", _setup, {})}
    return found if found["system"] == KNOCK_OUT or found["order"] else {**found, "order": state.order}


def _totals(value: Any) -> list[int | None]:
    """By side; None for one that did not come."""
    return [None if each is None else read.number(each) for each in read.listed(value)]


def _open_matches(value: Any) -> str:
    return read.one_of(value, ("count", "abandon"))


def _groups(value: Any) -> list[Group]:
    return [_group_of(read.keyed(each, required=("name", "entrants"))) for each in read.listed(value)]


def _group_of(content: Body) -> Group:
    return Group(sent(content, "name", read.text), tuple(sent(content, "entrants", numbers)))


def _places(value: Any) -> dict[int, int | None]:
    """By entrant, as it was decided."""
    given = read.mapping(value)
    return typed.places(
        {f"place-{entrant}": "" if place is None else str(read.whole(place)) for entrant, place in given.items()}
    )


def _quota(body: Body) -> Quota:
    """Who goes on to the finals."""
    first, best = sent(body, "first", read.whole), sent(body, "best", read.whole, 0)
    return Quota(first, best, sent(body, "by_places", read.flag, False))


def _final(value: Any, setup: Mapping[str, Any], state: Tournament, *, points_count: bool) -> Final:
    """A final; `points_count` if it does not say otherwise."""
    content = read.keyed(value, required=("name", "entrants"), optional=("setup", "points_count"))
    own = _changed(setup, content, state) if "setup" in content else None
    return Final(_group_of(content), own, sent(content, "points_count", read.flag, points_count))


def _named(value: Any) -> Named:
    content = read.keyed(value, required=("players",), optional=("name", "club", "rating"))
    players = tuple(map(read.text, sent(content, "players", some)))
    about = About(
        sent(content, "name", read.text, ""),
        sent(content, "club", read.text, ""),
        sent(content, "rating", partial(setups.or_none, reader=read.whole), None),
    )
    return Named(players, about)


def _rounds(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Malformed(marked("Expected a whole number, not {value}."), value=read.shown(text))
    if int(text) > most:
        raise Malformed(marked("There is no round {number} here."), number=int(text))
    return int(text)


# --- what is answered --------------------------------------------------------------------------------------
def _results(request: Request, tournament_id: int) -> TournamentResults:
    results = tournament_results(access.tournament_for(actor_in(request), tournament_id))
    if not results.state.entrants:
        raise Http404(_("Nobody is entered yet."))
    return results


def _shown(event_id: int, *, host: bool) -> dict[str, Any]:
    """The tournament now. Before their release, only hosts know of rounds to come."""
    event = Event.objects.get(pk=event_id)
    state = tournament_in(event)
    secret = {"to_come": len(state.plan), "draft": state.draft is not None}
    return {
        **listed(event),
        "length": event.length,
        "rounds": len(state.rounds),
        "rounds_planned": state.rounds_announced,
        **(secret if host else {}),
    }
