"""What is a secret by where it comes from is taken out, and what only stands there isn't."""

import json

from memtui.store.capture.ingest.cleaning import cleaned
from memtui.store.text.redaction import scrub
from memtui.store.text.secrets.origins import without_secrets_of_call
from tests.promises import promise
from tests.store.text.secret_sources_samples import (
    HARMLESS_TEXTS,
    HARMLESS_USES,
    SECRET,
    TAKING,
    TEXTS,
    USES,
    Use,
    filled,
)
from tests.tables import table


@promise("secrets-never-stored")
@table("use", USES)
def test_a_use_of_a_tool_keeps_no_secret_of_a_known_source(use: Use) -> None:
    once = cleaned(filled(use))
    assert SECRET not in json.dumps(once)
    assert "[redacted " in json.dumps(once)
    assert cleaned(once) == once


@promise("secrets-never-stored")
@table("text", (*TEXTS, *(f"run this:\n{command}\nthen go on" for command in TAKING)))
def test_a_text_keeps_no_secret_that_a_line_of_it_announces(text: str) -> None:
    once = scrub(filled(text))
    assert SECRET not in once
    assert scrub(once) == once


@table("use", HARMLESS_USES)
def test_other_answers_stay(use: Use) -> None:
    assert cleaned(use) == use


@table("text", HARMLESS_TEXTS)
def test_other_texts_stay(text: str) -> None:
    assert scrub(text) == text


def test_a_use_that_gives_no_secret_stays_the_same_object() -> None:
    use = {"tool_input": {"command": "ls -l src"}, "tool_response": {"stdout": "total 0"}}
    assert without_secrets_of_call(use) is use
