"""`python -m bench.truth`: what it takes of two stores, and what it says of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.truth import sample, score
from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from tests.store.formats.transcripts import claude_records as claude

SESSION = claude.SESSION


def made(folder: Path, transcript: Path, completed: str, *titles: str, decided: str = "") -> Path:
    """A store with a session that was read of a transcript, and what a version might say of it."""
    path = folder / "memory.db"
    with Store.open(path) as store:
        read_transcript(store, transcript, "claude-code")
        key = store.sessions.get(SESSION).content_session_id
        store.summaries.add(key, level="detailed", completed=completed, next_steps="Push it")
        for turn, title in enumerate(titles, 1):
            store.observations.add(key, title=title, type="change", prompt_number=turn)
        store.observations.add(key, title="Looked", type="noise")
        if decided:
            store.observations.add(key, title=decided, type="decision", prompt_number=1)
    return path


@pytest.fixture
def stores(tmp_path: Path) -> tuple[Path, Path]:
    transcript = tmp_path / "transcripts" / f"{SESSION}.jsonl"
    transcript.parent.mkdir()
    claude.write(
        transcript, [claude.asked(0, "mend the clock"), claude.answered(1, "m1", claude.text("Done."))]
    )
    old, new = (tmp_path / name for name in ("old", "new"))
    old.mkdir()
    new.mkdir()
    return (
        made(old, transcript, "- Mended the clock\n- Built for speed", "Read clock.py"),
        made(new, transcript, "Mended the clock", "Ran the tests", "Wrote clock.py", decided="Keep UTC"),
    )


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def drawn(stores: tuple[Path, Path], out: Path, seed: int = 1, each: int = 9) -> list[dict[str, Any]]:
    sample(*stores, out, seed, each)
    return lines_of(Path(f"{out}.jsonl"))


def test_a_line_that_both_versions_say_is_judged_once_and_noise_never(
    stores: tuple[Path, Path], tmp_path: Path
) -> None:
    said = [(one["kind"], one["text"]) for one in drawn(stores, tmp_path / "drawn")]
    assert sorted(said) == [
        ("decision", "Keep UTC"),
        ("done", "Built for speed"),
        ("done", "Mended the clock"),
        ("left", "Push it"),
        ("title", "Ran the tests"),
        ("title", "Read clock.py"),
        ("title", "Wrote clock.py"),
    ]


def test_what_is_judged_leads_to_its_turn_and_names_no_version(
    stores: tuple[Path, Path], tmp_path: Path
) -> None:
    for one in drawn(stores, tmp_path / "drawn"):
        assert one.keys() == {"id", "kind", "session", "text", "transcript", "turn", "at"}
        assert Path(one["transcript"]).name == f"{SESSION}.jsonl"
        assert (one["turn"] is None) == (one["kind"] in ("done", "left"))
        assert not {"old", "new"} & set(map(str, one.values()))


def test_the_seed_alone_decides_which_lines_and_in_which_order(
    stores: tuple[Path, Path], tmp_path: Path
) -> None:
    first = drawn(stores, tmp_path / "a", seed=3, each=1)
    assert drawn(stores, tmp_path / "b", seed=3, each=1) == first
    assert any(drawn(stores, tmp_path / f"c{seed}", seed=seed, each=1) != first for seed in range(9))
    of_kinds = [one["kind"] for one in first]
    assert all(of_kinds.count(kind) <= 2 for kind in of_kinds)


def test_the_score_is_of_each_version_and_counts_true_lines_a_session(
    stores: tuple[Path, Path], tmp_path: Path
) -> None:
    out, judged = tmp_path / "drawn", tmp_path / "judged.jsonl"
    verdicts = {"Built for speed": "false", "Read clock.py": "true", "Push it": "useless"}
    judged.write_text(
        "\n".join(
            json.dumps({"id": one["id"], "verdict": verdicts.get(one["text"], "useful")})
            for one in drawn(stores, out)
        ),
        "utf-8",
    )
    rows = score(Path(f"{out}.jsonl"), Path(f"{out}.key.json"), judged)
    assert rows == [
        ("done", "old", "2", "50", "50", "50", "1.00"),
        ("done", "new", "1", "100", "100", "0", "1.00"),
        ("left", "old", "1", "0", "0", "0", "0.00"),
        ("left", "new", "1", "0", "0", "0", "0.00"),
        ("decision", "new", "1", "100", "100", "0", "1.00"),
        ("title", "old", "1", "100", "0", "0", "1.00"),
        ("title", "new", "2", "100", "100", "0", "2.00"),
    ]


def test_a_word_that_is_no_verdict_ends_it(stores: tuple[Path, Path], tmp_path: Path) -> None:
    out, judged = tmp_path / "drawn", tmp_path / "judged.jsonl"
    drawn(stores, out)
    judged.write_text('{"id": 1, "verdict": "maybe"}', "utf-8")
    with pytest.raises(SystemExit, match="maybe"):
        score(Path(f"{out}.jsonl"), Path(f"{out}.key.json"), judged)
