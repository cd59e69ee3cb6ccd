-- Spreads a team's tables over the nodes of Citus: rows by their slot, each with its number and what is noted of
-- it; who and what a team is on every node.
SELECT create_reference_table('memtui.team');
SELECT create_reference_table('memtui.member');
SELECT create_reference_table('memtui.device');
SELECT create_distributed_table('memtui.head', 'slot', shard_count => 16);
SELECT create_distributed_table('memtui.entry', 'slot', colocate_with => 'memtui.head');
SELECT create_distributed_table('memtui.removal', 'slot', colocate_with => 'memtui.head');
-- What is pushed goes to the node of its slot as one call.
SELECT create_distributed_function(f.oid::regprocedure, 'p_slot', colocate_with => 'memtui.entry',
    force_delegation => true) FROM pg_proc f WHERE f.proname = 'store' AND f.pronamespace = 'memtui'::regnamespace;
-- A search reads the list of what waits at each of them. Citus hands on the text around a change of an index.
DO $$ BEGIN ALTER INDEX memtui.entry_by_words SET (gin_pending_list_limit = 64); END $$;
