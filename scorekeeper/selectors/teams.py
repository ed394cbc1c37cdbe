"""Reading what teams submitted. Nobody reads a line-up here but its own side."""

from collections.abc import Mapping

from scorekeeper.events.encounters import LineUp, line_up_of
from scorekeeper.models import CaptainLink, Event
from scorekeeper.models import LineUp as Submitted


def own_line_up(event: Event, fixture: int, side: int) -> LineUp | None:
    """What a side submitted itself; None if nothing. Only for who may act for the side (`access.captain_for`)."""
    boards = Submitted.objects.filter(event=event, fixture=fixture, side=side).values_list("boards", flat=True).first()
    return None if boards is None else line_up_of(boards)


def sides_in(event: Event, fixture: int) -> frozenset[int]:
    """The sides that have submitted a line-up: all that anybody else may know. One query."""
    submitted = Submitted.objects.filter(event=event, fixture=fixture)
    return frozenset(submitted.values_list("side", flat=True))


def all_in(event: Event) -> Mapping[int, frozenset[int]]:
    """By fixture that has any, the sides that have submitted a line-up, as `sides_in`. One query."""
    found: dict[int, frozenset[int]] = {}
    for fixture, side in Submitted.objects.filter(event=event).values_list("fixture", "side"):
        found[fixture] = found.get(fixture, frozenset()) | {side}
    return found


def linked_teams(event: Event) -> Mapping[int, CaptainLink]:
    """The secret links that are valid, by start number of the team. One query."""
    links = CaptainLink.objects.filter(event=event, revoked_at=None).select_related("by")
    return {link.entrant: link for link in links}
