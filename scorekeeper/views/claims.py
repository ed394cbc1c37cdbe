"""The door of a link with which somebody claims their player."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scorekeeper.forms.accounts import AccountForm
from scorekeeper.models import Player, User
from scorekeeper.pages import context, notices
from scorekeeper.pages.account import ClaimPage
from scorekeeper.services import claims
from scorekeeper.services.errors import Refused
from scorekeeper.views.accounts import new_account


@sensitive_post_parameters()
@login_not_required
@require_http_methods(["GET", "POST"])
def claim(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever opens the link claims its player: with their account if they are signed in, else with a new one. Who has
    claimed them already comes to their page."""
    now, user = timezone.now(), request.user if isinstance(request.user, User) else None
    found = claims.offer(token=token, user=user, now=now)
    if found.player and found.own:
        messages.add_message(request, *notices.own_already(found.player.name))
        return redirect("player", found.player.pk)
    typed = request.POST if request.method == "POST" and user is None else None
    form = AccountForm(typed, initial={"name": found.player.name if found.player else ""})
    if found.player and not found.refusal and request.method == "POST":
        make = partial(claims.claim_as_new, token=token, now=now)
        try:
            if user:
                return _welcome(request, claims.claim(token=token, user=user, now=now))
            if answer := new_account(request, form, make, _welcome):
                return answer
        except Refused as error:
            found = claims.Offer(None if error.code == "link-used" else found.player, error.message)
    page = ClaimPage(player=found.player, refusal=found.refusal, form=form)
    status = 404 if page.player is None else 422 if page.refusal or form.errors else 200
    return render(request, "scorekeeper/claim.html", context(page), status=status)


def _welcome(request: HttpRequest, player: Player) -> HttpResponse:
    messages.add_message(request, *notices.claimed(player.name))
    return redirect("player", player.pk)
