-- The conversation of the next inbound message of a chat. A closed direct conversation is reopened within a
-- day; after that a new one starts and gets the link. If the chat was moved to another conversation, or
-- unlinked, while this transaction waited for the lock, the transaction restarts.
--
-- Locks: conversations.
-- Events: conversation.created, conversation.updated, conversation.status_changed, conversation.assigned.
-- Returns: ConversationRow
CREATE OR REPLACE FUNCTION continue_conversation(l links, author uuid) RETURNS conversations
  LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = l.conversation_id FOR UPDATE;
  IF NOT EXISTS (SELECT FROM links k WHERE k.id = l.id AND k.conversation_id = c.id
    AND k.removed_at IS NULL) THEN
    RAISE EXCEPTION 'the chat was unlinked or moved concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  IF c.status = 'open' THEN RETURN c; END IF;
  IF c.status IN ('resolved', 'archived') AND c.type = 'direct' AND c.closed_at < now() - interval '24 hours'
    AND (SELECT count(*) FROM links WHERE conversation_id = c.id AND removed_at IS NULL) = 1 THEN
    c := create_conversation(c.workspace_id, uuid7(), 'direct', c.title, author, ARRAY(
      SELECT user_id FROM participants WHERE conversation_id = c.id AND left_at IS NULL
          AND user_id <> author), '{}');
    UPDATE links SET conversation_id = c.id, updated_at = now() WHERE id = l.id;
    PERFORM announce_conversation(c);
    RETURN c;
  END IF;
  RETURN store_conversation(c, change_conversation_status(c, 'open'));
END $$;
