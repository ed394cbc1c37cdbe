"""Where a form leads after it is sent without scripts."""

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def went_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(way_back(request, otherwise), status=303)


def way_back(request: HttpRequest, otherwise: str) -> str:
    """The address that the form names as `back`, if it is one of ours."""
    back = request.POST.get("back", "")
    return back if url_has_allowed_host_and_scheme(back, allowed_hosts=None) else otherwise
