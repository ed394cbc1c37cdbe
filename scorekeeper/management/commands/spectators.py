"""`manage.py spectators`: the process with which `up` serves those who only watch. Nobody starts it by hand."""

import asyncio
import os
import socket
import sys
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from scorekeeper.live.hub import hub
from scorekeeper.serving.server import Server
from scorekeeper.serving.spectators import Reception

NICE = 5  # it gives way to the process that records


class Command(BaseCommand):
    help = "Serves those who watch, for `manage.py up`, which starts this. Not for use by hand."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("signs", type=int, help="descriptor of the file for signs of life")

    def handle(self, *args: Any, signs: int, **options: Any) -> None:
        os.nice(NICE)
        reception = Reception(socket.socket(fileno=sys.stdin.fileno()), signs)

        def receive() -> None:
            reception.receive(server.take, hub.wake)
            server.end()

        def ready() -> None:
            threading.Thread(target=receive, daemon=True).start()
            living.add(asyncio.get_running_loop().create_task(live()))

        async def live() -> None:
            while True:
                reception.give_sign(hub.followers)
                await asyncio.sleep(1)

        living: set[asyncio.Task[None]] = set()
        server = Server(ready=ready, ending=hub.close)
        server.run(sockets=[])
        os._exit(0)  # it has nothing to tidy up, and nobody should wait for it
