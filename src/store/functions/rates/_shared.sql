-- Helpers for the rate limits of platforms.

-- Holds the lanes of chats until a time: [{"chat", "until"}].
CREATE OR REPLACE FUNCTION hold_lanes(connection uuid, chats jsonb) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM links WHERE connection_id = connection AND removed_at IS NULL
    AND external_id IN (SELECT c->>'chat' FROM jsonb_array_elements(chats) c) ORDER BY id FOR NO KEY UPDATE;
  UPDATE links l SET held_until = x.until FROM (
    SELECT c->>'chat' AS chat, max((c->>'until')::timestamptz) AS until
      FROM jsonb_array_elements(chats) c GROUP BY 1) x
  WHERE l.connection_id = connection AND l.external_id = x.chat AND l.removed_at IS NULL
    AND (l.held_until IS NULL OR l.held_until < x.until);
END $$;
