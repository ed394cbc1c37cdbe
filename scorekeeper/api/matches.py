"""Opening, reading and recording matches."""

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import read
from games.errors import GameError, Malformed, marked
from scorekeeper import access
from scorekeeper.access import Actor
from scorekeeper.api.errors import EntryRefused
from scorekeeper.api.reading import actor_in, is_set
from scorekeeper.models import Match, Role
from scorekeeper.selectors import matches as selectors
from scorekeeper.selectors.decisions import DECIDES, decisions_in
from scorekeeper.services import matches as services
from scorekeeper.services import recording
from scorekeeper.services.errors import Stale


class OpenMatch(APIView):
    """POST /tables/{id}/matches/ `{game, options, players, minutes}`: 201 and the match. Others may be open there."""

    def post(self, request: Request, table_id: int) -> Response:
        actor = actor_in(request)
        table = access.table_for(actor, table_id, need="record")
        body = read.keyed(read.json_value(request.body), required=("game", "players"), optional=("options", "minutes"))
        match = services.open_match(
            table=table,
            game=body["game"],
            options=body.get("options", {}),
            players=body["players"],
            minutes=body.get("minutes"),
            by=actor,
            now=timezone.now(),
            parallel=True,
        )
        return Response(_shown(match, actor, recording=True), status=201)


class ReadMatch(APIView):
    """GET /matches/{id}/: the match now."""

    def get(self, request: Request, match_id: int) -> Response:
        actor = actor_in(request)
        match = access.match_for(actor, match_id)
        return Response(_shown(match, actor, recording=access.may_record(actor, match, timezone.now())))


class Entries(APIView):
    """POST /matches/{id}/entries/ `{seen, key, kind, …}`: 201, or 200 for a repeated key or `?preview=1`."""

    def post(self, request: Request, match_id: int) -> Response:
        actor = actor_in(request)
        match = access.match_for(actor, match_id, need="record")
        try:
            preview = is_set(request, "preview")
            seen, key, entry = _read_entry(request.body, preview=preview)
        except GameError as error:
            raise EntryRefused(error, [{"way": "mend"}]) from error
        try:
            if preview:
                return Response(_previewed(match, seen, key, entry, actor))
            done = recording.record(match_id=match.pk, seen=seen, key=key, entry=entry, by=actor, now=timezone.now())
        except GameError as error:
            raise EntryRefused(error, selectors.ways(match, seen, entry, error)) from error
        except Stale as error:
            error.offers = _offered(match, error.offers, actor)
            raise
        offers = _offered(match, done.offers, actor)
        body = {"seq": done.seq, "length": done.length, "sheet": done.sheet, "offers": offers}
        return Response(body, status=200 if done.repeated else 201)


class MatchRecord(APIView):
    """GET /matches/{id}/record/: the match as a record."""

    def get(self, request: Request, match_id: int) -> Response:
        return Response(selectors.record_of(access.match_for(actor_in(request), match_id)))


def _read_entry(body: bytes, *, preview: bool) -> tuple[Any, Any, dict[str, Any]]:
    """`seen`, `key`, and the rest of the body, which is the entry. A preview needs no key."""
    value = read.json_value(body)
    if not isinstance(value, dict):
        raise Malformed(marked("Expected an object, not {value}."), value=read.shown(value))
    return value.pop("seen", None), value.pop("key", "preview" if preview else None), value


def _offered(match: Match, offers: dict[str, Any], actor: Actor) -> dict[str, Any]:
    """These offers without an undo of what a host decided, for everybody but hosts. No query after a move."""
    if offers["undoes"] not in DECIDES or access.has_role(actor, match.club_id, Role.DIRECTOR):
        return offers
    return offers | {"undo": offers["undo"] and not decisions_in(match).last}


def _shown(match: Match, actor: Actor, *, recording: bool) -> dict[str, Any]:
    return {
        "id": match.pk,
        "game": match.game,
        "options": match.options,
        "players": [seat.name for seat in match.seats.all()],
        "status": match.status,
        "length": match.length,
        "sheet": match.sheet,
        "offers": _offered(match, selectors.offers_for(match, recording=recording), actor),
    }


def _previewed(match: Match, seen: Any, key: Any, entry: dict[str, Any], by: Actor) -> dict[str, Any]:
    after = recording.preview(match_id=match.pk, seen=seen, key=key, entry=entry, by=by, now=timezone.now())
    return {"seq": seen, "length": seen + 1, "sheet": after.sheet(), "offers": after.offers()}
