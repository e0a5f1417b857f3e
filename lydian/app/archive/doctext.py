"""What the docstring of a protocol and its outline say, as Markdown for a page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from lydian.model.authoring.outline import EventOutline, Outline
from lydian.model.catalogue import Entry

__all__ = ["description", "particulars"]

_KINDS = {"always": "Always", "eventually": "Eventually", "at_end": "At the end"}
#: How the paragraphs begin whose first word is set in bold type.
_HEADS = re.compile(r"^(Needs|Complexity|References?|Pseudo-code)\b:?")


def description(entry: Entry) -> str:
    """The docstring: pseudo-code as code, the beginnings of its parts in bold type."""
    parts = []
    for paragraph, code in _paragraphs(entry.doc):
        if code:
            parts.append(f"```\n{textwrap.dedent(paragraph)}\n```")
            continue
        text = " ".join(paragraph.split())
        if not parts and _first_line(text, entry):
            continue
        text = _escaped(text)
        found = _HEADS.match(text)
        if found is not None:
            text = f"**{found.group(0)}**{text[found.end() :]}"
        parts.append(re.sub(r" (Complexity|Reference):", r" **\1:**", text))
    return "\n\n".join(parts) or "The file has no description: write one between triple quotes on its first line."


def _first_line(text: str, entry: Entry) -> bool:
    """Whether this is the title and the sentence that stand above anyhow."""
    return bool(entry.about) and text.rstrip(".").lower().endswith(entry.about.lower())


def _paragraphs(doc: str) -> Iterator[tuple[str, bool]]:
    """The paragraphs of a docstring, and whether each is code: what is indented behind ``::``."""
    code = False
    kept: list[str] = []
    for block in re.split(r"\n[ \t]*\n", doc.strip("\n")):
        indented = all(line.startswith((" ", "\t")) for line in block.splitlines() if line.strip())
        if indented and (code or kept):
            kept.append(block)
            continue
        if kept:
            yield "\n\n".join(kept), True
            kept = []
        code = block.rstrip().endswith("::")
        yield (block.rstrip()[:-1] if code else block), False
    if kept:
        yield "\n\n".join(kept), True


def _escaped(text: str) -> str:
    """Text of a docstring for Markdown: ``words`` become code, signs that Markdown would take are kept."""
    pieces = re.split(r"``(.+?)``", text)
    for number, piece in enumerate(pieces):
        pieces[number] = f"`{piece}`" if number % 2 else re.sub(r"([\\*_<>\[\]#|~`])", r"\\\1", piece)
    return "".join(pieces)


def particulars(outline: Outline) -> str:
    """Properties, messages, variables and parameters as tables."""
    parts = []
    if outline.properties:
        rows = [f"| {_KINDS.get(each.kind, each.kind)} | {_cell(each.sentence)} |" for each in outline.properties]
        parts.append("### What should hold\n\n" + _table("When", "What", rows))
    if outline.needs:
        rows = [f"| {_cell(each.name)} | {_cell(each.sentence)} |" for each in outline.needs]
        parts.append("### What it needs\n\n" + _table("Need", "That is", rows))
    for title, records in (
        ("Messages", outline.messages), ("Timers", outline.timers), ("Commands", outline.commands),
    ):  # fmt: skip
        if records:
            rows = [f"| `{_signature(each)}` | {_cell(each.doc)} |" for each in records]
            parts.append(f"### {title}\n\n" + _table("Name", "What it says", rows))
    if outline.parameters:
        rows = [f"| `{each.name} = {_cell(each.default)}` | {_cell(each.help)} |" for each in outline.parameters]
        parts.append("### Parameters\n\n" + _table("Parameter", "What it does", rows))
    if outline.variables:
        rows = [f"| `{each.name}` | `{_cell(each.type)} = {_cell(each.initial)}` |" for each in outline.variables]
        parts.append("### Variables of a process\n\n" + _table("Variable", "Type and first value", rows))
    return "\n\n".join(parts) or "The file declares no properties, messages or variables yet."


def _table(left: str, right: str, rows: list[str]) -> str:
    return "\n".join([f"| {left} | {right} |", "| --- | --- |", *rows])


def _signature(event: EventOutline) -> str:
    return _cell(f"{event.name}({', '.join(f'{field.name}: {field.type}' for field in event.fields)})")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
