"""The memory: everything that reads or writes it. `Store` is the way in; the rest are its records.

Names are imported when they are first used, so that a hook's process pays only for what it needs.
"""

# Type checkers take the name for true; importing it would cost a hook's process 3 ms.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .context.wrapper import mem_command as mem_command
    from .context.wrapper import random_nonce as random_nonce
    from .curation.editing import AnyRecord as AnyRecord
    from .curation.editing import field_values as field_values
    from .curation.many import Action as Action
    from .curation.many import ActionName as ActionName
    from .curation.many import Changed as Changed
    from .curation.merging import Merged as Merged
    from .curation.merging import MergePlan as MergePlan
    from .curation.reporting import MemoryReport as MemoryReport
    from .curation.superseding import Pointers as Pointers
    from .database.health import Check as Check
    from .database.health import Health as Health
    from .database.journal.undo import Affected as Affected
    from .database.journal.undo import Undone as Undone
    from .formats.common.upsert import label_source as label_source
    from .maintain.duplicates.alike import likely_successors as likely_successors
    from .maintain.past import ThenAndNow as ThenAndNow
    from .maintain.past import as_of as as_of
    from .maintain.past import moment_of as moment_of
    from .maintain.past import then_and_now as then_and_now
    from .maintain.purge import Purged as Purged
    from .maintain.purge import purge_for_good as purge_for_good
    from .observe.jobs.job import process_at_once as process_at_once
    from .observe.jobs.job import process_briefly as process_briefly
    from .observe.jobs.job import start_job as start_job
    from .observe.jobs.worker import current_backoff as current_backoff
    from .platform.errors import ConflictError as ConflictError
    from .platform.errors import DatabaseError as DatabaseError
    from .platform.errors import EditConflictError as EditConflictError
    from .platform.errors import InvalidRecordError as InvalidRecordError
    from .platform.errors import NotFoundError as NotFoundError
    from .platform.errors import ReadOnlyError as ReadOnlyError
    from .platform.errors import SourceError as SourceError
    from .platform.errors import StoreError as StoreError
    from .providers.usage import TokenUsage as TokenUsage
    from .records.kinds import kind_of as kind_of
    from .records.kinds import parse_ref as parse_ref
    from .records.kinds import ref as ref
    from .records.kinds import ref_of as ref_of
    from .records.rows import SHOWN_KINDS as SHOWN_KINDS
    from .records.rows import Fact as Fact
    from .records.rows import FactKind as FactKind
    from .records.rows import FactSource as FactSource
    from .records.rows import Hit as Hit
    from .records.rows import ListRow as ListRow
    from .records.rows import Note as Note
    from .records.rows import Observation as Observation
    from .records.rows import PendingMessage as PendingMessage
    from .records.rows import Prompt as Prompt
    from .records.rows import Record as Record
    from .records.rows import SavedSearch as SavedSearch
    from .records.rows import Scope as Scope
    from .records.rows import Session as Session
    from .records.rows import SessionDay as SessionDay
    from .records.rows import SessionRow as SessionRow
    from .records.rows import Snippet as Snippet
    from .records.rows import Subagent as Subagent
    from .records.rows import Summary as Summary
    from .records.rows import Window as Window
    from .records.rows import fact_kind as fact_kind
    from .search.arrivals import Seen as Seen
    from .search.completion.completions import Completion as Completion
    from .search.completion.completions import Completions as Completions
    from .search.completion.completions import typed_at as typed_at
    from .search.completion.remarks import Remark as Remark
    from .search.facets import Facets as Facets
    from .search.facets import Stats as Stats
    from .search.hits import Hits as Hits
    from .search.listing.snippets import highlight as highlight
    from .search.listing.snippets import in_turn as in_turn
    from .search.page import Count as Count
    from .search.page import Page as Page
    from .search.query.filters import IN_PROJECT_HERE as IN_PROJECT_HERE
    from .search.query.language import Chip as Chip
    from .search.query.language import Query as Query
    from .search.query.language import filter_text as filter_text
    from .search.query.language import parse as parse
    from .search.typos import Correction as Correction
    from .search.why import Matched as Matched
    from .search.why import Why as Why
    from .store import Store as Store
    from .tables.changed_files import ChangedFile as ChangedFile
    from .tables.fact_sources import taker_of as taker_of
    from .tables.families import Family as Family
    from .tables.history import ChangedRecord as ChangedRecord
    from .tables.history import JournalEntry as JournalEntry
    from .tables.history import Version as Version
    from .tables.history import maker as maker
    from .tables.history import short_maker as short_maker
    from .tables.merges import MergedRecord as MergedRecord
    from .tables.repositories import locate as locate


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
