"""Advice for a run in which nothing happens."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Resolved

__all__ = ["advice"]


def advice(resolved: Resolved, stopped: str = "quiescent", started: bool = False) -> list[str]:
    """Return lines for a terminal: an option of the command, and the equivalent for an experiment's file.

    Args:
        stopped, started: as for :func:`lydian.model.experiment.idleruns.why_nothing`.
    """
    import tomli_w

    from lydian.model.experiment.idleruns import first_command, missing

    protocol, network = resolved.protocol, resolved.network
    wanted = missing(resolved, stopped, started)
    if wanted == "start":
        return ["Begin in any configuration with --start any, or with these lines in the experiment:", "",
                "    [start]", "    any = true"]  # fmt: skip
    if wanted == "initiator":
        name = network.processes[0]
        return ["Name a process that starts in the experiment:", "", "    [timing]", f'    initiators = ["{name}"]']
    command = first_command(protocol, network) if wanted == "command" else None
    if command is None:
        return []
    fields = ", ".join(f"{name}={json.dumps(value)}" for name, value in command.fields.items())
    option = shlex.quote(f"all:{command.label}({fields})") if fields else f"all:{command.label}"
    parts = command.to_dict()
    written = [tomli_w.dumps({key: value}).rstrip() for key, value in parts.items() if key != "fields"]
    if command.fields:
        inside = ", ".join(tomli_w.dumps({key: value}).strip() for key, value in command.fields.items())
        written.append(f"fields = {{{inside}}}")
    return [f"Give every process one with --command {option}, or one process in the experiment:", "",
            *(f"    {line}" for line in ("[[workload]]", *written))]  # fmt: skip
