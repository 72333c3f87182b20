-- Wakes the connections with reactions to write. Drops a reaction whose message has no copy after a day.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_reactions() RETURNS void LANGUAGE sql AS $$
  UPDATE reaction_copies SET next_attempt_at = NULL WHERE (message_id, link_id, emoji) IN (
    SELECT message_id, link_id, emoji FROM reaction_copies
    WHERE wanted <> shown AND next_attempt_at < now() - interval '1 day' LIMIT 1000);
  INSERT INTO outbox (topic, payload)
  SELECT 'signal', jsonb_build_object('connection_id', x.connection_id) FROM reaction_copies x
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = x.message_id AND deleted_at IS NULL OFFSET 0) m
  CROSS JOIN LATERAL remote_copy(m, x.link_id) c
  WHERE x.wanted <> x.shown AND x.next_attempt_at <= now()
    AND (x.leased_until IS NULL OR x.leased_until < now())
  GROUP BY x.connection_id
$$;
