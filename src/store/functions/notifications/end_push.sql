-- Ends a push that was sent or refused. A message that arrived meanwhile stays to be pushed.
--
-- Returns: void
CREATE OR REPLACE FUNCTION end_push(session uuid, conversation uuid, message uuid) RETURNS void
  LANGUAGE sql AS $$
  DELETE FROM push_deliveries
  WHERE session_id = session AND conversation_id = conversation AND message_id = message
$$;
