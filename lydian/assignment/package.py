"""The package of an assignment that students are given."""

from __future__ import annotations

import ast
import os
import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from lydian.assignment.assignment import ANSWERS, FILE, Assignment, Check
from lydian.assignment.kinds.answers import Question
from lydian.model.errors import BadInput
from lydian.model.reading import parse_toml, read_text
from lydian.model.source.syntax import tree_of

__all__ = ["package", "published", "question_text", "student_files"]


def student_files(assignment: Assignment) -> dict[str, str]:
    """Return the files of the students' package, path -> text: without the lecturer's files and the hidden checks."""
    files = {
        name: content for name, content in assignment.files.items()
        if not name.startswith("lecturer/") and name != "properties.py"
    }  # fmt: skip
    if assignment.properties:
        files["properties.py"] = published(assignment)
    files[FILE] = _told(assignment)
    questions = [each for each in assignment.public if each.kind.name in ("question", "written")]
    if questions:
        files[f"skeleton/{ANSWERS}"] = _blank_answers(assignment, questions)
    return files


def _blank_answers(assignment: Assignment, questions: list[Check]) -> str:
    """Return the file of the answers with nothing but the questions, as comments."""
    parts = ["# Your answers: remove the # before a line, and write a number or a text in quotation marks after =."]
    for each in questions:
        text = question_text(assignment, each) if isinstance(each.kind, Question) else getattr(each.kind, "text", "")
        told = [f"# {line}".rstrip() for line in text.splitlines()]
        parts.append("\n".join([*told, f"# {each.id} ="]))
    return "\n\n".join(parts) + "\n"


def published(assignment: Assignment) -> str:
    """Return the lecturer's file of properties without those, and without measures, that only hidden checks name."""
    kept: set[str] = set()
    for check in assignment.public:
        named = getattr(check.kind, "named", None)
        if named == ():
            return assignment.properties  # this check judges all of them
        kept.update(named or (), getattr(check.kind, "holds", ()))
        kept.add(getattr(check.kind, "measure", "").removeprefix("own."))
    lines = assignment.properties.splitlines(keepends=True)
    for part in reversed(tree_of(assignment.properties).body):
        if isinstance(part, ast.FunctionDef) and not (_declared(part) or kept) <= kept:
            del lines[part.decorator_list[0].lineno - 1 : part.end_lineno]
    return re.sub(r"\n{4,}", "\n\n\n", "".join(lines)).rstrip() + "\n"


def _declared(part: ast.FunctionDef) -> set[str]:
    """Return the names of the properties and measures that a function declares."""
    calls = [each for each in part.decorator_list if isinstance(each, ast.Call) and each.args]
    return {str(each.args[0].value) for each in calls if isinstance(each.args[0], ast.Constant)}


def _told(assignment: Assignment) -> str:
    """Return the text of the students' assignment file: no hidden checks, and no answers to questions."""
    import tomli_w

    data = parse_toml(read_text(assignment.file, "an assignment"), assignment.file)
    public = {each.id for each in assignment.public}
    data["check"] = [_asked(assignment, check) for check in data["check"] if check["id"] in public]
    count, points = assignment.hidden
    if count:
        data["hidden"] = {"checks": count, "points": points}
    return tomli_w.dumps(data)


def _asked(assignment: Assignment, told: dict[str, Any]) -> dict[str, Any]:
    """Return the table of a check for students: a question with its text, and without its answer."""
    check = assignment.check(told["id"])
    if not isinstance(check.kind, Question):
        return told
    left = {key: value for key, value in told.items() if key not in ("answer", "tolerance", "ask")}
    return {**left, "text": question_text(assignment, check)}


def question_text(assignment: Assignment, check: Check) -> str:
    """Return a question as students read it, with the numbered choices of a generated one.

    Raises:
        BadInput: a question is generated from a run in which there is nothing to ask.
    """
    kind = check.kind
    if not isinstance(kind, Question):
        return ""
    found = kind.generated(assignment.setting(check, {}, {}, lambda done, of: None, lambda: False))
    if found is None:
        return kind.text
    choices = [f"({place}) {choice.text}" for place, choice in enumerate(found.choices, 1)]
    return "\n".join(filter(None, (kind.text, found.text, *choices)))


def package(assignment: Assignment, path: Path) -> None:
    """Write the students' package as a ZIP file, completely or not at all.

    Raises:
        BadInput: the file exists, or cannot be written.
    """
    if path.exists():
        raise BadInput("this file already exists; choose another one with -o", file=path)
    top = re.sub(r"[^\w.-]+", "-", assignment.folder.resolve().name).strip("-.") or "assignment"
    name = ""
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(number, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as whole:
            for each, text in sorted(student_files(assignment).items()):
                entry = zipfile.ZipInfo(f"{top}/{each}", (2000, 1, 1, 0, 0, 0))  # the same package, the same bytes
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                whole.writestr(entry, text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
        name = ""
    except OSError as error:
        what = f"cannot be written ({(error.strerror or str(error)).lower()}); choose a writable folder"
        raise BadInput(what, file=path) from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)
