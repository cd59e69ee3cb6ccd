"""Space: what lies beside the text."""

from pathlib import Path

from bench.report import Section
from memtui.store import Store

TEXT = """
SELECT sum(
    octet_length(title) + octet_length(narrative) + octet_length(facts)
    + octet_length(concepts) + octet_length(files_read) + octet_length(files_modified)
) FROM observations
"""
PARTS = {
    "words": "words%",
    "grams": "grams%",
    "labels": "%label%",
    "documents": "documents%",
    "spellings": "spellings%",
}


def measure(paths: list[Path]) -> Section:
    """One row a store: bytes of each part over bytes of text."""
    rows = []
    for path in paths:
        with Store.open(path, read_only=True) as store:
            text = float(store.db.execute(TEXT).get)
            pages = dict(store.db.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
            rows_bytes = sum(pages[name] for name in ("observations", "sessions"))
            beside = sum(pages.values()) - rows_bytes
            parts = []
            for pattern in PARTS.values():
                sql = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE ?"
                parts.append(f"{float(store.db.execute(sql, (pattern,)).get) / text:.2f}")
            rows.append(
                (f"{store.stats().observations:,}", f"{text / 1e6:.0f} MB", f"{beside / text:.2f}", *parts)
            )
    return Section(
        "Space",
        "Everything beside the rows themselves (indexes, documents, labels), over the text's bytes.",
        ("observations", "text", "beside the rows", *PARTS),
        rows,
    )
