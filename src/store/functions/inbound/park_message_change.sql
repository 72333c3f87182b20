-- Parks a change of an unknown message. If the message was recorded in the meantime, the sweeper applies the
-- change.
--
-- Locks: parked_events.
-- Returns: boolean

-- Whether messages of a chat are received, so that a change of an unknown message can wait for it. A change
-- may name the chat without the thread of its message, so every link of the chat counts.
CREATE OR REPLACE FUNCTION accepts_inbound(n connections, chat jsonb) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM links l WHERE l.connection_id = n.id AND l.external_id = chat->>'id'
      AND l.removed_at IS NULL AND l.direction <> 'outbound')
    OR ((find_link(n.id, chat)).id IS NULL AND n.settings->>'unlinked_chats' IS DISTINCT FROM 'ignore')
$$;

-- Whether a deletion refers to a reaction, present or removed. On some platforms both have the same event.
CREATE OR REPLACE FUNCTION is_reaction_deletion(n connections, e jsonb) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT (reaction_by_id(n, e || jsonb_build_object('reactionId', e->'messageId'))).message_id IS NOT NULL
    OR EXISTS (
    SELECT FROM parked_events x WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = reaction_key(e->>'messageId') AND NOT x.waits)
$$;

CREATE OR REPLACE FUNCTION park_message_change(n connections, e jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce((e->>'echo')::boolean, false)
    OR (e ? 'copyOf' AND is_known_message(n, e->'copyOf'->>'chatId', e->'copyOf'->>'messageId'))
    OR accepts_inbound(n, e->'chat') IS NOT TRUE
    OR (e->>'type' = 'message_deleted' AND is_reaction_deletion(n, e)) THEN RETURN false; END IF;
  PERFORM park_event(n, e->'chat'->>'id', e->>'messageId', e - 'redeliveryS', true, parked_event_lifetime(e));
  RETURN true;
END $$;
