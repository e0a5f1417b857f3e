"""Which histories each consistency condition allows."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from lydian.model.history.consistency import causally_consistent, linearizable, sequentially_consistent
from lydian.model.history.operations import History
from lydian.model.history.specs import Spec, keyvalue, queue, register


def history(text: str) -> History:
    """Read lines such as ``p: Write 1 [0, 2]`` and ``q: Read [1, 3] = 1``; ``[1,`` is an operation without an end."""
    steps: list[tuple[float, int, str, str, dict[str, Any], Any]] = []
    for line in text.strip().splitlines():
        process, _, rest = line.strip().partition(": ")
        call, _, times = rest.partition(" [")
        name, *given = call.split()
        fields = dict(zip(("value",) if len(given) < 2 else ("key", "value"), map(_value, given), strict=False))
        if name in ("Get",):
            fields = {"key": fields["value"]}
        span, _, result = times.partition("] = ")
        start, _, end = span.rstrip("],").partition(", ")
        steps.append((float(start), 0, process, name, fields, None))
        if end:
            steps.append((float(end), 1, process, "", {}, _value(result) if result else None))
    found = History()
    for time, responds, process, name, fields, result in sorted(steps, key=lambda step: step[:2]):
        if responds:
            found.respond(process, result, time, 0)
        else:
            found.invoke(process, name, fields, time, 0)
    return found


def _value(text: str) -> Any:
    return None if text == "None" else int(text) if text.isdigit() else text


def holds(text: str, spec: Spec | None = None) -> tuple[bool, bool, bool]:
    c, spec = SimpleNamespace(history=history(text)), spec or register(0)
    makers = (linearizable, sequentially_consistent, causally_consistent)
    return tuple(bool(make(spec)(c)) for make in makers)  # type: ignore[return-value]


def test_a_stale_read_is_sequentially_consistent() -> None:
    assert holds("p: Write 1 [0, 1]\nq: Read [2, 3] = 0") == (False, True, True)


def test_overlapping_operations_may_have_either_order() -> None:
    assert holds("p: Write 1 [0, 5]\nq: Read [1, 2] = 0\nq: Read [3, 4] = 1") == (True, True, True)
    assert holds("p: Write 1 [0, 5]\nq: Read [1, 2] = 1\nq: Read [3, 4] = 0") == (False, False, False)


def test_readers_that_disagree_on_the_order_of_writes_are_only_causally_consistent() -> None:
    text = """
        p: Write 1 [0, 1]
        q: Write 2 [0, 1]
        r: Read [2, 3] = 1
        r: Read [4, 5] = 2
        s: Read [2, 3] = 2
        s: Read [4, 5] = 1
    """
    assert holds(text) == (False, False, True)


def test_a_read_that_ignores_a_cause_is_not_causally_consistent() -> None:
    text = """
        p: Put x 1 [0, 1]
        q: Get x [2, 3] = 1
        q: Put y 2 [4, 5]
        r: Get y [6, 7] = 2
        r: Get x [8, 9] = 0
    """
    assert holds(text, keyvalue(0)) == (False, False, False)
    assert holds(text.replace("= 0", "= 1"), keyvalue(0)) == (True, True, True)


def test_orders_of_different_keys_must_fit_together_except_in_real_time() -> None:
    text = """
        p: Put x 1 [0, 1]
        p: Get y [2, 3] = 0
        q: Put y 1 [0, 1]
        q: Get x [2, 3] = 0
    """
    assert holds(text, keyvalue(0)) == (False, False, True)


def test_an_operation_without_a_response_may_have_taken_effect() -> None:
    assert holds("p: Write 1 [0,\nq: Read [1, 2] = 1")[0]
    assert holds("p: Write 1 [0,\nq: Read [1, 2] = 0")[0]


def test_a_queue_returns_values_in_their_order() -> None:
    fifo = linearizable(queue())

    def fits(text: str) -> bool:
        return bool(fifo(SimpleNamespace(history=history(text))))

    assert fits("p: Enqueue 1 [0, 1]\np: Enqueue 2 [2, 3]\nq: Dequeue [4, 5] = 1")
    assert not fits("p: Enqueue 1 [0, 1]\np: Enqueue 2 [2, 3]\nq: Dequeue [4, 5] = 2")
    assert fits("q: Dequeue [0, 9] = None\np: Enqueue 1 [1, 2]")
    assert not fits("p: Enqueue 1 [1, 2]\nq: Dequeue [4, 9] = None")


def test_a_violation_names_the_operations() -> None:
    c = SimpleNamespace(history=history("p: Write 1 [0, 1]\nq: Read [2, 3] = 0"))
    found = linearizable(register(0))(c)
    assert found.why == (
        "no order in real time explains Read() by process q = 0, after or during Write(1) by process p"
    )
    assert [each.process for each in found.operations] == ["q", "p"]


@pytest.mark.parametrize("seed", range(60))
def test_all_conditions_agree_with_all_permutations(seed: int) -> None:
    draw = random.Random(seed)
    lines, times = [], dict.fromkeys("pqr", 0)
    for value in range(1, 6):
        process = draw.choice("pqr")
        start = times[process] + draw.randrange(3)
        end = times[process] = start + 1 + draw.randrange(4)
        times[process] += 1
        call = f"Write {value}" if draw.random() < 0.5 else "Read"
        result = "" if call != "Read" else f" = {draw.randrange(value)}"
        lines.append(f"{process}: {call} [{start}, {end}]{result}")
    text = "\n".join(lines)
    operations = history(text)

    def explained(order: Sequence[Any]) -> bool:
        state = 0
        for each in order:
            if each.name == "Write":
                state = each.value
            elif each.result != state:
                return False
        return True

    def possible(real: bool) -> bool:
        def kept(a: Any, b: Any) -> bool:
            return a.before(b) if real else a.process == b.process and a.invoked < b.invoked

        return any(
            explained(order) and not any(kept(b, a) for a, b in itertools.combinations(order, 2))
            for order in itertools.permutations(operations)
        )

    found = holds(text)
    assert found[:2] == (possible(True), possible(False))
    assert found[2] or not found[1]  # a sequentially consistent history is causally consistent


def test_values_must_differ_for_causal_consistency() -> None:
    c = SimpleNamespace(history=history("p: Write 1 [0, 1]\nq: Write 1 [0, 1]"))
    with pytest.raises(ValueError, match="needs different values"):
        causally_consistent(register(0))(c)


def test_wrong_objects_are_refused_with_a_sentence() -> None:
    with pytest.raises(TypeError, match=r"linearizable needs an object such as register\(\), not 3"):
        linearizable(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is for registers and key-value stores, not a queue"):
        causally_consistent(queue())
