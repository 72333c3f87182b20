-- Deletes expired OAuth codes and tokens. Access tokens are deleted an hour after they expire. Used codes and
-- rotated tokens are kept until their grant is deleted, a day after it ends.
--
-- Returns: void
CREATE OR REPLACE FUNCTION purge_oauth() RETURNS void LANGUAGE sql AS $$
  DELETE FROM oauth_tokens WHERE id IN (
    SELECT id FROM oauth_tokens WHERE kind = 'access' AND expires_at < now() - interval '1 hour' LIMIT 1000);
  DELETE FROM oauth_grants WHERE id IN (
    SELECT id FROM oauth_grants WHERE live_until < now() - interval '1 day' LIMIT 100);
$$;
