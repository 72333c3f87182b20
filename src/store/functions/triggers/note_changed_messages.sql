-- Updates the analytics counts after messages changed their status, platform, direction or sender: subtracts
-- the old values and adds the new ones.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT g.workspace_id, 'messages', g.hour, x.measure, g.platform, g.status, g.agent_id, g.n
  FROM (
    SELECT workspace_id, utc_hour(created_at) AS hour, direction, coalesce(platform, '') AS platform, status,
      CASE WHEN direction = 'inbound' THEN no_agent() ELSE sender_id END AS agent_id, sum(sign) AS n
    FROM (
      SELECT workspace_id, created_at, direction, platform, status, sender_id, 1 AS sign FROM becomes
      UNION ALL SELECT workspace_id, created_at, direction, platform, status, sender_id, -1 FROM was) m
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(sign) <> 0) g
  CROSS JOIN LATERAL unnest(CASE WHEN g.status IN ('failed', 'expired', 'blocked')
    THEN ARRAY[g.direction, 'failed'] ELSE ARRAY[g.direction] END) AS x (measure);
  RETURN NULL;
END $$;
