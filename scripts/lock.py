"""Writes requirements.lock anew: exact versions and hashes for Python 3.11 to 3.13, no address of any registry.

For maintainers: needs ``uv`` (on the PATH, or else it is installed into build/uv).  ``make lock`` calls it.
Versions that are locked already stay unless ``--upgrade`` is given.
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
#: What must not stand in the file: whoever installs chooses where packages come from.
ADDRESS = re.compile(r"[a-z+]+://|\bfile:|--(extra-)?index-url|--find-links|^-[if]\b", re.MULTILINE)


def main() -> int:
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".lock-") as folder:
        new = Path(folder) / LOCK.name
        if LOCK.exists():
            shutil.copy(LOCK, new)  # uv keeps the versions that it finds in its output file
        subprocess.run(
            [
                uv(), "pip", "compile", "pyproject.toml", "--extra", "spark", "--group", "dev",
                "--universal", "--python-version", "3.11", "--generate-hashes",
                "--no-header", "--no-annotate", "--no-emit-index-url", "--no-config", "--quiet",
                "--output-file", str(new), *sys.argv[1:],
            ],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        text = new.read_text(encoding="utf-8")
        if address := ADDRESS.search(text):
            print(f"requirements.lock would hold an address ({address.group()}): left as it was.", file=sys.stderr)
            return 1
        os.replace(new, LOCK)
    print(f"requirements.lock: {text.count('==')} versions, {text.count('--hash=')} hashes")
    return 0


def uv() -> str:
    """The uv to use, installed into build/uv if there is none."""
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
