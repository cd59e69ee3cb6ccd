"""Git, and what hosts its repositories."""

from __future__ import annotations

from .sign import KnownTool, failure, state, success

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
