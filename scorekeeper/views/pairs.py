"""The doors to the pages of two people, for everybody."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from scorekeeper import place
from scorekeeper.access import Actor, actor_of, player_for, two_for
from scorekeeper.forms.pairs import CompareForm
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Player
from scorekeeper.pages import context, pairs
from scorekeeper.pages.pairs import Two
from scorekeeper.views import etags


@login_not_required
@require_GET
def head_to_head(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """What two people have won against each other."""

    def page(actor: Actor, one: Player, two: Player, asked: PageForm) -> Two:
        return pairs.head_to_head(actor, one, two, asked, now=timezone.now())

    return _two(request, "head_to_head", pk, other, page)


@login_not_required
@require_GET
def partnership(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """What two people have won as partners."""
    return _two(request, "partnership", pk, other, pairs.partnership)


@login_not_required
@require_GET
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Finds with whom to compare a player. The button (`go`) leads to the page of the two if it is clear who is meant;
    a script that asks while somebody types sees who fits."""
    actor = actor_of(request)
    found = player_for(actor, pk)
    if found.merged_into_id is not None:
        return redirect("compare", found.merged_into_id)
    place.enter_all()
    page = pairs.compare_page(actor, found, CompareForm(request.GET))
    if page.meant and page.compare.cleaned_data["go"]:
        return redirect(pairs.route_of(actor, found, page.meant), found.pk, page.meant.pk)
    return render(request, "scorekeeper/compare.html", context(page))


def _two(
    request: HttpRequest, route: str, pk: int, other: int, page: Callable[[Actor, Player, Player, PageForm], Two]
) -> HttpResponse:
    actor = actor_of(request)
    one, two = two_for(actor, pk, other)
    if one.merged_into_id or two.merged_into_id:
        return redirect(route, one.merged_into_id or pk, two.merged_into_id or other)
    if pairs.same_person(one, two):
        answer = pairs.compare_page(actor, one, CompareForm({"name": one.name}))
        return render(request, "scorekeeper/compare.html", context(answer))

    def draw() -> HttpResponse:
        return render(request, f"scorekeeper/{route}.html", context(page(actor, one, two, PageForm(request.GET))))

    newest = etags.newest_of_players(one, two)
    return etags.not_modified_or(request, newest, draw, timezone.localdate())
