-- One step of a broadcast that is being sent. Holds back queued deliveries during a pause and in quiet hours,
-- ends the broadcast at its end time, tries the next platform for recipients that the first did not reach, or
-- enqueues up to `max_recipients` recipients. Row locks claim the recipients, so any number of workers can
-- share the work without sending twice. `local_capacity`: the connections that the caller sends for, with the
-- number of tasks it accepts: {connection id: number}. Returns how many recipients were enqueued, and the
-- tasks among them that are leased for the caller, as claim_deliveries does.
--
-- Locks: messages, connections, broadcasts, broadcast_recipients, an advisory lock, users, links.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   conversation.created, message.rerouted, message.created.
-- Arguments: sending_limit: number; local_capacity: Readonly<Record<string, number>>; lease_seconds: number
-- Returns: { sent: number; tasks: DeliveryTask[] }

-- How many recipients may be enqueued now, so that the queue stays short and the throttle is kept. A step
-- needs capacity for a whole chunk. If there is less capacity, nothing is allowed until `again_at`, when the
-- average speed so far should have freed the missing capacity. `reroutes`: how many may be tried on another
-- platform. They are enqueued already, so only the throttle limits them.
CREATE OR REPLACE FUNCTION broadcast_allowance(b broadcasts, max_recipients int, ahead int, OUT allowed int,
  OUT again_at timestamptz, OUT reroutes int)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  per_minute int := (b.throttle->>'per_minute')::int;
  free bigint := ahead - ((b.counts->>'pending')::bigint - b.waiting);
  missing bigint := least(max_recipients, b.waiting, ahead) - free;
  done numeric := (b.counts->>'total')::bigint - (b.counts->>'pending')::bigint;
BEGIN
  allowed := CASE WHEN missing <= 0 THEN least(max_recipients, free) ELSE 0 END;
  IF missing > 0 THEN
    again_at := now() + least(greatest(missing * extract(epoch
          FROM now() - b.started_at) / greatest(done, 1), 0.1), 2) * interval '1 second';
  END IF;
  reroutes := max_recipients;
  IF per_minute IS NULL THEN RETURN; END IF;
  SELECT least(allowed, per_minute - count(*)), least(max_recipients, per_minute - count(*)),
    CASE WHEN count(*) >= per_minute
    THEN min(throttled_at) + interval '1 minute' ELSE again_at END INTO allowed, reroutes, again_at
  FROM broadcast_recipients WHERE broadcast_id = b.id AND throttled_at > now() - interval '1 minute';
END $$;

-- Adds a job for the remaining recipients, on this platform or the next one. Without remaining recipients,
-- completes the broadcast.
CREATE OR REPLACE FUNCTION queue_next_chunk(b broadcasts, again_at timestamptz) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  upcoming timestamptz;
  rest bigint := (SELECT waiting FROM broadcasts WHERE id = b.id);
BEGIN
  IF rest > 0 THEN
    IF b.local THEN
      SELECT min(due_at) INTO upcoming FROM broadcast_recipients r
      WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL;
    END IF;
    -- If no recipient was found, other workers have locked them or none is due yet.
    PERFORM queue_broadcast(b.id,
      greatest(again_at, upcoming, CASE WHEN rest = b.waiting THEN now() + interval '100 ms' END));
  ELSE
    PERFORM complete_broadcast(b.id);
  END IF;
  IF b.fallback IS NOT NULL THEN
    SELECT min(fallback_at) INTO upcoming FROM broadcast_recipients r
    WHERE r.broadcast_id = b.id AND r.fallback_at IS NOT NULL;
    IF upcoming IS NOT NULL THEN PERFORM queue_broadcast(b.id, greatest(upcoming, again_at)); END IF;
  END IF;
END $$;

-- The platforms on which a recipient can still be reached, in order, without those that were tried.
CREATE OR REPLACE FUNCTION next_routes(b broadcasts, r broadcast_recipients)
  RETURNS TABLE (rank bigint, platform text, address text)
LANGUAGE sql STABLE AS $$
  SELECT o.rank, o.platform, o.address FROM contact_routes(r.user_id, b.platforms) o
  WHERE o.platform <> r.platform
    AND NOT CASE WHEN b.category = 'marketing' THEN 'marketing' ELSE 'notification' END = ANY (o.opt_out)
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = r.message_id AND d.platform = o.platform)
  ORDER BY o.rank
$$;

-- Sets the time at which the next platform is tried, for recipients who can be reached on one.
CREATE OR REPLACE FUNCTION schedule_fallback(b broadcasts, recipients uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE broadcast_recipients r SET fallback_at = CASE WHEN EXISTS (SELECT 1 FROM next_routes(b, r))
    THEN now() + make_interval(secs => (b.fallback->>'after_seconds')::int) END
  WHERE r.id = ANY (recipients)
$$;

-- Expires up to `max_deliveries` queued deliveries of a broadcast that has reached its end, which the sweeper
-- would do some seconds later. Retried deliveries have their own expiry. Returns how many.
CREATE OR REPLACE FUNCTION expire_queued_deliveries(broadcast uuid, workspace uuid, max_deliveries int)
  RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT q.id FROM queued_deliveries(broadcast, workspace) q
    WHERE (SELECT d.ends_at <= now() FROM deliveries d WHERE d.id = q.id) LIMIT max_deliveries);
BEGIN
  IF ids = '{}' THEN RETURN 0; END IF;
  PERFORM move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', i.id, 'from', '["queued"]'::jsonb,
        'to', 'expired',
    'error', jsonb_build_object('code', 'expired', 'permanent', true, 'platform_code', NULL,
      'message', 'The message could not be sent in time.'))) FROM unnest(ids) AS i (id)));
  RETURN cardinality(ids);
END $$;

-- Puts up to `max_deliveries` held deliveries of a resumed broadcast back into their lanes. Returns how many.
CREATE OR REPLACE FUNCTION release_held_deliveries(b broadcasts, max_deliveries int) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  -- Runs in each step of a broadcast, so it reads only held deliveries.
  ids := ARRAY(SELECT d.id FROM connections k CROSS JOIN LATERAL (
      SELECT h.id, h.message_id FROM deliveries h WHERE h.connection_id = k.id AND h.held
        AND h.status = 'queued' OFFSET 0) d
    WHERE k.workspace_id = b.workspace_id AND (SELECT m.broadcast_id FROM messages m
        WHERE m.id = d.message_id) = b.id LIMIT max_deliveries);
  IF cardinality(ids) = 0 THEN RETURN 0; END IF;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM deliveries WHERE id = ANY (ids)) ORDER BY id
  FOR NO KEY UPDATE;
  PERFORM set_held(ids, false, least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz));
  UPDATE broadcast_recipients r
  SET fallback_at = now() + make_interval(secs => (b.fallback->>'after_seconds')::int)
  FROM deliveries d WHERE d.id = ANY (ids) AND r.id = d.message_id AND r.fallback_at IS NOT NULL;
  PERFORM 1 FROM broadcasts WHERE id = b.id AND status = 'sending' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the broadcast was stopped concurrently' USING ERRCODE = 'serialization_failure';
  END IF;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT connection_id FROM deliveries WHERE id = ANY (ids)));
  RETURN cardinality(ids);
END $$;

CREATE OR REPLACE FUNCTION send_broadcast_chunk(broadcast uuid, max_recipients int, ahead int DEFAULT 2000,
  sending_limit int DEFAULT 5, local_capacity jsonb DEFAULT '{}',
  lease_seconds int DEFAULT 25, OUT sent int, OUT tasks json) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  b broadcasts;
  quiet timestamptz;
  allowance record;
  leased leased_task[];
BEGIN
  sent := 0;
  tasks := '[]';
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  IF NOT FOUND OR b.status NOT IN ('sending', 'paused', 'on_hold') THEN RETURN; END IF;
  -- Drops the audience. It is stored as recipients and may be large, and each call below would copy it.
  b.audience := '{}';
  IF (b.schedule->>'expires_at')::timestamptz <= now() THEN
    -- In two steps, because deliveries are locked after the recipients to be sent.
    IF expire_queued_deliveries(b.id, b.workspace_id, 2000) > 0 THEN PERFORM queue_broadcast(b.id);
    ELSIF end_pending_recipients(b.id, 'expired', 5000) > 0 THEN PERFORM queue_broadcast(b.id); END IF;
    PERFORM complete_broadcast(b.id);
    RETURN;
  END IF;
  quiet := quiet_until(b.schedule, now());
  IF b.status = 'sending' AND quiet IS NOT NULL THEN
    PERFORM move_broadcast(b.id, 'sending', 'on_hold', 'broadcast.paused');
  ELSIF b.status = 'paused' OR quiet IS NOT NULL THEN
    IF hold_queued_deliveries(b.id, 2000) > 0 THEN PERFORM queue_broadcast(b.id);
    ELSIF quiet IS NOT NULL THEN PERFORM queue_broadcast(b.id, quiet); END IF;
  ELSIF b.status = 'on_hold' THEN
    IF can_start_sending(b, sending_limit) THEN
      PERFORM move_broadcast(b.id, 'on_hold', 'sending', 'broadcast.resumed');
    ELSE PERFORM queue_broadcast(b.id, now() + interval '5 seconds'); END IF;
  ELSIF release_held_deliveries(b, 2000) > 0 THEN
    PERFORM queue_broadcast(b.id);
  ELSIF b.throttle IS NOT NULL
    AND NOT pg_try_advisory_xact_lock(hashtextextended('throttle ' || b.id, 0)) THEN
    -- Recipients that another worker is enqueuing at this moment can't be counted yet.
    PERFORM queue_broadcast(b.id, now() + interval '100 ms');
  ELSE
    SELECT * INTO allowance FROM broadcast_allowance(b, max_recipients, ahead);
    IF allowance.reroutes > 0 AND reroute_recipients(b, allowance.reroutes) > 0 THEN
      PERFORM queue_broadcast(b.id);
      RETURN;
    END IF;
    IF allowance.allowed > 0 THEN
      SELECT d.sent, d.leased INTO sent, leased
      FROM dispatch_recipients(b, allowance.allowed, local_capacity, lease_seconds) d;
    END IF;
    PERFORM queue_next_chunk(b, allowance.again_at);
    IF leased IS NOT NULL THEN tasks := describe_tasks(leased); END IF;
  END IF;
END $$;
