"""The names of the views and where each is declared, for code that must not load them: lessons, the command line."""

from __future__ import annotations

__all__ = ["PLACES", "SPACES"]

#: Name of a view -> the module whose ``VIEW`` declares it, in the order of menus and lists.
#: :func:`lydian.views.registry.register` adds the views of other packages.
PLACES: dict[str, str] = {
    "basic": "lydian.views.network.basic",
    "communication": "lydian.views.others.communication",
    "causality": "lydian.views.time.causality",
    "step": "lydian.views.others.step",
    "occupation": "lydian.views.time.occupation",
    "knowledge": "lydian.views.others.knowledge",
    "world": "lydian.views.world.world",
}

#: The layouts of the view World; :mod:`lydian.views.world.places` says what each of them does.
SPACES = ("shape", "spring", "sphere", "layers", "helix", "tower")
