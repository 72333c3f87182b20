-- Helpers for the counts that analytics reads.

-- The hour of a timestamp, in UTC.
CREATE OR REPLACE FUNCTION utc_hour(t timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_trunc('hour', t, 'UTC')
$$;

-- The date of a timestamp, in UTC.
CREATE OR REPLACE FUNCTION utc_day(t timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (t AT TIME ZONE 'UTC')::date
$$;

-- The hour of the UTC day of a timestamp, from 1 to 24.
CREATE OR REPLACE FUNCTION hour_of_day(t timestamptz) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT extract(hour FROM t AT TIME ZONE 'UTC')::int + 1
$$;

-- The group of a record. Null if nothing is grouped or the record has none.
CREATE OR REPLACE FUNCTION insight_group(grouped_by text, platform text, status text, agent_id uuid)
  RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE grouped_by WHEN 'platform' THEN nullif(platform, '') WHEN 'status' THEN nullif(status, '')
    WHEN 'agent' THEN nullif(agent_id, no_agent())::text END
$$;

-- The id for "no agent" in counts.
CREATE OR REPLACE FUNCTION no_agent() RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '00000000-0000-0000-0000-000000000000'::uuid
$$;

-- The changes of the counts that these moves cause. A record that is no longer in counted_records keeps its
-- last counted values.
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
