-- Schedules a new or draft broadcast for its time, or for now. With local times some recipients may be due up
-- to 14 hours earlier, the largest offset ahead of UTC. The zones are checked from then on.
--
-- Events: broadcast.scheduled.
-- Returns: BroadcastRow
CREATE OR REPLACE FUNCTION schedule_broadcast(b broadcasts, former jsonb) RETURNS broadcasts
  LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := due_time(b);
  by_local_time boolean := at IS NOT NULL AND coalesce(b.schedule->>'mode' = 'recipient_local', false);
  first timestamptz := CASE
    WHEN by_local_time THEN least(at, wall_clock(b.schedule) AT TIME ZONE 'UTC' - interval '14 hours')
    ELSE at END;
BEGIN
  UPDATE broadcasts SET status = CASE WHEN at > now() THEN 'scheduled' ELSE 'preparing' END,
    local = by_local_time,
    scheduled_at = at, starts_at = first, updated_at = now() WHERE id = b.id RETURNING * INTO b;
  PERFORM queue_broadcast(b.id, CASE WHEN first > now() THEN first END);
  IF b.schedule->>'expires_at' IS NOT NULL THEN
    PERFORM queue_broadcast(b.id, (b.schedule->>'expires_at')::timestamptz);
  END IF;
  IF b.status = 'scheduled' THEN PERFORM announce_broadcast(b, 'broadcast.scheduled', former); END IF;
  RETURN b;
END $$;
