"""Answers to forms that were sent without scripts: the way back to the page that they came from."""

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def redirect_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(back_address(request, otherwise), status=303)


def back_address(request: HttpRequest, otherwise: str) -> str:
    """The address that the form names as `back`, if it is one of ours."""
    back = request.POST.get("back", "")
    return back if url_has_allowed_host_and_scheme(back, allowed_hosts=None) else otherwise
