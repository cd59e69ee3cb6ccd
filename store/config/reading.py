"""Reading `config.toml`, a table at a time, or all that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..platform.errors import ConfigurationError
from ..platform.translation import _
from .file import config_path, line_of, parse, read_tables, read_text
from .records import (
    ArchiveSettings,
    BackupSettings,
    BrowserSettings,
    ContextSettings,
    EmbeddingsSettings,
    HistorySettings,
    MemorySettings,
    ModelSettings,
    SearchSettings,
)

URLS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
MODELS = {"openai": "gpt-4.1-nano", "anthropic": "claude-haiku-4-5"}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


class Problem(NamedTuple):
    """What is wrong in the file, where (`browser.theme`, line from 1, 0 where unknown), as a sentence."""

    key: str
    line: int
    sentence: str

    def __str__(self) -> str:
        if not self.line:
            return f"config.toml: {self.sentence}"
        return _("config.toml, line {line}: {sentence}", line=self.line, sentence=self.sentence)


def model_settings(path: Path | None = None) -> ModelSettings | None:
    """The model that `[observer]` names; None where the rules observe, as they do by default.

    ConfigurationError tells what is wrong with the file.
    """
    place = path or config_path()
    given = read_tables(place, _("The rules observe.")).get("observer", {})
    try:
        return _observer(given)
    except ValueError as error:
        raise ConfigurationError(f"{place}, [observer]: {error}") from error


def embeddings_settings(path: Path | None = None) -> EmbeddingsSettings | None:
    """The model that `[embeddings]` names; None where it names none, as by default.

    ConfigurationError tells what is wrong with the file.
    """
    place = path or config_path()
    given = read_tables(place, _("memtui's own word vectors compare meaning.")).get("embeddings", {})
    try:
        return embeddings_of(given)
    except ValueError as error:
        raise ConfigurationError(f"{place}, [embeddings]: {error}") from error


def may_name_model() -> bool:
    """Return whether the configuration may name a model for embeddings: searches ask, which have no time to
    parse one that doesn't."""
    try:
        return b"embeddings" in config_path().read_bytes()
    except OSError:
        return False


def backup_settings() -> BackupSettings:
    """What `[backup]` says; ConfigurationError tells what is wrong with the file."""
    return BackupSettings(**_strictly("backup"))


def context_settings(path: Path | None = None) -> ContextSettings:
    """What `[context]` says; ConfigurationError tells what is wrong with the file."""
    return ContextSettings(**_strictly("context", path))


def lists_turns() -> bool:
    """Return whether searches list each turn once, as they do unless `[search]` says otherwise. Never
    raises: no mistake in the file keeps anybody from searching."""
    try:
        return not SearchSettings(**_strictly("search")).records
    except ConfigurationError:
        return True


def compares_meaning() -> bool:
    """Return whether searches compare what texts mean, as they do unless `[search]` says otherwise. Never
    raises."""
    try:
        return SearchSettings(**_strictly("search")).meaning
    except ConfigurationError:
        return True


def history_settings() -> HistorySettings:
    """What `[history]` says; ConfigurationError tells what is wrong with the file."""
    return HistorySettings(**_strictly("history"))


def reviews_agents() -> bool:
    """Return whether what agents and models write waits for its user's word. A file that can't be read is
    no reason to tell what nobody has seen."""
    try:
        return bool(MemorySettings(**_strictly("memory")).review)
    except ConfigurationError:
        return True


def archives() -> bool:
    """Return whether what agents leave is archived. Never raises: what can't be read archives nothing."""
    try:
        return ArchiveSettings(**_strictly("archive")).on
    except ConfigurationError:
        return False


def browser_settings(path: Path | None = None) -> tuple[BrowserSettings, tuple[Problem, ...]]:
    """What `[browser]`, its tables and `[keys]` say, with the default for what is wrong, and what is
    wrong in the whole file. Never raises."""
    place = path or config_path()
    try:
        text = read_text(place, _("The browser starts with its defaults."))
        if text is None:
            return BrowserSettings(), ()
        tables = parse(text, place)
    except ConfigurationError as error:
        return BrowserSettings(), (Problem("", 0, str(error)),)
    problems = problems_of(tables, text)
    wrong = {problem.key for problem in problems}
    from .settings import TABLES
    from .values import current_key

    results: dict[str, dict[str, Any]] = {
        name: _readable(name, inner(tables, name), wrong)
        for name in TABLES
        if name.partition(".")[0] in ("browser", "keys")
    }
    return (
        BrowserSettings(
            **results["browser"],
            panes=results["browser.panes"],
            colors=results["browser.colors"],
            keys={current_key(name): value for name, value in results["keys"].items()},
        ),
        problems,
    )


def own_prices(path: Path | None = None) -> dict[str, tuple[float, ...]]:
    """What `[prices]` says, by model: two to four numbers, without what is wrong. Never raises."""
    place = path or config_path()
    try:
        text = read_text(place)
        if not text:
            # What reads TOML takes long to import.
            return {}
        tables = parse(text, place)
    except ConfigurationError:
        return {}
    wrong = {problem.key for problem in problems_of(tables, text)}
    return _readable("prices", inner(tables, "prices"), wrong)


def mappings() -> dict[str, dict[str, str]]:
    """What `[mappings]` says: by the name of a mapping, which field holds what. ConfigurationError tells
    what is wrong with it."""
    place = config_path()
    text = read_text(place) or ""
    tables = parse(text, place)
    if problems := [problem for problem in problems_of(tables, text) if problem.key.startswith("mappings")]:
        raise ConfigurationError(f"{place}: {problems[0].sentence}")
    results: dict[str, dict[str, str]] = {}
    for key, field in _readable("mappings", inner(tables, "mappings") or {}, set()).items():
        name, _dot, what = key.rpartition(".")
        results.setdefault(name, {})[what] = field
    return results


def read_table(name: str, given: Any) -> dict[str, Any]:
    """Return the values of a table; ValueError says what is wrong with the first that is."""
    from .settings import TABLES
    from .values import did_you_mean

    if not isinstance(given, Mapping):
        raise ValueError(_("write it as a table, [{name}].", name=name))
    known = TABLES[name].settings
    if unknown := given.keys() - known.keys():
        first = min(unknown)
        near = did_you_mean(first, known)
        raise ValueError(
            _(
                "there is no setting {name}. There are: {names}.{near}",
                name=first,
                names=_(", ").join(known),
                near=near,
            )
        )
    return {item: known[item].read(item, value) for item, value in given.items()}


def problems_of(tables: Mapping[str, Any], text: str) -> tuple[Problem, ...]:
    """Return all that is wrong in a file, in the order of its lines."""
    problems: list[Problem] = []
    for key, sentence in _wrong(tables):
        names = names_of(tables, key)
        problems.append(Problem(key, line_of(text, names), sentence))
    return tuple(sorted(problems, key=lambda problem: problem.line))


def line_of_key(key: str, path: Path | None = None) -> int:
    """Return the line of the file, from 1, that sets a key (`keys.search.pin`); 0 where none does, or it
    can't be read."""
    place = path or config_path()
    try:
        text = read_text(place) or ""
        return line_of(text, names_of(parse(text, place), key))
    except ConfigurationError:
        return 0


def misspelt(path: Path) -> str:
    """What is wrong in a configuration, in a line; `` where that is nothing. ConfigurationError where
    it can't be read."""
    text = read_text(path)
    if text is None:
        return ""
    return " ".join(str(problem) for problem in problems_of(parse(text, path), text))


def _strictly(name: str, path: Path | None = None) -> dict[str, Any]:
    place = path or config_path()
    try:
        tables = read_tables(place)
    except ConfigurationError as error:
        from .settings import TABLES

        raise ConfigurationError(f"{error} {_(TABLES[name].otherwise)}") from error
    if name not in tables:
        return {}
    try:
        return read_table(name, tables[name])
    except ValueError as error:
        raise ConfigurationError(f"{place}, [{name}]: {error}") from error


def _observer(given: Any) -> ModelSettings | None:
    if isinstance(given, Mapping) and given.get("kind", "rules") == "rules":
        return None
    values = read_table("observer", given)
    kind = values.pop("kind")
    values = {"url": URLS.get(kind, ""), "model": MODELS.get(kind, "")} | values
    if kind == "command" and not values.get("command"):
        raise ValueError(_('name the program and its arguments: command = ["ollama", "run", "x"].'))
    if kind != "command":
        _check_url(values["url"])
        if not values.get("key_command") and values["url"] == URLS[kind]:
            values.setdefault("key_env", KEYS[kind])
    return ModelSettings(kind, **values)


def embeddings_of(given: Any) -> EmbeddingsSettings | None:
    """Return what a table [embeddings] says; None where it is off. ValueError says what is wrong."""
    if isinstance(given, Mapping) and given.get("provider", "off") == "off":
        return None
    values = read_table("embeddings", given)
    settings = EmbeddingsSettings(**values)
    if settings.provider == "command":
        if not settings.command:
            raise ValueError(_('name the program and its arguments: command = ["python3", "embed.py"].'))
    elif settings.provider == "openai-compatible":
        if not settings.model:
            raise ValueError(_('name the model: model = "nomic-embed-text".'))
        _check_url(settings.url)
        if not settings.key_command and settings.url == URLS["openai"]:
            return EmbeddingsSettings(**{"key_env": KEYS["openai"]} | values)
    elif not settings.directory:
        raise ValueError(_('name the model\'s directory: directory = "~/models/potion-base-8M".'))
    return settings


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(_("url is like http://localhost:11434/v1, not {url!r}.", url=url))
    if parts.username or parts.password:
        raise ValueError(_("a key doesn't belong into url. Name its variable: key_env = …."))


def _wrong(tables: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The keys of what is wrong, and why."""
    from .settings import TABLES
    from .values import did_you_mean

    top = [name for name in TABLES if "." not in name]
    results = [
        (
            name,
            _(
                "nothing reads {name!r}; there are {names}.{near}",
                name=name,
                names=_(", ").join(f"[{text}]" for text in top),
                near=did_you_mean(name, top),
            ),
        )
        for name in tables
        if name not in top
    ]
    for name in TABLES:
        given = inner(tables, name)
        if given is not None:
            results += _wrong_in(name, given)
    for name, read in (("observer", _observer), ("embeddings", embeddings_of)):
        if not any(key.startswith(name) for key, _sentence in results):
            try:
                read(tables.get(name, {}))
            except ValueError as error:
                results.append((name, f"[{name}]: {error}"))
    return results


def _wrong_in(name: str, given: Any) -> list[tuple[str, str]]:
    from .settings import TABLES
    from .values import did_you_mean, flattened

    if not isinstance(given, Mapping):
        return [(name, _("write {name} as a table, [{name}].", name=name))]
    known = TABLES[name].settings
    results: list[tuple[str, str]] = []
    for item, value in flattened(given) if TABLES[name].is_open else given.items():
        key = f"{name}.{item}"
        if key in TABLES:
            continue
        setting = next(iter(known.values())) if TABLES[name].is_open else known.get(item)
        if setting is None:
            sentence = _(
                "there is no setting {name}. There are: {names}.{near}",
                name=key,
                names=_(", ").join(known),
                near=did_you_mean(item, known),
            )
            results.append((key, sentence))
            continue
        try:
            setting.read(key, value)
        except ValueError as error:
            results.append((key, str(error)))
    return results


def _readable(name: str, given: Any, wrong: set[str]) -> dict[str, Any]:
    """The values of a table that are right."""
    from .settings import TABLES
    from .values import flattened

    if not isinstance(given, Mapping):
        return {}
    known, is_open = TABLES[name].settings, TABLES[name].is_open
    results: dict[str, Any] = {}
    for item, value in flattened(given) if is_open else given.items():
        key = f"{name}.{item}"
        if key not in wrong and key not in TABLES:
            setting = next(iter(known.values())) if is_open else known[item]
            results[item] = setting.read(key, value)
    return results


def inner(tables: Mapping[str, Any], name: str) -> Any:
    """A table by its dotted name; None where there is none."""
    result: Any = tables
    for part in name.split("."):
        result = result.get(part) if isinstance(result, Mapping) else None
    return result


def names_of(tables: Mapping[str, Any], key: str) -> list[str]:
    """The names that lead to a key in the file, where one may hold dots itself."""
    result: Any = tables
    names: list[str] = []
    rest = key
    while rest and isinstance(result, Mapping):
        name = rest
        while name and name not in result:
            name = name.rpartition(".")[0]
        if not name:
            break
        names.append(name)
        result, rest = result[name], rest[len(name) + 1 :]
    return names
