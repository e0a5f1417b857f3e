"""The form for a movie: which views, which part of the run, how fast and how large, with the expected result."""

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
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from lydian.app.kit.form import BoundForm, choice
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import scrolled
from lydian.app.pictures.movie import FORMATS, LARGEST, moments
from lydian.app.pictures.movieoptions import SIZES, MovieWish
from lydian.desk.playhead import Playhead
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput
from lydian.views.registry import views
from lydian.views.words.words import joined
from lydian.views.world.flights import Flight

__all__ = ["MovieForm", "lasts", "megabytes"]

_LETTERS = {
    tr("As in the window"): 0.0,
    tr("Usual"): 1.0,
    tr("Large (1.25)"): 1.25,
    tr("Larger (1.5)"): 1.5,
    tr("Huge (2)"): 2.0,
}


class MovieForm(QWidget):
    """A form with one line for each choice, and a summary below.

    Args:
        playhead: the run, its speed and its loop.
        shown: names of the views that are visible in the window, in order.
    """

    #: The movie is to be made, as in this :class:`MovieWish`.
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
        self.flight: Callable[[], Flight | None] = lambda: None  # the guided flight of the experiment
        self._titles = {view.name: view.title for view in views()}
        self.busy = False
        self._make()
        self.summary = set_up(QLabel(), wraps=True)
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.go = set_up(
            QPushButton(tr("Save movie…")), name=tr("Save the movie"), clicked=lambda _on: self.wanted.emit(self.wish())
        )
        self._lay_out()
        self._unsubscribe = playhead.changed.connect(self._head_changed)
        self.destroyed.connect(self._unsubscribe)
        set_look(self.summary, theme, font="small")
        set_look(self, theme, min_width=stretched(400))
        self.go.setProperty("primary", True)

    # ------------------------------------------------------------------ building

    def _make(self) -> None:
        self.form = form = BoundForm(lambda _key: self._tell())
        form.rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.rows.setHorizontalSpacing(12)
        alone = [(tr("{view} only", view=title), name) for name, title in self._titles.items()]
        self.views = self._choice(
            "views", tr("Views"), tr("Views of the movie"), ("", ""), *alone, (tr("Several…"), "several")
        )
        self.boxes = {
            name: form.bind(f"view {name}", QCheckBox(title), name=tr("{view} in the movie", view=title))
            for name, title in self._titles.items()
        }
        self.several = QWidget()
        grid = QGridLayout(self.several)
        grid.setContentsMargins(0, 0, 0, 0)
        for number, box in enumerate(self.boxes.values()):
            grid.addWidget(box, number // 3, number % 3)
        form.row("several", "", self.several)
        spans = ((tr("The whole run"), "whole"), (tr("The loop"), "loop"), (tr("From … to …"), "part"),
                 (tr("The guided flight"), "flight"))  # fmt: skip
        self.span = self._choice("span", trc("part of the run", "Of"), tr("Part of the run"), *spans)
        self.start, self.end = (
            self._line("start", trc("part of the run", "Start"), 70),
            self._line("end", tr("End"), 70),
        )
        self.part = held(
            across(trc("part of the run", "from"), self.start, trc("part of the run", "to"), self.end, ...)
        )
        form.row("part", "", self.part)
        paces = (("", "now"), (tr("Time units per second"), "speed"), (tr("Total length in seconds"), "seconds"))
        self.pace = self._choice("pace", tr("Speed"), tr("Speed of the movie"), *paces)
        self.amount = self._line("amount", tr("Value of the speed"), 70)
        form.row("amount", "", self.amount)
        sizes = (*SIZES.items(), (trc("size", "Another…"), None))
        self.size_ = self._choice("size", tr("Size"), tr("Size of the movie"), *sizes)
        self.width_ = self._line("width", tr("Width in pixels"), 56)
        self.height_ = self._line("height", tr("Height in pixels"), 56)
        self.own = held(across(self.width_, "x", self.height_, ...))
        form.row("own", "", self.own)
        rates = [(str(rate), rate) for rate in (10, 12, 24, 25, 30, 50, 60)]
        self.fps = self._choice("fps", tr("Frames per second"), tr("Frames per second"), ("", 0), *rates)
        themes = ((trc("theme", "Current"), "now"), (trc("theme", "Light"), "light"), (trc("theme", "Dark"), "dark"))
        self.theme_ = self._choice("theme", tr("Theme"), tr("Theme of the movie"), *themes)
        self.letters = self._choice("letters", tr("Letters"), tr("Size of text"), *_LETTERS.items())
        kinds = ((tr("MP4 (plays everywhere)"), ".mp4"), (tr("GIF (for wikis and e-mail)"), ".gif"))
        self.kind = self._choice("kind", tr("File"), tr("Kind of file"), *kinds)
        self.sound = form.add("sound", "", QCheckBox(tr("With the sound of the run")), name=tr("Sound of the movie"))

    def _choice(self, key: str, words: str, name: str, *items: tuple[str, Any]) -> QComboBox:
        return self.form.add(key, words, choice(*items, short=16), name=name)

    def _line(self, key: str, name: str, wide: int) -> QLineEdit:
        line = self.form.bind(key, QLineEdit(), name=name)
        line.setMinimumWidth(wide)
        line.setMaximumWidth(2 * wide)
        return line

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("panel")
        down(self.form.rows, ..., on=inside, margins=(12, 10, 12, 6))
        self.area = scrolled(inside)
        down(
            (self.area, 1),
            across((down(self.summary, self.problem), 1), self.go, margins=(12, 6, 12, 8)),
            on=self, spacing=0,
        )  # fmt: skip

    # ------------------------------------------------------------------ choices

    def say(self, wish: MovieWish) -> None:
        """Show the given choices."""
        several = len(wish.views) > 1
        ticked = wish.views if several else ("basic", "causality")
        self._wish = wish
        self.form.say({
            **{f"view {name}": name in ticked for name in self.boxes}, "span": wish.span, "pace": wish.pace,
            "views": "several" if several else wish.views[0] if wish.views else "",
            "start": f"{wish.start:.6g}", "end": f"{wish.end:.6g}" if wish.end > wish.start else "",
            "fps": wish.fps, "size": wish.size if wish.size in SIZES.values() else None,
            "width": wish.size[0], "height": wish.size[1],
            "theme": wish.theme, "letters": wish.letters, "kind": wish.kind, "sound": wish.sound,
        })  # fmt: skip
        self._fill_amount()
        self.refresh()

    def _fill_amount(self) -> None:
        wish = self._wish
        self._amounts = {"speed": wish.speed, "seconds": wish.seconds}
        self._paced = str(self.pace.currentData())
        self.amount.setText(f"{self._amounts.get(self._paced, 0.0):g}")

    def wish(self) -> MovieWish:
        """Return the choices in the fields.

        Raises:
            BadInput: a field contains an invalid number.
        """
        said = self.form.read()
        views, pace, size = said["views"], said["pace"], said["size"]
        chosen = [name for name in self.boxes if said[f"view {name}"]] if views == "several" else [views]
        kept = {key: said[key] for key in ("span", "pace", "fps", "theme", "letters", "kind", "sound")}
        wish = replace(self._wish, views=tuple(view for view in chosen if view), **kept)
        if views == "several" and not wish.views:
            raise BadInput(tr("choose at least one view"))
        if wish.span == "part":
            end = self.playhead.end if self.playhead.timeline is not None else 0.0
            start = _number(self.start, tr("the start time"), 0.0)
            wish = replace(wish, start=start, end=_number(self.end, tr("the end time"), end))
        if pace == "speed":
            wish = replace(wish, speed=_number(self.amount, tr("the speed")))
        elif pace == "seconds":
            wish = replace(wish, seconds=_number(self.amount, tr("the length")))
        if size is None:
            wide, high = _number(self.width_, tr("the width")), _number(self.height_, tr("the height"))
            size = (round(wide), round(high))
        return replace(wish, size=size)

    def _tell(self) -> None:
        if self.pace.currentData() != self._paced:
            self._fill_amount()
        self.refresh()
        try:
            self._wish = self.wish()
        except BadInput:
            return
        self.changed.emit(self._wish)

    # ------------------------------------------------------------------ the summary

    def set_busy(self, on: bool) -> None:
        """Disable the form while another movie is being made."""
        self.busy = on
        self.refresh()

    def _head_changed(self, what: str) -> None:
        if what in ("speed", "loop", "timeline") and self.isVisible():
            self.refresh()

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the effect of the choices on the current run."""
        titles = [self._titles[name] for name in self.shown()]
        self.views.setItemText(0, tr("Visible views ({views})", views=", ".join(titles)))
        self.views.setToolTip(self.views.itemText(0))
        self.pace.setItemText(0, tr("Current speed ({speed:g}x)", speed=self.playhead.speed))
        flown = self.span.currentData() == "flight"
        self.form.show(
            several=self.views.currentData() == "several", part=self.span.currentData() == "part",
            pace=not flown, amount=self.pace.currentData() != "now" and not flown, own=self.size_.currentData() is None,
            sound=self.kind.currentData() == ".mp4",
        )  # fmt: skip
        usual = FORMATS[str(self.kind.currentData())][0]
        self.fps.setItemText(0, tr("Default ({rate})", rate=usual))
        try:
            (short, words), trouble = self._outlook(self.wish()), ""
        except BadInput as error:
            short, words, trouble = "", "", error.remark
        self.summary.setText(words)
        self.summary.setVisible(bool(words))
        self.problem.setText(trouble)
        self.problem.setVisible(bool(trouble))
        self.go.setEnabled(not trouble and not self.busy and self.playhead.timeline is not None)
        self.go.setToolTip(tr("Another movie is still being made") if self.busy else tr("Choose a file and start"))
        self.titled.emit(short)

    def _outlook(self, wish: MovieWish) -> tuple[str, str]:
        """Return the expected length and size of the movie in words, and these with the rest of the summary."""
        head = self.playhead
        if head.timeline is None:
            return tr("There is no run yet."), tr("There is no run yet.")
        loop = head.span if head.loop or wish.span == "loop" else None
        low, high = wish.times(head.end, loop)
        speed = wish.units(head.end, loop, head.speed)
        fps = wish.frames_a_second()
        most = FORMATS[wish.kind][1]
        if fps > most:
            if wish.kind == ".mp4":
                words = tr("an MP4 must have at most {most} frames per second, not {rate}", most=most, rate=fps)
            else:
                words = tr("a GIF must have at most {most} frames per second, not {rate}", most=most, rate=fps)
            raise BadInput(words)
        wide, high_ = wish.size
        if min(wide, high_) < 16 or max(wide, high_) > LARGEST:
            raise BadInput(
                tr(
                    "a movie must have 16 to {most} pixels each way, not {width} x {height}",
                    most=LARGEST,
                    width=wide,
                    height=high_,
                )
            )
        if wish.kind == ".mp4" and (wide % 2 or high_ % 2):
            raise BadInput(
                tr(
                    "an MP4 must have an even number of pixels each way, not {width} x {height}",
                    width=wide,
                    height=high_,
                )
            )
        if wish.span == "flight":
            frames = len(moments(self._flown(wish).length, fps=fps))
        else:
            frames = len(moments(head.timeline.end, start=low, end=high, speed=speed, fps=fps))
        seconds = (frames - 1) / fps
        views = len(wish.views or self.shown())
        size = megabytes(wish.bytes(seconds, views))
        names = joined([self._titles[name] for name in wish.views or self.shown()])
        short = tr("{length}, about {size}", length=lasts(seconds), size=size)
        pictures = trn(
            "{count:,} frame of {width} x {height} pixels",
            "{count:,} frames of {width} x {height} pixels",
            frames,
            width=wide,
            height=high_,
        )
        return short, f"{short}. {names}; {pictures}."

    def _flown(self, wish: MovieWish) -> Flight:
        """Return the guided flight of a movie.

        Raises:
            BadInput: there is none, or the movie does not contain the view World.
        """
        flight = self.flight()
        if flight is None:
            raise BadInput(tr("this experiment has no guided flight; record its stops in the view World"))
        if "world" not in (wish.views or self.shown()):
            raise BadInput(tr("a guided flight leads through the view World; choose it as the view"))
        return flight


def lasts(seconds: float) -> str:
    """Return a length in words: ``16.5 s``, ``2 min 5 s``."""
    if seconds < 60:
        return tr("{seconds:.1f} s", seconds=seconds)
    return tr("{minutes} min {seconds} s", minutes=int(seconds // 60), seconds=int(seconds % 60))


def megabytes(count: float) -> str:
    """Return a rounded file size: ``300 kB``, ``4 MB``."""
    if count < 950_000:
        return tr("{size} kB", size=max(round(count / 1e4) * 10, 10))
    return tr("{size:.1f} MB", size=count / 1e6) if count < 9.5e6 else tr("{size:,.0f} MB", size=count / 1e6)


def _number(field: QLineEdit, what: str, empty: float | None = None) -> float:
    text = field.text().strip().replace(",", ".")
    if not text and empty is not None:
        return empty
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value < 1e15:
        if not text:
            raise BadInput(tr("{field} is empty; it must be a number", field=what))
        raise BadInput(tr("{field} is {text}; it must be a number", field=what, text=text))
    return value
