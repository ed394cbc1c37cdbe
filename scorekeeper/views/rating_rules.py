"""The door to what counts for the ratings of a club."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from scorekeeper.access import actor_of, club_for
from scorekeeper.forms.rating_rules import PreviewForm, RulesForm
from scorekeeper.models import Club, Job, Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.rating_rules import rating_rules_page
from scorekeeper.services import jobs, rating_rules
from scorekeeper.services.errors import Refused


@login_not_required
@require_http_methods(["GET", "POST"])
def club_rating_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """What counts; what another choice would do; and choosing it. For owners."""
    actor, now = actor_of(request), timezone.now()
    club = club_for(actor, slug, need=Role.OWNER)
    job = _asked(request, club)
    rules = rating_rules.rules_of(club, job)
    form, refusal = RulesForm(request.POST or None, initial=rules._asdict()), ""
    match request.POST.get("do"):
        case "cancel" if job:
            jobs.cancel(job_id=job.pk, now=now)
            return redirect(request.get_full_path())
        case "choose" if job:
            rating_rules.choose(club=club, rules=rules, by=actor.user, now=now)
            messages.add_message(request, *notices.rating_rules_chosen())
            return redirect("club_ranking", slug)
        case _ if form.is_valid():
            try:
                started = rating_rules.ask(club=club, rules=form.rules, by=actor.user, now=now)
            except Refused as error:
                refusal = error.message
            else:
                return redirect(f"{reverse('rating_rules', args=[slug])}?job={started.pk}")
    now_counts = rating_rules.rules_of(club, None)
    page = rating_rules_page(club, form, None if form.is_bound else job, now=now_counts, refusal=refusal)
    return render(request, "scorekeeper/rating_rules.html", context(page), status=422 if form.is_bound else 200)


def _asked(request: HttpRequest, club: Club) -> Job | None:
    """The job in the address, if it is one of the club's."""
    form = PreviewForm(request.GET)
    return rating_rules.job_numbered(club, form.cleaned_data["job"] or 0) if form.is_valid() else None
