"""The kind of a file, determined from its content."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.formats.filekind import KINDS, kind_of
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a", 'protocol = "echo"\n', "experiment"),
        ("b", ' {"nodes": []}', "network"),
        ("c", "from lydian import Process\n", "protocol"),
        ("d.py", "x = 1", "protocol"),
        ("e.toml", "# nothing yet\n", "experiment"),
        ("f", "PAR1....", "trace"),
        ("g.toml", 'protocol = "echo"\nabout = "all begin: from lydian import Process"\n', "experiment"),
        ("h", "    import lydian as l\n", "protocol"),
        ("i.json", "[]", "network"),
        ("j.py", "PAR1", "trace"),
    ],
)
def test_the_kind_of_a_file_follows_from_its_content(tmp_path: Path, name: str, content: str, kind: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert kind_of(tmp_path / name) == kind


def test_every_file_in_the_archive_has_the_kind_of_its_folder() -> None:
    shelves = archive()
    for shelf in ("protocols", "networks", "experiments"):
        for name in shelves.names(shelf):
            assert kind_of(shelves.find(shelf, name)) == shelf[:-1], name


@pytest.mark.parametrize("content", [b"", b"   \n", b"hello", bytes(range(256)), b"\0\0\0", b"\xff\xfe"])
def test_a_file_of_no_known_kind_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd").write_bytes(content)
    with pytest.raises(BadInput, match="odd") as caught:
        kind_of(tmp_path / "odd")
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(BadInput, match="expected here"):
            kind_of(path)


@given(st.binary(max_size=200))
def test_any_bytes_have_a_kind_or_an_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-bytes"
    path.write_bytes(content)
    sentence = ""
    try:
        assert kind_of(path) in KINDS
    except BadInput as error:
        sentence = str(error)
    assert not sentence or "any-bytes" in sentence


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "x.log",
            b'a {"a":1}\nstarts\nb {"a":1, "b":1}\nhears\n',
            "x.log converts it to a trace that opens in all views",
        ),
        (
            "server.log",
            b"2024-01-01 10:00 INFO up\n2024-01-01 10:01 INFO down\n",
            "without vector clocks; lydian trace",
        ),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "a PNG picture"),
        ("a.zip", b"PK\x03\x04\0\0", "unpack it first"),
        ("a.html", b"<!DOCTYPE html><p>hello", "a web page"),
        ("a.yaml", b"who: cares\n", "YAML"),
        ("a.txt", "hello".encode("utf-16"), "save it as UTF-8"),
    ],
)
def test_foreign_files_are_described_by_their_likely_kind(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=words.replace(".", r"\.")) as caught:
        kind_of(tmp_path / name)
    assert name in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a", '<?xml version="1.0"?><graphml/>'),
        ("b", "digraph G { a -> b }"),
        ("c", "graph [ node [ id 1 ] ]"),
        ("d.txt", "a b\nb c 1.5\n"),
        ("e.gml", "graph [ ]"),
    ],
)
def test_networks_of_other_programs_are_recognised(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert kind_of(tmp_path / name) == "network"
