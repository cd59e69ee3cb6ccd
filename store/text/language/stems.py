"""What the forms of an English word have in common, so that texts can be compared: "moved", "moves" and
"moving" are one word, and so are "docs" and "documentation".

It is no word of the index, whose stems are SQLite's. Nothing is imported: a hook's process waits for it.
"""

from __future__ import annotations

ENDINGS = {
    "s": ("ations", "ings", "ies", "es", "s"), "n": ("ation",), "g": ("ing",), "d": ("ied", "ed", "d"),
    "e": ("e",),
}  # fmt: skip
"""By their last letters, the longest first."""
OF_VERBS = ("ation", "ations", "ed", "ing", "e", "es")
"""Endings before which an "at" is no part of the stem: "migrate", "migration"."""
SHORTEST = 3
"""Letters of a stem, at least."""
IRREGULAR = {
    "using": "use", "written": "write", "wrote": "write", "built": "build", "found": "find", "made": "make",
    "ran": "run", "chose": "choose", "chosen": "choose", "kept": "keep", "sent": "send", "left": "leave",
}  # fmt: skip
SYNONYMS = {
    "auth": "authentic", "conf": "configur", "cfg": "configur", "config": "configur", "dbs": "db",
    "databas": "db", "dir": "director", "deployment": "deploy",
    "doc": "document", "env": "environment", "repo": "repositor",
    "modif": "chang", "repair": "fix", "implement": "add", "creat": "add",
    "introduc": "add", "switch": "mov", "migr": "mov", "shift": "mov", "reloc": "mov", "adopt": "use",
    "pr": "pullrequest", "mr": "pullrequest",
}  # fmt: skip
"""Stems of words that say the same as another one, with the other's."""


def stem(word: str) -> str:
    """Return the stem of a word in lower case, or of another one that says the same; a word with a digit
    or a sign in it is its own."""
    if not (word.isascii() and word.isalpha()):
        return word
    result = _stem(IRREGULAR.get(word, word))
    return SYNONYMS.get(result, result)


def _stem(word: str) -> str:
    if len(word) <= SHORTEST:
        return word
    for ending in ENDINGS.get(word[-1], ()):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            word = word[: -len(ending)]
            if ending in OF_VERBS and word.endswith("at") and len(word) > SHORTEST + 2:
                word = word[:-2]
            break
    if len(word) > SHORTEST and word[-1] == "y" and word[-2] not in "aeiou":
        # "retry" and "retries".
        return word[:-1]
    # "committed" and "commit", "running" and "run".
    return word[:-1] if len(word) > SHORTEST and word[-1] == word[-2] else word
