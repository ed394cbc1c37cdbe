"""Many matches at once, as copies of one, for tests of how pages grow."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TypeVar

from django.db.models import Model

from scorekeeper.models import Match, Player, RatingLine, Seat, SeatResult

T = TypeVar("T", bound=Model)


def copies(match: Match, number: int, apart: timedelta, *, new: Sequence[int] = ()) -> None:
    """Writes a match that is over this number of times more, each later by `apart`, with its seats, results and lines
    of ratings. Nothing is calculated again, so all lines have the same ratings. `new`: the seats in which each copy has
    somebody new."""
    times = [(row * apart, _copy(match)) for row in range(1, number + 1)]
    people = {
        seat.player_id: Player.objects.bulk_create(
            Player(club_id=match.club_id, name=f"{seat.name} {row}") for row in range(number)
        )
        for seat in match.seats.filter(number__in=new)
    }
    for later, copy in times:
        assert copy.finished_at
        copy.created_at, copy.finished_at = copy.created_at + later, copy.finished_at + later
    made = Match.objects.bulk_create(copy for _later, copy in times)

    def of_each(row: T) -> Iterator[T]:
        others = people.get(row.player_id)  # type: ignore[attr-defined]
        filled = {field.name for field in row._meta.concrete_fields if getattr(row, field.attname)}
        columns = {"player", "first_player", "person", "name", "first_name"} & filled
        for number, copy in enumerate(made):
            other = _copy(row)
            other.match = copy  # type: ignore[attr-defined]
            if others:
                who = others[number]
                known = {"player": who, "first_player": who, "person": who, "name": who.name, "first_name": who.name}
                for column in columns:
                    setattr(other, column, known[column])
            yield other

    for model in (Seat, SeatResult):
        for row in model.objects.filter(match=match):
            model.objects.bulk_create(of_each(row))
    for line in RatingLine.objects.filter(match=match):
        lines = list(of_each(line))
        for each in lines:
            assert each.match.finished_at
            each.at = each.match.finished_at
        RatingLine.objects.bulk_create(lines)


def _copy(row: T) -> T:
    copy = type(row)(**{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields})
    copy.pk = None
    return copy
