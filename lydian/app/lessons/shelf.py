"""The page that lists the lessons as an illustrated course: chapters, and a card with a picture for each lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from lydian.app.archive.familylook import family_tile
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trc
from lydian.views.words.words import plural

__all__ = ["Listed", "ShelfPage", "Shelved"]

#: The size of a picture beside a title, in pixels.
PICTURE = QSize(120, 75)


@dataclass(frozen=True)
class Listed:
    """A lesson of the list.

    Attributes:
        steps, step: the number of steps, and of the step that was reached.
        level, minutes: how difficult it is, one of the levels of lessons or empty, and how long it takes.
        problem: why it cannot be opened.
    """

    name: str
    title: str
    about: str
    steps: int
    step: int = 0
    level: str = ""
    minutes: int = 0
    problem: str = ""

    @property
    def begun(self) -> bool:
        return 0 < self.step < self.steps

    @property
    def over(self) -> bool:
        return self.step >= self.steps > 0


@dataclass(frozen=True)
class Shelved:
    """A chapter of the list; ``key`` is that of a family of the archive."""

    key: str
    title: str
    lessons: tuple[Listed, ...]


class Picture(QWidget):
    """The picture of a lesson, or the symbol of its chapter until there is one; a tick marks a completed lesson."""

    def __init__(self, theme: Theme, key: str) -> None:
        super().__init__()
        self.theme, self.key = theme, key
        self.picture = QPixmap()
        self.setFixedSize(theme.stretched(PICTURE.width()), theme.stretched(PICTURE.height()))

    def show_picture(self, file: Path) -> None:
        """Show the picture in a file."""
        ratio = self.devicePixelRatioF()
        self.picture = QPixmap(str(file)).scaled(
            self.size() * ratio,
            Qt.AspectRatioMode.KeepAspectRatioByExpanding,
            Qt.TransformationMode.SmoothTransformation,
        )
        self.picture.setDevicePixelRatio(ratio)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            radius = self.theme.size("radius.control")
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setPen(self.theme.color("border.subtle"))
            p.setBrush(self.theme.color("surface.canvas"))
            p.drawRoundedRect(box, radius, radius)
            if self.picture.isNull():
                side = box.height() * 0.5
                tile = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
                family_tile(p, tile, self.theme, self.key, self.devicePixelRatioF())
                return
            shape = QPainterPath()
            shape.addRoundedRect(box, radius, radius)
            p.setClipPath(shape)
            p.drawPixmap(0, 0, self.picture)
            p.setClipping(False)
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawRoundedRect(box, radius, radius)
        finally:
            p.end()


class LessonCard(QFrame):
    """A card with the picture of a lesson, its title, level, length and progress; a click opens the lesson."""

    #: Emitted with the name of the lesson.
    wanted = Signal(str)

    def __init__(self, listed: Listed, key: str, theme: Theme, *, next_: bool) -> None:
        """Show a lesson.

        Args:
            key: the chapter of the lesson.
            next_: whether it is the lesson to do next.
        """
        super().__init__()
        self.setObjectName("lessonCard")
        self.setProperty("now", next_)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.listed = listed
        self.picture = Picture(theme, key)
        title = set_up(QLabel(listed.title), look="lessonAsked", wraps=True)
        title.setAlignment(Qt.AlignmentFlag.AlignTop)
        about = set_up(QLabel(listed.problem or listed.about), look="problem" if listed.problem else "lessonPale")
        about.setWordWrap(True)
        self.size_ = set_up(QLabel(_size(listed)), look="lessonPale", wraps=True)
        self.button = set_up(QPushButton(_verb(listed)), look="offer", clicked=lambda: self.wanted.emit(listed.name))
        self.button.setAccessibleName(f"{self.button.text()}: {listed.title}")
        self.button.setProperty("primary", next_)
        self.progress = QProgressBar()
        self.progress.setObjectName("lessonProgress")
        self.progress.setTextVisible(False)
        self.progress.setRange(0, max(listed.steps, 1))
        self.progress.setValue(min(listed.step, listed.steps))
        self.progress.setFixedHeight(theme.stretched(4))
        self.progress.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.progress.setAccessibleName(tr("Progress in the lesson"))
        told = set_up(QLabel(_progress(listed)), look="lessonPale")
        foot = across(self.button, told, (self.progress, 1), spacing=8)
        self.progress.setVisible(listed.begun)
        if not listed.begun:
            foot.addStretch(1)
        down(
            across(
                (self.picture, Qt.AlignmentFlag.AlignTop),
                (down(title, self.size_, ..., spacing=2), 1),
                spacing=10,
            ),
            about, foot, on=self, margins=(10, 10, 12, 10), spacing=8,
        )  # fmt: skip

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.wanted.emit(self.listed.name)


class ShelfPage(QWidget):
    """A page with the progress in the course, a card for each lesson by chapters, and a button to write one."""

    #: Emitted with the name of the lesson to open.
    wanted = Signal(str)
    #: Emitted when the user wants to write a lesson.
    writing_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.cards: dict[str, LessonCard] = {}
        self.inside = QWidget()
        self.column = down(on=self.inside, margins=12, spacing=8)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.inside)
        self.area = area
        self.inside.setObjectName("panel")
        self.write = QPushButton(tr("Write a lesson…"))
        self.write.clicked.connect(self.writing_wanted)
        self.told = set_up(QLabel(), look="lessonPale", wraps=True)
        foot = QFrame()
        foot.setObjectName("lessonFoot")
        across(self.write, (self.told, 1), on=foot, margins=(12, 8, 12, 8), spacing=10)
        down((area, 1), foot, on=self, spacing=0)

    @property
    def buttons(self) -> dict[str, QPushButton]:
        """The button of each lesson, by name."""
        return {name: card.button for name, card in self.cards.items()}

    def show_lessons(self, chapters: Sequence[Shelved], theme: Theme) -> None:
        """Show the chapters with their lessons."""
        self.theme = theme
        _empty(self.column)
        self.cards.clear()
        every = [each for chapter in chapters for each in chapter.lessons]
        next_ = next((each for each in every if each.begun), None) or next(
            (each for each in every if not each.over and not each.problem), None
        )
        for number, chapter in enumerate(chapters):
            heading = set_up(QLabel(chapter.title), look="lessonChapter", wraps=True)
            heading.setContentsMargins(0, 0 if number == 0 else 10, 0, 0)
            self.column.addWidget(heading)
            for each in chapter.lessons:
                card = LessonCard(each, chapter.key, theme, next_=each is next_)
                card.wanted.connect(self.wanted)
                self.cards[each.name] = card
                self.column.addWidget(card)
        if not every:
            nothing = QLabel(tr("There are no lessons yet. A lesson is a few steps in Markdown."))
            nothing.setWordWrap(True)
            self.column.addWidget(nothing)
        self.column.addStretch(1)
        over = sum(each.over for each in every)
        self.told.setText(
            tr("{done} of {count} lessons completed", done=over, count=len(every))
            if over
            else plural(len(every), "lesson")
        )

    def picture_is_there(self, name: str, file: Path) -> None:
        """Show the picture of a lesson, which is now available."""
        if name in self.cards:
            self.cards[name].picture.show_picture(file)


def _empty(column: QVBoxLayout) -> None:
    while column.count():
        item = column.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def _verb(each: Listed) -> str:
    if each.problem:
        return trc("command", "Open")
    return tr("Continue") if each.begun else tr("Restart") if each.over else tr("Begin")


def _size(each: Listed) -> str:
    """Return the level, the length and the number of steps of a lesson in words."""
    if each.problem:
        return ""
    level = {
        "introductory": trc("level of a lesson", "Introductory"),
        "intermediate": trc("level of a lesson", "Intermediate"),
        "advanced": trc("level of a lesson", "Advanced"),
    }.get(each.level, "")
    size = f"{plural(each.minutes, 'minute')} · {plural(each.steps, 'step')}"
    return f"{level}\n{size}" if level else size


def _progress(each: Listed) -> str:
    if each.begun:
        return tr("at step {step} of {count}", step=each.step + 1, count=each.steps)
    return trc("lesson", "completed") if each.over else ""
