"""A model's files that would hang, or bring down, whoever reads them are refused in a sentence."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tokenizers")

from memtui.store.leaves.embeddings.local_models import read_tensors
from memtui.store.leaves.embeddings.tokenizer import encode, load_tokenizer, may_take_for_ever
from memtui.store.providers.errors import ProviderError
from tests.tables import table


def replacing(pattern: str, content: str, kind: str = "String") -> dict[str, Any]:
    """A normalizer that puts one text in place of another."""
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def in_turn(*normalizers: dict[str, Any]) -> dict[str, Any]:
    """A normalizer of several."""
    return {"type": "Sequence", "normalizers": list(normalizers)}


def described(folder: Path, normalizer: object, unknown: str = "[UNK]") -> Path:
    """A tokenizer of words."""
    path = folder / "tokenizer.json"
    model = {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": unknown}
    path.write_text(
        json.dumps(
            {
                "version": "1.0",
                "added_tokens": [],
                "normalizer": normalizer,
                "pre_tokenizer": {"type": "Whitespace"},
                "model": model,
            }
        )
    )
    return path


@table(
    "normalizer",
    (
        in_turn(*[replacing("", "ab")] * 8),
        in_turn(*[replacing("a", "aaaaaaaaaa")] * 8),
        in_turn(in_turn(*[replacing("a*", "aa", "Regex")] * 4), *[replacing("", "b")] * 4),
        replacing("(a+)+b", "x", "Regex"),
        in_turn({"type": "Lowercase"}, replacing("(?:a|a)*b", "x", "Regex")),
        {"type": "Precompiled", "precompiled_charsmap": "AAAA"},
    ),
)
def test_a_tokenizer_that_never_ends_or_fails_is_refused(tmp_path: Path, normalizer: object) -> None:
    with pytest.raises(ProviderError, match="describes no tokenizer"):
        load_tokenizer(described(tmp_path, normalizer))


def test_usual_replacements_are_taken(tmp_path: Path) -> None:
    usual = in_turn(replacing("``", '"'), replacing(" {2,}", " ", "Regex"), replacing(" ", "▁"))
    assert encode(load_tokenizer(described(tmp_path, usual)), ["a a"])[0].ids


def test_a_tokenizer_without_a_word_for_the_unknown_says_so(tmp_path: Path) -> None:
    tokenizer = load_tokenizer(described(tmp_path, None, unknown="[NONE]"))
    with pytest.raises(ProviderError, match="can't be used"):
        encode(tokenizer, ["b"])


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(path := tmp_path / "model")
    with pytest.raises(ProviderError, match="not a file"):
        load_tokenizer(path)
    with pytest.raises(ProviderError, match="not a file"):
        read_tensors(path)


def test_a_header_that_is_too_deep_is_refused(tmp_path: Path) -> None:
    header = b"[" * 200_000
    (path := tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(ProviderError, match="no tensors"):
        read_tensors(path)


FOR_EVER = (
    "(a+)+$", "(a*)*b", "(?:a|a)*b", r"(\w|\d)+x", "(a+){2,}b", "((a+)b?)*c", r"(?:[a-z]+\s?)+$",
    "(a|ab)*c", "(?:(?:a+))*b", "(?:x?a+)+", "(?:a{1,})+b", "(?:.|a)+z", "(a{1,90}){1,90}b",
)  # fmt: skip
USUAL = (
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+",
    r"<\|startoftext\|>|[\p{L}]+|[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+",
    r"(?:\r\n|\n)+", "(?>a+)+", "(?:a+)++", " {2,}", r"(?=(\d{3})+(?!\d))",
)  # fmt: skip


@table(("pattern", "is_endless"), [*((one, True) for one in FOR_EVER), *((one, False) for one in USUAL)])
def test_what_repeats_in_several_ways_may_take_for_ever(pattern: str, is_endless: bool) -> None:
    assert may_take_for_ever(pattern) is is_endless


def test_a_splitting_pattern_that_may_take_for_ever_is_refused(tmp_path: Path) -> None:
    path = described(tmp_path, None)
    whole = json.loads(path.read_text())
    split = {"type": "Split", "pattern": {"Regex": "(a+)+b"}, "behavior": "Isolated", "invert": False}
    whole["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split]}
    path.write_text(json.dumps(whole))
    with pytest.raises(ProviderError, match="may take for ever"):
        load_tokenizer(path)
