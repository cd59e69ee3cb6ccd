"""`mem team`, `mem sync team` and `mem search --team`, as a person types them."""

from pathlib import Path

import psycopg
import pytest

from memtui.store import Store

from ..cli.runner import Mem
from .colleagues import as_user


@pytest.fixture
def mem(tmp_path: Path) -> Mem:
    """The command on a memory that isn't there yet."""
    return Mem(tmp_path / "memory.db", tmp_path)


@pytest.fixture
def crew(mem: Mem, database: str) -> Mem:
    """One who made a team, and has a memory."""
    mem.ok("add", "retries need jitter", "--project", "atlas")
    mem.ok("add", "mine alone", "--project", "diary")
    mem.ok("team", "create", database, "--name", "crew")
    return mem


def test_a_password_is_taken_on_standard_input_only(mem: Mem, database: str) -> None:
    assert "standard input" in mem.refused("team", "join", f"{database} password=secret", code=2)


def test_sharing_and_meeting_the_team(crew: Mem) -> None:
    assert crew.json("team", "share", "atlas", "--dry-run") == {"observations": ["1"]}
    assert crew.json("team", "status")["shared"] == []
    assert "1 memory will be shared" in crew("team", "share", "atlas").stderr
    crew.ok("sync", "team")
    status = crew.json("team", "status")
    assert status["changed_rows"] == 0 and status["refused"] == []
    [place] = crew.json("sync", "status")
    assert (place["name"], place["direction"], place["waiting"]) == ("team", "both", 0) and place["met_at"]
    assert "mem team leave" in crew.refused("sync", "forget", "team", "--keep")
    found = crew("search", "--team", "jitter", "tag:x")
    assert "retries need jitter" in found.stdout
    assert "tag:x" in found.stderr


def test_a_rule_names_projects_and_types_that_there_are(crew: Mem) -> None:
    crew.ok("team", "share", "atlas")
    assert "not both" in crew.refused("team", "share", "1", "atlas", code=2)
    assert "not both" in crew.refused("team", "unshare", "s1", "zz", code=2)
    assert "projects" in crew.refused("team", "share", "1", "--types", "note", code=2)
    said = crew.refused("team", "share", "atlas", "--types", "decisions")
    assert "decisions" in said and "decision, bugfix" in said
    said = crew("team", "share", "atlas", "--types", "decision", "--dry-run").stderr
    assert "leaves out 1 memory of atlas" in said
    assert crew.json("team", "status")["shared"][0]["types"] == []
    crew.refused("team", "share", "99", "--dry-run")
    assert crew.json("team", "share", "1", "--dry-run") == {"memories": ["1"]}


def test_nothing_is_shared_in_no_team_or_by_a_reader(mem: Mem, database: str) -> None:
    mem.ok("add", "retries need jitter", "--project", "atlas")
    for chosen in ("atlas", "1"):
        assert "in no team" in mem.refused("team", "share", chosen)
        assert "in no team" in mem.refused("team", "share", chosen, "--dry-run")
    mem.ok("team", "create", database)
    with Store.open(mem.db) as store:
        store.db.execute("UPDATE team SET role = 'reader'")
    assert "only read" in mem.refused("team", "share", "atlas", "--dry-run")


def test_who_was_revoked_and_is_invited_again_may_log_in(crew: Mem, database: str, tmp_path: Path) -> None:
    crew.ok("team", "invite", "ada", "--file", str(tmp_path / "ada.dsn"))
    crew.ok("team", "revoke", "ada")
    other = Mem(tmp_path / "other.db", tmp_path)
    other.refused("team", "join", as_user(database, "ada"))
    crew.ok("team", "invite", "ada")
    other.ok("team", "join", as_user(database, "ada"))


def test_an_invitation_is_a_file_for_its_maker_alone(crew: Mem, database: str, tmp_path: Path) -> None:
    path = tmp_path / "ada.dsn"
    crew.ok("team", "invite", "ada", "--role", "reader", "--file", str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "user=ada" in path.read_text("utf-8")
    assert "password=" in path.read_text("utf-8")
    roles = {member["name"]: member["role"] for member in crew.json("team", "members")}
    assert roles == {"ada": "reader", "keeper": "admin"}
    crew.refused("team", "invite", "bob", "--role", "king", code=2)
    other = Mem(tmp_path / "other.db", tmp_path)
    other.ok("team", "join", as_user(database, "ada"))
    other.ok("sync")
    crew.ok("team", "revoke", "ada")
    assert "revoked" in crew.ok("team", "members")


def test_what_administrators_took_away_is_listed(crew: Mem, database: str, tmp_path: Path) -> None:
    crew.ok("team", "invite", "ada", "--file", str(tmp_path / "ada.dsn"))
    other = Mem(tmp_path / "other.db", tmp_path)
    other.ok("add", "the gateway is redis", "--project", "atlas")
    other.ok("team", "join", as_user(database, "ada"))
    other.ok("team", "share", "atlas")
    for mem in (other, crew):
        mem.ok("sync", "team")
    assert {item["kind"] for item in crew.json("team", "removals")} == {"members"}
    crew.ok("delete", "3")
    crew.ok("sync", "team")
    removal = other.json("team", "removals")[0]
    assert (removal["member"], removal["author"], removal["state"]) == ("keeper", "ada", "deleted")
    assert removal["uid"] in crew("team", "removals").stdout


def test_leaving_says_what_becomes_of_what_came(crew: Mem) -> None:
    crew.refused("team", "leave", code=2)
    crew.ok("team", "leave", "--keep")
    assert "in no team" in crew.refused("sync", "team")
    assert "another name" in crew.refused("sync", "add", "team", "ssh://laptop")


def test_what_agents_are_told_and_what_waits_for_a_word(crew: Mem, tmp_path: Path) -> None:
    assert crew.json("team", "agents") == {"tells": "off"}
    assert crew.json("team", "agents", "accepted") == {"tells": "accepted"}
    crew.refused("team", "agents", "some", code=2)
    assert crew.json("review") == []
    crew.refused("review", "1", code=2)
    assert crew.json("team", "export-rules", str(tmp_path / "rules.md")) == {"written": 0}


def test_a_team_is_renamed_and_removed_and_a_password_changed(
    crew: Mem, database: str, tmp_path: Path
) -> None:
    crew.ok("team", "invite", "ada", "--file", str(tmp_path / "ada.dsn"))
    renewed = tmp_path / "renewed.dsn"
    crew.ok("team", "password", "ada", "--file", str(renewed))
    assert renewed.read_text() != (tmp_path / "ada.dsn").read_text()
    other = Mem(tmp_path / "other.db", tmp_path)
    other.ok("team", "join", "-", input=renewed.read_text())
    other.refused("team", "rename", "theirs")
    crew.ok("team", "rename", "atoll")
    assert crew.json("team", "status")["name"] == "atoll"
    other.refused("team", "remove", "crew")
    crew.refused("team", "remove", "crew", code=2)
    assert "2 members" in crew("team", "remove", "atoll").stderr
    assert "not a member" in other.refused("sync", "team")
    crew.ok("team", "create", database, "--name", "crew")


def test_refused_rows_are_told_by_their_number_and_the_first_three(crew: Mem, database: str) -> None:
    for number in range(6):
        crew.ok("add", f"poison {number}", "--project", "atlas")
    crew.ok("team", "share", "atlas")
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("ALTER TABLE memtui.entry ADD CHECK (payload->>'title' NOT LIKE 'poison%')")
    said = crew("sync", "team").stderr
    assert said.count("poison") == 0 and said.count("was refused") == 3 and "3 more were refused" in said
