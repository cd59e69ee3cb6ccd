"""`python -m docs.catalogue`: bring the catalogues of texts up to date with the source, and compile them.

Translations stay, also of texts that are no longer there until `--tidy`; what isn't translated is printed.
`--missing` prints it as one JSON object, whose values are to be filled in, and `--add FILE` takes that.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from inspect import getdoc
from itertools import chain
from pathlib import Path
from typing import get_args, get_type_hints

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from memtui.store.agents.registry import BY_NAME
from memtui.store.cli.app import paragraphs
from memtui.store.cli.commands import ALL_COMMANDS, PANELS, declared_in
from memtui.store.config.settings import SETTINGS, TABLES
from memtui.store.context.candidates import SECTIONS
from memtui.store.formats.jsonl.layout import TABLES as EXPORTED
from memtui.store.leaves.files.agent_files import FileKind, Scope
from memtui.store.platform.errors import StoreError
from memtui.store.records.dataclasses import annotations_of
from memtui.store.records.fields import FIELDS, FLAG_CHANGES, heading
from memtui.store.records.kinds import NOISE, OBSERVATION_TYPES
from memtui.store.records.kinds import TABLES as KINDS
from memtui.store.records.rows import (
    Fact,
    Hit,
    Note,
    Observation,
    PendingMessage,
    Prompt,
    Session,
    SessionStatus,
    Speaker,
    Summary,
)
from memtui.store.search.facets import Stats

TOP = Path(__file__).parent.parent
FOLDER = TOP / "store/platform/locale"
FIRST, SECOND = slice(0, 1), slice(1, 2)
KEYWORDS = {
    **dict.fromkeys(("_", "N_", "tell", "print_rows", "localized"), FIRST),
    **dict.fromkeys(("count_noun", "call.answer"), SECOND),
    **dict.fromkeys(("key", "hidden"), slice(2, 4)),
}
"""The functions whose literal texts are taken, and which of their arguments those are; the footer's too.
An error of the store's takes its text first, too."""
CLASS = re.compile(r"^class (\w+)\((\w+)", re.MULTILINE)
FOR_AGENTS = ("store/context/compact/", "store/mcp/", "store/capture/hook_process/")
"""Whose errors agents alone read, in English."""
RECORDS = (Session, Prompt, Observation, Summary, Fact, Note, Stats)
"""The records whose field names are printed, and so are texts of the catalogue."""
LIBRARIES = (
    *("usage: ", "positional arguments", "options", "show this help message and exit"),
    *("argument %(argument_name)s: %(message)s", "%(prog)s: error: %(message)s\n"),
    *("unrecognized arguments: %s", "ambiguous option: %(option)s could match %(matches)s"),
    *("expected one argument", "ignored explicit argument %r", "not allowed with argument %s"),
    *("invalid %(type)s value: %(value)r", "the following arguments are required: %s"),
    *("invalid choice: %(value)r (choose from %(choices)s)", "(dynamic)", "required"),
    *("Arguments", "Options", "Commands", "default: {default}", "Aborted!"),
    "Show this message and exit.",
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
)
"""The texts of argparse and typer that reach a person."""
COLUMNS = ("COLUMNS", "COST_HEADS")
"""What tables of the command line name their columns in, where that isn't done in the call itself."""
HEADER = """# What people read, in {language}. `make catalogue` brings it up to date.
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def texts() -> dict[str, list[str]]:
    """Return all texts of the source, each with the files that have it."""
    results: dict[str, list[str]] = {}
    sources = {
        path: path.read_text() for path in sorted([*TOP.glob("store/**/*.py"), *TOP.glob("tui/**/*.py")])
    }
    errors = dict.fromkeys(own_errors(sources.values()), FIRST)
    for path, source in sources.items():
        name = path.relative_to(TOP).as_posix()
        places = KEYWORDS if name.startswith(FOR_AGENTS) else KEYWORDS | errors
        declares = name.startswith("store/cli/") or "typer_later import" in source
        for text in _texts_of(source, places, declares=declares):
            files = results.setdefault(text, [])
            if name not in files:
                files.append(name)
    for file, words in _words():
        for text in words:
            results.setdefault(text, [file])
    return results


def _words() -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the words of tables that not only people read, with the file that has them."""
    lines = [line for _, line in ALL_COMMANDS.values()]
    yield "store/cli/commands/__init__.py", [*PANELS, *lines]
    for command in chain.from_iterable(declared_in(name).commands.values() for name in ALL_COMMANDS):
        file = command.function.__module__.removeprefix("memtui.").replace(".", "/")
        yield f"{file}.py", paragraphs(getdoc(command.function) or "")
    yield "argparse, typer", LIBRARIES
    for agent in BY_NAME.values():
        sentences = (*agent.next_steps, *agent.notes, *agent.project_steps, agent.silent_remedy)
        file = f"store/agents/{type(agent).__module__.rpartition('.')[2]}.py"
        yield file, [sentence for sentence in sentences if sentence]
    yield "store/install/checks.py", [f"agent {name}" for name in BY_NAME]
    yield "store/search/index/health.py", ["index words", "index grams"]
    yield "store/formats/jsonl/layout.py", EXPORTED
    yield "store/context/candidates.py", SECTIONS
    yield "store/leaves/files/agent_files.py", [*get_args(FileKind), *get_args(Scope)]
    settings = [(table.sentence, table.otherwise) for table in TABLES.values()]
    yield "store/config/settings.py", chain.from_iterable(settings)
    yield "store/config/records.py", [setting.sentence for setting in SETTINGS]
    yield "store/records/kinds.py", [*KINDS, *KINDS.values(), *OBSERVATION_TYPES, NOISE]
    fields = [field for fields in FIELDS.values() for field in fields]
    headings = [heading(field.name) for field in fields]
    flags = chain.from_iterable(FLAG_CHANGES.values())
    yield "store/records/fields.py", [*(field.name for field in fields), *headings, *flags]
    hints = (SessionStatus, Speaker, get_type_hints(PendingMessage)["status"])
    values = chain.from_iterable(map(get_args, (*hints, get_type_hints(Hit)["tier"])))
    names = chain.from_iterable(map(annotations_of, RECORDS))
    yield "store/records/__init__.py", [*values, *names]


def own_errors(sources: Iterable[str]) -> set[str]:
    """Return the names of StoreError and of the classes that are made of it."""
    classes = [match for source in sources for match in CLASS.findall(source)]
    names = {StoreError.__name__}
    while more := {name for name, base in classes if base in names} - names:
        names |= more
    return names


def _texts_of(source: str, places: Mapping[str, slice], *, declares: bool) -> Iterator[str]:
    if not declares and not any(f"{name}(" in source for name in places):
        return
    module = ast.parse(source)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in places:
            footers = [keyword.value for keyword in node.keywords if keyword.arg == "footer"]
            for argument in (*node.args[places[name]], *footers):
                counted = "{count} " if name == "count_noun" else ""
                yield from (f"{counted}{text}" for text in literals(argument))
    if declares:
        yield from _declared_in(module)


def _declared_in(module: ast.Module) -> Iterator[str]:
    """Yield each `help=`, and the names of columns."""
    for node in ast.walk(module):
        match node:
            case ast.Assign([ast.Name(name)], value) if name.upper() in COLUMNS:
                yield from literals(value)
            case ast.Call(func, arguments, keywords):
                helps = [keyword.value for keyword in keywords if keyword.arg == "help"]
                helps += arguments if isinstance(func, ast.Name) and func.id == "group" else []
                for text in chain.from_iterable(map(literals, helps)):
                    yield from paragraphs(text)


def literals(node: ast.expr) -> Iterator[str]:
    """Yield the text that stands here, either one of a choice, or those of a tuple or list."""
    match node:
        case ast.Constant(str(text)) if text:
            yield text
        case ast.IfExp(_, text, otherwise):
            yield from chain(literals(text), literals(otherwise))
        case ast.Tuple(items) | ast.List(items):
            yield from chain.from_iterable(map(literals, items))


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
            write_po(file, content, width=0, omit_header=True, sort_by_file=True, include_lineno=False)
        source_file(path.name).with_suffix(".mo").write_bytes(compiled(content))
        if options.missing:
            print(json.dumps(dict.fromkeys(missing(content), ""), ensure_ascii=False, indent=1))
        elif left := missing(content):
            print(f"{path.name}: {len(left)} of {len(content)} texts are not translated.")


if __name__ == "__main__":
    main()
