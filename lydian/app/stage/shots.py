"""The present contents of the window's views, as shots for pictures and movies."""

from __future__ import annotations

from typing import Any

from lydian.app.canvas.cameras import NetworkCamera, SpaceCamera, TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.pictures.shot import Lens, Shot

__all__ = ["shot_of"]


def shot_of(canvas: Canvas, *, moving: bool = False) -> Shot:
    """Return a shot of the current view: its options, the order of its rows, and the visible part.

    Args:
        moving: for a movie, show the whole run, or a stretch of time that follows the play head.
    """
    accepted = canvas.spec.options()
    chosen = canvas.options | canvas.passing
    options: dict[str, Any] = {name: value for name, value in chosen.items() if name in accepted}
    camera: Any = None
    if isinstance(canvas.camera, TimeCamera):
        options["window"] = canvas.camera.window
        camera = canvas.camera
        if "other" in accepted and canvas.compared is not None:
            options["other"] = canvas.compared
    elif isinstance(canvas.camera, NetworkCamera) and canvas.camera.scale is not None:
        camera = Lens(*canvas.camera.key, size=(float(canvas.width()), float(canvas.height())))  # type: ignore[arg-type]
    elif isinstance(canvas.camera, SpaceCamera):
        camera = canvas.camera.view
    return Shot(canvas.spec.name, options, camera, follow=moving)
