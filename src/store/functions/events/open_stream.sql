-- Opens a stream. Returns false if the credential has reached its limit of open streams. A lock serializes
-- the requests of a credential.
--
-- Locks: an advisory lock.
-- Returns: boolean
CREATE OR REPLACE FUNCTION open_stream(stream uuid, workspace uuid, credential uuid, max_streams int,
  lease interval)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended(credential::text, 20));
  DELETE FROM open_streams WHERE credential_id = credential AND expires_at <= clock_timestamp();
  IF (SELECT count(*) FROM open_streams WHERE credential_id = credential) >= max_streams
  THEN RETURN false; END IF;
  INSERT INTO open_streams VALUES (stream, workspace, credential, clock_timestamp() + lease);
  RETURN true;
END $$;
