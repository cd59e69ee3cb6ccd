"""The archive of the source and the wheel hold what they should, and what they ask for and say of
themselves is enough where nothing lies beside them."""

import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from email import message_from_bytes
from importlib.metadata import distributions, packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.lowest import lowest, requirements
from tests.places import ROOT
from tests.sbom import sbom
from tests.test_architecture import PRODUCT, imported

LINKS = {".dev/memtui/store", ".dev/memtui/tui"}
"""What they lead to is in the archive, and the Makefile makes them anew."""


@dataclass(frozen=True)
class Distributions:
    """The files of each by name: the archive's below its only folder."""

    archive: dict[str, bytes]
    wheel: dict[str, bytes]
    wheel_of_archive: dict[str, bytes]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """The distributions of this checkout, and the wheel that is built where only the archive is."""
    folder = tmp_path_factory.mktemp("distributions")
    archive = build("sdist", ROOT, folder)
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    source = folder / archive.name.removesuffix(".tar.gz")
    files = (path for path in source.rglob("*") if path.is_file())
    return Distributions(
        archive={path.relative_to(source).as_posix(): path.read_bytes() for path in files},
        wheel=files_of(build("wheel", ROOT, folder / "wheel")),
        wheel_of_archive=files_of(build("wheel", source, folder / "wheel-of-archive")),
    )


def build(target: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (path,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return path


def files_of(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.mark.long
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git alone knows what belongs to the source")
def test_the_archive_holds_every_file_of_the_source(built: Distributions) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    there = {name for name in listed if (ROOT / name).is_file()}
    assert set(built.archive) - {"PKG-INFO", "sbom.cdx.json"} == there - LINKS


def test_the_wheel_of_the_archive_is_that_of_the_checkout(built: Distributions) -> None:
    assert built.wheel_of_archive == built.wheel


def test_the_wheel_holds_the_packages_and_what_says_that_they_are_typed(built: Distributions) -> None:
    modules = {name for name in built.archive if name.startswith(("store/", "tui/"))}
    packages = {name for name in built.wheel if name.startswith("memtui/")}
    assert packages == {f"memtui/{name}" for name in modules | {"__init__.py", "py.typed"}}


def test_the_wheel_holds_manual_pages_and_completions_where_they_are_looked_for(
    built: Distributions,
) -> None:
    shared = {name.partition(".data/data/")[2] for name in built.wheel if ".data/" in name}
    assert shared == {
        "share/man/man1/mem.1", "share/man/man1/memtui.1",
        "share/bash-completion/completions/mem", "share/fish/vendor_completions.d/mem.fish",
        "share/zsh/site-functions/_mem",
    }  # fmt: skip


def test_the_description_shows_the_browser_and_leads_to_no_file_beside_it(built: Distributions) -> None:
    description = message_from_bytes(built.archive["PKG-INFO"]).get_payload(decode=True)
    assert isinstance(description, bytes)
    text = description.decode()
    assert f"```text\n{built.archive['screenshots/narrow.txt'].decode()}```\n" in text
    assert [link for link in re.findall(r"\]\((.+?)\)", text) if "://" not in link] == []
    named = re.findall(r" \(`([^`]+)`\)", text)
    assert {"docs/find.md", "screenshots/tour.cast"} <= set(named)
    assert [name for name in named if not (ROOT / name.partition("#")[0]).exists()] == []


def test_every_package_that_is_imported_is_asked_for() -> None:
    asked = {name_of(requirement.name) for requirement in requirements()}
    providers = packages_distributions()
    modules = {name.partition(".")[0] for path in PRODUCT for name in imported(path)}
    # Those of CPython's own that begin with `_` differ between its versions.
    theirs = {name for name in modules - sys.stdlib_module_names if not name.startswith("_")}
    unasked = {
        module: providers.get(module)
        for module in theirs - {"memtui"}
        if not asked & {name_of(name) for name in providers.get(module, ())}
    }
    assert unasked == {}


def name_of(distribution: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_every_requirement_says_which_version_is_the_lowest() -> None:
    assert len(list(lowest())) == len(list(requirements()))


def test_the_list_of_what_is_brought_along_names_all_that_is_asked_for() -> None:
    listed = {name_of(component["name"]): component for component in sbom()["components"]}
    installed = {name_of(one.name) for one in distributions()}
    asked = {name_of(requirement.name) for requirement in requirements()}
    assert asked & installed <= listed.keys()
    assert listed["textual"]["scope"] == "required"
    assert listed["mcp"]["scope"] == "optional"
    assert "pytest" not in listed
