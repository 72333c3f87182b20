-- Sets the original of an inbound message that turns out to be a reply to one of ours. The reply joins the
-- thread of the original, unless it has become the root of a thread. Unsent copies of it quote the original.
-- Returns false if another transaction has locked the reply: waiting could deadlock, because the caller may
-- hold locks of messages with larger ids. The next sweep tries again.
--
-- Locks: messages.
-- Events: message.updated.
-- Returns: boolean
CREATE OR REPLACE FUNCTION link_reply(reply uuid, original uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  thread uuid;
BEGIN
  SELECT * INTO m FROM messages WHERE id = reply FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NOT EXISTS (SELECT 1 FROM messages WHERE id = reply); END IF;
  IF m.deleted_at IS NOT NULL OR m.reply_to_id IS NOT NULL THEN RETURN true; END IF;
  SELECT o.thread_id INTO thread FROM messages o
  WHERE o.id = original AND o.conversation_id = m.conversation_id
    AND o.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN true; END IF;
  IF EXISTS (SELECT 1 FROM messages t WHERE t.thread_id = m.id) THEN thread := NULL; END IF;
  UPDATE messages SET reply_to_id = original, thread_id = coalesce(thread_id, thread), updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT m.workspace_id, 'message.updated', m.conversation_id, message_record(m),
    json_build_object('previous',
    jsonb_build_object('reply_to_id', NULL) || CASE WHEN thread IS NULL THEN '{}'
      ELSE jsonb_build_object('thread_id', NULL) END)
  WHERE has_subscribers(m.workspace_id);
  RETURN true;
END $$;
