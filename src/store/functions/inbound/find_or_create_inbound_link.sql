-- The link of an inbound message. If the connection accepts unknown chats, creates the link for the whole
-- chat (or for a thread that counts as a chat) with its conversation. Returns null if the message is to be
-- dropped.
--
-- Locks: an advisory lock, conversations.
-- Events: conversation.created.
-- Returns: LinkRow
CREATE OR REPLACE FUNCTION find_or_create_inbound_link(n connections, chat jsonb, author uuid) RETURNS links
  LANGUAGE plpgsql AS $$
DECLARE
  l links;
  c conversations;
  kind text := CASE chat->>'kind' WHEN 'direct' THEN 'direct' ELSE 'group' END;
BEGIN
  l := find_link(n.id, chat);
  IF l.id IS NOT NULL THEN RETURN l; END IF;
  IF n.settings->>'unlinked_chats' = 'ignore' THEN RETURN NULL; END IF;
  -- If two first messages of one chat arrive at once, the lock lets the second one find the link of the
  -- first.
  PERFORM pg_advisory_xact_lock(hashtextextended(n.id::text || (chat->>'id'), 0));
  l := find_link(n.id, chat);
  IF l.id IS NOT NULL THEN RETURN l; END IF;
  c := create_conversation(n.workspace_id, uuid7(), kind, left(chat->>'title', 256), author, '{}', '{}');
  l := add_link(c, jsonb_build_object('id', uuid7(), 'connection_id', n.id, 'platform', n.platform,
    'external_id', chat->>'id', 'title', left(chat->>'title', 256))
    || CASE WHEN chat->>'threadIsChat' = 'true'
        THEN jsonb_build_object('external_thread_id', chat->>'threadId') ELSE '{}' END);
  PERFORM announce_conversation(c);
  RETURN l;
END $$;
