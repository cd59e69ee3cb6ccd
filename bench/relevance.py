"""Relevance on retrieval sets with answers, where they are at hand: nDCG@10, nothing tuned by set."""

import json
import math
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from dateutil.parser import parse

from bench.embeddings.models import configured, knowing_nothing
from bench.report import Section
from bench.typing_errors import mistyped
from memtui.store import Session, Store
from memtui.store.config import EmbeddingsSettings

SETS = Path(__file__).parents[2] / "shared" / "data" / "retrieval"


LONG = 60.0
"""Seconds that vectors are waited for."""
MODEL = "MEMTUI_BENCH_MODEL"
"""The variable that names the directory of a static model."""

Kind = Callable[[Store, dict[str, Any]], int]


def measure() -> Section:
    """One row a set; none where there are no sets."""
    names = sorted(path.name.split(".")[0] for path in SETS.glob("*.docs.jsonl"))
    return Section(
        "Relevance",
        "nDCG@10 of whole questions, exact hits first and related ones after them; of the same "
        "questions with one random edit in one word; and with the documents spread over "
        "observations, prompts, summaries and facts. A document that belongs to a session is stored in "
        "it, and one with a date at that time. And with vectors: of a model that knows nothing, and of a "
        f"static one in the directory that {MODEL} names.",
        (
            *("set", "documents", "questions", "nDCG@10", "one typo", "over clean", "mixed kinds"),
            *("random vectors", "static model"),
        ),
        [_row(name) for name in names],
    )


def _row(name: str) -> tuple[str, ...]:
    documents, questions = _lines(f"{name}.docs.jsonl"), _lines(f"{name}.queries.jsonl")
    asked = [question["query"] for question in questions]
    wrong = [mistyped(text, seed) for seed, text in enumerate(asked)]
    clean, typo = _means(documents, questions, [asked, wrong], (_observation,))
    (mixed,) = _means(documents, questions, [asked], (_observation, _prompt, _summary, _fact))
    with knowing_nothing():
        (chance,) = _means(documents, questions, [asked], (_observation,))
    known = "–"
    if directory := os.environ.get(MODEL):
        with configured(EmbeddingsSettings("static", directory=directory)):
            known = f"{_means(documents, questions, [asked], (_observation,))[0]:.3f}"
    return (
        name,
        f"{len(documents):,}",
        f"{len(questions):,}",
        f"{clean:.3f}",
        f"{typo:.3f}",
        f"{typo / clean:.2f}",
        f"{mixed:.3f}",
        f"{chance:.3f}",
        known,
    )


def _means(
    documents: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    forms: list[list[str]],
    kinds: tuple[Kind, ...],
) -> list[float]:
    """The mean nDCG@10 of each form of the questions, the documents being of these kinds in turn."""
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        known = {}
        with store.transaction():
            for place, one in enumerate(documents):
                add = kinds[place % len(kinds)]
                known[add.__name__.removeprefix("_"), add(store, one)] = one["id"]

        def gain(question: dict[str, Any], text: str) -> float:
            query = f"project:g{question['group']} {text}"
            hits = store.find(query).page(limit=10, related=True, patience=LONG).hits
            found = [known[hit.kind, hit.row.record_id] for hit in hits]
            return _ndcg(found, set(question["relevant"]))

        return [mean(map(gain, questions, texts)) for texts in forms]


def _observation(store: Store, one: dict[str, Any]) -> int:
    return store.observations.add(
        _session(store, one) if "session" in one else None,
        title=one["title"],
        narrative=one["body"],
        text=one.get("extra") or None,
        project=_project(one),
        at=_at(one),
    ).id


def _prompt(store: Store, one: dict[str, Any]) -> int:
    return store.prompts.add(_session(store, one), _whole(one), at=_at(one)).id


def _summary(store: Store, one: dict[str, Any]) -> int:
    learned = "\n".join((one["body"], one.get("extra") or ""))
    session = _session(store, one)
    return store.summaries.add(session, request=one["title"], learned=learned, at=_at(one)).id


def _fact(store: Store, one: dict[str, Any]) -> int:
    session = _session(store, one) if "session" in one else None
    return store.facts.add(_whole(one), session=session, project=_project(one), at=_at(one)).id


def _session(store: Store, one: dict[str, Any]) -> Session:
    """The document's session; one of its own where the set has none."""
    name = f"{_project(one)}-{one.get('session', one['id'])}"
    return store.sessions.start(name, project=_project(one), at=_at(one))


def _at(one: dict[str, Any]) -> int | None:
    """When a document was written, in ms since the epoch; None where the set doesn't say."""
    return _milliseconds(one["date"]) if one.get("date") else None


@cache
def _milliseconds(date: str) -> int:
    return round(parse(date).timestamp() * 1_000)


def _project(one: dict[str, Any]) -> str:
    return f"g{one['group']}"


def _whole(one: dict[str, Any]) -> str:
    return "\n".join((one["title"], one["body"], one.get("extra") or ""))


def _ndcg(found: list[int], relevant: set[int]) -> float:
    gain = sum(1 / math.log2(place + 2) for place, one in enumerate(found[:10]) if one in relevant)
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))
    return gain / best if best else 0.0


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SETS / name).read_text("utf-8").splitlines()]
