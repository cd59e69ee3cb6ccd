"""What commands that write answer with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .command import Call
from .output import put, put_json
from .shapes import record_json, ref

if TYPE_CHECKING:
    from ..records import Common


def put_ref(call: Call, record: Common) -> None:
    """The record that was written: how people name it, or with --json all of it."""
    if call.json:
        put_json(record_json(record))
    else:
        put(ref(record))
