"""Setting up a tournament on its page: presets, everything that can be decided, changes later, clones."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.forms.criteria import EXPLAINED, NAMES, OF_ONE_TABLE
from scorekeeper.forms.tournaments import presets
from scorekeeper.models import Event
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.standings import club_tables
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import clubs, directing, tournaments
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at, names_of
from tests.tournaments import entered, file_of, made, played, released, scheduled, setup_of

Host = Callable[[str], Client]


def begun(host: Browser, cast: Cast, preset: str) -> Browser:
    """The page of a new tournament, with the fields of a preset."""
    return host.open(f"/clubs/{cast.club.slug}/tournaments/new/?preset={preset}")


def setup_found() -> Any:
    return state_of(Event.objects.get(name="Cup")).setup


@pytest.mark.parametrize("preset", [f"{game.slug}:{name}" for game, ways in presets() for name, _way in ways])
def test_every_preset_is_a_tournament(cast: Cast, as_user: Host, preset: str) -> None:
    host = Browser(as_user("director"))
    host.open(f"/clubs/{cast.club.slug}/tournaments/new/")
    assert f"?preset={preset}" in host.answer.content.decode()
    begun(host, cast, preset).press("Set up the tournament", name="Cup")
    assert host.status == 200, host.words
    assert setup_found()["game"] == preset.split(":")[0]


def test_groups_then_finals_lead_to_drawing_the_groups(cast: Cast, as_user: Host) -> None:
    host = Browser(as_user("director"))
    page = host.open(f"/clubs/{cast.club.slug}/tournaments/new/")
    assert "Groups, then finals" in page.words
    begun(host, cast, "block:groups").press("Set up the tournament", name="Cup")
    assert "Then draw the groups" in host.words
    event = Event.objects.get(name="Cup")
    ids = [clubs.player_add(club=cast.club, name=name, now=NOW).pk for name in names_of(6)]
    tournaments.enter(event_id=event.pk, entrants=[[each] for each in ids], step=at(event, "enter"))
    host.open(f"/tournaments/{event.pk}/desk/")
    assert "Make the schedule" not in host.words
    host.follow("Draw the groups").press("Draw the groups", number="2", how="snake")
    assert "Make the schedule" in host.open(f"/tournaments/{event.pk}/desk/").words


def test_groups_keep_what_their_finals_begin_with(cast: Cast, as_user: Host) -> None:
    """Also once a round is seated, when the setup does not show it any more."""
    host = Browser(as_user("director"))
    wanted = {"bracket": "third-place", "best_of": 3, "final_best_of": 5}
    kept = wanted | {"apart": 2}
    begun(host, cast, "block:groups").press("Set up the tournament", name="Cup", **kept)
    event = Event.objects.get(name="Cup")
    ids = [clubs.player_add(club=cast.club, name=name, now=NOW).pk for name in names_of(6)]
    tournaments.enter(event_id=event.pk, entrants=[[each] for each in ids], step=at(event, "enter"))
    host.open(f"/tournaments/{event.pk}/groups/").press("Draw the groups", number="2", how="snake")
    made(event)
    setup = host.open(f"/tournaments/{event.pk}/setup/")
    assert "If finals follow, their form begins with what you choose here." in setup.words
    setup.press("Save", minutes="40")
    for match in released(event):
        played(match)
    host.open(f"/tournaments/{event.pk}/setup/").press("Save", minutes="50")
    assert "best_of" not in {name for form in setup.forms for name in form.names}
    assert setup_found()["minutes"] == 50
    assert setup_found().items() >= kept.items()
    assert file_of(event)["scorekeeper"]["setup"].items() >= kept.items()
    finals = host.open(f"/tournaments/{event.pk}/finals/")
    fields = {field for form in finals.forms for field in form.fields}
    assert fields >= {(name, str(value)) for name, value in wanted.items()}


def test_the_presets_say_which_game_is_for_fixed_pairs(cast: Cast, as_user: Host) -> None:
    page = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/tournaments/new/")
    assert "Dominoes in fixed pairs is Domino Whist" in page.words
    assert page.words.count("Fixed pairs, everybody plays everybody") == 1


def test_everything_can_be_decided(cast: Cast, as_user: Host) -> None:
    host = begun(Browser(as_user("director")), cast, "domizerka:triples")
    fields: dict[str, Any] = {
        "name": "Cup",
        "date": "2026-05-09",
        "length": "number",
        "rounds": "3",
        "minutes": "40",
        "worth-3": "5 2 1/2",
        "worth-bye": "3/2",
        "worth-absent": "-1/2",
        "order-points": "1",
        "order-firsts": "",
        "order-seconds": "",
        "order-difference": "3",
        "order-best-table": "2",
        "minimum_played": "2",
        "confirm": "3",
        "lots": "a word",
        "prizes": "5",
    }
    host.press("Set up the tournament", **fields | {"worth-3": "5, 2 ½", "worth-bye": "1,5"})
    assert host.status == 200, host.words
    setup = setup_found()
    assert setup["date"] == "2026-05-09"
    assert (setup["rounds"], setup["minutes"], setup["double"]) == (3, 40, False)
    assert setup["worth"]["places"]["3"] == [5, 2, "1/2"]
    assert setup["worth"]["bye"] == "3/2"
    assert setup["worth"]["absent"] == "-1/2"
    assert setup["worth"]["forfeit_win"] == 2, "as usual"
    assert setup["order"] == ["points", "best-table", "difference"]
    assert (setup["minimum_played"], setup["confirm"], setup["lots"], setup["prizes"]) == (2, 3, "a word", 5)
    host.follow("Setup")
    page = host.answer.content.decode()
    for name, value in fields.items():
        if value and name != "length":
            assert re.search(rf'name="{name}"[^>]*value="{re.escape(value)}"', page), name


@pytest.mark.parametrize(
    ("start", "end", "pause", "rounds"),
    [("19:00", "23:00", "10", 5), ("19:00", "23:00", "", 6), ("22:00", "01:00", "20", 3), ("19:00", "19:40", "15", 1)],
)
def test_as_many_rounds_as_fit(cast: Cast, as_user: Host, start: str, end: str, pause: str, rounds: int) -> None:
    host = begun(Browser(as_user("director")), cast, "block:heads")
    typed = {"length": "time", "start": start, "end": end, "pause": pause, "minutes": "40", "name": "Cup"}
    if end < start:
        host.press("How many rounds fit?", **typed)
        assert f"{end} is before {start}." in host.words
        assert "into that time" not in host.words
        host.press("Set up the tournament", **typed)
        assert (host.status, f"{end} is before {start}." in host.words) == (422, True)
        typed["overnight"] = "on"
    host.press("How many rounds fit?", **typed)
    assert f"{rounds} round" in host.words
    assert not Event.objects.exists()
    host.press("Set up the tournament", **typed)
    assert setup_found()["rounds"] == rounds
    event = Event.objects.get()
    assert host.open(f"/tournaments/{event.pk}/setup/").press("Save").status == 200, host.words
    assert setup_found()["rounds"] == rounds


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": ""}, "Name of the tournament: This field is required."),
        ({"length": "number", "rounds": "0"}, "Number of rounds: Enter a whole number from 1 to 500."),
        ({"minutes": "x"}, "Minutes: Enter a whole number from 1 to 1440."),
        ({"length": "number", "rounds": ""}, "Enter the number of rounds."),
        ({"length": "time", "start": "19:00", "end": "19:10", "minutes": "40"}, "No round fits: the time is 10 min"),
        ({"length": "time", "start": "19:00", "end": "23:00", "minutes": ""}, "and the minutes of a match below."),
        ({"order-points": "2", "order-wins": "2"}, "Two criteria have the same place."),
        (
            {"order-points": "", "order-head-to-head": "", "order-wins": "", "order-difference": ""},
            "Choose at least one",
        ),
        ({"by": "score", "order-koya": "9"}, "koya"),
        ({"worth-win": "2 points"}, "A win: “2 points” is not a number."),
        ({"worth-2": "1, 0, 1/0"}, "Places at a table of two: “1/0” is not a number."),
        ({"worth-win": "average"}, "average"),
        ({"confirm": "5"}, "from 0 to 4"),
        ({"worth-win": "0", "worth-loss": "1"}, "A win: This cannot be worth less than “A draw”."),
        ({"worth-loss": "2/3", "worth-win": "1"}, "A draw: This cannot be worth less than “A loss”."),
        (
            {"worth-forfeit_win": "0", "worth-forfeit_loss": "1/2"},
            "The others did not come: This cannot be worth less than “Did not come to the table”.",
        ),
        ({"by": "place", "worth-2": "0 1"}, "Places at a table of two: A place cannot be worth less than the next one"),
        ({"worth-bye": "3"}, "A bye: This cannot be worth more than the best result at a table."),
        ({"length": "number", "rounds": "7", "minimum_played": "99"}, "Minimum of tables: There are only 7 rounds."),
        ({"name": "x" * 81}, "80"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_typed_is_lost(
    cast: Cast, as_user: Host, typed: dict[str, str], said: str
) -> None:
    host = begun(Browser(as_user("director")), cast, "block:heads")
    host.press("Set up the tournament", **{"name": "Cup", "lots": "kept", **typed})
    assert host.status == 422
    assert said in host.words
    assert 'value="kept"' in host.answer.content.decode()
    assert not Event.objects.exists()


@pytest.mark.parametrize(("preset", "said"), [("domino-whist:pairs", True), ("domizerka:triples", False)])
def test_what_it_means_to_meet_is_said_where_partners_can_change(
    cast: Cast, as_user: Host, preset: str, said: bool
) -> None:
    host = begun(Browser(as_user("director")), cast, preset)
    assert ("to meet is to be partners" in host.words) is said


def test_the_clock_waits_unless_the_setup_says_otherwise(cast: Cast, as_user: Host) -> None:
    host = begun(Browser(as_user("director")), cast, "domizerka:triples")
    host.press("Set up the tournament", name="Cup")
    event = Event.objects.get()
    assert tournament_in(event).clock_waits
    host.open(f"/tournaments/{event.pk}/setup/").press("Save", clock_waits=[])
    assert not tournament_in(event).clock_waits


def test_with_changing_partners_an_entrant_is_one_player(cast: Cast, as_user: Host) -> None:
    host = begun(Browser(as_user("director")), cast, "domino-whist:partners")
    host.press("Set up the tournament", name="Cup", teams="on")
    assert host.status == 422
    assert "Teams: With changing partners, each entrant is one player." in host.words
    assert not Event.objects.exists()


def test_a_change_after_the_first_round_is_shown_before_it_is_made(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", order=["points", "start"]), 4)
    released(event)
    for table in file_of(event)["stages"][0]["rounds"][0]["tables"]:
        number, totals = table["table"], [105 if side == max(table["sides"]) else 20 for side in table["sides"]]
        step = at(event, f"typed-{number}")
        directing.type_result(event_id=event.pk, round_number=1, table=number, totals=totals, early=True, step=step)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    worse = {f"worth-{name}": "0" for name in ("win", "draw", "loss", "bye", "asked", "forfeit_win")}
    host.press("What would it change?", **worse)
    assert "place 1 →" in host.words
    event.refresh_from_db()
    assert state_of(event).setup["worth"]["win"] == 1, "nothing is saved yet"
    host.press("Save", **worse)
    assert host.status == 200, host.words
    event.refresh_from_db()
    assert state_of(event).setup["worth"]["win"] == 0
    host.open(f"/tournaments/{event.pk}/desk/").press("Undo: setup changed: What a round is worth")
    event.refresh_from_db()
    assert state_of(event).setup["worth"]["win"] == 1


def test_the_undo_of_a_setup_names_what_it_changes(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads", minutes=30), 4)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    host.press("Save", minutes="45", prizes="5")
    assert "Undo: setup changed: Minutes of a match and Places with a prize" in host.words
    host.open(f"/tournaments/{event.pk}/setup/").press(
        "Save", minutes="20", prizes="5", confirm="1", date="2026-05-09", self_entry="on"
    )
    assert "Undo: setup changed" in host.words
    assert "Undo: setup changed:" not in host.words


def test_what_can_no_longer_change_is_disabled_and_everything_else_is_saved(cast: Cast, as_user: Host) -> None:
    until = {"start": "19:00", "end": "21:00", "pause": 10}
    setup = setup_of("block", "heads", rounds=3, until=until, minutes=30, order=["points", "start"])
    event = scheduled(cast, setup, 4)
    for match in released(event):
        played(match)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    assert "This can no longer change" in host.words
    for name in ("way", "teams", "length", "rounds", "start", "end", "pause", "lots"):
        assert re.search(rf'<(input|select)[^>]*name="{name}"[^>]*disabled', host.answer.content.decode()), name
    typed = {"length": "number", "rounds": "9", "minutes": "45", "prizes": "5"}
    host.press("What would it change?", **typed)
    assert "Nobody's place would change." in host.words
    assert "Fields with other values: Minutes, Places with a prize." in host.words
    host.press("Save", **typed)
    assert host.status == 200, host.words
    event.refresh_from_db()
    now = state_of(event).setup
    assert (now["rounds"], now["until"], now["minutes"], now["prizes"]) == (3, until, 45, 5)


@pytest.mark.parametrize("length", ["cycle", "time"])
@pytest.mark.parametrize(
    ("typed", "said", "other"),
    [
        ({"end": "19:30"}, "No round fits: the time is 30 min, and a match takes 40 min.", "Enter from when"),
        ({"end": "22:00", "pause": "-5"}, "Enter a whole number from 0 to 1440.", "Enter from when"),
        ({"end": "22:00", "minutes": "0"}, "Enter a whole number from 1 to 1440.", "Enter from when"),
        ({"end": "22:00", "minutes": ""}, "Enter from when to when, and the minutes of a match below.", "No round"),
    ],
)
def test_why_no_round_fits_is_said_once(
    cast: Cast, as_user: Host, length: str, typed: dict[str, str], said: str, other: str
) -> None:
    host = begun(Browser(as_user("director")), cast, "block:heads")
    host.press("How many rounds fit?", **{"length": length, "start": "19:00", "minutes": "40", "name": "Cup", **typed})
    assert host.words.count(said) == 1
    assert other not in host.words
    assert "into that time" not in host.words


def test_the_word_for_the_lots_stays_once_the_first_round_is_seated(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", order=["points", "lots"], lots="before"), 4)
    released(event)
    setup = state_of(event).setup
    with pytest.raises(Refused, match="The first round is seated"):
        tournaments.set_up(event_id=event.pk, name="Cup", setup={**setup, "lots": "after"}, step=at(event, "lots"))
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    host.press("Save", lots="after", prizes="5")
    event.refresh_from_db()
    assert (state_of(event).setup["lots"], state_of(event).setup["prizes"]) == ("before", 5)


def test_the_setup_says_that_an_unconfirmed_result_counts_provisionally(cast: Cast, as_user: Host) -> None:
    host = begun(Browser(as_user("director")), cast, "block:heads")
    assert "Until then, a result counts as provisional. 0: it is final as soon as the match is over." in host.words
    event = scheduled(cast, setup_of("block", "heads", confirm=1), 2)
    played(released(event)[0])
    standings = host.open(f"/tournaments/{event.pk}/standings/").words
    assert "provisional: 1 result is open" in standings
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["totals"], "it counts"


def test_how_many_rounds_everybody_needs_is_said_with_the_answer(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("domizerka", "triples"), 14)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    host.press("How many rounds fit?", length="time", start="19:00", end="22:00", minutes="40")
    assert "Until everybody has met once: 14 rounds for the 14 entrants." in host.words
    assert 'id="fit"' in host.answer.content.decode()
    assert 'formaction="#fit"' in host.answer.content.decode()


def test_only_places_that_the_game_can_have_are_asked_for(cast: Cast, as_user: Host) -> None:
    host = begun(Browser(as_user("director")), cast, "domino-whist:partners")
    assert "Places at a table of two" in host.words
    assert "Places at a table of three" not in host.words


def test_an_earlier_tournament_is_cloned(cast: Cast, as_user: Host) -> None:
    earlier = setup_of("domizerka", "triples", rounds=2, minimum_played=1, order=["points", "thirds"], minutes=30)
    event = scheduled(cast, earlier, 6)
    host = Browser(as_user("director"))
    host.open(f"/clubs/{cast.club.slug}/tournaments/new/?like={event.pk}")
    host.press("Set up the tournament", name="Next cup")
    found = state_of(Event.objects.get(name="Next cup"))
    assert {name: found.setup[name] for name in ("rounds", "minimum_played", "order", "minutes", "options")} == {
        name: state_of(event).setup[name] for name in ("rounds", "minimum_played", "order", "minutes", "options")
    }
    assert not found.entrants
    assert host.open(f"/clubs/{cast.other_club.slug}/tournaments/new/?like={event.pk}").status == 403


def test_only_hosts_see_a_tournament_that_is_not_public(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", public=False), 4)
    host, visitor = Browser(as_user("director")), Browser()
    assert host.open(f"/tournaments/{event.pk}/").status == 200
    assert "Cup" in host.open(f"/clubs/{cast.club.slug}/").words
    assert "Cup" not in visitor.open(f"/clubs/{cast.club.slug}/").words
    released(event)
    assert visitor.open("/tv/").status == 200
    assert "Cup" not in visitor.words
    for path in ("", "file.json", "standings/", "schedule/", "seats/", "screen/", "print/", "results.csv"):
        assert visitor.open(f"/tournaments/{event.pk}/{path}").status == 404
    for path in (f"/tv/{event.pk}/", f"/nights/{event.pk}/"):
        assert visitor.open(path).status == 404
    assert Client().get(f"/live/?topic=tournament:{event.pk}&part=tournament").status_code == 404
    assert Client().get(f"/live/?topic=tournament:{event.pk}").status_code == 404
    host.open(f"/tournaments/{event.pk}/setup/").press("Save", public="on")
    assert visitor.open(f"/tournaments/{event.pk}/").status == 200


def test_a_tournament_is_removed_by_its_name_and_restored(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    host, visitor = Browser(as_user("director")), Browser()
    host.open(f"/tournaments/{event.pk}/setup/").press("Remove it", typed="Another cup")
    assert host.status == 422
    assert "Type the name of the tournament" in host.words
    (match, *others) = released(event)
    host.open(f"/tournaments/{event.pk}/setup/").press("Remove it", typed="cup")
    assert "Some matches are still in play." in host.words
    for each in (match, *others):
        played(each)
    host.open(f"/tournaments/{event.pk}/setup/").press("Remove it", typed="cup")
    assert host.status == 200, host.words
    assert visitor.open(f"/tournaments/{event.pk}/").status == 404
    assert "Cup" not in visitor.open(f"/clubs/{cast.club.slug}/").words
    assert visitor.open(f"/matches/{match.pk}/").status == 200, "its matches stay"
    assert "This tournament is removed" in host.words
    assert not club_tables(cast.club), "its matches do not count"
    assert f"/matches/{match.pk}/" not in visitor.open(f"/clubs/{cast.club.slug}/").markup
    host.open(f"/clubs/{cast.club.slug}/").follow("Cup")
    assert host.path == f"/tournaments/{event.pk}/desk/"
    host.press("Draft the next round")
    assert "Restore it first." in host.words
    host.open(f"/tournaments/{event.pk}/desk/").press("Undo")
    assert visitor.open(f"/tournaments/{event.pk}/").status == 200
    assert [row.played for row in club_tables(cast.club)["block"]] == [1] * 4


def test_a_result_counts_for_good_once_enough_seats_confirm_it(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", confirm=2), 2)
    (match,) = released(event)
    played(match)
    host, visitor = Browser(as_user("director")), Browser()
    assert "not confirmed" in host.open(f"/tournaments/{event.pk}/desk/").words
    assert "provisional" in visitor.open(f"/tournaments/{event.pk}/").words
    match.refresh_from_db()
    scorer = Actor(user=cast.users["scorer"])
    enter(match, [{"kind": "confirm", "seats": [0]}], by=scorer, prefix="one")
    assert "not confirmed" in host.open(host.path).words
    match.refresh_from_db()
    enter(match, [{"kind": "confirm", "seats": [1]}], by=scorer, prefix="two")
    assert "not confirmed" not in host.open(host.path).words
    assert "provisional" not in visitor.open(visitor.path).words
    assert "provisional" not in visitor.open(f"/tournaments/{event.pk}/standings/").words


@pytest.mark.parametrize(
    ("game", "format", "entrants", "rounds"),
    [("block", "heads", 4, 6), ("domizerka", "triples", 9, 8), ("domino-whist", "partners", 5, 10)],
)
def test_until_everybody_has_met_twice(
    cast: Cast, as_user: Host, game: str, format: str, entrants: int, rounds: int
) -> None:
    event = scheduled(cast, setup_of(game, format, double=True), entrants)
    assert len(state_of(event).plan) == rounds


def test_every_criterion_is_explained_in_the_setup(cast: Cast, as_user: Host) -> None:
    host = begun(Browser(as_user("director")), cast, "block:heads")
    for name in OF_ONE_TABLE:
        assert f"{NAMES[name]} {EXPLAINED[name]}" in host.words
        assert f'id="id_order-{name}_helptext"' in host.markup
        assert f'aria-describedby="id_order-{name}_helptext"' in host.markup
