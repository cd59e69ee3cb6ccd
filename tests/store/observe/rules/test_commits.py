"""Commits, however they are made, and edits that scripts and redirections make."""

from __future__ import annotations

from memtui.store.observe.rules.observation import observation_fields
from memtui.store.records.events import ToolUse
from tests.tables import table

PRINTED = "[main 1a2b3c4] Fix the cart\n 1 file changed, 1 insertion(+)"


@table(
    ("command", "output", "title"),
    [
        ("git commit -qm 'Fix the cart'", "", "Committed: Fix the cart"),
        ("git commit -q -am 'Fix the cart'", "", "Committed: Fix the cart"),
        ("git commit -m 'Fix the cart'", "", "Ran git commit: Fix the cart"),
        ("git commit -m'Fix the cart'", PRINTED, "Committed: Fix the cart"),
        ("git commit -asm 'Fix the cart'", PRINTED, "Committed: Fix the cart"),
        ("git -C web -c user.name=x commit --message='Fix the cart'", PRINTED, "Committed: Fix the cart"),
        ("cd web && git add -A && git commit -F - <<'EOF'\nFix the cart\n\nWhy.\nEOF", PRINTED,
         "Committed: Fix the cart"),
        ("echo 'Fix the cart' | git commit -F -", PRINTED, "Committed: Fix the cart"),
        ("cat > /tmp/m <<'EOF'\nFix the cart\nEOF\ngit commit -F /tmp/m", PRINTED, "Committed: Fix the cart"),
        ("git commit -m \"$(cat <<'EOF'\nFix the cart\n\nWhy.\nEOF\n)\"", PRINTED, "Committed: Fix the cart"),
        ("MSG='Fix the cart'; git commit -m \"$MSG\"", PRINTED, "Committed: Fix the cart"),
        ("git commit -v", PRINTED, "Committed: Fix the cart"),
        ("git commit --amend --no-edit", PRINTED, "Amended: Fix the cart"),
        ("git commit --amend -m 'Fix the cart'", PRINTED, "Amended: Fix the cart"),
        ("git add a.py && git commit -m 'Fix the cart' && git status", f"{PRINTED}\nno changes added to commit",
         "Committed: Fix the cart"),
        ("git commit -m 'Fix the cart'", "nothing to commit, working tree clean",
         "Failed to commit: Fix the cart (nothing to commit)"),
        ("git revert --no-edit 1a2b3c4", "[main 9f8e7d6] Revert \"Fix the cart\"",
         "Ran git revert --no-edit 1a2b3c4: Revert \"Fix the cart\""),
        ("git tag v1.2", "", "Ran git tag v1.2"),
    ],
)  # fmt: skip
def test_a_commit_is_told_by_its_subject(command: str, output: str, title: str) -> None:
    assert observation_fields(ToolUse("Bash", {"command": command}, output))["title"] == title


@table(
    ("command", "output", "files"),
    [
        ("git commit -m x", " create mode 100644 a.py\n rename {old => new}/b.py (90%)", ["a.py", "new/b.py"]),
        ("git commit -m x", "[m 1a2b3c4] x\n src/a.py | 3 ++-\n 1 file changed", ["src/a.py"]),
        ("git add a.py web/b.ts && git commit -qm x", "", ["a.py", "web/b.ts"]),
        ("git commit -qm x -- a.py", "", ["a.py"]),
        ("git add -A && git commit -qm x", "", []),
        # Edits by scripts, redirections and patches.
        ("python3 - <<'EOF'\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s)\nEOF", "", ["src/a.py"]),
        ("python - <<'EOF'\nfrom pathlib import Path\nPath('a.py').write_text('x')\nEOF", "", ["a.py"]),
        ("python - <<'EOF'\nimport pathlib\nf = pathlib.Path(\"a.py\")\nf.write_text(f.read_text())\nEOF", "", ["a.py"]),
        ("python3 -c \"open('a.txt','w').write('x')\"", "", ["a.txt"]),
        ("python3 - <<'EOF'\nfor f in ['a.py', 'b.py']:\n    with open(f, 'w') as out:\n        out.write('x')\nEOF", "",
         ["a.py", "b.py"]),
        ("python3 - <<'EOF'\nprint(open('a.py').read())\nEOF", "", []),
        ("node -e \"require('fs').writeFileSync('a.json', '{}')\"", "", ["a.json"]),
        ("ruby -e \"File.write('a.rb', 'x')\"", "", ["a.rb"]),
        ("perl -pi -e 's/a/b/' a.py b.py", "", ["a.py", "b.py"]),
        ("perl -0pi -e 's/a/b/' a.py", "", ["a.py"]),
        ("perl -ne 'print' a.py", "", []),
        ("sed -i '' 's/a/b/' a.py", "", ["a.py"]),
        ("cat > a.yaml <<EOF\nx: 1\nEOF", "", ["a.yaml"]),
        ("echo x >> notes.md", "", ["notes.md"]),
        ("echo x | tee -a notes.md", "", ["notes.md"]),
        ("git apply <<'EOF'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\nEOF", "", ["a.py"]),
        ("patch -p1 <<'EOF'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\nEOF", "", ["a.py"]),
        ("Set-Content -Path a.txt -Value hello", "", ["a.txt"]),
        ("'x' | Out-File -FilePath b.txt", "", ["b.txt"]),
        ("mv a.py b.py", "", ["a.py", "b.py"]),
        ("ls > /dev/null 2>&1", "", []),
    ],
)  # fmt: skip
def test_the_files_that_a_command_line_changes(command: str, output: str, files: list[str]) -> None:
    made = observation_fields(ToolUse("Bash", {"command": command}, output))
    assert made["files_modified"] == files


def test_an_edit_by_a_script_names_its_files() -> None:
    given = {"command": "python3 - <<'EOF'\nopen('src/a.py', 'w').write('x')\nEOF"}
    assert observation_fields(ToolUse("Bash", given, ""))["title"] == "Wrote src/a.py"
    given["description"] = "Bump the version"
    made = observation_fields(ToolUse("Bash", given, ""))
    assert (made["type"], made["title"]) == ("change", "Bump the version: wrote src/a.py")
