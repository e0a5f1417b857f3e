"""The state of the views that is kept for the next start: options, further views, filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage

__all__ = ["describe", "give_back"]


def describe(stage: Stage) -> dict[str, Any]:
    """Return the state of the views as JSON values."""
    chosen = {name: stage.options.chosen(name) for name in stage.canvases}
    return {
        "chosen": {name: options for name, options in chosen.items() if options},
        "copies": stage.copies.describe(),
        "filter": stage.pane.field.text(),
    }


def give_back(stage: Stage, record: Mapping[str, Any]) -> None:
    """Restore the state that :func:`describe` returned, ignoring what is not understood."""
    chosen = record.get("chosen")
    for name, options in chosen.items() if isinstance(chosen, Mapping) else ():
        if name in stage.canvases:
            stage.options.give_back(name, options)
    stage.copies.give_back(record.get("copies"))
    written = record.get("filter")
    if isinstance(written, str):
        stage.pane.field.setText(written)
