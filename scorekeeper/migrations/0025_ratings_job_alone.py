"""One job at a time calculates ratings: two of them would write the same edition."""

from typing import Any

from django.db import migrations, models


def let_wait(apps: Any, schema_editor: Any) -> None:
    """Jobs that were running when the server was stopped wait for a worker again."""
    jobs = apps.get_model("scorekeeper", "Job").objects.using(schema_editor.connection.alias)
    jobs.filter(kind="ratings", state="running").update(state="new", lease_until=None)


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0024_public_names"),
    ]

    operations = [
        migrations.RunPython(let_wait, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", ("ratings",)), ("state", "running")),
                fields=("kind",),
                name="job_runs_alone",
            ),
        ),
    ]
