"""The shared objects beside the network: their values at each moment, who reads and writes them, and pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Objects
from lydian.pieces.objects import ObjectsFrame, words_of
from lydian.trace.accesses import accesses, lasting
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.time import causality
from lydian.views.words.accesses import accessed, bar_words
from lydian.views.words.sentence import sentence

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
DRAWN = Animation(objects=Objects())


def ran(name: str) -> Timeline:
    run = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    run.run()
    return Timeline(run.trace)


@pytest.fixture(scope="module")
def peterson() -> Timeline:
    return ran("peterson")


@pytest.fixture(scope="module")
def register() -> Timeline:
    return ran("regular-from-safe")


def seen(run: Timeline, t: float) -> ObjectsFrame:
    found = basic.frame(run, t, animation=DRAWN).objects
    assert isinstance(found, ObjectsFrame)
    return found


def test_the_values_are_those_of_the_latest_accesses(peterson: Timeline) -> None:
    assert [(row.name, row.value, row.seq) for row in seen(peterson, 0.5).rows] == [
        ("flag[0]", "no", -1), ("flag[1]", "no", -1), ("turn", "", -1),
    ]  # fmt: skip
    told = dict(peterson.trace.summary["shared"])
    for seq, access in accesses(peterson):
        told[access["object"]] = access["value"]
        frame = seen(peterson, float(peterson.time[seq]))
        texts = {True: "yes", False: "no"}
        assert {row.name: row.value for row in frame.rows} == {
            name: value if isinstance(value, str) else texts[value] for name, value in told.items()
        }
        (row,) = [row for row in frame.rows if row.seq == frame.latest]
        verb = "read" if access["do"] == "read" else "written"
        assert words_of(row, frame.names) == f"{verb} by {peterson.processes[peterson.process[seq]]}"


def test_operations_in_progress_are_named(register: Timeline) -> None:
    (write,) = [each for each in lasting(register) if each.access["do"] == "write"][:1]
    assert write.last is not None
    frame = seen(register, float(register.time[write.first]))
    assert words_of(frame.rows[0], frame.names).startswith("being written by 0")
    assert frame.rows[0].value == "no"  # until the write has ended
    assert seen(register, float(register.time[write.last])).rows[0].value == "yes"


def test_operations_that_last_are_bars(register: Timeline) -> None:
    drawn = causality.frame(register, 50.0, animation=DRAWN)
    bars, known = drawn.scene.bars, lasting(register)
    assert len(bars) == len(known) > 4 and bars.writes.sum() == 2
    assert bars.row.tolist() == [each.process for each in known]
    assert (bars.end > bars.begin).all()
    assert bars.words[0] == bar_words(known[0].access) and bars.words[0].startswith(("read bit", "write bit"))


#: An access -> its sentence.
TOLD = {
    ("read", "", (), 3): "reads 3 from x",
    ("read", "begins", (), None): "begins to read x",
    ("read", "ends", (), 3): "ends its read of x with the result 3",
    ("write", "", (True,), None): "writes yes to x",
    ("write", "begins", (2,), None): "begins to write 2 to x",
    ("write", "ends", (2,), None): "ends its write of 2 to x",
    ("test_and_set", "", (), False): "tests and sets x, which was no",
    ("reset", "", (), None): "resets x",
    ("compare_and_swap", "", (1, 2), 1): "swaps x from 1 to 2",
    ("compare_and_swap", "", (1, 2), 5): "does not swap x from 1 to 2, because it is 5",
}


@pytest.mark.parametrize("case", TOLD, ids=lambda case: " ".join(map(str, case[:2])))
def test_an_access_in_words(case: tuple[str, str, tuple[object, ...], object]) -> None:
    do, phase, given, result = case
    access = {"object": "x", "do": do, "given": list(given), "result": result}
    assert accessed(access | ({"phase": phase} if phase else {})) == TOLD[case]


def test_the_sentence_of_an_event_names_the_object_and_not_the_next_step(peterson: Timeline) -> None:
    told = [sentence(peterson, seq, DRAWN) for seq, _ in accesses(peterson)]
    assert told[0] == "Process 0 writes yes to flag[0]."
    assert not any("next_step" in each or "executes" in each for each in told)


def test_a_share_must_be_a_part_of_the_width() -> None:
    with pytest.raises(BadInput, match="share"):
        Objects(share=2.0)
