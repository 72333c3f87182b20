-- Moves a due broadcast from scheduled to preparing, and from there to sending. Returns its status. Only one
-- transaction freezes an audience at a time, and the broadcast can be canceled during that time.
--
-- Locks: an advisory lock.
-- Events: broadcast.failed, broadcast.scheduled, user.created, broadcast.started.
-- Returns: BroadcastStatus | null

-- Sending begins if the workspace is sending fewer than `max_sending` broadcasts. Otherwise this broadcast
-- waits.
CREATE OR REPLACE FUNCTION start_sending(b broadcasts, max_sending int) RETURNS broadcasts
  LANGUAGE plpgsql AS $$
BEGIN
  IF NOT can_start_sending(b, max_sending) THEN
    PERFORM queue_broadcast(b.id, now() + interval '5 seconds');
    RETURN b;
  END IF;
  UPDATE broadcasts SET status = 'sending', started_at = now(), updated_at = now(),
    eta = expected_end(broadcasts)
  WHERE id = b.id AND status = 'preparing' RETURNING * INTO b;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the broadcast was canceled concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  PERFORM announce_broadcast(b, 'broadcast.started', '{"status":"preparing"}');
  PERFORM queue_broadcast(b.id);
  PERFORM queue_quiet_hours(b);
  RETURN b;
END $$;

-- Whether no recipient of a broadcast with local times is due yet. If so, it is checked again within ten
-- minutes, because contacts, their zones and the broadcast can change until the first recipient is due.
CREATE OR REPLACE FUNCTION is_before_first_zone(b broadcasts, filtered found_audience) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := (SELECT earliest FROM local_span(b, filtered));
  n broadcasts;
BEGIN
  IF b.schedule->>'local_time' IS NULL THEN first := least(b.scheduled_at, first); END IF;
  IF first <= now() THEN RETURN false; END IF;
  UPDATE broadcasts SET starts_at = least(first, now() + interval '10 minutes'),
    scheduled_at = CASE WHEN b.schedule->>'local_time' IS NULL THEN scheduled_at ELSE first END
  WHERE id = b.id AND status = 'scheduled' AND schedule = b.schedule AND audience = b.audience
  RETURNING * INTO n;
  IF FOUND THEN
    PERFORM queue_broadcast(n.id, n.starts_at);
    IF n.scheduled_at <> b.scheduled_at THEN
      UPDATE broadcasts SET updated_at = now() WHERE id = n.id RETURNING * INTO n;
      PERFORM announce_broadcast(n, 'broadcast.scheduled',
        jsonb_build_object('scheduled_at', wire_time(b.scheduled_at)));
    END IF;
  END IF;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION prepare_broadcast(broadcast uuid, max_sending int, filtered found_audience)
  RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  first timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('prepare ' || broadcast, 0)) THEN RETURN NULL; END IF;
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  IF b.status = 'scheduled' AND b.local AND b.starts_at <= now()
    AND (b.scheduled_at > now() OR b.schedule->>'local_time' IS NOT NULL)
    AND is_before_first_zone(b, filtered) THEN
    RETURN b.status;
  END IF;
  UPDATE broadcasts SET status = 'preparing', updated_at = now()
  WHERE id = broadcast AND status = 'scheduled' AND least(scheduled_at, starts_at) <= now()
    AND schedule = b.schedule;
  IF FOUND THEN
    PERFORM queue_broadcast(broadcast);
    RETURN 'preparing';
  END IF;
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  IF NOT FOUND OR b.status <> 'preparing' THEN RETURN b.status; END IF;
  IF (b.counts->>'total')::int = 0 THEN b := freeze_audience(b, filtered); END IF;
  IF b.local THEN
    SELECT min(due_at) INTO first FROM broadcast_recipients r
    WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL;
    IF first > now() THEN
      PERFORM queue_broadcast(b.id, first);
      RETURN b.status;
    END IF;
  END IF;
  IF (b.counts->>'pending')::int > 0 THEN RETURN (start_sending(b, max_sending)).status; END IF;
  UPDATE broadcasts SET status = 'failed', updated_at = now(), error = jsonb_build_object('code', 'no_route',
    'message', 'No recipient of the audience can be reached.', 'permanent', true, 'platform_code', NULL)
  WHERE id = b.id AND status = 'preparing' RETURNING * INTO b;
  IF FOUND THEN PERFORM announce_broadcast(b, 'broadcast.failed', '{"status":"preparing"}'); END IF;
  RETURN b.status;
END $$;
