-- Adds delivery attempts of a webhook to the analytics counts.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_webhook_try() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT NEW.workspace_id, 'webhooks', utc_hour(now()), x.measure, '', NEW.status, no_agent(),
    NEW.tries - OLD.tries
  FROM unnest(ARRAY['attempts',
      CASE NEW.status WHEN 'succeeded' THEN 'succeeded' ELSE 'failed' END]) AS x (measure);
  RETURN NULL;
END $$;
