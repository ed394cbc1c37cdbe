"""`manage.py password-link NAME`: a link with which somebody who forgot their password sets a new one."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.models import User
from scorekeeper.services.accounts import password_link


class Command(OnDataCommand):
    help = "Prints the link with which somebody sets a new password. It works once, for a day; a new one replaces it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", nargs="+", help="the name with which they sign in")
        parser.add_argument("--public-url", default="", help="address at which others reach the server")

    def handle(self, *args: Any, name: list[str], public_url: str, **options: Any) -> None:
        wanted = " ".join(name)
        try:
            user = User.objects.get_by_natural_key(wanted)
        except User.DoesNotExist as error:
            names = ", ".join(User.objects.order_by("username").values_list("username", flat=True)) or "none yet"
            raise CommandError(f"Nobody signs in as {wanted!r}. Names here: {names}.") from error
        base = self.base_address(public_url)
        self.stdout.write(base + reverse("password", args=[password_link(user=user, now=timezone.now())]))
