"""Wake-ups between processes, through Redis. A lost one does no harm: every hub also reads at regular intervals."""

import asyncio
import functools
import logging
from collections.abc import Callable

import redis
import redis.asyncio
from django.conf import settings

from scorekeeper.live.errands import Errands

CHANNEL = "scorekeeper:wake"

TIMEOUT = 1.0  # seconds

logger = logging.getLogger(__name__)
wakings = Errands("waking", most=1)  # one that has not begun yet wakes for all commits before it


def wake() -> None:
    """Wakes the hubs of all processes. Does not wait for Redis."""
    wakings.run(functools.partial(_publish, client()))


def _publish(connection: redis.Redis) -> None:
    try:
        connection.publish(CHANNEL, b"")
    except redis.RedisError as error:
        logger.warning("Cannot wake others by Redis: %s", error)


async def listen(woken: Callable[[], object], *, retry: float) -> None:
    """Calls `woken` for each wake-up, without end. After an error it connects again in `retry` seconds."""
    # With a timeout for sending, the library calls wait_for, which can swallow a cancellation in Python 3.11.
    connect = functools.partial(redis.asyncio.from_url, settings.REDIS_URL, socket_timeout=None)
    while True:
        try:
            async with connect() as connection, connection.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                async for _ in channel.listen():
                    woken()
        except redis.RedisError as error:
            logger.warning("Cannot listen to Redis: %s", error)
        await asyncio.sleep(retry)


@functools.cache
def client() -> redis.Redis:
    """The connection of this process for its own wake-ups."""
    return redis.from_url(settings.REDIS_URL, socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT)
