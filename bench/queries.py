"""Searches: parse to fifty hits with snippets, against the bare statements that they run.

Each kind is several queries. The bare statements are those of the search itself, run again with
the same values and as many rows read: what SQLite alone takes.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from bench.memories import HEAD, Memories
from bench.report import Section, interleaved, middle, ms, percentile
from bench.typing_errors import mistyped
from memtui.store import Store

ROUNDS = 15
COMMON = ("token", "refresh", "session", "cache")
KINDS: dict[str, tuple[str, ...]] = {
    "common word": COMMON,
    "three words": ("token refresh session", "cache redis retry", "cursor lock index"),
    "phrase": ('"token refresh"', '"the token"', '"cache redis"'),
    "substring": ("efres", "okeniz", "essio"),
    "prefix": ("refr", "authe", "sche"),
    "one Chinese character": ("缓", "令", "锁"),
    "two Chinese characters": ("缓存", "令牌", "支付"),
    "filter only": ("project:project-03", "type:bugfix", "agent:codex since:30d"),
    "filter and word": ("project:project-03 token", "type:bugfix cache", "concept:redis session"),
    "question": (
        "where did we fix the token refresh for RARE",
        "why does RARE time out when the cache is cold",
        "how is RARE deployed",
    ),
    "nothing found": ("zzqqzz", "qqwwee rrttyy", "龘龘"),
    "OR of five": ("token OR refresh OR session OR request OR cache",),
    "Chinese sentence": ("为什么缓存在令牌刷新之后会话请求超时了", "支付订单的对账回滚是怎么处理的"),
    "forty words": (" ".join(HEAD[:40]), " ".join(reversed(HEAD))),
    "pasted text": (Memories(3).text(1_000, chinese=False),),
    "misspelt common word": ("sesion", "tokne", "cahce"),
}
Statement = tuple[str, Any, int]


def measure(path: Path) -> Section:
    """One row for each kind of query."""
    with Store.open(path) as store:
        count = store.stats().observations
        rare = _rare_words(store)
        kinds = {
            "rare word": tuple(f'"{word}"' for word in rare),
            **{
                name: tuple(
                    one.replace("RARE", rare[place % len(rare)]) for place, one in enumerate(queries)
                )
                for name, queries in KINDS.items()
            },
            "typo": tuple(mistyped(word, seed) for seed, word in enumerate(rare)),
        }
        rows = [_row(store, name, queries) for name, queries in kinds.items()]
    return Section(
        f"Searches over {count:,} observations",
        "Milliseconds from the typed text to fifty hits with records and snippets, and of the bare "
        "statements that SQLite runs for them, without any of our code.",
        ("query", "hits", "p50", "p95", "bare p50", "bare p95", "p50 over bare"),
        rows,
    )


def _row(store: Store, name: str, queries: tuple[str, ...]) -> tuple[str, ...]:
    ours: list[float] = []
    bare: list[float] = []
    for query in queries:
        one, other = interleaved(lambda: _fifty(store, query), _bare(store, query), ROUNDS)  # noqa: B023
        ours += one
        bare += other
    found = _fifty(store, queries[0])
    return (
        name,
        found,
        ms(middle(sorted(ours))),
        ms(percentile(sorted(ours), 0.95)),
        ms(middle(sorted(bare))),
        ms(percentile(sorted(bare), 0.95)),
        f"{middle(sorted(ours)) / middle(sorted(bare)):.1f}",
    )


def _fifty(store: Store, query: str) -> str:
    results = store.find(query).page(limit=50, related=True)
    for hit in results.hits:
        hit.snippet  # noqa: B018 - made when it is asked for
    related = sum(hit.tier == "related" for hit in results.hits)
    return (
        f"{len(results.hits) - related}{'' if results.complete else '+'}"
        f"{f' and {related} related' if related else ''}"
    )


def _bare(store: Store, query: str) -> Callable[[], object]:
    statements = list(_statements(store.db, lambda: _fifty(store, query)))

    def run() -> None:
        for sql, values, rows in statements:
            for _ in islice(store.db.execute(sql, values), rows):
                pass

    return run


def _statements(db: apsw.Connection, run: Callable[[], object]) -> Iterator[Statement]:
    """What a call runs: SQL, values, and how many rows of it were read."""
    seen: list[list[Any]] = []
    latest: dict[apsw.Cursor, list[Any]] = {}

    def starts(cursor: apsw.Cursor, sql: str, values: Any) -> bool:
        latest[cursor] = [sql, values, 0]
        seen.append(latest[cursor])
        return True

    def gives(cursor: apsw.Cursor, row: Any) -> Any:
        latest[cursor][2] += 1
        return row

    db.exec_trace, db.row_trace = starts, gives
    try:
        run()
    finally:
        db.exec_trace = db.row_trace = None
    return ((sql, values, rows) for sql, values, rows in seen)


def _rare_words(store: Store) -> list[str]:
    """Some of the rarest words that stand in titles."""
    titles = [entry.title for entry in store.find("kind:observation").rows(1_000, 60)]
    words = {word for title in titles for word in title.split() if len(word) > 6 and word.isascii()}
    return sorted(sorted(words)[:40], key=lambda word: store.find(f'"{word}"').count().value)[:6]
