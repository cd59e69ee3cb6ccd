"""The other figures of the manifest: identities, orphans, odd rows, and what only some programs keep."""

import json
from collections import Counter
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.formats.common.report import Report
from memtui.store.leaves.foreign.claude_mem import PENDING_KINDS

from ..holdings import extra, observation
from .conftest import Imported
from .test_fixtures import DOCUMENTED, MANIFEST, REAL, TRAE_MEM, manifest, tally

pytestmark = pytest.mark.skipif(not MANIFEST.exists(), reason="no foreign files beside the repository")

NAMES = REAL + DOCUMENTED
TABLES = {"prompts": "user_prompts", "summaries": "session_summaries"}
MISSING = "its session is missing"


def orphans(report: Report, table: str) -> set[str]:
    """The rows whose session the source has lost."""
    told = (one for one in report.warnings if one.table == TABLES.get(table, table))
    return {one.native_id for one in told if MISSING in one.message}


def rows(store: Store, sql: str) -> list[Any]:
    return store.db.execute(sql).fetchall()


@pytest.mark.parametrize("name", NAMES)
def test_sessions_keep_their_names_projects_titles_and_ends(imported: Imported, name: str) -> None:
    expected = manifest(name)["sessions"]
    store, _ = imported(name)
    own = "native_id NOT LIKE 'stub:%'"
    projects = tally(store, f"SELECT project, count(*) FROM sessions WHERE {own} GROUP BY 1")
    assert projects == expected["by_project"]
    nameless = rows(store, f"SELECT native_id FROM sessions WHERE {own} AND memory_session_id IS NULL")
    assert {int(one) for (one,) in nameless} == set(expected["null_memory_id"])
    for number in expected["null_content_id"]:
        ((content, memory),) = rows(
            store,
            f"SELECT content_session_id, memory_session_id FROM sessions WHERE native_id = '{number}'",
        )
        assert content == memory
    ended = f"SELECT count(*) FROM sessions WHERE {own} AND completed_at IS NOT NULL"
    assert store.db.execute(ended).get == expected["completed"]
    titled = f"SELECT count(*) FROM sessions WHERE {own} AND title IS NOT NULL"
    assert store.db.execute(titled).get == expected["with_custom_title"]
    started = [at for (at,) in rows(store, f"SELECT started_at FROM sessions WHERE {own}")]
    assert len(started) == sum(expected["started_units"].values())
    assert all(1_700_000_000_000 < at < 4_200_000_000_000 for at in started)


@pytest.mark.parametrize("name", NAMES)
def test_observations_are_of_their_projects_and_types_and_lack_what_theirs_lack(
    imported: Imported, name: str
) -> None:
    expected = manifest(name)["observations"]
    store, report = imported(name)
    found = tally(
        store, "SELECT project || ' | ' || type, count(*) FROM observations GROUP BY project, type"
    )
    wanted = Counter[str]()
    for key, number in expected["by_project_and_type"].items():
        project, type = key.split(" | ")
        wanted[f"{project} | {type if type not in ('', 'None') else 'unknown'}"] += number
    assert found == wanted
    assert orphans(report, "observations") == {str(one) for one in expected["orphans"]}
    nothing = expected["null_counts"]
    numbers = "SELECT count(*) FROM observations WHERE prompt_number IS NULL"
    assert store.db.execute(numbers).get == nothing["prompt_number"]
    for column in ("title", "subtitle"):
        empty = store.db.execute(f"SELECT count(*) FROM observations WHERE {column} IS NULL").get
        # An empty text is none here.
        assert nothing[column] <= empty <= nothing[column] + 1
    tools = expected.get("non_null_tool_name", 0)
    assert store.db.execute("SELECT count(tool_name) FROM observations").get == tools


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_of_a_list_is_there(imported: Imported, name: str) -> None:
    expected = manifest(name)["observations"]
    store, _ = imported(name)
    kept = store.observations.where("true")
    odd = [one for one in kept if "facts" in extra(one)]
    plain = sum(len(one.facts) for one in kept if one not in odd)
    texts = sum(texts_in(str(extra(one)["facts"])) for one in odd)
    assert plain + texts == expected["facts_total"]


def texts_in(text: str) -> int:
    """How many texts a list holds that holds other things, too."""
    try:
        found = json.loads(text)
    except ValueError:
        return 0
    return sum(isinstance(one, str) for one in found) if isinstance(found, list) else 0


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_alike_stay_as_many_as_they_are(imported: Imported, name: str) -> None:
    store, _ = imported(name)
    for group in manifest(name)["observations"]["same_session_same_title_and_narrative"]:
        alike = [observation(store, str(native_id)) for native_id in group]
        assert len({(one.session_id, one.title, one.narrative) for one in alike}) == 1
        assert len({one.id for one in alike}) == len(group)


@pytest.mark.parametrize("name", [*NAMES, TRAE_MEM])
def test_odd_texts_come_in_whole_but_for_what_is_hidden(imported: Imported, name: str) -> None:
    special = manifest(name)["observations"]["special"]
    store, report = imported(name)

    def text(native_id: object, column: str) -> str:
        found = observation(store, str(native_id))
        return str(getattr(found, "narrative" if column == "content" else column))

    for native_id, column in special.get("escape_sequences", ()):
        assert "\x1b" in text(native_id, column) or "\\x1b" in text(native_id, column)
    for native_id, column in special.get("nul", ()):
        assert "\ufffd" in text(native_id, column) and "\0" not in text(native_id, column)
    for native_id, column, size in special.get("longer_than_50k_chars", ()):
        assert len(text(native_id, column)) == size
    for native_id, column in special.get("invalid_utf8", ()):
        assert "\ufffd" in text(native_id, column)
        assert any(one.native_id == str(native_id) and "UTF-8" in one.message for one in report.warnings)
    for native_id, column in special.get("private_tag", ()):
        assert "private" not in text(native_id, column).lower()
    for secret, native_id, _ in special.get("secrets", ()):
        assert secret not in repr(observation(store, str(native_id))) or (
            observation(store, str(native_id)).private
        )


@pytest.mark.parametrize("name", NAMES)
def test_summaries_and_prompts_are_as_many_as_there_are(imported: Imported, name: str) -> None:
    expected = manifest(name)
    store, report = imported(name)
    several = "SELECT count(*) FROM (SELECT 1 FROM summaries GROUP BY session_id HAVING count(*) > 1)"
    assert store.db.execute(several).get == expected["summaries"]["sessions_with_more_than_one"]
    for table in ("summaries", "prompts"):
        assert orphans(report, table) == {str(one) for one in expected[table]["orphans"]}
    times = [one.created_at for one in store.summaries.where("true")]
    assert len(times) == sum(expected["summaries"]["epoch_units"].values())
    assert all(1_700_000_000_000 < time < 4_200_000_000_000 for time in times)
    empty = {int(str(one.native_id)) for one in store.prompts.where("text = ''")}
    assert set(expected["prompts"]["empty"]) <= empty
    for term, number in expected["prompts"].get("substring_hits", {}).items():
        holding = sum(term.lower() in one.text.lower() for one in store.prompts.where("true"))
        assert (term, holding) == (term, 0 if term == "SECRET-" else number)


@pytest.mark.parametrize("name", [name for name in NAMES if "docs4" not in name])
def test_messages_keep_their_kinds_projects_and_attempts(imported: Imported, name: str) -> None:
    expected = manifest(name)["pending"]
    store, _ = imported(name)
    kinds = Counter[str]()
    for kind, number in expected["by_type"].items():
        kinds[PENDING_KINDS[kind]] += number
    assert tally(store, "SELECT kind, count(*) FROM pending_messages GROUP BY 1") == kinds
    if "by_project" in expected:
        by_project = tally(
            store,
            "SELECT s.project, count(*) FROM pending_messages p "
            "JOIN sessions s ON s.id = p.session_id GROUP BY 1",
        )
        assert by_project == expected["by_project"]
    retried = Counter[int]()
    for key, number in expected.get("by_status_and_retry_count", {}).items():
        retried[int(key.split("/")[1])] += number
    found = tally(store, "SELECT attempts, count(*) FROM pending_messages GROUP BY 1")
    assert not retried or found == retried


def test_what_only_the_newest_keeps_stays_beside_the_columns(imported: Imported) -> None:
    expected = manifest("claude-mem-newest.db")["observations"]
    store, _ = imported("claude-mem-newest.db")
    kept = Counter(key for one in store.observations.where("true") for key in extra(one))
    for key, number in expected.items():
        name = key.removeprefix("non_null_")
        if name not in (key, "text"):
            assert (name, kept[name]) == (name, number)


def test_trae_mem_s_levels_tags_paths_and_orphans(imported: Imported) -> None:
    expected = manifest(TRAE_MEM)
    found = expected["observations"]
    store, report = imported(TRAE_MEM)
    levels = tally(store, "SELECT level, count(*) FROM summaries GROUP BY 1")
    wanted = expected["summaries"]["by_level"]
    assert levels == {"brief": wanted["brief"], "detailed": wanted["detailed"] + wanted["custom"]}
    lost = {*found["orphans"], *expected["summaries"]["orphans"]}
    assert {one.native_id for one in report.warnings if MISSING in one.message} == lost
    holders = rows(
        store,
        "SELECT count(*) FROM (SELECT session_id FROM observations UNION ALL "
        "SELECT session_id FROM prompts UNION ALL SELECT session_id FROM summaries) r "
        "JOIN sessions s ON s.id = r.session_id WHERE s.native_id LIKE 'stub:%'",
    )
    assert holders == [(len(lost),)]
    by_path = tally(
        store,
        "SELECT iif(s.native_id LIKE 'stub:%', 'ORPHAN', coalesce(s.project_path, 'None')), "
        "count(*) FROM (SELECT session_id FROM observations UNION ALL SELECT session_id FROM prompts) r "
        "JOIN sessions s ON s.id = r.session_id GROUP BY 1",
    )
    paths = Counter(found["by_project_path"])
    paths["None"] += paths.pop("", 0)
    assert by_path == paths
    private = sum(len(table.where("private = 1")) for table in (store.observations, store.prompts))
    assert private == found["private"]
    for native_id in found["private_but_still_in_fts"]:
        one = observation(store, native_id)
        words = (one.narrative or "").split()
        assert one.private and store.find(f'"{" ".join(words[:6])}"').count().value == 0
