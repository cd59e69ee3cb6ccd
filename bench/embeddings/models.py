"""Models to measure with: a small static one, and a server whose vectors mean nothing."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from bench.memories import CHINESE, Memories
from memtui.store.config import EmbeddingsSettings

DIMENSIONS = 64


@contextmanager
def small_model(folder: Path) -> Iterator[EmbeddingsSettings]:
    """Configure a static model in a directory, with a random vector for each word of the generated
    memories, while the block runs."""
    words = ["[UNK]", *dict.fromkeys(Memories().words), *sorted({*"".join(CHINESE)})]
    tokenizer = Tokenizer(WordLevel({word: row for row, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    rows = np.random.default_rng(7).standard_normal((len(words), DIMENSIONS)).astype(np.float32)
    save_file({"embeddings": rows}, folder / "model.safetensors")
    with configured(EmbeddingsSettings("static", directory=str(folder))) as settings:
        yield settings


@contextmanager
def knowing_nothing() -> Iterator[EmbeddingsSettings]:
    """Serve and configure a model whose vector of a text is drawn by chance, the same each time."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Random)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    settings = EmbeddingsSettings("openai-compatible", url=url, model="chance", daily_tokens=10**9)
    try:
        with configured(settings):
            yield settings
    finally:
        server.shutdown()


@contextmanager
def configured(settings: EmbeddingsSettings) -> Iterator[EmbeddingsSettings]:
    """Have `config.toml` name a model while the block runs."""
    names = ("provider", "url", "model", "directory", "daily_tokens")
    lines = [f"{name} = {json.dumps(getattr(settings, name))}" for name in names]
    before = os.environ.get("MEMTUI_CONFIG")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "config.toml"
        path.write_text("\n".join(["[embeddings]", *lines, ""]))
        os.environ["MEMTUI_CONFIG"] = str(path)
        try:
            yield settings
        finally:
            if before is None:
                del os.environ["MEMTUI_CONFIG"]
            else:
                os.environ["MEMTUI_CONFIG"] = before


class _Random(BaseHTTPRequestHandler):
    """Answers `/embeddings` with vectors that are drawn by a hash of each text."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = [{"index": place, "embedding": _drawn(text)} for place, text in enumerate(asked["input"])]
        raw = json.dumps({"data": found}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _drawn(text: str) -> list[float]:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
    drawn: list[float] = np.random.default_rng(seed).standard_normal(DIMENSIONS).round(4).tolist()
    return drawn
