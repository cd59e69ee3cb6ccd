"""Work belongs to the repository in which it is done, wherever the session began."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, ToolUse


def repository(folder: Path, remote: str = "") -> str:
    (folder / ".git").mkdir(parents=True)
    config = f'[remote "origin"]\n\turl = {remote}\n' if remote else ""
    (folder / ".git" / "config").write_text(config)
    return str(folder)


def event(cwd: str, key: str, tool: ToolUse | None = None, text: str = "", **more: str) -> Event:
    about = {"agent": "claude-code", "session": "s", "shared": True, "at": 1_000 + len(key)}
    kind = "tool" if tool else "reply" if more.get("reply") else "prompt"
    return Event(kind=kind, cwd=cwd, key=key, tool=tool, text=text, **about)  # type: ignore[arg-type]


def edit(path: str) -> ToolUse:
    return ToolUse("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, {"ok": 1})


def test_a_session_that_begins_at_home_goes_where_its_work_is(store: Store, tmp_path: Path) -> None:
    home, shop, web = (str(tmp_path / "home"), *(repository(tmp_path / one) for one in ("shop", "web")))
    for one in (
        event(home, "p", text="fix the vouchers in shop"),
        event(shop, "e1", edit(f"{shop}/voucher.py")),
        event(web, "e22", edit(f"{web}/voucher.ts")),
        event(web, "r33", text="Vouchers are rounded in shop and shown on the page in web.", reply="1"),
    ):
        ingest_event(store, one, "hook")

    assert [one.session.project for one in store.sessions.list()] == ["shop"]
    rows = {one.project: one for one in store.observations.where("tool_name = 'Edit'")}
    assert {name: one.files_modified for name, one in rows.items()} == {
        "shop": ("voucher.py",), "web": ("voucher.ts",)
    }  # fmt: skip
    (reply,) = store.observations.where("tool_name = 'reply'")
    assert reply.project == "web"


def test_an_edit_belongs_to_the_repository_of_its_file(store: Store, tmp_path: Path) -> None:
    shop, web = (repository(tmp_path / one) for one in ("shop", "web"))
    ingest_event(store, event(shop, "p", text="go on"), "hook")
    ingest_event(store, event(shop, "e", edit(f"{web}/a.ts")), "hook")
    ingest_event(store, event(shop, "rr", ToolUse("Read", {"file_path": f"{web}/b.ts"}, "x = 1")), "hook")

    assert [(one.project, one.type) for one in store.observations.where("true ORDER BY id")] == [
        ("web", "change"), ("shop", "discovery")
    ]  # fmt: skip
    assert store.sessions.list()[0].session.project == "shop"


def test_what_lies_within_a_repository_is_its_own(store: Store, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    inner = repository(tmp_path / "shop" / "vendor" / "lib")
    ingest_event(store, event(shop, "p", text="go on"), "hook")
    ingest_event(store, event(inner, "e", edit(f"{inner}/a.c")), "hook")
    assert [one.project for one in store.observations.recent()] == ["shop"]


@pytest.mark.parametrize("root", ["/", "C:\\", "D:/"])
def test_the_root_of_a_disk_is_no_project(store: Store, root: str) -> None:
    for number in range(3):
        one = Event(kind="prompt", agent="codex", session=f"s{number}", cwd=root, text=f"ask {number}")
        ingest_event(store, one, "hook")
    assert {one.session.project for one in store.sessions.list()} == {""}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("git@github.com:acme/shop.git", "https://github.com/Acme/Shop.git"),
        ("git@github.com:acme/shop.git", "ssh://git@ssh.github.com:443/acme/shop.git"),
        ("https://www.github.com/acme/shop", "git@github.com-work:acme/shop.git"),
        ("git@gitlab.com:acme/team/shop.git", "ssh://git@altssh.gitlab.com:443/Acme/team/Shop.git"),
        ("https://gitlab.example.org/acme/shop", "git@gitlab.example.org:ACME/shop.git"),
        ("https://bitbucket.org/acme/shop", "ssh://git@altssh.bitbucket.org:443/acme/shop.git"),
        ("git@ssh.dev.azure.com:v3/acme/team/shop", "https://acme@dev.azure.com/acme/team/_git/shop"),
        ("https://acme.visualstudio.com/team/_git/shop", "https://dev.azure.com/acme/team/_git/shop"),
    ],
)
def test_the_same_remote_is_one_project_however_it_is_written(
    store: Store, tmp_path: Path, one: str, other: str
) -> None:
    places = [repository(tmp_path / name, url) for name, url in (("a", one), ("b", other))]
    assert len({store.known_projects.of(place)[0] for place in places}) == 1


def test_hosts_that_tell_letters_apart_have_two_projects(store: Store, tmp_path: Path) -> None:
    urls = ("https://git.example.org/acme/shop", "https://git.example.org/acme/Shop")
    places = [repository(tmp_path / name, url) for name, url in zip("ab", urls, strict=True)]
    assert [store.known_projects.of(place)[0] for place in places] == ["shop", "Shop"]


@pytest.mark.parametrize(
    "folder",
    [
        "/var/home/ann/.cursor/worktrees/shop-api/ab12",
        "/home/users/ann/.cursor/worktrees/shop-api/ab12/src",
        "/data/home/ann/.worktrees/shop-api/fix",
        "/export/ann/.cursor/worktrees/shop-api/x",
        "/var/home/ann/.codex/worktrees/1f/shop-api",
        "/var/home/ann/code/shop-api/.claude/worktrees/fix",
        "/Users/ann/.windsurf/worktrees/shop-api/y",
    ],
)
def test_a_worktree_below_any_home_is_its_repository(store: Store, folder: str) -> None:
    assert store.known_projects.of(folder)[0] == "shop-api"
