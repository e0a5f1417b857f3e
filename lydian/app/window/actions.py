"""The table of all commands: from it come the menus, the keys, the tool tips and the sheet of keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme

__all__ = ["COMMANDS", "MENUS", "Command", "build_actions", "fill_menus", "key_text", "paint_icons"]

#: Menus from left to right, each with its own letter.
MENUS = ("&File", "&Edit", "&View", "&Run", "P&layback", "&Help")


@dataclass(frozen=True)
class Command:
    """One thing the user can do.

    Attributes:
        name: what the program calls it.
        text: what the menu says, with its letter.
        menu: the menu it stands in, ``"&View/&Theme"`` for one inside another.
        keys: key sequences, the first is the one shown.
        help: one sentence for the status bar and the sheet of keys.
        icon: name of its icon, if any.
        checkable: whether it is on or off.
        group: commands of one group exclude each other.
        gap: a line stands above it.
    """

    name: str
    text: str
    menu: str
    keys: tuple[str, ...]
    help: str
    icon: str = ""
    checkable: bool = False
    group: str = ""
    gap: bool = False


def _c(name: str, text: str, menu: str, keys: str, help: str, icon: str = "", **more: bool | str) -> Command:
    return Command(name, text, menu, tuple(keys.split()), help, icon, **more)  # type: ignore[arg-type]


COMMANDS: tuple[Command, ...] = (
    _c("open", "&Open…", "&File", "Ctrl+O", "Open an experiment, a network, a trace or a protocol", "open"),
    _c("save", "&Save", "&File", "Ctrl+S", "Save the experiment", "save", gap=True),
    _c("save_as", "Save &as…", "&File", "Ctrl+Shift+S", "Save the experiment under another name"),
    _c("save_trace", "Save &trace…", "&File", "Ctrl+Shift+T", "Save the run that is shown as a trace"),
    _c("picture", "Save &picture of a view…", "&File", "Ctrl+Shift+E",
       "Save the view under focus as PNG, SVG or PDF", "picture"),
    _c("export_page", "&Page that plays (HTML)…", "&File/E&xport", "",
       "Save the run as one page that plays in every browser"),
    _c("export_movie", "&Movie…", "&File/E&xport", "", "Save the views that are shown as MP4 or GIF, at the speed set"),
    _c("export_csv", "&CSV…", "&File/E&xport/&Trace as", "", "Save the events as a table of text"),
    _c("export_json", "&JSON…", "&File/E&xport/&Trace as", "", "Save the experiment and its events as JSON"),
    _c("export_shiviz", "&ShiViz log…", "&File/E&xport/&Trace as", "", "Save the events with vector clocks for ShiViz"),
    _c("export_perfetto", "&Perfetto…", "&File/E&xport/&Trace as", "",
       "Save states and messages for ui.perfetto.dev"),
    _c("quit", "&Quit", "&File", "Ctrl+Q", "Close LYDIAN", gap=True),
    _c("undo", "&Undo", "&Edit", "Ctrl+Z", "Take back the last change of the experiment", "undo"),
    _c("redo", "&Redo", "&Edit", "Ctrl+Shift+Z Ctrl+Y", "Do again what was taken back", "redo"),
    _c("clear_selection", "&Clear selection", "&Edit", "Esc", "Let go of everything that is selected", gap=True),
    _c("find", "&Find events…", "&Edit", "Ctrl+F", "Write a filter above the text trace", gap=True),
    _c("find_next", "Find &next", "&Edit", "F3", "The next event that the filter means"),
    _c("find_previous", "Find &previous", "&Edit", "Shift+F3", "The event before that the filter means"),
    _c("view_basic", "&Network", "&View", "Ctrl+1", "Show or hide the network", "network", checkable=True),
    _c("view_communication", "&Communication", "&View", "Ctrl+2",
       "Show or hide how much each process sent", "communication", checkable=True),
    _c("view_causality", "C&ausality", "&View", "Ctrl+3",
       "Show or hide who could know what", "causality", checkable=True),
    _c("view_step", "&Process", "&View", "Ctrl+4", "Show or hide one process step by step", "process", checkable=True),
    _c("view_occupation", "&Occupation", "&View", "Ctrl+5",
       "Show or hide what each process was busy with", "occupation", checkable=True),
    _c("view_knowledge", "&Knowledge", "&View", "Ctrl+8",
       "Show or hide who has heard of whom", "knowledge", checkable=True),
    _c("view_trace", "&Text trace", "&View", "Ctrl+7", "Show or hide the events as text", "trace", checkable=True),
    _c("view_experiment", "&Experiment", "&View", "Ctrl+E",
       "Show or hide the parts of the experiment", "flag", checkable=True, gap=True),
    _c("view_checks", "C&hecks", "&View", "Ctrl+Shift+C", "Show or hide what is checked", "checks", checkable=True),
    _c("layout_watch", "&Watch", "&View/&Layout", "Alt+1",
       "The network alone, large", "eye", checkable=True, group="layout"),
    _c("layout_study", "&Study", "&View/&Layout", "Alt+2",
       "All five views and the experiment", "layout", checkable=True, group="layout"),
    _c("layout_reset", "&Reset", "&View/&Layout", "Alt+0", "Put every view back where it was", gap=True),
    _c("theme_system", "S&ystem", "&View/The&me", "", "Light or dark as the desktop is", checkable=True, group="theme"),
    _c("theme_light", "&Light", "&View/The&me", "", "Dark on light", "sun", checkable=True, group="theme"),
    _c("theme_dark", "&Dark", "&View/The&me", "", "Light on dark", "moon", checkable=True, group="theme"),
    _c("projector", "Pro&jector", "&View", "F11",
       "Large type and lines for a room, or back", "projector", checkable=True),
    _c("motion", "Steps &glide", "&View", "", "Let a step travel, or jump at once", checkable=True),
    _c("fit", "&Fit selection", "&View", "F", "Show the selection as large as fits", "fit", gap=True),
    _c("fit_all", "Show e&verything", "&View", "Ctrl+0", "Show everything"),
    _c("zoom_in", "Zoom &in", "&View", "+ =", "Enlarge the view under focus", "plus"),
    _c("zoom_out", "Zoom o&ut", "&View", "-", "Show more of the view under focus", "minus"),
    _c("run", "&Run", "&Run", "F5", "Run the experiment and play it", "play"),
    _c("stop", "&Stop the run", "&Run", "Shift+F5", "Stop the simulator", "stop"),
    _c("new_seed", "&New seed", "&Run", "Ctrl+R", "Run the same experiment with other chances", "dice", gap=True),
    _c("other_delays", "Other &delays", "&Run", "Ctrl+Shift+D", "Run with another law of delays"),
    _c("other_network", "Another n&etwork", "&Run", "Ctrl+Shift+N",
       "Run the protocol on the next network of the archive"),
    _c("play", "&Play or pause", "P&layback", "Space", "Let time run, or stop it", "play"),
    _c("step_back", "Step &back", "P&layback", "Left", "One event back", "step-back"),
    _c("step_forward", "Step &forward", "P&layback", "Right", "One event on", "step-forward"),
    _c("process_back", "Its pre&vious event", "P&layback", "Shift+Left ,",
       "The previous event of the selected process", gap=True),
    _c("process_forward", "Its &next event", "P&layback", "Shift+Right .", "The next event of the selected process"),
    _c("round_back", "One roun&d back", "P&layback", "Ctrl+Left", "To the end of the round before"),
    _c("round_forward", "One round &on", "P&layback", "Ctrl+Right", "To the end of the round"),
    _c("unit_back", "One time &unit back", "P&layback", "Ctrl+Shift+Left", "One time unit back"),
    _c("unit_forward", "One t&ime unit on", "P&layback", "Ctrl+Shift+Right", "One time unit on"),
    _c("to_start", "To the s&tart", "P&layback", "Home", "The moment before the first event", "to-start", gap=True),
    _c("to_end", "To the &end", "P&layback", "End", "The last event", "to-end"),
    _c("play_back", "Play bac&kwards", "P&layback", "J", "Play backwards; again: faster", gap=True),
    _c("pause", "P&ause", "P&layback", "K", "Stop where it is"),
    _c("play_forward", "Play for&wards", "P&layback", "L", "Play forwards; again: faster"),
    _c("loop", "&Loop", "P&layback", "Ctrl+L", "Begin again at the end", "loop", checkable=True),
    _c("loop_from", "Begin &here", "P&layback/Loop se&ction", "I", "Loop from this moment on"),
    _c("loop_to", "&End here", "P&layback/Loop se&ction", "O", "Loop up to this moment"),
    _c("loop_all", "&Whole run", "P&layback/Loop se&ction", "Ctrl+Shift+L", "Loop the whole run again"),
    _c("slower", "&Slower", "P&layback", "[", "Half as fast", gap=True),
    _c("faster", "Faste&r", "P&layback", "]", "Twice as fast"),
    _c("pace_events", "Pla&y by events", "P&layback", "E",
       "So many events a second, however long nothing happens", checkable=True),
    _c("bookmark", "&Bookmark here", "P&layback/&Marks", "B", "Set a bookmark at this moment, or take it away"),
    _c("mark_back", "&Previous mark", "P&layback/&Marks", "PgUp", "The bookmark, fault or violation before"),
    _c("mark_forward", "&Next mark", "P&layback/&Marks", "PgDown", "The next bookmark, fault or violation"),
    _c("cause", "To its &cause", "P&layback/&Jump", "Alt+PgUp", "What made the current event happen"),
    _c("effect", "To its &effect", "P&layback/&Jump", "Alt+PgDown", "What came first of the current event"),
    _c("chain_back", "&Back along the longest chain", "P&layback/&Jump", "Ctrl+PgUp",
       "The event before on the longest chain of causes"),
    _c("chain_forward", "&On along the longest chain", "P&layback/&Jump", "Ctrl+PgDown",
       "The next event on the longest chain of causes"),
    _c("go_event", "&Go to the selected event", "P&layback", "Return", "Move the play head to the selected event"),
    _c("keys", "&Keys", "&Help", "F1 ?", "All keys on one sheet", "keys"),
    _c("about", "&About LYDIAN", "&Help", "Ctrl+F1", "Version and licence", "info"),
)  # fmt: skip


def key_text(command: Command) -> str:
    """Its first key as it is written on this platform, or nothing."""
    return QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""


def build_actions(window: QMainWindow, handlers: Mapping[str, Callable[..., object]]) -> dict[str, QAction]:
    """An action for every command that has a handler.

    Raises:
        KeyError: a handler for a command that is not in the table.
    """
    known = {command.name for command in COMMANDS}
    for name in handlers:
        if name not in known:
            raise KeyError(f"no command is called {name!r}")
    actions = {}
    for command in COMMANDS:
        if command.name not in handlers:
            continue
        action = QAction(command.text, window)
        action.setObjectName(command.name)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setCheckable(command.checkable)
        plain = command.text.replace("&", "").rstrip("…")
        key = key_text(command)
        action.setToolTip(f"{plain} ({key})" if key else plain)
        action.setStatusTip(command.help)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setAutoRepeat(command.menu == "P&layback")
        action.triggered.connect(_caller(handlers[command.name], command.checkable))
        window.addAction(action)
        actions[command.name] = action
    return actions


def _caller(handler: Callable[..., object], checkable: bool) -> Callable[[bool], None]:
    def call(checked: bool = False) -> None:
        handler(checked) if checkable else handler()

    return call


def fill_menus(window: QMainWindow, actions: Mapping[str, QAction]) -> dict[str, QMenu]:
    """Put the actions into the menu bar in the order of the table."""
    menus: dict[str, QMenu] = {}

    def menu_of(path: str) -> QMenu:
        if path not in menus:
            above, _, last = path.rpartition("/")
            menus[path] = menu_of(above).addMenu(last) if above else window.menuBar().addMenu(last)
        return menus[path]

    for title in MENUS:
        menu_of(title)
    for command in _present(actions):
        menu = menu_of(command.menu)
        if command.gap:
            menu.addSeparator()
        menu.addAction(actions[command.name])
    return menus


def paint_icons(actions: Mapping[str, QAction], theme: Theme) -> None:
    """Give the actions their icons in the theme's colour."""
    for command in _present(actions):
        if command.icon:
            actions[command.name].setIcon(icon(command.icon, theme))
            actions[command.name].setIconVisibleInMenu(False)


def _present(actions: Mapping[str, QAction]) -> Iterator[Command]:
    return (command for command in COMMANDS if command.name in actions)


#: Keys that a button, a list or a field under focus keeps for itself.
KEPT = {
    Qt.Key.Key_Space,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Return,
}
