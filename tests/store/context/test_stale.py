"""What sessions are told of memories of which a file has changed since: after the others, and in words."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.hints import file_context, prompt_context
from memtui.store.context.preview import preview
from memtui.store.links.changed_files import refresh

from ..git.repository import Repository, at, needs_git

pytestmark = needs_git

SINCE = "(files changed since)"
ABOUT = {"decision": "leases of workers", "finding": "clocks of gateways", "change": "retries"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "atlas"


@pytest.fixture
def store(store: Store, root: Path) -> Store:
    """Of each type an earlier memory whose file stayed, and a later one whose file has changed."""
    repository = Repository(root)
    repository.change(0, "kept.py", "changed.py", "both.py")
    store.sessions.start("c-1", agent="codex", project="atlas", project_path=str(root), at=at(1))
    for type, about in ABOUT.items():
        for minutes, name in ((10, "kept"), (11, "changed")):
            files = [f"{name}.py", "both.py"]
            store.observations.add(
                "c-1", agent="codex", type=type, project="atlas", at=at(minutes),
                title=f"The {type} on {about} that is {name}",
                narrative="" if type == "change" else f"What holds of {about}, {name}.",
                files_read=files,
                tool_name="Edit" if type == "change" else None,
            )  # fmt: skip
    for number in range(30):
        store.observations.add("c-0", agent="codex", project="other", title=f"Widget {number}")
    repository.change(20, "changed.py")
    refresh(store)
    return store


def order(text: str, *titles: str) -> list[str]:
    """Those titles that a text has, in its order."""
    return sorted((title for title in titles if title in text), key=text.index)


def test_a_session_is_told_of_them_last_in_their_section_and_in_words(store: Store) -> None:
    text = compose(store.db, "atlas").text
    lines = text.split("\n")
    for type in ("decision", "finding"):
        titles = [f"The {type} on {ABOUT[type]} that is {name}" for name in ("kept", "changed")]
        assert order(text, *titles) == titles
    marked = [line for line in lines if SINCE in line]
    assert marked and all("is changed" in line for line in marked)
    assert len(marked) == sum(line.startswith("- ") and "is changed" in line for line in lines)


def test_where_there_is_no_room_for_all_they_are_the_first_to_go(store: Store) -> None:
    dropped = [
        text
        for budget in range(100, 1_500, 20)
        if "decision on leases of workers that is"
        in (text := compose(store.db, "atlas", budget=budget).text)
    ]
    assert any("decision on leases of workers that is changed" not in text for text in dropped)
    assert all("decision on leases of workers that is kept" in text for text in dropped)


def test_what_somebody_put_first_stays_first_and_says_it_too(store: Store) -> None:
    store.observations.pin(2)
    text = compose(store.db, "atlas").text
    assert text.index("decision on leases of workers that is changed") < text.index("that is kept")
    assert SINCE in text[: text.index("that is kept")]


def test_a_file_is_answered_with_them_last_and_in_words(store: Store, root: Path) -> None:
    titles = [f"The decision on leases of workers that is {name}" for name in ("kept", "changed")]
    text = file_context(store.db, "atlas", str(root), "both.py", "codex", "c-2").text
    assert order(text, *titles) == titles
    for line in text.split("\n"):
        if line.startswith("- "):
            assert (SINCE in line) == ("is changed" in line)


@pytest.mark.parametrize("name", ["kept", "changed"])
def test_a_prompt_is_answered_with_one_in_words(store: Store, name: str) -> None:
    asked = f"which decision on the leases of workers is {name}?"
    text = prompt_context(store.db, "atlas", asked, "codex", "c-2").text
    assert f"The decision on leases of workers that is {name}" in text
    assert (SINCE in text) == (name == "changed")


def test_the_composer_knows_which_they_are(store: Store) -> None:
    stale = {item.name.title for item in preview(store, "atlas").items if item.name.stale}
    assert stale == {f"The {type} on {ABOUT[type]} that is changed" for type in ABOUT}
