"""What agents' settings start at each event: `PYTHON -I -S …/store/capture/hook.py AGENT [--db PATH]`.

A script is compiled each time it runs, so it only finds the rest, which is compiled once. `--check` in
place of an agent says whether there is a rest that can be run.
"""

import sys

try:
    import posix
except ImportError:
    import nt as posix  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


FILE = __file__ if posix.__name__ == "posix" else __file__.replace("\\", "/")
HOME = FILE.rpartition("/memtui/store/capture/")[0] or FILE.rpartition("/store/capture/")[0] + "/.dev"
"""The directory that the package lies in; where this is called in a checkout, the one of links to it."""


class Finder:
    """Finds our own modules by their names; any other is looked for as usual, which asks the system as
    much as to read it."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> "ModuleSpec | None":
        """The module in its own file; None for one that isn't ours, or isn't there."""
        if not name.startswith("memtui."):
            return None
        from _frozen_importlib_external import spec_from_file_location

        place = f"{HOME}/{name.replace('.', '/')}"
        if is_there(place + ".py"):
            return spec_from_file_location(name, place + ".py")
        package = place + "/__init__.py"
        if not is_there(package):
            return None
        return spec_from_file_location(name, package, submodule_search_locations=[place])


def is_there(path: str) -> bool:
    """Whether there is such a file."""
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    # What we require may lie beside us; what comes with the interpreter is found before.
    sys.path.append(HOME)
    for name in ("memtui", "memtui.store", "memtui.store.capture"):
        # Nothing that a hook needs is in them, and to import one would be to read its file.
        package = sys.modules[name] = type(sys)(name)
        package.__path__ = [f"{HOME}/{name.replace('.', '/')}"]
    sys.meta_path.insert(0, Finder)
    try:
        if sys.argv[1:] == ["--check"]:
            from memtui.store.capture.hook_process.session_start import check

            check()
        else:
            from memtui.store.capture.hook_process.main import run

            run(sys.argv[1:])
    except BaseException:
        if sys.argv[1:] == ["--check"]:
            raise
        # What is left of a package that is gone or broken must not stop an agent.
