-- Schedules a retry of a fetch. `counted` is false if the fetch could not start, and then the attempt does
-- not count.
--
-- Returns: void
CREATE OR REPLACE FUNCTION postpone_media(media_id uuid, try int, wait_seconds int, counted boolean)
  RETURNS void LANGUAGE sql AS $$
  WITH postponed AS (
    UPDATE media SET due_at = now() + make_interval(secs => wait_seconds), leased_until = NULL,
      tries = CASE WHEN counted THEN tries ELSE tries - 1 END
    WHERE id = media_id AND state = 'pending' AND tries = try RETURNING id, workspace_id, due_at
  )
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'media', jsonb_build_object('media_id', id, 'workspace_id', workspace_id), due_at FROM postponed
$$;
