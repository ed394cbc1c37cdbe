"""How many plays a second one web process records, and several.

    DATABASE_URL=postgres://… REDIS_URL=redis://… python tests/bench/processes.py [--tables 40] [--seconds 10]

DATABASE_URL must name an empty database. A phone at each table posts plays over its own connection, each as soon as the
last one is answered; the tables are spread over the processes. The clients read as little of the answers as possible,
to leave the processors to the server. Runs with one process and with several take turns, and the ratio is that of the
medians.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.club_night_load import Seated, at, machine, prepared, processor_time  # noqa: E402
from tests.waiting import free_port  # noqa: E402

GAME, HANDS_READY = "domino-whist", 40  # of the match at each table, for all runs
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@contextmanager
def processes(number: int) -> Iterator[list[tuple[int, int]]]:
    """Web processes: the port and the process id of each."""
    ports = [free_port() for _ in range(number)]
    started = [
        subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for port in ports
    ]
    try:
        for process in started:
            assert process.stdout
            assert process.stdout.readline() == "Ready.\n"
        yield list(zip(ports, (process.pid for process in started), strict=True))
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


async def play(port: int, seated: Seated, until: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while seated.seen < len(seated.contest.entries) and (sent := perf_counter()) < until:
        entry = seated.contest.entries[seated.seen]
        body = json.dumps({"seen": seated.seen, "key": f"key-{seated.seen}", **entry}).encode()
        writer.write(
            f"POST /api/v1/matches/{seated.match}/entries/ HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {seated.token}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 201"), head + await reader.read(1000)
        length = LENGTH.search(head)
        assert length
        await reader.readexactly(int(length[1]))
        seated.seen += 1
        times.append(perf_counter() - sent)
    writer.close()


async def run(hall: Sequence[Seated], ports: Sequence[int], seconds: float) -> tuple[float, list[float]]:
    """The plays a second, and how long each took."""
    times: list[float] = []
    begun = perf_counter()
    ends = begun + seconds
    await asyncio.gather(*(play(ports[n % len(ports)], seated, ends, times) for n, seated in enumerate(hall)))
    return len(times) / (perf_counter() - begun), times


def postgres() -> list[int]:
    """The process ids of PostgreSQL."""
    named = (int(file.parent.name) for file in Path("/proc").glob("[0-9]*/comm") if file.read_text() == "postgres\n")
    return list(named)


def used_by(pids: Sequence[int]) -> float:
    return sum(processor_time(pid) for pid in pids)


def measure(hall: Sequence[Seated], number: int, seconds: float) -> float:
    with processes(number) as started:
        ports = [port for port, _pid in started]
        asyncio.run(run(hall, ports, 1))  # warms the processes up
        pids = [pid for _port, pid in started]
        before = used_by(pids), used_by(postgres()), sum(os.times()[:2])
        rate, times = asyncio.run(run(hall, ports, seconds))
        after = used_by(pids), used_by(postgres()), sum(os.times()[:2])
        web, database, own = (now - then for now, then in zip(after, before, strict=True))
    print(
        f"{number} × web {rate:7.1f} plays/s   p50 {at(0.5, times):6.1f} ms   p95 {at(0.95, times):6.1f} ms   "
        f"processor time a play: web {1000 * web / len(times):4.1f} ms, "
        f"PostgreSQL {1000 * database / len(times):4.1f} ms, clients {1000 * own / len(times):3.1f} ms"
    )
    return rate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scorekeeper-") as folder:
        hall = prepared(Path(folder), [1] * options.tables, GAME, random.Random(1), HANDS_READY).seated
        print(f"{machine()}, load {os.getloadavg()[0]:.1f}")
        rates: dict[int, list[float]] = {number: [] for number in options.processes}
        for _ in range(options.rounds):
            for number in options.processes:
                rates[number].append(measure(hall, number, options.seconds))
    first, *others = options.processes
    for number in others:
        print(f"{number} processes: {median(rates[number]) / median(rates[first]):.2f} times {first}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
