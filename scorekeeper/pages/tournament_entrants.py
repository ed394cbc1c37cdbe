"""The pages about who takes part: the directors', the one where people ask to be entered, and the one where they say
that they have arrived."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from scorekeeper.access import arrival_key
from scorekeeper.events import Tournament
from scorekeeper.events.records import About
from scorekeeper.models import Application, Club, Event, Player
from scorekeeper.pages.codes import qr, reachable
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.serving import addresses


@dataclass(frozen=True, slots=True)
class PlayerShown:
    pk: int
    name: str
    arrived: bool
    """Whether they, or a director, said that they are here."""
    played: bool
    """Whether they have come to a table."""


@dataclass(frozen=True, slots=True)
class EntrantLine:
    number: int
    name: str
    """Of the team, or of all its players."""
    players: tuple[PlayerShown, ...]
    about: About
    categories: tuple[str, ...]
    """The names of those they are in."""
    left: bool
    has_name: bool
    """Whether it can have a name besides those of its players: a team or a pair."""

    @property
    def typed(self) -> str:
        """Its players as they are typed on one line."""
        return " + ".join(player.name for player in self.players)

    @property
    def arrived(self) -> bool:
        return all(player.arrived or player.played for player in self.players)


@dataclass(frozen=True, slots=True)
class Invitation:
    """An address for people's phones."""

    url: str
    qr: SafeString
    only_here: bool
    """Whether no phone can reach it."""


@dataclass(frozen=True, slots=True)
class CategoryForm:
    """A category, or the fields for a new one."""

    number: int | None
    """From 0; None: a new one."""
    name: str
    entrants: Collection[int]
    """The start numbers of those who are ticked."""
    open: bool = False


@dataclass(frozen=True, kw_only=True)
class EntrantsPage:
    tournament: Event
    club: Club
    size: int
    teams: bool
    lines: list[EntrantLine]
    begun: bool
    """Whether a round is released, so that the entrants stay."""
    people: list[Player]
    """The club's players who are not entered."""
    missing: int
    """How many entrants who take part have not arrived."""
    applications: list[Application]
    categories: list[CategoryForm]
    """A new one last."""
    ask: Invitation | None
    """Where people ask to be entered; None if they may not."""
    arrive: Invitation
    refusal: str
    typed: str
    """A table that was refused."""
    key: str


@dataclass(frozen=True, kw_only=True)
class AskPage:
    """Where somebody asks to be entered."""

    tournament: Event
    club: Club
    size: int
    teams: bool
    open: bool
    asked: Application | None
    """What this visitor has just asked for."""
    refusal: str
    names: Sequence[str]
    team: str
    from_club: str
    key: str


@dataclass(frozen=True, kw_only=True)
class ArrivePage:
    tournament: Event
    club: Club
    missing: list[PlayerShown]
    """Who has not arrived yet."""
    welcome: EntrantLine | None
    """Who has just said so."""
    refusal: str


def entrants_page(
    request: HttpRequest,
    snapshot: EventNow,
    *,
    refusal: str = "",
    typed: str = "",
    category: CategoryForm | None = None,
) -> EntrantsPage:
    """`category`: one that was refused. Two queries."""
    event, state = snapshot.event, tournament_of(snapshot)
    lines = _lines(snapshot, state)
    return EntrantsPage(
        tournament=event,
        club=event.club,
        size=state.setup["size"],
        teams=state.setup["teams"],
        lines=lines,
        begun=bool(state.rounds),
        people=[player for player in snapshot.offered if player.pk not in state.numbers],
        missing=sum(not line.left and not line.arrived for line in lines),
        applications=list(event.applications.filter(state=Application.State.WAITING).order_by("pk")),
        categories=_categories(state, category),
        ask=_invitation(request, "tournament_ask", event.pk) if state.setup["self_entry"] else None,
        arrive=_invitation(request, "tournament_arrive", event.pk, arrival_key(event.pk)),
        refusal=refusal,
        typed=typed,
        key=secrets.token_hex(16),
    )


def ask_page(
    snapshot: EventNow,
    *,
    asked: Application | None = None,
    refusal: str = "",
    names: Sequence[str] = (),
    team: str = "",
    from_club: str = "",
) -> AskPage:
    setup = tournament_of(snapshot).setup
    fields = setup["size"] + 2 if setup["teams"] else setup["size"]
    return AskPage(
        tournament=snapshot.event,
        club=snapshot.event.club,
        size=setup["size"],
        teams=setup["teams"],
        open=setup["self_entry"] and not snapshot.event.closed_at,
        asked=asked,
        refusal=refusal,
        names=[*names, *[""] * fields][:fields],
        team=team,
        from_club=from_club,
        key=secrets.token_hex(16),
    )


def arrive_page(snapshot: EventNow, *, player: int | None = None, refusal: str = "") -> ArrivePage:
    """`player`: who has just arrived. One query."""
    lines = [line for line in _lines(snapshot, tournament_of(snapshot)) if not line.left]
    return ArrivePage(
        tournament=snapshot.event,
        club=snapshot.event.club,
        missing=[each for line in lines for each in line.players if not (each.arrived or each.played)],
        welcome=next((line for line in lines if player in [each.pk for each in line.players]), None),
        refusal=refusal,
    )


def _lines(snapshot: EventNow, state: Tournament) -> list[EntrantLine]:
    arrived = set(snapshot.event.arrivals.values_list("player", flat=True))
    played = _have_played(snapshot, state)
    return [
        EntrantLine(
            number,
            entrant_name(snapshot, number),
            tuple(
                PlayerShown(player, snapshot.name(player), player in arrived, player in played) for player in players
            ),
            state.about.get(number, About()),
            tuple(each.name for each in state.categories if number in each.entrants),
            number in state.withdrawn,
            state.setup["teams"] or len(players) > 1 or bool(state.about.get(number, About()).name),
        )
        for number, players in state.entrants.items()
    ]


def _have_played(snapshot: EventNow, state: Tournament) -> set[int]:
    """The players of all matches with an entry; a table to which some did not come tells of nobody. In free play, those
    of every match: only who is there gets a table. No query."""
    return {
        seat.player_id
        for match in snapshot.matches
        if match.round and match.table and not state.absent_at(match.round, match.table.number)
        if match.length or state.free_play
        for seat in match.seats.all()
        if seat.player_id
    }


def _categories(state: Tournament, refused: CategoryForm | None) -> list[CategoryForm]:
    kept = [CategoryForm(number, name, entrants) for number, (name, entrants) in enumerate(state.categories)]
    forms = [*kept, CategoryForm(None, "", ())]
    return [replace(refused, open=True) if refused and each.number == refused.number else each for each in forms]


def _invitation(request: HttpRequest, name: str, *args: int | str) -> Invitation:
    url = reachable(request) + reverse(name, args=args)
    return Invitation(url, qr(url), addresses.only_here(url))
