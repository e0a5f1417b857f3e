"""The check for threads and processes that tests leave behind must itself be able to fail."""

from __future__ import annotations

import re
from collections import Counter

import pytest

pytest_plugins = ["pytester"]

INI = "[pytest]\nqt_api = pyside6\nmarkers =\n    leaves_behind(reason): x\n"
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


@pytest.mark.slow
def test_leftovers_are_named_and_a_clean_test_passes(pytester, root):
    pytester.makeconftest(inner(root))
    pytester.makepyfile(test_thread=THREAD, test_child=CHILD, test_timer=TIMER, test_clean=CLEAN)
    pytester.makeini(INI)
    told = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    told.assert_outcomes(passed=5, errors=3)
    for words in (
        "*thread 'straggler', started at *test_thread.py:3 in test_thread*",
        "*child process *sys.stdin.read*",
        "*running QTimer (every 50 ms), started at *test_timer.py:5 in test_timer*",
    ):
        told.stdout.fnmatch_lines([words])


def test_the_files_that_run_first_exist(root):
    """A list with outdated names would let a slow file run last."""
    text = (root / "tests" / "conftest.py").read_text(encoding="utf-8")
    names = re.findall(r'"(tests/\w+(?:/\w+)*\.py)"', text)
    assert len(names) >= 10
    assert [name for name in names if not (root / name).is_file()] == []


@pytest.mark.slow
def test_parallel_workers_keep_files_whole_and_related_files_together(pytester, root):
    pytester.makeconftest(inner(root))
    tests = {"tests/archive/test_experiments": 1, "tests/golden/test_fingerprints": 1, "test_many": 6, "test_some": 3}
    for name, count in tests.items():
        file = pytester.path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(f"def test_{i}(): pass" for i in range(count)), encoding="utf-8")
    pytester.makeini(INI)
    told = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile", "-v")
    told.assert_outcomes(passed=11)
    ran = re.findall(r"^\[(gw\d)\] \[ *\d+%\] PASSED (\S+)\.py::", told.stdout.str(), re.MULTILINE)
    assert Counter(file for _, file in ran) == tests
    workers = {file: {worker for worker, each in ran if each == file} for file in tests}
    assert all(len(found) == 1 for found in workers.values())
    first, second, *_ = tests
    assert workers[first] == workers[second]
    assert [file for worker, file in ran if {worker} == workers[first]][:2] == [first, second]  # they begin


def inner(root):
    """Return our conftest for an inner run: its own folder contains its tests, and its patience is short."""
    conftest = (root / "tests" / "conftest.py").read_text(encoding="utf-8")
    for ours, theirs in ((".parent.parent\n", ".parent\n"), ("PATIENCE = 3.0", "PATIENCE = 0.2")):
        assert ours in conftest
        conftest = conftest.replace(ours, theirs)
    return conftest
