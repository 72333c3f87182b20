-- Leases due deliveries, oldest first. The lock on the webhook serializes claims.
--
-- Locks: webhooks, webhook_deliveries.
-- Returns: { id: string; lease_end: string; tries: number; start_in_ms: number; event_id: string;
--   event_position: string }[]
CREATE OR REPLACE FUNCTION claim_webhook_deliveries(hook uuid, max_deliveries int, max_parallel int,
  lease interval)
RETURNS TABLE (id uuid, lease_end text, tries int, start_in_ms double precision, event_id uuid,
  event_position bigint)
LANGUAGE plpgsql ROWS 2
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  w webhooks;
  free int;
  start_at timestamptz;
  taken int;
  moment timestamptz;
  busy text[] := '{}';
BEGIN
  -- A lost lease only causes another attempt, so its commit need not wait for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO w FROM webhooks h WHERE h.id = hook AND h.status = 'enabled' AND h.deleted_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();
  start_at := greatest(moment, w.next_start_at);
  free := least(max_deliveries, max_parallel - (
    SELECT count(*) FROM webhook_deliveries d
    WHERE d.webhook_id = hook AND d.status = 'pending' AND d.leased_until IS NOT NULL
      AND d.leased_until > moment),
    floor(extract(epoch FROM moment + interval '1 second' - start_at) * w.rate_limit));
  IF free <= 0 THEN RETURN; END IF;
  IF w.failing_since IS NULL THEN
    busy := ARRAY(SELECT d.subject FROM webhook_deliveries d
      WHERE d.webhook_id = hook AND d.status = 'pending' AND d.leased_until IS NOT NULL
        AND d.leased_until > moment
        AND d.subject <> '');
  END IF;
  RETURN QUERY
  WITH candidates AS (
    SELECT d.id, d.subject, d.event_position, d.next_attempt_at FROM webhook_deliveries d
    WHERE d.webhook_id = hook AND d.status = 'pending' AND d.next_attempt_at <= moment
      AND (d.leased_until IS NULL OR d.leased_until <= moment) AND d.subject <> ALL (busy)
    ORDER BY d.next_attempt_at, d.event_position LIMIT 50
  ), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.subject ORDER BY c.event_position) AS place
    FROM candidates c
  ), picked AS (
    SELECT d.id, d.event_position FROM webhook_deliveries d JOIN ranked r ON r.id = d.id
    WHERE w.failing_since IS NOT NULL OR r.subject = '' OR r.place = 1
    ORDER BY r.next_attempt_at, r.event_position LIMIT free FOR UPDATE OF d SKIP LOCKED
  ), numbered AS (
    SELECT p.id, row_number() OVER (ORDER BY p.event_position) - 1 AS n FROM picked p
  ), claimed AS (
    UPDATE webhook_deliveries d SET leased_until = moment + lease FROM numbered n WHERE d.id = n.id
    RETURNING d.*, n.n
  )
  SELECT c.id, c.leased_until::text, c.tries,
    extract(epoch FROM start_at - moment + make_interval(secs => c.n / coalesce(w.rate_limit,
          'Infinity'::float8)))
      ::double precision * 1000, c.event_id, c.event_position
  FROM claimed c ORDER BY c.event_position;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF w.rate_limit IS NOT NULL AND taken > 0 THEN
    UPDATE webhooks h SET next_start_at = start_at + make_interval(secs => taken::float8 / w.rate_limit)
    WHERE h.id = hook;
  END IF;
END $$;
