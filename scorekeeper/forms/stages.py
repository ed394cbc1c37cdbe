"""What a director types to make groups, and to begin the finals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import Game
from scorekeeper.events.groups import LOTS, POTS, SNAKE, Group
from scorekeeper.events.setup import KNOCK_OUT, MOST_ROUNDS, SWISS, fits
from scorekeeper.forms.tournaments import OF_KNOCK_OUT, PLAY_ON, WAYS, SetupForm, way_of
from scorekeeper.forms.whole import whole_number
from scorekeeper.services.stages import MOST_GROUPS, Final
from scorekeeper.services.storable import NAME
from scorekeeper.standings.advancing import Quota

DRAWS = {
    SNAKE: gettext_lazy("Snake: the best to A, the next to B, and so on, then back again"),
    POTS: gettext_lazy("Seeded: lots put one of the best into each group, then one of the next best"),
    LOTS: gettext_lazy("Only lots"),
}
SYSTEMS_OF_STAGES = ("round-robin", SWISS, KNOCK_OUT)
"""Where groups and finals make sense."""
HOME, CONSOLATION, BY_PLACE = "home", "consolation", "places"
OTHERS = {
    HOME: gettext_lazy("Their tournament is over"),
    CONSOLATION: gettext_lazy("They play a consolation final"),
    BY_PLACE: gettext_lazy("The next places play a second final, the next a third, and so on"),
}


class GroupsForm(forms.Form):
    """How groups are drawn."""

    number = whole_number(gettext_lazy("Number of groups"), MOST_GROUPS, least=2, required=True)
    how = forms.ChoiceField(
        label=gettext_lazy("How they are drawn"),
        choices=list(DRAWS.items()),
        widget=forms.RadioSelect,
        initial=SNAKE,
        help_text=gettext_lazy("The best are those with the best ratings if all have one, else the first entered."),
    )


class RuleForm(forms.Form):
    """Who goes on from the groups."""

    first = whole_number(gettext_lazy("From each group"), MOST_ROUNDS, required=True)
    best = whole_number(
        gettext_lazy("And the best of those who come next"),
        MOST_GROUPS,
        least=0,
        help_text=gettext_lazy(
            "Like the best thirds: by the criteria of the tournament, each by its mean over the tables played. Byes and"
            " the size of a group do not count."
        ),
    )
    others = forms.ChoiceField(
        label=gettext_lazy("All others"), choices=list(OTHERS.items()), widget=forms.RadioSelect, initial=CONSOLATION
    )

    def __init__(self, data: Any, sizes: Sequence[int]) -> None:
        """`sizes`: how many can go on from each group."""
        super().__init__(data)
        self.sizes = sizes

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        groups, largest = len(self.sizes), max(self.sizes)
        if (values.get("first") or 0) > largest:
            text = ngettext(
                "No group has more than {n} entrant. Enter that.",
                "No group has more than {n} entrants. Enter that or less.",
                largest,
            )
            self.add_error("first", text.format(n=largest))
        if (values.get("best") or 0) > groups:
            text = ngettext("There is only {n} group.", "There are only {n} groups. Enter that or less.", groups)
            self.add_error("best", text.format(n=groups))
        if values.get("best") and values.get("others") == BY_PLACE:
            self.add_error("best", _("Where every place has its final, leave this empty."))
        return values

    def quota(self) -> Quota | None:
        """None if it cannot be."""
        if not self.is_valid():
            return None
        values = self.cleaned_data
        return Quota(values["first"], values["best"] or 0, values["others"] == BY_PLACE)


class FinalForm(forms.Form):
    """How a final is played. `setup`: that of the stage before. `number`: which final it is; all after the first are
    played as that one if nothing else is chosen. `begun`: what a final that has begun has for itself, to change that;
    its points stay as they are."""

    way = forms.ChoiceField(label=gettext_lazy("Who meets whom"))
    rounds = whole_number(
        gettext_lazy("Number of rounds"),
        MOST_ROUNDS,
        help_text=gettext_lazy("Empty: as many as usual. A knock-out has as many as it needs."),
    )
    bracket = forms.ChoiceField(
        label=gettext_lazy("Who plays on in a knock-out"), choices=list(PLAY_ON.items()), required=False
    )
    best_of = SetupForm.base_fields["best_of"]
    final_best_of = SetupForm.base_fields["final_best_of"]
    points_count = forms.BooleanField(
        label=gettext_lazy("The points so far count on"),
        help_text=gettext_lazy(
            "As the standings show them, with byes and penalties. Otherwise everybody begins with 0. A knock-out counts"
            " no points, and the first round of a Swiss final is drawn as any first round."
        ),
        required=False,
    )

    def __init__(
        self,
        number: int,
        setup: Mapping[str, Any],
        game: Game[Any],
        data: Any,
        begun: Mapping[str, Any] | None = None,
    ) -> None:
        first, now = number == 1, {**setup, **(begun or {})}
        prefix = None if first else f"final-{number}"
        initial = {name: now[name] for name in OF_KNOCK_OUT}
        initial["way"] = way_of(now) if first or begun else ""
        initial["rounds"] = now["rounds"] if begun else None
        super().__init__(data, initial=initial, prefix=prefix)
        self.before = setup
        if begun is not None:
            del self.fields["points_count"]
        way = self.fields["way"]
        assert isinstance(way, forms.ChoiceField)
        way.required = first
        way.choices = [("", _("As the first final"))] * (not first) + [
            (name, each.label)
            for name, each in WAYS.items()
            if each.size == setup["size"] and not each.only_preset and each.system in SYSTEMS_OF_STAGES
            if fits(game, each.format, each.size)
        ]

    def is_open(self) -> bool:
        """Whether its page shows it at once: something else was chosen than for the first final."""
        return bool(self["way"].value() or self.errors)

    def setup(self) -> dict[str, Any] | None:
        """That of the final; None if it is played as the first one. What a round is worth and the order of the
        standings stay, unless another number of people sit at a table."""
        values, before = self.cleaned_data, self.before
        if not values["way"]:
            return None
        way = WAYS[values["way"]]
        same = way.format == before["format"]
        order = before["order"] if same and before["order"] else way.order
        return {
            **before,
            "format": way.format,
            "system": way.system,
            "rounds": values["rounds"],
            "double": False,
            "until": None,
            **{name: before[name] if values[name] in (None, "") else values[name] for name in OF_KNOCK_OUT},
            "minimum_played": 0,
            "worth": before["worth"] if same else way.worth,
            "order": [] if way.system == KNOCK_OUT else order,
        }

    def points_count_on(self) -> bool:
        """Of a final that is not played as the first one."""
        return bool(self.cleaned_data["points_count"]) and WAYS[self.cleaned_data["way"]].system != KNOCK_OUT


def groups_typed(sent: Mapping[str, str], entrants: Iterable[int]) -> list[Group]:
    """The groups that were typed. A group of nobody is none."""
    return [group for group in _typed(sent, [*entrants], "group", MOST_GROUPS) if group.entrants]


def finals_typed(sent: Mapping[str, str], entrants: Iterable[int], forms: Sequence[FinalForm]) -> list[Final]:
    """The finals that were typed, with their valid forms. A final of nobody is none."""
    groups = _typed(sent, [*entrants], "final", len(forms))
    first = forms[0].points_count_on()
    return [
        Final(group, own, form.points_count_on() if own else first)
        for group, form in zip(groups, forms, strict=True)
        if group.entrants
        for own in [form.setup() if form is not forms[0] else None]
    ]


def _typed(sent: Mapping[str, str], entrants: Sequence[int], fields: str, most: int) -> Iterator[Group]:
    """Those with names in the fields `name-1`, `name-2`, …, each with the entrants who have its number in their
    field."""
    for number in range(1, most + 1):
        name = sent.get(f"name-{number}", "")[: 2 * NAME]
        yield Group(name, tuple(each for each in entrants if sent.get(f"{fields}-{each}") == str(number)))


def usual_names(number: int) -> list[str]:
    """Group A, Group B, …, Group Z, Group AA, …"""
    return [_("Group {letter}").format(letter=_letters(at)) for at in range(number)]


def usual_finals(others: str, number: int) -> list[str]:
    if others == BY_PLACE and number > 1:
        return [_("Final {letter}").format(letter=_letters(at)) for at in range(number)]
    return [_("Final"), _("Consolation final")][:number]


def _letters(at: int) -> str:
    found = ""
    while at >= 0:
        found, at = chr(ord("A") + at % 26) + found, at // 26 - 1
    return found


def places_of(rule: Mapping[str, Any], groups: Sequence[Sequence[bool]]) -> list[list[int]]:
    """By group and place: in which final that place plays by the rule, from 1; 0: in none. `groups`: who goes on."""
    if rule["others"] == BY_PLACE:
        return [[at // rule["first"] + 1 for at in range(len(group))] for group in groups]
    other = 2 if rule["others"] == CONSOLATION else 0
    return [[1 if through else other for through in group] for group in groups]
