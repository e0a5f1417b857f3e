"""The guide's commands are executed and must print the output shown below them.

In a page, a ``console`` block contains commands (``$ lydian ...``) with their output; ``...`` matches any text, in a
line or for whole lines. A block such as ```` ```python file=mine.py ```` is first written to that file.
All blocks of a page are executed in order in one empty folder: those of one page as separate programs, as a reader
starts them, and those of the others in this process, which is faster and gives the same output.
"""

from __future__ import annotations

import ast
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lydian.app.commands.table import commands
from lydian.app.network.board.board import TOOLS
from lydian.app.panels.help.guidetext import about, for_theme, keys_table, places
from lydian.assignment.assignment import _KEYS as ASSIGNMENT_KEYS
from lydian.assignment.kinds.registry import KINDS as CHECKS
from lydian.cli import main
from lydian.desk.guide.pages import PAGES as PAGES_IN_MENU
from lydian.desk.guide.pages import Place, section, slug
from lydian.engine.wirepage import page as channel_page
from lydian.formats.networks import FORMATS
from lydian.model.archive.archive import archive
from lydian.model.delays import FAMILIES
from lydian.model.experiment.experiment import _KEYS as EXPERIMENT_KEYS
from lydian.model.experiment.experiment import _TIMING_KEYS as TIMING_KEYS
from lydian.model.interventions import KINDS
from lydian.model.protocol.folder import read_source
from lydian.views.registry import names
from lydian.views.words.asked import read
from scripts import website
from tests.examplepackage import installed, searched

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "resources" / "guide").rglob("*.md"))
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: The page whose commands are started as programs, because a package is installed for it.
STARTED = "extending"
MAIN = "import sys; from lydian.cli import main; sys.exit(main())"


def steps(text: str) -> Iterator[tuple[str, str, str]]:
    """Return ("file", name, content) and ("run", command, expected output) in the order of the page."""
    for language, words, body in BLOCK.findall(text):
        if match := re.search(r"\bfile=(\S+)", words):
            yield "file", match.group(1), body
        elif language == "console":
            first, *commands = re.split(r"^\$ ", body, flags=re.MULTILINE)
            assert not first.strip(), f"a console block begins with a command, not with {first!r}"
            for command in commands:
                line, _, output = command.partition("\n")
                while line.endswith("\\"):
                    more, _, output = output.partition("\n")
                    line = line[:-1].rstrip() + " " + more.removeprefix(">").strip()
                yield "run", line, output


def same(expected: str, printed: str) -> bool:
    """Return whether the output is as shown; ``...`` in the page matches any text, including several lines."""
    told, got = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (expected, printed))
    return re.fullmatch(re.escape(told).replace(r"\.\.\.", r"[\s\S]*"), got) is not None


def started(words: list[str], folder: Path, env: dict[str, str]) -> str:
    """Return the output of the program started with these arguments."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *words],
        env=env, cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.fixture
def called(tmp_path, monkeypatch, capsys, qapp) -> Callable[[list[str]], str]:
    """Return the output of a command called in this process, in the folder of the test."""
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.chdir(tmp_path)

    def call(words: list[str]) -> str:
        main(words)
        said = capsys.readouterr()
        return said.out + said.err

    return call


def on_spark(page: Path) -> bool:
    """Return whether a page shows a command that starts Spark."""
    return any("--master" in what for kind, what, _ in steps(page.read_text(encoding="utf-8")) if kind == "run")


@pytest.mark.parametrize(
    ("page", "spark"),
    [
        *(pytest.param(page, False, id=page.stem) for page in PAGES),
        *(
            pytest.param(page, True, id=f"{page.stem}-spark", marks=pytest.mark.slow)
            for page in PAGES
            if on_spark(page)
        ),
    ],
)
def test_the_commands_of_a_page_print_their_shown_output(page, spark, called, python_env, tmp_path):
    """Commands that start Spark are left out unless ``spark`` is true."""
    ran = 0
    if page.stem == STARTED:
        python_env = searched(python_env, installed(tmp_path / "site"))
    for kind, what, content in steps(page.read_text(encoding="utf-8")):
        if kind == "file":
            (tmp_path / what).write_text(content, encoding="utf-8")
            continue
        program, *words = shlex.split(what, comments=True)
        if "--master" in words and not spark:
            continue
        assert program == "lydian", f"{page.name}: a console block runs lydian only, not {what!r}"
        printed = started(words, tmp_path, python_env) if page.stem == STARTED else called(words)
        assert "Traceback" not in printed, printed
        assert same(content, printed), f"{page.name}: $ {what}\ntold:\n{content}\nprinted:\n{printed}"
        ran += 1
    assert ran or "$ lydian" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_links_and_pictures_have_targets(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    ours = [t for t in targets if "://" not in t and not t.startswith("lydian:")]
    assert [t for t in ours if not (page.parent / t).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_linked_sections_exist(page):
    for target, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        there = (page.parent / target if target else page).read_text(encoding="utf-8")
        assert anchor in [slug(heading) for heading in re.findall(r"^#+ (.+)$", there, re.MULTILINE)], (target, anchor)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_lydian_links_name_existing_things(page):
    there = archive()
    for verb, what in re.findall(r"\]\(lydian:(\w+)/([^)]+)\)", page.read_text(encoding="utf-8")):
        if verb in ("run", "open"):
            assert there.experiment(what).about  # tests/archive/test_experiments.py checks that it runs
        elif verb == "lesson":
            assert what in there.names("lessons")
        else:
            assert (verb, what) in [("do", command.name) for command in commands()], (verb, what)


def test_the_contents_name_every_page():
    linked = set(re.findall(r"\]\((\S+)\.md\)", (PAGES[0].parent / "index.md").read_text(encoding="utf-8")))
    # the pages of the archive belong to its protocols
    assert linked | {"index"} == {page.stem for page in PAGES if page.parent.name != "archive"}
    assert [page for page in PAGES_IN_MENU if (PAGES[0].parent / f"{page}.md").exists()] == [
        page for page in PAGES_IN_MENU if page in linked | {"index"}
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "archive"], ids=lambda page: page.stem)
def test_each_page_begins_with_what_it_is_good_for_and_leads_to_the_glossary(page):
    text = page.read_text(encoding="utf-8")
    assert re.match(r"# .+\n\n(?:After|From|With) (?:this page|the \w+(?: on this page)?) you |# .+\n\nWith the ", text)
    assert "(glossary.md" in text or page.stem == "glossary"


#: How the references of protocols name the books of the page about the course.
BOOKS = {
    "Tel": "G. Tel, Introduction to",
    "Fokkink": "An Intuitive Approach",
    "Lynch": "Lynch, Distributed Algorithms",
    "Attiya and Welch": "Welch, Distributed Computing",
    "Cachin, Guerraoui and Rodrigues": "Reliable and Secure Distributed Programming",
    "Raynal": "Raynal, Distributed Algorithms for Message-Passing",
}


@pytest.mark.parametrize("book", BOOKS)
def test_the_course_lists_every_protocol_that_cites_a_book(book):
    page = (PAGES[0].parent / "the-course.md").read_text(encoding="utf-8")
    (part,) = [each for each in page.split("\n## ")[1:] if each.startswith(f"{book}, ")]
    listed = set(re.findall(r"\]\(archive/([\w-]+)\.md\)", part))
    citing = {
        name
        for name in archive().names("protocols")
        if BOOKS[book]
        in " ".join((ast.get_docstring(ast.parse(read_source(archive().find("protocols", name)))) or "").split())
    }
    assert citing
    assert citing - listed == set()


def test_the_table_of_keys_matches_the_commands():
    page = (PAGES[0].parent / "playback.md").read_text(encoding="utf-8")
    assert keys_table() in page, "the commands have changed: make pictures ARGS=keys"


def test_the_page_on_the_channel_matches_the_program():
    page = (PAGES[0].parent / "channel.md").read_text(encoding="utf-8")
    assert page == channel_page(), "the frames have changed: python -m lydian.engine.wirepage"


@pytest.mark.parametrize("name", [*names(), "trace"])
def test_every_view_has_a_section_two_pictures_and_a_question(name):
    words = section(places()[name])
    assert 2 <= len(re.findall(r"[.:?](?= [A-Z]|$)", about(name))) <= 3, about(name)
    assert [f"pictures/views/{name}-{theme}.png" in words for theme in ("light", "dark")] == [True, True]
    assert "**Ask the class:**" in words
    assert f"{name}-dark.png" not in for_theme(words, False) and f"{name}-light.png" not in for_theme(words, True)


@pytest.mark.parametrize("place", places().values(), ids=lambda place: f"{place.page}-{place.section}")
def test_pages_opened_by_f1_exist(place):
    assert section(place)


def test_the_page_on_drawing_names_every_tool_key_and_file_format():
    words = section(Place("drawing-networks", "keys-of-the-drawing"))
    letters, names = re.search(r"^\| (.+?) \| Choose a tool: (.+)\. \|$", words, re.MULTILINE).groups()
    told = dict(zip(names.split(", "), letters.replace("`", "").split(), strict=True))
    assert told == {{"failure": "outage"}.get(tool, tool): key for tool, key in TOOLS.items()}
    files = section(Place("drawing-networks", "open-files-of-other-programs"))
    for form in FORMATS.values():
        if form.name not in ("json", "tikz"):
            assert form.title.split(" (")[0].lower().split()[-1] in files.lower().replace("matrices", "matrix"), form


def test_the_page_on_experiment_files_names_every_key_and_every_kind_of_intervention():
    page = (PAGES[0].parent / "experiment-files.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*) \|", page, re.MULTILINE)
    named = {word.strip("[]") for row in rows for word in re.findall(r"`([^`]+)`", row)}
    assert set(EXPERIMENT_KEYS) | set(TIMING_KEYS) | set(KINDS) <= named
    words = section(Place("experiment-files", "interventions"))
    told = re.findall(r"^\| `(?!do)(\w+)` \| ([^|]*?) ?\| ([^|]*?) ?\| [^|]+\|$", words, re.MULTILINE)
    assert {name: (re.findall(r"\w+", needs), re.findall(r"\w+", may)) for name, needs, may in told} == {
        kind.name: ([key.name for key in kind.needs], [key.name for key in kind.may]) for kind in KINDS.values()
    }


def test_the_page_on_assignments_names_every_key_and_every_kind_of_check():
    words = section(Place("assignments", "the-file"))
    told = {word.strip("[]") for word in re.findall(r"`([^`]+)`", words)}
    assert {*ASSIGNMENT_KEYS, "points", "percent", "days", "seconds", "memory"} - {"hidden"} <= told
    assert set(CHECKS) == {
        name for name in re.findall(r"^\| `(\w+)` \|", words, re.MULTILINE) if name not in ("due", "hand_in")
    }
    for kind in CHECKS.values():
        (row,) = re.findall(rf"^\| `{kind.name}` \| ([^|]+) \| [^|]+\|$", words, re.MULTILINE)
        own = set(re.findall(r"`(\w+)`", row)) | (set(CHECKS["runs"].keys) if "the same" in row else set())
        assert set(kind.keys) <= own, kind.name


def test_the_page_on_drawing_names_every_distribution():
    page = (PAGES[0].parent / "drawing-networks.md").read_text(encoding="utf-8")
    rows = "".join(f"| {each.title} | `{each.example}` | {each.sentence}. |\n" for each in FAMILIES.values())
    assert f"| Distribution | Written | What it is |\n| --- | --- | --- |\n{rows}" in page


def test_the_page_on_drawing_covers_the_menu():
    page = (PAGES[0].parent / "drawing-networks.md").read_text(encoding="utf-8")
    told = re.findall(r"\*Network > ([^*]+)\*", page)
    texts = {command.text.replace("&", "").rstrip("…") for command in commands() if command.menu == "&Network"}
    assert len(told) >= 2 and set(told) <= texts


def test_conditions_on_the_page_about_playing_are_valid():
    page = (PAGES[0].parent / "playback.md").read_text(encoding="utf-8")
    table = page[page.index("| Condition |") : page.index("## Breakpoints")]
    written = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    assert len(written) >= 6
    assert {read(text).what for text in written} >= {"time", "event", "state", "message", "predicate", "violation"}


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


@pytest.mark.parametrize(
    ("expected", "printed", "result"),
    [
        ("46 messages", "46 messages\n", True),
        ("46 messages", "47 messages", False),
        ("a ... c", "a b c", True),
        ("a\n...\nc", "a\nx\ny\nc", True),
        ("a\n...\nc", "a\nx\nd", False),
        ("", "something", False),
    ],
)
def test_outputs_are_compared(expected, printed, result):
    assert same(expected, printed) == result


def test_the_site_has_every_page_and_playable_runs():
    first, *groups, algorithms = website.layout()["nav"]
    ours = {page.name for page in PAGES if page.parent.name == "archive"}
    assert [name for group in groups for name in group] == ["Tutorials", "How-to pages", "Explanations", "Reference"]
    pages = [first, *(page for group in groups for inside in group.values() for page in inside)]
    assert sorted(file for page in pages for file in page.values()) == sorted({page.name for page in PAGES} - ours)
    listed = [page for family in algorithms["Algorithms"] for inside in family.values() for page in inside]
    assert {file for page in listed for file in page.values()} == {f"archive/{name}" for name in ours}
    assert [name for name in website.PLAYING if f"{name}.md" not in ours] == []
    told = website.for_the_site("[two-wings](lydian:run/two-wings), ![a](pictures/x-dark.png), [b](views.md)")
    assert told == "*two-wings*, ![a](pictures/x-dark.png#only-dark), [b](views.md)"
