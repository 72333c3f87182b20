-- Adds a job for new events of workspaces with a webhook or an open stream. Events that are stored only for
-- streams to resume need no job.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (topic, payload)
  SELECT 'event', jsonb_build_object('events', string_agg(position::text, ',' ORDER BY position)) FROM added
  WHERE workspace_id IN (SELECT w.workspace_id FROM (SELECT DISTINCT workspace_id FROM added) w
    WHERE EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = w.workspace_id AND i.until = 'infinity')
      OR EXISTS (SELECT FROM open_streams o WHERE o.workspace_id = w.workspace_id AND o.expires_at > now()))
  HAVING count(*) > 0;
  RETURN NULL;
END $$;
