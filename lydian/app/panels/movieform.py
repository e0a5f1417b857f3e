"""A movie before it is made: which views, which part of the run, how fast, how large, and what will come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.card import scrolled
from lydian.app.pictures.movie import FORMATS, moments
from lydian.app.pictures.wish import SIZES, MovieWish
from lydian.desk.playhead import Playhead
from lydian.model.errors import BadInput
from lydian.views.registry import views
from lydian.views.words.words import joined, plural

__all__ = ["MovieForm", "lasts", "megabytes"]

_LETTERS = {"As in the window": 0.0, "Usual": 1.0, "Large (1.25)": 1.25, "Larger (1.5)": 1.5, "Huge (2)": 2.0}


class MovieForm(QWidget):
    """The choices, each in a line; what they mean stands below.

    Args:
        playhead: the run, its speed and its loop.
        shown: names of the views that are shown in the window, in order.
    """

    #: The movie shall be made: a :class:`MovieWish`.
    wanted = Signal(object)
    #: A choice was changed.
    changed = Signal(object)
    titled = Signal(str)

    def __init__(
        self, playhead: Playhead, theme: Theme, shown: Callable[[], Sequence[str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.playhead, self.shown = playhead, shown
        self._titles = {view.name: view.title for view in views()}
        self.busy = False
        self._telling = True
        self.views = self._combo("Views of the movie", [("Those that are shown", "")])
        for name, title in self._titles.items():
            self.views.addItem(f"{title} alone", name)
        self.views.addItem("Several…", "several")
        self.boxes = {name: QCheckBox(title) for name, title in self._titles.items()}
        self.several = QWidget()
        grid = QGridLayout(self.several)
        grid.setContentsMargins(0, 0, 0, 0)
        for number, (name, box) in enumerate(self.boxes.items()):
            box.setAccessibleName(f"{self._titles[name]} in the movie")
            box.toggled.connect(lambda _on: self._tell())
            grid.addWidget(box, number // 3, number % 3)
        self.span = self._combo(
            "Part of the run", [("The whole run", "whole"), ("The loop", "loop"), ("From … to …", "part")]
        )
        self.start, self.end = self._field("Begins at", 70), self._field("Ends at", 70)
        self.part = _beside("from", self.start, "to", self.end)
        self.pace = self._combo(
            "Speed of the movie",
            [("As it plays now", "now"), ("Units of time a second", "speed"), ("Seconds in all", "seconds")],
        )
        self.amount = self._field("How fast", 70)
        rates: list[tuple[str, Any]] = [(str(rate), rate) for rate in (10, 12, 24, 25, 30, 50, 60)]
        self.fps = self._combo("Frames a second", [("As usual", 0), *rates])
        self.size_ = self._combo("Size of the movie", [(words, size) for words, size in SIZES.items()])
        self.size_.addItem("Another…", None)
        self.width_ = self._field("Pixels from left to right", 56)
        self.height_ = self._field("Pixels from top to bottom", 56)
        self.own = _beside("", self.width_, "x", self.height_)
        self.theme_ = self._combo("Theme of the movie", [("As now", "now"), ("Light", "light"), ("Dark", "dark")])
        self.letters = self._combo("Size of letters", list(_LETTERS.items()))
        self.kind = self._combo(
            "Kind of file", [("MP4 (plays everywhere)", ".mp4"), ("GIF (for wikis and mails)", ".gif")]
        )
        self.summary, self.problem = QLabel(), QLabel()
        self.problem.setObjectName("problem")
        for label in (self.summary, self.problem):
            label.setWordWrap(True)
        self.go = QPushButton("Save movie…")
        self.go.setAccessibleName("Save the movie")
        self.go.clicked.connect(lambda: self.wanted.emit(self.wish()))
        self._lay_out()
        self._unsubscribe = playhead.changed.connect(self._head_changed)
        self.destroyed.connect(self._unsubscribe)
        set_look(self.summary, theme, font="small")
        set_look(self, theme, min_width=stretched(400))
        self.go.setProperty("primary", True)
        self._telling = False

    # ------------------------------------------------------------------ building

    def _combo(self, name: str, items: list[tuple[str, Any]]) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(16)
        for words, data in items:
            combo.addItem(words, data)
        combo.currentIndexChanged.connect(lambda _index: self._tell())
        return combo

    def _field(self, name: str, wide: int) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(name)
        field.setMinimumWidth(wide)
        field.setMaximumWidth(2 * wide)
        field.textEdited.connect(lambda _text: self._tell())
        return field

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(12)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Views", self.views), ("", self.several), ("Of", self.span), ("", self.part), ("Speed", self.pace),
            ("", self.amount), ("Size", self.size_), ("", self.own), ("Frames a second", self.fps),
            ("Theme", self.theme_), ("Letters", self.letters), ("File", self.kind),
        )  # fmt: skip
        for words, field in rows:
            form.addRow(words, field)
        self.form = form
        inside = QWidget()
        inside.setObjectName("panel")
        down(form, ..., on=inside, margins=(12, 10, 12, 6))
        self.area = scrolled(inside)
        down(
            (self.area, 1),
            across((down(self.summary, self.problem), 1), self.go, margins=(12, 6, 12, 8)),
            on=self, spacing=0,
        )  # fmt: skip

    # ------------------------------------------------------------------ choices

    def say(self, wish: MovieWish) -> None:
        """Show a wish."""
        self._telling = True
        several = len(wish.views) > 1
        _choose(self.views, "several" if several else wish.views[0] if wish.views else "")
        for name, box in self.boxes.items():
            box.setChecked(name in wish.views if several else name in ("basic", "causality"))
        _choose(self.span, wish.span)
        self.start.setText(f"{wish.start:.6g}")
        self.end.setText(f"{wish.end:.6g}" if wish.end > wish.start else "")
        _choose(self.pace, wish.pace)
        self._wish = wish
        self._fill_amount()
        _choose(self.fps, wish.fps)
        _choose(self.size_, wish.size if wish.size in SIZES.values() else None)
        self.width_.setText(str(wish.size[0]))
        self.height_.setText(str(wish.size[1]))
        _choose(self.theme_, wish.theme)
        _choose(self.letters, wish.letters)
        _choose(self.kind, wish.kind)
        self._telling = False
        self.refresh()

    def _fill_amount(self) -> None:
        wish = self._wish
        self._amounts = {"speed": wish.speed, "seconds": wish.seconds}
        self._paced = str(self.pace.currentData())
        self.amount.setText(f"{self._amounts.get(self._paced, 0.0):g}")

    def wish(self) -> MovieWish:
        """What the fields say.

        Raises:
            BadInput: a field holds no number.
        """
        views = str(self.views.currentData())
        chosen = tuple(name for name, box in self.boxes.items() if box.isChecked()) if views == "several" else (views,)
        span, pace = str(self.span.currentData()), str(self.pace.currentData())
        end = self.playhead.end if self.playhead.timeline is not None else 0.0
        wish = replace(
            self._wish, views=tuple(view for view in chosen if view), span=span, pace=pace,
            fps=int(self.fps.currentData()), theme=str(self.theme_.currentData()),
            letters=float(self.letters.currentData()), kind=str(self.kind.currentData()),
        )  # fmt: skip
        if views == "several" and not wish.views:
            raise BadInput("choose at least one view")
        if span == "part":
            start = _number(self.start, "the time at which it begins", 0.0)
            wish = replace(wish, start=start, end=_number(self.end, "the time at which it ends", end))
        if pace == "speed":
            wish = replace(wish, speed=_number(self.amount, "the speed"))
        elif pace == "seconds":
            wish = replace(wish, seconds=_number(self.amount, "the length"))
        size = self.size_.currentData()
        if size is None:
            wide, high = _number(self.width_, "the width"), _number(self.height_, "the height")
            size = (round(wide), round(high))
        return replace(wish, size=(int(size[0]), int(size[1])))

    def _tell(self) -> None:
        if self._telling:
            return
        if self.pace.currentData() != self._paced:
            self._fill_amount()
        self.refresh()
        try:
            self._wish = self.wish()
        except BadInput:
            return
        self.changed.emit(self._wish)

    # ------------------------------------------------------------------ what it means

    def set_busy(self, on: bool) -> None:
        """A movie is being made: another one has to wait."""
        self.busy = on
        self.refresh()

    def _head_changed(self, what: str) -> None:
        if what in ("speed", "loop", "timeline") and self.isVisible():
            self.refresh()

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Say what the choices mean for the run at hand."""
        titles = [self._titles[name] for name in self.shown()]
        self.views.setItemText(0, f"Those that are shown ({', '.join(titles)})")
        self.views.setToolTip(self.views.itemText(0))
        self.pace.setItemText(0, f"As it plays now ({self.playhead.speed:g}x)")
        for row, on in (
            (self.several, self.views.currentData() == "several"), (self.part, self.span.currentData() == "part"),
            (self.amount, self.pace.currentData() != "now"), (self.own, self.size_.currentData() is None),
        ):  # fmt: skip
            self.form.setRowVisible(row, on)
        usual = FORMATS[str(self.kind.currentData())][0]
        self.fps.setItemText(0, f"As usual ({usual})")
        try:
            words, trouble = self._outlook(self.wish()), ""
        except BadInput as error:
            words, trouble = "", f"{error.what[:1].upper()}{error.what[1:]}."
        self.summary.setText(words)
        self.summary.setVisible(bool(words))
        self.problem.setText(trouble)
        self.problem.setVisible(bool(trouble))
        self.go.setEnabled(not trouble and not self.busy and self.playhead.timeline is not None)
        self.go.setToolTip("A movie is still being made" if self.busy else "Choose a file and begin")
        self.titled.emit(words.partition(". ")[0])

    def _outlook(self, wish: MovieWish) -> str:
        """How long it will be, and how large."""
        head = self.playhead
        if head.timeline is None:
            return "There is no run yet."
        loop = head.span if head.loop or wish.span == "loop" else None
        low, high = wish.times(head.end, loop)
        speed = wish.units(head.end, loop, head.speed)
        fps = wish.frames_a_second()
        most = FORMATS[wish.kind][1]
        if fps > most:
            raise BadInput(f"a {wish.kind[1:].upper()} has at most {most} frames a second, not {fps}")
        wide, high_ = wish.size
        if min(wide, high_) < 16 or max(wide, high_) > 4096:
            raise BadInput(f"a movie has 16 to 4096 pixels each way, not {wide} x {high_}")
        if wish.kind == ".mp4" and (wide % 2 or high_ % 2):
            raise BadInput(f"an MP4 has an even number of pixels each way, not {wide} x {high_}")
        frames = len(moments(head.timeline.end, start=low, end=high, speed=speed, fps=fps))
        seconds = (frames - 1) / fps
        views = len(wish.views or self.shown())
        size = megabytes(wish.bytes(seconds, views))
        names = joined([self._titles[name] for name in wish.views or self.shown()])
        return f"{lasts(seconds)}, about {size}. {names}; {plural(frames, 'frame')} of {wide} x {high_} pixels."


def lasts(seconds: float) -> str:
    """A length: ``16.5 s``, ``2 min 5 s``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def megabytes(count: float) -> str:
    """A size of a file, roughly: ``300 kB``, ``4 MB``."""
    if count < 950_000:
        return f"{max(round(count / 1e4) * 10, 10)} kB"
    return f"{count / 1e6:.1f} MB" if count < 9.5e6 else f"{count / 1e6:,.0f} MB"


def _choose(combo: QComboBox, data: Any) -> None:
    index = next((i for i in range(combo.count()) if combo.itemData(i) == data), 0)
    combo.setCurrentIndex(index)


def _number(field: QLineEdit, what: str, empty: float | None = None) -> float:
    text = field.text().strip().replace(",", ".")
    if not text and empty is not None:
        return empty
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value < 1e15:
        raise BadInput(f"{what} is a number, not {text or 'empty'}")
    return value


def _beside(*parts: str | QWidget) -> QWidget:
    """Words and fields in a line."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        if part:
            row.addWidget(QLabel(part) if isinstance(part, str) else part)
    row.addStretch(1)
    return holder
