-- The queued deliveries of a broadcast. Found by the indexes of queued work, so the number of recipients does
-- not affect the cost.
--
-- Returns: { id: string; held: boolean }[]
CREATE OR REPLACE FUNCTION queued_deliveries(broadcast uuid, workspace uuid)
  RETURNS TABLE (id uuid, held boolean)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  WITH waiting AS MATERIALIZED (
    SELECT d.* FROM connections k CROSS JOIN LATERAL (
      SELECT d.id, d.message_id, d.held FROM deliveries d
      WHERE d.connection_id = k.id AND d.duty = 'send' AND d.priority = 10 AND d.status = 'queued' OFFSET 0) d
    WHERE k.workspace_id = workspace
    UNION ALL
    SELECT d.* FROM connections k CROSS JOIN LATERAL (
      SELECT d.id, d.message_id, d.held FROM deliveries d
      WHERE d.connection_id = k.id AND d.held AND d.status = 'queued' OFFSET 0) d
    WHERE k.workspace_id = workspace
  )
  SELECT w.id, w.held FROM waiting w
  WHERE (SELECT m.broadcast_id FROM messages m WHERE m.id = w.message_id) = broadcast
$$;
