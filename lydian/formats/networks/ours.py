"""LYDIAN's own files: JSON in the node-link layout of networkx, with all settings of a network."""

from __future__ import annotations

from lydian.formats.networks.format import FORMATS, Format
from lydian.language import later
from lydian.model.network import netfile

FORMATS.register(Format("json", later("LYDIAN network"), (".json",), None, netfile.dumps, begins=r"\A\{"))
