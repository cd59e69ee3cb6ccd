"""What builds, installs and keeps versions: compilers, bundlers, build systems; package managers, and what
changes the schema of a database; git, and what hosts its repositories."""

from __future__ import annotations

from . import KnownTool, failure, state, success

BUILDS = (
    KnownTool("make", ("make", "gmake"), (
        failure("No rule to make target", r"^g?make(?:\[\d+\])?: \*\*\* No rule to make target [`'‘]([^'’\n]{1,80})['’]", "failed (no rule to make target {0})"),
        failure("*** [", r"^g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]\n]{0,120}?: )?([^\]:\n]{1,80})\] (?:Error \d+|错误 \d+|Segmentation fault|Terminated|Interrupt|Killed)", "failed ({0})"),
        failure("***", r"^(?:Makefile|makefile|GNUmakefile|\S{1,80}\.mk):\d+: \*\*\* (.{1,80}?)\.? +Stop\.$", "failed ({0})"),
        failure("No targets", r"^g?make: \*\*\* No targets", "failed (no targets)"),
        state("Nothing to be done", r"^g?make(?:\[\d+\])?: Nothing to be done for [`'‘]([^'’\n]{1,80})['’]", "nothing to be done"),
        state("is up to date", r"^g?make(?:\[\d+\])?: [`'‘]([^'’\n]{1,80})['’] is up to date", "up to date"),
    )),
    KnownTool("just", ("just", "task", "mise run", "invoke", "inv"), (
        failure("error: Recipe", r"^error: Recipe `([^`\n]{1,60})` failed", "failed ({0})"),
        failure("Justfile does not contain", r"^error: Justfile does not contain recipe `?([^`\n]{1,60})`?", "failed (no recipe {0})"),
        failure("task: ", r"^task: Failed to run task \"([^\"\n]{1,60})\"", "failed ({0})"),
        failure("ERROR task failed", r"^(?:\[[^\]\n]{1,40}\] )?ERROR task failed", "failed"),
    )),
    KnownTool("cmake", ("cmake",), (
        failure("CMake Error", r"^CMake Error(?: at (\S{1,120}:\d+))?", "failed ({0})"),
        failure("Configuring incomplete", r"^-- Configuring incomplete, errors occurred!", "failed"),
        success("Build files have been written", r"^-- Build files have been written to: (\S{1,120})", "configured"),
        success("Built target", r"^\[100%\] Built target (\S{1,60})", "built {0}"),
    )),
    KnownTool("ninja", ("ninja", "meson compile"), (
        failure("ninja: build stopped", r"^ninja: build stopped: (.{1,80}?)\.$", "failed ({0})"),
        failure("ninja: error", r"^ninja: error: (.{1,80})$", "failed ({0})"),
        state("no work to do", r"^ninja: no work to do\.", "no work to do"),
    )),
    KnownTool("gcc", ("gcc", "g++", "clang", "clang++", "cc", "c++"), (
        failure("error: ", r"^\S{1,200}:\d+:\d+: (?:fatal )?error: ", "failed ({n} errors)"),
        failure("undefined reference", r"^.{0,200}undefined reference to [`']([^'\n]{1,80})'", "failed (undefined reference to {0})"),
        failure("ld returned", r"^collect2: error: ld returned \d+ exit status", "failed (linker)"),
        failure("linker command failed", r"^clang(?:\+\+)?: error: linker command failed", "failed (linker)"),
    )),
    KnownTool("cargo build", ("cargo build", "cargo check", "cargo run", "cargo install", "cargo b", "cargo r", "cargo bench", "cargo doc", "maturin"), (
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`.{0,60}due to ([1-9]\d*) previous errors?", "failed ({1} errors)"),
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`", "failed"),
        failure("error: no matching package", r"^error: no matching package named `([^`\n]{1,80})`", "failed (no package {0})"),
        state("generated", r"^warning: `[^`\n]{1,80}` \([^)\n]{1,40}\) generated (\d+ warnings?)", "built, {0}"),
        success("Finished", r"^\s{0,8}Finished `?(\w{1,40})`? ?(?:profile )?\[", "built"),
    )),
    KnownTool("go build", ("go build", "go install", "go run", "go generate"), (
        failure(".go:", r"^\.{0,2}/?\S{1,200}\.go:\d+:\d+: \S", "failed ({n} errors)"),
        failure("no required module provides", r"^.{0,200}no required module provides package (\S{1,120});", "failed (no module provides {0})"),
        failure("cannot find package", r"^.{0,200}cannot find package", "failed"),
        failure("go: ", r"^go: (?:errors parsing|cannot find main module|go\.mod file not found)", "failed"),
    ), in_scripts=False),
    KnownTool("gradle", ("gradle", "gradlew"), (
        failure("BUILD FAILED", r"^BUILD FAILED in (\S.{0,20})$", "build failed"),
        failure("BUILD FAILED", r"^BUILD FAILED", "build failed"),
        failure("FAILURE: Build failed", r"^FAILURE: Build failed", "build failed"),
        success("BUILD SUCCESSFUL", r"^BUILD SUCCESSFUL in (\S.{0,20})$", "build successful"),
    )),
    KnownTool("maven", ("mvn", "mvnw"), (
        failure("BUILD FAILURE", r"^(?:\[(?:ERROR|INFO)\] )?BUILD FAILURE", "build failed"),
        failure("COMPILATION ERROR", r"^\[ERROR\] COMPILATION ERROR", "failed (does not compile)"),
        success("BUILD SUCCESS", r"^(?:\[INFO\] )?BUILD SUCCESS", "build successful"),
    )),
    KnownTool("dotnet", ("dotnet", "msbuild"), (
        failure("Build FAILED", r"^Build FAILED\.", "build failed"),
        failure("error CS", r"^\s{0,8}\S{1,200}\(\d+,\d+\): error (CS\d+):", "build failed ({0})"),
        failure("Test Run Failed", r"^Test Run Failed\.", "failed"),
        failure("MSBUILD : error", r"^MSBUILD : error (MSB\d+):", "failed ({0})"),
        success("Build succeeded", r"^Build succeeded\.", "build succeeded"),
    )),
    KnownTool("swift", ("swift", "xcodebuild"), (
        failure("** BUILD FAILED **", r"^\*\* BUILD FAILED \*\*", "build failed"),
        failure("** TEST FAILED **", r"^\*\* TEST FAILED \*\*", "tests failed"),
        failure("error: ", r"^(?:\S{1,200}\.swift:\d+:\d+: )?error: (?:fatalError|emit-module|.{1,80})$", "failed"),
        success("** BUILD SUCCEEDED **", r"^\*\* BUILD SUCCEEDED \*\*", "build succeeded"),
        success("Build complete!", r"^Build complete!", "build complete"),
    ), in_scripts=False),
    KnownTool("webpack", ("webpack", "webpack-cli", "ng build", "react-scripts build"), (
        failure("compiled with", r"^(?:webpack [\d.]{1,12} )?compiled with ([1-9]\d*) errors?", "failed ({0} errors)"),
        failure("ERROR in", r"^ERROR in (\S{1,160})", "failed ({0})"),
        failure("Failed to compile", r"^Failed to compile\.", "failed to compile"),
        state("compiled with", r"^(?:webpack [\d.]{1,12} )?compiled with (\d+ warnings?)", "compiled, {0}"),
        success("compiled successfully", r"^(?:webpack [\d.]{1,12} )?compiled successfully", "compiled"),
        success("Compiled successfully", r"^Compiled successfully", "compiled"),
    )),
    KnownTool("vite", ("vite", "rollup", "tsup", "next build", "astro build", "nuxt build"), (
        failure("error during build", r"^(?:✗|x) Build failed|^error during build:", "build failed"),
        failure("Build failed", r"^(?:✗|x) Build failed in (\S{1,12})", "build failed"),
        failure("Failed to compile", r"^Failed to compile\.", "failed to compile"),
        success("built in", r"^✓ built in (\S{1,12})", "built"),
        success("Compiled successfully", r"^\s{0,4}✓ Compiled successfully", "compiled"),
        success("Build success", r"^.{0,20}Build success in", "built"),
    )),
    KnownTool("esbuild", ("esbuild",), (
        failure("error", r"^([1-9]\d*) errors?$", "failed ({0} errors)"),
        success("Done in", r"^.{0,4}Done in \d+ms", "built"),
    ), in_scripts=False),
    KnownTool("turbo", ("turbo", "nx", "lerna"), (
        failure("Failed:", r"^\s{0,4}Failed:\s{1,6}(\S{1,80})", "failed ({0})"),
        failure("Running target", r"^.{0,10}Running target .{1,80} failed", "failed"),
        success("Tasks:", r"^\s{0,4}Tasks:\s{1,6}(\d+) successful, \1 total", "{0} tasks successful"),
    )),
    KnownTool("bazel", ("bazel", "bazelisk"), (
        failure("Build did NOT complete", r"^(?:ERROR|FAILED): Build did NOT complete successfully", "build failed"),
        success("Build completed successfully", r"^INFO: Build completed successfully", "build completed"),
    )),
    KnownTool("sbt", ("sbt",), (
        failure("[error]", r"^\[error\] \(([^)\n]{1,80})\) ", "failed ({0})"),
        success("[success]", r"^\[success\] ", "succeeded"),
    )),
    KnownTool("mix", ("mix",), (
        failure("== Compilation error", r"^== Compilation error in file (\S{1,160}) ==", "failed ({0} does not compile)"),
        failure("** (Mix)", r"^\*\* \(Mix\) (.{1,80})", "failed ({0})"),
    )),
    KnownTool("docker build", ("docker build", "docker buildx", "docker compose build", "podman build"), (
        failure("failed to solve", r"^(?:ERROR: )?failed to solve: (.{1,80})", "failed ({0})"),
        failure("The command '", r"^The command '.{1,300}' returned a non-zero code: ([1-9]\d*)", "failed (exit code {0})"),
        success("naming to", r"^#\d+ naming to (\S{1,120})", "built {0}"),
        success("Successfully tagged", r"^Successfully tagged (\S{1,120})", "built {0}"),
        success("Successfully built", r"^Successfully built ([0-9a-f]{6,64})", "built {0}"),
    )),
    KnownTool("javac", ("javac", "kotlinc", "scalac"), (
        failure("error", r"^([1-9]\d*) errors?$", "failed ({0} errors)"),
    ), in_scripts=False),
)  # fmt: skip


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


REPOSITORIES = (
    KnownTool("git merge", ("git merge", "git pull"), (
        failure("CONFLICT", r"^CONFLICT \([^)\n]{1,40}\): .{0,200}? (?:in|of) (\S{1,200})", "conflict in {0}{more}"),
        failure("Not possible to fast-forward", r"^fatal: Not possible to fast-forward", "not possible to fast-forward"),
        failure("divergent branches", r"^.{0,10}(?:You have|Need to specify how to reconcile) divergent branches", "divergent branches"),
        failure("would be overwritten", r"^error: Your local changes to the following files would be overwritten", "local changes would be overwritten"),
        success("Already up to date", r"^Already up[ -]to[ -]date", "already up to date"),
        success("Fast-forward", r"^Fast-forward", "fast-forward"),
        success("Merge made by", r"^Merge made by the '([\w-]{1,20})' strategy", "merged"),
        success("Successfully rebased", r"^Successfully rebased and updated", "rebased"),
    )),
    KnownTool("git rebase", ("git rebase",), (
        failure("CONFLICT", r"^CONFLICT \([^)\n]{1,40}\): .{0,200}? (?:in|of) (\S{1,200})", "conflict in {0}{more}"),
        failure("could not apply", r"^error: could not apply ([0-9a-f]{6,40})", "could not apply {0}"),
        failure("cannot rebase", r"^error: cannot rebase: (.{1,60})", "{0}"),
        success("Successfully rebased", r"^Successfully rebased and updated (\S{1,120}?)\.?$", "rebased"),
        success("is up to date", r"^Current branch (\S{1,120}) is up to date", "already up to date"),
    )),
    KnownTool("git cherry-pick", ("git cherry-pick", "git revert"), (
        failure("CONFLICT", r"^CONFLICT \([^)\n]{1,40}\): .{0,200}? (?:in|of) (\S{1,200})", "conflict in {0}{more}"),
        failure("could not ", r"^error: could not (?:apply|revert) ([0-9a-f]{6,40})", "could not apply {0}"),
        failure("is now empty", r"^The previous cherry-pick is now empty", "now empty"),
        success("[", r"^\[[^\]\n]{1,120} ([0-9a-f]{7,40})\] (.{1,80})", "{1}"),
    )),
    KnownTool("git push", ("git push",), (
        failure("[rejected]", r"^ ?! \[(?:remote )?rejected\].{0,200}\(([^)\n]{1,60})\)", "rejected ({0})"),
        failure("error: failed to push", r"^error: failed to push some refs", "rejected"),
        failure("has no upstream branch", r"^fatal: The current branch (\S{1,120}) has no upstream branch", "no upstream branch"),
        failure("error: src refspec", r"^error: src refspec (\S{1,80}) does not match any", "no branch {0}"),
        success("Everything up-to-date", r"^Everything up-to-date", "everything up to date"),
        success(" -> ", r"^ ?[*+ ] ?\[new (branch|tag)\] +(\S{1,120}) -> ", "new {0} {1}"),
        success("..", r"^ {0,4}\+? ?[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40} +(\S{1,120}) -> (\S{1,120})", "pushed {0}"),
    )),
    KnownTool("git apply", ("git apply", "git am", "patch"), (
        failure("patch failed", r"^error: patch failed: (\S{1,200})", "failed ({0})"),
        failure("does not apply", r"^error: (\S{1,200}): patch does not apply", "{0} does not apply"),
        failure("corrupt patch", r"^error: corrupt patch", "corrupt patch"),
        failure("FAILED", r"^([1-9]\d*) out of \d+ hunks? (?:FAILED|failed|ignored)", "failed ({0} hunks)"),
    )),
    KnownTool("git checkout", ("git checkout", "git switch", "git restore"), (
        failure("would be overwritten", r"^error: (?:Your local changes|The following untracked).{1,60}would be overwritten", "local changes would be overwritten"),
        failure("did not match any", r"^error: pathspec '([^'\n]{1,120})' did not match", "no {0}"),
        failure("already used by worktree", r"^fatal: '([^'\n]{1,120})' is already (?:used by worktree|checked out)", "{0} is used by another worktree"),
    )),
    KnownTool("git stash", ("git stash",), (
        failure("CONFLICT", r"^CONFLICT \([^)\n]{1,40}\): .{0,200}? (?:in|of) (\S{1,200})", "conflict in {0}{more}"),
        state("No local changes", r"^No local changes to save", "nothing to stash"),
        success("Saved working directory", r"^Saved working directory and index state (.{1,80})", "saved"),
        success("Dropped refs", r"^Dropped (?:refs/)?stash@", "restored"),
    )),
    KnownTool("git commit", ("git commit",), (
        success("[", r"^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] ", "committed"),
        failure("nothing to commit", r"^nothing to commit", "nothing to commit"),
        failure("nothing added to commit", r"^nothing added to commit", "nothing added"),
        failure("no changes added", r"^no changes added to commit", "nothing added"),
        failure("Aborting commit", r"^Aborting commit due to (.{1,60}?)\.?$", "{0}"),
        failure("husky", r"^husky - (\S{1,40}) (?:hook exited|script failed)", "{0} hook failed"),
        failure("Committing is not possible", r"^error: Committing is not possible because you have unmerged files", "unmerged files"),
    )),
    KnownTool("git bisect", ("git bisect",), (
        success("is the first bad commit", r"^([0-9a-f]{7,40}) is the first bad commit", "{0} is the first bad commit"),
        state("revisions left to test", r"^Bisecting: (\d+ revisions? left)", "{0}"),
    )),
    KnownTool("git clone", ("git clone", "git fetch", "git submodule"), (
        failure("fatal: ", r"^fatal: (.{1,90})", "{0}"),
    ), in_scripts=False),
    KnownTool("gh", ("gh", "glab"), (
        failure("HTTP ", r"^.{0,120}\(?HTTP ([45]\d\d)\b", "HTTP {0}"),
        failure("GraphQL: ", r"^GraphQL: (.{1,80})", "{0}"),
        failure("To get started with GitHub CLI", r"^.{0,40}gh auth login", "not logged in"),
        failure("no checks reported", r"^no checks reported", "no checks reported"),
        state("checks were not successful", r"^Some checks were not successful", "some checks failed"),
        state("fail", r"^\S.{1,120}\t(fail)\t", "", is_counted=True),
        success("All checks were successful", r"^All checks were successful", "all checks passed"),
        success(" pull request ", r"^.{0,4}(?:Squashed and merged|Merged|Rebased and merged) pull request (?:\S{1,80})?#(\d+)", "merged #{0}"),
    ), in_scripts=False),
)  # fmt: skip
