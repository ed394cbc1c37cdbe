"""`manage.py setup-link`: a link with which somebody starts a club, the first or another one."""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.services.clubs import setup_link


class Command(OnDataCommand):
    help = (
        "Prints a link with which somebody starts a club of their own. It works once, for two days. Before the first "
        "club a new one replaces it; after that, each is for another club."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--public-url", default="", help="address at which others reach the server")

    def handle(self, *args: Any, public_url: str, **options: Any) -> None:
        base = self.base_address(public_url)
        self.stdout.write(base + reverse("setup", args=[setup_link(timezone.now())]))
