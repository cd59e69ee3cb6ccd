"""`mem team`: a memory that several people share, on a PostgreSQL of theirs."""

from __future__ import annotations

from . import membership, review, sharing  # noqa: F401 - they declare the commands
from .commands import app as app
