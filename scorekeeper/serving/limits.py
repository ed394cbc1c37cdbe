"""How often one address, and one phone or program, may ask for something that costs. Each process counts by itself."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie

from scorekeeper.access import bearer_of, digest
from scorekeeper.serving.addresses import network_of
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
    "code": Rate(30, 2000),
    "check": Rate(20, 500),
    "import": Rate(5, 10_000),
    "follow": Rate(3000, 20),
    "send": Rate(1000, 10),
    "read": Rate(2000, 12),
}
# A phone that was without network sends all that it has kept. What a known asker does counts only here: whoever invents
# tokens in the same hall uses up the share of the address, but not that of a phone.
BY_ASKER = {"follow": Rate(60, 1000), "send": Rate(300, 30)}
# Without a cookie or a token, people sign in, read, and little else.
BY_STRANGER = {"send": Rate(60, 100)}
IMPORT = 20_000_000  # bytes of an archive that is imported
FORM = 500_000  # bytes of the body of a request, except for records to check; the longest forms have a tenth of that


class Limits:
    """Counts by a bucket for each asker that empties with time. Times are in milliseconds, from any clock."""

    def __init__(self) -> None:
        # When a bucket will be empty again, which says how full it is.
        self._empty_at: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._known: OrderedDict[str, None] = OrderedDict()

    def learn(self, request: HttpRequest, *, known: bool) -> None:
        """Remembers whether the token or the session of this request is real. Any thread may call this."""
        asker = _asker(request.headers.get("Authorization", ""), request.COOKIES)
        self._known.pop(asker, None)
        if known:
            self._known[asker] = None
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def wait(self, scope: dict[str, Any], now: int) -> int:
        """The number of seconds to wait before this request may come again; 0 if it is allowed."""
        ends = {}
        for who, rate in self._rates(scope):
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

    def _rates(self, scope: dict[str, Any]) -> Iterator[tuple[tuple[str, str], Rate]]:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        cookies = parse_cookie(headers.get(b"cookie", ""))
        kind, asker = kind_of(scope["method"], scope["path"]), _asker(headers.get(b"authorization", ""), cookies)
        address = network_of((scope.get("client") or ("",))[0])
        if kind == "sign-in" and (name := known_name(cookies)):
            # Whoever guesses passwords in the same hall must not use up the share of a host.
            yield (kind, f"known as {name}"), BY_ADDRESS[kind]
            return
        if asker and kind in BY_ASKER:
            yield (kind, asker), BY_ASKER[kind]
            if asker in self._known:
                return
        yield (kind, address), BY_ADDRESS[kind]
        if not asker and kind in BY_STRANGER:
            yield (kind, f"strangers at {address}"), BY_STRANGER[kind]


def largest_body(kind: str) -> int:
    """How many bytes the body of a request of this kind may have."""
    return {"check": settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "import": IMPORT + FORM}.get(kind, FORM)


def kind_of(method: str, path: str) -> str:
    """The kind of a request, by what it costs."""
    if method in ("GET", "HEAD", "OPTIONS"):
        if path.startswith(("/health/", "/metrics/")):
            return "health"
        return "follow" if path == "/live/" else "read"
    if path == "/api/v1/records/verify/":
        return "check"
    if path.startswith("/clubs/") and path.endswith("/import/"):
        return "import"
    if path == "/t/":
        return "code"
    # These compare or store a password, which is slow on purpose, or send a mail.
    slow = ("/login/", "/setup/", "/account/", "/password/", "/invitation/")
    return "sign-in" if path.startswith((*slow, "/forgotten/")) else "send"


def _asker(authorization: str, cookies: Mapping[str, str]) -> str:
    """A digest of the token or of the session; "" without both."""
    asker = bearer_of(authorization) or cookies.get(settings.SESSION_COOKIE_NAME)
    return digest(asker) if asker else ""
