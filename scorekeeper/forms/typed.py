"""What is typed or chosen in one field, as a record has it."""

from typing import Any

from games import Malformed
from games.errors import marked


class Unsaid(Malformed):
    """Something that belongs to the entry is not said yet."""


def whole(text: str) -> Any:
    """A number, or the text as it is for the engine to refuse."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def typed_contract(contract: str, trump: int | None) -> str:
    """What is called, as the value of a field: zero, evens-2."""
    return contract if trump is None else f"{contract}-{trump}"


def contract_of(text: str) -> dict[str, Any]:
    """The same as a record has it. Unsaid if nothing is called."""
    contract, _dash, trump = text.strip().partition("-")
    if not contract:
        raise Unsaid(marked("Say what was called."))
    return {"contract": contract} | ({"trump": whole(trump)} if trump else {})
