"""Executes cells of Python given as JSON on standard input, as a notebook does, and prints the output of each."""

from __future__ import annotations

import json
import sys

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

if __name__ == "__main__":
    shell = InteractiveShell.instance()
    shell.run_line_magic("colors", "NoColor")
    outputs = []
    for cell in json.load(sys.stdin):
        with capture_output() as captured:
            result = shell.run_cell(cell, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        shown = captured.stdout if error is None else f"{type(error).__name__}: {error}"
        outputs.append(shown.replace(f"Out[{shell.execution_count - 1}]: ", "") if error is None else shown)
    json.dump(outputs, sys.stdout)
