from itertools import islice
from typing import Any

from django.db import migrations, models

import scorekeeper.models.named
from scorekeeper.models.named import following

MODELS = ['club', 'event', 'formername', 'player']
AT_ONCE = 1000


def fill(apps: Any, schema_editor: Any) -> None:
    database = schema_editor.connection
    for name in MODELS:
        model = apps.get_model('scorekeeper', name)
        rows = model.objects.using(database.alias).order_by().values_list('pk', 'name').iterator(AT_ONCE)
        filled = ((*following(name).values(), pk) for pk, name in list(rows))
        with database.cursor() as cursor:
            while batch := list(islice(filled, AT_ONCE)):
                cursor.executemany(
                    f'UPDATE {model._meta.db_table} SET name_words = %s, name_keys = %s WHERE id = %s', batch
                )
    # PostgreSQL alters no table whose changed rows it must still check in the same transaction, as in a restore.
    database.check_constraints()


class Migration(migrations.Migration):

    dependencies = [
        ('scorekeeper', '0022_players_and_seasons'),
    ]

    # The index is made after all migrations: see `scorekeeper.models.named`.
    operations = [
        operation
        for name in MODELS
        for operation in (
            migrations.AddField(
                model_name=name,
                name='name_keys',
                field=scorekeeper.models.named.NameKeys(default='', editable=False),
                preserve_default=False,
            ),
            migrations.AddField(
                model_name=name,
                name='name_words',
                field=scorekeeper.models.named.NameWords(default='', editable=False, max_length=300),
                preserve_default=False,
            ),
        )
    ] + [
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['name_words', 'id'], name='player_by_name'),
        ),
        migrations.RunPython(fill),
    ]
