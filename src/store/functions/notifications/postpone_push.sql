-- Tries a push again after a wait, and nothing else of the conversation to this browser before. Reminds a
-- worker of it.
--
-- Returns: void
CREATE OR REPLACE FUNCTION postpone_push(session uuid, conversation uuid, wait interval) RETURNS void
  LANGUAGE sql AS $$
  WITH postponed AS (
    UPDATE push_deliveries SET tries = tries + 1, due_at = now() + wait, leased_until = NULL
    WHERE session_id = session AND conversation_id = conversation RETURNING workspace_id, due_at
  )
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'timer', jsonb_build_object('push_workspace_id', workspace_id), due_at FROM postponed
$$;
