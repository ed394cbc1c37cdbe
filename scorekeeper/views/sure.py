"""Asks before a step that takes something from somebody or cannot be undone, the same way at every door."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.models import Club
from scorekeeper.pages import context
from scorekeeper.pages.sure import Step, SurePage

# The fields of the form that answers.
SURE, PASSWORD = "sure", "password"
ANSWERED = {SURE, PASSWORD, "csrfmiddlewaretoken"}


def is_sure(request: HttpRequest) -> bool:
    return SURE in request.POST


def ask(request: HttpRequest, club: Club, step: Step, *, back: str, refusal: str = "") -> HttpResponse:
    """The page that asks. It sends everything again that was sent. `back`: where to go to leave everything as it is;
    `refusal`: why the answer did not do."""
    sent = [(name, text) for name, text in request.POST.dict().items() if name not in ANSWERED]
    page = SurePage(club, step, sent, back, refusal)
    return render(request, "scorekeeper/sure.html", context(page), status=422 if refusal else 200)
