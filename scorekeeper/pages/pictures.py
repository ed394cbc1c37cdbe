"""What a chat shows of a link: a title, a sentence, and a picture of the ranking, the player or the match's end."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper.drawing import match_picture, player_picture, ranking_picture
from scorekeeper.drawing.rating_line import Point
from scorekeeper.drawing.share import BEST, Line, Place, Record, SideEnd
from scorekeeper.models import Match, SeatResult
from scorekeeper.pages.match import Side, match_line
from scorekeeper.pages.player import PlayerPage
from scorekeeper.pages.player_ratings import awaited
from scorekeeper.pages.ratings import Asked, ranked
from scorekeeper.words import together


@dataclass(frozen=True, slots=True)
class Preview:
    title: str
    says: str
    """The rest in one line."""
    svg: str
    png: str
    page: str
    """The page as an address for everybody who can reach the server."""
    picture: str
    """The PNG as such an address."""


@dataclass(frozen=True, kw_only=True)
class Previewed:
    preview: Preview | None
    """None if there is nothing to show yet."""


def _previewed(base: str, name: str, of: Sequence[object], query: str, title: str, says: str) -> Previewed:
    """`base` is the address of the server, `name` that of the page, and with its kind that of the picture."""
    asked = f"?{query}" if query else ""
    svg, png = (f"{reverse(f'{name}_{kind}', args=of)}{asked}" for kind in ("svg", "png"))
    page = f"{base}{reverse(name, args=of)}{asked}"
    return Previewed(preview=Preview(title, says, svg, png, page, f"{base}{png}"))


# --- a ranking -----------------------------------------------------------------------------------------------
def ranking_previewed(asked: Asked, base: str) -> Previewed:
    """No query."""
    if not asked.group:
        return Previewed(preview=None)
    title = " · ".join([_("Ranking"), *([asked.club.name] if asked.club else [])])
    name, of = ("club_ranking", [asked.club.slug]) if asked.club else ("ranking", [])
    return _previewed(base, name, of, asked.query, title, _about(asked))


def ranking_drawn(asked: Asked) -> str:
    """The first people of the ranking as a picture. Four queries at most, and one more if a name is looked for."""
    rows = ranked(asked, at_most=BEST)[0]
    names = Counter(row.player.name for row in rows)
    places = [
        Place(
            row.place,
            row.player.name,
            row.rating.shown,
            row.rating.uncertainty,
            row.places,
            ", ".join(row.clubs) if not asked.club and names[row.player.name] > 1 else "",
        )
        for row in rows
    ]
    title, about = (
        (asked.club.name, f"{_('Ranking')}: {_about(asked)}") if asked.club else (_("Ranking"), _about(asked))
    )
    nobody = _("Nobody fits these filters.") if asked.filters else _("Nobody has a rating here yet.")
    return ranking_picture(title, about, places, nobody)


def _about(asked: Asked) -> str:
    """The games, the day and the filters. A name is not repeated: whoever makes the link could write anything there."""
    filters = [each.text for each in asked.filters if each.field not in ("on", "name")]
    return " · ".join([each for each in (asked.label, date_format(asked.day, "j M Y"), *filters) if each])


# --- a player ------------------------------------------------------------------------------------------------
def player_previewed(page: PlayerPage, base: str) -> Previewed:
    """No query."""
    rating = [f"{each.name}: {each.rating.shown} ± {each.rating.uncertainty}" for each in page.ratings if each.chosen]
    says = " · ".join([*rating, *(f"{each.game}: {each.won}" for each in _records(page))]) or _("No match yet.")
    query = next((f"of={each.group}" for each in page.ratings if each.chosen), "")
    return _previewed(base, "player", [page.player.pk], query, f"{page.player.name} · {page.club.name}", says)


def player_drawn(page: PlayerPage) -> str:
    """The chosen rating with its line as a picture. No query."""
    chosen = next((each for each in page.ratings if each.chosen), None)
    return player_picture(
        page.player.name,
        page.club.name,
        games=chosen.name if chosen else _("No rating yet"),
        rating=str(chosen.rating.shown) if chosen else "",
        uncertainty=f"± {chosen.rating.uncertainty}" if chosen else "",
        record=_records(page),
        line=_line(page) if page.moments else None,
    )


def _line(page: PlayerPage) -> Line:
    moments = page.moments[::-1]
    points = [
        Point(int(each.end.timestamp()), each.after.shown, each.after.uncertainty, ("", ""), "", awaited(each, before))
        for before, each in zip([None, *moments], moments, strict=False)
    ]
    begin, end = (date_format(timezone.localtime(each.end), "j M Y") for each in (moments[0], moments[-1]))
    return Line(points, begin, end)


def _records(page: PlayerPage) -> list[Record]:
    return [
        Record(each.name, _("{won} of {n} won").format(won=each.record.won, n=each.record.played))
        for each in page.records
    ]


# --- the end of a match --------------------------------------------------------------------------------------
def match_previewed(match: Match, base: str) -> Previewed:
    """Three queries, none for a match that is not over."""
    if not match.sheet["finished"]:
        return Previewed(preview=None)
    sides = [" ".join(part for part in end if part) for end in _ends(match)]
    title = f"{_game_and_day(match)} · {match.club.name}"
    return _previewed(base, "match", [match.pk], "", title, " – ".join(sides))


def match_drawn(match: Match) -> str:
    """The sides of a match that is over as a picture, by place. Three queries."""
    return match_picture(_game_and_day(match), match.club.name, _ends(match))


def _game_and_day(match: Match) -> str:
    return f"{_(GAMES[match.game].name)} · {date_format(timezone.localtime(match.created_at), 'j M Y')}"


def _ends(match: Match) -> list[SideEnd]:
    results = SeatResult.objects.filter(match=match).values_list("side", "place")
    places = {side: place for side, place in results if place}
    sides = match_line(match).sides
    order = sorted(range(len(sides)), key=lambda side: places.get(side, len(sides)))
    return [
        SideEnd(together(side.names), "" if side.points is None else str(side.points), _mark(side))
        for side in (sides[number] for number in order)
    ]


def _mark(side: Side) -> str:
    if side.won:
        return _("won")
    return _("tied") if side.tied else ""
