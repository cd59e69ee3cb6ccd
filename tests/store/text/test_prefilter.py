"""The hook's first look sees all that redaction and the tags would take out, however large the event."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.prefilter import may_hold
from memtui.store.text.redaction import scrub_json

from .secret_contexts import DOCUMENTS, LARGE_TEXTS, TEXTS, without_prefilter
from .secret_samples import SAMPLES

WORDS = (
    "password", "Passwd", "passphrase", "PWD", "pass", "token", "Secret", "api_key", "API KEY", "cookie",
    "Authorization", "Bearer ", "--", "-u ", "-p", "curl ", "mysql ", "docker login ", "IDENTIFIED BY ",
    ": ", "=", "=>", ">", "<", "：", "＝", "\t", " ", "\n", '"', "'", "\\", "@", "://", "me:", "<private>",
    "</private>", "private", "密码", "密鑰", "口令", "令牌", "是", "为", "：", "命令", "“", "short",
    "None", "[", ", ", "x9y8z7w6v5u4", "hunter-42", "K", "ſ", "",
)  # fmt: skip
PIECES = st.sampled_from(
    [
        *WORDS,
        *(
            text
            for sample in SAMPLES.values()
            for text in (*sample.around.split("{}"), sample.secret)
        ),
    ]
)
FEW = "the quick brown fox; "
MANY = "a: b - c, "
"""Texts of many signs and options are looked at in another way."""


HOW: tuple[dict[str, object], ...] = (
    {"ensure_ascii": False}, {"ensure_ascii": True}, {"separators": (",", ":")},
    {"indent": 2, "ensure_ascii": False},
)  # fmt: skip
"""Ways to write JSON."""


def is_changed(document: object) -> bool:
    """Whether something is taken out of a document by who looks at all of it."""
    with without_prefilter():
        return scrub_json(document) != document


def assert_seen(document: object) -> None:
    """The first look sees that a document holds something, however it is written as JSON."""
    for how in HOW:
        written = json.dumps(document, **how)  # type: ignore[arg-type]
        for raw in (written, written.replace("/", "\\/")):
            assert may_hold(raw.encode(), in_json=True), raw


@given(st.lists(PIECES, min_size=1, max_size=9).map("".join), st.booleans(), st.booleans())
def test_nothing_that_would_be_taken_out_is_missed(text: str, is_dense: bool, ascii: bool) -> None:
    if not is_changed(text):
        return
    around = (MANY if is_dense else FEW) * 300
    once = json.dumps({"told": around, "answer": text}, ensure_ascii=ascii)
    twice = json.dumps([around, once], ensure_ascii=ascii)
    assert may_hold(text.encode())
    for raw in (once, twice, once.replace("/", "\\/")):
        assert may_hold(raw.encode(), in_json=True)


@given(st.one_of(TEXTS, TEXTS, TEXTS, LARGE_TEXTS))
def test_no_text_with_a_secret_is_missed_however_it_is_written(text: str) -> None:
    if is_changed(text):
        assert may_hold(text.encode())
        assert_seen({"session": "x", "answer": text, "end": "z"})


@given(TEXTS, st.sampled_from(HOW))
def test_no_secret_of_a_document_within_a_document_is_missed(
    text: str, how: dict[str, object]
) -> None:
    document = ["x", json.dumps({"session": "x", "answer": text}, **how)]  # type: ignore[arg-type]
    if is_changed(document):
        assert_seen(document)


@given(DOCUMENTS, st.booleans())
def test_no_secret_that_its_neighbours_tell_is_missed(document: object, is_inner: bool) -> None:
    whole = {"hook": "x", "input": document} if is_inner else document
    if is_changed(whole):
        assert_seen(whole)


def test_a_secret_in_a_large_text_of_hardly_a_sign_is_seen() -> None:
    around = "the quick brown fox jumps over a lazy dog and sees no sign, " * 400
    assert not may_hold(json.dumps({"told": around}).encode())
    for name, sample in SAMPLES.items():
        text = sample.around.format(sample.secret)
        for whole in (around + text + " " + around, around + text, text + " " + around):
            assert may_hold(whole.encode()), name
            assert may_hold(json.dumps({"told": whole}).encode()), name


MOST_LEAVE = 0.06
"""The share of the standard library's files, its own tests left out, that are looked at again (of 3.12 8
of 156)."""


def test_hardly_any_source_code_is_looked_at_again() -> None:
    root = Path(sysconfig.get_path("stdlib"))
    texts = [
        path.read_text("utf-8", "replace")
        for path in sorted(root.glob("*.py"))
        if path.stat().st_size < 100_000
    ]
    assert len(texts) > 100
    events = [json.dumps({"tool_response": {"file": {"content": text}}}).encode() for text in texts]
    leave = sum(may_hold(event, in_json=True) for event in events)
    assert leave <= MOST_LEAVE * len(events)
