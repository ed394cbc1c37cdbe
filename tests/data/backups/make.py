"""Writes a backup of a club with a row in every table. Before a release with new
migrations, run it once with an empty data folder:

    SCOREKEEPER_DATA=$(mktemp -d) PYTHONPATH=. python tests/data/backups/make.py

It names the file after the last migration. Commit it, and never change one that was committed: the tests restore all of
them, so that every later Scorekeeper reads the data of every earlier one.
"""

import os
import random
from datetime import UTC, datetime
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db.migrations.recorder import MigrationRecorder  # noqa: E402

from scorekeeper.access import Actor  # noqa: E402
from scorekeeper.models import Match  # noqa: E402
from scorekeeper.services import archive, backup, calls, clubs, demo, pads, recording, tables  # noqa: E402

NOW = datetime(2026, 11, 20, 21, 30, tzinfo=UTC)


def main() -> None:
    call_command("migrate", verbosity=0)
    club = demo.make(rng=random.Random(16), now=NOW)
    _club, owner = clubs.found_club(
        token=clubs.setup_link(NOW), club_name="Rovers", host_name="Ana", password="six of doubles", now=NOW
    )
    table = club.tables.order_by("number")[0]
    match = Match.objects.filter(table=table).latest("pk")
    tables.fresh_token(table=table, now=NOW, address="http://192.0.2.7:8000")
    pads.scan(table=table, phone="phone", now=NOW)
    calls.call(table=table, match=match, name="Ada", why="A tile is missing", now=NOW)
    came = {"kind": "substitute", "seat": 0, "player": "Núria «the 6–4» 🁫", "from": len(match.sheet["hands"]) - 1}
    recording.record(match_id=match.pk, seen=match.length, key="came", entry=came, by=Actor(owner), now=NOW)
    archive.start(club=club, by=owner, now=NOW)
    last = MigrationRecorder.Migration.objects.filter(app="scorekeeper").latest("name").name
    backup.write(Path(__file__).with_name(f"{last}.zip"), now=NOW)


if __name__ == "__main__":
    main()
