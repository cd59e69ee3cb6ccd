"""What comes out again just the same is one memory with a count, until something changes."""

from bench.lists import worked
from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, ToolUse

POLL = ToolUse("Bash", {"command": "curl -s localhost:8080/health"}, {"stdout": '{"status":"ok"}'})


def used(store: Store, key: str, tool: ToolUse, **more: str) -> None:
    about = {"agent": "claude-code", "session": "s", "cwd": "/home/dev/pay", "shared": True}
    ingest_event(store, Event(kind="tool", key=key, tool=tool, **(about | more)), "hook")  # type: ignore[arg-type]


def test_forty_equal_polls_are_one_memory_with_a_count(store: Store) -> None:
    for number in range(40):
        used(store, f"p{number}", POLL)
    used(store, "p3", POLL)

    (hit,) = store.find("health").page().hits
    assert hit.row.title.endswith("(40 times)")
    (one,) = store.observations.recent()
    assert one.repeats == 39


def test_the_same_after_a_change_is_news(store: Store) -> None:
    change = {"file_path": "/home/dev/pay/a.py", "old_string": "a", "new_string": "b"}
    for key, tool in (
        ("p1", POLL), ("p2", POLL), ("e", ToolUse("Edit", change, {"ok": 1})), ("p3", POLL),
    ):  # fmt: skip
        used(store, key, tool)
    assert [one.repeats for one in store.observations.where("tool_name = 'Bash' ORDER BY id")] == [1, 0]


def test_another_outcome_is_another_memory(store: Store) -> None:
    bad = ToolUse("Bash", dict(POLL.input), {"stdout": '{"status":"down"}'})  # type: ignore[call-overload]
    for key, tool in (("p1", POLL), ("p2", bad), ("p3", bad)):
        used(store, key, tool)
    assert [one.repeats for one in store.observations.where("true ORDER BY id")] == [0, 1]


def test_the_same_but_for_times_is_one_memory_and_what_came_out_once_stands_first(store: Store) -> None:
    said = {12: "web-1 0/1 CrashLoopBackOff 4 60s", 25: "Error from server (Timeout): it is late"}
    asked = {"command": "kubectl get pods -l app=web"}
    for number in range(40):
        pod = said.get(number, f"web-1 1/1 Running 0 {number}m{number}s")
        used(store, f"p{number}", ToolUse("Bash", asked, {"stdout": f"NAME READY STATUS AGE\n{pod}"}))

    titles = [hit.row.title.rpartition("app=web: ")[2] for hit in store.find("kubectl pods").page().hits]
    assert titles[0].startswith("Timeout (Error")
    assert titles[1:] == ["1 CrashLoopBackOff", "all running (14 times)", "all running (24 times)"]


def test_of_a_failed_command_the_line_is_kept_beside_its_purpose(store: Store) -> None:
    asked = {"command": "wget -q localhost:9090/ready", "description": "Ask the server"}
    used(store, "p", ToolUse("Bash", asked, "Error: Exit code 4\nconnection refused", failed=True))
    (one,) = store.observations.recent()
    assert one.type == "error"
    assert "localhost:9090/ready" in (one.narrative or "")


def test_sessions_and_sub_agents_count_by_themselves(store: Store) -> None:
    used(store, "p1", POLL)
    used(store, "p2", POLL, session="other")
    used(store, "p3", POLL, subagent="helper")
    assert [one.repeats for one in store.observations.where("true")] == [0, 0, 0]


def test_a_long_session_is_not_walked_for_what_it_was_not_told(store: Store) -> None:
    def steps(begin: int, end: int) -> int:
        with worked(store.db) as work:
            for number in range(begin, end):
                asked = {"command": f"curl -s localhost/{number}"}
                used(store, f"p{number}", ToolUse("Bash", asked, POLL.response))
        return work.steps

    few = steps(0, 20)
    steps(20, 400)
    assert steps(400, 420) < few * 1.2
    assert {one.type for one in store.observations.recent()} == {"discovery"}


def test_no_two_changes_of_a_turn_have_the_same_title(store: Store) -> None:
    for number in range(3):
        given = {"file_path": "/srv/atlas/lamp.md", "old_string": f"oil {number}", "new_string": ""}
        used(store, f"e{number}", ToolUse("Edit", given, "ok"))
    titles = [one.title for one in store.observations.of_session(store.sessions.get("s"))]
    assert len(set(titles)) == 3, titles
