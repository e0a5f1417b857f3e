"""The right side of the network editor, with the properties of the selection and of the network."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QTabBar, QWidget

from lydian.app.kit.fields import Note, rule
from lydian.app.kit.layout import down
from lydian.app.kit.theming import grown, set_look
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.edits import plain
from lydian.app.network.panes.linkpane import LinkPane
from lydian.app.network.panes.networkpane import NetworkPane
from lydian.app.network.panes.processpane import ProcessPane
from lydian.language import tr
from lydian.model.editing.links import Pair
from lydian.model.errors import BadInput
from lydian.model.network import RATES, Network, Timing
from lydian.views.words.words import plural

__all__ = ["PropertiesPanel"]


def network_part(timing: Timing, board: Board) -> Timing:
    """Return the part of a timing that applies to the network as a whole and to classes."""
    return Timing(
        delay=timing.delay,
        order=timing.order,
        **{rate: getattr(timing, rate) for rate in RATES},
        step=timing.step,
        classes=timing.classes,
        initiators=timing.initiators,
    )


def selection_part(timing: Timing, board: Board) -> Timing:
    """Return the part of a timing that applies to the selection, directly or through the network or a class."""
    links, names = board.chosen_links(), board.chosen_processes()
    pairs = {(link.a, link.b) for link in links}
    classes = {link.klass for link in links if link.delay is None}
    inherit = any(link.delay is None and link.klass not in {*board.network.classes, *timing.classes} for link in links)
    return Timing(
        delay=timing.delay if inherit else None,
        order=timing.order if any(link.order is None for link in links) else None,
        **{rate: getattr(timing, rate) for rate in RATES if any(getattr(link, rate) is None for link in links)},
        step=timing.step if any(name not in board.network.steps for name in names) else None,
        links={text: law for text, law in timing.links.items() if _pair(board, text) in pairs},
        classes={name: law for name, law in timing.classes.items() if name in classes},
        steps={name: law for name, law in timing.steps.items() if name in names},
        drifts={name: drift for name, drift in timing.drifts.items() if name in names},
    )


def told(timing: Timing) -> str:
    """Describe the settings of a timing, one sentence on each line; an empty text if there are none."""
    lines: list[str] = []

    if timing.delay is not None:
        lines.append(tr("The experiment sets the delay: {delay}", delay=timing.delay.short))
    lines += [
        tr("The experiment sets the delay of {link_or_class}: {delay}", link_or_class=name, delay=law.short)
        for name, law in (*timing.classes.items(), *timing.links.items())
    ]
    if timing.order is not None:
        lines.append(
            tr("The experiment sets the order of messages: first in, first out")
            if timing.order == "fifo"
            else tr("The experiment sets the order of messages: any")
        )
    rates = {
        "loss": tr("The experiment sets the loss: {share:g} %"),
        "duplication": tr("The experiment sets the duplication: {share:g} %"),
        "corruption": tr("The experiment sets the corruption: {share:g} %"),
    }
    shares = ((rate, getattr(timing, rate)) for rate in RATES)
    lines += [rates[rate].format(share=plain(share)) for rate, share in shares if share is not None]
    if timing.step is not None:
        lines.append(tr("The experiment sets the time for a step: {time}", time=timing.step.short))
    lines += [
        tr("The experiment sets the time for a step of {process}: {time}", process=name, time=law.short)
        for name, law in timing.steps.items()
    ]
    lines += [
        tr("The experiment sets the clock rate of {process}: {percent:+g} %", process=name, percent=plain(drift - 1))
        for name, drift in timing.drifts.items()
    ]
    if timing.initiators is not None:
        lines.append(tr("The experiment sets the initiators: {processes}", processes=_starting(timing)))
    return "\n".join(lines)


def _starting(timing: Timing) -> str:
    if timing.initiators == "all":
        return tr("every process")
    return ", ".join(timing.initiators or ()) or tr("no process")


def _pair(board: Board, text: str) -> Pair | None:
    """Return the pair of a link that an experiment names, in the order that the network uses."""
    network = board.network
    try:
        a, b = network.parse_link(text)
    except BadInput:
        return None
    link = network.link_between(a, b)
    return None if link is None else (link.a, link.b)


#: The least width of the panel with text of the usual size; wider contents scroll.
NARROWEST = 340


class PropertiesPanel(QWidget):
    """The panel that follows the selection: processes, links or both; the network if nothing is selected.

    Args:
        board: the board with the drawing and the selection.
        theme: the theme.
        overrides: a function that returns the timing that the experiment sets, or ``None``; called at each display.
    """

    #: Emitted with the pair of a link and the delays of messages to send on it, float64 (k,).
    send_wanted = Signal(object, object)
    #: Emitted with a Timing that should be moved from the experiment to the network.
    take_wanted = Signal(object)

    def __init__(
        self,
        board: Board,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        overrides: Callable[[], Timing | None] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Properties"))
        self.setObjectName("propertyPanel")
        self.board, self.theme = board, theme
        self._overrides = overrides
        self._network: Network | None = None
        self._shown: object = None
        self._drawing: object = None
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setAccessibleName(tr("Properties of"))
        self.tabs.addTab(tr("Network"))
        self.stack = QStackedWidget()
        self.processes, self.links = ProcessPane(board, theme), LinkPane(board, theme)
        self.network = NetworkPane(board, theme)
        self.note, self.network_note = Note(tr("Move it to the network")), Note(tr("Move it to the network"))
        self.between = rule()
        self.areas = [
            self._page((self.note, self.processes, self.between, self.links)),
            self._page((self.network_note, self.network)),
        ]
        head = QFrame()
        head.setObjectName("propertyTabs")
        down(self.tabs, on=head, margins=(4, 0, 4, 0))
        down(head, (self.stack, 1), on=self, spacing=0)
        self.links.send_wanted.connect(self.send_wanted)
        self.note.pressed.connect(lambda: self._take(selection_part))
        self.network_note.pressed.connect(lambda: self._take(network_part))
        self.tabs.currentChanged.connect(self._tab)
        board.changed.connect(self._changed)
        board.opened.connect(self._opened)
        board.chosen_changed.connect(self._chosen)
        set_look(self, theme, min_width=grown(NARROWEST))
        self._chosen()

    def _page(self, parts: tuple[QWidget, ...]) -> QScrollArea:
        body = QWidget()
        body.setObjectName("propertyBody")
        down(*parts, ..., on=body, margins=(12, 10, 12, 12), spacing=10)
        area = QScrollArea()
        area.setObjectName("propertyPage")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(body)
        self.stack.addWidget(area)
        return area

    def refresh(self) -> None:
        """Show everything again after a change of the experiment's timing."""
        self._network = None
        self._changed()

    # ------------------------------------------------------------------ display

    @property
    def title(self) -> str:
        """The selection in words: "Link 8–10", "Process 4", "3 links"."""
        chosen = self.board.chosen
        if len(chosen.processes) == 1 and not chosen.links:
            return tr("Process {process}", process=next(iter(chosen.processes)))
        if len(chosen.links) == 1 and not chosen.processes:
            a, b = next(iter(chosen.links))
            return tr("Link {process}–{neighbour}", process=a, neighbour=b)
        some = ((chosen.processes, "process"), (chosen.links, "link"))
        return ", ".join(plural(len(those), noun) for those, noun in some if those)

    def _opened(self) -> None:
        self._network = None

    def _chosen(self) -> None:
        chosen = self.board.chosen
        self.tabs.blockSignals(True)
        if chosen and self.tabs.count() == 1:
            self.tabs.insertTab(0, "")
        elif not chosen and self.tabs.count() == 2:
            self.tabs.removeTab(0)
        if chosen:
            self.tabs.setTabText(0, self.title.replace("&", "&&"))
        self.tabs.setCurrentIndex(0)
        self.tabs.blockSignals(False)
        self._tab(0)

    def _tab(self, index: int) -> None:
        on_selection = self.tabs.count() == 2 and index == 0
        self.stack.setCurrentIndex(0 if on_selection else 1)
        self._network = None
        self._changed()

    def _changed(self) -> None:
        """Show the current network; if only positions have changed, update only these."""
        network, old = self.board.network, self._network
        if network is old:
            return
        self._network = network
        if old is not None and _only_moved(old, network):
            self.processes.show_places()
            return
        if self.stack.currentIndex() == 1:
            fresh = self._drawing is not self.board.document
            self._drawing = self.board.document
            self.network.show_network(network, fresh=fresh)
        else:
            self._show_selection()
        self._show_notes()

    def _show_selection(self) -> None:
        chosen = self.board.chosen
        fresh = self._shown != (chosen, id(self.board.document))
        self._shown = (chosen, id(self.board.document))
        names, links = self.board.chosen_processes(), self.board.chosen_links()
        self.processes.setVisible(bool(names))
        self.links.setVisible(bool(links))
        self.between.setVisible(bool(names) and bool(links))
        if names:
            self.processes.show_processes(names, fresh=fresh)
        if links:
            self.links.show_links(links, fresh=fresh)
        if fresh:
            self.areas[0].verticalScrollBar().setValue(0)

    # ------------------------------------------------------------------ settings of the experiment

    def _timing(self) -> Timing:
        timing = self._overrides() if self._overrides is not None else None
        return Timing() if timing is None else timing

    def _show_notes(self) -> None:
        timing = self._timing()
        self.note.say(told(selection_part(timing, self.board)))
        self.network_note.say(told(network_part(timing, self.board)))

    def _take(self, part: Callable[[Timing, Board], Timing]) -> None:
        self.take_wanted.emit(part(self._timing(), self.board))


def _only_moved(old: Network, new: Network) -> bool:
    """Return True if two networks share the same objects except for the positions of processes."""
    fields = [name for name in type(new).__dataclass_fields__ if name != "positions"]
    return all(getattr(old, name) is getattr(new, name) for name in fields)
