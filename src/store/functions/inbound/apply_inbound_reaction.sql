-- Applies a reaction that a platform reports. An applied removal is stored, so that an older addition that
-- arrives later has no effect. A reaction to an unknown message waits for it.
--
-- Locks: parked_events, users, links, messages, connections, broadcasts, conversations, an advisory lock.
-- Events: user.created, user.status_changed, user.presence_changed, user.updated, delivery.updated,
--   delivery.failed, delivery.uncertain, message.updated, message.sent, message.delivered, message.read,
--   message.failed, broadcast.canceled, broadcast.completed, user.opted_out, user.opted_in, message.deleted,
--   conversation.participant_added, conversation.created, conversation.updated, conversation.status_changed,
--   conversation.assigned, message.created, conversation.link_updated.
-- Returns: void
CREATE OR REPLACE FUNCTION apply_inbound_reaction(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  original remote_messages;
  l links := find_original_link(n, e);
  u users;
BEGIN
  IF NOT is_authorized(e, e->'sender'->>'id') THEN
    PERFORM increment_inbound_counter('refused');
    RETURN;
  END IF;
  SELECT * INTO original FROM remote_messages x WHERE x.connection_id = n.id
    AND x.external_chat_id = e->'chat'->>'id' AND x.external_id = e->>'messageId';
  IF original.message_id IS NULL THEN
    -- The link is determined when the message is known. The contact of a reaction to a running send is
    -- created now, because contacts are locked before messages.
    IF park_message_change(n, e) AND may_have_unrecorded_send(n, e->'chat'->>'id') THEN
      PERFORM find_or_create_sender(n, e->'sender');
    END IF;
    RETURN;
  END IF;
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN; END IF;
  u := find_or_create_sender(n, e->'sender');
  IF u.status = 'blocked' THEN RETURN; END IF;
  -- A message that was recorded just now may have earlier events waiting.
  IF original.delivery_id IS NOT NULL THEN PERFORM apply_parked_events(ARRAY[original.delivery_id]); END IF;
  PERFORM apply_reaction(n, l, u.id, e, original.message_id);
  IF e->>'change' = 'removed' THEN PERFORM record_applied_removal(n, e); END IF;
END $$;
