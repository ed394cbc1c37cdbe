"""`manage.py setup-link`: the link that founds the first club, on a server that `up` did not start."""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.services.clubs import setup_link


class Command(OnDataCommand):
    help = "Prints the link that creates the first club. It works once, for two days; a new one replaces it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--public-url", default="", help="address at which others reach the server")

    def handle(self, *args: Any, public_url: str, **options: Any) -> None:
        base = self.base_address(public_url)
        self.stdout.write(base + reverse("setup", args=[setup_link(timezone.now())]))
