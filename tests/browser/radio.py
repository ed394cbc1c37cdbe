"""The connection between one phone and the server, which can be interrupted."""

import socket
import threading
from contextlib import suppress


class Radio:
    """A proxy between a phone and the server at `port`."""

    def __init__(self, port: int) -> None:
        self._server = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._on = True
        self._open: set[socket.socket] = set()
        self._streams: set[socket.socket] = set()
        self._deaf: set[socket.socket] = set()
        self._lost: set[socket.socket] = set()
        self._loses_answer = False
        threading.Thread(target=self._carry, daemon=True).start()

    def cut(self) -> None:
        """Breaks all connections, and refuses new ones."""
        self._on = False
        for end in list(self._open):
            _hang_up(end)

    def heal(self) -> None:
        self._on = True

    def fall_silent(self) -> None:
        """Keeps the phone's present connections open, but nothing arrives any more."""
        self._deaf |= self._streams

    def lose_the_next_answer(self) -> None:
        """The next post of the phone arrives, but the connection breaks before the answer."""
        self._loses_answer = True

    def close(self) -> None:
        self.cut()
        _hang_up(self._listener)
        self._listener.close()

    def _carry(self) -> None:
        with suppress(OSError):  # closed
            while True:
                phone, _address = self._listener.accept()
                self._connect(phone)

    def _connect(self, phone: socket.socket) -> None:
        if not self._on:
            return phone.close()
        try:
            server = socket.create_connection(self._server)
        except ConnectionRefusedError:
            return phone.close()
        self._open |= {phone, server}
        for ends in ((phone, server), (server, phone)):
            threading.Thread(target=self._pump, args=ends, daemon=True).start()
        return None

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # either side has hung up
            while (data := source.recv(65536)) and source not in self._lost:
                if data.startswith(b"GET /live/"):
                    self._streams.add(target)
                if self._loses_answer and data.startswith(b"POST "):
                    self._loses_answer = False
                    self._lost.add(target)
                if source not in self._deaf:
                    target.sendall(data)
        _hang_up(target)
        self._open.discard(source)
        source.close()


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):  # it has hung up itself
        end.shutdown(socket.SHUT_RDWR)
