"""What docs/recipes-data.md says of changing the schema, on a store with rows in all tables."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.database import SCHEMA, schema
from memtui.store.database.schema import comparison
from tests.places import PACKAGES, ROOT
from tests.store.formats.fillings import NOW

from ...conftest import OpenStore
from . import steps
from .conftest import Upgrade

NEXT = SCHEMA + 1
RECIPES = ROOT / "docs" / "recipes-data.md"

ADD = """
import sys
from memtui.store import Store

with Store.open(sys.argv[1]) as store:
    assert {one.temper for one in store.observations.recent()} == {None}
    added = store.observations.add(
        "c-9", title="Disk full", type="decision", temper="All were calm.", project="mars"
    )
    store.edit(str(added.id), {"temper": "All were furious."})
    print(added.id)
"""
MEM = "from memtui.store.cli import main; main()"
LOOK = """
import sys
from memtui.store import Store

with Store.open(sys.argv[1]) as store:
    hits = store.find(sys.argv[2]).page().hits
    print([hit.record.temper for hit in hits], store.doctor(thorough=True).ok)
"""
BROWSER = """
import sys
from memtui.store import Store
from memtui.store.formats.markdown_editor import to_document
from memtui.tui.editing.storing import fields_of, shape
from memtui.tui.text.records import as_text, record_passages

with Store.open(sys.argv[1]) as store:
    record = store.record(sys.argv[2])
    assert fields_of("observation", {}).index("temper") and shape("observation", "temper") == "text"
    shown = record_passages(record, store.list_row(record), None, store.parse(""), 0)
    print(*((one.label, one.content) for one in shown), as_text(record), to_document(record))
"""


def edit(path: Path, old: str, new: str) -> None:
    """Replace what stands in a file once."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.long
def test_add_a_field_to_a_record(filled: Path, tmp_path: Path) -> None:
    package, program = tmp_path / "program" / "memtui", tmp_path / "program" / "memtui" / "store"
    ours = PACKAGES / "memtui"
    shutil.copytree(ours, package, ignore=shutil.ignore_patterns("__pycache__"))
    with comparison.fresh(schema.BASELINE) as db:
        trigger = comparison.items(db)["trigger", "observations_reworded"].sql
    for old, new in ((" tags ON", " tags, temper ON"), (".tags)", ".tags, {}.temper)")):
        trigger = trigger.replace(old, new)
    (program / "database" / "schema" / f"{NEXT:04}_temper.sql").write_text(
        "ALTER TABLE observations ADD COLUMN temper TEXT;\n"
        f"DROP TRIGGER observations_reworded;\n{trigger.format('OLD', 'NEW')};\n"
    )
    row = '        RecordField("facts", "items", "Facts", part="list"),\n'
    edit(
        program / "records" / "fields.py",
        row,
        '        RecordField("temper", "text", "Temper", part="body"),\n' + row,
    )
    edit(program / "database" / "__init__.py", f"\nSCHEMA = {SCHEMA}\n", f"\nSCHEMA = {NEXT}\n")
    edit(
        program / "records" / "rows.py",
        "    content_hash: str | None\n",
        "    content_hash: str | None\n    temper: str | None\n",
    )
    observations = program / "tables" / "observations.py"
    parameter = "        content_hash: str | None = None,\n"
    edit(observations, parameter, parameter + "        temper: str | None = None,\n")
    value = '                "content_hash": content_hash,\n'
    edit(observations, value, value + '                "temper": temper,\n')

    def run(code: str, *arguments: object) -> str:
        return subprocess.run(
            [sys.executable, "-P", "-c", code, *map(str, arguments)],
            stdout=subprocess.PIPE, text=True, check=True,
            env=os.environ | {"PYTHONPATH": str(package.parent)},
        ).stdout.strip()  # fmt: skip

    lines, copy = tmp_path / "lines.jsonl", tmp_path / "copy.db"
    number = run(ADD, filled)
    run(MEM, "add", "noted the lean way", "--db", filled)
    assert run(LOOK, filled, "temper:furious") == "['All were furious.'] True"
    assert run(LOOK, filled, "calm") == "[] True"
    assert run(LOOK, filled, "lean way") == "[None] True"
    assert '"temper": "All were furious."' in run(MEM, "show", number, "--json", "--db", filled)
    run(MEM, "export", "jsonl", lines, "--db", filled)
    run(MEM, "import", "jsonl", lines, "--db", copy)
    assert run(LOOK, copy, "disk full") == "['All were furious.'] True"
    assert list(tmp_path.glob("memory.db-backups/*before-migration*"))

    # Everything that tells of it has it from the table of fields.
    for arguments in (
        ("show", number),
        ("show", number, "--for-agent"),
        ("context", "--project", "mars"),
        ("handoff", number),
        ("search", "disk full", "--for-agent"),
    ):
        assert "All were furious." in run(MEM, *arguments, "--db", filled), arguments
    for form in ("html", "markdown"):
        run(MEM, "export", form, tmp_path / form, "--db", filled)
        pages = [one.read_text("utf-8") for one in (tmp_path / form).rglob("*.*")]
        told = [one for one in pages if "All were furious." in one]
        assert told and any("Temper" in one for one in told), form
    assert run(BROWSER, filled, number).count("All were furious.") == 3


def test_the_column_of_the_recipe_comes_into_new_and_existing_stores(
    filled: Path, tmp_path: Path, upgrade_to: Upgrade, open_store: OpenStore
) -> None:
    recipe = re.search(r"_severity\.sql`:\n\n```sql\n([^`]+)```", RECIPES.read_text("utf-8"))
    assert recipe is not None
    upgrade_to((NEXT, recipe[1]))
    for path in (filled, tmp_path / "new.db"):
        columns = comparison.columns(open_store(path).db, "observations")
        assert columns[-1][:2] == ("severity", "TEXT")


def test_add_an_index(filled: Path, upgrade_to: Upgrade, open_store: OpenStore) -> None:
    upgrade_to((NEXT, "CREATE INDEX observations_by_subtitle ON observations (subtitle);"))
    store = open_store(filled)
    plan = store.db.execute(
        "EXPLAIN QUERY PLAN SELECT id FROM observations WHERE subtitle = 'why'"
    ).fetchall()
    assert "observations_by_subtitle" in str(plan)


def test_change_a_view(filled: Path, upgrade_to: Upgrade, open_store: OpenStore) -> None:
    with Store.open(filled) as store:
        assert [hit.row.kind for hit in store.find("alone").page().hits] == ["summary"]
        before = steps.hits(store)
    with comparison.fresh(schema.BASELINE) as db:
        sql = comparison.items(db)["view", "visible_memories"].sql
    step = f"""
DROP VIEW visible_memories;
{sql} AND NOT (kind = 's' AND record_id IN (SELECT id FROM summaries WHERE level = 'brief'));
DELETE FROM meta WHERE key = 'tokenizer';
"""
    upgrade_to((NEXT, step))
    store = open_store(filled)
    assert store.find("alone").page().hits == []
    store.summaries.add("c-5", request="Alone again", level="brief", at=NOW)
    store.summaries.add("c-6", request="Not alone", at=NOW)
    assert [hit.row.title for hit in store.find("alone").page().hits] == ["Not alone"]
    found = steps.hits(store)
    assert found.pop("") != before.pop("")
    assert found == before
