"""Whether the players accept the sheet of a finished match: each seat confirms or disputes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games import read
from games.errors import Malformed, marked


class Dispute(NamedTuple):
    """A seat that disputes the sheet, and why."""

    seat: int
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class Agreement(NamedTuple):
    """The answers so far. A seat is in one of the two lists at most; both are in the order of seats."""

    confirmed: tuple[int, ...] = ()
    disputed: tuple[Dispute, ...] = ()
    reopened: str = ""
    """Why a host reopened the match; "" if nobody did."""

    def confirm(self, content: Mapping[str, Any], players: Sequence[str]) -> "Agreement":
        """These seats confirm, which withdraws their disputes. Malformed if all of them have confirmed already."""
        read.keyed(content, required=("seats",))
        seats = {read.seat(seat, len(players)) for seat in read.listed(content["seats"])}
        if seats <= {*self.confirmed}:
            names = ", ".join(players[seat] for seat in sorted(seats)) or "–"
            raise Malformed(marked("{players} already confirmed."), players=names)
        return self._replace(
            confirmed=tuple(sorted({*self.confirmed, *seats})),
            disputed=tuple(each for each in self.disputed if each.seat not in seats),
        )

    def dispute(self, content: Mapping[str, Any], players: Sequence[str]) -> "Agreement":
        """This seat disputes the sheet, whatever its earlier answer."""
        read.keyed(content, required=("seat",), optional=("why",))
        seat = read.seat(content["seat"], len(players))
        others = [each for each in self.disputed if each.seat != seat]
        return self._replace(
            confirmed=tuple(each for each in self.confirmed if each != seat),
            disputed=tuple(sorted([*others, Dispute(seat, read.why(content))])),
        )

    def reseated(self, players: Sequence[str], now: Sequence[str]) -> "Agreement":
        """After a correction of the seats: only the disputes, of the players who still sit there, in their seats."""
        disputed = [each for each in self.disputed if players[each.seat] in now]
        moved = (each._replace(seat=now.index(players[each.seat])) for each in disputed)
        return Agreement(disputed=tuple(sorted(moved)))

    def missing(self, players: Sequence[str]) -> list[int]:
        """The seats that have not confirmed."""
        return [seat for seat in range(len(players)) if seat not in self.confirmed]

    def as_json(self) -> dict[str, Any]:
        """The keys for a score sheet; empty lists are left out."""
        return {
            **({"confirmed": list(self.confirmed)} if self.confirmed else {}),
            **({"disputed": [each.as_json() for each in self.disputed]} if self.disputed else {}),
            **({"reopened": self.reopened} if self.reopened else {}),
        }


UNANSWERED = Agreement()
RESPONSES: Mapping[str, Callable[[Agreement, Mapping[str, Any], Sequence[str]], Agreement]] = {
    "confirm": Agreement.confirm,
    "dispute": Agreement.dispute,
}
"""The kinds of entries by which players respond to the sheet. They do not change it."""
