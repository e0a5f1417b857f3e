"""The files with which a double click opens a hand-in, and their removal."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Elements
from pathlib import Path

import pytest

from lydian.desk import doubleclick
from lydian.model.errors import BadInput

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="freedesktop.org is for Linux")


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share"


def test_files_are_written_once_and_removed_completely(share: Path) -> None:
    assert not doubleclick.installed() and doubleclick.remove() == []
    written = doubleclick.install()
    assert len(written) == 4 and all(share in path.parents and path.is_file() for path in written)
    assert doubleclick.installed() and doubleclick.install() == written
    assert doubleclick.remove() == written
    assert not doubleclick.installed() and not any(path.exists() for path in written)


def test_files_of_another_installation_are_left_alone(share: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubleclick.install()
    monkeypatch.setattr(sys, "executable", "/elsewhere/bin/python")
    assert not doubleclick.installed()
    doubleclick.install()
    assert doubleclick.installed()


@pytest.mark.parametrize("folder", ["plain", "with space", 'with "quotes"', "100 % $HOME `x` \\ y"])
def test_the_command_works_for_any_folder(share: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str):
    program = tmp_path / folder / "lydian"
    program.parent.mkdir()
    program.touch()
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    doubleclick.install()
    entry = configparser.RawConfigParser()
    entry.read(share / "applications" / "lydian.desktop", encoding="utf-8")
    command = entry["Desktop Entry"]["Exec"].replace("\\\\", "\\")  # the escapes of a value, then those of a command
    words = [word.replace("%%", "%").replace("\\$", "$").replace("\\`", "`") for word in shlex.split(command)]
    assert words == [str(program), "open", "--in-window", "%u"]
    assert entry["Desktop Entry"]["MimeType"] == f"{doubleclick.TYPE};x-scheme-handler/lydian;"
    kind = Elements.parse(share / "mime" / "packages" / "lydian.xml").getroot()
    assert [each.attrib["pattern"] for each in kind.iter() if each.tag.endswith("glob")] == ["*.lydian"]


def test_a_folder_that_cannot_be_created_is_an_error(share: Path) -> None:
    share.write_text("a file")
    with pytest.raises(BadInput, match="this folder cannot be created"):
        doubleclick.install()


def test_other_systems_show_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not doubleclick.installed()
    with pytest.raises(BadInput, match="choose Open With"):
        doubleclick.install()


@pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("update-mime-database", "update-desktop-database", "gio")),
    reason="no desktop's tools here",
)
def test_a_desktop_finds_the_program_for_a_hand_in(share: Path, tmp_path: Path) -> None:
    doubleclick.install()
    file = tmp_path / "mine.lydian"
    file.write_bytes(b"PK\x05\x06" + bytes(18))
    assert doubleclick.TYPE in said("gio", "info", "-a", "standard::content-type", str(file))
    assert "lydian.desktop" in said("gio", "mime", doubleclick.TYPE)
    doubleclick.remove()
    assert doubleclick.TYPE not in said("gio", "info", "-a", "standard::content-type", str(file))


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, timeout=30, check=True).stdout
