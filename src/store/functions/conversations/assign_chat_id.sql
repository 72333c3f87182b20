-- The chat of a direct address was opened on the platform: the link and its queued deliveries get the id of
-- the chat. If another link has that chat already, this link keeps its address, and its messages go to the
-- same chat.
--
-- Returns: string
CREATE OR REPLACE FUNCTION assign_chat_id(link uuid, chat text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE links SET external_id = chat, address = NULL, updated_at = now()
  WHERE id = link AND NOT EXISTS (SELECT 1 FROM links o
    WHERE o.connection_id = links.connection_id AND o.id <> link
    AND o.external_id = chat AND coalesce(o.external_thread_id, '') = coalesce(links.external_thread_id, '')
      AND o.removed_at IS NULL);
  UPDATE deliveries SET external_chat_id = chat
  WHERE link_id = link AND status IN ('queued', 'sending', 'uncertain');
  RETURN chat;
END $$;
