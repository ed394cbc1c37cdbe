"""The addresses by which other devices reach this machine."""

import ipaddress
import socket
from io import StringIO
from urllib.parse import urlsplit

import ifaddr
import segno

EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 (listening everywhere is the purpose: phones must get in)
# Interfaces of containers, virtual machines and tunnels, by the start of their names: phones hardly ever reach them.
VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "bridge", "utun", "tun", "tap")


class BadAddress(ValueError):
    """A host or URL that cannot be used; the message says why in one line."""


def outward() -> str | None:
    """The address this machine uses to reach others; None without a network. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address for documentation: connecting a datagram socket only looks up the route.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def in_the_network() -> list[str]:
    """IPv4 addresses that phones in the same network can try, the likeliest first."""
    best = outward()
    named = [
        (adapter.nice_name, str(address.ip))
        for adapter in ifaddr.get_adapters()
        for address in adapter.ips
        if address.is_IPv4
    ]
    named.sort(key=lambda row: (row[1] != best, row[0].startswith(VIRTUAL), row[0]))
    addresses = ([best] if best else []) + [address for _name, address in named]
    return [address for address in dict.fromkeys(addresses) if not ipaddress.ip_address(address).is_loopback]


def network_of(address: str) -> str:
    """What to count a visitor by: the address, or for IPv6 the first 64 bits, because each visitor has all of the rest.
    An address of IPv4 that a socket for both writes as IPv6 stays one; what is no address stays as it is."""
    try:
        version6 = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    return str(version6.ipv4_mapped or ipaddress.IPv6Address(int(version6) >> 64 << 64))


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. BadAddress if the host is unknown, or the port is taken or not allowed."""
    if not 0 <= port <= 65535:
        raise BadAddress(f"There is no port {port}. Ports go from 1 to 65535.")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    except (socket.gaierror, UnicodeError) as error:
        raise BadAddress(f"This machine does not have the address {host}.") from error
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=host == "::")
    except OSError as error:
        raise BadAddress(
            f"Cannot listen on {host} port {port}: {error.strerror}. "
            f"Choose another port with --port, or stop the program that uses this one."
        ) from error
    # Without this, the second part of an answer waits 40 ms for the phone to confirm the first. Accepted connections
    # inherit it from this socket; asyncio sets it only on sockets it makes itself.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def hosts(host: str) -> list[str]:
    """Host names that requests may carry: the one it listens on or, if it listens everywhere, all of this machine's."""
    if host not in EVERYWHERE:
        return [_bracketed(host)]
    name = socket.gethostname().lower()
    return [name, f"{name.partition('.')[0]}.local", *in_the_network()]


def urls(host: str, port: int, public_url: str) -> list[str]:
    """Addresses to hand out, the best first; `localhost` only if there is no other."""
    names = in_the_network() if host in EVERYWHERE else [_bracketed(host)]
    reachable = [_url(name, port) for name in names] or [local(host, port)]
    return [public_url, *reachable] if public_url else reachable


def local(host: str, port: int) -> str:
    """The address for a browser on this machine."""
    return _url("localhost" if host in EVERYWHERE else _bracketed(host), port)


def only_here(url: str) -> bool:
    """Whether `url` works on this machine only."""
    return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def _url(name: str, port: int) -> str:
    return f"http://{name}" + ("" if port == 80 else f":{port}")


def _bracketed(host: str) -> str:
    """The host as a URL has it: IPv6 addresses stand in brackets."""
    return f"[{host}]" if ":" in host else host


def origin(url: str) -> str:
    """`url` as scheme://host[:port]. BadAddress if it is not a plain http(s) address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"--public-url {url!r} is not an address: {error}.") from error
    plain = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/")
    if not plain or parts.query or parts.fragment or parts.username or set(str(parts.hostname)) & set(" *,"):
        raise BadAddress(
            f"--public-url {url!r} must look like https://scores.example.org, with nothing after the name."
        )
    return f"{parts.scheme}://{_bracketed(str(parts.hostname))}" + (f":{port}" if port else "")


def qr(url: str) -> str:
    """`url` as a QR code made of block characters, for a terminal."""
    drawing = StringIO()
    segno.make(url, error="m").terminal(out=drawing, compact=True, border=2)
    return drawing.getvalue()
