"""The search: who finds which people, matches, nights and tournaments."""

import random
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

import games
from scorekeeper.access import Actor
from scorekeeper.forms.search import days_meant
from scorekeeper.models import Club, Event, Match, Player
from scorekeeper.names import alphabetical, fit, meant
from scorekeeper.selectors.search import known_people, people_meant
from scorekeeper.services import clubs, matches, people
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.copies import copies

PAIRS = next(slug for slug, game in games.GAMES.items() if game.seats == (2,))


def played(cast: Cast, *names: str, sheet: str = "", event: Event | None = None) -> Match:
    match = matches.open_match(
        table=cast.table, game=PAIRS, options={}, players=names, by=Actor(), now=NOW, parallel=True
    )
    Match.objects.filter(pk=match.pk).update(paper=sheet, event=event)
    return enter(match, [{"kind": "result", "totals": [90, 10], "stopped": "early"}])


def found(text: str, browser: Browser | None = None) -> list[str]:
    """The addresses to which the results lead."""
    page = (browser or Browser()).open(f"/search/?q={text}")
    assert page.status == 200
    results = page.markup.partition("<h1>")[2].partition("</form>")[2].partition("</main>")[0]
    return re.findall(r'<a href="([^"]+)"', results)


def of_matches(*which: Match) -> list[str]:
    return [f"/matches/{match.pk}/" for match in which]


def of_player(player: Player) -> str:
    return f"/players/{player.pk}/"


@pytest.fixture
def host(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("director"))


@pytest.fixture
def member(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("player"))


def test_nothing_typed_and_nothing_found_say_what_to_do(cast: Cast, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert "Type the name of a player" in Browser().open("/search/").words
    page = Browser().open("/search/?q=zzzz")
    assert "Nothing found. Check the spelling" in page.words
    assert "To find a match, type who played." in Browser().open("/search/?q=24+Nov").words
    assert Browser().open("/search/?q=%00").status == 200
    assert Browser().open("/search/?page=x&q=" + "a" * 81).status == 200


def test_every_page_has_the_field_and_the_pad_has_not(cast: Cast) -> None:
    assert 'action="/search/"' in Browser().open("/clubs/rovers/").markup
    phone = Browser(cast.phone().client)
    phone.client.get(f"/t/{cast.phone().token}/")
    assert 'action="/search/"' not in phone.open(f"/tables/{cast.table.pk}/").markup


def test_people_are_found_in_spite_of_accents_and_slips(cast: Cast, host: Browser) -> None:
    jose = cast.club.players.create(name="José Núñez")
    maria = cast.club.players.create(name="Мария Иванова")
    for typed, player in (("jose", jose), ("NUNEZ jo", jose), ("jose nunes", jose), ("мария ивнова", maria)):
        assert found(typed) == [of_player(player)]
    for_hosts = f'href="/clubs/rovers/players/{jose.pk}/"'
    assert for_hosts in host.open("/search/?q=jose").markup
    assert for_hosts not in Browser().open("/search/?q=jose").markup


def test_former_names_and_merged_people_lead_to_the_person_who_counts(cast: Cast, host: Browser) -> None:
    played(cast, "Dave", "Bo")
    dave, anna = cast.club.players.get(name="Dave"), cast.club.players.create(name="Anna Smith")
    clubs.player_rename(club=cast.club, player_id=anna.pk, name="Anna Jones", now=NOW)
    people.merge(club=cast.club, player_id=dave.pk, into_id=anna.pk, now=NOW)
    match = Match.objects.get()
    for typed in ("anna smith", "dave", "jones"):
        assert found(typed) == [of_player(anna), *of_matches(match)]
    assert Browser().open(of_player(dave)).path == of_player(anna)
    assert f'href="/matches/{match.pk}/"' in Browser().open(of_player(anna)).markup
    # Only a host reads which other name it is: a visitor who types its beginning must not learn the rest.
    assert "also Anna Smith" in host.open("/search/?q=smith").words
    assert "Smith" not in Browser().open("/search/?q=smi").words


def test_who_is_linked_in_several_clubs_is_one_line_with_all_of_them(cast: Cast, host: Browser) -> None:
    here = cast.club.players.create(name="Zora Hill")
    away = cast.other_club.players.create(name="Zora Hill-Moss")
    Player.objects.filter(pk__in=[here.pk, away.pk]).update(person=here)
    both = f"{cast.club.name} · {cast.other_club.name}"
    for typed, player, clubs_named in (
        ("zora", here, both),
        ("hill moss", away, f"{cast.other_club.name} · {cast.club.name}"),
        ("zroa hill", here, both),  # as a guess
    ):
        assert found(typed) == [of_player(player)]
        assert clubs_named in Browser().open(f"/search/?q={typed}").words
        # The host works with the name at their own club.
        assert host.open(f"/search/?q={typed}").markup.count(f'href="/clubs/rovers/players/{here.pk}/"') == 1
    Player.objects.filter(pk=here.pk).update(hidden=True)
    assert found("zora") == [of_player(away)]
    assert both not in Browser().open("/search/?q=zora").words


def test_hidden_people_are_found_by_hosts_only(cast: Cast, host: Browser, member: Browser) -> None:
    match = played(cast, "Ana", "Bo")
    ana, bo = cast.club.players.get(name="Ana"), cast.club.players.get(name="Bo")
    twin = cast.club.players.create(name="Anastasia", merged_into=ana)
    cast.club.players.filter(name="Ana").update(hidden=True)
    Player.objects.filter(club=cast.other_club).delete()
    for visitor in (Browser(), member):
        assert found("ana", visitor) == found("anastasia", visitor) == found("ana bo", visitor) == []
        assert found("bo", visitor) == [of_player(bo), *of_matches(match)]
        assert visitor.open(of_player(ana)).status == visitor.open(of_player(twin)).status == 404
    assert found("ana", host) == [of_player(ana), *of_matches(match)]
    assert host.open(of_player(ana)).status == 200


def test_a_club_that_is_not_public_is_found_by_its_members_only(cast: Cast, member: Browser) -> None:
    match = played(cast, "Zora", "Zeno")
    cast.club.events.create(kind="night", name="Zebra", started_at=NOW)
    assert len(found("z")) == 4
    Club.objects.filter(pk=cast.club.pk).update(public=False)
    phone = Browser(cast.phone().client)
    assert found("z") == found("zebra") == found("z", phone) == []
    assert found("zora", member)[1:] == of_matches(match)


def test_a_host_of_another_club_is_a_visitor_here(cast: Cast, as_user: Callable[[str], Client]) -> None:
    cast.club.players.create(name="Zora", hidden=True)
    cast.club.events.create(kind="tournament", name="Zebra", started_at=NOW, public=False)
    assert found("zora", Browser(as_user("stranger"))) == found("zebra", Browser(as_user("stranger"))) == []
    assert len(found("zora", Browser(as_user("owner")))) == len(found("zebra", Browser(as_user("owner")))) == 1


def test_matches_are_found_by_all_who_sat_there(cast: Cast) -> None:
    Player.objects.filter(club=cast.other_club).delete()
    both, other, full = played(cast, "Ana", "Bo"), played(cast, "Ana", "Cleo"), played(cast, "Ana Bo", "Cleo")
    assert found("ana cleo") == of_matches(full, other)
    for typed in ("ana, bo", "Ana %26 Bo", "bo vs ana", "ana and bo", "ana y bo"):
        assert both.pk in [int(href.split("/")[2]) for href in found(typed) if href.startswith("/matches/")]
        assert other.pk not in [int(href.split("/")[2]) for href in found(typed) if href.startswith("/matches/")]
    # First the matches of the person with the whole name, although another match fits too.
    assert [href for href in found("ana bo") if "/matches/" in href] == of_matches(full, both)


def test_whole_words_come_before_words_that_begin_so_and_these_before_others(cast: Cast) -> None:
    Player.objects.filter(club=cast.other_club).delete()
    anabel, exact = played(cast, "Anabel", "Bo Berg"), played(cast, "Ana Blum", "Bo Berg")
    hana = [played(cast, "Hana Li", "Bo Berg") for _match in range(2)]
    for typed in ("ana bo", "bo, ana"):
        assert [href for href in found(typed) if "/matches/" in href] == of_matches(exact, anabel, *reversed(hana))
    assert [href for href in found("ana") if "/matches/" in href] == of_matches(exact, anabel, *reversed(hana))


def test_if_nothing_is_found_the_page_asks_who_was_meant(cast: Cast, django_assert_num_queries: Any) -> None:
    Player.objects.filter(club=cast.other_club).delete()
    blum, bo = cast.club.players.create(name="Ana Blum"), cast.club.players.create(name="Bo")
    cast.club.players.create(name="Ana Glum", hidden=True)
    cast.club.players.create(name="Ana Alum", initials=True)
    for typed, player in (("blun", blum), ("ANA blmu", blum), ("bbo", bo)):
        assert found(typed) == [of_player(player)]
    assert "Did you mean" in Browser().open("/search/?q=blun").words
    assert "Did you mean" not in Browser().open("/search/?q=blum").words
    with django_assert_num_queries(8):
        assert "Nothing found. Check" in Browser().open("/search/?q=qqqqqq").words


def test_a_substitute_and_a_sheet_number_find_the_match(cast: Cast) -> None:
    Player.objects.filter(club=cast.other_club).delete()
    match = played(cast, "Ana", "Bo", sheet="7-1.2")
    played(cast, "Ana", "Bo", sheet="7-1.3")
    match.substitutes.create(number=0, from_hand=0, player=cast.club.players.create(name="Cleo"), name="Cleo")
    assert found("cleo")[1:] == found("7-1.2") == of_matches(match)


def test_removed_matches_and_those_of_events_that_are_not_public_are_not_found(cast: Cast, host: Browser) -> None:
    Player.objects.filter(club=cast.other_club).delete()
    draft = cast.club.events.create(kind="tournament", name="Draft", started_at=NOW, public=False)
    gone = cast.club.events.create(kind="tournament", name="Gone", started_at=NOW, removed=True)
    removed, secret = played(cast, "Ana", "Bo"), played(cast, "Ana", "Bo", event=draft)
    played(cast, "Ana", "Bo", event=gone)
    Match.objects.filter(pk=removed.pk).update(removed=True)
    assert found("ana bo") == found("draft") == found("gone") == []
    assert found("ana bo", host) == of_matches(secret)
    assert found("draft", host) == [f"/tournaments/{draft.pk}/"]
    assert found("gone", host) == []


def test_more_matches_are_on_the_next_page(cast: Cast) -> None:
    Player.objects.filter(club=cast.other_club).delete()
    all_of_them = [played(cast, "Ana", "Bo") for _number in range(21)]
    ana = cast.club.players.get(name="Ana")
    page = Browser().open("/search/?q=ana")
    assert f"/matches/{all_of_them[0].pk}/" not in page.markup
    assert f"/matches/{all_of_them[0].pk}/" in page.follow("More").markup
    assert of_player(ana) in page.follow("Back").markup
    page = Browser().open(f"{of_player(ana)}matches/").follow("More")
    assert f"/matches/{all_of_them[0].pk}/" in page.markup


def test_nights_are_found_by_their_day_at_the_club(cast: Cast) -> None:
    """24 November begins at another time in Auckland."""
    Club.objects.filter(pk=cast.club.pk).update(time_zone="Pacific/Auckland")
    started = datetime(2026, 11, 23, 18, tzinfo=UTC)
    here = cast.club.events.create(kind="night", started_at=started, closed_at=started)
    there = cast.other_club.events.create(kind="night", name="Ünï night", started_at=started, closed_at=started)
    assert found("24 Nov") == found("2026-11-24") == found("Tuesday") == [f"/nights/{here.pk}/"]
    assert found("Monday") == found("uni") == [f"/nights/{there.pk}/"]
    assert found("Nov 2026") == [f"/nights/{there.pk}/", f"/nights/{here.pk}/"]
    assert "Tue 24 Nov 2026" in Browser().open("/search/?q=tuesday").words


DAY = date(2026, 11, 24)


ON_DAY = ["24 Nov", "24th of November 2026", "nov 24, 2026", "Tue 24 Nov 26", "2026-11-24", "2026 Nov 24", "24.11."]
ON_DAY += ["11/24/2026", "24/11/26", "November", "nov 2026", "11/2026", "2026", "TUESDAY"]


@pytest.mark.parametrize("typed", ON_DAY)
def test_a_day_is_typed_in_many_ways(typed: str) -> None:
    days = days_meant(typed)
    assert days is not None
    assert days.have(DAY)
    assert not days.have(date(2027, 10, 25))


def test_a_day_is_typed_in_the_language_of_the_page_or_in_english() -> None:
    with override("es"):
        meant = [days_meant(typed) for typed in ("24 de noviembre de 2026", "martes", "24 nov", "Tuesday")]
    assert all(days is not None and days.have(DAY) for days in meant)


@pytest.mark.parametrize("typed", ["", "Ana", "24", "32 Nov", "13/13", "Ana May", "12345", "1 2 3 4", "²", "٢٤ Nov"])
def test_other_text_is_no_day(typed: str) -> None:
    assert days_meant(typed) is None


@pytest.mark.parametrize("more", [0, 5000])
def test_the_price_of_a_search(cast: Cast, django_assert_num_queries: Any, host: Browser, more: int) -> None:
    for name in ("Ana Bell", "Ana Cole", "Ana Diaz"):
        match = played(cast, name, "Bo")
    copies(match, more, timedelta(seconds=1), new=[0, 1])
    cast.club.events.create(kind="night", name="Ana night", started_at=NOW)
    with django_assert_num_queries(12):
        Browser().open("/search/?q=ana")
    with django_assert_num_queries(16):
        host.open("/search/?q=ana")
    with django_assert_num_queries(15):
        Browser().open("/search/?q=ana+cole")


def test_clubs_are_found_by_their_names(cast: Cast, member: Browser) -> None:
    assert found("rvoers") == found("rov") == ["/clubs/rovers/"]
    new = {**clubs.settings_of(cast.club), "name": "Zürich Dominoes"}
    clubs.set_settings(club=cast.club, new=new, by=cast.users["owner"], now=NOW)
    assert found("rovers") == []
    assert found("zurich") == ["/clubs/rovers/"]
    Club.objects.filter(pk=cast.club.pk).update(public=False)
    assert found("zurich") == []
    assert found("zurich", member) == ["/clubs/rovers/"]


def slipped(name: str, chance: random.Random) -> str:
    """The name with a slip of the fingers."""
    at = chance.randrange(len(name))
    return chance.choice(
        [
            name[:at] + name[at + 1 :],
            name[:at] + chance.choice("aeinrst") + name[at:],
            name[:at] + chance.choice("aeinrst") + name[at + 1 :],
            name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
            name[:at] + name[at + 1 : at + 3] + name[at : at + 1] + name[at + 3 :],
        ]
    )


def typed_for(name: str, chance: random.Random) -> str:
    """What somebody may type to find the name."""
    parts = name.split()
    ways = [
        name,
        " ".join(reversed(parts)),
        "".join(parts),
        chance.choice(parts)[: chance.randint(1, 5)],
        chance.choice(parts)[chance.randint(0, 2) :],
        slipped(name, chance),
        slipped(slipped(name, chance), chance),
        slipped(slipped(chance.choice(parts), chance), chance),
    ]
    return chance.choice(ways).upper()


@pytest.mark.parametrize("seed", range(2))
def test_the_index_proposes_every_name_that_fits(seed: int, cast: Cast) -> None:
    """The same as judging all names."""
    chance = random.Random(seed)
    syllables = ["an", "bér", "el", "fin", "jo", "ka", "mar", "no", "ros", "sa", "ter", "wen"]

    def word() -> str:
        return "".join(chance.choices(syllables, k=chance.randint(1, 4)))

    names = {f"{word()} {word()}" for _name in range(150)} | {word() for _name in range(20)}
    everybody = Player.objects.bulk_create(Player(club=cast.club, name=name) for name in names)
    for _text in range(100):
        text = typed_for(chance.choice([*names]), chance)
        fits = [
            (how, alphabetical(each.name), each.pk) for each in everybody if (how := fit(text, each.name)) is not None
        ]
        by_index = known_people(Player.objects.filter(club=cast.club), text).fits[text]
        assert [player for player, _name in by_index] == [player for *_order, player in sorted(fits)], text


def test_the_index_proposes_whoever_is_meant_with_one_slip(cast: Cast) -> None:
    """The same as judging all names."""
    chance = random.Random(3)
    letters = "abeilmno"
    names = {"".join(chance.choices(letters, k=chance.randint(2, 6))).capitalize() for _name in range(150)}
    Player.objects.bulk_create(Player(club=cast.club, name=name) for name in names)
    players, asked = Player.objects.filter(club=cast.club), 0
    while asked < 60:
        text = slipped(chance.choice([*names]), chance)
        everybody = sorted((alphabetical(each.name), each.pk) for each in players if meant(text, each.name, 1))
        if everybody and not any(fit(text, name) for name in names):
            assert people_meant(players, text, 200) == [player for _order, player in everybody], text
            asked += 1


def test_a_name_is_found_however_it_was_written(cast: Cast) -> None:
    """Also where a whole list is changed, and with only some columns saved."""
    one, other = cast.club.players.create(name="Zora"), cast.club.players.create(name="Zelda")
    cast.club.players.filter(pk=one.pk).update(name="Quentin")
    other.name = "Quincy"
    other.save(update_fields=["name"])
    assert found("zora") == found("zelda") == []
    assert found("qu") == [of_player(one), of_player(other)]
    one.delete()
    assert found("qu") == [of_player(other)]
