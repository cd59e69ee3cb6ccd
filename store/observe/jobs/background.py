"""Work on the queue from a hook or the browser: the rules here, the model in a background process
that ends by itself.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from ...config import ModelSettings, model_settings
from ...errors import ConfigurationError
from ...store import Store
from .backoff import end_backoff
from .job import JobResult, is_waiting, process, wants_model
from .spawn import job_command

_started: list[subprocess.Popen[bytes]] = []


def process_briefly(store: Store, seconds: float) -> JobResult:
    """Do what the rules can within about so many seconds, and start a process where the model has
    to be asked. Where the configuration can't be read, what waits goes on waiting for its model."""
    if store.read_only or store.db.in_transaction or not is_waiting(store):
        return JobResult()
    settings: ModelSettings | None = None
    holds = True
    with suppress(ConfigurationError):
        settings = model_settings()
        holds = settings is not None
    done = process(store, settings, seconds=seconds, holds=holds, ask_model=False)
    if settings is not None and done.elected and wants_model(store, settings):
        start_job(store.path)
    return done


def process_at_once(store: Store, seconds: float) -> tuple[JobResult, bool]:
    """As `work_a_little`, but a model is asked though it rests; what was done, and whether it is
    asked now. Raises ConfigurationError."""
    settings = model_settings()
    if settings is not None:
        end_backoff(store)
    done = process(store, settings, seconds=seconds, ask_model=False)
    is_asked = settings is not None and done.elected and wants_model(store, settings)
    if is_asked:
        start_job(store.path)
    return done, is_asked


def start_job(database: Path) -> None:
    """Start a job in the background, away from this process and its terminal; one at a time."""
    _started[:] = [one for one in _started if one.poll() is None]
    if _started:
        return
    # Where it can't be started there is no model's answer now, and the rules' record stands.
    with suppress(OSError):
        _started.append(
            subprocess.Popen(
                job_command(str(database.absolute())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=database.absolute().parent,
                env=dict(os.environ),
                start_new_session=True,
            )
        )
