"""A team's memory: what members share, on a server that speaks PostgreSQL's protocol (the extra `team`).

| module | holds |
|---|---|
| `schema/` | the server's tables and policies, by steps, and its functions, made anew |
| `server.py` | all that is said to the server |
| `driver.py` | psycopg, its errors as sentences, and the addresses of servers |
| `membership.py` | which team this store is in, and as whom |
| `joining.py` | making, joining and leaving one, and whom it has |
| `sharing.py` | which rows are shared: rules by project, choices by memory |
| `entries.py` | a row as the server has it |
| `search.py` | asking the server for what need not be here |
| `reviewing.py` | what a member says of teammates' facts and decisions |
| `retention.py` | how long what teammates shared is kept here |
| `meeting.py` | a meeting with the server: pull, push, compare |
"""
