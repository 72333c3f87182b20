-- Leases the reactions that a connection must add or remove on its platform, so that only one worker writes
-- each of them. Skips messages that have no copy on the platform. `token` identifies the lease.
--
-- Locks: reaction_copies.
-- Returns: ReactionTask[]
CREATE OR REPLACE FUNCTION claim_reactions(connection uuid, max_reactions int, lease_seconds int) RETURNS json
  LANGUAGE sql AS $$
  WITH due AS (
    SELECT x.message_id, x.link_id, x.emoji, c.external_chat_id, c.external_id, c.external_thread_id
    FROM reaction_copies x
    CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = x.message_id AND deleted_at IS NULL OFFSET 0) m
    JOIN links l ON l.id = x.link_id AND l.removed_at IS NULL
    CROSS JOIN LATERAL remote_copy(m, x.link_id) c
    WHERE x.connection_id = connection AND x.wanted <> x.shown AND x.next_attempt_at <= now()
      AND (x.leased_until IS NULL OR x.leased_until < now())
      AND NOT EXISTS (SELECT 1 FROM connections k WHERE k.id = connection AND k.paused_until > now())
    ORDER BY x.next_attempt_at LIMIT max_reactions FOR NO KEY UPDATE OF x SKIP LOCKED
  ), taken AS (
    UPDATE reaction_copies x SET leased_until = now() + make_interval(secs => lease_seconds),
      tries = x.tries + 1
    FROM due d WHERE x.message_id = d.message_id AND x.link_id = d.link_id AND x.emoji = d.emoji
    RETURNING x.*, d.external_chat_id, d.external_id, d.external_thread_id
  )
  SELECT coalesce(json_agg(json_build_object('message_id', t.message_id, 'link_id', t.link_id,
        'emoji', t.emoji,
    'wanted', t.wanted, 'tries', t.tries, 'token', wire_time(t.leased_until),
      'external_chat_id', t.external_chat_id,
    'external_thread_id', coalesce(l.external_thread_id, t.external_thread_id),
        'external_id', t.external_id)), '[]')
  FROM taken t JOIN links l ON l.id = t.link_id
$$;
