"""A process that ends while a model in it is at work ends well."""

import subprocess
import sys
from pathlib import Path

from memtui.store import Store

from .keeping import kept
from .models import onnx_model

SCRIPT = """
import sys
from memtui.store import Store
from memtui.store.leaves.embeddings.local_models import OnnxEmbedder
from threading import Event, main_thread

begun = Event()
embed = OnnxEmbedder._embed_batch

def slowly(self, texts, **more):
    begun.set()
    while main_thread().is_alive():
        embed(self, texts, **more)
    found = embed(self, texts, **more)
    print("whole", flush=True)
    return found

OnnxEmbedder._embed_batch = slowly
with Store.open(sys.argv[1]) as store:
    assert store.meaning(0).near_text(store.db, "the clock", range(1, 41)).is_late
    begun.wait()
"""


def test_a_process_ends_while_its_model_is_at_work(store: Store, tmp_path: Path) -> None:
    for number in range(40):
        store.observations.add("c-1", title=f"the clock drifts {number}")
    config = tmp_path / "config.toml"
    config.write_text(f'[embeddings]\nprovider = "onnx"\ndirectory = "{onnx_model(tmp_path / "onnx")}"\n')
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(store.path)],
        env={"MEMTUI_CONFIG": str(config), "TEST_EXTRAS": "onnx", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "whole\n", "")
    # What it was at was ended, and nothing else begun.
    assert kept(store) == set()
