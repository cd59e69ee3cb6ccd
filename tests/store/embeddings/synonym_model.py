"""A small static model to which some words mean the same, in English and Chinese."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from memtui.store.config import EmbeddingsSettings

MEANINGS = (
    "process program", "keeps holds", "cache store", "memory ram", "expired ended", "token ticket",
    "early soon", "deploys releases", "run start", "nightly daily", "with through", "uses employs",
    "redis", "memcached", "tabs", "indent", "code", "tests", "fail break", "in", "the", "not", "no",
    "longer", "a", "hours", "24 48", "缓 贮", "存", "进 程", "令", "牌", "过", "期", "到", "不",
)  # fmt: skip
"""Words by what they mean."""
DIMENSIONS = 32


def synonym_model(directory: Path) -> EmbeddingsSettings:
    """Write the model, and return settings that name it."""
    directory.mkdir(parents=True, exist_ok=True)
    words = ["[UNK]"]
    rows = [np.zeros(DIMENSIONS)]
    random = np.random.default_rng(3)
    for meaning in MEANINGS:
        vector = random.normal(size=DIMENSIONS)
        for word in meaning.split():
            words.append(word)
            rows.append(vector + 0.1 * random.normal(size=DIMENSIONS))
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.save(str(directory / "tokenizer.json"))
    save_file({"embeddings": np.array(rows, np.float32)}, directory / "model.safetensors")
    return EmbeddingsSettings("static", directory=str(directory))


def use(patch: pytest.MonkeyPatch, folder: Path, settings: EmbeddingsSettings, **values: object) -> None:
    """Have a configuration name a model."""
    told = {"provider": settings.provider, "directory": settings.directory, **values}
    lines = [f"{name} = {json.dumps(value)}" for name, value in told.items() if value]
    path = folder / "synonyms.toml"
    path.write_text("\n".join(["[embeddings]", *lines, ""]))
    patch.setenv("MEMTUI_CONFIG", str(path))
