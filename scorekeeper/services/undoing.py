"""How the effects of a host's step outside the event's log are undone. Each function returns whether there was still
something to undo: a host may have taken it back on the page of the match, or the match may be over."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.models import Event, LineUp, Match
from scorekeeper.selectors.clock import Clock
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.series import as_seated
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import exchanges, matches, typed_results
from scorekeeper.services.changes import announce
from scorekeeper.services.errors import Refused
from scorekeeper.services.steps import Step, matches_in_play, record


def _unseat(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """Removes the matches that a round opened. A match that was ended and continued has a log, so it is abandoned."""
    opened = list(event.matches.select_for_update(no_key=True).filter(pk__in=did["matches"]).order_by("pk"))
    begun = [match.table.number for match in opened if match.table and not match.blank]
    if begun:
        text = ngettext(
            "There are entries at table {numbers}, so this step stays. Correct what is wrong there, or abandon the"
            " match. To undo the step, first take back all entries there.",
            "There are entries at tables {numbers}, so this step stays. Correct what is wrong there, or abandon the"
            " matches. To undo the step, first take back all entries there.",
            len(begun),
        )
        raise Refused("round-begun", text.format(numbers=", ".join(map(str, sorted(begun)))))
    for match in opened:
        if not match.length:
            match.delete()
        elif match.status == Match.Status.PLAYING:
            record(match, {"kind": "stop", "stopped": "abandoned"}, f"{step.key}-stop", step)
        announce(kind="unseated", club_id=event.club_id, table_id=match.table_id, event=event, now=step.now)
    return True


def _cancel_last_hand(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    playing = matches_in_play(event, pk__in=did["matches"])
    for match in playing:
        matches.cancel_last_hand(match_id=match.pk, now=step.now)
    return bool(playing)


def _reopen(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """An open event knows its people by their own numbers, so none of them may count as somebody else."""
    merged = event.club.players.filter(entries__event=event).select_related("merged_into")
    if who := merged.filter(merged_into__isnull=False).first():
        text = _("{name} is merged with {other}. Separate them first: they take part in this event.")
        raise Refused("merged-since", text.format(name=who.name, other=who.merged_into and who.merged_into.name))
    event.closed_at = None
    try:
        with transaction.atomic():
            event.save(update_fields=["closed_at"])
    except IntegrityError as error:
        raise Refused("night-open", _("Another night is open. Close that one first.")) from error
    go_on(event, did["matches"], step)
    return True


def _take_back_forfeit(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    go_on(event, did.get("matches", ()), step)
    return True


def _put_back_clocks(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    before = {each["match"]: each["before"] for each in did["clocks"]}
    playing = matches_in_play(event, pk__in=before)
    for match in playing:
        matches.set_clock(match=match, clock=Clock.of(match.created_at, before[match.pk]), now=step.now)
    return bool(playing)


def _take_back_result(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """Puts the match back as it was before the director typed its result: in play, with its hands, or with another
    result and who confirmed it."""
    match = event.matches.select_for_update(no_key=True).get(pk=did["ended"])
    return _put_back(match, as_seated(tournament_in(event), match, did["totals"]), step)


def _put_back(match: Match, totals: Sequence[int | None], step: Step) -> bool:
    """As `_take_back_result`. `totals`: those that were typed."""
    state = position(match)
    if state.result is None or typed_results.totals_of(state) != typed_results.totals_by_side(totals):
        return False
    typed_results.enter(match, typed_results.entries_back(state, _("undone at the desk")), step)
    return True


def _take_back_score(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """As `_take_back_result`; the match that was made for the typed result of a fixture is abandoned."""
    match = event.matches.select_for_update(no_key=True).get(pk=did["ended"])
    undone = _put_back(match, did["totals"], step)
    match.refresh_from_db()
    if did["made"] and match.status == Match.Status.PLAYING:
        record(match, {"kind": "stop", "stopped": "abandoned"}, f"{step.key}-stop", step)
    return undone


def _take_back_end(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """Continues a match that the director ended, also if it has been confirmed since."""
    match = event.matches.select_for_update(no_key=True).get(pk=did["ended"])
    back = 0
    while (state := position(match)).stopped == did.get("stopped", did["how"]):
        entry = {"kind": "reopen", "why": _("undone at the desk")} if state.closed else {"kind": "undo"}
        record(match, entry, f"{step.key}-undo-{back}", step)
        match.refresh_from_db()
        back += 1
    return back > 0


def _take_back_reseat(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """Removes the new matches, continues those that were set aside, and puts the names back."""
    touched = [*did["named"], *did["ended"], *did["matches"]]
    found = event.matches.select_for_update(no_key=True).filter(pk__in=touched).order_by("pk")
    named = [match for match in found if match.pk in did["named"]]
    _unseat(event, did, step)
    go_on(event, did["ended"], step)
    people = {player.pk: player for player in event.club.players.all()}
    others = exchanges.instead(tournament_in(event), did["entrants"], named, people)
    for match in named:
        exchanges.rename(match, others, _("undone at the desk"), step)
    return True


def _close_line_ups(event: Event, did: Mapping[str, Any], step: Step) -> bool:
    """What was open becomes what its side submitted, so that its captain need not submit it again."""
    kept = [(side, boards) for side, boards in enumerate(did["line_ups"]) if boards is not None]
    LineUp.objects.bulk_create(
        LineUp(event=event, fixture=did["fixture"], side=side, boards=boards, submitted_at=step.now)
        for side, boards in kept
    )
    return True


def go_on(event: Event, match_ids: Collection[int], step: Step) -> None:
    """Continues those of these matches that were ended before their time."""
    ended = event.matches.select_for_update(no_key=True).filter(pk__in=match_ids, status=Match.Status.STOPPED)
    for match in ended.order_by("pk"):
        # A host may have undone the end already.
        if match.log.order_by("seq").values_list("kind", flat=True).last() == "stop":
            record(match, {"kind": "undo"}, f"{step.key}-undo", step)


UNDOES: Mapping[str, Callable[[Event, Mapping[str, Any], Step], bool]] = {
    "seat": _unseat,
    "start": _unseat,
    "next-match": _unseat,
    "last-hand": _cancel_last_hand,
    "close": _reopen,
    "forfeit": _take_back_forfeit,
    "withdraw": _take_back_forfeit,
    "clock": _put_back_clocks,
    "result": _take_back_result,
    "play": _unseat,
    "part": _unseat,
    "open": _close_line_ups,
    "score": _take_back_score,
    "confirm": _take_back_score,
    "absent": _take_back_forfeit,
    "end": _take_back_end,
    "reseat": _take_back_reseat,
}
"""By kind of step, how to undo its effects outside the event's log. Other steps have no such effects."""
