"""The ready assignments that come with LYDIAN: copies of them for a lecturer, and of their packages for a student."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lydian.assignment.assignment import FILE, read
from lydian.assignment.package import student_files
from lydian.model.archive.shelves import our_folder, shelves
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.names import natural
from lydian.model.reading import parse_toml, read_text, write_text

__all__ = ["Ready", "begin", "copy_of", "ready"]


@dataclass(frozen=True)
class Ready:
    """A ready assignment.

    Attributes:
        folder: its folder, with the lecturer's files.
        title: what it is called.
        about: the first paragraph of its text.
        number: its place in the course, ``None`` for none.
        minutes: the estimated time, 0 if it is not given.
    """

    folder: Path
    title: str
    about: str = ""
    number: int | None = None
    minutes: int = 0

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name


def ready() -> tuple[Ready, ...]:
    """Return the ready assignments in the order of the course; what cannot be read is left out."""
    found = []
    for root in shelves().roots:
        for file in (root / "resources" / "assignments").glob(f"*/{FILE}"):
            try:
                found.append(_told(file))
            except (BadInput, OSError):
                continue
    return tuple(sorted(found, key=lambda each: (each.number is None, each.number or 0, natural(each.title))))


def _told(file: Path) -> Ready:
    data = parse_toml(read_text(file, "an assignment"), file)
    text = file.with_name("text.md")
    about = ""
    if text.is_file():
        paragraphs = text.read_text(encoding="utf-8").split("\n\n")
        about = next((" ".join(each.split()) for each in paragraphs if each.strip() and not each.startswith("#")), "")
        about = re.sub(r"[*`]", "", about)  # the marks of Markdown
    number, minutes = data.get("number"), data.get("minutes")
    return Ready(
        file.parent, str(data.get("title", file.parent.name)), about,
        number if isinstance(number, int) else None, minutes if isinstance(minutes, int) else 0,
    )  # fmt: skip


def copy_of(folder: Path) -> Path:
    """Return the user's copy of the students' package of an assignment, which is made at the first call.

    Raises:
        BadInput: the assignment cannot be used, or the copy cannot be written.
    """
    home = shelves().user
    if home is None:
        raise BadInput("your own folder is unknown; set LYDIAN_HOME to a folder")
    target = home / "assignments" / folder.name
    if not (target / FILE).is_file():
        files = student_files(read(folder))
        for name in sorted(files, key=lambda each: each == FILE):  # its own file last: then it is complete
            try:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadInput(f"cannot be created ({(error.strerror or str(error)).lower()})", file=target) from None
            write_text(target / name, files[name])
    return target


def begin(folder: Path, like: str = "") -> None:
    """Write a small complete assignment into a new folder, or a copy of a ready one.

    Args:
        like: the name of the ready assignment.

    Raises:
        BadInput: the folder exists already, or cannot be written; there is no such ready assignment.
    """
    if folder.exists():
        raise BadInput("this folder already exists; choose another name", file=folder)
    if not folder.parent.is_dir():
        raise BadInput("its folder does not exist; create it first", file=folder)
    template = our_folder() / "resources" / "templates" / "assignment"
    if like:
        known = {each.name: each.folder for each in ready()}
        if like not in known:
            what = f"unknown ready assignment {shown(like)}{did_you_mean(like, known)}; choose from {', '.join(known)}"
            raise BadInput(what)
        template = known[like]
    title = re.sub(r"[-_]+", " ", folder.name).strip()
    title = title[:1].upper() + title[1:]
    for path in sorted(template.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        target = folder / path.relative_to(template)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot be created ({(error.strerror or str(error)).lower()})", file=folder) from None
        write_text(target, read_text(path, "a file of the template").replace("template-title", title))
