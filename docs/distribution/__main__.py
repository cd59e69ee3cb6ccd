"""Write all of it into the folder that is named."""

import sys
from pathlib import Path

from . import packages, plugins

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    plugins.write(folder / "plugins")
    packages.write(folder)
