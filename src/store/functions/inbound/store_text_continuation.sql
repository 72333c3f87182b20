-- Adds, changes or deletes the messages in which a text continues, so that they match `content.rest`.
--
-- Locks: conversations, messages, connections, broadcasts, parked_events, links, users, an advisory lock.
-- Events: message.deleted, delivery.updated, delivery.failed, delivery.uncertain, message.updated,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   conversation.participant_added, user.status_changed, user.presence_changed, user.updated, user.opted_out,
--   user.opted_in, user.created, conversation.created, conversation.updated, conversation.status_changed,
--   conversation.assigned, message.created, conversation.link_updated.
-- Returns: void
CREATE OR REPLACE FUNCTION store_text_continuation(n connections, original uuid, e jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  part_number int := 2;
  known uuid;
  part jsonb;
  added json;
  author jsonb;
BEGIN
  LOOP
    SELECT x.message_id INTO known FROM remote_messages x
    WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = continuation_id(e->>'messageId', part_number) AND x.delivery_id IS NULL;
    part := e->'content'->'rest'->(part_number - 2);
    EXIT WHEN known IS NULL AND part IS NULL;
    IF part IS NULL THEN
      PERFORM delete_text_continuation(original, part_number);
      EXIT;
    ELSIF known IS NOT NULL THEN
      PERFORM edit_message(n.workspace_id, known,
        jsonb_build_object('text', part->>'text', 'spans', nullif(part->'spans', '[]')), NULL, true);
    ELSE
      -- An edit may omit the author of the message.
      author := coalesce(nullif(e->'sender', 'null'),
        (SELECT jsonb_build_object('id', m.origin->>'external_sender_id') FROM messages m
          WHERE m.id = original));
      added := apply_inbound_message(n,
        jsonb_build_object('type', 'message', 'chat', e->'chat', 'at', e->'at', 'sender', author,
        'messageId', continuation_id(e->>'messageId', part_number), 'answered', true, 'content', part));
      IF added IS NOT NULL THEN PERFORM lease_copies(ARRAY[(added->>'id')::uuid], '{}', 0); END IF;
    END IF;
    part_number := part_number + 1;
  END LOOP;
END $$;
