-- Deletes a contact (DELETE users): {"workspace_id", "id"}. Ends the chats with the contact and removes the
-- contact's addresses from records that stay.
--
-- Locks: users, conversations, messages, connections, broadcasts.
-- Events: conversation.participant_removed, user.deleted, conversation.link_removed, delivery.updated,
--   delivery.failed, delivery.uncertain, message.updated, message.sent, message.delivered, message.read,
--   message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: { id: string } } | Refusal

-- All messages of conversations, including deleted ones. Uses two queries, because no index covers both.
CREATE OR REPLACE FUNCTION messages_of_conversations(chosen uuid[]) RETURNS SETOF messages
  LANGUAGE sql STABLE AS $$
  SELECT * FROM messages WHERE conversation_id = ANY (chosen) AND deleted_at IS NULL
  UNION ALL SELECT * FROM messages WHERE conversation_id = ANY (chosen) AND deleted_at IS NOT NULL
$$;

-- Removes addresses and names of a contact from other records. `direct`: the conversations with this contact
-- alone.
CREATE OR REPLACE FUNCTION erase_traces(u users, direct uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  e erasures := start_erasure(u, direct);
  said uuid[] := ARRAY(SELECT id FROM messages WHERE sender_id = u.id AND deleted_at IS NULL
    AND origin IS NOT NULL
    UNION ALL SELECT m.id FROM participants p JOIN messages m ON m.conversation_id = p.conversation_id
      AND m.deleted_at IS NOT NULL AND m.sender_id = u.id AND m.origin IS NOT NULL WHERE p.user_id = u.id);
  lanes uuid[] := ARRAY(SELECT id FROM links WHERE conversation_id = ANY (direct));
BEGIN
  PERFORM 1 FROM messages WHERE id = ANY (said) ORDER BY id FOR NO KEY UPDATE;
  UPDATE messages SET origin = origin || '{"external_sender_id":"erased"}' WHERE id = ANY (said);
  UPDATE messages m SET error = redact_error(m.error, e.terms)
  WHERE m.id IN (SELECT id FROM messages_of_conversations(direct)
    WHERE contains_any_term(error::text, e.terms));
  DELETE FROM remote_messages WHERE message_id IN (SELECT id FROM messages_of_conversations(direct));
  DELETE FROM parked_events x USING links l WHERE l.id = ANY (lanes) AND x.connection_id = l.connection_id
    AND x.external_chat_id = l.external_id;
  DELETE FROM parked_events x USING identities i WHERE i.user_id = u.id AND x.workspace_id = u.workspace_id
    AND i.external_id IN (x.event->'sender'->>'id', x.event->'actor'->>'id',
      x.event->'event'->'sender'->>'id');
  UPDATE attempts a SET error = redact_error(a.error, e.terms) FROM deliveries d
  WHERE d.link_id = ANY (lanes) AND a.delivery_id = d.id AND a.error IS NOT NULL;
  PERFORM erase_deliveries(e, ARRAY(SELECT id FROM deliveries WHERE link_id = ANY (lanes)));
  UPDATE links SET external_id = 'erased', title = NULL, address = NULL WHERE id = ANY (lanes);
  UPDATE conversations SET title = NULL WHERE id = ANY (direct);
  DELETE FROM message_drafts WHERE conversation_id = ANY (direct);
  DELETE FROM proposals WHERE conversation_id = ANY (direct);
  UPDATE broadcast_recipients r SET address = NULL, variables = '{}', error = redact_error(r.error, e.terms)
  FROM broadcasts b
  WHERE b.workspace_id = u.workspace_id AND r.broadcast_id = b.id AND r.user_id = u.id;
  -- Broadcasts whose recipients are not frozen yet would still send to the contact.
  PERFORM remove_audience_recipients(ARRAY(SELECT id FROM broadcasts WHERE workspace_id = u.workspace_id
    AND status IN ('draft', 'scheduled', 'preparing') ORDER BY id), e.terms);
  PERFORM remove_from_segments(u.id);
END $$;

CREATE OR REPLACE FUNCTION delete_contact(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  x record;
  direct uuid[];
BEGIN
  SELECT * INTO u FROM users WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF u.kind <> 'contact' THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  direct := ARRAY(SELECT c.id FROM participants p JOIN conversations c ON c.id = p.conversation_id
    AND c.type = 'direct'
    WHERE p.user_id = u.id AND NOT EXISTS (SELECT FROM participants o
      JOIN users v ON v.id = o.user_id AND v.kind = 'contact'
      WHERE o.conversation_id = c.id AND o.left_at IS NULL AND o.user_id <> u.id));
  FOR x IN SELECT c, p.left_at IS NULL AS is_there FROM participants p
    JOIN conversations c ON c.id = p.conversation_id
    WHERE p.user_id = u.id AND c.deleted_at IS NULL AND (p.left_at IS NULL OR c.id = ANY (direct))
    ORDER BY c.id FOR NO KEY UPDATE OF c
  LOOP
    UPDATE participants SET left_at = coalesce(left_at, now())
    WHERE conversation_id = (x.c).id AND user_id = u.id;
    IF (x.c).id = ANY (direct) THEN
      PERFORM remove_link(x.c, l) FROM links l WHERE l.conversation_id = (x.c).id AND l.removed_at IS NULL;
    END IF;
    IF x.is_there THEN
      PERFORM announce_conversation_change(x.c, 'conversation.participant_removed',
        json_build_object('user_id', u.id));
    END IF;
  END LOOP;
  PERFORM erase_traces(u, direct);
  PERFORM erase_user(u);
  INSERT INTO events (workspace_id, type, data)
  VALUES (u.workspace_id, 'user.deleted', json_build_object('id', u.id, 'deleted_at', wire_time(now())));
  RETURN json_build_object('record', json_build_object('id', u.id));
END $$;
