-- Stores the press of a button of a request for approval: {"press", "chat", "sender", "envelopeId"}.
-- process_approval_press processes the press later, because a decision locks the conversation of the
-- proposal. Returns false if the button does not belong to a request in this chat.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION record_approval_press(n connections, e jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  l links := find_link(n.id, e->'chat');
  pressed text := split_part(e->>'press', ':', 1);
  proposal text := split_part(e->>'press', ':', 2);
BEGIN
  IF e->>'press' !~ '^(approve|refuse):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN false; END IF;
  INSERT INTO approval_presses (id, workspace_id, proposal_id, connection_id, external_id, name, action)
  SELECT coalesce((e->>'envelopeId')::uuid, uuid7()), n.workspace_id, a.proposal_id, n.id,
    e->'sender'->>'id', to_single_line(e->'sender'->>'displayName', 'Someone'), pressed
  FROM approval_requests a JOIN messages m ON m.id = a.message_id
  WHERE a.proposal_id = proposal::uuid AND a.workspace_id = n.workspace_id
    AND m.conversation_id = l.conversation_id
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO outbox (topic, payload) VALUES ('timer', '{"approvals":"due"}');
  RETURN true;
END $$;
