"""The hostile texts and queries that lie beside the repository. Without that folder: none."""

from __future__ import annotations

import json
from pathlib import Path

_DATA = Path(__file__).parents[2] / "shared" / "data"

# What each `generator` of the files stands for.
_GENERATED = {
    "'L'*200000": "L" * 200_000,
    "'['*3000+']'*3000": "[" * 3_000 + "]" * 3_000,
    "'['*100000": "[" * 100_000,
    "nested 500 parens": "(" * 500 + "token" + ")" * 500,
    "nested 5000 parens": "(" * 5_000 + "token" + ")" * 5_000,
    "10 KB one word": "w" * 10_000,
    "1 MB one word": "w" * 1_000_000,
    "1000 words": " ".join(f"word{number}" for number in range(1_000)),
    "2000 ORs": " OR ".join(["token"] * 2_000),
    "300 nested NOT": "NOT (" * 300 + "token" + ")" * 300,
    "5000 ANDs": " AND ".join(["token"] * 5_000),
    "1000 prefix": " ".join(f"t{number}*" for number in range(1_000)),
}


def hostile_texts() -> list[tuple[str, str]]:
    """(name, text) of every stored text that harms a terminal or a markup parser."""
    return _read("hostile_texts.json", "texts", "payload_json")


def hostile_queries() -> list[tuple[str, str]]:
    """(name, query) of every query text that breaks a naive search."""
    return _read("hostile_queries.json", "queries", "query_json")


def _read(file: str, table: str, column: str) -> list[tuple[str, str]]:
    path = _DATA / file
    if not path.exists():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))[table]
    return [
        (row["name"], json.loads(row[column]) if row[column] else _GENERATED[row["generator"]])
        for row in rows
        if row[column] or row["generator"]
    ]
