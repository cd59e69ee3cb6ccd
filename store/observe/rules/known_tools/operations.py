"""What runs, deploys, asks and looks: containers, clusters, servers, databases and clouds."""

from __future__ import annotations

from .sign import KnownTool, failure, state, success

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
