"""`mem team`: a memory that several people share, on a PostgreSQL of theirs."""

from __future__ import annotations

from . import sharing  # noqa: F401 - it declares some of the commands
from .membership import app as app
