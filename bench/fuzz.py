"""A fuzz run: hostile and generated queries, each within the browser's deadline.

    python -m bench.fuzz --minutes 60 --seed 1

It ends with 1 when a query raised an error or took too long. What takes too long is asked again
after a pause, and its least time counts: a busy machine is not a slow query.
"""

import argparse
import random
import string
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import takewhile
from time import monotonic, perf_counter, process_time, sleep
from typing import NamedTuple

from bench.__main__ import store_of
from bench.report import Section, machine, ms, percentile
from bench.typing_errors import mistyped
from memtui.store import Store
from memtui.store.search.index.documents import FIELDS
from memtui.store.search.query.grammar import LISTED
from memtui.store.text.language.words import STOP_WORDS
from memtui.tui.search.providers import SOON
from tests.hostile import hostile_queries

AT_MOST = 300.0
"""Milliseconds."""
ATTEMPTS = 5
PAUSE = 0.5
"""Seconds."""
SHOWN = 100
SLOWEST = 20


SAMPLES = 400
LENGTHS = (1, 1, 1, 2, 2, 3, 4, 6, 12, 30, 70)
"""Numbers of pieces that a query is made of, drawn evenly."""
SYNTAX = "( ) { } [ ] * ^ + - － -- : ： :: , ， \\ / % _ NEAR( AND NOT OR \" “ ” ＂ ' '; <b> $x".split()
ODD = [
    *"\0 \x1b[31m \x9b \u202e \u200d \ufeff \ud800 \udfff \U0010ffff 🚀 👨‍👩‍👧 🇩🇪 👍🏽".split(" "),
    *"e\u0301 ﬁ ß 𝐚 か゛ שלום سلام 결제 \x1f \t\n".split(" "),
]
DATES = [
    *"7d 1y 3mo 0d 99999d 2026 2026-02 2026-13 2026-02-30 0000 9999-12 2026-02-18T14:30Z".split(),
    *"today last-week 上周 3天前 monday never ' \"".split(),
]
STATES = "pinned private deleted pinned,private recent relevance obs prompts x".split()


class Queries:
    """An iterator of query texts, with the words and names of a store."""

    def __init__(self, store: Store, seed: int) -> None:
        self.draw = random.Random(seed)
        count = store.find("").count().value
        step = max(1, count // SAMPLES)
        hits = [hit for start in range(0, count, step) for hit in store.find("").page(start, 1).hits]
        self.texts = [text for hit in hits for text in (hit.row.title, hit.snippet.text) if text]
        self.words = sorted({word for text in self.texts for word in text.split()})
        facets = store.find("").facets().counts
        self.names = [value for values in facets.values() for value, _ in values]
        self.pieces: tuple[Callable[[], str], ...] = (
            *(self._word, self._word, self._words, self._substring, self._substring, self._passage),
            *(self._phrase, self._letters, self._stop_word, self._typo, self._alternative),
            *(self._excluded, self._field, self._filter, self._date, self._syntax, self._odd),
            *(self._noise, self._long),
        )

    def __iter__(self) -> Iterator[str]:
        while True:
            length = self.draw.choice(LENGTHS)
            if self.draw.random() < 0.3:
                makers = [self.draw.choice(self.pieces)] * length
            else:
                makers = self.draw.choices(self.pieces, k=length)
            yield self.draw.choice(("", " ", " ", " ", " ")).join(make() for make in makers)

    def _word(self) -> str:
        return self.draw.choice(self.words)

    def _words(self) -> str:
        return " ".join(self.draw.choice(self.texts).split()[: self.draw.randint(2, 9)])

    def _substring(self) -> str:
        word = self._word()
        start = self.draw.randrange(len(word))
        return word[start : start + self.draw.randint(1, 6)]

    def _passage(self) -> str:
        text = self.draw.choice(self.texts)
        start = self.draw.randrange(len(text))
        return text[start : start + self.draw.randint(1, 120)]

    def _phrase(self) -> str:
        opens, closes = self.draw.choice(('""', "“”", "＂＂", '" ', "”“"))
        return f"{opens}{self.draw.choice((self._words, self._passage, self._letters))()}{closes}"

    def _letters(self) -> str:
        characters = self.draw.choice((string.ascii_lowercase, string.digits, "令牌刷新缓存的了一"))
        return "".join(self.draw.choices(characters, k=self.draw.randint(1, 2)))

    def _stop_word(self) -> str:
        return self.draw.choice(sorted(STOP_WORDS))

    def _typo(self) -> str:
        return mistyped(self._word(), self.draw.randrange(1 << 30))

    def _alternative(self) -> str:
        return f"{self._plain()} OR {self._plain()}"

    def _excluded(self) -> str:
        return f"-{self._plain()}"

    def _field(self) -> str:
        field = self.draw.choice(sorted(FIELDS))
        return f"{self.draw.choice(('', '', '-'))}{field}:{self._plain()}"

    def _filter(self) -> str:
        name = self.draw.choice(sorted(LISTED))
        values = [self._value() for _ in range(self.draw.choice((1, 1, 1, 2, 5, 70)))]
        return f"{self.draw.choice(('', '', '-'))}{name}:{','.join(values)}"

    def _value(self) -> str:
        return self.draw.choice(
            (*self.names, self._plain(), *STATES, *DATES, "/", "%", "src/", "@1", "1", "")
        )

    def _date(self) -> str:
        return f"{self.draw.choice(('since', 'until', 'on'))}:{self.draw.choice(DATES)}"

    def _syntax(self) -> str:
        return self.draw.choice(SYNTAX) * self.draw.choice((1, 1, 1, 2, 50))

    def _odd(self) -> str:
        return self.draw.choice(ODD)

    def _noise(self) -> str:
        return "".join(chr(self.draw.randrange(0x110000)) for _ in range(self.draw.randint(1, 20)))

    def _long(self) -> str:
        return self.draw.choice((self._word(), self._letters(), "w", "数")) * self.draw.choice(
            (100, 1_000, 20_000)
        )

    def _plain(self) -> str:
        return self.draw.choice((self._word, self._substring, self._letters, self._typo, self._odd))()


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
            ("queries", "errors", "partial", "asked again", "p50", "p95", "p99", "p99.9", "slowest"),
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
    results = store.find(query).page(limit=50, related=True, seconds=SOON)
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
