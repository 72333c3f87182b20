-- Links a chat to a conversation: input of lock_conversation with "link" and "claim".
--
-- Locks: conversations.
-- Events: conversation.link_added.
-- Arguments: input: ConversationInput & { link: CreateLinkBody & { id: string }; claim?: ClaimKey }
-- Returns: { record: LinkRecord } | Refusal
CREATE OR REPLACE FUNCTION link_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  l links;
BEGIN
  SELECT * INTO l FROM links WHERE id = (input->'link'->>'id')::uuid AND conversation_id = c.id;
  IF NOT FOUND THEN
    l := add_link(c, input->'link');
    PERFORM announce_conversation_change(c, 'conversation.link_added',
      json_build_object('link', link_record(l)));
    PERFORM complete_claim(input->'claim', 201, link_record(l));
  END IF;
  RETURN json_build_object('record', link_record(l));
END $$;
