-- The chat of a direct address was opened on the platform: the link and what waits on it get its id. When
-- another link holds that chat already, the chat belongs to that one and this link keeps its address;
-- messages go there all the same.
--
-- Returns: string
CREATE OR REPLACE FUNCTION open_chat(link uuid, chat text) RETURNS text LANGUAGE plpgsql AS $$
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
