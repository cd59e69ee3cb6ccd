"""What import-linter has no contract for: a package may import only those modules of another that
are listed by name."""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class PublicModules(Contract):
    """`importer` imports of `package` only the modules in `public`, and these directly.

    A module that is listed but not imported breaks the contract too, so that the list stays short.
    """

    importer = fields.StringField()
    package = fields.StringField()
    public = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Compare the imports with the list."""
        package, public = str(self.package), {str(name) for name in self.public}  # type: ignore[attr-defined]
        importers = {str(self.importer), *graph.find_descendants(str(self.importer))}
        imported: dict[str, set[str]] = {}
        for importer in importers:
            for name in graph.find_modules_directly_imported_by(importer):
                if name == package or name.startswith(f"{package}."):
                    imported.setdefault(name, set()).add(importer)
        private = {name: sorted(imported[name]) for name in imported.keys() - public}
        unused = sorted(public - imported.keys())
        return ContractCheck(
            kept=not private and not unused, metadata={"private": private, "unused": unused}
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import of a module that is not public, and what is listed for nothing."""
        found: dict[str, Any] = check.metadata
        for name, importers in sorted(found["private"].items()):
            output.print_error(f"{name} is not public, but imported by {', '.join(importers)}.")
        for name in found["unused"]:
            output.print_error(f"{name} is listed as public, but not imported.")
