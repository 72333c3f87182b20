-- Acquires rate limit capacity for writes: {"chat", "patience_ms", "buckets": [{"key", "count", "per_ms",
-- "amount"}]}. Writes that share buckets are handled one after the other, all others together. Returns the
-- milliseconds to wait for each write. Holds the lanes of chats without capacity until they have capacity
-- again.
--
-- Locks: rate_buckets, links.
-- Arguments: writes: { chat: string | null; patience_ms: number; buckets: { key: string; count: number;
--   per_ms: number; amount: number }[] }[]
-- Returns: number[]

-- The time at which a bucket has capacity for `amount` writes. `taken` has the times of its last writes. The
-- bucket allows `capacity` writes within `per_ms`.
CREATE OR REPLACE FUNCTION bucket_available_at(taken timestamptz[], held_until timestamptz, capacity int,
  per_ms int, amount int) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(held_until, CASE WHEN cardinality(taken) > capacity - amount
    THEN taken[cardinality(taken) - capacity + amount] + per_ms * interval '1 ms' END)
$$;

-- Acquires capacity for writes that do not share a bucket, if it is available within the `max_wait_ms` of
-- the write. Otherwise acquires nothing for the write. The caller holds the locks of the buckets.
CREATE OR REPLACE FUNCTION acquire_bucket_capacity(connection uuid, wanted wanted_capacity[],
  moment timestamptz) RETURNS SETOF found_capacity LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
  RETURN QUERY WITH asked AS MATERIALIZED (
    SELECT w.*, r.place, max(greatest(moment,
        bucket_available_at(r.taken, r.held_until, w.capacity, w.per_ms, w.amount)))
      OVER (PARTITION BY w.n) AS at
    FROM unnest(wanted) w CROSS JOIN LATERAL (
      SELECT x.ctid AS place, x.taken, x.held_until FROM rate_buckets x
        WHERE x.connection_id = connection AND x.key = w.key OFFSET 0) r
  ), taken AS (
    UPDATE rate_buckets r SET
      taken = (r.taken || array_fill(a.at, ARRAY[a.amount]))[greatest(1,
          cardinality(r.taken) + a.amount - a.capacity + 1):],
      idle_at = greatest(r.idle_at, a.at + a.per_ms * interval '1 ms')
    FROM asked a WHERE r.ctid = a.place AND a.at <= moment + a.max_wait_ms * interval '1 ms'
    RETURNING a.n, bucket_available_at(r.taken, r.held_until, a.capacity, a.per_ms, a.amount) AS next
  )
  SELECT a.n, min(a.chat), min(a.at), coalesce((SELECT max(t.next) FROM taken t WHERE t.n = a.n), min(a.at))
  FROM asked a GROUP BY a.n;
END $$;

CREATE OR REPLACE FUNCTION acquire_rate_limits(connection uuid, writes jsonb) RETURNS double precision[]
  LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  wanted wanted_capacity[] := ARRAY(
    SELECT ROW(w.n, w.write->>'chat', (w.write->>'patience_ms')::int, b.key, b.count, b.per_ms,
      b.amount)::wanted_capacity
    FROM jsonb_array_elements(writes) WITH ORDINALITY AS w (write, n)
    CROSS JOIN LATERAL jsonb_to_recordset(w.write->'buckets') b (key text, count int,
        per_ms int, amount int));
  sharing int[] := ARRAY(SELECT DISTINCT s.n FROM (
    SELECT w.n, count(*) OVER (PARTITION BY w.key) AS users FROM unnest(wanted) w) s
      WHERE s.users > 1 ORDER BY s.n);
  keys text[] := ARRAY(SELECT DISTINCT w.key FROM unnest(wanted) w ORDER BY 1);
  moment timestamptz;
  found found_capacity[];
  full_chats jsonb;
BEGIN
  -- Locks all buckets in the order of their keys, so that two processes can't deadlock.
  INSERT INTO rate_buckets (connection_id, key, workspace_id, idle_at)
  SELECT c.id, k.key, c.workspace_id, clock_timestamp() FROM connections c CROSS JOIN unnest(keys) AS k (key)
  WHERE c.id = connection
  ORDER BY k.key ON CONFLICT DO NOTHING;
  PERFORM 1 FROM rate_buckets WHERE connection_id = connection AND key = ANY (keys) ORDER BY key
  FOR NO KEY UPDATE;
  moment := clock_timestamp();
  found := ARRAY(SELECT f
    FROM acquire_bucket_capacity(connection,
      ARRAY(SELECT w FROM unnest(wanted) w WHERE w.n <> ALL (sharing)), moment) f);
  FOR i IN 1 .. cardinality(sharing) LOOP
    found := found || ARRAY(SELECT f
      FROM acquire_bucket_capacity(connection,
        ARRAY(SELECT w FROM unnest(wanted) w WHERE w.n = sharing[i]), moment) f);
  END LOOP;
  SELECT jsonb_agg(jsonb_build_object('chat', f.chat, 'until', f.next)) INTO full_chats FROM unnest(found) f
  WHERE f.next > moment;
  IF full_chats IS NOT NULL THEN PERFORM hold_lanes(connection, full_chats); END IF;
  RETURN ARRAY(SELECT extract(epoch FROM coalesce(f.at, moment) - moment)::double precision * 1000
    FROM generate_series(1, jsonb_array_length(writes)) AS s (n)
      LEFT JOIN unnest(found) f ON f.n = s.n ORDER BY s.n);
END $$;
