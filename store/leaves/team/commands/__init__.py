"""`mem team`: a memory that several people share, on a PostgreSQL of theirs."""

from . import sharing  # noqa: F401 - it declares some of the commands
from .membership import app as app
