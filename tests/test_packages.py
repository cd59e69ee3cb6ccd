"""What `make dist` writes beside the wheel: the entry of the MCP registry, and the packages of npm, the AUR
and Homebrew; their own programs look at them, where those are at hand."""

import json
import os
import shutil
import subprocess
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from docs.distribution import packages
from docs.distribution.project import NAME, SUMMARY, VERSION
from tests.places import ROOT
from tests.programs import program

DIGEST = "0" * 64


@pytest.fixture(scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of npm's package."""
    folder = tmp_path_factory.mktemp("dist")
    packages.write(folder)
    return folder / "npm"


def test_the_registry_is_told_of_a_program_that_there_is() -> None:
    entry = packages.server()
    (package,) = entry["packages"]
    assert len(entry["description"]) <= 100  # the most that its schema takes
    assert entry["version"] == package["version"] == VERSION
    words = [argument["value"] for argument in package["packageArguments"]]
    asked = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert package["identifier"] in scripts
    # As uvx starts it: the program that is called as the package is.
    started = [shutil.which("memtui", path=f"{ROOT / '.venv/bin'}:{os.environ['PATH']}") or "", *words]
    answer = subprocess.run(started, input=json.dumps(asked), capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
@pytest.mark.parametrize("called", ["mem", "memtui"])
def test_npm_s_package_runs_the_program_by_uvx(npm: Path, tmp_path: Path, called: str) -> None:
    uvx = program(tmp_path, "uvx", status=3)
    shim = npm / json.loads((npm / "package.json").read_text())["bin"][called]
    node = shutil.which("node")
    assert node is not None
    run = [node, shim, "search", "a b"]
    environment = {**os.environ, "PATH": str(tmp_path)}
    assert subprocess.run(run, env=environment).returncode == 3
    assert uvx.words == ["--from", f"{NAME}=={VERSION}", called, "search", "a b"]
    without = subprocess.run(run, env={**environment, "PATH": ""}, capture_output=True, text=True)
    assert without.returncode == 1
    assert "needs uv" in without.stderr


@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here")
def test_npm_packs_what_is_named(npm: Path) -> None:
    packed = subprocess.run(
        ["npm", "pack", "--dry-run", "--json"], cwd=npm, check=True, capture_output=True, text=True
    ).stdout
    (package,) = json.loads(packed)
    names = {file["path"] for file in package["files"]}
    assert names == {"LICENSE", "README.md", "mem.js", "memtui.js", "package.json"}


def needed() -> set[str]:
    requirements = map(Requirement, requires(NAME) or ())
    return {one.name for one in requirements if one.marker is None}


def test_the_aur_s_package_is_a_script_of_bash_that_asks_for_all_that_is_needed() -> None:
    text = packages.pkgbuild(DIGEST)
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    said = subprocess.run(
        ["bash", "-c", text + '\necho "$pkgdesc|$pkgver|${#depends[@]}|${sha256sums[0]}"'],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert said == f"{SUMMARY}|{VERSION}|{len(needed()) + 1}|{DIGEST}\n"


@pytest.mark.long
@pytest.mark.skipif(shutil.which("uv") is None, reason="no uv here")
def test_homebrew_s_formula_has_a_resource_for_all_that_is_needed() -> None:
    text = packages.formula(DIGEST)
    for name in needed():
        assert f'  resource "{name}" do\n    url "https://' in text
    if ruby := shutil.which("ruby"):
        subprocess.run([ruby, "-c"], input=text, text=True, check=True)
