"""The entry of the MCP registry, and the packages of Homebrew, the AUR and npm."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from .project import (
    AUTHOR,
    HOMEPAGE,
    KEYWORDS,
    LICENCE,
    NAME,
    PROJECT,
    SUMMARY,
    TOP,
    VERSION,
    write_json,
    write_text,
)

SERVER = f"io.github.{NAME}/{NAME}"
"""Its name in the MCP registry, which only the account of the middle part can publish. The registry also
wants `mcp-name: …` in the description on PyPI."""
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
SOURCE = f"https://files.pythonhosted.org/packages/source/{NAME[0]}/{NAME}/{NAME}-{VERSION}.tar.gz"
PYTHON = "3.13"
"""The one that Homebrew's package is made for."""


def write(folder: Path) -> None:
    """Write all that can be written: the AUR and Homebrew want the digest of the archive of the source,
    which `folder` has to hold, and Homebrew those of all that is needed, which `uv` knows."""
    write_json(folder / "server.json", server())
    _write_npm(folder / "npm")
    archive = folder / f"{NAME}-{VERSION}.tar.gz"
    if not archive.exists():
        print(f"No {archive}: Homebrew's and the AUR's packages are left out.", file=sys.stderr)
        return
    digest = sha256(archive.read_bytes()).hexdigest()
    write_text(folder / "aur/PKGBUILD", pkgbuild(digest))
    if shutil.which("uv") is None:
        print("No uv: Homebrew's formula is left out.", file=sys.stderr)
        return
    write_text(folder / f"homebrew/{NAME}.rb", formula(digest))


def server() -> dict[str, Any]:
    """Return what a client of the MCP registry is told: clients run `uvx memtui==VERSION mcp`."""
    package = {
        "registryType": "pypi",
        "identifier": NAME,
        "version": VERSION,
        "runtimeHint": "uvx",
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        "transport": {"type": "stdio"},
    }
    about = {"name": SERVER, "title": NAME, "description": SUMMARY, "version": VERSION}
    return {"$schema": SCHEMA, **about, "websiteUrl": HOMEPAGE, "packages": [package]}


ARCH = {"python-dateutil": "python-dateutil", "pyyaml": "python-yaml"}
"""What the AUR calls packages otherwise than python-NAME."""

PKGBUILD = """# Maintainer: {author}
pkgname={name}
pkgver={version}
pkgrel=1
pkgdesc="{summary}"
arch=(any)
url="{homepage}"
license=({licence})
depends=({depends})
makedepends=(python-build python-installer {build})
source=("{source}")
sha256sums=({digest})

build() {{
  cd "$pkgname-$pkgver"
  python -m build --wheel --no-isolation
}}

package() {{
  cd "$pkgname-$pkgver"
  python -m installer --destdir="$pkgdir" dist/*.whl
  install -Dm644 LICENSE NOTICE -t "$pkgdir/usr/share/licenses/$pkgname"
}}
"""


def pkgbuild(digest: str) -> str:
    """Return the PKGBUILD, for an archive of the source that has this digest."""
    system = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["build-system"]
    return PKGBUILD.format(
        **_about(digest),
        depends=" ".join(["python", *map(_arch, PROJECT["dependencies"])]),
        build=" ".join(map(_arch, system["requires"])),
    )


def _arch(requirement: str) -> str:
    name = Requirement(requirement).name
    return ARCH.get(name, f"python-{name}")


FORMULA = """class {title} < Formula
  include Language::Python::Virtualenv

  desc "{summary}"
  homepage "{homepage}"
  url "{source}"
  sha256 "{digest}"
  license "{licence}"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "libyaml"
  depends_on "python@{python}"

{resources}
  def install
    virtualenv_install_with_resources
    man1.install Dir["docs/man/*.1"]
    bash_completion.install "store/cli/shell/completion/mem.bash" => "mem"
    fish_completion.install "store/cli/shell/completion/mem.fish"
    zsh_completion.install "store/cli/shell/completion/mem.zsh" => "_mem"
  end

  test do
    ENV["MEMTUI_DB"] = testpath/"memory.db"
    system bin/"mem", "add", "Tokens live a day"
    assert_match "Tokens live a day", shell_output("#{{bin}}/mem search token")
  end
end
"""
RESOURCE = """  resource "{name}" do
    url "{url}"
    sha256 "{digest}"
  end
"""


def formula(digest: str) -> str:
    """Return Homebrew's formula, with a resource for each package that is needed."""
    resources = "\n".join(RESOURCE.format(**resource) for resource in _resources())
    # A description of Homebrew's ends without a full stop.
    about = {**_about(digest), "summary": SUMMARY.removesuffix(".")}
    return FORMULA.format(**about, title=NAME.capitalize(), python=PYTHON, resources=resources)


def _resources() -> Iterator[dict[str, str]]:
    """Yield the archive of the source of each package, a wheel where there is none."""
    command = ["uv", "pip", "compile", "pyproject.toml", "--format", "pylock.toml", "--quiet"]
    locked = subprocess.run(
        [*command, "--python-version", PYTHON],
        cwd=TOP, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for package in tomllib.loads(locked)["packages"]:
        file = package.get("sdist") or package["wheels"][0]
        yield {"name": package["name"], "url": file["url"], "digest": file["hashes"]["sha256"]}


SHIM = """#!/usr/bin/env node
// Runs {program} of the Python package by uvx, which fetches it the first time.
const {{ spawnSync }} = require("node:child_process");
const words = ["--from", "{name}=={version}", "{program}", ...process.argv.slice(2)];
const {{ error, status }} = spawnSync("uvx", words, {{ stdio: "inherit" }});
if (error) {{
  const isMissing = error.code === "ENOENT";
  console.error("{program}:", isMissing ? "it needs uv: https://docs.astral.sh/uv" : error.message);
}}
process.exitCode = status ?? 1;
"""


def _write_npm(folder: Path) -> None:
    programs = sorted(PROJECT["scripts"])
    about = {"name": NAME, "version": VERSION, "description": SUMMARY, "license": LICENCE}
    more = {
        "author": AUTHOR["name"],
        "homepage": HOMEPAGE,
        "keywords": KEYWORDS,
        "engines": {"node": ">=18"},
    }
    files = {program: f"{program}.js" for program in programs}
    write_json(folder / "package.json", {**about, **more, "bin": files, "files": sorted(files.values())})
    for program, file in files.items():
        write_text(folder / file, SHIM.format(program=program, name=NAME, version=VERSION))
    for name in ("LICENSE", "README.md"):
        write_text(folder / name, (TOP / name).read_text("utf-8"))


def _about(digest: str) -> dict[str, str]:
    said = {"name": NAME, "version": VERSION, "summary": SUMMARY, "homepage": HOMEPAGE, "licence": LICENCE}
    return {**said, "author": AUTHOR["name"], "source": SOURCE, "digest": digest}
