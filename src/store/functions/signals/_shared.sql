-- Helpers for typing indicators.

-- Writes the event of a typing indicator and sends it to the other chats. Stores nothing else, because an
-- indicator is useful only immediately.
CREATE OR REPLACE FUNCTION relay_typing(c conversations, author uuid, state text, platform text,
  from_link uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data)
  SELECT c.workspace_id, 'typing.' || state, c.id,
    json_build_object('conversation_id', c.id, 'user_id', author, 'platform', platform)
  WHERE has_subscribers(c.workspace_id);
  INSERT INTO outbox (topic, payload)
  SELECT 'signal', jsonb_strip_nulls(jsonb_build_object('conversation_id', c.id, 'state', state,
      'at', wire_time(now()),
    'from_link_id', from_link))
  WHERE EXISTS (SELECT 1 FROM links l WHERE l.conversation_id = c.id AND can_send_to_link(l)
    AND l.id IS DISTINCT FROM from_link)
$$;
