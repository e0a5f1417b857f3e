"""Build the guide as a static site in build/site: ``make site``.

The pages are those of ``resources/guide``. The pages of twenty algorithms begin with a playable run, written by
``lydian run --html``. MkDocs with the theme Material builds the site and fails on a dead link or a missing section.
Both are installed into an environment of their own, ``build/site-tools``.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "resources" / "guide"
BUILD = ROOT / "build"
PAGES, SITE, TOOLS = BUILD / "site-pages", BUILD / "site", BUILD / "site-tools"
#: Protocols whose first experiment is played on their page.
PLAYING = (
    "echo", "flooding", "dfs", "bfs-async", "chang-roberts", "hirschberg-sinclair", "bully", "ricart-agrawala",
    "maekawa", "raymond", "lamport-clocks", "causal-broadcast", "chandy-lamport", "dijkstra-scholten", "bellman-ford",
    "ghs", "two-phase-commit", "paxos", "raft", "dijkstra-k-state",
)  # fmt: skip
#: The size of a playable page on a wide screen and on a telephone.
STYLE = """\
.plays { width: 100%; height: 36rem; border: 1px solid var(--md-default-fg-color--lightest); border-radius: 6px; }
@media (max-width: 45rem) { .plays { height: 28rem; } }
.md-typeset table:not([class]) { display: block; overflow-x: auto; }
"""


def main() -> int:
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(GUIDE, PAGES)
    (PAGES / "site.css").write_text(STYLE, encoding="utf-8")
    played = [name for name in PLAYING if plays(name)]
    for page in sorted(PAGES.rglob("*.md")):
        text = for_the_site(page.read_text(encoding="utf-8"))
        if page.parent.name == "archive" and page.stem in played:
            head, _, rest = text.partition("\n")
            run = f"../../play/{page.stem}.html#view=network"
            frame = f'<iframe class="plays" src="{run}" title="A run that plays" loading="lazy"></iframe>'
            text = f"{head}\n\n{frame}\n{rest}"
        page.write_text(text, encoding="utf-8")
    settings = BUILD / "site.json"  # JSON is valid YAML
    settings.write_text(json.dumps(layout()), encoding="utf-8")
    done = subprocess.run([mkdocs(), "build", "--strict", "--quiet", "--config-file", str(settings)], check=False)
    if done.returncode == 0:
        print(f"{(SITE / 'index.html').relative_to(ROOT)}: {len(list(SITE.rglob('*.html')))} pages, {len(played)} play")
    return done.returncode


def plays(name: str) -> bool:
    """Write the page that plays a protocol's first experiment; return whether there is one."""
    from lydian.cli import main as lydian

    target = PAGES / "play" / f"{name}.html"
    target.parent.mkdir(exist_ok=True)
    with contextlib.redirect_stdout(io.StringIO()):
        lydian(["run", name, "--html", str(target)])
    return target.exists()


def for_the_site(text: str) -> str:
    """Return a page of the guide with links that work in a browser, and one picture of each pair depending on the
    theme.
    """
    text = re.sub(r"\[([^\]]+)\]\(lydian:[^)]+\)", r"*\1*", text)
    return re.sub(r"(-(light|dark)\.png)\)", r"\1#only-\2)", text)


def layout() -> dict[str, object]:
    """Return the settings of MkDocs: the pages in the groups of the guide's index, the algorithms by family."""
    index = (GUIDE / "index.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", index, flags=re.MULTILINE)[1:]
    groups = {
        name: [{title: file} for title, file in re.findall(r"^\| \[([^\]]+)\]\(([\w-]+\.md)\)", text, re.MULTILINE)]
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }
    families = tomllib.loads((ROOT / "resources" / "families.toml").read_text(encoding="utf-8"))["family"]
    algorithms = [
        {family["title"]: [{heading(page): f"archive/{page.name}"} for page in pages_of(family)]} for family in families
    ]
    palette = [
        {"media": f"(prefers-color-scheme: {scheme})", "scheme": name, "primary": "indigo",
         "toggle": {"icon": f"material/weather-{icon}", "name": f"Switch to the {other} theme"}}
        for scheme, name, icon, other in (("light", "default", "sunny", "dark"), ("dark", "slate", "night", "light"))
    ]  # fmt: skip
    return {
        "site_name": "LYDIAN",
        "site_description": "A laboratory for distributed algorithms",
        "docs_dir": str(PAGES),
        "site_dir": str(SITE),
        "nav": [
            {"The guide": "index.md"},
            *({name: pages} for name, pages in groups.items() if pages),
            {"Algorithms": algorithms},
        ],
        "theme": {"name": "material", "palette": palette, "font": False, "features": ["content.code.copy"]},
        "extra_css": ["site.css"],
        "markdown_extensions": ["admonition", "pymdownx.superfences", {"toc": {"permalink": True}}, "sane_lists"],
        "plugins": ["search"],
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn"}},
    }


def pages_of(family: dict[str, list[str]]) -> list[Path]:
    """Return the pages of the protocols in a family."""
    return [page for name in family["protocols"] if (page := GUIDE / "archive" / f"{name}.md").exists()]


def heading(page: Path) -> str:
    """Return the title of a page, without the part after its colon."""
    return page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ").partition(":")[0]


def mkdocs() -> str:
    """Return MkDocs, installed into an environment of its own if there is none."""
    folder = TOOLS / ("Scripts" if sys.platform == "win32" else "bin")
    program = folder / "mkdocs"
    if not program.exists():
        venv.create(TOOLS, with_pip=True)
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        python = str(folder / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", *project["dependency-groups"]["site"]], check=True)
    return str(program)


if __name__ == "__main__":
    sys.exit(main())
