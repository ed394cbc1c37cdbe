"""The door to what visitors look for."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of
from scorekeeper.forms.search import SearchForm
from scorekeeper.pages import context
from scorekeeper.pages.search import search_page


@login_not_required
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """People, matches, nights and tournaments of all clubs that the visitor may see."""
    page = search_page(actor_of(request), SearchForm(request.GET))
    return render(request, "scorekeeper/search.html", context(page))
