"""The recipes of docs/recipes.md and recipes-data.md are followed by the letter, and work."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.places import ROOT
from tests.sizes import of_today

PAGES = sorted((ROOT / "docs").glob("recipes*.md"))
BLOCK = re.compile(r"(?:^`(\S+)`:\n\n?)?^```(\w+)\n(.*?)^```$", re.M | re.S)
"""A fenced block: the path that stands above it, if one does, its language and its text."""


class Block(NamedTuple):
    """A block of a recipe: a new file, a change of one (`diff`), commands (`sh`), or what those before it
    print (`text`), in which `...` stands for anything."""

    path: str
    language: str
    text: str


def blocks_of(page: str) -> dict[str, list[Block]]:
    """Return the blocks of each section of a page, by its title."""
    sections = (section.partition("\n") for section in page.split("\n## ")[1:])
    return {title: [Block(*found) for found in BLOCK.findall(text)] for title, _, text in sections}


RECIPES = {title: blocks for page in PAGES for title, blocks in blocks_of(page.read_text("utf-8")).items()}


def changed(text: str, diff: str) -> str:
    """Return a text with changes, which `@@` divides: what each replaces stands there just once."""
    for hunk in re.split(r"^@@.*\n", diff, flags=re.M):
        lines = [line if line.strip() else " \n" for line in hunk.splitlines(keepends=True)]
        assert all(line[0] in " -+" for line in lines), hunk
        old, new = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
        assert old and text.count(old) == 1, f"This stands {text.count(old)} times there:\n{old}"
        text = text.replace(old, new)
    return text


def copied_to(folder: Path) -> Path:
    """Copy what git knows of the repository, with an environment whose programs import the copy."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    environment(folder / ".venv", folder / ".dev")
    return folder


def environment(own: Path, product: Path) -> None:
    """Make an environment of the packages and programs of this one, that imports the product of a copy."""
    site, prefix = Path(sysconfig.get_path("purelib")), Path(sys.prefix)
    for folder in (own / site.relative_to(prefix), own / "bin"):
        folder.mkdir(parents=True)
    for package in site.iterdir():
        if package.name != "_memtui.pth":
            (own / package.relative_to(prefix)).symlink_to(package)
    (own / site.relative_to(prefix) / "_memtui.pth").write_text(f"{product}\n")
    for program in (prefix / "bin").iterdir():
        if program.is_symlink() or not program.read_bytes().startswith(b"#!"):
            (own / "bin" / program.name).symlink_to(program.resolve())
        else:
            script = Path(shutil.copy2(program, own / "bin"))
            script.write_text(script.read_text("utf-8").replace(str(prefix), str(own)), "utf-8")
    shutil.copy(prefix / "pyvenv.cfg", own)
    for stamp in ("installed", "installed-dev"):
        (own / stamp).touch()


def run(script: str, folder: Path) -> str:
    """Run commands in a copy, in the environment of who works there, and return what they print."""
    kept = {name: value for name, value in os.environ.items() if not re.match("MAKE|MFLAGS|PYT", name)}
    path = f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    own = {"HOME": str(folder / "home"), "PATH": path}
    done = subprocess.run(
        ["bash", "-euc", script], cwd=folder, env=kept | own, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, f"{script}\n{done.stdout}"
    return done.stdout


def follow(blocks: list[Block], folder: Path) -> None:
    """Do what the blocks of a recipe say, in their order."""
    printed = ""
    for path, language, text in blocks:
        if language == "sh":
            printed = run(text, folder)
        elif language == "text":
            expected = re.escape(text.strip()).replace(re.escape("..."), ".*")
            assert re.fullmatch(expected, printed.strip(), re.S), f"{printed}\nis not\n{text}"
        elif language == "diff":
            (folder / path).write_text(changed((folder / path).read_text("utf-8"), text), "utf-8")
        else:
            assert path and not (folder / path).exists(), path
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")


@pytest.mark.parametrize("title", RECIPES)
def test_what_a_recipe_changes_stands_there_just_once(title: str) -> None:
    texts: dict[str, str] = {}
    for path, language, text in RECIPES[title]:
        if language == "diff":
            before = texts.get(path) or (ROOT / path).read_text("utf-8")
            texts[path] = changed(before, text)
        elif path:
            texts[path] = text


@pytest.mark.long
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git knows what to copy")
@pytest.mark.parametrize("title", of_today(RECIPES, 3))
def test_a_recipe_works_by_what_it_says(title: str, tmp_path: Path) -> None:
    folder = copied_to(tmp_path)
    follow(RECIPES[title], folder)
    files = " ".join(sorted({path for path, _, _ in RECIPES[title] if path.endswith(".py")}))
    run(f"ruff format --check {files} && ruff check {files} && lint-imports", folder)
