"""The doors of the first page and of the first club."""

from random import SystemRandom

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.staticfiles import finders
from django.core.exceptions import ValidationError
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GameError
from scorekeeper.access import actor_of, clubs_for, may_make_demo
from scorekeeper.forms.clubs import FoundForm
from scorekeeper.models import Club
from scorekeeper.pages import context
from scorekeeper.pages.home import HomePage, SetupPage, SetupUsedPage
from scorekeeper.place import reader
from scorekeeper.selectors.clubs import in_numbers
from scorekeeper.selectors.events import open_nights
from scorekeeper.services import clubs, demo
from scorekeeper.services.errors import Refused
from scorekeeper.serving.known_browsers import remember
from scorekeeper.views import etags
from scorekeeper.words import in_words


@login_not_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The nights in progress and the clubs; without a club, how to make one."""
    seen = clubs_for(actor_of(request))
    listed, nights = list(in_numbers(seen)), list(open_nights(seen))

    def draw() -> HttpResponse:
        page = HomePage(clubs=listed, nights=nights, founded=clubs.founded(), may_make_demo=may_make_demo())
        return render(request, "scorekeeper/home.html", context(page))

    # The page has no topic, because all clubs would share it: the tag covers what it shows.
    shown = (
        [(club.pk, club.name, club.matches_playing) for club in listed],
        [(night.pk, night.club_id) for night in nights],
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


@login_not_required
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """The one-time link: makes a club and signs its host in, or opens a demonstration club."""
    now = timezone.now()
    if not clubs.setup_open(token=token, now=now):
        used = SetupUsedPage(founded=clubs.founded())
        return render(request, "scorekeeper/setup_used.html", context(used), status=404)
    if "demo" in request.POST:
        return _demo()
    form = FoundForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club, user = clubs.found_club(token=token, now=now, language=reader()[0], **form.cleaned_data)
        except Refused as error:
            form.add_error(None, error.message)
        except GameError as error:
            form.add_error(None, in_words(error))
        except ValidationError as error:
            form.add_error("password", error)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            answer = redirect("club", club.slug)
            remember(answer, user.get_username())
            return answer
    page = SetupPage(form=form, demo=_demo_there(), demo_slug=Club.DEMO)
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
