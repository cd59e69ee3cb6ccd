-- Spreads a team's tables over the nodes of Citus: rows by their slot, each with its number and what is noted of
-- it; who and what a team is on every node.
SELECT create_reference_table('memtui.team');
SELECT create_reference_table('memtui.member');
SELECT create_reference_table('memtui.device');
SELECT create_distributed_table('memtui.head', 'slot');
SELECT create_distributed_table('memtui.entry', 'slot', colocate_with => 'memtui.head');
SELECT create_distributed_table('memtui.removal', 'slot', colocate_with => 'memtui.head');
