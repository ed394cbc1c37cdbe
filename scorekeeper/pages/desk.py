"""The host's desk of an event: the players, the next round, the tables, the end."""

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import games
from games import GAMES, Game
from scorekeeper import live, words
from scorekeeper.events import Tournament
from scorekeeper.events.night import Night
from scorekeeper.events.program import Program
from scorekeeper.events.rounds import Pairing, Round, Setting
from scorekeeper.forms.nights import GameForm, NewNightForm, WishForm
from scorekeeper.models import Club, Event, Job, Match, Player, Table
from scorekeeper.pages.audit import SETUP
from scorekeeper.pages.event import snapshot
from scorekeeper.pages.match import TimedLine, limits, timed_line
from scorekeeper.schedule.mixing import Repeats, repeats
from scorekeeper.schedule.seating import Seating, Shape
from scorekeeper.selectors.audit import results_changed
from scorekeeper.selectors.clubs import players_of
from scorekeeper.selectors.events import (
    EventNow,
    event_now,
    has_counted,
    in_play,
    last_time,
    night_now,
    settings_of,
)
from scorekeeper.selectors.health import disk_is_low, free_space
from scorekeeper.selectors.jobs import draw_under_way
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.steps import changed_in
from scorekeeper.selectors.tables import passes_elsewhere
from scorekeeper.selectors.tournaments import entrant_name, tournament_of

FEW = 3  # the most names on a button


@dataclass(frozen=True)
class DraftTable:
    """A table of the draft."""

    pairing: Pairing
    game: Game[Any]
    sides: list[list[Player]]
    others: list[Game[Any]]
    """Other games that as many players can play."""
    too_few_or_many: list[tuple[Game[Any], str]]
    """Games that take another number, each with that number in words."""
    length: list[str]


@dataclass(frozen=True)
class Bye:
    player: Player
    before: int
    """How many byes they have had already."""


@dataclass(frozen=True)
class Draft:
    """The next round as only hosts see it."""

    tables: list[DraftTable]
    byes: list[Bye]
    repeats: Repeats | None
    """The players who meet again; None before anybody has met."""


@dataclass(frozen=True)
class PersonHere:
    """A player of the club, and what they are doing now."""

    player: Player
    here: bool
    ticked: bool
    last_time: bool
    """Whether they came to the last night."""
    match: Match | None
    byes: int
    out: bool
    """Whether they have a bye in the round that is in play."""

    @property
    def among(self) -> list[str]:
        """The names of the ticks for many people that tick this one, too."""
        return ["last-time"] * self.last_time + ["members"] * (not self.player.guest)


@dataclass(frozen=True)
class Many:
    """A tick for many people at once."""

    name: str
    count: int
    """How many of them are not here."""
    ticked: bool


@dataclass(frozen=True)
class TableLine:
    table: Table
    line: TimedLine | None
    """The newest match at the table; None before the first."""


@dataclass(frozen=True)
class ByPhones:
    """What phones of the tables did to results, by table."""

    taken_back: list[Match]
    """The matches in play whose result one took back."""
    corrected: list[tuple[Match, str]]
    """The newest matches of their tables whose result one corrected, and what it was, until a host makes an entry."""


class MovedTable(NamedTuple):
    """A table of the draft at which something else is played."""

    table: Table
    event: str
    """What is played there; "" for a match outside events."""
    to: int
    """The number of the table that takes its place when the round is released."""


@dataclass(frozen=True)
class DeskPage:
    """Everything on the desk."""

    night: Event
    club: Club
    snapshot: EventNow
    draft: Draft | None
    draft_moved: list[MovedTable]
    draw_under_way: Job | None
    """A draw that a worker makes now, or that has just failed."""
    wish: WishForm
    lengths: list[tuple[Game[Any], list[str]]]
    free: list[str]
    leavers: list[PersonHere]
    """Players who have left but are still playing."""
    by_phones: ByPhones
    lines: list[TableLine]
    going: int
    """How many matches are in play."""
    scoreless: int
    """How many of these have no counted hand."""
    uncalled: int
    """In how many of them the last hand is not called yet."""
    people: list[PersonHere]
    count: int
    """How many people are here."""
    nestor_here: bool
    many: list[Many]
    """Before the first round."""
    undo: str
    """The step that can be undone, in words; "" if there is none."""
    stamp: str
    key: str
    base: str
    """The address at which phones reach this server."""
    moved: list[Table]
    """Tables whose printed code leads elsewhere."""
    disk_left: str
    """The free space on the server's disk if that is little, else ""."""
    refused_at: str
    """The part of the desk with the button of the refused step; "" if it is not there, so that the reason is on top."""


@dataclass(frozen=True)
class NewNightPage:
    """The form that starts a night, with everything that was ticked and typed."""

    club: Club
    people: list[PersonHere]
    many: list[Many]
    guests: str
    form: NewNightForm
    key: str
    refusal: str
    open_night: Event | None
    """The night that is open already, if somebody else has started one meanwhile."""


@dataclass(frozen=True)
class Unsaved:
    """The reason why a step was refused, and what the host typed that is not saved."""

    refusal: str = ""
    code: str = ""
    typed_guests: str = ""
    came: frozenset[int] = frozenset()
    """Who is ticked, and was not here."""
    left: frozenset[int] = frozenset()
    """Who is not ticked any more, and was here."""
    step: str = ""
    """The step that was refused."""
    sent: Mapping[str, str] = field(default_factory=dict)
    """The fields of that step, such as what to play next."""


NOTHING = Unsaved()


PARTS = {
    "tick": ("people",),
    "nestor": ("people",),
    "mix": ("draft", "next"),
    "again": ("draft", "next"),
    "swap": ("draft",),
    "table": ("draft",),
    "drop": ("draft",),
    "seat": ("draft",),
    "last-hand": ("tables",),
    "close": ("end",),
}
"""The parts of the desk that have the button of a step."""


@dataclass(frozen=True)
class ScorerPage:
    """The tables for a scorer who keeps several."""

    night: Event
    club: Club
    lines: list[TableLine]
    """Matches in play first, those that have not begun on top."""


@dataclass(frozen=True)
class GamePage:
    """How a game is played tonight."""

    night: Event
    game: Game[Any]
    form: GameForm
    key: str


def new_night_page(
    club: Club,
    form: NewNightForm,
    here: Collection[int],
    guests: Sequence[str],
    *,
    many: Collection[str],
    key: str,
    refusal: str,
    open_now: Event | None,
) -> NewNightPage:
    """`here`: ids of the players who are ticked; `many`: names of the ticks for many people that are. Those who came
    last time are first."""
    back = last_time(club)
    people = [
        PersonHere(player, False, player.pk in here, player.pk in back, None, 0, False) for player in players_of(club)
    ]
    people.sort(key=lambda each: not each.last_time)
    return NewNightPage(club, people, _many(people, many), "\n".join(guests), form, key, refusal, open_now)


def desk_page(
    event: Event, *, base: str, addresses: Collection[str], now: datetime, unsaved: Unsaved = NOTHING
) -> DeskPage:
    """The desk of the event, with ticks that are not saved. Sixteen queries, however many people and tables."""
    snapshot = event_now(event)
    state, games, played = snapshot.state, list(GAMES.values()), settings_of(snapshot)
    people = _people(snapshot, set() if state.rounds else last_time(event.club), unsaved)
    going = [match for match in snapshot.matches if in_play(match)]
    return DeskPage(
        night=event,
        club=event.club,
        snapshot=snapshot,
        draft=_draft(snapshot, state.draft) if state.draft else None,
        draft_moved=moved_tables(snapshot),
        draw_under_way=draw_under_way(event, now),
        wish=WishForm(games, free=len(snapshot.free), initial={**_asked(night_now(snapshot)), **unsaved.sent}),
        lengths=[(game, _length(game, played[game.slug])) for game in games],
        free=[snapshot.name(player) for player in snapshot.free],
        leavers=[each for each in people if each.match and not each.here and each.player.pk in state.came],
        by_phones=by_phones(snapshot),
        lines=[
            TableLine(
                table,
                timed_line(current, now, snapshot.called) if (current := snapshot.current.get(table.pk)) else None,
            )
            for table in snapshot.tables
        ],
        going=len(going),
        scoreless=sum(not has_counted(match) for match in going),
        uncalled=sum(match.last_hand is None for match in going),
        people=people,
        count=len(snapshot.here),
        nestor_here=any(person.player.program and person.here for person in people),
        many=[] if state.rounds else _many(people),
        undo=undo_words(snapshot),
        stamp=stamp(event, snapshot.matches),
        key=secrets.token_hex(16),
        base=base,
        moved=passes_elsewhere(event.club, addresses),
        disk_left=filesizeformat(free_space()) if disk_is_low() else "",
        refused_at=_refused_at(unsaved.step, state),
    )


def _asked(night: Night) -> dict[str, Any]:
    """What to play next as the host last chose it, also what the last draw had no use for."""
    (game, tables), (second, _tables), *_rest = *night.wishes, (None, None), (None, None)
    return {"game": game, "tables": tables, "second": second}


def by_phones(snapshot: EventNow) -> ByPhones:
    """One query."""
    changed = results_changed(snapshot.event)
    newest = {match.pk: match for match in snapshot.current.values()}
    over = {each.match: each.before for each in changed if each.corrected and not each.looked_into}
    back = {each.match for each in changed}
    found = sorted(newest.values(), key=_table_number)
    return ByPhones(
        sorted((match for match in snapshot.matches if in_play(match) and match.pk in back), key=_table_number),
        [(match, over[match.pk]) for match in found if match.pk in over and not in_play(match)],
    )


def _table_number(match: Match) -> int:
    return match.table.number if match.table else 0


def _refused_at(step: str, state: Program) -> str:
    shown = set() if state.closed else {"people", "tables", "end", "draft" if state.draft else "next"}
    return next((part for part in PARTS.get(step, ()) if part in shown), "")


def scorer_page(event: Event, now: datetime) -> ScorerPage:
    snapshot = event_now(event)
    played = [(table, snapshot.current[table.pk]) for table in snapshot.tables if table.pk in snapshot.current]
    played.sort(key=lambda each: (not in_play(each[1]), each[1].length > 0, each[0].number))
    return ScorerPage(
        event, event.club, [TableLine(table, timed_line(match, now, snapshot.called)) for table, match in played]
    )


def stamp(event: Event, matches: Iterable[Match]) -> str:
    """Changes whenever the desk would show something else."""
    shown = [_seen_of(match) if in_play(match) else (match.pk, match.length) for match in matches]
    return sha256(repr((event.length, shown)).encode()).hexdigest()[:16]


def _seen_of(match: Match) -> tuple[object, ...]:
    """What of a match in play changes the desk: not each of its moves. Once it is over, every entry counts."""
    seats = [seat.name for seat in match.seats.all()]
    return match.pk, limits(match), len(match.sheet["hands"]), match.sheet["totals"], seats


def moved_tables(snapshot: EventNow) -> list[MovedTable]:
    """Of the draft, by number. No query."""
    found = []
    for table in snapshot.tables:
        if table.number in snapshot.moved:
            event = snapshot.taken[table.pk].event
            title = (event.name or event.get_kind_display()) if event else ""
            found.append(MovedTable(table, title, snapshot.moved[table.number]))
    return found


def _draft(snapshot: EventNow, draft: Round) -> Draft:
    shapes = [Shape(len(each.players), GAMES[each.game].sides(len(each.players))) for each in draft.pairings]
    tables = [
        DraftTable(
            pairing,
            GAMES[pairing.game],
            [[snapshot.people[pairing.players[seat]] for seat in side] for side in shape.sides],
            [game for game in GAMES.values() if shape.seats in game.seats and game.slug != pairing.game],
            [(game, words.players_words(game.seats)) for game in GAMES.values() if shape.seats not in game.seats],
            _length(GAMES[pairing.game], pairing),
        )
        for pairing, shape in zip(draft.pairings, shapes, strict=True)
    ]
    history = snapshot.history
    byes = [Bye(snapshot.people[player], sum(player in byes for byes in history.byes)) for player in draft.byes]
    seating = Seating(tuple(each.players for each in draft.pairings), draft.byes)
    return Draft(tables, byes, repeats(seating, shapes, history) if history.played else None)


def _length(game: Game[Any], how: Setting | Pairing) -> list[str]:
    return words.length_words(game, how.options, how.minutes)


def _people(snapshot: EventNow, back: Collection[int], unsaved: Unsaved) -> list[PersonHere]:
    """The club's people to choose from, starting with those who are or were here."""
    state = snapshot.state
    last = len(state.rounds)
    playing = any(match.round == last and in_play(match) for match in snapshot.matches)
    out = state.rounds[-1].byes if playing else ()
    ticked = {*snapshot.here, *unsaved.came} - unsaved.left
    people = [
        PersonHere(
            player,
            player.pk in snapshot.here,
            player.pk in ticked,
            player.pk in back,
            snapshot.playing.get(player.pk),
            sum(player.pk in each.byes for each in state.rounds),
            player.pk in out,
        )
        for player in snapshot.offered
    ]
    return sorted(people, key=lambda each: not each.here and each.player.pk not in state.came)


def _many(people: Sequence[PersonHere], ticked: Collection[str] = ()) -> list[Many]:
    """The ticks for many people, without one for nobody."""
    names = Counter(name for each in people if not each.here for name in each.among)
    return [Many(name, names[name], name in ticked) for name in ("last-time", "members") if names[name]]


def undo_words(snapshot: EventNow) -> str:
    """The text of the undo button: the last step in words, or "" without one."""
    did = snapshot.state.did
    if did is None or not snapshot.state.can_undo:
        return ""
    if did["kind"] == "people":
        parts = (_("{players} came"), did["came"]), (_("{players} left"), did["left"])
        return ", ".join(text.format(players=_names(snapshot, who)) for text, who in parts if who)
    if did["kind"] == "setup":
        before = snapshot.state.before
        assert isinstance(before, Tournament)
        names = changed_in(before.setup, tournament_of(snapshot).setup)
        changed = [*dict.fromkeys(str(text) for name, text in SETUP.items() if name in names)]
        return (
            _("setup changed: {what}").format(what=words.listed(changed))
            if 0 < len(changed) <= FEW
            else _("setup changed")
        )
    if did["kind"] == "result" and _is_free_play(snapshot):
        text = _("correction at table {table}") if "why" in did else _("result of table {table}")
        return text.format(table=did["table"])
    if did["kind"] == "result" and "why" in did:
        return _("correction at table {table}, round {number}").format(table=did["table"], number=did["round"])
    if did["kind"] == "forfeit" and not did["absent"]:
        return _("everybody came to table {table}").format(table=did["table"])
    return _step(snapshot, did).format(
        players=_names(snapshot, did.get("players", ())),
        table=did.get("table"),
        number=did.get("round"),
        round=len(snapshot.state.rounds),
        next=len(snapshot.state.rounds) + 1,
        entrants=_entrants(snapshot, did),
    )


def _step(snapshot: EventNow, did: Mapping[str, Any]) -> str:
    """What a step is called where its kind alone does not say it, else its line of `STEPS`."""
    match did["kind"]:
        case "draft" if "planned" in did:
            return _("draft of round {next}")
        case "seat" if _is_free_play(snapshot):
            return _("tables started")
        case "close" if snapshot.event.kind == Event.Kind.NIGHT:
            return _("night closed")
        case "plan" if "round" in did:
            return _("draw of round {next}")
    return str(STEPS[did["kind"]])


STEPS = {
    "outlook": gettext_lazy("whether spectators see who stands better"),
    "draft": gettext_lazy("the draw"),
    "swap": gettext_lazy("{players} swap seats"),
    "table": gettext_lazy("another game at table {table}"),
    "game": gettext_lazy("options changed"),
    "drop": gettext_lazy("draw discarded"),
    "seat": gettext_lazy("round {round} seated"),
    "last-hand": gettext_lazy("last hand called"),
    "close": gettext_lazy("tournament closed"),
    "enter": gettext_lazy("entries"),
    "withdraw": gettext_lazy("withdrawal of {entrants}"),
    "return": gettext_lazy("return of {entrants}"),
    "rest": gettext_lazy("break of {entrants}"),
    "play-on": gettext_lazy("end of the break of {entrants}"),
    "start": gettext_lazy("table of {entrants}"),
    "describe": gettext_lazy("change of {entrants}"),
    "remove-entrant": gettext_lazy("entrant taken out"),
    "replace-players": gettext_lazy("others entered instead"),
    "remove": gettext_lazy("tournament removed"),
    "plan": gettext_lazy("schedule made"),
    "propose": gettext_lazy("other schedule found"),
    "take": gettext_lazy("schedule changed"),
    "drop-proposal": gettext_lazy("other schedule dropped"),
    "exchange": gettext_lazy("change in round {number}"),
    "publish": gettext_lazy("schedule released"),
    "wish": gettext_lazy("wish"),
    "remove-wish": gettext_lazy("wish removed"),
    "reseat": gettext_lazy("swap in round {number}"),
    "forfeit": gettext_lazy("forfeit at table {table}"),
    "penalty": gettext_lazy("penalty for {entrants}"),
    "cancel-penalty": gettext_lazy("penalty cancelled"),
    "clock": gettext_lazy("clock"),
    "result": gettext_lazy("result of table {table}, round {number}"),
    "corrections": gettext_lazy("earlier corrections"),
    "group": gettext_lazy("groups"),
    "move": gettext_lazy("other group"),
    "stage": gettext_lazy("beginning of the finals"),
    "way": gettext_lazy("way to play a final"),
    "seeds": gettext_lazy("order of the seeds"),
    "advance": gettext_lazy("order of equal entrants"),
    "manual": gettext_lazy("order of equal entrants"),
    "category": gettext_lazy("change of a category"),
    "remove-category": gettext_lazy("category removed"),
    "end": gettext_lazy("end of the match at table {table}"),
    "next-match": gettext_lazy("another match at table {table}"),
    "no-show": gettext_lazy("minutes until a no-show"),
}
"""By kind of step, what an undo takes back."""


def _is_free_play(snapshot: EventNow) -> bool:
    return isinstance(snapshot.state, Tournament) and snapshot.state.free_play


def undone_words(snapshot: EventNow) -> str:
    """What an undo of the last step does, as if it were done; "" without one. Two queries at most."""
    did = snapshot.state.did
    if did is None:
        return ""
    texts = [_("Undone: {step}.").format(step=undo_words(snapshot))]
    typed = [match for match in snapshot.matches if did["kind"] == "result" and match.pk == did["ended"]]
    texts += [text for match in typed for text in _result_gone(did["table"], position(match))]
    return " ".join(texts)


def _result_gone(table: int, state: games.Match) -> list[str]:
    """What the match is without its typed result, and what was entered after that, which goes with it."""
    later: dict[str, None] = {}
    while state.did != "result" and state.before is not None:
        named = {"swap": _("corrected seats"), "dispute": _("a dispute"), "confirm": _("confirmations")}
        later[named.get(state.did or "", _("corrections"))] = None
        state = state.before
    before = state.before
    if before is None:
        return []
    if before.finished:
        totals = words.totals([before.totals[side[0]] for side in before.sides])
        texts = [_("Table {table} has {totals} again.").format(table=table, totals=totals)]
    else:
        texts = [_("The match at table {table} is in play again.").format(table=table)]
    if later:
        texts.append(_("Also taken back, because it was entered later: {what}.").format(what=words.listed([*later])))
    return texts


def _entrants(snapshot: EventNow, did: Mapping[str, Any]) -> str:
    """The entrants of a step that names them."""
    match did:
        case {"kind": "withdraw" | "return" | "rest" | "play-on" | "start", "entrants": [*numbers]}:
            pass
        case {"kind": "describe" | "penalty", "entrant": number}:
            numbers = [number]
        case _:
            return ""
    if len(numbers) > FEW:
        return ngettext("{n} entrant", "{n} entrants", len(numbers)).format(n=len(numbers))
    return words.listed([entrant_name(snapshot, each) for each in numbers])


def _names(snapshot: EventNow, players: Sequence[int]) -> str:
    if len(players) <= FEW:
        return words.together([snapshot.name(player) for player in players])
    return ngettext("{n} person", "{n} people", len(players)).format(n=len(players))


def desk(kind: str, number: int) -> str:
    """Sends only a stamp. When it changes, the host's page fetches the desk again."""
    now = snapshot(number, kind)
    return render_to_string("scorekeeper/_desk_stamp.html", {"stamp": stamp(now.event, now.matches)})


live.register(Event.Kind.NIGHT, Event.Kind.TOURNAMENT, desk=desk)
