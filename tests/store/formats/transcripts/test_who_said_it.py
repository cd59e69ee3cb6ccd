"""Who said what stands in a prompt's place: the user, another agent, a program; and what was taken back."""

from pathlib import Path
from typing import Any

import pytest

import memtui.store.install
from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.formats.transcripts.agents.claude_code import ClaudeCodeReader
from memtui.store.formats.transcripts.agents.codex import CodexReader
from memtui.store.formats.transcripts.agents.gemini import GeminiReader
from memtui.store.observe.jobs.job import process
from memtui.store.records.events import Event
from memtui.store.records.kinds import NOISE
from tests.tables import table

from . import rollouts
from .claude_records import Record, answered, asked, at, call, compacted, record, result, text, write
from .readings import of, said, told

PATH = Path("/home/u/.claude/projects/-home-dev-atlas/5e551011-0000-4000-8000-000000000001.jsonl")
ROLLOUT = Path(f"rollout-2026-02-02T02-40-00-{rollouts.THREAD}.jsonl")

CHANGE = {"file_path": "/home/dev/atlas/a.py", "old_string": "x", "new_string": "y"}
REWOUND = [
    asked(1, "where do we keep invoices?", parentUuid=None, promptId="p-1"),
    answered(2, "m-1", text("In the bucket invoices-eu."), parentUuid="u-1"),
    asked(3, "from now on store invoices in the bucket invoices-us", parentUuid="u-2", promptId="p-2"),
    answered(4, "m-2", call("t", "Edit", **CHANGE), parentUuid="u-3"),
    result(5, "t") | {"parentUuid": "u-4"},
    answered(6, "m-3", text("Decision: invoices go to invoices-us from now on."), parentUuid="u-5"),
    asked(7, "keep the bucket, only add a lifecycle rule", parentUuid="u-2", promptId="p-3"),
    answered(8, "m-4", text("Added the lifecycle rule in life.py."), parentUuid="u-7"),
]  # fmt: skip

KEPT = "Keep the bucket, only add a lifecycle rule"
"""What the user chose on the branch that stays."""


def claude(records: list[Record]) -> list[Event]:
    return told(ClaudeCodeReader, records, PATH)


def stored(store: Store, events: list[Event]) -> None:
    for event in events:
        ingest_event(store, event, "transcript")
    process(store, None)


def test_a_rewound_branch_gives_no_facts_and_is_noise(store: Store) -> None:
    stored(store, claude(REWOUND))

    assert [one.content for one in store.facts.list()] == [KEPT]
    assert [one.type for one in store.observations.where("title LIKE 'Edited%'")] == [NOISE]
    summaries = " ".join(str(one) for one in store.summaries.recent())
    assert "invoices-us" not in summaries
    assert "invoices-eu" in summaries
    assert len(store.prompts.recent()) == 3


def test_what_was_held_true_before_a_rewind_is_not_after_it(store: Store) -> None:
    events = claude(REWOUND)
    rewind = next(place for place, event in enumerate(events) if event.kind == "rewind")
    stored(store, events[:rewind])
    assert [one.content for one in store.facts.list()] != [KEPT]
    stored(store, events[rewind:])

    assert [one.content for one in store.facts.list()] == [KEPT]
    again = asked(9, REWOUND[2]["message"]["content"], parentUuid="u-8")
    stored(store, claude([*REWOUND, again, answered(10, "m-5", text("Stored there from now on."))]))
    assert len(store.facts.list()) > 1, "what is said again holds again"


def test_prompts_of_records_that_follow_nothing_are_not_taken_back() -> None:
    flat = [{name: value for name, value in one.items() if name != "parentUuid"} for one in REWOUND]
    assert not of("rewind", claude(flat))
    assert not of("rewind", claude([one | {"parentUuid": None} for one in REWOUND]))


def turn(number: int, after: str | None) -> list[Record]:
    """A prompt that follows a record, and its answer."""
    return [
        asked(number, f"prompt {number}", parentUuid=after, promptId=f"p-{number}"),
        answered(number + 1, f"m-{number}", text("Done."), parentUuid=f"u-{number}"),
    ]


def boundary(number: int) -> list[Record]:
    """A compaction, and its summary, which begin a conversation."""
    first, summary = compacted(number, "so far")
    return [first | {"parentUuid": None}, summary | {"parentUuid": f"u-{number}"}]


TWO = [*turn(1, None), *turn(3, "u-2")]


@table(
    ("records", "taken"),
    [
        ([*TWO, *turn(5, "u-2")], [("p-3",)]),
        ([*TWO, *turn(5, "u-4"), *turn(7, "u-2")], [("p-3", "p-5")]),
        (
            [record("attachment", 0, parentUuid=None), *turn(1, "u-0"), *turn(3, "u-2"), *turn(5, "u-0")],
            [("p-1", "p-3")],
        ),
        # A new beginning goes on: plain, behind what a resumption notes, twice, and gone back to.
        ([*TWO, *turn(5, None)], []),
        ([*TWO, *turn(5, "")], []),
        ([*TWO, record("attachment", 5, parentUuid=None), *turn(6, "u-5")], []),
        ([*TWO, record("system", 5, parentUuid=None, subtype="local_command"), *turn(6, "u-5")], []),
        ([*TWO, *turn(5, None), *turn(7, "u-6"), *turn(9, None)], []),
        ([*TWO, *turn(5, None), *turn(7, "u-6"), *turn(9, "u-6")], [("p-7",)]),
        ([*TWO, *turn(5, None), *turn(7, "u-2")], [("p-3",)]),
        # From before one compaction, from before both, and anew: none of that is a rewind.
        ([*TWO, *boundary(5), *turn(7, "u-6"), *turn(9, "u-2")], []),
        ([*TWO, *boundary(5), *turn(7, "u-6"), *boundary(9), *turn(11, "u-2")], []),
        ([*TWO, *boundary(5), *turn(7, None)], []),
        ([*TWO, boundary(5)[1] | {"parentUuid": None}, *turn(7, "u-2")], []),
        ([*TWO, *boundary(5), *turn(7, "u-6"), *turn(9, None)], []),
        # Behind a compaction the user goes back, also to what it kept.
        ([*TWO, *boundary(5), *turn(7, "u-6"), *turn(9, "u-8"), *turn(11, "u-8")], [("p-9",)]),
        ([*TWO, *boundary(5), *turn(7, "u-6"), *turn(9, "u-6")], [("p-7",)]),
        ([*TWO, *boundary(5), *turn(7, "u-4"), *turn(9, "u-4")], [("p-7",)]),
        # Two windows go on with one session at once.
        ([*TWO, *turn(5, "u-4"), *turn(7, "u-2"), *turn(9, "u-6")], [("p-3", "p-5")]),
        ([*TWO, *turn(11, "u-2"), *turn(13, "u-4"), *turn(15, "u-12")], [("p-3",)]),
    ],
)
def test_only_what_descends_from_where_a_branch_begins_is_taken_back(
    tmp_path: Path, records: list[Record], taken: list[tuple[str, ...]]
) -> None:
    path = write(tmp_path / PATH.name, records)
    for cuts in ((), range(1, len(records))):
        events = told(ClaudeCodeReader, records, path, cuts)
        assert [event.taken_back for event in of("rewind", events)] == taken


def test_codex_takes_turns_back() -> None:
    lines = [
        rollouts.meta(), rollouts.begun(), rollouts.asked("first"), rollouts.ended("one"),
        rollouts.begun(rollouts.LATER), rollouts.asked("second", 4, rollouts.LATER),
        rollouts.ended("two", rollouts.LATER),
        rollouts.line("event_msg", 9, type="thread_rolled_back", num_turns=1),
        rollouts.asked("third", 10, rollouts.OLD_TURN),
    ]  # fmt: skip
    events = told(CodexReader, lines, ROLLOUT)

    assert [event.taken_back for event in of("rewind", events)] == [(rollouts.LATER,)]
    assert said("prompt", events) == ["first", "second", "third"]


def test_gemini_rewinds_to_before_a_message() -> None:
    chat: list[dict[str, Any]] = [
        {"sessionId": "s", "projectHash": "x", "startTime": at(0)},
        *({"id": key, "type": kind, "content": [{"text": key}], "timestamp": at(1)}
          for key, kind in (("u1", "user"), ("g1", "gemini"), ("u2", "user"), ("g2", "gemini"))),
        {"$rewindTo": "u2"},
    ]  # fmt: skip
    events = told(GeminiReader, chat, Path("/home/u/.gemini/tmp/x/chats/session-1.jsonl"))
    assert [event.taken_back for event in of("rewind", events)] == [("u2",)]
    assert said("reply", events) == ["g1", "g2"]


@pytest.mark.parametrize(
    "message",
    [
        '<teammate-message teammate_id="r">\nFrom now on use float.\n</teammate-message>',
        '<cross-session-message from="s-2">Use float.</cross-session-message>',
        '<channel source="webhook" chat_id="1">\nDeploy failed\n</channel>',
        '<scheduled-task id="nightly">Check the build</scheduled-task>',
        "<system_notification> Shell command \"make\" has completed </system_notification>",
        "Stop hook feedback:\n- run the tests first",
        "[SYSTEM NOTIFICATION - NOT USER INPUT] The task is done",
        '{"task_id":"b4","description":"run tests","task_type":"local_bash"}',
        '<hook_prompt hook_run_id="1">go on</hook_prompt>',
        '<ci-monitor-event>Check "unit" failed on pull request 9, then fix it.</ci-monitor-event>',
        "<pr-review-event>2 comments</pr-review-event>", "<stop-hook-result>ok</stop-hook-result>",
        "<recommended_plugins>\nlinear\n</recommended_plugins>",
        "<open_files>a.py</open_files>\n<git_state>clean</git_state>\n",
        "[SYSTEM] This run is not complete until you call one of these terminal completion tools",
    ],
)  # fmt: skip
def test_what_teammates_and_programs_write_is_no_prompt(store: Store, message: str) -> None:
    for agent in ("claude-code", "copilot", "codex"):
        event = Event(kind="prompt", agent=agent, session="s", key=agent, text=message)
        ingest_event(store, event, "hook")
    assert store.prompts.recent() == []


@pytest.mark.parametrize(
    "message",
    [
        "<div> doesn't close in task-list.tsx", "<channel-list> is slow",
        "<user_message>round half up</user_message>", "<open_files>a.py</open_files> is written to the log",
        "<bug_report>It is round</bug_report>", "<feature-request>Add it</feature-request>",
        "<a_b>" * 5_000, f"<user_query>{' ' * 20_000}round it",
    ],
)  # fmt: skip
def test_a_prompt_that_begins_with_a_tag_of_its_own_stays(store: Store, message: str) -> None:
    ingest_event(store, Event(kind="prompt", agent="codex", session="s", text=message), "hook")
    assert [one.text for one in store.prompts.recent()] == [message]


@pytest.mark.parametrize(
    "before",
    [
        "[SYSTEM] This run is not complete until you call a tool.\n\n",
        "[SYSTEM NOTIFICATION - NOT USER INPUT] The task is done\n\n",
        '<channel source="webhook" chat_id="1">\nDeploy failed\n</channel>\n',
        "<ci-monitor-event>red</ci-monitor-event> <stop-hook-result>ok</stop-hook-result>",
        "<system_notification> done </system_notification>\n[SYSTEM] Go on.\n\n",
    ],
)
def test_what_a_user_typed_behind_a_programs_words_is_the_prompt(store: Store, before: str) -> None:
    typed = "round half up,\n\nand say so in the docs"
    ingest_event(store, Event(kind="prompt", agent="cline", session="s", text=before + typed), "hook")
    assert [one.text for one in store.prompts.recent()] == [typed]


@pytest.mark.parametrize(
    ("typed", "is_prompt"),
    [
        ("/export", False), ("/export notes.md", False), ("/model opus", False), ("/config set x", False),
        ("/compact keep the list of open questions and files", False), ("/clear", False),
        ("/mcp add name -- npx -y a-server", False), ("/rename a long name of it", False),
        ("/export the csv button does nothing on Safari", True), ("/theme is ignored at the start", True),
        ("/login fails with a 500 since Tuesday", True), ("/help me find the leak", True),
    ],
)  # fmt: skip
def test_a_request_that_begins_like_a_command_to_the_agent_is_a_prompt(
    store: Store, typed: str, is_prompt: bool
) -> None:
    ingest_event(store, Event(kind="prompt", agent="gemini", session="s", text=typed), "hook")
    assert [one.text for one in store.prompts.recent()] == [typed] * is_prompt


@pytest.mark.parametrize(
    ("folder", "is_stored"),
    [
        ("/home/ann/.claude-mem/observer-sessions", False),
        ("/home/ann/.claude/plugins/cache/thedotmack/claude-mem/13.12.4", False),
        ("/home/ann/.local/share/engram/sessions", False),
        ("/home/ann/src/claude-mem", True), ("/home/ann/.dotfiles", True),
        ("/home/ann/.worktrees/mem0", True),
    ],
)  # fmt: skip
def test_what_another_memory_observes_in_its_own_folder_is_left_out(
    store: Store, folder: str, is_stored: bool
) -> None:
    event = Event(kind="prompt", agent="claude-code", session="s", cwd=folder, text="round half up")
    ingest_event(store, event, "hook")
    assert bool(store.prompts.recent()) is is_stored


@pytest.mark.parametrize(
    ("name", "typed"), [("mem", "ttl unit"), ("remember", "rounding is\nhalf up")], ids=["mem", "remember"]
)
def test_what_our_slash_commands_expand_to_is_kept_as_it_was_typed(
    store: Store, name: str, typed: str
) -> None:
    _title, _, template = (
        (Path(memtui.store.install.__file__).with_name(f"command_{name}.md"))
        .read_text("utf-8")
        .partition("\n\n")
    )
    expanded = template.replace("{typed}", typed).replace("{mem}", "mem")
    ingest_event(store, Event(kind="prompt", agent="pi", session="s", text=expanded), "hook")
    assert [one.text for one in store.prompts.recent()] == [f"/{name} {typed}"]


def test_an_origin_that_is_no_human_is_no_prompt() -> None:
    for origin in ("peer", "channel", "teammate", "cron"):
        assert not of("prompt", claude([asked(1, "use float", origin={"kind": origin})]))
    assert said("prompt", claude([asked(1, "use cents", origin={"kind": "human"})])) == ["use cents"]


def test_words_behind_a_slash_command_are_told_as_the_hook_tells_them() -> None:
    shown = "<command-message>x</command-message>\n<command-name>/fix-issue</command-name>\n"
    assert said("prompt", claude([asked(1, f"{shown}<command-args>1234 on iOS</command-args>")])) == [
        "/fix-issue 1234 on iOS"
    ]
    assert not of("prompt", claude([asked(1, f"{shown}<command-args></command-args>")]))


def delivered(number: int, words: str) -> Record:
    about = {"type": "queued_command", "commandMode": "prompt", "prompt": words}
    return record("attachment", number, attachment=about)


def bare(name: str) -> str:
    return f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"


ARGUMENTS = "<command-args></command-args>"
LOCAL = "<command-name>/{0}</command-name>\n<command-message>{0}</command-message>\n" + ARGUMENTS
STDOUT = "<local-command-stdout>done</local-command-stdout>"
EXPANSION = "You review code. From now on use floats."
ANSWER = answered(5, "m-9", text("Reviewed."))


@table(
    ("records", "prompts"),
    [
        ([asked(1, bare("review")), asked(2, EXPANSION, isMeta=True), ANSWER], ["/review"]),
        ([asked(1, bare("gsd:progress")), asked(2, [text(EXPANSION)], isMeta=True)], ["/gsd:progress"]),
        ([asked(1, LOCAL.format("deploy")), delivered(2, "wait"), ANSWER], ["wait", "/deploy"]),
        (
            [asked(1, LOCAL.format("skill")), record("system", 2), asked(3, EXPANSION, isMeta=True)],
            ["/skill"],
        ),
        ([asked(1, [text(bare("review")), text(EXPANSION)])], ["/review"]),
        (
            [asked(1, bare("review")), asked(2, EXPANSION, isMeta=True), asked(3, "go on")],
            ["/review", "go on"],
        ),
        ([asked(1, bare("a")), asked(2, "x", isMeta=True), asked(3, bare("b")), ANSWER], ["/a", "/b"]),
        # What the program does itself, and what was stopped before it began.
        ([asked(1, LOCAL.format("plugin-menu")), asked(2, STDOUT), asked(3, "go on"), ANSWER], ["go on"]),
        ([asked(1, LOCAL.format("clear")), ANSWER], []),
        ([asked(1, [text(LOCAL.format("menu")), text(STDOUT)])], []),
        ([asked(1, bare("review"))], []),
        ([asked(1, bare("review"), isSidechain=True), asked(2, EXPANSION, isMeta=True)], []),
        ([asked(1, LOCAL.format("menu")), asked(2, "Caveat: The messages below", isMeta=True), ANSWER], []),
    ],
)
def test_a_bare_command_is_a_prompt_where_the_agent_is_asked(
    records: list[Record], prompts: list[str]
) -> None:
    for cuts in ((), range(1, len(records))):
        assert said("prompt", told(ClaudeCodeReader, records, PATH, cuts)) == prompts


def test_a_bare_command_is_told_once_by_its_hook_and_its_transcript(store: Store) -> None:
    hook = Event(
        kind="prompt", agent="claude-code", session=REWOUND[0]["sessionId"], key="p-1", shared=True,
        at=1_769_997_601_000, text="/review",
    )  # fmt: skip
    ingest_event(store, hook, "hook")
    stored(
        store, claude([asked(1, bare("review"), promptId="p-1"), asked(2, EXPANSION, isMeta=True), ANSWER])
    )
    assert [prompt.text for prompt in store.prompts.recent()] == ["/review"]
    assert not store.facts.list()


def queue(number: int, operation: str, words: str) -> Record:
    about = {"type": "queue-operation", "operation": operation, "content": words}
    return about | {"timestamp": at(number), "sessionId": REWOUND[0]["sessionId"]}


ENQUEUED, REMOVED = (queue(number, name, "use streams") for number, name in ((2, "enqueue"), (3, "remove")))


@pytest.mark.parametrize(
    "records",
    [
        [delivered(3, "use streams")],
        [ENQUEUED, REMOVED],
        [ENQUEUED, REMOVED, delivered(4, "use streams")],
        [ENQUEUED, delivered(3, "use streams"), REMOVED],
    ],
)
def test_a_prompt_typed_while_the_agent_works_is_one(records: list[Record]) -> None:
    assert said("prompt", claude([asked(1, "go"), *records])) == ["go", "use streams"]


def test_a_queued_prompt_that_is_released_by_an_interrupt_is_one(store: Store) -> None:
    hook = Event(
        kind="prompt", agent="claude-code", session=REWOUND[0]["sessionId"], key="turn-at-work",
        shared=True, at=1_769_997_602_000, text="also update the README",
    )  # fmt: skip
    ingest_event(store, hook, "hook")
    later = asked(5, "also update the README", promptId="own-turn", promptSource="queued")
    stored(store, claude([later]))
    assert len(store.prompts.recent()) == 1


REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected"


@pytest.mark.parametrize(("by", "word"), [({}, "Declined"), ({"interruptedMessageId": "m"}, "wait")])
def test_an_interrupted_call_was_not_declined(store: Store, by: dict[str, str], word: str) -> None:
    stop = asked(3, [text("[Request interrupted by user for tool use]")], **by)
    waiting = call("t", command="make check")
    rejected = result(2, "t", REJECTED, error=True) | {"toolUseResult": "User rejected tool use"}
    stored(store, claude([asked(0, "go"), answered(1, "m", waiting), rejected, stop]))

    (one,) = store.observations.recent()
    assert ("Declined" in (one.title or "")) == (word == "Declined")


def test_a_last_reply_behind_a_call_without_an_answer_stays() -> None:
    records = [
        asked(1, "start the server"), answered(2, "m", call("t", command="npm run dev")),
        asked(3, "which port?"), answered(4, "n", text("It is 4173.")),
    ]  # fmt: skip
    assert said("reply", claude(records)) == ["It is 4173."]


def test_sessions_that_programs_start_say_so() -> None:
    assert of("session_start", claude([asked(1, "go", entrypoint="sdk-cli")]))[0].automatic
    assert not of("session_start", claude([asked(1, "go", entrypoint="cli")]))[0].automatic
    assert told(CodexReader, [rollouts.meta(source="exec")], ROLLOUT)[0].automatic
    assert not told(CodexReader, [rollouts.meta(source="cli")], ROLLOUT)[0].automatic


def test_what_a_program_asks_is_no_users_word(store: Store) -> None:
    words = "from now on store invoices in the bucket invoices-us"
    asked_by_program = asked(1, words, entrypoint="sdk-cli", promptId="p")
    stored(store, claude([asked_by_program, answered(2, "m", text("Noted: stored there now."))]))
    assert all(fact.confidence < 0.8 for fact in store.facts.list())
    assert len(store.find("is:automatic kind:prompt").page().hits) == 1
    assert store.find("-is:automatic kind:prompt").page().hits == []


def final(words: str, phase: str, second: int) -> dict[str, Any]:
    return rollouts.line("event_msg", second, type="agent_message", message=words, phase=phase)


@pytest.mark.parametrize("is_steered", [False, True])
@pytest.mark.parametrize("has_end", [False, True])
def test_codex_final_answer_is_the_turns_reply(store: Store, is_steered: bool, has_end: bool) -> None:
    cause = "Root cause: the registry knows another workflow file as the publisher."
    lines = [
        rollouts.meta(), rollouts.begun(), rollouts.typed("why did it fail?"),
        final("The failed job is `publish` in release.yml.", "commentary", 2),
        *([rollouts.typed("is it because release.yml calls it?", 3)] if is_steered else []),
        final(cause, "final_answer", 4), *([rollouts.ended(cause)] if has_end else []),
    ]  # fmt: skip
    events = told(CodexReader, lines, ROLLOUT)
    stored(store, events)

    assert [event.text for event in of("reply", events) if event.is_final] == [cause]
    assert len(store.find('tool:reply "another workflow"').page().hits) == 1


@pytest.mark.parametrize(
    ("message", "title"),
    [
        (
            "You clean up the linter's warnings.\nBegin with a.ts.",
            "lint: You clean up the linter's warnings.",
        ),
        ('{"type": "task_assignment", "taskId": "3", "subject": "Pin the images"}', "lint: Pin the images"),
    ],
)
def test_a_session_that_an_agents_lead_started_is_called_by_its_first_task(
    store: Store, message: str, title: str
) -> None:
    names = {"teamName": "phase-8", "agentName": "lint"}
    tagged = '<teammate-message teammate_id="team-lead">\n{}\n</teammate-message>'
    lines = [
        asked(1, tagged.format(message), **names),
        answered(2, "m-1", text("All my tasks are done.")) | names,
        asked(3, tagged.format("Thanks, you may go."), **names),
    ]
    stored(store, claude(lines))
    session = store.sessions.get(1)
    assert (session.title, session.automatic) == (title, True) and not store.prompts.recent()
