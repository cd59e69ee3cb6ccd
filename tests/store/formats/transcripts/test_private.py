"""What is private or secret in a transcript is in no byte of the store, nor in what waits to be told."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.records.kinds import REPLY

from .claude_records import SESSION, Record, answered, asked, call, compacted, result, text, write

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" * 2
PASSWORD = "Tr0ub4" + "dor&3x"
PRIVATE = "zwetschgenmus"
HIDDEN = f"seen {TOKEN} <private>{PRIVATE}</private> pass" + f"word={PASSWORD}\n"
FIRST: list[Record] = [
    asked(1, HIDDEN, promptId="p-1", cwd=f"/home/dev/{HIDDEN}"),
    *compacted(2, HIDDEN),
    answered(4, "m-1", text(HIDDEN), call("t-1", HIDDEN, command=HIDDEN, password=PASSWORD)),
    answered(5, "m-1", call("t-2", "Bash", **{HIDDEN: [HIDDEN]}), cwd=f"/home/dev/{HIDDEN}"),
]
SECOND: list[Record] = [
    result(6, "t-1", HIDDEN),
    result(7, "t-2", [{"type": "text", "text": HIDDEN}], error=True),
    answered(8, "m-2", text(HIDDEN)),
]


@pytest.mark.parametrize("goes", [[FIRST], [FIRST, SECOND], [FIRST + SECOND]])
def test_nothing_hidden_in_a_transcript_reaches_the_store(
    store: Store, tmp_path: Path, goes: list[list[Record]]
) -> None:
    path = tmp_path / "projects" / "atlas" / f"{SESSION}.jsonl"
    for records in goes:
        write(path, records, "a")
        assert read_transcript(store, path, "claude-code")

    assert store.db.execute("SELECT state FROM transcripts").get
    [prompt] = store.prompts.where("TRUE")
    assert prompt.text.startswith("seen [redacted github-token ")
    assert len(store.observations.where("tool_name <> ?", (REPLY,))) == 2
    for file in store.path.parent.glob("memory.db*"):
        for hidden in (TOKEN, PASSWORD, PRIVATE):
            assert hidden.encode() not in file.read_bytes()
