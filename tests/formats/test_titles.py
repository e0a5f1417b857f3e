"""The titles of formats in the language of the window."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations

import pytest

from lydian.formats import logs, networks, traces
from lydian.language import ENGLISH, use
from scripts.languages import texts

#: Names, which are the same in every language.
NAMES = {"CSV", "JSON", "Perfetto", "GraphML", "GML", "DOT (Graphviz)", "TikZ (LaTeX)", "graph6"}
NAMES |= {"ITF (Apalache, Quint)", "OpenTelemetry (OTLP)"}


class Quoting(NullTranslations):
    """A catalogue with the texts that are collected for translators."""

    def __init__(self) -> None:
        super().__init__()
        self.known = {text.id for text in texts()}

    def gettext(self, message: str) -> str:
        return f"<{message}>" if message in self.known else message


@pytest.fixture
def quoting() -> Iterator[None]:
    use(Quoting(), "xx")
    yield
    use(None, ENGLISH)


@pytest.mark.usefixtures("quoting")
def test_every_title_can_be_translated() -> None:
    found = [(each.title, networks.title_of(each)) for each in networks.FORMATS.values()]
    found += [(each.title, logs.title_of(each)) for each in logs.FORMATS.values()]
    for each in traces.FORMATS.values():
        shown = traces.in_language(each)
        assert (shown.name, shown.endings) == (each.name, each.endings)
        found += [(each.title, shown.title), (each.files, shown.files), (each.about, shown.about)]
        found += [(each.words, shown.words)]
    assert [shown for _, shown in found] == [title if title in NAMES else f"<{title}>" for title, _ in found]
    assert networks.words_of(networks.FORMATS["edges"]) == "<edge list>"
    assert networks.words_of(networks.FORMATS["dot"]) == "DOT"


def test_titles_are_english_without_a_catalogue() -> None:
    assert [traces.in_language(each) for each in traces.FORMATS.values()] == list(traces.FORMATS.values())
    assert [logs.title_of(each) for each in logs.FORMATS.values()] == [each.title for each in logs.FORMATS.values()]
    kinds = networks.FORMATS.values()
    assert [(networks.title_of(each), networks.words_of(each)) for each in kinds] == [
        (each.title, each.words) for each in kinds
    ]
