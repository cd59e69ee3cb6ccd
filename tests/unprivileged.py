"""A process to which permissions apply, also where root runs the tests."""

import ctypes
import multiprocessing
import os
import struct
from collections.abc import Callable

_CAPABILITIES_OF_THREE_WORDS = 0x20080522


def without_privileges(job: Callable[[], None]) -> int | None:
    """The exit code of a job in a process that may only what the owner of its files may.

    It stays the same user, so that it can read the modules and the schema wherever they lie.
    """

    def run() -> None:
        if os.geteuid() == 0:
            _give_up_capabilities()
        job()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(60)
    return process.exitcode


def _give_up_capabilities() -> None:
    header = struct.pack("=Ii", _CAPABILITIES_OF_THREE_WORDS, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(header, bytes(24)):
        raise OSError(ctypes.get_errno(), "The capabilities of root can't be given up")
