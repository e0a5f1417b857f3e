"""Lists of completions have the style of the window that contains their field."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QCompleter, QDialog, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.kit.completions import CompletionList
from lydian.app.look.style import window_style
from lydian.app.look.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def test_a_list_of_completions_has_the_style_of_its_window(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = QDialog(window)  # a separate window, styled by its parent
    field = QLineEdit()
    QVBoxLayout(dialog).addWidget(field)
    completer = QCompleter(["alpha", "beta"], field)
    completer.setPopup(CompletionList(field))
    field.setCompleter(completer)
    window.show()
    dialog.show()
    for name in ("light", "dark"):
        window.setStyleSheet(window_style(Theme(name)))
        completer.complete()
        assert completer.popup().isVisible()
        assert completer.popup().styleSheet() == window.styleSheet()
        completer.popup().hide()


def test_a_window_styles_itself_and_not_the_application(open_window, qapp: QApplication) -> None:
    window = open_window()
    assert window.styleSheet() == window_style(window.theme)
    assert qapp.styleSheet() == ""  # with one, each widget would be styled again for each new parent
