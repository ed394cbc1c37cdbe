"""Text of single fields, read into the values of a record."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from games import Malformed
from games.errors import marked
from scorekeeper.names import folded
from scorekeeper.words import SUITS

MEANT = "meant:"  # before a typed name: the field that says whom it means
SPELT = "spelt:"  # before the name of one person who is in the list twice, as the value of that field


class Incomplete(Malformed):
    """A part of the entry is still missing."""


def whole(text: str) -> int | str:
    """A number; other text stays as it is, for the engine to refuse."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def typed_contract(contract: str, trump: int | None) -> str:
    """A contract as the value of a field: zero, evens-2."""
    return contract if trump is None else f"{contract}-{trump}"


def contract_of(text: str) -> dict[str, Any]:
    """The contract in the field, as in a record. Incomplete if it is empty."""
    contract, _dash, trump = text.strip().partition("-")
    if not contract:
        raise Incomplete(marked("Choose what was called."))
    return {"contract": contract} | ({"trump": whole(trump)} if trump else {})


def cards_of(text: str) -> list[str]:
    """Cards as people type them: KD, 10H or 10♥."""
    text = text.upper().replace("10", "T").replace(",", " ")
    for letter, sign in SUITS.items():
        text = text.replace(sign, letter)
    return text.split()


def names_from(text: str) -> list[str]:
    """Names, one on each line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def answer_to(name: str) -> str:
    """The field that says whom a typed name means."""
    return f"{MEANT}{folded(name)}"


def answers_in(data: QueryDict) -> dict[str, int | str | None]:
    """Whom typed names mean, as in `Typist.answers`."""
    answers = {field.removeprefix(MEANT): data.get(field, "") for field in data if field.startswith(MEANT)}
    known = {name: int(text) for name, text in answers.items() if text.isdecimal() and len(text) < 19}
    spelt = {name: text.removeprefix(SPELT) for name, text in answers.items() if text.startswith(SPELT)}
    return {**known, **spelt, **{name: None for name, text in answers.items() if text == "new"}}


def typed_data(values: Mapping[str, Sequence[str]]) -> QueryDict:
    """Fields as a form would send them."""
    data = QueryDict(mutable=True)
    for key, texts in values.items():
        data.setlist(key, list(texts))
    return data
