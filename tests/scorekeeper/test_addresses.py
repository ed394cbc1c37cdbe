"""Which addresses `manage.py up` prints."""

import re
import socket
from collections.abc import Mapping

import ifaddr
import pytest

from scorekeeper.serving import addresses


def network(monkeypatch: pytest.MonkeyPatch, interfaces: Mapping[str, list[str]], best: str | None) -> None:
    """Pretends that this machine has these interfaces, and reaches others from the address `best`."""
    adapters = [
        ifaddr.Adapter(
            name,
            name,
            [ifaddr.IP((ip, 0, 0), 64, name) if ":" in ip else ifaddr.IP(ip, 24, name) for ip in ips],
        )
        for name, ips in interfaces.items()
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(addresses, "outward", lambda: best)


HALL = {
    "lo": ["127.0.0.1", "::1"],
    "docker0": ["172.17.0.1"],
    "eth0": ["10.0.0.7", "fe80::1"],
    "wlan0": ["192.168.1.5", "192.168.1.6"],
}


def test_the_likeliest_address_comes_first_and_virtual_machines_last(monkeypatch: pytest.MonkeyPatch) -> None:
    network(monkeypatch, HALL, "192.168.1.5")
    assert addresses.in_the_network() == ["192.168.1.5", "10.0.0.7", "192.168.1.6", "172.17.0.1"]


def test_the_address_of_the_route_counts_though_no_interface_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    network(monkeypatch, {"lo": ["127.0.0.1"]}, "10.1.2.3")
    assert addresses.urls("", 8000, "") == ["http://10.1.2.3:8000"]


def test_without_a_network_only_this_machine_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    network(monkeypatch, {"lo": ["127.0.0.1", "::1"]}, None)
    (url,) = addresses.urls("0.0.0.0", 80, "")
    assert url == "http://localhost"
    assert addresses.only_here(url)


def test_requests_may_name_every_address_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    network(monkeypatch, HALL, None)
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.club.example")
    names = ["laptop.club.example", "laptop.local", "10.0.0.7", "192.168.1.5", "192.168.1.6", "172.17.0.1"]
    assert addresses.hosts("") == names
    assert addresses.hosts("fd00::2") == ["[fd00::2]"]


def test_the_public_address_comes_before_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    network(monkeypatch, HALL, "10.0.0.7")
    assert addresses.urls("", 8000, "https://scores.example.org")[:2] == [
        "https://scores.example.org",
        "http://10.0.0.7:8000",
    ]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"),
        ("2001:0DB8:0:1::", "2001:db8:0:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_visitors_are_counted_by_their_network(address: str, network: str) -> None:
    assert addresses.network_of(address) == network


@pytest.mark.parametrize(
    "url",
    [
        "scores.example.org",
        "ftp://scores.example.org",
        "https://",
        "https://a b",
        "https://*",
        "https://scores.example.org/path",
        "https://scores.example.org:port",
        "https://u@scores.example.org",
    ],
)
def test_a_public_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(addresses.BadAddress, match=re.escape(repr(url))):
        addresses.origin(url)
