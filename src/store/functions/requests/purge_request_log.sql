-- Deletes a batch of each workspace's requests that are older than 24 hours or not among the newest `kept`.
-- Returns the largest number of deleted requests of one workspace.
--
-- Locks: request_log.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_request_log(batch_size int, kept int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid;
  edge timestamptz;
  went int;
  result int := 0;
BEGIN
  FOR workspace IN SELECT id FROM workspaces LOOP
    edge := greatest(now() - interval '24 hours', (SELECT r.created_at FROM request_log r
      WHERE r.workspace_id = workspace ORDER BY r.created_at DESC, r.id DESC OFFSET kept LIMIT 1));
    DELETE FROM request_log WHERE (workspace_id, created_at, id) IN (
      SELECT r.workspace_id, r.created_at, r.id FROM request_log r
      WHERE r.workspace_id = workspace AND r.created_at <= edge ORDER BY r.created_at, r.id LIMIT batch_size);
    GET DIAGNOSTICS went = ROW_COUNT;
    result := greatest(result, went);
  END LOOP;
  RETURN result;
END $$;
