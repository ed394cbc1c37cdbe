"""Who takes part in a tournament: entered by directors, or asked for by the people themselves."""

from collections.abc import Collection, Container, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.errors import Malformed
from scorekeeper.events.records import About
from scorekeeper.models import Application, Arrival, AuditEntry, Event, Player, User
from scorekeeper.names import folded
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import events, people, storable
from scorekeeper.services.audit import note_in
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.services.people import Typist
from scorekeeper.words import in_words, listed

MOST_WAITING = 200  # applications, so that nobody can fill the disk
BEST_RATING = 100_000
MOST_CATEGORIES = 20  # so that they fit on a page
NOTHING_KNOWN = About()


@dataclass(frozen=True, slots=True)
class Named:
    """An entrant as somebody types it: the names of its players, and what is known about it."""

    players: tuple[str, ...]
    about: About = NOTHING_KNOWN


@in_one_transaction
def enter_named(
    *, event_id: int, players: Sequence[int], named: Sequence[Named], numbers: Sequence[int] = (), step: Step
) -> None:
    """Adds the ticked players and those who were typed. Of ticked players, all together are one pair or team. Unknown
    names become guests. `numbers`: their start numbers, if these are not the next ones.

    Refused "nobody-entered", "wrong-size", "bad-name", "bad-rating", "name-twice", "entered-twice" or
    "nobody-of-this-club".
    """
    asked = {"kind": "enter", "ticked": list(players), "typed": [asdict(each) for each in plain(named)]}
    asked |= {"numbers": list(numbers)} if numbers else {}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    setup = tournament_in(event).setup
    together = setup["size"] > 1 or setup["teams"]
    events.of_the_club(event, players)
    ticked = [[player] for player in players] if not together else [list(players)] if players else []
    if not ticked and not named:
        raise Refused("nobody-entered", _("Tick who takes part, or type their names."))
    _enter(event, ticked, named, asked, step)


@in_one_transaction
def describe(*, event_id: int, entrant: int, about: About, step: Step) -> None:
    """Changes what is known about an entrant. Refused "bad-name", "bad-rating" or "name-twice"."""
    kept = checked(about)
    asked = {"kind": "describe", "entrant": entrant, "about": asdict(kept)}
    event, known = events.locked(event_id, asked, step)
    if not known:
        others = [each.name for number, each in tournament_in(event).about.items() if number != entrant]
        must_differ([*others, kept.name])
        events.append(event, asked, step)


@in_one_transaction
def remove(*, event_id: int, entrant: int, step: Step) -> None:
    """Takes out an entrant who was entered by mistake, before the first round is seated. Refused "begun" after that,
    "not-entered"."""
    asked = {"kind": "remove-entrant", "entrant": entrant}
    event, known = events.locked(event_id, asked, step)
    if not known:
        _must_not_have_begun(event)
        events.append(event, asked, step)


@in_one_transaction
def replace_players(*, event_id: int, entrant: int, players: Sequence[str], step: Step) -> None:
    """Others are this entrant, by their names, before the first round is seated; unknown names become guests. The start
    number stays. Refused "begun" after that, "not-entered", "wrong-size", "bad-name", "entered-twice", or "same-people"
    if nobody changes."""
    asked = {"kind": "replace-players", "entrant": entrant, "names": list(players)}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    _must_not_have_begun(event)
    _must_have_size(event, [players])
    new = [player.pk for player in events.guests_named(event.club, players, step)]
    now = tournament_in(event).entrants.get(entrant, ())
    if new == [*now]:
        raise Refused("same-people", _("They are entered like that already."))
    must_be_new([player for player in new if player not in now], tournament_in(event).numbers)
    events.append(event, asked | {"players": new}, step)


# --- categories --------------------------------------------------------------------------------------------
@in_one_transaction
def categorise(*, event_id: int, number: int | None, name: str, entrants: Collection[int], step: Step) -> None:
    """Makes a category of these entrants, by start number; `number`: in place of an earlier one, counted from 0.
    Refused "bad-name", "category-twice" if another one has this name, "too-many", "not-entered" or
    "no-such-category"."""
    name = _kept(name)
    asked = {"kind": "category", "number": number, "name": name, "entrants": sorted(entrants)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    others = [each.name for at, each in enumerate(tournament_in(event).categories) if at != number]
    if not name:
        raise Refused("bad-name", _("Type the name of the category."))
    if folded(name) in map(folded, others):
        text = _("There is a category “{name}” already. Change that one, or choose another name.")
        raise Refused("category-twice", text.format(name=name))
    if number is None and len(others) >= MOST_CATEGORIES:
        text = _("A tournament can have up to {most} categories. Remove one first.")
        raise Refused("too-many", text.format(most=MOST_CATEGORIES))
    events.append(event, asked, step)


@in_one_transaction
def remove_category(*, event_id: int, number: int, step: Step) -> None:
    """`number` counts the categories from 0. Refused "no-such-category"."""
    asked = {"kind": "remove-category", "number": number}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


# --- who enters themselves ---------------------------------------------------------------------------------
@in_one_transaction
def apply(*, event: Event, named: Named, typist: Typist | None = None, key: str, now: datetime) -> Application:
    """Somebody asks to be entered; the same key again is the same application. Refused "not-open" unless the tournament
    lets people ask, "no-name", "wrong-size", "bad-name", "entered-twice", "name-twice", "asked-already", or "too-many"
    while too many wait for an answer. Unsure as `people.named`."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event.pk)
    before = event.applications.filter(key=key).first()
    if before:
        return before
    if event.closed_at or not tournament_in(event).setup["self_entry"]:
        raise Refused("not-open", _("You cannot enter yourself here. Ask the director."))
    (named,) = plain([named])
    if not named.players:
        raise Refused("no-name", _("Type your name."))
    _must_have_size(event, [named.players])
    there = people.meant(event.club, named.players, typist=typist, apart=True)
    players = [there[name].name for name in named.players]
    must_be_new([player.pk for player in there.values() if player.pk], tournament_in(event).numbers)
    must_differ([*(each.name for each in tournament_in(event).about.values()), named.about.name])
    waiting = event.applications.filter(state=Application.State.WAITING)
    names = [folded(name) for name in players]
    if len({*names}) < len(names):
        raise Refused("entered-twice", _("Type each player once."))
    asked = {folded(name) for each in waiting for name in each.players}
    if not asked.isdisjoint(names):
        raise Refused("asked-already", _("Somebody with this name has asked already. The director will answer."))
    if waiting.count() >= MOST_WAITING:
        raise Refused("too-many", _("Too many people wait for an answer. Ask the director."))
    made = event.applications.create(
        players=players, name=named.about.name, club=named.about.club, asked_at=now, key=key
    )
    announce(kind="asked", club_id=event.club_id, event=event, now=now)
    return made


@in_one_transaction
def accept(*, event_id: int, application: int, step: Step) -> None:
    """Enters who has asked. Refused "answered" if somebody has decided already, else as `enter_named`."""
    asked = {"kind": "enter", "application": application}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    found = _waiting(event, application)
    _enter(event, [], [Named(tuple(found.players), About(found.name, found.club))], asked, step)
    found.state = Application.State.ENTERED
    found.save(update_fields=["state"])


@in_one_transaction
def decline(*, event_id: int, application: int, step: Step) -> None:
    """Does not enter who has asked. Refused "answered" if somebody has decided already. The audit page has it."""
    event = Event.objects.select_for_update(no_key=True).get(pk=event_id)
    found = _waiting(event, application)
    found.state = Application.State.DECLINED
    found.save(update_fields=["state"])
    named = found.name or " + ".join(found.players)
    note_in(event=event, kind=AuditEntry.Kind.DECLINED, by=step.by.user, now=step.now, what=[named])
    announce(kind="answered", club_id=event.club_id, event=event, now=step.now)


# --- who has arrived ---------------------------------------------------------------------------------------
@in_one_transaction
def arrive(*, event: Event, players: Collection[int], now: datetime, by: User | None = None) -> None:
    """Notes that players of the tournament have arrived. Refused "not-entered". If a director notes it for them (`by`),
    the audit page has it."""
    if not set(players) <= tournament_in(event).numbers.keys():
        raise Refused("not-entered", _("This player is not entered any more. Ask the director."))
    known = set(event.arrivals.values_list("player", flat=True))
    new = [Arrival(event=event, player_id=player, at=now) for player in players if player not in known]
    Arrival.objects.bulk_create(new, ignore_conflicts=True)
    _note(AuditEntry.Kind.ARRIVED, event, [each.player_id for each in new], now, by)
    announce(kind="arrived", club_id=event.club_id, event=event, now=now)


@in_one_transaction
def not_arrived(*, event: Event, players: Collection[int], now: datetime, by: User | None = None) -> None:
    """Takes that back."""
    gone = event.arrivals.filter(player__in=players)
    _note(AuditEntry.Kind.NOT_ARRIVED, event, list(gone.values_list("player", flat=True)), now, by)
    gone.delete()
    announce(kind="arrived", club_id=event.club_id, event=event, now=now)


def _note(kind: AuditEntry.Kind, event: Event, players: Sequence[int], now: datetime, by: User | None) -> None:
    if by and players:
        note_in(event=event, kind=kind, by=by, now=now, what=_names(players))


# --- their parts -------------------------------------------------------------------------------------------
def checked(about: About) -> About:
    """As it is stored. Refused "bad-name" or "bad-rating"."""
    if about.rating is not None and not 0 <= about.rating <= BEST_RATING:
        raise Refused("bad-rating", _("A rating is a whole number from 0 to {most}.").format(most=BEST_RATING))
    return About(_kept(about.name), _kept(about.club), about.rating)


def plain(named: Sequence[Named]) -> list[Named]:
    """With texts as they are stored. Refused "bad-name" or "bad-rating"."""
    return [Named(tuple(map(_kept, each.players)), checked(each.about)) for each in named]


def _kept(text: str) -> str:
    try:
        return storable.name(text) if text.strip() else ""
    except Malformed as error:
        raise Refused("bad-name", f"“{text[: events.SHOWN]}”: {in_words(error)}") from error


def _enter(
    event: Event, ticked: Sequence[Sequence[int]], named: Sequence[Named], asked: dict[str, Any], step: Step
) -> None:
    named = plain(named)
    _must_have_size(event, [*ticked, *(each.players for each in named)])
    must_differ([each.name for each in (*tournament_in(event).about.values(), *(one.about for one in named))])
    guests = iter(events.guests_named(event.club, [name for each in named for name in each.players], step))
    typed = [[player.pk for player in islice(guests, len(each.players))] for each in named]
    about = [About()] * len(ticked) + [each.about for each in named]
    entrants = [list(each) for each in ticked] + typed
    must_be_new([player for each in entrants for player in each], tournament_in(event).numbers)
    events.append(event, asked | {"entrants": entrants, "about": [asdict(each) for each in about]}, step)


def _must_not_have_begun(event: Event) -> None:
    if tournament_in(event).rounds:
        text = _(
            "The first round is released, so the entrants stay. If somebody does not play on, note that they leave."
        )
        raise Refused("begun", text)


def must_differ(names: Sequence[str]) -> None:
    """Refused "name-twice" if two entrants have the same name; "" is no name: that of their players tells them
    apart."""
    given = [folded(name) for name in names]
    if twice := next((name for at, name in enumerate(names) if name and given[at] in given[:at]), ""):
        text = _("Two entrants have the name “{name}”. Give each its own.")
        raise Refused("name-twice", text.format(name=twice))


def must_be_new(players: Sequence[int], there: Container[int]) -> None:
    """Refused "entered-twice" names who is there already, or twice in this list."""
    if known := [player for player in players if player in there]:
        names = _names(known)
        text = ngettext("{names} is entered already.", "{names} are entered already.", len(names))
        raise Refused("entered-twice", text.format(names=listed(names)))
    if twice := [player for at, player in enumerate(players) if player in players[:at]]:
        names = _names(twice)
        text = ngettext("{names} is in the list twice.", "{names} are in the list twice.", len(names))
        raise Refused("entered-twice", text.format(names=listed(names)))


def _names(players: Collection[int]) -> list[str]:
    """Each once."""
    return list(Player.objects.filter(pk__in=players).order_by("name").values_list("name", flat=True))


def _must_have_size(event: Event, entrants: Sequence[Sequence[object]]) -> None:
    setup = tournament_in(event).setup
    size: int = setup["size"]
    if setup["teams"]:
        if any(len(each) < size for each in entrants):
            text = ngettext(
                "A team needs at least {n} player. Type one team on a line, like Rovers: Ana + Bo + Cleo.",
                "A team needs at least {n} players. Type one team on a line, like Rovers: Ana + Bo + Cleo.",
                size,
            )
            raise Refused("wrong-size", text.format(n=size))
    elif any(len(each) != size for each in entrants):
        if size == 1:
            raise Refused("wrong-size", _("An entrant is one player. Type one name on a line."))
        raise Refused("wrong-size", _("An entrant is a pair: tick two names, or type two on a line, like Ana + Bo."))


def _waiting(event: Event, application: int) -> Application:
    found = event.applications.filter(pk=application, state=Application.State.WAITING).first()
    if found is None:
        raise Refused("answered", _("Somebody has answered this already."))
    return found
