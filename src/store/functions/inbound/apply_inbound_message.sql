-- Stores a message that arrived on a platform: finds or creates its contact, conversation and link, accepts
-- the message, and applies keywords and parked events.
--
-- Locks: parked_events, links, messages, connections, broadcasts, users, conversations, an advisory lock.
-- Events: conversation.participant_added, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed, user.status_changed, user.presence_changed, user.updated, user.opted_out,
--   user.opted_in, message.deleted, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated.
-- Returns: unknown

-- Stores the id of the chat in a link that was created by address, when the contact writes. Returns the link.
CREATE OR REPLACE FUNCTION resolve_address_link(connection uuid, chat jsonb, person text) RETURNS links
  LANGUAGE plpgsql AS $$
DECLARE
  unopened uuid;
BEGIN
  IF chat->>'kind' IS DISTINCT FROM 'direct' THEN RETURN NULL; END IF;
  SELECT l.id INTO unopened FROM links l WHERE l.connection_id = connection AND l.external_id = person
    AND l.address = person
    AND l.external_thread_id IS NULL AND l.removed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM assign_chat_id(unopened, chat->>'id');
  RETURN find_link(connection, chat);
END $$;

-- Whether the deletion of a message arrived before it.
CREATE OR REPLACE FUNCTION has_parked_deletion(parked parked_events[], author text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM unnest(parked) x WHERE x.event->>'type' = 'message_deleted'
    AND is_authorized(x.event, author))
$$;

CREATE OR REPLACE FUNCTION apply_inbound_message(n connections, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  l links;
  c conversations;
  -- The first message of an envelope has its id: the trace of a message shows the envelope.
  message uuid := coalesce((e->>'envelopeId')::uuid, uuid7());
  original uuid;
  reply uuid;
  joined boolean;
  answer json;
  notice text;
  parked parked_events[];
BEGIN
  IF coalesce((e->>'echo')::boolean, false) THEN RETURN NULL; END IF;
  IF is_known_message(n, e->'chat'->>'id', e->>'messageId') THEN RETURN NULL; END IF;
  IF e ? 'press' AND record_approval_press(n, e) THEN RETURN NULL; END IF;
  IF contains_chat_code(e->'content'->>'text') AND redeem_chat_code(n, e) THEN RETURN NULL; END IF;
  IF e ? 'copyOf' AND resolve_copy(n, e) THEN RETURN NULL; END IF;
  l := find_link(n.id, e->'chat');
  IF l.id IS NULL THEN l := resolve_address_link(n.id, e->'chat', e->'sender'->>'id'); END IF;
  IF l.direction = 'outbound' OR (l.id IS NULL AND n.settings->>'unlinked_chats' = 'ignore') THEN
    RETURN NULL;
  END IF;
  parked := find_parked_events(n, e->'chat'->>'id', e->>'messageId');
  IF cardinality(parked) > 0 THEN PERFORM create_reactor_contacts(n, parked, e->'sender'); END IF;
  u := find_or_create_sender(n, e->'sender');
  IF u.status = 'blocked' THEN RETURN NULL; END IF;
  l := find_or_create_inbound_link(n, e->'chat', u.id);
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN NULL; END IF;
  c := continue_conversation(l, u.id);
  -- Links are locked before messages: a STOP cancels queued deliveries.
  PERFORM 1 FROM links WHERE id = l.id FOR NO KEY UPDATE;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  VALUES (c.id, u.id, c.workspace_id, 'customer')
  ON CONFLICT (conversation_id, user_id) DO UPDATE SET left_at = NULL WHERE participants.left_at IS NOT NULL
  RETURNING true INTO joined;
  IF joined THEN
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    VALUES (c.workspace_id, 'conversation.participant_added', c.id, conversation_record(c, NULL),
      json_build_object('user_id', u.id));
  END IF;
  IF c.type = 'direct' THEN
    PERFORM set_reachable(i.id, true) FROM identities i
    WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform
      AND i.external_id = e->'sender'->>'id' AND NOT i.reachable;
  END IF;
  notice := apply_keyword(u, c.type, e->'content'->>'text', n.platform);
  -- The deletion arrived before its message: the text counts as a keyword, but is not stored or relayed.
  IF has_parked_deletion(parked, e->'sender'->>'id') THEN RETURN NULL; END IF;
  SELECT x.message_id INTO original FROM remote_messages x
  WHERE x.connection_id = n.id AND x.external_chat_id = l.external_id AND x.external_id = e->>'replyToId';
  SELECT m.id INTO reply FROM messages m WHERE m.id = original AND m.conversation_id = c.id
    AND m.deleted_at IS NULL;
  answer := accept_messages(jsonb_build_array(inbound_message_input(n, l.id, c.id, u.id, message, reply, e)
    || CASE WHEN l.pause_reason IS NOT NULL THEN '{"stays":true}'::jsonb ELSE '{}' END), true, true)->0;
  IF answer->'record' IS NULL THEN
    RAISE EXCEPTION 'the replied-to message was deleted concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id,
    external_thread_id)
  VALUES (n.id, l.external_id, e->>'messageId', n.workspace_id, message, e->'chat'->>'threadId');
  IF e ? 'editedAt' THEN
    UPDATE messages SET edit_order = change_order(jsonb_build_object('at', e->'editedAt'), now())
    WHERE id = message;
  END IF;
  IF e ? 'copyOf' THEN
    PERFORM add_message_alias(n, e->'copyOf'->>'chatId', e->'copyOf'->>'messageId', message, NULL);
  END IF;
  IF original IS NULL AND e->>'replyToId' IS NOT NULL THEN
    PERFORM park_reply(n, l.external_id, e, message);
  END IF;
  UPDATE links SET last_inbound_at = now(), title = coalesce(title, left(e->'chat'->>'title', 256))
  WHERE id = l.id;
  PERFORM restore_link(l.id);
  -- A worker that tried to lease the lane in the meantime found it locked.
  IF EXISTS (SELECT 1 FROM deliveries WHERE connection_id = l.connection_id AND lane = l.id
    AND status = 'queued') THEN
    PERFORM wake_connections(ARRAY[n.id]);
  END IF;
  IF notice IS NOT NULL AND e->'answered' IS DISTINCT FROM 'true'
    AND NOT is_unrelayed_bot(n, e->'sender') THEN
    PERFORM send_auto_reply(n, l, notice);
  END IF;
  IF e->'content' ? 'rest' THEN PERFORM store_text_continuation(n, message, e); END IF;
  IF cardinality(parked) > 0 THEN
    PERFORM apply_parked_events_of_message(n, l.external_id, e->>'messageId', message);
  END IF;
  RETURN answer->'record';
END $$;
