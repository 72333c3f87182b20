-- Helpers for conversations with their participants and links.

-- The platform that a conversation shows. A set-returning function, because it is inlined into the query.
CREATE OR REPLACE FUNCTION shown_platform(conversation uuid, last_link uuid) RETURNS TABLE (platform text)
  LANGUAGE sql STABLE AS $$
  SELECT l.platform FROM links l WHERE l.conversation_id = conversation AND l.removed_at IS NULL
  ORDER BY (l.id = last_link) DESC NULLS LAST, l.created_at LIMIT 1
$$;

-- Restores a broken link: a message arrived in the chat, or the account was added to it again.
CREATE OR REPLACE FUNCTION restore_link(link uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mended links;
BEGIN
  UPDATE links SET status = 'active', updated_at = now()
  WHERE id = link AND status = 'broken' AND pause_reason IS NULL AND removed_at IS NULL
  RETURNING * INTO mended;
  IF FOUND THEN PERFORM announce_link(mended); END IF;
END $$;

-- Writes conversation.link_updated. `reason`: why the bridge has paused the link.
CREATE OR REPLACE FUNCTION announce_link(l links, reason text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT c.workspace_id, 'conversation.link_updated', c.id, conversation_record(c, NULL),
    CASE WHEN reason IS NULL THEN json_build_object('link', link_record(l))
      ELSE json_build_object('link', link_record(l), 'reason', reason) END
  FROM conversations c WHERE c.id = l.conversation_id
$$;

-- The default role of a user in a conversation that another user created.
CREATE OR REPLACE FUNCTION default_role(kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'member' THEN 'agent' WHEN 'contact' THEN 'customer' ELSE 'bot' END
$$;

-- Writes conversation.created with the record of the conversation.
CREATE OR REPLACE FUNCTION announce_conversation(c conversations) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES (c.workspace_id, 'conversation.created', c.id, conversation_record(c, NULL))
$$;

-- The identities of a user, best first: in the order of the requested platforms, else the user's preferred
-- platforms, else by last use.
CREATE OR REPLACE FUNCTION contact_routes(contact uuid, wanted text[])
  RETURNS TABLE (rank bigint, platform text, address text,
  connection_id uuid, opt_out text[]) LANGUAGE sql STABLE AS $$
  SELECT row_number()
    OVER (ORDER BY array_position(wanted, i.platform), array_position(u.channel_priority, i.platform),
      i.last_used_at DESC NULLS LAST, i.created_at, i.id), i.platform, i.external_id, k.id, i.opt_out
  FROM users u JOIN identities i ON i.user_id = u.id
  CROSS JOIN LATERAL (
    SELECT k.id FROM connections k WHERE k.workspace_id = u.workspace_id
      AND k.platform = i.platform AND k.enabled
      AND k.deleted_at IS NULL ORDER BY k.created_at, k.id LIMIT 1) k
  WHERE u.id = contact AND i.reachable AND (cardinality(wanted) = 0 OR i.platform = ANY (wanted))
$$;

-- Locks and returns the conversation of a request: {"workspace_id", "conversation_id" or
-- "conversation_number", "participant_id": the user who must see it, or absent}.
CREATE OR REPLACE FUNCTION lock_conversation(input jsonb) RETURNS conversations LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL
    AND CASE WHEN input->>'conversation_id' IS NULL THEN number = (input->>'conversation_number')::bigint
      ELSE id = (input->>'conversation_id')::uuid END
    AND (input->>'participant_id' IS NULL OR EXISTS (SELECT 1 FROM participants p
        WHERE p.conversation_id = conversations.id
      AND p.user_id = (input->>'participant_id')::uuid AND p.left_at IS NULL))
    AND shows_conversation(id)
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN c;
END $$;

-- Whether the status of a conversation may change from `was` to `becomes`.
CREATE OR REPLACE FUNCTION conversation_may_move(was text, becomes text) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT (was, becomes) IN (VALUES
    ('open', 'pending'), ('open', 'snoozed'), ('open', 'resolved'), ('open', 'archived'),
    ('pending', 'open'), ('pending', 'snoozed'), ('pending', 'resolved'), ('pending', 'archived'),
    ('snoozed', 'open'), ('snoozed', 'pending'), ('snoozed', 'resolved'), ('snoozed', 'archived'),
    ('resolved', 'open'), ('resolved', 'archived'), ('archived', 'open'))
$$;

-- Changes the status of a conversation, with the side effects. Refuses a transition that is not in the table.
CREATE OR REPLACE FUNCTION change_conversation_status(c conversations, new_status text) RETURNS conversations
  LANGUAGE plpgsql AS $$
BEGIN
  IF c.status = new_status THEN RETURN c; END IF;
  IF NOT conversation_may_move(c.status, new_status) THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status));
  END IF;
  c.status := new_status;
  c.closed_at := CASE WHEN new_status IN ('resolved', 'archived') THEN coalesce(c.closed_at, now()) END;
  IF new_status <> 'snoozed' THEN c.snoozed_until := NULL; END IF;
  RETURN c;
END $$;

-- Writes an event about the participants or links of a conversation. The record shows the conversation after
-- the change.
CREATE OR REPLACE FUNCTION announce_conversation_change(c conversations, type text, extra json) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (c.workspace_id, type, c.id, conversation_record(c, NULL), extra)
$$;

-- Cancels scheduled messages of conversations that have lost their last outbound link.
CREATE OR REPLACE FUNCTION cancel_unlinked_messages(chats uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH canceled AS (
    UPDATE messages SET status = 'canceled', updated_at = now() WHERE id IN (
      SELECT m.id FROM messages m WHERE m.conversation_id = ANY (chats) AND m.due_at IS NOT NULL
        AND NOT m.note
        AND NOT EXISTS (SELECT FROM links l WHERE l.conversation_id = m.conversation_id
          AND l.removed_at IS NULL AND l.direction <> 'inbound')
      ORDER BY m.id FOR NO KEY UPDATE)
    RETURNING messages
  )
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (x.messages).workspace_id, 'message.updated', (x.messages).conversation_id,
    message_record(x.messages),
    '{"previous":{"status":"scheduled"}}'
  FROM canceled x
$$;

-- Removes a link from its conversation. Cancels its unsent deliveries and the messages that were scheduled
-- for it alone.
CREATE OR REPLACE FUNCTION remove_link(c conversations, l links) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM cancel_deliveries(ARRAY(SELECT id FROM deliveries
    WHERE connection_id = l.connection_id AND (lane = l.id OR held AND link_id = l.id)
        AND status = 'queued'));
  UPDATE links SET removed_at = now(), updated_at = now() WHERE id = l.id RETURNING * INTO l;
  IF l.direction <> 'inbound' THEN PERFORM cancel_unlinked_messages(ARRAY[c.id]); END IF;
  PERFORM announce_conversation_change(c, 'conversation.link_removed',
    json_build_object('link', link_record(l)));
END $$;

-- The link of a chat: the link of the thread, otherwise that of the whole chat. A thread that counts as a
-- chat has only its own link.
CREATE OR REPLACE FUNCTION find_link(connection uuid, chat jsonb) RETURNS links LANGUAGE sql STABLE AS $$
  SELECT l FROM links l WHERE l.connection_id = connection AND l.external_id = chat->>'id'
    AND l.removed_at IS NULL
    AND (l.external_thread_id = chat->>'threadId'
      OR (l.external_thread_id IS NULL AND chat->>'threadIsChat' IS DISTINCT FROM 'true'))
  ORDER BY l.external_thread_id NULLS LAST LIMIT 1
$$;

-- The contact of a direct chat and the identity it uses. A chat may have an address that is unrelated to the
-- identity. Then the identity is certain if it is the contact's only one on the platform.
CREATE OR REPLACE FUNCTION direct_chat_contact(link uuid)
  RETURNS TABLE (identity uuid, user_id uuid, certain boolean) LANGUAGE sql STABLE AS $$
  SELECT i.id, i.user_id, i.external_id IN (l.external_id, l.address) IS TRUE OR count(*)
    OVER () = 1 FROM links l
  JOIN conversations c ON c.id = l.conversation_id AND c.type = 'direct'
  JOIN participants p ON p.conversation_id = c.id AND p.left_at IS NULL
  JOIN users x ON x.id = p.user_id AND x.kind = 'contact' AND x.deleted_at IS NULL
  JOIN identities i ON i.user_id = x.id AND i.platform = l.platform
  WHERE l.id = link ORDER BY i.external_id IN (l.external_id, l.address) DESC NULLS LAST,
    i.last_used_at DESC NULLS LAST LIMIT 1
$$;
