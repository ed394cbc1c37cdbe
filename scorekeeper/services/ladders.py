"""The steps of a ladder: its setup, who is on it, challenges, and what becomes of them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

import games
from games import GAMES, read
from games.errors import Malformed, marked
from scorekeeper.access import seats_to_speak_for
from scorekeeper.events.ladder import CLIMBS, CONSEQUENCES, DAYS_TO_CONFIRM, STAYS, WAITING, Challenge, Rungs, State
from scorekeeper.events.rounds import Impossible, Pairing
from scorekeeper.events.setup import fits
from scorekeeper.models import Club, Event, LogEntry, Match
from scorekeeper.selectors.events import EventNow, results_now
from scorekeeper.selectors.ladders import end_of, entrant_name, ladder_in, last_day, rungs_at
from scorekeeper.services import events, matches, recording, setups, steps, storable, typed_results
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.entrants import Named, must_be_new, must_differ, plain
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.words import in_words

MOST_ENTRANTS = 200
MOST_RUNGS = 50
MOST_DAYS = 366
USUAL: Mapping[str, Any] = {
    "reach": 3,
    "days": 14,
    "gap": 7,
    "unanswered": CLIMBS,
    "declined": CLIMBS,
    "unplayed": STAYS,
    "public": True,
    "by_players": True,
}
"""What a new ladder proposes."""


@in_one_transaction
def start(*, club: Club, name: str, setup: Mapping[str, Any], step: Step) -> Event:
    """Begins a ladder. `setup` is that of `events.ladder.Ladder`. The same key again is the same ladder.

    Raises setups.BadSetup, games.Malformed for an invalid name, and GameError for an option that the game does not
    allow.
    """
    known = club.events.filter(kind=Event.Kind.LADDER, log__seq=0, log__key=step.key).first()
    if known:
        return known
    kept = storable.name(name)
    event = Event.objects.create(club=club, kind=Event.Kind.LADDER, name=kept, started_at=step.now)
    events.append(event, _now({"kind": "setup", "name": kept, **checked(setup)}, step), step)
    return event


@in_one_transaction
def set_up(*, event_id: int, name: str, setup: Mapping[str, Any], step: Step) -> None:
    """Changes the name of the ladder, and how it is played from now on. Raises as `start`; also Refused
    "ladder-begun"."""
    asked = {"kind": "setup", "name": storable.name(name), **checked(setup)}
    event, known = events.locked(event_id, asked, step)
    if not known:
        event.name = asked["name"]
        event.save(update_fields=["name"])
        events.append(event, _now(asked, step), step)


def checked(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The setup with all options of the game. setups.BadSetup; GameError for an option that the game does not allow."""
    kept = {name: _read(setup, name) for name in READERS}
    game = GAMES[kept["game"]]
    if not fits(game, "heads", kept["size"]):
        raise setups.BadSetup(_("This game cannot be played like that. Choose another way."), "size")
    return {**kept, "options": dict(game.read_options(kept["options"]))}


def _read(setup: Mapping[str, Any], name: str) -> Any:
    try:
        if name not in setup:
            raise Malformed(marked("{key} is missing."), key=name)
        return READERS[name](setup[name])
    except Malformed as error:
        raise setups.BadSetup(in_words(error), name) from error


READERS: Mapping[str, Callable[[Any], Any]] = {
    **{name: setups.READERS[name] for name in ("game", "options", "minutes", "public")},
    "size": partial(setups.whole, least=1, most=2),
    "reach": partial(setups.whole, least=1, most=MOST_RUNGS),
    "days": partial(setups.whole, least=1, most=MOST_DAYS),
    "gap": partial(setups.whole, least=0, most=MOST_DAYS),
    "unanswered": partial(read.one_of, choices=CONSEQUENCES),
    "declined": partial(read.one_of, choices=CONSEQUENCES),
    "unplayed": partial(read.one_of, choices=CONSEQUENCES),
    "by_players": read.flag,
}
"""By name: reads the value, or raises Malformed."""


# --- who is on the ladder ----------------------------------------------------------------------------------
@in_one_transaction
def join(*, event_id: int, entrants: Sequence[Named], place: int | None = None, step: Step) -> None:
    """Puts entrants on the ladder, from this rung on, or at the bottom without one. Unknown names become guests. Unsure
    as `people.named`. Refused "nobody-chosen", "wrong-size", "too-many", "no-such-rung", "name-twice",
    "entered-twice", "other-partner"."""
    typed = [{"name": each.about.name, "names": list(each.players)} for each in entrants]
    asked = {"kind": "join", "typed": typed, "place": place}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state, rungs = ladder_in(event), rungs_at(results_now(event), step.now)
    size = state.setup["size"]
    if not entrants:
        raise Refused("nobody-chosen", _("Type at least one name."))
    if any(len(each.players) != size for each in entrants):
        one = _("Each rung is for one player. Type one name on a line.")
        pair = _("Each rung is for a pair. Type two names on a line, like Ana + Bo.")
        raise Refused("wrong-size", one if size == 1 else pair)
    if len(rungs.order) + len(entrants) > MOST_ENTRANTS:
        raise Refused("too-many", _("A ladder can have up to {most} rungs.").format(most=MOST_ENTRANTS))
    _must_be_a_rung(place, len(rungs.order) + 1)
    named = plain(entrants)
    must_differ([*(state.entrants[each].name for each in rungs.order), *(each.about.name for each in named)])
    people = iter(events.guests_named(event.club, [name for each in named for name in each.players], step))
    entered: list[dict[str, Any]] = [
        {"name": each.about.name, "players": [next(people).pk for _name in each.players]} for each in named
    ]
    must_be_new([player for each in entered for player in each["players"]], state.here)
    events.append(event, _now(asked | {"entrants": entered}, step), step)


@in_one_transaction
def move(*, event_id: int, entrant: int, place: int, step: Step) -> None:
    """Moves an entrant to another rung. Refused "no-such-rung", "not-entered"."""
    asked = {"kind": "rung", "entrant": entrant, "place": place}
    event, known = events.locked(event_id, asked, step)
    if not known:
        _must_be_a_rung(place, len(rungs_at(results_now(event), step.now).order))
        events.append(event, _now(asked, step), step)


@in_one_transaction
def leave(*, event_id: int, entrant: int, step: Step) -> None:
    """Takes an entrant off the ladder; their open challenges end. Refused "not-entered", "matches-open"."""
    asked = {"kind": "leave", "entrant": entrant}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    playing = (each for each in rungs_at(results_now(event), step.now).open if each.state == State.PLAYING)
    if any(entrant in each.sides for each in playing):
        raise Refused("matches-open", _("They are playing a challenge. End that match first."))
    events.append(event, _now(asked, step), step)


@in_one_transaction
def set_away(*, event_id: int, entrant: int, away: bool, step: Step) -> None:
    """Notes that an entrant cannot be challenged for some time, or again. Refused "not-entered"."""
    asked = {"kind": "away", "entrant": entrant, "away": away}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, _now(asked, step), step)


# --- challenges --------------------------------------------------------------------------------------------
@in_one_transaction
def challenge(*, event_id: int, challenger: int, challenged: int, step: Step) -> None:
    """The one challenges the other. Refused as `Rungs.refuses` says, or "closed"."""
    asked = {"kind": "challenge", "challenger": challenger, "challenged": challenged}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = results_now(event)
    rungs = rungs_at(snapshot, step.now)
    if not ladder_in(event).closed and (code := rungs.refuses(challenger, challenged, step.now)):
        raise Refused(code, _why_not(code, snapshot, rungs, challenged))
    days = timedelta(days=rungs.rules["days"])
    until = end_of(step.now.astimezone(_zone(event)).date() + days, _zone(event))
    events.append(event, _now(asked | {"until": until.isoformat()}, step), step)


@in_one_transaction
def answer(*, event_id: int, number: int, accept: bool, step: Step) -> None:
    """Accepts or declines a challenge. Refused "no-such-challenge", "not-open", "answered", "typed"."""
    asked = {"kind": "accept" if accept else "decline", "challenge": number}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    found = _not_typed(results_now(event), number, step.now)
    if accept and found.state == State.ACCEPTED:
        raise Refused("answered", _("This challenge is accepted already. Play it, and type the result."))
    events.append(event, _now(asked, step), step)


@in_one_transaction
def take_back(*, event_id: int, number: int, step: Step) -> None:
    """Takes a challenge back, without any consequence. Refused "no-such-challenge", "not-open", "typed"."""
    asked = {"kind": "take-back", "challenge": number}
    event, known = events.locked(event_id, asked, step)
    if not known:
        _not_typed(results_now(event), number, step.now)
        events.append(event, _now(asked, step), step)


@in_one_transaction
def award(*, event_id: int, number: int, climbs: bool, step: Step) -> None:
    """Decides a challenge without a match, because somebody did not come. `climbs`: the challenger takes the place.
    Refused "no-such-challenge", "not-open"."""
    asked = {"kind": "award", "challenge": number, "climbs": climbs}
    event, known = events.locked(event_id, asked, step)
    if not known:
        _waiting(results_now(event), number, step.now)
        events.append(event, _now(asked, step), step)


@in_one_transaction
def set_last_day(*, event_id: int, number: int, day: date, step: Step) -> None:
    """Gives a challenge another last day, also if the last one is over: then it never ran out. Refused
    "no-such-challenge", "not-open", "in-the-past", "too-late", and as `Rungs.busy` says."""
    asked = {"kind": "date", "challenge": number, "day": day.isoformat()}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    today = step.now.astimezone(_zone(event)).date()
    if day < today:
        raise Refused("in-the-past", _("This day is over. Choose a later one."))
    if day > today + timedelta(days=MOST_DAYS):
        raise Refused("too-late", _("Choose a day within {n} days.").format(n=MOST_DAYS))
    snapshot = results_now(event)
    rungs, found = rungs_at(snapshot, step.now), _challenge(snapshot, number, step.now)
    if found.state == State.EXPIRED:
        if code := rungs.busy(*found.sides):
            raise Refused(code, _why_not(code, snapshot, rungs, found.challenged))
    else:
        _waiting(snapshot, number, step.now)
    events.append(event, _now(asked | {"until": end_of(day, _zone(event)).isoformat()}, step), step)


@in_one_transaction
def play(*, event_id: int, number: int, table: int, by_host: bool = True, step: Step) -> Match:
    """Starts the match of a challenge at the table with this number; only a host before it is accepted. Raises as
    `matches.open_match`; also Refused "no-such-challenge", "not-open", "not-accepted", "typed" or "no-such-table"."""
    asked = {"kind": "play", "challenge": number, "table": table}
    event, known = events.locked(event_id, asked, step)
    if known:
        return event.matches.get(pk=known["match"])
    if by_host:
        _waiting(results_now(event), number, step.now)
    else:
        _accepted(_not_typed(results_now(event), number, step.now))
    place = event.club.tables.filter(number=table).first()
    if place is None:
        raise Refused("no-such-table", _("This table does not exist. Choose another one."))
    match = matches.open_at(
        place, _pairing(event, number, table), event=event, round_number=number, by=step.by, now=step.now
    )
    events.append(event, _now(asked | {"match": match.pk, "matches": [match.pk]}, step), step)
    return match


@in_one_transaction
def type_result(
    *, event_id: int, number: int, totals: Sequence[int], early: bool = False, why: str = "", step: Step
) -> None:
    """Enters the totals of challenger and challenged. `early`: they do not end the match by its rules. `why` is the
    note that everybody can read if they replace a result or hands.

    Refused "no-such-challenge", "not-open", "no-note" and "same-result"; GameError for totals that the game does not
    allow, `hand-unfinished` if nothing ended the match.
    """
    asked = {"kind": "score", "challenge": number, "totals": list(totals), "why": storable.note(why)}
    asked |= {"early": True} if early else {}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = results_now(event)
    found = _challenge(snapshot, number, step.now)
    if found.match:
        match = recording.locked(found.match)
    else:
        _waiting(snapshot, number, step.now)
        match = matches.at_no_table(_pairing(event, number, 0), event=event, round_number=number, now=step.now)
    _enter(event, match, asked, made=found.match is None, step=step)


@in_one_transaction
def claim(*, event_id: int, number: int, side: int, totals: Sequence[int], early: bool = False, step: Step) -> None:
    """Notes the totals that this side, the number of an entrant, typed: the order waits until they are confirmed.
    `early` as in `type_result`.

    Refused "no-such-challenge", "not-open", "not-accepted", "not-entered" for who does not play it, and "same-result"
    for what the other side typed; GameError as `type_result`.
    """
    asked = {"kind": "claim", "challenge": number, "side": side, "totals": list(totals), "early": early}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = results_now(event)
    found = _waiting(snapshot, number, step.now)
    if side not in found.sides:
        raise Refused("not-entered", events.words_of(Impossible("not-entered")))
    _accepted(found)
    for other, theirs in found.claims.items():
        if other != side and theirs["totals"] == asked["totals"]:
            text = _("{name} typed the same result. Confirm it.")
            raise Refused("same-result", text.format(name=entrant_name(snapshot, other)))
    until = end_of(step.now.astimezone(_zone(event)).date() + timedelta(days=DAYS_TO_CONFIRM), _zone(event))
    follows = {"won": _won(_pairing(event, number, 0), totals, early=early), "until": until.isoformat()}
    events.append(event, _now(asked | follows, step), step)


@in_one_transaction
def confirm(*, event_id: int, number: int, side: int, step: Step) -> None:
    """Confirms what this side typed: it is the result. Refused "no-such-challenge", "not-open", "nothing-typed"."""
    asked = {"kind": "confirm", "challenge": number, "side": side}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    typed = _waiting(results_now(event), number, step.now).claims.get(side)
    if typed is None:
        raise Refused("nothing-typed", _("This result is not there any more. Reload the page."))
    match = matches.at_no_table(_pairing(event, number, 0), event=event, round_number=number, now=step.now)
    result = {"totals": typed["totals"], "early": typed["early"], "why": ""}
    _enter(event, match, asked | result, made=True, step=step)


@in_one_transaction
def respond(*, event_id: int, number: int, correct: bool, step: Step) -> None:
    """Says whether what was recorded at the table is correct: a player for themselves, hosts and scorers for everybody
    who has not said so. Refused "no-such-challenge", or "nothing-typed" if there is nothing to say any more."""
    event = Event.objects.select_related("club").get(pk=event_id)
    if LogEntry.objects.filter(match__event=event, key=step.key).exists():
        return
    found = _challenge(results_now(event), number, step.now)
    match = recording.locked(found.match) if found.match and found.state == State.RECORDED else None
    seats = seats_to_speak_for(step.by, match) if match else []
    if match is None or not seats:
        raise Refused("nothing-typed", _("This result is not there any more. Reload the page."))
    entry = {"kind": "confirm", "seats": seats} if correct else {"kind": "dispute", "seat": seats[0]}
    steps.record(match, entry, step.key, step)


def _enter(event: Event, match: Match, asked: Mapping[str, Any], *, made: bool, step: Step) -> None:
    """The result of a challenge. `made`: the match was made for it."""
    events.append(event, _now({**asked, "ended": match.pk, "match": match.pk, "made": made}, step), step)
    early, why = asked.get("early", False), asked["why"]
    entry = typed_results.typed_entry(match, asked["totals"], early=early, why=why, now=step.now)
    typed_results.enter(match, [entry], step)


def _won(pairing: Pairing, totals: Sequence[int], *, early: bool) -> bool:
    """Whether the challenger, who sits first, wins alone by these totals. GameError as `type_result`."""
    begun = games.Match.new(pairing.game, pairing.options, [str(player) for player in pairing.players])
    over = begun.enter(typed_results.entry_for(begun, totals, "early" if early else None))
    challenger, challenged = (side[0] in over.winners for side in over.sides)
    return challenger and not challenged


@in_one_transaction
def close(*, event_id: int, step: Step) -> None:
    """Ends the ladder; open challenges end with it. Refused "matches-open"."""
    asked = {"kind": "close"}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    if any(each.state == State.PLAYING for each in rungs_at(results_now(event), step.now).open):
        raise Refused("matches-open", _("A challenge is in play. End that match first."))
    event.closed_at = step.now
    event.save(update_fields=["closed_at"])
    events.append(event, _now(asked | {"matches": []}, step), step)


# --- their parts -------------------------------------------------------------------------------------------
def _now(entry: Mapping[str, Any], step: Step) -> dict[str, Any]:
    return {**entry, "at": step.now.isoformat()}


def _zone(event: Event) -> ZoneInfo:
    return ZoneInfo(event.club.time_zone)


def _must_be_a_rung(place: int | None, last: int) -> None:
    """Refused "no-such-rung"."""
    if place is not None and not 0 < place <= last:
        raise Refused("no-such-rung", _("Choose a rung from 1 to {last}.").format(last=last))


def _challenge(snapshot: EventNow, number: int, at: datetime) -> Challenge:
    """Refused "no-such-challenge"."""
    found = rungs_at(snapshot, at).challenges.get(number)
    if found is None:
        raise Refused("no-such-challenge", events.words_of(Impossible("no-such-challenge")))
    return found


def _waiting(snapshot: EventNow, number: int, at: datetime) -> Challenge:
    """A challenge that is to be answered or played. Refused "no-such-challenge", "not-open"."""
    found = _challenge(snapshot, number, at)
    if found.state in WAITING:
        return found
    if found.state == State.PLAYING:
        raise Refused("not-open", _("This challenge is in play already."))
    if found.state == State.RECORDED:
        raise Refused("not-open", _("This challenge is played. Say whether its score is correct."))
    if found.state == State.EXPIRED:
        text = _("The last day of this challenge was {day}. A host can give it another one.")
        day = last_day(found, _zone(snapshot.event)).isoformat()
        raise Refused("not-open", text.format(day=day))
    raise Refused("not-open", _("This challenge is over. Correct its result, or make a new challenge."))


def _not_typed(snapshot: EventNow, number: int, at: datetime) -> Challenge:
    """As `_waiting`; also Refused "typed" if a side has typed a result."""
    found = _waiting(snapshot, number, at)
    if found.state == State.TYPED:
        raise Refused("typed", _("A result is typed already. Confirm it, or type yours."))
    return found


def _accepted(found: Challenge) -> None:
    """Refused "not-accepted"."""
    if found.state == State.OPEN:
        raise Refused(
            "not-accepted", _("This challenge is not accepted yet. The challenged or a host accepts it first.")
        )


def _pairing(event: Event, number: int, table: int) -> Pairing:
    """Refused "no-such-challenge"."""
    try:
        return ladder_in(event).pairing(number, table)
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error


def _why_not(code: str, snapshot: EventNow, rungs: Rungs, challenged: int) -> str:
    if code == "nobody":
        return _("Choose two who are on the ladder.")
    name = entrant_name(snapshot, challenged)
    return {
        "yourself": _("Nobody can challenge themselves. Choose somebody above."),
        "you-are-away": _("The challenger is away. Say first that they are back."),
        "they-are-away": _("{name} is away, and cannot be challenged now. Choose somebody else."),
        "below": _("{name} stands below the challenger. Challenges go up the ladder."),
        "too-far": _("{name} stands too far above. Challenges go up to {reach} rungs up."),
        "you-challenge": _("The challenger has an open challenge already. Play it, or take it back first."),
        "they-are-challenged": _("{name} is challenged already. Wait until that challenge is over."),
        "too-soon": _("These two have just had a challenge. They need {gap} days between challenges."),
    }[code].format(name=name, reach=rungs.rules["reach"], gap=rungs.rules["gap"])
