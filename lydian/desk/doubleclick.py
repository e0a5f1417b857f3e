"""The registration of hand-ins (``.lydian``) and of links (``lydian://``) with the desktop, and its removal.

On Linux, a desktop reads file types and the programs that open them from files below the user's own
``$XDG_DATA_HOME`` (freedesktop.org: *Shared MIME-info Database*, *Desktop Entry Specification*, *Icon Theme
Specification*). This requires no administrator rights, and nothing is written unless the user asks for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from lydian.desk.links import SCHEME
from lydian.language import tr
from lydian.model.archive.handin import SUFFIX
from lydian.model.archive.shelves import our_folder
from lydian.model.childprocess import command
from lydian.model.errors import BadInput
from lydian.model.reading import write_text

__all__ = ["TYPE", "install", "installed", "possible", "remove"]

#: The MIME type of a hand-in.
TYPE = "application/x-lydian-hand-in"
_ENTRY = "lydian.desktop"
#: The icon's colour on the desktop; in the window it has the colour of the theme.
_BLUE = "#0B57C4"
_KIND = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{TYPE}">
    <comment>LYDIAN hand-in</comment>
    <sub-class-of type="application/zip"/>
    <icon name="{TYPE.replace("/", "-")}"/>
    <glob pattern="*{SUFFIX}"/>
  </mime-type>
</mime-info>
"""


def possible() -> bool:
    """Return True if this computer's desktop can be configured in this way."""
    return sys.platform.startswith("linux")


def installed() -> bool:
    """Return True if a double click opens a hand-in with this installation of LYDIAN."""
    try:
        return possible() and all(path.read_text(encoding="utf-8") == text for path, text in _files().items())
    except (OSError, ValueError):
        return False


def install() -> list[Path]:
    """Make a double click open hand-ins, and return the files that were written.

    Raises:
        BadInput: this is not a Linux desktop, or a file cannot be written.
    """
    _need()
    files = _files()
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(
                tr("this folder cannot be created: {reason}", reason=error.strerror), file=path.parent
            ) from None
        write_text(path, text)
    _tell_desktop()  # LYDIAN is the only program registered for these files, so the desktop opens them with it
    return list(files)


def remove() -> list[Path]:
    """Undo :func:`install`, and return the files that were removed.

    Raises:
        BadInput: this is not a Linux desktop, or a file cannot be removed.
    """
    _need()
    gone = []
    for path in _files():
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadInput(tr("this file cannot be removed: {reason}", reason=error.strerror), file=path) from None
        gone.append(path)
    _tell_desktop()
    return gone


def _need() -> None:
    if not possible():
        raise BadInput(
            tr(
                "LYDIAN can set this only on a Linux desktop; elsewhere choose Open With for a .lydian "
                "file, then the program {program} and Always",
                program=_program()[0],
            )
        )


def _program() -> list[str]:
    """Return the command line that starts this installation of LYDIAN."""
    script = Path(sys.executable).with_name("lydian.exe" if sys.platform == "win32" else "lydian")
    return [str(script)] if script.is_file() else command("-m", "lydian")


def _share() -> Path:
    """Return the user's own folder for data that programs share."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _files() -> dict[Path, str]:
    """Return the files that the desktop reads, with their contents."""
    share = _share()
    icons = share / "icons" / "hicolor" / "scalable"
    drawn = (our_folder() / "resources" / "icons" / "lydian.svg").read_text(encoding="utf-8")
    icon = drawn.replace("currentColor", _BLUE)
    entry = "\n".join((
        "[Desktop Entry]", "Type=Application", "Version=1.0", "Name=LYDIAN", "GenericName=Laboratory",
        "Comment=A laboratory for distributed algorithms",
        f"Exec={' '.join(map(_quoted, _program()))} open --in-window %u",
        "Icon=lydian", "Terminal=false", "Categories=Education;Science;ComputerScience;",
        f"MimeType={TYPE};x-scheme-handler/{SCHEME};", "StartupWMClass=lydian", "",
    ))  # fmt: skip
    return {
        share / "mime" / "packages" / "lydian.xml": _KIND,
        share / "applications" / _ENTRY: entry,
        icons / "apps" / "lydian.svg": icon,
        icons / "mimetypes" / f"{TYPE.replace('/', '-')}.svg": icon,
    }


def _quoted(word: str) -> str:
    """Quote a word of a command as a desktop entry requires."""
    plain = "".join(f"\\{each}" if each in '"`$\\' else each for each in word).replace("%", "%%")
    return '"' + plain.replace("\\", "\\\\") + '"'  # the entry's escapes are applied after the command's


def _tell_desktop() -> None:
    """Make the desktop read its folders again, if the programs for this are installed."""
    share = _share()
    for name, folder in (("update-mime-database", "mime"), ("update-desktop-database", "applications")):
        program = shutil.which(name)
        if program is not None and (share / folder).is_dir():
            _run(program, str(share / folder))


def _run(*words: str) -> None:
    try:
        subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return  # otherwise the desktop reads them at its next start
