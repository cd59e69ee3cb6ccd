"""Amp, whose threads are read."""

from .base import Agent


class Amp(Agent):
    """Amp; a thread is a session."""

    name = "amp"
    position = 130
    is_tried = False

    home_folders = (".local/share",)
    home_variable = "XDG_DATA_HOME"
    below_home = "amp"
    programs = ("amp",)
    resuming = ("amp", "threads", "continue", "{id}")

    transcript_folders = ("threads",)
    transcript_names = r"^T-[^/]+\.json$"
    file_readers = {".json": "amp.AmpThread"}


AGENT = Amp()
