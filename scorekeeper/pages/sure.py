"""The page that asks before a step that takes something from somebody, or cannot be undone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from scorekeeper import words
from scorekeeper.access import PASS_LIVES, Actor, role_in
from scorekeeper.models import Club, Pad, Player, Role, Season, Table, User
from scorekeeper.selectors.clubs import same_people
from scorekeeper.selectors.matches import seated_now
from scorekeeper.selectors.people import matches_of
from scorekeeper.selectors.persons import claimed_by, parting
from scorekeeper.selectors.tables import TablesInUse, in_use


@dataclass(frozen=True, slots=True)
class Step:
    """What asks first: its name, as on its button, and what it does, in sentences."""

    name: str
    effects: Sequence[str]
    password: bool = False
    """Whether the visitor must also enter their password."""


@dataclass(frozen=True, slots=True)
class SurePage:
    club: Club
    step: Step
    sent: list[tuple[str, str]]
    """The fields of the form that was sent."""
    back: str
    """The page that leaves everything as it is."""
    refusal: str
    """Why the answer did not do; "" at first."""


def renewing(table: Table, now: datetime) -> Step:
    use = _in_use([table], now)
    replaced = _("The printed card of table {n} must be replaced.").format(n=table.number)
    return Step(_("Renew the code"), [*_phones_out(use), replaced, *_matches(use)])


def renewing_all(tables: Collection[Table], now: datetime) -> Step:
    use = _in_use(tables, now)
    numbers = sorted({match.table.number for match in use.matches if match.table})
    text = ngettext("A match is in play at table {numbers}.", "Matches are in play at tables {numbers}.", len(numbers))
    playing = [text.format(numbers=", ".join(map(str, numbers)))] if numbers else []
    return Step(_("Renew all codes"), [*_phones_out(use), _("All printed cards must be replaced."), *playing])


def revoking_all(table: Table, now: datetime) -> Step:
    use = _in_use([table], now)
    text = _("The printed card no longer works. Print a new one for the next phone.")
    return Step(_("Revoke all codes of this table"), [*_phones_out(use), text, *_matches(use)])


def revoking_code(table: Table, now: datetime) -> Step:
    text = _("The phones that scanned this code stop recording until they scan another one. Its card no longer works.")
    return Step(_("Revoke this code"), [text, *_matches(_in_use([table], now))])


def revoking_phone(pad: Pad, now: datetime) -> Step:
    name = _("Revoke the phone of {name}").format(name=pad.name) if pad.name else _("Revoke this phone")
    text = _("A revoked phone is out at once. Only a code that you make later lets it in again.")
    return Step(name, [text, *_matches(_in_use([pad.table], now))])


def removing_season(season: Season) -> Step:
    name = _("Remove the season {name}").format(name=season.name)
    return Step(name, [_("Its table and its title are gone for good. Its nights and tournaments stay as they are.")])


def closing(table: Table, now: datetime) -> Step | None:
    """None if no match is in play there: then there is nothing to ask."""
    playing = _matches(_in_use([table], now))
    text = _("Phones can enter nothing there until you open the table again.")
    return Step(_("Close table {n}").format(n=table.number), [*playing, text]) if playing else None


def releasing(player: Player, user: User) -> Step:
    """Three queries."""
    names = {"account": user.get_username(), "name": player.name, "club": player.club.name}
    effects = [
        _("{account} no longer has the page of {name} at {club}."),
        _("All matches and results of {name} stay."),
        _("To claim {name} again, a new link from a host is needed."),
    ]
    if role_in(Actor(user), player.club_id) == Role.PLAYER:
        effects.append(_("{account} is then no longer in the club."))
    if len(claimed_by(user)) > 1:
        effects.append(
            _("The players of {account} at other clubs are then other people, unless hosts have linked them.")
        )
    return Step(_("End the claim of {name}").format(**names), [effect.format(**names) for effect in effects])


def merging(player: Player, into: Player) -> Step:
    """Four queries."""
    effects = [
        *(_matches_of(player), _matches_of(into)),
        _("All of them then count for {other}, in points, ratings and seasons, and both names find that person."),
        _("{name} is no longer in the lists of the club. You can separate them again."),
    ]
    names = {"name": player.name, "other": into.name}
    return Step(_("Merge {name} with {other}").format(**names), [each.format(**names) for each in effects])


def _matches_of(player: Player) -> str:
    """How many matches they and everybody who was merged with them sat in, and when the last one was."""
    matches = matches_of(same_people(player.club_id, player.pk)).order_by("created_at")
    began = [*matches.values_list("created_at", flat=True)]
    if not began:
        return _("{name} has played no match yet.").format(name=player.name)
    text = ngettext(
        "{name} has played {n} match, on {day}.", "{name} has played {n} matches, the last one on {day}.", len(began)
    )
    return text.format(name=player.name, n=len(began), day=date_format(timezone.localtime(began[-1]), "j M Y"))


def deleting(player: Player, *, own: bool = False) -> Step:
    """A host deletes the name of a person, or the person their `own`. At most seven queries."""
    effects = (
        _("{name} becomes “Deleted player” with a number everywhere: in old matches, results, records and notes, too."),
        _("Former names go, and so do the names of people who were merged with this person."),
        _("Points, standings and ratings stay, for everybody else exactly as they are."),
        _("In rankings, {name} is listed no longer, so those behind move up."),
        *_parting(player),
        _("Links to people of other clubs end. Names there stay: have them deleted there, too."),
        _("Archives of the club are deleted. Make them again when you need them."),
        _("The server makes a new backup. It deletes the backups in its folder in which the name still is."),
        _("Names of nights and tournaments stay: change them yourself, if they contain it."),
        _("Files that somebody has downloaded keep the name. To restore such a backup brings it back."),
        _("This cannot be undone."),
    )
    return Step(_("Delete the name for good"), [each.format(name=player.name) for each in effects], password=own)


def _parting(player: Player) -> list[str]:
    account = parting(player)
    if account is None:
        return []
    if account.closes:
        text = _("The account {account} is deleted, too: nobody can sign in with it any more.")
    elif account.name:
        text = _(
            "The account {account} stays, because it also has another player or role. But it is called {new} from then"
            " on: sign in with that name."
        )
    else:
        text = _("The account {account} stays, because it also has another player or role. It is nobody here any more.")
    return [text.format(account=account.user.get_username(), new=account.name)]


def _in_use(tables: Collection[Table], now: datetime) -> TablesInUse:
    return in_use(tables, since=now - PASS_LIVES)


def _phones_out(use: TablesInUse) -> list[str]:
    tables = ngettext("{n} table", "{n} tables", use.tables).format(n=use.tables)
    text = ngettext(
        "{n} phone at {tables} stops recording until it scans the new card.",
        "{n} phones at {tables} stop recording until they scan the new cards.",
        use.phones,
    )
    return [text.format(n=use.phones, tables=tables)] if use.phones else []


def _matches(use: TablesInUse) -> list[str]:
    text = _("A match of {game} is in play: {players}.")
    return [
        text.format(game=_(GAMES[match.game].name), players=words.listed([seat.name for seat in seated_now(match)]))
        for match in use.matches
    ]
