"""At the foot of the drawing: what was just deleted, with a button that brings it back."""

from __future__ import annotations

from lydian.app.editor.board import Board
from lydian.app.editor.boardview import BoardView
from lydian.app.kit.toast import Toast as Said
from lydian.app.look.theme import Theme

__all__ = ["Toast"]

#: What the steps that it tells of begin with -> what it says instead.
_TOLD = {"Delete ": "Deleted ", "Cut ": "Cut "}


class Toast(Said):
    """Says "Deleted link 4-9" over the foot of the drawing; the next edit, a while, or Undo takes it away."""

    def __init__(self, board: Board, theme: Theme, over: BoardView) -> None:
        super().__init__(
            theme, over, lambda: over.free().bottom(), "What was deleted", tip="Bring it back (Ctrl+Z)"
        )
        self.board = board
        self._seen: tuple[object, int] = (board.document, board.document.at)
        board.changed.connect(self._changed)
        self.pressed.connect(lambda: self.board.document.undo())

    def _changed(self) -> None:
        document = self.board.document
        before, self._seen = self._seen, (document, document.at)
        text = document.undo_text
        told = next((said + text[len(verb) :] for verb, said in _TOLD.items() if text.startswith(verb)), "")
        if told and before[0] is document and document.at > before[1] and not document.redo_text:
            self.say(told)
        else:
            self.put_away()
