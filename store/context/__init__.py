"""What agents are given: at a session's start candidates, chosen, fitted to a budget, wrapped and logged;
when they ask, compact texts; and briefs to go on from."""
