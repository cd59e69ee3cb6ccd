"""The memory: everything that reads or writes it. `Store` is the way in; the rest are its records.

Names are imported when they are first used, so that a hook's process pays only for what it needs.
"""

# Type checkers take the name for true; importing it would cost a hook's process 3 ms.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .curation.editing import field_values
    from .curation.many import Action, Changed
    from .curation.merging import Merged, MergePlan
    from .curation.reporting import MemoryReport
    from .database.health import Check, Health
    from .database.journal.undo import Affected, Undone
    from .errors import (
        ConflictError,
        DatabaseError,
        EditConflictError,
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
        SessionDay,
        SessionRow,
        Snippet,
        Summary,
        Window,
    )
    from .search.completion.completions import Completion, Completions, typed_at
    from .search.completion.remarks import Remark
    from .search.facets import Facets, Stats
    from .search.listing.snippets import highlight
    from .search.query.language import Chip, Query, filter_text, parse
    from .search.results import Count, Results
    from .search.typos.corrections import Correction
    from .search.why import Matched, Why
    from .store import Store
    from .tables.files.changed_files import ChangedFile
    from .tables.history import ChangedRecord, JournalEntry, Version
    from .tables.merges import MergedRecord


_HOMES = {
    "database.health": "Check Health",
    "database.journal.undo": "Affected Undone",
    "errors": "ConflictError DatabaseError EditConflictError InvalidRecordError NotFoundError "
    "ReadOnlyError SourceError StoreError",
    "records": "Fact FactKind Hit ListRow Note Observation PendingMessage Prompt Record SavedSearch "
    "Scope Session SessionDay SessionRow Snippet Summary Window",
    "search.completion.completions": "Completion Completions typed_at",
    "search.completion.remarks": "Remark",
    "search.facets": "Facets Stats",
    "search.query.language": "Chip Query filter_text parse",
    "search.results": "Count Results",
    "search.listing.snippets": "highlight",
    "search.typos.corrections": "Correction",
    "search.why": "Matched Why",
    "store": "Store",
    "curation.editing": "field_values",
    "tables.files.changed_files": "ChangedFile",
    "tables.history": "ChangedRecord JournalEntry Version",
    "curation.many": "Action Changed",
    "curation.merging": "Merged MergePlan",
    "tables.merges": "MergedRecord",
    "curation.reporting": "MemoryReport",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Action",
    "Affected",
    "Changed",
    "ChangedFile",
    "ChangedRecord",
    "Check",
    "Chip",
    "Completion",
    "Completions",
    "ConflictError",
    "Correction",
    "Count",
    "DatabaseError",
    "EditConflictError",
    "Facets",
    "Fact",
    "FactKind",
    "Health",
    "Hit",
    "InvalidRecordError",
    "JournalEntry",
    "ListRow",
    "Matched",
    "MemoryReport",
    "MergePlan",
    "Merged",
    "MergedRecord",
    "NotFoundError",
    "Note",
    "Observation",
    "PendingMessage",
    "Prompt",
    "Query",
    "ReadOnlyError",
    "Record",
    "Remark",
    "Results",
    "SavedSearch",
    "Scope",
    "Session",
    "SessionDay",
    "SessionRow",
    "Snippet",
    "SourceError",
    "Stats",
    "Store",
    "StoreError",
    "Summary",
    "Undone",
    "Version",
    "Why",
    "Window",
    "field_values",
    "filter_text",
    "highlight",
    "parse",
    "typed_at",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module at its first use (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value
