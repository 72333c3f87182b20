-- Sends a message to an address. Finds or creates the contact and the direct conversation, as POST
-- conversations does, and accepts the message there, in one transaction. {"workspace_id", "creator_id",
-- "to", "message": input of accept_message without its conversation, "participant_id": a user who may write
-- only to people in a shared conversation, or absent}.
--
-- Locks: users, conversations, messages.
-- Events: user.created, user.status_changed, user.presence_changed, user.updated, conversation.link_updated,
--   conversation.participant_added, conversation.created, message.updated, message.failed, delivery.updated,
--   delivery.failed, message.created.
-- Arguments: input: { workspace_id: string; creator_id: string; participant_id?: string; to: MessageAddress;
--   message: NewMessage }
-- Returns: { record: MessageRecord } | Refusal
CREATE OR REPLACE FUNCTION send_to_address(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  chat text;
  answer json;
BEGIN
  IF input->>'participant_id' IS NOT NULL THEN PERFORM refuse_foreign_call(input, '{}', NULL); END IF;
  chat := open_conversation(jsonb_build_object('workspace_id', input->'workspace_id', 'creator_id',
      input->'creator_id',
    'id', uuid7(), 'recipient', input->'to', 'recipient_field', 'to'))->'record'->>'id';
  answer := accept_message(input->'message' || jsonb_build_object('conversation_id', chat));
  IF answer->>'problem' IS NOT NULL THEN PERFORM refuse(answer); END IF;
  RETURN answer;
END $$;
