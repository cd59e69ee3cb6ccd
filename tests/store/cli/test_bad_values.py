"""What other programs and failing disks leave in a memory hides nothing else, from any command."""

from pathlib import Path

import pytest

from memtui.store import Store
from tests.promises import Tally, promise
from tests.store import bad_values
from tests.store.cli.runner import Mem

READING = """
search neighbour -n 100
search neighbour --json
search good -n 500
search is:private
search good --facets
show 3
show p1 s1 f1
timeline 3
timeline 3 --scope all -n 1000
timeline f1
session list -n 500
session show c-1
fact list -n 500
fact show f1
note list
note show n1
stats
doctor --thorough
context
context --project atlas
dedupe
retention list
queue list
queue list --json
queue process --limit 3
project list
agents
"""
WRITING = """
export jsonl {0}/o.jsonl
export claude-mem {0}/o.db
export markdown {0}/pages
export scheme-c {0}/scheme
sync scheme-c {0}/sync
backup {0}/copy.db
pin 3
undo
delete 4
restore 4
private 4
undo
retention run --dry-run
rebuild
search neighbour -n 100
"""


@promise("any-bytes-are-readable")
@pytest.mark.parametrize(
    "kinds", ["texts lists", "numbers shares", pytest.param("classes", marks=pytest.mark.long)]
)
def test_no_bad_value_hides_a_good_row(tmp_path: Path, folder: Path, kinds: str, tally: Tally) -> None:
    mem = Mem(tmp_path / "bad.db", folder)
    number = bad_values.fill(mem.db, kinds)
    assert number > 100
    for line in (READING.strip() + WRITING.format(tmp_path)).splitlines():
        # An exception of the command's own is raised here.
        result = mem(*line.split())
        assert result.exit_code in (0, 1), (line, result.stderr)
        failed = result.exit_code == 1 and not line.startswith(("doctor", "backup"))
        may_fail = kinds == "classes" and line.startswith(("queue", "rebuild", "retention"))
        tally(tried=1, failed=failed and not may_fail)
        assert not failed or may_fail, (line, result.stderr)
        assert result.stdout.strip() or result.stderr.strip() or line.startswith("retention"), line
        if line.startswith("search neighbour"):
            assert result.stdout.count("neighbour") >= 5, line
    made = tmp_path / "repaired.db"
    mem.ok("repair", "--into", str(made))
    with Store.open(made) as store:
        wrong = [one for one in store.doctor(thorough=True).checks if not one.ok]
        assert not wrong
        assert len(store.find("neighbour").page().hits) >= 6
        before = store.db.execute("SELECT count(*) FROM observations").get
    with Store.open(mem.db) as store:
        assert before == store.db.execute("SELECT count(*) FROM observations").get


def test_doctor_counts_what_no_memtui_writes(tmp_path: Path, folder: Path) -> None:
    mem = Mem(tmp_path / "bad.db", folder)
    with Store.open(mem.db) as store:
        store.observations.add("s", title="A good one")
        store.observations.add("s", title="A bad one")
        store.db.execute("UPDATE observations SET title = CAST(x'ff41' AS TEXT) WHERE id = 2")
    told = mem("doctor", "--thorough").stdout
    assert "1 in observations" in told
    assert "mem store repair" in told
    assert "\N{REPLACEMENT CHARACTER}A" in mem.ok("show", "2")
