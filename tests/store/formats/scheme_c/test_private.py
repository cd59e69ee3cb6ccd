"""What was private or secret in a directory is found nowhere here, whichever key it stood under."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.formats.scheme_c.directory_import import import_directory

from ..claude_mem.test_private import CANARY, HIDDEN, PASSWORD, SECRETS, TOKEN
from .directories import DAY, directory, dumped, line

KEYS = (
    *("id", "type", "timestamp", "session_id", "content", "action", "entities", "confidence"),
    *("memory_type", "evidence", "source", "workspace", "agent", "topic", "summary", "decisions"),
    *("todos", "reason", "duration_ms", "deleted_at", "created_at", "anything else"),
)
TYPES = ("action", "fact", "session_start", "session_end", "milestone")


TEXTS = [*HIDDEN.values(), *(SECRETS[name] for name in SECRETS if "words" not in name)]
FORMS: list[Callable[[str], Any]] = [
    lambda text: text,
    lambda text: [text],
    lambda text: {"a": text},
    lambda text: {text: "b"},
    lambda text: [["kept", {"b": text}]],
]
"""How a text stands under a key: as it is, in a list, in an object, as a key of one, and deep."""


PARTS: list[Callable[[int], bool]] = [
    lambda number: number % 59 == 0,
    lambda number: number % 59 == 18,
    lambda number: number % 59 == 36,
]
"""Parts of them all. 59 divides none of the numbers of keys, types, forms and texts, so that each
part holds each pair of them somewhere."""


def everywhere(texts: list[str], which: Callable[[int], bool]) -> list[Any]:
    """Lines of each type that hold the texts under each key in each form: those whose number is chosen."""
    cases = itertools.product(KEYS, TYPES, FORMS, texts)
    made: list[Any] = [
        line(number % 60, type, id=f"x-{key}-{number}", content="kept") | {key: form(text)}
        for number, (key, type, form, text) in enumerate(cases)
        if which(number)
    ]
    for text in texts:
        made += [text, '{"id": "' + text, line(1) | {text: "a key of its own"}]
    return made


def test_it_reaches_no_byte_of_the_store_and_no_warning(store: Store, tmp_path: Path) -> None:
    days, facts, sessions = (everywhere(TEXTS, part) for part in PARTS)
    check(store, directory(tmp_path / "c", d16=days, facts=facts, sessions=sessions))
    assert store.find("kept").count().value > 0


def test_it_reaches_no_byte_by_way_of_a_note(store: Store, tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS):
        note = f"# kept\n- {text}\n"
        check(store, directory(tmp_path / str(number), MEMORY_md=note, NOTES_md=note))
    assert len(store.notes.list()) == 2


@pytest.mark.long
@pytest.mark.parametrize("text", TEXTS)
def test_no_line_of_them_all_reaches_a_byte(store: Store, tmp_path: Path, text: str) -> None:
    turn = TEXTS.index(text)
    # Each case stands in one of the three files, and in another one with the next text.
    days, facts, sessions = (
        everywhere([text], lambda number, file=file: (number + turn) % 3 == file)  # type: ignore[misc]
        for file in range(3)
    )
    check(store, directory(tmp_path / "c", d16=days, facts=facts, sessions=sessions))
    assert store.find("kept").count().value > 0


def check(store: Store, path: Path) -> None:
    """Import a directory, of which nothing that has to be hidden is left anywhere."""
    report = import_directory(store, path)
    files = {one: one.read_bytes() for one in store.path.parent.iterdir() if one.is_file()}
    told = " ".join((*report.notes, *(one.message for one in report.warnings)))
    for word in (CANARY, TOKEN, PASSWORD):
        assert word not in told
        for file, content in files.items():
            assert word.encode() not in content, file


def test_a_passage_that_goes_on_in_the_next_item_is_hidden_whole(store: Store, tmp_path: Path) -> None:
    items = ["kept <private>", CANARY, f"{CANARY}</private> kept too"]
    path = directory(tmp_path / "c", d16=[line(1, content="x", entities=items, other=items)])
    import_directory(store, path)
    (one,) = store.observations.recent()
    assert CANARY not in dumped(one.concepts) + str(one.extra)
    assert one.concepts[0] == "kept  kept too"


def test_all_that_a_session_s_lines_say_is_kept(store: Store, tmp_path: Path) -> None:
    path = directory(
        tmp_path / "c",
        d16=[
            {"id": "log-1", "type": "session_start", "timestamp": f"{DAY}T09:00:00Z", "model": "m"},
            line(1, content="x"),
            line(2, "session_end", reason="interrupted", duration_ms=7, cost=2.5),
        ],
    )
    import_directory(store, path)
    session = store.sessions.get("conv-1")
    assert session.extra == '{"cost": 2.5, "duration_ms": 7, "model": "m", "reason": "interrupted"}'
