"""Goose, whose sessions are read."""

from .base import Agent


class Goose(Agent):
    """Goose."""

    name = "goose"
    position = 140
    is_tried = False

    home_folders = (".local/share",)
    home_variable = "XDG_DATA_HOME"
    below_home = "goose"
    programs = ("goose",)
    resuming = ("goose", "session", "--resume", "--session-id", "{id}")

    transcript_folders = ("sessions",)
    transcript_names = r"^([^/]+\.jsonl|sessions\.db)$"
    file_readers = {".db": "goose.GooseDatabase", ".jsonl": "goose.GooseSession"}


AGENT = Goose()
