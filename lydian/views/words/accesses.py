"""Sentences about accesses to shared objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydian.language import tr
from lydian.views.words.values import value_text

__all__ = ["accessed", "bar_words"]


def accessed(access: Mapping[str, Any]) -> str:
    """Return what a process does, as a predicate: ``writes true to flag[2]``, ``begins to read turn``."""
    name, do, phase = str(access.get("object")), str(access.get("do")), access.get("phase")
    given = [value_text(each) for each in access.get("given", ())]
    result = value_text(access.get("result"))
    if do == "read":
        if phase == "begins":
            return tr("begins to read {object}", object=name)
        if phase == "ends":
            return tr("ends its read of {object} with the result {value}", object=name, value=result)
        return tr("reads {value} from {object}", object=name, value=result)
    if do == "write" and given:
        if phase == "begins":
            return tr("begins to write {value} to {object}", object=name, value=given[0])
        if phase == "ends":
            return tr("ends its write of {value} to {object}", object=name, value=given[0])
        return tr("writes {value} to {object}", object=name, value=given[0])
    if do == "test_and_set":
        return tr("tests and sets {object}, which was {value}", object=name, value=result)
    if do == "compare_and_swap" and len(given) == 2:
        told = {"object": name, "old": given[0], "new": given[1], "value": result}
        if access.get("result") == access["given"][0]:
            return tr("swaps {object} from {old} to {new}", **told)
        return tr("does not swap {object} from {old} to {new}, because it is {value}", **told)
    return tr("resets {object}", object=name)


def bar_words(access: Mapping[str, Any]) -> str:
    """Return an operation on a register that lasts, for its bar: ``write true``, ``read: false``."""
    if access.get("do") == "read":
        if access.get("phase") == "begins":
            return tr("read {object}", object=access.get("object"))
        return tr("read {object}: {value}", object=access.get("object"), value=value_text(access.get("result")))
    given = [value_text(each) for each in access.get("given", ())]
    return tr("write {object}: {value}", object=access.get("object"), value="".join(given[:1]))
