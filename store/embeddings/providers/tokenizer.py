"""A model's own tokenizer, as its `tokenizer.json` describes it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...providers.errors import ProviderError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

SPELLED, SHORTEST_SPELLED = 1.5, 4
"""A word of four letters or more whose pieces have no more letters than this on average is only spelled."""
USUAL = "this project"
"""Words that are spelled by a tokenizer only that spells all."""
UNKNOWN = ("[UNK]", "<unk>", "<UNK>")


def load_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer that a file describes, which neither cuts nor pads. Raises ProviderError."""
    # Its threads would gain little, and a process that forks would be told about them on its terminal.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    try:
        found = Tokenizer.from_file(str(path))
    # The package raises nothing narrower.
    except Exception as error:
        raise ProviderError("auth", f"{path} describes no tokenizer ({error}).") from error
    found.no_truncation()
    found.no_padding()
    return found


def unknown_id(tokenizer: Tokenizer) -> int | None:
    """Return the id that stands for what a tokenizer doesn't know; None where it knows everything."""
    own = getattr(tokenizer.model, "unk_token", None)
    names = (own,) if isinstance(own, str) else UNKNOWN
    return next(
        (found for name in names if (found := tokenizer.token_to_id(name)) is not None), None
    )


def unknown_share(tokenizer: Tokenizer, texts: Sequence[str]) -> float:
    """Return the share of the texts' tokens that a tokenizer doesn't know: those that stand for what is
    unknown, and the pieces of words that it can only spell, unless it spells all words."""
    unknown = unknown_id(tokenizer)
    spells_all = bool(_spelled(tokenizer.encode(USUAL, add_special_tokens=False)))
    cleaned = [text.encode("utf-8", "replace").decode() for text in texts]
    total = strange = 0
    for one in tokenizer.encode_batch(cleaned, add_special_tokens=False):
        spelled = set() if spells_all else _spelled(one)
        total += len(one.ids)
        strange += sum(
            number == unknown or word in spelled
            for number, word in zip(one.ids, one.word_ids, strict=True)
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
