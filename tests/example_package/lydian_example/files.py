"""Two formats: networks of lines such as ``a - b``, and the messages of a trace as a table for Markdown."""

from __future__ import annotations

from lydian.formats import networks, traces
from lydian.model.errors import BadInput
from lydian.model.network import Link, Network


def read(text, watch):
    """Read a network from lines such as ``a - b``."""
    links = []
    for number, line in enumerate(text.splitlines(), start=1):
        a, dash, b = (part.strip() for part in line.partition("-"))
        if not dash or not a or not b:
            raise BadInput("a line must be two names with - between them", place=f"line {number}")
        links.append(Link(a, b))
    names = tuple(dict.fromkeys(name for link in links for name in (link.a, link.b)))
    return Network("", names, tuple(links), initiators=names[:1])


def dumps(network):
    """Return the links of a network, one on each line."""
    return "".join(f"{link.a} - {link.b}\n" for link in network.links)


def write(trace, file, watch):
    """Write how many messages each process has sent."""
    file.write("| process | sent |\n| --- | --- |\n")
    sent = [event.process for event in trace.events() if event.kind == "send"]
    for name in trace.processes:
        file.write(f"| {name} | {sent.count(name)} |\n")


def register():
    """Register both formats; LYDIAN calls this function without arguments."""
    networks.FORMATS.register(networks.Format("arcs", "Arcs", (".arcs",), read, dumps, keeps="shape", words="arcs"))
    traces.FORMATS.register(
        traces.TraceFormat(
            "table", "Markdown table", "Markdown", "Save how many messages each process sent",
            "a table", (".md",), ".md", write, rb"\A\| process",
        )
    )  # fmt: skip
