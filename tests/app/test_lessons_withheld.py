"""The window must not reveal the answer to a question before the user answers it: a walk over all lessons.

At each question the test reads the window as a person, a pointer and a screen reader would: labels, buttons, tooltips,
accessible names, rows of lists and texts of the drawn frames. None of them may contain a number of the coming run, a
verdict, the value that the formula expects, the description of the experiment, or the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QTextEdit,
    QWidget,
)

from lydian.app.lessons.progress import Progress, write_progress
from lydian.desk.runs.worker import WatchedRun
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import from_dict
from lydian.model.lesson.blocks import grade
from lydian.model.lesson.lesson import experiment_of, lessons, load
from lydian.trace.facts import facts
from lydian.trace.timeline import Timeline
from tests.app.conftest import one_window
from tests.some import some

#: The ready simulator belongs to the shared window, which ends it.
pytestmark = [pytest.mark.leaves_behind, pytest.mark.qt_log_ignore("This plugin does not support")]

#: The largest number of events simulated per run; longer runs withhold the same facts.
EVENTS = 210
#: A number below this could have too many other meanings.
SPECIFIC = 10


@pytest.fixture(scope="module")
def runs():
    """Return a function that runs each experiment once and returns its result and timeline."""
    known = []

    def run(experiment):
        experiment = experiment.with_(stop=replace(experiment.stop, events=EVENTS), branches=())
        for same, result, timeline in known:
            if same == experiment:
                return result, timeline
        done = Simulator(experiment).run()
        timeline = Timeline(done.trace)
        known.append((experiment, dict(done.to_dict()), timeline))
        return known[-1][1:]

    return run


@pytest.fixture(scope="module")
def window(qapp, tmp_path_factory, runs):
    with one_window(tmp_path_factory.mktemp("home")) as made:
        session = made.session
        folder = tmp_path_factory.getbasetemp()

        def at_once(request, _folder, _bounds=None):
            experiment = session.experiment if session.experiment is not None else from_dict(request)
            result, timeline = runs(experiment)
            session._loaded(WatchedRun(1, result, folder / "run.parquet"), Timeline(timeline.trace), "")
            return 1

        with pytest.MonkeyPatch.context() as patch:
            session.worker.drop()
            patch.setattr(session.worker, "run", at_once)
            session.run()  # the first run was dropped, and a lesson that begins with it does not run it again
            yield made


# ---------------------------------------------------------------------- reading a window


def _widgets(top: QWidget) -> Iterator[QWidget]:
    """Return all widgets that are visible or would be if their dock or tab were in front."""
    for child in top.findChildren(QWidget):
        if child.window() is top and not child.isHidden() and not _put_away(child, top):
            yield child


def _put_away(widget: QWidget, top: QWidget) -> bool:
    """Return True if a part that contains the widget is hidden and is neither a dock nor a page among others."""
    part = widget.parentWidget()
    while part is not None and part is not top:
        above = part.parentWidget()
        if part.isHidden() and not isinstance(part, QDockWidget) and not isinstance(above, QStackedWidget):
            return True
        part = above
    return False


def _rows(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[str]:
    parent = QModelIndex() if parent is None else parent
    flat = isinstance(model, QAbstractListModel | QAbstractTableModel)
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), 200)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
                yield str(index.data(role) or "")
        if not flat and model.hasChildren(model.index(row, 0, parent)):
            yield from _rows(model, model.index(row, 0, parent))


def _own(widget: QWidget) -> Iterator[str]:
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QLineEdit):
        yield from (widget.text(), widget.placeholderText())
    elif isinstance(widget, QPlainTextEdit | QTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _rows(widget.model())


def _spoken(read: QAccessibleInterface | None, depth: int = 0) -> Iterator[str]:
    """Return what a screen reader says about a widget and its visible children."""
    if read is None or depth > 2 or (depth and read.state().invisible):
        return
    for part in (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value):
        yield read.text(part)
    for number in range(min(read.childCount(), 60)):
        yield from _spoken(read.child(number), depth + 1)


def _drawn(value: object, depth: int = 0) -> Iterator[str]:
    """Return the texts of a frame, and its numbers as usually written."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool) and depth < 3:
        yield f"{value:.2f}" if isinstance(value, float) else str(value)
    elif isinstance(value, list | tuple) and depth < 6:
        for each in value[:400]:
            yield from _drawn(each, depth + 1)
    elif isinstance(value, dict) and depth < 6:
        for each in value.values():
            yield from _drawn(each, depth + 1)
    elif isinstance(value, np.ndarray) and value.dtype == object and depth < 6:
        for each in value.ravel().tolist()[:400]:
            yield from _drawn(each, depth + 1)
    elif is_dataclass(value) and not isinstance(value, type) and type(value).__name__ not in OWN_DATA and depth < 6:
        for field in fields(value):
            yield from _drawn(getattr(value, field.name, None), depth + 1)


#: Parts of a frame that depend only on the protocol and the network.
OWN_DATA = frozenset({"Animation", "Scene", "Declared"})


def everything(window) -> list[tuple[str, str]]:
    """Return each text in a window with its location, except the texts of the lesson's author."""
    found: list[tuple[str, str]] = [("title", window.windowTitle())]
    lesson = window.lessons.dock
    for widget in _widgets(window):
        if lesson is not None and (widget is lesson or lesson.isAncestorOf(widget)):
            continue
        where = f"{type(widget).__name__} {widget.objectName()}".strip()
        found += [(where, text) for text in _own(widget)]
        if widget.isVisible() and not isinstance(widget, QAbstractItemView):
            found += [(f"{where} spoken", text) for text in _spoken(QAccessible.queryAccessibleInterface(widget))]
    for name, canvas in window.stage.canvases.items():
        found += [(f"frame {name}", text) for text in _drawn(canvas.compute())]
    return [(where, re.sub(r"<[^>]*>", " ", text)) for where, text in found if text]


# ---------------------------------------------------------------------- withheld facts


def _numbers(*values: object) -> set[str]:
    """Return the written forms of the numbers that are large enough to be unambiguous."""
    told = set[str]()
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= SPECIFIC:
            told |= {f"{value:,.0f}", f"{value:.0f}"} if float(value).is_integer() else {f"{value:.2f}", f"{value:.1f}"}
    return told


def _known(lesson, step, experiment, timeline) -> str:
    """Return what a user may know: the texts of the lesson so far and the parts of the experiment."""
    words = [each.text + each.title for each in lesson.steps[: step + 1]]
    words += [question.question + question.unit for question in lesson.steps[step].questions]
    data = {key: value for key, value in experiment.to_dict().items() if key not in ("name", "about")}
    data |= {"parameters": timeline.trace.summary.get("parameters"), "faults": len(experiment.faults)}
    links = timeline.trace.network.get("links", timeline.trace.network.get("edges")) or ()
    places = " ".join(str(node) for node in timeline.trace.network.get("nodes", ()))
    n = len(timeline.processes)
    parts = f"{data} {n} {n * n} {len(links)} {places}"
    return " ".join([*words, *timeline.processes, parts, re.sub(r"\.0(?!\d)", "", parts)])


def secrets(lesson, step, experiment, timeline, result) -> list[tuple[str, Callable[[str], bool]]]:
    """Return the facts withheld at a question, each with a test that finds it in a text."""
    known = _known(lesson, step, experiment, timeline)
    run = facts(timeline, result.get("checks"))
    numbers = _numbers(*(run[name] for name in ("messages", "events", "time", "chain", "expected")))
    found: list[tuple[str, Callable[[str], bool]]] = []
    for question in lesson.steps[step].questions:
        if question.kind == "number" and isinstance(question.expect, int | float):
            numbers |= _numbers(question.expect)
        try:
            outcome = grade(question, None, run)
        except BadInput:
            continue  # the short run has no such value
        if question.kind == "number" and re.fullmatch(r"[\d,.]+", outcome.came):
            numbers |= _numbers(float(outcome.came.replace(",", "")))
        elif question.kind == "choice" and len(outcome.came) > 8:
            found.append((f"the choice {outcome.came!r}", lambda text, said=outcome.came: said.lower() in text.lower()))
        found += [(f"why: {question.why!r}", lambda text, said=question.why: bool(said) and said in text)]
    numbers = {each for each in numbers if not re.search(rf"(?<![\d.]){re.escape(each)}(?![\d.]*\d)", known)}
    for each in sorted(numbers):
        pattern = re.compile(rf"(?<![\w.,-]){re.escape(each)}(?![\w-]|[.,]\d)")
        found.append((f"the number {each}", lambda text, pattern=pattern: bool(pattern.search(text))))
    for sentence in re.split(r"(?<=[.!?;:])\s+", " ".join(experiment.about.split())):
        if len(sentence) > 20 and sentence not in known:
            found.append((f"about: {sentence!r}", lambda text, said=sentence[:-1]: said in text))
    for check in result.get("checks") or ():
        name = str(check["name"]).lower()
        found.append((f"the property {name!r}", lambda text, said=name: said in text.lower()))
    return found


def leaks(window, lesson, step, runs) -> list[str]:
    """Return the withheld facts that can be read in the window, with their locations."""
    experiment = experiment_of(lesson, step, archive())
    result, timeline = runs(experiment)
    texts = dict.fromkeys(everything(window))
    whole = "\n".join(text for _, text in texts)
    hidden = [each for each in secrets(lesson, step, experiment, timeline, result) if each[1](whole)]
    return [
        f"{lesson.name}, step {step + 1}: {what} in {where}: {text[:160]!r}"
        for where, text in texts
        for what, reads in hidden
        if reads(text)
    ]


def asks(step) -> bool:
    return any(question.kind != "text" for question in step.questions)


OURS = lessons(archive())


@pytest.mark.parametrize("name", some(OURS, 4))
def test_the_window_never_reveals_the_answer_to_an_open_question(window, qtbot, runs, name):
    lesson = load(name)
    write_progress(window.settings, lesson, Progress())
    assert window.lessons.open(name)
    found: list[str] = []
    for number, step in enumerate(lesson.steps):
        if asks(step):
            window.lessons.go(number)
            live = step.setting is not None and step.setting.live
            if live:
                qtbot.waitUntil(lambda: window.session.live.waiting, timeout=30_000)
            else:
                assert window.playhead.beginning is not None and window.playhead.events == 0
            QApplication.processEvents()
            found += leaks(window, lesson, number, runs)
    window.lessons.show_list()
    assert "\n".join(found) == ""


def test_the_walk_finds_revealed_answers(window, runs):
    lesson = load("echo")
    write_progress(window.settings, lesson, Progress())
    assert window.lessons.open("echo")
    window.lessons.go(4)
    for share in (0.0, 0.3):
        window.playhead.seek(share * window.playhead.reach)
        QApplication.processEvents()
        assert leaks(window, lesson, 4, runs) == []
    window.session.disclose()
    QApplication.processEvents()
    found = "\n".join(leaks(window, lesson, 4, runs))
    window.lessons.show_list()
    for what in ("the number 98", "the number 205", "the property 'the initiator finishes last'"):
        assert what in found
    for where in ("frame communication", "ChecksList", "RunsList", "QLabel"):
        assert where in found
