"""Which commands, edits and replies go against a rule, and which sentences say one again."""

from __future__ import annotations

import pytest

from memtui.store.observe.rules.repeated_rules import ban_of, sayings

BROKEN = (
    ("Use pnpm, never npm", "npm install lodash"),
    ("Use pnpm, never npm", "cd web && npm ci"),
    ("Use pnpm, never npm", "bash -c 'npm run build'"),
    ("We use pnpm, not npm", "npm i"),
    ("You must not use npm", "npm i"),
    ("I don't want you to use npm", "npm i"),
    ("don't use npm, use pnpm instead", "npm i"),
    ("don't use npm anymore", "npm i"),
    ("Never use git push --force", "git push origin main --force"),
    ("never use `git add .`", "git add ."),
    ("Always use uv, not pip", "pip install x"),
    ("Stop using grep, use rg", "rg x | grep y"),
    ("Never use --no-verify", "git commit --no-verify -m x"),
    ("Do not use `docker-compose`, use `docker compose`", "docker-compose up"),
    ("Use make test, not pytest", "pytest tests"),
    ("用 pnpm，不要用 npm", "npm i"),
    ("禁止使用 npm", "npm i"),
    ("不要运行 npm install", "npm install"),
)
KEPT = (
    ("Use pnpm, never npm", "pnpm add lodash"),
    ("Use pnpm, never npm", "npm --version"),
    ("Use pnpm, never npm", "which npm"),
    ("Use pnpm, never npm", "echo npm install"),
    ("Use pnpm, never npm", "git commit -m 'use pnpm && npm install'"),
    ("Never use git push --force", "git push origin main"),
    ("Never run `git push --force`", "git push --force-with-lease"),
    ("never use git add .", "git add -A"),
    ("Please don't run npm install", "npm test"),
    ("Always use uv, not pip", "uv pip install x"),
    ("Never use --no-verify", "git commit -m 'never --no-verify'"),
    # What holds under a condition is nobody's fault.
    ("Don't use npm in the web folder", "npm test"),
    ("If CI fails, don't run npm", "npm test"),
    ("never use npm unless I say so", "npm i"),
    ("don't use npm yet", "npm i"),
    ("不要在 web 里用 npm", "npm i"),
    ("never push without asking", "git push"),
    ("Never commit to main", "git commit -m x"),
    ("Hooks never run git", "git status"),
    ("程序不要调用 curl", "curl x"),
    # What is looked up or searched for isn't run.
    ("Use pnpm, never npm", "command -v npm && exit 1"),
    ("Never use --no-verify", "rg -- --no-verify"),
    # A word of another language, or none of a command.
    ("use Go, not Python", "python x.py"),
    ("don't use python", "python x.py"),
    ("use const, not let", "let i=1"),
    ("Use tabs, not spaces", "ls spaces"),
    ("Don't run the whole test suite", "pytest"),
)


@pytest.mark.parametrize(("rule", "command"), BROKEN)
def test_a_command_breaks_what_names_it_without_a_condition(rule: str, command: str) -> None:
    ban = ban_of(rule)
    assert ban is not None and ban.is_broken_by(command)


@pytest.mark.parametrize(("rule", "command"), KEPT)
def test_no_rule_accuses_what_it_does_not_surely_forbid(rule: str, command: str) -> None:
    ban = ban_of(rule)
    assert ban is None or not ban.is_broken_by(command)


def test_what_takes_the_place_of_what_is_forbidden_is_named_whole() -> None:
    for rule in ("This project uses pnpm, not npm", "use `pnpm`, not npm", "We use pnpm, never npm"):
        ban = ban_of(rule)
        assert ban and ban.wanted == "pnpm"


def test_an_edit_of_a_named_file_and_a_quoted_phrase_break_a_rule() -> None:
    ban = ban_of("Never edit package-lock.json")
    assert ban and ban.is_broken_by(files=["web/package-lock.json"])
    assert not ban.is_broken_by(files=["web/my-package-lock.json", "package.json"])
    ban = ban_of('Never say "you\'re absolutely right"')
    assert ban and ban.is_broken_by(said="You're absolutely right! I will.")
    assert not ban.is_broken_by(said="That's right.")
    assert not ban.is_broken_by(said='The text "you\'re absolutely right" is gone.')
    ban = ban_of('Don\'t say "done"')
    assert ban and ban.is_broken_by(said="Done.") and not ban.is_broken_by(said="It was abandoned.")
    ban = ban_of("不要说“好的呢”")
    assert ban and ban.is_broken_by(said="嗯好的呢我来改")


SAID = {
    "Use pnpm, never npm": (
        "Use pnpm please, never npm.", "I told you: use pnpm, not npm!", "no, pnpm, not npm", "As I said, never npm",
        "don't run npm install, we use pnpm here", "why are you still using npm?", "you keep using npm",
        "please use pnpm instead of npm", "我说过了，不要用 npm", "怎么又用npm", "再说一遍：不要用 npm",
    ),
    "Don't add comments to the code": ("I told you not to add comments to the code",),
    "Always run the tests before you commit": ("always run tests before committing",),
}  # fmt: skip
OTHER = {
    "Use pnpm, never npm": (
        "Use npm, never pnpm", "use npm this time", "npm failed again", "does pnpm support this?", "use pnpm",
        "I told you npm is slow", "why do you use npm in the example?", "don't use npm in CI", "publish it to npm",
        "should we use npm?",
    ),
    "Don't add comments to the code": ("add comments to the code", "don't add tests to the code"),
    "Always run the tests before you commit": ("run the tests", "never run the tests before you commit"),
    "Answer in English": ("is the answer in English?", "answer in German"),
}  # fmt: skip


def repeats(rule: str, prompt: str) -> bool:
    return any(saying.repeats(rule) for saying in sayings(prompt))


@pytest.mark.parametrize(("rule", "prompts"), SAID.items())
def test_a_rule_is_said_again_in_other_words(rule: str, prompts: tuple[str, ...]) -> None:
    assert [prompt for prompt in prompts if not repeats(rule, prompt)] == []


@pytest.mark.parametrize(("rule", "prompts"), OTHER.items())
def test_what_says_something_else_says_no_rule_again(rule: str, prompts: tuple[str, ...]) -> None:
    assert [prompt for prompt in prompts if repeats(rule, prompt)] == []


def test_only_who_says_so_reproaches() -> None:
    told = (
        "I told you: use pnpm",
        "as I said, use pnpm",
        "why are you still using npm?",
        "说过了，用 pnpm",
    )
    for prompt in told:
        assert any(saying.is_reproach for saying in sayings(prompt)), prompt
    for prompt in ("run the tests again", "use pnpm", "it still fails", "I told Ada about it"):
        assert not any(saying.is_reproach for saying in sayings(prompt)), prompt
