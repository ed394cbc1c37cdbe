"""What a director wishes of a schedule, or settles before a round is drawn."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scorekeeper.events.wishes import KINDS

MOST = 999
WRONG = gettext_lazy("Rounds and tables are whole numbers from 1.")


def _number() -> forms.IntegerField:
    errors = dict.fromkeys(("invalid", "min_value", "max_value"), WRONG)
    return forms.IntegerField(required=False, min_value=1, max_value=MOST, error_messages=errors)


class WishForm(forms.Form):
    """One of the wishes that the schedule page offers. Which one, says `what`."""

    what = forms.ChoiceField(choices=[(each, each) for each in KINDS])
    entrant = forms.IntegerField(min_value=1, error_messages={"required": gettext_lazy("Choose an entrant.")})
    other = _number()
    third = _number()
    fourth = _number()
    table = _number()
    first = _number()
    last = _number()
    sure = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        what = values.get("what")
        if what in ("apart", "meet") and not values.get("other"):
            self.add_error("other", gettext_lazy("Choose two entrants."))
        if what == "bye" and not values.get("first") and "first" not in self.errors:
            self.add_error("first", gettext_lazy("Type the number of the round."))
        if what == "table" and not values.get("table") and "table" not in self.errors:
            self.add_error("table", gettext_lazy("Choose a table."))
        if what == "present" and not (values.get("first") or values.get("last")) and not self.errors:
            self.add_error("first", gettext_lazy("Type the first round, the last round, or both."))
        return values

    def why(self) -> str:
        """What is wrong, in a sentence."""
        return str(next(iter(self.errors.values()))[0])

    def wish(self) -> dict[str, Any]:
        """The wish as `events.wishes.Wish.as_json` writes it."""
        values = self.cleaned_data
        named = ("other", "third", "fourth") if values["what"] in ("apart", "meet") else ()
        others = [values[name] for name in named if values[name]]
        return {
            "what": values["what"],
            "entrants": [values["entrant"], *others],
            "first": values["first"] or 1,
            "last": values["first"] if values["what"] == "bye" else values["last"],
            "table": values["table"] or 0,
        }
