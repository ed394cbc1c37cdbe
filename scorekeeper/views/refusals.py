"""Why something was refused, for the page that says so."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games import GameError
from scorekeeper.access import Refusal
from scorekeeper.services.errors import Refused, TableBusy
from scorekeeper.words import in_words


def reason(error: Refused | Refusal | GameError) -> str:
    """The sentence for people; for a table where a match is in play, with the way to it."""
    if isinstance(error, GameError):
        return in_words(error)
    if not isinstance(error, TableBusy):
        return error.message
    text, url = _("See table {n}").format(n=error.table.number), reverse("table", args=[error.table.pk])
    return format_html('{} <a href="{}">{}</a>', error.message, url, text)
