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
            model_name="auditentry",
            name="audit_kind_known",
        ),
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
        migrations.AlterField(
            model_name="auditentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("code-made", "made a QR code"),
                    ("code-revoked", "revoked a QR code"),
                    ("codes-revoked", "revoked all QR codes"),
                    ("phone-revoked", "revoked a phone"),
                    ("table-added", "added the table"),
                    ("table-opened", "opened the table"),
                    ("table-closed", "closed the table"),
                    ("player-added", "added the player"),
                    ("player-renamed", "renamed a player:"),
                    ("time-set", "set the minutes of a match:"),
                    ("last-hand-called", "called the last hand of a match"),
                    ("last-hand-off", "cancelled the last hand of a match"),
                    ("declined", "declined the entry of"),
                    ("arrived", "noted as here:"),
                    ("not-arrived", "noted as not here:"),
                    ("search-stopped", "stopped the search for a schedule and kept the best"),
                    ("search-cancelled", "cancelled the search for a schedule"),
                    ("role-given", "got the role"),
                    ("invited", "made an invitation with the role"),
                    ("role-set", "changed a role:"),
                    ("member-removed", "removed a member:"),
                    ("password-link", "made a link for a new password of"),
                    ("password-set", "set a new password:"),
                    ("signed-in", "signed in"),
                    ("match-removed", "removed the match:"),
                    ("match-restored", "restored the match"),
                    ("locked-out", "was locked out after wrong passwords from"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="auditentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "code-made",
                            "code-revoked",
                            "codes-revoked",
                            "phone-revoked",
                            "table-added",
                            "table-opened",
                            "table-closed",
                            "player-added",
                            "player-renamed",
                            "time-set",
                            "last-hand-called",
                            "last-hand-off",
                            "declined",
                            "arrived",
                            "not-arrived",
                            "search-stopped",
                            "search-cancelled",
                            "role-given",
                            "invited",
                            "role-set",
                            "member-removed",
                            "password-link",
                            "password-set",
                            "signed-in",
                            "match-removed",
                            "match-restored",
                            "locked-out",
                        ],
                    )
                ),
                name="audit_kind_known",
            ),
        ),
    ]
