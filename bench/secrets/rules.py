"""Count the rules of gitleaks whose samples the redaction finds; the samples are made of the rules.

`python -m bench.secrets.rules PATH` takes gitleaks' `config/gitleaks.toml` (MIT, not kept here).
"""

import random
import re
import sys
import tomllib
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from string import ascii_letters, digits
from typing import Any

from memtui.store.text.redaction import redact

ALNUM = ascii_letters + digits
CATEGORIES = {
    codes.CATEGORY_WORD: ALNUM + "_",
    codes.CATEGORY_DIGIT: digits,
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_WORD: " ",
    codes.CATEGORY_NOT_SPACE: ALNUM,
    codes.CATEGORY_NOT_DIGIT: ascii_letters,
}
ASSIGNED = "(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'\"\\s=]{0,5}"
"""Stands in the rules that know a secret by the name it is assigned to."""
FORMS = ('{0}_api_token = "{1}"', "{0}_TOKEN={1}", '{{"{0}_key": "{1}"}}', "export {0}_API_KEY={1}")
SAMPLES = 30


def main() -> None:
    """Print the rules by how many of their samples are found."""
    rules = tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))["rules"]
    shares: dict[str, float] = {}
    for rule in rules:
        chance = random.Random(rule["id"])
        try:
            found = [is_found(*sample(rule, chance)) for _ in range(SAMPLES)]
            shares[rule["id"]] = sum(found) / SAMPLES
        except (re.error, KeyError):
            # Go's expressions aren't all Python's.
            continue
    whole = [name for name, share in shares.items() if share == 1]
    most = [f"{name} {share:.0%}" for name, share in shares.items() if 0.5 <= share < 1]
    few = [f"{name} {share:.0%}" for name, share in shares.items() if share < 0.5]
    print(f"{len(shares)} of {len(rules)} rules tried: {len(whole)} found always, {len(most)} mostly")
    print(f"mostly: {', '.join(most)}\nseldom or never ({len(few)}): {', '.join(few)}")


def sample(rule: dict[str, Any], chance: random.Random) -> tuple[str, str]:
    """A text that a rule matches, and the secret in it."""
    groups: dict[int, str] = {}
    if ASSIGNED in rule["regex"]:
        before, after = rule["regex"].split(ASSIGNED, 1)
        names = re.split(r"\(\?i:|\(\?:", before)[-1].rstrip(")").split("|")[0]
        name = made(tree(names), {}, chance)
        text = made(tree(after), groups, chance)
        secret = groups.get(1, text)
        return chance.choice(FORMS).format(name, secret), secret
    text = made(tree(rule["regex"]), groups, chance)
    group = rule.get("secretGroup") or (1 if len(groups) == 1 else 0)
    secret = groups.get(group, text).strip("'\"`\n\r; =\\") or text
    return f"it is {text}\nand on", secret


def is_found(text: str, secret: str) -> bool:
    """Return whether a redacted text holds nothing of the secret any more."""
    return secret not in redact(text)


def tree(expression: str) -> Any:
    """Go's expression as Python parses it, its letter case as written."""
    for go, python in (("[:alnum:]", "A-Za-z0-9"), ("\\z", "\\Z"), ("\\x60", "`"), ("(?-i:", "(?:")):
        expression = expression.replace(go, python)
    return parser.parse(re.sub(r"\(\?[ims]+\)", "", expression))


def made(parts: Any, groups: dict[int, str], chance: random.Random) -> str:
    """A text that an expression matches; the texts of its groups by number."""
    text = ""
    for code, what in parts:
        match code:
            case codes.LITERAL:
                text += chr(what)
            case codes.IN:
                text += chance.choice(one_of(what))
            case codes.ANY | codes.NOT_LITERAL:
                text += chance.choice(ALNUM)
            case codes.BRANCH:
                text += made(chance.choice(what[1]), groups, chance)
            case codes.SUBPATTERN:
                inner = made(what[3], groups, chance)
                if what[0]:
                    groups.setdefault(what[0], inner)
                text += inner
            case codes.MAX_REPEAT | codes.MIN_REPEAT:
                least, most, inner = what
                for _ in range(chance.randint(least, max(least, min(most, least + 8)))):
                    text += made(inner, groups, chance)
    return text


def one_of(items: Any) -> list[str]:
    """The characters of a set."""
    found: set[str] = set()
    for code, what in items:
        match code:
            case codes.LITERAL:
                found.add(chr(what))
            case codes.RANGE:
                found.update(map(chr, range(what[0], min(what[1], 126) + 1)))
            case codes.CATEGORY:
                found.update(CATEGORIES[what])
    if items and items[0][0] is codes.NEGATE:
        found = set(ALNUM) - found or {"|"}
    return sorted(found)


if __name__ == "__main__":
    main()
