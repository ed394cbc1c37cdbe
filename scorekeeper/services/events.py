"""The steps of a host at an event: who is here, the draft, the rounds, the end. Each is an entry in the log."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.base import Game
from games.errors import Malformed
from scorekeeper.events import Program, Tournament
from scorekeeper.events.plan import came_or_left
from scorekeeper.events.rounds import Impossible, Pairing, Round
from scorekeeper.events.team_play import TeamPlay
from scorekeeper.models import Club, Entrant, Event, EventEntry, Match, Player, Table
from scorekeeper.selectors.events import (
    EventNow,
    event_matches,
    event_now,
    has_counted,
    of_the_first_round,
    playing_in,
    settings_of,
    state_of,
    still_playing,
)
from scorekeeper.selectors.pairings import drafted_finals
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.services import calls, clubs, matches, outlooks, people, ratings, seating, storable
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.steps import Step as Step
from scorekeeper.services.steps import matches_in_play, record
from scorekeeper.services.undoing import UNDOES
from scorekeeper.words import in_words, listed, wrong_number_words

SHOWN = 40  # characters of a refused name in its message


@in_one_transaction
def start(*, club: Club, players: Sequence[int], guests: Sequence[str] = (), name: str = "", step: Step) -> Event:
    """Begins a club night with the people who are here: ids of players, and names of guests. Matches in play at the
    club's tables become part of it.

    Refused "night-open" while another night is open, unless the same key began it. Refused "nobody-of-this-club" for an
    id of another club; games.Malformed for an invalid name. Unsure as `people.named`.
    """
    try:
        with transaction.atomic():
            kept = storable.name(name) if name.strip() else ""
            night = Event.objects.create(club=club, kind=Event.Kind.NIGHT, name=kept, started_at=step.now)
    except IntegrityError as error:
        open_now = club.events.filter(kind=Event.Kind.NIGHT, closed_at=None, log__seq=0, log__key=step.key).first()
        if open_now:
            return open_now
        raise Refused("night-open", _("A night is already open. Continue it, or close it first.")) from error
    club.matches.filter(status=Match.Status.PLAYING, event=None, table__club=club).update(event=night)
    here = [*players, *(each.pk for each in guests_named(club, guests, step))]
    append(night, {"kind": "people", "came": of_the_club(night, here), "left": []}, step)
    return night


@dataclass(frozen=True, slots=True)
class Ticks:
    """The effect of ticking people, by name: who came, who was here already when their name was typed, and who left
    during a match."""

    came: list[str]
    there: list[str]
    playing: list[str]
    seen: int
    """How many entries of the log the host has seen after this."""


@in_one_transaction
def tick(*, event_id: int, came: Collection[int], left: Collection[int], guests: Sequence[str], step: Step) -> Ticks:
    """Notes who came and who left, and adds guests by name. Makes no step if nothing changes. Unsure as
    `people.named`."""
    asked = {"kind": "people", "ticked": sorted(came), "unticked": sorted(left), "guests": list(guests)}
    event, known = locked(event_id, asked, step)
    if known:
        return Ticks([], [], [], step.seen + 1)
    before = event_now(event)
    typed = guests_named(event.club, guests, step)
    gone = [player for player in before.here if player in left]
    new = [player for player in dict.fromkeys([*came, *(each.pk for each in typed)]) if player not in before.here]
    if gone or new:
        append(event, asked | {"came": of_the_club(event, new), "left": gone}, step)
    everybody = {**before.people, **{each.pk: each for each in typed}}
    return Ticks(
        [everybody[player].name for player in new],
        [each.name for each in typed if each.pk in before.here],
        [before.name(player) for player in gone if player in before.playing],
        step.seen + bool(gone or new),
    )


@in_one_transaction
def set_game(*, event_id: int, game: Game[Any], options: Mapping[str, Any], minutes: int | None, step: Step) -> None:
    """Sets how a game is played at the event, in a draft and from then on. games.Malformed for an option that is not
    allowed."""
    asked = {"kind": "game", "game": game.slug, "options": game.read_options(options), "minutes": minutes}
    event, known = locked(event_id, asked, step)
    if not known:
        append(event, asked | {"drafted": True}, step)


@in_one_transaction
def show_outlook(*, event_id: int, on: bool, step: Step) -> None:
    """Turns on or off that spectators of a night see who stands better."""
    asked = {"kind": "outlook", "on": on}
    event, known = locked(event_id, asked, step)
    if not known:
        append(event, asked, step)


@in_one_transaction
def set_table(*, event_id: int, table: int, game: Game[Any], step: Step) -> None:
    """Changes the game at a table of the draft. Refused "wrong-size" if the game is not for that many players."""
    asked = {"kind": "table", "table": table, "game": game.slug}
    event, known = locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    pairings = snapshot.state.draft.pairings if snapshot.state.draft else ()
    if any(each.table == table and len(each.players) not in game.seats for each in pairings):
        raise Refused("wrong-size", wrong_number_words(game))
    setting = settings_of(snapshot)[game.slug]
    append(event, asked | {"options": dict(setting.options), "minutes": setting.minutes}, step)


@in_one_transaction
def draft(*, event_id: int, drawn: Round, came: Sequence[int], asked: Mapping[str, Any], step: Step) -> None:
    """Saves a drawn round as the draft, which only hosts see. `came`: players in it who were never ticked. `asked`: the
    wishes of the host."""
    asked = {"kind": "draft", **asked}
    event, known = locked(event_id, asked, step)
    if not known:
        append(event, asked | {"round": drawn.as_json(), "came": of_the_club(event, came)}, step)


@in_one_transaction
def draw_again(*, event_id: int, step: Step) -> None:
    """Drafts the last round again, with the people and tables that are free. Refused "nothing-to-repeat" if no table
    is."""
    asked = {"kind": "draft", "again": True}
    event, known = locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    rounds = snapshot.state.rounds
    again = rounds[-1].again(snapshot.free, snapshot.free_tables) if rounds else None
    if again is None or not again.pairings:
        raise Refused("nothing-to-repeat", _("No table of the last round is free to play again."))
    append(event, asked | {"round": again.as_json(), "came": of_the_club(event, snapshot.unticked)}, step)


@in_one_transaction
def swap(*, event_id: int, players: tuple[int, int], step: Step) -> None:
    """Two people of the draft swap seats; one of them may have a bye."""
    asked = {"kind": "swap", "players": list(players)}
    event, known = locked(event_id, asked, step)
    if not known:
        append(event, asked, step)


@in_one_transaction
def drop(*, event_id: int, step: Step) -> None:
    """Discards the draft."""
    event, known = locked(event_id, {"kind": "drop"}, step)
    if not known:
        append(event, {"kind": "drop"}, step)


@in_one_transaction
def seat(*, event_id: int, step: Step, minutes: int | None = None) -> list[Match]:
    """Opens a match at every table of the draft that is no walk-over, for everybody to see. Adds tables that do not
    exist yet; a table that another event has taken since the draft is replaced by a free one. `minutes` is the time
    limit of all of them, if it is another one than that of the draft. Where rounds overlap, somebody may still play in
    an earlier one: then the clock of their new match waits.

    Raises like `matches.open_match`, and Refused if the event does not allow it, or "draw-again" if others play a
    knock-out than were drawn; then nothing has changed.
    """
    asked = {"kind": "seat", "minutes": minutes} if minutes else {"kind": "seat"}
    event, known = locked(event_id, asked, step)
    if known:
        return list(event.matches.filter(pk__in=known["matches"]))
    entered(state_of(event), {"kind": "seat"})
    state = _at_free_tables(event, step)
    played = [each for each in state.draft.pairings if not state.walk_over(each)] if state.draft else []
    finals = _finals_of_the_draft(event_now(event)) if isinstance(state, Tournament) and state.knock_out else []
    opened = open_matches(event, state, played, step, minutes)
    with_finals = {"finals": finals} if finals else {}
    append(event, asked | {"matches": [match.pk for match in opened]} | with_finals, step)
    return opened


def _finals_of_the_draft(snapshot: EventNow) -> list[int]:
    """The tables of a knock-out at which finals are played. Refused "draw-again"."""
    if found := came_or_left(tournament_of(snapshot)):
        text = _(
            "The bracket is another one since the first round was drawn: {names} came or left. Draw the round again."
        )
        raise Refused("draw-again", text.format(names=listed([entrant_name(snapshot, each) for each in found])))
    return drafted_finals(snapshot)


def _at_free_tables(event: Event, step: Step) -> Program:
    """Where another event plays at tables of the draft, it is drafted again at free ones."""
    state = state_of(event)
    draft = state.draft
    numbers = [each.table for each in draft.pairings] if draft else []
    if draft is None or not playing_in(event.club).exclude(event=event).filter(table__number__in=numbers).exists():
        return state
    moved = event_now(event).moved
    pairings = tuple(replace(each, table=moved.get(each.table, each.table)) for each in draft.pairings)
    drafted = {"kind": "draft", "moved": True, "round": replace(draft, pairings=pairings).as_json()}
    append(event, drafted, replace(step, key=f"{step.key}-tables"))
    return state_of(event)


def open_matches(
    event: Event, state: Program, pairings: Sequence[Pairing], step: Step, minutes: int | None = None
) -> list[Match]:
    """Opens a match at each of these tables, as `seat` does."""
    numbers = [pairing.table for pairing in pairings]
    there = event.club.tables.select_for_update(no_key=True).filter(number__in=numbers).order_by("pk")
    tables = {table.number: table for table in there}
    earlier = still_playing(event_matches(event), len(state.rounds) + 1) if state.rounds_overlap else {}
    after = {match.pk for match in earlier.values()}
    numbers = [player for pairing in pairings for player in pairing.players]
    players = event.club.players.in_bulk(numbers)
    # All of them at once, although each table asks for its own: the host reads everybody's name.
    seating.must_not_play_elsewhere(event, None, [players[each] for each in numbers], but=after)
    return [
        matches.open_at(
            tables.get(pairing.table) or table_numbered(event.club, pairing.table, step.now),
            pairing,
            event=event,
            round_number=state.number_of(pairing),
            clock_waits=state.clock_waits or not earlier.keys().isdisjoint(pairing.players),
            after=after,
            by=step.by,
            now=step.now,
            minutes=minutes,
        )
        for pairing in pairings
    ]


@in_one_transaction
def call_last_hand(*, event_id: int, step: Step) -> list[Match]:
    """Calls the last hand in every match of the event that is in play; where the next round begins before this one is
    over, in every match of this one. Refused "nothing-played" if there is none, or none where it is not called yet."""
    event, known = locked(event_id, {"kind": "last-hand"}, step)
    if known:
        return list(event.matches.filter(pk__in=known["matches"]))
    playing = matches_in_play(event)
    if not playing:
        raise Refused("nothing-played", _("No match is open, so there is no last hand to call."))
    if state_of(event).rounds_overlap:
        playing = of_the_first_round(playing)
    called = [match for match in playing if match.last_hand is None]
    if not called:
        raise Refused("nothing-played", _("Every open match is already on its last hand."))
    for match in called:
        matches.call_last_hand(match_id=match.pk, now=step.now)
    append(event, {"kind": "last-hand", "matches": [match.pk for match in called]}, step)
    return called


@in_one_transaction
def close(*, event_id: int, open_matches: str | None, step: Step) -> list[int]:
    """Ends the event. Refused "matches-open" while matches are in play, unless `open_matches` decides about them:
    "count" ends them with their present score, "abandon" abandons them. A match without a counted hand has no score, so
    it is abandoned in both cases. Returns the numbers of the tables where that was not the choice."""
    asked = {"kind": "close", "open": open_matches}
    event, known = locked(event_id, asked, step)
    if known:
        return []
    playing = matches_in_play(event)
    if playing and open_matches not in ("count", "abandon"):
        text = _("Some matches are still in play. Choose whether their scores count or they are abandoned.")
        raise Refused("matches-open", text)
    event.closed_at = step.now
    event.save(update_fields=["closed_at"])  # before the matches end: their tables show what comes next
    uncounted = [match for match in playing if open_matches == "count" and not has_counted(match)]
    for match in playing:
        stopped = "abandoned" if open_matches == "abandon" or match in uncounted else f"{event.kind}-closed"
        record(match, {"kind": "stop", "stopped": stopped}, f"{step.key}-stop", step)
    append(event, asked | {"matches": [match.pk for match in playing]}, step)
    calls.settle_at(event=event, now=step.now, by=step.by)
    _announce_at_tables(event, step)
    return sorted(match.table.number for match in uncounted if match.table)


@in_one_transaction
def remove(*, event_id: int, typed: str, step: Step) -> None:
    """Removes a tournament or a league: only hosts see it, and can restore it by undoing this. Its matches stay.
    Refused "not-sure" unless its name was typed, "matches-open" while matches are in play."""
    event, known = locked(event_id, {"kind": "remove"}, step)
    if known:
        return
    if typed.strip().casefold() != event.name.casefold():
        text = _("Type the name of the tournament to remove it: {name}")
        if event.kind == Event.Kind.LEAGUE:
            text = _("Type the name of the league to remove it: {name}")
        raise Refused("not-sure", text.format(name=event.name))
    if event.matches.filter(status=Match.Status.PLAYING).exists():
        raise Refused("matches-open", _("Some matches are still in play. End them first."))
    append(event, {"kind": "remove"}, step)


@in_one_transaction
def undo(*, event_id: int, step: Step) -> bool | None:
    """Undoes the last step and its effects: removes matches that it opened, continues matches that it ended. False if
    nothing was left to undo in its matches; then only the step is gone. None if this is the same undo again.

    Refused "round-begun" if play has begun in a match that it would remove, "night-open" if another night is open.
    """
    event, known = locked(event_id, {"kind": "undo"}, step)
    if known:
        return None
    did = state_of(event).did
    undoes = UNDOES.get(did["kind"]) if did else None
    effective = undoes(event, did, step) if did and undoes else True
    append(event, {"kind": "undo"}, step)
    if did and did["kind"] == "close":
        _announce_at_tables(event, step)
    return effective


@in_one_transaction
def rebuild(*, event_id: int) -> None:
    """Rebuilds the rows that follow from the event's log."""
    event = Event.objects.select_for_update(no_key=True).get(pk=event_id)
    _keep_entrants(event, state_of(event))


def words_of(error: Impossible) -> str:
    """The message for a step that the event does not allow."""
    return {
        "nothing-to-undo": _("There is nothing to undo."),
        "closed": _("This event is closed. Undo that first."),
        "removed": _("This is removed. Restore it first."),
        "nothing-drawn": _("There is no draft of the next round. Make one first."),
        "not-in-the-draw": _("This is no longer in the draw. Check it again."),
        "somebody-twice": _("Somebody has two places in this draw. Draw again."),
        "not-here": _("Somebody in this draw has left. Draw again."),
        "entered-twice": _("Somebody is entered already."),
        "not-entered": _("There is no entrant with this number."),
        "begun": _("The first round is seated, so this can no longer change."),
        "bracket-begun": _(
            "The knock-out is under way, so nobody can come into its bracket. If none of its tables has played, undo"
            " the release on the desk. Else they can play in another tournament."
        ),
        "no-schedule": _("No schedule fits this number of entrants and rounds. Change one of them."),
        "nothing-planned": _("The schedule has no more rounds. Make a schedule first, or close the tournament."),
        "no-proposal": _("There is no other schedule to use. Look for one first."),
        "round-over": _("This round is not in the schedule any more. Choose a round to come."),
        "not-in-the-round": _("Choose two different entrants of this round."),
        "not-two": _("Choose different entrants, each once."),
        "leaves-first": _("The last round cannot come before the first."),
        "no-such-wish": _("This wish does not exist."),
        "entrants-of-other-size": _(
            "Not all entrants have as many players as sit at a table now. Choose another way to play. Or make a new"
            " tournament from this one, and enter them there."
        ),
        "too-few-rounds": _("More rounds are drawn already. Enter their number, or more."),
        "knock-out": _(
            "In a knock-out, the tree says who plays whom. If somebody does not come to their table, note it there:"
            " they lose."
        ),
        "free-play": _("There are no groups and no finals of free play. Choose another way to play."),
        "finals": _(
            "The groups are over, so nobody can be entered, and groups can no longer change. If no table has played"
            " since, undo the finals on the desk. Else whoever came late can play in another tournament."
        ),
        "twice-in-groups": _("Somebody is in two groups. Everybody needs one."),
        "decided": _("It is decided already who of them goes on. Undo takes that back."),
        "final-begun": _(
            "A round of this final is released, so how it is played stays. If none of its tables has played, undo the"
            " release on the desk. Else let it end, and begin another stage."
        ),
        "in-no-group": _("Somebody who takes part is in no group. Everybody needs one."),
        "no-such-group": _("This group does not exist. Reload the page."),
        "has-played": _("They are in a round of their group already, so they stay there."),
        "small-group": _("A group has too few entrants for a table. Move others there, or make fewer groups."),
        "same-name": _("Two groups have the same name, perhaps one of an earlier stage. Choose another name."),
        "other-group": _("These two are in different groups, so they cannot swap places."),
        "not-begun": _("No round of this stage is seated, so it cannot be over. Play it first."),
        "not-seeds": _("Each entrant of a knock-out needs one seed. Check the list, then save again."),
        "no-such-round": _("This round is not seated yet."),
        "no-such-table": _("This table does not exist in that round."),
        "no-such-penalty": _("This penalty does not exist."),
        "no-such-category": _("This category does not exist."),
        "fixtures-played": _(
            "Fixtures are played already, so this can no longer change. Close the season, and change it for the next"
            " one."
        ),
        "not-newest-round": _("Only the newest round of a Swiss system can change. Reload the page."),
        "other-division": _("These two are in different divisions, so they cannot swap places."),
        "fixture-open": _(
            "A fixture of one of them has line-ups that are open, is in play or is over, so who plays in it stays."
        ),
        "division-twice": _("Two divisions have the same name. Give each its own."),
        "fixture-twice": _("A fixture is in the list twice. Make the fixtures again."),
        "no-such-fixture": _("This fixture does not exist. Reload the page."),
        "fixture-begun": _("This fixture is played, or is in play. Undo that first."),
        "no-such-board": _("This fixture has no such board."),
        "given-up": _("A side gave this fixture up. Note first that it is played after all."),
        "has-left": _("They have left already."),
        "no-teams": _("Teams do not meet here at several boards. Say in the setup what they play."),
        "not-in-squad": _("Choose a player of this squad."),
        "other-squad": _("Somebody was in another squad of this season. They cannot change teams."),
        "empty-squad": _("A squad keeps at least one player. If the whole team leaves, note that on the desk."),
        "boards-missing": _("This line-up is for other boards. Reload the page, and choose again."),
        "wrong-line-up": _("This line-up cannot be played. See what is wrong, and change it."),
        "line-ups-open": _(
            "The line-ups are open, and everybody can read them. They cannot change any more, but a host can note a"
            " substitute."
        ),
        "line-ups-secret": _("The line-ups are not open yet. First open them."),
        "same-people": _("They are at this board already."),
        "board-forfeited": _(
            "Somebody is missing at this board, so it is lost without play. To play it, note a substitute."
        ),
        "ladder-begun": _("People are on the ladder already, so how many share a rung stays."),
        "other-partner": _("One of these players stands on the ladder with another partner. Use the same pair again."),
        "no-such-challenge": _("This challenge does not exist. Reload the page."),
        "no-such-step": _("This event has no such step. Reload the page."),
    }[error.code]


def locked(event_id: int, asked: Mapping[str, Any], step: Step) -> tuple[Event, Mapping[str, Any] | None]:
    """The event, locked until the end of the transaction, and the entry that already has this step's key, if any.

    Refused "key-used" if that was another step. Behind if there is a step that the host has not seen.
    """
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    before = event.log.filter(key=step.key).values_list("payload", flat=True).first()
    if before and any(before.get(name) != value for name, value in asked.items()):
        raise Refused("key-used", _("This page is too old. Reload it and try again."))
    if not before and asked["kind"] not in state_of(event).INDEPENDENT:
        must_not_be_behind(event, step)
    return event, before


def must_not_be_behind(event: Event, step: Step, *, but: Collection[str] = ()) -> None:
    """Behind if there are steps that the host has not seen, also their own on another device. Steps of the kinds in
    `but` do not count."""
    if step.seen != event.length and event.log.filter(seq__gte=step.seen).exclude(kind__in=but).exists():
        raise Behind(_("This page was not up to date: something has changed since. Check it, then try again."))


def entered(state: Program, entry: Mapping[str, Any]) -> Program:
    """The event after a step. Refused if it does not allow it."""
    try:
        return state.enter(entry)
    except Impossible as error:
        raise Refused(error.code, words_of(error)) from error


def append(event: Event, entry: Mapping[str, Any], step: Step) -> None:
    """Appends an entry to the event's log, updates the rows that follow from it, and announces it. Refused if the event
    does not allow it."""
    append_all(event, {step.key: entry}, step)


def append_all(event: Event, entries: Mapping[str, Mapping[str, Any]], step: Step) -> None:
    """Appends entries, by their keys, as `append` does one."""
    before = after = state_of(event)
    for entry in entries.values():
        after = entered(after, entry)
    EventEntry.objects.bulk_create(
        EventEntry(event=event, seq=seq, kind=entry["kind"], payload=entry, user=step.by.user, at=step.now, key=key)
        for seq, (key, entry) in enumerate(entries.items(), event.length)
    )
    event.length += len(entries)
    if event.removed != after.removed:
        kind = "event-removed" if after.removed else "event-restored"
        ratings.recalculate(event.matches.all(), why=ratings.Cause(kind, event.club_id, event=event.pk), now=step.now)
    turned = event.outlook != after.outlook
    event.public, event.removed, event.outlook = after.public, after.removed, after.outlook
    event.save(update_fields=["length", "closed_at", "public", "removed", "outlook"])
    _keep_entrants(event, after)
    _withdraw_line_ups(event, before, after)
    announce(kind=event.kind, club_id=event.club_id, event=event, now=step.now)
    if turned:
        outlooks.turned(event, now=step.now)


def _keep_entrants(event: Event, state: Program) -> None:
    """Updates the event's entrants to those of its log. One query if nothing changes."""
    now = {player: (number, player in state.here) for player, number in state.numbers.items()}
    rows = {row.player_id: (row.number, row.present) for row in event.entrants.all()}
    if gone := rows.keys() - now.keys():
        event.entrants.filter(player__in=gone).delete()
    changed = [
        Entrant(event=event, player_id=player, number=number, present=present)
        for player, (number, present) in now.items()
        if rows.get(player) != (number, present)
    ]
    Entrant.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["event", "player"], update_fields=["number", "present"]
    )


def _withdraw_line_ups(event: Event, before: Program, after: Program) -> None:
    """Deletes the submitted line-ups that others could read now: those of another captain, squad or form."""
    if not isinstance(before, TeamPlay) or not isinstance(after, TeamPlay):
        return
    was, now = before.secret_of, after.secret_of
    if was != now:
        there = {row.pk: (row.fixture, row.side) for row in event.line_ups.all()}
        event.line_ups.filter(pk__in=[pk for pk, of in there.items() if was.get(of) != now.get(of)]).delete()


def _announce_at_tables(event: Event, step: Step) -> None:
    """Tells the phones at all tables of the event that it has ended or goes on: they show what comes next."""
    for table in event.matches.filter(table__isnull=False).values_list("table", flat=True).distinct().order_by("table"):
        announce(kind=event.kind, club_id=event.club_id, table_id=table, minor=True, now=step.now)


def of_the_club(event: Event, players: Sequence[int]) -> list[int]:
    """The players, each once. Refused if one of them is not in the club, or counts as somebody else."""
    there = event.club.players.filter(pk__in=players, merged_into=None)
    if players and there.count() < len(set(players)):
        raise Refused("nobody-of-this-club", _("You ticked somebody who is not in this club. Reload the page."))
    return list(dict.fromkeys(players))


def guests_named(club: Club, names: Sequence[str], step: Step) -> list[Player]:
    """The person for each name, as `people.named`. Refused "bad-name"."""
    return people.named(club, list(map(_kept, names)), typist=step.typist, now=step.now)


def _kept(name: str) -> str:
    try:
        return storable.name(name)
    except Malformed as error:
        raise Refused("bad-name", f"“{name[:SHOWN]}”: {in_words(error)}") from error


def table_numbered(club: Club, number: int, now: datetime) -> Table:
    """The table with this number. Adds tables up to this number if it does not exist yet."""
    table = club.tables.filter(number=number).first()
    while table is None or table.number < number:
        table = clubs.table_add(club=club, now=now)
    return table
