"""The door to the review of a match."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import GameError
from scorekeeper.access import actor_of, match_for, may_review, must_review
from scorekeeper.pages import context
from scorekeeper.pages.review import review_page
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.reviews import newest_review_job, review_of
from scorekeeper.services import reviews
from scorekeeper.services.errors import Refused
from scorekeeper.views.refusals import reason


@login_not_required
@require_http_methods(["GET", "POST"])
def match_review(request: HttpRequest, pk: int) -> HttpResponse:
    """The review of a match, for everybody who may see the match. A POST starts or cancels one."""
    actor = actor_of(request)
    found = match_for(actor, pk)
    refusal = ""
    if request.method == "POST":
        must_review(actor, found)
        do, now = request.POST.get("do"), timezone.now()
        if do not in ("review", "cancel"):
            raise Http404(_("This step does not exist."))
        try:
            if do == "cancel":
                reviews.cancel(match=found, now=now)
            else:
                reviews.start(match=found, by=actor, now=now)
            return redirect(request.path)
        except (Refused, GameError) as error:
            refusal = reason(error)
    page = review_page(
        found,
        position(found).public(),
        review_of(found),
        newest_review_job(found),
        may=may_review(actor, found),
        hand=request.GET.get("hand"),
        move=request.GET.get("move"),
        refusal=refusal,
    )
    return render(request, "scorekeeper/match_review.html", context(page), status=422 if refusal else 200)
