"""The memory: everything that reads or writes it. `Store` is the way in; the rest are its records.

Names are imported when they are first used, so that a hook's process pays only for what it needs.
"""

# Type checkers take the name for true; importing it would cost a hook's process 3 ms.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .database.health import Check, Health
    from .errors import (
        DatabaseError,
        InvalidRecordError,
        NotFoundError,
        ReadOnlyError,
        SourceError,
        StoreError,
    )
    from .records import (
        Fact,
        FactKind,
        Hit,
        ListRow,
        Note,
        Observation,
        PendingMessage,
        Prompt,
        Record,
        SavedSearch,
        Scope,
        Session,
        SessionRow,
        Snippet,
        Summary,
        Window,
    )
    from .search.facets import Facets, Stats
    from .search.query import Chip, Query, parse
    from .search.results import Count, Results
    from .search.snippets import highlight
    from .search.typos import Correction
    from .search.why import Matched, Why
    from .store import Store


_HOMES = {
    "database.health": "Check Health",
    "errors": "DatabaseError InvalidRecordError NotFoundError ReadOnlyError SourceError StoreError",
    "records": "Fact FactKind Hit ListRow Note Observation PendingMessage Prompt Record SavedSearch "
    "Scope Session SessionRow Snippet Summary Window",
    "search.facets": "Facets Stats",
    "search.query": "Chip Query parse",
    "search.results": "Count Results",
    "search.snippets": "highlight",
    "search.typos": "Correction",
    "search.why": "Matched Why",
    "store": "Store",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Check",
    "Chip",
    "Correction",
    "Count",
    "DatabaseError",
    "Facets",
    "Fact",
    "FactKind",
    "Health",
    "Hit",
    "InvalidRecordError",
    "ListRow",
    "Matched",
    "NotFoundError",
    "Note",
    "Observation",
    "PendingMessage",
    "Prompt",
    "Query",
    "ReadOnlyError",
    "Record",
    "Results",
    "SavedSearch",
    "Scope",
    "Session",
    "SessionRow",
    "Snippet",
    "SourceError",
    "Stats",
    "Store",
    "StoreError",
    "Summary",
    "Why",
    "Window",
    "highlight",
    "parse",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module at its first use (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value
