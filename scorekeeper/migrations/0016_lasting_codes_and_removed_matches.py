"""QR codes that last, with a code to type; matches that hosts remove; hosts who settle a call."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


def end_expired(apps: Any, schema_editor: Any) -> None:
    """A code that has expired must not work again now that codes last. One of tonight lasts from now on."""
    codes = apps.get_model("scorekeeper", "DeviceToken").objects.using(schema_editor.connection.alias)
    codes.filter(revoked_at=None, expires_at__lte=timezone.now()).update(revoked_at=models.F("expires_at"))
    # PostgreSQL changes no table while checks of its rows are waiting.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0015_club_settings"),
    ]

    operations = [
        migrations.RunPython(end_expired, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name="devicetoken",
            name="device_token_lives_forward",
        ),
        migrations.RemoveField(
            model_name="devicetoken",
            name="expires_at",
        ),
        migrations.AddField(
            model_name="auditentry",
            name="match",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="scorekeeper.match",
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="settled_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="devicetoken",
            name="short",
            field=models.CharField(blank=True, max_length=20, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="match",
            name="removed",
            field=models.BooleanField(default=False),
        ),
    ]
