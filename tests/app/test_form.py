"""Forms whose fields are bound to a plain value."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.kit.fields import Segment
from lydian.app.kit.form import BoundForm, choice, number, whole
from lydian.app.kit.layout import down

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@dataclass
class Journey:
    where: tuple[str, ...] | None = None
    days: int = 3
    miles: float | None = 2.5
    alone: bool = True
    how: str = "train"
    about: str | None = "nice"


class Page:
    """A form with all kinds of fields, and a record of its signals."""

    def __init__(self, qtbot: QtBot, small: bool) -> None:
        self.edited: list[str] = []
        self.typed: list[str] = []
        self.form = form = BoundForm(self.edited.append, self.typed.append, small=small)
        self.where = form.add("where", "To", choice(("nowhere", None), ("the sea", ("sea",))), name="Destination")
        self.days = form.add("days", "Days", whole(0, 30, unit=" d"))
        self.miles = form.add("miles", "Miles", number(0, 99, never="unknown"), live=False)
        self.alone = form.add("alone", "", QCheckBox("alone"))
        self.how = form.bind("how", Segment("How", [("train", "By train"), ("foot", "On foot")]))
        form.row("how", "How", self.how)
        self.about = form.add("about", "About", QLineEdit(), live=False, tip="In a word")
        self.page = QWidget()
        down(form.rows, on=self.page)
        qtbot.addWidget(self.page)
        self.page.show()


@pytest.fixture(params=[False, True], ids=["form", "card"])
def page(request: pytest.FixtureRequest, qtbot: QtBot) -> Page:
    return Page(qtbot, request.param)


def test_a_value_fills_the_fields_and_can_be_read_back(page: Page) -> None:
    for value in (Journey(), Journey(("sea",), 7, 1.5, False, "foot", "far")):
        page.form.say(value)
        assert page.form.read() == vars(value)
    page.form.say({**vars(Journey()), "miles": None, "about": None})
    assert (page.miles.text(), page.about.text()) == ("unknown", "")
    assert page.edited == page.typed == []


def test_an_edit_reports_its_field_and_text_reports_on_leaving(page: Page) -> None:
    page.form.say(Journey())
    page.where.setCurrentIndex(1)
    page.days.setValue(4)
    page.alone.click()
    page.how.buttons["foot"].click()
    assert (page.edited, page.typed) == (["where", "days", "alone", "how"], [])
    assert page.form.read() == vars(Journey(("sea",), 4, 2.5, False, "foot"))
    QTest.keyClicks(page.about, "!")
    assert (page.edited[4:], page.typed) == ([], ["about"])
    QTest.keyClick(page.about, Qt.Key.Key_Return)
    assert page.edited[4:] == ["about"] and page.about.text() == "nice!"


def test_the_label_of_a_row_belongs_to_its_field(page: Page) -> None:
    words = {label.text(): label.buddy() for label in page.page.findChildren(QLabel) if label.text()}
    assert (words["To"], words["Days"], words["About"]) == (page.where, page.days, page.about)


def test_a_field_is_named_after_its_row_by_default(page: Page) -> None:
    assert [field.accessibleName() for field in page.form.fields.values()] == [
        "Destination", "Days", "Miles", "", "How", "About",
    ]  # fmt: skip
    assert page.about.toolTip() == "In a word"


def test_rows_are_shown_and_hidden_with_their_labels(page: Page) -> None:
    words = [label for label in page.page.findChildren(QWidget) if getattr(label, "text", str)() in ("To", "Days")]
    page.form.show(where=False, days=True)
    assert [page.where.isVisible(), page.days.isVisible()] == [False, True]
    assert sorted(label.isVisible() for label in words) == [False, True]
