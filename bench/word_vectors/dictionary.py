"""The dictionary of word vectors.

It has for a Chinese word the English one that translations use for it, and for an English word the Chinese
one that is nearest in the table. How documents and the texts of programs in both languages translate a word
(IBM's model 1, in both directions) counts before what the encoder says of the word alone. A Chinese word
without an English one keeps its neighbours apart. The manifest names under `pairs` which files of the
repositories are translations of which. Two of its packages list words: Chinese ones with their kind (jieba)
and English ones by use (symspellpy).
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from bench.word_vectors.table import CHINESE, Encoder, Table, cohesive, git, is_han, unit
from memtui.store.search.related.word_vectors import LONGEST_HAN, ZERO
from memtui.store.text.language import words as language
from memtui.store.text.language.words import STOP_WORDS

LEAST_NEAR = 0.5
"""The cosine of an English and a Chinese word that are one thing, in the table."""
PARTICLE = "的"
"""Han with it are no word but a word and what belongs to it."""
ROUNDS, LONGEST = 6, 120
"""Rounds in which the translations of words are learnt, and the words of a text that teaches them."""
USED, COMMON, COMMON_ENGLISH, USED_ENGLISH = 2, 200, 25_000, 20
"""A Chinese word stands so often in the translations or so often in the list; an English one is among the
first so many of its list, or stands so often in the translations."""
FUNCTION = frozenset("d p c u r m q f y e o k h uj ul uv uz ug ud zg rr rz df mq".split())
"""The kinds of words that say nothing alone, unless translations have one word for them."""
SURE, SURE_COUNT = 0.25, 4
"""How likely that word is, and how often it was used."""
COUNT, LIKELY, NEAR, USE, ENOUGH = 1.5, 0.1, 0.62, 0.04, 0.2
"""The least count and likelihood of a translation, the least cosine by the encoder, the weight of a word's
use, and the least score of all."""
CODE = re.compile(
    r"```.*?```|<!--.*?-->|^---\n.*?\n---|^( {4}|\t).*$|<[^>\n]{1,200}>|\{[%{].*?[%}]\}|\{ ?#.*?\}",
    re.S | re.M,
)
LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)|https?://\S+")
BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|\n(?=\||#)")
HEADINGS = re.compile(r"(?m)^#{1,6} ")
SETTING = re.compile(r"(?m)^([\w.]+)\s*=\s*(.*)$")
UNIT = re.compile(r"<source>(.*?)</source>\s*<target[^>]*>(.*?)</target>", re.S)
ENGLISH, HUMPS = re.compile("[a-z]{2,20}"), re.compile(r"(?<=[a-z])(?=[A-Z])")
INSIDE = frozenset("的了是在和与或你我它该此并将您这那吗")
Pair = tuple[str, str]


class Translation(NamedTuple):
    """An English word for a Chinese one: how likely they are each other's, and how often they were."""

    word: str
    likely: float
    times: float


def made(encoder: Encoder, table: Table, folder: Path, manifest: dict[str, Any]) -> bytes:
    """Return the dictionary, a line a word, and write its figures into the manifest."""
    pairs = [pair for source in manifest["pairs"] for pair in pairs_of(folder, source)]
    lines = sorted([*to_english(encoder, pairs), *to_chinese(table)])
    manifest["dictionary"] = {"pairs": len(pairs), "words": len(lines)}
    return "\n".join(lines).encode()


def pairs_of(folder: Path, source: dict[str, Any]) -> Iterator[Pair]:
    """Yield what a repository says in English and in Chinese, a text of each."""
    repository, commit = folder / source["repository"].replace("/", "+") / "repo", source["commit"]
    hashed = sha256()
    paths = git(repository, "ls-tree", "-r", "--name-only", commit).decode().splitlines()
    for path in sorted(path for path in paths if re.search(source["chinese"], path)):
        original = re.sub(source["chinese"], source["english"], path)
        if original in paths:
            english, chinese = (
                git(repository, "show", f"{commit}:{one}").decode("utf-8-sig", "replace")
                for one in (original, path)
            )
            hashed.update((english + chinese).encode())
            yield from READERS[path.rpartition(".")[2]](english, chinese)
    source["sha256"] = hashed.hexdigest()


def _of_blocks(english: str, chinese: str) -> Iterator[Pair]:
    """Pair the blocks of two documents that have as many, or those of their sections."""
    if len(_blocks(english)) == len(_blocks(chinese)):
        yield from zip(_blocks(english), _blocks(chinese), strict=True)
        return
    sections = [HEADINGS.split(CODE.sub(" ", text)) for text in (english, chinese)]
    if len(sections[0]) == len(sections[1]):
        for own, other in zip(*sections, strict=True):
            if len(_blocks(own)) == len(_blocks(other)):
                yield from zip(_blocks(own), _blocks(other), strict=True)


def _blocks(text: str) -> list[str]:
    bare = LINK.sub(lambda match: match[1] or " ", CODE.sub(" ", text))
    return [block.strip() for block in BLOCKS.split(bare) if re.search(r"\w", block)]


def _of_json(english: str, chinese: str) -> Iterator[Pair]:
    yield from _by_key(dict(_flat(json.loads(english))), dict(_flat(json.loads(chinese))))


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict | list):
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(one, f"{key}.{name}")


def _of_settings(english: str, chinese: str) -> Iterator[Pair]:
    yield from _by_key(_settings(english), _settings(chinese))


def _settings(text: str) -> dict[str, str]:
    sections = enumerate(re.split(r"(?m)^\[", text))
    return {f"{place}.{name}": value for place, one in sections for name, value in SETTING.findall(one)}


def _of_units(_: str, chinese: str) -> Iterator[Pair]:
    for match in UNIT.finditer(chinese):
        yield re.sub("<[^>]*>", " ", match[1]), re.sub("<[^>]*>", " ", match[2])


def _by_key(english: Mapping[str, str], chinese: Mapping[str, str]) -> Iterator[Pair]:
    for key in sorted(english.keys() & chinese.keys()):
        if CHINESE.search(chinese[key]):
            yield english[key], chinese[key]


READERS = {"md": _of_blocks, "json": _of_json, "ini": _of_settings, "xlf": _of_units}


def to_english(encoder: Encoder, pairs: list[Pair]) -> Iterator[str]:
    """Yield a line for each Chinese word, with its English one where it has one."""
    import numpy as np

    listed = chinese_list()
    texts = [*texts_in_words(pairs)]
    used = Counter(word for _, words in texts for word in words)
    used_english = Counter(word for words, _ in texts for word in words)
    translations = learnt(texts)
    chinese = [word for word, (count, _) in listed.items() if count >= COMMON or used[word] >= USED]
    english = english_words(used_english)
    rows = encoder.vectors(english)
    cosines = encoder.vectors(chinese) @ rows.T
    use = np.array([math.log10(1 + used_english[word]) for word in english])
    for word, row in zip(chinese, cosines, strict=True):
        known = translations.get(word, [])
        is_sure = any(one.likely >= SURE and one.times >= SURE_COUNT for one in known[:3])
        if listed[word][1] in FUNCTION and not is_sure:
            yield word
            continue
        scores = scores_of(known)
        near = row + USE * use
        counted: set[str] = set()
        for place in np.argsort(-near, kind="stable")[:12]:
            stem = language._stem(english[place])
            if row[place] >= NEAR and stem not in counted:
                counted.add(stem)
                score, own = scores.get(stem, (0.0, english[place]))
                gain = float(row[place]) - LEAST_NEAR
                scores[stem] = (score + gain + USE * float(use[place]), own)
        yield line(word, scores)
    for word in sorted(word for word, count in used.items() if count >= USED and word not in listed):
        if len(word) <= LONGEST_HAN:
            yield line(word, scores_of(translations.get(word, [])))


def scores_of(known: list[Translation]) -> dict[str, tuple[float, str]]:
    """Return by stems the likeliest translations, each with its score."""
    return {
        language._stem(one.word): (one.likely * min(1.0, one.times / 4) ** 0.5, one.word)
        for one in reversed(known[:6])
        if one.times >= COUNT and one.likely >= LIKELY and len(one.word) > 2
    }


def line(word: str, scores: dict[str, tuple[float, str]]) -> str:
    """Return the dictionary's line of a Chinese word."""
    score, best = max(scores.values(), default=(0.0, ""))
    return f"{word} {best}" if score >= ENOUGH else word


def to_chinese(table: Table) -> Iterator[str]:
    """Yield a line for each English word of the table that has a Chinese one near to it there."""
    import numpy as np

    words, number = table.words, len(table.words)
    packed = np.frombuffer(table.rows, np.uint8).reshape(number, -1)
    numbers = np.stack([packed >> 4, packed & 15], -1).reshape(number, -1).astype(np.float32) - ZERO
    vectors = unit(numbers * np.frombuffer(table.scales, "<u2")[:, None])
    long = [place for place, word in enumerate(words) if len(word) > 1]
    chinese = [place for place in long if is_han(words[place]) and PARTICLE not in words[place]]
    for place in long:
        if (word := words[place]).isascii() and word.isalpha() and word not in STOP_WORDS:
            cosines = vectors[chinese] @ vectors[place]
            if cosines.max() >= LEAST_NEAR:
                yield f"{word} {words[chinese[cosines.argmax()]]}"


def chinese_list() -> dict[str, tuple[int, str]]:
    """Return Chinese words with their use and kind, by jieba."""
    text = (Path(str(import_module("jieba").__file__)).parent / "dict.txt").read_text("utf-8")
    rows = [line.split() for line in text.splitlines()]
    return {
        word: (int(count), kind)
        for word, count, kind in rows
        if 1 < len(word) <= LONGEST_HAN and CHINESE.sub("", word) == ""
    }


def english_words(used: Counter[str]) -> list[str]:
    """Return the English words that a Chinese one may have, in order."""
    folder = Path(str(import_module("symspellpy").__file__)).parent
    text = (folder / "frequency_dictionary_en_82_765.txt").read_text("utf-8-sig")
    listed = [word for word in (line.split()[0] for line in text.splitlines()) if word.isalpha()]
    words = {*listed[:COMMON_ENGLISH], *(word for word, count in used.items() if count >= USED_ENGLISH)}
    return sorted(word for word in words if word.isascii() and len(word) > 2 and word not in STOP_WORDS)


def texts_in_words(pairs: list[Pair]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield each pair of texts once, as English and Chinese words. Strings of Han that jieba lacks and that
    stand together too often for chance are words too."""
    jieba = import_module("jieba")
    # Its cache beside it, lest another version's be taken.
    jieba.dt.tmp_dir = str(Path(str(jieba.__file__)).parent)
    runs = [run for _, text in pairs for run in re.findall(f"{CHINESE.pattern}+", text)]
    for word in sorted(cohesive(runs)):
        apart = all(len(part) == 1 for part in jieba.lcut(word, HMM=False))
        if len(word) < LONGEST_HAN and not jieba.dt.FREQ.get(word) and apart and not INSIDE & set(word):
            jieba.add_word(word)
    seen = set()
    for one, other in pairs:
        english = tuple(ENGLISH.findall(HUMPS.sub(" ", one).lower()))
        cut = jieba.lcut(other, HMM=False)
        chinese = tuple(word for word in cut if len(word) > 1 and CHINESE.sub("", word) == "")
        pair = english, chinese
        if english and chinese and max(map(len, pair)) < LONGEST and pair not in seen:
            seen.add(pair)
            yield pair


def learnt(texts: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> dict[str, list[Translation]]:
    """Return for Chinese words their English ones, the likeliest first."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    sides: list[tuple[list[str], list[str]]] = []
    for english, chinese in texts:
        kept = [word for word in english if word not in STOP_WORDS]
        for word in kept:
            forms[language._stem(word)][word] += 1
        if kept:
            sides.append(([*map(language._stem, kept)], [*chinese]))
    to = likelihoods([(chinese, stems) for stems, chinese in sides])
    back = likelihoods(sides)
    results: defaultdict[str, list[Translation]] = defaultdict(list)
    for (chinese_word, stem), (likely, count) in to.items():
        if (stem, chinese_word) in back:
            both = math.sqrt(likely * back[stem, chinese_word][0])
            results[chinese_word].append(Translation(forms[stem].most_common(1)[0][0], both, count))
    return {word: sorted(some, key=lambda one: (-one.likely, one.word)) for word, some in results.items()}


def likelihoods(sides: list[tuple[list[str], list[str]]]) -> dict[tuple[str, str], tuple[float, float]]:
    """Return how likely words of texts are translated by each word of the others, and how often they were,
    by IBM's model 1 with an empty word beside each text's."""
    import numpy as np

    sources = {"": 0} | {
        word: at for at, word in enumerate(sorted({it for own, _ in sides for it in own}), 1)
    }
    targets = {word: at for at, word in enumerate(sorted({it for _, other in sides for it in other}))}
    first, second, groups, group = [], [], [], 0
    for own, other in sides:
        places = np.array([0, *map(sources.__getitem__, own)])
        wanted = np.array([*map(targets.__getitem__, other)])
        first.append(np.tile(places, len(wanted)))
        second.append(np.repeat(wanted, len(places)))
        groups.append(np.repeat(np.arange(group, group + len(wanted)), len(places)))
        group += len(wanted)
    each = np.concatenate(groups)
    keys, inverse = np.unique(
        np.concatenate(first) * len(targets) + np.concatenate(second), return_inverse=True
    )
    likely: Any = np.ones(len(keys))
    counts: Any = likely
    for _ in range(ROUNDS):
        weights = likely[inverse]
        counts = np.bincount(inverse, weights / np.bincount(each, weights)[each], len(keys))
        likely = counts / np.bincount(keys // len(targets), counts)[keys // len(targets)]
    names, others = [*sources], [*targets]
    return {
        (names[key // len(targets)], others[key % len(targets)]): (float(share), float(count))
        for key, share, count in zip(keys.tolist(), likely, counts, strict=True)
        if share > 0.01 and key >= len(targets)
    }
