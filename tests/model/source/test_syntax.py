"""Trees of Python texts, even during garbage collection and in several threads."""

from __future__ import annotations

import ast
import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lydian.model.source.syntax import tree_of

PACKAGE = Path(__file__).resolve().parents[3] / "lydian"
TEXT = "x = " + "-" * 60 + "1\n" + "y = [1, 2, {3: [4, (5, 6)]}]\n" * 50


@pytest.fixture
def collecting() -> Iterator[None]:
    """Collect garbage all the time, and build another tree each time."""
    before = gc.get_threshold()

    def another(phase: str, _info: object) -> None:
        if phase == "start":
            tree_of("((((1))))")

    gc.callbacks.append(another)
    gc.set_threshold(1, 1, 1)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(another)


@pytest.mark.usefixtures("collecting")
def test_a_tree_is_complete_despite_interruptions() -> None:
    assert all(len(tree_of(TEXT).body) == 51 for _ in range(20))
    assert gc.isenabled()


def test_threads_build_trees_in_parallel() -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(tree_of(TEXT).body))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [51] * 4


def test_invalid_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        tree_of("def f(:")
    assert isinstance(tree_of("a + 1", mode="eval").body, ast.BinOp) and gc.isenabled()


def test_trees_are_built_only_here() -> None:
    wrong = [path.name for path in PACKAGE.rglob("*.py") if "ast.parse(" in path.read_text(encoding="utf-8")]
    assert wrong == ["syntax.py"]
