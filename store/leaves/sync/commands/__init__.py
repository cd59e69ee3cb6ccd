"""`mem sync`: one store on several machines, and directories that are kept in step."""

from . import scheme_c  # noqa: F401 - it declares one of the commands
from .machines import app as app
