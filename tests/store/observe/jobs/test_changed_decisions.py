"""A decision that a user changes later takes the place of the one before it, and contexts tell so."""

from pathlib import Path

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.maintain.duplicates.candidates import candidates
from memtui.store.observe.jobs.changed_decisions import of_two_subjects
from memtui.store.observe.jobs.findings import store_facts
from memtui.store.tables.fact_sources import taken_by
from tests.tables import table

TALKS = [
    line for line in (Path(__file__).parent / "talks.txt").read_text("utf-8").splitlines() if "=>" in line
]
DAY = 86_400_000
FIRST = 1_700_000_000_000


def talk(store: Store, name: str, day: int, *turns: tuple[str, str]) -> None:
    """A session of prompts and replies, and what its user decided in it."""
    at = FIRST + day * DAY
    session = store.sessions.start(name, agent="codex", project="atlas", at=at)
    for number, (prompt, reply) in enumerate(turns, start=1):
        moment = at + number * 60_000
        store.prompts.add(session, prompt, at=moment)
        store.observations.add(
            session, title=reply, type="finding", tool_name="reply", prompt_number=number,
            project="atlas", at=moment + 1_000,
        )  # fmt: skip
    store_facts(store, session)


def holding(store: Store) -> list[str]:
    return [fact.content for fact in store.facts.list(project="atlas", is_current=True)]


def test_what_a_user_changes_supersedes_what_was_decided_before(store: Store) -> None:
    talk(
        store, "c-1", 0, ("ferry timetable: the ferry leaves too early", "It leaves at six."),
        ("let it wait, 20 minutes, the harbour agreed", "The ferry waits 20 minutes now."),
    )  # fmt: skip
    talk(store, "c-2", 9, ("paint the lamp house", "Done."), ("red paint, always", "It is red."))
    talk(
        store, "c-3", 30,
        ("ferry timetable: 20 minutes are too long. from today the ferry leaves after 5 minutes",
         "The ferry leaves after 5 minutes."),
    )  # fmt: skip
    assert "Red paint, always" in holding(store)
    assert not any("20 minutes, the harbour" in one for one in holding(store))
    text = compose(store.db, "atlas", relevant=["2"]).text
    assert "was until 14 Dec: Let it wait, 20 minutes, the harbour agreed" in text
    assert "- 2 (no longer holds) " in text


def test_a_new_limit_supersedes_the_one_before(store: Store) -> None:
    talk(
        store, "c-1", 0, ("ferry deck load: cars stand too close", "Shall I set a limit?"),
        ("20 items per deck and no more", "The deck takes 20 items."),
    )  # fmt: skip
    talk(
        store, "c-2", 30,
        ("ferry deck load: the new deck is in. raise the limit of the deck to 30 items from Monday on",
         "The limit is 30 items."),
    )  # fmt: skip
    assert holding(store) == ["Raise the limit of the deck to 30 items from Monday on"]


def test_what_another_subject_changes_supersedes_nothing(store: Store) -> None:
    talk(
        store, "c-1", 0, ("the ferry is late", "It is."), ("two ropes for each boat, always", "Two ropes.")
    )
    talk(store, "c-2", 5, ("paint the lamp house, from today it is painted red", "It is red."))
    assert "Two ropes for each boat, always" in holding(store)


def test_a_decision_that_was_reinstated_stays_so_when_its_session_is_read_again(store: Store) -> None:
    talk(store, "c-1", 0, ("mast wood: which one?", "Oak or pine?"), ("oak masts, always", "Oak."))
    turn = ("mast wood: change it, pine masts from now on: they are cheaper", "Pine.")
    talk(store, "c-2", 5, turn)
    (old,) = [one for one in store.facts.list(project="atlas") if one.content.startswith("Oak")]
    if old.superseded_by:
        store.superseding.reinstate(old)
    store_facts(store, store.sessions.get(2))
    assert store.facts.get(old.id).superseded_by is None


def test_what_was_given_up_only_repeats_or_remarks_on_a_log_is_told_to_nobody(store: Store) -> None:
    log = "WARN mast host=1\n" * 9
    talk(store, "c-1", 0, ("try a steel mast", "I took a steel mast; it was too heavy, so I removed it."))
    talk(store, "c-2", 1, ("the sails", "Torn sail. Torn sail. Torn sail. Torn sail."))
    talk(store, "c-3", 2, (f"output:\n{log}", "I see the same mast line nine times."))
    talk(store, "c-4", 3, ("where are the oars?", "The oars lie under the pier."))
    talk(store, "c-5", 4, ("hoist the flag", "The flag is up on the northern tower."))
    text = compose(store.db, "atlas", relevant=["1"]).text
    assert "under the pier" in text and "northern tower" in text
    for loud in ("steel mast", "Torn sail", "nine times"):
        assert loud not in text


def test_what_may_have_been_changed_is_offered_and_still_holds(store: Store) -> None:
    talk(
        store, "c-1", 0, ("ferry timetable of the western pier: when does it leave?", "At six."),
        ("two hours between boats, always", "Noted."),
    )  # fmt: skip
    talk(
        store, "c-2", 9,
        ("from today the boatman of the ferry waits at the pier for the mail coach", "He waits."),
    )  # fmt: skip
    assert "Two hours between boats, always" in holding(store)
    (offered,) = candidates(store)
    assert (offered.is_replacement, offered.why) == (True, "a later decision")
    earlier, later = (store.facts.get(one) for one in offered.refs)
    store.supersede(earlier.uid, later.uid)
    assert [*candidates(store)] == []


def test_a_decision_tells_who_took_it(store: Store) -> None:
    talk(
        store, "c-1", 0,
        ("the mast is rotten", "It is. I recommend a mast of pine, which is lighter."),
        ("ok, do it", "The mast is of pine now."),
        ("white sails, always", "They are white."),
    )  # fmt: skip
    takers = {fact.content: taken_by(fact.extra) for fact in store.facts.list(project="atlas")}
    assert takers == {"A mast of pine, which is lighter": "agreed", "White sails, always": "user"}
    talk(store, "c-2", 1, ("paint the lamp house", "It is red."))
    text = compose(store.db, "atlas").text
    assert "which is lighter (65%, user agreed)" in text
    assert "White sails, always (80%, user)" in text


def test_what_nobody_said_again_for_long_is_told_after_what_was(store: Store) -> None:
    talk(store, "c-1", 0, ("white sails, always", "Yes."), ("oak masts, always", "Yes."))
    talk(store, "c-2", 150, ("we don't need oars on this boat", "No oars."))
    talk(store, "c-3", 160, ("white sails, always", "Yes."))
    talk(store, "c-4", 161, ("paint the lamp house", "It is red."))
    text = compose(store.db, "atlas").text
    last = text.index("Oak masts")
    assert text.index("White sails") < last > text.index("We don't need oars")


@table(
    ("older", "later", "hold_both"),
    [
        ("from now on store invoices as PDF", "from now on store receipts as PDF", True),
        (
            "from now on call the staging database shop_stage",
            "from now on call the test database shop_test",
            True,
        ),
        ("from now on use tabs in Go files", "from now on use tabs in Makefiles", True),
        ("always deploy billing with helm", "always deploy mail with helm", True),
        ("retry uploads 3 times", "retry downloads 5 times", True),
        (
            "the timeout of the API client is 30 seconds",
            "the timeout of the mail worker is 10 seconds",
            True,
        ),
        ("the retry limit of the client is 5", "the timeout of the client is 5", True),
        ("write commit messages in English", "write docs in English", True),
        ("prefer pytest for unit tests", "prefer playwright for browser tests", True),
        ("测试环境用 5433 端口", "预发环境用 5434 端口", True),
        ("发票存成 PDF", "收据存成 PDF", True),
        ("以后提交信息都用英文", "以后注释都用英文", True),
        ("from now on the nightly job runs at 2", "from now on the weekly job runs at 4", True),
        ("we use Postgres for billing", "we use Postgres for search", True),
        ("send receipts to the customer by mail", "send invoices to the customer by mail", True),
        ("the staging cluster lives in Frankfurt", "the production cluster lives in Dublin", True),
        ("cap uploads at 20 MB", "cap avatars at 2 MB", True),
        ("always format Python with ruff", "always format TypeScript with prettier", True),
        ("run the unit tests in CI", "run the browser tests in CI", True),
        ("use UTC for timestamps in logs", "use UTC for timestamps in exports", True),
        ("name feature branches feat/x", "name release branches rel/x", True),
        ("the session expires after 60 seconds", "the cache expires after 60 seconds", True),
        ("we keep daily backups for 7 days", "we keep weekly backups for 60 days", True),
        ("订单超时设为 30 分钟", "购物车超时设为 60 分钟", True),
        ("开发环境用 SQLite", "生产环境用 Postgres", True),
        ("所有接口返回 JSON", "所有报表返回 XML", True),
        (
            "prefer composition over inheritance in models",
            "prefer composition over inheritance in views",
            True,
        ),
        ("use tabs in Go files", "use spaces in Go files", False),
        ("store invoices as PDF", "store invoices as HTML", False),
        ("deploy billing with helm", "deploy billing with kustomize", False),
        ("retry uploads 3 times", "retry uploads 5 times", False),
        (
            "the timeout of the API client is 30 seconds",
            "the timeout of the API client is 10 seconds",
            False,
        ),
        ("keep logs for 3 days", "keep logs for 5 days", False),
        ("keep invoices in S3", "keep invoices in GCS", False),
        ("write commit messages in English", "write commit messages in German", False),
        ("网关超时设为 10 秒", "网关超时设为 30 秒", False),
        ("发票存成 PDF", "发票存成 HTML", False),
        ("以后提交信息都用英文", "以后提交信息都用中文", False),
        ("name the staging bucket app-stage", "name the staging bucket app-staging", False),
        ("from now on the nightly job runs at 2", "from now on the nightly job runs at 4", False),
        ("we use Postgres for billing", "we use MySQL for billing", False),
        ("send receipts by mail", "send receipts by post", False),
        ("the staging cluster lives in Frankfurt", "the staging cluster lives in Dublin", False),
        ("cap uploads at 20 MB", "cap uploads at 50 MB", False),
        ("always format Python with black", "always format Python with ruff", False),
        ("use UTC for timestamps", "use local time for timestamps", False),
        ("the cache expires after 60 seconds", "the cache expires after 5 minutes", False),
        ("we keep daily backups for 7 days", "we keep daily backups for 30 days", False),
        ("订单超时设为 30 分钟", "订单超时设为 15 分钟", False),
        ("开发环境用 SQLite", "开发环境用 Postgres", False),
        ("日志保留七天", "日志保留三十天", False),
        ("所有接口返回 JSON", "所有接口返回 XML", False),
        ("never log the request body", "never log the user's email", None),
        ("I want a red lamp", "I don't want any padding", None),
        ("No breaking changes", "Our own changes are never breaking changes", None),
        ("log the body of requests", "never log the body of requests", False),
        ("oak masts, always", "two ropes for each boat, always", None),
    ],
)
def test_of_two_sentences_of_one_form_both_hold_unless_the_value_alone_differs(
    older: str, later: str, hold_both: bool | None
) -> None:
    assert of_two_subjects(older, later) is hold_both


def test_what_another_subject_is_told_supersedes_nothing(store: Store) -> None:
    talk(store, "c-0", 0, ("no breaking changes", "None."))
    talk(store, "c-00", 1, ("changes of the rope are never breaking changes, only knots are", "Noted."))
    assert len(holding(store)) == 2
    talk(store, "c-1", 0, ("from now on moor ferries at the western pier", "They moor there."))
    talk(store, "c-2", 5, ("from now on moor rafts at the western pier", "They moor there."))
    assert len(holding(store)) == 4
    talk(store, "c-3", 9, ("from now on moor rafts at the eastern pier", "They moor there."))
    assert "From now on moor ferries at the western pier" in holding(store)
    assert "From now on moor rafts at the western pier" not in holding(store)


def test_the_last_decision_gives_way_where_only_its_value_is_changed(store: Store) -> None:
    talk(
        store, "c-1", 0, ("the ferry is too full", "How many cars shall it take?"),
        ("set the limit of the deck to 12 cars", "It takes 12 cars."), ("make it nine", "It takes nine."),
    )  # fmt: skip
    assert holding(store) == ["Set the limit of the deck to nine cars"]
    talk(store, "c-2", 2, ("渡轮间隔: 太短", "要多长？"), ("间隔定为 3 分钟", "间隔是 3 分钟。"))
    talk(store, "c-3", 9, ("渡轮间隔: 改成五分钟", "间隔是五分钟。"))
    assert "间隔定为 3 分钟" not in holding(store)


def test_a_prompt_whose_decision_was_changed_is_told_as_such_and_found_after_the_new_one(
    store: Store,
) -> None:
    talk(store, "c-1", 0, ("lamp oil: use whale oil in the lamps from now on", "The lamps burn whale oil."))
    talk(
        store,
        "c-2",
        9,
        ("lamp oil: use rape oil in the lamps from now on", "Done: the lamps burn no whale oil."),
    )
    text = compose(store.db, "atlas", relevant=["p1", "1"]).text
    assert "- p1 (no longer holds)" in text and "- 1 (no longer holds)" in text
    turns = [
        hit.row.session_id
        for hit in store.find("whale oil lamps").page(turns=True).hits
        if hit.row.kind != "fact"
    ]
    assert turns.index(2) < turns.index(1)


BOTH_HOLD = """
    Never use axios here. | Never use lodash here.
    Never use axios. | Never use lodash.
    Never commit to main. | Never commit to release.
    Never touch the migrations. | Never touch the vendored code.
    Don't use axios here. | Don't use lodash here.
    Always run make lint before committing. | Always run make docs before committing.
    I prefer short functions. | I prefer long variable names.
    I prefer pytest. | I prefer ruff.
    We use Postgres for orders. | We use Redis for sessions.
    We use Redis. | We use Kafka.
    Never use axios here. | Always use fetch here.
    不要用 axios。 | 不要用 lodash。
    永远不要改 migrations 目录。 | 永远不要改 vendor 目录。
    我喜欢用 pytest。 | 我喜欢用 ruff。
    我们用 Redis。 | 我们用 Kafka。
    提交前必须跑 lint。 | 提交前必须跑测试。
    Never log emails. | Never log IP addresses.
    No emojis in commit messages. | No emojis in docs.
    The API must return JSON. | The API must require a token.
    Never use eval in the parser. | Never use eval in the CLI.
    Tests live in tests/. | Docs live in docs/.
    We support Python 3.11. | We support macOS.
    Use snake_case for functions from now on. | Use PascalCase for classes from now on.
    Always answer in German. | Always answer briefly.
    Never use var. | Never use any.
    Don't add dependencies without asking. | Don't add files without asking.
    I prefer pytest for unit tests. | I prefer Playwright for browser tests.
    Always run make lint before committing. | Always run make test before pushing.
    前端用 React。 | 后端用 Django。
    Never use moment here. | Never use jquery here.
    Don't touch the lock file without asking. | Don't touch the schema without asking.
    Never push to production on Fridays. | Never push to production at night.
    No console logs in handlers. | No console logs in tests.
    Always run the linter before pushing. | Always run the type checker before pushing.
    I prefer tables. | I prefer diagrams.
    I like to write small commits. | I like to write long messages.
    We use Terraform for infrastructure. | We use Ansible for provisioning.
    Never print tokens. | Never print passwords.
    Never import from the legacy package. | Never import from the demo package.
    Always use strict mode here. | Always use named exports here.
    Never use sleep in tests. | Always use fake timers in tests.
    Avoid global state. | Avoid deep inheritance.
    Never mock the clock. | Never mock the network.
    Please don't ever edit generated files. | Please don't ever edit vendored files.
    Always ask before deleting branches. | Always ask before deleting tags.
    不要用 lombok。 | 不要用 guava。
    千万不要改配置文件。 | 千万不要改锁文件。
    我习惯用 vim。 | 我习惯用 tmux。
    合并前必须跑类型检查。 | 合并前必须跑集成测试。
    禁止提交密钥。 | 禁止提交日志文件。
    以后不要写 lambda。 | 以后不要写全局变量。
    永远不要直接推 master。 | 永远不要直接推 release。
    所有接口必须有文档。 | 所有接口必须有测试。
    我们用 Grafana 做监控。 | 我们用 Loki 做日志。
    Never use regex in the tokenizer. | You can use regex in the CLI now.
    Always use pnpm in this project. | Always use biome in this project.
    We use Postgres and Redis in production. | We no longer use Redis.
    Every endpoint must have a test. | Every endpoint must have an owner.
    Our backend uses Celery. | Our backend uses Django.
    Our service runs on every node. | Our service runs on Kubernetes.
    Our build runs on each push. | The build moved to Buildkite.
    Never use emojis in docs. | Always use headings in docs.
    Don't ever rebase shared branches. | Make it 9090.
    Always run tests on Linux. | Always run tests on Windows.
    Always use dark mode. | Never use gradients.
    Our API is versioned and public. | Our API is documented in the wiki.
    We use Jest for unit tests. | You can run the tests now.
    Never deploy on Fridays. | You can deploy the docs now.
    We always use UTC. | We always use ISO dates.
    Never force push. | Never squash commits.
    Please never delete fixtures. | Please never delete snapshots.
    Don't ever log customer names. | Don't ever log card numbers.
    We don't use npm in this project. | We don't use yarn in this project.
    Always write tests for the parser. | Always write docs for the parser.
    I prefer early returns. | I prefer guard clauses.
    Never read files in handlers. | Never open sockets in handlers.
    Commit messages are in English from now on. | Commit messages are short from now on.
    Use ruff in this project from now on. | Use mypy in this project from now on.
    提交前必须用 ruff。 | 提交前必须用 black。
    后端用 Django。 | 后端用 Celery。
    千万别删数据库。 | 千万别删备份。
    以后不要再写注释。 | 以后不要再写日志。
    From now on write commit messages in English. | From now on never commit generated files.
    We use Postgres in production. | We use Redis in production.
    Our app runs on Linux. | Our backend runs on AWS.
    Always add a changelog entry. | Always add a test.
    Never use print for debugging. | Always use the logger for debugging.
    The API uses REST. | The API uses JSON.
    Every commit must have a ticket. | Every commit must have a sign-off.
    每次提交必须写说明。 | 每次提交必须写测试。
    Stop adding emojis to replies. | Stop adding headings to replies.
    Never deploy the billing service on Fridays. | You can use docker again.
    我习惯用 tabs 缩进。 | 我习惯用 zsh。
"""
LATER_HOLDS = """
    Always answer in German. | Always answer in English.
    We use npm. | We switched to pnpm.
    Never use semicolons. | Always use semicolons.
    不要用分号。 | 要用分号。
    请用中文回答。 | 以后请用英文回答。
    We use Sentry for errors. | We stopped using Sentry; errors go to Datadog.
    Don't push without asking. | You may push without asking from now on.
    Never use axios here. | You can use axios now.
    Our CI runs on Jenkins. | Our CI runs on GitHub Actions.
    Our CI runs on Jenkins. | CI moved to GitHub Actions.
    服务端口是 8080。 | 服务端口改为 8081。
    我们每周五发布。 | 以后改成每周三发布。
    I prefer spaces for indentation. | I prefer tabs for indentation.
    Never use axios here. | Forget what I said, axios is fine here after all.
    Our CI runs on Jenkins. | Our CI doesn't run on Jenkins any more, it's GitLab now.
    We use Sentry for errors. | We no longer use Sentry.
    我们用 npm 做包管理。 | 我们不再用 npm 了,改用 pnpm。
    We use Bugsnag for crashes. | We no longer use Bugsnag.
    We use Webpack for bundling. | We stopped using Webpack; bundles come from Vite.
    Never use lodash here. | You can use lodash again.
    Don't commit without asking. | You may commit without asking from now on.
    Our database runs on Heroku. | Our database doesn't run on Heroku any more, it's RDS now.
    Our pipeline runs on Travis. | The pipeline moved to CircleCI.
    Our staging runs on Fly. | Our staging runs on Render.
    Never use classes here. | Forget what I said, classes are fine here after all.
    Never use decorators. | Always use decorators.
    Always answer in Spanish. | Always answer in French.
    I prefer tabs for indentation. | I prefer two spaces for indentation.
    Keep backups for 7 days. | Keep backups for 30 days from now on.
    We use Yarn for packages. | We don't use Yarn any more.
    We use MySQL for billing. | We use Postgres for billing.
    我们用 Jenkins 做构建。 | 我们不再用 Jenkins 了,改用 Drone。
    不要用三元运算符。 | 要用三元运算符。
    以后注释都用英文。 | 以后注释都用中文。
    接口超时设为 10 秒。 | 接口超时改为 20 秒。
    我们用 MySQL 做存储。 | 我们已经不用 MySQL 了,换成 Postgres。
    Our docs live in Confluence. | The docs moved to Notion.
    Our frontend is written in Angular. | Our frontend is written in Svelte.
    No semicolons in this project. | Semicolons are allowed in this project now.
    We use CircleCI for builds. | We stopped using CircleCI.
    Never use enums. | Enums are allowed again.
    Never use pandas. | You can use pandas after all.
    Don't merge without asking. | You may merge without asking from now on.
    Our cluster runs on GKE. | Our cluster moved to EKS.
    Our backend runs on Heroku. | Our backend runs on Fly.
    We use Mocha for tests. | We no longer use Mocha.
    以后不要用递归。 | 现在可以用递归了。
    我们用 Redis 做缓存。 | 我们不再用 Redis 了。
    I prefer npm for installs. | I prefer pnpm for installs.
    Always reply in Chinese. | Always reply in English.
    Always use tabs for indentation. | Always use spaces for indentation.
    测试环境用 5433 端口。 | 测试环境用 5434 端口。
    Never use mocks. | Always use mocks.
    我习惯用英文写注释。 | 我习惯用中文写注释。
"""


def test_a_second_rule_stands_beside_the_first_and_its_opposite_in_its_place(store: Store) -> None:
    wrong = []
    for table_of_pairs, hold_both in ((BOTH_HOLD, True), (LATER_HOLDS, False)):
        for number, line in enumerate(table_of_pairs.strip().splitlines()):
            project = f"{hold_both}-{number}"
            session = store.sessions.start(project, agent="codex", project=project, at=FIRST)
            for minute, prompt in enumerate(line.strip().split(" | "), start=1):
                store.prompts.add(session, prompt, at=FIRST + minute * 60_000)
            store_facts(store, session)
            facts = store.facts.list(project=project)
            held = [fact for fact in facts if fact.superseded_by is None]
            is_later = [fact.created_at for fact in held] == [FIRST + 2 * 60_000]
            if len(held) != len(facts) if hold_both else not is_later:
                wrong.append(line)
    assert wrong == []


def test_after_a_talk_that_holds_which_was_meant_last(store: Store) -> None:
    wrong = []
    for number, line in enumerate(TALKS[1:]):
        turns, wanted = line.split(" => ")
        session = store.sessions.start(f"t-{number}", agent="codex", project=f"t-{number}", at=FIRST)
        for minute, turn in enumerate(turns.split(" | "), start=1):
            prompt, reply = turn.replace("\\n", "\n").split(" / ")
            at = FIRST + minute * 60_000
            store.prompts.add(session, prompt, at=at)
            store.observations.add(
                session, title=reply[:80], narrative=reply, type="finding", tool_name="reply",
                prompt_number=minute, project=session.project, at=at + 1_000,
            )  # fmt: skip
        for _ in range(2):  # read again, it comes to the same
            store_facts(store, session)
        held = [fact.content.lower() for fact in store.facts.list(project=session.project, is_current=True)]
        phrases = [[] if one == "-" else one.lower().split("…") for one in wanted.split(" ; ")]
        told = [one for one in phrases if any(all(part in content for part in one) for content in held)]
        if len(held) != len([*filter(None, phrases)]) or (held and len(told) != len(phrases)):
            wrong.append((line, held))
    assert wrong == []


@table(
    ("rule", "back", "left"),
    [
        ("Never paint boats red.", "forget that", "No longer: never paint boats red"),
        ("Never paint boats red.", "never mind, forget that rule", "No longer: never paint boats red"),
        ("use whale oil in the lamps from now on", "forget what I said about whale oil",
         "No longer: use whale oil in the lamps from now on"),
        ("永远不要夜里出海。", "当我没说", "不再：永远不要夜里出海"),
        ("Never paint boats red.", "undo the last commit", "Never paint boats red"),
        ("paint the door", "forget that", None),
    ],
)  # fmt: skip
def test_what_a_user_takes_back_is_told_as_no_longer_holding(
    store: Store, rule: str, back: str, left: str | None
) -> None:
    project = f"{rule}-{back}"
    session = store.sessions.start(project, agent="codex", project=project, at=FIRST)
    for minute, prompt in enumerate((rule, back), start=1):
        store.prompts.add(session, prompt, at=FIRST + minute * 60_000)
        store.observations.add(
            session, title="OK.", type="finding", tool_name="reply", prompt_number=minute, project=project,
            at=FIRST + minute * 60_000 + 1,
        )  # fmt: skip
    store_facts(store, session)
    held = store.facts.list(project=project, is_current=True)
    assert [fact.content for fact in held] == ([left] if left else [])
    if left and left.startswith(("No longer", "不再")):
        assert "(no longer holds)" in compose(store.db, project).text
