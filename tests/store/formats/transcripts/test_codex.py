"""Codex's rollouts: each prompt, tool use and answer once, whichever of its generations wrote them."""

import json
from pathlib import Path

import pytest
from hypothesis import given as fuzzed
from hypothesis import strategies as st

from memtui.store.formats.transcripts.agents.codex import CodexFile, CodexReader
from memtui.store.formats.transcripts.agents.codex_records import call_output
from memtui.store.records.events import Usage

from .readings import gone_bad, of, said, told, told_of_bad
from .rollouts import (
    FIRST,
    GENERATIONS,
    LATER,
    OLD_TURN,
    PARENT,
    SECOND,
    THIRD,
    THREAD,
    TURN,
    Line,
    asked,
    begun,
    call,
    ended,
    given,
    line,
    meta,
    output,
    spent,
    tokens,
    typed,
)

PATH = Path(f"rollout-2026-02-02T02-40-00-{THREAD}.jsonl")


@pytest.mark.parametrize("rollout", GENERATIONS)
def test_each_prompt_is_told_once(rollout: list[Line]) -> None:
    prompts = said("prompt", told(CodexReader, rollout, PATH))

    assert prompts[0] == "fix the login"
    assert len(prompts) == len(set(prompts))


@pytest.mark.parametrize("rollout", GENERATIONS)
@fuzzed(data=st.data())
def test_reading_in_slices_tells_the_same_as_reading_at_once(
    rollout: list[Line], data: st.DataObject
) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(rollout)), max_size=4).map(sorted))

    assert told(CodexReader, rollout, PATH, cuts) == told(CodexReader, rollout, PATH)


@pytest.mark.parametrize("rollout", GENERATIONS)
@fuzzed(data=st.data())
def test_a_bad_record_is_told_of_or_read_as_it_can_be(rollout: list[Line], data: st.DataObject) -> None:
    for event in told_of_bad(CodexReader, data.draw(gone_bad(rollout)), PATH):
        assert event.session


def test_a_prompt_is_known_by_its_turn_and_one_typed_meanwhile_by_what_it_says() -> None:
    prompts = of("prompt", told(CodexReader, THIRD, PATH))

    assert [(prompt.text, prompt.key, prompt.shared) for prompt in prompts] == [
        ("fix the login", TURN, True),
        ("thanks", LATER, True),
        ("and commit", None, False),
    ]


def test_a_prompt_that_only_the_model_was_given_waits_for_the_agent_to_go_on() -> None:
    rollout = [meta(), given("fix the login"), call("c1", cmd="ls")]

    assert said("prompt", list(CodexReader(PATH, {}).events(rollout[1]))) == []
    assert said("prompt", told(CodexReader, rollout[:2], PATH)) == ["fix the login"]
    assert said("prompt", told(CodexReader, rollout, PATH)) == ["fix the login"]


def test_two_prompts_that_wait_are_two_whether_the_agent_goes_on_or_not() -> None:
    waiting = [meta(), begun(), given("fix the login"), given("and the logout")]

    for rollout in (waiting, [*waiting, call("c1", cmd="ls")]):
        prompts = of("prompt", told(CodexReader, rollout, PATH))
        assert [prompt.key for prompt in prompts] == [TURN, None]


def test_two_sources_of_one_prompt_count_once_in_either_order_and_the_same_again_twice() -> None:
    message, item = typed("go on"), asked("go on")
    for twice in ([message, item], [item, message], [given("go on"), message], [message, given("go on")]):
        prompts = said("prompt", told(CodexReader, [meta(), *twice, *twice], PATH))
        assert prompts == ["go on", "go on"]


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/dev/atlas",
        "<environment_context>…",
        "<user_shell_command>ls</user_shell_command>",
        "<turn_aborted>",
        "  ",
    ],
)
def test_what_the_program_puts_in_is_no_prompt(text: str) -> None:
    assert of("prompt", told(CodexReader, [meta(), given(text), typed(text)], PATH)) == []


def test_a_label_tells_what_is_no_prompt() -> None:
    label = {"content_item_kinds": ["hooks.additional_context"]}
    labelled = given("remember", internal_chat_message_metadata_passthrough=label)

    assert of("prompt", told(CodexReader, [meta(), labelled], PATH)) == []


def test_tools_have_their_answers_failures_and_the_tokens_of_their_answer_once() -> None:
    tools = of("tool", told(CodexReader, THIRD, PATH))

    assert [(tool.key, tool.shared, tool.tokens) for tool in tools] == [
        ("c1", True, 42),
        ("c2", True, 0),
        ("c3", True, 0),
    ]
    used = [tool.tool for tool in tools if tool.tool]
    assert [(one.input, one.response, one.failed) for one in used] == [
        ({"cmd": "make"}, "make: nothing to make", True),
        ({"cmd": "ls"}, "a.py", False),
        ({"cmd": "git commit"}, None, False),
    ]


@pytest.mark.parametrize("rollout", [FIRST, SECOND])
def test_tokens_reach_the_tool_whether_they_are_told_before_or_after_it(rollout: list[Line]) -> None:
    assert [tool.tokens for tool in of("tool", told(CodexReader, rollout, PATH))] == [42]


@pytest.mark.parametrize("rollout", GENERATIONS)
def test_usage_counts_each_answer_once_and_cached_input_apart(rollout: list[Line]) -> None:
    usages = [event.usage for event in of("usage", told(CodexReader, rollout, PATH))]

    assert usages == [Usage(40, 42, 60), Usage(40, 7, 60)]


def test_a_turns_last_answer_is_its_reply() -> None:
    replies = of("reply", told(CodexReader, THIRD, PATH))
    assert [(reply.text, reply.key) for reply in replies] == [("done", TURN)]
    assert said("reply", told(CodexReader, FIRST, PATH)) == ["fixed", "done"]
    stopped = [meta(), begun(), asked("go"), given("half", 2, "assistant"), ended(None)]
    assert said("reply", told(CodexReader, stopped, PATH)) == ["half"]
    assert said("reply", told(CodexReader, stopped[:-1], PATH)) == []


@pytest.mark.parametrize(("rollout", "text"), [(SECOND, "so far"), (THIRD, "SUMMARY: so far")])
def test_a_compaction_gives_its_summary_and_no_reply(rollout: list[Line], text: str) -> None:
    events = told(CodexReader, rollout, PATH)

    assert said("compaction", events) == [text]
    assert text not in said("reply", events)


def test_a_compaction_without_a_text_counts() -> None:
    assert said("compaction", told(CodexReader, [line("compacted", 1, message="")], PATH)) == [""]


def test_the_session_starts_once_with_its_directory_and_branch() -> None:
    rollout = [meta(git={"branch": "main"}), asked("go"), meta(cwd="/elsewhere"), asked("on")]
    starts = of("session_start", told(CodexReader, rollout, PATH))

    assert [(start.session, start.cwd, start.at) for start in starts] == [
        (THREAD, "/home/dev/atlas", 1_770_000_000_000)
    ]
    assert (starts[0].branch, starts[0].extra) == ("main", {})
    assert starts[0].transcript == str(PATH)


@pytest.mark.parametrize(
    "about",
    [
        {"parent_thread_id": PARENT},
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}},
        {"session_id": PARENT, "parent_thread_id": "between", "source": {"subagent": "review"}},
    ],
)
def test_a_sub_agents_work_belongs_to_the_session_that_started_it(about: Line) -> None:
    events = told(CodexReader, [meta(**about), asked("list"), call("c1", cmd="ls")], PATH)

    assert {(event.session, event.subagent) for event in events} == {(PARENT, THREAD)}
    assert all(event.transcript is None for event in events)


def test_a_fork_tells_only_what_its_parent_has_not() -> None:
    copied = [begun(OLD_TURN), asked("old", 1, OLD_TURN), call("c0"), output("c0", ""), ended("x")]
    parents = meta(id=PARENT)
    rollout = [meta(forked_from_id=PARENT), parents, *copied, begun(), asked("new")]
    events = told(CodexReader, rollout, PATH)

    assert said("prompt", events) == ["new"]
    assert {event.session for event in events} == {THREAD}
    assert of("tool", events) == []


def test_what_was_imported_from_another_agents_session_is_that_sessions() -> None:
    imported = [typed("old"), given("old"), ended(None, "external-import-turn-1")]
    rollout = [
        meta(),
        begun("external-import-turn-1"),
        *imported,
        begun("external-import-turn-2"),
        typed("older"),
    ]
    rollout += [begun(), asked("new", 5), call("c1", 6), output("c1", "ok", 7)]
    for cuts in ((), (3,), (7,)):
        events = told(CodexReader, rollout, PATH, cuts)
        assert said("prompt", events) == ["new"]
        assert [event.key for event in of("tool", events)] == ["c1"]


def test_a_fork_of_the_time_before_turns_had_ids_tells_only_its_own() -> None:
    parents = [meta(id=PARENT), typed("old", 0), call("c0", 0), output("c0", "", 0), typed("older", 1)]
    rollout = [meta(), *parents, typed("new", 5), call("c1", 6), output("c1", "ok", 7)]
    for cuts in ((), (3,), (7,)):
        events = told(CodexReader, rollout, PATH, cuts)
        assert said("prompt", events) == ["new"]
        assert [event.key for event in of("tool", events)] == ["c1"]


def test_a_rollout_that_lost_its_beginning_goes_by_its_files_name() -> None:
    events = told(CodexReader, [asked("go"), {"type": "future", "payload": {}}], PATH)

    assert [(event.session, event.text) for event in events] == [(THREAD, "go")]


def test_a_known_line_without_a_payload_says_so() -> None:
    with pytest.raises(ValueError, match="session_meta"):
        list(CodexReader(PATH, {}).events({"type": "session_meta", "payload": [1]}))


def test_a_search_of_the_web_and_a_patch_are_tools_too() -> None:
    search = line("response_item", 2, type="web_search_call", action={"query": "apsw"})
    about = {"name": "apply_patch", "input": "*** Begin Patch", "call_id": "c2"}
    patch = line("response_item", 2, type="custom_tool_call", **about)
    done = line("response_item", 3, type="custom_tool_call_output", call_id="c2", output="Done!")
    tools = [event.tool for event in told(CodexReader, [search, patch, done], PATH) if event.tool]

    assert [(tool.name, tool.input, tool.response) for tool in tools] == [
        ("web_search", {"query": "apsw"}, ""),
        ("apply_patch", {"command": "*** Begin Patch"}, "Done!"),
    ]


@pytest.mark.parametrize(
    ("given_output", "response", "failed"),
    [
        ("plain", "plain", False),
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\nok\n", "ok\n", False),
        ("Chunk ID: a\nProcess exited with code 1\nOutput:\nno", "no", True),
        ("a report\nOutput:\nx", "a report\nOutput:\nx", False),
        ('{"output": "x", "metadata": {"exit_code": 1}}', "x", True),
        ({"content": "x", "success": False}, "x", True),
        ([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb", False),
        ('{"isError": true}', '{"isError": true}', True),
        ("", "", False),
        (None, None, False),
    ],
)
def test_an_output_is_what_the_tool_said(given_output: object, response: object, failed: bool) -> None:
    assert call_output(given_output) == (response, failed)


def test_calls_without_an_output_do_not_pile_up_in_the_state() -> None:
    reader = CodexReader(PATH, {})
    events = [event for n in range(200) for event in reader.events(call(f"c{n}", cmd="ls"))]
    events += reader.pending()

    assert [event.key for event in events] == [f"c{n}" for n in range(200)]
    assert len(reader.state["calls"]) < 100


def test_the_oldest_rollouts_are_one_json_object(tmp_path: Path) -> None:
    path = tmp_path / f"rollout-2025-04-20-{THREAD}.json"
    items = [given("fix it")["payload"], call("c1", command=["ls"])["payload"]]
    items += [output("c1", "a.py")["payload"], given("fixed", role="assistant")["payload"]]
    session = {"id": THREAD, "timestamp": "2025-04-20T10:00:00.000Z"}
    path.write_text(json.dumps({"session": session, "items": items}), encoding="utf-8")

    events = list(CodexFile(path).events())

    assert [event.kind for event in events] == ["session_start", "prompt", "tool", "reply"]
    assert {event.at for event in events} == {1_745_143_200_000}


def test_old_lines_are_bare_metas_and_items() -> None:
    rollout = [{"id": THREAD, "timestamp": "2025-06-01T10:00:00.000Z", "instructions": ""}]
    rollout += [{"record_type": "state"}, given("fix it")["payload"], call("c1")["payload"]]

    kinds = [event.kind for event in told(CodexReader, rollout, PATH)]
    assert kinds == ["session_start", "prompt", "tool"]


def test_a_bad_piece_of_a_file_is_told_after_all_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "rollout.json"
    path.write_text(json.dumps([meta(), 5, asked("go"), spent("r1", 1), tokens(1, 1)]))
    events = []

    with pytest.raises(ValueError, match="the first is 2"):
        for event in CodexFile(path).events():
            events.append(event)  # noqa: PERF402
    assert [event.kind for event in events] == ["session_start", "prompt", "usage"]


def test_a_file_that_is_cut_off_says_so(tmp_path: Path) -> None:
    path = tmp_path / "rollout.json"
    path.write_text('{"session": {')

    with pytest.raises(ValueError, match="cut off"):
        list(CodexFile(path).events())


def test_a_compressed_rollout_that_nothing_can_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / f"rollout-{THREAD}.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")

    with pytest.raises(ValueError, match=r"is compressed by zstd|can't be decompressed"):
        list(CodexFile(path).events())


@pytest.mark.extra("zstd")
def test_a_compressed_rollout_is_read_where_a_library_is_there(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")

    path = tmp_path / f"rollout-{THREAD}.jsonl.zst"
    content = "\n".join(map(json.dumps, SECOND))
    path.write_bytes(zstandard.compress(content.encode()))

    assert said("prompt", list(CodexFile(path).events())) == ["fix the login"]
