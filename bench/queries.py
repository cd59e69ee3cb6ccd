"""Searches: parse to fifty hits with snippets, against the bare statement on the same index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from store import Store

from .report import Section, interleaved, middle, ms, percentile

ROUNDS = 15
FIFTY = "SELECT * FROM observations WHERE id IN (SELECT record_id FROM documents WHERE id IN ({}))"
RANKED = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 4.0, 2.0, 1.0) LIMIT 50"
NEWEST = "SELECT rowid FROM {} WHERE {} MATCH ? ORDER BY rowid DESC LIMIT 50"

KINDS: dict[str, tuple[str, str, str]] = {
    "rare word": ('"RARE"', RANKED, '"RARE"'),
    "common word": ("token", RANKED, "token"),
    "three words": ("token refresh session", RANKED, "token refresh session"),
    "phrase": ('"token refresh"', RANKED, '"token refresh"'),
    "substring": ("efres", NEWEST.format("grams", "grams"), '"efr" AND "fre" AND "res"'),
    "prefix": ("refr", NEWEST.format("grams", "grams"), '"ref" AND "efr"'),
    "two Chinese characters": ("缓存", RANKED, "缓存"),
    "one Chinese character": ("缓", NEWEST.format("words", "words"), "缓 *"),
    "one Latin letter": ("q", NEWEST.format("words", "words"), "q *"),
    "filter only": ("project:project-03", "", ""),
    "filter and word": ("project:project-03 token", RANKED, "token"),
    "nothing found": ("zzqqzz", NEWEST.format("grams", "grams"), '"zzq" AND "zqq"'),
}
BY_PROJECT = "SELECT id FROM documents WHERE project = ? ORDER BY created_at DESC LIMIT 50"


def measure(path: Path) -> Section:
    """One row for each kind of query."""
    rows = []
    with Store.open(path) as store:
        count = store.stats().observations
        rare = _rare_word(store)
        for name, (query, sql, match) in KINDS.items():
            typed = query.replace("RARE", rare)
            ours, bare = interleaved(
                lambda typed=typed: store.results(typed, limit=50),  # type: ignore[misc]
                _bare(store, sql, match.replace("RARE", rare)),
                ROUNDS,
            )
            found = store.results(typed, limit=50)
            rows.append(
                (
                    name,
                    str(len(found.hits)) + ("" if found.complete else "+"),
                    ms(middle(ours)),
                    ms(percentile(ours, 0.95)),
                    ms(middle(bare)),
                    f"{middle(ours) / middle(bare):.1f}",
                )
            )
    return Section(
        f"Searches over {count:,} observations",
        "Milliseconds from the typed text to fifty hits with records and snippets, and the bare "
        "prepared statement (ids and rows only, unverified, no snippets).",
        ("query", "hits", "p50", "p95", "bare p50", "ratio"),
        rows,
    )


def _bare(store: Store, sql: str, match: str) -> Callable[[], object]:
    def run() -> object:
        found = store.db.execute(sql or BY_PROJECT, (match or "project-03",)).fetchall()
        ids = ", ".join(str(row[0]) for row in found)
        return store.db.execute(FIFTY.format(ids)).fetchall()

    return run


def _rare_word(store: Store) -> str:
    """The rarest of some words that stand in titles."""
    titles = [entry.title for entry in store.entries("kind:observation", 1_000, 20)]
    words = {word for title in titles for word in title.split() if len(word) > 6 and word.isascii()}
    return min(sorted(words)[:20], key=lambda word: store.count(f'"{word}"').value)
