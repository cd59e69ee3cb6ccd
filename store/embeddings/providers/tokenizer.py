"""A model's own tokenizer, as its `tokenizer.json` describes it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...providers.errors import ProviderError
from ...translation import _
from .tokenizer_patterns import may_take_for_ever, patterns_of

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

SPELLED, SHORTEST_SPELLED = 1.5, 4
"""A word of four letters or more whose pieces have no more letters than this on average is only spelled."""
USUAL = "this project"
"""Words that are spelled by a tokenizer only that spells all."""
UNKNOWN = ("[UNK]", "<unk>", "<UNK>")


MOST_GROWTH = 64
"""What its replacements may make of one character, at most."""


def load_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer that a file describes, which neither cuts nor pads. Raises ProviderError, also
    for one that would make texts grow without end, or whose patterns may take for ever."""
    # Its threads would gain little, and a process that forks would be told about them on its terminal.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    with failures_as(_("{path} describes no tokenizer", path=path)):
        if not path.is_file():
            raise ValueError(_("it is not a file"))
        tokenizer = Tokenizer.from_file(str(path))
        for part in (tokenizer.normalizer, tokenizer.pre_tokenizer):
            for pattern in patterns_of(json.loads(part.__getstate__())) if part else ():
                if may_take_for_ever(pattern):
                    raise ValueError(_("its pattern {pattern} may take for ever", pattern=f"{pattern:.80}"))
        growth = _growth(json.loads(tokenizer.normalizer.__getstate__())) if tokenizer.normalizer else 1.0
        if growth > MOST_GROWTH:
            raise ValueError(_("its normalizer replaces more and more"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, texts: Sequence[str], *, special: bool = False) -> list[Encoding]:
    """Return the tokens of texts, with those that mark begin and end or without. Raises ProviderError."""
    with failures_as(_("The model's tokenizer.json can't be used")):
        return tokenizer.encode_batch(list(texts), add_special_tokens=special)


@contextmanager
def failures_as(what: str) -> Iterator[None]:
    """Have whatever the package raises as ProviderError: it has nothing narrower, and where its own code
    fails that is no Exception."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ProviderError("auth", f"{what} ({error}).") from error


def _growth(normalizer: Any) -> float:
    """Return what the replacements of a normalizer make of one character, at most."""
    growth = 1.0
    for part in normalizer.get("normalizers", ()):
        growth *= _growth(part)
    if normalizer.get("type") == "Replace":
        result = normalizer["pattern"].get("String")
        growth *= max(
            1.0,
            len(normalizer["content"]) / len(result) if result else len(normalizer["content"]) + 1,
        )
    return growth


def unknown_id(tokenizer: Tokenizer) -> int | None:
    """Return the id that stands for what a tokenizer doesn't know; None where it knows everything."""
    own = getattr(tokenizer.model, "unk_token", None)
    names = (own,) if isinstance(own, str) else UNKNOWN
    return next((result for name in names if (result := tokenizer.token_to_id(name)) is not None), None)


def unknown_share(tokenizer: Tokenizer, texts: Sequence[str]) -> float:
    """Return the share of the texts' tokens that a tokenizer doesn't know: those that stand for what is
    unknown, and the pieces of words that it can only spell, unless it spells all words."""
    unknown = unknown_id(tokenizer)
    spells_all = bool(_spelled(encode(tokenizer, [USUAL])[0]))
    cleaned = [text.encode("utf-8", "replace").decode() for text in texts]
    total = strange = 0
    for encoding in encode(tokenizer, cleaned):
        spelled = set() if spells_all else _spelled(encoding)
        total += len(encoding.ids)
        strange += sum(
            number == unknown or word in spelled
            for number, word in zip(encoding.ids, encoding.word_ids, strict=True)
        )
    return strange / total if total else 0.0


def _spelled(encoded: Encoding) -> set[int]:
    """Return the numbers of the words that are but spelled."""
    pieces = Counter(word for word in encoded.word_ids if word is not None)
    letters: Counter[int] = Counter()
    for word, (start, end) in zip(encoded.word_ids, encoded.offsets, strict=True):
        if word is not None:
            letters[word] += end - start
    return {
        word
        for word, many in pieces.items()
        if letters[word] >= SHORTEST_SPELLED and letters[word] <= SPELLED * many
    }
