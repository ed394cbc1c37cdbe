"""What a page answers to an entry: that it is recorded, what it would count, or why not and what to do then."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import games
from games import Code, GameError
from scorekeeper import words
from scorekeeper.forms.entries import Sent
from scorekeeper.forms.typed import MEANT, answer_to
from scorekeeper.live import Topic
from scorekeeper.live.parts import drawn
from scorekeeper.models import Match, Pad, Table
from scorekeeper.pages import context
from scorekeeper.pages.boards import board_counted
from scorekeeper.pages.boards.base import PlayPreview
from scorekeeper.pages.calls import call_shown
from scorekeeper.pages.hands import HandShown, hands_shown
from scorekeeper.pages.naming import question_words
from scorekeeper.pages.replay import AroundReplay, reach, reaches_far, replay_page
from scorekeeper.pages.table import AroundPad, match_page, pad_page, tournament_at
from scorekeeper.selectors.clubs import listed_of
from scorekeeper.selectors.matches import entries_since, position, ways
from scorekeeper.selectors.nestor import nestor_seats
from scorekeeper.selectors.people import Question
from scorekeeper.selectors.tables import current_match, pads_held
from scorekeeper.templatetags.live import drawn_once


@dataclass(frozen=True, slots=True)
class Way:
    """A way on, as something to press: mend, final, leave, take-back, go-back, note, person or new-person."""

    way: str
    entry: Mapping[str, Any] | None = None
    then: Mapping[str, Any] | None = None
    """What is recorded after the entry."""
    hand_number: int = 0
    move: int | None = None
    what: str = ""
    """The move it goes back to or notes; the person who is meant."""
    ask: bool = False
    """Whether it is shown first what it takes back."""
    counts: bool = False
    """Whether the hand is counted then."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """Whom typed names mean, by field."""


@dataclass(frozen=True, slots=True)
class RefusalShown:
    """Why an entry was not recorded."""

    words: str
    ways: tuple[Way, ...] = (Way("mend"),)
    typed: str = ""
    """The entry itself."""
    newer: tuple[str, ...] = ()
    """What other phones entered before it."""
    at: tuple[str, ...] = ()
    """The tiles, cards and cells it is about."""
    against: tuple[Way, ...] = ()
    """Recorded entries that contradict it."""
    pads: Sequence[Pad] = ()
    """Who has the pad now."""
    seen: int = 0
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    form: str | None = None
    """The form that was typed in, where the rules are against it."""
    page: str = ""


@dataclass(frozen=True, slots=True)
class HandPreview:
    """What an entry that ends a hand would count."""

    form: str
    entry: Mapping[str, Any]
    hand: HandShown | None
    won: str


Preview = PlayPreview | HandPreview


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    refusal: RefusalShown | None = None
    preview: Preview | None = None
    keep: bool = True
    """Whether the pad keeps what was typed."""
    change: int | None = None
    """The id of the change that the pad must show, where it changes."""
    length: int | None = None
    """How many entries there are: a phone with more to send gives it as `seen`."""
    goes_to: str = ""
    """The next address for a page without scripts."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a whole page shows of an answer."""

    here: str
    """The address of the page."""
    refusal: RefusalShown | None
    preview: Preview | None


def recorded(*, length: int, change: int, goes_to: str) -> Answer:
    """Every phone of the table is about to get the same pad."""
    return Answer(length=length, change=change, keep=False, goes_to=goes_to)


def previewed(match: Match, data: QueryDict, post: Sent, after: games.Match) -> Answer:
    """What the entry would change; `after` is the match with it."""
    if post.entry["kind"] == "undo":
        return Answer(refusal=_asked(match, data, post, after))
    form = data.get("form", "")
    plays = post.entry["kind"] == "move" and board_counted(after.game, after.hands[-1].state, after.present)
    if plays:
        totals = tuple(after.totals[side[0]] for side in after.sides)
        return Answer(preview=PlayPreview(form, post.entry, plays[-1], totals))
    hands = hands_shown(after, after.sheet())
    return Answer(preview=HandPreview(form, post.entry, hands[-1] if hands else None, words.won(after)))


def _asked(match: Match, data: QueryDict, post: Sent, after: games.Match) -> RefusalShown:
    """What going back takes, with the second tap that does it."""
    return RefusalShown(
        ", ".join(reach(position(match), after)),
        (Way("take-back", entry=post.entry), Way("leave")),
        seen=post.seen,
        page=data.get("page", ""),
    )


def against_the_rules(match: Match, data: QueryDict, post: Sent | None, error: GameError) -> Answer:
    """The refusal with every way on; without a post nothing could be read. At most two queries."""
    if post and post.seen > match.length:
        match.refresh_from_db()  # the first entry of the same post is recorded
    state = position(match)
    found = ways(match, post.seen, post.entry, error) if post else [{"way": "mend"}]
    shown = tuple(_way(way, state, post) for way in found)
    refusal = RefusalShown(
        words.in_words(error),
        shown,
        typed=words.typed_words(post.entry, state) if post else "",
        at=words.pieces(post.entry, error, state) if post else (),
        against=tuple(way for way in shown if way.way == "go-back" and way.what and error.proof),
        seen=match.length,
        form=data.get("form", ""),
        page=data.get("page", ""),
    )
    return Answer(422, refusal, goes_to=_rest_of(match, post, error) if post else "")


def _rest_of(match: Match, post: Sent, error: GameError) -> str:
    """Where a page asks for the end or the suit of a tile that was tapped; "" where nothing is missing."""
    half_said = error.code in (Code.END_NEEDED, Code.SUIT_NEEDED) and post.entry["kind"] == "move"
    return f"{address(match)}?tile={post.entry['move']['tile']}" if half_said else ""


def _way(way: Mapping[str, Any], state: games.Match, post: Sent | None) -> Way:
    """A way on, in words and with its entry."""
    match way["way"]:
        case "go-back":
            entry = {"kind": "undo", "to": {"hand": way["hand"], "move": way["move"]}}
            return replace(_at(way, state), entry=entry, ask=reaches_far(state, entry))
        case "note":
            entry = {"kind": "note", "hand": way["hand"], "move": way["move"], "code": way["code"]}
            counts = bool(post and post.entry.get("kind") in ("left", "final"))
            return replace(_at(way, state), entry=entry, then=post.entry if post else None, counts=counts)
    return Way(way["way"])


def _at(way: Mapping[str, Any], state: games.Match) -> Way:
    """The hand and the move that a way is about."""
    at = None if way["move"] is None else state.hands[way["hand"]].state.moves[way["move"]]
    what = words.move_words(at, state.seated(way["hand"])) if at else ""
    return Way(way["way"], hand_number=way["hand"] + 1, move=way["move"], what=what)


def declined(message: str, data: QueryDict, *, status: int = 422) -> Answer:
    """A refusal that does not come from the rules."""
    ways = () if status == 403 else (Way("mend"),)
    return Answer(status, RefusalShown(message, ways, page=data.get("page", "")))


def unsure(data: QueryDict, post: Sent, question: Question) -> Answer:
    """Asks whom a typed name means. Nothing is recorded before that."""

    def way(name: str, answer: str, what: str = "") -> Way:
        return Way(name, post.entry, what=what, answers=given | {answer_to(question.name): answer})

    given = {name: data.get(name, "") for name in data if name.startswith(MEANT)}
    people = (way("person", str(each.pk), each.name) for each in question.people)
    refusal = RefusalShown(
        question_words(question),
        (*people, way("new-person", "new"), Way("mend")),
        seen=post.seen,
        form=data.get("form", ""),
        page=data.get("page", ""),
    )
    return Answer(422, refusal)


def overtaken(match: Match, data: QueryDict, post: Sent) -> Answer:
    """Another phone was quicker: what it entered, and the newer sheet. Four queries."""
    match.refresh_from_db()
    state = position(match)
    newer = entries_since(match, post.seen)
    refusal = RefusalShown(
        _("Another phone was quicker. Your entry was not recorded."),
        typed=words.typed_words(post.entry, state),
        newer=tuple(words.entry_words(entry, state) for entry in newer),
        page=data.get("page", ""),
    )
    # Typed values stay during a hand. They must not appear in the next one.
    same_hand = all(entry["kind"] in ("move", "note") for entry in newer)
    change = Topic("table", match.table_id).newest() if match.table_id else None
    return Answer(409, refusal, keep=same_hand, change=change, length=match.length)


def elsewhere(table: Table, typed: str, message: str) -> Answer:
    """Another phone has the pad. The page still shows the entry, and how to get the pad back."""
    return Answer(403, RefusalShown(message, ways=(), typed=typed, pads=pads_held(table)))


# --- laid out ----------------------------------------------------------------------------------------------
def shown(request: HttpRequest, match: Match, answer: Answer) -> str:
    """For a script, which names the part it waits for, the parts of the page that change; else the whole page."""
    part, data = request.headers.get("X-Part"), request.POST
    if not part:
        return _whole_page(request, match, answer)
    if answer.preview:  # an older refusal disappears
        return _preview(request, preview=answer.preview) + refusal_shown(request, match, None)
    if part == "preview" and answer.refusal and answer.refusal.form is not None:
        return _preview(request, refusal=replace(answer.refusal, ways=()))
    parts = [refusal_shown(request, match, answer.refusal)]
    if answer.change and match.table_id and data.get("page") != "match":
        if answer.keep and match.table:
            pad = pad_page(match.table, current_match(match.table), call_shown(match.table), data=data)
            parts.append(render_to_string("scorekeeper/_pad.html", context(pad), request))
        else:
            parts.append(newest("pad", match, answer.change))
    return "".join(parts)


def refusal_shown(request: HttpRequest, match: Match, refusal: RefusalShown | None) -> str:
    """The refusal; without one an older refusal goes."""
    if refusal is None:
        return drawn_once("scorekeeper/_refusal.html")
    shown = {"refusal": refusal, "match": match}
    return render_to_string("scorekeeper/_refusal.html", shown, request)


def newest(part: str, match: Match, change: int | None = None) -> str:
    """A part of the table as all its phones are about to get it: drawn once for them and this answer."""
    if match.table_id is None:
        return ""
    topic = Topic("table", match.table_id)
    return drawn(topic, part, get_language() or "", change or topic.newest()).text


def address(match: Match, page: str = "") -> str:
    """The page that entries are made on: the table's or the match's."""
    if match.table_id is None or page == "match":
        return reverse("match", args=[match.pk])
    return reverse("table", args=[match.table_id])


def _preview(request: HttpRequest, **what: Preview | RefusalShown) -> str:
    shown: dict[str, Any] = {"form": request.POST.get("form", ""), **what}
    return render_to_string("scorekeeper/_preview.html", shown, request)


def _whole_page(request: HttpRequest, match: Match, answer: Answer) -> str:
    data, page = request.POST, request.POST.get("page", "")
    answered = Answered(address(match, page), answer.refusal, answer.preview)
    people = listed_of(match.club)
    if match.table is None or page == "match":
        replay = replay_page(match, position(match).public(), data.get("hand"), data.get("move"))
        around = AroundReplay(recording=answer.status != 403, host=False, people=people)
        whole = context(replay, match_page(match, match.table), around, answered)
        return render_to_string("scorekeeper/match.html", whole, request)
    call = call_shown(match.table)
    current = current_match(match.table)
    pad = pad_page(match.table, current, call, data=data if answer.keep else None)
    around_pad = AroundPad(
        host=False, people=people, kept=None, tournament=tournament_at(current), nestor=nestor_seats(current)
    )
    return render_to_string("scorekeeper/table.html", context(pad, around_pad, answered), request)
