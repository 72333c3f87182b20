-- Removes a participant from a conversation: input of lock_conversation with "user_id".
--
-- Locks: conversations.
-- Events: conversation.participant_removed.
-- Arguments: input: ConversationInput & { user_id: string }
-- Returns: { record: { user_id: string } } | Refusal
CREATE OR REPLACE FUNCTION remove_participant(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
BEGIN
  UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = (input->>'user_id')::uuid
    AND left_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  PERFORM announce_conversation_change(c, 'conversation.participant_removed',
    json_build_object('user_id', input->>'user_id'));
  RETURN json_build_object('record', json_build_object('user_id', input->>'user_id'));
END $$;
