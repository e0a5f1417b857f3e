"""Conversations with children: reported results, how they are stopped, and that no child is left running."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from lydian.desk.conversation import Conversation
from lydian.engine import wire
from lydian.engine.wire import Batch, Bye, Error, Progress, Request, Result, Search, Stop
from lydian.model.archive.archive import archive
from tests.desk.inprocess import InProcess

RUN = Request({})


class Scripted:
    """A child whose messages are determined by the test."""

    def __init__(self) -> None:
        self.unread = b""
        self.told: list[str] = []
        self.done: list[str] = []
        self.ended = ("", 0)
        self._said: list[bytes] = []

    def attach(self, heard: Callable[[], object], gone: Callable[[], object]) -> None:
        self._heard, self._gone = heard, gone

    def write(self, data: bytes) -> None:
        self.told.append(wire.decode(data).kind)

    def lines(self) -> Iterator[bytes]:
        said, self._said = self._said, []
        yield from said

    def listen(self, seconds: float) -> bool:
        return False

    def wait(self, seconds: float) -> bool:
        self.done.append(f"wait {seconds:g}")
        return True

    def kill(self) -> None:
        self.done.append("kill")

    def discard(self, seconds: float = 0.0) -> None:
        self.done.append(f"discard {seconds:g}")

    def ending(self) -> tuple[str, int]:
        return self.ended

    def says(self, *frames: wire.Frame | bytes) -> None:
        self._said += [each if isinstance(each, bytes) else wire.encode(each) for each in frames]
        self._heard()

    def ends(self, printed: str = "", code: int = 0) -> None:
        self.ended = printed, code
        self._gone()


class Scripts(InProcess):
    """A loop with scripted children."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Scripted] = []

    def child(self, entry: Sequence[str] = ()) -> Scripted:  # type: ignore[override]
        self.made.append(Scripted())
        return self.made[-1]


class Told:
    """The reports of a conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self.all: list[object] = []
        conversation.heard.connect(lambda frame: self.all.append(frame.kind))
        conversation.gone.connect(lambda why: self.all.append(why))


def test_a_run_from_its_request_to_its_end() -> None:
    loop = InProcess()
    conversation = Conversation(loop)
    told = Told(conversation)
    conversation.prepare()
    conversation.start(Request(archive().experiment("two-wings").to_dict(), to=None))
    loop.until(lambda: not conversation.alive)
    assert len(loop.children) == 1, "the one that was ready was taken"
    assert [told.all[0], *told.all[-3:]] == ["begun", "result", "bye", ""]
    assert set(told.all[1:-3]) == {"round"}
    conversation.close()
    loop.close()


@pytest.mark.parametrize(
    ("request_", "printed", "code", "sentence"),
    [
        (RUN, "", 0, "The simulator stopped; the run up to that point is kept, and your work is safe."),
        (RUN, "", -9, "The simulator was ended from outside (signal 9); the run up to that point is kept."),
        (
            Search({}), "a\nlow\n", 1,
            "The search stopped (low); its results so far are lost, and your work is safe.",
        ),
        (
            Batch("run", folder="x"), "no Java", 3,
            "The process that executes the runs stopped (no Java); the finished runs are kept, and your work is safe.",
        ),
    ],
)  # fmt: skip
def test_a_child_that_vanishes_silently(request_: wire.Frame, printed: str, code: int, sentence: str) -> None:
    loop = Scripts()
    conversation = Conversation(loop)
    told = Told(conversation)
    conversation.start(request_)
    loop.made[0].says(b"printed\n", Progress({}), Error("a frame that cannot be used"))
    loop.made[0].ends(printed, code)
    assert told.all == ["progress", "error", sentence] and not conversation.alive
    assert loop.made[0].done == ["discard 0"]


def test_a_child_that_reported_its_result_may_end_without_a_final_newline() -> None:
    loop = Scripts()
    conversation = Conversation(loop)
    told = Told(conversation)
    conversation.start(RUN)
    (child,) = loop.made
    child.says(Result({}))
    child.unread = wire.encode(Bye()).strip()
    child.ends("", 1)
    assert told.all == ["result", "bye", ""]
    conversation.start(RUN)
    loop.made[1].says(Error("it cannot be run", 2))
    conversation.drop()
    assert loop.made[1].done == [] and not conversation.alive
    loop.made[1].ends()
    assert loop.made[1].done == ["discard 0"] and told.all[3:] == ["error"]


def test_a_new_request_replaces_the_current_one() -> None:
    loop = Scripts()
    conversation = Conversation(loop)
    told = Told(conversation)
    conversation.start(RUN)
    conversation.start(RUN)
    first, second = loop.made
    first.says(Progress({}))
    second.says(Progress({}), Progress({}))
    first.ends("", -9)
    assert (first.done, second.done) == (["kill", "discard 0"], []) and told.all == ["progress", "progress"]


def test_a_child_is_told_to_stop_and_killed_if_it_does_not() -> None:
    loop = Scripts()
    conversation = Conversation(loop, patience=1)
    told = Told(conversation)
    conversation.stop()  # no child exists
    assert not conversation.stopping
    conversation.start(RUN)
    conversation.stop()
    conversation.stop()
    (child,) = loop.made
    assert child.told == ["request", "stop"] and conversation.stopping
    loop.until(lambda: child.done == ["kill"])
    child.ends("", -9)
    assert told.all == [""] and conversation.stopping
    conversation.start(RUN)
    assert not conversation.stopping and not any(timer.active for timer in loop._timers)


def test_a_child_with_children_is_not_killed_while_it_may_still_end() -> None:
    loop = Scripts()
    conversation = Conversation(loop, gentle=True)
    told = Told(conversation)
    conversation.start(Batch("run", folder="x"))
    conversation.start(Batch("run", folder="y"))
    first, second = loop.made
    assert (first.told[1:], first.done) == ([Stop.kind], [])
    conversation.prepare()
    conversation.close()
    assert first.done == second.done == ["wait 6", "discard 3"] and loop.made[2].done == ["discard 3"]
    second.ends()
    assert told.all == [] and not conversation.alive


def test_a_waiting_child_is_reused_and_a_dead_one_is_not() -> None:
    loop = Scripts()
    one, other = Conversation(loop), Conversation(loop)
    told = Told(other)
    one.prepare()
    loop.made[0].ends()
    one.prepare()
    one.prepare()
    other.start(RUN, one.hand_over())
    assert len(loop.made) == 2
    loop.made[1].says(Progress({}))
    assert told.all == ["progress"] and not one.alive and other.alive
