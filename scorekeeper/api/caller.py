"""Who calls: by a table's token, or by the session of a browser, which then has to show its CSRF token."""

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from scorekeeper.access import Actor, Refusal, actor_of
from scorekeeper.models import User


class TokenOrSession(BaseAuthentication):
    """Puts the `access.Actor` of the request into `request.auth`."""

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, Actor]:
        django_request = request._request
        actor = actor_of(django_request)
        by_session = "Authorization" not in django_request.headers
        # Somebody without any right needs no protection against being made to use it.
        if by_session and (actor.user or actor.tables):
            # Read first: looking for a form's CSRF field would use the body up.
            _body = django_request.body
            check = CSRFCheck(lambda _request: None)  # type: ignore[arg-type]
            check.process_request(django_request)
            if check.process_view(django_request, None, (), {}):
                raise Refusal("not-allowed", _("This page is too old to be sent. Reload it and try again."))
        return actor.user or AnonymousUser(), actor
