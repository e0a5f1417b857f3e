"""A protocol that is a folder: one text for every function that accepts a protocol, and errors that name the right
file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.formats.filekind import kind_of
from lydian.model.archive.archive import Archive
from lydian.model.archive.catalogue import Reader
from lydian.model.archive.shelves import located, our_folder
from lydian.model.errors import ActionError, LydianError, ProtocolError
from lydian.model.experiment.experiment import Experiment
from lydian.model.protocol.folder import faults, file_lines, files_of, place_in, read_source, write_source
from lydian.model.protocol.protocol import load_protocol, protocol_from_source
from lydian.model.source.outline import outline
from lydian.model.source.problems import problems
from lydian.trace.handin import packed
from tests.protocolfolder import FILES, ONE_FILE, made

INIT, MESSAGES, PROPERTIES = (FILES[name] for name in ("__init__.py", "messages.py", "properties.py"))


def test_a_folder_is_equivalent_to_a_single_file(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text(ONE_FILE, encoding="utf-8")
    one, many = load_protocol(file), load_protocol(made(tmp_path / "rumour"))
    assert (many.name, many.title, many.about) == ("rumour", "Gossip", "Rumour: it goes round once")
    assert many.states == one.states and many.labels == one.labels and many.parameters.keys() == one.parameters.keys()
    assert many.table.cells.keys() == one.table.cells.keys()
    assert [each.name for each in many.properties] == ["all have heard"]
    runs = [Simulator(Experiment("x", protocol=str(p.path), network="ring:6", seed=3)).run() for p in (one, many)]
    assert runs[0].trace.fingerprint() == runs[1].trace.fingerprint() and runs[1].messages > 0


def test_one_text_contains_all_files_and_can_be_split_again(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    source = read_source(folder)
    assert files_of(source) == FILES and list(file_lines(source)) == ["messages.py", "properties.py", "__init__.py"]
    assert source.startswith('"""Rumour: it goes round once.')
    for number, line in enumerate(source.splitlines(), 1):
        name, at = place_in(source, number) or ("", 0)
        assert line.startswith("# ---- ") or FILES[name].splitlines()[at - 1] == line
    assert files_of(ONE_FILE) == {} and place_in(ONE_FILE, 3) is None
    assert [problem for problem in problems(source) if problem.kind == "error"] == []
    assert outline(source).name == "Gossip"
    assert protocol_from_source(source, name="rumour").labels == load_protocol(folder).labels


def test_a_folder_does_not_inherit_the_docstring_of_another_file(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour", __init__=INIT.partition('"""\n\n')[2])
    assert load_protocol(folder).doc == "" and files_of(read_source(folder))["__init__.py"].startswith("from lydian")


def test_only_changed_files_are_written(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    before = (folder / "messages.py").stat().st_mtime_ns
    write_source(folder, read_source(folder).replace("all have heard", "all heard"))
    assert "all heard" in (folder / "properties.py").read_text(encoding="utf-8")
    assert (folder / "messages.py").stat().st_mtime_ns == before
    write_source(tmp_path / "other", read_source(folder))
    assert read_source(tmp_path / "other") == read_source(folder)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"messages": None}, r"__init__\.py, line 9: this folder does not contain messages\.py"),
        ({"messages": MESSAGES + "class (\n"}, r"messages\.py, line 12: .*Python cannot read it"),
        (
            {"messages": MESSAGES + "from .properties import heard\n"},
            r"messages\.py, line 12: properties\.py imports messages\.py imports properties\.py; move what both need",
        ),
        ({"messages": MESSAGES + "from .messages import DEAF\n"}, r"messages\.py, line 12: .* imports itself"),
        ({"__init__": None}, r"this folder is not a protocol"),
        (
            {"messages": None, "queue": MESSAGES, "__init__": INIT.replace(".messages", ".queue"),
             "properties": PROPERTIES.replace(".messages", ".queue")},
            r"queue\.py, line 1: queue\.py has the name of a Python module; choose another name for the file",
        ),
        (
            {"properties": PROPERTIES.replace("from .messages import HEARD\n", "")},
            r"properties\.py, line 9: properties\.py uses 'HEARD' without importing it; write from \.messages import",
        ),
        (
            {"properties": PROPERTIES.replace("import HEARD", "import HEART")},
            r"properties\.py, line 5: messages\.py has no 'HEART' \(did you mean 'HEARD'\?\)",
        ),
        (
            {"properties": PROPERTIES + "\n\ndef DEAF():\n    pass\n"},
            r"properties\.py, line 13: 'DEAF' has different meanings in messages\.py and properties\.py",
        ),
        (
            {"properties": PROPERTIES.replace("import HEARD", "import *")},
            r"properties\.py, line 5: names from messages\.py must be imported one by one and unchanged: from",
        ),
        (
            {"properties": PROPERTIES.replace(".messages", "..messages")},
            r"properties\.py, line 5: a file in a protocol's folder must import from a file beside it",
        ),
        (
            {"properties": PROPERTIES + "\n\ndef late():\n    from .messages import DEAF\n"},
            r"properties\.py, line 14: the import of a file of this folder must not be indented",
        ),
        (
            {"__init__": INIT + "\n    size = properties.heard\n"},
            r"__init__\.py, line 36: names from properties\.py must be imported one by one: from \.properties import",
        ),
        ({"messages": MESSAGES + "1 / 0\n"}, r"messages\.py, line 12: ZeroDivisionError"),
        ({"messages": "\n"}, r"messages\.py: the file is empty; a file of a protocol was expected here"),
        (
            {"__init__": INIT.replace("def again(self, m, q):", "def again(self, m, q, x):")},
            r"__init__\.py, line 27: the action 'again' for Rumour takes \(self, m, q\)",
        ),
        (
            {"__init__": INIT.replace("@on(HEARD, Rumour)", "@on((DEAF, HEARD), Rumour)")},
            r"__init__\.py, line 27: two actions for Rumour in state deaf: 'hear' \(line 22\) and 'again'; keep one",
        ),
    ],
)  # fmt: skip
def test_errors_name_their_file(tmp_path: Path, changed: dict[str, str | None], sentence: str) -> None:
    folder = made(tmp_path / "rumour", **changed)
    with pytest.raises(LydianError, match=sentence) as raised:
        Archive(None, tmp_path).protocol(folder)
    assert "\n" not in str(raised.value) and str(raised.value).startswith(str(folder))


def test_a_problem_is_found_during_typing(tmp_path: Path) -> None:
    source = read_source(made(tmp_path / "rumour")).replace("import HEARD\n", "import HEART\n")
    assert [place_in(source, problem.line) for problem in problems(source) if "has no 'HEART'" in problem.sentence] == [
        ("properties.py", 5)
    ]
    assert next(sentence for _, sentence in faults(source)).startswith("messages.py has no 'HEART'")


def test_a_failing_action_is_reported_with_its_file(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour", __init__=INIT.replace("self.heard_from = q", "self.heard_from = 1 / 0"))
    result = Simulator(Experiment("x", protocol=str(folder), network="ring:5")).run()
    assert isinstance(result.error, (str, ActionError))
    assert f"{folder / '__init__.py'}, line 24" in str(result.error)


def test_the_archive_contains_folders_beside_files(tmp_path: Path) -> None:
    shelves = Archive(tmp_path, our_folder())
    folder = made(tmp_path / "protocols" / "rumour")
    (tmp_path / "protocols" / "notes").mkdir()
    (tmp_path / "protocols" / "__pycache__").mkdir()
    assert {"rumour", "echo"} <= set(shelves.names("protocols")) and "notes" not in shelves.names("protocols")
    assert shelves.find("protocols", "rumour") == folder == shelves.find("protocols", folder / "__init__.py")
    assert shelves.protocol("rumour").path == folder and shelves.is_protocol("rumour")
    entry = Reader(shelves).read().entry("rumour")
    assert entry is not None and entry.problem == "" and entry.about == "It goes round once"
    (folder / "messages.py").write_text("class (", encoding="utf-8")
    wrong = Reader(shelves).read().entry("rumour")
    assert wrong is not None and wrong.problem.startswith("rumour/messages.py, line 1:")
    assert kind_of(folder) == "protocol"


def test_a_changed_helper_file_is_read_again(tmp_path: Path) -> None:
    shelves = Archive(None, tmp_path)
    folder = made(tmp_path / "protocols" / "rumour")
    first = shelves.protocol("rumour")
    assert shelves.protocol("rumour") is first
    (folder / "properties.py").write_text(PROPERTIES.replace("all have", "each has"), encoding="utf-8")
    assert [each.name for each in shelves.protocol("rumour").properties] == ["each has heard"]


def test_an_experiment_finds_the_folder_beside_it(tmp_path: Path) -> None:
    folder, place = made(tmp_path / "rumour"), tmp_path / "mine.toml"
    assert located("rumour", "protocols", place) == folder == located("./rumour", "protocols", place)
    assert located("elsewhere/rumour", "protocols", place) == folder


def test_a_hand_in_contains_a_folder_as_one_text(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    inside, files = packed(Experiment("x", protocol=str(folder), network="ring:5"))
    assert inside.protocol == "./rumour.py" and files["rumour.py"].decode() == read_source(folder)
    (tmp_path / "rumour.py").write_bytes(files["rumour.py"])
    assert load_protocol(tmp_path / "rumour.py").labels == ("Rumour",)


def test_a_single_file_of_a_folder_is_not_a_protocol(tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    with pytest.raises(ProtocolError, match=r"properties\.py, line 5: a protocol file cannot import another"):
        load_protocol(folder / "properties.py")
