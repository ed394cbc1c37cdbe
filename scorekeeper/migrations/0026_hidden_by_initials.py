"""Who is hidden is shown by initials where they played, as whoever is hidden from now on."""

from itertools import count
from typing import Any

from django.db import migrations

from scorekeeper.names import folded, initials


def shorten(apps: Any, schema_editor: Any) -> None:
    """Adds the names of hidden people to those that the public does not read, as hiding them does."""
    rows = {
        model: apps.get_model("scorekeeper", model).objects.using(schema_editor.connection.alias)
        for model in ("Club", "Player", "FormerName", "Seat", "Substitute")
    }
    for person in rows["Player"].filter(hidden=True, merged_into=None, deleted_at=None).order_by("pk"):
        same = {person.pk}
        while more := {*rows["Player"].filter(merged_into__in=same).values_list("pk", flat=True)} - same:
            same |= more
        names = {
            *rows["Player"].filter(pk__in=same).values_list("name", flat=True),
            *rows["FormerName"].filter(player__in=same).values_list("name", flat=True),
            *rows["Seat"].filter(player__in=same).values_list("name", flat=True),
            *rows["Seat"].filter(first_player__in=same).values_list("first_name", flat=True),
            *rows["Substitute"].filter(player__in=same).values_list("name", flat=True),
        }
        club = rows["Club"].get(pk=person.club_id)
        others = rows["Player"].filter(club=club).exclude(pk__in=same).values_list("name", flat=True)
        taken = {*map(folded, others), *map(folded, club.initials.values())}
        short = initials(person.name)
        ways = (short if number == 1 else f"{short} {number}" for number in count(1))
        shown = next(each for each in ways if folded(each) not in taken)
        club.initials = {**dict.fromkeys(map(folded, filter(None, names)), shown), **club.initials}
        club.save(update_fields=["initials"])


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0025_ratings_job_alone"),
    ]

    operations = [
        migrations.RunPython(shorten, migrations.RunPython.noop),
    ]
