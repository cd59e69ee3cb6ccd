"""By default no test can import an extra, nor can a process that it starts: the plain installation is
what is tested. A test that is about one says so, `@pytest.mark.extra("web")`, and is skipped where it isn't
installed.
"""

import os
import sys
from collections.abc import Generator, Iterable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from tests.plain import sitecustomize as plain

EVERYTHING = "*"
"""What is allowed while tests are collected: test modules of an extra import it."""

FOLDERS = {
    "store/cli/commands/embeddings": ("onnx",),
    "store/embeddings": ("onnx",),
    "store/mcp": ("mcp",),
    "store/team": ("team",),
    "tui/serving": ("web",),
    "tui/team": ("team",),
}
"""Folders of tests each of which is about extras."""

_hidden: dict[str, ModuleType] = {}
"""Modules that were imported while they might be, and are out of sight."""

_extras_used: dict[ModuleType, frozenset[str]] = {}
"""The packages of extras that each module uses, looked up once: looking takes as long as a short test."""


def installed(extra: str) -> bool:
    """Return whether all that an extra brings is there."""
    return all(name in _INSTALLED for name in plain.EXTRAS[extra])


def allow(extras: Iterable[str]) -> None:
    """Let what these extras bring be imported, here and by processes that are started, and no other."""
    os.environ[plain.ALLOWED] = ",".join(sorted(extras))
    sys.modules.update(_hidden)
    _hidden.clear()
    if pinyin := sys.modules.get("memtui.store.search.pinyin"):
        # It remembers whether the library was there.
        pinyin.characters_by_reading.cache_clear()
        pinyin.readings.cache_clear()
    refused = plain.refused()
    for name, module in list(sys.modules.items()):
        if module not in _extras_used:
            _extras_used[module] = _used_by(name, module)
        if not refused.isdisjoint(_extras_used[module]):
            _hidden[name] = sys.modules.pop(name)


def _used_by(name: str, module: ModuleType) -> frozenset[str]:
    """The packages of extras that a module belongs to or, where it is ours, has imported anything of."""
    packages = {name.partition(".")[0]}
    if name.startswith("memtui."):
        for value in vars(module).values():
            origin = getattr(value, "__name__" if isinstance(value, ModuleType) else "__module__", "")
            packages.add(str(origin).partition(".")[0])
    return plain.PACKAGES & packages


def pytest_configure(config: pytest.Config) -> None:
    os.environ[plain.ALLOWED] = EVERYTHING
    os.environ["PYTHONPATH"] = str(Path(plain.__file__).parent)
    plain.install()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that imports an extra which isn't installed."""
    report = yield
    missing = [name for name in _ABSENT if f"No module named '{name}" in str(report.longrepr)]
    if report.failed and missing:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: {missing[0]} is not installed")
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Allow what a test asks for, by its folder or a marker: `extra("web", "mcp")`."""
    folder = item.path.relative_to(Path(__file__).parent).parent.as_posix()
    marked = {name for mark in item.iter_markers("extra") for name in mark.args}
    extras = marked.union(*(names for place, names in FOLDERS.items() if folder.startswith(place)))
    if missing := [name for name in extras if not installed(name)]:
        pytest.skip(f"the extra {missing[0]} is not installed")
    allow(extras)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped since it was not marked for an extra that is installed."""
    report = yield
    hidden = [name for name in _INSTALLED if f"could not import '{name}" in str(report.longrepr)]
    if report.skipped and hidden:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} uses {hidden[0]}: mark it with the extra that brings it."
    return report


_INSTALLED = {name for name in plain.PACKAGES if find_spec(name) is not None}
_ABSENT = plain.PACKAGES - _INSTALLED
