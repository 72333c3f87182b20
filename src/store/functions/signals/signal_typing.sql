-- Sends a typing indicator: input of lock_conversation with "user_id", "state" and "claim".
--
-- Locks: conversations.
-- Arguments: input: ConversationInput & { user_id: string; state: 'started' | 'stopped'; claim?: ClaimKey }
-- Returns: { record: { accepted: true } } | Refusal
CREATE OR REPLACE FUNCTION signal_typing(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
BEGIN
  PERFORM relay_typing(c, (input->>'user_id')::uuid, input->>'state', NULL, NULL);
  PERFORM complete_claim(input->'claim', 200, '{"accepted":true}');
  RETURN '{"record":{"accepted":true}}';
END $$;
