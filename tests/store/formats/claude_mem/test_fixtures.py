"""Files that the programs themselves wrote, counted against the manifest that lies beside them."""

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Observation, Store
from memtui.store.leaves.foreign.claude_mem import AGENTS, PENDING_STATUSES
from memtui.store.leaves.foreign.database_import import ELSEWHERE, import_database
from memtui.store.search.index.documents import INDEXED_CHARACTERS
from memtui.store.text.language.folding import fold
from tests.places import FOREIGN

from ..holdings import contents, dump, said
from .conftest import Imported

MANIFEST = FOREIGN / "manifest.json"

pytestmark = pytest.mark.skipif(not MANIFEST.exists(), reason="no foreign files beside the repository")

REAL = ("claude-mem-v9.db", "claude-mem-newest.db")
CODEXMEM, TRAE_MEM = "codexmem.db", "trae-mem.db"
DOCUMENTED = ("claude-mem-docs4.db", "claude-mem-docs9.db", CODEXMEM)


def manifest(name: str) -> dict[str, Any]:
    fixtures: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))["fixtures"]
    found: dict[str, Any] = fixtures[name]["expected"]
    return found


def tally(store: Store, sql: str) -> dict[Any, int]:
    return {key: number for *keys, number in store.db.execute(sql) for key in keys}


def observations(store: Store) -> list[Observation]:
    return store.observations.where("true")


@pytest.mark.parametrize("name", REAL + DOCUMENTED)
@pytest.mark.sampled
def test_every_row_comes_in_under_its_project_type_session_and_state(imported: Imported, name: str) -> None:
    expected = manifest(name)
    store, report = imported(name)
    for kind, counts in report.counts.items():
        total = expected.get(kind, {"total": 0})["total"]
        assert (kind, counts.read, counts.new) == (kind, total, total)
    assert report.stubs == len(expected["stub_sessions_needed"])

    found = expected["observations"]
    by_type = Counter[str]()
    for type, number in found["by_type"].items():
        by_type["unknown" if type in ("", "NULL") else type] += number
    assert tally(store, "SELECT type, count(*) FROM observations GROUP BY 1") == by_type
    for table in ("observations", "summaries"):
        by_project = tally(store, f"SELECT project, count(*) FROM {table} GROUP BY 1")
        assert by_project == expected[table]["by_project"]
        by_session = tally(
            store,
            "SELECT coalesce(memory_session_id, content_session_id), count(*) "
            f"FROM {table} r JOIN sessions s ON s.id = r.session_id GROUP BY 1",
        )
        assert by_session == expected[table]["by_session"]
    tokens = sum(one.discovery_tokens for one in observations(store))
    assert tokens == found["discovery_tokens_sum"]
    by_status = tally(
        store, "SELECT status, count(*) FROM sessions WHERE native_id NOT LIKE 'stub:%' GROUP BY 1"
    )
    assert by_status == expected["sessions"]["by_status"]
    pending = Counter[str]()
    for status, number in expected.get("pending", {"by_status": {}})["by_status"].items():
        pending[PENDING_STATUSES[status]] += number
    assert tally(store, "SELECT status, count(*) FROM pending_messages GROUP BY 1") == pending


@pytest.mark.parametrize("name", REAL)
def test_prompts_go_to_the_sessions_of_their_projects(imported: Imported, name: str) -> None:
    store, _ = imported(name)
    by_project = tally(
        store, "SELECT s.project, count(*) FROM prompts p JOIN sessions s ON s.id = p.session_id GROUP BY 1"
    )
    expected = manifest(name)["prompts"]["by_project"]
    assert by_project == {key if key != "None" else "": value for key, value in expected.items()}


def test_platforms_become_agents(imported: Imported) -> None:
    store, _ = imported("claude-mem-newest.db")
    by_agent = tally(
        store, "SELECT agent, count(*) FROM sessions WHERE native_id NOT LIKE 'stub:%' GROUP BY 1"
    )
    platforms = manifest("claude-mem-newest.db")["sessions"]["by_platform"]
    assert by_agent == {AGENTS.get(key, key): number for key, number in platforms.items()}


@pytest.mark.parametrize("name", REAL + DOCUMENTED)
def test_every_time_lies_where_its_unit_puts_it(imported: Imported, name: str) -> None:
    found = manifest(name)["observations"]
    store, _ = imported(name)
    times = sorted(one.created_at for one in observations(store))
    low, high = found["epoch_min_max"]["ms"] or (0, 0)
    seconds = found["epoch_min_max"]["s"] or (0, 0)
    assert times.count(0) == found["epoch_units"].get("zero_or_negative", 0)
    assert {seconds[0] * 1_000, seconds[1] * 1_000, low, high} <= {0, *times}
    assert all(time == 0 or time > 1_700_000_000_000 for time in times)


@pytest.mark.parametrize("name", REAL + DOCUMENTED)
def test_every_odd_list_is_kept_and_told(imported: Imported, name: str) -> None:
    lists = manifest(name)["observations"]["list_columns"]
    store, report = imported(name)
    told = Counter(
        warning.message.split()[0]
        for warning in report.warnings
        if warning.table == "observations" and warning.message.split()[0] in lists
    )
    kept = Counter(
        column for one in observations(store) for column in json.loads(one.extra or "{}") if column in lists
    )
    odd = {
        column: sum(number for shape, number in shapes.items() if shape not in ("array", "null_column"))
        for column, shapes in lists.items()
    }
    assert dict(told) == dict(kept) == {column: number for column, number in odd.items() if number}


@pytest.mark.parametrize("name", REAL + DOCUMENTED)
@pytest.mark.sampled
def test_what_the_source_holds_is_found_but_what_was_private_is_not(imported: Imported, name: str) -> None:
    hits = manifest(name)["observations"]["substring_hits"]
    store, _ = imported(name)
    for term, number in hits.items():
        texts = [text_of(one) for one in observations(store)]
        holding = sum(term.lower() in text.lower() for text in texts)
        assert (term, holding) == (term, 0 if term == "SECRET-" else number)
        searched = sum(fold(term) in fold(searched_text_of(one)) for one in observations(store))
        assert (term, store.find(f'kind:observation "{term}"').count().value) == (term, searched)


@pytest.mark.parametrize("name", REAL)
def test_no_secret_reaches_a_byte_of_the_store(imported: Imported, name: str) -> None:
    assert b"SECRET-" in (FOREIGN / name).read_bytes()
    store, _ = imported(name)
    for path in store.path.parent.iterdir():
        assert b"SECRET-" not in path.read_bytes()


@pytest.mark.parametrize("name", REAL + DOCUMENTED)
def test_importing_again_changes_nothing(imported: Imported, tmp_path: Path, name: str) -> None:
    once, first = imported(name)
    with Store.open(shutil.copy(once.path, tmp_path / "memory.db")) as store:
        again = import_database(store, FOREIGN / name)
        assert dump(store) == dump(once)
    assert (again.changes, again.warnings) == (0, first.warnings)


@pytest.mark.long
def test_files_of_one_family_live_in_one_store(store: Store) -> None:
    reports = [import_database(store, FOREIGN / name) for name in REAL + DOCUMENTED]
    total = sum(manifest(name)["observations"]["total"] for name in REAL + DOCUMENTED)
    # Of one session, some rows stand in two of the files, and come in once.
    twice = Counter[str]()
    for report in reports:
        twice.update(report.of("observations").skipped)
    assert store.stats().observations == total - twice.total()
    assert twice == {ELSEWHERE: 7}


def test_trae_mem_s_rows_come_in_by_kind_session_and_path(imported: Imported) -> None:
    expected = manifest(TRAE_MEM)
    store, report = imported(TRAE_MEM)
    found = expected["observations"]
    kinds = Counter(found["by_kind_and_private"])
    by_kind = tally(
        store,
        "SELECT kind || '/' || private, count(*) FROM ("
        "SELECT type AS kind, private FROM observations "
        "UNION ALL SELECT 'user', private FROM prompts) GROUP BY 1",
    )
    assert by_kind == kinds
    assert report.of("sessions").new == expected["sessions"]["total"]
    assert report.of("summaries").new == expected["summaries"]["total"]
    assert report.stubs == len(expected["stub_sessions_needed"])
    by_session = tally(
        store,
        "SELECT content_session_id, count(*) FROM sessions s JOIN ("
        "SELECT session_id FROM observations UNION ALL SELECT session_id FROM prompts"
        ") r ON r.session_id = s.id GROUP BY 1",
    )
    assert by_session == found["by_session"]
    by_path = tally(
        store,
        "SELECT coalesce(project_path, 'None'), count(*) FROM sessions "
        "WHERE native_id NOT LIKE 'stub:%' GROUP BY 1",
    )
    paths = Counter(expected["sessions"]["by_project_path"])
    paths["None"] += paths.pop("", 0)
    assert by_path == paths
    ended = "SELECT count(*) FROM sessions WHERE completed_at IS NOT NULL"
    assert store.db.execute(ended).get == expected["sessions"]["ended"]
    times = [one.created_at for one in observations(store)]
    assert all(1_700_000_000_000 < time < 4_200_000_000_000 for time in times)


def test_what_trae_mem_holds_in_public_is_found_and_nothing_else(imported: Imported) -> None:
    hits = manifest(TRAE_MEM)["observations"]["substring_hits_public"]
    store, _ = imported(TRAE_MEM)
    for term, number in hits.items():
        public = [one.narrative or "" for one in observations(store) if not one.private] + [
            one.text for one in store.prompts.where("private = 0")
        ]
        holding = sum(term.lower() in text.lower() for text in public)
        assert (term, holding) == (term, 0 if term == "SECRET-" else number)
    assert store.find("SECRET-TRAE").count().value == 0


@pytest.mark.parametrize("name", [*REAL, *DOCUMENTED, TRAE_MEM])
@pytest.mark.sampled
def test_a_file_of_which_all_is_in_the_log_gives_the_same(
    imported: Imported, tmp_path: Path, name: str
) -> None:
    store, _ = imported(name)
    expected = said(store)
    home = tmp_path / "live"
    home.mkdir()
    with closing(apsw.Connection(str(home / name))) as live:
        live.pragma("journal_mode", "wal")
        live.pragma("wal_autocheckpoint", 0)
        with closing(apsw.Connection(f"file:{FOREIGN / name}?immutable=1", flags=OPEN)) as sound:
            with live.backup("main", sound, "main") as job:
                job.step(-1)
            live.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
            live.execute("CREATE TABLE late (id INTEGER)")
        before = contents(home)
        with Store.open(tmp_path / "other" / "memory.db") as other:
            import_database(other, home / name)
            assert said(other) == expected
        assert contents(home) == before


OPEN = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def text_of(one: Observation) -> str:
    """What the manifest counted terms in."""
    return joined([one.title, one.subtitle, one.narrative, one.text, *one.facts, *one.concepts])


def searched_text_of(one: Observation) -> str:
    """What a search looks at: long texts only to where the index ends."""
    texts = [one.title, one.subtitle, one.narrative, one.text]
    lists = [one.facts, one.concepts, one.files_read, one.files_modified, one.tags]
    listed = ("\n".join(items) for items in lists)
    return joined([(text or "")[:INDEXED_CHARACTERS] for text in (*texts, *listed)])


def joined(texts: Iterable[str | None]) -> str:
    return "\n".join(text or "" for text in texts)
