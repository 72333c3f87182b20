-- Amounts of each group and measure by the start of their bucket in a time zone, for the local dates from
-- `first_day` to `last_day`. A bucket is a local date, or an hour of UTC. An hour of UTC belongs to the local
-- date in which it begins.
-- The result is that of read_insight_series.
--
-- Arguments: grouped_by: string | null
-- Returns: InsightSeries

-- The times from the first inbound message to the first response, and from creation to closing, of the
-- conversations that were created in a period. They are counted in the hour of creation. A broadcast and a
-- note are not a response.
CREATE OR REPLACE FUNCTION conversation_times(workspace uuid, since timestamptz, until timestamptz)
  RETURNS SETOF insight_delta LANGUAGE sql STABLE AS $$
  SELECT c.workspace_id, 'conversations', utc_hour(c.created_at), x.measure, coalesce(p.platform, ''),
    c.status, coalesce(c.assignee_id, no_agent()), sum(x.amount)::bigint
  FROM conversations c
  LEFT JOIN LATERAL (
    SELECT m.created_at FROM messages m
    WHERE m.conversation_id = c.id AND m.direction = 'inbound' AND m.deleted_at IS NULL
    ORDER BY m.created_at, m.id LIMIT 1) asked ON true
  LEFT JOIN LATERAL (
    SELECT m.created_at FROM messages m
    WHERE m.conversation_id = c.id AND m.direction = 'outbound' AND m.deleted_at IS NULL
      AND m.created_at >= asked.created_at AND m.broadcast_id IS NULL AND NOT m.note
      AND m.status NOT IN ('scheduled', 'canceled')
    ORDER BY m.created_at, m.id LIMIT 1) answered ON true
  LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
  CROSS JOIN LATERAL (VALUES ('responded', (answered.created_at IS NOT NULL)::int::numeric),
    ('response_seconds', floor(extract(epoch FROM answered.created_at - asked.created_at))),
    ('closed', (c.closed_at IS NOT NULL)::int::numeric),
    ('resolution_seconds', floor(extract(epoch FROM greatest(c.closed_at, c.created_at) - c.created_at))
      * (c.closed_at IS NOT NULL)::int)) AS x (measure, amount)
  WHERE c.workspace_id = workspace AND c.deleted_at IS NULL AND c.created_at >= since AND c.created_at < until
    AND x.amount > 0
  GROUP BY 1, 3, 4, 5, 6, 7
$$;

CREATE OR REPLACE FUNCTION read_local_insight_series(workspace uuid, wanted text, first_day text,
  last_day text, zone text, bucket text, grouped_by text, max_groups int)
  RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  known text := resolve_time_zone(zone);
  since timestamptz := utc_hour(first_day::timestamp AT TIME ZONE known) - interval '1 hour';
  until timestamptz := utc_hour((last_day::date + 1)::timestamp AT TIME ZONE known) + interval '2 hours';
  midnight timestamptz := date_trunc('day', since, 'UTC');
BEGIN
  RETURN (
    -- Days of UTC, with the local time at which each begins.
    WITH days AS (
      SELECT d.n, d.local, lead(d.local) OVER (ORDER BY d.n) - d.local AS length
      FROM (SELECT n, (midnight + n * interval '24 hours') AT TIME ZONE known AS local
        FROM generate_series(0, utc_day(until) - utc_day(since) + 1) n) d
    -- Hours since `midnight` at which a bucket can begin. Unless the clock changes, a local date begins once
    -- in a day of UTC, so most hours are left out.
    ), hours AS MATERIALIZED (
      SELECT x.n, ((midnight + x.n * interval '1 hour') AT TIME ZONE known)::date AS local
      FROM days d CROSS JOIN LATERAL generate_series(24 * d.n, 24 * d.n + 23,
        CASE WHEN bucket = 'day' AND d.length = interval '24 hours'
          THEN ceil(extract(epoch FROM d.local::date + 1 - d.local) / 3600)::int ELSE 1 END) AS x (n)
    ), begins AS (
      SELECT h.*, lag(h.local) OVER (ORDER BY h.n) AS before FROM hours h
    -- Successive hours of one bucket and one day of UTC. A clock that is set back can return to the previous
    -- date, so a date can have several stretches in a day.
    ), stretches AS (
      SELECT b.n, lead(b.n) OVER (ORDER BY b.n) - 1 AS last, b.local FROM begins b
      WHERE bucket = 'hour' OR b.n % 24 = 0 OR b.local <> b.before
    )
    SELECT insight_series(workspace, wanted, grouped_by, max_groups,
      array_agg(CASE bucket WHEN 'hour' THEN wire_time(midnight + s.n * interval '1 hour')
        ELSE to_char(s.local, 'YYYY-MM-DD') END),
      array_agg(utc_day(midnight) + s.n / 24), array_agg(s.n % 24 + 1), array_agg(s.last % 24 + 1),
      ARRAY(SELECT r::insight_delta FROM (
        SELECT * FROM uncounted_insights(workspace, wanted)
        UNION ALL SELECT * FROM broadcast_insights(workspace, since, until) WHERE wanted = 'broadcasts'
        UNION ALL
        SELECT * FROM conversation_times(workspace, since, until) WHERE wanted = 'conversations') r))
    FROM stretches s WHERE s.local BETWEEN first_day::date AND last_day::date);
END $$;
