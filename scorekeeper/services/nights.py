"""A club night: who is here, who is drawn where, its end. Every step of the host is an entry that can be taken back."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.base import Game
from games.errors import Malformed
from scorekeeper.access import Actor
from scorekeeper.models import Club, Match, Night, NightEntry, Player, Table
from scorekeeper.schedule import night as schedule
from scorekeeper.schedule.mixing import Shape, draw, tables_for
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.nights import Evening, evening_of, going_on, settings_of, state_of
from scorekeeper.services import clubs, matches, plain
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.services.events import announce

SHOWN = 40  # characters of a name that is none


@dataclass(frozen=True, slots=True)
class Wish:
    """A game to be played in the next round; `tables` at most so many of it (of each size), None: as many as fit."""

    game: Game[Any]
    tables: int | None = None

    def fits(self, people: int) -> list[Shape]:
        """The tables of it that so many people fill, the largest first."""
        sizes = sorted(self.game.seats, reverse=True)
        return tables_for(people, [(Shape(seats, self.game.sides(seats)), self.tables) for seats in sizes])


@transaction.atomic
def start(
    *,
    club: Club,
    players: Sequence[int],
    guests: Sequence[str] = (),
    name: str = "",
    by: Actor,
    key: str,
    now: datetime,
) -> Night:
    """Begins the club's night with who is here: ids of its players, and names of guests. Matches that go on at its
    tables are part of it.

    Refused "night-open" while another goes on, but asked twice with one key it is the same night. Refused
    "nobody-of-this-club" for a stranger's id; games.Malformed for a name that is none.
    """
    try:
        with transaction.atomic():
            kept = plain.name(name) if name.strip() else ""
            night = Night.objects.create(club=club, name=kept, started_at=now)
    except IntegrityError as error:
        going = NightEntry.objects.filter(night__club=club, night__closed_at=None, seq=0, key=key).first()
        if going:
            return going.night
        raise Refused("night-open", _("A night is going on already. Go on with it, or close it first.")) from error
    # Where somebody plays already, no match of a round can begin: it is the night's to look after.
    club.matches.filter(status=Match.Status.PLAYING, night=None, table__club=club).update(night=night)
    here = [*players, *(_guest(club, name, now).pk for name in guests)]
    _append(night, _came(night, here), key, by, now)
    announce(kind="night", club_id=club.pk, night_id=night.pk, now=now)
    return night


@dataclass(frozen=True, slots=True)
class Ticks:
    """What ticking did, by names: who came, whose name was written though he was here, who left while playing."""

    came: list[str]
    there: list[str]
    playing: list[str]


@transaction.atomic
def tick(
    *,
    night_id: int,
    came: Iterable[int],
    left: Iterable[int],
    guests: Sequence[str],
    by: Actor,
    key: str,
    now: datetime,
) -> Ticks:
    """Notes who came and who left, and adds guests by name."""
    night = _locked(night_id)
    evening = evening_of(night)
    written = [_guest(night.club, name, now) for name in guests]
    gone = [player for player in evening.here if player in set(left)]
    new = [player for player in dict.fromkeys([*came, *(guest.pk for guest in written)]) if player not in evening.here]
    if gone:
        _append(night, {"kind": "left", "players": gone}, f"{key}-left", by, now)
    if new:
        _append(night, _came(night, new), f"{key}-came", by, now)
    if gone or new:
        _tell(night, now)
    known = {**evening.people, **{guest.pk: guest for guest in written}}
    return Ticks(
        [known[player].name for player in new],
        [guest.name for guest in written if guest.pk in evening.here],
        [evening.name(player) for player in gone if player in evening.playing],
    )


@transaction.atomic
def draw_round(
    *, night_id: int, wishes: Sequence[Wish], rng: random.Random, by: Actor, key: str, now: datetime
) -> schedule.Round:
    """Draws tables for all who are free, as a draft that only hosts see. Refused "too-few" if not one table fits."""
    night = _locked(night_id)
    evening = evening_of(night)
    people = len(evening.free)
    tables: list[tuple[Wish, Shape]] = []
    for wish in wishes:
        seated = sum(shape.seats for _wish, shape in tables)
        tables += [(wish, shape) for shape in wish.fits(people - seated)]
    if not tables:
        text = _("Too few people are free for a table: {n} are here and not playing.").format(n=people)
        raise Refused("too-few", text)
    drawn = draw(evening.free, [shape for _wish, shape in tables], evening.history, rng)
    settings = settings_of(evening)
    pairings = tuple(
        schedule.Pairing(number, wish.game.slug, setting.options, setting.minutes, players)
        for number, players, (wish, _shape) in zip(evening.free_tables, drawn.tables, tables, strict=False)
        for setting in [settings[wish.game.slug]]
    )
    return _drafted(evening, schedule.Round(pairings, drawn.byes), by, key, now)


@transaction.atomic
def set_game(
    *,
    night_id: int,
    game: Game[Any],
    options: Mapping[str, Any],
    minutes: int | None,
    by: Actor,
    key: str,
    now: datetime,
) -> None:
    """How a game is played from now on tonight. games.Malformed for an option that is not right."""
    night = _locked(night_id)
    entry = {"kind": "game", "game": game.slug, "options": game.read_options(options), "minutes": minutes}
    _append(night, entry, key, by, now)


@transaction.atomic
def set_table(*, night_id: int, table: int, game: Game[Any], by: Actor, key: str, now: datetime) -> None:
    """Another game at a table of the draft, by its number. Refused "wrong-size" where as many cannot play it."""
    night = _locked(night_id)
    evening = evening_of(night)
    pairings = evening.state.draft.pairings if evening.state.draft else ()
    if any(each.table == table and len(each.players) not in game.seats for each in pairings):
        raise Refused("wrong-size", _("This game is not for so many players."))
    setting = settings_of(evening)[game.slug]
    entry = {"kind": "table", "table": table, "game": game.slug}
    _append(night, entry | {"options": dict(setting.options), "minutes": setting.minutes}, key, by, now)
    _tell(night, now)


@transaction.atomic
def draw_again(*, night_id: int, by: Actor, key: str, now: datetime) -> schedule.Round:
    """The last round once more as a draft, as far as its people and tables are free. Refused "nothing-to-repeat"."""
    night = _locked(night_id)
    evening = evening_of(night)
    rounds = evening.state.rounds
    again = schedule.again(rounds[-1], evening.free, evening.free_tables) if rounds else None
    if again is None or not again.pairings:
        raise Refused("nothing-to-repeat", _("No table of the last round is free to play again."))
    return _drafted(evening, again, by, key, now)


@transaction.atomic
def swap(*, night_id: int, players: tuple[int, int], by: Actor, key: str, now: datetime) -> None:
    """Exchanges the places of two people in the draft, be one of them a bye."""
    night = _locked(night_id)
    _append(night, {"kind": "swap", "players": list(players)}, key, by, now)
    _tell(night, now)


@transaction.atomic
def drop(*, night_id: int, by: Actor, key: str, now: datetime) -> None:
    """Throws the draft away."""
    night = _locked(night_id)
    _append(night, {"kind": "drop"}, key, by, now)
    _tell(night, now)


@transaction.atomic
def seat(*, night_id: int, by: Actor, key: str, now: datetime) -> list[Match]:
    """Opens a match at every table of the draft, which everybody sees from now on; tables not there yet are made.

    Refused like `matches.open_match` and `enter`; then nothing has changed. The same key again opens nothing.
    """
    night = _locked(night_id)
    before = night.log.filter(key=key).first()
    if before:
        return list(night.matches.filter(pk__in=before.payload["matches"]))
    state = state_of(night)
    draft = _entered(state, {"kind": "seat"}).rounds[-1]
    opened = []
    for pairing in draft.pairings:
        opened.append(
            matches.open_match(
                table=_table(night.club, pairing.table, now),
                game=pairing.game,
                options=pairing.options,
                players=list(pairing.players),
                minutes=pairing.minutes,
                night=night,
                round_number=len(state.rounds) + 1,
                by=by,
                now=now,
            )
        )
    _append(night, {"kind": "seat", "matches": [match.pk for match in opened]}, key, by, now)
    _tell(night, now)
    return opened


@transaction.atomic
def call_last_hand(*, night_id: int, by: Actor, key: str, now: datetime) -> list[Match]:
    """The last hand, for every match of the night that goes on. Refused "nothing-played" if none does."""
    night = _locked(night_id)
    going = list(night.matches.filter(status=Match.Status.PLAYING, last_hand=None).order_by("pk"))
    if not going:
        raise Refused("nothing-played", _("No match is going on that does not know of its last hand yet."))
    _append(night, {"kind": "last-hand", "matches": [match.pk for match in going]}, key, by, now)
    for match in going:
        matches.call_last_hand(match_id=match.pk, now=now)
    _tell(night, now)
    return going


@transaction.atomic
def close(*, night_id: int, open_matches: str | None, by: Actor, key: str, now: datetime) -> None:
    """Ends the night. Refused "matches-open" while matches go on, unless `open_matches` says what becomes of them:
    "count" as they stand (where no hand is counted there is nothing to count), or "abandon"."""
    night = _locked(night_id)
    going = list(night.matches.filter(status=Match.Status.PLAYING).order_by("pk"))
    if going and open_matches not in ("count", "abandon"):
        raise Refused("matches-open", _("Matches are still going on. Say what becomes of them."))
    for match in going:
        stopped = "time" if open_matches == "count" and _has_counted(match) else "abandoned"
        _stop(match, stopped, f"{key}-stop", by, now)
    _append(night, {"kind": "close", "matches": [match.pk for match in going]}, key, by, now)
    night.closed_at = now
    night.save(update_fields=["closed_at"])
    _tell(night, now)


@transaction.atomic
def undo(*, night_id: int, seen: int, by: Actor, key: str, now: datetime) -> None:
    """Takes the last step back, with what it did: matches it opened go, matches it ended go on.

    `seen`: how many entries the host knew of; Refused "stale" if there are more. Refused "round-begun" when a match
    that would go has been played in, "night-open" when another night goes on by now.
    """
    night = _locked(night_id)
    if night.log.filter(key=key).exists():
        return
    if night.length != seen:
        raise Refused("stale", _("Somebody else has changed something meanwhile. Look at what is there now."))
    did = state_of(night).did
    _append(night, {"kind": "undo"}, key, by, now)
    if undoes := did and UNDOES.get(did["kind"]):
        undoes(night, did, key, by, now)
    _tell(night, now)


def _unseat(night: Night, did: Mapping[str, Any], key: str, by: Actor, now: datetime) -> None:
    """Matches nobody entered anything into go; one that was ended and taken up again has a log, and is abandoned."""
    opened = night.matches.select_for_update(no_key=True).filter(pk__in=did["matches"]).order_by("pk")
    begun = [match.table.number for match in opened if match.table and (match.sheet["hands"] or match.unverified)]
    if begun:
        text = _("The round has begun to play at table {numbers}. End the match there, or leave the round as it is.")
        raise Refused("round-begun", text.format(numbers=", ".join(map(str, sorted(begun)))))
    for match in opened:
        if not match.length:
            match.delete()
        elif going_on(match):
            _stop(match, "abandoned", f"{key}-stop", by, now)
        announce(kind="unseated", club_id=night.club_id, table_id=match.table_id, night_id=night.pk, now=now)


def _call_off(night: Night, did: Mapping[str, Any], key: str, by: Actor, now: datetime) -> None:
    for match in night.matches.filter(pk__in=did["matches"], status=Match.Status.PLAYING).order_by("pk"):
        matches.call_off_last_hand(match_id=match.pk, now=now)


def _reopen(night: Night, did: Mapping[str, Any], key: str, by: Actor, now: datetime) -> None:
    if night.club.nights.filter(closed_at=None).exists():
        raise Refused("night-open", _("Another night is going on by now: close that one first."))
    night.closed_at = None
    night.save(update_fields=["closed_at"])
    for match in night.matches.filter(pk__in=did["matches"]).order_by("pk"):
        # A table may have taken its end back by itself, and gone on.
        if match.log.order_by("seq").values_list("kind", flat=True).last() == "stop":
            _enter(match, {"kind": "undo"}, f"{key}-undo", by, now)


UNDOES: Mapping[str, Callable[[Night, Mapping[str, Any], str, Actor, datetime], None]] = {
    "seat": _unseat,
    "last-hand": _call_off,
    "close": _reopen,
}
"""What taking a step back does outside the night's log; some steps are nowhere else."""


def said(error: schedule.Impossible) -> str:
    """What the night has against it."""
    return {
        "nothing-to-undo": _("There is nothing to take back."),
        "night-closed": _("This night is closed. Take that back first."),
        "nothing-drawn": _("Nothing is drawn. Draw the next match first."),
        "not-in-the-draw": _("One of the two is not in the draw any more. Look at it again."),
        "somebody-twice": _("Somebody has two places in this draw. Draw again."),
        "not-here": _("Somebody in this draw is not here any more. Draw again."),
    }[error.code]


def _locked(night_id: int) -> Night:
    """The night, for this writer alone until the end of the transaction."""
    return Night.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=night_id)


def _entered(state: schedule.Night, entry: Mapping[str, Any]) -> schedule.Night:
    try:
        return state.enter(entry)
    except schedule.Impossible as error:
        raise Refused(error.code, said(error)) from error


def _append(night: Night, entry: Mapping[str, Any], key: str, by: Actor, now: datetime) -> None:
    """One more entry in the night's log, if the night allows it; one that came before under its key is not repeated."""
    before = night.log.filter(key=key).first()
    if before and (before.kind, before.payload.get("players")) == (entry["kind"], entry.get("players")):
        return
    if before:
        raise Refused("stale", _("This page is too old to send from. Load it again."))
    _entered(state_of(night), entry)
    NightEntry.objects.create(
        night=night, seq=night.length, kind=entry["kind"], payload=entry, user=by.user, at=now, key=key
    )
    night.length += 1
    night.save(update_fields=["length"])


def _tell(night: Night, now: datetime) -> None:
    announce(kind="night", club_id=night.club_id, night_id=night.pk, now=now)


def _came(night: Night, players: Sequence[int]) -> dict[str, Any]:
    """The entry, if they are all of the club."""
    if night.club.players.filter(pk__in=players).count() < len(set(players)):
        raise Refused("nobody-of-this-club", _("Somebody ticked is not a player of this club. Load the page again."))
    return {"kind": "came", "players": list(dict.fromkeys(players))}


def _guest(club: Club, name: str, now: datetime) -> Player:
    """The club's player of that name, however it is capitalized, else a new guest. Refused "bad-name"."""
    try:
        kept = plain.name(name)
    except Malformed as error:
        raise Refused("bad-name", f"“{name[:SHOWN]}”: {in_words(error)}") from error
    return players_named(club.pk, [kept]).get(kept) or clubs.player_add(club=club, name=kept, guest=True, now=now)


def _table(club: Club, number: int, now: datetime) -> Table:
    """The table of that number; up to it new ones are made."""
    table = club.tables.filter(number=number).first()
    while table is None or table.number < number:
        table = clubs.table_add(club=club, now=now)
    return table


def _drafted(evening: Evening, drawn: schedule.Round, by: Actor, key: str, now: datetime) -> schedule.Round:
    night = evening.night
    unticked = [player for player in evening.here if player not in evening.state.here]
    if unticked:
        _append(night, _came(night, unticked), f"{key}-came", by, now)
    _append(night, {"kind": "draft", "round": drawn.as_json()}, key, by, now)
    _tell(night, now)
    return drawn


def _has_counted(match: Match) -> bool:
    return any(hand["state"] == "counted" for hand in match.sheet["hands"])


def _stop(match: Match, stopped: str, key: str, by: Actor, now: datetime) -> None:
    _enter(match, {"kind": "stop", "stopped": stopped}, key, by, now)


def _enter(match: Match, entry: Mapping[str, Any], key: str, by: Actor, now: datetime) -> None:
    """An entry of the host's into a match as it stands."""
    match = Match.objects.select_for_update(no_key=True).get(pk=match.pk)
    matches.record(match_id=match.pk, seen=match.length, key=key, entry=entry, by=by, now=now)
