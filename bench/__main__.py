"""`make bench`: measure everything, print it, and bring the sections of docs/performance.md up to date.

That page has the sections that were chosen for it and gains no other, so that it stays short.
`ARGS="--sizes 10000,100000,1000000"` chooses the stores; they are kept in a cache directory
between runs, since a million rows take minutes to make.
"""

import argparse
import gc
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from platformdirs import user_cache_path

from bench import (
    at_rest,
    browser,
    commands,
    conversations,
    curation,
    embeddings,
    exports,
    flows,
    hooks,
    imports,
    lists,
    maintenance,
    mcp,
    observer,
    peers,
    queries,
    redaction,
    relevance,
    screens,
    sizes,
    sync,
    team,
)
from bench.memories import fill
from bench.report import Section
from memtui.store import Store

DOCS = Path(__file__).parents[1] / "docs" / "performance.md"


def main() -> None:
    """Run the sections that were asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000", help="rows of the stores, with commas")
    parser.add_argument(
        "--only",
        help="one section: relevance, commands, curation, hooks, redaction, observer, queries, lists, "
        "conversations, browser, imports, exports, maintenance, sizes, flows, mcp, embeddings, sync, team "
        "or peers",
    )
    chosen = parser.parse_args()
    paths = [store_of(int(size)) for size in chosen.sizes.split(",")]
    sections: list[Section] = []
    runs: dict[str, Callable[[], list[Section]]] = {
        "relevance": lambda: [relevance.measure()],
        "commands": lambda: [commands.measure(store_of(100_000))],
        "hooks": lambda: hooks.measure(store_of(100_000)),
        "curation": lambda: [curation.measure()],
        "redaction": redaction.measure,
        "observer": observer.measure,
        "queries": lambda: [queries.measure(path) for path in paths],
        "lists": lambda: lists.measure(paths),
        "conversations": lambda: [conversations.measure()],
        "browser": lambda: [*browser.measure(paths), screens.measure(paths), at_rest.measure(paths)],
        "imports": lambda: [imports.measure()],
        "exports": lambda: [exports.measure(store_of(100_000))],
        "maintenance": lambda: [maintenance.measure(store_of(100_000))],
        "sizes": lambda: [sizes.measure(paths)],
        "flows": lambda: [flows.measure()],
        "mcp": lambda: mcp.measure(store_of(100_000)),
        "embeddings": lambda: embeddings.measure(paths),
        "sync": lambda: sync.measure(paths),
        "team": team.measure,
        "peers": lambda: peers.measure(store_of(100_000)),
    }
    for name, run in runs.items():
        if chosen.only in (None, name):
            gc.collect()
            # Of the last minute: what else ran makes every figure but the ratios larger.
            load = f" Load average before: {os.getloadavg()[0]:.1f}."
            for section in run():
                sections.append(replace(section, about=section.about + load))
                print(sections[-1].markdown(), flush=True)
    DOCS.write_text(replaced(DOCS.read_text(), sections))


def replaced(text: str, sections: list[Section]) -> str:
    """The document with these sections in the place of those of the same title."""
    blocks = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    fresh = {section.title: section.markdown() + "\n" for section in sections}
    return "".join(fresh.get(block[3:].split("\n", 1)[0], block) for block in blocks).rstrip() + "\n"


def store_of(size: int) -> Path:
    """The store of so many observations, made when it is missing and brought to the newest schema."""
    path = user_cache_path("memtui-bench") / f"{size}.db"
    if path.exists():
        Store.open(path).close()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        print(f"making a store of {size:,} …", flush=True)
        draft = path.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        fill(draft, size)
        draft.rename(path)
    return path


if __name__ == "__main__":
    main()
