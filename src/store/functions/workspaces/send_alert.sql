-- Sends the alert that is due first, of all workspaces, to its staff chat. One transaction sends the message
-- and marks the alert, so it is sent once. Concurrent processes take different alerts. An alert whose
-- message raises an error is tried six times in about an hour and does not delay the others. `problem` is
-- the error. Returns null if no alert is due.
--
-- Locks: staff_alerts, conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Returns: { event_id: string; tries: number; problem: string | null } | null

CREATE OR REPLACE FUNCTION send_alert() RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a staff_alerts;
  w workspaces;
  answer json;
BEGIN
  SELECT * INTO a FROM staff_alerts WHERE handled_at IS NULL AND next_at <= now() ORDER BY next_at LIMIT 1
    FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO w FROM workspaces WHERE id = a.workspace_id;
  a.handled_at := now();
  a.problem := NULL;
  BEGIN
    IF w.staff_conversation_id IS NOT NULL THEN
      -- Does not wait for the lock of the conversation, because that would delay the other alerts.
      answer := accept_messages(jsonb_build_array(jsonb_build_object('id', uuid7(), 'workspace_id', w.id,
        'conversation_id', w.staff_conversation_id, 'sender_id', staff_chat_author(w), 'text', btrim(a.text),
        'metadata', jsonb_build_object('alert_event_id', a.event_id))), false)->0;
      IF answer->'busy' IS NOT NULL THEN
        a.handled_at := NULL;
        a.next_at := now() + interval '2 s';
      END IF;
      a.message_id := (answer->'record'->>'id')::uuid;
    END IF;
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    a.tries := a.tries + 1;
    a.problem := left(SQLERRM, 500);
    IF a.tries < 6 THEN a.handled_at := NULL; END IF;
    a.next_at := now() + interval '1 minute' * 2 ^ a.tries;
  END;
  UPDATE staff_alerts SET handled_at = a.handled_at, next_at = a.next_at, tries = a.tries,
    problem = a.problem, message_id = a.message_id WHERE event_id = a.event_id;
  RETURN json_build_object('event_id', a.event_id, 'tries', a.tries, 'problem', a.problem);
END $$;
