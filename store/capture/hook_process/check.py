"""Whether a hook's process finds all that it needs: what `mem doctor` tries."""

from __future__ import annotations

from importlib import import_module

from .session_start import find_packages

NEEDED = (
    "capture.hook_process.main",
    "capture.hook_process.child",
    "capture.ingest.beginnings",
    "context.block",
    "context.log",
)
"""What an event and a session's start take that is not imported at once."""


def check() -> None:
    """Import all that an event and a session's start take; raises what an import raises."""
    find_packages()
    for name in NEEDED:
        import_module(f"memtui.store.{name}")
