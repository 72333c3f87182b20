-- Writes the event of a point. If the last event is less than 5 s old, the latest point is announced at the
-- end of the 5 s.
--
-- Events: location.updated.
-- Returns: void
CREATE OR REPLACE FUNCTION announce_location(l locations) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  spacing CONSTANT interval := '5 s';
  moment timestamptz := clock_timestamp();
  f location_feeds;
  later boolean;
BEGIN
  SELECT * INTO f FROM location_feeds WHERE user_id = l.user_id;
  IF f.waiting_id IS NULL AND (f.announced_at IS NULL OR f.announced_at <= moment - spacing) THEN
    INSERT INTO events (workspace_id, type, data, occurred_at)
    VALUES (l.workspace_id, 'location.updated', location_record(l), moment);
    UPDATE location_feeds SET announced_at = moment WHERE user_id = l.user_id;
    RETURN;
  END IF;
  SELECT w.recorded_at > l.recorded_at INTO later FROM locations w WHERE w.id = f.waiting_id;
  IF later THEN RETURN; END IF;
  UPDATE location_feeds SET waiting_id = l.id WHERE user_id = l.user_id;
  IF f.waiting_id IS NULL THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('located_user_id', l.user_id), f.announced_at + spacing);
  END IF;
END $$;
