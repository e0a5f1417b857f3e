"""The commands of lessons."""

from __future__ import annotations

from lydian.app.window.command import Command
from lydian.app.window.command import command as _c

__all__ = ["LEARNING"]

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
