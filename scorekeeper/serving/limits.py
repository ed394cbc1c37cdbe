"""How often one address, and one phone or program, may ask for something that costs. Each process counts by itself."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http.cookie import parse_cookie

from scorekeeper.serving.known_browsers import known_name

REMEMBERED = 20_000  # askers; the one that asked least recently is forgotten


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and then one each time this has passed."""

    at_once: int
    each: int  # milliseconds


# A whole hall may share one address, so these leave room for hundreds of phones. Phones send again what is refused.
BY_ADDRESS = {
    "health": Rate(100, 100),
    "sign-in": Rate(10, 6000),
    "check": Rate(20, 500),
    "follow": Rate(3000, 20),
    "send": Rate(1000, 10),
    "read": Rate(2000, 12),
}
# A phone that was without network sends all that it has kept.
BY_ASKER = {"follow": Rate(60, 1000), "send": Rate(300, 30)}
# Without a cookie or a token, people sign in, read, and little else.
BY_STRANGER = {"send": Rate(60, 100)}


class Limits:
    """Counts by a bucket for each asker that empties with time. Times are in milliseconds, from any clock."""

    def __init__(self) -> None:
        # When a bucket will be empty again, which says how full it is.
        self._empty_at: OrderedDict[tuple[str, str], int] = OrderedDict()

    def wait(self, scope: dict[str, Any], now: int) -> int:
        """The number of seconds to wait before this request may come again; 0 if it is allowed."""
        ends = {}
        for who, rate in _rates(scope):
            ends[who] = max(now, self._empty_at.get(who, 0)) + rate.each
            over = ends[who] - now - rate.at_once * rate.each
            if over > 0:
                return -(-over // 1000)
        for who, end in ends.items():
            self._empty_at[who] = end
            self._empty_at.move_to_end(who)
        while len(self._empty_at) > REMEMBERED:
            self._empty_at.popitem(last=False)
        return 0


def kind_of(method: str, path: str) -> str:
    """The kind of a request, by what it costs."""
    if method in ("GET", "HEAD", "OPTIONS"):
        if path.startswith("/health/"):
            return "health"
        return "follow" if path == "/live/" else "read"
    if path == "/api/v1/records/verify/":
        return "check"
    # These two compare or store a password, which is slow on purpose.
    return "sign-in" if path.startswith(("/login/", "/setup/")) else "send"


def _rates(scope: dict[str, Any]) -> Iterator[tuple[tuple[str, str], Rate]]:
    kind, asker = kind_of(scope["method"], scope["path"]), _asker(scope["headers"])
    address = (scope.get("client") or ("",))[0]
    if kind == "sign-in" and (name := known_name(_cookies(scope["headers"]))):
        # Whoever guesses passwords in the same hall must not use up the share of a host.
        yield (kind, f"known as {name}"), BY_ADDRESS[kind]
        return
    yield (kind, address), BY_ADDRESS[kind]
    if asker and kind in BY_ASKER:
        yield (kind, asker), BY_ASKER[kind]
    if not asker and kind in BY_STRANGER:
        yield (kind, f"strangers at {address}"), BY_STRANGER[kind]


def _asker(headers: list[tuple[bytes, bytes]]) -> str:
    """A digest of the token or of the session; "" without both."""
    if token := dict(headers).get(b"authorization"):
        return sha256(token).hexdigest()
    session = _cookies(headers).get(settings.SESSION_COOKIE_NAME, "")
    return sha256(session.encode()).hexdigest() if session else ""


def _cookies(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    return parse_cookie(dict(headers).get(b"cookie", b"").decode("latin1"))
