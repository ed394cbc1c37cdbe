"""`manage.py up`: everything a club needs, from one command."""

import os
import random
import signal
import sys
import threading
import webbrowser
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, NoReturn
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, connection, connections
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from scorekeeper.live.hub import hub
from scorekeeper.models import Club
from scorekeeper.services import clubs, jobs
from scorekeeper.services import demo as demonstration
from scorekeeper.serving import addresses
from scorekeeper.serving.lock import DataInUse, DataLock
from scorekeeper.serving.server import Server
from scorekeeper.serving.worker import GRACE, Worker

LIMIT = GRACE + 0.2  # seconds after which it leaves, whatever still holds it: a slow machine too is done within five


class Command(BaseCommand):
    help = "Starts the server and its worker on this machine; Ctrl-C ends both."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")  # noqa: S104
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        # Taken by manage.py before the settings are read; named here to be seen in the help.
        parser.add_argument("--data", metavar="DIR", help="folder for all that is kept (default: data/)")
        parser.add_argument("--demo", action="store_true", help="also make a demonstration club")
        parser.add_argument("--no-open", action="store_true", help="open no browser")
        parser.add_argument("--public-url", metavar="URL", help="address under which the world reaches it")

    def handle(self, *args: Any, **options: Any) -> None:
        # Before the server has taken over both end it as quietly as later; a shell that starts programs in the
        # background has them ignore Ctrl-C.
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, signal.default_int_handler)
        try:
            self._up(**options)
        except KeyboardInterrupt:
            self._say("Stopped.")
        except (addresses.BadAddress, DataInUse) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or settings.DATA}: {error.strerror}.") from error
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {' '.join(str(error).split())}") from error
        except redis.RedisError as error:
            raise CommandError(f"REDIS_URL cannot be used: {error}") from error

    def _up(self, *, host: str, port: int, demo: bool, no_open: bool, public_url: str | None, **_: Any) -> None:
        if public_url:
            _go_public(addresses.origin(public_url))
        if settings.REDIS_URL:
            redis.from_url(settings.REDIS_URL).ping()
        _ask_database()
        lock = DataLock(settings.DATA)
        lock.take()
        with addresses.listen(host, port) as listening:
            port = listening.getsockname()[1]
            urls = addresses.urls(host, port, settings.PUBLIC_URL)
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses.hosts(host)]
            lock.tell(urls)
            call_command("migrate", verbosity=0, interactive=False)
            if demo and not Club.objects.filter(slug=clubs.DEMO).exists():
                demonstration.make(rng=random.Random(), now=timezone.now())  # noqa: S311 (shuffles, no secret)
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
                self._leave_in_time(worker)
                hub.close()
                worker.ask_to_end()

            connections.close_all()
            worker.start()
            try:
                Server(ready=ready, ending=ending).run(sockets=[listening])
            finally:
                worker.end()
        self._leave()

    def _pick_up(self) -> None:
        """Ahead of each start of the worker. Without Redis no other works here, so what was in hand is free again."""
        try:
            if not settings.REDIS_URL:
                for message in (settings.DATA / "queue" / "messages").glob("*.msg"):
                    message.unlink()  # the ledger sends again whatever still holds
            jobs.sweep(now=timezone.now(), orphaned=not settings.REDIS_URL)
        except (DatabaseError, BrokerError) as error:  # the beat's sweep makes up for it
            self._say(f"Waiting jobs cannot be sent yet: {error}")
        finally:
            connections.close_all()

    def _welcome(self, urls: Sequence[str], setup: str, *, demo: bool) -> None:
        best = urls[0]
        reach = best + reverse("reach")
        self._say(f"Scorekeeper is running. Everything it keeps is in {settings.DATA}.", "")
        if addresses.only_here(best):
            self._say(
                f"Only this machine reaches it, at {best}/: it is in no network, or --host keeps it to itself.", ""
            )
        else:
            self._say("Phones in the same network open", *(f"  {url}/" for url in urls), "")
            if (self.stdout.encoding or "").lower().startswith("utf"):
                self._say(addresses.qr(reach))
            self._say("A phone that scans this code, or opens its address, is told that it reaches the server:")
            self._say(f"  {reach}", "")
        if demo:
            self._say("The demonstration club:", f"  {best}{reverse('club', args=[clubs.DEMO])}", "")
        if setup:
            self._say("Nobody has made a club of their own here yet. The first to open this link does; it works once:")
            self._say(f"  {best}{setup}", "")
        self._say("Ctrl-C stops everything.")

    def _leave_in_time(self, worker: Worker) -> None:
        """All is to end within five seconds, also when a request or a database holds a thread for longer."""

        def leave() -> None:
            worker.kill()
            self._leave()

        timer = threading.Timer(LIMIT, leave)
        timer.daemon = True
        timer.start()

    def _leave(self) -> NoReturn:
        """At once: nothing is left to be done, and taking the interpreter apart takes a slow machine a second."""
        self._say("Stopped.")
        os._exit(0)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()  # into a pipe or a log file as well


def _ask_database() -> None:
    """Once, without the pool, which would try for long before it said why not."""
    asked = connection.copy()
    asked.settings_dict["OPTIONS"].pop("pool", None)
    asked.ensure_connection()
    asked.close()


def _go_public(url: str) -> None:
    """As SCOREKEEPER_PUBLIC_URL does, for this process."""
    settings.PUBLIC_URL = url
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, urlsplit(url).hostname]
    settings.CSRF_TRUSTED_ORIGINS = [url]
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = url.startswith("https://")


def _open_browser(url: str) -> None:
    """Only where there is a screen: elsewhere a browser would take over the terminal."""
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()
