-- Schedules a retry of a push, and a job for that time. The browser gets no other push for the same
-- conversation or call until then.
--
-- Returns: void
CREATE OR REPLACE FUNCTION retry_push(session uuid, about uuid, wait interval) RETURNS void
  LANGUAGE sql AS $$
  WITH postponed AS (
    UPDATE push_deliveries d SET tries = tries + 1, due_at = now() + wait, leased_until = NULL
    WHERE d.session_id = session AND d.tag = about RETURNING workspace_id, due_at
  )
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'timer', jsonb_build_object('push_workspace_id', workspace_id), due_at FROM postponed
$$;
