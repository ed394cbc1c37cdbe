"""The steps of a tournament's directors that a club night does not have."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from scorekeeper import words
from scorekeeper.events import League, Tournament
from scorekeeper.events.rounds import Impossible
from scorekeeper.models import Club, Event, Match
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.tournaments import (
    director_decides,
    equals,
    match_at,
    tournament_in,
    tournament_of,
    unsettled_in,
)
from scorekeeper.services import events, setups, steps, storable, undoing
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.events import Step
from scorekeeper.standings.reading import AVERAGE
from scorekeeper.standings.tournament import By
from scorekeeper.words import listed


@in_one_transaction
def start(*, club: Club, name: str, setup: Mapping[str, Any], step: Step) -> Event:
    """Begins a tournament. `setup` is that of `events.tournament.Tournament`. The same key again is the same one.

    Raises setups.BadSetup, games.Malformed for an invalid name, and GameError for an option that the game does not
    allow.
    """
    known = club.events.filter(kind=Event.Kind.TOURNAMENT, log__seq=0, log__key=step.key).first()
    if known:
        return known
    kept = storable.name(name)
    event = Event.objects.create(club=club, kind=Event.Kind.TOURNAMENT, name=kept, started_at=step.now)
    events.append(event, {"kind": "setup", "name": kept, **setups.checked(setup)}, step)
    return event


@in_one_transaction
def set_up(*, event_id: int, name: str, setup: Mapping[str, Any], step: Step) -> None:
    """Changes the name of the tournament, and how it is played. Raises as `start`; also Refused "begun" for what cannot
    change after the first round is seated."""
    asked = {"kind": "setup", "name": storable.name(name), **setups.checked(setup)}
    event, known = events.locked(event_id, asked, step)
    if not known:
        _must_keep_the_lots(event, asked)
        event.name = asked["name"]
        event.save(update_fields=["name"])
        events.append(event, asked, step)


def _must_keep_the_lots(event: Event, setup: Mapping[str, Any]) -> None:
    """Refused "begun" for another word after the first round is seated: whoever knows the results could choose it."""
    state = tournament_in(event)
    if state.rounds and setup["lots"] != state.setup["lots"]:
        raise Refused("begun", events.words_of(Impossible("begun")))


@in_one_transaction
def enter(*, event_id: int, entrants: Sequence[Sequence[int]], step: Step) -> None:
    """Adds entrants, each with the ids of its players, under the next start numbers. Refused "entered-twice" and
    "nobody-of-this-club"."""
    asked = {"kind": "enter", "entrants": [list(each) for each in entrants]}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.of_the_club(event, [player for each in entrants for player in each])
        events.append(event, asked, step)


@in_one_transaction
def release(*, event_id: int, minutes: int | None, unconfirmed: bool, step: Step) -> None:
    """Seats the drafted round, as `events.seat`. Refused "not-confirmed" while results of rounds before are not, or are
    disputed, unless they may stay `unconfirmed`; free play has no rounds that wait for others."""
    event = Event.objects.get(pk=event_id)
    state = tournament_in(event)
    if not unconfirmed and not state.free_play:
        _must_be_settled(event, state, step)
    events.seat(event_id=event_id, minutes=minutes, step=step)


def _must_be_settled(event: Event, state: Tournament, step: Step) -> None:
    """Refused "not-confirmed" if results are not confirmed, or are disputed, unless this step was taken before."""
    found = unsettled_in(event, state)
    if found and not event.log.filter(key=step.key).exists():
        place = _("table {table} of round {round}")
        places = [place.format(table=match.table.number if match.table else "–", round=match.round) for match in found]
        text = ngettext(
            "The result of {places} is not confirmed. Confirm it first, or press the button again to continue without.",
            "The results of {places} are not confirmed. Confirm them first, or press the button again to continue"
            " without.",
            len(found),
        )
        raise Refused("not-confirmed", text.format(places=listed(places)))


@in_one_transaction
def close(*, event_id: int, open_matches: str | None, early: bool, unconfirmed: bool = False, step: Step) -> None:
    """Ends the tournament, as `events.close`. Refused "not-begun" before the first round, "rounds-left" while
    rounds are left, unless it is meant to end `early`, and "not-confirmed" as in `release`."""
    event = Event.objects.get(pk=event_id)
    state = tournament_in(event)
    if not state.rounds:
        text = _("No round is released yet, so there is nothing to close. Under Setup, you can remove the tournament.")
        raise Refused("not-begun", text)
    left = state.rounds_left
    if left and not early:
        text = ngettext(
            "{n} round is not played. Play it, or say that you want to close the tournament early.",
            "{n} rounds are not played. Play them, or say that you want to close the tournament early.",
            left,
        )
        raise Refused("rounds-left", text.format(n=left))
    if not unconfirmed:
        _must_be_settled(event, state, step)
    events.close(event_id=event_id, open_matches=open_matches, step=step)


@in_one_transaction
def withdraw(*, event_id: int, entrants: Sequence[int], step: Step) -> None:
    """Notes that entrants have left. From the next round on, whoever would meet them has a bye. In a knock-out that has
    begun they lose the tables at which they play, and those that come. Refused "has-left" if one of them has already.
    """
    asked = {"kind": "withdraw", "entrants": list(entrants)}
    event, known = events.locked(event_id, asked, step)
    if not known:
        state = tournament_in(event)
        if gone := state.withdrawn.intersection(entrants):
            text = ngettext("{names} has left already.", "{names} have left already.", len(gone))
            raise Refused("has-left", text.format(names=_listed(event, state, gone)))
        lost = _playing(event, state, frozenset(entrants).intersection(state.seeded)) if state.seeded else {}
        places = [[number, table, sorted(sides)] for (number, table), (sides, _match) in lost.items()]
        ended = [match for _sides, match in lost.values()]
        events.append(event, asked | {"lost": places, "matches": [match.pk for match in ended]}, step)
        for match in ended:
            steps.record(match, {"kind": "stop", "stopped": "abandoned"}, f"{step.key}-stop", step)


@in_one_transaction
def come_back(*, event_id: int, entrants: Sequence[int], step: Step) -> None:
    """Notes that entrants who have left are back. Refused "has-not-left" if one of them has not."""
    asked = {"kind": "return", "entrants": list(entrants)}
    event, known = events.locked(event_id, asked, step)
    if not known:
        state = tournament_in(event)
        if there := {*state.taking_part}.intersection(entrants):
            text = ngettext("{names} has not left.", "{names} have not left.", len(there))
            raise Refused("has-not-left", text.format(names=_listed(event, state, there)))
        events.append(event, asked, step)


@in_one_transaction
def draft_next(*, event_id: int, step: Step) -> None:
    """Drafts the next round of the schedule at the free tables. Refused "nothing-planned", "drafted" if it is drafted
    already."""
    asked = {"kind": "draft", "planned": True}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot, state = event_now(event), tournament_in(event)
    if state.draft:
        text = _("Round {n} is drafted already. Release it, or discard the draft first.")
        raise Refused("drafted", text.format(n=len(state.rounds) + 1))
    try:
        drawn = state.next_round(snapshot.free_tables)
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    events.append(event, asked | {"round": drawn.as_json()}, step)


@in_one_transaction
def forfeit(*, event_id: int, round_number: int, table: int, absent: Sequence[int], step: Step) -> None:
    """Notes which sides of a table did not come, by index; none: they came after all. If at most one came, a match in
    play there is abandoned; an undo, or coming after all, continues it. Refused "nobody-chosen", and
    "walk-over" where nobody ever played."""
    asked = {"kind": "forfeit", "round": round_number, "table": table, "absent": sorted(absent)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = match_at(event_now(event), round_number, table)
    had_forfeit = (round_number, table) in tournament_in(event).forfeits
    if had_forfeit and match is None:
        text = _("They had left when the round was released, so this table is decided without a match.")
        raise Refused("walk-over", text)
    if not absent and not had_forfeit:
        raise Refused("nobody-chosen", _("Tick who did not come. If everybody came, there is nothing to note."))
    nobody_plays = match is not None and len(absent) >= len(_sides(match)) - 1
    ended = [match] if match and nobody_plays and match.status == Match.Status.PLAYING else []
    events.append(event, asked | {"matches": [each.pk for each in ended]}, step)
    for each in ended:
        steps.record(each, {"kind": "stop", "stopped": "abandoned"}, f"{step.key}-stop", step)
    if match:  # its table says who did not come
        announce(kind=event.kind, club_id=event.club_id, table_id=match.table_id, match=match, now=step.now)
    if match and had_forfeit and not nobody_plays and match.sheet["stopped"] == "abandoned":
        undoing.go_on(event, [match.pk], step)


@in_one_transaction
def penalise(*, event_id: int, entrant: int, round_number: int, points: int | str, reason: str, step: Step) -> None:
    """Takes points off from a seated round on. `points` is written as in the tournament file. Refused "no-reason",
    "no-such-round", "not-entered", "too-many-points"."""
    asked = {"kind": "penalty", "entrant": entrant, "round": round_number, "points": points}
    asked["reason"] = storable.note(reason)
    if not asked["reason"]:
        raise Refused("no-reason", _("Give a reason for the penalty."))
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    if round_number > len(tournament_in(event).rounds):
        raise Refused("no-such-round", events.words_of(Impossible("no-such-round")))
    state = tournament_in(event)
    worth = state.stage_of(round_number).setup_with(entrant)["worth"]
    must_be_possible(points, worth, max(state.rounds_in_all(public=False), state.rounds_wanted))
    events.append(event, asked, step)


def must_be_possible(points: int | str, worth: Mapping[str, Any], rounds: int) -> None:
    """Refused "too-many-points" for a penalty of more than anybody can have after so many rounds; by score, that can be
    any number."""
    if worth["by"] == By.SCORE:
        return
    places = (value for values in worth.get("places", {}).values() for value in values)
    values = (value for name, value in worth.items() if name not in ("by", "places"))
    most = rounds * max(Fraction(value) for value in (*values, *places) if value != AVERAGE)
    if Fraction(points) > most:
        text = _("Nobody can have more than {most} points here. Enter fewer.")
        raise Refused("too-many-points", text.format(most=words.number(most)))


@in_one_transaction
def cancel_penalty(*, event_id: int, number: int, reason: str, step: Step) -> None:
    """`number` counts the penalties of a tournament or a league from 0. Refused "no-reason", "cancelled-already"."""
    asked = {"kind": "cancel-penalty", "number": number, "reason": storable.note(reason)}
    if not asked["reason"]:
        raise Refused("no-reason", _("Give a reason for cancelling the penalty."))
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if not known:
        state = state_of(event)
        assert isinstance(state, Tournament | League), "no other event has penalties"
        if any(penalty.cancelled for penalty in state.penalties[number : number + 1]):
            raise Refused("cancelled-already", _("This penalty is cancelled already."))
        events.append(event, asked, step)


@in_one_transaction
def decide(*, event_id: int, places: Mapping[int, int | None], step: Step) -> None:
    """Decides who of those who are equal is ahead. `places` has the start numbers of all of them, each with the place
    that the director gives, or None: after those with a place.

    Refused "no-decision" if the setup has no such criterion, "same-place" if two have one, "no-place" if nobody has
    one, nor had one before. Behind if others are equal now.
    """
    given = [place for place in places.values() if place is not None]
    decided = sorted((place, entrant) for entrant, place in places.items() if place is not None)
    asked = {"kind": "manual", "entrants": [entrant for _place, entrant in decided]}
    if len({*given}) < len(given):
        raise Refused("same-place", _("Two entrants have the same place. Give each their own, or leave both empty."))
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    state = tournament_of(snapshot)
    if not director_decides(state):
        raise Refused("no-decision", _("The director decides nothing here. Under Setup, add that criterion first."))
    if not decided and not state.manual:
        raise Refused("no-place", _("No place is typed, so nothing is decided. Type one for at least one entrant."))
    if places.keys() != {row.entrant for group in equals(snapshot) for row in group}:
        raise Behind(_("The results have changed, and others are equal now. Check them, then try again."))
    events.append(event, asked, step)


# --- their parts -------------------------------------------------------------------------------------------
def _append(event_id: int, asked: Mapping[str, Any], step: Step) -> None:
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


def _playing(
    event: Event, state: Tournament, entrants: frozenset[int]
) -> dict[tuple[int, int], tuple[frozenset[int], Match]]:
    """By round and table: the sides of these entrants where they play now, by index, and the match."""
    found = {}
    for (number, table), match in event_now(event).at_tables.items():
        pairing = state.pairing_at(number, table)
        sides = enumerate(state.sides_of(pairing.game, pairing.players))
        theirs = frozenset(at for at, side in sides if not entrants.isdisjoint(side))
        if theirs and match.status == Match.Status.PLAYING:
            found[number, table] = theirs, match
    return found


def _listed(event: Event, state: Tournament, numbers: Iterable[int]) -> str:
    """The names of these entrants."""
    names = dict(event.club.players.values_list("pk", "name"))
    return listed([state.named(number, names.__getitem__) for number in sorted(numbers)])


def _sides(match: Match) -> tuple[tuple[int, ...], ...]:
    return GAMES[match.game].sides(len(match.sheet["totals"]))
