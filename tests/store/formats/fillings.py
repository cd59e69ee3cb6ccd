"""A memory with a row in every table, and what it must not tell."""

from io import BytesIO
from pathlib import Path

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.context.scope import Profile, save_profile
from memtui.store.formats.common.report import Report
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.formats.jsonl.file_import import import_jsonl
from memtui.store.records.events import Event, ToolUse, Usage

EVERYTHING = Scope(private=True, deleted=True)
CANARY = "canary"
NOW = 1_771_000_000_000
"""Fri 2026-02-13 16:26:40 UTC."""


def fill(store: Store) -> None:
    """Put something into every table that goes out; what says `canary` is private or deleted."""
    session = store.sessions.start(
        "c-1", agent="codex", project="atlas", title="Login", memory_session_id="m-1", at=NOW + 1_000
    )
    store.prompts.add(session, "why does login fail?", at=NOW + 2_000)
    kept = store.observations.add(
        session, title="Clock drift 缓存", type="bugfix", narrative="Tokens\nlive 24 h.",
        facts=["TTL is 24 h"], concepts=["auth"], files_read=["src/a.py"], tags=["urgent"],
        tool_name="Edit", discovery_tokens=40, event_id="e-1", extra='{"b": 1, "a": [2]}', at=NOW + 3_000,
    )  # fmt: skip
    store.observations.pin(kept)
    store.summaries.add(session, request="Login fails", completed="Added a leeway", at=NOW + 4_000)
    store.facts.add("Tokens live 24 h", kind="W", entities=["auth"], evidence=[kept.uid])
    store.notes.upsert("MEMORY.md", "# Memory\n", project="atlas")
    store.pending.add(session, "summary", last_user_message="why?", event_id="e-2")
    store.searches.save("drift", "clock drift")
    store.searches.remember("login")
    ingest_event(
        store,
        Event(kind="prompt", agent="codex", session="c-1", key="k-1", text="and now?", at=NOW + 5_000),
        "hook",
    )
    tool = ToolUse(name="Bash", input={"command": "ls"}, response="a.py")
    ingest_event(
        store,
        Event(kind="tool", agent="codex", session="c-1", key="k-2", tool=tool, at=NOW + 6_000),
        "hook",
    )
    usage = Usage(input=1, output=2, cache_read=3, cache_written=4)
    ingest_event(
        store,
        Event(kind="usage", agent="codex", session="c-1", key="k-3", usage=usage, at=NOW + 7_000),
        "transcript",
    )
    store.db.execute("INSERT INTO subagents VALUES ('codex', 'sub', 'c-1')")
    store.db.execute("INSERT INTO transcript_records VALUES (-77, 5)")
    store.db.execute("INSERT INTO agent_days VALUES ('codex', 20000, 3, 9)")
    store.db.execute("INSERT INTO project_places VALUES ('root', '/w/atlas', 'atlas')")
    store.db.execute("INSERT INTO project_aliases VALUES ('old', 'atlas')")
    store.db.execute("INSERT INTO shared_files VALUES ('atlas', 'project:A.md', 'm-1', 1, 'a', '{}')")
    store.db.execute("INSERT INTO retention_policies VALUES ('atlas', 90, 30, 1, 1)")
    store.db.execute("INSERT INTO purged VALUES ('u-gone', 'observations', 's', '9', 1, 'hash')")
    store.db.execute("INSERT INTO merged_records VALUES ('u-twin', ?, 'c-1', NULL, 1)", (kept.uid,))
    store.db.execute("INSERT INTO not_duplicates VALUES ('u-1', 'u-2', 1)")
    store.db.execute("INSERT INTO renamed_records VALUES ('u-9', 'u-8', 'observations')")
    store.db.execute("INSERT INTO reports VALUES (?, 'codex', 'wrong', 'moved', 5)", (kept.uid,))
    store.db.execute("INSERT INTO source_marks VALUES ('hash', 's')")
    store.db.execute("UPDATE pending_messages SET observation_id = ?, outcome = 'rules'", (kept.id,))
    store.db.execute("INSERT INTO observer_days VALUES (20000, 'tiny', 3, 1, 500, 60)")
    save_profile(store, "atlas", Profile(900, first=[str(kept.id)], brief=["s1"]))
    store.db.execute(
        "INSERT INTO given_contexts VALUES (7, 5, 'codex', 'c-1', 'atlas', 80, ?, 'resume')",
        ('["1","s1"]',),
    )
    store.db.execute(
        "INSERT INTO memory_uses VALUES ('o', ?, 3, 5, 'codex', 'c-1', 1, 6, 1, 7)", (kept.id,)
    )
    store.db.execute("INSERT INTO vanished VALUES ('observations', ?, 5)", (kept.id,))
    store.db.execute("INSERT INTO redone_changes SELECT 7, max(id), 5, 6, x'', x'' FROM changes")


def hide(store: Store) -> None:
    """Add what nobody may see: in every table that can be private or deleted, and where it is quoted."""
    secret = store.sessions.start("c-2", agent="codex", title=f"{CANARY} session", at=NOW + 8_000)
    store.observations.add(secret, title=f"{CANARY} in a private session")
    store.pending.add(secret, "observation", tool_input=f"{CANARY} in its message")
    store.db.execute("UPDATE sessions SET private = 1 WHERE id = ?", (secret.id,))
    asked = store.prompts.add("c-3", f"{CANARY} as a first prompt")
    store.pending.add("c-3", "summary", last_user_message=f"{CANARY} as a first prompt")
    store.prompts.set_private(asked)
    made = store.observations.add("c-3", title=CANARY, narrative=CANARY, event_id="e-9")
    store.pending.add("c-3", "observation", tool_response=CANARY, event_id="e-9")
    store.observations.delete(made)
    store.summaries.delete(store.summaries.add("c-3", request=CANARY))
    store.facts.set_private(store.facts.add(f"{CANARY} is a fact", entities=[CANARY]))
    store.notes.delete(store.notes.upsert("HIDDEN.md", CANARY))
    store.searches.remember(f"where is the {CANARY}")


def exported(store: Store, scope: Scope = EVERYTHING) -> bytes:
    """The memory as JSON lines."""
    file = BytesIO()
    export_jsonl(store, file, scope)
    return file.getvalue()


def imported(store: Store, lines: bytes, folder: Path) -> Report:
    """What comes of importing these lines."""
    path = folder / "export.jsonl"
    path.write_bytes(lines)
    return import_jsonl(store, path)
