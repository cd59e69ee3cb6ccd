"""What agents' settings start at each event: `PYTHON -I -S …/store/capture/hook.py AGENT [--db PATH]`.

A script is compiled each time it runs, so it only finds the rest, which is compiled once. `--check` in
place of an agent says whether there is a rest that can be run.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


LEAN = {
    "memtui.store.capture.hook_process": "/store/capture/hook_process/__init__.py",
    "memtui.store.capture.hook_process.main": "/store/capture/hook_process/main.py",
    "memtui.store.paths": "/store/paths.py",
}
"""All that an agent waits for. To look for a module asks the system as much as to read it."""

HOME = (
    __file__.rpartition("/memtui/store/capture/")[0]
    or __file__.rpartition("/store/capture/")[0] + "/.dev"
)
"""The directory that the package lies in; where this is called in a checkout, the one of links to it."""

PACKAGE = HOME + "/memtui"


class Lean:
    """Knows where these are; any other module is looked for as usual."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> "ModuleSpec | None":
        """The module in its own file; None for one that is not lean."""
        if name not in LEAN:
            return None
        from _frozen_importlib_external import spec_from_file_location

        return spec_from_file_location(name, PACKAGE + LEAN[name])


if __name__ == "__main__":
    sys.path.insert(0, HOME)
    for name in ("memtui", "memtui.store", "memtui.store.capture"):
        # Nothing that a hook needs is in them, and to import one would be to read its file.
        package = sys.modules[name] = type(sys)(name)
        package.__path__ = [f"{HOME}/{name.replace('.', '/')}"]
    sys.meta_path.insert(0, Lean)
    try:
        if sys.argv[1:] == ["--check"]:
            from memtui.store.capture.hook_process.check import check

            check()
        else:
            from memtui.store.capture.hook_process.main import run

            run(sys.argv[1:])
    except BaseException:
        if sys.argv[1:] == ["--check"]:
            raise
        # What is left of a package that is gone or broken must not stop an agent.
