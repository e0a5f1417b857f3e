"""Redraw the pictures of the guide and the README, and update the guide's table of keys: ``make pictures``.

The windows are real ones on Qt's offscreen platform that run experiments of the archive, so the pictures show exactly
what a user sees. Check them before committing them. ``make pictures ARGS="causality keys"`` draws only some of them;
``ARGS=figures`` draws those of the sweeps from research papers, which must be run first.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

#: The prefix of this script's own settings folders.
HOME = "lydian-pictures-"
if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["LYDIAN_HOME"] = tempfile.mkdtemp(prefix=HOME)
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lydian.language import install, language  # noqa: E402 - the language comes before any module with texts

if __name__ == "__main__":
    install(os.environ.get("LYDIAN_LANGUAGE", "en"))

from PySide6.QtGui import QColor, QCursor, QImage, QPainter, QPixmap  # noqa: E402
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDockWidget, QLabel, QLineEdit, QTabBar, QWidget  # noqa: E402

from lydian.app.main import application, make_window  # noqa: E402
from lydian.app.panels.help.guidetext import keys_table  # noqa: E402
from lydian.app.pictures.plotfile import write_plot  # noqa: E402
from lydian.app.pictures.render import render  # noqa: E402
from lydian.app.window.mainwindow import MainWindow  # noqa: E402
from lydian.assignment.assignment import Assignment, read  # noqa: E402
from lydian.assignment.grade import grade  # noqa: E402
from lydian.assignment.package import student_files  # noqa: E402
from lydian.desk.guide.pages import Place  # noqa: E402
from lydian.engine.simulator import Simulator  # noqa: E402
from lydian.model.archive.archive import archive  # noqa: E402
from lydian.model.delays import Distribution, as_distribution  # noqa: E402
from lydian.model.network import Link, Network  # noqa: E402
from lydian.trace.timeline import Timeline  # noqa: E402
from lydian.views.plots.data import results_of  # noqa: E402
from lydian.views.plots.options import sensible  # noqa: E402
from lydian.views.plots.plots import plot_of  # noqa: E402
from lydian.views.selection import Selection  # noqa: E402
from scripts.loop import film  # noqa: E402
from scripts.people import People  # noqa: E402
from scripts.waiting import until, wait  # noqa: E402

FOLDER = ROOT / "resources" / "guide" / "pictures"
#: Pictures of the README: tests/test_readme.py compares the words in each with those of the current window.
README = ("main-light", "first-start", "failure", "time-window", "raft", "editor/timing-light")
#: Pictures of the README without the words of a window, or with those of the archive, which change with it.
UNCHECKED = ("archive-light", "figures/lpbcast-buffer-light", "grades", "feedback", "class-host-light")
#: The metadata entry of a picture that contains the words shown in its window.
SHOWN = "Shown"
#: File, experiment (None: as on the first start), width, height, theme, layout, time (None: before the first event),
#: selected process.
WINDOWS = (
    ("main-light", "two-wings", 1920, 1080, "light", "study", 7.2, "7"),
    ("main-dark", "two-wings", 1920, 1080, "dark", "study", 7.2, "7"),
    ("first-start", None, 1280, 720, "light", "watch", None, None),
    ("failure", "echo-crash", 1280, 720, "light", "watch", 99.0, None),
    ("time-window", "chandy-misra", 1280, 720, "light", "study", 30.0, None),
    ("raft", "raft-partition", 1280, 720, "light", "watch", 40.0, None),
    ("help", "two-wings", 1280, 720, "light", "study", 7.2, None),
    ("german", "two-wings", 1280, 720, "light", "study", 7.2, "7"),
)
#: Pictures of the window in other languages -> the language.
SPOKEN = {"german": "de"}
#: Dock, height, time, selected process, options; each in both themes and as wide as a column of text.
WIDE = 724
DOCKS: tuple[tuple[str, int, float, str | None, dict[str, object]], ...] = (
    ("basic", 446, 7.2, "7", {}),
    ("communication", 340, 7.2, None, {}),
    ("causality", 446, 9.0, None, {"event": 60}),
    ("step", 420, 7.2, "7", {}),
    ("occupation", 380, 9.0, None, {}),
    ("trace", 380, 7.2, "7", {"filter": "p=7"}),
    ("knowledge", 400, 5.0, None, {}),
    ("world", 500, 8.2, "9", {}),
    ("world", 560, 8.2, None, {"layout": "tower", "picture": "tower"}),
    ("world", 540, 0.0, None, {"layout": "shape", "stop": 4, "picture": "flight"}),
    ("checks", 300, 99.0, None, {}),
)
#: Name, width and height of the window, displayed columns of the editor; each in both themes.
EDITORS = (("eight", 1280, 640, (0, 1, 2)), ("generate", 1000, 680, (0, 1)), ("timing", 1000, 860, (1, 2)))
#: The network on the page about drawing networks: positions as shares of the drawing, links, means of the slow links.
EIGHT = [(0.14 + 0.24 * column, 0.32 + 0.36 * row) for row in (0, 1) for column in range(4)]
EIGHT_LINKS = ((0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (0, 4), (1, 5), (2, 6), (3, 7))
SLOW = {("1", "5"): 2.0, ("6", "7"): 2.5}
#: A typical student error in ECHO: a copy of the message counts as an answer, and the real answer arrives as well.
FAULTY = (
    ("        if q in self.pending:\n            self.pending.remove(q)\n            self.close()\n        else:\n"
     "            self.unexpected(m, q)\n", "        self.pending.remove(q)\n        self.close()\n"),
    ('        """\n        self.send(Ack(), to=q)\n',
     '        """\n        self.pending.discard(q)\n        self.send(Ack(), to=q)\n'),
    ("class Echo(Process)", "class Echo2(Process)"),
)  # fmt: skip
#: The assignment that is shown, the mistake in it, and the class that is graded.
ASSIGNMENT, MISTAKE = "mutual-exclusion", "lecturer/mutants/forgets-deferred.py"
NAMES = (
    "Tolu Adeyemi", "Klara Bauer", "Mateo Castillo", "Ivo Dimitrov", "Liv Eriksen", "Jules Fontaine", "Lucía García",
    "Rami Haddad", "Naoki Ito", "Femke Jansen", "Ola Kowalski", "Nils Lindqvist", "Inès Moreau", "Petra Novak",
    "Ines Okafor", "Daniil Petrov",
)  # fmt: skip
#: Archive page, experiment and time.
SYSTEMS = (
    ("balls-and-bins", "balls-and-bins", 3.4),
    ("lpbcast", "lpbcast", 30.4),
    ("gossip-buffer", "gossip-buffer", 30.4),
    ("causal-delivery", "causal-delivery-away", 34.0),
    ("causal-cluster", "causal-cluster", 100.0),
    ("role-dht", "role-dht", 62.0),
    ("skip-ring", "skip-ring", 93.0),
    ("chord-scribe", "chord-scribe", 50.5),
    ("content-routing", "content-routing-spoilt", 52.0),
    ("mobile-dag", "mobile-dag-walk", 30.0),
)
#: Protocols whose cards at processes need more room.
ROOMY = ("causal-delivery",)
#: Sweeps whose figures appear in the pages of their systems, with settings that differ from the defaults.
FIGURES: tuple[tuple[str, dict[str, str]], ...] = (
    ("balls-and-bins-pushing", {}),
    ("lpbcast-buffer", {}),
    ("gossip-buffer-reliability", {}),
    ("causal-delivery-size", {}),
    ("role-dht-space", {}),
    ("skip-ring-requests", {}),
    ("content-routing-control", {}),
    ("chord-scribe-crashes", {}),
    ("mobile-dag-walk", {}),
)
#: The folder of their results; missing results are computed, which takes some minutes.
RESULTS = ROOT / "build" / "figures"
#: The number of colours in a picture of the guide; a view has far fewer, apart from the anti-aliased edges of letters.
COLOURS = 256
KEYS = ROOT / "resources" / "guide" / "playback.md"
BEGIN, END = "<!-- keys: made by scripts/pictures.py -->\n", "<!-- end of keys -->"


def opened(experiment: str | None, size: tuple[int, int], theme: str, layout: str) -> MainWindow:
    """Open a window with a finished run."""
    home = Path(os.environ["LYDIAN_HOME"])
    if home.name.startswith(HOME):  # otherwise the last work would reappear
        shutil.rmtree(home, ignore_errors=True)
    window: MainWindow = make_window(experiment)
    window.resize(*size)
    window.show()
    window.looks.choose(theme)
    until(lambda: window.session.shown is not None)
    window.looks.arrange(layout)
    wait(300)
    return window


def bring(window: MainWindow, t: float | None, who: str | None) -> None:
    """Move a window to its time."""
    timeline = window.playhead.timeline
    if t is not None and timeline is not None:
        window.playhead.seek(min(t, timeline.end))
        if who is not None:
            number = timeline.processes.index(who)
            window.playhead.select(Selection(processes=frozenset({number})))
    wait(500)


def keep(widget: QWidget, name: str) -> None:
    """Save the picture of a widget with as few colours as it needs."""
    small(widget.grab(), FOLDER / f"{name}.png", words(widget) if name in README else ())
    print((FOLDER / f"{name}.png").relative_to(ROOT))


def words(widget: QWidget) -> tuple[str, ...]:
    """Return all visible texts of the widgets, each once and in alphabetical order, except texts cut to a width."""
    found = set()
    for part in widget.findChildren(QWidget):
        if not part.isVisibleTo(widget):
            continue
        if isinstance(part, QLabel | QAbstractButton | QLineEdit):
            found.add(part.text())
        elif isinstance(part, QComboBox):
            found.add(part.currentText())
        elif isinstance(part, QTabBar):
            found.update(part.tabText(at) for at in range(part.count()))
        elif isinstance(part, QDockWidget):
            found.add(part.windowTitle())
    return tuple(sorted(text for text in found if text.strip() and "…" not in text))


def words_in(path: Path) -> tuple[str, ...]:
    """Return the words that a picture's window showed when the picture was drawn."""
    return tuple(QImage(str(path)).text(SHOWN).splitlines())


def small(picture: QPixmap, path: Path, shown: tuple[str, ...] = ()) -> None:
    """Write a picture with its own palette and maximum compression; Qt chooses the nearest colours."""
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB32)
    table = palette(image)
    indexed = image.convertToFormat(QImage.Format.Format_Indexed8, table)
    path.parent.mkdir(parents=True, exist_ok=True)
    if shown:
        indexed.setText(SHOWN, "\n".join(line for text in shown for line in text.splitlines()))
    indexed.save(str(path), "PNG", 0)  # type: ignore[call-overload]  # 0: smallest; a text, whatever the stubs say


def palette(image: QImage) -> list[int]:
    """Choose the most frequent colours, then those farthest from all chosen ones, rare colours last."""
    import numpy as np

    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[:, : image.width()]
    exact, counts = np.unique(pixels, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    exact, counts = exact[order], counts[order]
    taken = list(range(min(len(exact), COLOURS // 2)))
    parts = np.stack([(exact >> shift) & 0xFF for shift in (16, 8, 0)], axis=1).astype(np.float64)
    _groups, first = np.unique(exact & np.uint32(0xFFF8F8F8), return_index=True)  # the most frequent of similar colours
    near = np.full(len(first), np.inf)
    for number in taken:
        near = np.minimum(near, ((parts[first] - parts[number]) ** 2).sum(axis=1))
    while len(taken) < min(COLOURS, len(exact)) and near.max() > 0:
        best = int(np.argmax(near * counts[first] ** 0.5))
        taken.append(int(first[best]))
        near = np.minimum(near, ((parts[first] - parts[first[best]]) ** 2).sum(axis=1))
    return [int(exact[number]) for number in taken]


def windows(wanted: set[str]) -> None:
    """Draw whole windows."""
    for name, *_rest in WINDOWS:
        if wanted and name not in wanted:
            continue
        if SPOKEN.get(name, "en") != language():
            spoken = os.environ | {"LYDIAN_LANGUAGE": SPOKEN[name]}
            subprocess.run([sys.executable, __file__, name], env=spoken, check=True)
            continue
        with posed(name) as window:
            keep(window, name)


@contextmanager
def posed(name: str) -> Iterator[MainWindow]:
    """Return the window of one of the :data:`WINDOWS` at its time."""
    _name, experiment, width, height, theme, layout, t, who = next(each for each in WINDOWS if each[0] == name)
    window = opened(experiment, (width, height), theme, layout)
    bring(window, t, who)
    if name == "help":
        window.helping.show(Place("views", "causality"))
        wait(500)
    if name == "failure":
        window.actions_by_name["ending"].trigger()
        wait(1500)
    yield window
    window.close()
    wait(100)


def docks(wanted: set[str]) -> None:
    """Draw every view, light and dark, for the pages about views."""
    for theme in ("light", "dark"):
        if wanted and not wanted & {name for name, *_rest in DOCKS}:
            return
        window = opened("two-wings", (1920, 1080), theme, "study")
        for name, height, t, who, options in DOCKS:
            if wanted and name not in wanted:
                continue
            window.playhead.select(Selection())
            window.stage.show_view(name, True)
            dock = window.stage.docks[name]
            dock.tear_off()
            dock.resize(WIDE, height)
            bring(window, t, who)
            if "event" in options:
                window.playhead.select(Selection(event=int(str(options["event"]))))
            window.stage.pane.field.setText(str(options.get("filter", "")))
            if "layout" in options:
                window.stage.canvases[name].set_option("layout", options["layout"])
            if "stop" in options:
                canvas = window.stage.canvases[name]
                window.flights.cards[canvas].open()
                assert canvas.pilot is not None
                canvas.pilot.fly_to(int(str(options["stop"])))
            wait(300)
            settle(window)
            keep(dock, f"views/{options.get('picture', name)}-{theme}")
            dock.tear_off()
        window.close()
        wait(100)


def settle(window: MainWindow) -> None:
    """Wait until nothing moves by itself, such as processes on their way to another layout."""
    until(lambda: not window.player.timer.isActive())


def eight() -> Network:
    """Return the network of the page about drawing networks."""
    names = [str(number) for number in range(len(EIGHT))]
    links = [
        Link(str(a), str(b), delay=None if (str(a), str(b)) not in SLOW else mean_of(SLOW[str(a), str(b)]))
        for a, b in EIGHT_LINKS
    ]
    places = {name: (x * 800, y * 420) for name, (x, y) in zip(names, EIGHT, strict=True)}
    law = as_distribution("lognormal(mean=1, sd=0.45)")
    return Network("Untitled", tuple(names), tuple(links), initiators=("0",), positions=places, delay=law)


def mean_of(mean: float) -> Distribution:
    """Return a log-normal delay as dragging the network's curve creates it."""
    return as_distribution(f"lognormal(mean={mean:g}, sd={0.45 * mean:g})")


def editors(wanted: set[str]) -> None:
    """Draw the network editor, light and dark."""
    for theme in ("light", "dark"):
        for name, *_rest in EDITORS:
            if not wanted or name in wanted:
                with editing(name, theme) as shown:
                    keep(shown, f"editor/{name}-{theme}")


@contextmanager
def editing(name: str, theme: str) -> Iterator[QWidget]:
    """Return the network editor of one of the :data:`EDITORS`, and the displayed part of it."""
    _name, width, height, columns = next(each for each in EDITORS if each[0] == name)
    window = opened("two-wings", (1000, 640), theme, "watch")
    window.workspaces.show("network")
    editor = window.workspaces.network.made()
    window.resize(width, height)
    for column in range(3):
        part = editor.splitter.widget(column)
        assert part is not None
        part.setVisible(column in columns)
    editor.board.open(eight() if name != "generate" else Network("Untitled", (), ()), None)
    if name == "generate":
        editor.build.generate.choose("smallworld")
        editor.build.generate.another.click()
    elif name == "timing":
        editor.board.choose_links([("6", "7")])
    wait(300)
    editor.canvas.fit()
    wait(300)
    yield editor.desk if name == "eight" else editor
    editor.build.put_away()
    window.close()
    wait(100)


def protocols(wanted: set[str]) -> None:
    """Draw the page about your own protocols: the page with three questions, and a failed run."""
    for theme in ("light", "dark"):
        if wanted and not wanted & {"new", "failed"}:
            return
        window = opened("two-wings", (1280, 800), theme, "watch")
        window.workspaces.protocols.written(lambda w: w.new())
        w = window.workspaces.protocols.made()
        wait(300)
        keep(w, f"protocol/new-{theme}")
        source = archive().find("protocols", "echo").read_text(encoding="utf-8")
        for old, new in FAULTY:
            assert old in source
            source = source.replace(old, new)
        w.files.new(source, "echo2.py")
        w.pages.setCurrentIndex(0)
        w.run()
        for _ in range(100):
            if w.runs.failure is not None:
                break
            wait(100)
        wait(1500)
        keep(w, f"protocol/failed-{theme}")
        window.close()
        wait(100)


def live(wanted: set[str]) -> None:
    """Draw the page about live runs: a crash with its causal future, the next possible events, two runs compared."""
    if wanted and "live" not in wanted:
        return
    for theme in ("light", "dark"):
        live_in(theme)


def live_in(theme: str) -> None:
    """Draw the same in one theme."""
    window = opened("two-wings", (1440, 860), theme, "watch")
    run, head = window.session.live, window.playhead
    bring(window, 4.0, None)
    run.act({"do": "crash", "process": "6"})
    until(lambda: run.waiting and bool(run.done))
    window.actions_by_name["view_pending"].trigger()
    head.play()
    wait(1800)
    head.pause()
    until(lambda: run.waiting)
    if window.interference.toast is not None:
        window.interference.toast.put_away()
    wait(600)
    keep(window, f"live/crash-{theme}")
    head.set_speed(1000.0)
    head.play()
    until(lambda: run.quiet)
    window.actions_by_name["view_pending"].trigger()
    window.history.comparing.compare_branch(0)
    until(lambda: window.history.comparing.ready)
    wait(600)
    bring(window, 6.0, None)
    keep(window, f"live/compared-{theme}")
    window.close()
    wait(100)


def catalogue(wanted: set[str]) -> None:
    """Draw the archive with its cards and the page of a protocol."""
    if wanted and "archive" not in wanted:
        return
    for theme in ("light", "dark"):
        window = opened("two-wings", (1280, 800), theme, "watch")
        window.workspaces.show("archive")
        w = window.workspaces.archive.made()
        until(lambda w=w: w.catalogue.entries)  # type: ignore[misc]
        w.show_protocol("echo")
        w.page.show_tab("guide")
        until(lambda w=w: not w.runs.pictures.busy, 120)  # type: ignore[misc]
        small = w.page.thumbnail
        until(lambda small=small: small.timeline is not None)  # type: ignore[misc]
        small.playhead.pause()
        small.playhead.seek(7.2)
        wait(600)
        keep(w, f"archive-{theme}")
        window.close()
        wait(100)


def lessons(wanted: set[str]) -> None:
    """Draw a question of a lesson, its prediction and the result, in both themes."""
    if wanted and "lessons" not in wanted:
        return
    for theme in ("light", "dark"):
        window = opened("two-wings", (1280, 720), theme, "watch")
        window.lessons.open("echo")
        window.lessons.go(1)
        until(lambda: window.lessons.mine and not window.session.worker.busy)  # noqa: B023 - used at once
        assert window.lessons.panel is not None
        card = window.lessons.panel.questions[0]
        card.fill("40")
        card.commit()
        window.lessons.watching.compare()
        wait(500)
        keep(window, f"lessons-{theme}")
        window.lessons.progress.answers.clear()
        window.lessons.progress.outcomes.clear()
        window.lessons.keep()
        window.close()


def assignments(wanted: set[str]) -> None:
    """Draw an assignment that is being solved, a page of feedback and the lecturer's page; the pages need Chromium."""
    if wanted and "assignments" not in wanted:
        return
    assignment = read(ROOT / "resources" / "assignments" / ASSIGNMENT)
    with tempfile.TemporaryDirectory(prefix=HOME) as home:
        folder = Path(home) / ASSIGNMENT
        for theme in ("light", "dark"):
            shutil.rmtree(folder, ignore_errors=True)
            given = {**student_files(assignment), f"work/{assignment.protocol}": assignment.files[MISTAKE]}
            for name, text in given.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, encoding="utf-8")
            window = opened(None, (1600, 900), theme, "watch")
            window.documents.open(folder)
            solving = window.workspaces.assignment.solving
            until(lambda: len(solving.fresh) == len(assignment.public) and not solving.busy, 120)  # noqa: B023
            wait(500)
            keep(window, f"assignment-{theme}")
            window.close()
        sent = Path(home) / "sent"
        files = itertools.cycle([None, *mutants_of(assignment)])
        for number, (name, file) in enumerate(zip(NAMES, files, strict=False)):
            text = assignment.reference[assignment.protocol] if file is None else assignment.files[file]
            (sent / name).mkdir(parents=True)
            for other, content in {**assignment.reference, assignment.protocol: f"{text}\n# {number}\n"}.items():
                (sent / name / other).write_text(content, encoding="utf-8")
        grades = grade(assignment.folder, sent, Path(home) / "grades")
        shot(grades.folder / "index.html", "grades", (1600, 900))
        worst = min(grades.results, key=lambda each: each["points"])
        shot(grades.folder / "feedback" / f"{worst['id']}.html", "feedback", (1000, 1400))


def mutants_of(assignment: Assignment) -> list[str]:
    """Return the files of the mutants of an assignment."""
    return sorted(name for name in assignment.files if name.startswith("lecturer/mutants/"))


def shot(page: Path, name: str, size: tuple[int, int]) -> None:
    """Save the picture of a page as Chromium shows it; without Chromium, say so and keep the old one."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    path = FOLDER / f"{name}.png"
    if found is None:
        print(f"{path.relative_to(ROOT)}: not drawn, because there is no Chromium")
        return
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [found, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
             f"--window-size={size[0]},{size[1]}", f"--screenshot={path}", page.as_uri()],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
    small(QPixmap(str(path)), path)
    print(path.relative_to(ROOT))


def games(wanted: set[str]) -> None:
    """Draw a game against an algorithm after three steps, in both themes."""
    if wanted and "games" not in wanted:
        return
    for theme in ("light", "dark"):
        window = opened(None, (1600, 900), theme, "watch")
        window.room.open("lamport-two")
        until(lambda: window.room.playing.position is not None)  # noqa: B023 - used at once
        for number in (1, 1, 2):
            wait(700)
            window.room.column.list.take(number)
        wait(700)
        window.room.playing.show_hints("far")
        wait(2500)
        keep(window, f"game-{theme}")
        window.close()


def classes(wanted: set[str]) -> None:
    """Draw a class: the window of its host, the projector, and the phones; the phones need Chromium."""
    if wanted and "classes" not in wanted:
        return
    for theme in ("light", "dark"):
        window = opened("two-wings", (1440, 900), theme, "watch")
        room = window.classroom
        hosting = room.hosting
        room.host_game()
        assert room.sheet is not None
        room.sheet.form.say({"reach": "", "players": 10})
        room.sheet.send()
        until(lambda hosting=hosting: hosting.welcome is not None and hosting.room is not None)  # type: ignore[misc]
        assert hosting.welcome is not None
        address = hosting.welcome.address.removeprefix("http://").partition("/")[0]
        people = People(f"http://{address}", hosting.code, theme)
        with tempfile.TemporaryDirectory() as folder:
            phones = class_in(window, people, Path(folder), theme)
            if theme == "light":
                beside(phones, FOLDER / "class-phones.png")
        room.end()
        until(lambda hosting=hosting: not hosting.on)  # type: ignore[misc]
        people.end()
        window.close()


def class_in(window: MainWindow, people: People, folder: Path, theme: str) -> list[Path]:
    """Play two rounds of the game with apples, and draw the host and the projector; return pictures of a phone."""
    room = window.classroom
    hosting = room.hosting

    def here(count: int) -> bool:
        return len(hosting.everybody) >= count

    def phase(name: str) -> bool:
        return hosting.room is not None and hosting.room.phase == name

    people.open("")
    phones = [people.shot("", folder / "join.png")]
    people.come("Ana", "Ben")
    until(lambda: here(2))
    people.open("Chiara", "Dina")
    people.come("Emil", "Farid", "Greta", "Hugo")
    until(lambda: here(8))
    people.come("Ines", "Jonas", "Kaya", "Leon")
    until(lambda: here(12))
    room.show_projector()
    wait(300)
    assert room.projector is not None
    if theme == "dark":
        keep(room.projector, "class-projector")
    hosting.lead("act", act=3)
    until(lambda: hosting.room is not None and hosting.room.act == 3 and hosting.histogram is not None)
    for page in ("Chiara", "Dina"):
        people.do(people.pages[page].type("[data-key=number]", "6"))
        people.do(people.pages[page].click("Seal my answer"))
    for number in (1, 2):
        room.next()
        until(lambda: phase("open"))
        for page in ("Chiara", "Dina"):
            people.obey(page)
            if page == "Chiara" and number == 2:
                phones.append(people.shot(page, folder / "choose.png"))
            if page == "Chiara" or number == 1:
                people.do(people.pages[page].click("Seal"))
        if number == 2:
            people.do(people.pages["Chiara"].until_text("Change"))
            phones.append(people.shot("Chiara", folder / "sealed.png"))
            wait(1500)
            keep(window, f"class-host-{theme}")
            room.next()
        until(lambda: phase("between"))
        people.do(people.pages["Chiara"].until("document.querySelector('.tale')"))
    phones.append(people.shot("Chiara", folder / "story.png"))
    room.projector.close()
    return phones


def beside(paths: list[Path], path: Path) -> None:
    """Save pictures side by side as one."""
    images, gap = [QPixmap(str(each)) for each in paths], 16
    whole = QPixmap(sum(each.width() + gap for each in images) + gap, images[0].height() + 2 * gap)
    whole.fill(QColor("#C9CED6"))
    painter, x = QPainter(whole), gap
    for each in images:
        painter.drawPixmap(x, gap, each)
        x += each.width() + gap
    painter.end()
    small(whole, path)
    print(path.relative_to(ROOT))


def notebooks(wanted: set[str]) -> None:
    """Draw the beginning of the first notebook after it was executed, in both themes; it needs Chromium."""
    if wanted and "notebooks" not in wanted:
        return
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    path = ROOT / "resources" / "notebooks" / "first-steps.ipynb"
    book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory(prefix=HOME) as folder:
        done = NotebookClient(book, timeout=120, resources={"metadata": {"path": folder}}).execute()
        for theme in ("light", "dark"):
            exporter = HTMLExporter(theme=theme)  # type: ignore[no-untyped-call]
            exporter.mathjax_url = exporter.require_js_url = exporter.jquery_url = ""  # nothing is fetched
            page = Path(folder) / f"{theme}.html"
            page.write_text(exporter.from_notebook_node(done)[0], encoding="utf-8")
            shot(page, f"notebook-{theme}", (1000, 1022))


def systems(wanted: set[str]) -> None:
    """Draw the network of each system from research papers, in the middle of a run, in both themes."""
    for name, experiment, t in SYSTEMS:
        if wanted and not wanted & {"systems", name}:
            continue
        timeline = Timeline(Simulator(archive().experiment(experiment)).run().trace)
        for theme in ("light", "dark"):
            path = FOLDER / "systems" / f"{name}-{theme}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            size = (1200, 750) if name in ROOMY else (960, 600)
            render(timeline, None, "basic", t, path, size=size, theme=theme)
            small(QPixmap(str(path)), path)
            print(path.relative_to(ROOT))


def programs(wanted: set[str]) -> None:
    """Draw the program of the guide's page on programs in the window, with a partition made by hand, in both themes."""
    if wanted and "programs" not in wanted:
        return
    page = (ROOT / "resources" / "guide" / "programs.md").read_text(encoding="utf-8")
    source = page.partition("```python file=broadcast.py\n")[2].partition("```")[0]
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("broadcast.py").write_text(source, encoding="utf-8")
        for theme in ("light", "dark"):
            window = opened(None, (1440, 900), theme, "watch")
            window.desk.commands.do("run_programs")
            panel = window.programs.panel
            panel.command.setText("python3 broadcast.py")
            panel.network.setCurrentText("grid:3x3")
            panel.form.say({"workload": "broadcast", "duration": 60_000, "rate": 12.0})
            panel.go.click()
            until(lambda: window.desk.programs.shown)  # noqa: B023 - used at once
            until(lambda: window.playhead.timeline.m_messages > 150)  # type: ignore[union-attr]  # noqa: B023
            rest = [f"{kind}{k}" for kind in "nc" for k in range(9) if k not in (0, 1, 3)]
            groups = [[f"{kind}{k}" for kind in "nc" for k in (0, 1, 3)], rest]
            window.interference.act([{"do": "partition", "groups": groups}])
            before = window.playhead.timeline.m_messages  # type: ignore[union-attr]
            until(lambda: window.playhead.timeline.m_messages > before + 60)  # type: ignore[union-attr]  # noqa: B023
            keep(window, f"programs-{theme}")
            window.desk.commands.do("stop")
            until(lambda: not window.desk.programs.on)  # noqa: B023
            window.close()
            wait(100)


def figures(wanted: set[str]) -> None:
    """Draw the figures of sweeps with published numbers, in both themes; only on request."""
    from dataclasses import replace

    from lydian.batch.folder import read_folder
    from lydian.batch.sweep.file import load

    for name, changes in FIGURES:
        if not wanted & {"figures", name}:
            continue
        file, results = ROOT / "resources" / "experiments" / "sweeps" / f"{name}.toml", RESULTS / name
        if not results.is_dir():
            results.parent.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, "-m", "lydian", "batch", str(file), "-o", str(results)]
            subprocess.run(command, cwd=ROOT, check=False)  # the exit code is 1 if a planted bug is caught
        found = results_of(read_folder(results).table().sort_by("run"), load(file))
        plot = plot_of(found, replace(sensible(found), **changes))  # type: ignore[arg-type]
        for theme in ("light", "dark"):
            path = FOLDER / "figures" / f"{name}-{theme}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_plot(plot, path, size=(640, 360), theme=theme, scale=1.5)
            small(QPixmap(str(path)), path)
            print(path.relative_to(ROOT))


def keys() -> None:
    """Insert the table of keys into the page about playing."""
    before, begin, rest = KEYS.read_text(encoding="utf-8").partition(BEGIN)
    _old, end, after = rest.partition(END)
    KEYS.write_text(before + begin + "\n" + keys_table() + "\n" + end + after, encoding="utf-8")
    print(KEYS.relative_to(ROOT))


def main() -> int:
    application(["lydian"])
    QCursor.setPos(9999, 9999)  # so that nothing looks as it does under the pointer
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[1:])
    windows(wanted)
    docks(wanted)
    editors(wanted)
    protocols(wanted)
    live(wanted)
    catalogue(wanted)
    lessons(wanted)
    assignments(wanted)
    games(wanted)
    classes(wanted)
    notebooks(wanted)
    systems(wanted)
    programs(wanted)
    figures(wanted)
    if not wanted or "keys" in wanted:
        keys()
    if not wanted or "all-views" in wanted:
        trace = Simulator(archive().experiment("two-wings")).run().trace
        path = render(Timeline(trace), None, "all", 8.0, FOLDER / "all-views.png", size=(1600, 1000))
        small(QPixmap(str(path)), path)
        print(path.relative_to(ROOT))
    if not wanted or "loop" in wanted:
        window = opened("two-wings", (1024, 600), "light", "watch")
        film(window, FOLDER / "loop.gif")
        window.close()
        print((FOLDER / "loop.gif").relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
