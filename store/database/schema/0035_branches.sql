-- branch: the git branch on which the session worked last, as its transcript or the working copy told it.
ALTER TABLE sessions ADD COLUMN branch TEXT;
CREATE INDEX sessions_by_branch ON sessions (branch) WHERE branch IS NOT NULL;

-- The sessions of which git here says that their branch isn't merged: derived, and made anew when it is asked again.
CREATE TABLE unmerged_sessions (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE
) STRICT;
