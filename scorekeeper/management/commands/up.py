"""`manage.py up`: everything a club needs, from one command."""

import os
import random
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from typing import Any, NoReturn
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import CommandParser
from django.db import DatabaseError, connection, connections
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from scorekeeper.live.hub import hub, neighbours
from scorekeeper.management.ondata import DataCommand, damaged_database, in_one_line
from scorekeeper.models import Club, Job
from scorekeeper.services import backup, clubs, jobs, restore
from scorekeeper.services import demo as demonstration
from scorekeeper.serving import addresses
from scorekeeper.serving.connections import Connection, crowd
from scorekeeper.serving.leaving import ending_signals, leave
from scorekeeper.serving.lock import DataLock
from scorekeeper.serving.meanwhile import Meanwhile
from scorekeeper.serving.privacy import only_for_owner
from scorekeeper.serving.server import Server
from scorekeeper.serving.spectators import Spectators
from scorekeeper.serving.worker import GRACE, Worker

SAID = {
    Job.State.DONE: "Restored {file}.",
    Job.State.FAILED: "Not restored: {error}",
    Job.State.CANCELLED: "The restore of {file} was cancelled.",
}
LIMIT = GRACE + 0.2  # seconds before it exits in any case: even a slow machine then takes less than five


class Command(DataCommand):
    help = "Starts the server and its worker on this machine. Ctrl-C stops both."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")  # noqa: S104
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--demo", action="store_true", help="add a demonstration club")
        parser.add_argument("--no-open", action="store_true", help="do not open a browser")
        parser.add_argument("--public-url", metavar="URL", help="address at which others reach the server")

    def handle(self, *args: Any, **options: Any) -> None:
        # Until the server has its own handlers, these signals end the command without a traceback. A shell makes its
        # background programs ignore Ctrl-C: this undoes that.
        for number in ending_signals():
            signal.signal(number, signal.default_int_handler)
        try:
            with in_one_line():
                self._up(**options)
        except KeyboardInterrupt:
            self._say("Stopped.")
        except addresses.BadAddress as error:
            raise CommandError(str(error)) from error
        except redis.RedisError as error:
            raise CommandError(f"REDIS_URL cannot be used: {error}") from error
        finally:
            connections.close_all()

    def _up(self, *, host: str, port: int, demo: bool, no_open: bool, public_url: str | None, **_: Any) -> None:
        if public_url:
            _go_public(addresses.origin(public_url))
        if settings.REDIS_URL:
            redis.from_url(settings.REDIS_URL).ping()
        _check_database()
        lock = DataLock(settings.DATA)
        with lock.taken(), addresses.listen(host, port) as listening:
            only_for_owner(settings.DATA)
            restore.forget_unfinished()
            port = listening.getsockname()[1]
            urls = addresses.urls(host, port, settings.PUBLIC_URL)
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses.hosts(host)]
            lock.note_addresses(urls)
            call_command("migrate", verbosity=0, interactive=False)
            self._restore(listening)
            if demo and not Club.objects.filter(slug=Club.DEMO).exists():
                demonstration.make(rng=random.Random(), now=timezone.now())
            setup = "" if clubs.founded() else reverse("setup", args=[clubs.setup_link(timezone.now())])
            worker = Worker(
                scratch=settings.DATA / "queue" / "scratch",
                before=self._pick_up,
                busy=jobs.busy,
                say=self._say,
                keep=(lock.fileno(),),
            )

            def ready() -> None:
                self._welcome(urls, setup, demo=demo)
                if not no_open:
                    _open_browser(addresses.local(host, port) + setup)

            def ending() -> None:
                self._say("Stopping …")
                self._leave_in_time(worker, lock)
                hub.close()
                worker.ask_to_end()

            connections.close_all()
            worker.start()
            server = Server(ready=ready, ending=ending)
            Connection.spectators = spectators = Spectators(waiting=crowd.most // 4)
            neighbours.append(spectators.wake)
            try:
                server.run(sockets=[listening])
            finally:
                spectators.end()
                worker.end()
        self._leave(lock)

    def _restore(self, listening: socket.socket) -> None:
        """Restores the backup that somebody has chosen on the page, if any. Meanwhile visitors see how far it is."""
        if asked := restore.asked():
            with Meanwhile(listening, asked.key) as meanwhile:

                def progress(done: int, total: int) -> None:
                    meanwhile.tell(done, total)
                    if meanwhile.cancelled:
                        raise jobs.Cancelled

                job = restore.restore_asked(asked, now=timezone.now(), progress=progress)
            self._say(SAID[Job.State(job.state)].format(file=asked.file.name, error=job.error))

    def _pick_up(self) -> None:
        """Before each start of the worker. Without Redis there is no other worker: unfinished jobs can start again."""
        try:
            if not settings.REDIS_URL:
                for message in (settings.DATA / "queue" / "messages").glob("*.msg"):
                    message.unlink()  # the ledger sends again what is still to be done
            jobs.sweep(now=timezone.now(), orphaned=not settings.REDIS_URL)
        except (DatabaseError, BrokerError) as error:  # the next sweep sends them
            self._say(f"Cannot send waiting jobs yet: {error}")
        finally:
            connections.close_all()

    def _welcome(self, urls: Sequence[str], setup: str, *, demo: bool) -> None:
        best = urls[0]
        reach = best + reverse("reach")
        self._say(f"Scorekeeper is running. Its data is in {settings.DATA}.", "")
        if addresses.only_here(best):
            self._say(f"Only this machine can open {best}/: there is no network, or --host does not allow others.", "")
        else:
            self._say("On phones in the same network, open", *(f"  {url}/" for url in urls), "")
            if (self.stdout.encoding or "").lower().startswith("utf"):
                self._say(addresses.qr(reach))
            self._say("To test whether a phone reaches the server, scan this code or open")
            self._say(f"  {reach}", "")
        if demo:
            self._say("The demonstration club:", f"  {best}{reverse('club', args=[Club.DEMO])}", "")
        if setup:
            self._say("To create your club, open this link (it works once):")
            self._say(f"  {best}{setup}", "")
        self._say("Ctrl-C stops everything.")

    def _leave_in_time(self, worker: Worker, lock: DataLock) -> None:
        """Ends everything within five seconds, even if a request or the database holds a thread for longer."""

        def leave_now() -> None:
            worker.kill()
            self._leave(lock)

        timer = threading.Timer(LIMIT, leave_now)
        timer.daemon = True
        timer.start()

    def _leave(self, lock: DataLock) -> NoReturn:
        self._say("Stopped.")
        lock.forget()
        leave(connection.settings_dict["NAME"] if connection.vendor == "sqlite" else None, keep=lock.fileno())

    def _say(self, *lines: str) -> None:
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()  # a pipe or a log file gets each line at once, too


def _check_database() -> None:
    """Connects once, without the pool, which tries for a long time before it reports an error."""
    single = connection.copy()
    single.settings_dict["OPTIONS"].pop("pool", None)
    single.ensure_connection()
    if single.vendor == "sqlite":
        with single.cursor() as cursor:
            cursor.execute("PRAGMA quick_check(1)")  # it takes 0.2 s for 100 MB
            (found,) = cursor.fetchone()
        if found != "ok":
            raise CommandError(damaged_database(" ".join(found.split())))
        if (kept := backup.saved()) and not single.introspection.table_names():
            raise CommandError(
                f"The database {single.settings_dict['NAME']} is empty, but there are backups. Restore the newest one: "
                f"manage.py restore {kept[0]}\nTo begin with nothing, move {backup.folder()} away first."
            )
    single.close()


def _go_public(url: str) -> None:
    """Sets for this process and its children what SCOREKEEPER_PUBLIC_URL sets."""
    os.environ["SCOREKEEPER_PUBLIC_URL"] = url
    settings.PUBLIC_URL = url
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, urlsplit(url).hostname]
    settings.CSRF_TRUSTED_ORIGINS = [url]
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = url.startswith("https://")
    settings.SECURE_HSTS_SECONDS = settings.MONTH if url.startswith("https://") else 0


def _open_browser(url: str) -> None:
    """Opens a browser, but only where there is a screen: without one it would take over the terminal."""
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()
