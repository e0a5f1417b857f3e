"""A card with a plot of chosen quantities; the picture can be copied and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QLabel,
    QMenu,
    QToolButton,
    QWidget,
)

from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.pictures.plotfile import plot_bytes, plot_csv, write_plot
from lydian.app.sweep.results.plotcanvas import PlotCanvas
from lydian.language import tr, trc
from lydian.model.errors import LydianError
from lydian.views.plots.data import Results
from lydian.views.plots.options import DISTRIBUTIONS, KINDS, MOST_PANELS, MOST_PLACES, Wish, sensible
from lydian.views.plots.plots import Plot, plot_of

__all__ = ["PlotCard"]

_FILES = tr("Vector pictures (*.svg);;Pages for printing (*.pdf);;Pictures (*.png);;Figures as a table (*.csv)")
_ENDINGS = {"*.svg": ".svg", "*.pdf": ".pdf", "*.png": ".png", "*.csv": ".csv"}


class PlotCard(QFrame):
    """Combo boxes, and the plot below them.

    Attributes:
        wish: the plot to show; ``None`` as long as there are no results.
        results: the results that are plotted.
    """

    #: Emitted when the plot has changed, by other choices or other results.
    changed = Signal()
    #: Emitted with a sentence and whether it is a problem.
    said = Signal(str, bool)

    def __init__(self, theme: Theme, number: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plotCard")
        self.theme, self.number = theme, number
        self.wish: Wish | None = None
        self.results: Results | None = None
        self._numbered: Mapping[int, int] = {}
        self._filling = False
        self.folder = Path()
        which = tr(" of plot {number}", number=number + 1)
        self.title, self.note = QLabel(), QLabel()
        self.title.setObjectName("dockName")
        self.note.setObjectName("dockNote")
        self.note.setMinimumWidth(10)
        self.canvas = PlotCanvas(theme)
        self.menu_button = set_up(QToolButton(), name=tr("Copy or save") + which, tip=tr("Copy or save this plot"))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setMenu(self._menu())
        self.y_box = self._choice(tr("Show"), trc("noun", "Measure") + which)
        self.x_box = self._choice(tr("against"), tr("Horizontal axis") + which)
        self.by_box = self._choice(tr("colours"), tr("Series") + which)
        self.over_box = self._choice(tr("panels"), tr("Small multiples") + which)
        self.kind_box = self._choice(trc("shown as a kind of plot", "as"), tr("Kind") + which)
        self.kind_box.setMinimumContentsLength(15)
        self.log_x = self._tick(tr("log x"), tr("Logarithmic x") + which)
        self.log_y = self._tick(tr("log y"), tr("Logarithmic y") + which)
        self.formula = self._tick(tr("formula"), tr("Draw the protocol's formula") + which)
        self.fit = self._tick(tr("power law"), tr("Fit a power law") + which)
        self.formula.setToolTip(tr("Draw the number of messages that the protocol's formula predicts"))
        self.fit.setToolTip(tr("Fit y ~ x^a to the runs of each series, and show a with its 95 % interval"))
        self._build()
        set_look(self.menu_button, theme, icon="more", ink="text.secondary")

    # ------------------------------------------------------------------ building

    def _choice(self, words: str, name: str) -> QComboBox:
        box = set_up(QComboBox(), name=name, tip=name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(9)
        box.setProperty("words", words)
        box.activated.connect(lambda _index: self._chosen())
        return box

    def _tick(self, words: str, name: str) -> QCheckBox:
        return set_up(QCheckBox(words), name=name, clicked=lambda _on: self._chosen())

    def _build(self) -> None:
        head = QFrame()
        head.setObjectName("dockTitle")
        across(self.title, (self.note, 1), self.menu_button, on=head, margins=(12, 2, 4, 2), spacing=10)
        choices = QWidget()
        flow = FlowRow(choices, margin=6, gap=6)
        for box in (self.y_box, self.x_box, self.by_box, self.over_box, self.kind_box):
            pair = QWidget()
            label = QLabel(str(box.property("words")))
            label.setObjectName("hint")
            label.setBuddy(box)
            across(label, box, on=pair, margins=(0, 0, 4, 0), spacing=4)
            flow.addWidget(pair)
        for tick in (self.log_x, self.log_y, self.formula, self.fit):
            tick.setMinimumHeight(self.kind_box.sizeHint().height())
            flow.addWidget(tick)
        down(head, choices, (self.canvas, 1), on=self, margins=1, spacing=0)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for words, act in (
            (tr("Copy the &picture"), self.copy_picture),
            (tr("Copy the &figures"), self.copy_figures),
            (tr("&Save as SVG, PDF, PNG or CSV…"), self.save),
        ):
            menu.addAction(words).triggered.connect(lambda _on=False, act=act: act())
        return menu

    # ------------------------------------------------------------------ choices

    def show_results(self, results: Results, numbered: Mapping[int, int]) -> None:
        """Show (more) results; the current choices are kept as far as they exist in them."""
        fresh = self.results is None or self.results.name != results.name or self.wish is None
        self.results, self._numbered = results, numbered
        if fresh or not self._possible(self.wish):
            self.wish = self._first(results)
        self._fill()
        self._draw()

    def show_wish(self, wish: Wish) -> None:
        """Show another plot."""
        self.wish = wish
        self._fill()
        self._draw()

    def _possible(self, wish: Wish | None) -> bool:
        assert self.results is not None
        known = self.results.variables
        return (
            wish is not None
            and wish.y in self.results.measures
            and all(not name or name in known for name in (wish.x, wish.by, wish.over))
        )

    def _first(self, results: Results) -> Wish:
        """Return the plot to show first; a second card takes the next measure."""
        wish = sensible(results)
        if self.number and self.number < len(results.measures):
            others = [name for name in results.measures if name != wish.y]
            wish = replace(wish, y="time" if wish.y != "time" and "time" in others else others[self.number - 1])
        return wish

    def _fill(self) -> None:
        """Fill the combo boxes for the current plot."""
        results, wish = self.results, self.wish
        if results is None or wish is None:
            return
        self._filling = True
        splits = [each for each in results.variables.values() if self._splits(results, each.name)]
        measured = set(results.measures)
        against = [each for each in results.variables.values() if each.varied or each.numeric]
        listed = sorted(against, key=lambda each: (not each.varied, each.name in measured))
        words: Callable[[str], str] = lambda name: results.variables[name].words  # noqa: E731  two words
        _put(self.y_box, [(words(name), name) for name in results.measures], wish.y)
        _put(self.x_box, [(each.words, each.name) for each in listed if each.name != wish.y], wish.x)
        none = [(trc("column that forms series or panels", "none"), "")]
        _put(self.by_box, none + [(each.words, each.name) for each in splits if each.name != wish.over], wish.by)
        _put(self.over_box, none + [(each.words, each.name) for each in splits if each.name != wish.by], wish.over)
        _put(self.kind_box, [(KINDS[name], name) for name in KINDS], wish.kind)
        spread_out = wish.kind in DISTRIBUTIONS
        self.x_box.setEnabled(not spread_out)
        self.log_y.setEnabled(not spread_out)
        self.fit.setEnabled(not spread_out and bool(wish.x) and results.variables[wish.x].numeric)
        self.formula.setVisible(wish.y == "messages" and not spread_out and "expected" in measured)
        self.formula.setChecked(wish.formula)
        self.fit.setChecked(wish.fit)
        self._filling = False

    def _splits(self, results: Results, name: str) -> bool:
        """Return True if a column can form series or panels."""
        variable = results.variables[name]
        if name in ("seed", "protocol") or (name in results.measures and not variable.varied):
            return False
        return variable.varied or 2 <= len(results.levels(name)[0]) <= MOST_PANELS

    def _chosen(self) -> None:
        """React to a choice of the user."""
        if self._filling or self.wish is None or self.results is None:
            return
        before = self.wish
        kind = str(self.kind_box.currentData())
        x = str(self.x_box.currentData() or "")
        wish = Wish(
            str(self.y_box.currentData()), x, str(self.by_box.currentData()), str(self.over_box.currentData()), kind,
            self._log(self.log_x, "log_x", before, x != before.x or kind != before.kind),
            self._log(self.log_y, "log_y", before, self.y_box.currentData() != before.y or kind != before.kind),
            self.formula.isChecked(), self.fit.isChecked(),
        )  # fmt: skip
        few = len(self.results.levels(x)[0]) <= MOST_PLACES if x else False
        if x != before.x and kind == "runs" and few:
            wish = replace(wish, kind="spread")
        self.show_wish(wish)
        self.changed.emit()

    def _log(self, tick: QCheckBox, name: str, before: Wish, other: bool) -> bool | None:
        """React to the user's choice of an axis type; it is reset when the axis shows another quantity."""
        shown = self.canvas.plot
        if other:
            return None
        if shown is not None and tick.isChecked() == bool(getattr(shown.wish, name)):
            return getattr(before, name)
        return tick.isChecked()

    def _draw(self) -> None:
        if self.results is None or self.wish is None:
            return
        try:
            plot = plot_of(self.results, self.wish)
        except LydianError as error:
            self.said.emit(str(error), True)
            return
        self.title.setText(plot.title)
        self.note.setText(plot.note)
        self.note.setToolTip(plot.note)
        for tick, on in ((self.log_x, plot.x.log), (self.log_y, plot.y.log)):
            tick.setChecked(on)
        positive = plot.x.low > 0 or plot.x.marks[:1] > (0.0,)
        self.log_x.setEnabled(not plot.x.names and (plot.x.log or positive))
        self.canvas.show_plot(plot, self._numbered)

    # ------------------------------------------------------------------ copying and saving

    @property
    def plot(self) -> Plot | None:
        """The plot that is shown."""
        return self.canvas.plot

    def _size(self) -> tuple[int, int]:
        return max(self.canvas.width(), 480), max(self.canvas.height() + 34, 320)

    def copy_picture(self) -> None:
        """Copy the plot to the clipboard as a picture, together with its SVG."""
        if self.plot is None:
            return
        data = QMimeData()
        png = plot_bytes(self.plot, ".png", size=self._size(), theme=self.theme, numbered=self._numbered)
        image = QImage.fromData(png)
        image.setDevicePixelRatio(1.0)
        data.setImageData(image)
        svg = plot_bytes(self.plot, ".svg", size=self._size(), theme=self.theme, numbered=self._numbered)
        data.setData("image/svg+xml", svg)
        QGuiApplication.clipboard().setMimeData(data)
        self.said.emit(tr("The plot has been copied."), False)

    def copy_figures(self) -> None:
        """Copy the figures of the plot to the clipboard in the format of spreadsheets."""
        if self.plot is not None:
            QGuiApplication.clipboard().setText(plot_csv(self.plot, "\t"))
            self.said.emit(tr("The figures have been copied."), False)

    def save(self) -> None:
        """Ask for a file, and save the plot there."""
        if self.plot is None or self.results is None:
            return
        offered = str(self.folder / f"{self.results.name}-{self.plot.wish.y}.svg")
        name, kind = QFileDialog.getSaveFileName(self, tr("Save the plot"), offered, _FILES)
        if not name:
            return
        path = Path(name)
        if path.suffix.lower() not in _ENDINGS.values():
            ending = next((end for mark, end in _ENDINGS.items() if mark in kind), ".svg")
            path = path.with_name(path.name + ending)
        try:
            write_plot(self.plot, path, size=self._size(), theme=self.theme, numbered=self._numbered)
        except LydianError as error:
            self.said.emit(str(error), True)
            return
        self.folder = path.parent
        self.said.emit(tr("Saved as {file}.", file=path), False)


def _put(box: QComboBox, entries: list[tuple[str, str]], chosen: str) -> None:
    """Fill a combo box if its contents differ, and select an entry."""
    there = [(box.itemText(i), box.itemData(i)) for i in range(box.count())]
    if there != entries:
        box.clear()
        for words, key in entries:
            box.addItem(words, key)
        widest = max((box.fontMetrics().horizontalAdvance(words) for words, _ in entries), default=0)
        box.view().setMinimumWidth(widest + 40)
    at = box.findData(chosen, Qt.ItemDataRole.UserRole)
    box.setCurrentIndex(at)
