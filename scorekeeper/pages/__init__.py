"""What a page shows. Pages read stored data and build values; doors ask for them, templates lay them out."""

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def context(*values: "DataclassInstance") -> dict[str, Any]:
    """The fields of a page, or of its parts, by name. Its template reads them."""
    return {field.name: getattr(value, field.name) for value in values for field in dataclasses.fields(value)}
