"""Judging the run on screen by a file of properties, in a process of its own; the first violation is shown."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from lydian.app.work.background import Background, Report
from lydian.desk.desk import Desk
from lydian.desk.runs.run import Run
from lydian.language import tr, trn
from lydian.model.childprocess import start
from lydian.model.errors import LydianError
from lydian.views.selection import Selection

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage

__all__ = ["Judging"]

#: Seconds between two checks whether the results are still wanted.
TURN = 0.1


class Judging(QObject):
    """The command that asks for a file of properties and shows what it says about the run on screen."""

    def __init__(self, desk: Desk, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage = desk, stage
        self.background = Background(self)
        self._run: Run | None = None
        self._path = Path()
        self.background.done.connect(self._done)
        self.background.failed.connect(lambda sentence: desk.notices.say(sentence))
        self.background.ended.connect(lambda: desk.notices.work("", 1.0))
        desk.notices.cancelled.connect(self.background.cancel)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"run_judge": self.choose}

    @property
    def busy(self) -> bool:
        """Whether properties are being judged."""
        return self.background.busy

    def choose(self) -> None:
        """Ask for a file of properties and judge the run on screen."""
        run = self.desk.session.shown
        if run is None or not len(run.trace):
            self.desk.notices.say(tr("There is no run on the screen to be judged."))
            return
        if self.desk.session.live.alive or self.desk.session.worker.busy:
            self.desk.notices.say(tr("The run has not finished; judge it when it has ended."))
            return
        settings = self.desk.settings
        kinds = ";;".join((tr("Properties (*.py)"), tr("All files (*)")))
        name, _kind = QFileDialog.getOpenFileName(self.stage, tr("Judge the run by properties"), settings.folder, kinds)
        if name:
            self.judge(Path(name))

    def judge(self, path: Path) -> None:
        """Judge the run on screen by the properties in a file, which is executed in a process of its own."""
        run = self.desk.session.shown
        assert run is not None
        self._run, self._path = run, path
        words = tr("Judging the run by {file}", file=path.name)
        self.desk.notices.work(words, 0.0, tr("Stop judging"))
        self.background.start(lambda report: _judged(run, path, report))

    def close(self) -> None:
        """End the process."""
        self.background.close()

    def _done(self, checks: list[dict[str, Any]]) -> None:
        desk, session, run = self.desk, self.desk.session, self._run
        if run is None or session.shown is None or session.shown.trace is not run.trace:
            return  # another run has been shown in the meantime
        found = replace(session.shown, result={**session.shown.result, "checks": checks})
        session.runs[:] = [found if each.trace is run.trace else each for each in session.runs]
        session.shown = found
        desk.screen.judged.emit([dict(each) for each in checks])
        broken = [each for each in checks if each["holds"] is False]
        moments = [each for each in broken if each["kind"] == "always"]
        if moments and desk.playhead.timeline is not None:
            first = min(int(each["at"]) for each in moments)
            desk.jump(float(desk.playhead.timeline.time[first]))
            desk.playhead.select(Selection(event=first))
        desk.notices.say(_told(self._path.name, checks, broken), bool(broken))


def _told(file: str, checks: list[dict[str, Any]], broken: list[dict[str, Any]]) -> str:
    if not broken:
        return trn("{file}: {count} property, not violated.", "{file}: {count} properties, none violated.", len(checks),
                   file=file)  # fmt: skip
    name = broken[0]["name"]
    if broken[0]["kind"] != "always":
        return tr("{file}: “{name}” does not hold at the end.", file=file, name=name)
    return tr("{file}: “{name}” is violated by event {event}.", file=file, name=name, event=broken[0]["at"])


def _judged(run: Run, path: Path, report: Report) -> list[dict[str, Any]]:
    """Return the results of the properties; called in a thread."""
    from lydian.trace.parquet.file import save

    with tempfile.TemporaryDirectory(prefix="lydian-judge-") as folder:
        file = Path(folder) / "run.parquet"
        save(run.trace, file)
        words = ("trace", "check", str(file), "--check", str(path), "--json")
        child = start("-m", "lydian", *words, stderr=subprocess.PIPE)
        try:
            while True:
                try:
                    out, said = child.communicate(timeout=TURN)
                    break
                except subprocess.TimeoutExpired:
                    report(0.5)
        except BaseException:
            child.kill()
            child.communicate()
            raise
    lines = out.decode().splitlines()
    try:
        answer = json.loads(lines[-1]) if lines else None
    except ValueError:
        answer = None
    if not isinstance(answer, Mapping):
        last = said.decode(errors="replace").strip().splitlines()
        raise LydianError(last[-1].removeprefix("lydian: ") if last else tr("The properties could not be judged."))
    return [{key: each[key] for key in ("name", "kind", "holds", "at")} for each in answer["checks"]]
