"""`manage.py serve`: one web process of a server for permanent use, next to others like it."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from scorekeeper.live.hub import hub
from scorekeeper.management.ondata import in_one_line
from scorekeeper.serving import addresses
from scorekeeper.serving.server import Server


class Command(BaseCommand):
    help = "Starts one web process, for servers with PostgreSQL and Redis. Workers and the beat are started separately."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument(
            "--drain",
            metavar="SECONDS",
            type=float,
            default=0,
            help="before it ends, go on answering for this long, so that a proxy notices first (default: 0)",
        )

    def handle(self, *args: Any, host: str, port: int, drain: float, **options: Any) -> None:
        if not (settings.REDIS_URL and settings.DATABASES["default"]["ENGINE"].endswith("postgresql")):
            raise CommandError("This needs DATABASE_URL and REDIS_URL. On one machine, `manage.py up` needs neither.")
        try:
            with in_one_line(), addresses.listen(host, port) as listening:
                Server(ready=self._ready, ending=hub.close, drain=drain).run(sockets=[listening])
        except addresses.BadAddress as error:
            raise CommandError(str(error)) from error

    def _ready(self) -> None:
        self.stdout.write("Ready.")
        self.stdout.flush()
