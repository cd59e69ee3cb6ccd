"""`make real`: what it counts on disk by itself, and what its line, its page and its exit code say."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bench.real.__main__ import main
from bench.real.prompts import prompts_on_disk
from tests.store.formats.transcripts import claude_records as claude
from tests.store.formats.transcripts import opencode_exports as opencode
from tests.store.formats.transcripts import rollouts

CLAUDE, GEMINI = claude.SESSION, "6e000000-0000-4000-8000-000000000001"
CLAUDE_FILE = f".claude/projects/-home-dev-atlas/{CLAUDE}.jsonl"
KEY = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"


def edit(number: int, old: str, new: str) -> list[claude.Record]:
    given = {"file_path": "/home/dev/atlas/a.py", "old_string": old, "new_string": new}
    call = claude.call(f"t{number}", "Edit", **given)
    return [claude.answered(number, f"m{number}", call), claude.result(number + 1, f"t{number}")]


CONVERSATION = [
    claude.asked(0, "count the lines of the log"),
    claude.answered(1, "m1", claude.call("t1", command="wc -l app.log", description="Count lines")),
    claude.result(2, "t1", f"12 app.log\nGITHUB_TOKEN={KEY}"),
    claude.asked(3, "<local-command-stdout>Bye!</local-command-stdout>"),
    claude.asked(4, "<command-name>/clear</command-name>\n<command-args></command-args>"),
    claude.asked(5, "<command-message>review</command-message>\n<command-name>/review</command-name>"
                    "\n<command-args>12</command-args>"),
    *edit(6, "a = 1", "a = 2"),
    *edit(8, "b = 1", "b = 2"),
    claude.asked(10, [claude.text("[Request interrupted by user]")]),
    claude.queued(11, "enqueue", content="and the other one"),
    claude.queued(12, "remove"),
    claude.queued(13, "enqueue", content="taken back"),
    claude.queued(14, "popAll"),
    claude.asked(15, "a hint", isMeta=True),
    claude.answered(16, "m9", claude.text("All counted."), out=5),
]  # fmt: skip


def written(home: Path, name: str, records: Iterable[Any]) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, records)) + "\n", "utf-8")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a session of each of four agents."""
    folder = tmp_path / "atlas"
    written(folder, CLAUDE_FILE, CONVERSATION)
    rollout = [
        rollouts.meta(),
        rollouts.given("# AGENTS.md instructions for /home/dev/atlas"),
        rollouts.given("name the parser", 2),
        rollouts.typed("name the parser", 2),
    ]
    written(
        folder, f".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-{rollouts.THREAD}.jsonl", rollout
    )
    turns = [("user", "mend the login"), ("gemini", "Mended.")]
    said = [
        {"id": str(place), "type": kind, "timestamp": claude.at(place), "content": text}
        for place, (kind, text) in enumerate(turns)
    ]
    chat = {"sessionId": GEMINI, "projectHash": "0" * 64, "startTime": claude.at(0), "messages": said}
    written(folder, f".gemini/tmp/atlas/chats/session-2026-01-01T00-00-{GEMINI[:8]}.json", [chat])
    export = {
        "info": {
            "id": "ses_1",
            "directory": "/home/dev/atlas",
            "title": "",
            "time": {"created": opencode.START},
        },
        "messages": [
            opencode.message(
                opencode.info("msg_1", "user", 1),
                opencode.words("draw the map"),
                opencode.words("a file", synthetic=True),
            )
        ],
    }
    written(folder, "opencode/ses_1.json", [export])
    return folder


def test_what_was_typed_is_counted_of_each_agent(home: Path) -> None:
    assert {session: [*typed.values()] for session, typed in prompts_on_disk(home).items()} == {
        CLAUDE: ["count the lines of the log", "/review 12", "and the other one"],
        rollouts.THREAD: ["name the parser"],
        GEMINI: ["mend the login"],
        "ses_1": ["draw the map"],
    }


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The exit code, and the page of a folder."""
    monkeypatch.setattr(sys, "argv", ["real", str(folder), "--pages", str(folder.parent / "pages")])
    code = main()
    return code, (folder.parent / "pages" / f"{folder.name}.md").read_text("utf-8")


def test_a_page_says_what_is_stored(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}

    code, page = run(home, monkeypatch)

    assert code == 0
    line = capsys.readouterr().out
    assert line.startswith("atlas: 4 transcripts of 0 MB, 4 sessions,")
    assert "0 quarantined" in line and "export the same" in line
    assert "prompts on disk 3, stored 3; rows: change 2" in page
    assert page.count("prompts on disk 1, stored 1") == 3
    assert "Edited a.py (2)" in page
    assert "GITHUB_TOKEN=[redacted " in page and KEY not in page
    assert "tool Bash" in page.partition("## Slowest records")[2].partition("\n## ")[0]
    assert "disk only" not in page and "stored only" not in page
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_what_breaks_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "opencode/broken.json").write_text("{", "utf-8")

    assert run(home, monkeypatch)[0] == 1
    assert "BROKEN import 1" in capsys.readouterr().out


def test_a_prompt_on_one_side_only_is_shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only = ("[Cross-session message] is what it says", "Caveat: the log is long")
    written(
        home, CLAUDE_FILE, [*CONVERSATION, *(claude.asked(20 + at, text) for at, text in enumerate(only))]
    )

    page = run(home, monkeypatch)[1]

    assert f"### Prompts on disk only (1)\n\n- {only[0]}" in page
    assert f"### Prompts stored only (1)\n\n- {only[1]}" in page
