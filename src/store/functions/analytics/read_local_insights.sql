-- Amounts per bucket of a time zone, group and measure, for the local dates from `first_day` to `last_day`. A
-- bucket is a local date, or an hour of UTC. An hour of UTC belongs to the local date in which it begins.
-- Groups beyond the 20 largest are combined as "other".
--
-- Arguments: grouped_by: string | null
-- Returns: { start: string; of_group: string | null; measure: string; amount: string }[]

-- How long the conversations of a period waited for their first response, and until they were closed. They
-- are counted where they began. A broadcast and a note are no response.
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

CREATE OR REPLACE FUNCTION read_local_insights(workspace uuid, wanted text, first_day text, last_day text,
  zone text, bucket text, grouped_by text)
RETURNS TABLE (start text, of_group text, measure text, amount bigint) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  known text := known_zone(zone);
  since timestamptz := utc_hour(first_day::timestamp AT TIME ZONE known) - interval '1 hour';
  until timestamptz := utc_hour((last_day::date + 1)::timestamp AT TIME ZONE known) + interval '2 hours';
  span_read text := CASE WHEN bucket = 'day' AND zone = 'UTC' THEN 'day' ELSE 'hour' END;
BEGIN
  RETURN QUERY
  WITH parts AS (
    SELECT c.start, c.measure, c.platform, c.status, c.agent_id, c.amount FROM insight_counts c
    WHERE c.workspace_id = workspace AND c.resource = wanted AND c.span = span_read AND c.start >= since
      AND c.start < until
    UNION ALL
    SELECT d.hour, d.measure, d.platform, d.status, d.agent_id, d.amount
    FROM uncounted_insights(workspace, wanted) d
    WHERE d.hour >= since AND d.hour < until
    UNION ALL
    SELECT d.hour, d.measure, d.platform, d.status, d.agent_id, d.amount
    FROM broadcast_insights(workspace, since, until) d
    WHERE wanted = 'broadcasts'
    UNION ALL
    SELECT d.hour, d.measure, d.platform, d.status, d.agent_id, d.amount
    FROM conversation_times(workspace, since, until) d
    WHERE wanted = 'conversations'
  ), named AS (
    SELECT CASE bucket WHEN 'hour' THEN wire_time(utc_hour(p.start))
        ELSE to_char(p.start AT TIME ZONE known, 'YYYY-MM-DD') END AS start,
      p.measure, p.amount,
      CASE grouped_by WHEN 'platform' THEN nullif(p.platform, '')
      WHEN 'status' THEN nullif(p.status, '') WHEN 'agent' THEN nullif(p.agent_id, no_agent())::text
        END AS of_group
    FROM parts p
    WHERE (p.start AT TIME ZONE known)::date BETWEEN first_day::date AND last_day::date
  ), large AS (
    SELECT n.of_group FROM named n WHERE n.of_group IS NOT NULL GROUP BY 1
    ORDER BY sum(n.amount) DESC, 1 LIMIT 20
  )
  SELECT n.start, CASE WHEN n.of_group IS NULL OR l.of_group IS NOT NULL THEN n.of_group ELSE 'other' END,
    n.measure, sum(n.amount)::bigint
  FROM named n LEFT JOIN large l ON l.of_group = n.of_group
  GROUP BY 1, 2, 3 HAVING sum(n.amount) > 0;
END $$;
