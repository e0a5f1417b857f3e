"""The traces that a run may leave in its process, so that the next run would not begin in the same state."""

from __future__ import annotations

import builtins
import copy
import heapq
import json
import json.encoder
import math
import struct
import sys
from typing import Any

from lydian.model.protocol.protocol import Protocol

__all__ = ["pythons_own", "remembered"]

_SHARED = (builtins, copy, heapq, json, json.encoder, math, struct)


def remembered(protocol: Protocol) -> Any:
    """Return whatever a protocol's file keeps outside its processes and could carry from one run into the next."""
    module = sys.modules.get(protocol.cls.__module__)
    scopes = [*map(vars, protocol.classes), *([vars(module)] if module is not None else [])]
    told = (list, dict, set, bytearray)
    return [
        (name, repr(value) if isinstance(value, told) and name != "__builtins__" else id(value))
        for scope in scopes
        for name, value in scope.items()
    ]


def pythons_own() -> list[int]:
    """Return the identities of the functions that all runs share; a protocol can replace them for all later runs."""
    return [id(value) for module in _SHARED for value in vars(module).values()]
