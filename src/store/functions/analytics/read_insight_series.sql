-- Amounts of each group and measure by the start of their bucket, from `since` (inclusive) to `until`
-- (exclusive). Groups beyond the 100 largest are combined as "other".
--
-- Arguments: grouped_by: string | null
-- Returns: { of_group: string | null; measure: string; starts: string[]; amounts: number[] }[]

-- Changes of one workspace and resource that are not in the counts yet.
CREATE OR REPLACE FUNCTION uncounted_insights(workspace uuid, wanted text) RETURNS SETOF insight_delta
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT c.workspace_id, c.resource, c.hour, c.measure, c.platform, c.status, c.agent_id,
    sum(c.amount)::bigint
    FROM insight_changes c WHERE c.workspace_id = workspace AND c.resource = wanted AND NOT c.gone
    GROUP BY 1, 2, 3, 4, 5, 6, 7;
  IF wanted IN ('conversations', 'calls') THEN
    RETURN QUERY SELECT d.* FROM insight_progress p CROSS JOIN LATERAL insight_deltas(ARRAY(
      SELECT m FROM insight_moves(p.position, 9223372036854775807, workspace) m)) d WHERE d.resource = wanted;
  END IF;
END $$;

-- Broadcasts are few and keep their own counts.
CREATE OR REPLACE FUNCTION broadcast_insights(workspace uuid, since timestamptz, until timestamptz)
  RETURNS SETOF insight_delta
LANGUAGE sql STABLE AS $$
  SELECT b.workspace_id, 'broadcasts', utc_hour(b.started_at), x.measure,
    CASE WHEN cardinality(b.platforms) = 1 THEN b.platforms[1] ELSE '' END, b.status, b.created_by, x.amount
  FROM broadcasts b CROSS JOIN LATERAL (VALUES ('started', 1), ('recipients', (b.counts->>'total')::bigint),
    ('sent', (b.counts->>'sent')::bigint), ('delivered', (b.counts->>'delivered')::bigint),
    ('read', (b.counts->>'read')::bigint), ('failed', (b.counts->>'failed')::bigint)) AS x (measure, amount)
  WHERE b.workspace_id = workspace AND b.started_at >= since AND b.started_at < until
$$;

-- Negative amounts for the parts of the first and the last hour that lie outside the period, because counts
-- are per hour. Resolutions and webhook attempts have no record that can be found by time, so their hours are
-- counted in full.
CREATE OR REPLACE FUNCTION amounts_outside_period(workspace uuid, wanted text, since timestamptz,
  until timestamptz)
  RETURNS SETOF insight_delta
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  edge record;
BEGIN
  FOR edge IN SELECT *
    FROM (VALUES (utc_hour(since), since), (until, utc_hour(until - interval '1 us') + interval '1 hour'))
    AS e (lower, upper) WHERE lower < upper
  LOOP
    RETURN QUERY SELECT workspace, wanted, utc_hour(edge.lower), x.measure,
      coalesce(m.platform, ''), m.status,
      CASE WHEN m.direction = 'inbound' THEN no_agent() ELSE m.sender_id END, -count(*)
    FROM (
      SELECT * FROM messages WHERE workspace_id = workspace AND deleted_at IS NULL
        AND created_at >= edge.lower AND created_at < edge.upper
      UNION ALL
      SELECT * FROM messages WHERE workspace_id = workspace AND deleted_at IS NOT NULL
        AND created_at >= edge.lower
        AND created_at < edge.upper) m
    CROSS JOIN LATERAL unnest(CASE WHEN m.status IN ('failed', 'expired', 'blocked')
      THEN ARRAY[m.direction, 'failed'] ELSE ARRAY[m.direction] END) AS x (measure)
    WHERE wanted = 'messages' GROUP BY 3, 4, 5, 6, 7;

    RETURN QUERY SELECT workspace, wanted, utc_hour(edge.lower), 'created',
      coalesce(p.platform, ''), c.status,
      coalesce(c.assignee_id, no_agent()), -count(*)
    FROM (
      SELECT * FROM conversations WHERE workspace_id = workspace AND deleted_at IS NULL
        AND created_at >= edge.lower
        AND created_at < edge.upper
      UNION ALL
      SELECT * FROM conversations WHERE workspace_id = workspace AND deleted_at IS NOT NULL
        AND created_at >= edge.lower
        AND created_at < edge.upper) c
    LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
    WHERE wanted = 'conversations' GROUP BY 3, 5, 6, 7;

    RETURN QUERY SELECT workspace, wanted, utc_hour(edge.lower), x.measure, c.platform, c.status,
      c.initiator_id, -sum(x.amount)::bigint
    FROM calls c CROSS JOIN LATERAL (VALUES ('started', 1), ('answered', (c.answered_at IS NOT NULL)::int),
      ('failed', (c.status = 'failed')::int),
        ('duration_seconds', coalesce(c.duration, 0))) AS x (measure, amount)
    WHERE wanted = 'calls' AND c.workspace_id = workspace AND c.created_at >= edge.lower
      AND c.created_at < edge.upper
    GROUP BY 3, 4, 5, 6, 7;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION read_insight_series(workspace uuid, wanted text, since timestamptz,
  until timestamptz, bucket text, grouped_by text)
RETURNS TABLE (of_group text, measure text, starts json, amounts json) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  by_group text := coalesce(grouped_by, 'nothing');
  first_hour timestamptz := utc_hour(since);
  last_hour timestamptz := utc_hour(until - interval '1 us');
BEGIN
  RETURN QUERY
  -- The hours of each bucket, which lies within one day.
  WITH stretches AS MATERIALIZED (
    SELECT wire_time(b.start) AS start, utc_day(b.start) AS day,
      hour_of_day(greatest(b.start, first_hour)) AS lower,
      hour_of_day(least(b.start + CASE bucket WHEN 'day' THEN interval '23 hours' ELSE interval '0' END,
        last_hour)) AS upper
    FROM (SELECT x AT TIME ZONE 'UTC' AS start FROM generate_series(
      date_trunc(bucket, first_hour AT TIME ZONE 'UTC'), last_hour AT TIME ZONE 'UTC',
      ('1 ' || bucket)::interval) x) b
  ), recent AS (
    SELECT * FROM uncounted_insights(workspace, wanted)
    UNION ALL SELECT * FROM broadcast_insights(workspace, since, until) WHERE wanted = 'broadcasts'
    UNION ALL SELECT * FROM amounts_outside_period(workspace, wanted, since, until)
  ), sums AS MATERIALIZED (
    SELECT p.start, p.of_group, p.measure, sum(p.amount)::bigint AS amount FROM (
      SELECT s.start, nullif(c.of_group, '') AS of_group, c.measure,
        c.amounts[s.upper] - CASE WHEN s.lower > 1 THEN c.amounts[s.lower - 1] ELSE 0 END AS amount
      FROM stretches s CROSS JOIN LATERAL (
        SELECT d.of_group, d.measure, d.amounts FROM insight_days d
        WHERE d.workspace_id = workspace AND d.resource = wanted AND d.grouped_by = by_group AND d.day = s.day
        OFFSET 0) c
      UNION ALL
      SELECT wire_time(date_trunc(bucket, d.hour, 'UTC')),
        insight_group(by_group, d.platform, d.status, d.agent_id), d.measure, d.amount
      FROM recent d WHERE d.hour BETWEEN first_hour AND last_hour) p
    GROUP BY 1, 2, 3 HAVING sum(p.amount) <> 0
  ), large AS MATERIALIZED (
    SELECT n.of_group FROM sums n WHERE n.of_group IS NOT NULL GROUP BY 1
    ORDER BY sum(n.amount) DESC, 1 LIMIT 100
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
