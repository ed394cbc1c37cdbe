"""Ladders: those of a club, their order and challenges, and the steps of their hosts and players."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import read
from scorekeeper import access
from scorekeeper.api.reading import actor_in
from scorekeeper.api.steps import UNDO, Body, Kind, asked, listed, sent, some, totals
from scorekeeper.events.ladder import Challenge
from scorekeeper.events.records import About
from scorekeeper.forms.ladders import day
from scorekeeper.models import Event, Role
from scorekeeper.pages.event import snapshot_of
from scorekeeper.selectors.events import EventNow, in_play
from scorekeeper.selectors.ladders import entrant_name, ladder_in, ladder_of, ladders_of, last_day, rungs_at
from scorekeeper.selectors.leagues import home_and_away
from scorekeeper.services import ladders, storable
from scorekeeper.services.entrants import Named
from scorekeeper.services.events import Step


class OfClub(APIView):
    """GET /clubs/{club}/ladders/: the newest first."""

    def get(self, request: Request, club: str) -> Response:
        actor = actor_in(request)
        found = access.club_for(actor, club)
        shown = ladders_of(found, host=access.has_role(actor, found.pk, Role.DIRECTOR))
        return Response({"ladders": [listed(each) for each in shown]})


class ReadLadder(APIView):
    """GET /ladders/{id}/: the ladder now, with its order and challenges."""

    def get(self, request: Request, ladder_id: int) -> Response:
        return Response(_shown(request, ladder_id))


class Steps(APIView):
    """POST /ladders/{id}/entries/ `{seen, key, kind, …}`: one step. 200 and the ladder now."""

    def post(self, request: Request, ladder_id: int) -> Response:
        actor = actor_in(request)
        found = access.ladder_for(actor, ladder_id)
        kind, body, step = asked(request, KINDS)
        access.must_play(actor, found, kind.players(found, body))
        kind.make(found, body, step)
        return Response(_shown(request, ladder_id))


# --- which players make a step -----------------------------------------------------------------------------
def _of(name: str) -> Callable[[Event, Body], Collection[int]]:
    """Those of the entrant with the number under this name."""

    def players(found: Event, body: Body) -> Collection[int]:
        state, entrant = ladder_in(found), sent(body, name, read.whole)
        return state.may_act_for(*{entrant} & state.entrants.keys())

    return players


def _sides(found: Event, body: Body) -> tuple[int, ...]:
    return ladder_in(found).sides_of.get(sent(body, "challenge", read.whole), ())


def _both(found: Event, body: Body) -> Collection[int]:
    return ladder_in(found).may_act_for(*_sides(found, body))


def _challenger(found: Event, body: Body) -> Collection[int]:
    return ladder_in(found).may_act_for(*_sides(found, body)[:1])


def _challenged(found: Event, body: Body) -> Collection[int]:
    return ladder_in(found).may_act_for(*_sides(found, body)[1:])


def _other_side(found: Event, body: Body) -> Collection[int]:
    return ladder_in(found).may_act_for(*(each for each in _sides(found, body) if each != body["side"]))


# --- the steps ---------------------------------------------------------------------------------------------
def _join(found: Event, body: Body, step: Step) -> None:
    entrants = [_named(each) for each in sent(body, "entrants", some)]
    place = sent(body, "rung", read.whole) if "rung" in body else None
    ladders.join(event_id=found.pk, entrants=entrants, place=place, step=step)


def _named(value: Any) -> Named:
    content = read.keyed(value, required=("players",), optional=("name",))
    return Named(tuple(map(read.text, sent(content, "players", some))), About(sent(content, "name", read.text, "")))


def _move(found: Event, body: Body, step: Step) -> None:
    ladders.move(
        event_id=found.pk, entrant=sent(body, "entrant", read.whole), place=sent(body, "rung", read.whole), step=step
    )


def _leave(found: Event, body: Body, step: Step) -> None:
    ladders.leave(event_id=found.pk, entrant=sent(body, "entrant", read.whole), step=step)


def _away(found: Event, body: Body, step: Step) -> None:
    ladders.set_away(
        event_id=found.pk, entrant=sent(body, "entrant", read.whole), away=body["kind"] == "away", step=step
    )


def _challenge(found: Event, body: Body, step: Step) -> None:
    challenger, challenged = sent(body, "challenger", read.whole), sent(body, "challenged", read.whole)
    ladders.challenge(event_id=found.pk, challenger=challenger, challenged=challenged, step=step)


def _answer(found: Event, body: Body, step: Step) -> None:
    accept = body["kind"] == "accept"
    ladders.answer(event_id=found.pk, number=sent(body, "challenge", read.whole), accept=accept, step=step)


def _take_back(found: Event, body: Body, step: Step) -> None:
    ladders.take_back(event_id=found.pk, number=sent(body, "challenge", read.whole), step=step)


def _play(found: Event, body: Body, step: Step) -> None:
    number, table = sent(body, "challenge", read.whole), sent(body, "table", read.whole)
    by_host = access.has_role(step.by, found.club_id, Role.DIRECTOR)
    ladders.play(event_id=found.pk, number=number, table=table, by_host=by_host, step=step)


def _result(found: Event, body: Body, step: Step) -> None:
    """With `why` in place of what is there."""
    number, why = sent(body, "challenge", read.whole), sent(body, "why", storable.note, "")
    early = sent(body, "early", read.flag, False)
    ladders.type_result(
        event_id=found.pk, number=number, totals=sent(body, "totals", totals), early=early, why=why, step=step
    )


def _claim(found: Event, body: Body, step: Step) -> None:
    number, side = sent(body, "challenge", read.whole), sent(body, "side", read.whole)
    early = sent(body, "early", read.flag, False)
    ladders.claim(
        event_id=found.pk, number=number, side=side, totals=sent(body, "totals", totals), early=early, step=step
    )


def _confirm(found: Event, body: Body, step: Step) -> None:
    ladders.confirm(
        event_id=found.pk, number=sent(body, "challenge", read.whole), side=sent(body, "side", read.whole), step=step
    )


def _respond(found: Event, body: Body, step: Step) -> None:
    correct = body["kind"] == "correct"
    ladders.respond(event_id=found.pk, number=sent(body, "challenge", read.whole), correct=correct, step=step)


def _award(found: Event, body: Body, step: Step) -> None:
    climbs = sent(body, "climbs", read.flag)
    ladders.award(event_id=found.pk, number=sent(body, "challenge", read.whole), climbs=climbs, step=step)


def _date(found: Event, body: Body, step: Step) -> None:
    number, last = sent(body, "challenge", read.whole), day(sent(body, "day", read.text))
    ladders.set_last_day(event_id=found.pk, number=number, day=last, step=step)


def _close(found: Event, _body: Body, step: Step) -> None:
    ladders.close(event_id=found.pk, step=step)


KINDS: Mapping[str, Kind] = {
    "join": Kind(_join, ("entrants",), ("rung",)),
    "move": Kind(_move, ("entrant", "rung")),
    "leave": Kind(_leave, ("entrant",)),
    "away": Kind(_away, ("entrant",), players=_of("entrant")),
    "back": Kind(_away, ("entrant",), players=_of("entrant")),
    "challenge": Kind(_challenge, ("challenger", "challenged"), players=_of("challenger")),
    "accept": Kind(_answer, ("challenge",), players=_challenged),
    "decline": Kind(_answer, ("challenge",), players=_challenged),
    "take-back": Kind(_take_back, ("challenge",), players=_challenger),
    "play": Kind(_play, ("challenge", "table"), players=_both),
    "result": Kind(_result, ("challenge", "totals"), ("early", "why")),
    "claim": Kind(_claim, ("challenge", "side", "totals"), ("early",), _of("side")),
    "confirm": Kind(_confirm, ("challenge", "side"), players=_other_side),
    "correct": Kind(_respond, ("challenge",), players=_both),
    "dispute": Kind(_respond, ("challenge",), players=_both),
    "award": Kind(_award, ("challenge", "climbs")),
    "date": Kind(_date, ("challenge", "day")),
    "close": Kind(_close),
    "undo": UNDO,
}


# --- what is answered --------------------------------------------------------------------------------------
def _shown(request: Request, ladder_id: int) -> dict[str, Any]:
    now, at = snapshot_of(access.ladder_for(actor_in(request), ladder_id)), timezone.now()
    state, rungs = ladder_of(now), rungs_at(now, at)
    return {
        **listed(now.event),
        "length": now.event.length,
        "entrants": [
            {"id": number, "name": entrant_name(now, number), "players": list(map(now.name, team.players))}
            for number, team in state.entrants.items()
        ],
        "order": [
            {
                "entrant": entrant,
                "away": entrant in rungs.away,
                "may_challenge": [] if state.closed else list(rungs.may_challenge(entrant, at)),
            }
            for entrant in rungs.order
        ],
        "challenges": list(_challenges(now, rungs.challenges.values())),
    }


def _challenges(now: EventNow, challenges: Iterable[Challenge]) -> Iterable[dict[str, Any]]:
    """Their sides and totals are those of the challenger and the challenged."""
    matches, zone = {match.pk: match for match in now.matches}, ZoneInfo(now.event.club.time_zone)
    for each in challenges:
        match = matches[each.match] if each.match else None
        yield {
            "challenge": each.number,
            "sides": list(each.sides),
            "last_day": last_day(each, zone).isoformat(),
            "state": each.state,
            "claims": [{"side": side, "totals": typed["totals"]} for side, typed in each.claims.items()],
            "totals": list(home_and_away(match)) if match and not in_play(match) else None,
            "match": each.match,
            "climbed": each.climbed,
        }
