"""What a memory leads to on this machine: its files in the user's editor, and web pages."""

from .editor import open_in_editor
from .files import FileLink, file_links, listed_files, texts_of
from .foreground import run_in_foreground
from .urls import WebLink, urls_in

__all__ = [
    "FileLink",
    "WebLink",
    "file_links",
    "listed_files",
    "open_in_editor",
    "run_in_foreground",
    "texts_of",
    "urls_in",
]
