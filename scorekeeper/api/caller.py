"""The caller, with the token of a table or a program, or with the session of a browser and its CSRF token."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from scorekeeper.access import Actor, Refusal, actor_of
from scorekeeper.models import User
from scorekeeper.services import programs


class TokenOrSession(BaseAuthentication):
    """Puts the `access.Actor` of the request into `request.auth`."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Actor]:
        django_request = request._request
        actor = actor_of(django_request)
        by_session = "Authorization" not in django_request.headers
        # A caller without rights needs no protection against forged requests.
        if by_session and (actor.user or actor.tables):
            # Read the body first: the check would consume it when it looks for a form's CSRF field.
            _body = django_request.body
            check = CSRFCheck(_view)
            check.process_request(django_request)
            if check.process_view(django_request, _view, (), {}):
                raise Refusal("not-allowed", _("This page is too old. Reload it and try again."))
        if actor.program:
            programs.note_use(program=actor.program, now=timezone.now())
        return actor.user or AnonymousUser(), actor


def _view(_request: HttpRequest) -> HttpResponse:
    """Stands for the view, which the check only asks whether it is exempt."""
    return HttpResponse()
