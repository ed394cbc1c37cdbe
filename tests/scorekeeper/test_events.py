"""The steps of a host: what each does, and what it refuses."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from games import GAMES, Malformed
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.models import Change, Event, Match, Player, Table
from scorekeeper.selectors.events import event_now, last_time, open_night, settings_of, state_of
from scorekeeper.selectors.matches import usual_game
from scorekeeper.services import clubs, draws, events, matches, recording
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.events import Step, Ticks
from tests.conftest import NOW, Cast, enter, names_for
from tests.nights import at, drawn, first, names_of, night_of, played, seated


def refused(code: str, take: Any, *, seen: int | None = None, **given: Any) -> str:
    """The message of a step that is refused with this code. Checks that it changes nothing."""
    before = _rows()
    night = given.get("event") or Event.objects.filter(pk=given.get("event_id")).first()
    length = Event.objects.get(pk=night.pk).length if night else 0
    step = Step(Actor(), "refused", length if seen is None else seen, NOW)
    with pytest.raises(Refused) as error, transaction.atomic():
        take(step=step, **given)
    assert error.value.code == code
    assert _rows() == before
    return error.value.message


def _rows() -> list[Any]:
    return [
        [(n.pk, n.length, n.closed_at) for n in Event.objects.order_by("pk")],
        [(m.pk, m.length, m.status, m.last_hand) for m in Match.objects.order_by("pk")],
        [model.objects.count() for model in (Player, Table, Change)],
    ]


def here(night: Event) -> list[str]:
    snapshot = event_now(night)
    return [snapshot.name(player) for player in snapshot.here]


def undo(night: Event, key: str = "back") -> None:
    night.refresh_from_db()
    events.undo(event_id=night.pk, step=at(night, key))
    night.refresh_from_db()


def test_twenty_two_people_fill_five_tables_and_two_sit_out(cast: Cast) -> None:
    night = night_of(cast, 22, rounds=1)
    snapshot = event_now(night)
    assert sorted(match.table.number for match in snapshot.matches) == [1, 2, 3, 4, 5]
    seats = [player for match in snapshot.matches for player in match.seats.values_list("player_id", flat=True)]
    assert len(set(seats)) == 20
    assert len(snapshot.state.rounds[0].byes) == 2
    assert {match.round for match in snapshot.matches} == {1}
    assert cast.club.tables.count() == 5  # two were there


def test_who_is_left_over_plays_a_second_game(cast: Cast) -> None:
    night = night_of(cast, 22, rounds=0)
    four, two = GAMES["domino-whist"], GAMES["draw"]
    wishes = [Wish(four, tables=4), Wish(two)]
    draws.draw(event=night, wishes=wishes, rng=random.Random(1), step=at(night, "d"))
    drawn = state_of(night).draft
    assert drawn
    assert [len(each.players) for each in drawn.pairings] == [4, 4, 4, 4, 2, 2, 2]
    assert drawn.byes == ()


def test_nothing_of_a_draft_is_seated_before_the_host_says_so(cast: Cast) -> None:
    night = night_of(cast, 9, rounds=0)
    drawn(night)
    assert not night.matches.exists()
    assert cast.club.tables.count() == 2
    events.seat(event_id=night.pk, step=at(night, "s"))
    events.seat(event_id=night.pk, step=at(night, "s"))
    assert night.matches.count() == 2


def test_a_match_that_went_on_before_is_part_of_the_night(cast: Cast) -> None:
    forgotten = cast.open("domino-whist")
    over = enter(cast.open("domino-whist", table=cast.other_table), [{"kind": "stop", "stopped": "time"}])
    night = night_of(cast, 8, rounds=0)
    seated(night)
    assert forgotten in night.matches.all()
    assert over not in night.matches.all()
    assert sorted(match.table.number for match in night.matches.filter(round=1)) == [2, 3]


def test_closed_tables_are_left_out(cast: Cast) -> None:
    cast.table.open = False
    cast.table.save()
    night = night_of(cast, 8)
    assert sorted(match.table.number for match in night.matches.all()) == [2, 3]


def test_people_come_and_go_at_any_time(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    ada, bruno = Player.objects.get(name="Ada"), Player.objects.get(name="Bruno")
    tick = {"event_id": night.pk}
    assert events.tick(came=[], left=[ada.pk], guests=[" Zoe  Q "], step=at(night, "1"), **tick) == Ticks(
        ["Zoe Q"], [], [], seen=2
    )
    assert here(night) == ["Bruno", "Carmen", "Dmitri", "Zoe Q"]
    assert Player.objects.get(name="Zoe Q").guest
    again = events.tick(
        came=[bruno.pk, ada.pk, ada.pk], left=[], guests=["zoe q", "ADA", "Ada"], step=at(night, "2"), **tick
    )
    assert again == Ticks(["Ada"], ["Zoe Q"], [], seen=3)
    assert here(night) == ["Bruno", "Carmen", "Dmitri", "Zoe Q", "Ada"]
    night.refresh_from_db()
    length = night.length
    same = events.tick(came=[ada.pk], left=[], guests=[], step=at(night, "3"), **tick)
    night.refresh_from_db()
    assert night.length == same.seen == length  # nothing new is no entry


def test_who_leaves_in_the_middle_of_a_match_is_named(cast: Cast) -> None:
    night = night_of(cast, 4)
    ada = Player.objects.get(name="Ada")
    gone = events.tick(event_id=night.pk, came=[], left=[ada.pk], guests=[], step=at(night, "1"))
    assert gone.playing == ["Ada"]


def test_a_stranger_cannot_be_ticked(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    stranger = cast.other_club.players.first()
    assert stranger
    refused("nobody-of-this-club", events.tick, event_id=night.pk, came=[stranger.pk], left=[], guests=[])
    refused("nobody-of-this-club", events.tick, event_id=night.pk, came=[10**15], left=[], guests=[])


def test_one_night_at_a_time(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    assert open_night(cast.club.pk) == night
    assert events.start(club=cast.club, players=[], step=first("start")) == night
    refused("night-open", events.start, club=cast.club, players=[])


def test_a_table_without_enough_people_is_not_drawn(cast: Cast) -> None:
    night = night_of(cast, 3, rounds=0)
    wish = [Wish(GAMES["domino-whist"])]
    words = refused("too-few", draws.draw, event=night, wishes=wish, rng=random.Random(1))
    assert "3" in words


def test_only_who_is_free_is_drawn(cast: Cast) -> None:
    night = night_of(cast, 8)
    done, going = night.matches.order_by("pk")
    played(done)
    drawn(night)
    draft = state_of(night).draft
    assert draft
    assert [each.table for each in draft.pairings] == [done.table.number]
    assert draft.players == set(done.seats.values_list("player_id", flat=True))
    assert not draft.players & set(going.seats.values_list("player_id", flat=True))


def test_same_again(cast: Cast) -> None:
    night = night_of(cast, 9)
    refused("nothing-to-repeat", events.draw_again, event_id=night.pk)
    first = {match.table_id: list(match.seats.values_list("player_id", flat=True)) for match in night.matches.all()}
    for match in night.matches.all():
        played(match)
    events.draw_again(event_id=night.pk, step=at(night, "again"))
    events.seat(event_id=night.pk, step=at(night, "again-s"))
    second = night.matches.filter(round=2)
    assert {m.table_id: list(m.seats.values_list("player_id", flat=True)) for m in second} == first


def test_somebody_who_began_to_play_meanwhile_cannot_be_seated(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=0)
    drawn(night)
    draft = state_of(night).draft
    assert draft
    matches.open_match(
        table=Table.objects.create(club=cast.club, number=9),
        game="draw",
        options={},
        players=list(draft.pairings[0].players[:2]),
        by=Actor(),
        now=NOW,
    )
    refused("playing-elsewhere", events.seat, event_id=night.pk)


def test_another_game_at_a_table(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    drawn(night, games=["draw"])
    events.set_table(event_id=night.pk, table=1, game=GAMES["all-fives"], step=at(night, "t"))
    events.seat(event_id=night.pk, step=at(night, "s"))
    assert [match.game for match in night.matches.order_by("table__number")] == ["all-fives", "draw"]
    played(night.matches.get(game="draw"))
    drawn(night, games=["draw"])
    refused("wrong-size", events.set_table, event_id=night.pk, table=2, game=GAMES["domino-whist"])
    refused("not-in-the-draw", events.set_table, event_id=night.pk, table=7, game=GAMES["all-fives"])


def test_the_next_night_begins_with_the_game_that_is_played_most(cast: Cast) -> None:
    night = night_of(cast, 14, games=["domino-whist", "draw"])
    assert sorted(night.matches.values_list("game", flat=True)) == [*["domino-whist"] * 3, "draw"]
    elsewhere = Table.objects.create(club=cast.club, number=9)
    matches.open_match(table=elsewhere, game="draw", options={}, players=["Xi", "Yo"], by=Actor(), now=NOW)
    assert usual_game(cast.club) == "domino-whist"


def test_new_options_hold_for_the_draft_at_once(cast: Cast) -> None:
    """With its swaps and with other games at tables, as they are."""
    night = night_of(cast, 6, rounds=0)
    drawn(night, games=["domino-whist", "draw"])
    draft = state_of(night).draft
    assert draft
    whist, pair = sorted(draft.pairings, key=lambda each: -len(each.players))
    events.swap(event_id=night.pk, players=[whist.players[0], pair.players[0]], step=at(night, "swap"))
    events.set_game(
        event_id=night.pk, game=GAMES["domino-whist"], options={"target": 50}, minutes=20, step=at(night, "set")
    )
    events.seat(event_id=night.pk, step=at(night, "seat"))
    match, other = (night.matches.get(game=game) for game in ("domino-whist", "draw"))
    assert (match.options["target"], match.minutes, other.minutes) == (50, 20, None)
    assert pair.players[0] in match.seats.values_list("player_id", flat=True)


def test_a_game_is_played_as_last_time_unless_the_host_says_otherwise(cast: Cast) -> None:
    night = night_of(cast, 4, hands=3, minutes=40)
    for match in night.matches.all():
        played(match)
    events.close(event_id=night.pk, open_matches=None, step=at(night, "c"))
    later = events.start(club=cast.club, players=list(state_of(night).here), step=at(night, "2"))
    settings = settings_of(event_now(later))
    assert (settings["domino-whist"].options["hands"], settings["domino-whist"].minutes) == (3, 40)
    assert settings["draw"].options == GAMES["draw"].read_options({})


class TestTheLastHand:
    def test_reaches_every_match_that_goes_on(self, cast: Cast) -> None:
        night = night_of(cast, 9, hands=4)
        first, second = night.matches.order_by("pk")
        played(first, moves=2)
        events.call_last_hand(event_id=night.pk, step=at(night, "l"))
        assert list(night.matches.order_by("pk").values_list("last_hand", flat=True)) == [1, 1]
        refused("nothing-played", events.call_last_hand, event_id=night.pk)
        undo(night)
        assert set(night.matches.values_list("last_hand", flat=True)) == {None}
        assert {first.pk, second.pk} == {
            event.match_id for event in Change.objects.filter(kind="last-hand", match__isnull=False)
        }


class TestTheEnd:
    def test_matches_that_go_on_are_asked_about(self, cast: Cast) -> None:
        night = night_of(cast, 8, hands=4)
        refused("matches-open", events.close, event_id=night.pk, open_matches=None)
        refused("matches-open", events.close, event_id=night.pk, open_matches="whatever")

    def test_what_is_counted_counts_and_what_was_not_played_does_not(self, cast: Cast) -> None:
        night = night_of(cast, 8, hands=4)
        begun, unplayed = night.matches.order_by("pk")
        plan = played(begun, moves=None)
        assert plan.status == Match.Status.FINISHED
        seated_again = seated_after(night)
        enter(seated_again, [{"kind": "hand", "opener": 0, "final": {"bad": [30, 10], "out": 0}}])
        events.close(event_id=night.pk, open_matches="count", step=at(night, "c"))
        seated_again.refresh_from_db()
        unplayed.refresh_from_db()
        assert (seated_again.status, seated_again.sheet["stopped"]) == (Match.Status.STOPPED, "time")
        assert (unplayed.status, unplayed.sheet["stopped"]) == (Match.Status.STOPPED, "abandoned")

    def test_closing_is_taken_back_with_all_it_ended(self, cast: Cast) -> None:
        night = night_of(cast, 8, hands=4)
        events.close(event_id=night.pk, open_matches="abandon", step=at(night, "c"))
        refused("closed", events.drop, event_id=night.pk)
        assert open_night(cast.club.pk) is None
        undo(night)
        assert night.closed_at is None
        assert {match.status for match in night.matches.all()} == {Match.Status.PLAYING}

    def test_a_table_that_went_on_by_itself_is_left_alone(self, cast: Cast) -> None:
        night = night_of(cast, 8, hands=4)
        events.close(event_id=night.pk, open_matches="abandon", step=at(night, "c"))
        match = night.matches.order_by("pk")[0]
        enter(match, [{"kind": "undo"}, {"kind": "hand", "opener": 0}], prefix="again")
        undo(night)
        match.refresh_from_db()
        assert (match.status, match.length) == (Match.Status.PLAYING, 3)
        assert {each.status for each in night.matches.all()} == {Match.Status.PLAYING}

    def test_it_cannot_be_taken_back_while_another_night_goes_on(self, cast: Cast) -> None:
        night = night_of(cast, 4, rounds=0)
        events.close(event_id=night.pk, open_matches=None, step=at(night, "c"))
        events.start(club=cast.club, players=[], step=first("2"))
        night.refresh_from_db()
        refused("night-open", events.undo, event_id=night.pk)


class TestUndo:
    def test_of_a_round_takes_its_matches_away(self, cast: Cast) -> None:
        night = night_of(cast, 8)
        undo(night)
        state = state_of(night)
        assert not night.matches.exists()
        tables = {f"table:{table.pk}" for table in cast.club.tables.filter(number__in=(1, 2))}
        assert tables <= set(Change.objects.filter(kind="unseated").values_list("topic", flat=True))
        assert (len(state.rounds), state.draft is not None) == (0, True)
        events.seat(event_id=night.pk, step=at(night, "again"))
        assert night.matches.filter(status=Match.Status.PLAYING).count() == 2

    def test_of_a_round_that_has_begun_is_refused(self, cast: Cast) -> None:
        night = night_of(cast, 8)
        played(night.matches.order_by("table__number")[1], moves=1)
        assert "2" in refused("round-begun", events.undo, event_id=night.pk)

    def test_after_the_end_was_taken_back_too(self, cast: Cast) -> None:
        """A match that was ended and continued keeps its log, even if nobody has played."""
        night = night_of(cast, 8, hands=4)
        events.close(event_id=night.pk, open_matches="count", step=at(night, "c"))
        undo(night, "1")
        undo(night, "2")
        assert {match.sheet["stopped"] for match in night.matches.all()} == {"abandoned"}
        assert state_of(night).draft

    def test_is_of_what_the_host_saw(self, cast: Cast) -> None:
        night = night_of(cast, 8, rounds=0)
        seen = night.length
        drawn(night)
        refused("stale", events.undo, event_id=night.pk, seen=seen)

    def test_and_so_is_every_step_but_ticks(self, cast: Cast) -> None:
        night = night_of(cast, 8, rounds=0)
        drawn(night)
        seen = Event.objects.get(pk=night.pk).length
        events.tick(event_id=night.pk, came=[], left=[], guests=["Late"], step=at(night, "late"))
        players = state_of(night).here[:2]
        behind = {"event_id": night.pk, "seen": seen}
        refused("stale", events.seat, **behind)
        refused("stale", events.drop, **behind)
        refused("stale", events.swap, **behind, players=players)
        refused("stale", events.draw_again, **behind)
        refused("stale", events.close, **behind, open_matches=None)
        events.tick(event_id=night.pk, came=[], left=players, guests=[], step=Step(Actor(), "left", seen, NOW))
        assert not set(players) & set(state_of(night).here)

    def test_even_if_the_newer_step_is_their_own_on_another_device(self, cast: Cast) -> None:
        night = night_of(cast, 8, rounds=0)
        drawn(night)
        host, seen = Actor(cast.users["owner"]), Event.objects.get(pk=night.pk).length
        players = state_of(night).here[:2]
        events.swap(event_id=night.pk, players=players, step=Step(host, "laptop", seen, NOW))
        with pytest.raises(Behind):
            events.seat(event_id=night.pk, step=Step(host, "phone", seen, NOW))
        assert not night.matches.exists()

    def test_twice_with_one_key_is_once(self, cast: Cast) -> None:
        night = night_of(cast, 8, rounds=0)
        events.tick(event_id=night.pk, came=[], left=state_of(night).here[:1], guests=[], step=at(night, "1"))
        undo(night, "same")
        undo(night, "same")
        assert len(here(night)) == 8


def test_a_key_that_was_used_for_something_else_is_refused(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=0)
    drawn(night)
    one, two, three = state_of(night).here[:3]
    swap = {"event_id": night.pk, "step": at(night, "k")}
    events.swap(players=(one, two), **swap)
    events.swap(players=(one, two), **swap)
    draft = state_of(night).draft
    with pytest.raises(Refused) as error:
        events.swap(players=(one, three), **swap)
    assert error.value.code == "key-used"
    assert state_of(night).draft == draft


def test_byes_go_round(cast: Cast) -> None:
    night = night_of(cast, 6, rounds=6)
    byes = [player for each in state_of(night).rounds for player in each.byes]
    assert sorted(byes.count(player) for player in state_of(night).here) == [2] * 6


def test_who_came_last_time_can_come_again(cast: Cast) -> None:
    night = night_of(cast, 3, rounds=0)
    clubs.player_add(club=cast.club, name="Aaron", now=NOW)
    assert last_time(cast.club) == set(), "the night is still open"
    events.close(event_id=night.pk, open_matches=None, step=at(night, "c", NOW + timedelta(hours=3)))
    cast.club.players.filter(name="Bruno").update(left=True)
    assert {cast.club.players.get(pk=player).name for player in last_time(cast.club)} == {"Ada", "Carmen"}


def test_a_sheet_of_another_day_brings_nobody(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    long_ago = cast.open("domino-whist", table=cast.other_table)
    long_ago.created_at = NOW - timedelta(days=8)
    long_ago.save()
    enter(long_ago, [{"kind": "stop", "stopped": "time"}])
    assert len(event_now(night).here) == 4


def test_a_name_that_is_none_is_named(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    assert "x" * 40 in refused("bad-name", events.tick, event_id=night.pk, came=[], left=[], guests=["Eve", "x" * 99])


def test_names_typed_at_a_table_in_a_night_are_its_guests(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    match = matches.open_match(
        table=cast.table, game="domino-whist", options={}, players=names_for("domino-whist"), by=Actor(), now=NOW
    )
    assert match.event == night
    assert all(seat.player and seat.player.guest for seat in match.seats.all())
    enter(match, [{"kind": "stop", "stopped": "abandoned"}])
    assert len(event_now(night).free) == 8
    drawn(night)
    assert here(night)[4:] == names_for("domino-whist")
    gone = [state_of(night).here[-1]]
    events.tick(event_id=night.pk, came=[], left=gone, guests=[], step=at(night, "1"))
    assert len(event_now(night).here) == 7


def test_capitals_make_no_other_person(cast: Cast) -> None:
    night = night_of(cast, names=["Gloria", "Sergio", "Ana", "Óscar"])
    four = ["Bo", "Cleo", "Dan"]
    text = refused_at_table(cast, ["sergio", *four])
    assert "Still playing: Sergio (table 1)." in text
    assert "Still playing" in refused_at_table(cast, ["ÓSCAR", *four])
    with pytest.raises(Malformed):
        refused_at_table(cast, ["Bo", "bo", "Cleo", "Dan"])
    events.tick(event_id=night.pk, came=[], left=[], guests=["gloria", "Eva", "EVA"], step=at(night, "t"))
    assert here(night) == ["Gloria", "Sergio", "Ana", "Óscar", "Eva"]


def refused_at_table(cast: Cast, players: list[str]) -> str:
    with pytest.raises(Refused) as error, transaction.atomic():
        matches.open_match(
            table=cast.other_table, game="domino-whist", options={}, players=players, by=Actor(), now=NOW
        )
    return error.value.message


@pytest.mark.parametrize("people", [8, 40])
def test_the_number_of_queries_of_a_snapshot(cast: Cast, people: int, django_assert_num_queries: Any) -> None:
    night = night_of(cast, people, rounds=2)
    with django_assert_num_queries(9):
        snapshot = event_now(night)
        assert len(snapshot.history.played) == 2 * (people // 4)
        assert len(snapshot.playing) == people
        assert len(snapshot.free_tables) == 0
    with django_assert_num_queries(6):  # nothing happened: no match is read, nor who sits there
        again = event_now(night, snapshot)
    assert all(old is new for old, new in zip(snapshot.matches, again.matches, strict=True))
    assert names_of(2) == ["Ada", "Bruno"]


def test_a_snapshot_updated_equals_a_new_one(cast: Cast) -> None:
    """An updated snapshot equals a new one, whatever has happened since."""
    night = night_of(cast, 9, hands=3)
    one, two = night.matches.order_by("pk")
    known = event_now(night)
    steps: list[Any] = [
        lambda: played(one, moves=1),
        lambda: played(two, moves=3),
        lambda: enter(one, [{"kind": "undo"}], prefix="a"),
        lambda: enter(one, [{"kind": "swap", "seats": [0, 2, 1, 3]}], prefix="b"),
        lambda: enter(one, [{"kind": "substitute", "seat": 2, "player": "Eva", "from": 0}], prefix="c"),
        lambda: matches.call_last_hand(match_id=one.pk, now=NOW),
        lambda: matches.give_minutes(match_id=two.pk, minutes=30, now=NOW),
        lambda: enter(two, [{"kind": "stop", "stopped": "time"}], prefix="d"),
        lambda: enter(one, [{"kind": "undo"}], prefix="e"),
        lambda: recording.rebuild(match_id=one.pk),
        lambda: enter(one, [{"kind": "stop", "stopped": "abandoned"}], prefix="f"),
        lambda: seated(night),
        lambda: undo(night),
        lambda: clubs.player_add(club=cast.club, name="Somebody new", now=NOW),
        lambda: matches.open_match(
            table=cast.other_table, game="dom", options={}, players=["Ana", "Bo"], by=Actor(), now=NOW
        ),
    ]
    for step in steps:
        step()
        night.refresh_from_db()
        for match in (one, two):
            match.refresh_from_db()
        known, fresh = event_now(night, known), event_now(night)
        assert [_all_of(match) for match in known.matches] == [_all_of(match) for match in fresh.matches]
        assert (known.state, known.tables, known.people, known.newest) == (
            fresh.state,
            fresh.tables,
            fresh.people,
            fresh.newest,
        )


def _all_of(match: Match) -> tuple[Any, ...]:
    def values(row: Any) -> dict[str, Any]:
        return {field.attname: getattr(row, field.attname) for field in row._meta.fields if field.attname != "offers"}

    return values(match), list(map(values, match.seats.all())), list(map(values, match.substitutes.all()))


def seated_after(night: Event) -> Match:
    """Opens the next match at the free table."""
    return seated(night, hands=4)[0]


def test_all_who_played_together_in_a_match_have_met(cast: Cast) -> None:
    """People have met in each line-up of a match, but not if they joined for a hand that was never played."""
    night = night_of(cast, 4, hands=4)
    match = night.matches.get()
    first = [seat.player_id for seat in match.seats.all()]
    whole = {"kind": "hand", "opener": 0, "final": {"out": 0, "left": [0, 5, 6, 7]}}
    eva, fay, gus = ({"kind": "substitute", "seat": 2, "player": name} for name in ("Eva", "Fay", "Gus"))
    enter(match, [eva | {"from": 0}, whole, fay | {"from": 1}, whole | {"opener": 1}, gus | {"from": 2}])
    came = [Player.objects.get(name=name).pk for name in ("Eva", "Fay", "Gus")]

    def met() -> list[tuple[tuple[int, ...], ...]]:
        [played] = event_now(night).history.played
        return [played.sides, *played.later]

    going = [((first[0], each), (first[1], first[3])) for each in came]
    assert met() == going
    match.refresh_from_db()
    enter(match, [{"kind": "stop", "stopped": "time"}])
    assert met() == going[:2]


def test_who_finishes_a_hand_and_who_comes_for_the_next_are_not_free(cast: Cast) -> None:
    night = night_of(cast, 4, hands=4)
    match = night.matches.get()
    first = [seat.player_id for seat in match.seats.all()]
    begun = {"kind": "hand", "opener": 0}
    enter(match, [begun, {"kind": "substitute", "seat": 2, "player": "Eva", "from": 1}])
    eva = Player.objects.get(name="Eva").pk
    assert set(event_now(night).playing) == {*first, eva}
    other = cast.other_table
    for name in (match.seats.all()[2].name, "Eva"):
        with pytest.raises(Refused, match=rf"Still playing: {name} \(table 1\)"):
            matches.open_match(table=other, game="draw", options={}, players=[name, "Bo"], by=Actor(), now=NOW)
    match.refresh_from_db()
    enter(match, [{"kind": "undo"}, {"kind": "undo"}])
    assert set(event_now(night).playing) == set(first)
