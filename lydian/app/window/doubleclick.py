"""The command that makes a double click open hand-ins."""

from __future__ import annotations

from collections.abc import Callable

from lydian.desk import doubleclick
from lydian.desk.notices import Notices
from lydian.language import tr
from lydian.model.errors import LydianError

__all__ = ["offer"]


def offer(notices: Notices) -> None:
    """Make a double click open hand-ins; the notice has a button to undo this."""
    if doubleclick.installed():
        notices.show(
            tr("A double click on a .lydian file opens it in LYDIAN."), problem=False, button=tr("Undo"),
            act=lambda: _do(notices, doubleclick.remove, tr("A double click no longer opens .lydian files in LYDIAN.")),
        )  # fmt: skip
        return
    _do(
        notices, doubleclick.install, tr("From now on, a double click on a .lydian file opens it in LYDIAN."),
        tr("Undo"),
        lambda: _do(notices, doubleclick.remove, tr("A double click does not open .lydian files in LYDIAN.")),
    )  # fmt: skip


def _do(
    notices: Notices, what: Callable[[], object], words: str, button: str = "", act: Callable[[], object] | None = None
) -> None:
    try:
        what()
    except LydianError as error:
        sentence = str(error)
        notices.show(f"{sentence[:1].upper()}{sentence[1:]}.")
        return
    notices.show(words, problem=False, button=button, act=act)
