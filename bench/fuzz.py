"""A fuzz run: hostile and generated queries, each within the browser's deadline.

    python -m bench.fuzz --minutes 60 --seed 1

It ends with 1 when a query raised an error or took too long. What takes too long is asked again
after a pause, and its least time counts: a busy machine is not a slow query.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import takewhile
from time import monotonic, perf_counter, process_time, sleep
from typing import NamedTuple

from bench.__main__ import store_of
from bench.fuzz_queries import Queries
from bench.report import Section, machine, ms, percentile
from store import Store
from tests.hostile import hostile_queries
from tui.search.providers import SOON

AT_MOST = 300.0
"""Milliseconds."""
ATTEMPTS = 5
PAUSE = 0.5
"""Seconds."""
SHOWN = 100
SLOWEST = 20


class Taken(NamedTuple):
    """What a query took, in ms, and whether its answer was partial."""

    ms: float
    processor: float
    partial: bool


@dataclass(slots=True)
class Run:
    """What came of the queries so far."""

    times: list[float] = field(default_factory=list)
    slowest: list[tuple[Taken, str]] = field(default_factory=list)
    partial: int = 0
    again: int = 0
    errors: list[str] = field(default_factory=list)

    def ask(self, store: Store, query: str) -> None:
        """One query, again where it took too long."""
        try:
            taken = _asked(store, query)
            if taken.ms > AT_MOST:
                self.again += 1
                taken = min(taken, *(_asked_again(store, query) for _ in range(ATTEMPTS - 1)))
        except Exception:
            self.errors.append(f"{_shown(query)}\n{traceback.format_exc()}")
            print(self.errors[-1], flush=True)
            return
        self.times.append(taken.ms)
        self.partial += taken.partial
        self.slowest = nlargest(SLOWEST, [*self.slowest, (taken, _shown(query))])
        if taken.ms > AT_MOST:
            print(f"{ms(taken.ms)} ms: {_shown(query)}", flush=True)

    @property
    def is_good(self) -> bool:
        """Whether nothing raised and nothing was too slow."""
        return not self.errors and max(self.times, default=0.0) <= AT_MOST

    def sections(self, name: str) -> Iterator[Section]:
        """How it went, and the slowest queries."""
        ordered = sorted(self.times) or [0.0]
        yield Section(
            f"Fuzz: {name}",
            f"Queries of every kind, 50 hits with snippets, related ones too, within {SOON} s; on: "
            f"{machine()}.",
            (
                "queries",
                "errors",
                "partial",
                "asked again",
                "p50",
                "p95",
                "p99",
                "p99.9",
                "slowest",
            ),
            [
                (
                    *(f"{len(self.times):,}", f"{len(self.errors):,}"),
                    *(f"{self.partial:,}", f"{self.again:,}"),
                    *(ms(percentile(ordered, part)) for part in (0.5, 0.95, 0.99, 0.999, 1)),
                )
            ],
        )
        yield Section(
            "The slowest of them",
            "Milliseconds, and those of the processor.",
            ("ms", "processor", "partial", "query"),
            [
                (ms(taken.ms), ms(taken.processor), "yes" if taken.partial else "", query)
                for taken, query in self.slowest
            ],
        )


def main() -> None:
    """Run the hostile queries, then generated ones for so many minutes."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1, help="another seed, other queries")
    parser.add_argument("--size", type=int, default=100_000, help="observations in the store")
    chosen = parser.parse_args()
    hostile, generated = Run(), Run()
    with Store.open(store_of(chosen.size), read_only=True) as store:
        for _, query in hostile_queries():
            hostile.ask(store, query)
        end = monotonic() + 60 * chosen.minutes
        for query in takewhile(lambda _: monotonic() < end, Queries(store, chosen.seed)):
            generated.ask(store, query)
    for run, name in (
        (hostile, "hostile queries"),
        (generated, f"{chosen.minutes:g} minutes, seed {chosen.seed}"),
    ):
        for section in run.sections(name):
            print(section.markdown(), flush=True)
    sys.exit(not (hostile.is_good and generated.is_good))


def _asked_again(store: Store, query: str) -> Taken:
    sleep(PAUSE)
    return _asked(store, query)


def _asked(store: Store, query: str) -> Taken:
    start, used = perf_counter(), process_time()
    results = store.results(query, limit=50, related=True, seconds=SOON)
    for hit in results.hits:
        hit.snippet  # noqa: B018 - made when it is asked for
    ms, processor = (perf_counter() - start) * 1000, (process_time() - used) * 1000
    return Taken(ms, processor, results.partial)


def _shown(query: str) -> str:
    """A query in a line of a table, safe to print."""
    text = ascii(query) if len(query) <= SHOWN else f"{query[:SHOWN]!a}… ({len(query):,})"
    return f"`{text.replace('|', '¦').replace('`', '´')}`"


if __name__ == "__main__":
    main()
