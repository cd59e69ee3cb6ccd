"""Rename the sources of records, in a store that is only looked at, so that people can tell them
apart."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...records.kinds import TABLES
from ...store import Store

SOURCE_TABLES = (*TABLES.values(), "pending_messages")


def label_source(store: Store, name: str, others: Sequence[str]) -> None:
    """Set the `source` of all records to `name`, except those that have one of the `others`.

    Their native ids are lost with it, so nothing more can be imported from there.
    """
    with store.transaction():
        for table in SOURCE_TABLES:
            store.db.execute(
                f"UPDATE {table} SET source = ?1, native_id = uid "
                "WHERE source IS NULL OR source NOT IN (SELECT value FROM json_each(?2))",
                (name, json.dumps([*others])),
            )
