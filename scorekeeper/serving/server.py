"""The web server of `manage.py up`: uvicorn in this process, ended gently."""

import asyncio
import gc
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

GRACE = 3  # seconds for requests in hand; streams end before, on their own
IDLE = 30  # seconds a phone may keep its connection between two plays: a new one costs another way there and back
FILES = 8192  # connections at a time; systems give a program 256 or 1024, and everybody who follows is one
TURN = 0.001  # seconds a thread computes before another may: a play asks for its turn back after each of its queries
SWEEP = (5_000, 20, 50)  # objects made before the newest are looked at, such looks before one further back, and so on


class Server(uvicorn.Server):
    """Calls `ready` when the server answers, `ending` once when it is asked to end (Ctrl-C, SIGTERM).

    Both are called in the event loop. Unlike its parent it does not raise the signal again at the end:
    being asked to end is no failure.
    """

    def __init__(self, *, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        config = uvicorn.Config(
            "scorekeeper.asgi:application",
            lifespan="off",  # Django has none
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=IDLE,
        )
        super().__init__(config)
        self._ready, self._ending = ready, ending
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # Looking for what nobody needs any more stops everybody, for a tenth of a second where all is looked at. What
        # is there by now stays; for the rest every few minutes will do.
        gc.freeze()
        sys.setswitchinterval(TURN)
        gc.set_threshold(*SWEEP)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, self._end)
        yield

    def _end(self) -> None:
        if not self.should_exit:
            self.should_exit = True
            self._ending()
