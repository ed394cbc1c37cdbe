"""The order in which a director seeds a knock-out."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import events
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.words import listed


@in_one_transaction
def order(*, event_id: int, seeds: Mapping[int, int | None], step: Step) -> None:
    """Seeds the entrants by these numbers, by start number: the smallest is first. If nobody has one, the seeds are by
    rating, start number or lots, as the setup says.

    Refused "no-seed" for somebody without one, "same-seed" if two have one, "no-such-seed" for one above the number of
    entrants, "not-seeds" if they are not those who take
    part, "begun" once the first round is seated.
    """
    given = {entrant: seed for entrant, seed in seeds.items() if seed is not None}
    asked = {"kind": "seeds", "entrants": sorted(given, key=lambda entrant: (given[entrant], entrant))}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = tournament_in(event)
    names = dict(event.club.players.values_list("pk", "name"))

    def named(entrants: list[int]) -> str:
        return listed([state.named(each, names.__getitem__) for each in entrants if each in state.entrants])

    if given and (missing := [entrant for entrant in state.taking_part if entrant not in given]):
        text = _("No seed: {names}. Type one for everybody, or for nobody.")
        raise Refused("no-seed", text.format(names=named(missing)))
    for seed in sorted({*given.values()}):
        same = [entrant for entrant, each in given.items() if each == seed]
        if len(same) > 1:
            text = _("Seed {seed} is there twice: {names}. Give each entrant another one.")
            raise Refused("same-seed", text.format(seed=seed, names=named(same)))
    if given and max(given.values()) > len(given):
        text = _("Seed {seed} is too high: number the entrants from 1 to {n}.")
        raise Refused("no-such-seed", text.format(seed=max(given.values()), n=len(given)))
    events.append(event, asked, step)
