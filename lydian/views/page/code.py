"""The text of the protocol in a page: what the run was made of, for somebody who marks it."""

from __future__ import annotations

import html
from pathlib import PurePosixPath

from lydian.authoring.codelex import lex
from lydian.trace.events import Trace

__all__ = ["code"]

#: Kind of a span -> class of the style sheet; all others look like plain text.
_CLASSES = {
    "keyword": "k", "constant": "k", "self": "l", "defined": "d", "decorator": "d", "number": "n", "string": "s",
    "comment": "c",
}  # fmt: skip


def code(trace: Trace) -> str:
    """The text of a run's protocol as a part of a page that can be opened; empty if the trace does not hold it."""
    source = trace.source.replace("\r\n", "\n").replace("\0", "").rstrip("\n")
    if not source.strip():
        return ""
    named = str(trace.experiment.get("protocol") or trace.summary.get("protocol") or "").replace("\\", "/")
    name = PurePosixPath(named).name or "protocol"
    name = name if name.endswith(".py") else f"{name}.py"
    lines, state = [], 0
    for line in source.split("\n"):
        spans, state = lex(line, state)
        parts = []
        for span in spans:
            text, kind = html.escape(line[span.start : span.end], quote=False), _CLASSES.get(span.kind)
            parts.append(text if kind is None else f'<i class="{kind}">{text}</i>')
        lines.append(f"<li>{''.join(parts)}</li>")
    storable = "\n".join(lines).encode("utf-8", "replace").decode("utf-8")
    about = f'<details id="code">\n  <summary>The protocol: {html.escape(name)}</summary>\n'
    return f"{about}  <ol>{storable}</ol>\n</details>\n\n"
