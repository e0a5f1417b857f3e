"""The hand-ins in a folder or ZIP file, as course systems export them: one entry for each student, whatever is in it.

What is understood:

* hand-in files (``NAME.lydian``), anywhere in the folder;
* a folder for each student (Moodle's ``Ines Okafor_12345_assignsubmission_file_``, Gradescope's ``submission_12345``
  with its ``submission_metadata.yml``, or any other), with the files in it or in a folder below;
* a ZIP file for each student, or one that contains all of these;
* bare files: Canvas's ``okaforines_12345_67890_mutex.py``, or ``okafor-ines.py`` for a protocol.

Nothing is unpacked and nothing is executed. An entry that cannot be used has a reason instead of files.
"""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from lydian.assignment.assignment import ANSWERS, MOST_BYTES, Assignment
from lydian.assignment.handin import answers_from, read_hand_in
from lydian.model.errors import BadInput, LydianError

__all__ = ["Submission", "collect"]

#: The most files of one hand-in, and their largest total size in bytes; the same for what a whole export contains.
MOST_FILES, MOST_TOTAL = 300, 20_000_000
MOST_ENTRIES, MOST_EXPORT = 100_000, 4_000_000_000
_KEPT = (".py", ".toml", ".md", ".txt", ".lydian", ".zip", ".yml", ".json")
_MOODLE = re.compile(r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?.*$")
_CANVAS = re.compile(r"^(?P<name>[^\W_]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)$")
_IGNORED = ("__MACOSX", "__pycache__", ".DS_Store", ".git")


@dataclass(frozen=True)
class Submission:
    """The hand-in of one student.

    Attributes:
        id: a short name, unique in the class, for files and tables.
        student: the student's name as far as it is known.
        source: where it was found, in the folder of submissions.
        files: the files, name -> text.
        answers: check -> answer.
        made: when it was made, ``None`` if unknown.
        reason: why it cannot be marked, "" if it can.
        key: the number that the course system gave the student, "" if none.
    """

    id: str
    student: str
    source: str
    files: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    made: datetime | None = None
    reason: str = ""
    key: str = ""

    @property
    def digest(self) -> str:
        """A digest of what is marked."""
        told = sorted(self.files.items()), sorted((key, str(value)) for key, value in self.answers.items()), self.reason
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


@dataclass
class _Entry:
    """The files of one student that have been found so far: path in the entry -> content."""

    source: str
    name: str = ""
    key: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    made: datetime | None = None
    reason: str = ""
    size: int = 0


def collect(path: Path | str, assignment: Assignment) -> list[Submission]:
    """Return the hand-ins in a folder or file, ordered by name; each is listed even if it cannot be used.

    Raises:
        BadInput: there is no such folder, or nothing in it.
    """
    path = Path(path)
    if not path.exists():
        raise BadInput("there is no such folder; the hand-ins were expected here", file=path)
    entries: dict[str, _Entry] = {}
    if path.is_dir():
        for name, data in _in_folder(path):
            _sorted_in(entries, name, data)
    elif path.suffix.lower() == ".zip":
        _in_zip(entries, path)
    else:
        _sorted_in(entries, path.name, path.read_bytes())
    found = [each for entry in entries.values() for each in _submissions(entry, assignment)]
    if not found:
        raise BadInput(
            "there is no hand-in here; they are .lydian, .py or .zip files, or one folder for each student", file=path
        )
    return _unique(_latest(found))


# ---------------------------------------------------------------------- finding


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes | str]]:
    """Yield the files in a folder with their contents, or with the reason why a file cannot be used."""
    count = 0
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or any(part in _IGNORED or part.startswith("._") for part in path.relative_to(folder).parts):
            continue
        count += 1
        if count > MOST_ENTRIES:
            raise BadInput(f"contains more than {MOST_ENTRIES:,} files; choose the folder of the hand-ins", file=folder)
        if path.is_symlink():
            yield name, "it is a link to another place; hand in the file itself"
        elif path.suffix.lower() not in _KEPT:
            yield name, b""
        elif path.stat().st_size > MOST_TOTAL:
            yield name, f"{path.name} is larger than {MOST_TOTAL / 1e6:g} MB"
        else:
            try:
                yield name, path.read_bytes()
            except OSError as error:
                yield name, f"{path.name} cannot be read ({(error.strerror or str(error)).lower()})"


def _in_zip(entries: dict[str, _Entry], path: Path) -> None:
    """Sort in the files of the export of a whole class."""
    try:
        with zipfile.ZipFile(path) as whole:
            listed = whole.infolist()
            if len(listed) > MOST_ENTRIES or sum(each.file_size for each in listed) > MOST_EXPORT:
                raise BadInput("contains too much for the hand-ins of one class", file=path)
            for each in listed:
                if not each.is_dir() and not any(part in _IGNORED for part in PurePosixPath(each.filename).parts):
                    _sorted_in(entries, each.filename, _content(whole, each))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise BadInput(f"is not a ZIP file that can be read ({str(error).lower()})", file=path) from None


def _content(whole: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int = MOST_TOTAL) -> bytes | str:
    """Return the content of a file in a ZIP file, or the reason why it is not read."""
    name = entry.filename
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if name.startswith(("/", "\\")) or ".." in parts or re.match(r"^[A-Za-z]:", name):
        return f"its ZIP file contains {name!r}, a path outside of it"
    if PurePosixPath(name).suffix.lower() not in _KEPT:
        return b""
    if entry.file_size > most:
        return f"its ZIP file contains {PurePosixPath(name).name}, which is larger than {most / 1e6:g} MB"
    try:
        with whole.open(entry) as stream:
            data = stream.read(most + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        return f"{PurePosixPath(name).name} cannot be read ({str(error).lower()})"
    return data if len(data) <= most else f"{PurePosixPath(name).name} is larger than the ZIP file says"


def _sorted_in(entries: dict[str, _Entry], name: str, data: bytes | str) -> None:
    """Add a file to the entry of the student to whom it belongs."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    if not parts:
        parts = ["file"]
    top = parts[0]
    if len(parts) == 1:
        canvas = _CANVAS.match(top)
        stem = canvas["name"] if canvas else Path(top).stem
        source, inner = (f"{canvas['name']}_{canvas['id']}" if canvas else top), canvas["file"] if canvas else top
        inner = re.sub(r"-\d+(?=\.\w+$)", "", inner) if canvas else inner
        entry = entries.setdefault(source, _Entry(source, stem, canvas["id"] if canvas else ""))
    else:
        moodle = _MOODLE.match(top)
        source = f"{moodle['name']}_{moodle['id']}" if moodle else top
        entry = entries.setdefault(
            source, _Entry(source, moodle["name"] if moodle else top, moodle["id"] if moodle else "")
        )
        inner = "/".join(parts[1:])
    _add(entry, inner, data)


def _add(entry: _Entry, name: str, data: bytes | str) -> None:
    """Add a file to an entry; a ZIP file in it is looked into once."""
    if isinstance(data, str):
        entry.reason = entry.reason or data
        return
    if name.lower().endswith(".zip"):
        _look_into(entry, name, data)
        return
    entry.size += len(data)
    if entry.size > MOST_TOTAL or len(entry.files) >= MOST_FILES:
        entry.reason = entry.reason or f"it is larger than {MOST_TOTAL / 1e6:g} MB, or has more than {MOST_FILES} files"
        return
    entry.files[name] = data


def _look_into(entry: _Entry, name: str, data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as whole:
            listed = [each for each in whole.infolist() if not each.is_dir()]
            listed = [each for each in listed if not any(part in _IGNORED for part in each.filename.split("/"))]
            if len(listed) > MOST_FILES or sum(each.file_size for each in listed) > MOST_TOTAL:
                what = f"{PurePosixPath(name).name} unpacks to more than {MOST_TOTAL / 1e6:g} MB or {MOST_FILES} files"
                entry.reason = entry.reason or what
                return
            for each in listed:
                content = _content(whole, each)
                if isinstance(content, bytes) and each.filename.lower().endswith(".zip"):
                    content = f"it has a ZIP file within a ZIP file ({PurePosixPath(each.filename).name})"
                _add(entry, each.filename, content)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        entry.reason = entry.reason or f"{PurePosixPath(name).name} is damaged, or not a ZIP file"


# ---------------------------------------------------------------------- reading


def _submissions(entry: _Entry, assignment: Assignment) -> list[Submission]:
    """Return what an entry contains: its hand-in files, or else the files of the assignment."""
    name = _name(entry)
    base = Submission(_slug(name), name, entry.source, key=entry.key)
    if entry.reason:
        return [replace(base, reason=entry.reason)]
    packed = {path: data for path, data in entry.files.items() if path.lower().endswith(".lydian")}
    found = []
    for path, data in packed.items():
        try:
            inside = read_hand_in(PurePosixPath(path).name, data)
        except LydianError as error:
            found.append(replace(base, reason=str(error)))
            continue
        student = inside.student or name
        where = entry.source if path in (entry.source, "") else f"{entry.source}/{path}"
        found.append(
            replace(base, id=_slug(student), student=student, source=where, files=dict(inside.files),
                    answers=dict(inside.answers), made=inside.made)
        )  # fmt: skip
    return found or [_bare(base, entry, assignment)]


def _bare(base: Submission, entry: _Entry, assignment: Assignment) -> Submission:
    """Return the submission that consists of loose files."""
    by_name: dict[str, str] = {}
    for path in sorted(entry.files, key=lambda each: (each.count("/"), each)):
        by_name.setdefault(PurePosixPath(path).name.lower(), path)
    chosen: dict[str, str] = {}
    for wanted in (*assignment.hand_in, ANSWERS):
        if wanted.lower() in by_name:
            chosen[wanted] = by_name[wanted.lower()]
    if assignment.protocol not in chosen:
        others = [path for path in by_name.values() if path.endswith(".py") and path not in chosen.values()]
        if len(others) == 1:
            chosen[assignment.protocol] = others[0]
        elif not entry.files or not any(entry.files.values()):
            return replace(base, reason="nothing was handed in")
        else:
            there = ", ".join(sorted(PurePosixPath(each).name for each in entry.files)[:5])
            return replace(base, reason=f"{assignment.protocol} is missing; found {there}")
    texts: dict[str, str] = {}
    for wanted, path in chosen.items():
        data = entry.files[path]
        if len(data) > MOST_BYTES:
            return replace(base, reason=f"{wanted} is larger than {MOST_BYTES / 1e6:g} MB")
        try:
            texts[wanted] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return replace(base, reason=f"{wanted} is not text in UTF-8")
    answers: dict[str, Any] = {}
    if ANSWERS in texts:
        try:
            answers = answers_from(texts.pop(ANSWERS))
        except LydianError as error:
            return replace(base, files=texts, reason=str(error))
    return replace(base, files=texts, answers=answers)


def _name(entry: _Entry) -> str:
    """Return the name of a student."""
    told = entry.files.get("submission_metadata.yml") or entry.files.get("metadata.yml")
    if told:
        match = re.search(r"^\s*:?name:\s*[\"']?(.+?)[\"']?\s*$", told.decode("utf-8", "replace"), re.MULTILINE)
        if match:
            return match[1]
    return entry.name.strip() or entry.source


def _slug(name: str) -> str:
    """Return a name as a short name for files: lower-case letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return (
        re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60] or f"x{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    )


def _latest(found: list[Submission]) -> list[Submission]:
    """Return one hand-in file for each student, the latest; other entries are all kept."""
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for each in found:
        groups[each.student, each.key].append(each)
    kept: list[Submission] = []
    for several in groups.values():
        dated = [each for each in several if each.made is not None]
        if len(several) > 1 and len(dated) == len(several):
            kept.append(max(dated, key=lambda each: (each.made, each.source)))
        else:
            kept += several
    return kept


def _unique(found: list[Submission]) -> list[Submission]:
    """Return the submissions ordered by name, each with a short name of its own."""
    taken: set[str] = set()
    result = []
    for each in sorted(found, key=lambda one: (one.id, one.source)):
        names = (each.id, *(f"{each.id}-{i}" for i in range(2, 100_000)))
        id = next(name for name in names if name not in taken)
        taken.add(id)
        result.append(replace(each, id=id))
    return result
