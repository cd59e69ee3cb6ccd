"""What each machine was told of a fact: it adds up, and the fact's columns follow."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from ..errors import InvalidRecordError
from ..formats.jsonl.lines import ImportRow, reporting_errors
from ..formats.jsonl.upsert import RowUpsert
from ..records import FactSource
from ..records.dataclasses import replace
from ..store import Store
from ..tables.base import read_list
from ..tables.fact_sources import LISTS, NAMES, fact_columns, merge_repeated


def add_tellings(upsert: RowUpsert, rows: Sequence[ImportRow]) -> Counter[str]:
    """Add what other machines were told of facts to what this one was; how many are stored, and known.
    Those that are refused stand in the report."""
    counts: Counter[str] = Counter()
    sources = upsert.store.facts.sources
    upsert.links.look_up("fact_sources", rows)
    for row in rows:
        with reporting_errors(upsert.report, row):
            if row.values is None:
                raise InvalidRecordError(row.wrong)
            values = row.values
            upsert.links.resolve(row, values)
            lists = {name: read_list(values[name]) for name in LISTS}
            telling = FactSource(**{name: values[name] for name in NAMES} | lists)
            number = int(str(values["fact_id"]))
            known = [
                item
                for item in sources.of(number)
                if (item.source, item.native_id) == (telling.source, telling.native_id)
            ]
            merged = _without_merged(upsert.store, merge_repeated(known[0], telling) if known else telling)
            if known and merged == known[0]:
                counts["known"] += 1
                continue
            sources.upsert(number, merged)
            counts["stored"] += 1
    return counts


def _without_merged(store: Store, telling: FactSource) -> FactSource:
    """Return a telling that cites what was merged as what it was merged into, as merging does; in the
    order that all machines give it."""
    sql = (
        "SELECT uid, into_uid FROM merged_records WHERE uid <> into_uid "
        "AND uid IN (SELECT value FROM json_each(?))"
    )
    into = dict(store.db.execute(sql, (json.dumps(telling.evidence),)))
    cited = {into.get(uid, uid) for uid in telling.evidence}
    return replace(telling, evidence=tuple(sorted(cited)))


def follow_tellings(store: Store, uids: Iterable[str]) -> None:
    """Bring facts to what all their tellings say, here and on other machines, as the same version."""
    sql = "SELECT id FROM facts WHERE uid IN (SELECT value FROM json_each(?))"
    for (number,) in store.db.execute(sql, (json.dumps([*uids]),)).fetchall():
        told = store.facts.sources.of(int(str(number)))
        if not told:
            continue
        columns = fact_columns(told)
        del columns["deleted_at"]
        if len(told) == 1:
            # What a person changed of a fact that was told once stays as the row has it.
            columns = {"created_at": columns["created_at"]}
        assignments = ", ".join(f"{name} = :{name}" for name in columns)
        differing = " OR ".join(f"{name} IS NOT :{name}" for name in columns)
        sql = f"UPDATE facts SET {assignments} WHERE id = :number AND ({differing})"
        store.db.execute(sql, columns | {"number": number})
