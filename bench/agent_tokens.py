"""`python -m bench.agent_tokens [MEMORY]`: how many tokens agents spend on the three layers.

A hit, a row of a timeline and a record on the demo memory, and of a hit also on the retrieval sets beside
the repository, Chinese ones among them. Where the development set of questions lies there too, a model's
path to an answer: it searches by the words of a question, then gets the hits that hold the answer. MEMORY
is where the memory made of those sessions is kept, and taken from where it is there: to make it takes
minutes.
"""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from bench.report import Section, percentile
from memtui.store import Store, StoreError
from memtui.store.capture.demo import fill
from memtui.store.context.compact.hits import search_lines
from memtui.store.context.compact.record import records
from memtui.store.context.compact.timeline import timeline_rows
from memtui.store.maintain.importing import run, source_of
from memtui.store.observe.jobs.job import process
from memtui.store.platform.clock import now_ms

SHARED = Path(__file__).parents[2] / "shared"
QUESTIONS = SHARED / "questions" / "questions_dev.jsonl"
TRANSCRIPTS = SHARED / "data" / "transcripts"
RETRIEVAL = SHARED / "data" / "retrieval"
PAGE = 10
QUERIES = ("token", "why did login fail", "decision", "type:bugfix", "缓存", "订单 重试", "since:30d")
ASKED_OF_A_SET, DOCUMENTS_OF_A_SET = 40, 2_000

HITS_ELSEWHERE, RECORD_ELSEWHERE = (50, 100), (500, 1_000)
"""Tokens that claude-mem says its index takes a result, and its details a memory."""


def main() -> int:
    """Print what was measured."""
    with TemporaryDirectory() as folder:
        for section in measure(Path(folder), Path(sys.argv[1]) if sys.argv[1:] else None):
            print(section.markdown())
    return 0


def measure(folder: Path, kept: Path | None = None) -> list[Section]:
    """Return what each layer takes, and what a model's path to an answer does."""
    sections = [_layers(folder)]
    if QUESTIONS.exists() and TRANSCRIPTS.exists():
        with Store.open(kept or folder / "questions.db") as store:
            if not store.stats().sessions:
                _remember(store)
            sections.append(_paths(store))
    return sections


def _layers(folder: Path) -> Section:
    rows: list[tuple[str, ...]] = []
    with Store.open(folder / "demo.db") as store:
        fill(store, now=now_ms())
        rows.append(_hits("search, a hit: the demo memory", store, QUERIES))
        anchors = [row.ref for row in store.find("kind:observation").rows(0, 400)[::10]]
        windows = [timeline_rows(store, one) for one in anchors]
        rows.append(_row("timeline, a row", [one.tokens / len(one.rows) for one in windows]))
        refs = [row.ref for row in store.find("").rows(0, 500)]
        rows.append(_row("get, a record", [float(records(store, [one]).tokens) for one in refs]))
    for path in sorted(RETRIEVAL.glob("*.docs.jsonl")):
        name = path.name.split(".")[0]
        with Store.open(folder / f"{name}.db") as store:
            asked = _filled(store, path, path.with_name(f"{name}.queries.jsonl"))
            rows.append(_hits(f"search, a hit: {name}", store, asked))
    return Section(
        "Three layers",
        "Tokens by `memtui.store.text.tokens`; of a hit and a row with their share of the fence and of the "
        "line that says what was left out, in pages of 20 hits and 21 rows.",
        ("layer", "mean", "median", "95th percentile", "most"),
        rows,
    )


def _hits(name: str, store: Store, queries: Iterable[str]) -> tuple[str, ...]:
    answers = [search_lines(store, query) for query in queries]
    return _row(name, [one.tokens / len(one.hits) for one in answers if len(one.hits) > 4])


def _filled(store: Store, documents: Path, queries: Path) -> list[str]:
    with store.transaction():
        for line in documents.read_text("utf-8").splitlines()[:DOCUMENTS_OF_A_SET]:
            one = json.loads(line)
            title = one["title"] or one["body"][:90]
            store.observations.add(None, title=title, narrative=one["body"], project="retrieval")
    asked = queries.read_text("utf-8").splitlines()[:ASKED_OF_A_SET]
    return [str(json.loads(line)["query"]) for line in asked]


def _remember(store: Store) -> None:
    """Import the sessions of the questions and observe them by rules, as measure.py does."""
    claude, gemini = TRANSCRIPTS / "claude" / "real", TRANSCRIPTS / "gemini"
    paths = [*claude.glob("*.jsonl"), *gemini.glob("real_*.json")]
    for path in sorted(paths, key=_last_time):
        with suppress(StoreError):
            run(store, source_of(path), path, None)
        process(store, None, seconds=600)


def _last_time(path: Path) -> str:
    return max(re.findall(r'"timestamp":\s*"([^"]+)"', path.read_text("utf-8", "replace")), default="")


def _paths(store: Store) -> Section:
    questions = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    at_once: list[float] = []
    in_order: list[float] = []
    in_part: list[float] = []
    searched: list[float] = []
    lines = told = again = 0
    for question in questions:
        found = search_lines(store, question["question"], limit=PAGE)
        searched.append(found.tokens)
        ids = [hit.id for hit in found.hits]
        answering = [one for one in ids if _holds(question["gold"], _text(store, [one]))]
        if not answering:
            continue
        told += 1
        if _holds(question["gold"], found.text):
            lines += 1
            at_once.append(found.tokens)
            in_order.append(found.tokens)
            in_part.append(found.tokens)
            continue
        opened = ids[: ids.index(answering[0]) + 1]
        at_once.append(found.tokens + records(store, answering[:1]).tokens)
        part = records(store, answering[:1], about=question["question"])
        in_part.append(found.tokens + part.tokens)
        if not _holds(question["gold"], part.text):
            again += 1
            in_part[-1] += records(store, answering[:1]).tokens
        in_order.append(found.tokens + sum(records(store, [one]).tokens for one in opened))
    low = PAGE * HITS_ELSEWHERE[0] + RECORD_ELSEWHERE[0]
    high = PAGE * HITS_ELSEWHERE[1] + RECORD_ELSEWHERE[1]
    return Section(
        "A model's path to an answer",
        f"{len(questions)} questions on {store.stats().sessions} real sessions; {told} have an answer "
        f"among the first {PAGE} hits, {lines} of them in a line of the search itself, so that nothing has "
        f"to be got. By claude-mem's own figures a page of {PAGE} and one record take {low:,} to {high:,}.",
        ("path", "mean", "median", "95th percentile", "most"),
        [
            _row(f"search alone, {PAGE} hits", searched),
            _row("search, then get the first hit that answers", at_once),
            _row(f"search, then get what of it is about the question ({again} got again)", in_part),
            _row("search, then get hit after hit until one answers", in_order),
        ],
    )


def _text(store: Store, ids: Sequence[str]) -> str:
    return records(store, ids, max_tokens=1_000_000).text


def _holds(gold: list[str], text: str) -> bool:
    return any(re.search(one, text, re.IGNORECASE | re.DOTALL | re.MULTILINE) for one in gold)


def _row(name: str, values: Sequence[float]) -> tuple[str, ...]:
    ordered: list[Any] = sorted(values)
    figures = mean(ordered), median(ordered), percentile(ordered, 0.95), ordered[-1]
    return name, *(f"{one:,.0f}" if one >= 100 else f"{one:.1f}" for one in figures)


if __name__ == "__main__":
    raise SystemExit(main())
