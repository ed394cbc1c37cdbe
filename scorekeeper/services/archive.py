"""All matches of a club in one file: the records and a table of results."""

import csv
import json
import shutil
from collections.abc import Iterator
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import transaction

from scorekeeper.models import Club, Job, Match, User
from scorekeeper.selectors.matches import record_of
from scorekeeper.services import jobs

KIND = "archive"
COLUMNS = ("match", "date", "game", "table", "seat", "player", "points", "won", "status")
AT_ONCE = 100  # matches read together: memory stays the same however many there are


def folder() -> Path:
    return Path(settings.DATA) / "archives"


@transaction.atomic
def start(*, club: Club, by: User | None, now: datetime) -> Job:
    """Asks for an archive of the club's matches; one that is still on its way is given back instead."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    going = Job.objects.filter(club=club, kind=KIND, state__in=[Job.State.NEW, Job.State.RUNNING], cancel_asked=False)
    return going.first() or jobs.start(kind=KIND, args={}, club=club, by=by, now=now)


def file_of(job: Job) -> Path | None:
    """The finished file, None when there is none (any more)."""
    file = folder() / job.result
    return file if job.state == Job.State.DONE and job.result and file.is_file() else None


def write(run: jobs.Run) -> None:
    """Writes the job's archive beside its place and moves it there when whole; leaves nothing when it fails."""
    job = run.job
    folder().mkdir(parents=True, exist_ok=True)
    for left in folder().glob(f".{job.pk}.*"):  # by a try that was killed
        shutil.rmtree(left)
    unfinished = folder() / f".{job.pk}.{job.tries}"
    unfinished.mkdir()
    try:
        _fill(unfinished, run)
        result = f"{job.club.slug}-{job.made_at:%Y-%m-%d}-{job.pk}.zip"
        with transaction.atomic():
            run.done(result=result)
            (unfinished / "archive.zip").replace(folder() / result)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _fill(unfinished: Path, run: jobs.Run) -> None:
    matches = Match.objects.filter(club=run.job.club).order_by("pk")
    total = matches.count()
    run.progress(0, total)
    table = unfinished / "matches.csv"
    with ZipFile(unfinished / "archive.zip", "w", ZIP_DEFLATED) as archive:
        # One pass, though a ZIP takes one member at a time: the table of results waits beside it.
        with (
            archive.open("records.ndjson", "w", force_zip64=True) as records,
            table.open("w", newline="") as rows,
        ):
            results = csv.writer(rows)
            results.writerow(COLUMNS)
            with TextIOWrapper(records, encoding="utf-8") as lines:
                for done, match in enumerate(_in_order(run.job.club), start=1):
                    lines.write(json.dumps(_record(match), ensure_ascii=False, separators=(",", ":")) + "\n")
                    results.writerows(_rows(match))
                    run.progress(done, max(done, total))
        archive.write(table, table.name)


def _in_order(club: Club) -> Iterator[Match]:
    """By their number, some at a time: no transaction and no cursor stays open meanwhile."""
    last = 0
    while found := list(
        Match.objects.filter(club=club, pk__gt=last)
        .select_related("club", "table")
        .prefetch_related("seats")
        .order_by("pk")[:AT_ONCE]
    ):
        yield from found
        last = found[-1].pk


def _record(match: Match) -> dict[str, Any]:
    """What anybody may have of the match, with what finds it again."""
    meta = {"id": str(match.pk), "date": _date(match), "place": match.club.name, "table": _table(match)}
    return record_of(match) | {"meta": {key: text for key, text in meta.items() if text}}


def _rows(match: Match) -> Iterator[tuple[Any, ...]]:
    sheet = match.sheet
    for seat in match.seats.all():
        won = "yes" if seat.number in sheet["winners"] else "no"
        points = sheet["totals"][seat.number]
        of_match = (match.pk, _date(match), match.game, _table(match))
        yield (*of_match, seat.number, _cell(seat.name), points, won, match.status)


def _date(match: Match) -> str:
    return f"{match.created_at:%Y-%m-%d}"


def _table(match: Match) -> str:
    return str(match.table.number) if match.table else ""


def _cell(text: str) -> str:
    """A name that a spreadsheet must not take for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
