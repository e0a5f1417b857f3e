"""The setting shared by all tests: Qt off screen, a separate home folder, and a check that nothing is left running."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HOME = Path(tempfile.mkdtemp(prefix="lydian-tests-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
# This precedes any import of Qt or LYDIAN, and applies to the child processes of the tests too.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["LYDIAN_HOME"] = str(HOME / "home")
os.environ["XDG_CONFIG_HOME"] = str(HOME / "config")
os.environ["XDG_DATA_HOME"] = str(HOME / "share")
# Idle threads of numerical libraries would take processor time from other tests.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_SCALE_FACTOR", "QT_STYLE_OVERRIDE"):
    os.environ.pop(name, None)
# The tests start some thousand children, which find our modules compiled instead of each compiling them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

import pytest
from hypothesis import settings

from tests import nursery

ROOT = Path(__file__).resolve().parent.parent
OURS = str(ROOT)

# There is no deadline: machines are shared, and the duration of an example reveals nothing about the program.
settings.register_profile("dev", deadline=None, max_examples=20)
settings.register_profile("all", deadline=None, max_examples=100)  # make test-all
settings.register_profile("ci", deadline=None, max_examples=20, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))

#: Files that share something expensive are one unit of work: a Spark that stays ready after the first of them, and the
#: runs of the archive's experiments (``tests/archive/ran.py``).
TOGETHER = {
    "tests/batch/test_spark.py": "a Spark",
    "tests/batch/test_oddest.py": "a Spark",
    "tests/batch/test_reliability.py": "a Spark",
    "tests/archive/test_experiments.py": "experiments",
    "tests/golden/test_fingerprints.py": "experiments",
    "tests/engine/test_lessonplay.py": "experiments",
    "tests/archive/test_role_dht.py": "experiments",
    "tests/archive/test_chord_scribe.py": "experiments",
    "tests/archive/test_mobile_dag.py": "experiments",
    "tests/archive/test_skip_ring.py": "experiments",
    "tests/archive/test_labels.py": "experiments",
    "tests/archive/test_panels.py": "experiments",
    "tests/archive/test_sentences.py": "experiments",
}
#: The slowest files begin first, so that no processor is left alone with one of them at the end.
LONG = (
    *TOGETHER,
    "tests/app/test_sweep.py",
    "tests/app/test_editor_workspace.py",
    "tests/app/test_session.py",
    "tests/app/test_window.py",
    "tests/app/test_survival.py",
    "tests/app/test_archive_window.py",
    "tests/cli/test_supervisor.py",
    "tests/archive/test_protocols.py",
    "tests/app/test_faults.py",
    "tests/test_guide.py",
    "tests/app/test_memory.py",
    "tests/app/test_growth.py",
    "tests/engine/test_survival.py",
)

#: Children of the test run that are kept throughout, Python's own and ours.
PYTHONS_OWN = ("multiprocessing.resource_tracker", "multiprocessing.forkserver", "tests/nursery.py")
#: The seconds that a thread or child may take to end.
PATIENCE = 3.0


def pytest_report_header() -> str:
    return f"LYDIAN_HOME={os.environ['LYDIAN_HOME']}, hypothesis profile {settings.get_current_profile_name()}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one worker more than there are processors, because a quarter of the time is spent waiting for children."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Distribute files as units of work, in the order of :func:`pytest_collection_modifyitems`, if there are several
    processors.
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Files(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::", 1)[0]
            return TOGETHER.get(file, file)

    config.option.loadscopereorder = False
    return Files(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On several processors, put the slow files first, then those with many tests, so that short ones fill the gaps."""
    if hasattr(config, "workerinput"):
        files = [item.nodeid.split("::", 1)[0] for item in items]
        count = Counter(files)
        place = {file: (LONG.index(file) if file in LONG else len(LONG), -count[file], file) for file in count}
        order = sorted(range(len(items)), key=lambda index: place[files[index]])
        items[:] = [items[index] for index in order]


def pytest_collection_finish() -> None:
    """Exempt the modules loaded so far from garbage collection, which saves a tenth of the time of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


class Watch:
    """Records where threads and Qt timers are started, so that a test that leaves one behind can report the place."""

    def __init__(self) -> None:
        self.threads: weakref.WeakKeyDictionary[threading.Thread, str] = weakref.WeakKeyDictionary()
        self.timers: list[tuple[weakref.ref, str]] = []

    def install(self) -> None:
        start_thread = threading.Thread.start

        def start(thread: threading.Thread) -> None:
            self.threads[thread] = where()
            start_thread(thread)

        threading.Thread.start = start  # type: ignore[method-assign]
        try:
            from PySide6.QtCore import QTimer
        except ImportError:
            return
        start_timer = QTimer.start

        def start_noted(timer: QTimer, *args: object) -> None:
            self.timers.append((weakref.ref(timer), where()))
            start_timer(timer, *args)

        QTimer.start = start_noted

    def left_threads(self, before: set[threading.Thread]) -> list[str]:
        left = []
        for thread in threading.enumerate():
            if thread in before or isinstance(thread, threading._DummyThread):
                continue
            thread.join(PATIENCE)
            if thread.is_alive():
                left.append(f"thread {thread.name!r}, started at {self.threads.get(thread, '?')}")
        return left

    def left_timers(self) -> list[str]:
        noted, self.timers = self.timers, []
        if not noted:
            return []
        from PySide6.QtCore import QCoreApplication, QEvent
        from shiboken6 import isValid

        # widgets that a closed window scheduled for deletion are deleted now
        if QCoreApplication.instance() is not None:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = []
        for reference, place in noted:
            timer = reference()
            if timer is not None and isValid(timer) and timer.isActive():
                left.append(f"running QTimer (every {timer.interval()} ms), started at {place}")
                timer.stop()
        return left


def where() -> str:
    """Return the innermost line of our code on the stack, as file:line in function."""
    frame = nearest = sys._getframe(2)
    while frame is not None:  # not traceback.extract_stack, which reads every file: tests start thousands of threads
        file = frame.f_code.co_filename
        if file.startswith(OURS) and not file.endswith("conftest.py"):
            break
        frame = frame.f_back
    frame = nearest if frame is None else frame
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"


def children() -> dict[int, str]:
    """Map process ids to command lines of running child processes (Linux only, otherwise empty)."""
    found = {}
    for list_of_ids in Path("/proc/self/task").glob("*/children"):
        try:
            ids = [int(word) for word in list_of_ids.read_text().split()]
        except OSError:  # the thread has ended meanwhile
            continue
        for child in ids:
            try:
                words = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                ended = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
            except OSError:
                continue
            if not ended and not any(own in words for own in PYTHONS_OWN):
                found[child] = words.strip()
    return found


def left_children(before: dict[int, str]) -> list[str]:
    new = {child: words for child, words in children().items() if child not in before}
    waited = threading.Event()
    for _ in range(int(PATIENCE / 0.05)):
        if not new:
            break
        waited.wait(0.05)
        alive = children()
        # its command line may change: fork, then exec
        new = {child: words for child, words in alive.items() if child in new}
    return [f"child process {child}: {words[:200]}" for child, words in new.items()]


WATCH = Watch()
WATCH.install()


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a child process or a running QTimer, and report where it was started."""
    threads, processes = set(threading.enumerate()), children()
    WATCH.timers.clear()
    yield
    if request.node.get_closest_marker("leaves_behind"):
        return
    left = [*WATCH.left_timers(), *WATCH.left_threads(threads), *left_children(processes)]
    if left:
        pytest.fail("left behind:\n  " + "\n  ".join(left), pytrace=False)


@pytest.fixture(scope="module", autouse=True)
def forked_children(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fork simulators instead of starting them, except where starting is what is tested; see tests/nursery.py."""
    if sys.platform != "linux" or request.module.__name__ in nursery.REAL:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        nursery.shared.serve(patch)
        yield


@pytest.fixture(scope="session")
def one_catalogue() -> Iterator[None]:
    """Share the data read by one catalogue with all others; changed files are still read again."""
    from lydian.model.archive.catalogue import Reader

    begin = Reader.__init__
    protocols: dict[Path, Any] = {}
    trials: dict[Path, Any] = {}

    def begun(reader: Reader, *args: Any) -> None:
        begin(reader, *args)
        reader._protocols, reader._trials = protocols, trials

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reader, "__init__", begun)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the repository."""
    return ROOT


@pytest.fixture
def python_env(tmp_path: Path) -> dict[str, str]:
    """Return an environment for a child Python with this repository's package and a separate home folder."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONHASHSEED", "LANGUAGE", "COLUMNS")}
    return env | {
        "PYTHONPATH": str(ROOT),
        "LYDIAN_HOME": str(tmp_path / "home"),
        "PYTHONWARNINGS": "default",
        "PYTHONUTF8": "1",
    }


assert "lydian" not in sys.modules, "the environment must be set before the package is imported"
