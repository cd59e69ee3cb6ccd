"""Relevance on retrieval sets with answers, where they are at hand: nDCG@10, nothing tuned by set."""

from __future__ import annotations

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from store import Store

from .report import Section

SETS = Path(__file__).parents[2] / "shared" / "data" / "retrieval"


def measure() -> Section:
    """One row a set; none where there are no sets."""
    names = sorted(path.name.split(".")[0] for path in SETS.glob("*.docs.jsonl"))
    return Section(
        "Relevance",
        "nDCG@10 of whole questions, exact hits first and related ones after them.",
        ("set", "documents", "questions", "nDCG@10"),
        [_row(name) for name in names],
    )


def _row(name: str) -> tuple[str, ...]:
    documents, questions = _lines(f"{name}.docs.jsonl"), _lines(f"{name}.queries.jsonl")
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        numbers = {}
        with store.unit():
            for one in documents:
                added = store.observations.add(
                    None,
                    title=one["title"],
                    narrative=one["body"],
                    text=one.get("extra") or None,
                    project=f"g{one['group']}",
                )
                numbers[added.id] = one["id"]
        gains = []
        for question in questions:
            query = f"project:g{question['group']} {question['query']}"
            hits = store.search(query, limit=10, related=True)
            found = [numbers[hit.record.id] for hit in hits]
            gains.append(_ndcg(found, set(question["relevant"])))
    mean = sum(gains) / len(gains)
    return name, f"{len(documents):,}", f"{len(questions):,}", f"{mean:.3f}"


def _ndcg(found: list[int], relevant: set[int]) -> float:
    gain = sum(1 / math.log2(place + 2) for place, one in enumerate(found[:10]) if one in relevant)
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))
    return gain / best if best else 0.0


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SETS / name).read_text("utf-8").splitlines()]
