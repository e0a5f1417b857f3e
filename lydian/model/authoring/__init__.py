"""Writing a protocol: everything that the editor, the live table and the wizard ask of the text of a file.

The text is read and never run.  :func:`outline` says what it holds, :func:`problems` what is wrong with it,
:func:`skeleton` writes a new one, the edits change one cell, state or message and leave the rest byte for byte,
:func:`complete` and :func:`help_at` serve the place of the cursor, :func:`diagram` gives the state diagram.
To ask several questions of one text, :func:`read` it once and use the functions that end in ``_of`` and ``_in``.
"""

from lydian.model.authoring.celledits import remove_cell, set_cell
from lydian.model.authoring.complete import Completion, complete, complete_in, help_at, help_in
from lydian.model.authoring.diagram import Diagram, DiagramEdge, DiagramState, diagram, diagram_of
from lydian.model.authoring.draft import Draft, read
from lydian.model.authoring.edits import add_message, add_state, rename_function, rename_state
from lydian.model.authoring.outline import Cell, EventOutline, Field, Outline, outline, outline_of
from lydian.model.authoring.problems import problems, problems_of
from lydian.model.authoring.ready import READY, Ready, ReadyParameter, add_property
from lydian.model.authoring.skeleton import CellPlan, EventPlan, skeleton
from lydian.model.authoring.text import Edit, Fix, Problem, apply_edits, apply_fix

__all__ = [
    "READY",
    "Cell",
    "CellPlan",
    "Completion",
    "Diagram",
    "DiagramEdge",
    "DiagramState",
    "Draft",
    "Edit",
    "EventOutline",
    "EventPlan",
    "Field",
    "Fix",
    "Outline",
    "Problem",
    "Ready",
    "ReadyParameter",
    "add_message",
    "add_property",
    "add_state",
    "apply_edits",
    "apply_fix",
    "complete",
    "complete_in",
    "diagram",
    "diagram_of",
    "help_at",
    "help_in",
    "outline",
    "outline_of",
    "problems",
    "problems_of",
    "read",
    "remove_cell",
    "rename_function",
    "rename_state",
    "set_cell",
    "skeleton",
]
