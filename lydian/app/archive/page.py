"""The page of a protocol: its description, its running picture, and the commands for it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from lydian.app.archive.background import gentle
from lydian.app.archive.familylook import family_tile
from lydian.app.archive.thumbnail import Thumbnail
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import Part, across, down
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.panels.help.guidetext import for_theme
from lydian.app.panels.help.helppage import Page
from lydian.app.work.background import Background
from lydian.language import tr
from lydian.model.archive.catalogue import Entry
from lydian.model.archive.families import Family
from lydian.model.archive.trials import Trial
from lydian.model.source.outline import EventOutline, Outline
from lydian.views.words.source import formula_text

if TYPE_CHECKING:
    from lydian.app.archive.tablepane import Studied, TablePane

__all__ = ["EntryPage", "description"]


class TrialRow(QFrame):
    """An experiment: its name, its network, its description, and a button that opens it."""

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trial = trial
        self.setObjectName("trialRow")
        self.setProperty("broken", trial.broken)
        name = QLabel(trial.name)
        name.setObjectName("trialName")
        where = QLabel(tr("on {network}", network=trial.network))
        where.setObjectName("explained")
        head: list[Part] = [name, (where, 1)]
        if trial.broken:
            sign = QLabel(tr("broken assumption"))
            sign.setObjectName("breaksChip")
            head.insert(1, sign)
        about = set_up(QLabel(trial.about or tr("This experiment has no description.")), wraps=True, plain=True)
        about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.button = QPushButton(tr("Open"))
        self.button.setObjectName("compact")
        self.button.setAccessibleName(
            tr("Open {name}, which violates an assumption", name=trial.name)
            if trial.broken
            else tr("Open {name}", name=trial.name)
        )
        self.button.setToolTip(tr("Run {name} and watch it", name=trial.name))
        across(
            (down(across(*head, spacing=8), about, spacing=2), 1), (self.button, Qt.AlignmentFlag.AlignVCenter),
            on=self, margins=(12, 8, 10, 8), spacing=12,
        )  # fmt: skip


class TrialList(QScrollArea):
    """The rows, with the experiments that violate an assumption last."""

    #: Emitted with the name of the experiment to run and watch.
    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Experiments of this protocol"))
        self.rows: list[TrialRow] = []
        self._shown: tuple[Trial, ...] | None = None

    def fill(self, entry: Entry) -> None:
        """Show the experiments of a protocol."""
        if self._shown == entry.experiments and self.rows:
            return
        self._shown = entry.experiments
        inside = QWidget()
        inside.setObjectName("panel")
        column = down(on=inside, margins=10, spacing=6)
        self.rows = [TrialRow(trial) for trial in entry.experiments]
        for row in self.rows:
            row.button.clicked.connect(lambda _checked=False, name=row.trial.name: self.wanted.emit(name))
            column.addWidget(row)
        if not self.rows:
            empty = QLabel(
                tr(
                    "The archive has no experiment with this protocol yet. Open runs it on a suitable network;"
                    " experiments that you save in your folder appear here."
                )
            )
            empty.setObjectName("explained")
            empty.setWordWrap(True)
            column.addWidget(empty)
        column.addStretch(1)
        self.setWidget(inside)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Fix the height to that of the text at this width; a layout would use the height at the least width."""
        inside = self.widget()
        column = None if inside is None else inside.layout()
        if inside is not None and column is not None:
            inside.setMinimumHeight(max(column.heightForWidth(self.viewport().width()), 1))


_KINDS = {"always": tr("Always"), "eventually": tr("Eventually"), "at_end": tr("At the end")}
#: The first words of paragraphs that are set in bold type.
_HEADS = re.compile(r"^(Needs|Complexity|References?|Pseudo-code)\b:?")


def description(entry: Entry) -> str:
    """Return the docstring as Markdown: pseudocode as code, the first words of its parts in bold type."""
    parts = []
    for paragraph, code in _paragraphs(entry.doc):
        if code:
            parts.append(f"```\n{textwrap.dedent(paragraph)}\n```")
            continue
        text = " ".join(paragraph.split())
        if not parts and _first_line(text, entry):
            continue
        text = _escaped(text)
        found = _HEADS.match(text)
        if found is not None:
            text = f"**{found.group(0)}**{text[found.end() :]}"
        parts.append(re.sub(r" (Complexity|Reference):", r" **\1:**", text))
    return "\n\n".join(parts) or tr(
        "The file has no description. Write one between triple quotes at the top of the file."
    )


def _first_line(text: str, entry: Entry) -> bool:
    """Return True if this is the title and the first sentence, which the page shows anyway."""
    return bool(entry.about) and text.rstrip(".").lower().endswith(entry.about.lower())


def _paragraphs(doc: str) -> Iterator[tuple[str, bool]]:
    """Return the paragraphs of a docstring, each with a flag for code, which is indented text after ``::``."""
    code = False
    kept: list[str] = []
    for block in re.split(r"\n[ \t]*\n", doc.strip("\n")):
        indented = all(line.startswith((" ", "\t")) for line in block.splitlines() if line.strip())
        if indented and (code or kept):
            kept.append(block)
            continue
        if kept:
            yield "\n\n".join(kept), True
            kept = []
        code = block.rstrip().endswith("::")
        yield (block.rstrip()[:-1] if code else block), False
    if kept:
        yield "\n\n".join(kept), True


def _escaped(text: str) -> str:
    """Escape the text of a docstring for Markdown: ``words`` become code, special characters are kept."""
    pieces = re.split(r"``(.+?)``", text)
    for number, piece in enumerate(pieces):
        pieces[number] = f"`{piece}`" if number % 2 else re.sub(r"([\\*_<>\[\]#|~`])", r"\\\1", piece)
    return "".join(pieces)


def particulars(outline: Outline) -> str:
    """Return properties, messages, variables and parameters as tables."""
    parts = []
    if outline.properties:
        rows = [f"| {_KINDS.get(each.kind, each.kind)} | {_cell(each.sentence)} |" for each in outline.properties]
        parts.append(_table(tr("Properties"), tr("When"), tr("Property"), rows))
    if outline.needs:
        rows = [f"| {_cell(each.name)} | {_cell(each.sentence)} |" for each in outline.needs]
        parts.append(_table(tr("Needs"), tr("Need"), tr("Meaning"), rows))
    for title, records in (
        (tr("Messages"), outline.messages), (tr("Timers"), outline.timers), (tr("Commands"), outline.commands),
    ):  # fmt: skip
        if records:
            rows = [f"| `{_signature(each)}` | {_cell(each.doc)} |" for each in records]
            parts.append(_table(title, tr("Name"), tr("Meaning"), rows))
    if outline.parameters:
        rows = [f"| `{each.name} = {_cell(each.default)}` | {_cell(each.help)} |" for each in outline.parameters]
        parts.append(_table(tr("Parameters"), tr("Parameter"), tr("Effect"), rows))
    if outline.variables:
        rows = [f"| `{each.name}` | `{_cell(each.type)} = {_cell(each.initial)}` |" for each in outline.variables]
        parts.append(_table(tr("Variables of a process"), tr("Variable"), tr("Type and initial value"), rows))
    return "\n\n".join(parts) or tr("The file declares no properties, messages or variables yet.")


def _table(title: str, left: str, right: str, rows: list[str]) -> str:
    return "\n".join([f"### {title}", "", f"| {left} | {right} |", "| --- | --- |", *rows])


def _signature(event: EventOutline) -> str:
    return _cell(f"{event.name}({', '.join(f'{field.name}: {field.type}' for field in event.fields)})")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


class TextPage(Page):
    """Markdown in the theme's colours; the program's own links work as on any page of the guide."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(name)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.text = ""

    def show_text(self, text: str, file: Path | None = None) -> None:
        """Show a text; relative links and pictures are resolved against a file."""
        if text == self.text and file == self.file:
            return
        self.text, self.file = text, file
        self._draw()
        self.verticalScrollBar().setValue(0)

    def _draw(self) -> None:
        document = self.document()
        document.setBaseUrl(QUrl() if self.file is None else QUrl.fromLocalFile(str(self.file)))
        document.setMarkdown(for_theme(self.text, self.theme.dark), QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        self._dress()
        self._fit(force=True)

    def set_theme(self, theme: Theme) -> None:
        place = self.verticalScrollBar().value()
        self._draw()
        self.verticalScrollBar().setValue(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() == "/" or event.key() == Qt.Key.Key_Escape:
            event.ignore()  # handled by the workspace
        else:
            super().keyPressEvent(event)


#: Milliseconds after which the rest of a page follows its head, so that moving through the cards is fast.
PAUSE = 60
#: The width of the running picture, whatever the size of text: large text needs the room for words.
PICTURE = 296
#: The least height of the pages below the head.
LEAST = 150
_TABS = ("guide", "description", "table", "properties", "experiments")


class _Tile(QWidget):
    """The symbol of a family."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme, self.key = theme, ""
        self.setFixedSize(QSize(20, 20))

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            family_tile(p, QRectF(0, 0, 20, 20), self.theme, self.key, self.devicePixelRatioF())
        finally:
            p.end()


class EntryPage(QFrame):
    """Title, sentence, buttons and the running picture; below them the pages.

    Attributes:
        entry: the protocol, ``None`` while there is none.
        studied: the contents of its file, read in the background when table or properties are first shown.
    """

    #: Emitted with the action of a button: ``open``, ``copy`` or ``lesson``.
    wanted = Signal(str)
    #: Emitted with the name of an experiment from the archive to open.
    experiment_wanted = Signal(str)
    #: Emitted with the line of code to show.
    line_wanted = Signal(int)
    #: Emitted with a need, to show only protocols that have it.
    need_wanted = Signal(str)
    #: Emitted with a sentence and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted with the verb and the object of a link of the guide.
    asked = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("archivePage")
        self.setAccessibleName(tr("The protocol"))
        self.theme = theme
        self.entry: Entry | None = None
        self._filled: set[str] = set()
        self._liked = 0  # the page that was chosen last
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PAUSE)
        self._later.timeout.connect(self.fill_tab)
        self.studied: Studied | None = None
        self.table: TablePane | None = None  # created when it is first shown
        self.studying = Background(self)
        self._build()
        self._connect()
        set_look(self.tabs, theme, min_height=grown(LEAST))
        self.set_theme(theme)
        self.show_entry(None, None)

    def _build(self) -> None:
        theme = self.theme
        self.tile, self.family = _Tile(theme), Elided()
        self.family.setObjectName("archiveFamily")
        self.title, self.sentence, self.facts, self.problem = QLabel(), QLabel(), QLabel(), QLabel()
        for label, name in (
            (self.title, "archiveTitle"), (self.sentence, "archiveSentence"),
            (self.facts, "archiveFacts"), (self.problem, "archiveProblem"),
        ):  # fmt: skip
            label.setObjectName(name)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.chips = QWidget()
        self.chips.setAccessibleName(tr("Needs"))
        self._flow = FlowRow(self.chips, gap=5)
        self.open_button, self.copy_button = QPushButton(tr("Open")), QPushButton(tr("Copy as my own"))
        self.explain_button, self.lesson_button = QPushButton(tr("Explain")), QPushButton(tr("Lesson"))
        self.play_button = QPushButton(tr("Play against"))
        self.open_button.setObjectName("openButton")
        buttons = QWidget()
        across(
            self.open_button, self.copy_button, self.explain_button, self.lesson_button, self.play_button, ...,
            on=buttons, margins=(14, 0, 12, 10), spacing=6,
        )  # fmt: skip
        self.thumbnail = Thumbnail(theme)
        self.guide, self.description = TextPage(tr("Page of the guide"), theme), TextPage(tr("Description"), theme)
        self.properties = TextPage(tr("Properties, messages, variables"), theme)
        self.trials = TrialList(theme)
        self.table_place = QFrame()
        QVBoxLayout(self.table_place).setContentsMargins(0, 0, 0, 0)
        self.tabs = set_up(QTabWidget(), look="archiveTabs", name=tr("Pages about the protocol"))
        self.tabs.setDocumentMode(True)
        self.tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setExpanding(False)
        for widget, title in (
            (self.guide, tr("Guide")),
            (self.description, tr("Description")),
            (self.table_place, tr("Table and states")),
            (self.properties, tr("Properties")),
            (self.trials, tr("Experiments")),
        ):
            self.tabs.addTab(widget, title)
        self.area, inner = QScrollArea(), QFrame()  # The text scrolls only if it is very large.
        inner.setObjectName("panel")
        inner.setAccessibleName(tr("The protocol"))
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        down(self.area, on=self, margins=1)
        down(
            across(
                (down(
                    across(self.tile, (self.family, 1), spacing=7),
                    self.title, self.sentence, self.problem, self.facts, self.chips, ..., spacing=6,
                ), 1),
                self.thumbnail, margins=(14, 12, 12, 8), spacing=14,
            ),
            buttons, (self.tabs, 1), on=inner, spacing=0,
        )  # fmt: skip

    def _connect(self) -> None:
        self.open_button.clicked.connect(lambda: self.wanted.emit("open"))
        self.copy_button.clicked.connect(lambda: self.wanted.emit("copy"))
        self.lesson_button.clicked.connect(lambda: self.wanted.emit("lesson"))
        self.play_button.clicked.connect(lambda: self.wanted.emit("play"))
        self.explain_button.clicked.connect(self.explain)
        self.thumbnail.wanted.connect(lambda: self.wanted.emit("open"))
        self.tabs.currentChanged.connect(self._chosen)
        self.trials.wanted.connect(self.experiment_wanted)
        self.studying.done.connect(self._was_studied)
        self.studying.failed.connect(self.properties.show_text)
        self.guide.asked.connect(self.asked)

    # ------------------------------------------------------------------ contents

    def show_entry(self, entry: Entry | None, family: Family | None) -> None:
        """Show a protocol: its head at once, the rest in a moment."""
        same = entry is not None and self.entry is not None and entry.name == self.entry.name
        if entry == self.entry and self._filled:
            return
        self.entry = entry
        self._filled.clear()
        self.studied = None
        self.studying.cancel()
        self.tabs.setVisible(entry is not None)
        self.thumbnail.setVisible(entry is not None and not entry.problem)
        self.tile.key = family.key if family is not None else ""
        self.tile.setVisible(family is not None)
        self.tile.update()
        self.family.say(family.title if family is not None else "")
        self.title.setText(entry.title if entry is not None else tr("No protocol selected"))
        about = (
            "" if entry is None else f"{entry.about}." if entry.about else tr("This protocol has no description yet.")
        )
        self.sentence.setText(about if entry is not None else tr("Choose a protocol, or search for another one."))
        formula = entry.formula if entry is not None else ""
        self.facts.setText(tr("Messages: {formula}", formula=_formula(formula)) if formula else "")
        self.facts.setToolTip(tr("n processes, m links"))
        self.facts.setVisible(bool(formula))
        self.problem.setText(entry.problem if entry is not None else "")
        self.problem.setVisible(bool(entry is not None and entry.problem))
        self._say_needs(entry)
        self._say_buttons(entry)
        if entry is not None:
            self._say_tabs(entry)
            self.tabs.setTabText(_TABS.index("experiments"), tr("Experiments ({count})", count=len(entry.experiments)))
            if not same:
                first = entry.first or next(iter(entry.experiments), None)
                self.thumbnail.wait_for(first.name if first is not None else entry.name)
        self._later.start()

    def _say_tabs(self, entry: Entry) -> None:
        """Enable the tabs; show the page chosen last, or the description if that is the guide and it has no page."""
        self.tabs.setTabEnabled(0, entry.guide is not None)
        self.tabs.setTabToolTip(0, "" if entry.guide is not None else tr("The guide has no page about this protocol."))
        front = 1 if self._liked == 0 and entry.guide is None else self._liked
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(front)
        self.tabs.blockSignals(False)

    def _chosen(self, at: int) -> None:
        self._liked = at
        self._later.start()

    def _say_needs(self, entry: Entry | None) -> None:
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for name, sentence in (entry.needs if entry is not None else {}).items():
            chip = QToolButton()
            chip.setObjectName("needChip")
            chip.setText(name)
            chip.setToolTip(tr("Need: {sentence}. Click to show all protocols with this need.", sentence=sentence))
            chip.setAccessibleName(tr("Needs {name}: {sentence}", name=name, sentence=sentence))
            chip.clicked.connect(partial(self.need_wanted.emit, name))
            self._flow.addWidget(chip)
            chip.show()
        self.chips.setVisible(bool(entry is not None and entry.needs))
        self.chips.updateGeometry()

    def _say_buttons(self, entry: Entry | None) -> None:
        usable = entry is not None and not entry.problem
        first = None if entry is None else entry.first or next(iter(entry.experiments), None)
        what = (
            tr("Run {name} and watch it (Enter)", name=first.name)
            if first is not None
            else tr("Run it on a suitable network (Enter)")
        )
        mine = entry is not None and entry.mine
        self._button(self.open_button, what, "" if usable else tr("Correct the protocol before you run it."))
        self.copy_button.setText(tr("Edit") if mine else tr("Copy as my own"))
        words = tr("Open its file") if mine else tr("Open a copy that you can edit, in your own folder")
        self._button(self.copy_button, words, "" if entry is not None else tr("Choose a protocol first."))
        no_guide = "" if entry is not None and entry.guide else tr("The guide has no page about this protocol.")
        self._button(self.explain_button, tr("Read its page of the guide, with questions to explore"), no_guide)
        no_lesson = "" if entry is not None and entry.lesson else tr("There is no lesson about this protocol yet.")
        self._button(self.lesson_button, tr("Start its lesson"), no_lesson)
        words = tr("Choose every event yourself, and make the protocol fail")
        self._button(self.play_button, words, "" if entry is not None else tr("Choose a protocol first."))

    def _button(self, button: QPushButton, does: str, hindrance: str) -> None:
        button.setEnabled(not hindrance)
        button.setToolTip(hindrance or does)
        button.setStatusTip(hindrance or does)
        button.setAccessibleDescription(hindrance or does)

    @property
    def tab(self) -> str:
        """The page in front: guide, description, table, properties or experiments."""
        return _TABS[self.tabs.currentIndex()]

    def show_tab(self, name: str) -> None:
        """Bring a page to the front, filled."""
        self.tabs.setCurrentIndex(_TABS.index(name))
        self.fill_tab()

    def fill_tab(self) -> None:
        """Fill the page in front if it is not filled yet."""
        self._later.stop()
        entry, name = self.entry, self.tab
        if entry is None or name in self._filled:
            return
        self._filled.add(name)
        if name == "guide":
            text = entry.page.partition("\n")[2].strip() if entry.page.startswith("# ") else entry.page
            self.guide.show_text(text, entry.guide)
        elif name == "description":
            self.description.show_text(description(entry))
        elif name == "experiments":
            self.trials.fill(entry)
        elif self.studied is None:
            if not self.studying.busy:
                path = entry.path
                self.studying.start(lambda _report: _study(path))
        else:
            self._show_studied()

    def _was_studied(self, studied: Studied) -> None:
        if self.entry is not None and studied.path == self.entry.path:
            self.studied = studied
            self._show_studied()

    def _show_studied(self) -> None:
        """Fill the table or the properties, whichever is in front."""
        studied = self.studied
        if studied is None:
            return
        self._filled.discard("table" if self.tab == "properties" else "properties")
        if self.tab == "properties":
            self.properties.show_text(particulars(studied.outline))
        elif self.tab == "table":
            if self.table is None:
                from lydian.app.archive.tablepane import TablePane

                table = self.table = TablePane(studied, self.theme)
                table.line_wanted.connect(self.line_wanted)
                table.said.connect(self.said)
                place = self.table_place.layout()
                assert place is not None
                place.addWidget(table)
            self.table.show_protocol(studied)

    def explain(self) -> None:
        """Bring the page of the guide to the front."""
        self.show_tab("guide")
        self.guide.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------ look and end

    def set_theme(self, theme: Theme) -> None:
        self.thumbnail.setFixedSize(PICTURE, round(PICTURE * 0.625) + theme.grown(34))

    def close_all(self) -> None:
        """Stop all threads and timers."""
        self._later.stop()
        self.studying.close()
        self.thumbnail.close_all()


def _study(path: Path) -> Studied:
    """Read a protocol; the imports that this needs are made here, in the background."""
    from lydian.app.archive.tablepane import study

    with gentle():
        return study(path)


def _formula(text: str) -> str:
    """Return a formula in mathematical notation; names between quotation marks stay unchanged."""
    parts = re.split(r"('[^']*')", text)
    return "".join(part if at % 2 else formula_text(part) for at, part in enumerate(parts))
