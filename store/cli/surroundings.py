"""What a command finds around it: the user's own memory, and the project it runs in.

Only `os` is imported, for the lean `mem add` asks the same questions.
"""

from __future__ import annotations
