"""Embeddings: what stores and searches vectors best, and searches by meaning beside those by words."""

from pathlib import Path
from tempfile import TemporaryDirectory

from memtui.store.leaves.embeddings.vectors import vectors_in

from bench.embeddings import candidates
from bench.embeddings.models import DIMENSIONS, small_model
from bench.report import Section, middle, ms, percentile, times
from memtui.store import Store

ROUNDS = 20
QUESTIONS = (
    *("where did we fix the token refresh", "why does it time out when the cache is cold"),
    *("how is the gateway deployed", "缓存为什么超时", "which queue lost orders"),
)
FILTER = "project:project-03 type:bugfix "
"""Leaves about one memory in two hundred."""


def measure(paths: list[Path]) -> list[Section]:
    """Two sections: the candidates, and whole searches over stores."""
    return [candidates.measure(), searches(paths)]


def searches(paths: list[Path]) -> Section:
    """One row a store and kind of query."""
    rows = []
    with TemporaryDirectory() as folder, small_model(Path(folder)) as settings:
        for path in paths:
            with Store.open(path) as store:
                for name, begin in (("question", ""), ("1% and question", FILTER)):
                    queries = [begin + one for one in QUESTIONS]
                    vectors_in(store).drop()
                    words = _asked(store, queries)
                    vectors_in(store).build(settings)
                    vectors_in(store).meaning.patience = 5.0
                    both = _asked(store, queries)
                    rows.append((name, f"{store.stats().observations:,}", *words, *both))
                vectors_in(store).drop()
    return Section(
        "Searches by meaning",
        f"Questions with and without vectors of {DIMENSIONS} dimensions, by a static model; ms.",
        ("query", "memories", "words p50", "words p95", "both p50", "both p95"),
        rows,
    )


def _asked(store: Store, queries: list[str] | tuple[str, ...]) -> tuple[str, str]:
    found: list[float] = []
    for query in queries:
        found += times(lambda: store.find(query).page(limit=50, related=True), ROUNDS)  # noqa: B023
    return ms(middle(sorted(found))), ms(percentile(sorted(found), 0.95))
