"""The table of all commands: from it come the menus, the keys, the tool tips and the sheet of keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from itertools import chain

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from lydian.app.commands.command import Command
from lydian.app.commands.command import command as _c
from lydian.app.kit.follow import follow
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.desk.commands import Commands
from lydian.formats.traces import FORMATS
from lydian.model.interventions import TOOLS
from lydian.views.registry import views

__all__ = [
    "MENUS", "ON_PROCESSES", "RECENT", "Command", "build_actions", "check_known", "commands", "fill_menus", "key_text",
    "paint_icons",
]  # fmt: skip


class CommandAction(QAction):
    """The entry of a menu for a command; while something hinders it, its keys do nothing, and its tip is the reason."""

    def __init__(self, command: Command, commands: Commands, parent: QObject | None = None) -> None:
        super().__init__(command.text, parent)
        self.setObjectName(command.name)
        self._commands, self._able, self._tip = commands, True, command.help
        self.settle()

    def setEnabled(self, on: bool) -> None:
        """Let it be used, as far as nothing hinders it."""
        self._able = on
        self.settle()

    def setStatusTip(self, tip: str) -> None:
        """What it does; shown while nothing hinders it."""
        self._tip = tip
        self.settle()

    def settle(self) -> None:
        """Follow what hinders the command."""
        why = self._commands.why_not(self.objectName())
        super().setEnabled(self._able and not why)
        super().setStatusTip(why or self._tip)


def _faults() -> Iterator[Command]:
    """What uses each tool of an intervention on what is selected."""
    for tool in sorted(TOOLS.values(), key=lambda tool: tool.place):
        if tool.entry is not None:
            text, words = tool.entry or tool.title, tool.help or tool.title
            yield _c(f"fault_{tool.name}", text, "F&aults", tool.keys, words, tool.icon, gap=tool.gap)


LIVE: tuple[Command | Callable[[], Iterator[Command]], ...] = (
    _c("view_pending", "&What may happen next", "&View/L&ive", "Ctrl+T",
       "Show or hide the events that are enabled now, to choose one", "turns", checkable=True),
    _c("view_player", "&Your process", "&View/L&ive", "Ctrl+Shift+R",
       "Show or hide the process that you play", "hand", checkable=True),
    _c("view_branches", "&Branches", "&View/L&ive", "Ctrl+Shift+B",
       "Show or hide the tree of all runs that were made by going back", "branch", checkable=True),
    _c("view_compared", "&Compared run", "&View/L&ive", "",
       "Show or hide the run that is compared with the one that is shown", "compare", checkable=True),
    _c("compare_trace", "With a &trace…", "&Run/&Compare", "",
       "See the run of a trace file beside the one that is shown",
       "compare"),
    _c("compare_first", "&First difference", "&Run/&Compare", "Alt+Home",
       "Go to where the two runs part, in all views", gap=True),
    _c("compare_next", "&Next difference", "&Run/&Compare", "Ctrl+Alt+PgDown",
       "Go to where further processes begin to go otherwise"),
    _c("compare_previous", "&Previous difference", "&Run/&Compare", "Ctrl+Alt+PgUp",
       "Go back to the difference before"),
    _c("compare_swap", "&Swap", "&Run/&Compare", "", "Show the other run, and compare it with this one", gap=True),
    _c("compare_end", "&End the comparison", "&Run/&Compare", "", "Close the other run"),
    _c("choose_mode", "&I choose what happens next", "&Run/Play a &part", "Ctrl+Shift+A",
       "Choose every event: Space or Right lets the highlighted one happen, and time stands still until then",
       "turns", checkable=True),
    _c("choose_now", "The &highlighted event now", "&Run/Play a &part", "Ctrl+Return",
       "The event that is highlighted among those that may happen next happens now"),
    _c("choose_earliest", "The &earliest event", "&Run/Play a &part", "N",
       "The earliest of the events that may happen next happens, in its own time"),
    _c("choose_any", "A&ny event", "&Run/Play a &part", "Shift+N",
       "One of the events that may happen next happens now, chosen by chance"),
    _c("take_over", "&Take over the selected process", "&Run/Play a &part", "T",
       "Play the selected process: it handles nothing but what you choose", "hand", gap=True),
    _c("give_back", "&Give it back", "&Run/Play a &part", "Shift+T", "The simulator plays your process again"),
    _c("player_next", "Ne&xt process of yours", "&Run/Play a &part", "Ctrl+]",
       "The next of the processes that you play"),
    _c("player_previous", "&Previous process of yours", "&Run/Play a &part", "Ctrl+[",
       "The previous of the processes that you play"),
    _faults,
    _c("fault_links_up", "Restore &all links", "F&aults", "Shift+U", "Bring every link up that is cut", gap=True),
    _c("fault_recover_all", "Recover &everybody", "F&aults", "Shift+X", "Recover every process that has crashed"),
    _c("fault_release_all", "Let everybody &go on", "F&aults", "",
       "Give every process back that somebody has taken over"),
)  # fmt: skip


WRITING: tuple[Command, ...] = (
    _c("workspace_protocol", "&Write the protocol", "&Protocol", "Ctrl+Alt+3",
       "Write the protocol of the experiment, and run it", "code"),
    _c("protocol_new", "&New protocol…", "&Protocol", "Ctrl+Alt+P",
       "States, messages, timers and the table: a protocol that runs at once", "new", gap=True),
    _c("protocol_open", "&Open a protocol…", "&Protocol", "Ctrl+Alt+O", "Open a protocol file, or one of the library",
       "open"),
    _c("protocol_save", "&Save the protocol", "&Protocol", "", "Save what is typed; Ctrl+S beside the code", "save",
       gap=True),
    _c("protocol_save_as", "Save the protocol &as…", "&Protocol", "", "Save what is typed in another file"),
    _c("protocol_rename", "Rena&me…", "&Protocol", "", "Give the file of the protocol another name"),
    _c("protocol_watch_file", "Run when sa&ved elsewhere", "&Protocol", "",
       "Run the protocol whenever another editor saves it", checkable=True),
    _c("protocol_compare", "&Compare with the original", "&Protocol", "",
       "Show what you changed: in a copy of the library's, or since it was saved", gap=True),
    _c("protocol_problem", "Next &problem", "&Protocol", "F8", "To the next line with something wrong"),
    _c("protocol_open_cell", "Next open ce&ll", "&Protocol", "Shift+F8", "To a cell of the table that is still open"),
    _c("protocol_three", "Run on &three networks", "&Protocol", "Ctrl+Alt+W",
       "Run on a ring, a tree and a denser network at once", "branch", gap=True),
    _c("protocol_others", "Did other runs &break too?", "&Protocol", "Ctrl+Alt+B",
       "Run the experiment with twenty other seeds beside the window, and count what breaks", "dice"),
    _c("protocol_explore", "&Every schedule…", "&Protocol", "Ctrl+Alt+E",
       "Try all orders of events on a small network: a proof, or a shortest schedule that goes wrong", "turns"),
    _c("protocol_failure", "Where the run &failed", "&Protocol", "Ctrl+Alt+F",
       "The line, the moment and the way there, of the latest run that failed"),
    _c("protocol_keep", "&Keep the run as a test", "&Protocol", "Ctrl+Alt+K",
       "Write the latest run down: it must not fail, any more or ever", "flag"),
    _c("protocol_check", "R&un what was kept", "&Protocol", "Ctrl+Alt+R",
       "Run everything that was kept of the protocol",
       "checks"),
)  # fmt: skip


LEARNING: tuple[Command, ...] = (
    _c("lessons", "&Lessons…", "&Help", "Ctrl+Alt+6", "All lessons: predict, watch, compare", "book"),
    _c("lesson_next", "&Next step", "&Help/L&esson", "Ctrl+Shift+PgDown", "The next step of the lesson"),
    _c("lesson_back", "&Step before", "&Help/L&esson", "Ctrl+Shift+PgUp", "The step of the lesson before"),
    _c("lesson_copy", "&Copy my answers", "&Help/L&esson", "Ctrl+Alt+A",
       "All questions of the lesson and my answers as a text, for handing in", gap=True),
    _c("lesson_write", "&Write a lesson…", "&Help/L&esson", "",
       "A file of your own with a first lesson in it, and its preview beside the run", gap=True),
    _c("lesson", "Panel o&f the lesson", "&View", "Ctrl+Alt+7", "Show or hide the lesson", "book", checkable=True),
)  # fmt: skip


#: Submenus that fill themselves: the files opened last, the variables that can be shown on processes.
RECENT, ON_PROCESSES = "&File/Open &recent", "&View/Show on pro&cesses"
#: Menus from left to right, each with its own letter.
MENUS = ("&File", "&Edit", "&View", "&Network", "&Protocol", "&Run", "P&layback", "F&aults", "&Help")


def _shown() -> Iterator[Command]:
    """What shows and hides each view."""
    for view in views():
        words = f"Show or hide {view.shows}"
        yield _c(f"view_{view.name}", view.entry, "&View", view.keys, words, view.icon, checkable=True)


def _further() -> Iterator[Command]:
    """What opens one more view of each kind."""
    for view in views():
        words = view.another or f"One more view of {view.shows}"
        yield _c(f"new_view_{view.name}", view.entry, "&View/New &view", "", words, view.icon)


def _exports(animated: bool) -> Iterator[Command]:
    """What saves the run in each format of traces, animated or not."""
    menu = "&File/E&xport" if animated else "&File/E&xport/&Trace as"
    for each in FORMATS.values():
        if each.animated == animated:
            yield _c(f"export_{each.name}", f"&{each.title}…", menu, "", each.about)


_TABLE: tuple[Command | Callable[[], Iterator[Command]], ...] = (
    _c("new", "&New", "&File", "Ctrl+N", "Show what one can begin with", "new"),
    _c("begin_watch", "&Watch the example", "&File/Start &with", "", "Play ECHO on twelve processes from the start"),
    _c("begin_break", "&Break a process", "&File/Start &with", "", "Play a run in which a process crashes"),
    _c("begin_vary", "&Vary the network", "&File/Start &with", "", "Run this protocol on a ring, and play it"),
    _c("begin_write", "W&rite a protocol…", "&File/Start &with", "",
       "States, messages and a table on one page, and it runs"),
    _c("open", "&Open…", "&File", "Ctrl+O", "Open an experiment, a network, a trace or a protocol", "open"),
    _c("import_log", "&Import log…", "&File", "Ctrl+Shift+I",
       "Open the log of a real system, after a look at what is understood of it", "trace"),
    _c("save", "&Save", "&File", "Ctrl+S", "Save the experiment", "save", gap=True),
    _c("save_as", "Save &as…", "&File", "Ctrl+Shift+S", "Save the experiment under another name"),
    _c("save_trace", "Save &trace…", "&File", "Ctrl+Shift+T", "Save the run that is shown as a trace"),
    _c("hand_in", "Han&d in…", "&File", "",
       "Save the experiment, its protocol, its network and the run that is shown as one file"),
    _c("picture", "Save &picture of a view…", "&File", "Ctrl+Shift+E",
       "Save the view under focus as PNG, SVG or PDF", "picture"),
    _c("pictures", "Save picture of all &views…", "&File", "",
       "Save all views that are shown as one picture: PNG, SVG or PDF"),
    partial(_exports, True),
    _c("export_movie", "&Movie…", "&File/E&xport", "Ctrl+Shift+V",
       "Choose views, times, speed and size of a movie, and save it as MP4 or GIF"),
    partial(_exports, False),
    _c("workspace_archive", "Arc&hive", "&File", "Ctrl+Alt+5",
       "All protocols by families: look for one, see it run, open it, copy it", "book", gap=True),
    _c("archive_search", "&Look for a protocol…", "&File", "Ctrl+Shift+F", "The archive, ready for words to look for",
       "find"),
    _c("quit", "&Quit", "&File", "Ctrl+Q", "Close LYDIAN", gap=True),
    _c("undo", "&Undo", "&Edit", "Ctrl+Z", "Take back the last change of the experiment", "undo"),
    _c("redo", "&Redo", "&Edit", "Ctrl+Shift+Z Ctrl+Y", "Do again what was taken back", "redo"),
    _c("copy_picture", "Copy pi&cture", "&Edit", "Ctrl+Alt+C", "Copy the view under focus as a picture", gap=True),
    _c("copy_svg", "Copy as S&VG", "&Edit", "Ctrl+Alt+V", "Copy the view under focus as lines and letters"),
    _c("clear_selection", "C&lear selection", "&Edit", "Esc", "Let go of everything that is selected", gap=True),
    _c("find", "&Find events…", "&Edit", "Ctrl+F", "Write a filter above the text trace", gap=True),
    _c("find_next", "Find &next", "&Edit", "F3", "The next event that the filter means"),
    _c("find_previous", "Find &previous", "&Edit", "Shift+F3", "The event before that the filter means"),
    _c("palette", "Find an&ything…", "&Edit", "Ctrl+K Ctrl+Shift+P",
       "Find a process, an event, a variable, a command or a page of the guide by a few letters", "find"),
    _c("menu", "&Menu of the selection", "&Edit", "Menu Shift+F10", "What can be done with what is selected", gap=True),
    _c("change_keys", "&Keys…", "&Edit/Preference&s", "", "Look keys up and change them", "keys"),
    _c("bounds", "&Limits for protocols…", "&Edit/Preference&s", "",
       "How long an action of a protocol may take, and how much memory a run"),
    _shown,
    _c("view_trace", "&Text trace", "&View", "Ctrl+7", "Show or hide the events as text", "trace", checkable=True),
    _c("view_experiment", "&Experiment", "&View", "Ctrl+6",
       "Show or hide the parts of the experiment", "flag", checkable=True, gap=True),
    _c("view_bookmarks", "&Bookmarks", "&View", "Ctrl+9",
       "Show or hide bookmarks, faults and breakpoints", "flag", checkable=True),
    _c("view_checks", "C&hecks", "&View", "Ctrl+Shift+C", "Show or hide what is checked", "checks", checkable=True),
    _c("layout_watch", "&Watch", "&View/&Layout", "Alt+1",
       "The network alone, large", "eye", checkable=True, group="layout"),
    _c("layout_study", "&Study", "&View/&Layout", "Alt+2",
       "All five views and the experiment", "layout", checkable=True, group="layout"),
    _c("layout_debug", "&Debug", "&View/&Layout", "Alt+3",
       "The network, one process and the text trace", "step-forward", checkable=True, group="layout"),
    _c("layout_reset", "&Reset layout", "&View", "Alt+0", "Put every view of the layout back where it belongs"),
    _c("maximise", "Maximi&se", "&View", "Ctrl+Shift+M F10",
       "Give the view under focus all the room, or put it back as it was", "maximise", checkable=True, gap=True),
    _further,
    _c("new_view_trace", "&Text trace", "&View/New &view", "", "One more text trace, with a filter of its own",
       "trace"),
    _c("theme_system", "S&ystem", "&View/The&me", "", "Light or dark as the desktop is", checkable=True, group="theme"),
    _c("theme_light", "&Light", "&View/The&me", "", "Dark on light", "sun", checkable=True, group="theme"),
    _c("theme_dark", "&Dark", "&View/The&me", "", "Light on dark", "moon", checkable=True, group="theme"),
    _c("theme_contrast", "&High contrast", "&View/The&me", "", "Light on black, with strong lines",
       checkable=True, group="theme"),
    _c("text_larger", "&Larger", "&View/Te&xt size", "Ctrl++ Ctrl+=", "Larger text in the whole program"),
    _c("text_smaller", "&Smaller", "&View/Te&xt size", "Ctrl+-", "Smaller text in the whole program"),
    _c("text_usual", "&Usual size", "&View/Te&xt size", "Ctrl+Alt+0", "Text as large as in the beginning"),
    _c("see_all", "&All colours", "&View/Seen b&y", "", "Show the views in all colours", checkable=True, group="see"),
    _c("see_protanopia", "&Protanopia (no red)", "&View/Seen b&y", "",
       "Show the views as eyes without the sense of red see them", checkable=True, group="see"),
    _c("see_deuteranopia", "&Deuteranopia (no green)", "&View/Seen b&y", "",
       "Show the views as eyes without the sense of green see them", checkable=True, group="see"),
    _c("see_tritanopia", "&Tritanopia (no blue)", "&View/Seen b&y", "",
       "Show the views as eyes without the sense of blue see them", checkable=True, group="see"),
    _c("see_grey", "&Grey", "&View/Seen b&y", "", "Show the views as a printer without colours does",
       checkable=True, group="see"),
    _c("next_pane", "Next pa&ne", "&View/&Go to", "F6", "To the next part of the window"),
    _c("previous_pane", "&Previous pane", "&View/&Go to", "Shift+F6", "To the part of the window before"),
    _c("projector", "Pro&jector", "&View", "F11",
       "Large type and lines for a room, or back", "projector", checkable=True),
    _c("motion", "Steps gli&de", "&View", "", "Let a step travel, or jump at once", checkable=True),
    _c("fit", "&Fit selection", "&View/&Zoom", "F", "Show the selection as large as fits", "fit", gap=True),
    _c("fit_all", "Show e&verything", "&View/&Zoom", "Ctrl+0", "Show everything"),
    _c("zoom_in", "Zoom &in", "&View/&Zoom", "+ =", "Enlarge the view under focus", "plus"),
    _c("row_up", "Move &up", "&View/Ro&ws", "Ctrl+Shift+Up", "Move the row of the selected process up"),
    _c("row_down", "Move &down", "&View/Ro&ws", "Ctrl+Shift+Down", "Move the row of the selected process down"),
    _c("rows_reset", "&Reset order", "&View/Ro&ws", "", "Put the rows back into their order"),
    _c("rows_hide", "&Hide the selected", "&View/Ro&ws", "Ctrl+H",
       "Take the rows of the selected processes away; dashed arrows show what goes through them", gap=True),
    _c("rows_near", "Only these and their &neighbours", "&View/Ro&ws", "Ctrl+Shift+H",
       "Show the rows of the selected processes and their neighbours alone"),
    _c("rows_all", "Show &all", "&View/Ro&ws", "Alt+Shift+H", "Give every process its row again"),
    _c("highlight", "&Next", "&View/Ca&use and effect", "H",
       "Show what led to the selected event, what came of it, both, or the longest chain, in turn"),
    _c("highlight_past", "What &led to it", "&View/Ca&use and effect", "", "Show what led to the selected event"),
    _c("highlight_future", "What came &of it", "&View/Ca&use and effect", "", "Show what came of the selected event"),
    _c("highlight_both", "&Both", "&View/Ca&use and effect", "", "Show what led to the selected event and came of it"),
    _c("highlight_longest", "Longest &chain so far", "&View/Ca&use and effect", "",
       "Show the longest chain so far, or no longer"),
    _c("compare", "Co&mpare with the play head", "&View/Ca&use and effect", "C",
       "Say how the event at the play head stands to the selected one: before, after or neither", gap=True),
    _c("zoom_out", "Zoom o&ut", "&View/&Zoom", "-", "Show more of the view under focus", "minus"),
    _c("workspace_network", "&Draw the network", "&Network", "Ctrl+Alt+2",
       "Draw the network of the experiment and set its timing", "network"),
    _c("workspace_run", "Back to the &run", "&Network", "Ctrl+Alt+1", "Watch the run; what was drawn is taken over"),
    _c("workspace_next", "Ne&xt workspace", "&Network", "Ctrl+Tab", "From the run to the drawing and back"),
    _c("network_new", "&New network", "&Network", "Ctrl+Alt+N", "Begin to draw on an empty board", "new", gap=True),
    _c("network_open", "&Open a network…", "&Network", "", "Open JSON, GraphML, GML, DOT, an edge list or a matrix",
       "open"),
    _c("network_import", "&Put a network beside…", "&Network", "", "Put the network of a file beside what is drawn"),
    _c("network_save", "&Save the network…", "&Network", "", "Save the network for other experiments", "save",
       gap=True),
    _c("network_export", "&Export the network…", "&Network", "",
       "Write the network for another program, or as a picture"),
    _c("arrange_spring", "&Spring", "&Network/Arran&ge", "", "Links pull, processes push: links of even length"),
    _c("arrange_circle", "&Circle", "&Network/Arran&ge", "", "Put all on one circle, in the order of the table"),
    _c("arrange_layers", "&Layers", "&Network/Arran&ge", "", "Put rows, by the distance from who starts"),
    _c("arrange_grid", "&Grid", "&Network/Arran&ge", "", "Put rows and columns, in the order of the table"),
    _c("arrange_radial", "&Radial", "&Network/Arran&ge", "", "Put rings, by the distance from who starts"),
    _c("arrange_stress", "S&tress", "&Network/Arran&ge", "", "Make distances in the drawing like distances in links"),
    _c("align_left", "&Left edges", "&Network/A&lign", "", "Put the chosen processes below each other, at the left"),
    _c("align_centre", "&Centres", "&Network/A&lign", "", "Put the chosen processes below each other, in the middle"),
    _c("align_right", "&Right edges", "&Network/A&lign", "", "Put the chosen processes below each other, at the right"),
    _c("align_top", "&Top edges", "&Network/A&lign", "", "Put the chosen processes side by side, at the top", gap=True),
    _c("align_middle", "&Middles", "&Network/A&lign", "", "Put the chosen processes side by side, in the middle"),
    _c("align_bottom", "&Bottom edges", "&Network/A&lign", "", "Put the chosen processes side by side, at the bottom"),
    _c("spread_across", "&Across", "&Network/Spre&ad", "", "Give the chosen processes equal gaps from left to right"),
    _c("spread_down", "&Down", "&Network/Spre&ad", "", "Give the chosen processes equal gaps from top to bottom"),
    _c("draw_all", "Select &all", "&Network/Selec&tion", "", "Choose all processes and links; on the drawing: Ctrl+A"),
    _c("draw_like", "Select &like this", "&Network/Selec&tion", "", "Choose everything that is like what is chosen"),
    _c("draw_cut", "Cu&t", "&Network/Selec&tion", "", "Copy the chosen processes, and delete them; Ctrl+X", gap=True),
    _c("draw_copy", "&Copy", "&Network/Selec&tion", "", "Copy the chosen processes with the links among them; Ctrl+C"),
    _c("draw_paste", "&Paste", "&Network/Selec&tion", "", "Put in what was copied; on the drawing: Ctrl+V"),
    _c("draw_duplicate", "D&uplicate", "&Network/Selec&tion", "", "Put a copy beside the chosen processes; Ctrl+D"),
    _c("draw_delete", "&Delete", "&Network/Selec&tion", "", "Delete the chosen processes and links; Del"),
    _c("draw_fit", "Show the &whole drawing", "&Network", "", "Show the whole drawing as large as fits; Ctrl+0"),
    _c("draw_fit_chosen", "&Fit what is chosen", "&Network", "", "Show what is chosen as large as fits; F"),
    _c("run", "&Run", "&Run", "F5", "Run the experiment and play it", "play"),
    _c("run_live", "Run &live", "&Run", "Ctrl+F5",
       "Run the experiment live from its start: time goes on, and one can interfere", "bolt"),
    _c("mode_replay", "Repl&ay", "&Run", "", "Watch a finished run: time is free", "eye", checkable=True, group="mode",
       gap=True),
    _c("mode_live", "L&ive", "&Run", "Ctrl+Shift+F5",
       "Interfere from here on: the future is open, and the old one is kept as a branch", "bolt", checkable=True,
       group="mode"),
    _c("stop", "&Stop the run", "&Run", "Shift+F5", "Stop the simulator", "stop"),
    _c("new_seed", "&New seed", "&Run", "Ctrl+R", "Run the same experiment with other chances", "dice", gap=True),
    _c("other_delays", "Other &delays", "&Run", "Ctrl+Shift+D", "Run with another law of delays"),
    _c("other_network", "Another n&etwork", "&Run", "Ctrl+Shift+N",
       "Run the protocol on the next network of the archive"),
    _c("other_chances", "With other &chances", "&Run/Tr&y", "", "Run with another seed, and play it"),
    _c("try_ring", "On a &ring", "&Run/Tr&y", "", "Run with as many processes on a ring, and play it"),
    _c("try_tree", "On a &tree", "&Run/Tr&y", "", "Run with as many processes on a tree, and play it"),
    _c("try_denser", "On a &denser network", "&Run/Tr&y", "", "Run with twice as many links, and play it"),
    _c("first_steps", "With first co&mmands", "&Run/Tr&y", "",
       "Give the user of every process a first command, or start guarded actions in any configuration, and play it"),
    _c("break_something", "With a cras&h", "&Run/Tr&y", "",
       "Crash the selected process, or a busy one, in the middle of the run, and play it"),
    _c("sweep_begin", "S&weep of this experiment…", "&Run/&Many runs", "Ctrl+Alt+S",
       "Give fields of the experiment several values, and run every combination", "sliders"),
    _c("workspace_sweep", "&Go to the sweep", "&Run/&Many runs", "Ctrl+Alt+4",
       "What varies, how the runs go, and what came out of them"),
    _c("sweep_vary", "&Vary something…", "&Run/&Many runs", "", "Choose a field of the experiment, and give it values",
       gap=True),
    _c("sweep_new", "&New sweep", "&Run/&Many runs", "", "Begin with an empty form", "new"),
    _c("sweep_open", "&Open a sweep…", "&Run/&Many runs", "", "Open the file of a sweep", "open"),
    _c("sweep_save", "&Save the sweep", "&Run/&Many runs", "", "Save what the form says as a file of a sweep", "save"),
    _c("sweep_save_as", "Save the sweep &as…", "&Run/&Many runs", "", "Save what the form says in another file"),
    _c("sweep_start", "S&tart", "&Run/&Many runs", "", "Make all runs; F5 beside the form", "play", gap=True),
    _c("sweep_stop", "Sto&p, keep what is done", "&Run/&Many runs", "", "Stop the sweep that runs; Shift+F5 beside it",
       "stop"),
    _c("sweep_resume", "Go on with th&e rest", "&Run/&Many runs", "", "Make the runs that are missing"),
    _c("sweep_results", "Open res&ults…", "&Run/&Many runs", "", "Open a folder that a sweep has filled", gap=True),
    _c("sweep_report", "Report of the resu&lts…", "&Run/&Many runs", "",
       "Figures, plots and strangest runs as one page", "book"),
    _c("run_until", "Run &until…", "&Run", "Ctrl+J", "Play or jump to where something happens", gap=True),
    _c("breakpoint", "&Break when…", "&Run", "F9", "Stop whenever something happens"),
    _c("breakpoint_here", "Breakpoint at this &time", "&Run", "Shift+F9", "Stop at this time, or no longer"),
    _c("breakpoints_all", "Breakpoints &on or off", "&Run", "Ctrl+F9", "Switch all breakpoints off, or on again"),
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
    _c("type_speed", "Type anot&her speed…", "P&layback", "Ctrl+Shift+Y", "Type how fast to play"),
    _c("pace_events", "Pla&y by events", "P&layback", "E",
       "So many events a second, however long nothing happens", checkable=True),
    _c("bookmark", "&Bookmark here", "P&layback/&Marks", "B", "Set a bookmark at this moment, or take it away"),
    _c("bookmark_named", "Bookmark &with a name…", "P&layback/&Marks", "Ctrl+B", "Set a bookmark and say its name"),
    _c("mark_back", "&Previous mark", "P&layback/&Marks", "PgUp", "The bookmark, fault or violation before"),
    _c("mark_forward", "&Next mark", "P&layback/&Marks", "PgDown", "The next bookmark, fault or violation"),
    _c("cause", "To its &cause", "P&layback/&Jump", "Alt+PgUp", "What made the current event happen"),
    _c("effect", "To its &effect", "P&layback/&Jump", "Alt+PgDown", "What came first of the current event"),
    _c("chain_back", "&Back along the longest chain", "P&layback/&Jump", "Ctrl+PgUp",
       "The event before on the longest chain of causes"),
    _c("chain_forward", "&On along the longest chain", "P&layback/&Jump", "Ctrl+PgDown",
       "The next event on the longest chain of causes"),
    _c("go_to", "&Go to a moment…", "P&layback/&Jump", "G", "Type a time, an event number or a bookmark"),
    _c("go_event", "&Go to the selected event", "P&layback", "Return", "Move the play head to the selected event"),
    *LEARNING,
    _c("help", "&Help on this", "&Help", "F1", "What the guide says of the part under focus", "help"),
    _c("whats_this", "&What's this?", "&Help", "Shift+F1", "Click a part of the window to hear what it is"),
    _c("help_index", "&Contents", "&Help/&Pages", "", "What the guide has"),
    _c("help_first-steps", "&First steps", "&Help/&Pages", "", "Ten minutes with ECHO", gap=True),
    _c("help_drawing-networks", "&Drawing networks", "&Help/&Pages", "",
       "A network of your own, with delays, in three minutes"),
    _c("help_own-protocols", "&Own protocols", "&Help/&Pages", "",
       "From New protocol to your own running protocol in fifteen minutes"),
    _c("help_protocol-words", "&Words of a protocol", "&Help/&Pages", "",
       "Each word with an example to try; F1 in the code"),
    _c("help_guarded-actions", "&Guarded actions", "&Help/&Pages", "", "Rules instead of messages, and their daemons"),
    _c("help_views", "The &views", "&Help/&Pages", "", "What one looks at in every view, and what to do in it"),
    _c("help_playback", "&Playing", "&Help/&Pages", "", "Play, step, loop, run until, breakpoints, bookmarks"),
    _c("help_live-runs", "&Live runs", "&Help/&Pages", "", "Interfere, choose what happens, go back, compare"),
    _c("help_lessons", "Le&ssons", "&Help/&Pages", "", "Predict, watch, compare; and how to write a lesson"),
    _c("help_fault-models", "Fa&ult models", "&Help/&Pages", "",
       "Crash, omission, timing, partition, and processes that lie"),
    _c("help_reading-traces", "&Reading traces", "&Help/&Pages", "", "What happened and why, in words"),
    _c("help_hand-ins", "&Hand-ins", "&Help/&Pages", "", "A run as one page that plays in any browser"),
    _c("help_exports", "Pictures and &movies", "&Help/&Pages", "", "What can leave LYDIAN"),
    _c("help_many-runs", "Man&y runs", "&Help/&Pages", "", "Thousands of runs at once, and the strangest of them"),
    _c("help_every-schedule", "&Every schedule", "&Help/&Pages", "",
       "All orders of events of a small experiment, and the shortest one that goes wrong"),
    _c("help_archive", "Arch&ive", "&Help/&Pages", "", "Look for a protocol, see it run, open it, copy it"),
    _c("help_animations", "&Animations", "&Help/&Pages", "", "How a protocol gets a picture of its own"),
    _c("help_why-runs-repeat", "Why a run can be repeated", "&Help/&Pages", "",
       "Random streams with names, and the fingerprint of a run", gap=True),
    _c("help_what-a-schedule-is", "What a schedule is", "&Help/&Pages", "",
       "What one run shows, what many show, and what a search of all schedules proves"),
    _c("help_why-concurrent", "Why concurrent is not simultaneous", "&Help/&Pages", "",
       "The causal past of an event, and Lamport clocks"),
    _c("help_what-may-run", "What may ru&n on my computer", "&Help/&Pages", "",
       "When code of others runs, and its bounds"),
    _c("help_experiment-files", "Experiment files", "&Help/&Pages", "",
       "Each key of an experiment, and each kind of fault and intervention"),
    _c("help_extending", "E&xtending LYDIAN", "&Help/&Pages", "",
       "Packages that add distributions, kinds of network, formats, protocols"),
    _c("help_channel", "&The channel", "&Help/&Pages", "", "How another program talks to the simulator"),
    _c("help_command-line", "The command line", "&Help/&Pages", "", "What can be done without the window"),
    _c("help_glossary", "Glossary of &key terms", "&Help/&Pages", "", "What each term means, and its other names"),
    _c("view_help", "&Show the help", "&Help", "Shift+F11", "Show or hide the guide", "book", checkable=True, gap=True),
    _c("keys", "&Keys", "&Help", "? Ctrl+/", "All keys on one sheet", "keys"),
    _c("double_click", "Open .lydian files by &double click", "&Help", "",
       "Let a double click open hand-ins with LYDIAN, or no longer"),
    _c("about", "&About LYDIAN", "&Help", "Ctrl+F1", "Version and licence", "info"),
    *WRITING,
    *LIVE,
)  # fmt: skip


def commands() -> tuple[Command, ...]:
    """All commands in the order of the menus, those of the views that there are now among them."""
    return tuple(chain.from_iterable((each,) if isinstance(each, Command) else each() for each in _TABLE))


def key_text(command: Command) -> str:
    """Its first key as it is written on this platform, or nothing."""
    return QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""


def check_known(desk_commands: Commands) -> None:
    """Make sure that the table has every command.

    Raises:
        KeyError: it lacks one.
    """
    known = {command.name for command in commands()}
    for name in desk_commands.names:
        if name not in known:
            raise KeyError(f"no command is called {name!r}")


def build_actions(
    window: QMainWindow, desk_commands: Commands, without: Collection[str] = ()
) -> dict[str, CommandAction]:
    """An action for every command of the table but some, which follows the command and does it."""
    actions: dict[str, CommandAction] = {}
    groups: dict[str, QActionGroup] = {}  # of those that exclude each other
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
        if command.name == "open":
            menus[RECENT] = menu.addMenu("Open &recent")
        if command.name == "motion":
            menus[ON_PROCESSES] = menu.addMenu("Show on pro&cesses")
    return menus


def paint_icons(actions: Mapping[str, QAction], theme: Theme) -> None:
    """Give the actions their icons in the theme's colour."""
    for command in _present(actions):
        if command.icon:
            actions[command.name].setIcon(icon(command.icon, theme))
            actions[command.name].setIconVisibleInMenu(False)


def _present(actions: Mapping[str, QAction]) -> Iterator[Command]:
    return (command for command in commands() if command.name in actions)


#: Keys that a list, a drop-down or a slider under focus keeps for itself.
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
