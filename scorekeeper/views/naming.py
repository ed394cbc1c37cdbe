"""Asks whom a typed name means, the same way at every door where names are typed."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from scorekeeper.forms.typed import answers_in
from scorekeeper.pages import context
from scorekeeper.pages.naming import whom_page
from scorekeeper.services.people import Typist, Unsure

P = ParamSpec("P")
Door = Callable[Concatenate[HttpRequest, P], HttpResponse]


def typist_of(request: HttpRequest, *, host: bool) -> Typist:
    """Who sent the names, with their answers. `host`: whether they may know of people who are in no public list."""
    return Typist(host, answers_in(request.POST), back="go-back" in request.POST)


def ask_whom(request: HttpRequest, unsure: Unsure, **typed: str) -> HttpResponse:
    """The page that asks. It sends everything again that was sent, and `typed`, with the answers."""
    page = whom_page({**dict(request.POST.lists()), **{name: [text] for name, text in typed.items()}}, unsure.questions)
    return render(request, "scorekeeper/whom.html", context(page), status=422)


def asks_whom(door: Door[P]) -> Door[P]:
    """A door that asks before a typed name becomes a new person, if somebody has nearly this name."""

    @wraps(door)
    def asking(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            answer = door(request, *args, **kwargs)
        except Unsure as unsure:
            return ask_whom(request, unsure)
        if isinstance(answer, HttpResponseRedirect) and answers_in(request.POST):
            answer["Location"] += "#said"  # the page begins at the message that says what was done
        return answer

    return asking
