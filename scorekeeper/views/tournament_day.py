"""The steps of a director while a round is played: its clock, results, matches that end early, penalties."""

from collections.abc import Callable
from random import SystemRandom
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper.forms import directing as typed
from scorekeeper.forms.nights import ticked
from scorekeeper.models import Event
from scorekeeper.pages import context
from scorekeeper.pages.tournament_reseat import reseat_page
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournaments import match_at, tournament_of
from scorekeeper.services import directing, events, free_play, tournaments
from scorekeeper.services.events import Step

Make = Callable[[HttpRequest, Event, Step, list[int]], None]


def _start(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    minutes = typed.minutes(request.POST)
    directing.set_clock(event_id=found.pk, do="start", round_number=numbers[0], minutes=minutes, step=step)


def _turned(do: directing.ClockStep) -> Make:
    def make(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
        directing.set_clock(event_id=found.pk, do=do, round_number=numbers[0], step=step)

    return make


def _more(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    """For one table, or without a number for all."""
    table, minutes = request.POST.get("table", ""), typed.minutes(request.POST)
    only = typed.whole(table, what=_("Table"), least=1, most=10**6) if table.strip() else None
    directing.set_clock(event_id=found.pk, do="more", round_number=numbers[0], table=only, minutes=minutes, step=step)


def _last_hand(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    events.call_last_hand(event_id=found.pk, step=step)


def _no_show(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    directing.offer_no_show(event_id=found.pk, minutes=typed.minutes(request.POST), step=step)


def _result(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    round_number, table = numbers
    now = event_now(found)
    match = match_at(now, round_number, table)
    if match is None:
        text = _("No match was drawn for table {table} of round {n}. Draw the round first, or choose another table.")
        raise Http404(text.format(table=table, n=round_number))
    sides = len(GAMES[match.game].sides(len(match.sheet["totals"])))
    totals = typed.totals(request.POST, sides, tournament_of(now).absent_at(round_number, table))
    early = request.POST.get("early") == "yes"
    directing.type_result(
        event_id=found.pk, round_number=round_number, table=table, totals=totals, early=early, step=step
    )


def _count(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    round_number, table = numbers
    directing.end_match(event_id=found.pk, round_number=round_number, table=table, how="time", step=step)


def _abandon(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    round_number, table = numbers
    directing.end_match(event_id=found.pk, round_number=round_number, table=table, how="abandoned", step=step)


def _next_match(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    round_number, table = numbers
    directing.next_match(event_id=found.pk, round_number=round_number, table=table, step=step)


def _reseat(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    directing.reseat(event_id=found.pk, **_swap(request, found), step=step)


def ask_reseat(request: HttpRequest, found: Event) -> HttpResponse:
    """The page that says what the swap does, and asks. It sends everything again that was sent. Refused as the swap."""
    swap = directing.swap_of(found, **_swap(request, found))
    page = reseat_page(event_now(found), swap, request.POST.dict())
    return render(request, "scorekeeper/tournament_reseat.html", context(page))


def _swap(request: HttpRequest, found: Event) -> dict[str, Any]:
    """Two entrants of a round, what is true of their tables, and why. Free play asks for no round."""
    sent = request.POST
    entrants = [typed.entrant(sent.get(name, "")) for name in ("one", "other")]
    return {
        "round_number": typed.whole(sent["round"], what=_("Round"), least=1, most=10**6)
        if "round" in sent
        else directing.newest_round(found, entrants),
        "entrants": entrants,
        "how": typed.truth(sent),
        "why": sent.get("why", ""),
    }


def _penalise(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    tournaments.penalise(
        event_id=found.pk,
        entrant=typed.entrant(request.POST.get("entrant", "")),
        round_number=numbers[0],
        points=typed.points(request.POST.get("points", "")),
        reason=request.POST.get("reason", ""),
        step=step,
    )


def _cancel_penalty(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    reason = request.POST.get("reason", "")
    tournaments.cancel_penalty(event_id=found.pk, number=numbers[0], reason=reason, step=step)


# --- free play ---------------------------------------------------------------------------------------------
def _match(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    free_play.match(event=found, only_new=request.POST.get("again") != "yes", rng=SystemRandom(), step=step)


def _start_table(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    table = request.POST.get("table", "")
    only = typed.whole(table, what=_("Table"), least=1, most=10**6) if table.strip() else None
    free_play.start(event_id=found.pk, entrants=ticked(request.POST, "who"), table=only, rng=SystemRandom(), step=step)


def _swap_drafted(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    two = [typed.entrant(request.POST.get(name, "")) for name in ("one", "other")]
    free_play.swap(event_id=found.pk, entrants=two, step=step)


def _rest(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    free_play.rest(event_id=found.pk, entrants=numbers, step=step)


def _play_on(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    free_play.play_on(event_id=found.pk, entrants=numbers, step=step)


STEPS: dict[str, tuple[int, Make]] = {
    "match": (0, _match),
    "start": (0, _start_table),
    "swap-drafted": (0, _swap_drafted),
    "rest": (1, _rest),
    "play-on": (1, _play_on),
    "clock-start": (1, _start),
    "clock-run": (1, _turned("run")),
    "clock-pause": (1, _turned("pause")),
    "clock-go-on": (1, _turned("go-on")),
    "clock-more": (1, _more),
    "last-hand": (0, _last_hand),
    "no-show": (0, _no_show),
    "result": (2, _result),
    "count": (2, _count),
    "abandon": (2, _abandon),
    "next-match": (2, _next_match),
    "reseat": (0, _reseat),
    "penalise": (1, _penalise),
    "cancel-penalty": (1, _cancel_penalty),
}
"""By name: how many numbers follow it, and what it does."""
