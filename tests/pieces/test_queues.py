"""Cards beside processes: the items of a variable, recent additions and removals, as a function of time."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Queue
from lydian.pieces.queues import Cards, cards_of, changes_of_cards, widest_items
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import scene_for
from tests.views.book import Book

NAMES = ("a", "b")


def told(*rows: tuple[float, str, Any]) -> Timeline:
    book = Book(NAMES, links=[("a", "b")])
    for time, name, value in rows:
        book.write(time, "init", name, changed={"q": value})
    return Timeline(book.trace(initial={"q": []}))


RUN = told((1.0, "a", ["x", "y"]), (2.0, "a", ["y", "z", "w"]), (6.0, "b", ["u"] * 6))


def see(t: float, queue: Queue | None = None, run: Timeline = RUN) -> dict[int, Cards]:
    (found,) = basic.frame(run, t, animation=Animation(queues=(queue or Queue("q"),))).queues
    return found.cards


def test_items_are_cards_and_the_rest_is_a_number() -> None:
    assert see(0.5) == {}
    assert see(1.9)[0].items == ("x", "y") and 1 not in see(1.9)
    assert see(9.0)[1].items == ("u",) * 4 and see(9.0)[1].more == 2
    assert see(9.0, Queue("q", most=12))[1].more == 0


def test_added_and_dropped_items_are_shown_for_part_of_a_delay() -> None:
    now = see(2.0)[0]
    assert now.fallen == ("x",) and now.fresh == (False, True, True) and now.share == 0.0
    later = see(2.3)[0]
    assert 0 < later.share < 1 and later.fallen == ("x",)
    over = see(2.9)[0]
    assert over.fallen == () and over.fresh == () and over.share == 1.0 and over.items == ("y", "z", "w")
    assert see(2.3)[0] == later  # it depends on nothing but the time


def test_an_empty_queue_still_shows_what_it_lost() -> None:
    run = told((1.0, "a", ["x"]), (2.0, "a", []))
    assert see(2.1, run=run)[0].fallen == ("x",) and see(3.0, run=run) == {}


def test_delivered_items_are_distinguished_from_dropped_ones() -> None:
    book = Book(NAMES, links=[("a", "b")])
    book.write(1.0, "init", "a", changed={"q": ["x", "y", "z"]})
    book.write(2.0, "init", "a", changed={"q": ["z"], "done": ["w", "y"]})
    book.write(3.0, "init", "a", changed={"q": []})
    run = Timeline(book.trace(initial={"q": [], "done": []}))
    into = Queue("q", into="done")
    first, last = see(2.1, into, run)[0], see(3.1, into, run)[0]
    assert (first.fallen, first.kept) == (("x", "y"), (False, True))
    assert (last.fallen, last.kept) == (("z",), (False,))
    assert see(2.1, Queue("q"), run)[0].kept == see(2.1, Queue("q", into="nothing"), run)[0].kept == (False, False)
    replayed = [cards for _, _, cards in changes_of_cards(scene_for(run, None, Animation(queues=(into,))), into)]
    assert [cards.kept for cards in replayed] == [(), (False, True), (False,)]


@pytest.mark.parametrize(("queue", "value", "items"), [
    (Queue("q"), {"k": 1, "l": 0}, ("k", "l")), (Queue("q"), None, ()), (Queue("q"), "one", ("one",)),
    (Queue("q", item=0), [["e1", 3], ["e2", 4]], ("e1", "e2")), (Queue("q", item=-1), [["e1", 3]], ("3",)),
    (Queue("q", item=7), [["e1"]], cards_of(Queue("q"), [["e1"]])), (Queue("q"), [1, 2], ("1", "2")),
])  # fmt: skip
def test_the_items_of_a_value(queue: Queue, value: Any, items: tuple[str, ...]) -> None:
    assert cards_of(queue, value) == items


def test_the_room_fits_the_longest_items_and_the_legend_lists_them() -> None:
    drawn = Animation(queues=(Queue("q", word="waiting"), Queue("nothing")))
    assert widest_items(scene_for(RUN, None, drawn))[0][-1] in ("w", "x", "y", "z", "u")
    assert widest_items(scene_for(RUN, None, drawn))[1] == ()
    legend = basic.frame(RUN, 3.0, animation=drawn).legend
    assert [item.word for item in legend if item.sort == "queue"] == ["waiting"]
    assert basic.frame(RUN, 3.0, animation=Animation()).queues == ()


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Queue("q", most=0), "most must be a number of cards"),
    (lambda: Queue("q", style="pile"), "no style 'pile'"),
    (lambda: Queue("q", slot=-1), "the slot of a queue"),
    (lambda: Queue("q", into_slot=16), "the slot of a queue"),
    (lambda: Animation(queues=("q",)), r"list of Queue\(...\)"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()
