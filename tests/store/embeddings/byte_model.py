"""A small model that knows every byte, so that each text has a vector of its own: and what the files of
a memory's vectors hold, compared with what the memory says, by nothing that made them."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from memtui.store.leaves.embeddings.blocks import BLOCK_BYTES
from memtui.store.leaves.embeddings.vector_file import hash_of
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel

from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.search.index.documents import SHAPES, made_of
from memtui.store.search.related.passages import passages

DIMENSIONS = 24

Vectors = NDArray[np.float32]
Linked = dict[tuple[str, int], set[bytes]]


def byte_model(directory: Path, seed: int = 1, dimensions: int = DIMENSIONS) -> EmbeddingsSettings:
    """Write a static model whose tokens are bytes, and return settings that name it."""
    directory.mkdir(parents=True, exist_ok=True)
    alphabet = {letter: number for number, letter in enumerate(sorted(ByteLevel.alphabet()))}
    tokenizer = Tokenizer(BPE(vocab=alphabet, merges=[]))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.save(str(directory / "tokenizer.json"))
    rows = np.random.default_rng(seed).normal(size=(len(alphabet), dimensions))
    save_file({"embeddings": rows.astype(np.float32)}, directory / "model.safetensors")
    return EmbeddingsSettings("static", directory=str(directory))


@cache
def vector_of(settings: EmbeddingsSettings, text: str) -> Vectors:
    """A text's vector by a model."""
    found: Vectors = embedder(settings).embed([text])[0]
    return found


def forms_of(vector: Vectors) -> tuple[bytes, ...]:
    """The bytes of a vector in any form in which one could be kept."""
    scale = np.abs(vector).max() / 127
    return (
        vector.astype(np.float32).tobytes(),
        vector.astype(np.float16).tobytes(),
        np.rint(vector / scale).astype(np.int8).tobytes(),
    )


def texts_said(path: Path) -> dict[tuple[str, int], list[str]]:
    """The passages of all memories that may be seen, by the view of the rows."""
    found: dict[tuple[str, int], list[str]] = {}
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        for kind, number in db.execute("SELECT kind, record_id FROM visible_memories"):
            shape = SHAPES[kind]
            sql = f"SELECT {', '.join(shape.columns)} FROM {shape.table} WHERE id = ?"
            values: Any = dict(zip(shape.columns, db.execute(sql, (number,)).fetchone() or (), strict=True))
            found[kind, number] = passages(made_of(1, kind, values))
    return found


def vector_files(path: Path) -> list[Path]:
    """The files of a memory's vectors."""
    return sorted(Path(f"{path}-vectors").glob("*.db"))


@contextmanager
def opened(file: Path) -> Iterator[apsw.Connection]:
    """A plain connection to a file of vectors."""
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        yield db


def strangers(path: Path, settings: EmbeddingsSettings) -> list[str]:
    """What the files of vectors hold that the memory doesn't say, or not as the model does."""
    said = texts_said(path)
    texts = {hash_of(text): text for found in said.values() for text in found}
    wrong: list[str] = []
    for file in vector_files(path):
        with opened(file) as db:
            if not db.execute("SELECT count(*) FROM sqlite_schema").get:
                # Killed before it was made.
                continue
            model = _model_of(db, settings)
            wrong += _wrong_vectors(db, model, texts)
            for (kind, number), hashes in _links(db).items():
                wanted = {hash_of(text) for text in said.get((kind, number), ())}
                wrong += [f"{kind}{number} says none of {one.hex()}" for one in hashes - wanted]
    return wrong


def missing(path: Path, settings: EmbeddingsSettings) -> list[str]:
    """What the memory says that the model's file lacks."""
    said = texts_said(path)
    for file in vector_files(path):
        with opened(file) as db:
            if _model_of(db, settings) != settings:
                continue
            links = _links(db)
            return [
                f"{kind}{number} lacks {text!r}"
                for (kind, number), found in said.items()
                for text in found
                if hash_of(text) not in links.get((kind, number), set())
            ]
    return ["there is no file"]


def _model_of(db: apsw.Connection, settings: EmbeddingsSettings) -> EmbeddingsSettings:
    """The model of a file, which is that of some settings or another of the same provider."""
    text = db.execute("SELECT value FROM meta WHERE key = 'settings'").get
    told = json.loads(text or "{}")
    if not told or told["directory"] == settings.directory:
        return settings
    return EmbeddingsSettings("static", directory=told["directory"])


def _links(db: apsw.Connection) -> Linked:
    found: Linked = {}
    sql = "SELECT kind, record_id, hash FROM passages JOIN vectors ON vectors.id = vector_id"
    for kind, number, hash in db.execute(sql):
        found.setdefault((kind, number), set()).add(hash)
    return found


def _wrong_vectors(
    db: apsw.Connection, model: EmbeddingsSettings, texts: dict[bytes, str]
) -> Iterator[str]:
    """What is wrong with the vectors themselves: each of a text, in both of its forms, and no other."""
    rows: Any = db.execute("SELECT id, hash, vector FROM vectors").fetchall()
    dimensions = int(db.execute("SELECT value FROM meta WHERE key = 'dimensions'").get or 0)
    codes, scales = _blocks(db, dimensions)
    for number, hash, raw in rows:
        if hash not in texts:
            yield f"a vector of {hash.hex()}, which nobody says"
            continue
        vector = vector_of(model, texts[hash])
        if not np.allclose(np.frombuffer(raw, np.float16), vector, atol=2e-3):
            yield f"another vector than that of {texts[hash]!r}"
        if not np.allclose(codes[number - 1] * scales[number - 1], vector, atol=1e-2):
            yield f"other codes than those of {texts[hash]!r}"
    places = {number - 1 for number, _, _ in rows}
    yield from (
        f"codes at the free place {place}"
        for place in np.flatnonzero(codes.any(axis=1) | (scales != 0)).tolist()
        if place not in places
    )
    orphans = "SELECT count(*) FROM vectors WHERE id NOT IN (SELECT vector_id FROM passages)"
    if many := db.execute(orphans).get:
        yield f"{many} vectors that no record has"


def _blocks(db: apsw.Connection, dimensions: int) -> tuple[Vectors, Vectors]:
    size = BLOCK_BYTES // max(1, dimensions)
    rows: Any = db.execute("SELECT id, codes, scales FROM blocks ORDER BY id").fetchall()
    assert [number for number, _, _ in rows] == [*range(len(rows))]
    codes = [np.frombuffer(raw, np.int8).reshape(size, dimensions) for _, raw, _ in rows]
    scales = [np.frombuffer(raw, np.float32) for _, _, raw in rows]
    if not rows:
        return np.empty((0, 0), np.float32), np.empty(0, np.float32)
    return np.concatenate(codes).astype(np.float32), np.concatenate(scales)
