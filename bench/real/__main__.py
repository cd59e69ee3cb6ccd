"""`python -m bench.real [--seed N] [--marks N] [--pages DIR] FOLDER…`: what becomes of real work?

Each folder holds transcripts as agents keep them in a home (`.claude`, `.codex`, `.gemini`; OpenCode's
exports in `opencode`). They are imported into a store in a home that is thrown away; a line a folder says
what came of them, and a page shows what is stored of each session; the store lies beside it. Exit 1 where a
command failed, an event could not be stored, or an export that is imported elsewhere and exported again is
another file.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from bench.real.figures import measured
from bench.real.page import page
from memtui.store import Store


def main() -> int:
    """Print a line and the path of a page for each folder."""
    parser = ArgumentParser("python -m bench.real")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--pages", type=Path, help="where pages are written; else a new directory")
    parser.add_argument("--seed", type=int, default=1, help="which marks are shown")
    parser.add_argument("--marks", type=int, default=60, help="how many marks are shown at most")
    given = parser.parse_args()
    pages: Path = given.pages or Path(mkdtemp(prefix="memtui-real-"))
    pages.mkdir(parents=True, exist_ok=True)
    is_sound = True
    for folder in given.folders:
        with TemporaryDirectory() as work:
            figures = measured(folder.resolve(), Path(work))
            is_sound &= figures.is_sound
            print(figures.line(), flush=True)
            target = pages / f"{figures.name}.md"
            target.write_text(page(folder.resolve(), Path(work), figures, given.seed, given.marks), "utf-8")
            with Store.open(Path(work) / "m.db", read_only=True) as store:
                kept = target.with_suffix(".db")
                kept.unlink(missing_ok=True)
                store.backup(kept)
            print(f"   {target}, {kept.name} beside it", flush=True)
    return 0 if is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
