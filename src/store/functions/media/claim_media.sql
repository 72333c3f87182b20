-- Leases a file that is due for a fetch. Returns null if it is not due or another worker has the lease.
--
-- Returns: MediaTask | null
CREATE OR REPLACE FUNCTION claim_media(media_id uuid, lease_seconds int) RETURNS json LANGUAGE sql AS $$
  UPDATE media SET tries = tries + 1, leased_until = now() + make_interval(secs => lease_seconds)
  WHERE id = media_id AND state = 'pending' AND due_at <= now() AND removed_at IS NULL
    AND (leased_until IS NULL OR leased_until < now())
  RETURNING json_build_object('id', id, 'source', source, 'source_url', source_url,
    'connection_id', connection_id,
    'remote_ref', remote_ref, 'name', name, 'mime_type', mime_type, 'tries', tries,
      'created_at', wire_time(created_at))
$$;
