-- Amounts of each group and measure by the start of their bucket in a time zone, for the local dates from
-- `first_day` to `last_day`. A bucket is a local date, or an hour of UTC. An hour of UTC belongs to the local
-- date in which it begins.
-- Groups beyond the 20 largest are combined as "other".
--
-- Arguments: grouped_by: string | null
-- Returns: { of_group: string | null; measure: string; starts: string[]; amounts: number[] }[]

-- The times from the first inbound message to the first response, and from creation to closing, of the
-- conversations that were created in a period. They are counted in the hour of creation. A broadcast and a
-- note are not a response.
CREATE OR REPLACE FUNCTION conversation_times(workspace uuid, since timestamptz, until timestamptz)
  RETURNS SETOF insight_delta LANGUAGE sql STABLE AS $$
  SELECT c.workspace_id, 'conversations', utc_hour(c.created_at), x.measure, coalesce(p.platform, ''),
    c.status, coalesce(c.assignee_id, no_agent()), x.amount::bigint
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
$$;

-- The name of the bucket of an hour that begins on a local date.
CREATE OR REPLACE FUNCTION local_bucket(bucket text, hour timestamptz, local date) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE bucket WHEN 'hour' THEN wire_time(hour) ELSE to_char(local, 'YYYY-MM-DD') END
$$;

CREATE OR REPLACE FUNCTION read_local_insight_series(workspace uuid, wanted text, first_day text,
  last_day text, zone text, bucket text, grouped_by text)
RETURNS TABLE (of_group text, measure text, starts json, amounts json) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  by_group text := coalesce(grouped_by, 'nothing');
  known text := resolve_time_zone(zone);
  since timestamptz := utc_hour(first_day::timestamp AT TIME ZONE known) - interval '1 hour';
  until timestamptz := utc_hour((last_day::date + 1)::timestamp AT TIME ZONE known) + interval '2 hours';
BEGIN
  RETURN QUERY
  WITH hours AS MATERIALIZED (
    SELECT h.day, h.n, h.hour, h.local FROM (
      SELECT d::date AS day, n, (d + (n - 1) * interval '1 hour') AT TIME ZONE 'UTC' AS hour,
        ((d + (n - 1) * interval '1 hour') AT TIME ZONE 'UTC' AT TIME ZONE known)::date AS local
      FROM generate_series(utc_day(since)::timestamp, utc_day(until), interval '1 day') d,
        generate_series(1, 24) n) h
    WHERE h.local BETWEEN first_day::date AND last_day::date
  -- Successive hours of one bucket and one day of UTC. A clock that is set back can return to the previous
  -- date, so a date can have several stretches.
  ), stretches AS MATERIALIZED (
    SELECT local_bucket(bucket, min(h.hour), h.local) AS start, h.day, min(h.n) AS lower, max(h.n) AS upper
    FROM (SELECT x.*, x.n - row_number() OVER (PARTITION BY x.day, x.local ORDER BY x.n) AS run
      FROM hours x) h
    GROUP BY h.day, h.local, h.run, CASE bucket WHEN 'hour' THEN h.n END
  ), recent AS (
    SELECT * FROM uncounted_insights(workspace, wanted)
    UNION ALL SELECT * FROM broadcast_insights(workspace, since, until) WHERE wanted = 'broadcasts'
    UNION ALL SELECT * FROM conversation_times(workspace, since, until) WHERE wanted = 'conversations'
  ), sums AS MATERIALIZED (
    SELECT p.start, p.of_group, p.measure, sum(p.amount)::bigint AS amount FROM (
      SELECT s.start, nullif(c.of_group, '') AS of_group, c.measure,
        c.amounts[s.upper] - CASE WHEN s.lower > 1 THEN c.amounts[s.lower - 1] ELSE 0 END AS amount
      FROM stretches s CROSS JOIN LATERAL (
        SELECT d.of_group, d.measure, d.amounts FROM insight_days d
        WHERE d.workspace_id = workspace AND d.resource = wanted AND d.grouped_by = by_group AND d.day = s.day
        OFFSET 0) c
      UNION ALL
      SELECT local_bucket(bucket, h.hour, h.local),
        insight_group(by_group, d.platform, d.status, d.agent_id), d.measure, d.amount
      FROM recent d JOIN hours h ON h.hour = utc_hour(d.hour)) p
    GROUP BY 1, 2, 3 HAVING sum(p.amount) <> 0
  ), large AS MATERIALIZED (
    SELECT n.of_group FROM sums n WHERE n.of_group IS NOT NULL GROUP BY 1
    ORDER BY sum(n.amount) DESC, 1 LIMIT 20
  ), shown AS (
    SELECT n.* FROM sums n WHERE n.of_group IS NULL OR n.of_group IN (SELECT l.of_group FROM large l)
    UNION ALL
    SELECT n.start, 'other', n.measure, sum(n.amount)::bigint FROM sums n
    WHERE n.of_group IS NOT NULL AND n.of_group NOT IN (SELECT l.of_group FROM large l)
    GROUP BY n.start, n.measure
  )
  -- Returns few rows with many elements, because transferring one row per amount would take longer than the
  -- query.
  SELECT s.of_group, s.measure, json_agg(s.start), json_agg(s.amount)
  FROM shown s WHERE s.amount > 0 GROUP BY s.of_group, s.measure;
END $$;
