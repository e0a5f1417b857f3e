"""The parts of the window on their own: commands, icons, settings, cameras, time line, checks, worker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QColor, QKeySequence
from pytestqt.qtbot import QtBot

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.commands.command import EVERYWHERE
from lydian.app.commands.table import MENUS, ON_PROCESSES, RECENT, check_known, commands, menu_title, menu_titles
from lydian.app.look.icons import icon, icon_names, pixmap
from lydian.app.look.theme import Theme
from lydian.app.panels.checks import ChecksList
from lydian.app.panels.experiment.popups import fault_text
from lydian.app.panels.experiment.timing import LAWS, law_explained, law_text
from lydian.app.panels.timeline.scrubber import stacks
from lydian.app.panels.timeline.scrubmarks import about, labels, marks_of, words_of
from lydian.app.panels.timeline.transport import speed_text, time_text
from lydian.app.work.loop import Loop
from lydian.app.work.player import Player
from lydian.app.work.settings import Settings
from lydian.desk.archivelist import ArchiveList
from lydian.desk.commands import Commands
from lydian.desk.playhead import SPEEDS, Playhead
from lydian.desk.runs.records import about_source, resting
from lydian.desk.runs.worker import WatchedRun, Worker
from lydian.desk.workspaces import Workspace
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.trace.events import KINDS
from lydian.trace.parquet.file import load
from lydian.trace.timeline import Timeline
from lydian.views.registry import views
from lydian.views.selection import NOTHING
from lydian.views.words.verdicts import Stretch, verdict
from tests.app.conftest import heard
from tests.views.book import Book, echo

pytestmark = pytest.mark.usefixtures("qapp")


@cache
def timeline() -> Timeline:
    return Timeline(echo())


# ---------------------------------------------------------------------- commands


def test_every_command_has_a_distinct_name_and_explanation() -> None:
    assert len({command.name for command in commands()}) == len(commands())
    for command in commands():
        assert command.menu.split("/")[0] in MENUS
        assert command.help and not command.help.endswith(".")
        assert all(not QKeySequence(key).isEmpty() for key in command.keys), command
        assert not command.icon or command.icon in icon_names()


def test_mnemonics_of_a_menu_are_distinct() -> None:
    for menu in {command.menu for command in commands()}:
        inside = {c.menu[len(menu) + 1 :].split("/")[0] for c in commands() if c.menu.startswith(menu + "/")}
        titles = [c.text for c in commands() if c.menu == menu] + [menu_title(f"{menu}/{name}") for name in inside]
        assert all("&" in title for title in titles) or len(titles) > 20  # a long menu runs out of letters
        letters = [title[title.index("&") + 1].lower() for title in titles if "&" in title]
        assert len(set(letters)) == len(letters), (menu, sorted(letters))
    letters = [title[title.index("&") + 1].lower() for title in map(menu_title, MENUS)]
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize("path", sorted({command.menu for command in commands()} | {RECENT, ON_PROCESSES, *MENUS}))
def test_the_english_title_of_a_menu_is_the_end_of_its_path(path: str) -> None:
    assert menu_title(path) == path.rpartition("/")[2]
    assert menu_titles(path) == path.replace("&", "").split("/")


def test_a_handler_for_an_unknown_command_is_refused() -> None:
    with pytest.raises(KeyError, match="fly"):
        check_known(Commands({"fly": lambda: None}))


# ---------------------------------------------------------------------- icons, settings


@pytest.mark.parametrize("name", icon_names())
def test_every_icon_draws_something(name: str) -> None:
    image = pixmap(name, QColor("#ff0000"), 24).toImage()
    drawn = sum(image.pixelColor(x, y).alpha() > 60 for x in range(24) for y in range(24))
    assert 6 < drawn < 500


def test_icons_use_the_colour_of_the_theme() -> None:
    assert icon("play", Theme("light")) is icon("play", Theme("light"))
    assert icon("play", Theme("light")) is not icon("play", Theme("dark"))
    middle = pixmap("play", QColor("#123456"), 48).toImage().pixelColor(24, 24)
    assert middle.name() == "#123456"


def test_settings_are_kept_and_bad_ones_get_defaults(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    assert (settings.theme, settings.layout, settings.motion, settings.bytes("geometry")) == ("system", "", True, None)
    settings.theme, settings.layout, settings.motion, settings.folder = "dark", "watch", False, str(tmp_path)
    settings.set_bytes("geometry", QByteArray(b"abc"))
    assert settings.sync()
    again = Settings(tmp_path / "settings.ini")
    assert (again.theme, again.layout, again.motion, again.folder) == ("dark", "watch", False, str(tmp_path))
    assert again.bytes("geometry") == QByteArray(b"abc")
    again.theme = "pink"
    again.folder = str(tmp_path / "gone")
    assert again.theme == "system" and again.folder == str(Path.home())


# ---------------------------------------------------------------------- cameras, player


def test_the_network_camera_keeps_the_point_under_the_pointer() -> None:
    camera = NetworkCamera()
    camera.zoom(2.0, 10, 10)
    assert camera.scale is None
    camera.set(2.0, 5.0, 7.0)
    x, y = (105.0 - camera.dx) / 2.0, (57.0 - camera.dy) / 2.0
    camera.zoom(3.0, 105.0, 57.0)
    assert (x * camera.scale + camera.dx, y * camera.scale + camera.dy) == pytest.approx((105.0, 57.0))
    camera.set(2.0, 0.0, 0.0, 1.5)
    assert camera.key == (2.0, 0.0, 0.0, 1.5)
    camera.fit()
    assert camera.key == (None, 0.0, 0.0, 1.0)


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("zoom"), st.floats(0.01, 100), st.floats(-5, 50)),
            st.tuples(st.just("pan"), st.floats(-100, 100)),
            st.tuples(st.just("follow"), st.floats(0, 20)),
            st.tuples(st.just("show"), st.floats(-5, 30), st.floats(-5, 30)),
        ),
        max_size=25,
    )
)
def test_the_visible_interval_stays_within_the_run(moves: list[tuple[object, ...]]) -> None:
    camera = TimeCamera()
    camera.load(timeline())
    low, high = camera.whole
    for name, *arguments in moves:
        getattr(camera, str(name))(*arguments)
        start, stop = camera.window
        assert low - 1e-9 <= start < stop
        assert stop - start <= (high - low) * (1 + 1e-9)


class Counter:
    """A view that counts requests to draw it."""

    def __init__(self) -> None:
        self.asked = 0

    def refresh(self) -> None:
        self.asked += 1


def test_the_player_runs_a_timer_only_during_motion() -> None:
    head = Playhead(timeline())
    player, picture = Player(head), Counter()
    player.show_on(picture)
    assert not player.timer.isActive()
    head.play()
    assert player.timer.isActive()
    head.extend(timeline())
    assert picture.asked == 1, "new events during motion are shown by the next frame"
    player.tick(0.1)
    assert head.t == pytest.approx(0.1, abs=1e-6) and picture.asked == 2
    player.tick(60.0)
    assert head.t == pytest.approx(0.35, abs=1e-6), "a stalled machine makes no leap"
    head.pause()
    assert not player.timer.isActive()
    head.seek(2.0)
    assert picture.asked == 5
    player.stop()
    head.seek(3.0)
    assert picture.asked == 5


# ---------------------------------------------------------------------- time line, transport


def test_the_columns_contain_every_event_once() -> None:
    run = timeline()
    kinds = np.arange(len(run.labels))
    counts = stacks(run, kinds, 50, 0.0, run.end)
    assert counts.shape == (50, 8) and counts.sum() == len(run.time)
    assert counts[:, 0].sum() == int((run.label == 0).sum())
    assert stacks(run, kinds, 50, run.end, run.end).sum() == 0


def test_faults_and_violations_are_marks() -> None:
    trace = echo()
    rows = trace.rows.copy()
    rows["kind"][10] = KINDS.index("crash")
    checks = [
        {"name": "too early", "kind": "always", "holds": False, "at": 20},
        {"name": "fine", "holds": True, "at": 3},
    ]
    run = Timeline(replace(trace, rows=rows, summary={**trace.summary, "checks": checks}))
    marks = marks_of(Playhead(run))
    assert {(mark.sign, mark.time) for mark in marks} == {("fault", run.time[10]), ("check", run.time[20])}
    assert {mark.text for mark in marks} == {f"process {run.processes[run.process[10]]} crashes", "too early"}


def test_faults_at_one_moment_are_named_together() -> None:
    b = Book(("1", "2", "3", "4"), links=[("1", "2")])
    for name in ("1", "2", "3"):
        b.write(5.0, "crash", name)
    b.write(7.0, "crash", "4")
    marks = marks_of(Playhead(Timeline(b.trace())))
    assert [about(mark, 10.0) for mark in marks][:3] == [f"Fault at 5.00: process {p} crashes" for p in "123"]
    found = labels(marks, lambda t: 100 * t, 2000.0, lambda text: 7.0 * len(text), 0.0)
    said = [words_of(marks[index]) for index, _, _ in found]
    assert said == ["3 faults at 5: process 1 crashes", "process 4 crashes at 7"]


def test_speeds_and_times_are_formatted() -> None:
    assert [speed_text(s) for s in (SPEEDS[0], 0.5, 1.0, 64.0, 1000.0)] == ["1/16×", "1/2×", "1×", "64×", "1000×"]
    assert time_text(-5e-324, 13.1) == "0.00" and time_text(5.314, 13.1) == "5.31" and time_text(5.3, 1e6) == "5"


# ---------------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("check", "at", "wanted"),
    [
        ({"kind": "always", "holds": True, "at": None}, 0, None),
        ({"kind": "always", "holds": True, "at": None}, 5, True),
        ({"kind": "always", "holds": False, "at": 4}, 4, True),
        ({"kind": "always", "holds": False, "at": 4}, 5, False),
        ({"kind": "eventually", "holds": True, "at": 4}, 4, None),
        ({"kind": "eventually", "holds": True, "at": 4}, 5, True),
        ({"kind": "eventually", "holds": False, "at": None}, 9, None),
        ({"kind": "eventually", "holds": False, "at": None}, 10, False),
        ({"kind": "at_end", "holds": True, "at": 9}, 9, None),
        ({"kind": "at_end", "holds": True, "at": 9}, 10, True),
        ({"kind": "at_end", "holds": None, "at": None}, 10, None),
    ],
)
def test_a_check_is_decided_at_its_event(check: dict[str, object], at: int, wanted: bool | None) -> None:
    assert verdict(check, at, 10) is wanted


# ---------------------------------------------------------------------- words


def test_delay_distributions_are_described_in_words() -> None:
    assert law_text(parse("lognormal(mean=1, sd=0.45)")) == "Log-normal, mean 1"
    assert law_text(parse("2")) == "Constant, always 2"
    for text in LAWS:
        assert law_explained(parse(text)).endswith("time units.")


def test_faults_are_described_in_words() -> None:
    assert fault_text(Intervention(5.0, "crash", process="9")) == "process 9 crashes at 5"
    assert fault_text(Intervention(1.5, "link_down", link=("3", "5"))) == "link 3-5 goes down at 1.5"


def test_the_description_of_a_protocol_is_read_without_running_it() -> None:
    assert about_source('"""Echo: broadcast with answers.\n\nMore."""\nraise SystemExit') == (
        "Echo",
        "broadcast with answers",
    )
    assert about_source('"""No title here"""') == ("", "No title here")
    assert about_source("def (") == ("", "")


def test_the_shelf_lists_networks_with_their_sizes_and_generators() -> None:
    offers = dict(ArchiveList().networks())
    assert offers["two-wings"] == "12 processes, 17 links"
    assert "ring:8" in offers
    for ref in offers:
        assert ArchiveList().known_network(ref) is not None, ref
    assert "echo" in dict(ArchiveList().protocols())
    assert ArchiveList().known_network("no-such-network") is None and ArchiveList().source("no-such-protocol") == ""


def test_every_view_can_show_a_network_at_rest() -> None:
    run = Timeline(resting(from_spec("ring:5")))
    for spec in views():
        frame = spec.frame(run, 0.0, NOTHING, animation=None) if spec.name == "causality" else None
        assert spec.options() and (frame is None or frame.title)


# ---------------------------------------------------------------------- worker


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(Loop())
    yield made
    made.close()
    assert not made.folder.exists()


def outcome_of(qtbot: QtBot, worker: Worker, experiment: dict[str, object]) -> WatchedRun:
    with heard(qtbot, worker.finished) as signal:
        worker.run(experiment, None)
    outcome = signal.args[0]
    assert isinstance(outcome, WatchedRun)
    return outcome


def test_the_worker_returns_a_result_and_a_trace(qtbot: QtBot, worker: Worker) -> None:
    worker.prepare()
    outcome = outcome_of(qtbot, worker, archive().experiment("two-wings").to_dict())
    assert outcome.problem is None and outcome.result["messages"] == 46
    assert outcome.trace is not None and load(outcome.trace).fingerprint() == outcome.result["fingerprint"]


def test_an_invalid_request_is_reported_in_one_sentence(qtbot: QtBot, worker: Worker) -> None:
    outcome = outcome_of(qtbot, worker, {"name": "x", "protocol": "ehco", "network": "two-wings"})
    assert outcome.trace is None and outcome.problem is not None and "echo" in outcome.problem


def test_a_new_request_replaces_the_running_one(qtbot: QtBot, worker: Worker) -> None:
    experiment = archive().experiment("two-wings")
    seen: list[int] = []
    worker.finished.connect(lambda outcome: seen.append(outcome.number))
    for seed in (1, 2, 3):
        worker.run(experiment.with_(seed=seed).to_dict(), None)
    qtbot.waitUntil(lambda: bool(seen), timeout=20_000)
    qtbot.waitUntil(lambda: not worker.conversation._leaving, timeout=20_000)
    assert seen == [3]


def test_a_click_on_a_decided_property_selects_its_event(qtbot: QtBot) -> None:
    run = timeline()
    head = Playhead(run)
    checks = ChecksList(head, Theme("light"))
    qtbot.addWidget(checks)
    for kind, holds, at in (("always", False, 3), ("eventually", True, 4)):
        checks.load([{"name": "all hear it", "kind": kind, "holds": holds, "at": at}])
        checks.itemClicked.emit(checks.item(0))
        assert (head.t, head.selection.event) == (float(run.time[at]), at)
        assert int(run.process[at]) in head.selection.processes


def test_old_checks_are_drawn_until_the_next_run_begins(qtbot: QtBot) -> None:
    head = Playhead()  # without a run the end is 0
    checks = ChecksList(head, Theme("light"))
    qtbot.addWidget(checks)
    checks.resize(420, 200)
    checks.load([{"name": "all hear it", "kind": "always", "ok": False, "at": 3}])
    strip = (Stretch(0.0, 12.0, True), Stretch(12.0, 1e6, False))
    checks._lines.strips = [strip]
    image = checks.grab().toImage()
    assert Theme("light").color("check.violated").name() in {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


# ---------------------------------------------------------------------- the workspaces of commands


@pytest.mark.parametrize("workspace", EVERYWHERE.split())
def test_a_command_can_be_carried_out_wherever_it_is_in_a_menu(workspace: str) -> None:
    if workspace == "run":
        return
    assert [c.name for c in commands() if workspace in c.workspaces and Workspace().why_not(c.name)] == []


def test_every_workspace_has_menus_of_its_own() -> None:
    entries = {place: [c for c in commands() if place in c.workspaces] for place in EVERYWHERE.split()}
    menus = {place: {c.menu.split("/")[0].replace("&", "") for c in found} for place, found in entries.items()}
    usual = {"File", "Edit", "View", "Run", "Help"}
    assert menus == {
        "run": usual | {"Playback", "Faults", "Class"},
        "network": usual | {"Network"},
        "protocol": usual | {"Protocol"},
        "sweep": usual | {"Sweep"},
        "archive": usual,
        "assignment": usual | {"Assignment"},
    }
    few = {place: [c for c in found if c.menu != "&Help/&Pages"] for place, found in entries.items()}
    assert all(len(found) < 96 for place, found in few.items() if place != "run")
