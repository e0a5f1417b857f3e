"""The lines of a protocol that an event executed."""

from __future__ import annotations

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.others.step import frame
from lydian.views.words.code import Code, code_of
from lydian.views.words.reasons import ACTED, action_of


def run(name: str = "two-wings") -> Timeline:
    simulator = Simulator(archive().experiment(name))
    simulator.run()
    return Timeline(simulator.trace)


def test_the_line_of_an_effect_is_marked_if_it_is_unique() -> None:
    timeline = run()
    lines = timeline.trace.source.splitlines()
    seen = set()
    for seq in range(timeline.length):
        action = action_of(timeline, seq)
        if action < 0:
            continue
        code = code_of(timeline, action, seq)
        assert code is not None and lines[code.first - 1].strip().startswith(f"def {code.function}(")
        marked = lines[code.current - 1]
        if code.current != code.first:
            kind = KINDS[timeline.kind[seq]]
            words = {"send": ("send", "spread"), "deliver": ("deliver",), "decide": ("decide",)}[kind]
            assert any(f"self.{each}(" in marked for each in words)
            seen.add(kind)
    assert {"send", "deliver"} <= seen


def test_a_reply_is_shown_with_its_function_and_without_unknown_values() -> None:
    timeline = run()
    action = next(seq for seq in range(timeline.length) if int(timeline.kind[seq]) in ACTED)
    code = code_of(timeline, action)
    assert code is not None and code.current == code.first and code.lines[0].startswith("def ")
    shown = frame(timeline, float(timeline.time[action]))
    assert shown.code is not None and shown.lasts[-1].text == f"{shown.code.function}(), line {shown.code.current}"


def test_the_excerpt_has_the_current_line_and_no_extra_indentation() -> None:
    code = Code("f", 10, 13, ("def f():", "    if x:", "        a()", "        b()", "    c()"))
    assert code.around(1) == ((13, "b()"),)
    assert code.around(2) == ((13, "    b()"), (14, "c()"))
    assert code.around(99) == tuple(enumerate(code.lines, 10))
    for count in range(1, 6):
        assert 13 in [number for number, _text in code.around(count)] and len(code.around(count)) == count
