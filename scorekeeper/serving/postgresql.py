"""Connections to a PostgreSQL that may hang: it still has the connection, but does not answer."""

from typing import Any, ClassVar, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

T = TypeVar("T")


class Connection(psycopg.Connection[Any]):
    """Gives up a statement without an answer, and with it all connections of the process: they may hang, too."""

    patience: ClassVar[float | None] = None
    """Seconds. None: as long as it takes. Jobs and commands have statements for all data of a server."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError:
            if self.info.transaction_status is TransactionStatus.ACTIVE:  # the answer might still come
                self.pgconn.finish()
                if isinstance(self._pool, ConnectionPool):
                    self._pool.drain()
            raise
