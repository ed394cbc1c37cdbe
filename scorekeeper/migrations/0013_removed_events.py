"""Tournaments that are removed, so that their matches do not count in the tables of their club."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def find_removed(apps: Any, schema_editor: Any) -> None:
    """Nothing but an undo can follow a removal, and that restores the tournament."""
    events = apps.get_model("scorekeeper", "Event").objects.using(schema_editor.connection.alias)
    events.filter(log__seq=F("length") - 1, log__kind="remove").update(removed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0012_audit_of_tournaments"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="removed",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(find_removed, migrations.RunPython.noop),
    ]
