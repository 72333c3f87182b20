-- Records that a user has read a message: input of lock_message with "reader_id" and "claim". The first
-- reader of an inbound message changes its status to read.
--
-- Locks: messages.
-- Events: message.read.
-- Arguments: input: { workspace_id: string; participant_id?: string; message_id: string; reader_id: string;
--   claim?: ClaimKey }
-- Returns: { record: MessageRecord } | Refusal
CREATE OR REPLACE FUNCTION mark_read(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, false);
  was text := m.status;
  r read_receipts;
  answer json;
BEGIN
  r := record_message_read(m, (input->>'reader_id')::uuid, now(), NULL);
  IF r.message_id IS NOT NULL THEN
    IF m.direction = 'inbound' AND m.status = 'received' THEN
      UPDATE messages SET status = 'read', updated_at = now() WHERE id = m.id RETURNING * INTO m;
    END IF;
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT m.workspace_id, 'message.read', m.conversation_id, message_record(m), CASE WHEN m.status = was
      THEN json_build_object('reader', read_receipt_record(r))
      ELSE json_build_object('previous', json_build_object('status', was), 'reader', read_receipt_record(r))
        END
    WHERE has_subscribers(m.workspace_id);
  END IF;
  answer := message_record(m);
  PERFORM complete_claim(input->'claim', 200, answer);
  RETURN json_build_object('record', answer);
END $$;
