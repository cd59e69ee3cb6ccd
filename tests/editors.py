"""Programs that stand for the user's editor."""

import sys
from pathlib import Path


def editor(folder: Path, code: str) -> str:
    """Return the command of an editor that changes the text `t` of the file it is given by `code`.

    `round` counts from 0 how often it was started; what it was given stands in `round-N` in the folder.
    """
    script = folder / "editor.py"
    script.write_text(
        "import sys, pathlib\n"
        "path = pathlib.Path(sys.argv[-1]); t = path.read_text(); here = pathlib.Path(__file__).parent\n"
        "round = len(list(here.glob('round-*'))); (here / f'round-{round}').write_text(t)\n"
        f"{code}\n"
        "path.write_text(t)\n"
    )
    return f"{sys.executable} {script}"
