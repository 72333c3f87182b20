-- Removes a reaction of a user: input of lock_message with "user_id" and "emoji".
--
-- Locks: messages.
-- Arguments: input: { workspace_id: string; participant_id?: string; message_id: string; user_id: string;
--   emoji: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION unreact_to_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, false);
BEGIN
  IF NOT remove_reaction(m, (input->>'user_id')::uuid, input->>'emoji', NULL) THEN
    PERFORM refuse('{"problem":"not_found"}');
  END IF;
  RETURN json_build_object('record', json_build_object('id', m.id));
END $$;
