"""What a hook writes of an event that holds too much, or what may not be written."""

import json
import subprocess
import sys
from typing import Any

import pytest

from memtui.store.capture.ingest.cleaning import (
    MARGINS,
    MAXIMUM_TEXT,
    clean_event,
    clean_text,
    limit_for,
)
from tests.places import PACKAGES
from tests.tables import table

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" * 2
PASSWORD = "Tr0ub4" + "dor&3x"
LINE = "MIIEow" + "IBAAKCAQEA7qBf" * 4
BEGIN = "-----BEGIN RSA PRIV" + "ATE KEY-----"


def written(event: object) -> Any:
    """What of an event may be written, as JSON reads it."""
    done = clean_event(json.dumps(event).encode(), b"/project", b"")
    assert done is not None
    return json.loads(done[0])


def test_of_many_large_texts_a_little_of_each_is_kept() -> None:
    texts = [f"seen {number} {TOKEN} " + "word " * 2_000 + TOKEN for number in range(300)]
    kept = written({"session_id": "s", "texts": texts})
    assert kept["session_id"] == "s"
    for number, text in enumerate(kept["texts"]):
        assert text.startswith(f"seen {number} [redacted github-token ")
        assert len(text) < 600
    assert TOKEN not in json.dumps(kept)


def test_of_too_many_large_texts_only_the_ends_of_all_are_kept() -> None:
    texts = [f"seen {number} {TOKEN} " + "word " * 800 for number in range(2_000)]
    assert limit_for(texts) is None
    kept = written({"session_id": "s", "texts": texts})
    assert list(kept) == ["unreadable"]
    assert "seen 0 [redacted github-token " in kept["unreadable"]
    assert len(kept["unreadable"]) < 1.1 * MAXIMUM_TEXT
    assert TOKEN not in json.dumps(kept)


@pytest.mark.parametrize("count", [1, 20, 100])
def test_texts_that_are_not_many_are_kept_as_far_as_an_event_may_hold_them(count: int) -> None:
    texts = ["x " * 50_000] * count
    limit = limit_for({"a": [texts], "b": 1})
    assert limit is not None
    assert count * limit <= 1_048_576
    assert limit == MAXIMUM_TEXT or count > 1


LONG = {
    "a key that never ends": f"{BEGIN}\n" + f"{LINE}\n" * 2_000,
    "a key": f"{BEGIN}\n" + f"{LINE}\n" * 2_000 + BEGIN.replace("BEGIN", "END"),
    "a word": "token=" + LINE * 120,
    "a cookie": "Cookie: " + "; ".join(f"part{number}={LINE}" for number in range(120)),
    "a text with blanks": 'password="' + " ".join(f"{LINE[:8]}" for _ in range(400)) + '"',
}


@table("secret", LONG)
@table("limit", MARGINS)
@table("after", [0, 1, 80])
def test_no_end_of_a_long_secret_stays(limit: int, secret: str, after: int) -> None:
    before = "words before it " * 10_000
    kept = clean_text(before + "\n" + LONG[secret] + "\nwords behind it" * after, limit)
    assert kept.startswith("words before it ")
    assert LINE[:8] not in kept


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"a": "<private>canary</private>"}).replace("<", "\\u003c"),
        json.dumps({"a": "<Private>canary"}).replace("<", "\\u003C").replace(">", "\\u003e"),
        json.dumps({"a": json.dumps({"b": "<private>canary"}).replace("<", "\\u003c")}),
    ],
)
def test_a_tag_that_json_within_json_escapes_hides_nothing(answer: str) -> None:
    assert "canary" not in json.dumps(written({"tool_response": answer, "b": [answer]}))
    long = answer.replace("canary", "canary " * 30_000)
    assert "canary" not in json.dumps(written({"tool_response": long}))


def test_redacting_imports_nothing_that_takes_long() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from memtui.store.capture.ingest.cleaning import clean_event;"
        "line, _ = clean_event(sys.argv[2].encode(), b'/project', b'');"
        "print(line.decode());"
        "print(*sys.modules)"
    )
    event = json.dumps({"a": f"{TOKEN} pass" + f"word={PASSWORD} <private>x</private>"})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(PACKAGES), event],
        capture_output=True,
        check=True,
        text=True,
    )
    line, modules = done.stdout.splitlines()
    assert line.count("[redacted ") == 2
    assert not {"typing", "hashlib", "dataclasses", "pathlib", "inspect", "urllib.parse", "os"} & set(
        modules.split()
    )
