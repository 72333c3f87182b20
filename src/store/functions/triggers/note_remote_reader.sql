-- Records the reader of a platform's read receipt: the other person of a direct conversation, or in a group
-- the contact whose address is the chat.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_remote_reader() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  reader uuid;
BEGIN
  SELECT * INTO m FROM messages WHERE id = NEW.message_id;
  SELECT u.id INTO reader FROM conversations c JOIN participants p ON p.conversation_id = c.id
    AND p.left_at IS NULL
  JOIN users u ON u.id = p.user_id AND u.kind = 'contact'
  WHERE c.id = m.conversation_id AND u.id <> m.sender_id AND (c.type = 'direct' OR EXISTS (
    SELECT FROM identities i WHERE i.user_id = u.id AND i.platform = NEW.platform
      AND i.external_id = NEW.external_chat_id))
  ORDER BY p.joined_at LIMIT 1;
  IF FOUND THEN PERFORM record_message_read(m, reader, coalesce(NEW.read_at, now()), NEW.platform); END IF;
  RETURN NULL;
END $$;
