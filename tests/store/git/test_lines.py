"""An edit is stale once its own lines have changed; what a person says is still true isn't, until its
files change again."""

from pathlib import Path

import pytest

from memtui.store import Action, Observation, Store

from .repository import Repository, at, needs_git
from .test_refresh import remember, stale

pytestmark = needs_git

DIFF = "- def wait(seconds=3):\n+ def wait(seconds=5):\n+     # The server allows no more.\n+ "
BEFORE = "import time\n\n\ndef wait(seconds=3):\n    time.sleep(seconds)\n"
AFTER = "import time\n\n\ndef wait(seconds=5):\n    # The server allows no more.\n    time.sleep(seconds)\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "atlas")
    made.write("a.py", BEFORE)
    made.commit(0)
    return made


def edited(store: Store, repository: Repository, diff: str = DIFF, **fields: object) -> Observation:
    """An agent's edit of a.py, committed a moment later."""
    names = {"files_modified": ["a.py"], "narrative": diff, "tool_name": "Edit"} | fields
    made = remember(store, repository.root, 10, **names)  # type: ignore[arg-type]
    repository.write("a.py", AFTER)
    repository.commit(11)
    return made


def test_an_edit_whose_lines_stand_is_not_stale_though_its_file_has_changed(
    store: Store, repository: Repository
) -> None:
    made = edited(store, repository)
    reader = remember(store, repository.root, 20, "a.py")
    repository.write("a.py", f"import os\n{AFTER}\n\ndef other() -> None:\n    os.sync()\n")
    repository.commit(30)
    assert stale(store) == [reader.id]
    repository.write("a.py", f"{AFTER}".replace("=5", "=9"))
    repository.commit(40)
    assert stale(store) == [made.id, reader.id]
    repository.write("a.py", f"if True:\n{AFTER.replace('def', '    def')}")
    repository.commit(50)
    assert stale(store) == [reader.id]


@pytest.mark.parametrize(
    ("diff", "fields"),
    [
        ("- def wait(seconds=3):", {}),
        ("+ …\n+ def wait(…", {}),
        (DIFF, {"files_modified": ["a.py", "b.py"]}),
        (DIFF, {"files_read": ["b.py"]}),
        ("It waits five seconds.", {}),
    ],
)
def test_where_no_lines_are_known_the_file_tells(
    store: Store, repository: Repository, diff: str, fields: dict[str, object]
) -> None:
    made = edited(store, repository, diff, **fields)
    repository.change(60 * 24, "a.py")
    assert stale(store) == [made.id]


def test_the_lines_of_a_file_that_is_gone_are_gone(store: Store, repository: Repository) -> None:
    made = edited(store, repository)
    repository.git("rm", "-q", "a.py")
    repository.commit(60 * 24)
    assert stale(store) == [made.id]


def test_what_is_still_true_is_stale_again_once_its_file_changes_and_undo_takes_it_back(
    store: Store, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [made.id]
    monkeypatch.setattr("memtui.store.curation.many.now_ms", lambda: at(30))
    done = store.many.run([str(made.id)], Action("confirm"))
    assert done.refs == (str(made.id),)
    assert store.find("is:stale").rows(0, 9) == [] and stale(store) == []
    store.undo()
    assert [row.ref for row in store.find("is:stale").rows(0, 9)] == [str(made.id)]
    assert stale(store) == [made.id]
    store.redo()
    assert stale(store) == []
    assert store.observations.get(made.id).confirmed_at == at(30)
    repository.change(40, "a.py")
    assert stale(store) == [made.id]


def test_reading_confirms_nothing_and_only_observations_can_be_confirmed(
    store: Store, repository: Repository
) -> None:
    made = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [made.id]
    store.record(str(made.id))
    store.find("at").page()
    assert stale(store) == [made.id]
    fact = store.facts.add("it waits", project="atlas")
    done = store.many.run([f"f{fact.id}"], Action("confirm"))
    assert not done.refs and "Only observations" in done.left[0]
