"""What installs packages, and what changes the schema of a database."""

from __future__ import annotations

from .sign import KnownTool, failure, state, success

PACKAGES = (
    KnownTool("pip", ("pip", "pip3", "python -m pip", "uv pip", "pipx"), (
        failure("ERROR: ", r"^ERROR: (?:No matching distribution found for (\S{1,80})|Could not find a version that satisfies the requirement (\S{1,80}))", "not found"),
        failure("ERROR: ", r"^ERROR: (?:Could not install|Cannot install|ResolutionImpossible|Failed building|Could not build|Invalid requirement|Could not open requirements|Failed to build|Exception|Directory|Can not|Cannot|THESE PACKAGES|Package)", ""),
        failure("error: ", r"^error: (?:subprocess-exited-with-error|externally-managed-environment|metadata-generation-failed|legacy-install-failure|invalid command|resolution-too-deep)", ""),
        failure("No module named pip", r"^.{0,120}No module named pip$", "no module named pip"),
        success("Successfully installed", r"^\s{0,4}Successfully installed (\S{1,80})", "installed"),
        success("already satisfied", r"^Requirement already satisfied: (\S{1,80})", "already installed"),
        success("Successfully uninstalled", r"^\s{0,4}Successfully uninstalled (\S{1,80})", "uninstalled {0}"),
        success("installed package", r"^\s{0,4}installed package (\S{1,60} \S{1,20}),", "installed"),
    )),
    KnownTool("uv", ("uv", "rye"), (
        failure("No solution found", r"^\s{0,4}× No solution found when resolving", "failed (no solution found)"),
        failure("error: ", r"^error: (?:Failed|No `pyproject|Distribution|Request|Could not|Unable|No virtual)", ""),
        failure("× Failed", r"^\s{0,4}× Failed to (?:build|download|resolve|install)[^\n]{0,80}", "failed"),
        success("Installed ", r"^\s{0,2}Installed (\d+ packages?) in", "installed"),
        success("Audited ", r"^\s{0,2}(?:Audited|Checked) (\d+ packages?) in", "already installed"),
        success("Resolved ", r"^\s{0,2}Resolved (\d+ packages?) in", "{0} resolved"),
    )),
    KnownTool("poetry", ("poetry", "pdm", "pipenv"), (
        failure("version solving failed", r"^.{0,200}version solving failed", "version solving failed"),
        failure("Could not find a matching version", r"^\s{0,4}Could not find a matching version of package (\S{1,80})", "not found"),
        failure("ResolutionFailure", r"^.{0,80}ResolutionFailure", "failed (no resolution)"),
        success("No dependencies to install", r"^No dependencies to install or update", "already installed"),
        success("Installing ", r"^\s{0,4}[-•] Installing (\S{1,80})", "installed"),
        success("All complete!", r"^.{0,4}All complete!", "installed"),
    )),
    KnownTool("npm", ("npm", "npx"), (
        failure("npm ERR! code", r"^npm ERR! code (\S{1,40})", "failed ({0})"),
        failure("npm error code", r"^npm error code (\S{1,40})", "failed ({0})"),
        failure("npm ERR! missing script", r"^npm ERR! [Mm]issing script: \"?([^\"\n]{1,60})\"?", "no script {0}"),
        failure("issing script", r"^npm (?:ERR!|error) Missing script: \"?([^\"\n]{1,60})\"?", "no script {0}"),
        failure("npm ERR!", r"^npm ERR! (?:Lifecycle script|Exit status|Failed at)", "failed"),
        failure("npm error Lifecycle", r"^npm error Lifecycle script `([^`\n]{1,60})` failed", "failed ({0})"),
        success("added ", r"^added \d+ packages?", "installed"),
        success("up to date", r"^up to date(?:,| in)", "already installed"),
        success(" package", r"^(?:changed|removed) \d+ packages?", "installed"),
        state("vulnerabilit", r"^([1-9]\d* (?:\w+ )?vulnerabilit(?:y|ies)) ?(?:\(|$)", "{0}"),
    )),
    KnownTool("pnpm", ("pnpm",), (
        failure("ERR_PNPM_", r"^\s{0,4}(?:\[?ERR)?.{0,4}(ERR_PNPM_\w{1,60})", "failed ({0})"),
        failure("ELIFECYCLE", r"^.{0,8}ELIFECYCLE.{0,4}Command failed with exit code ([1-9]\d*)", "failed (exit code {0})"),
    )),
    KnownTool("pnpm install", ("pnpm install|i|add|update|remove",), (
        success("Already up to date", r"^Already up to date", "already installed"),
        success("Done in", r"^Done in \S{1,12}(?: using pnpm .{1,12})?$", "installed"),
    ), in_scripts=False),
    KnownTool("yarn", ("yarn",), (
        failure("error Command failed", r"^error Command failed with exit code ([1-9]\d*)", "failed (exit code {0})"),
        failure("error ", r"^error (?:Couldn't find|An unexpected|Received|\S{1,60}: (?:Not found|No license)|Couldn’t|Found incompatible)", ""),
        failure("➤ YN", r"^➤ YN\d{4}: .{0,80}Failed with errors", "failed"),
        success("Already up-to-date", r"^success Already up-to-date", "already installed"),
        success("success Saved", r"^success Saved ", "installed"),
        success("➤ YN0000", r"^➤ YN0000: .{0,10}Done", "installed"),
    )),
    KnownTool("bun", ("bun",), (
        failure("error: ", r"^error: (?:package|No version|script|Script|\S{1,60} failed to resolve|Cannot find|could not|Could not|GET|Module)", ""),
        success("packages installed", r"^\s{0,4}(\d+ packages? installed)", "installed"),
    ), in_scripts=False),
    KnownTool("cargo add", ("cargo add", "cargo install", "cargo update"), (
        failure("error: ", r"^error: (?:the crate|could not|no matching|failed)", ""),
        success("Adding ", r"^\s{0,8}Adding (\S{1,60}) (?:v\S{1,20} )?to ", "installed"),
        success("Installed package", r"^\s{0,8}Installed package", "installed"),
    ), in_scripts=False),
    KnownTool("go get", ("go get", "go mod"), (
        failure("go: ", r"^go: (?!added|upgraded|downgraded|removed|downloading|finding|warning|creating|to add|copying|found|no module dependencies)\S.{1,200}?: ", ""),
        success("go: ", r"^go: (?:added|upgraded|downgraded) ", "installed"),
    ), in_scripts=False),
    KnownTool("bundler", ("bundle install|add|update", "bundle", "gem install"), (
        failure("Could not find", r"^Could not find (?:gem|compatible versions|\S{1,80} in )", ""),
        failure("Bundler could not find", r"^Bundler could not find compatible versions", "failed (no compatible versions)"),
        failure("ERROR:  ", r"^ERROR:  (?:Could not find a valid gem|Error installing|While executing)", ""),
        failure("An error occurred while installing", r"^An error occurred while installing (\S{1,60}) \(", "failed ({0})"),
        success("Bundle complete!", r"^Bundle complete! (\d+) Gemfile dependenc", "installed"),
        success("gem", r"^\d+ gems? installed", "installed"),
    )),
    KnownTool("composer", ("composer",), (
        failure("Your requirements could not be resolved", r"^\s{0,4}Your requirements could not be resolved", "failed (no solution found)"),
        failure("Could not find", r"^\s{0,4}Could not find (?:a matching version of )?package (\S{1,80})", "not found"),
        success("Generating autoload files", r"^Generating (?:optimized )?autoload files", "installed"),
        state("Nothing to install", r"^Nothing to install, update or remove", "already installed"),
    )),
    KnownTool("apt", ("apt-get", "apt"), (
        failure("E: ", r"^E: (?:Unable to locate package (\S{1,60}))", "not found"),
        failure("E: ", r"^E: \S", ""),
        success("Setting up ", r"^Setting up (\S{1,60}) \(", "installed"),
        success("is already the newest", r"^\S{1,60} is already the newest version", "already installed"),
    )),
    KnownTool("apk", ("apk", "dnf", "yum", "pacman"), (
        failure("ERROR: unable to select", r"^ERROR: unable to select packages", "not found"),
        failure("Unable to find a match", r"^.{0,20}Unable to find a match: (\S{1,60})", "not found"),
        failure("error: target not found", r"^error: target not found: (\S{1,60})", "not found"),
        success("OK: ", r"^OK: \d+ \w+ in \d+ packages", "installed"),
        success("Complete!", r"^Complete!$", "installed"),
    )),
    KnownTool("brew", ("brew",), (
        failure("Error: ", r"^Error: \S", ""),
        failure("No available formula", r"^.{0,10}No available formula (?:or cask )?with the name \"?([^\"\n]{1,60})\"?", "not found"),
        success("already installed", r"^.{0,20}\S{1,60} \S{1,20} is already installed", "already installed"),
        success("🍺", r"^🍺 +", "installed"),
    )),
    KnownTool("conda", ("conda", "mamba", "micromamba"), (
        failure("PackagesNotFoundError", r"^PackagesNotFoundError:", "not found"),
        failure("LibMambaUnsatisfiableError", r"^LibMambaUnsatisfiableError:", "failed (unsatisfiable)"),
        success("All requested packages already", r"^# All requested packages already installed", "already installed"),
        success("Executing transaction: done", r"^Executing transaction: .{0,20}done", "installed"),
    )),
    KnownTool("alembic", ("alembic", "flask db"), (
        failure("FAILED: ", r"^FAILED: (.{1,80})", "failed ({0})"),
        failure("Can't locate revision", r"^.{0,120}Can't locate revision identified by '([^'\n]{1,60})'", "failed (no revision {0})"),
        failure("Multiple head revisions", r"^.{0,80}Multiple head revisions", "failed (several heads)"),
        success("Running upgrade", r"^.{0,60}Running upgrade \S{0,40} ?-> ([0-9a-z_]{1,40})", "upgraded to {0}"),
        success("Running downgrade", r"^.{0,60}Running downgrade \S{1,40} -> ([0-9a-z_]{0,40})", "downgraded to {0}"),
        success("Generating ", r"^\s{0,4}Generating (\S{1,160}\.py) ?\.{3}", "made {0}"),
    )),
    KnownTool("django", ("manage.py", "django-admin", "python manage.py"), (
        failure("CommandError", r"^CommandError: (.{1,80})", "failed ({0})"),
        failure("SystemCheckError", r"^(?:django\.core\.management\.base\.)?SystemCheckError: (.{1,80})", "failed ({0})"),
        state("No migrations to apply", r"^\s{0,4}No migrations to apply", "no migrations to apply"),
        success("Applying ", r"^\s{0,4}Applying \S{1,120}\.{3} OK", "{n} migrations applied"),
        success("System check identified no issues", r"^System check identified no issues", "no issues"),
    )),
    KnownTool("rails", ("rails", "rake"), (
        failure("rails aborted!", r"^(?:rails|rake|bin/rails) aborted!", "failed"),
        success("migrated (", r"^== \d+ (\w{1,80}): migrated", "{n} migrations applied"),
    )),
    KnownTool("prisma", ("prisma", "drizzle-kit", "knex", "sequelize", "typeorm"), (
        failure("Error: P", r"^(?:Error: )?(P\d{4})\b", "failed ({0})"),
        success("Your database is now in sync", r"^.{0,10}Your database is now in sync", "database in sync"),
        success("migrations have been", r"^.{0,10}All migrations have been successfully applied", "migrations applied"),
    )),
)  # fmt: skip
