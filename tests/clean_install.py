"""Try a wheel as others have it: by itself, in a new environment of this interpreter and of each other one.

`python -m tests.clean_install WHEEL [PYTHON]...` runs `tests/test_smoke.py` by the programs of each. The
tests themselves run on this interpreter, so that an environment holds only the wheel and what it asks for.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.places import ROOT

WHERE = "import memtui.store, memtui.tui; print(*memtui.store.__path__, *memtui.tui.__path__, sep='\\n')"


def install(wheel: Path, python: Path, folder: Path) -> Path:
    """Make an environment in a folder that the wheel is installed in, and return its programs' folder."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    programs = folder / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    install = ["install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    packages = subprocess.run(
        [programs / "python", "-c", WHERE],
        cwd=folder, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    for package in packages:
        if not Path(package).is_relative_to(folder):
            raise SystemExit(f"{package} was imported instead of what {wheel.name} holds.")
    return programs


def main() -> None:
    wheel, *others = map(Path, sys.argv[1:])
    for python in (Path(sys.executable), *others):
        with TemporaryDirectory() as folder:
            print(f"{wheel.name} on {python}:", flush=True)
            programs = install(wheel.resolve(), python, Path(folder).resolve())
            subprocess.run(
                [sys.executable, "-m", "pytest", "tests/test_smoke.py"],
                cwd=ROOT, env={**os.environ, "PROGRAMS": str(programs)}, check=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
