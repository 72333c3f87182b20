-- Deletes expired sessions, invitations and failures, in batches to keep each run short.
--
-- Returns: void
CREATE OR REPLACE FUNCTION purge_sign_ins(idle interval, span interval) RETURNS void LANGUAGE sql AS $$
  DELETE FROM sessions
  WHERE id IN (SELECT id FROM sessions WHERE expires_at < now() OR last_seen_at < now() - idle LIMIT 1000);
  DELETE FROM invitations
  WHERE user_id IN (SELECT user_id FROM invitations WHERE expires_at < now() LIMIT 1000);
  DELETE FROM sign_in_failures WHERE (account, address) IN (
    SELECT account, address FROM sign_in_failures
    WHERE NOT EXISTS (SELECT FROM unnest(failed_at) AS t WHERE t > now() - span)
    LIMIT 1000);
$$;
