"""The hub: what each follower gets, and when."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from django.template import Context, Template
from django.utils.translation import get_language

from scorekeeper.live import Topic, parts, renderers
from scorekeeper.live.hub import Hub
from scorekeeper.models import Change, Club, Event, Table
from scorekeeper.services.changes import announce, in_one_transaction
from tests.conftest import NOW
from tests.running import Message

pytestmark = pytest.mark.django_db(transaction=True)
announced = in_one_transaction(announce)


@pytest.fixture
def club() -> Club:
    club = Club.objects.create(slug="rovers", name="Rovers", created_at=NOW)
    Table.objects.create(club=club, number=1)
    return club


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The drawings of the parts `pad` and `watch`, in order."""
    calls: list[str] = []

    def draw(kind: str, id: int) -> str:
        calls.append(f"{kind}:{id} {get_language()}")
        return f"{Change.objects.filter(topic=f'{kind}:{id}').count()} changes\nin {get_language()}"

    monkeypatch.setitem(renderers, "pad", draw)
    monkeypatch.setitem(renderers, "watch", draw)
    return calls


class Follower:
    """The messages of one stream, one by one."""

    def __init__(self, stream: AsyncIterator[bytes]) -> None:
        self.stream = stream

    async def next(self) -> Message:
        while True:
            async with asyncio.timeout(10):
                text = (await anext(self.stream)).decode()
            fields = [line.partition(": ") for line in text.splitlines() if line]
            data = [value for name, _, value in fields if name == "data"]
            known = {name: value for name, _, value in fields}
            if "event" in known:
                return Message(int(known["id"]), known["event"], "\n".join(data))


@asynccontextmanager
async def following(
    hub: Hub, topic: Topic, part: str = "", language: str = "en", last: int | None = None
) -> AsyncIterator[Follower]:
    """A follower whose stream has begun."""
    async with aclosing(hub.subscribe(topic, part, language, last=last)) as stream:
        async with asyncio.timeout(10):
            assert await anext(stream) == b"retry: 2000\n\n"
        yield Follower(stream)


@sync_to_async
def happen(club: Club, kind: str = "entry", *, silent: bool = False, table: Table | None = None) -> int:
    """A change; its id in the topic of the table, else of the club. `silent`: by another process."""
    topic = Topic("table", table.pk) if table else Topic("club", club.pk)
    if silent:
        Change.objects.create(topic=str(topic), kind=kind, at=NOW)
    else:
        announced(kind=kind, club_id=club.pk, table_id=table.pk if table else None, now=NOW)
    return topic.newest()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The hub that `wake` wakes."""
    fresh = Hub()
    monkeypatch.setattr("scorekeeper.live.hub.hub", fresh)
    return fresh


def test_a_new_follower_gets_the_present_state(hub: Hub, club: Club) -> None:
    async def story() -> None:
        newest = await happen(club, "founded")
        async with following(hub, Topic("club", club.pk)) as follower:
            message = await follower.next()
        assert (message.id, message.event) == (newest, "change")
        assert message.json == {"topic": f"club:{club.pk}", "kind": "founded"}

    asyncio.run(story())


@pytest.mark.parametrize("silent", [False, True], ids=["woken", "by another process"])
def test_a_follower_is_sent_what_happens(hub: Hub, club: Club, silent: bool) -> None:
    async def story() -> None:
        async with following(hub, Topic("club", club.pk), last=0) as follower:
            for kind in ("first", "second"):
                newest = await happen(club, kind, silent=silent)
                message = await follower.next()
                assert (message.id, message.json["kind"]) == (newest, kind)

    asyncio.run(story())


def test_who_stands_better_wakes_no_pad(
    hub: Hub, club: Club, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.objects.get()
    monkeypatch.setitem(renderers, "outlook", renderers["watch"])

    async def story() -> None:
        topic = Topic("table", table.pk)
        async with following(hub, topic, "pad") as pad, following(hub, topic, "outlook") as spectator:
            await pad.next()
            await spectator.next()
            found = await happen(club, "outlook", table=table)
            assert (await spectator.next()).id == found
            played = await happen(club, "move", table=table)
            assert (await pad.next()).id == played, "not the change before it"

    asyncio.run(story())


def test_a_returning_follower_gets_only_what_is_new(hub: Hub, club: Club) -> None:
    async def story() -> None:
        seen = await happen(club, "seen")
        async with following(hub, Topic("club", club.pk), last=seen) as follower:
            missed = await happen(club, "next")
            assert (await follower.next()).id == missed
        newest = await happen(club, "while away")
        async with following(hub, Topic("club", club.pk), last=missed) as follower:
            message = await follower.next()
            assert (message.id, message.json["kind"]) == (newest, "while away")

    asyncio.run(story())


def test_a_follower_of_another_database_starts_again(hub: Hub, club: Club) -> None:
    async def story() -> None:
        newest = await happen(club)
        async with following(hub, Topic("club", club.pk), last=newest + 1000) as follower:
            assert (await follower.next()).event == "reset"
            assert (await follower.next()).id == newest

    asyncio.run(story())


def test_followers_of_something_else_hear_nothing(hub: Hub, club: Club) -> None:
    async def story() -> None:
        table = await Table.objects.aget()
        other = await Table.objects.acreate(club=club, number=2)
        async with (
            following(hub, Topic("table", table.pk), last=0) as here,
            following(hub, Topic("table", other.pk), last=0) as there,
        ):
            await happen(club, "here", table=table)
            assert (await here.next()).json["kind"] == "here"
            newest = await happen(club, "there", table=other)
            message = await there.next()
            assert (message.id, message.json["kind"]) == (newest, "there")

    asyncio.run(story())


def test_followers_of_a_night_hear_of_it_and_not_of_every_tile(hub: Hub, club: Club) -> None:
    night = Event.objects.create(club=club, kind="night", started_at=NOW)

    @sync_to_async
    def tell(kind: str, *, event: Event | None = night, minor: bool = False) -> None:
        table = club.tables.get()
        announced(kind=kind, club_id=club.pk, table_id=table.pk, event=event, minor=minor, now=NOW)

    async def story() -> None:
        async with following(hub, Topic("night", night.pk), last=0) as follower:
            await tell("night")
            assert (await follower.next()).json["kind"] == "night"
            await tell("move", minor=True)
            await tell("players", event=None)
            await tell("left")
            assert (await follower.next()).json["kind"] == "left"

    asyncio.run(story())


def test_a_part_is_drawn_once_for_all_followers_with_the_same_language(hub: Hub, club: Club, drawn: list[str]) -> None:
    async def story() -> None:
        topic = Topic("club", club.pk)
        async with (
            following(hub, topic, "watch", last=0) as one,
            following(hub, topic, "watch", last=0) as two,
            following(hub, topic, "watch", "es", last=0) as three,
        ):
            newest = await happen(club)
            messages = [await follower.next() for follower in (one, two, three)]
        assert messages[0] == messages[1] == Message(newest, "watch", "1 changes\nin en")
        assert messages[2] == Message(newest, "watch", "1 changes\nin es")
        assert sorted(drawn) == [f"{topic} en", f"{topic} es"]

    asyncio.run(story())


def test_a_slow_follower_gets_the_newest_state_and_no_queue(hub: Hub, club: Club, drawn: list[str]) -> None:
    async def story() -> None:
        async with following(hub, Topic("club", club.pk), "watch", last=0) as slow:
            for _ in range(30):
                newest = await happen(club)
            messages = [await slow.next()]
            while messages[-1].id < newest:
                messages.append(await slow.next())
            assert messages[-1].data == "30 changes\nin en"
            assert len(messages) == len(drawn) < 10

    asyncio.run(story())


@pytest.fixture
def halls(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The part `watch`, with one piece for each table."""
    shown = {"one": "0 – 0", "two": "0 – 0"}
    template = Template(
        "{% load live %}<ul>{% for id, points in shown.items %}"
        '{% piece %}<li id="{{ id }}">{{ points }}</li>{% endpiece %}{% endfor %}</ul>'
    )
    monkeypatch.setitem(renderers, "watch", lambda kind, id: template.render(Context({"shown": shown})))
    return shown


def test_a_follower_gets_only_the_changed_pieces(hub: Hub, club: Club, halls: dict[str, str]) -> None:
    async def story() -> None:
        topic = Topic("club", club.pk)
        await happen(club)
        async with following(hub, topic, "watch") as old:
            whole = await old.next()
            assert whole.data == '<ul><li id="one">0 – 0</li><li id="two">0 – 0</li></ul>'
            halls["two"] = "5 – 0"
            newest = await happen(club)
            assert await old.next() == Message(newest, "watch", '<li id="two">5 – 0</li>')
            async with following(hub, topic, "watch") as new:
                assert (await new.next()).data == '<ul><li id="one">0 – 0</li><li id="two">5 – 0</li></ul>'
                halls["one"] = "0 – 9"
                newest = await happen(club)
                assert await old.next() == await new.next() == Message(newest, "watch", '<li id="one">0 – 9</li>')
        async with following(hub, topic, "watch", last=whole.id) as back:
            assert (await back.next()).data == '<ul><li id="one">0 – 9</li><li id="two">5 – 0</li></ul>'

    asyncio.run(story())


def test_what_looks_the_same_is_not_sent_and_other_pieces_are_a_new_whole(
    hub: Hub, club: Club, halls: dict[str, str]
) -> None:
    async def story() -> None:
        async with following(hub, Topic("club", club.pk), "watch") as follower:
            await follower.next()
            await happen(club)
            async with following(hub, Topic("club", club.pk), "watch") as other:
                await other.next()  # it was drawn again
            halls["three"] = "0 – 0"
            newest = await happen(club)
            message = await follower.next()
            while message.id < newest:  # by this number a page goes on where it was
                assert message.data == ""
                message = await follower.next()
            assert message.id == newest
            assert message.data.startswith("<ul>")
            assert message.data.count("<li") == 3

    asyncio.run(story())


def test_a_list_grows_by_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    template = Template(
        '{% load live %}<ul id="halls">{% for id in ids %}'
        '{% piece among="halls" %}<li id="{{ id }}"></li>{% endpiece %}{% endfor %}</ul>'
    )
    ids, versions = ["one", "two"], itertools.count(1)
    monkeypatch.setitem(renderers, "watch", lambda kind, id: template.render(Context({"ids": ids})))

    def draw(*now: str) -> parts.Drawing:
        ids[:] = now
        return parts.drawn(Topic("club", 1), "watch", "en", next(versions))

    before = draw("one", "two")
    assert draw("none", "one", "three", "two", "four").since(before).decode().splitlines() == [
        f"data: {line}"
        for line in (
            '<template data-among="halls" data-after="">',
            '<li id="none"></li>',
            "</template>",
            '<template data-among="halls" data-after="one">',
            '<li id="three"></li>',
            "</template>",
            '<template data-among="halls" data-after="two">',
            '<li id="four"></li>',
            "</template>",
        )
    ]
    for other in (draw("two"), draw("two", "one"), draw("two", "three")):  # what went away, or changed places
        assert other.since(before) == other.whole
    assert before.since(draw()) == before.whole, "the first of a list"


def test_an_element_without_an_id_is_no_piece(hub: Hub, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    template = Template("{% load live %}{% piece %}<li>{% endpiece %}")
    monkeypatch.setitem(renderers, "watch", lambda kind, id: template.render(Context()))

    async def story() -> None:
        async with following(hub, Topic("club", club.pk), "watch") as follower:
            with pytest.raises(AssertionError, match="must start with an element and its id"):
                await follower.next()

    asyncio.run(story())


def test_watchers_share_drawings(hub: Hub, club: Club, drawn: list[str]) -> None:
    """Many followers who joined at different moments need no more drawings than one."""

    async def until(follower: Follower, newest: int) -> Message:
        while (message := await follower.next()).id < newest:
            pass
        return message

    async def story() -> None:
        topic = Topic("club", club.pk)
        async with AsyncExitStack() as stack:
            followers = []
            for _ in range(10):
                await happen(club)
                followers.append(await stack.enter_async_context(following(hub, topic, "watch")))
                await followers[-1].next()
            before = len(drawn)
            newest = await happen(club)
            latest = await asyncio.gather(*(until(follower, newest) for follower in followers))
            assert latest == [Message(newest, "watch", "11 changes\nin en")] * 10
            assert len(drawn) <= before + 2, "the last but one may just have been begun"

    asyncio.run(story())


def test_what_cannot_be_drawn_ends_the_stream_and_the_next_one_is_well(
    hub: Hub, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([ValueError("cannot be drawn"), "drawn"])

    def draw(kind: str, id: int) -> str:
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    monkeypatch.setitem(renderers, "pad", draw)

    async def story() -> None:
        topic = Topic("club", club.pk)
        async with following(hub, topic, last=0):
            with pytest.raises(ValueError, match="cannot be drawn"):
                async with following(hub, topic, "pad") as follower:
                    await follower.next()
            async with following(hub, topic, "pad") as follower:
                assert (await follower.next()).data == "drawn"

    asyncio.run(story())


def test_a_silent_stream_says_that_it_lives(hub: Hub, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.live.hub.HEARTBEAT", 0.01)

    async def story() -> None:
        async with following(hub, Topic("club", club.pk), last=0) as follower:
            assert await anext(follower.stream) == b":\n\n"

    asyncio.run(story())


def test_closing_ends_every_stream(hub: Hub, club: Club) -> None:
    async def story() -> None:
        topic = Topic("club", club.pk)
        async with following(hub, topic, last=0) as one, following(hub, topic, last=0) as two:
            hub.close()
            for follower in (one, two):
                with pytest.raises(StopAsyncIteration):
                    await follower.next()

    asyncio.run(story())


def test_with_nobody_left_the_hub_does_nothing(hub: Hub, club: Club) -> None:
    async def story() -> None:
        async with following(hub, Topic("club", club.pk), "", last=0) as follower:
            await happen(club)
            await follower.next()
            assert hub._tasks
        assert not hub._tasks
        assert not hub._followers
        assert not len(hub._drawings)
        hub.wake()

    asyncio.run(story())


@pytest.mark.parametrize(
    "text", ["", "match", "match:", "match:x", "hall:1", "match:-1", "match:²", "club:1:2", "match:" + "9" * 30]
)
def test_what_is_no_topic(text: str) -> None:
    with pytest.raises(ValueError, match="No such topic"):
        Topic.parse(text)


def test_a_hub_without_followers_leaves_no_task_behind(hub: Hub, club: Club) -> None:
    """Even if the last follower leaves while the hub is connecting or waking up."""

    async def story(steps: int) -> None:
        async with following(hub, Topic("club", club.pk)):
            hub.wake()
            for _step in range(steps):
                await asyncio.sleep(0)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        if left:
            _done, left = await asyncio.wait(left, timeout=5)
        assert not left, f"after {steps} steps of the loop"

    for steps in range(0, 60, 2):
        asyncio.run(story(steps))
