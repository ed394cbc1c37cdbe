"""An edition of the ratings says from when on its lines are its own, instead of each line when it ended. An edition that
was being calculated begins anew."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Min, Q


def keep_what_counts(apps: Any, schema_editor: Any) -> None:
    lines, books = (
        apps.get_model("scorekeeper", model).objects.using(schema_editor.connection.alias)
        for model in ("RatingLine", "RatingBook")
    )
    for book in books.all():
        lines.filter(until__lte=book.edition).delete()
        following = lines.filter(Q(since__gt=book.edition) | Q(until__gt=book.edition))
        if book.begun:
            first = following.aggregate(first=Min("at"))["first"]
            times = [each for each in (first, book.stale_from, book.unwritten_from) if each]
            books.filter(pk=book.pk).update(stale_from=min(times, default=None), unwritten_from=None)
        lines.filter(since__gt=book.edition).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0027_ratings_once_more"),
    ]

    operations = [
        migrations.RunPython(keep_what_counts, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name="ratingline",
            name="rating_line_by_player",
        ),
        migrations.RemoveIndex(
            model_name="ratingline",
            name="rating_line_by_person",
        ),
        migrations.RemoveIndex(
            model_name="ratingline",
            name="rating_line_by_club",
        ),
        migrations.RemoveField(
            model_name="ratingbook",
            name="begun",
        ),
        migrations.RemoveField(
            model_name="ratingline",
            name="until",
        ),
        migrations.AddField(
            model_name="ratingbook",
            name="next_from",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ratingbook",
            name="old_from",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="ratingline",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ratings",
                to="scorekeeper.match",
            ),
        ),
        migrations.AddIndex(
            model_name="ratingline",
            index=models.Index(fields=["player", "at", "match", "game", "since"], name="rating_line_by_player"),
        ),
        migrations.AddIndex(
            model_name="ratingline",
            index=models.Index(fields=["person", "at", "match", "game", "since"], name="rating_line_by_person"),
        ),
    ]
