"""The table of all commands, from which the menus, keys, tooltips and the sheet of keys are made."""

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
    """The menu entry of a command. While the command is unavailable, its keys do nothing and its tip is the reason."""

    def __init__(self, command: Command, commands: Commands, parent: QObject | None = None) -> None:
        super().__init__(command.text, parent)
        self.setObjectName(command.name)
        self._commands, self._able, self._tip = commands, True, command.help
        self.settle()

    def setEnabled(self, on: bool) -> None:
        """Enable or disable the entry; an unavailable command stays disabled."""
        self._able = on
        self.settle()

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


LIVE: tuple[Command | Callable[[], Iterator[Command]], ...] = (
    _c("view_pending", "&What may happen next", "&View/L&ive", "Ctrl+T",
       "Show or hide the list of enabled events, from which you choose one", "turns", checkable=True),
    _c("view_player", "&Your process", "&View/L&ive", "Ctrl+Shift+R",
       "Show or hide the process that you play", "hand", checkable=True),
    _c("view_branches", "&Branches", "&View/L&ive", "Ctrl+Shift+B",
       "Show or hide the tree of all runs that branch off from earlier moments", "branch", checkable=True),
    _c("view_compared", "&Compared run", "&View/L&ive", "",
       "Show or hide the run that is compared with the current one", "compare", checkable=True),
    _c("compare_trace", "With a &trace…", "&Run/&Compare", "",
       "Show the run of a trace file beside the current run",
       "compare"),
    _c("compare_first", "&First difference", "&Run/&Compare", "Alt+Home",
       "Go to the moment at which the two runs diverge, in all views", gap=True),
    _c("compare_next", "&Next difference", "&Run/&Compare", "Ctrl+Alt+PgDown",
       "Go to the next moment at which more processes diverge"),
    _c("compare_previous", "&Previous difference", "&Run/&Compare", "Ctrl+Alt+PgUp",
       "Go back to the previous difference"),
    _c("compare_swap", "&Swap", "&Run/&Compare", "", "Show the other run and compare this one with it", gap=True),
    _c("compare_end", "&End comparison", "&Run/&Compare", "", "Close the other run"),
    _c("choose_mode", "&I choose what happens next", "&Run/Play a &part", "Ctrl+Shift+A",
       "Choose every event: time stops until Space or Right lets the highlighted event happen",
       "turns", checkable=True),
    _c("choose_now", "&Highlighted event now", "&Run/Play a &part", "Ctrl+Return",
       "Let the highlighted event among the enabled ones happen now"),
    _c("choose_earliest", "&Earliest event", "&Run/Play a &part", "N",
       "Let the earliest of the enabled events happen, at its own time"),
    _c("choose_any", "Ra&ndom event", "&Run/Play a &part", "Shift+N",
       "Let one of the enabled events, chosen at random, happen now"),
    _c("take_over", "&Take over the selected process", "&Run/Play a &part", "T",
       "Play the selected process: it handles only the events that you choose", "hand", gap=True),
    _c("give_back", "&Release your process", "&Run/Play a &part", "Shift+T",
       "Let the simulator play your process again"),
    _c("player_next", "Your ne&xt process", "&Run/Play a &part", "Ctrl+]",
       "Go to the next of the processes that you play"),
    _c("player_previous", "Your &previous process", "&Run/Play a &part", "Ctrl+[",
       "Go to the previous of the processes that you play"),
    _faults,
    _c("fault_links_up", "Restore &all links", "F&aults", "Shift+U", "Restore every link that has been cut", gap=True),
    _c("fault_recover_all", "R&ecover all processes", "F&aults", "Shift+X", "Recover every process that has crashed"),
    _c("fault_release_all", "Release all pr&ocesses", "F&aults", "",
       "Release every process that has been taken over"),
)  # fmt: skip


WRITING: tuple[Command, ...] = (
    _c("workspace_protocol", "&Write the protocol", "&Protocol", "Ctrl+Alt+3",
       "Write the protocol of the experiment, and run it", "code"),
    _c("protocol_new", "&New protocol…", "&Protocol", "Ctrl+Alt+P",
       "Define states, messages, timers and a table: a protocol that runs straight away", "new", gap=True),
    _c("protocol_open", "&Open a protocol…", "&Protocol", "Ctrl+Alt+O", "Open a protocol file, or one from the library",
       "open"),
    _c("protocol_save", "&Save the protocol", "&Protocol", "", "Save the text of the protocol; Ctrl+S in the code",
       "save", gap=True),
    _c("protocol_save_as", "Save the protocol &as…", "&Protocol", "", "Save the text of the protocol in another file"),
    _c("protocol_rename", "Rena&me…", "&Protocol", "", "Rename the file of the protocol"),
    _c("protocol_watch_file", "Run when sa&ved elsewhere", "&Protocol", "",
       "Run the protocol whenever another editor saves it", checkable=True),
    _c("protocol_compare", "&Compare with the original", "&Protocol", "",
       "Show your changes to a protocol of the library, or since the last save", gap=True),
    _c("protocol_problem", "Next &problem", "&Protocol", "F8", "Go to the next line with a problem"),
    _c("protocol_open_cell", "Next open ce&ll", "&Protocol", "Shift+F8",
       "Go to the next cell of the table that is still open"),
    _c("protocol_three", "Run on &three networks", "&Protocol", "Ctrl+Alt+W",
       "Run on a ring, a tree and a denser network at once", "branch", gap=True),
    _c("protocol_others", "Did other runs &break too?", "&Protocol", "Ctrl+Alt+B",
       "Run the experiment with twenty other seeds in the background, and count the violations", "dice"),
    _c("protocol_explore", "&Every schedule…", "&Protocol", "Ctrl+Alt+E",
       "Try all orders of events on a small network: find a proof, or a shortest schedule that goes wrong", "turns"),
    _c("protocol_failure", "Where the run &failed", "&Protocol", "Ctrl+Alt+F",
       "Show the line and the moment at which the latest run failed, and the events that led there"),
    _c("protocol_keep", "&Keep the run as a test", "&Protocol", "Ctrl+Alt+K",
       "Keep the latest run as a test that must not fail from now on", "flag"),
    _c("protocol_check", "R&un the kept tests", "&Protocol", "Ctrl+Alt+R",
       "Run all kept tests of the protocol",
       "checks"),
)  # fmt: skip


LEARNING: tuple[Command, ...] = (
    _c("lessons", "&Lessons…", "&Help", "Ctrl+Alt+6", "All lessons: predict, watch, compare", "book"),
    _c("lesson_next", "&Next step", "&Help/L&esson", "Ctrl+Shift+PgDown", "Go to the next step of the lesson"),
    _c("lesson_back", "&Previous step", "&Help/L&esson", "Ctrl+Shift+PgUp", "Go to the previous step of the lesson"),
    _c("lesson_copy", "&Copy my answers", "&Help/L&esson", "Ctrl+Alt+A",
       "Copy all questions of the lesson and your answers as text, for handing in", gap=True),
    _c("lesson_write", "&Write a lesson…", "&Help/L&esson", "",
       "Begin a lesson file of your own, with its preview beside the run", gap=True),
    _c("lesson", "Panel &for lessons", "&View", "Ctrl+Alt+7", "Show or hide the lesson", "book", checkable=True),
)  # fmt: skip


#: Submenus that are filled when they open: the latest files, and the variables that processes can show.
RECENT, ON_PROCESSES = "&File/Open &recent", "&View/Show on p&rocesses"
#: The menus from left to right; each has an accelerator of its own.
MENUS = ("&File", "&Edit", "&View", "&Network", "&Protocol", "&Run", "P&layback", "F&aults", "&Help")


def _shown() -> Iterator[Command]:
    """Yield the commands that show and hide each view."""
    for view in views():
        words = f"Show or hide {view.shows}"
        yield _c(f"view_{view.name}", view.entry, "&View", view.keys, words, view.icon, checkable=True)


def _further() -> Iterator[Command]:
    """Yield the commands that open another view of each kind."""
    for view in views():
        words = view.another or f"Open another view of {view.shows}"
        yield _c(f"new_view_{view.name}", view.entry, "&View/New &view", "", words, view.icon)


def _exports(animated: bool) -> Iterator[Command]:
    """Yield the commands that save the run in each trace format, animated or not."""
    menu = "&File/E&xport" if animated else "&File/E&xport/&Trace as"
    for each in FORMATS.values():
        if each.animated == animated:
            yield _c(f"export_{each.name}", f"&{each.title}…", menu, "", each.about)


_TABLE: tuple[Command | Callable[[], Iterator[Command]], ...] = (
    _c("new", "&New", "&File", "Ctrl+N", "Show ways to begin", "new"),
    _c("begin_watch", "&Watch the example", "&File/Start &with", "", "Play ECHO on twelve processes from the start"),
    _c("begin_break", "&Break a process", "&File/Start &with", "", "Play a run in which a process crashes"),
    _c("begin_vary", "&Vary the network", "&File/Start &with", "", "Run this protocol on a ring and play it"),
    _c("begin_write", "W&rite a protocol…", "&File/Start &with", "",
       "Define states, messages and a table on one page, and run the protocol"),
    _c("open", "&Open…", "&File", "Ctrl+O", "Open an experiment, a network, a trace or a protocol", "open"),
    _c("import_log", "&Import log…", "&File", "Ctrl+Shift+I",
       "Preview how LYDIAN reads the log of a real system, then open it", "trace"),
    _c("save", "&Save", "&File", "Ctrl+S", "Save the experiment", "save", gap=True),
    _c("save_as", "Save &as…", "&File", "Ctrl+Shift+S", "Save the experiment under another name"),
    _c("save_trace", "Save &trace…", "&File", "Ctrl+Shift+T", "Save the current run as a trace"),
    _c("hand_in", "Han&d in…", "&File", "",
       "Save the experiment, its protocol, its network and the current run as one file"),
    _c("picture", "Save &picture of a view…", "&File", "Ctrl+Shift+E",
       "Save the view that has the focus as PNG, SVG or PDF", "picture"),
    _c("pictures", "Save picture of all &views…", "&File", "",
       "Save all visible views as one picture: PNG, SVG or PDF"),
    partial(_exports, True),
    _c("export_movie", "&Movie…", "&File/E&xport", "Ctrl+Shift+V",
       "Choose the views, times, speed and size of a movie, and save it as MP4 or GIF"),
    partial(_exports, False),
    _c("workspace_archive", "Arc&hive", "&File", "Ctrl+Alt+5",
       "Browse all protocols by family: find one, see it run, open it, copy it", "book", gap=True),
    _c("archive_search", "&Look for a protocol…", "&File", "Ctrl+Shift+F", "Search the archive for words", "find"),
    _c("quit", "&Quit", "&File", "Ctrl+Q", "Close LYDIAN", gap=True),
    _c("undo", "&Undo", "&Edit", "Ctrl+Z", "Undo the last change to the experiment", "undo"),
    _c("redo", "&Redo", "&Edit", "Ctrl+Shift+Z Ctrl+Y", "Redo the change that was undone last", "redo"),
    _c("copy_picture", "Copy pi&cture", "&Edit", "Ctrl+Alt+C", "Copy the view that has the focus as a picture",
       gap=True),
    _c("copy_svg", "Copy as S&VG", "&Edit", "Ctrl+Alt+V", "Copy the view that has the focus as a vector drawing"),
    _c("clear_selection", "C&lear selection", "&Edit", "Esc", "Deselect everything", gap=True),
    _c("find", "&Find events…", "&Edit", "Ctrl+F", "Type a filter above the text trace", gap=True),
    _c("find_next", "Find &next", "&Edit", "F3", "Go to the next event that matches the filter"),
    _c("find_previous", "Find &previous", "&Edit", "Shift+F3", "Go to the previous event that matches the filter"),
    _c("palette", "Find an&ything…", "&Edit", "Ctrl+K Ctrl+Shift+P",
       "Find a process, an event, a variable, a command or a page of the guide by typing a few letters", "find"),
    _c("menu", "&Menu of the selection", "&Edit", "Menu Shift+F10", "Show the commands for the selection", gap=True),
    _c("change_keys", "&Keys…", "&Edit/Preference&s", "", "Look up keys and change them", "keys"),
    _c("bounds", "&Limits for protocols…", "&Edit/Preference&s", "",
       "Limit the time of an action and the memory of a run"),
    _shown,
    _c("view_trace", "&Text trace", "&View", "Ctrl+7", "Show or hide the events as text", "trace", checkable=True),
    _c("view_experiment", "&Experiment", "&View", "Ctrl+6",
       "Show or hide the settings of the experiment", "flag", checkable=True, gap=True),
    _c("view_bookmarks", "&Bookmarks", "&View", "Ctrl+9",
       "Show or hide bookmarks, faults and breakpoints", "flag", checkable=True),
    _c("view_checks", "C&hecks", "&View", "Ctrl+Shift+C", "Show or hide the properties that are checked", "checks",
       checkable=True),
    _c("layout_watch", "&Watch", "&View/&Layout", "Alt+1",
       "Show only the network, large", "eye", checkable=True, group="layout"),
    _c("layout_study", "&Study", "&View/&Layout", "Alt+2",
       "Show all five views and the experiment", "layout", checkable=True, group="layout"),
    _c("layout_debug", "&Debug", "&View/&Layout", "Alt+3",
       "Show the network, one process and the text trace", "step-forward", checkable=True, group="layout"),
    _c("layout_reset", "&Reset layout", "&View/&Layout", "Alt+0", "Return every view of the layout to its place",
       gap=True),
    _c("maximise", "Maximi&se", "&View", "Ctrl+Shift+M F10",
       "Maximise the view that has the focus, or restore its size", "maximise", checkable=True, gap=True),
    _further,
    _c("new_view_trace", "&Text trace", "&View/New &view", "", "Open another text trace, with a filter of its own",
       "trace"),
    _c("theme_system", "S&ystem", "&View/The&me", "", "Use the light or dark theme of the desktop", checkable=True,
       group="theme"),
    _c("theme_light", "&Light", "&View/The&me", "", "Use dark text on a light background", "sun", checkable=True,
       group="theme"),
    _c("theme_dark", "&Dark", "&View/The&me", "", "Use light text on a dark background", "moon", checkable=True,
       group="theme"),
    _c("theme_contrast", "&High contrast", "&View/The&me", "", "Use light text on black, with strong lines",
       checkable=True, group="theme"),
    _c("text_larger", "&Larger", "&View/Te&xt size", "Ctrl++ Ctrl+=", "Enlarge all text in the program"),
    _c("text_smaller", "&Smaller", "&View/Te&xt size", "Ctrl+-", "Reduce all text in the program"),
    _c("text_usual", "&Default size", "&View/Te&xt size", "Ctrl+Alt+0", "Restore the default size of all text"),
    _c("see_all", "&All colours", "&View/Seen b&y", "", "Show the views in all colours", checkable=True, group="see"),
    _c("see_protanopia", "&Protanopia (no red)", "&View/Seen b&y", "",
       "Show the views as people without red cones see them", checkable=True, group="see"),
    _c("see_deuteranopia", "&Deuteranopia (no green)", "&View/Seen b&y", "",
       "Show the views as people without green cones see them", checkable=True, group="see"),
    _c("see_tritanopia", "&Tritanopia (no blue)", "&View/Seen b&y", "",
       "Show the views as people without blue cones see them", checkable=True, group="see"),
    _c("see_grey", "&Grey", "&View/Seen b&y", "", "Show the views as a black-and-white printer prints them",
       checkable=True, group="see"),
    _c("next_pane", "Next pa&ne", "&View/&Go to", "F6", "Go to the next part of the window"),
    _c("previous_pane", "&Previous pane", "&View/&Go to", "Shift+F6", "Go to the previous part of the window"),
    _c("projector", "Pro&jector", "&View", "F11",
       "Use large type and thick lines for a lecture room, or go back to normal", "projector", checkable=True),
    _c("motion", "Gli&de between steps", "&View", "", "Animate each step, or jump at once", checkable=True),
    _c("fit", "&Fit selection", "&View/&Zoom", "F", "Zoom to the selection", "fit", gap=True),
    _c("fit_all", "Show e&verything", "&View/&Zoom", "Ctrl+0", "Zoom out until everything is visible"),
    _c("zoom_in", "Zoom &in", "&View/&Zoom", "+ =", "Enlarge the view that has the focus", "plus"),
    _c("row_up", "Move &up", "&View/Ro&ws", "Ctrl+Shift+Up", "Move the row of the selected process up"),
    _c("row_down", "Move &down", "&View/Ro&ws", "Ctrl+Shift+Down", "Move the row of the selected process down"),
    _c("rows_reset", "&Reset order", "&View/Ro&ws", "", "Restore the original order of the rows"),
    _c("rows_hide", "&Hide selected rows", "&View/Ro&ws", "Ctrl+H",
       "Hide the rows of the selected processes; dashed arrows show the causal chains through them", gap=True),
    _c("rows_near", "Only these and their &neighbours", "&View/Ro&ws", "Ctrl+Shift+H",
       "Show only the rows of the selected processes and their neighbours"),
    _c("rows_all", "Show &all rows", "&View/Ro&ws", "Alt+Shift+H", "Show the row of every process again"),
    _c("highlight", "&Next", "&View/Ca&use and effect", "H",
       "Show in turn the causal past of the selected event, its causal future, both, and the longest chain"),
    _c("highlight_past", "Causa&l past", "&View/Ca&use and effect", "", "Show the causal past of the selected event"),
    _c("highlight_future", "Causal &future", "&View/Ca&use and effect", "",
       "Show the causal future of the selected event"),
    _c("highlight_both", "&Both", "&View/Ca&use and effect", "",
       "Show the causal past and the causal future of the selected event"),
    _c("highlight_longest", "Longest &chain so far", "&View/Ca&use and effect", "",
       "Show or hide the longest causal chain so far"),
    _c("compare", "Co&mpare with the play head", "&View/Ca&use and effect", "C",
       "Say whether the event at the play head precedes the selected one, follows it or is concurrent with it",
       gap=True),
    _c("zoom_out", "Zoom o&ut", "&View/&Zoom", "-", "Show more of the view that has the focus", "minus"),
    _c("workspace_network", "&Draw the network", "&Network", "Ctrl+Alt+2",
       "Draw the network of the experiment and set its timing", "network"),
    _c("workspace_run", "Back to the &run", "&Network", "Ctrl+Alt+1", "Watch the run with the network that you drew"),
    _c("workspace_next", "Ne&xt workspace", "&Network", "Ctrl+Tab", "Go to the next workspace"),
    _c("network_new", "&New network", "&Network", "Ctrl+Alt+N", "Start drawing on an empty board", "new", gap=True),
    _c("network_open", "&Open a network…", "&Network", "", "Open JSON, GraphML, GML, DOT, an edge list or a matrix",
       "open"),
    _c("network_import", "Add a network &beside…", "&Network", "", "Add the network of a file beside the drawing"),
    _c("network_save", "&Save the network…", "&Network", "", "Save the network for other experiments", "save",
       gap=True),
    _c("network_export", "&Export the network…", "&Network", "",
       "Save the network for another program, or as a picture"),
    _c("arrange_spring", "&Spring", "&Network/Arran&ge", "",
       "Let links attract and processes repel each other, so that links have similar lengths"),
    _c("arrange_circle", "&Circle", "&Network/Arran&ge", "",
       "Arrange all processes on one circle, in the order of the table"),
    _c("arrange_layers", "&Layers", "&Network/Arran&ge", "",
       "Arrange the processes in rows, by their distance from the initiators"),
    _c("arrange_grid", "&Grid", "&Network/Arran&ge", "",
       "Arrange the processes in rows and columns, in the order of the table"),
    _c("arrange_radial", "&Radial", "&Network/Arran&ge", "",
       "Arrange the processes in rings, by their distance from the initiators"),
    _c("arrange_stress", "S&tress", "&Network/Arran&ge", "",
       "Make distances in the drawing proportional to distances in the network"),
    _c("align_left", "&Left edges", "&Network/A&lign", "", "Align the selected processes at their left edges"),
    _c("align_centre", "&Centres", "&Network/A&lign", "", "Align the selected processes in a column"),
    _c("align_right", "&Right edges", "&Network/A&lign", "", "Align the selected processes at their right edges"),
    _c("align_top", "&Top edges", "&Network/A&lign", "", "Align the selected processes at their top edges", gap=True),
    _c("align_middle", "&Middles", "&Network/A&lign", "", "Align the selected processes in a row"),
    _c("align_bottom", "&Bottom edges", "&Network/A&lign", "", "Align the selected processes at their bottom edges"),
    _c("spread_across", "&Across", "&Network/Spre&ad", "", "Space the selected processes evenly from left to right"),
    _c("spread_down", "&Down", "&Network/Spre&ad", "", "Space the selected processes evenly from top to bottom"),
    _c("draw_all", "Select &all", "&Network/Selec&tion", "",
       "Select all processes and links; Ctrl+A in the drawing"),
    _c("draw_like", "Select &like this", "&Network/Selec&tion", "", "Select everything similar to the selection"),
    _c("draw_cut", "Cu&t", "&Network/Selec&tion", "", "Copy the selected processes and delete them; Ctrl+X", gap=True),
    _c("draw_copy", "&Copy", "&Network/Selec&tion", "",
       "Copy the selected processes and the links between them; Ctrl+C"),
    _c("draw_paste", "&Paste", "&Network/Selec&tion", "",
       "Paste the copied processes; Ctrl+V in the drawing"),
    _c("draw_duplicate", "D&uplicate", "&Network/Selec&tion", "", "Add a copy of the selected processes; Ctrl+D"),
    _c("draw_delete", "&Delete", "&Network/Selec&tion", "", "Delete the selected processes and links; Del"),
    _c("draw_fit", "Show the &whole drawing", "&Network", "", "Zoom to the whole drawing; Ctrl+0"),
    _c("draw_fit_chosen", "&Fit selection", "&Network", "", "Zoom to the selection; F"),
    _c("run", "&Run", "&Run", "F5", "Run the experiment and play it", "play"),
    _c("run_live", "Run &live", "&Run", "Ctrl+F5",
       "Run the experiment live from its start, so that you can interfere", "bolt"),
    _c("mode_replay", "Repl&ay", "&Run", "", "Watch a finished run, moving freely in time", "eye", checkable=True,
       group="mode", gap=True),
    _c("mode_live", "L&ive", "&Run", "Ctrl+Shift+F5",
       "Interfere from here on; the old continuation is kept as a branch", "bolt", checkable=True,
       group="mode"),
    _c("stop", "&Stop the run", "&Run", "Shift+F5", "Stop the simulator", "stop"),
    _c("new_seed", "&New seed", "&Run", "Ctrl+R", "Run the same experiment with another seed", "dice", gap=True),
    _c("other_delays", "Other &delays", "&Run", "Ctrl+Shift+D", "Run with another distribution of delays"),
    _c("other_network", "Another n&etwork", "&Run", "Ctrl+Shift+N",
       "Run the protocol on the next network of the archive"),
    _c("other_chances", "With another see&d", "&Run/Tr&y", "", "Run with another seed, and play it"),
    _c("try_ring", "On a &ring", "&Run/Tr&y", "", "Run on a ring of the same number of processes, and play it"),
    _c("try_tree", "On a &tree", "&Run/Tr&y", "", "Run on a tree of the same number of processes, and play it"),
    _c("try_denser", "On a de&nser network", "&Run/Tr&y", "", "Run with twice the number of links, and play it"),
    _c("first_steps", "With first co&mmands", "&Run/Tr&y", "",
       "Give each process a first command, or start guarded actions in an arbitrary configuration, and play the run"),
    _c("break_something", "With a cras&h", "&Run/Tr&y", "",
       "Crash the selected process, or a busy one, in the middle of the run, and play it"),
    _c("sweep_begin", "S&weep of this experiment…", "&Run/&Many runs", "Ctrl+Alt+S",
       "Give settings of the experiment several values, and run every combination", "sliders"),
    _c("workspace_sweep", "&Go to the sweep", "&Run/&Many runs", "Ctrl+Alt+4",
       "Show the varied settings, the progress of the runs and their results"),
    _c("sweep_vary", "&Vary something…", "&Run/&Many runs", "", "Choose a setting of the experiment and give it values",
       gap=True),
    _c("sweep_new", "&New sweep", "&Run/&Many runs", "", "Start with an empty form", "new"),
    _c("sweep_open", "&Open a sweep…", "&Run/&Many runs", "", "Open a sweep file", "open"),
    _c("sweep_save", "&Save the sweep", "&Run/&Many runs", "", "Save the contents of the form as a sweep file", "save"),
    _c("sweep_save_as", "Save the sweep &as…", "&Run/&Many runs", "", "Save the contents of the form in another file"),
    _c("sweep_start", "S&tart", "&Run/&Many runs", "", "Start all runs; F5 in the form", "play", gap=True),
    _c("sweep_stop", "Sto&p and keep results", "&Run/&Many runs", "", "Stop the sweep; Shift+F5 in the form",
       "stop"),
    _c("sweep_resume", "R&esume", "&Run/&Many runs", "", "Start the remaining runs"),
    _c("sweep_results", "Open res&ults…", "&Run/&Many runs", "", "Open the folder of a finished or stopped sweep",
       gap=True),
    _c("sweep_report", "Report of the resu&lts…", "&Run/&Many runs", "",
       "Show figures, plots and the strangest runs on one page", "book"),
    _c("run_until", "Run &until…", "&Run", "Ctrl+J", "Play or jump until a condition is met", gap=True),
    _c("breakpoint", "&Break when…", "&Run", "F9", "Stop whenever a condition is met"),
    _c("breakpoint_here", "Breakpoint at this &time", "&Run", "Shift+F9", "Add or remove a breakpoint at this time"),
    _c("breakpoints_all", "Breakpoints &on or off", "&Run", "Ctrl+F9", "Switch all breakpoints off, or on again"),
    _c("play", "&Play or pause", "P&layback", "Space", "Play or pause the run", "play"),
    _c("step_back", "Step &back", "P&layback", "Left", "Go back one event", "step-back"),
    _c("step_forward", "Step &forward", "P&layback", "Right", "Go forward one event", "step-forward"),
    _c("process_back", "Pre&vious event of process", "P&layback", "Shift+Left ,",
       "Go to the previous event of the selected process", gap=True),
    _c("process_forward", "&Next event of process", "P&layback", "Shift+Right .",
       "Go to the next event of the selected process"),
    _c("round_back", "Roun&d back", "P&layback", "Ctrl+Left", "Go to the end of the previous round"),
    _c("round_forward", "R&ound forward", "P&layback", "Ctrl+Right", "Go to the end of the round"),
    _c("unit_back", "Time &unit back", "P&layback", "Ctrl+Shift+Left", "Go back one time unit"),
    _c("unit_forward", "T&ime unit forward", "P&layback", "Ctrl+Shift+Right", "Go forward one time unit"),
    _c("to_start", "To the s&tart", "P&layback", "Home", "Go to the moment before the first event", "to-start",
       gap=True),
    _c("to_end", "To the &end", "P&layback", "End", "Go to the last event", "to-end"),
    _c("play_back", "Play bac&kwards", "P&layback", "J", "Play backwards; press again to play faster", gap=True),
    _c("pause", "P&ause", "P&layback", "K", "Pause at the current moment"),
    _c("play_forward", "Play for&wards", "P&layback", "L", "Play forwards; press again to play faster"),
    _c("loop", "&Loop", "P&layback", "Ctrl+L", "Start again when the end is reached", "loop", checkable=True),
    _c("loop_from", "Start &here", "P&layback/Loop se&ction", "I", "Start the loop at this moment"),
    _c("loop_to", "&End here", "P&layback/Loop se&ction", "O", "End the loop at this moment"),
    _c("loop_all", "&Whole run", "P&layback/Loop se&ction", "Ctrl+Shift+L", "Loop the whole run again"),
    _c("slower", "&Slower", "P&layback", "[", "Play at half the speed", gap=True),
    _c("faster", "Faste&r", "P&layback", "]", "Play at twice the speed"),
    _c("type_speed", "Type anot&her speed…", "P&layback", "Ctrl+Shift+Y", "Type the speed of playback"),
    _c("pace_events", "Pla&y by events", "P&layback", "E",
       "Play a fixed number of events per second, however far apart they are", checkable=True),
    _c("bookmark", "&Bookmark here", "P&layback/&Marks", "B", "Add or remove a bookmark at this moment"),
    _c("bookmark_named", "Bookmark &with a name…", "P&layback/&Marks", "Ctrl+B", "Add a bookmark and name it"),
    _c("mark_back", "&Previous mark", "P&layback/&Marks", "PgUp", "Go to the previous bookmark, fault or violation"),
    _c("mark_forward", "&Next mark", "P&layback/&Marks", "PgDown", "Go to the next bookmark, fault or violation"),
    _c("cause", "To the &cause", "P&layback/&Jump", "Alt+PgUp", "Go to the event that caused the current one"),
    _c("effect", "To the &effect", "P&layback/&Jump", "Alt+PgDown", "Go to the first effect of the current event"),
    _c("chain_back", "&Back along the longest chain", "P&layback/&Jump", "Ctrl+PgUp",
       "Go to the previous event of the longest causal chain"),
    _c("chain_forward", "&Forward along the longest chain", "P&layback/&Jump", "Ctrl+PgDown",
       "Go to the next event of the longest causal chain"),
    _c("go_to", "&Go to a moment…", "P&layback/&Jump", "G", "Type a time, an event number or a bookmark"),
    _c("go_event", "&Go to the selected event", "P&layback", "Return", "Move the play head to the selected event"),
    *LEARNING,
    _c("help", "&Help on this", "&Help", "F1", "Open the guide's page on the part that has the focus", "help"),
    _c("help_search", "Sea&rch the guide", "&Help", "Ctrl+Shift+F1", "Find pages, sections and terms by words", "find"),
    _c("whats_this", "&What's this?", "&Help", "Shift+F1", "Click a part of the window to see what it is"),
    _c("help_index", "&Contents", "&Help/&Pages", "", "The contents of the guide"),
    _c("help_first-steps", "&First steps", "&Help/&Pages", "", "Ten minutes with ECHO", gap=True),
    _c("help_drawing-networks", "&Drawing networks", "&Help/&Pages", "",
       "A network of your own, with delays, in three minutes"),
    _c("help_own-protocols", "&Own protocols", "&Help/&Pages", "",
       "From New protocol to your own running protocol in fifteen minutes"),
    _c("help_protocol-words", "&Words of a protocol", "&Help/&Pages", "",
       "Each word with an example to try; F1 in the code"),
    _c("help_guarded-actions", "&Guarded actions", "&Help/&Pages", "", "Rules instead of messages, and their daemons"),
    _c("help_views", "The &views", "&Help/&Pages", "", "What each view shows, and what you can do in it"),
    _c("help_playback", "&Playing", "&Help/&Pages", "", "Play, step, loop, run until, breakpoints, bookmarks"),
    _c("help_live-runs", "&Live runs", "&Help/&Pages", "", "Interfere, choose events, go back, compare"),
    _c("help_lessons", "Le&ssons", "&Help/&Pages", "", "Predict, watch, compare; and how to write a lesson"),
    _c("help_fault-models", "Fa&ult models", "&Help/&Pages", "",
       "Crashes, omissions, timing faults, partitions, and Byzantine processes"),
    _c("help_reading-traces", "&Reading traces", "&Help/&Pages", "", "What happened and why, in words"),
    _c("help_hand-ins", "&Hand-ins", "&Help/&Pages", "", "A run as one page that plays in any browser"),
    _c("help_exports", "Pictures and &movies", "&Help/&Pages", "", "Pictures, movies and files for other programs"),
    _c("help_many-runs", "Man&y runs", "&Help/&Pages", "", "Thousands of runs at once, and the strangest of them"),
    _c("help_every-schedule", "&Every schedule", "&Help/&Pages", "",
       "All orders of events of a small experiment, and the shortest one that goes wrong"),
    _c("help_archive", "Arch&ive", "&Help/&Pages", "", "Find a protocol, see it run, open it, copy it"),
    _c("help_animations", "&Animations", "&Help/&Pages", "", "How to show a protocol's own values in a picture"),
    _c("help_why-runs-repeat", "Why a run can be repeated", "&Help/&Pages", "",
       "Named random streams, and the fingerprint of a run", gap=True),
    _c("help_what-a-schedule-is", "What a schedule is", "&Help/&Pages", "",
       "What one run shows, what many show, and what a search of all schedules proves"),
    _c("help_why-concurrent", "Why concurrent is not simultaneous", "&Help/&Pages", "",
       "The causal past of an event, and Lamport clocks"),
    _c("help_what-may-run", "What may ru&n on my computer", "&Help/&Pages", "",
       "When other people's code runs, and its limits"),
    _c("help_experiment-files", "Experiment files", "&Help/&Pages", "",
       "Each key of an experiment, and each kind of fault and intervention"),
    _c("help_extending", "E&xtending LYDIAN", "&Help/&Pages", "",
       "Packages that add distributions, kinds of network, formats, protocols"),
    _c("help_channel", "&The channel", "&Help/&Pages", "", "How another program communicates with the simulator"),
    _c("help_command-line", "The command line", "&Help/&Pages", "", "How to use LYDIAN without the window"),
    _c("help_glossary", "Glossary of &key terms", "&Help/&Pages", "", "What each term means, and its other names"),
    _c("view_help", "&Show the help", "&Help", "Shift+F11", "Show or hide the guide", "book", checkable=True, gap=True),
    _c("keys", "&Keys", "&Help", "? Ctrl+/", "Show all keys on one sheet", "keys"),
    _c("double_click", "Open .lydian files by &double click", "&Help", "",
       "Choose whether a double click opens hand-ins in LYDIAN"),
    _c("about", "&About LYDIAN", "&Help", "Ctrl+F1", "Show the version and the licence", "info"),
    *WRITING,
    *LIVE,
)  # fmt: skip


def commands() -> tuple[Command, ...]:
    """Return all commands in the order of the menus, including those of the available views."""
    return tuple(chain.from_iterable((each,) if isinstance(each, Command) else each() for each in _TABLE))


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


def fill_menus(window: QMainWindow, actions: Mapping[str, QAction]) -> dict[str, QMenu]:
    """Add the actions to the menu bar in the order of the table."""
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
            menus[RECENT] = menu.addMenu(RECENT.rpartition("/")[2])
        if command.name == "motion":
            menus[ON_PROCESSES] = menu.addMenu(ON_PROCESSES.rpartition("/")[2])
    return menus


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
