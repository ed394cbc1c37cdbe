"""What the API has for every kind of event with rounds: its line in a list, and the steps that change it."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, TypeVar

from django.utils import timezone
from rest_framework.request import Request

from games import read
from games.errors import Malformed, marked
from scorekeeper.api.reading import actor_in
from scorekeeper.forms import directing as typed
from scorekeeper.models import Event
from scorekeeper.services import events, storable, tournaments
from scorekeeper.services.events import Step
from scorekeeper.standings.exact import number

Read = TypeVar("Read")
LONGEST_KEY = 40  # the matches that a step ends or opens have entries with this key and a few characters more
Body = Mapping[str, Any]


def only_hosts(_found: Event, _body: Body) -> Collection[int]:
    """Nobody besides them."""
    return ()


class Kind(NamedTuple):
    """A kind of step: what it does, its keys besides those of every step, and which players may make it, too."""

    make: Callable[[Event, Body, Step], object]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    players: Callable[[Event, Body], Collection[int]] = only_hosts


def asked(request: Request, kinds: Mapping[str, Kind]) -> tuple[Kind, Body, Step]:
    """The step in the body: its kind, and what was sent for it."""
    body = read.mapping(body_in(request))
    kind = kinds[read.one_of(body.get("kind"), [*kinds])]
    read.keyed(body, required=("seen", "key", "kind", *kind.required), optional=kind.optional)
    return kind, body, Step(actor_in(request), key(body["key"]), read.whole(body["seen"]), timezone.now())


def _undo(found: Event, _body: Body, step: Step) -> None:
    events.undo(event_id=found.pk, step=step)


def _cancel_penalty(found: Event, body: Body, step: Step) -> None:
    which, reason = read.whole(body["number"]), read.text(body["reason"])
    tournaments.cancel_penalty(event_id=found.pk, number=which, reason=reason, step=step)


UNDO = Kind(_undo)
CANCEL_PENALTY = Kind(_cancel_penalty, ("number", "reason"))


# --- what is sent ------------------------------------------------------------------------------------------
def body_in(request: Request) -> Any:
    """The JSON of the body, which can be stored."""
    body = read.json_value(request.body)
    storable.value(body)
    return body


def key(value: Any) -> str:
    found = storable.text(value, longest=LONGEST_KEY)
    if not found:
        raise Malformed(marked("key is required: a text that the sender chooses, new for each entry."))
    return found


def sent(body: Body, name: str, reader: Callable[[Any], Read], *usual: Read) -> Read:
    """What stands under this name, or the usual value if nothing does. What the reader refuses has the name."""
    with read.field(name):
        return usual[0] if usual and name not in body else reader(body[name])


def some(value: Any) -> list[Any]:
    """A list that is not empty."""
    found = [*read.listed(value)]
    if not found:
        raise Malformed(marked("This list needs somebody."))
    return found


def numbers(value: Any) -> list[int]:
    """Those of entrants, at least one."""
    return [*map(read.whole, some(value))]


def sides(value: Any) -> list[int]:
    """The sides of a table by index, each once."""
    return sorted({*map(read.whole, read.listed(value))})


def totals(value: Any) -> list[int]:
    """By side."""
    return [*map(read.number, read.listed(value))]


def points_off(value: Any) -> int | str:
    """Those of a penalty, as in the tournament file."""
    return typed.points(str(number(value)))


# --- what is answered --------------------------------------------------------------------------------------
def listed(event: Event) -> dict[str, Any]:
    return {"id": event.pk, "name": event.name, "public": event.public, "closed": event.closed_at is not None}
