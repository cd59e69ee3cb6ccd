"""`make word-vectors DIR=REPOSITORIES`: make the file of word vectors that comes with memtui.

First the table, then the dictionary, which is looked up in it. REPOSITORIES is a folder with a clone of
each repository that `manifest.json` names, as OWNER+NAME/repo; they are read at the pinned commits. The
file is written, and into the manifest what was read and made: where git shows neither as changed, they came
out the same. It isn't part of the wheel's build: it needs the packages that the manifest pins, on CPython
3.11 of x86-64 Linux; others round otherwise. `python -m bench.word_vectors --requirements` prints them for
pip.
"""

import json
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from bench.word_vectors import dictionary, table
from memtui.store.search.related.word_vectors import HEADER, MAGIC, PATH

MANIFEST = Path(__file__).with_name("manifest.json")


def main() -> int:
    """Make the file and print its figures."""
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    if sys.argv[1] == "--requirements":
        print("\n".join(map(requirement, manifest["packages"])))
        return 0
    if others := [package["name"] for package in manifest["packages"] if not is_installed(package)]:
        print(f"Not in the version of {MANIFEST}: {', '.join(others)}", file=sys.stderr)
        return 1
    folder, encoder = Path(sys.argv[1]), table.Encoder()
    vectors = table.made(encoder, folder, manifest)
    listed, lines = "\n".join(vectors.words).encode(), dictionary.made(encoder, vectors, folder, manifest)
    number = len(vectors.words)
    header = HEADER.pack(MAGIC, len(listed), number, len(lines))
    data = header + listed + vectors.scales + vectors.rows + lines
    PATH.write_bytes(data)
    manifest["table"] = {"words": number, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    MANIFEST.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(*(json.dumps(manifest[name]) for name in ("figures", "dictionary", "table")), sep="\n")
    return 0


def requirement(package: dict[str, str]) -> str:
    """Return a package as pip reads it."""
    return f"{package['name']}=={package['version']} --hash=sha256:{package['sha256']}"


def is_installed(package: dict[str, str]) -> bool:
    """Return whether a package is here in its version. Raises PackageNotFoundError where it is missing."""
    return version(package["name"]) == package["version"]


if __name__ == "__main__":
    raise SystemExit(main())
