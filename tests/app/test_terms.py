"""Terms of the glossary in the window: tooltips end with its sentences, and F1 opens it there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.kit.terms import TERM
from lydian.app.painters.network.legend import legend_tip
from lydian.app.panels.trace.tracelist import CLOCKS
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.guide.glossary import explained, terms, terms_in
from lydian.views.network.basic import LegendItem

Open = Callable[..., MainWindow]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def ends_with(tip: str, *names: str) -> bool:
    """Whether a tooltip ends with what the glossary says of the terms, which it has."""
    return all(name in terms() for name in names) and tip.endswith(explained("", *names))


def test_a_label_names_its_longest_terms_once_in_the_singular_too() -> None:
    assert terms_in("105 events, 46 messages, 2 events") == ["event", "message"]
    assert terms_in("Messages on the longest causal chain") == ["message", "causal chain"]
    assert terms_in("processes; the Byzantine process") == ["process", "Byzantine"]
    assert terms_in("eventful massages") == []


def test_tooltips_of_the_panels_end_with_the_sentences_of_the_glossary(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(size=(1600, 900), layout="debug")
    stage = window.stage
    experiment = stage.docks["experiment"].content
    for card, *names in (
        (experiment.daemon, "daemon"), (experiment.network, "network"), (experiment.timing, "delay"),
        (experiment.by_itself, "workload", "churn"), (experiment.seed, "seed"),
        (stage.docks["network" if "network" in stage.docks else "basic"].bar, "network"),
        (stage.docks["pending"].bar, "enabled"),
        (stage.docks["pending"].content.choose_now, "scheduler"),
        (window.status.label, "event", "message"),
    ):  # fmt: skip
        assert ends_with(card.toolTip(), *names), card.toolTip()
    assert ends_with(experiment.daemons.kind.toolTip(), "daemon")
    assert ends_with(experiment.daemons.begins.toolTip(), "configuration")
    assert ends_with(experiment.timings.order.toolTip(), "FIFO")
    assert all(ends_with(field.toolTip(), rate) for rate, field in experiment.timings.rates.items())

    checks = stage.docks["checks"].content
    kinds = {check["kind"]: checks.item(row) for row, check in enumerate(checks.checks)}
    assert "eventually" in kinds and ends_with(kinds["eventually"].toolTip(), "liveness")
    assert kinds["eventually"].data(TERM) == "liveness"

    pane = stage.docks["trace"].content
    lines = pane.list.itemDelegate()
    assert [lines.clock_at(x) for x in (3, lines.clock_right + 30, pane.list.viewport().width() - 3)] == [
        "time", "", "lamport",
    ]  # fmt: skip
    assert ends_with(CLOCKS["lamport"](), "Lamport clock")
    assert pane.clocks["lamport"].toolTip() == CLOCKS["lamport"]()


def test_the_tooltip_of_the_legend_explains_its_terms_but_no_word_of_the_protocol() -> None:
    entries = (
        ("state", "wave", 3), ("message", "Broadcast", 2), ("crashed", "crashed", 1), ("chain", "waiting chain", 0),
    )  # fmt: skip
    tip = legend_tip(tuple(LegendItem(sort, 0, word, count, 4, word) for sort, word, count in entries))
    lines = tip.split("<br>")
    assert lines[:3] == ["wave <b>3</b>", "Broadcast <b>2</b>", "crashed <b>1</b>"]
    assert [line.partition(":")[0] for line in lines if ": " in line and line[0].isupper()] == [
        "Crash",
        "Waiting chain",
    ]


def test_f1_opens_the_glossary_at_the_term_of_what_has_the_focus(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(size=(1600, 900), layout="study")
    window.stage.show_view("experiment", True)
    window.stage.show_view("checks", True)
    page = window.helping.panel.page
    experiment = window.stage.docks["experiment"].content
    experiment.timing.setFocus()
    qtbot.keyClick(experiment.timing, Qt.Key.Key_F1)
    assert page.file is not None and page.file.stem == "glossary"
    assert page.textCursor().block().text().startswith("delay: ")

    checks = window.stage.docks["checks"].content
    for row, text in ((-1, "Checks"), (0, "safety: ")):
        window.stage.show_view("checks", True)  # the help is a tab beside it
        checks.setFocus()
        checks.setCurrentRow(row)
        window.helping.here()
        assert page.textCursor().block().text().startswith(text)
