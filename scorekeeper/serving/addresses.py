"""Under which addresses other devices reach this machine. Standard library and segno only."""

import ipaddress
import socket
import struct
import sys
from io import StringIO
from urllib.parse import urlsplit

import segno

# The two systems number the same question ("which address has this interface?") differently.
SIOCGIFADDR = 0xC0206921 if sys.platform == "darwin" else 0x8915
EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 (listening everywhere is the purpose: phones must get in)
INSIDE = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "bridge", "utun", "tun", "tap")


class BadAddress(ValueError):
    """A host or URL that cannot be used; the message says why in one line."""


def outward() -> str | None:
    """The address this machine would use to reach others, None when it is in no network. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # a documentation address: connecting a datagram socket only asks for the route
        except OSError:
            return None
        return str(probe.getsockname()[0])


def interfaces() -> dict[str, str]:
    """Interface name → its IPv4 address, for those that have one."""
    import fcntl  # not on Windows, where `outward` has to do

    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(asked, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # an interface without an IPv4 address
                continue
            found[name] = socket.inet_ntoa(answer[20:24])
    return found


def in_the_network() -> list[str]:
    """IPv4 addresses that phones in the same network may try, the likeliest first."""
    best = outward()
    named = interfaces()

    def unlikely(name: str) -> tuple[bool, bool, str]:
        return (named[name] != best, name.startswith(INSIDE), name)

    addresses = [named[name] for name in sorted(named, key=unlikely)]
    if best and best not in addresses:
        addresses.insert(0, best)
    return [address for address in dict.fromkeys(addresses) if not ipaddress.ip_address(address).is_loopback]


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises BadAddress when the host is unknown or the port is taken or not allowed."""
    if not 0 <= port <= 65535:
        raise BadAddress(f"There is no port {port}; ports go from 1 to 65535.")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    except (socket.gaierror, UnicodeError) as error:
        raise BadAddress(f"No such address on this machine: {host}.") from error
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=host == "::")
    except OSError as error:
        raise BadAddress(
            f"Cannot listen on {host} port {port}: {error.strerror}. "
            f"Choose another port with --port, or end the program that uses this one."
        ) from error
    # An answer's second part must not wait until a phone has confirmed the first, which it does 40 ms late. Connections
    # have this from the socket that took them; asyncio sees to it only for sockets of its own.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def hosts(host: str) -> list[str]:
    """Host names that requests may carry: where we listen, and this machine's names if that is everywhere."""
    if host not in EVERYWHERE:
        return [_written(host)]
    name = socket.gethostname().lower()
    return [name, f"{name.partition('.')[0]}.local", *in_the_network()]


def urls(host: str, port: int, public_url: str) -> list[str]:
    """Addresses to hand out, the best first; this machine's own only when there is nothing better."""
    names = in_the_network() if host in EVERYWHERE else [_written(host)]
    found = [_url(name, port) for name in names] or [local(host, port)]
    return [public_url, *found] if public_url else found


def local(host: str, port: int) -> str:
    """The address for a browser on this machine."""
    return _url("localhost" if host in EVERYWHERE else _written(host), port)


def only_here(url: str) -> bool:
    """Whether no other device can mean this machine by `url`."""
    return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def _url(name: str, port: int) -> str:
    return f"http://{name}" + ("" if port == 80 else f":{port}")


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def origin(url: str) -> str:
    """`url` as scheme://host[:port]. Raises BadAddress for what is no plain http(s) address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"--public-url {url!r} is no address: {error}.") from error
    plain = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/")
    if not plain or parts.query or parts.fragment or parts.username or set(str(parts.hostname)) & set(" *,"):
        raise BadAddress(
            f"--public-url {url!r} must look like https://scores.example.org, with nothing after the name."
        )
    return f"{parts.scheme}://{_written(str(parts.hostname))}" + (f":{port}" if port else "")


def qr(url: str) -> str:
    """`url` as a QR code made of block characters, for a terminal."""
    drawn = StringIO()
    segno.make(url, error="m").terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()
