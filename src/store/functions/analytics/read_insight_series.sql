-- Amounts of each group and measure from `since` (inclusive) to `until` (exclusive). `places` are indexes of
-- `pairs`, which holds the start of the bucket of `amounts` and the start of the bucket of `next_amounts`.
-- The amounts of a bucket are to be added up. Groups beyond the `max_groups` largest are combined as "other".
--
-- Arguments: grouped_by: string | null
-- Returns: InsightSeries

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
  until timestamptz, bucket text, grouped_by text, max_groups int)
  RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  width interval := CASE bucket WHEN 'day' THEN interval '24 hours' ELSE interval '1 hour' END;
  first_hour timestamptz := utc_hour(since);
  last_hour timestamptz := utc_hour(until - interval '1 us');
BEGIN
  RETURN (
    SELECT insight_series(workspace, wanted, grouped_by, max_groups,
      array_agg(wire_time(b.start)), array_agg(utc_day(b.start)),
      array_agg(hour_of_day(greatest(b.start, first_hour))),
      array_agg(hour_of_day(least(b.start + width - interval '1 hour', last_hour))),
      ARRAY(SELECT r::insight_delta FROM (
        SELECT * FROM uncounted_insights(workspace, wanted)
        UNION ALL SELECT * FROM broadcast_insights(workspace, since, until) WHERE wanted = 'broadcasts'
        UNION ALL SELECT * FROM amounts_outside_period(workspace, wanted, since, until)) r))
    FROM (SELECT x AT TIME ZONE 'UTC' AS start FROM generate_series(
      date_trunc(bucket, first_hour AT TIME ZONE 'UTC'), last_hour AT TIME ZONE 'UTC', width) x) b);
END $$;
