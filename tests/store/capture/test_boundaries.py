"""Whatever a rule, a reader or a job raises, the rest comes in: what failed is stored as it came, is named,
and is judged again when a person asks for it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.conversation import conversation
from memtui.store.capture.health import capture_health
from memtui.store.capture.ingest.catch_up import open_caught_up
from memtui.store.capture.ingest.drain import drain, retry_quarantined
from memtui.store.capture.ingest.transcripts import import_transcripts
from memtui.store.database import notices
from memtui.store.maintain.doctor import store_checks
from memtui.store.maintain.importing import run
from memtui.store.observe.jobs.job import process

from .hooks import Machine

ID = "5e000000-0000-4000-8000-00000000000{}"
WORD = "tripwire"
"""What is said in the events on which a planted rule fails."""

RULES = "memtui.store.observe.rules"
INGEST = "memtui.store.capture.ingest"
OF_TOOLS = (
    f"{RULES}.observation:parse_tool_use", f"{RULES}.observation:noise_of",
    f"{RULES}.observation:outcome_of", f"{RULES}.observation:concepts_of",
    f"{RULES}.titles:title_of", f"{RULES}.titles:subtitle_of",
    f"{RULES}.outcome:reported_outcome", f"{RULES}.outcome:error_of",
)  # fmt: skip
"""Rules that are asked about a tool use."""
OF_REPLIES = (f"{RULES}.replies:reply_fields", f"{RULES}.replies:blocks_of")
OF_RECORDS = (
    f"{INGEST}.pipeline:accepted", f"{INGEST}.pipeline:is_noise", f"{INGEST}.pipeline:find_known",
    f"{INGEST}.pipeline:remember_event",
)  # fmt: skip
"""What is asked about every event, by whichever way it comes."""
OF_READERS = (
    "memtui.store.formats.transcripts.agents.claude_code:ClaudeCodeReader.events",
    "memtui.store.formats.transcripts.agents.claude_code:ClaudeCodeReader.identity",
)
OF_JOBS = (f"{RULES}.facts:extract", "memtui.store.observe.jobs.rule_observer:updated_summaries")


class UnforeseenError(RuntimeError):
    """What nobody foresaw."""


def missing(*_: object) -> None:
    """Fail as what asks for what isn't there."""
    raise KeyError("missing")


def plant(patch: pytest.MonkeyPatch, place: str, mistake: type[Exception] = UnforeseenError) -> None:
    """Have a function fail on what says `WORD`, and do what it did on all else."""
    module, _, name = place.partition(":")
    *owners, name = name.split(".")
    owner = resolve_name(f"{module}:{'.'.join(owners)}") if owners else resolve_name(module)
    real: Callable[..., Any] = getattr(owner, name)

    def planted(*given: Any, **named: Any) -> Any:
        if WORD in repr((given, named)):
            raise mistake("beyond any rule")
        return real(*given, **named)

    patch.setattr(owner, name, planted)


def records(session: str, words: str) -> Iterator[dict[str, Any]]:
    """The lines of a transcript of Claude Code's: a prompt, a command, its output and a reply; in each but
    the prompt these words stand."""
    said: list[tuple[str, dict[str, Any]]] = [
        ("user", {"role": "user", "content": "Always count the lines with wc, never by eye."}),
        ("assistant", {"content": [{"type": "tool_use", "id": f"{session}-t", "name": "Bash",
                                    "input": {"command": f"wc -l {words}.log && make {words}"}}]}),
        ("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"{session}-t",
                                               "content": f"{words} has 3 lines", "is_error": True}]}),
        ("assistant", {"stop_reason": "end_turn", "content": [{"type": "text", "text":
            f"The cause is that {words}.log is rotated by `logrotate` before it is counted."}]}),
    ]  # fmt: skip
    for number, (kind, message) in enumerate(said, 1):
        message |= {"id": f"{session}-m{number}", "model": "m"} if kind == "assistant" else {}
        yield {
            "type": kind, "uuid": f"{session}-{number}",
            "parentUuid": f"{session}-{number - 1}" if number > 1 else None,
            "sessionId": session, "cwd": "/tmp", "version": "2.1.50",
            "timestamp": f"2026-11-28T10:00:0{number}.000Z", "message": message,
        }  # fmt: skip


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """Three transcripts, in the second of which stands what a planted rule fails on."""
    folder = tmp_path / "projects" / "-tmp"
    folder.mkdir(parents=True)
    for number, words in enumerate(("first", WORD, "third"), 1):
        lines = map(json.dumps, records(ID.format(number), words))
        (folder / f"{ID.format(number)}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def rows(store: Store) -> list[tuple[object, ...]]:
    """All that was made of the transcripts, but for times and ids."""
    found = [
        (row.type, row.title, row.narrative, tuple(row.facts)) for row in store.observations.where("true")
    ]
    return sorted([*found, *((prompt.text,) for prompt in store.prompts.where("true"))], key=repr)


def read_on(store: Store) -> list[str]:
    """Ask what commands that read ask; the doctor's findings that aren't well."""
    store.find("lines").page().hits  # noqa: B018
    store.stats()
    for session in store.sessions.where("true"):
        conversation(store, session)
    return [check.found for check in store_checks(store) if not check.ok]


def whole(open_store: Callable[..., Store], folder: Path, path: Path) -> list[tuple[object, ...]]:
    """What comes of the transcripts where nothing fails."""
    store = open_store(path)
    import_transcripts(store, "claude-code", folder)
    process(store, None)
    return rows(store)


@pytest.mark.parametrize("place", [*OF_TOOLS, *OF_REPLIES, *OF_RECORDS, *OF_READERS])
def test_an_import_goes_on_past_what_fails(
    place: str, open_store: Callable[..., Store], transcripts: Path, tmp_path: Path
) -> None:
    expected = whole(open_store, transcripts, tmp_path / "whole.db")
    store = open_store()
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, place)
        report = import_transcripts(store, "claude-code", transcripts)
        process(store, None)
        assert {session.content_session_id for session in store.sessions.where("true")} >= {
            ID.format(1),
            ID.format(3),
        }
        is_rule = place in (*OF_TOOLS, *OF_REPLIES)
        assert is_rule or report.warnings[0].table.endswith(f"{ID.format(2)}.jsonl")
        if is_rule:
            texts = [f"{row.title} {row.narrative}" for row in store.observations.where("true")]
            what = "is rotated" if place in OF_REPLIES else f"make {WORD}"
            assert any(what in text and WORD in text for text in texts)
        health = capture_health(store)
        assert health.failed + health.quarantined == 1
        assert "UnforeseenError: beyond any rule" in health.example
        assert any("UnforeseenError: beyond any rule" in found for found in read_on(store))
        # It fails again, and nothing comes twice.
        retry_quarantined(store)
        store.pending.retry()
        process(store, None)
        assert (
            capture_health(store).failed + capture_health(store).quarantined + store.pending.is_waiting()
            == 1
        )
    retry_quarantined(store)
    store.pending.retry()
    store.db.execute("UPDATE pending_messages SET not_before = NULL")
    process(store, None)
    health = capture_health(store)
    assert (health.failed, health.quarantined) == (0, 0)
    assert rows(store) == expected


@pytest.mark.parametrize("place", [*OF_TOOLS[::3], *OF_RECORDS])
def test_hooks_and_who_reads_go_on_past_what_fails(place: str, machine: Machine) -> None:
    def event(words: str) -> dict[str, Any]:
        return {
            "session_id": "s", "cwd": "/tmp", "hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_use_id": words, "tool_input": {"command": f"make {words}"},
            "tool_response": {"stdout": f"{words} made"},
        }  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        plant(patch, place)
        machine.hook(event("before"), event(WORD), event("after"))
        with open_caught_up(machine.database) as store:
            assert not store.read_only
            made = " ".join(f"{row.title} {row.narrative}" for row in store.observations.where("true"))
            assert "before" in made and "after" in made
            assert (WORD in made) == (place in OF_TOOLS)
            assert any("UnforeseenError: beyond any rule" in found for found in read_on(store))
    with open_caught_up(machine.database) as store:
        retry_quarantined(store)
        store.pending.retry()
        process(store, None)
        assert sum(WORD in f"{row.title} {row.narrative}" for row in store.observations.where("true")) == 1
        assert not capture_health(store).failed + capture_health(store).quarantined


@pytest.mark.parametrize("place", OF_JOBS)
def test_a_job_that_fails_leaves_the_others_to_be_done(place: str, store: Store, transcripts: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, place)
        import_transcripts(store, "claude-code", transcripts)
        for _ in range(3):
            store.db.execute("UPDATE pending_messages SET not_before = NULL")
            process(store, None)
        assert {summary.session_id for summary in store.summaries.where("true")} == {1, 3}
        assert any("UnforeseenError: beyond any rule" in found for found in read_on(store))
    store.pending.retry()
    process(store, None)
    assert {summary.session_id for summary in store.summaries.where("true")} == {1, 2, 3}


def test_who_reads_goes_on_past_what_nothing_foresees(
    store: Store, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_transcripts(store, "claude-code", transcripts)
    monkeypatch.setattr(f"{INGEST}.catch_up.finish_turns", missing)
    notices.take()
    with open_caught_up(store.path) as caught_up:
        assert caught_up.find("lines").page().hits
    assert "KeyError: 'missing'" in " ".join(notices.take())


def test_a_source_that_fails_is_named_in_a_sentence(store: Store, transcripts: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{INGEST}.transcripts.transcripts_at", missing)
        with pytest.raises(Exception, match=r"claude-code can't be imported .*KeyError: 'missing'"):
            run(store, "claude-code", transcripts, None)


def test_one_file_that_fails_lets_the_others_in(store: Store, transcripts: Path) -> None:
    real = resolve_name("memtui.store.formats.transcripts.slices:line_slices")

    def failing(db: Any, path: Path, *given: Any) -> Any:
        if path.stem == ID.format(2):
            raise UnforeseenError("beyond any rule")
        return real(db, path, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{INGEST}.transcripts.line_slices", failing)
        report = import_transcripts(store, "claude-code", transcripts)
    assert [
        (Path(warning.table).stem, "UnforeseenError" in warning.message) for warning in report.warnings
    ] == [(ID.format(2), True)]
    assert len(store.sessions.where("true")) == 2
    assert retry_quarantined(store).stored == 1
    assert len(store.sessions.where("true")) == 3
    drain(store)
