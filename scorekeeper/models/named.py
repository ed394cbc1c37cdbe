"""Rows with a name, and the index by which a part of it finds them, also with slips.

The columns `name_words` and `name_keys` follow from the name, however it is written. The index has the keys: on
PostgreSQL it is a GIN index, on SQLite a table of FTS5 that triggers keep. `index_names` makes it after migrations,
because SQLite drops the triggers of a table that a migration makes anew.
"""

import sqlite3
from collections.abc import Iterable
from typing import Any, TypeVar

from django.apps import apps as present
from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models.lookups import Lookup
from django.db.models.sql.compiler import SQLCompiler

from scorekeeper.names import Clause, keys, words

# A function for PostgreSQL, so that the column is the same text on both. It says what it costs: PostgreSQL takes
# splitting a text for cheap, and would rather split those of all rows than read the index.
HELD = "scorekeeper_keys({})"
HOLD = """
    CREATE OR REPLACE FUNCTION scorekeeper_keys(held text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100
    AS $$ BEGIN RETURN string_to_array(held, ' '); END $$"""
FOLLOWS = ("name_words", "name_keys")
SECURE = (3, 42)  # the first SQLite that can overwrite what is removed from the index
Row = TypeVar("Row", bound=models.Model, covariant=True)


def following(name: str) -> dict[str, str]:
    """What the other columns have for this name."""
    return {"name_words": words(name), "name_keys": " ".join(keys(name))}


class NameWords(models.CharField):  # type: ignore[type-arg]  # it has none at run time
    """The words of the name as they are compared."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return _followed(model_instance, self.attname)


class NameKeys(models.TextField):  # type: ignore[type-arg]
    """The keys of the name, with spaces between them."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return _followed(model_instance, self.attname)


def _followed(row: Any, column: str) -> str:
    value = following(row.name)[column]
    setattr(row, column, value)
    return value


@NameKeys.register_lookup
class Meet(Lookup):
    """Whether the keys meet all clauses of one of the lists."""

    lookup_name = "meet"
    rhs: list[list[Clause]]

    def get_prep_lookup(self) -> list[list[Clause]]:
        return self.rhs

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        column, given = self.process_lhs(compiler, connection)
        held = HELD.format(column)
        values: list[Any] = []

        def one(clause: Clause) -> str:
            every, some = clause
            values.extend(value for part in (every, *some) for value in (*given, sorted(part)))
            ends = " AND ".join([f"{held} && %s::text[]"] * len(some))
            return f"({' OR '.join(filter(None, [f'{held} @> %s::text[]', ends]))})"

        every = [" AND ".join(map(one, clauses)) for clauses in self.rhs]
        return f"({' OR '.join(every)})", values

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        column, given = self.process_lhs(compiler, connection)
        index = _index_of(self.lhs.target.model._meta.db_table)
        key = column.replace(connection.ops.quote_name("name_keys"), connection.ops.quote_name("id"))
        match = " OR ".join(f"({' AND '.join(map(_one, clauses))})" for clauses in self.rhs)
        return f"{key} IN (SELECT rowid FROM {index} WHERE {index} MATCH %s)", [*given, match]  # noqa: S608


def _one(clause: Clause) -> str:
    every, some = clause
    ends = [f"({' OR '.join(sorted(part))})" for part in some]
    return f"({' OR '.join(filter(None, map(' AND '.join, [sorted(every), ends])))})"


class Names(models.QuerySet[Row]):
    def update(self, **kwargs: Any) -> int:
        """A name is given as text, so that the other columns can follow it."""
        return super().update(**kwargs, **(following(kwargs["name"]) if "name" in kwargs else {}))


class Named(models.Model):
    """A row that is found by its name."""

    name: Any
    objects = models.Manager.from_queryset(Names)()

    name_words = NameWords(max_length=300, editable=False)
    name_keys = NameKeys(editable=False)

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        if update_fields is not None and "name" in update_fields:
            update_fields = {*update_fields, *FOLLOWS}
        super().save(*args, update_fields=update_fields, **more)


def index_names(using: str, apps: Any = present, **_: Any) -> None:
    """Makes the index of each table with names that has none. `apps`: the models as they are after migrations, if there
    were any."""
    database = connections[using]
    indexing = _gin if database.vendor == "postgresql" else _fts
    for model in apps.get_app_config("scorekeeper").get_models():
        if any(isinstance(field, NameKeys) for field in model._meta.local_fields):
            with database.cursor() as cursor:
                indexing(cursor, model._meta.db_table)


def _gin(cursor: CursorWrapper, table: str) -> None:
    cursor.execute(HOLD)
    index = f"{table}_keys ON {table} USING gin ({HELD.format('name_keys')})"
    cursor.execute(f"CREATE INDEX IF NOT EXISTS {index} WITH (fastupdate = off)")  # names are read more than written


def _fts(cursor: CursorWrapper, table: str) -> None:
    index = _index_of(table)
    triggers = [f"{index}_{after}" for after in ("added", "changed", "removed")]
    cursor.execute("SELECT name FROM sqlite_master WHERE name IN (%s, %s, %s, %s)", [index, *triggers])
    there = {name for (name,) in cursor.fetchall()}
    if there >= {index, *triggers}:
        return
    if index not in there:
        options = "tokenize='ascii', detail=none, columnsize=0"
        cursor.execute(
            f"CREATE VIRTUAL TABLE {index} USING fts5(name_keys, content={table}, content_rowid=id, {options})"
        )
        if sqlite3.sqlite_version_info >= SECURE:
            cursor.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('secure-delete', 1)")  # noqa: S608
    add = f"INSERT INTO {index} (rowid, name_keys) VALUES (new.id, new.name_keys);"  # noqa: S608
    remove = f"INSERT INTO {index} ({index}, rowid, name_keys) VALUES ('delete', old.id, old.name_keys);"  # noqa: S608
    changes = "AFTER UPDATE OF name_keys", "WHEN old.name_keys IS NOT new.name_keys"
    for name, when, only, do in zip(
        triggers,
        ("AFTER INSERT", changes[0], "AFTER DELETE"),
        ("", changes[1], ""),
        (add, remove + add, remove),
        strict=True,
    ):
        cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {when} ON {table} {only} BEGIN {do} END")
    cursor.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608


def _index_of(table: str) -> str:
    """The FTS5 table. Its name is not like those of our own tables, which a restore counts."""
    return f"names_of_{table}"
