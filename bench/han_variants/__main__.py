"""`python -m bench.han_variants WHEEL`: make the table of simplified and traditional Chinese characters
that comes with memtui, of the wheel that `manifest.json` pins (`pip download --no-deps NAME==VERSION`), and
write down its figures.

A line has the characters that are written for one another: in simplified Chinese, a blank, and in
traditional, the usual ones first. Some are both (后, 後). Rare characters, which neither standard has, are
left out.
"""

import json
import sys
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from memtui.store.text.language.han_forms import PATH

MANIFEST = Path(__file__).with_name("manifest.json")
FOLDER = "opencc/dictionary/"
FIRST, LAST = "\u4e00", "\u9fff"
"""Between these lie the characters in use."""


def main(wheel: Path) -> int:
    """Make the table; 1 where the wheel is another one."""
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    if sha256(wheel.read_bytes()).hexdigest() != manifest["package"]["sha256"]:
        print(f"{wheel} is not the {manifest['package']['file']} that the manifest pins.")
        return 1
    with ZipFile(wheel) as archive:
        names = ("TSCharacters", "STCharacters", "TWVariants", "HKVariants")
        simplified, traditional, *regional = (_dictionary(archive, name) for name in names)
    lines = _lines(simplified, traditional, regional)
    PATH.write_text("\n".join(lines) + "\n", "utf-8")
    manifest["table"] = {
        "lines": len(lines),
        "characters": len(set("".join(lines)) - {" "}),
        "bytes": PATH.stat().st_size,
        "sha256": sha256(PATH.read_bytes()).hexdigest(),
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    print(manifest["table"])
    return 0


def _dictionary(archive: ZipFile, name: str) -> dict[str, list[str]]:
    lines = archive.read(f"{FOLDER}{name}.txt").decode("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if "\t" in line)
    return {character: forms.split() for character, forms in pairs}


def _lines(
    simplified: dict[str, list[str]],
    traditional: dict[str, list[str]],
    regional: list[dict[str, list[str]]],
) -> list[str]:
    """A line for all characters that are written for one another."""
    tables = (traditional, simplified, *regional)
    neighbours: defaultdict[str, dict[str, None]] = defaultdict(dict)
    pairs = ((one, other) for table in tables for one, forms in table.items() for other in forms)
    for one, other in pairs:
        if one != other and _is_used(one) and _is_used(other):
            neighbours[one][other] = neighbours[other][one] = None
    firsts = Counter(forms[0] for forms in simplified.values())
    lines, seen = [], set[str]()
    for start in sorted(neighbours, key=lambda character: (-firsts[character], character)):
        together: dict[str, None] = {}
        left = [start]
        while left:
            character = left.pop(0)
            if character not in together:
                together[character] = None
                left += neighbours[character]
        # What a regional standard writes for a character that has no simplified one is either.
        standard = {other for character in together for other in simplified.get(character, [character])}
        usual = [other for character in together for other in traditional.get(character, ())]
        simple = [character for character in together if character in standard]
        others = [other for other in dict.fromkeys((*usual, *together)) if other in together]
        others = [other for other in others if other in usual or simplified.get(other, [""])[0] != other]
        others = [other for other in others if other in usual or other not in traditional]
        if start not in seen and any(map(_is_common, simple)):
            lines.append(f"{''.join(simple)} {''.join(others)}")
        seen |= together.keys()
    return sorted(lines)


def _is_used(character: str) -> bool:
    return FIRST <= character <= LAST


def _is_common(character: str) -> bool:
    """Whether the standard of simplified or of traditional characters in use has a character."""
    return bool(character.encode("gb2312", "ignore") or character.encode("big5", "ignore"))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
