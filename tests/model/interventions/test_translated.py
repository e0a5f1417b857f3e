"""Interventions in another language: the window speaks it, and files do not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import json
from gettext import NullTranslations
from lydian.language import use

class Quoting(NullTranslations):
    def gettext(self, message):
        return f"<{message}>"

use(Quoting(), "xx")

from lydian.engine.simulator import Simulator
from lydian.model.experiment import experiment as experiments
from lydian.model.experiment.branch import automatic_name
from lydian.model.interventions.words import gesture_words

experiment = experiments.loads('''
name = "liar"
protocol = "echo"
network = "two-wings"
breaks = ["all"]
faults = [{time = 1.0, do = "byzantine", process = "3", how = "mute"}, {time = 2.0, do = "crash", process = "4"}]
''')
liar, crash = experiment.faults
details = [event.detail or {} for event in Simulator(experiment).run().trace.events()]
print(json.dumps({
    "trace": next(each["text"] for each in details if each.get("byzantine") == "mute"),
    "file": [automatic_name([crash], 2.0), experiments.to_toml(experiment)],
    "window": [crash.kind.plan(crash), gesture_words([crash.to_dict()] * 2), liar.kind.menu[0]],
}))
"""


def test_what_is_recorded_is_english_in_every_language() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["trace"] == "falls silent: it acts, but nothing that it sends leaves"
    assert found["file"][0] == "4 crashed at 2.0" and "<" not in found["file"][1]
    assert found["window"] == ["<<<process 4> crashes> at 2>", "<crash 2 processes>", "<Make it lie…>"]
