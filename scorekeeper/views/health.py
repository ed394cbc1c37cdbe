"""The doors for whoever watches over the server: programs that restart it, and those that draw its figures."""

import math
import secrets
from contextlib import suppress

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from scorekeeper.selectors import health as selectors
from scorekeeper.serving import metrics
from scorekeeper.serving.leaving import draining


@login_not_required
@never_cache
@require_GET
def live(request: HttpRequest) -> HttpResponse:
    """This process answers. If it does not, start it again. 503 while it is about to end: send nobody to it."""
    if draining.is_set():
        return HttpResponse("ending", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")


@login_not_required
@never_cache
@require_GET
def ready(request: HttpRequest) -> JsonResponse:
    """The state of each part. 503 if this process cannot do its work: send people to another one."""
    parts = selectors.health(timezone.now())
    down = any(parts[part] != selectors.OK for part in selectors.NEEDED)
    all_well = all(state == selectors.OK for state in parts.values())
    status = "down" if down else "ok" if all_well else "degraded"
    return JsonResponse({"status": status} | parts, status=503 if down else 200)


@login_not_required
@never_cache
@require_GET
def figures(request: HttpRequest) -> HttpResponse:
    """The metrics of this process for Prometheus, with the token of the settings. Without that setting, nothing."""
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not secrets.compare_digest(
        request.headers.get("Authorization", "").encode(), wanted.encode()
    ):
        raise Http404(_("There is nothing here. Check the address."))
    entries = job_age = math.nan
    with suppress(DatabaseError):  # the figures of the process itself are needed most while the database is away
        entries, job_age = selectors.entries(), selectors.oldest_waiting(timezone.now()).total_seconds()
    return HttpResponse(
        metrics.text(entries=entries, job_age=job_age, free=selectors.free_space()), content_type=metrics.CONTENT_TYPE
    )
