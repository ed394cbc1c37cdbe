"""What a director types to set up a tournament: presets, and everything they decide."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from games.base import Game
from games.errors import Malformed, marked
from scorekeeper.events.setup import (
    FREE,
    KNOCK_OUT,
    LONGEST_PAUSE,
    MOST_PRIZES,
    MOST_ROUNDS,
    MOST_SEATS,
    SWISS,
    USUAL,
    fits,
    fixed,
    shapes,
)
from scorekeeper.forms.criteria import EXPLAINED, OF_ONE_TABLE
from scorekeeper.forms.exact import ExactField, ExactsField
from scorekeeper.forms.nights import GameForm
from scorekeeper.forms.options import as_typed
from scorekeeper.forms.prizes import AmountsField, amounts_text
from scorekeeper.forms.whole import whole_number
from scorekeeper.services import setups
from scorekeeper.services.storable import NAME
from scorekeeper.standings.prize_money import BY_PLACE, EQUALLY, HALF_AND_HALF
from scorekeeper.standings.reading import AVERAGE, MOST_CRITERIA
from scorekeeper.standings.worths import BALANCE, CENTRED, PLACE, RESULT, SCORE
from scorekeeper.words import in_words

OF_KNOCK_OUT = ("bracket", "best_of", "final_best_of")
"""Every setup keeps these: with them the form of finals begins, whatever is played before."""
AS_TYPED = ("minimum_played", "lots", "confirm", "prizes", "pairing", "apart", *OF_KNOCK_OUT)
TICKED = ("teams", "in_groups", "public", "self_entry", "clock_waits", "outlook", "first_by_lots")
DAY = date(2000, 1, 1)
HEADS = ["points", "head-to-head", "wins", "difference"]
BY_OPPONENTS = ["points", "buchholz-cut-1", "buchholz", "wins", "difference"]
TABLES = ["points", "firsts", "seconds", "difference"]
BY_BALANCE = ["points", "head-to-head", "wins", "difference"]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play: a format of tables, and how many players of an entrant sit at a table; what decides who meets
    whom."""

    label: Any
    format: str
    size: int
    worth: Mapping[str, Any]
    order: Sequence[str]
    twice: bool = False
    """Whether everybody meets everybody twice. It is only a preset: the form has this among its lengths."""
    system: str = USUAL["system"]
    in_groups: bool = False
    """Whether groups come first, then finals. This is only a preset, too."""

    @property
    def only_preset(self) -> bool:
        return self.twice or self.in_groups


WAYS: Mapping[str, Way] = {
    "partners": Way(
        gettext_lazy("everybody partners everybody"), "partners", 1, RESULT, ["points", "wins", "difference"]
    ),
    "pairs": Way(gettext_lazy("fixed pairs, everybody plays everybody"), "heads", 2, RESULT, HEADS),
    "heads": Way(gettext_lazy("everybody plays everybody"), "heads", 1, RESULT, HEADS),
    "double": Way(gettext_lazy("everybody plays everybody twice"), "heads", 1, RESULT, HEADS, twice=True),
    "groups": Way(gettext_lazy("groups, then finals"), "heads", 1, RESULT, HEADS, in_groups=True),
    "groups-pairs": Way(gettext_lazy("groups of fixed pairs, then finals"), "heads", 2, RESULT, HEADS, in_groups=True),
    "triples": Way(gettext_lazy("tables of three"), "triples", 1, PLACE, TABLES),
    "fours": Way(gettext_lazy("tables of four, each for themselves"), "fours", 1, PLACE, TABLES),
    "mixed": Way(gettext_lazy("tables of three and four"), "mixed", 1, PLACE, TABLES),
    "swiss": Way(gettext_lazy("Swiss: equals play each other"), "heads", 1, RESULT, BY_OPPONENTS, system=SWISS),
    "swiss-pairs": Way(gettext_lazy("Swiss with fixed pairs"), "heads", 2, RESULT, BY_OPPONENTS, system=SWISS),
    "swiss-partners": Way(
        gettext_lazy("Swiss with changing partners"), "partners", 1, RESULT, BY_OPPONENTS, system=SWISS
    ),
    "swiss-triples": Way(gettext_lazy("Swiss at tables of three"), "triples", 1, PLACE, TABLES, system=SWISS),
    "swiss-fours": Way(gettext_lazy("Swiss at tables of four"), "fours", 1, PLACE, TABLES, system=SWISS),
    "swiss-mixed": Way(gettext_lazy("Swiss at tables of three and four"), "mixed", 1, PLACE, TABLES, system=SWISS),
    "free": Way(gettext_lazy("free play: whoever is free plays"), "heads", 1, BALANCE, BY_BALANCE, system=FREE),
    "free-pairs": Way(gettext_lazy("free play with fixed pairs"), "heads", 2, BALANCE, BY_BALANCE, system=FREE),
    "free-partners": Way(
        gettext_lazy("free play with changing partners"), "partners", 1, BALANCE, BY_BALANCE, system=FREE
    ),
    "free-triples": Way(gettext_lazy("free play at tables of three"), "triples", 1, CENTRED, TABLES, system=FREE),
    "free-fours": Way(gettext_lazy("free play at tables of four"), "fours", 1, CENTRED, TABLES, system=FREE),
    "free-mixed": Way(gettext_lazy("free play at tables of three and four"), "mixed", 1, CENTRED, TABLES, system=FREE),
    "knock-out": Way(gettext_lazy("knock-out: who loses is out"), "heads", 1, RESULT, [], system=KNOCK_OUT),
    "knock-out-pairs": Way(gettext_lazy("knock-out of fixed pairs"), "heads", 2, RESULT, [], system=KNOCK_OUT),
}
CYCLE, TWICE, NUMBER, TIME = "cycle", "twice", "number", "time"
LENGTHS = {
    CYCLE: gettext_lazy("Until everybody has met once; in a Swiss tournament as many as usual"),
    TWICE: gettext_lazy("Until everybody has met twice"),
    NUMBER: gettext_lazy("This number of rounds:"),
    TIME: gettext_lazy("As many rounds as fit into this time:"),
}
MEETINGS = {
    "fold": gettext_lazy("The upper half meets the lower half"),
    "adjacent": gettext_lazy("Neighbours in the standings meet"),
    "random": gettext_lazy("Lots decide"),
}
PLAY_ON = {
    "single": gettext_lazy("Only who wins"),
    "third-place": gettext_lazy("Also the losers of the semi-finals, for third place"),
    "placement": gettext_lazy("Everybody, down to the last place"),
    "double": gettext_lazy("Everybody until they have lost twice"),
}
GOES_ON = {
    1: gettext_lazy("Who wins one match"),
    3: gettext_lazy("Who wins two of three matches"),
    5: gettext_lazy("Who wins three of five matches"),
    7: gettext_lazy("Who wins four of seven matches"),
}
BY = {
    "result": gettext_lazy("By result: win, draw, loss"),
    "place": gettext_lazy("By place at the table"),
    "score": gettext_lazy("By the points scored"),
}
OF_SWISS = ("pairing", "points_first", "apart", "first_by_lots")
OF_LENGTH = ("length", "rounds", "start", "end", "pause", "overnight")
WORTHS = {"result": RESULT, "place": PLACE, "score": SCORE}
VALUES = {
    "win": gettext_lazy("A win"),
    "draw": gettext_lazy("A draw"),
    "loss": gettext_lazy("A loss"),
    "bye": gettext_lazy("A bye"),
    "asked": gettext_lazy("A bye that somebody asked for"),
    "absent": gettext_lazy("Absent"),
    "forfeit_win": gettext_lazy("The others did not come"),
    "forfeit_loss": gettext_lazy("Did not come to the table"),
}
BETTER = {"win": "draw", "draw": "loss", "forfeit_win": "forfeit_loss"}
"""Each with the value that is not better, unless a round is worth the points scored."""
AWAY = ("bye", "asked", "absent")
"""The values of a round without a table."""
SHARING = {
    BY_PLACE: gettext_lazy("each gets the amount of their place"),
    EQUALLY: gettext_lazy("they share equally"),
    HALF_AND_HALF: gettext_lazy("half by place, half shared equally (Hort system)"),
}
PLACES = {
    "2": gettext_lazy("Places at a table of two"),
    "3": gettext_lazy("Places at a table of three"),
    "4": gettext_lazy("Places at a table of four"),
}


def presets() -> list[tuple[Game[Any], list[tuple[str, Way]]]]:
    """By game: the ways it can be played."""
    found = [
        (game, [(name, way) for name, way in WAYS.items() if fits(game, way.format, way.size)])
        for game in GAMES.values()
    ]
    return [(game, ways) for game, ways in found if ways]


def clock_field(label: Any) -> forms.TimeField:
    return forms.TimeField(label=label, required=False, widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}))


class SetupForm(GameForm):
    """Everything about a tournament. It belongs to a game; `of_setup` has the fields of an earlier setup. `fixed`: what
    can no longer change, as `fixed_of` has it."""

    CRITERIA: ClassVar[Mapping[str, Any]] = OF_ONE_TABLE
    """Those that can be chosen."""

    name = forms.CharField(label=gettext_lazy("Name of the tournament"), max_length=NAME)
    date = forms.DateField(
        label=gettext_lazy("Date"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    public = forms.BooleanField(
        label=gettext_lazy("Everybody may follow"),
        help_text=gettext_lazy("Otherwise only hosts see the pages of the tournament."),
        required=False,
        initial=True,
    )
    self_entry = forms.BooleanField(
        label=gettext_lazy("People may enter themselves"),
        help_text=gettext_lazy("On their phones; you decide about each entry."),
        required=False,
    )
    clock_waits = forms.BooleanField(
        label=gettext_lazy("Start the clock by hand"),
        help_text=gettext_lazy("When everybody sits. Otherwise it starts when you release the round."),
        required=False,
        initial=True,
    )
    outlook = forms.BooleanField(
        label=gettext_lazy("Show spectators who stands better"),
        help_text=gettext_lazy("On the big screen and where a table is watched, never on phones of the table."),
        required=False,
    )
    way = forms.ChoiceField(label=gettext_lazy("Who meets whom"))
    teams = forms.BooleanField(
        label=gettext_lazy("Teams"),
        help_text=gettext_lazy("An entrant has a name, and may have more players than sit at a table."),
        required=False,
    )
    in_groups = forms.BooleanField(
        label=gettext_lazy("Groups, then finals"),
        help_text=gettext_lazy(
            "Who meets whom is then that of the groups. When everybody is entered, the desk leads to drawing them, and"
            " after their last round to the finals."
        ),
        required=False,
    )
    length = forms.ChoiceField(
        label=gettext_lazy("Rounds"),
        choices=list(LENGTHS.items()),
        widget=forms.RadioSelect,
        initial=CYCLE,
        help_text=gettext_lazy(
            "Where no schedule lets everybody meet equally often, these are the rounds of a full cycle, and some meet"
            " once more than others."
        ),
    )
    rounds = whole_number(gettext_lazy("Number of rounds"), MOST_ROUNDS)
    start = clock_field(gettext_lazy("From"))
    end = clock_field(gettext_lazy("To"))
    pause = whole_number(gettext_lazy("Minutes between rounds"), LONGEST_PAUSE, least=0)
    overnight = forms.BooleanField(label=gettext_lazy("It ends on the next day."), required=False)
    pairing = forms.ChoiceField(
        label=gettext_lazy("Among those with equal points"), choices=list(MEETINGS.items()), required=False
    )
    points_first = forms.BooleanField(
        label=gettext_lazy("Equal points matter more than new opponents"),
        help_text=gettext_lazy("For last rounds, and where few people play at large tables."),
        required=False,
    )
    apart = whole_number(
        gettext_lazy("First rounds in which people of one club do not meet"),
        MOST_ROUNDS,
        least=0,
        help_text=gettext_lazy("As far as that is possible."),
    )
    first_by_lots = forms.BooleanField(
        label=gettext_lazy("Draw the first round by lots, even if all have ratings"), required=False
    )
    bracket = forms.ChoiceField(
        label=gettext_lazy("Who plays on in a knock-out"),
        choices=list(PLAY_ON.items()),
        required=False,
        help_text=gettext_lazy("The number of rounds follows from it."),
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Who goes on from a table of a knock-out"),
        choices=list(GOES_ON.items()),
        coerce=int,
        empty_value=USUAL["best_of"],
        required=False,
        help_text=gettext_lazy(
            "Each match counts for the ratings. The next one begins at the table when one is over, and the other side"
            " leads."
        ),
    )
    final_best_of = forms.TypedChoiceField(
        label=gettext_lazy("Who wins the final, and the match for third place"),
        choices=[(USUAL["final_best_of"], gettext_lazy("As at the other tables")), *GOES_ON.items()],
        coerce=int,
        empty_value=USUAL["final_best_of"],
        required=False,
    )
    by = forms.ChoiceField(label=gettext_lazy("What a round is worth"), choices=list(BY.items()))
    minimum_played = whole_number(
        gettext_lazy("Minimum of tables"),
        MOST_ROUNDS,
        least=0,
        help_text=gettext_lazy("Who came to fewer tables stands after all others."),
    )
    lots = forms.CharField(
        label=gettext_lazy("Word for the lots"),
        help_text=gettext_lazy("Any text, chosen before play begins. It decides the order of the lots."),
        required=False,
        max_length=NAME,
    )
    confirm = whole_number(
        gettext_lazy("Seats that must confirm a result"),
        MOST_SEATS,
        least=0,
        help_text=gettext_lazy(
            "Until then, a result counts as provisional. 0: it is final as soon as the match is over."
        ),
    )

    prizes = whole_number(
        gettext_lazy("Places with a prize"),
        MOST_PRIZES,
        help_text=gettext_lazy("For the prize list, and for what a correction changes."),
    )
    amounts = AmountsField(
        label=gettext_lazy("Prize money by place"),
        help_text=gettext_lazy(
            "Like 100, 60, 40, or 12.50, 7.50. Empty: no amounts. Shares are rounded to cents if you type cents,"
            " otherwise to whole numbers."
        ),
        required=False,
        max_length=600,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    unit = forms.CharField(
        label=gettext_lazy("Currency or unit"),
        help_text=gettext_lazy("Like €, $ or points."),
        required=False,
        max_length=setups.LONGEST_UNIT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": "8"}),
    )
    sharing = forms.ChoiceField(
        label=gettext_lazy("If several are equal in the first criterion"),
        help_text=gettext_lazy("Whoever shares a place always shares its amounts equally."),
        choices=list(SHARING.items()),
        required=False,
        initial=BY_PLACE,
    )

    def __init__(
        self, game: Game[Any], data: Any = None, *, fixed: Mapping[str, Any] | None = None, **rest: Any
    ) -> None:
        super().__init__(game, data, **rest)
        self.fixed = fixed or {}
        way = self.fields["way"]
        assert isinstance(way, forms.ChoiceField)
        way.choices = [
            (name, each.label)
            for name, each in WAYS.items()
            if not each.only_preset
            and fits(game, each.format, each.size)
            and each.size == self.fixed.get("size", each.size)
        ]
        if ("partners", WAYS["partners"].label) in way.choices:
            way.help_text = _("If everybody partners everybody, to meet is to be partners.")
        if self.fixed.get("system") == SWISS:
            length = self.fields["length"]
            assert isinstance(length, forms.ChoiceField)
            length.choices = [(name, label) for name, label in LENGTHS.items() if name != TWICE]
        for name, label in VALUES.items():
            self.fields[f"worth-{name}"] = ExactField(label=label, required=False, max_length=60)
        sizes = {len(shape) for name, _label in way.choices for shape in shapes(WAYS[name].format)}
        self.places = {name: label for name, label in PLACES.items() if int(name) in sizes}
        for name, label in self.places.items():
            self.fields[f"worth-{name}"] = ExactsField(label=label, required=False, max_length=60)
        for name, label in self.CRITERIA.items():
            self.fields[f"order-{name}"] = whole_number(label, MOST_CRITERIA, help_text=EXPLAINED[name])
        chosen = WAYS.get(self.data.get("way", "") or self.initial.get("way", ""))
        if chosen and chosen.system == FREE:
            self.fields["by"].label = _("What a match is worth")
        for name in self._no_longer():
            self.fields[name].disabled = True  # Django then keeps what it was, whatever is sent

    def _no_longer(self) -> Iterator[str]:
        """The fields that cannot change: none before the first round, few between the stages of a tournament."""
        yield from ("teams", "lots") if self.fixed else ()
        yield from ("way", *OF_KNOCK_OUT) if "system" in self.fixed else ()
        yield from () if self.can_be_swiss() else OF_SWISS
        yield from OF_LENGTH if "rounds" in self.fixed else ()

    # --- what its page shows -------------------------------------------------------------------------------
    def value_fields(self) -> list[tuple[Any, bool]]:
        """Each with whether it is of a round without a table."""
        return [(self[f"worth-{name}"], name in AWAY) for name in VALUES]

    def place_fields(self) -> list[Any]:
        return [self[f"worth-{name}"] for name in self.places]

    def criteria_fields(self) -> list[Any]:
        """Those that count first, in their order."""
        fields = [self[f"order-{name}"] for name in self.CRITERIA]
        return sorted(fields, key=lambda field: _position(field.value()))

    def rounds_that_fit(self) -> int:
        """Into the time that was typed; 0 before that, and while something is wrong with it."""
        return _fit(self.cleaned_data) if self.is_bound and not self._time_is_wrong() else 0

    def why_none_fits(self) -> str:
        """Why no round fits into the time, unless one of its fields says so."""
        return "" if self.rounds_that_fit() or self._time_is_wrong() else _why_none_fits(self.cleaned_data)

    def _time_is_wrong(self) -> bool:
        return not {"start", "end", "pause", "minutes"}.isdisjoint(self.errors)

    def ends_before_it_starts(self) -> bool:
        """Whether the end is before the start, as they are typed: like 22:00 and 01:00."""
        return _ends_before_it_starts({name: self[name].value() for name in ("start", "end")})

    def length_fields(self) -> list[tuple[Any, list[Any]]]:
        """Each choice with the fields that belong to it."""
        more = {NUMBER: [self["rounds"]], TIME: [self["start"], self["end"], self["pause"]]}
        return [(radio, more.get(radio.data["value"], [])) for radio in self["length"]]

    def can_be_swiss(self) -> bool:
        """Whether one of the ways to choose is a Swiss tournament."""
        return bool(self.fixed.get("system", SWISS) == SWISS)

    def can_be_knock_out(self) -> bool:
        return "system" not in self.fixed

    def length_can_change(self) -> bool:
        return "rounds" not in self.fixed

    def format(self) -> str:
        """Of the way that was chosen; "" before that."""
        way = self.cleaned_data.get("way") if self.is_bound else None
        return WAYS[way].format if way else ""

    def system(self) -> str:
        """Of the way that was chosen; "" before that."""
        way = self.cleaned_data.get("way") if self.is_bound else None
        return WAYS[way].system if way else ""

    def rounds_asked(self) -> int | None:
        """How many were typed, or fit into the time that was; None: as many as usual."""
        return _rounds(self.cleaned_data)

    def changed(self) -> list[str]:
        """The labels of the fields whose values differ from the initial ones, of a valid form."""
        now = of_setup(self.setup(), self.cleaned_data["name"])
        return [str(field.label) for name, field in self.fields.items() if self.initial.get(name) != now.get(name)]

    # --- what it says --------------------------------------------------------------------------------------
    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        system = WAYS[values["way"]].system if values.get("way") else ""
        knock_out = system == KNOCK_OUT
        if "rounds" not in self.fixed and system not in (KNOCK_OUT, FREE):
            self._clean_rounds(values)
        places = [values.get(f"order-{name}") for name in self.CRITERIA if values.get(f"order-{name}")]
        if len(set(places)) < len(places):
            self.add_error(None, _("Two criteria have the same place. Give each its own."))
        if not places and not knock_out and not self.errors:
            self.add_error(None, _("Choose at least one criterion for the standings."))
        if not self.errors:
            self._clean_worth()
        self._clean_fund(values)
        return values

    def _clean_fund(self, values: Mapping[str, Any]) -> None:
        if values.get("unit") and not values.get("amounts") and "amounts" not in self.errors:
            self.add_error("amounts", _("Type the amounts, or leave the unit empty."))
        if not {"amounts", "unit", "sharing", "prizes"}.isdisjoint(self.errors):
            return
        fund = _fund(values)
        try:
            if fund:
                setups.fund(fund)
            setups.must_fit(fund, values["prizes"] or USUAL["prizes"])
        except Malformed as error:
            self.add_error("amounts", in_words(error))

    def _clean_rounds(self, values: Mapping[str, Any]) -> None:
        if values.get("length") == NUMBER and not values.get("rounds") and "rounds" not in self.errors:
            self.add_error("rounds", _("Enter the number of rounds."))
        if values.get("length") == TIME and not self.errors and not _fit(values):
            self.add_error("end", _why_none_fits(values))
        if values.get("length") == TWICE and values.get("way") and WAYS[values["way"]].system == SWISS:
            self.add_error("length", _("In a Swiss tournament nobody meets anybody twice. Choose another length."))
        if values.get("teams") and values.get("way") == "partners":
            self.add_error("teams", _("With changing partners, each entrant is one player. Do not tick this."))
        rounds, least = _rounds(values), values.get("minimum_played") or 0
        if rounds and least > rounds:
            self.add_error("minimum_played", _("There are only {n} rounds. Enter that or less.").format(n=rounds))

    def _clean_worth(self) -> None:
        """Nobody should gain by a worse result, or by not playing."""
        worth = self._worth()
        sizes = [str(len(shape)) for shape in shapes(self.format())]
        for name, other in BETTER.items() if worth["by"] != "score" else ():
            if AVERAGE not in (both := (worth.get(name, AVERAGE), worth.get(other, AVERAGE))):
                value, least = map(Fraction, both)
                if value < least:
                    text = _("This cannot be worth less than “{other}”.")
                    self.add_error(f"worth-{name}", text.format(other=VALUES[other]))
        for size in self.places.keys() & worth.get("places", {}).keys():
            places = [Fraction(value) for value in worth["places"][size]]
            if places != sorted(places, reverse=True):
                self.add_error(
                    f"worth-{size}", _("A place cannot be worth less than the next one: type the best first.")
                )
        results = [worth[name] for name in ("win", "draw", "loss") if name in worth]
        results += [value for size in sizes for value in worth.get("places", {}).get(size, [])]
        known = [Fraction(value) for value in results if value != AVERAGE]
        for name in AWAY:
            value = worth.get(name, AVERAGE)
            if known and value != AVERAGE and Fraction(value) > max(known):
                self.add_error(f"worth-{name}", _("This cannot be worth more than the best result at a table."))

    def setup(self) -> dict[str, Any]:
        """The setup of `events.tournament.Tournament`."""
        values = self.cleaned_data
        way = WAYS[values["way"]]
        knock_out = way.system == KNOCK_OUT
        length = CYCLE if knock_out else values["length"]
        return {
            "game": self.game.slug,
            "options": self.options(),
            "minutes": values["minutes"],
            "format": way.format,
            "size": way.size,
            "system": way.system,
            "pairing": values["pairing"] or USUAL["pairing"],
            "first": "points" if values["points_first"] else USUAL["first"],
            "apart": values["apart"] or 0,
            "first_by_lots": values["first_by_lots"],
            "bracket": values["bracket"] or USUAL["bracket"],
            "best_of": values["best_of"],
            "final_best_of": values["final_best_of"],
            "teams": values["teams"],
            "in_groups": values["in_groups"],
            "rounds": None if way.system in (FREE, KNOCK_OUT) else _rounds(values),
            "double": length == TWICE and way.system != FREE,
            "until": _until(values) if length == TIME and way.system != FREE else None,
            "worth": self._worth(),
            "order": []
            if knock_out
            else sorted(
                (name for name in self.CRITERIA if values[f"order-{name}"]), key=lambda name: values[f"order-{name}"]
            ),
            "minimum_played": 0 if knock_out else values["minimum_played"] or 0,
            "lots": values["lots"],
            "confirm": values["confirm"] or 0,
            "prizes": values["prizes"] or USUAL["prizes"],
            "fund": _fund(values),
            "date": values["date"].isoformat() if values["date"] else None,
            "public": values["public"],
            "self_entry": values["self_entry"],
            "clock_waits": values["clock_waits"],
            "outlook": values["outlook"],
            **self.fixed,
        }

    def _worth(self) -> dict[str, Any]:
        """As in the tournament's file; what is empty is as usual."""
        by = self.cleaned_data["by"]
        usual = WORTHS[by]
        typed = {name: self.cleaned_data.get(f"worth-{name}") for name in (*VALUES, *PLACES)}
        worth = {name: value if typed[name] is None else typed[name] for name, value in usual.items() if name in VALUES}
        places = {name: typed[name] or list(values) for name, values in usual.get("places", {}).items()}
        return {"by": by, **worth, **({"places": places} if places else {})}


def setup_of_preset(preset: str) -> dict[str, Any]:
    """The setup for a game and a way to play it, with a colon between their names. Malformed if there is none."""
    slug, _colon, name = preset.partition(":")
    way = next((way for game, ways in presets() if game.slug == slug for each, way in ways if each == name), None)
    if way is None:
        raise Malformed(marked("This preset does not exist. Choose another one."))
    return {
        **USUAL,
        "game": slug,
        "options": {},
        "minutes": None,
        "format": way.format,
        "size": way.size,
        "system": way.system,
        "rounds": None,
        "double": way.twice,
        "in_groups": way.in_groups,
        "worth": way.worth,
        "order": way.order,
        "minimum_played": 1 if way.system == FREE else 0,  # who never came does not stand before who lost
        "lots": "",
    }


def of_setup(setup: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The fields of the form for a tournament that is set up already."""
    until = setup["until"] or {}
    return {
        **as_typed(setup["options"], setup["minutes"]),
        **{key: setup[key] for key in (*AS_TYPED, *TICKED, "date")},
        "name": name,
        "way": way_of(setup),
        "points_first": setup["first"] == "points",
        "length": TIME if until else TWICE if setup["double"] else NUMBER if setup["rounds"] else CYCLE,
        "rounds": None if until else setup["rounds"],
        **until,
        "overnight": _ends_before_it_starts(until),
        **_of_fund(setup["fund"]),
        **of_standings(setup["worth"], setup["order"]),
    }


def fixed_of(setup: Mapping[str, Any], *, begun: bool = True) -> dict[str, Any]:
    """What of a setup can no longer change once a round is seated; `begun`: of this stage."""
    names = fixed(setup, begun=begun)
    return {name: setup[name] for name in (*names, "lots", *(["until"] if "rounds" in names else []))}


def way_of(setup: Mapping[str, Any]) -> str:
    """The name of the way that the form offers for this."""
    wanted = (setup["format"], setup["size"], setup["system"], False)
    return next(name for name, way in WAYS.items() if (way.format, way.size, way.system, way.only_preset) == wanted)


def of_standings(worth: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    places = {f"worth-{name}": " ".join(map(str, values)) for name, values in worth.get("places", {}).items()}
    values = {f"worth-{name}": str(value) for name, value in worth.items() if name in VALUES}
    return {"by": worth["by"], **values, **places, **{f"order-{name}": at for at, name in enumerate(order, 1)}}


def _fund(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """As in the setup; None without amounts."""
    amounts = values["amounts"]
    return {**amounts, "unit": values["unit"], "sharing": values["sharing"] or BY_PLACE} if amounts else None


def _of_fund(fund: Mapping[str, Any] | None) -> dict[str, Any]:
    if fund is None:
        return {"amounts": "", "unit": "", "sharing": BY_PLACE}
    return {"amounts": amounts_text(fund), "unit": fund["unit"], "sharing": fund["sharing"]}


def _position(value: Any) -> int:
    text = str(value or "")
    return int(text) if text.isdigit() else len(OF_ONE_TABLE) + 1


def _rounds(values: Mapping[str, Any]) -> int | None:
    """How many are asked for; None: as many as one cycle, or two, has."""
    length = values.get("length")
    return values.get("rounds") if length == NUMBER else _fit(values) if length == TIME else None


def _ends_before_it_starts(values: Mapping[str, Any]) -> bool:
    start, end = values.get("start"), values.get("end")
    return bool(start and end and end < start)


def _fit(values: Mapping[str, Any]) -> int:
    """How many rounds fit into the time; 0 if something is missing, or the end is before the start."""
    whole, minutes = _whole_time(values), values.get("minutes")
    if whole is None or not minutes:
        return 0
    pause = timedelta(minutes=values.get("pause") or 0)
    return min((whole + pause) // (timedelta(minutes=minutes) + pause), MOST_ROUNDS)


def _why_none_fits(values: Mapping[str, Any]) -> str:
    whole, minutes = _whole_time(values), values.get("minutes")
    if _ends_before_it_starts(values) and whole is None:
        text = _("{end} is before {start}. Correct the times, or tick that it ends on the next day.")
        return text.format(end=f"{values['end']:%H:%M}", start=f"{values['start']:%H:%M}")
    if whole is None or not minutes:
        return _("Enter from when to when, and the minutes of a match below.")
    text = _("No round fits: the time is {whole} min, and a match takes {minutes} min.")
    return text.format(whole=whole // timedelta(minutes=1), minutes=minutes)


def _whole_time(values: Mapping[str, Any]) -> timedelta | None:
    """From the beginning to the end, on the next day if that was ticked; None if one of them is missing, or the end is
    before the beginning."""
    start, end = (values.get(name) for name in ("start", "end"))
    if not isinstance(start, time) or not isinstance(end, time):
        return None
    if _ends_before_it_starts(values) and not values.get("overnight"):
        return None
    return (datetime.combine(DAY, end) - datetime.combine(DAY, start)) % timedelta(days=1)


def _until(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "start": f"{values['start']:%H:%M}",
        "end": f"{values['end']:%H:%M}",
        "pause": values["pause"] or 0,
    }
