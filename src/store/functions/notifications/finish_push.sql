-- Deletes a push that was sent or refused. Keeps the row if a newer message has replaced the message, or if
-- the call was missed since, so that this is pushed next.
--
-- Arguments: message: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION finish_push(session uuid, about uuid, message uuid, missed boolean) RETURNS void
  LANGUAGE sql AS $$
  DELETE FROM push_deliveries d WHERE d.session_id = session AND d.tag = about
    AND d.message_id IS NOT DISTINCT FROM message AND d.is_missed = missed
$$;
