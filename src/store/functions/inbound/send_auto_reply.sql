-- Sends the automatic reply to a keyword in its chat, in the name of the connection's owner. Sent regardless
-- of consent, because the contact asked for it.
--
-- Events: message.created, delivery.updated.
-- Returns: void

-- The text of the automatic reply to a keyword.
CREATE OR REPLACE FUNCTION auto_reply_text(kind text, workspace uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE kind
    WHEN 'opted_out'
      THEN 'You are unsubscribed and will get no more messages. Reply START to subscribe again.'
    WHEN 'help' THEN 'Messages of ' || left(w.name, 100)
      || '. Reply STOP to unsubscribe, START to subscribe again.'
  END FROM workspaces w
    WHERE w.id = coalesce((SELECT live_workspace_id FROM workspaces WHERE id = workspace), workspace)
$$;

CREATE OR REPLACE FUNCTION send_auto_reply(n connections, l links, kind text) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  m messages;
  d deliveries;
  u users;
BEGIN
  IF kind IS NULL OR NOT can_send_to_link(l) THEN RETURN; END IF;
  SELECT * INTO u FROM users WHERE id = n.created_by;
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text,
    direction, status,
    platform, expires_at, metadata)
  SELECT uuid7(), x.workspace_id, x.id, x.number, u.id, auto_reply_text(kind, x.workspace_id),
    'outbound', 'queued',
    l.platform, now() + interval '1 day', jsonb_build_object('notice', kind)
  FROM conversations x WHERE x.id = l.conversation_id RETURNING * INTO m;
  INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
    external_chat_id,
    status, expires_at)
  VALUES (m.workspace_id, m.id, m.conversation_id, l.id, n.id, l.platform, l.external_id,
    'queued', m.expires_at)
  RETURNING * INTO d;
  UPDATE conversations SET last_message_id = m.id, last_message_at = m.created_at WHERE id = m.conversation_id
  RETURNING * INTO c;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (m.workspace_id, 'message.created', c.id, message_record(m), render_context(c, l.platform, u)),
    (m.workspace_id, 'delivery.updated', c.id, delivery_record(d), '{"previous":{"status":null}}');
  PERFORM wake_connections(ARRAY[n.id]);
END $$;
