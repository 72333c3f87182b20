-- Updates the wanted state of a reaction in the other chats with the message.
--
-- Returns: void
CREATE OR REPLACE FUNCTION sync_reaction_copies(m messages, emoji text) RETURNS void LANGUAGE sql AS $$
  WITH copies AS (
    SELECT l.id AS link_id, l.connection_id, EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.id
      AND r.emoji = sync_reaction_copies.emoji AND r.link_id IS DISTINCT FROM l.id) AS wanted
    FROM links l WHERE l.conversation_id = m.conversation_id AND can_send_to_link(l)
      AND (l.id = (m.origin->>'link_id')::uuid
        OR EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = m.id AND d.link_id = l.id))
  ), changed AS (
    INSERT INTO reaction_copies AS x (message_id, link_id, emoji, workspace_id, connection_id, wanted,
      next_attempt_at)
    SELECT m.id, c.link_id, sync_reaction_copies.emoji, m.workspace_id, c.connection_id, c.wanted,
      now() FROM copies c
    WHERE c.wanted OR EXISTS (SELECT 1 FROM reaction_copies o
      WHERE o.message_id = m.id AND o.link_id = c.link_id
      AND o.emoji = sync_reaction_copies.emoji)
    ON CONFLICT (message_id, link_id, emoji) DO UPDATE
    SET wanted = excluded.wanted, tries = 0, next_attempt_at = now()
      WHERE x.wanted <> excluded.wanted
    RETURNING x.connection_id
  )
  INSERT INTO outbox (topic, payload)
  SELECT 'signal', jsonb_build_object('connection_id', connection_id) FROM changed GROUP BY connection_id
$$;
