"""Names to sign in with, whatever their capitals; links that set passwords; where users are signed in."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import scorekeeper.models.club
from scorekeeper.names import folded


def fold_names(apps: Any, schema_editor: Any) -> None:
    """Until now, two names could differ in capitals only, if a program made them: the later one gets its number."""
    users = apps.get_model("scorekeeper", "User").objects.using(schema_editor.connection.alias)
    taken: set[str] = set()
    for user in users.order_by("pk"):
        user.folded = folded(user.username)
        if user.folded in taken:
            user.username = f"{user.username[:130]} {user.pk}"
            user.folded = folded(user.username)
        taken.add(user.folded)
        user.save(update_fields=["username", "folded"])


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0009_match_clock"),
    ]

    operations = [
        migrations.AlterModelManagers(
            name="user",
            managers=[("objects", scorekeeper.models.club.Users())],
        ),
        migrations.AddField(
            model_name="user",
            name="folded",
            field=models.CharField(editable=False, max_length=300, null=True),
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="folded",
            field=models.CharField(editable=False, max_length=300, unique=True),
        ),
    ]
