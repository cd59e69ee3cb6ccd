-- What is shared by choice, or by a project's rule, is looked at anew by the next meeting, also where a change
-- was taken back.
CREATE TRIGGER team_choices_added AFTER INSERT ON team_choices BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_choices_changed AFTER UPDATE ON team_choices BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_choices_removed AFTER DELETE ON team_choices BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_projects_added AFTER INSERT ON team_projects BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_projects_changed AFTER UPDATE ON team_projects BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_projects_removed AFTER DELETE ON team_projects BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
