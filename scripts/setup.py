"""Create ``.venv`` with everything in requirements.lock and LYDIAN itself; do nothing if it is up to date.

Usage: ``python3 scripts/setup.py [--run] [--again]`` on Linux, macOS and Windows, with Python 3.11, 3.12 or 3.13;
``make venv`` runs it. With ``--run``, as ``make run`` has it, the tools for developers and Spark with its Java are left
out: requirements-run.lock lists the rest. A stamp in ``.venv`` is written last, so that an interrupted installation is
continued.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "lydian-stamp"
LOCK, RUN_LOCK = ROOT / "requirements.lock", ROOT / "requirements-run.lock"
#: The end of the stamp of an environment with everything.
WHOLE = " with everything\n"
OLDEST, NEWEST = (3, 11), (3, 13)


def main() -> int:
    again = "--again" in sys.argv[1:]
    python, version = suitable_python()
    if not python:
        print(
            "LYDIAN needs Python 3.11, 3.12 or 3.13, but this is {}.{}: install one of them, "
            "or name one: make run PYTHON=/path/to/python3.12".format(*sys.version_info[:2]),
            file=sys.stderr,
        )
        return 1
    lock = RUN_LOCK if "--run" in sys.argv[1:] else LOCK
    stamp, whole = wanted_stamp(version, lock), wanted_stamp(version, LOCK)
    if not again and read(STAMP) in (stamp, whole) and runs(venv_python()):  # whoever has everything can run it
        return 0
    if not again and lock is RUN_LOCK and read(STAMP).endswith(WHOLE):  # an older environment of a developer
        lock, stamp = LOCK, whole
    target = "run" if lock is RUN_LOCK else "venv"
    if VENV.exists() and not os.access(VENV, os.W_OK):
        print(f"{VENV} belongs to another user (sudo?): remove it and run make {target} again.", file=sys.stderr)
        return 1
    try:
        install(python, version, stamp, lock)
    except subprocess.CalledProcessError as error:
        print(
            f"Setting up {VENV} failed (exit code {error.returncode}); see the lines above for the reason. "
            f"Run make {target} to continue.",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print(f"\nInterrupted; run make {target} to continue.", file=sys.stderr)
        return 130
    return 0


def install(python: str, version: str, stamp: str, lock: Path) -> None:
    """Create or complete ``.venv``; raise CalledProcessError if a step fails."""
    STAMP.unlink(missing_ok=True)
    if not (runs(venv_python(), "import pip") and version_of(venv_python()) == version):
        if VENV.exists():
            shutil.rmtree(VENV)
        print(f"Creating {VENV} with Python {version}", flush=True)
        if not runs(python, "import ensurepip, venv"):
            print(
                "This Python cannot create environments (no ensurepip): run make deps, which installs python3-venv.",
                file=sys.stderr,
            )
            raise subprocess.CalledProcessError(1, "venv")
        run(python, "-m", "venv", str(VENV))
    count = sum(1 for line in lock.read_text(encoding="utf-8").splitlines() if "==" in line)
    what = "Qt, numpy, Arrow, SciPy, PyAV; about 800 MB on disk, half a minute"
    if lock is LOCK:
        what = "Qt, numpy, Arrow, Spark with its Java, the test tools; about 1.5 GB on disk, a minute or two"
    print(f"Installing the {count} packages of {lock.name} ({what})", flush=True)
    # Without pep517, an old pip builds pyspark in its own way and prints a warning.
    pip("install", "--use-pep517", "--require-hashes", "-r", str(lock))
    pip("install", "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT))
    STAMP.write_text(stamp, encoding="utf-8")
    print(f"Ready: {venv_python('lydian')}", flush=True)


def suitable_python() -> tuple[str, str]:
    """Return path and version ("3.12") of a suitable Python, never the one in ``.venv``; empty strings if there is
    none.
    """
    own = getattr(sys, "_base_executable", "") or sys.executable
    if Path(sys.prefix).resolve() != VENV.resolve():
        own = sys.executable
    names = [own, *(f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1))]
    for name in names:
        path = shutil.which(name)
        version = version_of(path) if path else ""
        if path and version and OLDEST <= tuple(int(part) for part in version.split(".")) <= NEWEST:
            return path, version
    return "", ""


def wanted_stamp(version: str, lock: Path) -> str:
    """Return the stamp of an up-to-date ``.venv``, which depends on the lock, the metadata, Python and the path."""
    digest = hashlib.sha256()
    for file in (lock, ROOT / "pyproject.toml"):
        digest.update(file.read_bytes())
    return f"{version} {digest.hexdigest()} {ROOT}" + (WHOLE if lock is LOCK else "\n")


def venv_python(name: str = "python") -> str:
    """Return the path of a program in ``.venv``."""
    return str(VENV / "Scripts" / f"{name}.exe" if os.name == "nt" else VENV / "bin" / name)


def pip(*words: str) -> None:
    run(venv_python(), "-m", "pip", "--disable-pip-version-check", "--no-input", *words)


def run(*words: str) -> None:
    subprocess.run(words, check=True)


def runs(python: str, code: str = "") -> bool:
    """Return whether this Python starts and the code raises no exception."""
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def version_of(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
