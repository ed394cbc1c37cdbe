"""The page of everybody on the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from scorekeeper.access import Actor, clubs_listed, matches_for, players_listed
from scorekeeper.forms.search import EverybodyForm
from scorekeeper.models import Club, Player
from scorekeeper.selectors.everybody import letters_of, matches_counted, of_the_same, persons
from scorekeeper.selectors.search import MOST_PEOPLE, known_people

AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Somebody:
    player: Player
    clubs: Sequence[Club]
    matches: int


@dataclass(frozen=True, kw_only=True)
class EverybodyPage:
    form: EverybodyForm
    people: Sequence[Somebody]
    narrowed: bool
    """Whether only some people were asked for."""
    more: bool
    """Whether more people fit than can be listed."""
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""


def everybody_page(actor: Actor, asked: Mapping[str, str]) -> EverybodyPage:
    """Five queries, and five more if a name is looked for."""
    seen = players_listed(actor)
    form = EverybodyForm(asked, clubs_listed(actor).order_by("name", "pk"), letters_of(seen))
    form.full_clean()
    wanted = form.cleaned_data
    text, page = " ".join(wanted.get("q", "").split()), wanted.get("page") or 1
    narrowed = seen
    if wanted.get("club"):
        narrowed = narrowed.filter(club=wanted["club"])
    if wanted.get("letter"):
        narrowed = narrowed.filter(name_words__startswith=wanted["letter"])
    fits = dict(known_people(seen, text).fits[text][:MOST_PEOPLE]) if text else {}
    found = persons(narrowed.filter(pk__in=fits) if text else narrowed).select_related("club")
    start = (page - 1) * AT_ONCE
    if text:
        order = {pk: place for place, pk in enumerate(fits)}
        rows = sorted(found, key=lambda player: order[player.pk])[start : start + AT_ONCE + 1]
    else:
        rows = list(found[start : start + AT_ONCE + 1])
    same = of_the_same(seen, rows[:AT_ONCE])
    counted = matches_counted(matches_for(actor), (player for players in same for player in players))
    kept = {name: value for name, value in (*wanted.items(), ("q", text)) if value and name != "page"}
    return EverybodyPage(
        form=form,
        people=[
            Somebody(players[0], [each.club for each in players], sum(counted.get(each.pk, 0) for each in players))
            for players in same
        ],
        narrowed=bool(kept),
        more=len(fits) == MOST_PEOPLE,
        earlier=urlencode({**kept, "page": page - 1}) if page > 1 else "",
        later=urlencode({**kept, "page": page + 1}) if len(rows) > AT_ONCE else "",
    )
