"""The watch over what tests leave behind must itself be able to fail."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

THREAD = """
import threading
def test_thread():
    threading.Thread(target=threading.Event().wait, args=(8,), daemon=True, name="straggler").start()
"""
CHILD = """
import subprocess, sys
kept = []
def test_child():
    kept.append(subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE))
def test_after():
    kept[0].communicate()
"""
TIMER = """
from PySide6.QtCore import QTimer
kept = []
def test_timer(qapp):
    kept.append(QTimer())
    kept[0].start(50)
"""
CLEAN = """
import subprocess, sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel
def test_clean(qtbot):
    label = QLabel("x")
    qtbot.addWidget(label)
    QTimer(label).start(50)  # goes with its window
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    subprocess.run([sys.executable, "-c", ""], check=True)
"""


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (THREAD, ["*thread 'straggler', started at *test_left.py:3 in test_thread*"]),
        (CHILD, ["*child process *sys.stdin.read*"]),
        (TIMER, ["*running QTimer (every 50 ms), started at *test_left.py:5 in test_timer*"]),
    ],
    ids=["thread", "child", "timer"],
)
def test_what_is_left_behind_is_named(pytester, root, source, words):
    run(pytester, root, source).stdout.fnmatch_lines(words)


def test_a_clean_test_passes(pytester, root):
    run(pytester, root, CLEAN).assert_outcomes(passed=1)


def run(pytester, root, source):
    conftest = (root / "tests" / "conftest.py").read_text(encoding="utf-8")
    # the inner run's own folder is where its tests stand, and it need not be patient
    for ours, inner in ((".parent.parent\n", ".parent\n"), ("PATIENCE = 3.0", "PATIENCE = 0.2")):
        assert ours in conftest
        conftest = conftest.replace(ours, inner)
    pytester.makeconftest(conftest)
    pytester.makepyfile(test_left=source)
    pytester.makeini("[pytest]\nqt_api = pyside6\nmarkers =\n    leaves_behind(reason): x\n")
    return pytester.runpytest_subprocess("-p", "no:cacheprovider")
