-- Handles due sessions and points whose job was lost, and deletes points past their retention, in batches to
-- keep each run short.
--
-- Locks: users, tracking_sessions.
-- Events: tracking.expired, tracking.stopped, location.updated.
-- Returns: void
CREATE OR REPLACE FUNCTION sweep_locations() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM expire_tracking(x.id) FROM (SELECT id FROM tracking_sessions
    WHERE status IN ('pending', 'active') AND expires_at <= now() ORDER BY expires_at LIMIT 100) x;
  PERFORM announce_delayed_location(x.user_id) FROM (SELECT user_id FROM location_feeds
    WHERE waiting_id IS NOT NULL AND announced_at <= now() - interval '6 s' ORDER BY announced_at
      LIMIT 100) x;
  DELETE FROM locations WHERE id IN (
    SELECT id FROM locations WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT 5000);
END $$;
