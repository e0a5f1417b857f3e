"""Regenerate requirements.lock and requirements-run.lock: exact versions and hashes for Python 3.11 to 3.13, without
the address of any registry.

For maintainers: needs ``uv`` (from the PATH, otherwise installed into build/uv). ``make lock`` runs this script.
Locked versions are kept unless ``--upgrade`` is given.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
RUN = ROOT / "requirements-run.lock"
#: Addresses must not occur in the file: each installation chooses its own source of packages.
ADDRESS = re.compile(r"[a-z+]+://|\bfile:|--(extra-)?index-url|--find-links|^-[if]\b", re.MULTILINE)


def main() -> int:
    more = sys.argv[1:]
    everything = compiled(LOCK, "--extra", "app", "--extra", "movies", "--extra", "spark", "--group", "dev", *more)
    # make run installs a part of it, in the same versions
    return everything or compiled(
        RUN, "--extra", "app", "--extra", "movies", "--group", "build", "--constraint", str(LOCK)
    )


def compiled(lock: Path, *wanted: str) -> int:
    """Write a lock; return the exit code."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".lock-") as folder:
        new = Path(folder) / lock.name
        if lock.exists() and lock is LOCK:
            shutil.copy(lock, new)  # uv keeps the versions that it finds in its output file
        subprocess.run(
            [
                uv(), "pip", "compile", "pyproject.toml", *wanted, "--universal", "--python-version", "3.11",
                "--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-config", "--quiet",
                "--output-file", str(new),
            ],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        text = new.read_text(encoding="utf-8")
        if address := ADDRESS.search(text):
            print(f"{lock.name} is unchanged: it would contain an address ({address.group()})", file=sys.stderr)
            return 1
        os.replace(new, lock)
    print(f"{lock.name}: {text.count('==')} versions, {text.count('--hash=')} hashes")
    return 0


def uv() -> str:
    """Return the path of uv, installed into build/uv if there is none."""
    if found := shutil.which("uv"):
        return found
    place = ROOT / "build" / "uv"
    program = place / ("Scripts/uv.exe" if os.name == "nt" else "bin/uv")
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        python = program.with_name("python.exe" if os.name == "nt" else "python")
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(program)


if __name__ == "__main__":
    sys.exit(main())
