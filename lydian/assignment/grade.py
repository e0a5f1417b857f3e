"""The grading of a class: hundreds of hand-ins in a pool of contained processes, here or on Spark.

The results of each hand-in are written as soon as they exist, so an interrupted grading resumes where it stopped,
and a repeated one marks only what has changed: each result remembers the digest of the check and of the hand-in.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import lydian
from lydian.assignment.alike import groups, pairs
from lydian.assignment.assignment import Assignment, read
from lydian.assignment.collect import Submission, collect
from lydian.assignment.kinds.answers import Written
from lydian.assignment.marking import blank, fingerprint
from lydian.assignment.pages.write import write_pages
from lydian.assignment.tables import grades_csv, gradescope, moodle_csv, read_marks
from lydian.assignment.worker import ENTRY, SPARE
from lydian.engine.wire import Error, Mark, Partial, Refused, Result, encode, frames
from lydian.model.childprocess import start
from lydian.model.errors import BadInput
from lydian.model.reading import write_text

__all__ = ["Grades", "Grading", "Marker", "grade", "useless"]

_FORMAT = 1
#: A hand-in with the checks to be made, and the results of these.
_Task = tuple[Submission, list[str]]
_Marked = tuple[_Task, dict[str, Any]]
#: The seconds that a process may take to load LYDIAN and the assignment.
START_SECONDS = 60.0


@dataclass(frozen=True)
class Grades:
    """The grades of a class.

    Attributes:
        folder: where everything has been written.
        results: one entry for each hand-in, as plain data.
        fresh: how many hand-ins were marked, entirely or in part, and not taken from an earlier grading.
        complete: whether all hand-ins have been marked.
    """

    folder: Path
    results: list[dict[str, Any]]
    fresh: int
    complete: bool = True

    @property
    def mean(self) -> float:
        """The mean of the points."""
        return sum(each["points"] for each in self.results) / len(self.results) if self.results else 0.0


@dataclass(frozen=True)
class Grading:
    """The progress of a grading.

    Attributes:
        done, total: how many hand-ins are marked, and how many there are.
        last: the result of the hand-in that was finished last; ``None`` at the beginning.
    """

    done: int
    total: int
    last: dict[str, Any] | None = None


class Marker:
    """A process that marks hand-ins one after another, and is replaced when it ends.

    Args:
        folder: the folder of the assignment.
        seconds: the limit of a check.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder, self._seconds = folder, seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process if there is none."""
        if self._child is None:
            self._child = start(*ENTRY, str(self._folder.absolute()), stderr=subprocess.DEVNULL)
        return self._child

    def task(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Mark a hand-in that is given as plain data: its ``files``, ``answers`` and ``checks``."""
        return self.mark(Submission("", "", "", told["files"], told["answers"]), told["checks"])

    def mark(self, submission: Submission, checks: Sequence[str]) -> dict[str, Any]:
        """Return the results of checks of a hand-in and, in ``runs``, the failing runs as texts in base64."""
        got: list[dict[str, Any]] = []
        for again in (False, True):
            try:
                return self._asked(submission, checks, got)
            except (OSError, EOFError):
                self.close()
                if self._closed or again:
                    break
                got.clear()
        return {"checks": got, "runs": {}}

    def _asked(self, submission: Submission, checks: Sequence[str], got: list[dict[str, Any]]) -> dict[str, Any]:
        child = self.start()
        assert child.stdin is not None
        assert child.stdout is not None
        watch = threading.Timer(START_SECONDS + (len(checks) + 1) * (self._seconds + SPARE), child.kill)
        watch.daemon = True
        watch.start()
        try:
            wanted = Mark("", dict(submission.files), json.loads(json.dumps(submission.answers, default=str)),
                          checks=list(checks))  # fmt: skip
            child.stdin.write(encode(wanted))
            child.stdin.flush()
            for frame in frames(cast(BinaryIO, child.stdout)):
                if isinstance(frame, Partial):
                    got.append(frame.found["check"])
                elif isinstance(frame, Result):
                    return frame.result
                elif isinstance(frame, Error):
                    raise BadInput(frame.text)
                elif isinstance(frame, Refused):
                    break
        finally:
            watch.cancel()
        raise EOFError

    def close(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child is not None:
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    stream.close()
            child.kill()
            child.wait()

    def end(self) -> None:
        """End the process for good, from another thread."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()


def grade(
    assignment: Path | str,
    submissions: Path | str,
    folder: Path | str,
    *,
    workers: int | None = None,
    master: str | None = None,
    marks: Path | str | None = None,
    tell: Callable[[Grading], object] = lambda at: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Grades:
    """Mark all hand-ins, and write the grades, the feedback and the page for the lecturer.

    Args:
        assignment: the folder of the assignment.
        submissions: the folder or ZIP file with the hand-ins.
        folder: where the results are written; results of an earlier grading in it are used again.
        workers: the number of processes; by default one for each processor.
        master: the master URL of Spark; ``None`` for a pool on this machine.
        marks: a CSV file with the points that a person gave for written answers (:func:`read_marks`).
        tell: called with the progress, from this thread.
        stopped: returns True if the grading is to end; what has been marked is kept.

    Raises:
        BadInput: the assignment, the hand-ins or the folder cannot be used.
    """
    wanted = read(assignment)
    folder = Path(folder)
    given = {} if marks is None else read_marks(marks, wanted)
    _check_place(folder, wanted)
    entries = collect(submissions, wanted)
    digests = {check.id: wanted.digest(check) for check in wanted.checks}
    (folder / "results").mkdir(parents=True, exist_ok=True)
    results: dict[str, dict[str, Any]] = {}
    waiting: list[_Task] = []
    for each in entries:
        before = _before(folder, each, digests)
        if each.reason:
            results[each.id] = _result(wanted, each, [], digests, given, each.reason)
            _write(folder, results[each.id])
            continue
        missing = [check.id for check in wanted.checks if check.id not in before]
        if missing:
            waiting.append((each, missing))
        else:
            results[each.id] = _result(wanted, each, list(before.values()), digests, given)
            _write(folder, results[each.id])
    tell(Grading(len(results), len(entries)))
    made = _pool(wanted, waiting, workers) if master is None else _on_spark(wanted, waiting, master)
    complete = True
    try:
        for (submission, _), found in made:
            before = _before(folder, submission, digests)
            new = {check["id"]: check for check in found["checks"]}
            _keep_runs(folder, submission.id, new, found["runs"])
            checks = [new.get(check.id) or before.get(check.id) or blank(check, "stopped", "its process ended")
                      for check in wanted.checks]  # fmt: skip
            results[submission.id] = _result(wanted, submission, checks, digests, given)
            _write(folder, results[submission.id])
            tell(Grading(len(results), len(entries), results[submission.id]))
            if stopped():
                complete = len(results) == len(entries)
                break
    finally:
        made.close()
    ordered = [results[each.id] for each in entries if each.id in results]
    write_all(folder, wanted, ordered, entries)
    return Grades(folder, ordered, len(waiting), complete)


# ---------------------------------------------------------------------- one hand-in


def _result(
    assignment: Assignment,
    submission: Submission,
    checks: list[dict[str, Any]],
    digests: Mapping[str, str],
    given: Mapping[tuple[str, str], float],
    reason: str = "",
) -> dict[str, Any]:
    """Return the whole result of a hand-in."""
    if reason:
        checks = [blank(check, "stopped", "not marked") for check in assignment.checks]
    reason = reason or useless(checks)
    checks = [_by_hand(each, given.get((submission.id, each["id"]))) for each in checks]
    earned = round(sum(each["points"] for each in checks), 1)
    late = None
    if assignment.due is not None and submission.made is not None and submission.made > assignment.due:
        after = submission.made - assignment.due
        late = {"hours": round(after.total_seconds() / 3600, 1), "lost": round(assignment.late.lost(earned, after), 1)}
    return {
        "format": _FORMAT, "version": lydian.__version__, "assignment": assignment.title, "id": submission.id,
        "student": submission.student, "key": submission.key, "source": submission.source,
        "handed_in": None if submission.made is None else submission.made.isoformat(timespec="seconds"), "late": late,
        "state": "not run" if reason else "marked", "reason": reason,
        "points": round(earned - (late["lost"] if late else 0.0), 1), "most": assignment.most, "checks": checks,
        "answers": json.loads(json.dumps(dict(submission.answers), default=str)), "files": dict(submission.files),
        "fingerprint": fingerprint(checks), "digest": submission.digest, "digests": dict(digests),
    }  # fmt: skip


def _by_hand(check: dict[str, Any], points: float | None) -> dict[str, Any]:
    """Return the result of a check with the points that a person gave for it, if any."""
    if check["kind"] != Written.name:
        return check
    if points is None:
        return {**check, "points": 0.0, "state": "open"}
    return {**check, "points": points, "state": "full" if points >= check["most"] else "partly" if points else "failed"}


def useless(checks: Sequence[Mapping[str, Any]]) -> str:
    """Return why a hand-in cannot be run at all; "" if something in it can.

    It cannot if its file cannot be used, or if each check that executes it was stopped or ended with an action that
    failed.
    """
    made = [each for each in checks if each["kind"] not in ("question", "written", "mutants")]
    if not made or any(each["points"] or each["good"] for each in made):
        return ""
    failures = [each["failure"] for each in made if each["failure"]]
    if any(each["kind"] != "error" for each in failures):
        return ""
    if failures:
        return str(failures[0]["sentence"]).removeprefix("Failed: ").rstrip(".")
    words = [str(each["words"]) for each in made if not each["words"].startswith("not made")]
    stopped = all(each["state"] == "stopped" for each in made)
    return words[0].removeprefix("stopped: ") if words and (stopped or len(set(words)) == 1) else ""


def _before(folder: Path, submission: Submission, digests: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the results of an earlier grading that are still valid, by check."""
    try:
        found = json.loads((folder / "results" / f"{submission.id}.json").read_text(encoding="utf-8"))
        if (found["digest"], found["version"], found["format"]) != (submission.digest, lydian.__version__, _FORMAT):
            return {}
        old = found["digests"]
        return {each["id"]: each for each in found["checks"] if old.get(each["id"]) == digests.get(each["id"], "")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write(folder: Path, result: Mapping[str, Any]) -> None:
    text = json.dumps(result, indent=1, ensure_ascii=False, sort_keys=True)
    write_text(folder / "results" / f"{result['id']}.json", text + "\n")


def _keep_runs(folder: Path, id: str, checks: Mapping[str, dict[str, Any]], runs: Mapping[str, str]) -> None:
    """Write the failing runs of a hand-in, and say in its results where they are."""
    place = folder / "runs" / id
    for name, text in runs.items():
        place.mkdir(parents=True, exist_ok=True)
        part = place / f".{name}.part"
        part.write_bytes(base64.b64decode(text))
        part.replace(place / f"{name}.lydian")
    for check in checks.values():
        failure = check.get("failure")
        if failure and failure.get("run") and "/" not in failure["run"]:
            failure["run"] = f"runs/{id}/{failure['run']}"


# ---------------------------------------------------------------------- many hand-ins


def _pool(assignment: Assignment, waiting: Sequence[_Task], workers: int | None) -> Generator[_Marked, None, None]:
    """Mark hand-ins in several processes, and yield each with its results as it is finished."""
    from lydian.batch.pool import cores

    count = max(1, min(workers or cores(), len(waiting)))
    markers = [Marker(assignment.folder, assignment.limits.seconds) for _ in range(count)]
    for each in markers if waiting else ():
        each.start()
    tasks: queue.SimpleQueue[_Task] = queue.SimpleQueue()
    for one in waiting:
        tasks.put(one)
    ended: queue.SimpleQueue[tuple[_Task, dict[str, Any] | BaseException]] = queue.SimpleQueue()
    over = threading.Event()

    def work(marker: Marker) -> None:
        while not over.is_set():
            try:
                task = tasks.get_nowait()
            except queue.Empty:
                return
            try:
                ended.put((task, marker.mark(*task)))
            except BaseException as error:  # noqa: BLE001 - raised again where the results are read
                ended.put((task, error))
                return

    threads = [threading.Thread(target=work, args=(each,), name="lydian-grading") for each in markers if waiting]
    for thread in threads:
        thread.start()
    try:
        for _ in waiting:
            task, found = ended.get()
            if isinstance(found, BaseException):
                raise found
            yield task, found
    finally:
        over.set()
        for each in markers:
            each.end()
        for thread in threads:
            thread.join()
        for each in markers:
            each.close()


def _on_spark(assignment: Assignment, waiting: Sequence[_Task], master: str) -> Generator[_Marked, None, None]:
    """Mark hand-ins on Spark, and yield each with its results."""
    from lydian.batch.spark.handins import mapped

    files = dict(assignment.files)
    files["assignment.toml"] = assignment.file.read_text(encoding="utf-8-sig")
    payload = json.dumps({"files": files, "seconds": assignment.limits.seconds}, sort_keys=True)
    tasks = [
        json.dumps({"files": dict(each.files), "answers": dict(each.answers), "checks": checks}, default=str)
        for each, checks in waiting
    ]
    for number, text in mapped(payload, tasks, master, Marker):
        yield waiting[number], json.loads(text)


# ---------------------------------------------------------------------- what is written


def write_all(
    folder: Path, assignment: Assignment, results: Sequence[dict[str, Any]], entries: Sequence[Submission]
) -> None:
    """Write the tables and the pages, and remove what belongs to hand-ins that are no longer there."""
    told = {
        "format": _FORMAT, "version": lydian.__version__,
        "assignment": {
            "title": assignment.title, "number": assignment.number, "course": assignment.course,
            "due": None if assignment.due is None else assignment.due.isoformat(), "most": assignment.most,
            "hand_in": list(assignment.hand_in), "skeleton": assignment.skeleton,
            "checks": [{"id": c.id, "title": c.title, "most": c.points, "hidden": c.hidden, "kind": c.kind.name}
                       for c in assignment.checks],
        },
        "hand_ins": list(results),
        "groups": groups(results),
        "pairs": pairs({each["id"]: each["files"].get(assignment.protocol, "") for each in results},
                       assignment.skeleton.values()),
    }  # fmt: skip
    write_text(folder / "grades.json", json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    write_text(folder / "grades.csv", grades_csv(assignment, results))
    write_text(folder / "moodle.csv", moodle_csv(assignment, results))
    there = {each.id for each in entries}
    for each in results:
        place = folder / "gradescope" / each["id"]
        place.mkdir(parents=True, exist_ok=True)
        write_text(place / "results.json", gradescope(each))
    write_pages(folder, told)
    for kind in ("results", "runs", "gradescope", "feedback"):
        for path in (folder / kind).glob("*"):
            if path.name.removesuffix(".json").removesuffix(".html") not in there:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _check_place(folder: Path, assignment: Assignment) -> None:
    """Refuse a folder with something else in it, or with the grades of another assignment.

    Raises:
        BadInput: the folder cannot be used.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput("is a file; choose a folder for the results", file=folder)
    if folder.resolve() == assignment.folder.resolve():
        raise BadInput("is the folder of the assignment; choose another folder for the results", file=folder)
    there = [each for each in folder.iterdir() if not each.name.startswith(".")] if folder.exists() else []
    if there and not (folder / "results").is_dir():
        raise BadInput("contains other files; choose an empty folder for the results", file=folder)
    try:
        title = json.loads((folder / "grades.json").read_text(encoding="utf-8"))["assignment"]["title"]
    except (OSError, ValueError, KeyError, TypeError):
        title = assignment.title
    if title != assignment.title:
        raise BadInput(f"contains the grades of '{title}'; choose another folder", file=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be created ({(error.strerror or str(error)).lower()})", file=folder) from None
    if not os.access(folder, os.W_OK):
        raise BadInput("cannot be written; choose a writable folder", file=folder)
