"""The memory: everything that reads or writes it. `Store` is the way in; the rest are its records.

Names are imported when they are first used, so that a hook's process pays only for what it needs.
"""

# Type checkers take the name for true; importing it would cost a hook's process 3 ms.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .context.wrapper import mem_command, random_nonce
    from .curation.editing import AnyRecord, field_values
    from .curation.many import Action, ActionName, Changed
    from .curation.merging import Merged, MergePlan
    from .curation.reporting import MemoryReport
    from .curation.superseding import Pointers
    from .database.health import Check, Health
    from .database.journal.undo import Affected, Undone
    from .formats.common.upsert import label_source
    from .maintain.duplicates.alike import likely_successors
    from .maintain.past import ThenAndNow, as_of, moment_of, then_and_now
    from .maintain.purge import Purged, purge_for_good
    from .observe.jobs.job import process_at_once, process_briefly, start_job
    from .observe.jobs.worker import current_backoff
    from .platform.errors import (
        ConflictError,
        DatabaseError,
        EditConflictError,
        InvalidRecordError,
        NotFoundError,
        ReadOnlyError,
        SourceError,
        StoreError,
    )
    from .providers.usage import TokenUsage
    from .records.kinds import kind_of, parse_ref, ref, ref_of
    from .records.rows import (
        SHOWN_KINDS,
        Fact,
        FactKind,
        FactSource,
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
        Subagent,
        Summary,
        Window,
        fact_kind,
    )
    from .search.arrivals import Seen
    from .search.completion.completions import Completion, Completions, typed_at
    from .search.completion.remarks import Remark
    from .search.facets import Facets, Stats
    from .search.hits import Hits
    from .search.listing.snippets import highlight, in_turn
    from .search.page import Count, Page
    from .search.query.filters import IN_PROJECT_HERE
    from .search.query.language import Chip, Query, filter_text, parse
    from .search.typos import Correction
    from .search.why import Matched, Why
    from .store import Store
    from .tables.changed_files import ChangedFile
    from .tables.fact_sources import taker_of
    from .tables.families import Family
    from .tables.history import ChangedRecord, JournalEntry, Version, maker, short_maker
    from .tables.merges import MergedRecord
    from .tables.repositories import locate


_HOMES = {
    "context.wrapper": "mem_command random_nonce",
    "curation.editing": "AnyRecord field_values",
    "curation.many": "Action ActionName Changed",
    "curation.merging": "MergePlan Merged",
    "curation.reporting": "MemoryReport",
    "curation.superseding": "Pointers",
    "database.health": "Check Health",
    "database.journal.undo": "Affected Undone",
    "platform.errors": "ConflictError DatabaseError EditConflictError InvalidRecordError NotFoundError "
    "ReadOnlyError SourceError StoreError",
    "formats.common.upsert": "label_source",
    "records.kinds": "kind_of parse_ref ref ref_of",
    "maintain.duplicates.alike": "likely_successors",
    "maintain.past": "ThenAndNow as_of moment_of then_and_now",
    "maintain.purge": "Purged purge_for_good",
    "observe.jobs.worker": "current_backoff",
    "observe.jobs.job": "process_at_once process_briefly start_job",
    "providers.usage": "TokenUsage",
    "records.rows": "SHOWN_KINDS Fact FactKind FactSource Hit ListRow Note Observation "
    "PendingMessage Prompt Record SavedSearch Scope Session SessionDay SessionRow "
    "Snippet Subagent Summary Window fact_kind",
    "search.arrivals": "Seen",
    "search.completion.completions": "Completion Completions typed_at",
    "search.completion.remarks": "Remark",
    "search.facets": "Facets Stats",
    "search.hits": "Hits",
    "search.listing.snippets": "highlight in_turn",
    "search.page": "Count Page",
    "search.query.filters": "IN_PROJECT_HERE",
    "search.query.language": "Chip Query filter_text parse",
    "search.typos": "Correction",
    "search.why": "Matched Why",
    "store": "Store",
    "tables.changed_files": "ChangedFile",
    "tables.fact_sources": "taker_of",
    "tables.families": "Family",
    "tables.history": "ChangedRecord JournalEntry Version maker short_maker",
    "tables.merges": "MergedRecord",
    "tables.repositories": "locate",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Import a public name from its module at its first use (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value
