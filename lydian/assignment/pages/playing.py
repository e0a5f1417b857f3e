"""A short run that plays in a page: its picture, the list of its steps, and the controls."""

from __future__ import annotations

from lydian.assignment.pages.document import escaped, heads, icon
from lydian.assignment.pages.drawing import draw
from lydian.assignment.pages.shortrun import ShortRun
from lydian.assignment.pages.words import amount

__all__ = ["playing"]

_CONTROLS = (
    ("start", "to-start", "To the start (Home)"),
    ("back", "step-back", "One step back (Left)"),
    ("play", "play", "Play or pause (Space)"),
    ("forward", "step-forward", "One step on (Right)"),
    ("end", "to-end", "To the end (End)"),
)


def playing(run: ShortRun, name: str, width: int = 570, row: int = 0) -> str:
    """Return a run as HTML; without a script it shows its last step.

    Args:
        name: of the picture in the page, a word.
        width: of the picture in pixels.
        row: the distance of two processes in the picture, 0 for what suits their number.
    """
    last, total = run.steps, run.left_out + run.steps
    steps = "".join(
        f'<li class="{_classes(step, run)}" data-step="{run.left_out + step}">'
        f'<button type="button">{escaped(text)}</button></li>'
        for step, text in enumerate(run.texts, 1)
    )
    buttons = "".join(
        f'<button type="button" data-do="{do}" title="{told}" aria-label="{told}">{_drawn(do, picture)}</button>'
        for do, picture, told in _CONTROLS
    )
    earlier = f'<p class="earlier">These are the last {last} of {total:,} steps.</p>' if run.left_out else ""
    picture = draw(run, name, heads(), width, row)
    return (
        f'<div class="run" data-first="{run.left_out}">{earlier}<div class="scene">{picture}'
        f'<ol class="steps">{steps}</ol></div>'
        f'<div class="controls">{buttons}<input type="range" min="0" max="{last}" value="{last}" aria-label="Step">'
        f"<output><b>{total:,}</b> of {amount(total, 'step')}</output></div></div>"
    )


def _classes(step: int, run: ShortRun) -> str:
    names = ["now"] if step == run.steps else []
    return " ".join([*names, *(["broken"] if step >= run.since else [])])


def _drawn(do: str, picture: str) -> str:
    if do != "play":
        return icon(picture, 19)
    paused = icon("play", 19).replace('class="icon"', 'class="icon when-paused"')
    return paused + icon("pause", 19).replace('class="icon"', 'class="icon when-playing"')
