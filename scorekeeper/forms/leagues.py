"""What a host types about a league: its setup, its divisions, the day and place of a fixture, its result."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from games.base import Game
from scorekeeper.events.encounters import SINGLE
from scorekeeper.events.league import ANNUL, FORFEIT, HALF, ROUND_ROBIN, USUAL
from scorekeeper.events.setup import KNOCK_OUT, MOST_ROUNDS, SWISS, fits
from scorekeeper.forms.criteria import NAMES
from scorekeeper.forms.entrants import named
from scorekeeper.forms.options import as_typed
from scorekeeper.forms.tournaments import BY_OPPONENTS, HEADS, WAYS, SetupForm, clock_field, of_standings
from scorekeeper.forms.typed import names_from
from scorekeeper.forms.whole import whole_number
from scorekeeper.services.errors import Refused
from scorekeeper.services.league_setups import MOST_DAYS, MOST_MOVING
from scorekeeper.services.leagues import Divisions
from scorekeeper.services.storable import NAME

OWN_WAYS = ("heads", "pairs")
TEAMS = "teams"
WAY_NAMES = {
    "heads": gettext_lazy("single players"),
    "pairs": gettext_lazy("pairs"),
    TEAMS: gettext_lazy("teams that meet at several boards"),
}
"""Who the entrants are."""
SYSTEM_NAMES = {
    ROUND_ROBIN: gettext_lazy("Round robin: everybody plays everybody"),
    SWISS: gettext_lazy("Swiss: each round, equals play each other"),
    KNOCK_OUT: gettext_lazy("Knock-out: who loses is out"),
}
SEASON, DAY = "season", "day"
WHEN_NAMES = {
    SEASON: gettext_lazy("over weeks or months"),
    DAY: gettext_lazy("on one day"),
}
LEG_NAMES = {
    1: gettext_lazy("once"),
    2: gettext_lazy("twice, home and away"),
}
RULES = {
    HALF: gettext_lazy("before half of their fixtures their results are annulled, later they lose the rest"),
    ANNUL: gettext_lazy("all their results are annulled"),
    FORFEIT: gettext_lazy("their results stay, and they lose the rest"),
}
NOT_OF_A_LEAGUE = (
    *(
        "date",
        "self_entry",
        "clock_waits",
        "outlook",
        "teams",
        "in_groups",
        "length",
        "start",
        "end",
        "pause",
        "overnight",
    ),
    *("pairing", "points_first", "apart", "first_by_lots", "confirm", "prizes", "amounts", "unit"),
    "sharing",
)
"""Fields of a tournament that a league has not."""
USUAL_WORTH: Mapping[str, Any] = {
    "by": "result",
    "win": 2,
    "draw": 1,
    "loss": 0,
    "bye": 0,
    "asked": 0,
    "absent": 0,
    "forfeit_win": 2,
    "forfeit_loss": 0,
}
A_WEEK = timedelta(days=7)
NO_LONGER = ("way", "lots", "meeting", "bracket", "legs", "first", "every", "time")
"""The fields that cannot change once a fixture is played."""


def usual_order(system: str) -> tuple[str, ...]:
    """The usual criteria of the table."""
    return tuple(BY_OPPONENTS if system == SWISS else HEADS)


class NewLeagueForm(forms.Form):
    """What the usual setup of a new league follows from."""

    way = forms.ChoiceField(label=gettext_lazy("Entrants"), choices=list(WAY_NAMES.items()))
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=lambda: [(slug, _(game.name)) for slug, game in GAMES.items() if LeagueForm.ways_of(game)],
    )
    meeting = forms.ChoiceField(label=gettext_lazy("Who meets whom"), choices=list(SYSTEM_NAMES.items()))
    when = forms.ChoiceField(label=gettext_lazy("It is played"), choices=list(WHEN_NAMES.items()))


class LeagueForm(SetupForm):
    """Everything about a league. It belongs to a game; `of_league` has the fields of an earlier setup."""

    CRITERIA = NAMES

    meeting = forms.ChoiceField(label=gettext_lazy("Who meets whom"), choices=list(SYSTEM_NAMES.items()))
    rounds = whole_number(
        gettext_lazy("Number of rounds"),
        MOST_ROUNDS,
        help_text=gettext_lazy("In a Swiss system. Empty: as many as usual."),
    )
    legs = forms.TypedChoiceField(
        label=gettext_lazy("In a round robin they meet"), coerce=int, choices=list(LEG_NAMES.items())
    )
    first = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    every = whole_number(
        gettext_lazy("Days between rounds"),
        MOST_DAYS,
        least=0,
        help_text=gettext_lazy("0: all rounds are on the first day."),
    )
    time = clock_field(gettext_lazy("Time of day"))
    without = forms.CharField(
        label=gettext_lazy("Days without play"),
        help_text=gettext_lazy("Dates like 2026-12-24, each on a line. A round that falls on one moves on."),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    up = whole_number(gettext_lazy("How many go up"), MOST_MOVING, least=0)
    down = whole_number(gettext_lazy("How many go down"), MOST_MOVING, least=0)
    leaving = forms.ChoiceField(label=gettext_lazy("If somebody leaves"), choices=list(RULES.items()))
    by_players = forms.BooleanField(
        label=gettext_lazy("Players may start and type their own fixtures"),
        help_text=gettext_lazy("Those who are signed in and have claimed their name."),
        required=False,
    )

    def __init__(self, game: Game[Any], data: Any = None, *, fixed: bool = False, **rest: Any) -> None:
        super().__init__(game, data, **rest)
        for name in NOT_OF_A_LEAGUE:
            del self.fields[name]
        self.fields["name"].label = _("Name of the league")
        for name in ("every", "time"):
            self.fields[name].required = True
        way = self.fields["way"]
        assert isinstance(way, forms.ChoiceField)
        way.choices = [(name, WAY_NAMES[name]) for name in (*self.ways_of(game), TEAMS)]
        way.label = _("Entrants")
        way.help_text = _("The next page asks what teams play.")
        self.fields["public"].help_text = _("Otherwise only hosts see the pages of the league.")
        for name in NO_LONGER if fixed else ():
            self.fields[name].disabled = True  # Django then keeps what it was, whatever is sent

    @staticmethod
    def ways_of(game: Game[Any]) -> list[str]:
        """The names of the ways in which a league of this game can be played."""
        return [name for name in OWN_WAYS if fits(game, WAYS[name].format, WAYS[name].size)]

    @property
    def of_teams(self) -> bool:
        return bool(self["way"].value() == TEAMS)

    def clean_way(self) -> str:
        """That of their setup, which a team has not."""
        return self.ways_of(self.game)[0] if self.of_teams else str(self.cleaned_data["way"])

    def clean_without(self) -> list[str]:
        """Malformed dates are named."""
        days = []
        for line in self.cleaned_data["without"].split():
            try:
                days.append(date.fromisoformat(line).isoformat())
            except ValueError as error:
                raise forms.ValidationError(_("Type dates like 2026-12-24, not {text}.").format(text=line)) from error
        return days

    def _clean_rounds(self, values: Mapping[str, Any]) -> None:
        """The schedule follows from the entrants."""

    def _clean_fund(self, values: Mapping[str, Any]) -> None:
        """A league has no prize money."""

    def _order(self) -> list[str]:
        """The criteria as they are typed; if these are the usual ones of the system before, those of the one now."""
        typed = sorted((name for name in NAMES if self.cleaned_data[f"order-{name}"]), key=self._place)
        untouched = tuple(typed) == usual_order(self.initial.get("meeting", ""))
        return list(usual_order(self.cleaned_data["meeting"])) if untouched else typed

    def _place(self, criterion: str) -> int:
        return int(self.cleaned_data[f"order-{criterion}"])

    def setup(self) -> dict[str, Any]:
        """The setup of `events.league.League`, but for its `series`, and for the `form` of teams."""
        values = self.cleaned_data
        return {
            "game": self.game.slug,
            "options": self.options(),
            "minutes": values["minutes"],
            "size": SINGLE if self.of_teams else WAYS[values["way"]].size,
            "system": values["meeting"],
            "rounds": values["rounds"] if values["meeting"] == SWISS else None,
            "bracket": values["bracket"] or USUAL["bracket"],
            "legs": values["legs"],
            "worth": self._worth(),
            "order": self._order(),
            "minimum_played": values["minimum_played"] or 0,
            "lots": values["lots"],
            "first": values["first"].isoformat(),
            "every": values["every"],
            "time": f"{values['time']:%H:%M}",
            "without": values["without"],
            "up": values["up"] or 0,
            "down": values["down"] or 0,
            "leaving": values["leaving"],
            "public": values["public"],
            "by_players": values["by_players"],
        }


def of_new(game: Game[Any], now: datetime, *, way: str = "", meeting: str = "", when: str = "") -> dict[str, Any]:
    """The fields of the form for a new league, `now` in the time zone of the club. `way`, `meeting` and `when`: those
    of `NewLeagueForm`, if they are valid. A day is today, and begins at the next full hour."""
    ways = (*LeagueForm.ways_of(game), TEAMS)
    usual = {"public": True, "leaving": HALF, "first": now.date() + A_WEEK, "every": 7, "time": "19:30"}
    usual |= {"up": 1, "down": 1}
    if when == DAY:
        usual |= {"first": now.date(), "every": 0, "time": f"{min(now.hour + 1, 23):02}:00", "up": 0, "down": 0}
    bye = USUAL_WORTH["win"] if meeting == SWISS else USUAL_WORTH["bye"]  # there it is a round like any other
    return {
        **as_typed(game.read_options({}), None),
        **usual,
        "way": way if way in ways else ways[0],
        "meeting": meeting if meeting in SYSTEM_NAMES else ROUND_ROBIN,
        **of_standings({**USUAL_WORTH, "bye": bye}, usual_order(meeting)),
    }


def misfit(game: Game[Any], way: str) -> str:
    """Why there is no league of this `way` of `NewLeagueForm` in the game; "" if there is one, or if it is no way."""
    if way not in OWN_WAYS or way in LeagueForm.ways_of(game):
        return ""
    text = _("{game} has no leagues of {entrants}. Choose other entrants below, or go back for another game.")
    return text.format(game=_(game.name), entrants=WAY_NAMES[way])


def of_league(setup: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The fields of the form for a league that is set up already."""
    same = (
        *("minimum_played", "lots", "rounds", "bracket", "legs", "first", "every", "time", "up", "down", "leaving"),
        *("public", "by_players"),
    )
    return {
        **as_typed(setup["options"], setup["minutes"]),
        **{key: setup[key] for key in same},
        "name": name,
        "meeting": setup["system"],
        "way": TEAMS if setup["form"] else next(each for each in OWN_WAYS if WAYS[each].size == setup["size"]),
        "without": "\n".join(setup["without"]),
        **of_standings(setup["worth"], setup["order"]),
    }


def divisions_of(data: QueryDict) -> Divisions:
    """The divisions with a name or entrants, in their order."""
    both = zip(data.getlist("division"), data.getlist("entrants"), strict=False)
    return [
        (name[: 4 * NAME], [named(line) for line in names_from(lines)])
        for name, lines in both
        if name.strip() or lines.strip()
    ]


def typed_divisions(data: QueryDict) -> Sequence[tuple[str, str]]:
    """As they were typed."""
    return list(zip(data.getlist("division"), data.getlist("entrants"), strict=False))


def moment(data: Mapping[str, str], zone: ZoneInfo) -> datetime | None:
    """The day and time that were typed; None without them. Refused "bad-date"."""
    day, clock = data.get("day", "").strip(), data.get("time", "").strip()
    if not day and not clock:
        return None
    try:
        return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=zone)
    except ValueError as error:
        raise Refused("bad-date", _("Choose a day and a time, or leave both empty.")) from error


def totals(data: QueryDict) -> list[int]:
    """Of home and away. Refused "total-missing"."""
    texts = [data.get(name, "").strip() for name in ("home", "away")]
    if not all(text.removeprefix("-").isdecimal() and len(text) < 10 for text in texts):
        raise Refused("total-missing", _("Enter the total of both sides."))
    return [int(text) for text in texts]
