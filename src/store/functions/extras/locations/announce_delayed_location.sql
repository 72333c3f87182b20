-- Announces a waiting point that is due.
--
-- Locks: users.
-- Events: location.updated.
-- Returns: void
CREATE OR REPLACE FUNCTION announce_delayed_location(located uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l locations;
  moment timestamptz;
  f location_feeds;
BEGIN
  PERFORM 1 FROM users WHERE id = located FOR NO KEY UPDATE;
  SELECT * INTO f FROM location_feeds WHERE user_id = located AND waiting_id IS NOT NULL;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();
  IF f.announced_at > moment - interval '5 s' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('located_user_id', located), f.announced_at + interval '5 s');
    RETURN;
  END IF;
  UPDATE location_feeds SET waiting_id = NULL, announced_at = moment WHERE user_id = located;
  SELECT * INTO l FROM locations WHERE id = f.waiting_id;
  IF FOUND THEN
    INSERT INTO events (workspace_id, type, data, occurred_at)
    VALUES (l.workspace_id, 'location.updated', location_record(l), moment);
  END IF;
END $$;
