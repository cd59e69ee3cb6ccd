"""No statement of capture, the lists, the facts, the queue or curation reads through a whole table, or
sorts what an index can order."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.maintain.duplicates.alike import clusters, merge
from memtui.store.maintain.duplicates.candidates import candidates
from memtui.store.maintain.purge import purge
from memtui.store.observe.jobs.job import process
from memtui.store.records.events import Event, ToolUse, Usage
from memtui.store.tables.queue import STATES, item_page

SESSIONS, EVENTS = 4, 12

LINEAR = (
    # Each counts what it is asked about.
    "SELECT count(*)",
    "SELECT status, number FROM message_counts UNION ALL SELECT 'quarantined', count(*)",
    "SELECT CAST(value AS TEXT), count(DISTINCT asked.id)",
    # All of a few: notes, workers, saved and recent searches, what waits to be indexed.
    "FROM notes WHERE private = 0 AND deleted_at IS NULL",
    "SELECT DISTINCT lease_owner",
    "FROM saved_searches",
    "recent_searches",
    "SELECT document_id FROM unindexed",
    # And what machines are not given, and refused.
    "FROM sync_exclusions",
    "FROM sync_refused",
    # A purge looks through the whole journal.
    "SELECT id FROM changes",
    "SELECT id, what FROM changes",
    # What may be merged is looked for where anything changed since, and among all facts.
    "FROM changes c",
    "SELECT new.id, old.id",
    # And once whether a project is still anyone's, which its sessions mostly tell by an index.
    "FROM (SELECT project FROM sessions",
    "DELETE FROM project_places WHERE project IN",
    "DELETE FROM project_aliases WHERE project IN",
    # A merge, of however many, looks once for the facts that cite what was merged.
    "SELECT id, evidence FROM fact",
    # Pairs that people told apart, one by one.
    "FROM not_duplicates n",
    # The journal is measured at each 20th change, without reading its changesets.
    "OVER (ORDER BY id DESC) AS bytes",
)
"""What a statement holds that may read all of something."""

SORTED = (
    # Of one session, list, event, fact, entity or name there are few rows to sort.
    "WHERE session_id = ? AND kind = ?) ORDER BY created_at, id",
    "IN (SELECT value FROM json_each",
    "FROM captured_events",
    "FROM fact_sources",
    "l.kind = 'entity' AND l.value = :entity",
    "content_session_id =",
    # The rows of a page are put in order again: LIMIT stands inside.
    "LIMIT :limit) ORDER BY",
    "LIMIT :limit OFFSET :offset) ORDER BY",
    "LIMIT :limit\n) ORDER BY",
    "ORDER BY 1 LIMIT :limit\n) RETURNING id",
    # The first turn that is over, of those that wait for a model.
    "ORDER BY attempts > 0, id LIMIT 1",
)
"""What a statement holds that may sort a few rows."""


def fill(store: Store) -> None:
    """A few sessions of every kind of event and record."""
    for number in range(SESSIONS):
        told: dict[str, Any] = {"agent": "claude-code", "session": f"c-{number}"}
        at = 1_700_000_000_000 + number * 10_000_000
        ingest_event(store, Event(kind="session_start", at=at, cwd="/home/u/atlas", **told), "hook")
        for step in range(EVENTS):
            moment = at + step * 60_000
            key = f"{number}-{step}"
            ingest_event(store, Event(kind="prompt", at=moment, text=f"do {key}", **told), "hook")
            tool = ToolUse("Edit", {"file_path": f"/home/u/atlas/{key}.py"}, "done")
            event = Event(kind="tool", at=moment + 1, key=key, shared=True, tool=tool, **told)
            ingest_event(store, event, "hook")
            ingest_event(store, event, "transcript")
            reply = Event(kind="reply", at=moment + 2, text=f"I prefer {key}; it is fixed.", **told)
            ingest_event(store, reply, "transcript")
            usage = Event(kind="usage", at=moment + 3, key=f"m{key}", usage=Usage(1, 2), **told)
            ingest_event(store, usage, "transcript")
        ingest_event(store, Event(kind="session_end", at=at + 9_000_000, **told), "hook")
    process(store, None)
    for number in range(EVENTS):
        store.facts.add(f"Clock {number} drifts", kind="W", project="atlas", entities=["NTP", f"n{number}"])
    store.notes.upsert("MEMORY.md", "# Atlas", project="atlas")


def capture(store: Store) -> None:
    """What a hook's event and the job after it ask."""
    fill(store)


def lists(store: Store) -> None:
    """What the screens ask."""
    rows = store.find("").rows(0, 5)
    for query in ("", "project:atlas", "type:change", "kind:prompt", "kind:summary", "is:pinned"):
        store.find(query).rows(0, 5)
        store.find(query).page(3, 5)
    store.find("").position(rows[-1])
    for scope in ("session", "project", "all"):
        store.timeline(rows[0], minutes=600, scope=scope)
        store.neighbour(rows[0], 1, scope)
    for row in rows:
        store.record_of(row)
    for project in (None, "atlas"):
        for agent in (None, "codex"):
            store.sessions.list(project=project, agent=agent)
        for table in (store.observations, store.prompts, store.summaries):
            table.recent(project)
        store.summaries.latest(project)
        store.notes.list(project)
    session = store.sessions.list()[0].session
    for table in (store.observations, store.prompts, store.summaries):
        table.of_session(session)
    store.sessions.row(session)
    store.sessions.find("c-1")
    store.sessions.find("c-1", "codex")
    store.sessions.get("c-1")
    store.sessions.usage(session)
    store.searches.remember("drift")
    store.searches.recent()
    store.searches.saved()


def facts(store: Store) -> None:
    """What the screen of facts asks."""
    for kind in (None, "W"):
        for project in (None, "atlas"):
            for entity in (None, "NTP"):
                store.facts.list(kind, project, entity=entity)
    store.facts.find("Clocks drift", "W", "atlas")
    store.facts.sources_of(store.facts.list()[0])


def queue(store: Store) -> None:
    """What the queue's screen and its workers ask."""
    session = store.sessions.list()[0].session
    store.pending.add(session, tool_name="Bash", tool_input="{}")
    for state in STATES:
        item_page(store.db, [state], 0, 5)
        store.pending.list(state)
    item_page(store.db, STATES, 0, 5)
    store.pending.list()
    (message,) = store.pending.claim("me", 1)
    store.pending.release(message)
    store.pending.claim_turn("me", 1, 9)
    store.pending.is_waiting()
    store.pending.has_unobserved()
    store.pending.lease_owners()
    store.pending.expired_leases()
    store.pending.complete_observed("done", 9)
    store.pending.forget_old(1, 1, 9)
    store.pending.retry()


def curation(store: Store) -> None:
    """What an edit of a record does, triggers and undo included."""
    prompt = store.prompts.recent(limit=1)[0]
    for table, number in (
        (store.observations, store.observations.recent(limit=1)[0].id),
        (store.prompts, prompt.id),
        (store.summaries, store.summaries.recent(limit=1)[0].id),
        (store.facts, store.facts.list(limit=1)[0].id),
    ):
        for change in ("pin", "set_private", "delete", "restore"):
            getattr(table, change)(number)
        for _ in range(4):
            store.undo()
    observation = store.observations.recent(limit=1)[0]
    store.observations.revise(observation.id, title="Other", concepts=["new"])
    for number in range(2):
        store.observations.add("c-1", title="The very same words", narrative=f"{number}")
    for _ in range(2):
        list(candidates(store))
    for cluster in clusters(store):
        merge(store, cluster)
    store.sessions.link("c-1", "m-1")
    store.sessions.end("c-1")
    store.observations.delete(observation.id)
    store.prompts.delete(prompt.id)
    purge(store, "observations", [observation.id])
    purge(store, "prompts", [prompt.id])


USES: tuple[Callable[[Store], None], ...] = (capture, lists, facts, queue, curation)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A memory with some of everything."""
    with Store.open(tmp_path_factory.mktemp("plans") / "memory.db") as store:
        fill(store)
        yield store


@contextmanager
def watched(db: apsw.Connection) -> Iterator[dict[str, Any]]:
    """Every statement that the block runs, with its last bindings."""
    seen: dict[str, Any] = {}

    def note(_: object, sql: str, bindings: object) -> bool:
        if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)", sql):
            seen[sql] = bindings
        return True

    db.exec_trace = note
    try:
        yield seen
    finally:
        db.exec_trace = None


def plan(db: apsw.Connection, sql: str, bindings: Any) -> list[str]:
    """How SQLite would run a statement, step by step."""
    return [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]


BOUNDED = (
    *("given_contexts", "context_profiles"),
    *("document_counts", "fact_counts", "message_counts", "time_counts", "token_counts"),
)
"""Tables that don't grow with the memory: 500 rows, one a project, counts by kind or hour."""


def faults(sql: str, steps: list[str]) -> list[str]:
    """The steps of a plan that grow with the memory."""
    found = []
    for step in steps:
        if match := re.match(r"SCAN (\S+)(.*)", step):
            is_virtual = "VIRTUAL TABLE" in match[2] or match[1] in ("CONSTANT", "json_each", *BOUNDED)
            in_order = "USING" in match[2] or "ORDER BY id" in sql
            is_page = in_order and "LIMIT" in sql and "ORDER BY" in sql
            if not is_virtual and not is_page and not match[1].startswith("("):
                found.append(step)
        if "TEMP B-TREE FOR ORDER BY" in step and not any(one in sql for one in SORTED):
            found.append(step)
    return found


@pytest.mark.parametrize("use", USES, ids=lambda use: str(use.__name__))
def test_every_statement_is_answered_by_an_index(filled: Store, use: Callable[[Store], None]) -> None:
    with watched(filled.db) as seen:
        use(filled)
    assert len(seen) > 5
    wrong = {
        sql: found
        for sql, bindings in seen.items()
        if not any(one in sql for one in LINEAR) and (found := faults(sql, plan(filled.db, sql, bindings)))
    }
    assert not wrong, "\n\n".join(f"{sql.strip()}\n  {found}" for sql, found in wrong.items())


def test_a_scan_and_a_sort_would_be_found(filled: Store) -> None:
    for sql in (
        "SELECT id FROM observations WHERE title = 'x'",
        "SELECT id FROM prompts WHERE session_id = 1 ORDER BY text",
        "SELECT id FROM sessions WHERE project = coalesce(NULL, project) LIMIT 5",
    ):
        assert faults(sql, plan(filled.db, sql, ())), sql


def test_no_trigger_reads_through_a_table(filled: Store) -> None:
    steps: dict[str, int] = {}

    def note(event: dict[str, Any]) -> None:
        status = event["stmt_status"]
        steps[event["sql"]] = status["SQLITE_STMTSTATUS_FULLSCAN_STEP"]

    session = filled.sessions.list()[0].session
    added = filled.observations.add(session, title="drift", concepts=["clock"], files_read=["a"])
    filled.db.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)
    try:
        for sql in (
            "UPDATE observations SET pinned = 1 WHERE id = ?",
            "UPDATE observations SET title = 'clock' WHERE id = ?",
            'UPDATE observations SET concepts = \'["tick", "tock"]\' WHERE id = ?',
            "UPDATE observations SET private = 1 WHERE id = ?",
            "UPDATE observations SET private = 0 WHERE id = ?",
            "DELETE FROM observations WHERE id = ?",
        ):
            filled.db.execute(sql, (added.id,))
    finally:
        filled.db.trace_v2(0)
    assert len(steps) >= 6
    # The items of the record's own lists are stepped through, and what waits to be indexed.
    assert max(steps.values()) < 40, steps
