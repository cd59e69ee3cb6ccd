"""A team's memory: what members share, on a server that speaks PostgreSQL's protocol (the extra `team`).

| module | holds |
|---|---|
| `schema/` | the server's tables and policies, by steps, and its functions, made anew |
| `server.py` | all that is said to the server |
| `driver.py` | psycopg, its errors as sentences, and the addresses of servers |
| `membership.py` | which team this store is in, and as whom |
| `joining.py` | making, joining and leaving one, whom it has, and its server |
| `place.py` | its server as a carrier of `sync`: how it is met, and what waits for it |
| `sharing.py` | which rows are shared: rules by project, choices by memory; whose memories are |
| `rows.py` | rows as the server has them, and which are known here to be there |
| `search.py` | asking the server for what need not be here |
| `reviewing.py` | what a member says of teammates' facts and decisions |
| `retention.py` | how long what teammates shared is kept here |
| `meeting.py`, `pulling.py`, `pushing.py` | a meeting with the server: pull, push, compare |
"""
