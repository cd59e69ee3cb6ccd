"""One event is one row, however often and by whichever way it is told."""

from dataclasses import replace

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, EventKind, ToolUse, Usage
from tests.promises import promise

AT = 1_770_000_000_000


def event(kind: EventKind = "prompt", **fields: object) -> Event:
    told: dict[str, object] = {"agent": "gemini", "session": "c-1", "at": AT, "cwd": "/home/dev/atlas"}
    return Event(kind=kind, **(told | fields))  # type: ignore[arg-type]


def used(response: object = "ok", **fields: object) -> Event:
    return event("tool", tool=ToolUse("bash", {"command": "make test"}, response), **fields)


def prompts(store: Store) -> list[str]:
    return [one.text for one in store.prompts.recent()]


@promise("one-row-an-event")
def test_a_key_that_both_channels_know_decides(store: Store) -> None:
    asked = event(text="why", key="turn-1", shared=True)
    assert ingest_event(store, asked, "hook")
    assert not ingest_event(store, asked, "hook")
    assert not ingest_event(store, replace(asked, at=AT + 86_400_000), "transcript")
    assert ingest_event(store, replace(asked, key="turn-2"), "transcript")
    assert prompts(store) == ["why", "why"]


@promise("one-row-an-event")
def test_without_a_shared_key_the_same_words_at_about_the_same_time_are_one_event(store: Store) -> None:
    assert ingest_event(store, event(text="why  does it fail"), "hook")
    assert not ingest_event(store, event(text="why does it\nfail", at=AT + 30_000), "transcript")
    assert ingest_event(store, event(text="why does it fail", at=AT + 3_600_000), "transcript")


@pytest.mark.parametrize("order", [("hook", "transcript"), ("transcript", "hook")])
def test_two_equal_prompts_have_two_tellings_each(store: Store, order: tuple[str, str]) -> None:
    for channel in order:
        for minute in (0, 1):
            ingest_event(store, event(text="go on", at=AT + minute * 60_000), channel)  # type: ignore[arg-type]
    assert prompts(store) == ["go on", "go on"]


@promise("one-row-an-event")
def test_a_hook_that_is_registered_twice_tells_one_event(store: Store) -> None:
    assert ingest_event(store, event(text="why"), "hook")
    assert not ingest_event(store, event(text="why", at=AT + 900), "hook")
    assert ingest_event(store, event(text="why", at=AT + 60_000), "hook")


@promise("one-row-an-event")
def test_a_hook_told_twice_after_the_transcript_is_one_event(store: Store) -> None:
    told = event(text="why", key="2026-02-18T10:00:00Z")
    assert ingest_event(store, event(text="why", key="m-1"), "transcript")
    assert not ingest_event(store, told, "hook")
    assert not ingest_event(store, told, "hook")
    assert not ingest_event(store, event(text="why", key="m-1"), "transcript")


def test_a_transcript_without_times_tells_of_what_the_hooks_have_told(store: Store) -> None:
    for minute in (0, 50):
        ingest_event(store, event(text="go on", at=AT + minute * 60_000), "hook")
    untimed = event(text="go on", at=None)
    later = AT + 9 * 86_400_000
    assert [
        ingest_event(store, replace(untimed, key=key), "transcript", at=later) for key in ("1", "2", "3")
    ] == [False, False, True]


def test_a_hook_tells_of_what_a_transcript_without_times_has_told(store: Store) -> None:
    assert ingest_event(store, event(text="why", at=None, key="1"), "transcript", at=AT - 86_400_000)
    assert not ingest_event(store, event(text="why"), "hook")


def test_what_is_typed_while_the_agent_works_is_another_prompt_of_the_turn(store: Store) -> None:
    first = event(text="fix it", key="turn-1", shared=True)
    steering = replace(first, text="but not the tests", at=AT + 5_000)
    assert [ingest_event(store, one, "hook") for one in (first, steering, first, steering)] == [
        True, True, False, False,
    ]  # fmt: skip


def test_a_tool_use_is_one_whatever_each_channel_tells_of_its_answer(store: Store) -> None:
    assert ingest_event(store, used({"output": "3 passed"}, key="2026-02-18"), "hook")
    assert not ingest_event(store, used([{"text": "3 passed"}], key="call-1", at=AT - 20_000), "transcript")
    assert store.stats().observations == 1


def test_the_end_of_a_tool_use_is_added_when_it_comes(store: Store) -> None:
    begun = used(None, key="call-1", shared=True)
    assert ingest_event(store, begun, "transcript")
    assert ingest_event(store, replace(begun, tool=used("3 passed").tool), "transcript")
    assert not ingest_event(store, replace(begun, tool=used("3 passed").tool), "transcript")
    (observation,) = store.observations.recent()
    assert "3 passed" in (observation.narrative or "")
    assert store.find("3 passed").page().hits


def test_a_compaction_is_one_though_only_one_channel_tells_all_of_it(store: Store) -> None:
    assert ingest_event(store, event("compaction", text="We fixed it.", key="p-1"), "hook")
    told = "This session is being continued. We fixed it."
    assert not ingest_event(store, event("compaction", text=told, key="u-1", at=AT + 5_000), "transcript")
    assert store.stats().summaries == 1


def test_what_was_deleted_does_not_come_back(store: Store) -> None:
    asked = event(text="why", key="turn-1", shared=True)
    ingest_event(store, asked, "hook")
    store.prompts.delete(store.prompts.recent()[0])
    assert not ingest_event(store, asked, "transcript")
    assert prompts(store) == []


def test_tokens_are_those_that_were_told_last(store: Store) -> None:
    for output in (10, 30, 30):
        ingest_event(store, event("usage", key="msg-1", usage=Usage(output=output)), "transcript")
    ingest_event(store, event("usage", key="msg-2", usage=Usage(input=5, output=1)), "transcript")
    assert store.sessions.usage("c-1") == Usage(input=5, output=31)


def test_a_session_ends_and_goes_on(store: Store) -> None:
    def status() -> str:
        found = store.sessions.find("c-1", "gemini")
        assert found
        return found.status

    ingest_event(store, event("session_start"), "hook")
    ingest_event(store, event("session_end", at=AT + 1_000), "hook")
    assert status() == "completed"
    ingest_event(store, event("session_start"), "hook")
    assert status() == "completed"
    ingest_event(store, event("session_start", at=AT + 2_000), "hook")
    assert status() == "active"
    ingest_event(store, event("session_end", at=AT + 3_000, failed=True), "hook")
    assert status() == "failed"


def test_a_sub_agent_s_prompts_are_nobody_s_and_its_tools_are_its_parent_s(store: Store) -> None:
    assert not ingest_event(store, event(text="CHILD: look", subagent="child-1"), "hook")
    assert ingest_event(store, used(session="child-1", key="1"), "hook")
    assert not ingest_event(store, event("reply", text="done", session="child-1"), "hook")
    assert [one.session.content_session_id for one in store.sessions.list()] == ["c-1"]
    assert prompts(store) == []
    assert store.stats().observations == 1


def test_what_agents_and_hooks_put_around_a_prompt_is_taken_off(store: Store) -> None:
    ingest_event(store, event(text="<hook_context>remember</hook_context>\n\nfix it"), "hook")
    ingest_event(store, event(text="<user_query>\nship it\n</user_query>", at=AT + 9_000), "hook")
    ingest_event(
        store, event(text='<memtui-context id="7">old</memtui-context>test it', at=AT + 20_000), "hook"
    )
    assert prompts(store) == ["test it", "ship it", "fix it"]


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<task-id>1</task-id>", "<environment_context>x", "[Request interrupted",
        '<night-watch at="3">\nDeploy only after the backup.\n</night-watch>',
        "<tool-digest>Two checks ran well.</tool-digest><x_state>a</x_state>",
    ],
)  # fmt: skip
def test_what_nobody_typed_is_no_prompt(store: Store, text: str) -> None:
    assert not ingest_event(store, event(text=text), "hook")
    assert prompts(store) == []


@pytest.mark.parametrize(
    "text",
    [
        "<night-watch>Deploy only after the backup.</night-watch>\nis that right?",
        "<my-button>Save</my-button>",
        "<servlet-mapping><servlet-name>the main one of all</servlet-name></servlet-mapping>",
        "<note>Deploy only after the backup.</note>", "<user-story>As a user I want tea.</user-story>",
    ],
)  # fmt: skip
def test_markup_that_is_pasted_stays(store: Store, text: str) -> None:
    ingest_event(store, event(text=text), "hook")
    assert prompts(store) == [text]


def test_unclosed_injections_take_no_time_and_no_text(store: Store) -> None:
    text = "<ide_selection>" * 20_000
    ingest_event(store, event(text=text), "hook")
    assert prompts(store)[0].startswith("<ide_selection>")


@promise("no-self-observation")
def test_our_own_memory_is_not_observed(store: Store) -> None:
    with Store.open(store.path.parent / "memtui" / "memory.db") as own:
        here = str(own.path.parent)
        assert not ingest_event(own, event(text="why", cwd=here), "hook")
        assert not ingest_event(own, event(text="why", cwd=f"{here}/memory.db-spool"), "hook")
        assert ingest_event(own, event(text="why", cwd=str(store.path.parent)), "hook")
