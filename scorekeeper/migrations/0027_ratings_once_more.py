"""What is expected before a match has changed in its last digit, and news of ratings have places and more kinds of
causes: all ratings are calculated once more, and the news begin anew."""

from typing import Any

from django.db import migrations
from django.db.models import Min


def begin_anew(apps: Any, schema_editor: Any) -> None:
    news, lines, books = (
        apps.get_model("scorekeeper", model).objects.using(schema_editor.connection.alias)
        for model in ("RatingNews", "RatingLine", "RatingBook")
    )
    news.all().delete()
    first = lines.aggregate(first=Min("at"))["first"]
    if first is None:
        return
    since = first.isoformat()
    cause = {"kind": "repair", "club": None, "match": None, "players": [], "event": None, "since": since}
    books.update(stale_from=first, causes=[cause])


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0026_hidden_by_initials"),
    ]

    operations = [
        migrations.RunPython(begin_anew, migrations.RunPython.noop),
    ]
