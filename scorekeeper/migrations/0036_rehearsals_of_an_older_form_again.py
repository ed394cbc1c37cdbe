"""What a rehearsal found now has the standings of each stage, and how many rounds had begun. Rehearsals without them are
deleted: anybody can ask for a new one."""

from typing import Any

from django.db import migrations


def delete_older(apps: Any, schema_editor: Any) -> None:
    jobs = apps.get_model("scorekeeper", "Job").objects.using(schema_editor.connection.alias)
    jobs.filter(kind="rehearsal", state="done").exclude(best__has_key="begun").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0035_nestor_in_a_seat"),
    ]

    operations = [
        migrations.RunPython(delete_older, migrations.RunPython.noop),
    ]
