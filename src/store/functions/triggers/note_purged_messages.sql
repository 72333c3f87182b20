-- Subtracts purged messages from the analytics counts.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_purged_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status,
    agent_id, amount, gone)
  SELECT m.workspace_id, 'messages', utc_hour(m.created_at), m.direction, coalesce(m.platform, ''), m.status,
    CASE WHEN m.direction = 'inbound' THEN no_agent() ELSE m.sender_id END, -count(*), true
  FROM purged m GROUP BY 1, 3, 4, 5, 6, 7;
  RETURN NULL;
END $$;
