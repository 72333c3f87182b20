-- Adds new messages to the analytics counts. Other records are counted from their events, but not every
-- change of a message or webhook attempt is an event. Runs once per statement, because there are many
-- messages.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_new_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT m.workspace_id, 'messages', utc_hour(m.created_at), x.measure, coalesce(m.platform, ''), m.status,
    CASE WHEN m.direction = 'inbound' THEN no_agent() ELSE m.sender_id END, count(*)
  FROM added m CROSS JOIN LATERAL unnest(CASE WHEN m.status IN ('failed', 'expired', 'blocked')
    THEN ARRAY[m.direction, 'failed'] ELSE ARRAY[m.direction] END) AS x (measure)
  GROUP BY 1, 3, 4, 5, 6, 7;
  RETURN NULL;
END $$;
