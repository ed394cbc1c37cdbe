"""A line to a service of this machine, which a test can cut or freeze."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any


class Line:
    """Passes on what it receives. `cut`: nobody answers any more, as after a crash. `freeze`: connections stay open,
    but nothing comes back. `forget`: that stays so for these connections, but new ones work."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._forgotten: list[asyncio.Event] = []
        self.port = 0
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.mend()

    def cut(self) -> None:
        self._do(self._cut())

    def freeze(self) -> None:
        self._loop.call_soon_threadsafe(self._flows.clear)

    def forget(self) -> None:
        self._do(self._forget())

    def mend(self) -> None:
        self._do(self._mend())

    def end(self) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _cut(self) -> None:
        if self._server:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self._server = None

    async def _forget(self) -> None:
        self._flows.clear()
        self._forgotten.append(self._flows)
        self._flows = asyncio.Event()
        self._flows.set()

    async def _end(self) -> None:
        for flows in (*self._forgotten, self._flows):
            flows.set()
        await self._cut()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    async def _mend(self) -> None:
        self._flows.set()
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers |= {writer, there_writer}
        await asyncio.gather(self._pass_on(reader, there_writer), self._pass_on(there_reader, writer))
        self._writers -= {writer, there_writer}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        flows = self._flows
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                await flows.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    def _do(self, what: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result()


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    line = Line(port)
    try:
        yield line
    finally:
        line.end()
