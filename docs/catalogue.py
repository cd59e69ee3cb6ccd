"""`python -m docs.catalogue`: bring the catalogues of texts up to date with the source, and compile them.

Translations stay, also of texts that are no longer there until `--tidy`; what isn't translated is printed.
`--missing` prints it as one JSON object, whose values are to be filled in, and `--add FILE` takes that.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from memtui.store.cli.building import paragraphs

TOP = Path(__file__).parent.parent
FOLDER = TOP / "store/locale"
KEYWORDS = {"_": None, "N_": None, "count_noun": (2,)}
"""The functions whose literal texts are taken, and which of their arguments those are."""
HEADER = """# What people read, in {language}. `make catalogue` brings it up to date.
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def texts() -> dict[str, list[str]]:
    """Return all texts of the source, each with the files that have it."""
    results: dict[str, list[str]] = {}
    for path in sorted([*TOP.glob("store/**/*.py"), *TOP.glob("tui/**/*.py")]):
        for text in _texts_of(path):
            files = results.setdefault(text, [])
            if (name := path.relative_to(TOP).as_posix()) not in files:
                files.append(name)
    return results


def _texts_of(path: Path) -> Iterator[str]:
    source = path.read_bytes()
    for _, message, _, _ in extract("python", io.BytesIO(source), KEYWORDS):
        yield message if isinstance(message, str) else message[0]
    if path.is_relative_to(TOP / "store/cli/commands"):
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                yield from paragraphs(ast.get_docstring(node) or "")


def catalogue(language: str, *, tidy: bool = False) -> Catalog:
    """Return the catalogue of a language with all texts of the source."""
    path = source_file(language)
    old = Catalog(language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, language)
    new = Catalog(language, creation_date=datetime(2026, 1, 1, tzinfo=UTC), fuzzy=False)
    for text, files in texts().items():
        known = old.get(text)
        new.add(text, known.string if known else "", [(name, 0) for name in files])
    for message in old if not tidy else ():
        if message.id and message.id not in new:
            new.add(message.id, message.string)
    return new


def source_file(language: str) -> Path:
    """Return where a language's translations lie."""
    return FOLDER / language / "LC_MESSAGES/memtui.po"


def compiled(content: Catalog) -> bytes:
    """Return what is read at run time."""
    file = io.BytesIO()
    write_mo(file, content)
    return file.getvalue()


def missing(content: Catalog) -> list[str]:
    """Return the texts that have no translation."""
    return [str(message.id) for message in content if message.id and not message.string]


def main() -> None:
    """Take the command line."""
    parser = ArgumentParser(prog="python -m docs.catalogue", description=__doc__)
    parser.add_argument("--tidy", action="store_true", help="drop what the source no longer has")
    parser.add_argument("--missing", action="store_true", help="print what is untranslated as JSON")
    parser.add_argument("--add", type=Path, metavar="FILE", help="take translations from JSON")
    options = parser.parse_args()
    for path in sorted(FOLDER.iterdir()):
        content = catalogue(path.name, tidy=options.tidy)
        added = json.loads(options.add.read_text()) if options.add else {}
        for text, translation in added.items():
            if text in content:
                content[text].string = translation
            elif translation:
                print(f"not in the source: {text!r}", file=sys.stderr)
        with source_file(path.name).open("wb") as file:
            file.write(HEADER.format(language=path.name).encode())
            write_po(
                file, content, width=0, omit_header=True, sort_by_file=True, include_lineno=False
            )
        source_file(path.name).with_suffix(".mo").write_bytes(compiled(content))
        if options.missing:
            print(json.dumps(dict.fromkeys(missing(content), ""), ensure_ascii=False, indent=1))
        elif left := missing(content):
            print(f"{path.name}: {len(left)} of {len(content)} texts are not translated.")


if __name__ == "__main__":
    main()
