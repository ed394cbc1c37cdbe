"""How quick a full hall is: a night with a play at every table every few seconds, and many who follow.

    python tests/bench/club_night_load.py [--tables 50] [--followers 300] [--interval 3] [--seconds 30] [--game NAME]
        [--attack NAME [--attack-in-hall] [--attack-connections 8]]

Starts `manage.py up` on an address of this machine and a fresh data folder in which an evening is in full swing, each
match somewhere on its way, then speaks with it as phones do: a phone at each table posts what is played and starts the
next match when one is over, that phone and a second one follow the pad, two thirds of the followers watch a table, the
others follow the night's page, a few of them its big screen. Those show points and hands: only plays that change them
can be seen there. Before that, with nobody following, plays of one table are posted one after another, as fast as they
are answered: all times are given as ratios to those, too. How long the disk takes to keep a few bytes is measured as
well, for each play waits for it.
"""

import argparse
import asyncio
import bisect
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.attacks import ATTACKS, CONNECTIONS, ELSEWHERE, IN_THE_HALL  # noqa: E402

ANSWERED, ATTACKED, SEEN, FOLLOWED = 50, 200, 300, 500  # milliseconds that 95 of 100 may take
ALONE = 60  # plays of the baseline
HANDS = 12
NUMBER = re.compile(rb"\s*[0-9a-f]+\r\nid: (\d+)\n")
GRACE = 5.0  # seconds to wait at the end for followers that are behind; they miss the limit but are still measured


@dataclass
class Contest:
    """A match to be played."""

    game: str
    options: dict[str, object]
    players: list[str]
    entries: list[dict[str, object]]
    listed: set[int]
    """The numbers of entries after which the page of the night changes."""


@dataclass
class Seated:
    """A table with its match and those that will follow."""

    table: int
    match: int
    token: str
    contest: Contest
    seen: int
    """The number of entries made already."""
    later: list[Contest]


@dataclass
class Hall:
    night: int
    seated: list[Seated]


@dataclass
class Sent:
    """A play that was sent; times are in seconds."""

    match: int
    length: int
    table: int
    at: float
    answered: float
    listed: bool
    """Whether it changed the page of the night."""


@dataclass
class Stream(asyncio.Protocol):
    """A follower, with the time, the event id and the size of each message. It does not look into messages, because 300
    followers run next to the server."""

    topic: str
    part: str
    cookies: str = ""
    times: list[float] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    bytes: int = 0
    rest: bytes = b""
    lost_at: float | None = None
    """When the server ended the stream."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        path = f"/live/?topic={self.topic}&part={self.part}"
        transport.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.cookies}\r\n\r\n".encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.lost_at = perf_counter()

    def data_received(self, data: bytes) -> None:
        """Each chunk of the answer is one message: its number stands in the first line of those that have one."""
        assert self.bytes or data.startswith(b"HTTP/1.1 200"), data[:200]
        self.bytes += len(data)
        *messages, self.rest = (self.rest + data).split(b"\n\n\r\n")
        for message in messages:
            number = NUMBER.match(message)
            if number:
                self.times.append(perf_counter())
                self.ids.append(int(number[1]))

    def got(self, event: int) -> float | None:
        """When it first had a state that includes this event."""
        place = bisect.bisect_left(self.ids, event)
        return self.times[place] if place < len(self.ids) else None


# --- the hall ----------------------------------------------------------------------------------------------
def prepared(data: Path, plays: Sequence[int], wish: str | None, rng: random.Random, hands: int = HANDS) -> Hall:
    """A club with a night in play. `plays` has the number of plays for each table, in as many matches as they take. All
    tables play this game, or all games in turn, with the first game at the last table."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "scorekeeper.settings", "SCOREKEEPER_DATA": str(data)}
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections, transaction
    from django.utils import timezone

    import games
    from scorekeeper.access import Actor
    from scorekeeper.models import Club, LogEntry, Match, Player, Table
    from scorekeeper.services import events, matches, recording, tables
    from scorekeeper.services.events import Step

    call_command("migrate", verbosity=0)
    now, by, seated = timezone.now(), Actor(), []
    slugs = [wish] if wish else list(games.GAMES)
    with transaction.atomic():
        club = Club.objects.create(slug="hall", name="Hall", created_at=now)
        people = [Player.objects.create(club=club, name=f"Player {n:03}").pk for n in range(4 * len(plays))]
        night = events.start(club=club, players=people, step=Step(by, "night", 0, now))
        for n, wanted in enumerate(plays):
            table = Table.objects.create(club=club, number=n + 1)
            slug = slugs[n % len(slugs)] if n + 1 < len(plays) else next(iter(games.GAMES))
            here = [f"Player {4 * n + seat:03}" for seat in range(games.GAMES[slug].seats[0])]
            first = contest(slug, hands, here, rng)
            before, later = rng.randrange(len(first.entries)), list[Contest]()
            while len(first.entries) - before + sum(len(each.entries) for each in later) < wanted:
                later.append(contest(slug, hands, here, rng))
            match = matches.open_match(table=table, game=slug, options=first.options, players=here, by=by, now=now)
            Match.objects.filter(pk=match.pk).update(event=night)
            LogEntry.objects.bulk_create(
                LogEntry(match=match, seq=seq, kind=entry["kind"], payload=entry, at=now, key=f"key-{seq}")
                for seq, entry in enumerate(first.entries[:before])
            )
            recording.rebuild(match_id=match.pk)
            token = tables.fresh_token(table=table, now=now)
            seated.append(Seated(table.pk, match.pk, token, first, before, later))
    connections.close_all()
    return Hall(night.pk, seated)


def contest(slug: str, hands: int, players: list[str], rng: random.Random) -> Contest:
    import games

    record = games.random_match(slug, {"hands": hands}, players, rng)
    return Contest(slug, record["options"], players, games.entries(record), listed(slug, record))


def listed(slug: str, record: dict[str, Any]) -> set[int]:
    """The numbers of entries after which the points, the hands or the end of the match change."""
    import games

    state = games.Match.new(slug, record["options"], record["players"])
    shown, found = None, set()
    for length, entry in enumerate(games.entries(record), 1):
        state = state.enter(entry)
        before, shown = shown, (state.totals, len(state.hands), state.finished)
        if shown != before:
            found.add(length)
    return found


def ids_of_changes() -> dict[tuple[str, int, int], int]:
    """(topic, match, length) → the id of the change with this length."""
    from scorekeeper.models import Change

    rows = Change.objects.values_list("pk", "topic", "match_id", "length")
    return {(topic, match, length): pk for pk, topic, match, length in rows}


# --- phones ------------------------------------------------------------------------------------------------
class Line:
    """A connection that is opened again if the server has closed it, which it does after thirty idle seconds."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    async def open(self) -> "Line":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> None:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if self.cookies:
            lines.append(f"Cookie: {self.cookie()}")
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)

    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def head(self) -> tuple[int, dict[str, str]]:
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {}
        for line in lines[1:-1]:
            name, _colon, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _equals, rest = value.partition("=")
                self.cookies[cookie] = rest.partition(";")[0]
            headers[name.lower()] = value
        return int(lines[0].split()[1]), headers

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
        if self.reader.at_eof():
            self.writer.close()
            await Line.open(self)
        self.send(method, path, body, **headers)
        status, answer = await self.head()
        return status, (await self.reader.readexactly(int(answer.get("content-length", 0)))).decode()


class Phone(Line):
    """A phone that scanned a table's code and shows its page."""

    def __init__(self, port: int, seated: Seated) -> None:
        super().__init__(port)
        self.seated = seated

    async def open(self) -> "Phone":
        await super().open()
        status, _ = await self.ask("GET", f"/t/{self.seated.token}/")
        assert status == 303, status
        status, page = await self.ask("GET", f"/tables/{self.seated.table}/")
        assert status == 200, status
        self.csrf = re.search(r'data-csrf="(\w+)"', page)[1]
        return self

    async def start_next(self) -> None:
        here = self.seated
        here.contest = here.later.pop(0)
        wanted = {"game": here.contest.game, "options": here.contest.options, "players": here.contest.players}
        path, body = f"/api/v1/tables/{here.table}/matches/", json.dumps(wanted).encode()
        status, answer = await self.ask("POST", path, body, X_CSRFToken=self.csrf, Content_Type="application/json")
        assert status == 201, f"{status} {answer}"
        here.match, here.seen = json.loads(answer)["id"], 0

    async def play(self) -> Sent:
        if self.seated.seen == len(self.seated.contest.entries):
            await self.start_next()
        here, seen = self.seated, self.seated.seen
        entry = json.dumps(here.contest.entries[seen], separators=(",", ":"))
        body = urlencode({"seen": seen, "key": f"key-{seen}", "entry": entry}).encode()
        at = perf_counter()
        status, page = await self.ask(
            "POST",
            f"/matches/{here.match}/entries/",
            body,
            X_Part="sheet",
            X_CSRFToken=self.csrf,
            Content_Type="application/x-www-form-urlencoded",
        )
        answered = perf_counter() - at
        assert status == 200, f"{status} {page}"
        here.seen += 1
        return Sent(here.match, here.seen, here.table, at, answered, here.seen in here.contest.listed)


# --- the evening -------------------------------------------------------------------------------------------
async def alone(port: int, seated: Seated) -> list[Sent]:
    """The baseline: one table without followers, with each play sent after the answer to the last one."""
    phone = await Phone(port, seated).open()
    return [await phone.play() for _ in range(ALONE)]


async def evening(
    port: int, hall: Hall, options: argparse.Namespace, rng: random.Random, memory_now: Callable[[], str]
) -> "Evening":
    """`memory_now` is printed each minute."""
    players = [await Phone(port, seated).open() for seated in hall.seated]
    watching = options.followers * 2 // 3
    topics = [(f"table:{hall.seated[n % len(hall.seated)].table}", "watch") for n in range(watching)]
    parts = ["screen" if n % 20 == 0 else "night" for n in range(options.followers - watching)]
    topics += [(f"night:{hall.night}", part) for part in parts]
    streams = [Stream(*topic) for topic in topics]
    for phone in players:  # its own page and another phone of the table follow too
        streams += [Stream(f"table:{phone.seated.table}", "pad", phone.cookie()) for _ in range(2)]
    loop = asyncio.get_running_loop()
    following = [await loop.create_connection(lambda stream=stream: stream, "127.0.0.1", port) for stream in streams]
    while not all(stream.ids for stream in streams):
        await asyncio.sleep(0.1)
        assert not any(transport.is_closing() for transport, _stream in following), "a follower was refused"
    result = Evening(streams)
    watches = [asyncio.create_task(result.mind_the_clock()), asyncio.create_task(each_minute(memory_now))]
    begin = perf_counter() + 1.0
    result.began = begin
    jobs = [asyncio.create_task(_play(phone, begin, options, random.Random(rng.random()), result)) for phone in players]
    await asyncio.gather(*jobs)
    result.seconds = perf_counter() - begin
    await asyncio.sleep(GRACE)  # messages that are still on their way to followers
    for watch in watches:
        watch.cancel()
    for transport, _stream in following:
        transport.close()
    return result


async def each_minute(memory_now: Callable[[], str]) -> None:
    for minute in itertools.count():
        print(f"minute {minute:2}: {memory_now()}", flush=True)
        await asyncio.sleep(60)


async def _play(phone: Phone, begin: float, options: argparse.Namespace, rng: random.Random, result: "Evening") -> None:
    """One play in each interval, at a random moment. The first one warms the server up and is not counted."""
    for number in range(options.plays):
        await asyncio.sleep(begin + (number + rng.random()) * options.interval - perf_counter())
        sent = await phone.play()
        if number:
            result.sent.append(sent)


@dataclass
class Evening:
    streams: list[Stream]
    sent: list[Sent] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """How late this program itself was, in seconds."""
    began: float = 0.0
    seconds: float = 0.0

    async def mind_the_clock(self) -> None:
        while True:
            due = perf_counter() + 0.01
            await asyncio.sleep(0.01)
            self.late.append(perf_counter() - due)

    def until_seen(
        self, part: str, changes: dict[tuple[str, int, int], int], plays: Iterable[Sent] | None = None
    ) -> list[float]:
        """For each play (of these, else of all), the seconds from sending it until each follower of `part` had it."""
        streams = [stream for stream in self.streams if stream.part == part]
        times = []
        for play in self.sent if plays is None else plays:
            for stream in streams:
                if stream.topic == f"table:{play.table}" or (stream.topic.startswith("night:") and play.listed):
                    change = changes[stream.topic, play.match, play.length]
                    got = stream.got(change)
                    assert got, (
                        f"{stream.topic} {stream.part} never got {change}, only {stream.ids[-1]}; {stream.lost_at=}"
                    )
                    times.append(got - play.at)
        return times

    def load(self, part: str) -> str:
        streams = [stream for stream in self.streams if stream.part == part]
        messages = [t for stream in streams for t in stream.times if t > self.began]
        size = sum(stream.bytes for stream in streams) / max(1, sum(len(stream.ids) for stream in streams))
        return f"{len(streams):4} × {part:6} {len(messages) / self.seconds:6.0f} messages/s of {size / 1000:.1f} kB"


def processor_time(pid: int) -> float:
    """The processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def disk_write(folder: Path) -> float:
    """The time until the disk confirms a written page, in seconds."""
    with (folder / "page").open("ab", buffering=0) as file:
        file.write(bytes(4096))
        begun = perf_counter()
        os.fdatasync(file.fileno())
        return perf_counter() - begun


def machine() -> str:
    names = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} × {names[0] if names else os.uname().machine}, Python {sys.version.split()[0]}"


def at(share: float, times: Iterable[float]) -> float:
    """The quantile in milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def tell(name: str, times: Sequence[float], base: float, limit: int | None = None) -> bool:
    if not times:
        print(f"{name:32}      0  (nothing that they are shown changed)")
        return True
    middle, most, worst = at(0.5, times), at(0.95, times), at(1, times)
    said = "" if limit is None else f"{limit:7} {'kept' if most <= limit else 'MISSED'}"
    print(f"{name:32}{len(times):7}{middle:8.1f}{most:8.1f}{worst:8.1f}{most / base:8.1f}{said}")
    return limit is None or most <= limit


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--followers", type=int, default=300)
    parser.add_argument("--interval", type=float, default=3.0, help="seconds between two plays of a table")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--limit", type=int, default=ANSWERED, help="milliseconds that 95 of 100 plays may take")
    parser.add_argument("--attack", choices=ATTACKS, help="an attack of attacks.py at the same time")
    parser.add_argument("--attack-in-hall", action="store_true", help="from the address of the hall's phones")
    parser.add_argument("--attack-connections", type=int, default=CONNECTIONS)
    parser.add_argument("--game", help="its name in records; left out: all of them")
    parser.add_argument("--hands", type=int, default=HANDS, help="of each match")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.plays = 1 + int(options.seconds / options.interval)
    rng = random.Random(options.seed)

    print(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    kept = one_night(options, rng)
    print(f"load now {os.getloadavg()[0]:.1f}")
    return 0 if kept else 1


def one_night(options: argparse.Namespace, rng: random.Random) -> bool:
    """Returns whether all limits were kept."""
    from tests.running import children, running

    with tempfile.TemporaryDirectory(prefix="scorekeeper-") as folder:
        hall = prepared(Path(folder), [*[options.plays] * options.tables, ALONE], options.game, rng, options.hands)
        with running(Path(folder)) as server:
            base = asyncio.run(alone(server.port, hall.seated.pop()))
            began = processor_time(server.process.pid)

            def memory_now() -> str:
                pids = server.process.pid, *sorted(children(server.process.pid))
                return f"server and its processes have {', '.join(str(memory(pid)) for pid in pids)} MB"

            attacker = options.attack and attacking(server.port, options)
            result = asyncio.run(evening(server.port, hall, options, rng, memory_now))
            used = processor_time(server.process.pid) - began
            if attacker:
                print(f"\nDuring the attack {attacker.communicate()[0].strip()}")
            kept = report(result, base, options, ids_of_changes(), attacked=bool(attacker))
            print(f"{options.tables / options.interval:.1f} plays/s; the server took", end=" ")
            print(f"{100 * used / result.seconds:.0f} % of a core; at the end: {memory_now()}")
            written = [disk_write(Path(folder)) for _ in range(100)]
        tell("the disk, asked to keep 4 kB", written, at(0.95, [play.answered for play in base]))
    return kept


def attacking(port: int, options: argparse.Namespace) -> "subprocess.Popen[str]":
    command = [sys.executable, str(ROOT / "tests/bench/attacks.py"), str(port), options.attack]
    command += ["--seconds", str(options.seconds + 5), "--connections", str(options.attack_connections)]
    command += ["--address", IN_THE_HALL if options.attack_in_hall else ELSEWHERE]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def report(
    result: "Evening",
    base: Sequence[Sent],
    options: argparse.Namespace,
    changes: dict[tuple[str, int, int], int],
    *,
    attacked: bool,
) -> bool:
    """Prints how quick the hall was. Returns whether all limits were kept."""
    answered = [play.answered for play in base]
    unit = at(0.95, answered)
    print(f"\n{'milliseconds':32}{'number':>7}{'p50':>8}{'p95':>8}{'max':>8}{'ratio':>8}{'limit':>7}")
    tell("a play, nobody follows", answered, unit)
    plays = [play.answered for play in result.sent]
    kept = [
        tell("a play in the full hall", plays, unit, ATTACKED if attacked else options.limit),
        tell("until another phone has it", result.until_seen("pad", changes), unit, SEEN),
        tell("until who watches the table has", result.until_seen("watch", changes), unit, FOLLOWED),
        tell("until the night's followers have", result.until_seen("night", changes), unit, FOLLOWED),
        tell("until the big screens have", result.until_seen("screen", changes), unit, FOLLOWED),
    ]
    tell("this program's own lateness", result.late, unit)
    for minute in range(int(result.seconds / 60) + 1):
        sent = [play for play in result.sent if minute <= (play.at - result.began) / 60 < minute + 1]
        times = {"a play": [play.answered for play in sent]}
        times |= {part: result.until_seen(part, changes, sent) for part in ("watch", "night", "screen")}
        said = ", ".join(f"{name} {at(0.95, each):.0f}" for name, each in times.items() if each)
        print(f"sent in minute {minute:2}, 95 of 100: {said}")
    for part in ("pad", "watch", "night", "screen"):
        print(result.load(part))
    return all(kept[:1] if attacked else kept)


def memory(pid: int) -> int:
    """The memory of a process in MB."""
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") // 1_000_000


if __name__ == "__main__":
    sys.exit(main())
