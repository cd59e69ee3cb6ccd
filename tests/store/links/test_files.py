"""Where the files of a memory lie, and at which line they are opened."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Observation, Store
from memtui.store.links.files import FileLink, citations, file_links, line_in_texts
from memtui.store.tables.machines import note_machine

TEXT = "import os\n\n\ndef refresh():\n    return renew(token)\n"


@pytest.fixture
def atlas(tmp_path: Path) -> Path:
    """The repository `atlas`, with a file."""
    root = tmp_path / "atlas"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "src" / "auth.py").write_text(TEXT)
    return root


def remember(store: Store, root: Path | str | None, project: str = "atlas", **fields: Any) -> Observation:
    place = None if root is None else str(root)
    session = store.sessions.start(f"c-{root}", agent="codex", project=project, project_path=place)
    return store.observations.add(session, title="Tokens", **fields)


def only(store: Store, record: Observation) -> FileLink:
    (link,) = file_links(store, record)
    return link


def test_a_file_of_another_machine_is_not_looked_for_here(store: Store, atlas: Path) -> None:
    record = remember(store, atlas, files_modified=["src/auth.py"], narrative="see src/auth.py")
    store.db.execute("UPDATE observations SET origin = '01990000-laptop00'")
    note_machine(store.db, "01990000-laptop00", "laptop")
    link = only(store, store.observations.get(record.id))
    assert (link.path, link.trouble) == (None, "It is a file of laptop, and isn't opened here.")


def test_a_relative_name_is_put_under_the_root_of_its_session(store: Store, atlas: Path) -> None:
    link = only(store, remember(store, atlas, files_modified=["src/auth.py"]))
    assert (link.path, link.folder, link.use, link.trouble) == (
        atlas / "src/auth.py", atlas, "modified", "",
    )  # fmt: skip
    assert not link.is_outside


def test_a_file_is_found_where_the_project_lies_too(store: Store, atlas: Path) -> None:
    store.known_projects.of(str(atlas))
    link = only(store, remember(store, None, files_read=["src/auth.py"]))
    assert link.path == atlas / "src/auth.py"


def test_a_path_of_another_machine_is_found_in_the_project_here(store: Store, atlas: Path) -> None:
    gone = "/nowhere/else/atlas/src/auth.py"
    assert only(store, remember(store, atlas, files_read=[gone])).path == atlas / "src/auth.py"


def test_what_is_not_there_is_told_with_where_it_was_looked_for(store: Store, atlas: Path) -> None:
    link = only(store, remember(store, atlas, files_read=["src/gone.py"]))
    assert (link.path, link.trouble) == (None, f"It isn't in {atlas}.")
    elsewhere = only(store, remember(store, "/no/folder", project="x", files_read=["src/x.py"]))
    assert elsewhere.trouble == "Where its project lies isn't known here; start memtui in its repository."


def test_a_project_that_ran_elsewhere_alone_has_its_files_in_its_repository_here(
    store: Store, atlas: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_it = remember(store, "C:\\atlas", files_modified=["src/auth.py"])
    of_another = remember(store, "C:\\x", project="x", files_modified=["src/auth.py"])
    assert only(store, of_it).path is None
    monkeypatch.chdir(atlas / "src")
    assert only(store, of_it).path == atlas / "src/auth.py"
    assert only(store, of_another).path is None


def test_files_outside_of_the_project_are_marked_as_such(store: Store, atlas: Path) -> None:
    secret = atlas.parent / "secret.txt"
    secret.write_text("x")
    (atlas / "link.txt").symlink_to(secret)
    record = remember(store, atlas, files_read=["../secret.txt", str(secret), "link.txt"])
    links = file_links(store, record)
    assert [link.path for link in links] == [secret, atlas / "link.txt"]
    assert all(link.is_outside and not link.trouble for link in links)


def test_only_files_are_opened(store: Store, atlas: Path) -> None:
    os.mkfifo(atlas / "pipe")
    record = remember(
        store, atlas, files_read=["src", "pipe", "/dev/null", "a\nb", "a\x1b[2J", "x\u202ey", ""]
    )
    troubles = {link.name: link.trouble for link in file_links(store, record)}
    assert troubles["src"] == "It is a directory, not a file."
    assert troubles["pipe"] == "It is a pipe, not a file."
    assert troubles["/dev/null"] == "It is a device, not a file."
    assert all(troubles.values())


def test_a_name_like_an_option_is_a_path(store: Store, atlas: Path) -> None:
    (atlas / "-c quit").write_text("x")
    assert only(store, remember(store, atlas, files_read=["-c quit"])).path == atlas / "-c quit"


LINES = {
    "It raises at src/auth.py:5, since then.": 5,
    'File "/old/atlas/src/auth.py", line 4, in refresh': 4,
    "See auth.py#L3.": 3,
    "src/auth.py(2): error": 2,
    "--- a/src/auth.py\n+++ b/src/auth.py\n@@ -1,2 +4,3 @@ def refresh": 4,
    "--- a/x\n+++ b/other.py\n@@ -1 +9 @@\n+++ b/src/auth.py\n@@ -1 +2 @@": 2,
    "@@ -0,0 +3,1 @@": 3,
    "It fails on line 4.": 4,
    "12 lines added, 3 removed": 0,
    "version 1.2:30 at 10:45": 0,
    "other.py:12": 0,
}


@pytest.mark.parametrize("text", LINES)
def test_a_text_tells_the_line(text: str) -> None:
    assert line_in_texts("src/auth.py", [text], is_only=True) == LINES[text]


def test_the_line_comes_from_the_text_the_tool_or_the_change(store: Store, atlas: Path) -> None:
    told = remember(store, atlas, files_read=["src/auth.py"], narrative="It is at auth.py:4.")
    assert only(store, told).line == 4
    changed = remember(
        store,
        atlas,
        files_modified=["src/auth.py"],
        narrative="-     return token\n+     return renew(token)",
    )
    assert only(store, changed).line == 5
    read = remember(store, atlas, files_read=["src/auth.py"])
    given = json.dumps({"file_path": "/old/src/auth.py", "offset": 2, "limit": 3})
    store.pending.add("c", tool_name="Read", tool_input=given, observation_id=read.id)
    assert only(store, read).line == 2


def test_files_that_only_the_text_names_are_listed_where_they_are_there(store: Store, atlas: Path) -> None:
    session = store.sessions.start("c", agent="codex", project="atlas", project_path=str(atlas))
    prompt = store.prompts.add(session, "why does @src/auth.py fail, not src/other.py or a/b?")
    (link,) = file_links(store, prompt)
    assert (link.path, link.use) == (atlas / "src/auth.py", "named")


def test_a_session_has_the_files_of_its_observations(store: Store, atlas: Path) -> None:
    remember(store, atlas, files_read=["src/auth.py", "src/gone.py"])
    one = remember(store, atlas, files_modified=["src/auth.py"])
    links = file_links(store, store.sessions.get(one.session_id))
    assert [(link.name, link.use) for link in links] == [
        ("src/auth.py", "modified"),
        ("src/gone.py", "read"),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("src/auth.py:4 renews", (4, 4)),
        ("in src/auth.py, line 4, it renews", (4, 4)),
        ("src/auth.py (line 4) renews", (4, 4)),
        ("`src/auth.py` L4 renews", (4, 4)),
        ("src/auth.py lines 4 to 5 renew", (4, 5)),
        ("Line 4 of src/auth.py renews.", (4, 4)),
        ("lines 4-5 in `src/auth.py`", (4, 5)),
        ("src/auth.py：4 刷新", (4, 4)),
        ("src/auth.py 第4行刷新", (4, 4)),
        ("src/auth.py 的第 4 行刷新", (4, 4)),
        ("src/auth.py 第4至5行刷新", (4, 5)),
    ],
)
def test_lines_are_cited_as_people_write_them(text: str, lines: tuple[int, int]) -> None:
    assert list(citations(text)) == [("src/auth.py", *lines)]
