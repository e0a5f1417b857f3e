"""Commands, workspaces and notices, without a window."""

from __future__ import annotations

import pytest

from lydian.desk.commands import Commands
from lydian.desk.notices import Notices
from lydian.desk.workspaces import Workspace, Workspaces


def test_a_command_is_executed_unless_blocked() -> None:
    done: list[object] = []
    commands = Commands({"run": lambda: done.append("run"), "loop": done.append})
    told: list[str] = []
    commands.changed.connect(told.append)
    assert commands.do("run") and commands.do("loop", True)
    commands.hinder("run", "workspace", "Not here")
    commands.hinder("run", "busy", "It runs already")
    commands.hinder("run", "workspace", "")
    assert commands.why_not("run") == "It runs already" and not commands.do("run")
    commands.hinder("run", "busy", "")
    commands.hinder("run", "busy", "")
    assert commands.do("run") and done == ["run", True, "run"]
    assert told == ["run"] * 4
    with pytest.raises(KeyError):
        commands.do("fly")


class Room(Workspace):
    """A workspace that records what happens to it."""

    def __init__(self, name: str, said: list[str]) -> None:
        self.name, self.said, self.held = name, said, False

    def come(self) -> None:
        self.said.append(f"{self.name} comes")

    def leave(self) -> bool:
        self.said.append(f"{self.name} {'stays' if self.held else 'goes'}")
        return not self.held


def test_one_workspace_is_current_and_may_refuse_to_close() -> None:
    said: list[str] = []
    places = Workspaces()
    rooms = [Room(name, said) for name in ("run", "network")]
    for room in rooms:
        places.add(room)
    places.changed.connect(lambda name: said.append(f"changed to {name}"))
    places.stayed.connect(lambda: said.append("stayed"))
    assert places.current == "run" and places.show("run")
    places.next()
    rooms[1].held = True
    assert not places.show("run") and places.here is rooms[1]
    assert said == ["run goes", "network comes", "changed to network", "network stays", "stayed"]
    assert rooms[0].why_not("play").startswith("Not available in this workspace") and rooms[0].why_not("save") == ""


def test_an_offer_waits_while_other_notices_are_shown() -> None:
    notices, did = Notices(), []
    news: list[str] = []
    notices.told.connect(news.append)
    notices.say("Saved.", False)
    notices.offer("First?", "Yes", lambda: did.append("first"), lambda: did.append("not first"))
    withdraw = notices.offer("Second?", "Yes", lambda: did.append("second"))
    notices.say("It went wrong.")
    assert (notices.text, news) == ("It went wrong.", ["Saved."])
    notices.forget_problem()
    assert notices.text == "First?"
    notices.refuse()
    assert (notices.text, did) == ("Second?", ["not first"])
    withdraw()
    assert notices.text == ""


def test_only_notices_about_a_run_disappear_with_the_next_run() -> None:
    notices = Notices()
    assert notices.say_of_run("The run was stopped.", True)
    assert notices.say_of_run("", False) and notices.text == ""
    notices.say("A file cannot be read.")
    assert not notices.say_of_run("", False) and notices.text == "A file cannot be read."


def test_an_urgent_notice_comes_first_and_the_others_return_after_it() -> None:
    notices = Notices()
    notices.show("It is ready.", problem=False, button="Show")
    notices.offer("May it run?", "Run", lambda: None, front=True)
    assert notices.text == "May it run?"
    notices.accept()
    assert notices.text == "It is ready."
    notices.close()
    assert notices.text == ""
