"""OpenCode's sessions tell the same, in whichever of its forms they are kept."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as fuzzed
from hypothesis import strategies as st

from memtui.store.formats.transcripts.agents.opencode import (
    OpenCodeDatabase,
    OpenCodeExport,
    OpenCodeStorage,
)
from memtui.store.formats.transcripts.reader import file_reader
from memtui.store.records.events import Event, Usage

from .opencode_exports import (
    START,
    TALK,
    Record,
    database,
    database_2,
    export,
    info,
    message,
    session,
    storage,
    tool,
    words,
)
from .readings import gone_bad, of, said

Read = Callable[[Record, Sequence[Record]], list[Event]]

MODERN: list[tuple[str, str, Record]] = [
    ("m1", "user", {"text": "fix the login", "time": {"created": START}}),
    (
        "m2",
        "assistant",
        {
            "content": [
                {"type": "reasoning", "text": "hm"},
                {"type": "text", "text": "let me look"},
                {
                    "type": "tool",
                    "id": "c1",
                    "name": "shell",
                    "state": {
                        "status": "completed",
                        "input": {"command": "ls"},
                        "content": [{"type": "text", "text": "a.py"}],
                        "metadata": {"exit": 2},
                    },
                    "time": {"created": START + 1, "completed": START + 2},
                },
                {
                    "type": "tool",
                    "id": "c2",
                    "name": "read",
                    "state": {"status": "error", "error": {"message": "no such file"}},
                },
            ],
            "finish": "tool-calls",
            "tokens": {"input": 40, "output": 20, "cache": {"read": 60, "write": 5}},
            "time": {"created": START + 1, "completed": START + 3},
        },
    ),
    ("m3", "synthetic", {"text": "The user ran ls"}),
    ("m4", "compaction", {"status": "completed", "summary": "so far"}),
    ("m5", "compaction", {"status": "running", "summary": "half"}),
    (
        "m6",
        "assistant",
        {"content": [{"type": "text", "text": "fixed"}], "finish": "stop"}
        | {"time": {"created": START + 4, "completed": START + 5}},
    ),
    ("m7", "idle", {"outcome": "succeeded"}),
]


@pytest.fixture(params=["database", "export", "storage"])
def read(tmp_path: Path, request: pytest.FixtureRequest) -> Read:
    """The events of a session that is kept in each of the three forms of version 1."""

    def events(about: Record, messages: Sequence[Record]) -> list[Event]:
        if request.param == "database":
            path = database(tmp_path / "opencode.db", about, messages)
            return list(OpenCodeDatabase(path).events())
        if request.param == "export":
            path = export(tmp_path / "export.json", about, messages)
            return list(OpenCodeExport(path).events())
        return list(OpenCodeStorage(storage(tmp_path, about, messages)).events())

    return events


def test_a_session_is_told_in_order_and_each_thing_once(read: Read) -> None:
    events = read(session(), TALK)

    assert [(event.kind, event.key, event.text) for event in events] == [
        ("session_start", None, ""),
        ("prompt", "m1", "fix the login"),
        ("usage", "m2", ""),
        ("tool", "c1", ""),
        ("tool", "c2", ""),
        ("usage", "m3", ""),
        ("reply", "m2", "let me look"),
        ("reply", "m3", "fixed"),
        ("usage", "m5", ""),
        ("compaction", "m5", "so far"),
        ("prompt", "m6", "thanks"),
        ("usage", "m7", ""),
    ]
    assert {(event.session, event.subagent, event.cwd) for event in events} == {
        ("ses_1", None, "/home/dev/atlas")
    }
    assert (events[0].title, events[0].at) == ("Mend the login", START)


def test_prompts_and_tools_have_the_keys_that_the_plugin_tells(read: Read) -> None:
    shared = {event.kind for event in read(session(), TALK) if event.shared}

    assert shared == {"prompt", "tool"}


@pytest.mark.parametrize(
    ("called", "title"),
    [
        ("New session - 2026-02-02T02:40:00.123Z", None),
        ("Child session - 2026-02-02T02:40:00.123Z", None),
        ("New session - the plan", "New session - the plan"),
    ],
)
def test_what_a_session_is_called_until_it_has_a_title_is_none(
    read: Read, called: str, title: str | None
) -> None:
    assert read(session(title=called), TALK)[0].title == title


def test_the_quotes_that_the_command_line_adds_are_none_of_the_prompt(read: Read) -> None:
    talk = [message(info("m1", "user", 0), words('"fix the login"'))]

    assert said("prompt", read(session(), talk)) == ["fix the login"]


def test_tools_have_answers_failures_and_the_tokens_of_their_message_once(read: Read) -> None:
    tools = of("tool", read(session(), TALK))

    used = [event.tool for event in tools if event.tool]
    assert [(one.name, one.response, one.failed) for one in used] == [
        ("bash", {"title": "ls", "output": "a.py"}, False),
        ("bash", {"title": "ls", "error": "no such file"}, True),
    ]
    assert [event.tokens for event in tools] == [20, 0]


def test_a_tool_at_work_is_told_once_the_session_has_gone_on(read: Read) -> None:
    events = read(session(), [*TALK, message(info("m8", "user", 7), words("stop"))])

    assert [event.key for event in of("tool", events)] == ["c1", "c2", "c3"]


def test_a_command_that_exits_with_an_error_failed(read: Read) -> None:
    talk = [message(info("m1", "assistant", 0), tool("c1", metadata={"exit": 1}))]

    assert [event.tool and event.tool.failed for event in of("tool", read(session(), talk))] == [True]


def test_usage_tells_input_and_cache_apart(read: Read) -> None:
    usages = of("usage", read(session(), TALK))

    assert usages[0].usage == Usage(40, 23, 60, 5)


def test_a_compaction_that_left_no_summary_counts(read: Read) -> None:
    talk = [*TALK[:4], message(info("m5", "user", 5), words("go on"))]

    assert said("compaction", read(session(), talk)) == [""]


def test_an_agent_at_work_has_not_replied(read: Read) -> None:
    assert of("reply", read(session(), TALK[:2])) == []
    assert said("reply", read(session("ses_2"), TALK[5:6])) == []


def test_a_session_within_a_session_within_a_session_belongs_to_the_first(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    made = [("ses_1", None), ("ses_2", "ses_1"), ("ses_3", "ses_2")]
    for number, (key, parent) in enumerate(made):
        talk = [message(info(f"m{number}", "user", number), words("list"))]
        database(path, session(key, parentID=parent), talk)
        storage(tmp_path, session(key, parentID=parent), talk)

    events = list(OpenCodeDatabase(path).events())
    files = tmp_path.glob("storage/session/*/*.json")

    who = {(event.session, event.subagent) for event in events}
    assert who == {("ses_1", None), ("ses_1", "ses_2"), ("ses_1", "ses_3")}
    again = [event for file in sorted(files) for event in OpenCodeStorage(file).events()]
    assert {(event.session, event.subagent) for event in again} == who
    assert [event.title for event in of("session_start", events)] == ["Mend the login", None, None]


def test_one_session_is_read_alone_with_its_sub_agents(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    for number, (key, parent) in enumerate([("ses_1", None), ("ses_2", "ses_1"), ("ses_3", None)]):
        talk = [message(info(f"m{number}", "user", number), words("list"))]
        database(path, session(key, parentID=parent), talk)

    events = file_reader(path, "opencode", "ses_1")(path).events()

    assert {(event.session, event.subagent) for event in events} == {("ses_1", None), ("ses_1", "ses_2")}


def test_sessions_that_started_each_other_are_read_nevertheless(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database(path, session("ses_1", parentID="ses_2"), TALK[:1])
    database(path, session("ses_2", parentID="ses_1"), [])

    assert said("prompt", list(OpenCodeDatabase(path).events())) == ["fix the login"]


def modern_export(path: Path) -> Path:
    about = session(directory=None, location={"directory": "/home/dev/atlas"})
    messages = [{"id": key, "type": kind, **data} for key, kind, data in MODERN]
    return export(path, about, messages)


@pytest.mark.parametrize("form", ["database", "export"])
def test_version_2_tells_the_same_in_another_form(tmp_path: Path, form: str) -> None:
    if form == "database":
        path = database_2(tmp_path / "opencode.db", session(), MODERN)
        events = list(OpenCodeDatabase(path).events())
    else:
        events = list(OpenCodeExport(modern_export(tmp_path / "export.json")).events())

    assert [(event.kind, event.key, event.text) for event in events] == [
        ("session_start", None, ""),
        ("prompt", "m1", "fix the login"),
        ("usage", "m2", ""),
        ("tool", "c1", ""),
        ("tool", "c2", ""),
        ("compaction", "m4", "so far"),
        ("reply", "m2", "let me look"),
        ("reply", "m6", "fixed"),
    ]
    assert {event.cwd for event in events} == {"/home/dev/atlas"}
    used = [event.tool for event in of("tool", events) if event.tool]
    assert [(one.name, one.response, one.failed) for one in used] == [
        ("shell", {"output": "a.py", "metadata": {"exit": 2}}, True),
        ("read", {"error": "no such file"}, True),
    ]


def test_a_database_in_use_is_read_with_what_is_in_its_log_and_not_touched(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", session(), TALK[:1])
    other = apsw.Connection(str(path))
    other.pragma("journal_mode", "wal")
    data = json.dumps(info("m2", "user", 1))
    other.execute("INSERT INTO message VALUES ('m2', 'ses_1', 9e12, ?)", (data,))
    part = json.dumps(words("and again"))
    other.execute("INSERT INTO part VALUES ('p2', 'm2', 'ses_1', 9e12, ?)", (part,))
    before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".db-shm"}

    events = list(OpenCodeDatabase(path).events())

    assert said("prompt", events) == ["fix the login", "and again"]
    assert before == {file: file.read_bytes() for file in before}
    other.close()


def test_bad_rows_are_counted_after_all_the_rest_is_told(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", session(), TALK[:1])
    with apsw.Connection(str(path)) as db:
        db.execute("INSERT INTO message VALUES ('m0', 'ses_1', 0, '{'), ('m9', 'ses_1', 0, X'ff')")
    db.close()
    events: list[Event] = []

    with pytest.raises(ValueError, match="2 rows"):
        events.extend(OpenCodeDatabase(path).events())
    assert said("prompt", events) == ["fix the login"]


def test_a_bad_file_of_a_session_costs_only_itself(tmp_path: Path) -> None:
    path = storage(tmp_path, session(), TALK)
    (tmp_path / "storage/message/ses_1/m3.json").write_text("{")
    events: list[Event] = []

    with pytest.raises(ValueError, match=r"m3\.json"):
        events.extend(OpenCodeStorage(path).events())
    assert said("prompt", events) == ["fix the login", "thanks"]


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[]", b"SQLite format 3\0rubbish"])
@pytest.mark.parametrize("reader", [OpenCodeDatabase, OpenCodeExport, OpenCodeStorage])
def test_what_is_none_of_these_says_so(tmp_path: Path, reader: Any, content: bytes) -> None:
    path = tmp_path / "session/project/opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    with pytest.raises(ValueError, match="opencode"):
        list(reader(path).events())


@fuzzed(records=gone_bad(TALK))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bad_messages_are_read_as_they_can_be(tmp_path: Path, records: list[Record]) -> None:
    path = export(tmp_path / "export.json", session(), records)

    assert of("session_start", list(OpenCodeExport(path).events()))


@fuzzed(rows=gone_bad([data for _, _, data in MODERN]), kinds=st.permutations(MODERN))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bad_messages_of_version_2_are_read_as_they_can_be(
    tmp_path: Path, rows: list[Record], kinds: list[tuple[str, str, Record]]
) -> None:
    shuffled = zip(kinds, rows, strict=True)
    messages = [{"id": key, "type": kind} | row for (key, kind, _), row in shuffled]
    path = export(tmp_path / "export.json", session(), messages)

    assert of("session_start", list(OpenCodeExport(path).events()))


@pytest.mark.parametrize("moments", [{}, {"time": {}}, {"time": None}, {"time": "soon"}])
def test_a_row_of_version_2_that_tells_no_time_has_that_of_its_row(
    tmp_path: Path, moments: dict[str, Any]
) -> None:
    about = {"id": "s-1", "directory": "/srv/atlas", "title": "A", "time": {"created": START}}
    rows = [("m-1", "user", {"text": "Fix it"} | moments), ("m-2", "user", {"text": "And it"} | moments)]
    events = list(OpenCodeDatabase(database_2(tmp_path / "opencode.db", about, rows)).events())
    assert [event.at for event in of("prompt", events)] == [START, START + 1]
