"""The doors of a user's own account: passwords, the browsers they are signed in on, the tokens of their programs."""

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games import GameError
from scorekeeper.access import Actor, clubs_hosted, may_start_club
from scorekeeper.forms.accounts import (
    AccountForm,
    AddressForm,
    ForgottenForm,
    NewPasswordForm,
    PasswordChangeForm,
    ProgramForm,
)
from scorekeeper.models import User
from scorekeeper.pages import context, notices
from scorekeeper.pages.account import AddressPage, LinkPage, account_page, forgotten_page
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.sure import releasing
from scorekeeper.selectors.persons import claimed_by
from scorekeeper.selectors.questions import questions_to
from scorekeeper.services import accounts, claims, mail, programs
from scorekeeper.services.errors import Refused
from scorekeeper.serving.known_browsers import remember
from scorekeeper.views.sure import ask, is_sure
from scorekeeper.words import in_words

SIGNED_IN_BY = "django.contrib.auth.backends.ModelBackend"
T = TypeVar("T")


def new_account(
    request: HttpRequest,
    form: AccountForm,
    make: Callable[..., tuple[T, User]],
    welcome: Callable[[HttpRequest, T], HttpResponse],
) -> HttpResponse | None:
    """Makes an account from the form, together with what `make` does for it, and signs the visitor in. The answer is
    the welcome; None if something in the form is wrong, which it then says. Refused if anything else is."""
    if not form.is_valid():
        return None
    try:
        made, user = make(**form.cleaned_data)
    except Refused as error:
        if error.code != "name-taken":
            raise
        form.add_error("name", error.message)
    except GameError as error:
        form.add_error("name", in_words(error))
    except ValidationError as error:
        form.add_error("password", error)
    else:
        login(request, user, backend=SIGNED_IN_BY)
        answer = welcome(request, made)
        remember(answer, user.get_username())
        return answer
    return None


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Changes the password of who is signed in, ends their sessions on other browsers, makes and revokes tokens, ends
    their claims of players."""
    assert isinstance(request.user, User), "Others are led to the page to sign in."
    user = request.user
    form = PasswordChangeForm(request.POST if request.POST.get("do") == "password" else None)
    address_form = AddressForm(
        request.POST if request.POST.get("do") == "address" else None,
        initial={"address": user.email},
        auto_id="mail_%s",
    )
    clubs = clubs_hosted(Actor(user))
    program_form = ProgramForm(request.POST if request.POST.get("do") == "program" else None, clubs=clubs)
    token = ""
    name, _colon, rest = request.POST.get("do", "").partition(":")
    match name:
        case "end" | "revoke" if rest.isascii() and rest.isdigit() and len(rest) < 19:
            if name == "end":
                accounts.end_sign_in(user=user, pk=int(rest))
                messages.add_message(request, *notices.signed_out_there())
            else:
                programs.revoke(user=user, pk=int(rest), now=timezone.now())
                messages.add_message(request, *notices.program_revoked())
            return redirect("account")
        case "release" if rest.isascii() and rest.isdigit() and len(rest) < 19:
            return _released(request, user, int(rest))
        case "program":
            token = _token_made(user, program_form)
            program_form = ProgramForm(clubs=clubs) if token else program_form
        case "address":
            if _address_given(request, user, address_form):
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
    session = request.session.session_key or ""
    page = account_page(
        user,
        form,
        address_form,
        program_form,
        questions=questions_to(clubs),
        may_start=may_start_club(Actor(user)),
        session=session,
        token=token,
    )
    status = 422 if form.errors or address_form.errors or program_form.errors else 200
    return render(request, "scorekeeper/account.html", context(page), status=status)


def _released(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    """Ends the claim of a player, once the user is sure. Nothing happens if it is not theirs any more."""
    player = next((each for each in claimed_by(user) if each.pk == pk), None)
    if player and not is_sure(request):
        return ask(request, player.club, releasing(player, user), back=reverse("account"))
    if player:
        claims.release(player_id=pk, by=user, now=timezone.now())
        messages.add_message(request, *notices.released(player.name))
    return redirect("account")


def _address_given(request: HttpRequest, user: User, form: AddressForm) -> bool:
    """Sends a mail to the address, or removes the one before if there is none. Errors are added to the form."""
    if form.is_valid() and settings.EMAIL_URL:
        address, password, now = form.cleaned_data["address"], form.cleaned_data["old"], timezone.now()
        try:
            if address:
                base = reachable(request)
                mail.confirm_address(user=user, password=password, address=address, base=base, now=now)
                messages.add_message(request, *notices.address_to_confirm(address))
            else:
                accounts.remove_address(user=user, password=password, now=now)
                messages.add_message(request, *notices.address_removed())
        except Refused as error:
            form.add_error("old", error.message)
    return form.is_valid()


def _token_made(user: User, form: ProgramForm) -> str:
    """The new token; "" if something in the form is wrong. Errors are added to it."""
    if form.is_valid():
        given = form.cleaned_data
        about = {"club": given["club"], "name": given["program"], "lives": given["lives"]}
        try:
            return programs.add(user=user, **about, now=timezone.now())
        except GameError as error:
            form.add_error("program", in_words(error))
    return ""


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


@login_not_required
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Sends a link for a new password by mail. The answer is the same for every address."""
    form = ForgottenForm(request.POST if request.method == "POST" and settings.EMAIL_URL else None)
    if form.is_valid():
        mail.send_password_link(address=form.cleaned_data["address"], base=reachable(request), now=timezone.now())
    page = forgotten_page(form, sent=form.is_valid())
    return render(request, "scorekeeper/forgotten.html", context(page), status=422 if form.errors else 200)


@login_not_required
@require_http_methods(["GET", "POST"])
def address(request: HttpRequest, token: str) -> HttpResponse:
    """The one-time link in a mail that confirms its address. It needs a post: programs open the links in mails."""
    now = timezone.now()
    link = accounts.link_of_address(token=token, now=now)
    if link and request.method == "POST":
        try:
            accounts.set_address(token=token, now=now)
        except Refused:
            link = None  # it was used a moment ago
        else:
            messages.add_message(request, *notices.address_confirmed(link.address))
            return redirect("home")
    return render(request, "scorekeeper/address.html", context(AddressPage(link)), status=200 if link else 404)
