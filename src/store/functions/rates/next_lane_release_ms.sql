-- Milliseconds until the first held chat with queued work is released. 0 if it was released in the last two
-- seconds, after the query for work that skipped it.
--
-- Returns: number | null
CREATE OR REPLACE FUNCTION next_lane_release_ms(connection uuid) RETURNS double precision
  LANGUAGE sql STABLE AS $$
  SELECT greatest(0, extract(epoch FROM held_until - clock_timestamp()) * 1000) FROM links l
  WHERE connection_id = connection AND held_until > now() - interval '2 s' AND removed_at IS NULL
    AND (held_until > now() OR l.leased_until IS NULL OR l.leased_until < now()
      AND NOT has_orphaned_send(connection, l.id)) AND (
    EXISTS (SELECT FROM (SELECT * FROM deliveries d
        WHERE d.connection_id = connection AND d.lane = l.id ORDER BY d.position LIMIT 1) head
      WHERE l.held_until > now() OR (head.status = 'queued' AND head.expires_at > now()
        AND (head.next_attempt_at IS NULL OR head.next_attempt_at <= now())))
    OR EXISTS (SELECT FROM deliveries d WHERE d.connection_id = connection AND d.link_id = l.id
      AND d.duty IN ('edit', 'delete', 'lookup')
      AND (l.held_until > now() OR d.next_attempt_at IS NULL OR d.next_attempt_at <= now())))
  ORDER BY held_until LIMIT 1
$$;
