-- Removes a participant who leaves a conversation from its call. A participant who returns may join the call
-- again.
--
-- Locks: calls.
-- Events: call.participant_left.
-- Returns: trigger
CREATE OR REPLACE FUNCTION follow_participant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.left_at IS NOT NULL THEN
    PERFORM remove_from_live_call(NEW.conversation_id, NEW.user_id);
  ELSE
    UPDATE call_participants p SET removed_at = NULL FROM calls c
    WHERE c.conversation_id = NEW.conversation_id
      AND c.status IN ('initiated', 'ringing', 'active') AND p.call_id = c.id AND p.user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END $$;
