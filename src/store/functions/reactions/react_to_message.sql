-- Adds a reaction of a user: input of lock_message with "user_id" and "emoji".
--
-- Locks: messages.
-- Arguments: input: { workspace_id: string; participant_id?: string; message_id: string; user_id: string;
--   emoji: string }
-- Returns: { record: MessageRecord } | Refusal
CREATE OR REPLACE FUNCTION react_to_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, false);
BEGIN
  IF add_reaction(m, (input->>'user_id')::uuid, input->>'emoji', NULL, NULL) = 'full' THEN
    PERFORM refuse('{"problem":"limit_reached","limit":20}');
  END IF;
  RETURN json_build_object('record', message_record(m));
END $$;
