-- Schedules a retry of a push, and a job for that time. The browser gets no other push for the same
-- conversation or call until then. Changes nothing if a newer message has replaced the message, or if the
-- call was missed since, because the row is then about the newer push.
--
-- Arguments: message: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION retry_push(session uuid, about uuid, message uuid, missed boolean, wait interval)
  RETURNS void LANGUAGE sql AS $$
  WITH postponed AS (
    UPDATE push_deliveries d SET tries = tries + 1, due_at = now() + wait, leased_until = NULL
    WHERE d.session_id = session AND d.tag = about
      AND d.message_id IS NOT DISTINCT FROM message AND d.is_missed = missed
    RETURNING workspace_id, due_at
  )
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'timer', jsonb_build_object('push_workspace_id', workspace_id), due_at FROM postponed
$$;
