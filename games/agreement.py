"""What the seats say of the sheet of a match that is over: that it is right, or that it is not."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games import read
from games.errors import Malformed, marked


class Dispute(NamedTuple):
    """A seat that says the sheet is not right."""

    seat: int
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class Agreement(NamedTuple):
    """A seat stands in one of the two lists at most; both are in the order of the seats."""

    confirmed: tuple[int, ...] = ()
    disputed: tuple[Dispute, ...] = ()
    reopened: str = ""
    """Why a host opened the match again."""

    def confirm(self, content: Mapping[str, Any], players: Sequence[str]) -> "Agreement":
        """These seats agree: what they had against the sheet is withdrawn."""
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
        """This seat does not agree, whatever it said before."""
        read.keyed(content, required=("seat",), optional=("why",))
        seat = read.seat(content["seat"], len(players))
        others = [each for each in self.disputed if each.seat != seat]
        return self._replace(
            confirmed=tuple(each for each in self.confirmed if each != seat),
            disputed=tuple(sorted([*others, Dispute(seat, read.why(content))])),
        )

    def missing(self, players: Sequence[str]) -> list[int]:
        """The seats that have not confirmed."""
        return [seat for seat in range(len(players)) if seat not in self.confirmed]

    def as_json(self) -> dict[str, Any]:
        """What a sheet says of it: only what there is."""
        return {
            **({"confirmed": list(self.confirmed)} if self.confirmed else {}),
            **({"disputed": [each.as_json() for each in self.disputed]} if self.disputed else {}),
            **({"reopened": self.reopened} if self.reopened else {}),
        }


UNSAID = Agreement()
SAYING: Mapping[str, Callable[[Agreement, Mapping[str, Any], Sequence[str]], Agreement]] = {
    "confirm": Agreement.confirm,
    "dispute": Agreement.dispute,
}
"""The kinds of entries that say something of the sheet and change nothing in it."""
