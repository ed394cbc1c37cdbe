"""As whom people are shown. In public some appear by their initials: the columns with names know it, so that nothing
that shows a name can forget it. What writes, and what only a club's hosts and tables see, reads whole names."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from scorekeeper.names import folded, renamed

if TYPE_CHECKING:
    Text = models.CharField[str, str]
else:
    Text = models.CharField

Initials = Callable[[], Mapping[str, str]]
"""What the public reads instead of names, by the name as `names.folded` has it. Read when the first name is."""

_initials: ContextVar[Initials | None] = ContextVar("initials", default=None)


def in_public(initials: Initials) -> None:
    """From now on, who reads is the public."""
    _initials.set(initials)


def whole() -> None:
    """From now on, names are whole."""
    _initials.set(None)


@contextmanager
def showing(initials: Initials | None) -> Iterator[None]:
    """Within, the public reads; or somebody who may read whole names, for None."""
    token = _initials.set(initials)
    try:
        yield
    finally:
        _initials.reset(token)


def is_public() -> bool:
    """Whether who reads is the public."""
    return _initials.get() is not None


def audience() -> Hashable:
    """Equal for all who read the same names."""
    initials = _initials.get()
    return tuple(sorted(initials().items())) if initials else ()


def shown(name: str) -> str:
    """The name as whoever reads now may see it."""
    initials = _initials.get()
    return initials().get(folded(name), name) if initials and name else name


def as_shown(row: models.Model) -> None:
    """The row, which was read with whole names, has the names that whoever reads now may see."""
    for field in row._meta.concrete_fields:
        if isinstance(field, NameField | NamesField) and field.attname in vars(row):
            setattr(row, field.attname, field.shown(getattr(row, field.attname)))


class NameField(Text):
    """A column with the name of somebody who plays."""

    def from_db_value(self, value: str | None, _expression: object, _connection: BaseDatabaseWrapper) -> str | None:
        return self.shown(value)

    def shown(self, value: str | None) -> str | None:
        return shown(value) if value else value

    def deconstruct(self) -> Any:
        return (self.name, "django.db.models.CharField", *super().deconstruct()[2:])


class NamesField(models.JSONField):
    """A column with JSON that may name people who play."""

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return self.shown(super().from_db_value(value, expression, connection))

    def shown(self, value: Any) -> Any:
        initials = _initials.get()
        return renamed(value, initials) if initials else value

    def deconstruct(self) -> Any:
        return (self.name, "django.db.models.JSONField", *super().deconstruct()[2:])
