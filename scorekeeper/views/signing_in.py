"""The door where hosts sign in. Too many wrong passwords lock a name for strangers, not for its owner."""

import math
from datetime import timedelta
from typing import Any

from django.contrib.auth import user_login_failed
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from scorekeeper.models import Club
from scorekeeper.names import folded
from scorekeeper.pages import context
from scorekeeper.pages.codes import TypePage
from scorekeeper.selectors.signing_in import locked_until
from scorekeeper.serving.addresses import network_of
from scorekeeper.serving.known_browsers import known_name, remember

# The name for which wrong short codes of tables are counted.
SHORT_CODES = "/t/"


class SignIn(LoginView):
    template_name = "scorekeeper/login.html"
    http_method_names = ["get", "head", "post", "options"]  # Django's view also takes PUT

    def get_default_redirect_url(self) -> str:
        """The club of somebody who has only one: it leads to everything that they may do."""
        clubs = Club.objects.filter(memberships__user=self.request.user.pk)[:2]
        return reverse("club", args=[clubs[0].slug]) if len(clubs) == 1 else super().get_default_redirect_url()

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)
        remember(answer, form.get_user().get_username())
        return answer


def network(request: HttpRequest) -> str:
    """The network of the visitor, for which wrong passwords are counted."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


def is_known(request: HttpRequest, credentials: dict[str, Any] | None) -> bool:
    """Whether the user with this name has signed in on this browser before. Strangers in the same hall, who guess the
    password, cannot lock such a browser out."""
    name = known_name(request.COOKIES)
    return bool(name) and folded(name) == folded((credentials or {}).get("username") or "")


def lock_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The name for which wrong passwords are counted: capitals do not matter, as for signing in."""
    return folded((credentials or request.POST).get("username") or "")


def minutes_locked(request: HttpRequest, name: str) -> int:
    """The minutes for which the name is locked for the visitor's network; 0 if it is not."""
    until, now = locked_until(name=name, network=network(request)), timezone.now()
    return math.ceil((until - now) / timedelta(minutes=1)) if until and until > now else 0


def count_wrong(request: HttpRequest, name: str) -> None:
    """Counts a wrong password or code for the name and the visitor's network."""
    user_login_failed.send(sender=__name__, credentials={"username": name}, request=request)


def codes_locked(request: HttpRequest, minutes: int) -> HttpResponse:
    """The answer to every short code while they are locked for a network."""
    message = ngettext(
        "Too many wrong codes came from this network. Try again in {minutes} minute, or scan the QR code.",
        "Too many wrong codes came from this network. Try again in {minutes} minutes, or scan the QR code.",
        minutes,
    ).format(minutes=minutes)
    answer = render(request, "scorekeeper/table_type.html", context(TypePage(locked=message)), status=429)
    answer["Retry-After"] = str(60 * minutes)
    return answer


def locked_out(request: HttpRequest, _original: HttpResponse | None, credentials: dict[str, Any]) -> HttpResponse:
    """The answer to every password while a name is locked for a network."""
    name = lock_name(request, credentials)
    minutes = max(1, minutes_locked(request, name))  # it may have ended just now
    if name == SHORT_CODES:
        return codes_locked(request, minutes)
    message = ngettext(
        "Too many wrong passwords for this name came from this network. Try again in {minutes} minute, or sign in on "
        "a device on which you have signed in before.",
        "Too many wrong passwords for this name came from this network. Try again in {minutes} minutes, or sign in on "
        "a device on which you have signed in before.",
        minutes,
    ).format(minutes=minutes)
    form = AuthenticationForm(request, initial={"username": request.POST.get("username", "")})
    answer = render(request, "scorekeeper/login.html", {"form": form, "locked": message}, status=429)
    answer["Retry-After"] = str(60 * minutes)
    return answer
