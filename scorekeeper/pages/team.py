"""The page of a team: the captain's way to its line-ups, and its secret link."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.events import League
from scorekeeper.forms.encounters import EncounterForm
from scorekeeper.models import CaptainLink, Club, Event
from scorekeeper.pages.encounter import SIDE_NAMES, Choice, team_name


@dataclass(frozen=True, slots=True)
class FixtureLine:
    """An encounter of the team."""

    number: int
    round: int
    at: datetime | None
    opponents: str
    side: str
    """One of SIDE_NAMES."""
    opened: bool
    submitted: bool
    swapped: bool
    """Whether they met others in it before a host swapped places."""


@dataclass(frozen=True, kw_only=True)
class TeamPage:
    league: Event
    club: Club
    entrant: int
    team: str
    captain: str
    squad: tuple[Choice, ...]
    fixtures: tuple[FixtureLine, ...]
    free: tuple[int, ...]
    """The rounds in which they have none."""
    host: bool
    link: CaptainLink | None
    """The secret link that is valid now; only for hosts, who cannot read it any more."""
    url: str
    """Of a new link, which is shown once."""
    key: str
    code: str
    """Its QR code as SVG."""
    refusal: str
    closed: bool
    """Whether the season is over."""


@dataclass(frozen=True, slots=True)
class CaptainLine:
    """A team with the secret link of its captain."""

    entrant: int
    team: str
    captain: str
    link: CaptainLink | None
    """The one that is valid now."""
    url: str
    """Of a new link, which is shown once."""
    code: str
    """Its QR code as SVG."""


@dataclass(frozen=True, kw_only=True)
class CaptainLinksPage:
    league: Event
    club: Club
    teams: tuple[CaptainLine, ...]
    missing: bool
    """Whether a team has no link."""
    refusal: str


@dataclass(frozen=True, kw_only=True)
class EncounterFormPage:
    league: Event
    club: Club
    form: EncounterForm
    teams: bool
    """Whether entrants are teams now."""
    key: str
    """For the next step."""
    refusal: str = ""


def team_page(
    *,
    league: Event,
    state: League,
    entrant: int,
    names: Mapping[int, str],
    submitted: Mapping[int, bool],
    link: CaptainLink | None,
    host: bool,
    key: str,
    url: str,
    code: str,
    refusal: str,
) -> TeamPage:
    """`submitted`: by fixture whose line-ups are not open, whether the team's own is in. `names` by player."""
    captain, swapped = state.captain_of(entrant), state.swapped
    return TeamPage(
        league=league,
        club=league.club,
        entrant=entrant,
        team=team_name(state, entrant, names),
        captain=names[captain],
        squad=tuple(Choice(str(each), names[each], each == captain) for each in state.squad_of(entrant)),
        fixtures=tuple(
            FixtureLine(
                each.number,
                each.round,
                each.at,
                team_name(state, each.sides[1 - each.sides.index(entrant)], names),
                SIDE_NAMES[each.sides.index(entrant)],
                each.number in state.encounters,
                submitted.get(each.number, False),
                each.round == state.rounds_made and entrant in swapped,
            )
            for each in state.fixtures_of(entrant)
        ),
        free=tuple(state.free_rounds(entrant)),
        host=host,
        link=link,
        key=key,
        url=url,
        code=code,
        refusal=refusal,
        closed=state.closed,
    )
