"""Embeddings: searches that a user's model re-scores, beside those that word vectors do."""

from pathlib import Path
from tempfile import TemporaryDirectory

from bench.embeddings.models import DIMENSIONS, small_model
from bench.report import Section, middle, ms, percentile, times
from memtui.store import Store
from memtui.store.leaves.embeddings.kept import drop

ROUNDS = 20
LONG = 60.0
"""Seconds that vectors are waited for."""
QUESTIONS = (
    *("where did we fix the token refresh", "why does it time out when the cache is cold"),
    *("how is the gateway deployed", "缓存为什么超时", "which queue lost orders"),
)
FILTER = "project:project-03 type:bugfix "
"""Leaves about one memory in two hundred."""


def measure(paths: list[Path]) -> list[Section]:
    """One section, a row a store and kind of query."""
    rows = []
    for path in paths:
        with Store.open(path) as store:
            for name, begin in (("question", ""), ("1% and question", FILTER)):
                queries = [begin + one for one in QUESTIONS]
                words = _asked(store, queries, ROUNDS)
                with TemporaryDirectory() as folder, small_model(Path(folder)):
                    drop(store)
                    first = _asked(store, queries, 1)
                    again = _asked(store, queries, ROUNDS)
                rows.append((name, f"{store.stats().observations:,}", *words, *first, *again))
            drop(store)
    columns = [f"{way} {share}" for way in ("words", "model, first", "model") for share in ("p50", "p95")]
    return [
        Section(
            "Searches by meaning",
            f"Questions re-scored by word vectors, and by a static model of {DIMENSIONS} dimensions: the "
            "first time, when it makes the vectors, and after; ms.",
            ("query", "memories", *columns),
            rows,
        )
    ]


def _asked(store: Store, queries: list[str], rounds: int) -> tuple[str, str]:
    found: list[float] = []
    for query in queries:
        found += times(
            lambda: store.find(query).page(limit=50, related=True, patience=LONG),  # noqa: B023
            rounds,
        )
    return ms(middle(sorted(found))), ms(percentile(sorted(found), 0.95))
