"""The doors of a user's own account: passwords, and the browsers they are signed in on."""

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scorekeeper.forms.accounts import NewPasswordForm, PasswordChangeForm
from scorekeeper.models import User
from scorekeeper.pages import context, notices
from scorekeeper.pages.account import LinkPage, account_page
from scorekeeper.services import accounts
from scorekeeper.services.errors import Refused
from scorekeeper.serving.known_browsers import remember

SIGNED_IN_BY = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Changes the password of who is signed in, and ends their sessions on other browsers."""
    assert isinstance(request.user, User), "Others are led to the page to sign in."
    user = request.user
    form = PasswordChangeForm(request.POST if request.POST.get("do") == "password" else None)
    name, _colon, rest = request.POST.get("do", "").partition(":")
    match name:
        case "end" if rest.isascii() and rest.isdigit() and len(rest) < 19:
            accounts.end_sign_in(user=user, pk=int(rest))
            messages.add_message(request, *notices.signed_out_there())
            return redirect("account")
        case "password":
            if _changed(user, form):
                update_session_auth_hash(request, user)
                accounts.note_sign_in(request=request, user=user)
                messages.add_message(request, *notices.password_changed())
                return redirect("account")
        case "":
            pass
        case _:
            raise Http404(_("This step does not exist."))
    page = account_page(user, form, request.session.session_key or "")
    return render(request, "scorekeeper/account.html", context(page), status=422 if form.errors else 200)


def _changed(user: User, form: PasswordChangeForm) -> bool:
    if form.is_valid():
        given = form.cleaned_data
        try:
            accounts.change_password(user=user, old=given["old"], new=given["new"], now=timezone.now())
        except Refused as error:
            form.add_error("old", error.message)
        except ValidationError as error:
            form.add_error("new", error)
    return form.is_valid()


@sensitive_post_parameters()
@login_not_required
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest, token: str) -> HttpResponse:
    """The one-time link of somebody who forgot their password: sets a new one and signs them in."""
    now = timezone.now()
    user = accounts.user_of_link(token=token, now=now)
    form = NewPasswordForm(request.POST or None)
    if user and form.is_valid():
        try:
            user = accounts.set_password(token=token, password=form.cleaned_data["new"], now=now)
        except Refused:
            user = None  # it was used a moment ago
        except ValidationError as error:
            form.add_error("new", error)
        else:
            login(request, user, backend=SIGNED_IN_BY)
            messages.add_message(request, *notices.password_changed())
            answer = redirect("home")
            remember(answer, user.get_username())
            return answer
    status = 404 if user is None else 422 if form.errors else 200
    return render(request, "scorekeeper/password.html", context(LinkPage(form=form, owner=user)), status=status)
