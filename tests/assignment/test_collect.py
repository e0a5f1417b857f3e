"""Collecting hand-ins: the exports of course systems, names, and archives that are traps."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lydian.assignment.assignment import Assignment
from lydian.assignment.collect import Submission, collect
from lydian.assignment.handin import is_hand_in, read_hand_in, write_hand_in
from lydian.model.errors import BadInput

CODE = "# a protocol\n"
MADE = datetime(2026, 11, 26, 12, tzinfo=UTC)


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def zipped(files: dict[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in files.items():
            whole.writestr(name, content)
    return data.getvalue()


def only(found: list[Submission]) -> Submission:
    (one,) = found
    return one


def test_moodle_names_a_folder_after_the_student(assignment: Assignment, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", {"Inès Okafor_4711_assignsubmission_file_/broadcast.py": CODE})
    found = only(collect(folder, assignment))
    assert (found.id, found.student, found.key) == ("ines-okafor", "Inès Okafor", "4711")
    assert found.files == {"broadcast.py": CODE}


def test_canvas_puts_the_student_in_front_of_the_file(assignment: Assignment, tmp_path: Path) -> None:
    files = {"okaforines_LATE_12_34_broadcast-1.py": CODE, "okaforines_LATE_12_35_answers.toml": "question-1 = 5\n"}
    found = only(collect(put(tmp_path / "in", files), assignment))
    assert (found.student, found.key, found.answers) == ("okaforines", "12", {"question-1": 5})


def test_gradescope_keeps_the_name_in_a_file_of_its_own(assignment: Assignment, tmp_path: Path) -> None:
    files = {
        "submission_9/broadcast.py": CODE,
        "submission_9/submission_metadata.yml": ":submitters:\n- :name: Ines O\n",
    }
    found = only(collect(put(tmp_path / "in", files), assignment))
    assert found.student in ("Ines O", "submission_9")


def test_an_export_may_be_one_zip_file_with_a_zip_file_for_each_student(assignment: Assignment, tmp_path: Path) -> None:
    inner = zipped({"solution/broadcast.py": CODE, "__MACOSX/._broadcast.py": b"x"})
    path = tmp_path / "export.zip"
    path.write_bytes(
        zipped({"Ines Okafor_1_assignsubmission_file_/hand in.zip": inner, "Bo Li_2_assignsubmission_file_/x.py": CODE})
    )
    found = collect(path, assignment)
    assert [(each.student, each.files) for each in found] == [
        ("Bo Li", {"broadcast.py": CODE}), ("Ines Okafor", {"broadcast.py": CODE}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("slip.zip", zipped({"../../evil.py": CODE, "broadcast.py": CODE}), "a path outside of it"),
        ("absolute.zip", zipped({"/tmp/evil.py": CODE}), "a path outside of it"),
        ("bomb.zip", zipped({"broadcast.py": b"#" * 30_000_000}), "unpacks to more than 20 MB"),
        ("many.zip", zipped({f"{i}.py": "" for i in range(400)}), "or 300 files"),
        ("damaged.zip", b"PK\x03\x04 no archive", "is damaged"),
        ("nested.zip", zipped({"inner.zip": zipped({"x.py": CODE})}), "a ZIP file within a ZIP file"),
        ("one/notes.docx", b"x", "nothing was handed in"),
        ("one/broadcast.py", b"\xff\xfe\x00", "is not text in UTF-8"),
        ("one/answers.toml", "a = ", "broadcast.py is missing"),
        ("big/broadcast.py", b"#" * 2_000_000, "is larger than 1 MB"),
        ("broken.lydian", b"PK\x03\x04 no archive", "is not a hand-in, or it is damaged"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_a_row_with_its_reason(
    assignment: Assignment, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    folder = put(tmp_path / "in", {name: content, "good/broadcast.py": CODE})
    found = {each.source.split("/")[0]: each for each in collect(folder, assignment)}
    assert reason in found[name.split("/")[0]].reason
    assert found["good"].reason == ""
    assert not list(tmp_path.rglob("evil.py"))


def test_a_link_is_not_followed(assignment: Assignment, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", {"good/broadcast.py": CODE})
    (folder / "bad").mkdir()
    (folder / "bad" / "broadcast.py").symlink_to("/etc/passwd")
    assert "a link to another place" in next(e for e in collect(folder, assignment) if e.id == "bad").reason


def test_the_latest_hand_in_of_a_student_counts(assignment: Assignment, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number, hours in enumerate((3, 5, 1)):
        files = {**assignment.reference, "broadcast.py": f"# version {number}\n"}
        made = MADE + timedelta(hours=hours)
        write_hand_in(folder / f"{number}.lydian", assignment, "Ines Okafor", files, {"question-1": 5}, made)
    found = only(collect(folder, assignment))
    assert (found.files["broadcast.py"], found.made) == ("# version 1\n", MADE + timedelta(hours=5))
    assert found.answers == {"question-1": 5}


def test_two_students_of_one_name_both_count(assignment: Assignment, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", {"Bo Li_1_assignsubmission_file_/broadcast.py": CODE,
                                   "Bo Li_2_assignsubmission_file_/broadcast.py": CODE})  # fmt: skip
    assert [each.id for each in collect(folder, assignment)] == ["bo-li", "bo-li-2"]


def test_a_folder_without_hand_ins_is_refused(assignment: Assignment, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="there is no hand-in here"):
        collect(empty, assignment)
    with pytest.raises(BadInput, match="there is no such folder"):
        collect(tmp_path / "nowhere", assignment)


def test_a_hand_in_is_read_as_it_was_written(assignment: Assignment, tmp_path: Path) -> None:
    path = tmp_path / "x.lydian"
    public = {"points": 7.0, "fingerprint": "abc"}
    write_hand_in(path, assignment, "Ines", assignment.reference, {"q": 'a "b"'}, MADE, public)
    found = read_hand_in(path)
    assert (found.student, found.made, found.digest) == ("Ines", MADE, assignment.package)
    assert (found.files, found.answers, found.public) == (assignment.reference, {"q": 'a "b"'}, public)
    assert is_hand_in(path)


def test_a_hand_in_without_its_protocol_is_not_written(assignment: Assignment, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="this file is missing"):
        write_hand_in(tmp_path / "x.lydian", assignment, "Ines", {}, {}, MADE)
    assert list(tmp_path.glob("*.lydian*")) == []
