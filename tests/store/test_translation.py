"""Texts in the user's language: which one that is, and that its catalogue says what the source says."""

import ast
import pickle
import re
import sys
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from docs.catalogue import FOR_AGENTS, TOP, literals, missing, own_errors, source_file, texts
from memtui.store.platform import translation
from memtui.store.platform.errors import SourceError, StoreError
from memtui.store.platform.translation import LOCALES, language, translator

PLACE = re.compile(r"\{([^{}:]*)[^{}]*\}")


@pytest.fixture
def catalogue() -> Catalog:
    with source_file("zh").open("rb") as file:
        return read_po(file, "zh")


@pytest.mark.parametrize(
    ("variables", "configured", "expected"),
    [
        ({}, "", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "", "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "", "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "zh_CN:en"}, "", "zh"),
        ({"LANG": "de_DE.UTF-8"}, "", "en"),
        ({"LANG": "zh_CN.UTF-8"}, '[browser]\nlanguage = "en"\n', "en"),
        ({"LANG": "C.UTF-8"}, '[browser]\nlanguage = "zh"\n', "zh"),
        ({"LANG": "zh_CN.UTF-8"}, '[browser]\nlanguage = "auto"\n', "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "[browser\nlanguage = ", "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "browser = 1\nlanguage = 1\n", "zh"),
    ],
)
def test_the_configuration_names_the_language_or_else_the_locale(
    variables: dict[str, str],
    configured: str,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in LOCALES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "config.toml"
    path.write_text(configured)
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    assert language() == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "parser"], "zh"),
        (["search", "--json", "parser"], "en"),
        (["show", "--for-agent", "12"], "en"),
        (["mcp"], "en"),
        (["add", "mcp"], "zh"),
    ],
)
def test_agents_and_scripts_are_told_all_in_english(
    arguments: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh")
    monkeypatch.setattr(sys, "argv", ["mem", *arguments])
    assert language() == expected


def test_the_compiled_catalogue_says_what_its_source_says(catalogue: Catalog) -> None:
    with source_file("zh").with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for message in catalogue:
        if message.id:
            assert compiled.gettext(str(message.id)) == (message.string or message.id)


def test_translations_have_the_values_of_their_texts(catalogue: Catalog) -> None:
    for message in catalogue:
        if message.id and message.string:
            assert set(PLACE.findall(str(message.string))) == set(PLACE.findall(str(message.id)))


def test_a_text_that_no_catalogue_has_is_shown_as_it_is() -> None:
    assert translator("zh")("no such text") == "no such text"
    assert translator("en")("Search") == "Search"


def test_every_text_of_the_source_is_in_the_catalogue(catalogue: Catalog) -> None:
    assert not [text for text in texts() if text not in catalogue]


BOUND = re.compile(r"(?<![\w.])_(?=\s*(?:,|=[^=]|:=|in\b|\)\s*=))|,\s*\*?_\s")
"""Where `_` may be bound, by its looks."""
SCOPES = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a scope itself, and to none within it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)


def hides_translation(scope: ast.AST) -> bool:
    """Whether `_` is both bound and called in a scope."""
    nodes = [*own_nodes(scope)]
    is_bound = any(
        isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store) for node in nodes
    )
    return is_bound and any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"
        for node in nodes
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():\n for _, x in y: _('a')", True),
        ("def f():\n a, _ = y\n _('a')", True),
        ("def f():\n return [_('a') for _ in y]", True),
        ("def f():\n [x for x, _ in y]\n _('a')", False),
        ("def f():\n def g():\n  _ = 1\n _('a')", False),
    ],
)
def test_a_scope_that_binds_the_name_of_the_translation_is_noticed(source: str, expected: bool) -> None:
    scopes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, SCOPES)]
    assert any(map(hides_translation, scopes)) == expected


@pytest.mark.parametrize("package", ["store", "tui"])
def test_no_scope_that_translates_binds_the_name_of_the_translation(package: str) -> None:
    sources = {path: path.read_text() for path in (TOP / package).glob("**/*.py")}
    assert not [
        f"{path.relative_to(TOP)}:{getattr(scope, 'lineno', 1)}"
        for path, source in sources.items()
        if "import _" in source.replace("N_, ", "") and BOUND.search(source)
        for scope in ast.walk(ast.parse(source))
        if isinstance(scope, SCOPES) and hides_translation(scope)
    ]


PRINTERS = {"tell", "print_line", "print_changed"}
"""The functions that print to people what they are given; the catalogue has the literals of the first."""
OTHERS = {"BadParameter", "ProviderError"}
"""Errors whose messages people read, though they aren't StoreErrors."""
SENTENCE = re.compile(r"[^\W\d_]{2,}[^{}]*\s[^{}]*[^\W\d_]{2}|[^\W\d_]{3,}[.:]$")


def texts_in(node: ast.expr) -> Iterator[str]:
    """The texts of an argument that stand outside of any call, put together or not."""
    match node:
        case ast.Constant(str() as text):
            yield text
        case ast.JoinedStr(values):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in values)
            yield "".join(map(str, parts))
        case ast.IfExp(_, text, other) | ast.BinOp(text, _, other):
            yield from (*texts_in(text), *texts_in(other))
        case ast.BoolOp(_, values):
            yield from (text for value in values for text in texts_in(value))


def called(node: ast.expr) -> str:
    """The last name of what is called or built on."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def plain_texts(source: str, errors: set[str]) -> Iterator[str]:
    """The sentences of errors and of what is printed that no catalogue can have."""
    shown = errors | OTHERS
    named = "|".join((*(rf"raise (?:\w+\.)?{name}" for name in shown), *PRINTERS))
    if not re.search(rf"\b(?:{named})\((?!\s*_\()", source):
        return
    for node in ast.walk(ast.parse(source)):
        names = shown if isinstance(node, ast.Raise) else PRINTERS
        call = node.exc if isinstance(node, ast.Raise) else node
        if isinstance(call, ast.Call) and called(call.func) in names:
            is_catalogued = isinstance(call.func, ast.Name) and call.func.id in errors | {"tell"}
            known = set(literals(call.args[0])) if is_catalogued and call.args else set()
            for argument in call.args:
                for text in filter(SENTENCE.search, texts_in(argument)):
                    if text not in known:
                        yield f"line {call.lineno}: {text}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("raise StoreError('It is gone.')", []),
        ("raise StoreError('It is gone.' if x else 'It is.')", []),
        ("raise errors.StoreError('It is gone.')", ["line 1: It is gone."]),
        ("raise BadParameter('It is gone.')", ["line 1: It is gone."]),
        ("raise StoreError(f'{x} is gone.' if y else _('It is.'))", ["line 1: {} is gone."]),
        ("raise StoreError(_('It is gone.'))", []),
        ("raise StoreError(f'{sentence} ({error})')", []),
        ("raise ProviderError('auth', _('It is gone.'))", []),
        ("tell(f'{x} is stored.')", ["line 1: {} is stored."]),
        ("tell('Stored.')", []),
        ("print_line('Stored.')", ["line 1: Stored."]),
        ("print_line(_('Stored.'))", []),
        ("raise ValueError('It is gone.')", []),
    ],
)
def test_a_text_outside_the_catalogue_is_noticed(source: str, expected: list[str]) -> None:
    assert [*plain_texts(source, own_errors([source]))] == expected


def test_the_store_has_no_text_for_people_outside_the_catalogue() -> None:
    paths = sorted((TOP / "store").glob("**/*.py"))
    sources = {path.relative_to(TOP).as_posix(): path.read_text() for path in paths}
    errors = own_errors(sources.values())
    assert {"NotFoundError", "SettingError", "TeamError"} <= errors
    assert not [
        f"{name}, {text}"
        for name, source in sources.items()
        if not name.startswith(FOR_AGENTS)
        for text in plain_texts(source, errors)
    ]


def test_every_text_of_the_catalogue_is_translated(catalogue: Catalog) -> None:
    assert not missing(catalogue)


def test_the_text_of_an_error_is_translated_where_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "_translate", translator("zh"))
    error = SourceError("There is no file or folder {path}. Check the path.", path="{it}")
    assert (error.args, str(error)) == (
        ("There is no file or folder {path}. Check the path.",),
        "没有文件或文件夹 {it}。请检查路径。",
    )
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(StoreError("没有 {id}。")) == "没有 {id}。"
    assert str(StoreError()) == ""
