-- Deletes expired OAuth codes and tokens. Access tokens go soon after they expire. Used codes and rotated
-- tokens stay as long as their grant could be alive.
--
-- Returns: void
CREATE OR REPLACE FUNCTION purge_oauth() RETURNS void LANGUAGE sql AS $$
  DELETE FROM oauth_tokens WHERE id IN (
    SELECT id FROM oauth_tokens WHERE kind = 'access' AND expires_at < now() - interval '1 hour' LIMIT 1000);
  DELETE FROM oauth_grants WHERE id IN (
    SELECT id FROM oauth_grants WHERE live_until < now() - interval '1 day' LIMIT 100);
$$;
