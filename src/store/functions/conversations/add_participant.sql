-- Adds a participant to a conversation: input of lock_conversation with "user_id", "role" and "claim". A
-- participant who left becomes active again.
--
-- Locks: conversations, users.
-- Events: conversation.participant_added.
-- Arguments: input: ConversationInput & { user_id: string; role?: string; claim?: ClaimKey }
-- Returns: { record: ParticipantRecord } | Refusal
CREATE OR REPLACE FUNCTION add_participant(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  u users;
  p participants;
BEGIN
  SELECT * INTO u FROM users WHERE id = (input->>'user_id')::uuid AND workspace_id = c.workspace_id
    AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"user_id"}'); END IF;
  IF c.type = 'direct' THEN PERFORM refuse('{"problem":"invalid_state","current":"direct"}'); END IF;
  IF EXISTS (SELECT 1 FROM participants WHERE conversation_id = c.id AND user_id = u.id
    AND left_at IS NULL) THEN
    PERFORM refuse(json_build_object('problem', 'already_exists', 'id', u.id));
  END IF;
  IF (SELECT count(*) FROM participants WHERE conversation_id = c.id AND left_at IS NULL) >= 250 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":250}');
  END IF;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  VALUES (c.id, u.id, c.workspace_id, coalesce(input->>'role', default_role(u.kind)))
  ON CONFLICT (conversation_id, user_id) DO UPDATE SET role = excluded.role, joined_at = now(), left_at = NULL
  RETURNING * INTO p;
  PERFORM announce_conversation_change(c, 'conversation.participant_added',
    json_build_object('user_id', u.id));
  PERFORM complete_claim(input->'claim', 201, participant_record(p));
  RETURN json_build_object('record', participant_record(p));
END $$;
