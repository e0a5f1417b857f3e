"""The commands of the Network menu that edit the drawing; those that cannot be used now are greyed and say why."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from lydian.app.commands.actions import commands, key_text
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.editor.workspace import EditorWorkspace
    from lydian.app.window.workspaces import Workspaces

__all__ = ["DrawCommands"]

_ARRANGE = ("spring", "circle", "layers", "grid", "radial", "stress")
_ALIGN = ("left", "centre", "right", "top", "middle", "bottom")
_SPREAD = ("across", "down")


class DrawCommands:
    """What they do, and which of them can be used."""

    def __init__(self, workspaces: Workspaces) -> None:
        self.workspaces = workspaces

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
        table: dict[str, Callable[[EditorWorkspace], object]] = {
            "draw_all": lambda editor: editor.board.choose_all(),
            "draw_like": _choose_like,
            "draw_cut": lambda editor: editor.board.cut(),
            "draw_copy": lambda editor: editor.board.copy(),
            "draw_paste": lambda editor: editor.board.paste(),
            "draw_duplicate": lambda editor: editor.board.duplicate(),
            "draw_delete": lambda editor: editor.board.delete_chosen(),
            "draw_fit": lambda editor: editor.canvas.fit(),
            "draw_fit_chosen": lambda editor: editor.canvas.fit_chosen(),
        }
        table |= {f"arrange_{kind}": partial(_arrange, kind) for kind in _ARRANGE}
        table |= {f"align_{how}": partial(_align, how) for how in _ALIGN}
        table |= {f"spread_{how}": partial(_spread, how) for how in _SPREAD}
        return {name: partial(self.workspaces.drawn, what) for name, what in table.items()}

    def why_not(self, name: str) -> str:
        """Why a command cannot be used now; empty if it can."""
        editor = self.workspaces.editor
        if editor is None:
            network_n, processes, links = None, 0, 0
        else:
            network_n = editor.board.network.n
            processes, links = len(editor.board.chosen.processes), len(editor.board.chosen.links)
        if self.workspaces.current != "network":  # what is there is seen when the drawing comes to the front
            network_n, processes, links = None, 0, 0
        where = "" if self.workspaces.current == "network" else " on the drawing"
        few = network_n is not None
        if name in ("network_save", "network_export", "draw_all", "draw_fit") and few and not network_n:
            return "there is no process yet"
        if name.startswith("arrange_") and few and (network_n or 0) < 2:
            return "there are no two processes to arrange yet"
        if name.startswith("align_") and processes < 2:
            return f"choose two processes or more{where} first"
        if name.startswith("spread_") and processes < 3:
            return f"choose three processes or more{where} first"
        if name in ("draw_cut", "draw_copy", "draw_duplicate") and not processes:
            return f"choose a process{where} first"
        if name in ("draw_delete", "draw_like", "draw_fit_chosen") and not processes + links:
            return f"choose something{where} first"
        return ""

    def refresh(self) -> None:
        """Grey what cannot be used, and let its tip say why."""
        actions = self.workspaces.window.actions_by_name
        known = {command.name: command for command in commands()}
        for name in (*self.handlers(), "network_save", "network_export"):
            action, command, why = actions[name], known[name], self.why_not(name)
            key = key_text(command)
            action.setEnabled(not why)
            action.setStatusTip(f"Not now: {why}" if why else command.help)
            action.setToolTip(f"Not now: {why}" if why else f"{command.help} ({key})" if key else command.help)

    def show_tips(self) -> None:
        """Let the menus of the drawing show the tips of their entries."""
        bar = self.workspaces.window.menuBar()
        top = next((found for action in bar.actions() if action.text() == "&Network"
                    and isinstance(found := action.menu(), QMenu)), None)  # fmt: skip
        if top is None:
            return
        for menu in (top, *top.findChildren(QMenu)):
            menu.setToolTipsVisible(True)


def _choose_like(editor: EditorWorkspace) -> None:
    from lydian.app.editor.board import Chosen
    from lydian.views.network.drawing import alike

    board = editor.board
    board.choose(Chosen(*alike(board.network, board.chosen_processes(), sorted(board.chosen.links))))


def _arrange(kind: str, editor: EditorWorkspace) -> None:
    editor.build.arrange.arrange(kind)


def _align(how: str, editor: EditorWorkspace) -> None:
    from lydian.model.editing.alignment import align

    names = editor.board.chosen_processes()
    editor.board.do(f"Align {plural(len(names), 'process')}", lambda network: align(network, names, how))


def _spread(how: str, editor: EditorWorkspace) -> None:
    from lydian.model.editing.alignment import spread

    names = editor.board.chosen_processes()
    editor.board.do(f"Spread {plural(len(names), 'process')}", lambda network: spread(network, names, how))
