"""trae-mem: seconds, prompts among the observations, levels, and rows that are private."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.report import SourceWarning
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import AT, TraeMemFile
from ..holdings import contents, dump, extra, observation

SECONDS = AT // 1_000
CANARY = "SECRET-4711"


@pytest.fixture
def file(tmp_path: Path) -> TraeMemFile:
    directory = tmp_path / "trae"
    directory.mkdir()
    return TraeMemFile(directory / "trae_mem.sqlite3")


def test_a_session_comes_in_with_prompts_observations_and_summaries(
    store: Store, file: TraeMemFile
) -> None:
    file.observation("u-1", "make it fast", kind="user")
    file.observation("n-1", "Cache it\nin redis", kind="decision", ts=SECONDS + 60, tool_name="Edit")
    file.summary("s-1", "short", level="brief", created_at=SECONDS + 90)
    file.summary("s-2", "long", level="detailed")
    file.run("UPDATE sessions SET ended_at = ?, meta_json = '{oops'", SECONDS + 90)
    report = import_database(store, file.path)
    session = store.sessions.get("t-1")
    assert (session.agent, session.project, session.project_path) == ("trae", "atlas", "/home/dev/atlas")
    assert (session.status, session.started_at, session.completed_at) == ("completed", AT, AT + 90_000)
    assert extra(session) == {"meta_json": "{oops"}
    assert session.first_prompt == "make it fast"
    assert [one.text for one in store.prompts.of_session(session)] == ["make it fast"]
    [found] = store.observations.of_session(session)
    assert (found.type, found.title, found.narrative) == ("decision", "Cache it", "Cache it\nin redis")
    assert (found.project, found.tool_name, found.created_at) == ("atlas", "Edit", AT + 60_000)
    levels = {one.level: (one.text, one.created_at) for one in store.summaries.of_session(session)}
    assert levels == {"brief": ("short", AT + 90_000), "detailed": ("long", AT)}
    assert {kind: counts.new for kind, counts in report.counts.items()} == {
        "sessions": 1,
        "prompts": 1,
        "observations": 1,
        "summaries": 2,
    }
    assert (report.stubs, report.warnings) == (0, [])
    before = dump(store)
    assert import_database(store, file.path).changes == 0
    assert dump(store) == before


@pytest.mark.parametrize(
    ("path", "project"),
    [("/home/dev/项目/", "项目"), ("C:\\code\\atlas", "atlas"), ("atlas", "atlas"), ("", ""), (None, "")],
)
def test_the_last_part_of_its_path_is_a_session_s_project(
    store: Store, file: TraeMemFile, path: str | None, project: str
) -> None:
    file.run("UPDATE sessions SET project_path = ?", path)
    import_database(store, file.path)
    assert store.sessions.get("t-1").project == project


def test_times_in_milliseconds_are_understood_too(store: Store, file: TraeMemFile) -> None:
    file.observation("n-1", "so", ts=AT + 5)
    import_database(store, file.path)
    assert observation(store, "n-1").created_at == AT + 5


def test_odd_tags_and_levels_are_kept(store: Store, file: TraeMemFile) -> None:
    file.observation("n-1", "so", tags_json="{broken")
    file.summary("s-1", "so", level="custom")
    report = import_database(store, file.path)
    assert extra(observation(store, "n-1")) == {"tags_json": "{broken"}
    [summary] = store.summaries.recent()
    assert (summary.level, extra(summary)["level"]) == ("detailed", "custom")
    assert report.warnings == [
        SourceWarning("summaries", "s-1", "level is 'custom', which is unknown; taken as detailed")
    ]


def test_children_of_a_lost_session_get_one_made_for_them(store: Store, file: TraeMemFile) -> None:
    file.observation("n-1", "so", session_id="lost")
    file.summary("s-1", "so", session_id="lost")
    assert import_database(store, file.path).stubs == 1
    stub = store.sessions.get("lost")
    assert (stub.agent, stub.started_at) == ("trae", AT)
    assert len(store.observations.of_session(stub)) == len(store.summaries.of_session(stub)) == 1


def test_the_editor_s_own_id_is_read_from_the_file_beside_it(store: Store, file: TraeMemFile) -> None:
    beside = file.path.with_name("session_map.json")
    beside.write_text(json.dumps({"/home/dev/atlas:ide-7": "t-1", "": 5}))
    before = contents(beside.parent)
    import_database(store, file.path)
    assert contents(beside.parent) == before
    assert extra(store.sessions.get("t-1")) == {"ide_session_id": "ide-7"}
    for broken in ("{", "[]", "null"):
        beside.write_text(broken)
        assert import_database(store, file.path).changes == 0


def test_private_rows_stay_private_and_reach_no_index(store: Store, file: TraeMemFile) -> None:
    file.observation("n-1", f"{CANARY} salaries", private=1)
    file.observation("u-1", f"{CANARY} what do we pay", kind="user", private=1)
    for number in range(20):
        file.observation(f"o-{number}", "nothing to hide")
    import_database(store, file.path)
    assert observation(store, "n-1").private
    assert store.find(CANARY).count().value == store.find("salaries").count().value == 0
    assert store.find("is:private").count().value == 2
    assert store.sessions.get("t-1").first_prompt is None


def test_what_a_private_row_says_is_taken_out_of_all_that_can_be_searched(
    store: Store, file: TraeMemFile
) -> None:
    said = f"{CANARY} the supplier's offer is\n  twelve a piece, and nobody may know"
    file.observation("n-1", said, private=1)
    file.observation("n-2", f"He said: {said}. Then he left.")
    file.observation("n-3", said.replace("\n  ", " "), session_id="lost")
    line = " ".join(said.split())
    file.summary("s-1", f"- decisions\n- {line}\n- we go on")
    file.summary("s-2", f"- decisions\n- {line[:40]}…\n- Edit: {line[:30]}…\n- we go on")
    import_database(store, file.path)
    assert observation(store, "n-2").narrative == "He said: . Then he left."
    texts = {one.native_id: one.text for one in store.summaries.recent()}
    assert texts == {"s-1": "- decisions\n- \n- we go on", "s-2": "- decisions\n- we go on"}
    # Another session said the same, and not in private.
    assert store.find(CANARY).count().value == 1


def test_a_row_flagged_as_private_later_becomes_so_here_even_if_edited(
    store: Store, file: TraeMemFile
) -> None:
    file.observation("n-1", f"{CANARY} was public first")
    file.observation("n-2", f"{CANARY} was public, too")
    file.summary("s-1", f"- {CANARY} was public first")
    import_database(store, file.path)
    assert store.find(CANARY).count().value == 3
    store.observations.revise(observation(store, "n-2").id, subtitle="mine")
    file.run("UPDATE observations SET private = 1")
    report = import_database(store, file.path)
    assert store.find(CANARY).count().value == 0
    assert observation(store, "n-1").private and observation(store, "n-2").private
    assert observation(store, "n-2").subtitle == "mine"
    assert report.of("summaries").changed == 1
