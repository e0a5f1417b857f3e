"""The commands of the workspaces in which one writes protocols and plans many runs."""

from __future__ import annotations

from lydian.app.window.command import Command
from lydian.app.window.command import command as _c

__all__ = ["WRITING"]

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
