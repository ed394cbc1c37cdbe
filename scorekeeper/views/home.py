"""The doors of the first page and of new clubs."""

from collections.abc import Callable
from functools import partial
from random import SystemRandom
from typing import Any

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.staticfiles import finders
from django.core.exceptions import ValidationError
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GameError
from scorekeeper.access import (
    Actor,
    actor_of,
    clubs_for,
    clubs_hosted,
    clubs_joined,
    may_make_demo,
    may_start_club,
    must_start_clubs,
)
from scorekeeper.forms.clubs import ClubForm, FoundForm
from scorekeeper.models import Club, User
from scorekeeper.pages import context
from scorekeeper.pages.home import HomePage, SetupPage, SetupUsedPage
from scorekeeper.selectors.clubs import in_numbers
from scorekeeper.selectors.events import open_nights
from scorekeeper.selectors.persons import claimed_by
from scorekeeper.selectors.questions import questions_to
from scorekeeper.services import clubs, demo
from scorekeeper.services.errors import Refused
from scorekeeper.serving.known_browsers import remember
from scorekeeper.views import etags
from scorekeeper.views.accounts import SIGNED_IN_BY
from scorekeeper.views.refusals import reason


@login_not_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The nights in progress and the clubs; without a club, how to make one."""
    actor = actor_of(request)
    seen = clubs_for(actor)
    listed, nights = in_numbers(seen), open_nights(seen)
    players = claimed_by(actor.user) if actor.user else []
    joined = set(clubs_joined(actor).values_list("pk", flat=True))

    def draw() -> HttpResponse:
        page = HomePage(
            players=players,
            own=[club for club in listed if club.pk in joined],
            others=[club for club in listed if club.pk not in joined],
            questions=questions_to(clubs_hosted(actor)) if joined else [],
            may_start=may_start_club(actor),
            nights=nights,
            founded=clubs.founded(),
            may_make_demo=may_make_demo(),
        )
        return render(request, "scorekeeper/home.html", context(page))

    # The page has no topic, because all clubs would share it: the tag covers what it shows.
    shown = (
        [(club.pk, club.name, club.matches_playing) for club in listed],
        [(night.pk, night.club_id) for night in nights],
        [(player.pk, player.name) for player in players],
    )
    return etags.not_modified_or(request, 0, draw, *shown)


@login_not_required
@require_GET
def worker(request: HttpRequest) -> FileResponse:
    """The service worker. It can only answer for pages below its own folder, so it lives at the top."""
    script = finders.find("scorekeeper/worker.js")
    assert script
    answer = FileResponse(open(script, "rb"), content_type="text/javascript")  # noqa: SIM115 (closed with the answer)
    answer["Cache-Control"] = "no-cache"
    return answer


@login_not_required
@require_POST
def demo_open(request: HttpRequest) -> HttpResponse:
    """Leads to the demonstration club. The first visitor makes it."""
    if not _demo_there() and not may_make_demo():
        raise Http404
    return _demo()


@login_not_required
@require_GET
def reach(request: HttpRequest) -> HttpResponse:
    """“This phone reaches the server.”"""
    return render(request, "scorekeeper/reach.html")


@sensitive_post_parameters()
@login_not_required
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """The one-time link: starts a club of whoever is signed in, or of a new account. Before the first club it can also
    open a demonstration club."""
    now, user = timezone.now(), request.user if isinstance(request.user, User) else None
    founded = clubs.founded()
    if not clubs.setup_open(token=token, now=now):
        used = SetupUsedPage(founded=founded, may_start=may_start_club(Actor(user)))
        return render(request, "scorekeeper/setup_used.html", context(used), status=404)
    if "demo" in request.POST and not founded:
        return _demo()
    if user:
        return _start(request, ClubForm, partial(_with_owner, clubs.start_by_link, token=token, owner=user, now=now))
    return _start(request, FoundForm, partial(clubs.found_club, token=token, now=now))


@require_http_methods(["GET", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Starts another club of somebody who owns one."""
    actor = actor_of(request)
    must_start_clubs(actor)
    assert actor.user, "Only a user owns a club."
    return _start(request, ClubForm, partial(_with_owner, clubs.start_club, owner=actor.user, now=timezone.now()))


def _with_owner(start: Callable[..., Club], *, owner: User, **about: Any) -> tuple[Club, User]:
    return start(owner=owner, **about), owner


def _start(request: HttpRequest, kind: type[ClubForm], start: Callable[..., tuple[Club, User]]) -> HttpResponse:
    """The form of a new club, and the club once it is complete. Its owner is then signed in."""
    form = kind(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club, owner = start(**form.cleaned_data)
        except (Refused, GameError) as error:
            form.add_error(None, reason(error))
        except ValidationError as error:
            form.add_error("password", error)
        else:
            answer = redirect("club", club.slug)
            if request.user != owner:
                login(request, owner, backend=SIGNED_IN_BY)
                remember(answer, owner.get_username())
            return answer
    page = SetupPage(form=form, first=not clubs.founded(), demo=_demo_there(), demo_slug=Club.DEMO)
    return render(request, "scorekeeper/setup.html", context(page), status=422 if form.errors else 200)


def _demo_there() -> bool:
    return Club.objects.filter(slug=Club.DEMO).exists()


def _demo() -> HttpResponse:
    """Makes the demonstration club if there is none. Pressing twice does no harm."""
    try:
        demo.make(rng=SystemRandom(), now=timezone.now())
    except Refused as error:
        if error.code != "club-exists":
            raise
    return redirect("club", Club.DEMO)
