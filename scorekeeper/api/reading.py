"""What every request brings besides its body."""

from rest_framework.request import Request

from games import read
from scorekeeper.access import Actor


def actor_in(request: Request) -> Actor:
    actor = request.auth
    assert isinstance(actor, Actor), "TokenOrSession puts the actor there."
    return actor


def is_set(request: Request, name: str) -> bool:
    """Whether the address says ``name=1``. Malformed for any other value: guessing wrong could record something."""
    value = request.query_params.get(name)
    return value is not None and read.one_of(value, ("1",)) == "1"
