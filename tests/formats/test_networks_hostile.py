"""Files designed to fill the memory or to take for ever, and other encodings: a network or one error."""

from __future__ import annotations

import codecs
from itertools import pairwise
from pathlib import Path

import pytest

from lydian.formats.networks import Cancelled, loads, read
from lydian.model.errors import BadInput

TWO = (
    '<graphml><graph edgedefault="undirected"><node id="{0}"/><node id="b"/>'
    '<edge source="{0}" target="b"/></graph></graphml>'
)
LAUGHS = '<!DOCTYPE x [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(9)) + "]>"
QUADRATIC = f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY % d SYSTEM "http://example.org/x.dtd">%d;]>'


@pytest.mark.parametrize("trick", [LAUGHS, QUADRATIC, OUTSIDE, '<!DOCTYPE graphml SYSTEM "graphml.dtd">'])
def test_a_document_type_is_refused(trick: str) -> None:
    with pytest.raises(BadInput, match="line 1: the file has a document type"):
        loads(trick + TWO.format("&a9;"), "graphml")


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        ("graphml", "<graphml>" + "<graph><node id='a'>" * 100_000, "line 1: too many nested elements"),
        ("graphml", "<graphml>" + "<x>" * 100_000, "line 1: too many nested elements"),
        ("graphml", f'<graphml x="{"y" * 3_000_000}">', "a tag or a remark is longer than a million characters"),
        ("graphml", f"<graphml><!--{'y' * 3_000_000}-->", "a tag or a remark is longer than a million characters"),
        ("graphml", "<graphml>" + "".join(f'<key id="{i}"/>' for i in range(2_000)), "more than 1,000 kinds of attr"),
        ("gml", "graph [ " * 100_000, "line 1: too many nested brackets"),
        ("gml", "graph [ node [ id " + "9" * 200_000 + "x ] ]", "the name of a process must be text of 1 to 100"),
        ("dot", "graph { " + "{ " * 100_000, "line 1: too many nested braces"),
        ("dot", "graph { a -- " + "b -- " * 100_000, "a process was expected"),
        ("json", '{"nodes": ' + "[" * 100_000, "too many nested brackets"),
    ],
)
def test_depth_and_length_are_bounded(kind: str, text: str, sentence: str) -> None:
    for watch in (None, lambda _share: None):
        with pytest.raises(BadInput) as info:
            loads(text, kind, watch=watch)
        assert sentence in str(info.value)


def test_long_attributes_are_read_and_omitted() -> None:
    text = TWO.format("a").replace('<node id="b"/>', f'<node id="b"><data key="k">{"y" * 3_000_000}</data></node>')
    reading = loads(text, "graphml")
    assert (reading.network.n, reading.notes) == (2, ("attribute without a meaning here: k",))


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("iso-8859-1", "ISO-8859-1"), ("cp1252", "windows-1252"), ("utf-16", "UTF-16"), ("utf-8", "UTF-8"),
        ("utf-8-sig", "utf-8"), ("utf-16-le", "UTF-16"), ("utf-32", "UTF-32"), ("utf-8", "UTF-16"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_xml_in_its_declared_encoding(encoding: str, said: str, end: str, tmp_path: Path) -> None:
    path = tmp_path / "n.graphml"
    text = f'<?xml version="1.0" encoding="{said}"?>{end}' + TWO.format("Zoë").replace("><", f">{end}<")
    path.write_bytes(text.encode(encoding))
    assert read(path).network.processes == ("Zoë", "b")


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("n.graphml", TWO.format("Zoë").encode("latin-1"), "line 1: this is not text in UTF-8; a network was expected"),
        ("n.gml", 'graph [\n node [ id 1 label "é" ] ]'.encode("latin-1"), "line 2: this is not text in UTF-8"),
        ("n.graphml", b'<?xml version="1.0" encoding="klingon"?>' + TWO.encode(), "the encoding 'klingon' is unknown"),
        ("n.graphml", b'<?xml version="1.0" encoding="punycode"?>' + TWO.encode(), "'punycode' is unknown"),
        ("n.graphml", b'<?xml version="1.0" encoding="cp932"?>\x81', "the file is not in cp932, which it declares"),
        ("n.graphml", codecs.BOM_UTF16_LE + b"<\0g\0\0", "the file is not in utf-16, which it declares"),
    ],
)
def test_other_encodings_are_one_error_with_a_remedy(name: str, data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(BadInput) as info:
        read(path)
    assert sentence in str(info.value)
    assert "save it in UTF-8" in str(info.value)
    assert "\n" not in str(info.value)


@pytest.mark.parametrize("kind", ["gml", "dot", "edges", "json"])
def test_windows_line_ends(kind: str, tmp_path: Path) -> None:
    texts = {
        "gml": "graph\n[\n  node\n  [\n    id 0\n  ]\n  node\n  [\n    id 1\n  ]\n"
        "  edge\n  [\n    source 0\n    target 1\n  ]\n]\n",
        "dot": "graph {\n  0 -- 1\n  1 -- 0;\n}\n",
        "edges": "# two\n0 1\n",
        "json": '{"nodes": [\n{"id": 0},\n{"id": 1}\n],\n"links": [{"source": 0, "target": 1}]}\n',
    }
    path = tmp_path / f"n.{kind}"
    path.write_bytes(codecs.BOM_UTF8 + texts[kind].replace("\n", "\r\n").encode())
    network = read(path).network
    assert (network.processes, network.m) == (("0", "1"), 1)


# ---------------------------------------------------------------------- large files

MANY = 20_000


def large(kind: str) -> str:
    pairs = [(i % 300, i % 301 + 300) for i in range(MANY)]
    if kind == "edges":
        return "".join(f"{a} {b}\n" for a, b in pairs)
    if kind == "dot":
        return "graph {\n" + "".join(f"  {a} -- {b};\n" for a, b in pairs) + "}\n"
    nodes = range(601)
    if kind == "gml":
        links = "".join(f" edge [ source {a} target {b} ]\n" for a, b in pairs)
        return "graph [\n" + "".join(f' node [ id {i} label "p{i}" ]\n' for i in nodes) + links + "]\n"
    if kind == "json":
        items = ",\n".join(f'{{"source": {a}, "target": {b}}}' for a, b in dict.fromkeys(pairs))
        return f'{{"nodes": [{", ".join(f"""{{"id": {i}}}""" for i in nodes)}], "links": [{items}]}}'
    links = "".join(f'<edge source="{a}" target="{b}"/>\n' for a, b in pairs)
    return "<graphml><graph>" + "".join(f'<node id="{i}"/>\n' for i in nodes) + links + "</graph></graphml>"


@pytest.mark.parametrize("kind", ["edges", "graphml", "gml", "dot", "json"])
def test_progress_is_reported_throughout_and_reading_can_be_cancelled(kind: str) -> None:
    text = large(kind)
    seen: list[float] = []
    network = loads(text, kind, watch=seen.append).network
    assert (network.n, network.m) == (601, MANY)
    assert seen == sorted(seen)
    assert seen[0] < 0.2
    assert seen[-1] == 1.0
    assert len(seen) >= MANY // 1_000  # A thousand links take a few milliseconds. No part of the work is omitted.
    assert max(b - a for a, b in pairwise(seen)) < 0.2  # no part of the work is left out
    for last in (seen[1], seen[len(seen) // 2], seen[-3]):

        def stop(share: float, last: float = last) -> None:
            if share >= last:
                raise Cancelled

        with pytest.raises(Cancelled):
            loads(text, kind, watch=stop)


@pytest.mark.parametrize("kind", ["gml", "dot", "json"])
def test_error_lines_are_right_far_into_a_large_file(kind: str) -> None:
    bad = {"gml": " edge [ source 0 target zz ]\n", "dot": " a -> b\n", "json": "?"}[kind]
    text = large(kind)
    cut = text.rindex("\n", 0, len(text) - 20) + 1
    line = text.count("\n", 0, cut) + 1
    with pytest.raises(BadInput, match=f"line {line}"):
        loads(text[:cut] + bad + text[cut:], kind, watch=lambda _share: None)
