"""What a page shows. Pages read stored data and build values; doors ask for them, templates lay them out."""

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def context(*values: "DataclassInstance") -> dict[str, Any]:
    """The fields of a page, or of its parts, by name. Its template reads them. Two parts may both have a field only if
    it has the same object in both."""
    fields, repeated = _fields(*map(type, values))
    for name, one, other in repeated:
        same = getattr(values[one], name) is getattr(values[other], name)
        assert same, f"{type(values[one]).__name__} and {type(values[other]).__name__} differ in the field {name!r}"
    return {name: getattr(values[at], name) for name, at in fields}


@cache
def _fields(*parts: type["DataclassInstance"]) -> tuple[list[tuple[str, int]], list[tuple[str, int, int]]]:
    """The field names of these parts, each with the index of its part; and those of two parts, with both indexes.
    Kept, because every play draws pages."""
    found: dict[str, int] = {}
    repeated = []
    for at, part in enumerate(parts):
        for field in dataclasses.fields(part):
            if field.name in found:
                repeated.append((field.name, found[field.name], at))
            else:
                found[field.name] = at
    return [*found.items()], repeated
