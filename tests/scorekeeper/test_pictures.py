"""Pictures of a ranking, a player and the end of a match, and the tags by which chats find them."""

import random
import re
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from scorekeeper.models import Club, Match
from scorekeeper.services import clubs, people
from tests.conftest import Cast, enter, names_for
from tests.scorekeeper.test_ratings_kept import OTHER, TWO, played, work_off


@pytest.fixture
def match(cast: Cast) -> Match:
    """Ana beat Bo."""
    found = played(cast, TWO, ("Ana", "Bo"), [90, 10], timezone.now())
    played(cast, OTHER, ("Bo", "Cleo"), [90, 10], timezone.now())
    work_off()
    return found


def player(match: Match, name: str = "Ana") -> int:
    return match.club.players.get(name=name).pk


def pages(match: Match) -> dict[str, str]:
    """By page, the address of its picture without the kind."""
    found = {
        reverse("club_ranking", args=[match.club.slug]): reverse("club_ranking_svg", args=[match.club.slug]),
        reverse("ranking"): reverse("ranking_svg"),
        reverse("player", args=[player(match)]): reverse("player_svg", args=[player(match)]),
        reverse("match", args=[match.pk]): reverse("match_svg", args=[match.pk]),
    }
    return {page: picture.removesuffix("svg") for page, picture in found.items()}


def svg(address: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    return unescape(answer.content.decode())


def texts(address: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)<", svg(address))


def tags(page: str) -> dict[str, str]:
    """The tags for chats of a page."""
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', Client().get(page).content.decode())
    return {name: unescape(value) for name, value in found}


def test_each_page_leads_to_its_picture_in_both_kinds(match: Match) -> None:
    for page, picture in pages(match).items():
        written = Client().get(page).content.decode()
        assert f'href="{picture}svg' in written
        assert f'href="{picture}png' in written


def test_a_png_is_shown_in_place(match: Match) -> None:
    for picture in pages(match).values():
        answer = Client().get(f"{picture}png")
        assert answer.headers["Content-Type"] == "image/png"
        assert answer.headers["Content-Disposition"].startswith("inline; filename=")
        assert answer.content.startswith(b"\x89PNG")
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_a_png_is_kept_under_its_drawing(match: Match) -> None:
    drawing = Client().get(reverse("match_svg", args=[match.pk])).content
    drawn = Client().get(reverse("match_png", args=[match.pk])).content
    assert cache.get(f"png:{sha256(drawing).hexdigest()}") == drawn


def test_a_ranking_has_places_names_and_ratings(match: Match) -> None:
    found = texts(reverse("club_ranking_svg", args=[match.club.slug]) + f"?of={TWO}")
    assert found[0] == match.club.name
    assert found.index("Ana") < found.index("Bo")
    assert "Cleo" not in found


def test_a_picture_takes_the_filters_of_its_page(match: Match) -> None:
    page = reverse("club_ranking", args=[match.club.slug])
    shown = tags(f"{page}?of={OTHER}&members=on&nonsense=1&page=2&on=never")["og:image"]
    assert shown.endswith(f"ranking.png?of={OTHER}&members=on")
    assert "Ana" not in texts(reverse("club_ranking_svg", args=[match.club.slug]) + f"?of={OTHER}")


def test_a_player_has_the_chosen_rating_and_the_record(match: Match) -> None:
    page = reverse("player", args=[player(match, "Bo")])
    picture = reverse("player_svg", args=[player(match, "Bo")])
    name = games.GAMES[TWO].name
    assert texts(picture)[:2] == ["Bo", match.club.name]
    assert texts(picture)[texts(picture).index(name, 3) + 1] == "0 of 1 won"
    assert f"{name}: 0 of 1 won" in tags(page)["og:description"]
    assert svg(f"{picture}?of={TWO}") != svg(f"{picture}?of={OTHER}")
    assert tags(f"{page}?of={TWO}")["og:image"].endswith(f"?of={TWO}")


def test_somebody_new_has_a_picture(cast: Cast) -> None:
    new = clubs.player_add(club=cast.club, name="Newcomer", now=timezone.now())
    assert "No rating yet" in texts(reverse("player_svg", args=[new.pk]))
    assert tags(reverse("player", args=[new.pk]))["og:description"] == "No match yet."


def test_a_match_has_its_winner_first(match: Match) -> None:
    found = texts(reverse("match_svg", args=[match.pk]))
    assert found[2:] == ["Ana", "won", "90", "Bo", "10"]
    assert tags(reverse("match", args=[match.pk]))["og:description"] == "Ana 90 won – Bo 10"


def test_the_match_of_any_game_has_a_picture(cast: Cast, game: str) -> None:
    record = games.random_match(game, {}, names_for(game), random.Random(5), 40)
    found = enter(cast.open(game), [*games.entries(record)])
    if not found.sheet["finished"]:
        found = enter(found, [{"kind": "end", "reason": "time"}])
    drawn = texts(reverse("match_svg", args=[found.pk]))
    assert [name for name in names_for(game) if not any(name in text for text in drawn)] == []


def test_a_match_in_play_has_no_picture_yet(cast: Cast) -> None:
    found = cast.open(TWO)
    assert Client().get(reverse("match_svg", args=[found.pk])).status_code == 404
    assert "og:image" not in tags(reverse("match", args=[found.pk]))


def test_a_club_without_ratings_says_so(cast: Cast) -> None:
    address = reverse("club_ranking", args=[cast.club.slug])
    assert "og:image" not in tags(address)
    assert "Nobody has a rating here yet." in texts(reverse("club_ranking_svg", args=[cast.club.slug]))


def test_nobody_hidden_is_named(match: Match, as_user: Callable[[str], Client]) -> None:
    match.club.players.filter(name="Ana").update(hidden=True)
    for page, picture in pages(match).items():
        if page == reverse("player", args=[player(match)]):
            assert Client().get(f"{picture}svg").status_code == 404
            assert Client().get(f"{picture}png").status_code == 404
        else:
            assert "Ana" not in svg(f"{picture}svg")
            assert "Ana" not in " ".join(tags(page).values())
    assert "Ana" not in svg(reverse("match_svg", args=[match.pk]), as_user("owner"))


def test_the_public_reads_initials_of_who_wants_that(match: Match, as_user: Callable[[str], Client]) -> None:
    ana = player(match)
    people.set_state(club=match.club, player_id=ana, field="initials", value=True, now=timezone.now(), by=None)
    for page, picture in pages(match).items():
        assert "Ana" not in svg(f"{picture}svg")
        assert "Ana" not in svg(f"{picture}svg", as_user("owner"))  # who hands it on
        assert "Ana" not in " ".join(tags(page).values())
    assert "A." in texts(reverse("player_svg", args=[ana]))


def test_a_closed_club_shows_its_pictures_to_members_only(match: Match, as_user: Callable[[str], Client]) -> None:
    Club.objects.update(public=False)
    for picture in pages(match).values():
        if picture != "/ranking.":
            assert Client().get(f"{picture}svg").status_code == 403
            assert Client().get(f"{picture}png").status_code == 403
        assert as_user("owner").get(f"{picture}svg").status_code == 200
    assert "Ana" not in svg(reverse("ranking_svg"))
    assert "Ana" in svg(reverse("ranking_svg"), as_user("owner"))


def test_somebody_merged_leads_to_who_stays(match: Match) -> None:
    match.club.players.filter(name="Cleo").update(merged_into=player(match))
    answer = Client().get(reverse("player_png", args=[player(match, "Cleo")]))
    assert answer.headers["Location"] == reverse("player_png", args=[player(match)])


def test_a_returning_visitor_gets_a_picture_again_only_after_a_change(cast: Cast, match: Match) -> None:
    for picture in pages(match).values():
        tag = Client().get(f"{picture}svg").headers["ETag"]
        assert Client().get(f"{picture}svg", headers={"If-None-Match": tag}).status_code == 304
    old = [Client().get(f"{picture}svg").headers["ETag"] for picture in pages(match).values()]
    clubs.player_add(club=cast.club, name="Newcomer", now=timezone.now())
    new = [Client().get(f"{picture}svg").headers["ETag"] for picture in pages(match).values()]
    assert not {*old} & {*new}


def test_chats_get_the_address_at_which_the_server_is_reached(match: Match, settings: Any) -> None:
    settings.PUBLIC_URL = "https://scores.example.org"
    for page, picture in pages(match).items():
        found = tags(page)
        assert found["og:image"].startswith(f"https://scores.example.org{picture}png")
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
        assert found["og:title"]
        assert found["og:title"] in found["og:image:alt"]
        assert found["twitter:card"] == "summary_large_image"
        assert f'href="https://scores.example.org{page}' in Client().get(page).content.decode(), "what is shared"
