-- Removes purged deliveries from the counts of lists.
--
-- Locks: list_progress.
-- Returns: trigger
CREATE OR REPLACE FUNCTION forget_purged_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM list_progress WHERE workspace_id IN (SELECT workspace_id FROM purged)
  ORDER BY workspace_id FOR UPDATE;
  UPDATE list_progress l SET deliveries = l.deliveries - (
    SELECT count(*) FROM purged d WHERE d.workspace_id = l.workspace_id AND d.created_at < l.counted_until)
  WHERE l.workspace_id IN (SELECT workspace_id FROM purged);
  RETURN NULL;
END $$;
