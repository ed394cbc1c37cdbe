"""Some are shown by initials, and some are hidden: the public reads A. B. where they played, hosts and the phones at
their table the whole name."""

import re
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from itertools import product

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import URLResolver, get_resolver

from scorekeeper.access import Actor
from scorekeeper.live import Topic, parts
from scorekeeper.models import AuditEntry, Club, Event, Match, Player, Season, Table
from scorekeeper.services import (
    clubs,
    deleting,
    events,
    initials,
    people,
    persons,
    recording,
    removing,
    seasons,
    tournaments,
)
from scorekeeper.services.people import Typist, Unsure
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.crawling import everything
from tests.nights import at, first, names_of, seated
from tests.scorekeeper.test_ratings_kept import TWO, work_off
from tests.scorekeeper.test_ratings_kept import played as rated_match
from tests.tournaments import made, released, setup_of
from tests.tournaments import played as play

NAME = "Zdenka Quast"
HIDDEN, BEFORE, ALSO = "Hilda Kranz", "Hilda Stolz", "H. Krantzova"
SECRET = ("Quast", "Kranz", "Stolz", "Krantzova")


def set_initials(cast: Cast, player: Player, value: bool = True) -> None:
    people.set_state(club=cast.club, player_id=player.pk, field="initials", value=value, now=NOW)


@pytest.fixture
def shy(cast: Cast) -> Player:
    """Somebody who played in a tournament and on a night, and came in for somebody else."""
    zdenka, *others = (clubs.player_add(club=cast.club, name=name, now=NOW) for name in [NAME, BEFORE, *names_of(4)])
    ids = [each.pk for each in (zdenka, *others)]
    cup = tournaments.start(club=cast.club, name="Cup", setup=setup_of("block", "heads"), step=first("cup"))
    tournaments.enter(event_id=cup.pk, entrants=[[each] for each in ids], step=at(cup, "enter"))
    made(cup)
    for match in released(cup):
        play(match)
    for entrant, name in enumerate((NAME, BEFORE), 1):
        late = {"entrant": entrant, "round_number": 1, "points": 1, "reason": f"{name} was late"}
        tournaments.penalise(event_id=cup.pk, step=at(cup, f"late-{entrant}"), **late)
    night = events.start(club=cast.club, players=ids, step=first("start"))
    hers, other, _third = sorted(
        seated(night, games=("block",), hands=2), key=lambda each: not each.seats.filter(player=zdenka).exists()
    )
    play(hers)
    play(other, moves=4)  # few enough for the first hand to be in play still
    entry = {"kind": "substitute", "seat": 0, "player": NAME, "from": 0}
    recording.record(match_id=other.pk, seen=4, key="s", entry=entry, by=Actor(), now=NOW)
    return zdenka


@pytest.fixture
def hidden(cast: Cast, shy: Player) -> Player:
    """Somebody with a former name, who played in the same tournament and on the same night, and alone with the shy one;
    with a match under another name, in a season and in another club, and in ratings that were calculated again."""
    hilda = cast.club.players.get(name=BEFORE)
    clubs.player_rename(club=cast.club, player_id=hilda.pk, name=HIDDEN, now=NOW)
    for event in cast.club.events.all():
        events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    first_match = rated_match(cast, TWO, (NAME, HIDDEN), [90, 10])
    rated_match(cast, TWO, (ALSO, names_of(1)[0]), [90, 10])
    also = cast.club.players.get(name=ALSO)
    people.merge(club=cast.club, player_id=also.pk, into_id=hilda.pk, now=NOW)
    there = cast.other_club.players.get(name="Cleo")
    persons.ask(club=cast.club, player_id=hilda.pk, other_id=there.pk, at_once=True, by=None, now=NOW)
    days = {"starts_on": NOW.date(), "ends_on": NOW.date() + timedelta(days=100)}
    season = {"name": "Spring", "of": "tournaments", "by": "place", "group": "", "points": [3, 2, 1], "best": None}
    seasons.make(club=cast.club, new={**season, **days}, by=None, now=NOW)
    work_off()
    removing.remove(match_id=first_match.pk, why=f"{HIDDEN} was not there", now=NOW, by=None)
    work_off()
    removing.restore(match_id=first_match.pk, now=NOW, by=None)
    work_off()
    ids = [*cast.club.players.filter(merged_into=None).values_list("pk", flat=True)]
    night = events.start(club=cast.club, players=ids, step=first("again"))
    for match in seated(night, games=("block",), hands=2):
        play(match, moves=5)
    return hilda


# What stands in addresses, after the words before it.
OF_ADDRESSES = re.compile(r"(\w+)/<\w+:\w+>")


def addresses() -> list[str]:
    """Every address of a page about something that is stored, also those to which no link leads."""
    there = {
        "clubs": [*Club.objects.values_list("slug", flat=True)],
        "players": [*Player.objects.values_list("pk", flat=True)],
        "against": [*Player.objects.filter(name__in=[NAME, HIDDEN]).values_list("pk", flat=True)],
        "matches": [*Match.every.values_list("pk", flat=True)],
        "seasons": [*Season.objects.values_list("pk", flat=True)],
        "tables": [*Table.objects.values_list("pk", flat=True)],
        "nights": [*Event.objects.filter(kind="night").values_list("pk", flat=True)],
        "tournaments": [*Event.objects.filter(kind="tournament").values_list("pk", flat=True)],
        "entrants": [1, 2],
        "hands": [0],
    }
    there |= {"with": there["against"], "tv": there["nights"] + there["tournaments"]}
    found = []
    for route in routes(get_resolver()):
        places = OF_ADDRESSES.findall(route)
        if {*places} <= there.keys() and not route.endswith(".png"):  # they are made of the SVG
            form = OF_ADDRESSES.sub(r"\1/{}", route)
            found += ["/" + form.format(*each) for each in product(*(there[place] for place in places))]
    return found


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from routes(each, f"{before}{each.pattern}")
        else:
            yield f"{before}{each.pattern}"


def told(visitor: Client) -> dict[str, str]:
    """Everything that a visitor can find."""
    players = [*Player.objects.values_list("pk", flat=True)]
    asked = [
        address
        for name in ("Zdenka", "Hilda", "Krant")
        for address in (f"/search/?q={name}", *(f"/players/{player}/compare/?name={name}" for player in players))
    ]
    return dict(everything(visitor, [*addresses(), *asked]))


def streamed(cast: Cast) -> dict[str, str]:
    """What programs and open pages get when something changes."""
    found = {}
    topics = [Topic("club", cast.club.pk), *(Topic("match", match.pk) for match in Match.objects.all())]
    topics += [Topic.of_event(event) for event in Event.objects.all()]
    topics += [Topic("table", table.pk) for table in cast.club.tables.all()]
    for topic in topics:
        for part in ["", *parts.renderers]:
            if parts.has(part, topic.kind) and part not in parts.OF_PHONES:
                found[f"{topic} {part}"] = parts.drawn(topic, part, "en", topic.newest()).text
    return found


def leaks(found: dict[str, str]) -> list[str]:
    return [address for address, text in found.items() if any(name in text for name in SECRET)]


def test_the_public_reads_initials_everywhere(cast: Cast, shy: Player, hidden: Player) -> None:
    # The main pages fill what the server keeps in memory.
    before = {each: Client().get(each).content.decode() for each in addresses() if each.count("/") == 3}
    before |= streamed(cast)
    assert len(leaks(before)) > 40
    set_initials(cast, shy)
    people.set_state(club=cast.club, player_id=hidden.pk, field="hidden", value=True, now=NOW)
    after = told(Client()) | streamed(cast)
    assert leaks(after) == []
    assert sum("Z. Q." in text for text in after.values()) > 20
    assert sum("H. K." in text for text in after.values()) > 10
    lists = ["/players/", "/ranking/", "/search/?q=Hilda"]
    lists += [f"/clubs/{cast.club.slug}/{what}/" for what in ("ranking", "ranking/changes", "records", "seasons")]
    assert not [each for each in [*lists, f"/seasons/{Season.objects.get().pk}/"] if "H. K." in after[each]]
    set_initials(cast, shy, value=False)
    people.set_state(club=cast.club, player_id=hidden.pk, field="hidden", value=False, now=NOW)
    for name, player in ((NAME, shy), (HIDDEN, hidden)):
        assert name in Client().get(f"/players/{player.pk}/").content.decode()
        night = cast.club.events.filter(kind="night").latest("pk")
        assert name in Client().get(f"/nights/{night.pk}/").content.decode()


def test_who_was_hidden_before_is_shown_by_initials_since(cast: Cast, shy: Player, hidden: Player) -> None:
    set_initials(cast, shy)
    Player.objects.filter(pk=hidden.pk).update(hidden=True)
    migration = import_module("scorekeeper.migrations.0026_hidden_by_initials")
    migration.shorten(apps, connection.schema_editor())
    cast.club.refresh_from_db()
    by_migration = cast.club.initials
    initials.follow([cast.club.pk], now=NOW)
    cast.club.refresh_from_db()
    assert by_migration == cast.club.initials
    assert by_migration["hilda stolz"] == "H. K."


def test_a_deleted_name_is_not_shortened(cast: Cast, shy: Player) -> None:
    for event in cast.club.events.all():
        events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    people.set_state(club=cast.club, player_id=shy.pk, field="hidden", value=True, now=NOW)
    deleting.start(club=cast.club, player_id=shy.pk, now=NOW)
    cast.club.refresh_from_db()
    assert cast.club.initials == {}


def test_hosts_and_the_phones_at_their_table_read_the_whole_name(cast: Cast, shy: Player) -> None:
    set_initials(cast, shy)
    host, night = cast.browser("director"), cast.club.events.get(kind="night")
    match = night.matches.get(finished_at=None, substitutes__player=shy)
    for address in (
        f"/nights/{night.pk}/desk/",
        f"/clubs/{cast.club.slug}/players/",
        f"/clubs/{cast.club.slug}/audit/",
    ):
        assert NAME in host.get(address).content.decode(), address
    assert match.table
    elsewhere = cast.club.tables.exclude(pk=match.table.pk).latest("pk")
    assert NAME in cast.phone(table=match.table).get(f"/api/v1/matches/{match.pk}/record/").content.decode()
    assert NAME not in cast.phone(table=elsewhere).get(f"/api/v1/matches/{match.pk}/record/").content.decode()
    assert NAME in parts.drawn(Topic("table", match.table.pk), "pad", "en", 0).text


def test_nobody_is_asked_whether_they_meant_somebody_shown_by_initials(cast: Cast, shy: Player) -> None:
    set_initials(cast, shy)
    people.named(cast.club, ["Zdenka Quasd"], typist=Typist(host=False), now=NOW)
    with pytest.raises(Unsure):
        people.named(cast.club, ["Zdenka Quasz"], typist=Typist(host=True), now=NOW)


def test_people_of_the_same_initials_are_told_apart(cast: Cast) -> None:
    for name in ("Ana Blum", "Abel Bohr", "a. b. 2", "Ana"):
        set_initials(cast, clubs.player_add(club=cast.club, name=name, now=NOW), value=name != "a. b. 2")
    cast.club.refresh_from_db()
    assert cast.club.initials == {"ana blum": "A. B.", "abel bohr": "A. B. 3", "ana": "A."}


def test_other_clubs_have_their_own(cast: Cast) -> None:
    """A namesake in another club is shown as ever."""
    set_initials(cast, clubs.player_add(club=cast.club, name="Cleo", now=NOW))
    assert "Cleo" in Client().get(f"/clubs/{cast.other_club.slug}/").content.decode()
    page = Client().get(f"/clubs/{cast.club.slug}/").content.decode()
    assert "Cleo" not in page
    assert "C." in page
    # But not where both clubs are: there she would tell the name of the first one.
    away = cast.other_club.players.get(name="Cleo")
    here = clubs.player_add(club=cast.club, name="Bo", now=NOW)
    for one, two in ((here, away), (away, here)):
        said = Browser().open(f"/players/{one.pk}/against/{two.pk}/").words
        assert "C." in said
        assert "Cleo" not in said


def test_a_new_name_has_new_initials_and_old_ones_stay_short(cast: Cast) -> None:
    shy = clubs.player_add(club=cast.club, name=NAME, now=NOW)
    set_initials(cast, shy)
    clubs.player_rename(club=cast.club, player_id=shy.pk, name="Zoe Rank", now=NOW)
    cast.club.refresh_from_db()
    assert cast.club.initials == {"zdenka quast": "Z. R.", "zoe rank": "Z. R."}
    other = clubs.player_add(club=cast.club, name="Zed Quast", now=NOW)
    people.merge(club=cast.club, player_id=other.pk, into_id=shy.pk, now=NOW)
    cast.club.refresh_from_db()
    assert cast.club.initials["zed quast"] == "Z. R."


def test_the_host_sets_it_on_the_page_of_the_person(cast: Cast, shy: Player) -> None:
    host = Browser(cast.browser("director"))
    host.open(f"/clubs/{cast.club.slug}/players/{shy.pk}/").press("Show initials only")
    assert "initials only" in host.words
    host.press("Show the whole name")
    shy.refresh_from_db()
    assert not shy.initials
    kinds = AuditEntry.objects.filter(kind__startswith="player-").order_by("pk").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["player-initials", "player-named"]
