"""The simulator as a process of its own, with an input and an output channel: ``python -m lydian.engine.serve``.

Both channels carry lines of JSON.  The first line in asks for a run::

    {"experiment": {...}, "folder": "/where/its/files/are" or null, "trace": "run.parquet"}

While the run goes on, further lines may come in::

    {"interact": {"do": "crash", "process": "3"}, "round": 4, "id": 17}
    {"stop": true}

Out come, in between and at last::

    {"progress": {"round": 4, "events": 120, "time": 4.0, "live": "run.parquet.part"}}
    {"answer": {"id": 17, "accepted": true, "reason": "", "round": 5, "intervention": {...}}}
    {"result": {...}}      what ``lydian run --json`` prints
    {"error": "...", "exit_code": 2}

The end of the input is not the end of the run.  The trace file grows while the run goes on (``live`` names it until it
is complete), so that whoever reads it need not wait.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from lydian.engine.faults import Answer
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput, LydianError
from lydian.model.experimentfile import from_dict
from lydian.model.intervention import Intervention
from lydian.trace.file import TraceWriter

__all__ = ["Server", "main"]

#: Seconds between two reports of progress.
TICK = 0.1


class Server:
    """Runs one experiment and talks about it.

    Args:
        request: the first line, read.
        inbox: further lines, read, as they come; ``None`` marks nothing.
        out: where lines go.
    """

    def __init__(self, request: dict[str, Any], inbox: queue.SimpleQueue[Any], out: TextIO) -> None:
        self._request = request
        self._inbox = inbox
        self._out = out
        self._stop = False
        self._handed = 0  # events that the file has got

    def run(self) -> int:
        """Run to the end; gives the exit code of ``lydian run``."""
        try:
            return self._run()
        except LydianError as error:
            self._say({"error": str(error), "exit_code": error.exit_code})
            return error.exit_code

    def _run(self) -> int:
        folder = self._request.get("folder")
        experiment = from_dict(self._request.get("experiment"))
        if folder is not None:  # names of files are relative to it, as in an experiment file that lies there
            experiment = experiment.with_(path=Path(folder) / f"{experiment.name or 'experiment'}.toml")
        simulator = Simulator(experiment)
        trace = simulator.trace
        path = self._request.get("trace")
        if not isinstance(path, str):
            raise BadInput('the request names no trace file; write "trace": "run.parquet"')
        writer = TraceWriter(
            path,
            trace.processes,
            experiment=trace.experiment,
            network=trace.network,
            source=trace.source,
            versions=trace.versions,
            summary=trace.summary,
        )
        try:
            self._go_on(simulator, writer)
            self._write(simulator, writer)
            result = simulator.result()
            writer.close(result.trace.summary)
        except BaseException:
            writer.abandon()
            raise
        self._say({"result": result.to_dict()})
        return result.exit_code

    def _go_on(self, simulator: Simulator, writer: TraceWriter) -> None:
        """Round after round, with the interactions that come in between."""
        began = told = flushed = time.monotonic()
        with simulator.guard():
            going = True
            while going and not self._stop:
                self._read(simulator)
                going = simulator.round()
                now = time.monotonic()
                if now - told > TICK:
                    self._write(simulator, writer)
                    if now - flushed > (now - began) / 10:  # rarely in a long run: each flush takes a footer
                        writer.flush()
                        flushed = now
                    events, _, _ = simulator.kernel.counts()
                    at = {"round": simulator.faults.round, "events": events, "time": float(simulator.kernel.now)}
                    self._say({"progress": {**at, "live": str(writer.live_path)}})
                    told = now
        if self._stop:
            simulator.cancel()

    def _write(self, simulator: Simulator, writer: TraceWriter) -> None:
        """Hand the events since the last time to the file."""
        start = self._handed
        _, _, offset = simulator.kernel.counts()
        rows = simulator.recorder.rows(offset, start)
        execution = simulator.execution
        writer.append(rows, execution.labels, simulator.protocol.states, dict(simulator.recorder.texts(start)))
        self._handed += len(rows)

    def _read(self, simulator: Simulator) -> None:
        while not self._inbox.empty():
            said = self._inbox.get()
            if isinstance(said, dict) and said.get("stop"):
                self._stop = True
            elif isinstance(said, dict) and "interact" in said:
                self._interact(simulator, said)
            else:
                self._say({"answer": {"id": None, "accepted": False, "reason": f"not understood: {said!r:.80}"}})

    def _interact(self, simulator: Simulator, said: dict[str, Any]) -> None:
        number = said.get("id")

        def tell(answer: Answer) -> None:
            record = None if answer.intervention is None else answer.intervention.to_dict()
            told = {"accepted": answer.accepted, "reason": answer.reason, "round": answer.round}
            self._say({"answer": {"id": number, **told, "intervention": record}})

        try:
            what = Intervention.from_dict({"time": 0.0, **said["interact"]}, None, "interact")
            simulator.interact(what, int(said.get("round", simulator.faults.round)), tell)
        except (BadInput, TypeError, ValueError) as error:
            tell(Answer(False, str(error), simulator.faults.round, None))

    def _say(self, what: dict[str, Any]) -> None:
        self._out.write(json.dumps(what) + "\n")
        self._out.flush()


def main(source: TextIO, out: TextIO) -> int:
    """Read a request, run it, answer; gives the exit code.  An empty input ends at once."""
    line = source.readline()
    if not line.strip():
        return 0
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        for each in source:
            inbox.put(_read_json(each))

    request = _read_json(line)
    if not isinstance(request, dict):
        out.write(
            json.dumps({"error": f"a request is an object in JSON, not {line.strip():.80}", "exit_code": 2}) + "\n"
        )
        return 2
    threading.Thread(target=listen, name="lydian-input", daemon=True).start()
    return Server(request, inbox, out).run()


def _read_json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line.strip()


if __name__ == "__main__":
    said, sys.stdout = sys.stdout, sys.stderr  # what a protocol prints is no part of the conversation
    code = main(sys.stdin, said)
    said.flush()
    sys.exit(code)
