"""What checks, runs and deploys: linters, formatters, type checkers, test runners (whose sums
`command_output` reads); containers, clusters, servers, databases and clouds."""

from . import KnownTool, failure, state, success

CHECKS = (
    KnownTool("ruff", ("ruff",), (
        failure("Found ", r"^Found ([1-9]\d*) errors?(?: \(|\.|$)", "failed ({0} errors)"),
        failure("Would reformat", r"^([1-9]\d*) files? would be reformatted", "failed ({0} files would be reformatted)"),
        failure("ruff failed", r"^ruff failed$", "failed"),
        success("All checks passed", r"^All checks passed!", "all checks passed"),
        success("reformatted", r"^(\d+ files? reformatted)", "{0}"),
        success("already formatted", r"^(\d+ files? already formatted)", "{0}"),
        success("left unchanged", r"^(\d+ files? left unchanged)", "{0}"),
    )),
    KnownTool("mypy", ("mypy", "dmypy"), (
        failure("Found ", r"^Found ([1-9]\d*) errors? in ([1-9]\d*) files?", "failed ({0} errors in {1} files)"),
        success("Success:", r"^Success: no issues found in (\d+) source files?", "no issues in {0} files"),
    )),
    KnownTool("pyright", ("pyright", "basedpyright"), (
        failure("errors,", r"^([1-9]\d*) errors?, \d+ warnings?", "failed ({0} errors)"),
        success("0 errors,", r"^0 errors, (\d+ warnings?)", "0 errors, {0}"),
    )),
    KnownTool("flake8", ("flake8", "pycodestyle", "pydocstyle"), (
        failure(":", r"^\S{1,160}\.pyi?:\d+:\d+: [A-Z]\d{3} ", "failed ({n} issues)"),
    ), in_scripts=False),
    KnownTool("pylint", ("pylint",), (
        state("rated at", r"^Your code has been rated at (-?[\d.]{1,8}/10)", "rated {0}"),
    )),
    KnownTool("black", ("black",), (
        failure("would be reformatted", r"^([1-9]\d*) files? would be reformatted", "failed ({0} files would be reformatted)"),
        failure("error: cannot format", r"^error: cannot format (\S{1,160}):", "failed (cannot format {0})"),
        success("reformatted", r"^(\d+ files? reformatted)", "{0}"),
        success("left unchanged", r"^(\d+ files? left unchanged)", "{0}"),
    )),
    KnownTool("isort", ("isort",), (
        failure("incorrectly sorted", r"^ERROR: \S{1,160} Imports are incorrectly sorted", "failed ({n} files incorrectly sorted)"),
    )),
    KnownTool("import-linter", ("lint-imports",), (
        failure(" broken.", r"^Contracts: \d+ kept, ([1-9]\d*) broken\.", "failed ({0} contracts broken)"),
        success(" broken.", r"^Contracts: (\d+) kept, 0 broken\.", "{0} contracts kept"),
    )),
    KnownTool("bandit", ("bandit",), (
        failure("Total issues", r"^\s{0,8}High: ([1-9]\d*)$", "failed ({0} of high severity)"),
        success("No issues identified", r"^\s{0,8}No issues identified\.", "no issues"),
    )),
    KnownTool("eslint", ("eslint", "next lint", "oxlint", "standard", "xo"), (
        failure("problem", r"^\s{0,4}✖ ([1-9]\d*) problems? \(([1-9]\d*) errors?", "failed ({1} errors)"),
        state("problem", r"^\s{0,4}✖ \d+ problems? \(0 errors, (\d+ warnings?)\)", "{0}"),
        failure("Oops!", r"^Oops! Something went wrong!", "failed (could not run)"),
        success("No ESLint warnings", r"^✔ No ESLint warnings or errors", "no issues"),
    )),
    KnownTool("biome", ("biome",), (
        failure("Found ", r"^Found ([1-9]\d*) errors?\.", "failed ({0} errors)"),
        success("Checked ", r"^Checked (\d+ files?) in \S{1,20} (?:ms|s|µs)?\.? ?No fixes", "{0} checked"),
    )),
    KnownTool("prettier", ("prettier",), (
        failure("Code style issues", r"^\[warn\] Code style issues (?:found in ([1-9]\d*) files|were found|found in the above file)", "failed (style issues)"),
        success("All matched files", r"^All matched files use Prettier code style", "all formatted"),
    )),
    KnownTool("stylelint", ("stylelint",), (
        failure("problem", r"^\s{0,4}[✖×] ([1-9]\d*) problems?", "failed ({0} problems)"),
    )),
    KnownTool("tsc", ("tsc", "vue-tsc"), (
        failure("Found ", r"^Found ([1-9]\d*) errors?(?: in|\.)", "failed ({0} errors)"),
        failure("error TS", r"^\S{1,200}[(:]\d+[,:]\d+\)?(?::| -) error TS\d+:", "failed ({n} errors)"),
        failure("error TS", r"^error TS\d+:", "failed ({n} errors)"),
        success("Found 0 errors", r"^.{0,60}Found 0 errors\.", "0 errors"),
    )),
    KnownTool("golangci-lint", ("golangci-lint",), (
        failure("issue", r"^(?:\[[^\]\n]{1,40}\] )?([1-9]\d*) issues?:$", "failed ({0} issues)"),
        failure("can't load", r"^level=error msg=\"", "failed"),
        success("0 issues", r"^(?:\[[^\]\n]{1,40}\] )?(0 issues)\.", "{0}"),
    )),
    KnownTool("gofmt", ("gofmt -l", "goimports -l"), (
        failure(".go", r"^\S{1,200}\.go$", "{n} files not formatted"),
    ), in_scripts=False),
    KnownTool("go vet", ("go vet", "staticcheck"), (
        failure(".go:", r"^(?:vet: )?\S{1,200}\.go:\d+:\d+: \S", "failed ({n} issues)"),
    ), in_scripts=False),
    KnownTool("clippy", ("cargo clippy",), (
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`.{0,60}due to ([1-9]\d*) previous errors?", "failed ({1} errors)"),
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`", "failed"),
        state("generated", r"^warning: `[^`\n]{1,80}` \([^)\n]{1,40}\) generated (\d+ warnings?)", "{0}"),
        success("Finished", r"^\s{0,8}Finished `?\w{1,40}`? (?:profile )?\[", "no issues"),
    )),
    KnownTool("rustfmt", ("cargo fmt", "rustfmt"), (
        failure("Diff in", r"^Diff in ", "failed ({n} places not formatted)"),
    )),
    KnownTool("rubocop", ("rubocop", "standardrb"), (
        failure("offense", r"^\d+ files? inspected, ([1-9]\d*) offenses?", "failed ({0} offenses)"),
        success("no offenses", r"^(\d+ files?) inspected, no offenses", "no offenses in {0}"),
    )),
    KnownTool("phpstan", ("phpstan", "psalm"), (
        failure("[ERROR] Found", r"^\s{0,4}\[ERROR\] Found ([1-9]\d*) errors?", "failed ({0} errors)"),
        success("[OK] No errors", r"^\s{0,4}\[OK\] No errors", "no errors"),
    )),
    KnownTool("shellcheck", ("shellcheck",), (
        failure("In ", r"^In \S{1,200} line \d+:$", "failed ({n} issues)"),
    )),
    KnownTool("swiftlint", ("swiftlint",), (
        failure("violation", r"^Done linting! Found ([1-9]\d*) violations?", "failed ({0} violations)"),
        success("violation", r"^Done linting! Found 0 violations", "0 violations"),
    )),
    KnownTool("ktlint", ("ktlint", "detekt"), (
        failure("weighted issues", r"^.{0,80}Analysis failed with ([1-9]\d*) weighted issues", "failed ({0} issues)"),
    )),
    KnownTool("pre-commit", ("pre-commit", "prek"), (
        failure("Failed", r"^([^\n]{1,60}?)\.{3,79}(?:\(no files to check\))?Failed$", "failed ({0})"),
        success("Passed", r"^[^\n]{1,60}?\.{3,79}Passed$", "{n} hooks passed"),
    )),
    KnownTool("markdownlint", ("markdownlint", "markdownlint-cli2"), (
        failure("Summary:", r"^Summary: ([1-9]\d*) error", "failed ({0} errors)"),
        success("Summary:", r"^Summary: 0 error", "0 errors"),
    )),
    KnownTool("pytest", ("pytest", "py.test"), (
        failure("no tests ran", r"^[= ]{0,80}no tests ran\b", "no tests ran"),
        failure("during collection", r"^!{1,40} Interrupted: ([1-9]\d*) errors? during collection", "failed ({0} errors during collection)"),
        failure("INTERNALERROR>", r"^INTERNALERROR> ", "failed (internal error)"),
        failure("ERROR: ", r"^ERROR: (?:file or directory not found|not found): (\S{1,120})", "failed (not found: {0})"),
        failure("ERROR: usage:", r"^ERROR: usage: ", "wrong usage"),
        failure("ImportError while loading", r"^ImportError while loading conftest '([^'\n]{1,160})'", "failed (conftest can't be loaded)"),
    )),
    KnownTool("unittest", ("unittest", "python -m unittest", "manage.py test"), (
        failure("FAILED (", r"^FAILED \((?:failures|errors)=\d+", ""),
        success("OK", r"^OK(?: \(skipped=\d+\))?$", ""),
    )),
    KnownTool("jest", ("jest", "react-scripts test"), (
        failure("Test Suites:", r"^Test Suites: (?:\d+ skipped, )?([1-9]\d*) failed", "failed ({0} suites)"),
        failure("No tests found", r"^No tests found, exiting with code 1", "no tests found"),
    )),
    KnownTool("vitest", ("vitest",), (
        failure("Test Files", r"^\s{0,8}Test Files\s{1,8}([1-9]\d*) failed", "failed ({0} files)"),
        failure("No test files found", r"^No test files found, exiting with code 1", "no test files found"),
    )),
    KnownTool("mocha", ("mocha", "ava", "tap", "node --test"), (
        failure("not ok", r"^not ok \d+ - (.{1,80})$", "failed ({0})"),
    ), in_scripts=False),
    KnownTool("playwright", ("playwright", "cypress"), (
        failure("Executable doesn't exist", r"^.{0,60}Executable doesn't exist at", "failed (browsers are not installed)"),
        failure("failed (", r"^\s{0,4}✖\s{1,4}([1-9]\d*) of \d+ failed", "failed ({0} specs)"),
    )),
    KnownTool("go test", ("go test", "gotestsum"), (
        failure("[build failed]", r"^FAIL\s{1,4}(\S{1,160}) \[build failed\]", "build failed ({0})"),
        failure("[setup failed]", r"^FAIL\s{1,4}(\S{1,160}) \[setup failed\]", "setup failed ({0})"),
        failure("panic: ", r"^panic: test timed out after (\S{1,12})", "timed out after {0}"),
        failure("panic: ", r"^panic: (.{1,80})", "panic: {0}"),
        failure("DATA RACE", r"^WARNING: DATA RACE$", "data race"),
        failure("FAIL", r"^FAIL$", "failed"),
        state("no tests to run", r"^testing: warning: no tests to run", "no tests to run"),
    )),
    KnownTool("cargo test", ("cargo test", "cargo nextest"), (
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`.{0,60}due to ([1-9]\d*) previous errors?", "failed (does not compile: {1} errors)"),
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`", "failed (does not compile)"),
        failure("error: test failed", r"^error: test failed, to rerun pass", "failed"),
    )),
    KnownTool("rspec", ("rspec", "rails test", "rake test", "rake spec"), (
        failure("error occurred outside", r"^\d+ examples?, \d+ failures?, ([1-9]\d*) errors? occurred outside of examples", "failed ({0} errors outside of examples)"),
    )),
    KnownTool("phpunit", ("phpunit", "pest", "artisan test"), (
        failure("FAILURES!", r"^FAILURES!$", ""),
        failure("ERRORS!", r"^ERRORS!$", ""),
        state("No tests executed", r"^No tests executed!", "no tests executed"),
    )),
    KnownTool("ctest", ("ctest",), (
        failure("tests failed out of", r"^\d+% tests passed, ([1-9]\d*) tests? failed out of ([1-9]\d*)", "{0} of {1} failed"),
        success("tests failed out of", r"^100% tests passed, 0 tests failed out of (\d+)", "{0} passed"),
    )),
    KnownTool("tox", ("tox", "nox"), (
        failure("FAIL", r"^\s{0,4}(\S{1,40}): FAIL code ([1-9]\d*)", "failed ({0})"),
        failure("failed.", r"^nox > Session (\S{1,60}) failed\.", "failed ({0})"),
        success("congratulations", r"^\s{0,4}congratulations :\)", "all environments passed"),
        success("was successful", r"^nox > Session (\S{1,60}) was successful", "{n} sessions passed"),
    )),
)  # fmt: skip


OPERATIONS = (
    KnownTool("kubectl get", ("kubectl get", "k get", "oc get"), (
        failure("Error from server", r"^Error from server \((\w{1,40})\)", "{0}"),
        failure("Unable to connect", r"^Unable to connect to the server", "unable to connect"),
        state("/", r"^\S{1,253} +(?:\S{1,253} +)?\d+/\d+ +((?:Init:)?(?:CrashLoopBackOff|ImagePullBackOff"
              r"|ErrImagePull|Error|Pending|Evicted|OOMKilled|CreateContainerConfigError"
              r"|CreateContainerError|RunContainerError|InvalidImageName|ContainerCreating|Terminating"
              r"|Unknown|NodeLost|ContainerStatusUnknown)) ", "", is_counted=True),
        state("NotReady", r"^\S{1,253} +(NotReady)\b", "", is_counted=True),
        success("Running", r"^\S{1,253} +(?:\S{1,253} +)?\d+/\d+ +(Running|Completed) ", "all running"),
        success("Ready", r"^\S{1,253} +(Ready) ", "all ready"),
        state("No resources found", r"^No resources found", "none found"),
    ), in_scripts=False),
    KnownTool("kubectl", ("kubectl", "oc", "k9s"), (
        failure("Error from server", r"^Error from server \((\w{1,40})\)", "{0}"),
        failure("Unable to connect", r"^Unable to connect to the server", "unable to connect"),
        failure("error: ", r"^error: (.{1,80})", "{0}"),
        failure("The connection to the server", r"^The connection to the server \S{1,120} was refused", "connection refused"),
        success("successfully rolled out", r"^deployment \"?([^\"\s]{1,120})\"? successfully rolled out", "rolled out {0}"),
        success(" ", r"^(\S{1,120}/\S{1,120} (?:created|configured|unchanged|deleted|scaled|restarted|patched|labeled))\b", "{0}"),
    ), in_scripts=False),
    KnownTool("helm", ("helm",), (
        failure("FAILED", r"^Error: (INSTALLATION FAILED|UPGRADE FAILED|UNINSTALLATION FAILED): (.{1,80})", "failed ({1})"),
        failure("Error: ", r"^Error: (.{1,80})", "failed ({0})"),
        failure("chart(s) failed", r"^Error: \d+ chart\(s\) linted, ([1-9]\d*) chart\(s\) failed", "failed ({0} charts)"),
        success("chart(s) linted", r"^(\d+) chart\(s\) linted, 0 chart\(s\) failed", "{0} charts linted"),
        state("STATUS:", r"^STATUS: (\S{1,40})", "{0}"),
    ), in_scripts=False),
    KnownTool("docker", ("docker", "podman", "nerdctl"), (
        failure("Cannot connect to the Docker daemon", r"^.{0,40}Cannot connect to the Docker daemon", "no Docker daemon"),
        failure("Error response from daemon", r"^.{0,40}Error response from daemon: (.{1,80})", "{0}"),
        failure("dependency failed to start", r"^.{0,40}dependency failed to start: (.{1,80})", "{0}"),
        state("Exited (", r"^.{0,200}\b(Exited \([1-9]\d*\)|exited with code [1-9]\d*)", "", is_counted=True),
        state("exited with code", r"^.{0,200}\bexited with code ([1-9]\d*)", "exited with code {0}"),
        state("unhealthy", r"^.{0,200}\((unhealthy)\)", "", is_counted=True),
        state("Restarting (", r"^.{0,200}\b(Restarting) \(\d+\)", "", is_counted=True),
        success("Status: ", r"^Status: (Downloaded newer image|Image is up to date)", "{0}"),
        state("digest: sha256", r"^(\S{1,80}): digest: sha256:", "pushed {0}"),
    ), in_scripts=False),
    KnownTool("docker compose", ("docker compose", "docker-compose"), (
        failure("no configuration file provided", r"^no configuration file provided", "no configuration file"),
        failure("failed to solve", r"^.{0,40}failed to solve: (.{1,80})", "failed ({0})"),
        failure("is unhealthy", r"^.{0,80}container (\S{1,120}) is unhealthy", "{0} is unhealthy"),
        success("Started", r"^.{0,10}Container (\S{1,120})\s{1,40}(Started|Running|Healthy)", "{n} containers started"),
    )),
    KnownTool("terraform", ("terraform", "tofu", "terragrunt"), (
        failure("Error: ", r"^(?:[│╷] ?)?Error: (.{1,80})", "failed ({0})"),
        success("Apply complete!", r"^.{0,6}Apply complete! Resources: (\d+ added, \d+ changed, \d+ destroyed)", "{0}"),
        success("Destroy complete!", r"^.{0,6}Destroy complete! Resources: (\d+ destroyed)", "{0}"),
        state("Plan: ", r"^.{0,6}Plan: (\d+ to add, \d+ to change, \d+ to destroy)", "{0}"),
        state("No changes.", r"^.{0,6}No changes\.", "no changes"),
        success("configuration is valid", r"^.{0,6}Success!.{0,6} The configuration is valid", "valid"),
        success("successfully initialized", r"^.{0,20}Terraform has been successfully initialized", "initialized"),
    )),
    KnownTool("ansible", ("ansible-playbook", "ansible"), (
        failure("failed=", r"^(\S{1,80}) +: ok=\d+.{0,40}unreachable=([1-9]\d*)", "{0} unreachable"),
        failure("failed=", r"^(\S{1,80}) +: ok=\d+.{0,60}failed=([1-9]\d*)", "{1} failed on {0}"),
        success("failed=0", r"^\S{1,80} +: ok=(\d+) +changed=(\d+)", "{0} ok, {1} changed"),
    )),
    KnownTool("curl", ("curl", "wget", "http", "https", "xh", "httpie"), (
        failure("curl: (", r"^.{0,20}curl: \(([1-9]\d*)\) (.{1,90})", "{1}"),
        failure("http: error", r"^(?:http|https): error: (.{1,90})", "{0}"),
        failure("wget: ", r"^wget: (.{1,90})", "{0}"),
        failure("ERROR ", r"^.{0,40}ERROR (\d{3}): (.{1,40})\.$", "HTTP {0}"),
        state("HTTP/", r"^(?:< )?HTTP/[\d.]{1,3} ([45]\d\d)(?: (.{0,40}?))?\s*$", "HTTP {0} {1}"),
        state("status", r"^.{0,300}?\"(?:status|health|state)\"\s?:\s?\"(\w[\w -]{0,30})\"", "{0}"),
        state("error", r"^.{0,300}?\"(?:error|detail|message)\"\s?:\s?\"([^\"\n]{1,80})\"", "{0}"),
        state("HTTP/", r"^(?:< )?HTTP/[\d.]{1,3} ([123]\d\d)(?: (.{0,40}?))?\s*$", "HTTP {0} {1}"),
        state("HTTP", r"^HTTP[ _]?(?:CODE|STATUS|code|status)?[:= ]{1,3}(\d{3})$", "HTTP {0}"),
        state("", r"^([1-5]\d\d)\s*$", "HTTP {0}"),
    ), in_scripts=False),
    KnownTool("systemctl", ("systemctl", "service"), (
        failure("Failed to ", r"^(Failed to \w+ .{1,80})", "{0}"),
        state("Active:", r"^\s{0,8}Active: (\w+ \([\w: -]{1,40}\))", "{0}"),
        state("", r"^(active|inactive|failed|activating)$", "{0}"),
    ), in_scripts=False),
    KnownTool("psql", ("psql", "pg_dump", "pg_restore", "createdb"), (
        failure("ERROR:  ", r"^.{0,120}ERROR:  (.{1,90})", "{0}"),
        failure("FATAL:  ", r"^.{0,160}FATAL:  (.{1,90})", "{0}"),
        failure("connection to server", r"^.{0,40}connection to server .{1,120} failed: (.{1,60})", "{0}"),
        state("(1 row)", r"^ {0,3}-+\n {1,40}(\S[^|\n]{0,40})\n\(1 row\)$", "{0}"),
        state(" row", r"^\((\d+ rows?)\)$", "{0}"),
    ), in_scripts=False),
    KnownTool("sqlite3", ("sqlite3", "duckdb", "mysql", "mariadb"), (
        failure("rror", r"^(?:Parse error|Runtime error|Error)(?: near line \d+|: in prepare)?[:,] (.{1,90})", "{0}"),
        failure("ERROR ", r"^ERROR (\d{4}) \(\w{5}\)(?: at line \d+)?: (.{1,80})", "{1}"),
    ), in_scripts=False),
    KnownTool("redis", ("redis-cli", "mongosh", "mongo"), (
        failure("Could not connect", r"^Could not connect to (.{1,80})", "could not connect"),
        failure("(error)", r"^\(error\) (.{1,80})", "{0}"),
        failure("MongoServerError", r"^Mongo\w{1,30}Error: (.{1,80})", "{0}"),
        success("PONG", r"^PONG$", "answers"),
    ), in_scripts=False),
    KnownTool("aws", ("aws", "awslocal"), (
        failure("An error occurred", r"^An error occurred \((\w{1,60})\) when calling", "{0}"),
        failure("Unable to locate credentials", r"^Unable to locate credentials", "no credentials"),
        failure("upload failed", r"^upload failed: (.{1,80})", "upload failed"),
    ), in_scripts=False),
    KnownTool("gcloud", ("gcloud", "gsutil", "az"), (
        failure("ERROR: (gcloud", r"^ERROR: \(gcloud\.[\w.-]{1,80}\) (.{1,80})", "{0}"),
        failure("ERROR: ", r"^ERROR: (.{1,80})", "{0}"),
    ), in_scripts=False),
    KnownTool("ssh", ("ssh", "scp", "rsync", "sftp"), (
        failure("Permission denied", r"^.{0,80}Permission denied(?: \(([^)\n]{1,60})\))?", "permission denied"),
        failure("Connection refused", r"^.{0,80}Connection refused", "connection refused"),
        failure("Could not resolve hostname", r"^.{0,20}Could not resolve hostname (\S{1,80}):", "could not resolve {0}"),
        failure("Connection timed out", r"^.{0,80}Connection timed out", "timed out"),
        failure("rsync error", r"^rsync error: (.{1,60}?) \(code", "{0}"),
    ), in_scripts=False),
    KnownTool("time", ("time",), (
        state("real", r"^real\s{1,8}(\d{1,4}m[\d.]{1,8}s)$", "took {0}"),
        state(" total", r"^.{0,300}\bcpu ([\d:.]{1,12}) total$", "took {0} s"),
    )),
    KnownTool("ping", ("ping",), (
        state("packet loss", r"^.{0,80}?([\d.]{1,6}% packet loss)", "{0}"),
    ), in_scripts=False),
    KnownTool("flyctl", ("fly", "flyctl", "vercel", "netlify", "wrangler", "heroku", "firebase"), (
        failure("Error: ", r"^(?:\S )?Error: (.{1,80})", "failed ({0})"),
        failure("[ERROR]", r"^.{0,6}\[ERROR\] (.{1,80})", "failed ({0})"),
        success("Production: ", r"^.{0,6}Production: (https://\S{1,120})", "deployed to {0}"),
        success("Deployed", r"^Deployed (\S{1,60}) triggers", "deployed {0}"),
        success("Deploy complete!", r"^.{0,6}Deploy complete!", "deployed"),
    ), in_scripts=False),
)  # fmt: skip
