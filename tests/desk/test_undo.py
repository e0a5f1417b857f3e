"""Steps that can be undone, compared with a list of notifications."""

from __future__ import annotations

from lydian.desk.undo import Step, Undo


class Document:
    """A number that is changed in steps."""

    def __init__(self) -> None:
        self.value, self.undo, self.told = 0, Undo(), []
        self.undo.moved.connect(lambda index: self.told.append(index))
        self.undo.clean_changed.connect(lambda clean: self.told.append("clean" if clean else "modified"))

    def put(self, value: int) -> None:
        self.value = value

    def change(self, value: int, key: str = "") -> None:
        self.undo.push(Step(f"to {value}", self.put, self.value, value, key))


def test_steps_are_undone_redone_and_forgotten_after_another_step() -> None:
    one = Document()
    one.change(1)
    one.change(2)
    assert (one.value, one.undo.undo_text, one.undo.redo_text) == (2, "to 2", "")
    one.undo.undo()
    assert (one.value, one.undo.undo_text, one.undo.redo_text, one.undo.text(1)) == (1, "to 1", "to 2", "to 2")
    one.change(3)
    assert (one.value, one.undo.count, one.undo.can_redo, one.undo.text(7)) == (3, 2, False, "")
    one.undo.go(0)
    one.undo.undo()
    assert (one.value, one.undo.can_undo) == (0, False)
    one.undo.redo()
    assert one.value == 1
    assert one.told == [1, "modified", 2, 1, 2, 0, "clean", 1, "modified"]


def test_returning_to_the_saved_step_is_clean_again() -> None:
    one = Document()
    one.change(1)
    one.undo.set_clean()
    one.undo.undo()
    assert not one.undo.clean
    one.undo.redo()
    assert one.undo.clean
    one.undo.undo()
    one.change(2)
    one.undo.undo()
    assert not one.undo.clean  # the saved step can no longer be reached
    one.undo.clear()
    assert one.undo.clean and one.undo.count == 0
    one.undo.set_clean(False)
    assert not one.undo.clean


def test_steps_with_one_key_merge_until_sealed_or_saved() -> None:
    one = Document()
    for value in (1, 2, 3):
        one.change(value, key="field")
    assert one.undo.count == 1
    one.undo.seal()
    one.change(4, key="field")
    assert one.undo.count == 2
    one.undo.set_clean()
    one.change(5, key="field")
    assert one.undo.count == 3
    one.change(4, key="field")
    assert (one.undo.count, one.undo.clean) == (2, True)  # a change and its reversal are not a step
    one.undo.undo()
    assert one.value == 3


def test_an_executed_step_is_only_recorded() -> None:
    one = Document()
    one.value = 5
    one.undo.push(Step("to 5", lambda value: one.put(value + 100), 0, 5), done=True)
    assert one.value == 5
    one.undo.undo()
    assert one.value == 100


def test_after_closing_nothing_is_notified() -> None:
    one = Document()
    one.undo.close()
    one.change(1)
    assert one.told == []
