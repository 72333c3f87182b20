-- Helpers for the counts that analytics reads.

-- The hour of a timestamp, in UTC.
CREATE OR REPLACE FUNCTION utc_hour(t timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_trunc('hour', t, 'UTC')
$$;

-- The id for "no agent" in counts.
CREATE OR REPLACE FUNCTION no_agent() RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '00000000-0000-0000-0000-000000000000'::uuid
$$;

-- The changes of the counts that these moves cause. A record that is no longer kept as counted keeps its last
-- counted values.
CREATE OR REPLACE FUNCTION insight_deltas(moves insight_move[]) RETURNS SETOF insight_delta
  LANGUAGE sql STABLE AS $$
  WITH changes AS (
    SELECT m.workspace_id, m.resource, m.hour, m.platform, m.status, m.agent_id, m.measures, 1 AS sign
    FROM unnest(moves) m
    WHERE m.flow OR m.born OR EXISTS (SELECT 1 FROM counted_records c WHERE c.id = m.subject)
    UNION ALL
    SELECT c.workspace_id, c.resource, c.hour, c.platform, c.status, c.agent_id, c.measures, -1
    FROM unnest(moves) m JOIN counted_records c ON c.id = m.subject
  )
  SELECT c.workspace_id, c.resource, c.hour, x.measure, c.platform, c.status, c.agent_id,
    sum(c.sign * x.amount::bigint)::bigint
  FROM changes c CROSS JOIN LATERAL jsonb_each_text(c.measures) AS x (measure, amount)
  GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(c.sign * x.amount::bigint) <> 0
$$;
