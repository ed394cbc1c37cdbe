"""Substitutes: rows that follow from the log, guests, names on pages, and the form on the pad."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from scorekeeper.access import Actor
from scorekeeper.models import Match, Player, Substitute
from scorekeeper.selectors import matches as selectors
from scorekeeper.selectors.matches import match_with_seats, seated_now
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import archive, recording, tables
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, Phone, enter, plan_for
from tests.nights import night_of

GAME = next(slug for slug, game in games.GAMES.items() if game.board == "line")
EVA = {"kind": "substitute", "seat": 0, "player": "Eva"}


def after_a_hand(cast: Cast, game: str = GAME, **where: Any) -> tuple[Match, list[dict[str, Any]]]:
    """A match with its second hand just opened, and the entries that would come next."""
    plan = plan_for(game, hands=2)
    second = [at for at, entry in enumerate(plan) if entry["kind"] == "hand"][1]
    return enter(cast.open(game, hands=2, **where), plan[: second + 1]), plan[second + 1 :]


def rows(match: Match) -> list[tuple[int, int, str, int | None]]:
    return list(match.substitutes.values_list("number", "from_hand", "name", "player_id"))


def guest(name: str) -> int:
    return Player.objects.get(name=name, guest=True).pk


def now_at(match: Match) -> list[str]:
    found = match_with_seats(match.pk)
    assert found
    return [each.name for each in seated_now(found)]


def record(match: Match, entry: dict[str, Any], key: str = "t") -> Match:
    match.refresh_from_db()
    recording.record(match_id=match.pk, seen=match.length, key=key, entry=entry, by=Actor(), now=NOW)
    match.refresh_from_db()
    return match


def test_a_substitute_has_a_row_as_long_as_the_log_says_so(cast: Cast, game: str) -> None:
    match, later = after_a_hand(cast, game)
    record(match, EVA | {"from": 1})
    assert rows(match) == [(0, 1, "Eva", guest("Eva"))]
    record(match, {"kind": "undo"}, "u")
    assert rows(match) == []
    record(match, {"kind": "undo"} if match.offers["undoes"] == "undo" else EVA | {"from": 1}, "r")
    enter(match, later, prefix="later")
    assert match.status == Match.Status.FINISHED
    assert rows(match) == [(0, 1, "Eva", guest("Eva"))]
    assert out_of_date(match) == []
    record(match, {"kind": "undo", "to": {"hand": 0, "move": None}}, "back")
    assert rows(match) == [], "from a hand that is gone with the one before it"


def test_a_substitute_is_somebody_of_the_club_where_there_is_one(cast: Cast) -> None:
    eva = Player.objects.create(club=cast.club, name="Eva")
    Player.objects.create(club=cast.other_club, name="Fay")
    match, _later = after_a_hand(cast)
    record(match, EVA | {"from": 1, "player": "  Eva "})
    assert rows(match) == [(0, 1, "Eva", eva.pk)]
    record(match, EVA | {"from": 2, "player": "Fay"}, "f")
    assert rows(match)[1] == (0, 2, "Fay", guest("Fay"))
    assert match.log.get(key="t").payload["player"] == "Eva"


def test_a_substitute_is_the_same_however_he_is_capitalized(cast: Cast) -> None:
    eva = Player.objects.create(club=cast.club, name="Eva")
    match, _later = after_a_hand(cast)
    for _again in range(2):
        record(match, EVA | {"from": 1, "player": "eVA"})
    assert rows(match) == [(0, 1, "Eva", eva.pk)]
    sits = now_at(match)[1]
    with pytest.raises(games.Malformed):
        record(match, EVA | {"from": 2, "player": sits.upper()}, "sits")
    record(match, EVA | {"from": 2, "player": "Ída"}, "stranger")
    with pytest.raises(games.Malformed):
        record(match, EVA | {"from": 2, "seat": 1, "player": "ÍDA"}, "stranger twice")


def test_a_substitute_with_a_space_in_the_name_is_repeated_with_its_key(cast: Cast) -> None:
    match, _later = after_a_hand(cast)
    entry = EVA | {"from": 1, "player": " Eva"}
    for repeated in (False, True):
        done = recording.record(match_id=match.pk, seen=match.length, key="t", entry=entry, by=Actor(), now=NOW)
        assert done.repeated == repeated


@pytest.mark.parametrize("name", ["", " ", None, "x" * 81, ["Eva"], 7])
def test_a_name_that_is_none_is_refused(cast: Cast, name: Any) -> None:
    match, _later = after_a_hand(cast)
    with pytest.raises(games.Malformed):
        record(match, EVA | {"from": 1, "player": name})
    assert rows(match) == []


def test_the_next_hand_is_played_by_another_than_this_one(cast: Cast) -> None:
    match, later = after_a_hand(cast)
    ana = now_at(match)[0]
    record(match, EVA | {"from": 2})
    assert now_at(match)[0] == ana
    counted = next(at for at, entry in enumerate(later) if entry["kind"] in ("left", "final"))
    match.options["hands"] = 3
    match.save()
    selectors._positions.clear()  # the cached position has two hands
    enter(match, later[: counted + 1], prefix="later")
    assert now_at(match)[0] == "Eva"


def test_in_a_night_a_stranger_is_a_guest_and_nobody_plays_at_two_tables(cast: Cast) -> None:
    night = night_of(cast, 4 + 4 + 1)
    here, there = night.matches.order_by("pk")
    busy = there.seats.all()[0].name
    with pytest.raises(Refused) as refusal:
        record(here, EVA | {"from": 0, "player": busy})
    assert refusal.value.code == "playing-elsewhere"
    with pytest.raises(Refused) as refusal:
        record(here, EVA | {"from": 0, "player": busy.upper()})
    assert refusal.value.code == "playing-elsewhere"
    assert rows(here) == []
    record(here, EVA | {"from": 0})
    eva = Player.objects.get(club=cast.club, name="Eva")
    assert eva.guest
    assert rows(here) == [(0, 0, "Eva", eva.pk)]
    with pytest.raises(Refused):
        record(there, EVA | {"from": 0}, "two")
    gone = here.seats.all()[0].name
    record(there, EVA | {"from": 0, "player": gone}, "free")
    assert now_at(there)[0] == gone


def test_a_rebuild_gives_the_rows_again_and_leaves_a_renamed_player_his(cast: Cast) -> None:
    eva = Player.objects.create(club=cast.club, name="Eva")
    match, _later = after_a_hand(cast)
    record(match, EVA | {"from": 1})
    eva.name = "Eve"
    eva.save()
    recording.rebuild(match_id=match.pk)
    assert rows(match) == [(0, 1, "Eva", eva.pk)]
    Substitute.objects.all().delete()
    match.refresh_from_db()
    assert out_of_date(match) == ["substitutes"]
    recording.rebuild(match_id=match.pk)
    assert rows(match) == [(0, 1, "Eva", guest("Eva"))]
    match.refresh_from_db()
    assert out_of_date(match) == []


def test_a_program_enters_a_substitute(cast: Cast) -> None:
    match, _later = after_a_hand(cast)
    phone: Phone = cast.phone()
    path = reverse("api-entries", args=[match.pk])
    answer = phone.post(path, {"seen": match.length, "key": "t", **EVA, "from": 1})
    assert answer.status_code == 201
    assert answer.json()["sheet"]["substitutes"] == [{"hand": 1, "seat": 0, "player": "Eva"}]
    assert answer.json()["offers"]["undoes"] == "substitute"
    again = phone.post(path, {"seen": match.length + 1, "key": "u", **EVA, "from": 1})
    assert (again.status_code, again.json()["code"]) == (422, "malformed")
    said = phone.get(reverse("api-record", args=[match.pk])).json()
    assert said["meta"]["substitutes"].startswith("Eva for ")
    assert games.verify(said)["errors"] == []


def test_the_archive_names_substitutes(cast: Cast) -> None:
    match, _later = after_a_hand(cast)
    record(match, EVA | {"from": 1})
    assert archive.record(match)["meta"]["substitutes"].startswith("Eva for ")
    rows_of = [dict(zip(archive.COLUMNS, row, strict=True)) for row in archive._rows(match)]
    assert [row["substitutes"] for row in rows_of] == ["Eva from hand 2"] + [""] * (len(rows_of) - 1)
    assert {row["unverified"] for row in rows_of} == {""}


# --- pages ---------------------------------------------------------------------------------------------------
@pytest.fixture
def phone(cast: Cast) -> Browser:
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser().open(reverse("table_join", args=[token]))


def test_the_pad_lets_somebody_take_over_this_hand_or_the_next(cast: Cast, phone: Browser) -> None:
    match, _later = after_a_hand(cast)
    ana = match.seats.all()[0].name
    Player.objects.create(club=cast.club, name="Eva")
    phone.open(reverse("table", args=[cast.table.pk]))
    assert "Replace a player" in phone.words
    assert '<option value="Eva">' in phone.answer.content.decode()
    phone.press("Replace", seat="0", player="Eva")
    assert phone.status == 200
    assert f"Eva for {ana}" in phone.words
    assert match.substitutes.get().from_hand == 1
    phone.press("Undo")
    assert f"Eva for {ana}" not in phone.words
    assert not match.substitutes.exists()
    phone.press("Replace", seat="0", player="Fay", **{"from": "2"})
    assert match.substitutes.get().from_hand == 2


@pytest.mark.parametrize(
    ("button", "name"), [("Use David Evans", "David Evans"), ("Add as a new person", "Davd Evans")]
)
def test_a_nearly_known_name_is_asked_for(cast: Cast, phone: Browser, button: str, name: str) -> None:
    match, _later = after_a_hand(cast)
    Player.objects.create(club=cast.club, name="David Evans")
    phone.open(reverse("table", args=[cast.table.pk]))
    phone.press("Replace", seat="0", player="Davd Evans")
    assert phone.status == 422
    assert "You typed Davd Evans. Did you mean David Evans?" in phone.words
    assert not match.substitutes.exists()
    phone.press(button)
    assert match.substitutes.get().name == name
    assert Player.objects.filter(name="Davd Evans").exists() == (name == "Davd Evans")


def test_a_refused_substitute_keeps_what_was_typed(cast: Cast, phone: Browser) -> None:
    match, _later = after_a_hand(cast)
    other = match.seats.all()[1].name
    phone.open(reverse("table", args=[cast.table.pk]))
    phone.press("Replace", seat="0", player=other)
    assert phone.status == 422
    assert f"{other} is already at this table." in phone.words
    html = phone.markup
    assert f'name="player" value="{other}"' in html
    assert '<details id="substitute" class="more" open>' in html


@pytest.mark.parametrize("wrong", [{"seat": "9"}, {"seat": ""}, {"from": "x"}, {"from": "0"}, {"player": " "}])
def test_nonsense_is_refused_and_changes_nothing(cast: Cast, phone: Browser, wrong: dict[str, str]) -> None:
    match, _later = after_a_hand(cast)
    phone.open(reverse("table", args=[cast.table.pk]))
    phone.press("Replace", **{"seat": "0", "player": "Eva"} | wrong)
    assert phone.status == 422
    assert not match.substitutes.exists()


def test_every_page_names_the_players_of_each_seat(cast: Cast, as_user: Any) -> None:
    match, later = after_a_hand(cast)
    ana = match.seats.all()[0].name
    record(match, EVA | {"from": 1})
    for path in (reverse("club", args=["rovers"]), reverse("table_watch", args=[cast.table.pk])):
        assert f"Eva for {ana}" in Browser().open(path).words
    enter(match, later, prefix="later")
    page = Browser(Client()).open(reverse("match", args=[match.pk]) + "?hand=0")
    first = page.words.split("Moves of hand 1")[1].split("Score sheet")[0]
    assert ana in first
    assert "Eva" not in first
    second = Browser().open(reverse("match", args=[match.pk]) + "?hand=1").words
    assert "Eva" in second.split("Moves of hand 2")[1].split("Score sheet")[0]
    scorer = Browser(as_user("scorer")).open(reverse("match", args=[match.pk]))
    assert "Replace a player" not in scorer.words, "it is over"


def test_the_match_page_lets_a_scorer_enter_it(cast: Cast, as_user: Any) -> None:
    match, _later = after_a_hand(cast)
    scorer = Browser(as_user("scorer")).open(reverse("match", args=[match.pk]))
    scorer.press("Replace", seat="0", player="Eva")
    assert match.substitutes.get().name == "Eva"
    assert scorer.path.startswith(reverse("match", args=[match.pk]))
    assert "Replace a player" not in Browser().open(reverse("match", args=[match.pk])).words
