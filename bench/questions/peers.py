"""`python -m bench.questions.peers [FOLDER [QUESTIONS]]`: how many of the questions are answered by other
programs that search an agent's transcripts, and by ours, on the same transcripts.

Arguments are as of `bench.questions`; of a FOLDER those of Claude Code are taken, which all of them read.
What isn't on PATH is left out.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.questions.__main__ import THIRD, Asked, asked_of, first_place, own, shown_of
from bench.report import Section
from memtui.store import Store

FIRST = 5
TWO_LINES = re.compile(r"[^\n]*\n[^\n]*\n?")


class Peer(NamedTuple):
    """A program: how it is asked for words, how what it prints is taken apart into hits, and what makes it
    ready and ends it."""

    ask: Callable[[str], tuple[str, ...]]
    hits: Callable[[str], list[str]]
    start: tuple[tuple[str, ...], ...] = ()
    end: tuple[str, ...] = ()


PEERS = {
    "agentsview": Peer(
        lambda words: (
            *("agentsview", "session", "search", words, "--fts", "--json"),
            *("--include-one-shot", "--include-automated", "--limit", str(FIRST)),
        ),
        lambda out: [one["snippet"] for one in json.loads(out or "{}").get("matches") or []],
        start=(("agentsview", "sync"), ("agentsview", "daemon", "start")),
        end=("agentsview", "daemon", "stop"),
    ),
    "agsearch": Peer(lambda words: ("agsearch", "-n", words), TWO_LINES.findall),
}


def main() -> int:
    """Print the figures."""
    print(measure([Path(one) for one in sys.argv[1:]]).markdown())
    return 0


def measure(given: Sequence[Path] = ()) -> Section:
    """Ask the project's own questions, or those of a folder of transcripts, of each program on PATH."""
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        home = Path(folder) / "home"
        if given:
            place = home / ".claude" / "projects" / "-work"
            place.mkdir(parents=True)
            for path in given[0].glob("*.jsonl"):
                if '"parentUuid"' in path.read_text("utf-8", "replace"):
                    shutil.copy(path, place)
            asked = asked_of(store, place, [*given, THIRD][1])
        else:
            asked = own(store, home / ".claude")
        rows = [
            ("mem search", *(_share(asked, form, lambda words: shown_of(store, words)) for form in FORMS)),
            *(_row(name, peer, asked, home) for name, peer in PEERS.items() if shutil.which(name)),
        ]
    return Section(
        "Answers beside other programs",
        f"Shares of {len(asked)} questions of which an answer stands in what the first {FIRST} hits show, "
        "by the whole question and by its two longest words.",
        ("program", *FORMS),
        rows,
    )


def _longest(question: str) -> str:
    words = re.findall(r"\w+", question)
    chosen = sorted(words, key=len)[-2:]
    return " ".join(word for word in words if word in chosen)


FORMS: dict[str, Callable[[str], str]] = {"whole question": str, "two longest words": _longest}


def _row(name: str, peer: Peer, asked: list[Asked], home: Path) -> tuple[str, ...]:
    shell = os.environ | {"HOME": str(home)}
    version = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
    for command in peer.start:
        subprocess.run(command, env=shell, check=True, capture_output=True)

    def hits(words: str) -> list[str]:
        done = subprocess.run(peer.ask(words), env=shell, capture_output=True, text=True)
        return peer.hits(done.stdout)

    shares = [_share(asked, form, hits) for form in FORMS]
    if peer.end:
        subprocess.run(peer.end, env=shell, check=True, capture_output=True)
    number = next(word for word in version.split() if any(map(str.isdigit, word)))
    return f"{name} {number}", *shares


def _share(asked: list[Asked], form: str, hits: Callable[[str], list[str]]) -> str:
    places = [first_place(one.patterns, hits(FORMS[form](one.question))) for one in asked]
    return f"{sum(0 < place <= FIRST for place in places) / len(places):.2f}"


if __name__ == "__main__":
    raise SystemExit(main())
