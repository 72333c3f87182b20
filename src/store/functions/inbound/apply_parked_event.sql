-- Applies a parked event whose message is known now. Returns false if it has to wait longer.
--
-- Locks: links, messages, connections, broadcasts, users, parked_events, conversations, an advisory lock.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   user.status_changed, user.presence_changed, user.updated, user.opted_out, user.opted_in, message.deleted,
--   conversation.participant_added, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated.
-- Returns: boolean

-- Applies a reaction that arrived before its message. Its contact was created when the reaction arrived or
-- when the message was stored. Ignored if the contact was deleted or blocked, or the chat unlinked, since.
-- Locks no contact, because messages are locked here.
CREATE OR REPLACE FUNCTION apply_parked_reaction(n connections, e jsonb, original uuid) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  l links := find_original_link(n, e);
  reactor uuid;
BEGIN
  SELECT u.id INTO reactor FROM identities i JOIN users u ON u.id = i.user_id
  WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform AND i.external_id = e->'sender'->>'id'
    AND u.status <> 'blocked';
  IF reactor IS NOT NULL AND l.id IS NOT NULL AND l.direction <> 'outbound' THEN
    PERFORM apply_reaction(n, l, reactor, e, original);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION apply_parked_event(parked parked_events, original uuid) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  e jsonb := parked.event;
  n connections;
BEGIN
  IF e->>'type' = 'receipt' THEN
    RETURN apply_receipt(parked.connection_id, parked.external_chat_id, parked.external_id, e->>'status',
      nullif(e->'failure', 'null'), (e->>'at')::timestamptz, e->>'reference');
  END IF;
  IF e->>'type' = 'reply' THEN RETURN link_reply((e->>'message_id')::uuid, original); END IF;
  -- A copy may belong to another account than its original.
  SELECT * INTO n FROM connections WHERE id = coalesce((e->>'connection_id')::uuid, parked.connection_id);
  CASE e->>'type'
    WHEN 'copy' THEN PERFORM resolve_copy(n, e->'event');
    WHEN 'message_edited' THEN PERFORM apply_inbound_edit(n, e);
    WHEN 'message_deleted' THEN PERFORM apply_inbound_deletion(n, e);
    WHEN 'reaction' THEN PERFORM apply_parked_reaction(n, e, original);
    ELSE PERFORM clear_reactions(n, e);
  END CASE;
  RETURN true;
END $$;
