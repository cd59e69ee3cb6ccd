"""Count the samples of gitleaks that the redaction finds, and those it takes for secrets wrongly.

`python -m bench.secrets.samples PATH` takes a clone of gitleaks (MIT, not kept here): its rules are
Go files with the texts they have to find and those they must not. Texts that are made as gitleaks'
tests run are made here at random. Its regular expressions are then tried on our own samples, as far
as Python's are the same.
"""

import json
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from bench.secrets.rules import made, tree
from memtui.store.text.redaction import redact
from tests.store.text.near_misses import HARMLESS
from tests.store.text.secret_samples import SAMPLES

RULES = "cmd/generate/config/rules"
LITERAL = r'"(?:[^"\\\n]|\\.)*"|`[^`]*`'
CALL = r"secrets\.NewSecret(?:WithEntropy)?\((?P<made>[^()]*(?:\([^()]*\))?)[^()]*\)"
CLASSES = {
    "Numeric": "[0-9]",
    "Hex": "[a-f0-9]",
    "AlphaNumeric": "[a-z0-9]",
    "AlphaNumericExtendedShort": "[a-z0-9_-]",
    "AlphaNumericExtended": "[a-z0-9=_-]",
    "AlphaNumericExtendedLong": "[a-z0-9/=_+-]",
}
BLANKS = {"n": "\n", "t": "\t", "r": "\r"}
FORMS = (
    '{name}Token = "{secret}"',
    "{name}_TOKEN={secret}",
    '{{"{name}_token": "{secret}"}}',
    "{name}_token: {secret}",
    "String {name}Token = '{secret}';",
    'System.setProperty("{name}_TOKEN", "{secret}")',
)
"""Some of those that gitleaks makes of a name and a secret."""


def main() -> None:
    """Print recall and false positives of both sides."""
    clone = sys.argv[1]
    found = {True: [0, 0], False: [0, 0]}
    missed: dict[str, list[str]] = {}
    chance = random.Random(1)
    for path in files(clone):
        for is_secret, text in samples(read(clone, path), chance):
            is_changed = redact(text) != text
            found[is_secret][0] += is_changed
            found[is_secret][1] += 1
            if is_changed != is_secret:
                missed.setdefault(Path(path).stem, []).append(("+ " if is_secret else "- ") + text[:120])
    for is_secret, (changed, total) in found.items():
        kind = "true samples found" if is_secret else "false ones changed"
        print(f"ours on gitleaks' samples, {kind}: {changed} of {total}")
    theirs(read(clone, "config/gitleaks.toml"))
    if "--missed" in sys.argv:
        print(json.dumps(missed, indent=1, ensure_ascii=False))


def theirs(config: str) -> None:
    """Print what gitleaks' expressions find of our own samples."""
    rules: list[re.Pattern[str]] = []
    for rule in tomllib.loads(config)["rules"]:
        try:
            rules.append(re.compile(python(rule["regex"])))
        except (re.error, KeyError):
            continue
    kinds = sum(
        any(rule.search(sample.around.format(sample.secret)) for rule in rules)
        for sample in SAMPLES.values()
    )
    wrong = sum(any(rule.search(text) for rule in rules) for text in HARMLESS)
    print(f"gitleaks' {len(rules)} expressions on our kinds: {kinds} of {len(SAMPLES)} found")
    print(f"gitleaks' on our harmless texts: {wrong} of {len(HARMLESS)} matched")


def python(expression: str) -> str:
    """Go's expression as Python reads it."""
    for go, ours in (("[:alnum:]", "A-Za-z0-9"), ("\\z", "\\Z"), ("\\x60", "`")):
        expression = expression.replace(go, ours)
    flags = "".join(dict.fromkeys("".join(re.findall(r"\(\?([ims]+)\)", expression))))
    expression = re.sub(r"\(\?[ims]+\)", "", expression)
    return f"(?{flags}:{expression})" if flags else expression


def files(clone: str) -> list[str]:
    """The rules' files, in the order of their names."""
    listed = git(clone, "ls-tree", "-r", "--name-only", "HEAD", RULES)
    return [path for path in listed.split() if path.endswith(".go")]


def read(clone: str, path: str) -> str:
    """A file of the newest commit, of a clone with or without a work tree."""
    return git(clone, "show", f"HEAD:{path}")


def git(clone: str, *words: str) -> str:
    """The output of a git command in a clone; CalledProcessError where it fails."""
    return subprocess.run(["git", "-C", clone, *words], capture_output=True, text=True, check=True).stdout


def samples(source: str, chance: random.Random) -> Iterator[tuple[bool, str]]:
    """The texts of a rule's file, and whether a secret is in each."""
    for function in re.split(r"\nfunc ", source)[1:]:
        for name, is_secret in (("tps", True), ("fps", False)):
            for start in re.finditer(rf"\b{name}\s*:?=\s*", function):
                for text in texts(statement(function[start.end() :]), chance):
                    yield is_secret, text


def statement(source: str) -> str:
    """The source up to where its first statement ends."""
    depth = 0
    for part in re.finditer(rf"{LITERAL}|//[^\n]*|[({{\[]|[)}}\]]|\n", source):
        if part[0] in "({[":
            depth += 1
        elif part[0] in ")}]":
            depth -= 1
        if depth < 0 or (depth == 0 and part[0] == "\n"):
            return source[: part.start()]
    return source


def texts(source: str, chance: random.Random) -> Iterator[str]:
    """The strings of a list or a call, each put together of its parts."""
    source = re.sub(rf"({LITERAL})|//[^\n]*", lambda part: part[1] or "", source)
    sample = re.search(rf"GenerateSampleSecrets?\(\s*({LITERAL})\s*,\s*(.*)\)", source, re.DOTALL)
    if sample:
        secret = value(sample[2], chance)
        if secret:
            for form in FORMS:
                yield form.format(name=value(sample[1], chance), secret=secret)
        return
    inner = source[source.find("{") + 1 : source.rfind("}")] if "{" in source else ""
    for item in split(inner):
        text = value(item.partition(":")[2] if re.match(rf"\s*(?:{LITERAL})\s*:", item) else item, chance)
        if text:
            yield text


def split(source: str) -> Iterator[str]:
    """A list's items."""
    depth = start = 0
    for part in re.finditer(rf"{LITERAL}|[({{\[]|[)}}\]]|,", source):
        depth += (part[0] in "({[") - (part[0] in ")}]") if len(part[0]) == 1 else 0
        if part[0] == "," and not depth:
            yield source[start : part.start()]
            start = part.end()
    yield source[start:]


def value(source: str, chance: random.Random) -> str:
    """The string that strings and calls make, joined by plus signs; empty where it isn't told here."""
    text = ""
    rest = source.strip()
    while rest:
        literal = re.match(LITERAL, rest)
        call = re.match(
            r"(?:secrets\.NewSecret\w*|newPlausibleSecret)\((.*?)\)+(?=\s*(?:\+|$|,))", rest, re.DOTALL
        )
        if literal:
            text += unquoted(literal[0])
            rest = rest[literal.end() :].strip()
        elif call:
            text += random_text(call[1], chance)
            rest = rest[call.end() :].strip()
        else:
            return ""
        if not rest:
            break
        if not rest.startswith("+"):
            return ""
        rest = rest[1:].strip()
    return text


def unquoted(literal: str) -> str:
    """A Go string's text."""
    if literal[0] == "`":
        return literal[1:-1]
    return re.sub(r"\\(.)", lambda escape: BLANKS.get(escape[1], escape[1]), literal[1:-1])


def random_text(told: str, chance: random.Random) -> str:
    """A text of the class, or of the expression, that a call names."""
    named = re.match(r"utils\.(\w+)\(\"(\d+)(?:,\d*)?\"", told)
    if named:
        return made(tree(f"{CLASSES.get(named[1], '[a-z0-9]')}{{{named[2]}}}"), {}, chance)
    literal = re.match(LITERAL, told)
    return made(tree(unquoted(literal[0])), {}, chance) if literal else ""


if __name__ == "__main__":
    main()
