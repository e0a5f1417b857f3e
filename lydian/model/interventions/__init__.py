"""Interventions: changes made to an execution from outside, at a stated time.

A crash that an experiment file schedules, a message that the user drops with the mouse, and a command given to a
process are records of the same kind, so that an execution with interventions can be repeated.

One class describes each kind of intervention: its keys, how it is carried out and when it is refused, its texts and
its tool. Files, runs, batches, sentences and menus look kinds up in :data:`KINDS`. A package that adds a kind calls
:func:`register`, as this module does.
"""

from __future__ import annotations

from lydian.model.interventions.byzantine import HONEST_AGAIN, HOWS, Byzantine, Honest
from lydian.model.interventions.crash import Crash, Recover
from lydian.model.interventions.keys import KEYS, Key
from lydian.model.interventions.kind import KINDS, TOOLS, Drawn, Intervention, Kind, Tool, register
from lydian.model.interventions.links import LinkDown, LinkUp
from lydian.model.interventions.messages import Delay, Deliver, Drop, Duplicate, Edit, Inject
from lydian.model.interventions.partition import Heal, Partition
from lydian.model.interventions.playing import Fire, Hurry, Release, TakeOver
from lydian.model.interventions.retime import Retime
from lydian.model.interventions.users import Command, Wake
from lydian.model.interventions.variables import Corrupt, Scramble

__all__ = [
    "HONEST_AGAIN", "HOWS", "KEYS", "KINDS", "TOOLS", "Drawn", "Intervention", "Key", "Kind", "Tool", "register",
]  # fmt: skip

for each in (
    Crash, Recover, LinkDown, LinkUp, Partition, Heal, Drop, Delay, Duplicate, Inject, Corrupt, Wake, Command, Deliver,
    Hurry, Edit, Scramble, Retime, TakeOver, Release, Fire, Byzantine, Honest,
):  # fmt: skip
    register(each())
