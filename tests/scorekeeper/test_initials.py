"""Some are shown by initials: the public reads A. B. everywhere, hosts and the phones at their table the whole name."""

import pytest
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.live import Topic, parts
from scorekeeper.models import AuditEntry, Event, Match, Player
from scorekeeper.services import clubs, events, people, recording, tournaments
from scorekeeper.services.people import Typist, Unsure
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.crawling import everything
from tests.nights import at, first, names_of, seated
from tests.tournaments import made, released, setup_of
from tests.tournaments import played as play

NAME = "Zdenka Quast"


def set_initials(cast: Cast, player: Player, value: bool = True) -> None:
    people.set_state(club=cast.club, player_id=player.pk, field="initials", value=value, now=NOW)


@pytest.fixture
def shy(cast: Cast) -> Player:
    """Somebody who played in a tournament and on a night, and came in for somebody else."""
    zdenka, *others = (clubs.player_add(club=cast.club, name=name, now=NOW) for name in [NAME, *names_of(5)])
    ids = [each.pk for each in (zdenka, *others)]
    cup = tournaments.start(club=cast.club, name="Cup", setup=setup_of("block", "heads"), step=first("cup"))
    tournaments.enter(event_id=cup.pk, entrants=[[each] for each in ids], step=at(cup, "enter"))
    made(cup)
    for match in released(cup):
        play(match)
    night = events.start(club=cast.club, players=ids, step=first("start"))
    hers, other, _third = sorted(
        seated(night, games=("block",), hands=2), key=lambda each: not each.seats.filter(player=zdenka).exists()
    )
    play(hers)
    play(other, moves=8)
    entry = {"kind": "substitute", "seat": 0, "player": NAME, "from": 0}
    recording.record(match_id=other.pk, seen=8, key="s", entry=entry, by=Actor(), now=NOW)
    return zdenka


def told(cast: Cast, visitor: Client) -> dict[str, str]:
    """Everything that a visitor can find from the first page on, and what programs and streams get."""
    pages = ["/", f"/clubs/{cast.club.slug}/", "/search/?q=Zdenka"]
    pages += [f"/players/{each.pk}/" for each in Player.objects.all()]
    pages += [f"/players/{each.pk}/compare/?name=Zdenka" for each in cast.other_club.players.all()]
    pages += [f"/api/v1/matches/{match.pk}/{more}" for match in Match.objects.all() for more in ("", "record/")]
    pages += [
        f"/api/v1/tournaments/{cup.pk}/{more}"
        for cup in Event.objects.filter(kind="tournament")
        for more in ("", "file/", "standings/")
    ]
    found = dict(everything(visitor, pages))
    topics = [Topic("club", cast.club.pk), *(Topic("match", match.pk) for match in Match.objects.all())]
    topics += [Topic.of_event(event) for event in Event.objects.all()]
    topics += [Topic("table", table.pk) for table in cast.club.tables.all()]
    for topic in topics:
        for part in ["", *parts.renderers]:
            if parts.has(part, topic.kind) and part not in parts.OF_PHONES:
                found[f"{topic} {part}"] = parts.drawn(topic, part, "en", topic.newest()).text
    return found


def leaks(found: dict[str, str]) -> list[str]:
    return [address for address, text in found.items() if "Quast" in text or NAME in text]


def test_the_public_reads_initials_everywhere(cast: Cast, shy: Player) -> None:
    told(cast, cast.browser("director"))  # fills what the server keeps in memory
    set_initials(cast, shy)
    after = told(cast, Client())
    assert leaks(after) == []
    assert sum("Z. Q." in text for text in after.values()) > 20
    set_initials(cast, shy, value=False)
    assert NAME in Client().get(f"/players/{shy.pk}/").content.decode()
    assert NAME in Client().get(f"/nights/{cast.club.events.get(kind='night').pk}/").content.decode()


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
