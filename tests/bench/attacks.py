"""Attacks on a server of this machine, by default from eight connections of another address than its phones.

    python tests/bench/attacks.py PORT NAME [--seconds 30] [--connections 8] [--address 127.0.0.2]

`club_night_load.py --attacks` starts these while a hall plays. The names are those of ATTACKS. At the end it prints how
often each answer came.
"""

import argparse
import asyncio
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

ELSEWHERE, IN_THE_HALL = "127.0.0.2", "127.0.0.1"
CONNECTIONS = 8
FORM = "application/x-www-form-urlencoded"


class Attacker:
    """One connection, opened again whenever the server has closed it."""

    def __init__(self, port: int, answers: Counter[str], address: str) -> None:
        self.port, self.answers, self.address = port, answers, address

    async def __aenter__(self) -> "Attacker":
        self.reader, self.writer = await self.connect()
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.writer.transport.abort()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> None:
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        if "Transfer_Encoding" not in headers:
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode("latin1") + body)

    async def answer(self) -> tuple[str, bytes]:
        """The head of the next answer and, if it has a length, its body."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        self.answers[head[9:12].decode()] += 1
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        return head.decode("latin1"), await self.reader.readexactly(int(length[1]) if length else 0)


async def passwords(attacker: Attacker) -> None:
    """Tries passwords as fast as it is answered."""
    attacker.send("GET", "/login/")
    head, _page = await attacker.answer()
    token = head.partition("csrftoken=")[2].partition(";")[0]
    while True:
        form = {"username": "Hana", "password": f"{random.random()}", "csrfmiddlewaretoken": token}
        attacker.send("POST", "/login/", urlencode(form).encode(), Content_Type=FORM, Cookie=f"csrftoken={token}")
        await attacker.answer()


async def silence(attacker: Attacker) -> None:
    """Opens connections, 50 each, that say nothing, and opens each again that is closed."""

    async def hold() -> None:
        while True:
            reader, writer = await attacker.connect()
            with suppress(ConnectionError):
                await reader.read()
            attacker.answers["closed"] += 1
            writer.close()

    await asyncio.gather(*(hold() for _ in range(50)))


async def slow_heads(attacker: Attacker) -> None:
    """Sends a byte of a head each second."""
    attacker.writer.write(b"GET / HTTP/1.1\r\n")
    while not attacker.reader.at_eof():
        attacker.writer.write(b"a")
        await asyncio.sleep(1)


async def large_bodies(attacker: Attacker) -> None:
    """Sends 300 MB in chunks."""
    attacker.send("POST", "/nowhere/", Transfer_Encoding="chunked", Content_Type=FORM)
    chunk = b"%x\r\n" % 65_536 + bytes(65_536) + b"\r\n"
    for _ in range(300_000_000 // 65_536):
        attacker.writer.write(chunk)
        await attacker.writer.drain()


async def records(attacker: Attacker) -> None:
    """Lets two megabytes of records be checked, again and again, and does not read the answers."""
    import games

    record = games.random_match("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"], random.Random(1))
    line = json.dumps(record).encode() + b"\n"
    body = line * (2_000_000 // len(line))
    while True:
        attacker.send("POST", "/api/v1/records/verify/", body, Content_Type="application/x-ndjson")
        await attacker.writer.drain()
        await asyncio.sleep(0.1)


async def streams(attacker: Attacker) -> None:
    """Follows everything, and reads nothing."""
    attacker.reader._limit = 1  # type: ignore[attr-defined]
    for part, topic in (("club", "club:1"), ("night", "night:1"), ("watch", "table:1"), ("screen", "night:1")):
        attacker.send("GET", f"/live/?topic={topic}&part={part}")
        await asyncio.sleep(0.5)
    await asyncio.Future()


async def odd_requests(attacker: Attacker) -> None:
    """Sends what no browser sends."""
    odd: list[tuple[str, str, bytes, Mapping[str, str]]] = [
        ("POST", "/nowhere/", b"a=1", {"Content_Type": f"{FORM}; charset=utf-16", "Cookie": "csrftoken=a"}),
        ("POST", "/nowhere/", b"a", {"Content_Type": "multipart/form-data; boundary=", "Cookie": "csrftoken=a"}),
        ("GET", "/live/?topic=table:1&part=night", b"", {}),
        ("GET", "/clubs/hall/?page=%00", b"", {"Accept_Language": "xx;q=9"}),
        ("POST", "/api/v1/matches/1/entries/", b"[" * 5000, {"Authorization": "Bearer \xff"}),
        ("BREW", "/", b"", {}),
    ]
    while True:
        method, path, body, headers = random.choice(odd)
        attacker.send(method, path, body, **headers)
        await attacker.answer()


async def invented_tokens(attacker: Attacker) -> None:
    """Sends entries as fast as they are answered, each with another token that nobody has made."""
    while True:
        token = f"Bearer {random.random()}"
        attacker.send("POST", "/api/v1/matches/1/entries/", b"{}", Authorization=token)
        await attacker.answer()


async def pages(attacker: Attacker) -> None:
    """Asks for the club's page as fast as it is answered."""
    while True:
        attacker.send("GET", f"/clubs/hall/?{random.random()}")
        await attacker.answer()


ATTACKS: Mapping[str, Callable[[Attacker], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (
        passwords,
        silence,
        slow_heads,
        large_bodies,
        records,
        streams,
        odd_requests,
        invented_tokens,
        pages,
    )
}


async def attack(port: int, name: str, seconds: float, connections: int, address: str) -> Counter[str]:
    """The numbers of answers by status."""
    answers: Counter[str] = Counter()

    async def one() -> None:
        while True:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                async with Attacker(port, answers, address) as attacker:
                    await ATTACKS[name](attacker)
            answers["begun again"] += 1
            await asyncio.sleep(0.1)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(one() for _ in range(connections)))
    return answers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("name", choices=ATTACKS)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--address", default=ELSEWHERE, help=f"where the attack comes from; {IN_THE_HALL} is the hall")
    options = parser.parse_args()
    answers = asyncio.run(attack(options.port, options.name, options.seconds, options.connections, options.address))
    print(f"{options.name}: " + ", ".join(f"{number} × {answer}" for answer, number in answers.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
