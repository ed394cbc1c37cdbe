"""Everything that is stored about one person, as a ZIP file for whoever asked for it."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from games import GAMES
from scorekeeper.models import (
    AuditEntry,
    Entrant,
    FormerName,
    Job,
    LogEntry,
    Match,
    Membership,
    Player,
    RatingLine,
    Seat,
    SeatResult,
    SignIn,
    Substitute,
    User,
    shown,
)
from scorekeeper.models.job import PERSON_EXPORT
from scorekeeper.names import folded, rewritten
from scorekeeper.selectors.clubs import names_of, same_people
from scorekeeper.selectors.matches import seated_now
from scorekeeper.selectors.people import matches_of
from scorekeeper.selectors.ratings import edition, in_edition, in_full
from scorekeeper.services import archive, files, jobs
from scorekeeper.services.changes import in_one_transaction

KIND = PERSON_EXPORT


@in_one_transaction
def start(*, player: Player, by: User, now: datetime) -> Job:
    """Starts the export for this user. Returns the job that is already running, if any."""
    args = {"player": player.pk}
    going = Job.objects.filter(kind=KIND, args=args, by=by, state__in=[Job.State.NEW, Job.State.RUNNING])
    return going.first() or jobs.start(kind=KIND, args=args, club=player.club, by=by, now=now)


def write(run: jobs.Run) -> None:
    """Writes the job's file: `person.json`, and `records.ndjson` with a line for each match in which the person sat. It
    names others as the public sees them."""
    player = Player.objects.select_related("club", "user").get(pk=run.job.args["player"])
    same = same_people(player.club_id, player.pk)
    own = {folded(name) for name in names_of(same)}
    others = {name: initials for name, initials in player.club.initials.items() if name not in own}
    result = f"person-{player.pk}-{run.job.pk}.zip"
    with (
        files.making(run, result) as folder,
        ZipFile(folder / result, "w", ZIP_DEFLATED) as written,
        shown.showing(lambda: others),
    ):
        about = _about(player, same, own)
        written.writestr("person.json", json.dumps(about, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1))
        with written.open("records.ndjson", "w") as lines:
            matches = matches_of(same)
            total = matches.count()
            for done, match in enumerate(archive.in_order(matches), start=1):
                lines.write(json.dumps(archive.record(match), ensure_ascii=False).encode() + b"\n")
                run.progress(done, max(done, total))


def _about(player: Player, same: Collection[int], own: Collection[str]) -> dict[str, Any]:
    club, user = player.club, player.user
    named = dict.fromkeys(own, "")
    audit = AuditEntry.objects.filter(club=club).exclude(what="").order_by("pk")
    made = LogEntry.objects.filter(match__club=club, user=user).order_by("pk") if user else LogEntry.objects.none()
    sat = ("match", "number", "name")
    return {
        "club": club.name,
        "people": _rows(Player.objects.filter(pk__in=same), "name", "guest", "hidden", "initials", "left"),
        "former_names": _rows(FormerName.objects.filter(player__in=same), "name", "until"),
        "account": user and {"name": user.get_username(), "mail": user.email, "joined": user.date_joined},
        "roles": _rows(Membership.objects.filter(club=club, user=user), "role") if user else [],
        "sign_ins": _rows(SignIn.objects.filter(user=user), "at", "browser") if user else [],
        "seats": _rows(Seat.objects.filter(player__in=same), *sat),
        "seats_at_first": _rows(Seat.objects.filter(first_player__in=same), "match", "number", "first_name"),
        "substitutions": _rows(Substitute.objects.filter(player__in=same), *sat, "from_hand"),
        "events": _rows(Entrant.objects.filter(player__in=same), "event", "event__name", "event__started_at", "number"),
        "results": _rows(
            SeatResult.objects.filter(player__in=same),
            *("match", "game", "seat", "points", "against", "place", "hands"),
        ),
        "ratings": [_rating(line) for line in in_edition(edition()).filter(player__in=same).order_by("at", "match")],
        "matches": [_match(match) for match in archive.in_order(matches_of(same))],
        "entries": _rows(made, "match", "seq", "kind", "payload", "at"),
        "who_did_what": [
            {"at": each.at, "kind": each.kind, "what": each.what}
            for each in audit.iterator()
            if rewritten(each.what, named) != each.what
        ],
    }


def _rating(line: RatingLine) -> dict[str, Any]:
    """By game and family of games: in the club, and among all clubs of the server."""
    scopes = {"in_the_club": line.values, "on_the_server": line.everywhere}
    ratings = {
        scope: {group: in_full(values, line.at) for group, values in (of or {}).items()} for scope, of in scopes.items()
    }
    return {"match": line.match_id, "game": line.game, "at": line.at, **ratings}


def _match(match: Match) -> dict[str, Any]:
    """Who sat there, and the points of each side."""
    names, totals = [seat.name for seat in seated_now(match)], match.sheet["totals"]
    sides = [
        {"players": [names[seat] for seat in side], "points": totals[side[0]]}
        for side in GAMES[match.game].sides(len(names))
    ]
    ends = {"status": match.status, "begun_at": match.created_at, "ended_at": match.finished_at}
    return {"match": match.pk, "game": match.game, **ends, "sides": sides}


def _rows(rows: QuerySet[Any], *columns: str) -> list[Mapping[str, Any]]:
    return list(rows.order_by("pk").values(*columns))
