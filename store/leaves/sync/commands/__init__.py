"""`mem sync`: one store on several machines, and directories that are kept in step."""

from __future__ import annotations

from . import meeting, places, scheme_c  # noqa: F401 - they declare the commands
from .commands import app as app
