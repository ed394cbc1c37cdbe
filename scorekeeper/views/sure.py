"""Asks before a step that puts phones of tables out, or that cannot be undone, the same way at every door."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.models import Club
from scorekeeper.pages import context
from scorekeeper.pages.sure import Step, SurePage

SURE = "sure"  # the field of the form that answers


def is_sure(request: HttpRequest) -> bool:
    return SURE in request.POST


def ask(request: HttpRequest, club: Club, step: Step, *, back: str) -> HttpResponse:
    """The page that asks. It sends everything again that was sent. `back`: where to go to leave everything as it is."""
    sent = [(name, text) for name, text in request.POST.dict().items() if name != "csrfmiddlewaretoken"]
    return render(request, "scorekeeper/sure.html", context(SurePage(club, step, sent, back)))
