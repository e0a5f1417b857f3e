"""The table of all commands, from which the menus, keys, tooltips and the sheet of keys are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from lydian.app.commands.command import EVERYWHERE, Command
from lydian.app.commands.command import command as _c
from lydian.app.kit.follow import follow
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.desk.commands import Commands
from lydian.formats.traces import FORMATS, in_language
from lydian.language import ENGLISH, languages, tr, trc
from lydian.model.interventions import TOOLS
from lydian.views.registry import views

__all__ = [
    "MENUS", "ON_PROCESSES", "RECENT", "Command", "build_actions", "check_known", "commands", "distinct", "fill_menus",
    "key_text",
    "menu_title", "menu_titles", "paint_icons", "where",
]  # fmt: skip


class CommandAction(QAction):
    """The menu entry of a command. While the command is unavailable, its keys do nothing and its tip is the reason.

    In a workspace to which the command does not belong, the entry is invisible and its keys do nothing; it can still be
    triggered, by the search for example.
    """

    def __init__(self, command: Command, commands: Commands, parent: QObject | None = None) -> None:
        super().__init__(command.text, parent)
        self.setObjectName(command.name)
        self._commands, self._able, self._tip = commands, True, command.help
        self.settle()

    def setEnabled(self, on: bool) -> None:
        """Enable or disable the entry; an unavailable command stays disabled."""
        self._able = on
        self.settle()

    def isEnabled(self) -> bool:
        """Return whether the command can be carried out, by whatever means."""
        return self._able and not self._commands.why_not(self.objectName())

    def stand(self, on: bool) -> None:
        """Show the entry in the menus and enable its keys, or do neither."""
        self.setVisible(on)

    def setStatusTip(self, tip: str) -> None:
        """Set the tip that is shown while the command is available."""
        self._tip = tip
        self.settle()

    def settle(self) -> None:
        """Enable or disable the entry, and set its tip, according to whether the command is available."""
        why = self._commands.why_not(self.objectName())
        super().setEnabled(self._able and not why)
        super().setStatusTip(why or self._tip)


def _faults() -> Iterator[Command]:
    """Yield the commands that apply each tool of an intervention to the selection."""
    for tool in sorted(TOOLS.values(), key=lambda tool: tool.place):
        if tool.entry is not None:
            text, words = tool.entry or tool.title, tool.help or tool.title
            yield _c(f"fault_{tool.name}", text, "F&aults", tool.keys, words, tool.icon, gap=tool.gap)


def _languages() -> Iterator[Command]:
    """Yield the commands that choose the language of the window."""
    menu = "&View/Language"
    words = tr("Use the language of the desktop, if LYDIAN has been translated into it")
    yield _c("language_system", tr("Desktop's &language"), menu, "", words, checkable=True, group="language")
    for code, name in languages().items():
        words = tr("Use {language} from the next start on", language=name)
        yield _c(f"language_{code}", f"&{name}", menu, "", words, checkable=True, group="language", gap=code == ENGLISH)


LIVE: tuple[Command | Callable[[], Iterator[Command]], ...] = (
    _c("view_pending", tr("&What may happen next"), "&View/L&ive", "Ctrl+T",
       tr("Show or hide the list of enabled events, from which you choose one"), "turns", checkable=True),
    _c("view_player", tr("&Your process"), "&View/L&ive", "Ctrl+Shift+R",
       tr("Show or hide the process that you play"), "hand", checkable=True),
    _c("view_branches", tr("&Branches"), "&View/L&ive", "Ctrl+Shift+B",
       tr("Show or hide the tree of all runs that branch off from earlier moments"), "branch", checkable=True),
    _c("view_compared", tr("&Compared run"), "&View/L&ive", "",
       tr("Show or hide the run that is compared with the current one"), "compare", checkable=True),
    _c("compare_trace", tr("With a &trace…"), "&Run/&Compare", "",
       tr("Show the run of a trace file beside the current run"), "compare"),
    _c("compare_first", tr("&First difference"), "&Run/&Compare", "Alt+Home",
       tr("Go to the moment at which the two runs diverge, in all views"), gap=True),
    _c("compare_next", tr("&Next difference"), "&Run/&Compare", "Ctrl+Alt+PgDown",
       tr("Go to the next moment at which more processes diverge")),
    _c("compare_previous", tr("&Previous difference"), "&Run/&Compare", "Ctrl+Alt+PgUp",
       tr("Go back to the previous difference")),
    _c("compare_swap", trc("swap two runs", "&Swap"), "&Run/&Compare", "",
       tr("Show the other run and compare this one with it"), gap=True),
    _c("compare_end", tr("&End comparison"), "&Run/&Compare", "", tr("Close the other run")),
    _c("play_against", tr("Play a&gainst it…"), "&Run", "Ctrl+Shift+G",
       tr("Choose every event yourself and make the algorithm fail: goals with a budget, hints and proofs"), "bolt",
       gap=True),
    _c("choose_mode", tr("&I choose what happens next"), "&Run/Play a &part", "Ctrl+Shift+A",
       tr("Choose every event: time stops until Space or Right lets the highlighted event happen"), "turns",
       checkable=True),
    _c("choose_now", tr("&Highlighted event now"), "&Run/Play a &part", "Ctrl+Return",
       tr("Let the highlighted event among the enabled ones happen now")),
    _c("choose_earliest", tr("&Earliest event"), "&Run/Play a &part", "N",
       tr("Let the earliest of the enabled events happen, at its own time")),
    _c("choose_any", tr("Ra&ndom event"), "&Run/Play a &part", "Shift+N",
       tr("Let one of the enabled events, chosen at random, happen now")),
    _c("take_over", tr("&Take over the selected process"), "&Run/Play a &part", "T",
       tr("Play the selected process: it handles only the events that you choose"), "hand", gap=True),
    _c("give_back", tr("&Release your process"), "&Run/Play a &part", "Shift+T",
       tr("Let the simulator play your process again")),
    _c("player_next", tr("Your ne&xt process"), "&Run/Play a &part", "Ctrl+]",
       tr("Go to the next of the processes that you play")),
    _c("player_previous", tr("Your &previous process"), "&Run/Play a &part", "Ctrl+[",
       tr("Go to the previous of the processes that you play")),
    _faults,
    _c("fault_links_up", tr("Restore &all links"), "F&aults", "Shift+U",
       tr("Restore every link that has been cut"), gap=True),
    _c("fault_recover_all", tr("R&ecover all processes"), "F&aults", "Shift+X",
       tr("Recover every process that has crashed")),
    _c("fault_release_all", tr("Release all pr&ocesses"), "F&aults", "",
       tr("Release every process that has been taken over")),
)  # fmt: skip


WRITING: tuple[Command, ...] = (
    _c("workspace_protocol", tr("&Write the protocol"), "&View/&Go to", "Ctrl+Alt+3",
       tr("Write the protocol of the experiment, and run it"), "code"),
    _c("protocol_new", tr("&New protocol…"), "&Protocol", "Ctrl+Alt+P",
       tr("Define states, messages, timers and a table: a protocol that runs straight away"), "new"),
    _c("protocol_open", tr("&Open a protocol…"), "&Protocol", "Ctrl+Alt+O",
       tr("Open a protocol file, or one from the library"), "open"),
    _c("protocol_save", tr("&Save the protocol"), "&Protocol", "",
       tr("Save the text of the protocol; Ctrl+S in the code"), "save", gap=True),
    _c("protocol_save_as", tr("Save the protocol &as…"), "&Protocol", "",
       tr("Save the text of the protocol in another file")),
    _c("protocol_rename", tr("Rena&me…"), "&Protocol", "", tr("Rename the file of the protocol")),
    _c("protocol_watch_file", tr("Run when sa&ved elsewhere"), "&Protocol", "",
       tr("Run the protocol whenever another editor saves it"), checkable=True),
    _c("protocol_compare", tr("&Compare with the original"), "&Protocol", "",
       tr("Show your changes to a protocol from the library, or your changes since the last save"), gap=True),
    _c("protocol_problem", tr("Next &problem"), "&Protocol", "F8", tr("Go to the next line with a problem")),
    _c("protocol_open_cell", tr("Next open ce&ll"), "&Protocol", "Shift+F8",
       tr("Go to the next cell of the table that is still open")),
    _c("protocol_three", tr("Run on &three networks"), "&Protocol", "Ctrl+Alt+W",
       tr("Run on a ring, a tree and a denser network at once"), "branch", gap=True),
    _c("protocol_others", tr("Did other runs &break too?"), "&Run/&Many runs", "Ctrl+Alt+B",
       tr("Run the experiment with twenty other seeds in the background, and count the violations"), "dice",
       where="run protocol"),
    _c("protocol_explore", tr("&Every schedule…"), "&Run/&Many runs", "Ctrl+Alt+E",
       tr("Try all orders of events on a small network: find a proof, or a shortest schedule that goes wrong"),
       "turns", where="run protocol"),
    _c("protocol_failure", tr("Where the run &failed"), "&Run", "Ctrl+Alt+F",
       tr("Show the line and the moment at which the latest run failed, and the events that led there"),
       where="run protocol"),
    _c("protocol_keep", tr("&Keep the run as a test"), "&Protocol", "Ctrl+Alt+K",
       tr("Keep the latest run as a test that must not fail from now on"), "flag"),
    _c("protocol_check", tr("R&un the kept tests"), "&Protocol", "Ctrl+Alt+R",
       tr("Run all kept tests of the protocol"), "checks"),
)  # fmt: skip


LEARNING: tuple[Command, ...] = (
    _c("lessons", tr("&Lessons…"), "&Help", "Ctrl+Alt+6", tr("All lessons: predict, watch, compare"), "book"),
    _c("lesson_next", tr("&Next step"), "&Help/L&esson", "Ctrl+Shift+PgDown", tr("Go to the next step of the lesson")),
    _c("lesson_back", tr("&Previous step"), "&Help/L&esson", "Ctrl+Shift+PgUp",
       tr("Go to the previous step of the lesson")),
    _c("lesson_copy", tr("&Copy my answers"), "&Help/L&esson", "Ctrl+Alt+A",
       tr("Copy all questions of the lesson and your answers as text, for handing in"), gap=True),
    _c("lesson_write", tr("&Write a lesson…"), "&Help/L&esson", "",
       tr("Begin a lesson file of your own, with its preview beside the run"), gap=True),
    _c("lesson", tr("Panel &for lessons"), "&View", "Ctrl+Alt+7",
       tr("Show or hide the lesson"), "book", checkable=True, where=EVERYWHERE),
)  # fmt: skip


CLASS: tuple[Command, ...] = (
    _c("class_host", tr("&Host this run…"), "&Class", "Ctrl+Alt+H",
       tr("Let a class play the processes of this run, with phones or with this program"), "people"),
    _c("class_game", tr("Host a &game…"), "&Class", "Ctrl+Alt+G", tr("Choose a ready game for a class, and host it"),
       "star"),
    _c("class_join", tr("&Join a class…"), "&Class", "Ctrl+Alt+J",
       tr("Take part in a class: play a process, or watch with your own views"), "hand"),
    _c("class_open", tr("&Open a class…"), "&Class", "", tr("Go on with a class that was saved"), "open"),
    _c("class_projector", tr("Show the &projector"), "&Class", "Ctrl+F11",
       tr("Show the code and the seats in a window of its own, for all to see"), "projector", gap=True),
    _c("class_show", tr("&Back to the run of the class"), "&Class", "",
       tr("Show the run of the class again, in place of another run"), "eye"),
    _c("class_next", tr("&Next round"), "&Class", "Ctrl+Shift+Return",
       tr("Open the next round, or close the one that is open"), "seal", gap=True),
    _c("class_pause", tr("Pause for &all"), "&Class", "Ctrl+Space",
       tr("Stop the clock and take no choices, or go on; Space does this while a round is open"), "pause"),
    _c("class_undo", tr("&Undo the round"), "&Class", "",
       tr("Undo the last round for all; it is kept as a branch"), "undo"),
    _c("class_ask", tr("Ask a p&rediction…"), "&Class", "Ctrl+Alt+Y",
       tr("Ask everybody a question; the answers are sealed"), "chart", gap=True),
    _c("class_mischief", tr("&Mischief…"), "&Class", "",
       tr("Intervene between two rounds, in front of everybody"), "bolt"),
    _c("class_turns", tr("Each in &turn"), "&Class", "",
       tr("Let every move happen at once, instead of sealed rounds"), checkable=True, gap=True),
    _c("class_whole", tr("Sho&w the run to all"), "&Class", "",
       tr("Let everybody see the whole run, or only the host"), "eye", checkable=True),
    _c("class_names", tr("H&ide names"), "&Class", "", tr("Show seats instead of names"), "eye-off", checkable=True),
    _c("class_door", tr("&Door open"), "&Class", "", tr("Let more people join"), "door", checkable=True),
    _c("class_save", tr("&Save the class as…"), "&Class", "",
       tr("Save what the class has done as an experiment that replays it"), "save", gap=True),
    _c("class_leave", tr("&Leave the class"), "&Class", "", tr("Leave the class in which you take part"), "close"),
    _c("class_end", tr("&End the class"), "&Class", "", tr("End the class for all; it stays saved"), "stop"),
    _c("class_split", tr("Split into &components…"), "&Class", "",
       tr("Run this system in several simulators, each with its own processes, here or on other computers"), "branch",
       gap=True),
    _c("class_split_steer", tr("Inter&vene in a component…"), "&Class", "",
       tr("Crash a process, cut a link or change a value while the components run"), "bolt"),
    _c("class_split_pause", tr("Pause the components"), "&Class", "",
       tr("Stop simulated time for all components, or let it go on"), "pause"),
    _c("class_split_stop", tr("Stop the components"), "&Class", "", tr("End the run; what happened is kept"), "stop"),
    _c("class_split_save", tr("Save the record as…"), "&Class", "",
       tr("Save the run of the components as a file with which it can be repeated anywhere"), "save"),
)  # fmt: skip


#: Submenus that are filled when they open: the latest files, the variables that processes can show, and the ready
#: assignments.
RECENT, ON_PROCESSES, READY = "&File/Open &recent", "&View/Show on p&rocesses", "&File/Assign&ments"
#: The menus from left to right; each has an accelerator of its own.
MENUS = (
    "&File", "&Edit", "&View", "&Network", "&Protocol", "&Sweep", "Assi&gnment", "&Run", "P&layback", "F&aults",
    "&Class", "&Help",
)  # fmt: skip
#: The titles of all menus and submenus in the language of the window.
_TITLES: Mapping[str, str] = {
    "&File": trc("menu", "&File"),
    "&File/Start &with": trc("menu", "Start &with"),
    RECENT: trc("menu", "Open &recent"),
    READY: trc("menu", "Assign&ments"),
    "&File/E&xport": trc("menu", "E&xport"),
    "&File/E&xport/&Trace as": trc("menu", "&Trace as"),
    "&Edit": trc("menu", "&Edit"),
    "&Edit/Preference&s": trc("menu", "Preference&s"),
    "&View": trc("menu", "&View"),
    "&View/L&ive": trc("menu of views for live runs", "L&ive"),
    "&View/&Layout": trc("menu", "&Layout"),
    "&View/New &view": trc("menu", "New &view"),
    "&View/The&me": trc("menu", "The&me"),
    "&View/Language": trc("menu", "Language"),
    "&View/Te&xt size": trc("menu", "Te&xt size"),
    "&View/Colou&r vision": trc("menu of kinds of colour blindness", "Colou&r vision"),
    "&View/&Go to": trc("menu", "&Go to"),
    ON_PROCESSES: trc("menu", "Show on p&rocesses"),
    "&View/&Zoom": trc("menu", "&Zoom"),
    "&View/Ro&ws": trc("menu", "Ro&ws"),
    "&View/Ca&use and effect": trc("menu", "Ca&use and effect"),
    "&Network": trc("menu", "&Network"),
    "&Network/Arran&ge": trc("menu", "Arran&ge"),
    "&Network/A&lign": trc("menu", "A&lign"),
    "&Network/Spre&ad": trc("menu", "Spre&ad"),
    "&Network/Selec&tion": trc("menu", "Selec&tion"),
    "&Protocol": trc("menu", "&Protocol"),
    "&Sweep": trc("menu", "&Sweep"),
    "Assi&gnment": trc("menu", "Assi&gnment"),
    "&Run": trc("menu", "&Run"),
    "&Run/Tr&y": trc("menu", "Tr&y"),
    "&Run/Recei&ve": trc("menu", "Recei&ve"),
    "&Run/&Many runs": trc("menu", "&Many runs"),
    "&Run/Play a &part": trc("menu", "Play a &part"),
    "&Run/&Compare": trc("menu", "&Compare"),
    "P&layback": trc("menu", "P&layback"),
    "P&layback/Sound": trc("menu", "Sound"),
    "P&layback/Loop se&ction": trc("menu", "Loop se&ction"),
    "P&layback/&Marks": trc("menu", "&Marks"),
    "P&layback/&Jump": trc("menu", "&Jump"),
    "P&layback/Time window": trc("menu", "Time window"),
    "F&aults": trc("menu", "F&aults"),
    "&Class": trc("menu", "&Class"),
    "&Help": trc("menu", "&Help"),
    "&Help/L&esson": trc("menu", "L&esson"),
    "&Help/&Pages": trc("menu", "&Pages"),
}


def _shown() -> Iterator[Command]:
    """Yield the commands that show and hide each view."""
    for view in views():
        words = tr("Show or hide {view}", view=view.shows)
        yield _c(f"view_{view.name}", view.entry, "&View", view.keys, words, view.icon, checkable=True)


def _further() -> Iterator[Command]:
    """Yield the commands that open another view of each kind."""
    for view in views():
        words = view.another or tr("Open another view of {view}", view=view.shows)
        yield _c(f"new_view_{view.name}", view.entry, "&View/New &view", "", words, view.icon)


def _exports(animated: bool) -> Iterator[Command]:
    """Yield the commands that save the run in each trace format, animated or not."""
    menu = "&File/E&xport" if animated else "&File/E&xport/&Trace as"
    for each in map(in_language, FORMATS.values()):
        if each.animated == animated:
            yield _c(f"export_{each.name}", f"&{each.title}…", menu, "", each.about)


_TABLE: tuple[Command | Callable[[], Iterator[Command]], ...] = (
    _c("new", tr("&New"), "&File", "Ctrl+N", tr("Show ways to begin"), "new"),
    _c("begin_watch", tr("&Watch the example"), "&File/Start &with", "",
       tr("Play ECHO on twelve processes from the start")),
    _c("begin_break", tr("&Break a process"), "&File/Start &with", "", tr("Play a run in which a process crashes")),
    _c("begin_vary", tr("&Vary the network"), "&File/Start &with", "", tr("Run this protocol on a ring and play it")),
    _c("begin_write", tr("W&rite a protocol…"), "&File/Start &with", "",
       tr("Define states, messages and a table on one page, and run the protocol")),
    _c("open", tr("&Open…"), "&File", "Ctrl+O", tr("Open an experiment, a network, a trace or a protocol"), "open"),
    _c("watch_log", tr("Wat&ch a growing log…"), "&File", "",
       tr("Follow a running system through its log, in all views; choose it again to stop"), where="run"),
    _c("import_log", tr("&Import log…"), "&File", "Ctrl+Shift+I",
       tr("Preview how LYDIAN reads the log of a real system, then open it"), "trace", where="run"),
    _c("save", tr("&Save"), "&File", "Ctrl+S", tr("Save the experiment"), "save", gap=True),
    _c("save_as", tr("Save &as…"), "&File", "Ctrl+Shift+S", tr("Save the experiment under another name")),
    _c("save_trace", tr("Save &trace…"), "&File", "Ctrl+Shift+T", tr("Save the current run as a trace"), where="run"),
    _c("hand_in", tr("Han&d in…"), "&File", "",
       tr("Save the experiment, its protocol, its network and the current run as one file"), where="run"),
    _c("lesson_make", tr("Make a lesson o&f this…"), "&File", "",
       tr("Write a lesson with a step for each bookmark and each intervention of the runs"), where="run"),
    _c("picture", tr("Save &picture of a view…"), "&File", "Ctrl+Shift+E",
       tr("Save the view that has the focus as PNG, SVG or PDF"), "picture", where="run"),
    _c("pictures", tr("Save picture of all &views…"), "&File", "",
       tr("Save all visible views as one picture: PNG, SVG or PDF"), where="run"),
    partial(_exports, True),
    _c("export_movie", tr("&Movie…"), "&File/E&xport", "Ctrl+Shift+V",
       tr("Choose the views, times, speed and size of a movie, and save it as MP4 or GIF")),
    _c("export_sound", tr("&Sound…"), "&File/E&xport", "",
       tr("Save the sound of the run as a WAV file, at the current speed")),
    partial(_exports, False),
    _c("workspace_archive", tr("Arc&hive"), "&View/&Go to", "Ctrl+Alt+5",
       tr("Browse all protocols by family: find one, see it run, open it, copy it"), "book"),
    _c("archive_search", tr("&Look for a protocol…"), "&File", "Ctrl+Shift+F",
       tr("Search the archive for words"), "find"),
    _c("assignment_open", tr("Open an assi&gnment…"), "&File", "",
       tr("Open the folder of an assignment, to solve it and hand it in"), "book",
       where="run protocol archive assignment"),
    _c("quit", tr("&Quit"), "&File", "Ctrl+Q", tr("Close LYDIAN"), gap=True),
    _c("undo", tr("&Undo"), "&Edit", "Ctrl+Z", tr("Undo the last change to the experiment"), "undo"),
    _c("redo", tr("&Redo"), "&Edit", "Ctrl+Shift+Z Ctrl+Y", tr("Redo the change that was undone last"), "redo"),
    _c("copy_picture", tr("Copy pi&cture"), "&Edit", "Ctrl+Alt+C",
       tr("Copy the view that has the focus as a picture"), gap=True, where="run"),
    _c("copy_svg", tr("Copy as S&VG"), "&Edit", "Ctrl+Alt+V",
       tr("Copy the view that has the focus as a vector drawing"), where="run"),
    _c("clear_selection", tr("C&lear selection"), "&Edit", "Esc", tr("Deselect everything"), gap=True, where="run"),
    _c("find", tr("&Find events…"), "&Edit", "Ctrl+F", tr("Type a filter above the text trace"), gap=True, where="run"),
    _c("find_next", tr("Find &next"), "&Edit", "F3", tr("Go to the next event that matches the filter"), where="run"),
    _c("find_previous", tr("Find &previous"), "&Edit", "Shift+F3",
       tr("Go to the previous event that matches the filter"), where="run"),
    _c("palette", tr("Find an&ything…"), "&Edit", "Ctrl+K Ctrl+Shift+P",
       tr("Find a protocol, an experiment, a lesson, a command, a page of the guide, or something in this run"),
       "find"),
    _c("menu", tr("&Menu of the selection"), "&Edit", "Menu Shift+F10",
       tr("Show the commands for the selection"), gap=True, where="run"),
    _c("change_keys", trc("keys of the keyboard", "&Keys…"), "&Edit/Preference&s", "",
       tr("Look up keys and change them"), "keys"),
    _c("bounds", tr("&Limits for protocols…"), "&Edit/Preference&s", "",
       tr("Limit the time of an action and the memory of a run")),
    _shown,
    _c("view_trace", tr("&Text trace"), "&View", "Ctrl+7",
       tr("Show or hide the events as text"), "trace", checkable=True),
    _c("view_experiment", trc("panel", "&Experiment"), "&View", "Ctrl+6",
       tr("Show or hide the settings of the experiment"), "flag", checkable=True, gap=True),
    _c("view_bookmarks", trc("panel", "&Bookmarks"), "&View", "Ctrl+9",
       tr("Show or hide bookmarks, faults and breakpoints"), "flag", checkable=True),
    _c("view_checks", trc("panel", "C&hecks"), "&View", "Ctrl+Shift+C",
       tr("Show or hide the properties that are checked"), "checks", checkable=True),
    _c("view_relies", tr("What it relies on"), "&View", "",
       tr("Show or hide the assumptions of the protocol, and why each is needed"), "relies", checkable=True),
    _c("layout_watch", trc("layout", "&Watch"), "&View/&Layout", "Alt+1",
       tr("Show only the network, large"), "eye", checkable=True, group="layout"),
    _c("layout_study", trc("layout", "&Study"), "&View/&Layout", "Alt+2",
       tr("Show all five views and the experiment"), "layout", checkable=True, group="layout"),
    _c("layout_debug", trc("layout", "&Debug"), "&View/&Layout", "Alt+3",
       tr("Show the network, one process and the text trace"), "step-forward", checkable=True, group="layout"),
    _c("layout_reset", tr("&Reset layout"), "&View/&Layout", "Alt+0",
       tr("Return every view of the layout to its place"), gap=True),
    _c("maximise", tr("Maximi&se"), "&View", "Ctrl+Shift+M F10",
       tr("Maximise the view that has the focus, or restore its size"), "maximise", checkable=True, gap=True),
    _further,
    _c("new_view_trace", tr("&Text trace"), "&View/New &view", "",
       tr("Open another text trace, with a filter of its own"), "trace"),
    _c("theme_system", trc("theme", "S&ystem"), "&View/The&me", "",
       tr("Use the light or dark theme of the desktop"), checkable=True, group="theme"),
    _c("theme_light", trc("theme", "&Light"), "&View/The&me", "",
       tr("Use dark text on a light background"), "sun", checkable=True, group="theme"),
    _c("theme_dark", trc("theme", "&Dark"), "&View/The&me", "",
       tr("Use light text on a dark background"), "moon", checkable=True, group="theme"),
    _c("theme_contrast", trc("theme", "&High contrast"), "&View/The&me", "",
       tr("Use light text on black, with strong lines"), checkable=True, group="theme"),
    _c("text_larger", trc("text size", "&Larger"), "&View/Te&xt size", "Ctrl++ Ctrl+=",
       tr("Enlarge all text in the program")),
    _c("text_smaller", trc("text size", "&Smaller"), "&View/Te&xt size", "Ctrl+-",
       tr("Reduce all text in the program")),
    _c("text_usual", tr("&Default size"), "&View/Te&xt size", "Ctrl+Alt+0", tr("Restore the default size of all text")),
    _c("see_all", trc("view seen by", "&All colours"), "&View/Colou&r vision", "",
       tr("Show the views in all colours"), checkable=True, group="see"),
    _c("see_protanopia", tr("&Protanopia (no red)"), "&View/Colou&r vision", "",
       tr("Show the views as people without red cones see them"), checkable=True, group="see"),
    _c("see_deuteranopia", tr("&Deuteranopia (no green)"), "&View/Colou&r vision", "",
       tr("Show the views as people without green cones see them"), checkable=True, group="see"),
    _c("see_tritanopia", tr("&Tritanopia (no blue)"), "&View/Colou&r vision", "",
       tr("Show the views as people without blue cones see them"), checkable=True, group="see"),
    _c("see_grey", trc("view seen by", "&Grey"), "&View/Colou&r vision", "",
       tr("Show the views as a black-and-white printer prints them"), checkable=True, group="see"),
    _languages,
    _c("next_pane", tr("Next pa&ne"), "&View/&Go to", "F6", tr("Go to the next part of the window")),
    _c("previous_pane", tr("&Previous pane"), "&View/&Go to", "Shift+F6", tr("Go to the previous part of the window")),
    _c("projector", tr("Pro&jector"), "&View", "F11",
       tr("Use large type and thick lines for a lecture room, or go back to normal"), "projector",
       checkable=True, where=EVERYWHERE),
    _c("motion", tr("Glide between steps"), "&View", "", tr("Animate each step, or jump at once"),
       checkable=True, where=EVERYWHERE),
    _c("fit", tr("&Fit selection"), "&View/&Zoom", "F", tr("Zoom to the selection"), "fit", gap=True),
    _c("fit_all", tr("Show e&verything"), "&View/&Zoom", "Ctrl+0", tr("Zoom out until everything is visible")),
    _c("zoom_in", tr("Zoom &in"), "&View/&Zoom", "+ =", tr("Enlarge the view that has the focus"), "plus"),
    _c("row_up", tr("Move &up"), "&View/Ro&ws", "Ctrl+Shift+Up", tr("Move the row of the selected process up")),
    _c("row_down", tr("Move &down"), "&View/Ro&ws", "Ctrl+Shift+Down", tr("Move the row of the selected process down")),
    _c("rows_reset", tr("&Reset order"), "&View/Ro&ws", "", tr("Restore the original order of the rows")),
    _c("rows_hide", tr("&Hide selected rows"), "&View/Ro&ws", "Ctrl+H",
       tr("Hide the rows of the selected processes; dashed arrows show the causal chains through them"), gap=True),
    _c("rows_near", tr("Only these and their &neighbours"), "&View/Ro&ws", "Ctrl+Shift+H",
       tr("Show only the rows of the selected processes and their neighbours")),
    _c("rows_all", tr("Show &all rows"), "&View/Ro&ws", "Alt+Shift+H", tr("Show the row of every process again")),
    _c("highlight", trc("next causal highlight", "&Next"), "&View/Ca&use and effect", "H",
       tr("Show in turn the causal past of the selected event, its causal future, both, and the longest chain")),
    _c("highlight_past", tr("Causa&l past"), "&View/Ca&use and effect", "",
       tr("Show the causal past of the selected event")),
    _c("highlight_future", tr("Causal &future"), "&View/Ca&use and effect", "",
       tr("Show the causal future of the selected event")),
    _c("highlight_both", trc("causal past and future", "&Both"), "&View/Ca&use and effect", "",
       tr("Show the causal past and the causal future of the selected event")),
    _c("highlight_longest", tr("Longest &chain so far"), "&View/Ca&use and effect", "",
       tr("Show or hide the longest causal chain so far")),
    _c("compare", tr("Co&mpare with the play head"), "&View/Ca&use and effect", "C",
       tr("Say whether the event at the play head precedes the selected one, follows it or is concurrent with it"),
       gap=True),
    _c("zoom_out", tr("Zoom o&ut"), "&View/&Zoom", "-", tr("Show more of the view that has the focus"), "minus"),
    _c("workspace_network", tr("&Draw the network"), "&View/&Go to", "Ctrl+Alt+2",
       tr("Draw the network of the experiment and set its timing"), "network"),
    _c("workspace_run", tr("Back to the &run"), "&View/&Go to", "Ctrl+Alt+1",
       tr("Watch the run with the network that you drew")),
    _c("workspace_next", tr("Ne&xt workspace"), "&View/&Go to", "Ctrl+Tab", tr("Go to the next workspace")),
    _c("network_new", tr("&New network"), "&Network", "Ctrl+Alt+N",
       tr("Start drawing on an empty board"), "new"),
    _c("network_open", tr("&Open a network…"), "&Network", "",
       tr("Open JSON, GraphML, GML, DOT, an edge list or a matrix"), "open"),
    _c("network_import", tr("Add a network &beside…"), "&Network", "",
       tr("Add a network from a file beside the drawing")),
    _c("network_save", tr("&Save the network…"), "&Network", "",
       tr("Save the network for other experiments"), "save", gap=True),
    _c("network_export", tr("&Export the network…"), "&Network", "",
       tr("Save the network for another program, or as a picture")),
    _c("arrange_spring", trc("arrangement of processes", "&Spring"), "&Network/Arran&ge", "",
       tr("Let links attract and processes repel each other, so that links have similar lengths")),
    _c("arrange_circle", trc("arrangement of processes", "&Circle"), "&Network/Arran&ge", "",
       tr("Arrange all processes on one circle, in the order of the table")),
    _c("arrange_layers", trc("arrangement of processes", "&Layers"), "&Network/Arran&ge", "",
       tr("Arrange the processes in rows, by their distance from the initiators")),
    _c("arrange_grid", trc("arrangement of processes", "&Grid"), "&Network/Arran&ge", "",
       tr("Arrange the processes in rows and columns, in the order of the table")),
    _c("arrange_radial", trc("arrangement of processes", "&Radial"), "&Network/Arran&ge", "",
       tr("Arrange the processes in rings, by their distance from the initiators")),
    _c("arrange_stress", trc("arrangement of processes", "S&tress"), "&Network/Arran&ge", "",
       tr("Make distances in the drawing proportional to distances in the network")),
    _c("align_left", tr("&Left edges"), "&Network/A&lign", "", tr("Align the selected processes at their left edges")),
    _c("align_centre", trc("align processes at", "&Centres"), "&Network/A&lign", "",
       tr("Align the selected processes in a column")),
    _c("align_right", tr("&Right edges"), "&Network/A&lign", "",
       tr("Align the selected processes at their right edges")),
    _c("align_top", tr("&Top edges"), "&Network/A&lign", "",
       tr("Align the selected processes at their top edges"), gap=True),
    _c("align_middle", trc("align processes at", "&Middles"), "&Network/A&lign", "",
       tr("Align the selected processes in a row")),
    _c("align_bottom", tr("&Bottom edges"), "&Network/A&lign", "",
       tr("Align the selected processes at their bottom edges")),
    _c("spread_across", trc("direction", "&Across"), "&Network/Spre&ad", "",
       tr("Space the selected processes evenly from left to right")),
    _c("spread_down", trc("direction", "&Down"), "&Network/Spre&ad", "",
       tr("Space the selected processes evenly from top to bottom")),
    _c("draw_all", tr("Select &all"), "&Network/Selec&tion", "",
       tr("Select all processes and links; Ctrl+A in the drawing")),
    _c("draw_like", tr("Select &like this"), "&Network/Selec&tion", "",
       tr("Select everything similar to the selection")),
    _c("draw_cut", tr("Cu&t"), "&Network/Selec&tion", "",
       tr("Copy the selected processes and delete them; Ctrl+X"), gap=True),
    _c("draw_copy", tr("&Copy"), "&Network/Selec&tion", "",
       tr("Copy the selected processes and the links between them; Ctrl+C")),
    _c("draw_paste", tr("&Paste"), "&Network/Selec&tion", "", tr("Paste the copied processes; Ctrl+V in the drawing")),
    _c("draw_duplicate", tr("D&uplicate"), "&Network/Selec&tion", "",
       tr("Add a copy of the selected processes; Ctrl+D")),
    _c("draw_delete", tr("&Delete"), "&Network/Selec&tion", "", tr("Delete the selected processes and links; Del")),
    _c("draw_fit", tr("Show the &whole drawing"), "&Network", "", tr("Zoom to the whole drawing; Ctrl+0")),
    _c("draw_fit_chosen", tr("&Fit selection"), "&Network", "", tr("Zoom to the selection; F")),
    _c("run", trc("command", "&Run"), "&Run", "F5", tr("Run the experiment and play it"), "play", where=EVERYWHERE),
    _c("run_live", tr("Run &live"), "&Run", "Ctrl+F5",
       tr("Run the experiment live from its start, so that you can interfere"), "bolt", where="run network protocol"),
    _c("mode_replay", trc("mode of a run", "Repl&ay"), "&Run", "",
       tr("Watch a finished run, moving freely in time"), "eye", checkable=True, group="mode", gap=True),
    _c("mode_live", trc("mode of a run", "L&ive"), "&Run", "Ctrl+Shift+F5",
       tr("Interfere from here on; the old continuation is kept as a branch"), "bolt", checkable=True, group="mode"),
    _c("stop", tr("&Stop the run"), "&Run", "Shift+F5", tr("Stop the simulator"), "stop", where=EVERYWHERE),
    _c("new_seed", tr("&New seed"), "&Run", "Ctrl+R",
       tr("Run the same experiment with another seed"), "dice", gap=True),
    _c("other_delays", tr("Other &delays"), "&Run", "Ctrl+Shift+D", tr("Run with another distribution of delays")),
    _c("other_network", tr("Another n&etwork"), "&Run", "Ctrl+Shift+N",
       tr("Run the protocol on the next network from the archive")),
    _c("other_chances", tr("With another see&d"), "&Run/Tr&y", "", tr("Run with another seed, and play it")),
    _c("try_ring", tr("On a &ring"), "&Run/Tr&y", "", tr("Run on a ring of the same number of processes, and play it")),
    _c("try_tree", tr("On a &tree"), "&Run/Tr&y", "", tr("Run on a tree of the same number of processes, and play it")),
    _c("try_denser", tr("On a de&nser network"), "&Run/Tr&y", "",
       tr("Run with twice the number of links, and play it")),
    _c("first_steps", tr("With first co&mmands"), "&Run/Tr&y", "",
       tr("Give each process a command, or start from an arbitrary configuration, if nothing happens otherwise")),
    _c("break_something", tr("With a cras&h"), "&Run/Tr&y", "",
       tr("Crash the selected process, or a busy one, in the middle of the run, and play it")),
    _c("without_faults", tr("&Without the faults"), "&Run/Tr&y", "",
       tr("Run with the same seed and without faults, and play it")),
    _c("ending", tr("&How it ended"), "&Run", "", tr("Show how the run ended and why, and what to try next"), "flag"),
    _c("sweep_begin", tr("S&weep of this experiment…"), "&Run/&Many runs", "Ctrl+Alt+S",
       tr("Give settings of the experiment several values, and run every combination"), "sliders",
       where="run network protocol"),
    _c("workspace_sweep", tr("&Go to the sweep"), "&View/&Go to", "Ctrl+Alt+4",
       tr("Show the varied settings, the progress of the runs and their results")),
    _c("sweep_vary", tr("&Vary something…"), "&Sweep", "",
       tr("Choose a setting of the experiment and give it values")),
    _c("sweep_new", tr("&New sweep"), "&Sweep", "", tr("Start with an empty form"), "new"),
    _c("sweep_open", tr("&Open a sweep…"), "&Sweep", "", tr("Open a sweep file"), "open"),
    _c("sweep_save", tr("&Save the sweep"), "&Sweep", "",
       tr("Save the contents of the form as a sweep file"), "save"),
    _c("sweep_save_as", tr("Save the sweep &as…"), "&Sweep", "",
       tr("Save the contents of the form in another file")),
    _c("sweep_start", trc("start the sweep", "S&tart"), "&Sweep", "",
       tr("Start all runs; F5 in the form"), "play", gap=True),
    _c("sweep_stop", tr("Sto&p and keep results"), "&Sweep", "",
       tr("Stop the sweep; Shift+F5 in the form"), "stop"),
    _c("sweep_resume", tr("R&esume"), "&Sweep", "", tr("Start the remaining runs")),
    _c("sweep_results", tr("Open res&ults…"), "&Sweep", "",
       tr("Open the folder of a finished or stopped sweep"), gap=True),
    _c("sweep_report", tr("Report of the resu&lts…"), "&Sweep", "",
       tr("Show figures, plots and the strangest runs on one page"), "book"),
    _c("workspace_assignment", tr("Ass&ignment"), "&View/&Go to", "Ctrl+Alt+8",
       tr("Show the assignment that is open")),
    _c("assignment_check", tr("&Check now"), "Assi&gnment", "",
       tr("Run all public checks; F5 in the assignment"), "play"),
    _c("assignment_compare", tr("Compare with the &skeleton"), "Assi&gnment", "",
       tr("Show how the file in front differs from the skeleton"), "compare"),
    _c("assignment_start_over", tr("Start &over from the skeleton"), "Assi&gnment", "",
       tr("Return the file in front to the skeleton; Undo brings your text back"), "undo"),
    _c("assignment_trial", tr("Check the &assignment"), "Assi&gnment", "",
       tr("Mark your solution, each planted mistake and the skeleton"), "checks", gap=True),
    _c("assignment_grade", tr("&Grade hand-ins…"), "Assi&gnment", "",
       tr("Mark the hand-ins of a class, and write grades and feedback"), "table"),
    _c("assignment_hand_in", tr("&Hand in…"), "Assi&gnment", "",
       tr("Write the file that you give to your lecturer"), "save", gap=True),
    _c("receive_earlier", tr("&Earlier"), "&Run/Recei&ve", "Alt+Shift+Left",
       tr("Move the selected receipt of a message before the previous event of its process; the rest runs again")),
    _c("receive_later", tr("&Later"), "&Run/Recei&ve", "Alt+Shift+Right",
       tr("Move the selected receipt of a message after the next event of its process; the rest runs again")),
    _c("run_programs", tr("Run programs…"), "&Run", "Ctrl+Alt+X",
       tr("Run your own program, in any language, as the processes of a network"), "play", gap=True, where="run"),
    _c("run_shorten", tr("Shor&ten this run"), "&Run", "Ctrl+Alt+M",
       tr("Find the shortest run that fails in the same way"), gap=True),
    _c("run_judge", tr("Judge by properties…"), "&Run", "",
       tr("Judge this run by properties in a file of your own, and show the first violation")),
    _c("run_find", tr("Find places…"), "&Run", "",
       tr("Find requests and replies, broadcasts, gathers, concurrent writes and the longest waits in this run")),
    _c("run_quiz", tr("&Quiz me on this run"), "&Run", "Ctrl+Alt+Q",
       tr("Answer questions about this run, with answers that are checked and explained"), "help"),
    _c("run_until", tr("Run &until…"), "&Run", "Ctrl+J", tr("Play or jump until a condition is met"), gap=True),
    _c("breakpoint", tr("&Break when…"), "&Run", "F9", tr("Stop whenever a condition is met")),
    _c("breakpoint_here", tr("Brea&kpoint at this time"), "&Run", "Shift+F9",
       tr("Add or remove a breakpoint at this time")),
    _c("breakpoints_all", tr("Breakpoints &on or off"), "&Run", "Ctrl+F9",
       tr("Switch all breakpoints off, or on again")),
    _c("play", tr("&Play or pause"), "P&layback", "Space", tr("Play or pause the run"), "play"),
    _c("step_back", tr("Step &back"), "P&layback", "Left", tr("Go back one event"), "step-back"),
    _c("step_forward", tr("Step &forward"), "P&layback", "Right", tr("Go forward one event"), "step-forward"),
    _c("process_back", tr("Pre&vious event of process"), "P&layback", "Shift+Left ,",
       tr("Go to the previous event of the selected process"), gap=True),
    _c("process_forward", tr("&Next event of process"), "P&layback", "Shift+Right .",
       tr("Go to the next event of the selected process")),
    _c("round_back", tr("Roun&d back"), "P&layback", "Ctrl+Left", tr("Go to the end of the previous round")),
    _c("round_forward", tr("R&ound forward"), "P&layback", "Ctrl+Right", tr("Go to the end of the round")),
    _c("unit_back", tr("Time &unit back"), "P&layback", "Ctrl+Shift+Left", tr("Go back one time unit")),
    _c("unit_forward", tr("T&ime unit forward"), "P&layback", "Ctrl+Shift+Right", tr("Go forward one time unit")),
    _c("to_start", tr("To the s&tart"), "P&layback", "Home",
       tr("Go to the moment before the first event"), "to-start", gap=True),
    _c("to_end", tr("To the &end"), "P&layback", "End", tr("Go to the last event"), "to-end"),
    _c("play_back", tr("Play bac&kwards"), "P&layback", "J",
       tr("Play backwards; press again to play faster"), gap=True),
    _c("pause", tr("P&ause"), "P&layback", "K", tr("Pause at the current moment")),
    _c("play_forward", tr("Play for&wards"), "P&layback", "L", tr("Play forwards; press again to play faster")),
    _c("loop", trc("command", "&Loop"), "P&layback", "Ctrl+L",
       tr("Start again when the end is reached"), "loop", checkable=True),
    _c("loop_from", tr("Start &here"), "P&layback/Loop se&ction", "I", tr("Start the loop at this moment")),
    _c("loop_to", tr("&End here"), "P&layback/Loop se&ction", "O", tr("End the loop at this moment")),
    _c("loop_all", tr("&Whole run"), "P&layback/Loop se&ction", "Ctrl+Shift+L", tr("Loop the whole run again")),
    _c("slower", tr("&Slower"), "P&layback", "[", tr("Play at half the speed"), gap=True),
    _c("faster", tr("Faste&r"), "P&layback", "]", tr("Play at twice the speed")),
    _c("type_speed", tr("Type anot&her speed…"), "P&layback", "Ctrl+Shift+Y", tr("Type the speed of playback")),
    _c("pace_events", tr("Pla&y by events"), "P&layback", "E",
       tr("Play a fixed number of events per second, however far apart they are"), checkable=True),
    _c("bookmark", tr("&Bookmark here"), "P&layback/&Marks", "B", tr("Add or remove a bookmark at this moment")),
    _c("bookmark_named", tr("Bookmark &with a name…"), "P&layback/&Marks", "Ctrl+B", tr("Add a bookmark and name it")),
    _c("mark_back", tr("&Previous mark"), "P&layback/&Marks", "PgUp",
       tr("Go to the previous bookmark, fault or violation")),
    _c("mark_forward", tr("&Next mark"), "P&layback/&Marks", "PgDown",
       tr("Go to the next bookmark, fault or violation")),
    _c("cause", tr("To the &cause"), "P&layback/&Jump", "Alt+PgUp", tr("Go to the event that caused the current one")),
    _c("effect", tr("To the &effect"), "P&layback/&Jump", "Alt+PgDown",
       tr("Go to the first effect of the current event")),
    _c("chain_back", tr("&Back along the longest chain"), "P&layback/&Jump", "Ctrl+PgUp",
       tr("Go to the previous event of the longest causal chain")),
    _c("chain_forward", tr("&Forward along the longest chain"), "P&layback/&Jump", "Ctrl+PgDown",
       tr("Go to the next event of the longest causal chain")),
    _c("go_to", tr("&Go to a moment…"), "P&layback/&Jump", "G", tr("Type a time, an event number or a bookmark")),
    _c("go_event", tr("&Go to the selected event"), "P&layback", "Return",
       tr("Move the play head to the selected event")),
    _c("whole_run", trc("along time", "&Whole run"), "P&layback/Time window", "0",
       tr("Show the whole run along time, or return to the events around the play head")),
    _c("window_earlier", tr("&Earlier events"), "P&layback/Time window", "Shift+PgUp", tr("Move the time window back")),
    _c("window_later", tr("&Later events"), "P&layback/Time window", "Shift+PgDown", tr("Move the time window on")),
    _c("guided_flight", tr("Guided flight"), "P&layback", "",
       tr("Fly through the run in the view World, from stop to stop of the guided flight"), "world"),
    _c("sound", trc("command", "&Sound"), "P&layback/Sound", "M",
       tr("Hear the events of the run, each from the place of its process"), "sound", checkable=True),
    _c("walk", tr("&Walk around the process"), "P&layback/Sound", "Shift+M",
       tr("Hear the selected process, its neighbours, its latest events and what is on its way to it, part by part")),
    _c("sound_settings", tr("S&ettings for sound…"), "P&layback/Sound", "",
       tr("Set the volume of sound, and try each sound"), gap=True),
    *LEARNING,
    _c("help", tr("&Help on this"), "&Help", "F1", tr("Open the guide's page on the part that has the focus"), "help"),
    _c("help_search", tr("Sea&rch the guide"), "&Help", "Ctrl+Shift+F1",
       tr("Find pages, sections and terms by words"), "find"),
    _c("whats_this", tr("&What's this?"), "&Help", "Shift+F1", tr("Click a part of the window to see what it is")),
    _c("help_index", trc("contents of the guide", "&Contents"), "&Help/&Pages", "", tr("The contents of the guide")),
    _c("help_first-steps", tr("&First steps"), "&Help/&Pages", "", tr("Ten minutes with ECHO"), gap=True),
    _c("help_drawing-networks", tr("&Drawing networks"), "&Help/&Pages", "",
       tr("A network of your own, with delays, in three minutes")),
    _c("help_own-protocols", tr("Your &own protocols"), "&Help/&Pages", "",
       tr("From New protocol to your own running protocol in fifteen minutes")),
    _c("help_protocol-words", tr("&Words of a protocol"), "&Help/&Pages", "",
       tr("Each word with an example to try; F1 in the code")),
    _c("help_guarded-actions", tr("&Guarded actions"), "&Help/&Pages", "",
       tr("Rules instead of messages, and their daemons")),
    _c("help_shared-memory", tr("Shared memory and programs"), "&Help/&Pages", "",
       tr("Shared registers, and code that waits")),
    _c("help_views", tr("The &views"), "&Help/&Pages", "", tr("What each view shows, and what you can do in it")),
    _c("help_playback", tr("&Playing"), "&Help/&Pages", "", tr("Play, step, loop, run until, breakpoints, bookmarks")),
    _c("help_listening", tr("Listening to a run"), "&Help/&Pages", "",
       tr("Sound, a walk around a process for the ear, and sound files")),
    _c("help_live-runs", tr("&Live runs"), "&Help/&Pages", "", tr("Interfere, choose events, go back, compare")),
    _c("help_assignments", tr("Assignments"), "&Help/&Pages", "",
       tr("Solve one, hand it in; write one, and grade a class")),
    _c("help_lessons", tr("Le&ssons"), "&Help/&Pages", "", tr("Predict, watch, compare; and how to write a lesson")),
    _c("help_ready-assignments", tr("Ready assignments"), "&Help/&Pages", "",
       tr("Ten assignments to hand out, with checks and solutions")),
    _c("help_playing-against", tr("Playing against an algorithm"), "&Help/&Pages", "",
       tr("Goals, hints and stars, proofs, and how to write a goal")),
    _c("help_classes", tr("Classes"), "&Help/&Pages", "",
       tr("Host a run for a class, join one, and lead its rounds")),
    _c("help_class-apples", tr("Class game: the play with apples"), "&Help/&Pages", "",
       tr("Break and repair a token ring")),
    _c("help_class-election", tr("Class game: election on a ring"), "&Help/&Pages", "",
       tr("Elect the highest number, and count what it costs")),
    _c("help_class-commit", tr("Class game: two-phase commit"), "&Help/&Pages", "",
       tr("Decide together, and be blocked")),
    _c("help_class-gossip", tr("Class game: tell two others"), "&Help/&Pages", "",
       tr("Spread a rumour, and predict how far it gets")),
    _c("help_class-generals", tr("Class game: Byzantine generals"), "&Help/&Pages", "",
       tr("Agree in spite of traitors")),
    _c("help_class-mutex", tr("Class game: one at a time"), "&Help/&Pages", "",
       tr("Share one resource by asking for permission")),
    _c("help_class-stabilise", tr("Class game: spoil and heal"), "&Help/&Pages", "",
       tr("Spoil a self-stabilising system, and see it heal")),
    _c("help_components", tr("Systems in components"), "&Help/&Pages", "",
       tr("One system on several computers, with replicas")),
    _c("help_fault-models", tr("Fa&ult models"), "&Help/&Pages", "",
       tr("Crashes, omissions, timing faults, partitions, and Byzantine processes")),
    _c("help_reading-traces", tr("&Reading traces"), "&Help/&Pages", "", tr("What happened and why, in words")),
    _c("help_programs", tr("Programs in any language"), "&Help/&Pages", "",
       tr("Run your own program as the processes of a network")),
    _c("help_real-systems", tr("Real systems"), "&Help/&Pages", "",
       tr("Judge, watch and search what a real system does")),
    _c("help_hand-ins", tr("&Hand-ins"), "&Help/&Pages", "", tr("A run as one page that plays in any browser")),
    _c("help_exports", tr("Pictures and &movies"), "&Help/&Pages", "",
       tr("Pictures, movies and files for other programs")),
    _c("help_many-runs", tr("Man&y runs"), "&Help/&Pages", "",
       tr("Thousands of runs at once, and the strangest of them")),
    _c("help_every-schedule", tr("&Every schedule"), "&Help/&Pages", "",
       tr("All orders of events of a small experiment, and the shortest one that goes wrong")),
    _c("help_python", tr("From Python"), "&Help/&Pages", "",
       tr("Scripts and notebooks: tables, pictures, pages that play, many runs")),
    _c("help_archive", tr("Arch&ive"), "&Help/&Pages", "", tr("Find a protocol, see it run, open it, copy it")),
    _c("help_animations", tr("&Animations"), "&Help/&Pages", "",
       tr("How to show a protocol's own values in a picture")),
    _c("help_why-runs-repeat", tr("Why a run can be repeated"), "&Help/&Pages", "",
       tr("Named random streams, and the fingerprint of a run"), gap=True),
    _c("help_what-a-schedule-is", tr("What a schedule is"), "&Help/&Pages", "",
       tr("What one run shows, what many show, and what a search of all schedules proves")),
    _c("help_why-concurrent", tr("Why concurrent is not simultaneous"), "&Help/&Pages", "",
       tr("The causal past of an event, and Lamport clocks")),
    _c("help_what-may-run", tr("What may ru&n on my computer"), "&Help/&Pages", "",
       tr("When other people's code runs, and its limits")),
    _c("help_experiment-files", tr("Experiment files"), "&Help/&Pages", "",
       tr("Each key of an experiment, and each kind of fault and intervention")),
    _c("help_languages", tr("Languages"), "&Help/&Pages", "",
       tr("The language of the window, and how to translate it")),
    _c("help_extending", tr("E&xtending LYDIAN"), "&Help/&Pages", "",
       tr("Packages that add distributions, kinds of network, formats, protocols")),
    _c("help_channel", tr("&The channel"), "&Help/&Pages", "",
       tr("How another program communicates with the simulator")),
    _c("help_command-line", tr("The command line"), "&Help/&Pages", "", tr("How to use LYDIAN without the window")),
    _c("help_the-course", tr("The course"), "&Help/&Pages", "",
       tr("Which chapters of six textbooks the archive covers")),
    _c("help_glossary", tr("Glossary of &key terms"), "&Help/&Pages", "",
       tr("What each term means, and its other names")),
    _c("view_help", tr("&Show the help"), "&Help", "Shift+F11",
       tr("Show or hide the guide"), "book", checkable=True, gap=True, where="run"),
    _c("keys", trc("keys of the keyboard", "&Keys"), "&Help", "? Ctrl+/", tr("Show all keys on one sheet"), "keys"),
    _c("double_click", tr("Open .lydian files by &double click"), "&Help", "",
       tr("Choose whether a double click opens hand-ins in LYDIAN")),
    _c("about", tr("&About LYDIAN"), "&Help", "Ctrl+F1", tr("Show the version and the licence"), "info"),
    *WRITING,
    *LIVE,
    *CLASS,
)  # fmt: skip


def commands() -> tuple[Command, ...]:
    """Return all commands in the order of the menus, including those of the available views."""
    return tuple(chain.from_iterable((each,) if isinstance(each, Command) else each() for each in _TABLE))


@cache
def where() -> Mapping[str, frozenset[str]]:
    """Return the workspaces in whose menus each command is, by its name."""
    return {command.name: command.workspaces for command in commands()}


def menu_title(path: str) -> str:
    """Return the title of a menu or submenu in the language of the window, with its accelerator."""
    return _TITLES[path]


def menu_titles(path: str) -> list[str]:
    """Return the titles of a submenu and of those that contain it, from the menu bar on, without accelerators."""
    parts = path.split("/")
    return [menu_title("/".join(parts[: count + 1])).replace("&", "") for count in range(len(parts))]


def key_text(command: Command) -> str:
    """Return the command's first key as written on this platform, or ""."""
    return QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""


def check_known(desk_commands: Commands) -> None:
    """Check that the table contains every command.

    Raises:
        KeyError: a command is missing.
    """
    known = {command.name for command in commands()}
    for name in desk_commands.names:
        if name not in known:
            raise KeyError(f"no command in the table is called {name!r}")


def build_actions(
    window: QMainWindow, desk_commands: Commands, without: Collection[str] = ()
) -> dict[str, CommandAction]:
    """Return an action, connected to its command, for each command of the table except those in ``without``."""
    actions: dict[str, CommandAction] = {}
    groups: dict[str, QActionGroup] = {}  # of mutually exclusive commands
    for command in commands():
        if command.name in without:
            continue
        action = CommandAction(command, desk_commands, window)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setCheckable(command.checkable)
        plain = command.text.replace("&", "").rstrip("…")
        key = key_text(command)
        action.setToolTip(f"{plain} ({key})" if key else plain)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setAutoRepeat(command.menu == "P&layback")
        action.triggered.connect(_caller(desk_commands, command))
        window.addAction(action)
        actions[command.name] = action
        if command.group:
            groups.setdefault(command.group, QActionGroup(window)).addAction(action)
    follow(window, desk_commands.changed, lambda name: actions[name].settle() if name in actions else None)
    follow(window, desk_commands.checked, lambda name, on: actions[name].setChecked(on) if name in actions else None)
    follow(window, desk_commands.called, lambda name, words: actions[name].setText(words) if name in actions else None)
    return actions


def _caller(commands: Commands, command: Command) -> Callable[[bool], None]:
    def call(checked: bool = False) -> None:
        commands.do(command.name, *([checked] if command.checkable else []))

    return call


def fill_menus(bar: QMenuBar, actions: Mapping[str, QAction]) -> dict[str, QMenu]:
    """Add the actions to a menu bar in the order of the table, and return the menus by their paths."""
    menus: dict[str, QMenu] = {}

    def menu_of(path: str) -> QMenu:
        if path not in menus:
            above = path.rpartition("/")[0]
            menus[path] = (menu_of(above) if above else bar).addMenu(menu_title(path))
        return menus[path]

    for path in MENUS:
        menu_of(path)
    for command in _present(actions):
        menu = menu_of(command.menu)
        if command.gap:
            menu.addSeparator()
        menu.addAction(actions[command.name])
        if command.name == "open":
            menus[RECENT] = menu.addMenu(menu_title(RECENT))
        if command.name == "assignment_open":
            menus[READY] = menu.addMenu(menu_title(READY))
        if command.name == "motion":
            menus[ON_PROCESSES] = menu.addMenu(menu_title(ON_PROCESSES))
    for entries in (bar.actions(), *(menu.actions() for menu in menus.values())):
        for action, text in zip(entries, distinct([action.text() for action in entries]), strict=True):
            if text != action.text():
                action.setText(text)
    return menus


def distinct(texts: Sequence[str]) -> list[str]:
    """Return the texts of a menu with accelerators that differ as far as possible, the first entry keeping its own.

    Translators see one text at a time, and packages add entries. A text whose letter is taken gets the first letter of
    one of its words, else any letter, else none.
    """
    taken: set[str] = set()
    found = []
    for text in texts:
        bare = re.sub(r"&(\w)", r"\1", text)
        wanted = [match.start() for match in re.finditer(r"&\w", text)]
        places = chain(wanted, (match.start() for match in re.finditer(r"\b\w", bare)), range(len(bare)))
        free = (at for at in places if bare[at].isalnum() and bare[at].lower() not in taken)
        at = next(free, None) if wanted else None
        taken |= {bare[at].lower()} if at is not None else set()
        found.append(text if not wanted else bare if at is None else f"{bare[:at]}&{bare[at:]}")
    return found


def paint_icons(actions: Mapping[str, QAction], theme: Theme) -> None:
    """Set the icons of the actions in the theme's colour."""
    for command in _present(actions):
        if command.icon:
            actions[command.name].setIcon(icon(command.icon, theme))
            actions[command.name].setIconVisibleInMenu(False)


def _present(actions: Mapping[str, QAction]) -> Iterator[Command]:
    return (command for command in commands() if command.name in actions)


#: Keys that a list, a drop-down or a slider uses itself while it has the focus.
KEPT = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
}
