"""The Network workspace: the drawing and the commands that edit it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QMenuBar

from lydian.app.commands.table import commands, key_text, menu_title
from lydian.app.kit.theming import set_up
from lydian.app.window.workspaces.place import Front, QtWorkspace
from lydian.app.work.background import Background
from lydian.desk.kept import drawing as keptdrawing
from lydian.language import tr, trc, trn

if TYPE_CHECKING:
    from lydian.app.network.workspace import EditorWorkspace
    from lydian.model.editing.undo import Document

__all__ = ["NetworkPlace"]

_ARRANGE = ("spring", "circle", "layers", "grid", "radial", "stress")
_ALIGN = ("left", "centre", "right", "top", "middle", "bottom")
_SPREAD = ("across", "down")


class NetworkPlace(QtWorkspace):
    """The workspace of the drawn network, with its commands.

    Returning to the run, or running, uses the drawing; it need not be saved first.
    """

    name, word, about = "network", trc("workspace", "Network"), tr("Draw the network and set its timing (Ctrl+Tab)")
    workspace: EditorWorkspace | None

    def __init__(self, front: Front, actions: Mapping[str, QAction], menus: QMenuBar) -> None:
        super().__init__(front)
        self._actions = actions
        self.background = Background(self)
        self.background.done.connect(self._offer)
        self.hint = set_up(QLabel(), look="hint", name=tr("What the current tool does"))
        self.hint.hide()
        front.status.addPermanentWidget(self.hint)
        self._show_tips(menus)
        self.refresh()

    def made(self) -> EditorWorkspace:
        """Return the editor, which is made at the first call."""
        if self.workspace is None:
            from lydian.app.network.workspace import EditorWorkspace

            desk, front = self.desk, self.front
            editor = self.workspace = EditorWorkspace(desk.session, desk.shelf, desk.settings, self.stage.theme)
            front.stack.addWidget(editor)
            editor.said.connect(front.say)
            editor.working.connect(self._working)
            editor.run_wanted.connect(lambda: desk.commands.do("run"))
            board = editor.board
            for tell in (front.say_undo, front.say_title, self.refresh, front.status.let_go_of_undone):
                board.changed.connect(tell)
            board.chosen_changed.connect(self.refresh)
            board.tool_changed.connect(self._say_hint)
            desk.session.experiment_changed.connect(self._experiment_changed)
            desk.session.run_ready.connect(lambda _run, _play: self._experiment_changed())
            self._say_hint()
            desk.notices.cancelled.connect(editor.files.background.cancel)
        return self.workspace

    def drawn(self, what: Callable[[EditorWorkspace], object]) -> None:
        """Bring the drawing to the front and call a function with its workspace."""
        if self.desk.workspaces.show(self.name):
            what(self.made())

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
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
        table |= {
            "network_new": lambda editor: editor.new(),
            "network_open": lambda editor: editor.files.choose(),
            "network_import": lambda editor: editor.files.choose(add=True),
            "network_save": lambda editor: editor.files.save(),
            "network_export": lambda editor: editor.files.export(),
        }
        drawn = self.drawn
        return {name: partial(drawn, what) for name, what in table.items()}

    def _hindrance(self, name: str) -> str:
        """Return the reason why a command is unavailable, or "" if it is available."""
        editor, here = self.workspace, self.desk.workspaces.current == self.name
        if editor is None:
            network_n, processes, links = None, 0, 0
        else:
            network_n = editor.board.network.n
            processes, links = len(editor.board.chosen.processes), len(editor.board.chosen.links)
        if not here:  # the drawing is checked when it comes to the front
            network_n, processes, links = None, 0, 0
        where = "" if here else tr(" in the drawing")
        few = network_n is not None
        if name in ("network_save", "network_export", "draw_all", "draw_fit") and few and not network_n:
            return tr("the drawing has no processes yet")
        if name.startswith("arrange_") and few and (network_n or 0) < 2:
            return tr("the drawing has fewer than two processes")
        if name.startswith("align_") and processes < 2:
            return tr("select at least two processes{place} first", place=where)
        if name.startswith("spread_") and processes < 3:
            return tr("select at least three processes{place} first", place=where)
        if name in ("draw_cut", "draw_copy", "draw_duplicate") and not processes:
            return tr("select a process{place} first", place=where)
        if name in ("draw_delete", "draw_like", "draw_fit_chosen") and not processes + links:
            return tr("select something{place} first", place=where)
        return ""

    def refresh(self) -> None:
        """Disable unavailable commands and show the reason in their tips."""
        known = {command.name: command for command in commands()}
        for name in self.handlers():
            action, command, why = self._actions[name], known[name], self._hindrance(name)
            key = key_text(command)
            action.setEnabled(not why)
            not_now = tr("Not now: {reason}", reason=why)
            action.setStatusTip(not_now if why else command.help)
            action.setToolTip(not_now if why else f"{command.help} ({key})" if key else command.help)

    def _show_tips(self, bar: QMenuBar) -> None:
        """Make the menus of the drawing show the tips of their entries."""
        top = next((found for action in bar.actions() if action.text() == menu_title("&Network")
                    and isinstance(found := action.menu(), QMenu)), None)  # fmt: skip
        if top is None:
            return
        for menu in (top, *top.findChildren(QMenu)):
            menu.setToolTipsVisible(True)

    def _say_hint(self) -> None:
        if self.workspace is not None:
            self.hint.setText(self.workspace.hint)

    def _experiment_changed(self) -> None:
        """Show the network of the changed experiment on the board, if the drawing is in front."""
        if self.desk.workspaces.current == self.name and self.workspace is not None:
            self.workspace.sync()
            self.front.say_title()

    def _working(self, words: str, share: float) -> None:
        self.desk.notices.work(words, share, tr("Stop reading and keep the drawing"))

    # ------------------------------------------------------------------ unfinished drawings

    def offer_kept(self) -> None:
        """Offer to continue the drawing that was neither run nor saved before the program ended."""
        files = self.desk.settings.kept.left(keptdrawing.FILE)
        if files:
            self.background.start(lambda _report: [(file, keptdrawing.read(file)) for file in files])

    def _offer(self, found: list[tuple[Path, keptdrawing.Kept | None]]) -> None:
        for file, kept in found:
            if kept is not None:
                self.desk.notices.offer(
                    tr("An unfinished drawing of {network} has been kept.", network=kept.network.name),
                    tr("Continue drawing"),
                    partial(self.go_on, kept, file),
                    partial(self.desk.settings.kept.forget, file),
                )

    def go_on(self, kept: keptdrawing.Kept, file: Path) -> None:
        """Bring an unfinished drawing to the front; from then on, it is the current drawing."""
        self.drawn(lambda editor: editor.go_on(kept.network, kept.path, file))

    # ------------------------------------------------------------------ as a workspace

    @property
    def title(self) -> str:
        return tr("{network} — Network — LYDIAN", network=self.made().board.document.network.name)

    @property
    def modified(self) -> bool:
        return self.made().board.document.modified

    @property
    def steps(self) -> Document:
        return self.made().board.document

    def acts(self) -> dict[str, Callable[[], object]]:
        editor = self.made()
        return {"new": editor.new, "open": editor.files.choose, "save": editor.files.save,
                "save_as": editor.files.save_as}  # fmt: skip

    def come(self) -> None:
        editor = self.made()
        editor.sync()
        self.bring(editor, editor.canvas)

    def leave(self) -> bool:
        return self.made().commit()

    def close(self) -> None:
        """Keep the drawing for the next start, and end all work."""
        self.background.close()
        super().close()


def _choose_like(editor: EditorWorkspace) -> None:
    from lydian.app.network.board.board import Chosen
    from lydian.views.network.drawing import alike

    board = editor.board
    board.choose(Chosen(*alike(board.network, board.chosen_processes(), sorted(board.chosen.links))))


def _arrange(kind: str, editor: EditorWorkspace) -> None:
    editor.build.arrange.arrange(kind)


def _align(how: str, editor: EditorWorkspace) -> None:
    from lydian.model.editing.alignment import align

    names = editor.board.chosen_processes()
    words = trn("Align {count:,} process", "Align {count:,} processes", len(names))
    editor.board.do(words, lambda network: align(network, names, how))


def _spread(how: str, editor: EditorWorkspace) -> None:
    from lydian.model.editing.alignment import spread

    names = editor.board.chosen_processes()
    words = trn("Spread {count:,} process", "Spread {count:,} processes", len(names))
    editor.board.do(words, lambda network: spread(network, names, how))
