"""What one client may hold of the server: a connection, its time and its memory."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn

from scorekeeper.serving import connections
from scorekeeper.serving.connections import Connection, Crowd

PLENTY = 30_000_000  # bytes, more than the sockets of a machine hold


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body, except of /refused; answers /plenty with a lot, and /stream with one byte and never ends."""
    while scope["path"] != "/refused" and (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b".", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
    left = PLENTY if scope["path"] == "/plenty" else 2
    while left > 0:
        await send({"type": "http.response.body", "body": bytes(min(left, 65_536)), "more_body": left > 65_536})
        left -= 65_536


@asynccontextmanager
async def serving() -> AsyncIterator[Callable[..., Awaitable["Client"]]]:
    """A server, and what connects a client from an address of this machine."""
    config = uvicorn.Config(application, port=0, http=Connection, lifespan="off", log_level="error", access_log=False)
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    port = server.servers[0].sockets[0].getsockname()[1]
    opened: list[Client] = []

    async def connect(address: str = "127.0.0.1") -> Client:
        streams = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1000)
        opened.append(Client(*streams))
        return opened[-1]

    try:
        yield connect
    finally:
        for client in opened:
            client.writer.transport.abort()
        await server.shutdown()


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, path: str = "/") -> bool:
        """Whether the server answers."""
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        with suppress(ConnectionError):
            return (await self.reader.readline()).startswith(b"HTTP/1.1 200")
        return False

    async def ended(self) -> bool:
        """Waits for the end of the connection, and reads what comes before it."""
        with suppress(ConnectionError):
            while await self.reader.read(1_000_000):
                pass
        return True


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("HEAD", "BODY", "REFUSED", "UNREAD"):
        monkeypatch.setattr(connections, limit, 0.2)


NOTHING, HALF_A_HEAD, HALF_A_BODY = b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab"
A_REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        (False, NOTHING),
        (False, HALF_A_HEAD),
        (True, HALF_A_HEAD),
        (False, HALF_A_BODY),
        (True, HALF_A_BODY),
        (False, A_REQUEST + HALF_A_HEAD),
        (False, A_REQUEST + HALF_A_BODY),
    ],
)
def test_who_does_not_finish_a_request_is_dropped(asked: bool, sent: bytes) -> None:
    async def story() -> None:
        async with serving() as connect:
            client = await connect()
            assert not asked or await client.ask()
            client.writer.write(sent)
            assert await client.ended()

    asyncio.run(story())


CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_who_sends_a_body_byte_by_byte_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SLOWEST", 1e9)

    async def story() -> None:
        async with serving() as connect:
            client = await connect()
            client.writer.write(CHUNKED)
            ended = asyncio.create_task(client.ended())
            while not ended.done():
                client.writer.write(b"1\r\na\r\n")
                await asyncio.sleep(0)

    asyncio.run(story())


def test_a_large_body_may_take_longer_than_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SLOWEST", 1)

    async def story() -> None:
        async with serving() as connect:
            client = await connect()
            client.writer.write(CHUNKED)
            loop = asyncio.get_running_loop()
            enough = loop.time() + 2 * connections.BODY
            while loop.time() < enough:
                client.writer.write(b"1\r\na\r\n")
                await asyncio.sleep(0)
            client.writer.write(b"0\r\n\r\n")
            assert (await client.reader.readline()).startswith(b"HTTP/1.1 200")

    asyncio.run(story())


def test_who_does_not_read_is_dropped() -> None:
    async def story() -> None:
        async with serving() as connect:
            client, other = await connect(), await connect()
            client.writer.transport.pause_reading()
            client.writer.write(b"GET /plenty HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while connections.crowd.open == 2:
                await other.ask() if not other.reader.at_eof() else await asyncio.sleep(0)

    asyncio.run(story())


async def send_without_end(client: Client) -> None:
    while True:
        client.writer.write(b"10000\r\n" + bytes(65_536) + b"\r\n")
        await client.writer.drain()


def test_who_sends_on_after_a_refusal_gets_the_answer_and_is_dropped() -> None:
    async def story() -> None:
        async with serving() as connect:
            client = await connect()
            client.writer.write(b"POST /refused HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            assert (await client.reader.readline()).startswith(b"HTTP/1.1 200")
            with pytest.raises(ConnectionError):
                await send_without_end(client)

    asyncio.run(story())


def test_a_follower_stays_however_long_it_is_quiet() -> None:
    async def story() -> None:
        async with serving() as connect:
            follower, idle = await connect(), await connect()
            assert await follower.ask("/stream")
            assert await idle.ended()  # which takes as long as anything may
            assert not follower.reader.at_eof()
            assert connections.crowd.open == 1

    asyncio.run(story())


def test_idle_connections_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address holds many connections that say nothing. Whoever asks is answered, from that address, too."""
    monkeypatch.setattr(connections, "HEAD", 60)
    monkeypatch.setattr(connections, "crowd", Crowd(most=20))

    async def story() -> None:
        async with serving() as connect:
            silent = [await connect() for _ in range(30)]
            assert await (await connect("127.0.0.2")).ask()
            assert await (await connect()).ask()
            assert await silent[0].ended()

    asyncio.run(story())


def test_no_address_holds_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "crowd", Crowd(most=20))

    async def story() -> None:
        async with serving() as connect:
            answers = [await (await connect()).ask("/stream") for _ in range(25)]
            assert answers == [True] * 10 + [False] * 15
            assert await (await connect("127.0.0.2")).ask("/stream")

    asyncio.run(story())


def test_no_network_holds_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """The addresses of this machine stand for the many of an IPv6 network."""
    monkeypatch.setattr(connections, "crowd", Crowd(most=20))
    monkeypatch.setattr(connections, "network_of", lambda address: "2001:db8::" if address != "127.0.0.99" else address)

    async def story() -> None:
        async with serving() as connect:
            answers = [await (await connect(f"127.0.0.{number}")).ask("/stream") for number in range(1, 16)]
            assert answers == [True] * 10 + [False] * 5
            assert await (await connect("127.0.0.99")).ask("/stream")

    asyncio.run(story())


def test_proxies_may_hold_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd(most=20)
    crowd.proxies = frozenset({"127.0.0.1"})
    monkeypatch.setattr(connections, "crowd", crowd)

    async def story() -> None:
        async with serving() as connect:
            assert [await (await connect()).ask("/stream") for _ in range(25)] == [True] * 20 + [False] * 5

    asyncio.run(story())
