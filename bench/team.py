"""A team's server: how long it searches a million rows, and what many members and rows would take, reckoned
from what one of each took."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from bench.memories import DAY, Memories
from bench.report import Section, interleaved, middle, ms, percentile
from memtui.store.leaves.team.entries import TeamEntry
from memtui.store.leaves.team.rows import as_json, query_of, words_of
from memtui.store.leaves.team.server import BATCH, PAGE, Server
from memtui.store.platform.clock import uuid7
from tests.store.team.colleagues import as_user
from tests.store.team.servers import Postgres, binaries

ROWS = 1_000_000
SAMPLE = 100_000
"""How many different rows are made; the rest of `ROWS` repeats them at other times."""
ROUNDS = 40
NOW = 1_790_000_000_000
MEMBER = "bench"
GIVEN = 8 * BATCH
"""How many rows are pushed at once, of all slots, as by a member's machine."""
SETTINGS = {"shared_buffers": "1GB", "fsync": "off", "maintenance_work_mem": "512MB", "max_wal_size": "8GB"}
FILL = """
INSERT INTO memtui.entry (team_id, kind, uid, slot, project, author, editor, via, hlc, version, visibility,
    state, made_at, payload, words, size, seq)
SELECT %(team)s, 'observations', r.uid, %(team)s || ' ' || left(md5(r.uid), 1), s.project, r.author,
    'editor', 'machine', r.at << 16, (r.at << 16) || ' editor', 'project', 'here', r.at, s.payload::jsonb,
    s.words::integer[] || memtui.marks(r.uid, r.at, r.author, s.project, 'project'),
    octet_length(s.payload), r.number + 1
FROM (SELECT n.number, n.at, 'member-' || n.number %% 50 AS author,
        lpad(to_hex(n.at), 12, '0') || '-' || md5(n.number::text) AS uid
    FROM (SELECT number, %(now)s - (%(rows)s - number)::bigint * %(step)s AS at
        FROM generate_series(0, %(rows)s - 1) AS number) AS n) AS r
JOIN sample AS s ON s.number = r.number %% %(sample)s
"""
SAMPLE_TABLE = "CREATE TEMPORARY TABLE sample (number integer, project text, payload text, words text)"
MEMBERS, WORK_SECONDS = 1_000, 8 * 3_600
ROWS_A_DAY, SEARCHES_A_DAY, MEETINGS_A_MINUTE = 50, 30, 1
"""How many rows a member shares and how often they search, a working day; how often their machine meets."""
MANY_ROWS = 100_000_000


class Costs(NamedTuple):
    """ms of the server's CPU for one of each, a meeting with its connection; and bytes."""

    search: float
    push: float
    pull: float
    meeting: float
    row_bytes: float
    connection_bytes: float


def measure() -> list[Section]:
    """Search a million rows as a member, by the function that members call, and reckon."""
    with Postgres(binaries(of_system=True), SETTINGS) as server:
        return measured(server.dsn, fill(server.dsn))


def measured(dsn: str, team: str) -> list[Section]:
    """Measure at a server that has the rows."""
    with Server(as_user(dsn, MEMBER)) as member:
        searches, middle_search = _searches(dsn, member, team)
        costs = _costs(dsn, member, team, middle_search)
    return [searches, _reckoned(costs)]


def fill(dsn: str) -> str:
    """Make a team with its rows, and return its id."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        with Server(dsn) as made:
            team = made.create("bench")
        indexes: Any = owner.execute(
            "SELECT indexname, indexdef FROM pg_indexes "
            "WHERE tablename = 'entry' AND indexname LIKE 'entry_by%'"
        ).fetchall()
        for name, _ in indexes:
            _run(owner, f"DROP INDEX memtui.{name}")
        _run(owner, SAMPLE_TABLE)
        with owner.cursor() as cursor, cursor.copy("COPY sample FROM STDIN") as copy:
            for number, row in enumerate(_sample()):
                copy.write_row((number, *row))
        values = {
            "team": team, "rows": ROWS, "sample": SAMPLE, "now": NOW, "step": 365 * DAY // ROWS,
        }  # fmt: skip
        owner.execute(FILL, values)
        for _, definition in indexes:
            _run(owner, definition)
        owner.execute("UPDATE memtui.head SET head = %s", (ROWS,))
        owner.execute("VACUUM ANALYZE memtui.entry")
        _run(owner, f"CREATE ROLE {MEMBER} LOGIN")
        owner.execute("SELECT memtui.set_member(%s, %s, 'writer', NULL)", (team, MEMBER))
        return team


def _run(connection: psycopg.Connection[Any], statement: Any) -> None:
    connection.execute(statement)


def _sample() -> Iterator[tuple[str, str, str]]:
    """Project, payload and words of rows, as a member's program makes them."""
    source = Memories()
    for number in range(SAMPLE):
        row = source.observation(number, NOW)
        payload = {key: value for key, value in row.items() if value is not None and key != "session_id"}
        for key in ("facts", "concepts", "files_read", "files_modified", "tags"):
            payload[key] = json.loads(payload[key])
        yield payload["project"], as_json(payload), words_of("observations", payload)


def _searches(dsn: str, member: Server, team: str) -> tuple[Section, float]:
    words = Memories().words
    queries = {
        "a rare word": words[29_000],
        "two words, one in a hundred rows and one in eight": f"{words[1_000]} {words[60]}",
        "three common words": "token refresh session",
        "a Chinese word": "网关",
        "a Chinese word of two bigrams": "数据库",
        "a word in 3 % of the rows": words[300],
        "the commonest word": "the",
    }
    rows, middles = [], []
    for name, query in queries.items():
        sought = query_of([query])
        with psycopg.connect(dsn) as owner:
            counted: Any = "SELECT count(*) FROM memtui.entry WHERE words @> %s::integer[]"
            hits: Any = owner.execute(counted, (sought,)).fetchall()[0][0]
        search = _search(member, team, sought)
        found, bare = interleaved(search, lambda: member.run("SELECT 1"), ROUNDS)
        cpu = _cpu_ms(member, search, ROUNDS)
        middles.append(cpu)
        rows.append(
            (
                name, f"{hits:,}", ms(middle(found)), ms(percentile(found, 0.95)),
                ms(middle(bare)), ms(cpu),
            )
        )  # fmt: skip
    section = Section(
        "Searches of a team's server",
        f"{ROWS:,} rows of a team, by the function that members call, warm: the best 20 "
        f"of about the newest 2,000 hits. ms, {ROUNDS} times each, in turn with `SELECT 1` on the same "
        "connection; and of the server's CPU alone.",
        ("what is sought", "hits", "median", "p95", "SELECT 1", "CPU"),
        rows,
    )
    return section, middle(middles)


def _cpu_ms(server: Server, call: Callable[[], object], rounds: int) -> float:
    """The ms of a server's process on a CPU for one call, on average."""
    process = Path(f"/proc/{server.connection.info.backend_pid}/schedstat")
    before = int(process.read_text().split()[0])
    for _ in range(rounds):
        call()
    return (int(process.read_text().split()[0]) - before) / rounds / 1e6


def _search(member: Server, team: str, sought: list[int]) -> Callable[[], object]:
    return lambda: member.search(
        team, sought, kinds=None, projects=None, authors=None, since=None, until=None, limit=20, seconds=60
    )  # fmt: skip


def _costs(dsn: str, member: Server, team: str, search: float) -> Costs:
    fresh = [
        TeamEntry(
            "observations", uuid7(NOW + number), project, MEMBER, 1, "1", "project", "here", NOW, None,
            payload, words,
        )
        for number, (project, payload, words) in zip(range(10 * GIVEN), _sample(), strict=False)
    ]  # fmt: skip
    batches = [fresh[start : start + GIVEN] for start in range(0, len(fresh), GIVEN)]
    push = _cpu_ms(member, lambda: member.push(team, MEMBER, batches.pop()), len(batches))
    heads = member.greet(team, MEMBER).heads
    half = [head // 2 for head in heads]
    pull = _cpu_ms(member, lambda: member.pull(team, half, heads, ""), 10)
    with psycopg.connect(dsn) as owner:
        size: Any = owner.execute("SELECT pg_total_relation_size('memtui.entry')").fetchone()
    meeting: list[float] = []
    for _ in range(ROUNDS):
        with Server(as_user(dsn, MEMBER)) as new:
            new.greet(team, MEMBER)
            process = Path(f"/proc/{new.connection.info.backend_pid}")
            meeting.append(int((process / "schedstat").read_text().split()[0]) / 1e6)
            lines = (process / "smaps_rollup").read_text().splitlines()
    private = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    return Costs(
        search, push / GIVEN, pull / PAGE, middle(meeting), size[0] / (ROWS + len(fresh)), private * 1024
    )


def _reckoned(costs: Costs) -> Section:
    """Return the CPU, bytes and connections that `MEMBERS` need of a server, at ten times the load of an
    average second of a working day."""
    pushes = 10 * MEMBERS * ROWS_A_DAY / WORK_SECONDS
    meetings = MEMBERS * MEETINGS_A_MINUTE / 60
    pulls = pushes * (MEMBERS - 1)
    searches = 10 * MEMBERS * SEARCHES_A_DAY / WORK_SECONDS
    work = {
        "rows pushed": (pushes, costs.push),
        "meetings, each a new connection": (meetings, costs.meeting),
        "rows pulled, each row by all others": (pulls, costs.pull),
        "searches": (searches, costs.search),
    }
    rows = [
        (name, f"{many:,.1f}", f"{each:.3f}", f"{many * each / 1000:.2f}")
        for name, (many, each) in work.items()
    ]
    cores = sum(many * each / 1000 for many, each in work.values())
    terabytes = MANY_ROWS * costs.row_bytes / 1e12
    gigabytes = MEMBERS * costs.connection_bytes / 1e9
    return Section(
        "A team of 1,000, on paper",
        f"Reckoned, not run: {MEMBERS:,} members who share {ROWS_A_DAY} rows, search {SEARCHES_A_DAY} "
        f"times and meet the server each minute of a day of eight hours; pushes and searches at ten times "
        f"the average second. Each costs the CPU that it took at {ROWS:,} rows. A row takes "
        f"{costs.row_bytes:,.0f} bytes with its indexes, so {MANY_ROWS:,} rows take {terabytes:.2f} TB; a "
        f"connection has {costs.connection_bytes / 1e6:.1f} MB of its own, so all {MEMBERS:,} at once, "
        f"without a pooler, {gigabytes:.1f} GB. In all {cores:.1f} cores, of which pulls and searches "
        f"({(pulls * costs.pull + searches * costs.search) / 1000:.1f}) may go to replicas.",
        ("what", "a second", "CPU ms each", "cores"),
        rows,
    )
