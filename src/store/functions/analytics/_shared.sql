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

-- The series of each group and measure, from the counts of days and from `recent`. Element n of `starts`,
-- `days`, `lowers` and `uppers` is a stretch: the hours from `lower` to `upper` of a day of UTC, which belong
-- to the bucket that begins at `start`. Groups beyond the `max_groups` largest are combined as "other".
--
-- Most of the time is spent on single amounts. Therefore a row of insight_days is read once for two
-- stretches, and the caller adds up the amounts of a bucket.
CREATE OR REPLACE FUNCTION insight_series(workspace uuid, wanted text, grouped_by text, max_groups int,
  starts text[], days date[], lowers int[], uppers int[], recent insight_delta[])
  RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  by_group text := coalesce(grouped_by, 'nothing');
BEGIN
  RETURN (
  WITH pairs AS MATERIALIZED (
    SELECT (row_number() OVER () - 1)::int AS place, s.* FROM (
      SELECT x.*, row_number() OVER d AS n, lead(x.start) OVER d AS next_start,
        lead(x.lower) OVER d AS next_lower, lead(x.upper) OVER d AS next_upper
      FROM unnest(starts, days, lowers, uppers) AS x (start, day, lower, upper)
      WINDOW d AS (PARTITION BY x.day ORDER BY x.lower)) s
    WHERE s.n % 2 = 1
  ), series AS MATERIALIZED (
    SELECT a.of_group, a.measure, array_agg(a.place) AS places, array_agg(a.amount) AS amounts,
      array_agg(a.next_amount) AS next_amounts, sum(a.amount + coalesce(a.next_amount, 0)) AS total
    FROM (
      SELECT c.of_group, c.measure, p.place,
        c.amounts[p.upper] - coalesce(c.amounts[p.lower - 1], 0) AS amount,
        c.amounts[p.next_upper] - c.amounts[p.next_lower - 1] AS next_amount
      FROM pairs p CROSS JOIN LATERAL (
        SELECT d.of_group, d.measure, d.amounts FROM insight_days d
        WHERE d.workspace_id = workspace AND d.resource = wanted AND d.grouped_by = by_group AND d.day = p.day
        OFFSET 0) c
      UNION ALL
      SELECT coalesce(insight_group(by_group, r.platform, r.status, r.agent_id), ''), r.measure, p.place,
        CASE WHEN h.n <= p.upper THEN r.amount ELSE 0 END, CASE WHEN h.n > p.upper THEN r.amount ELSE 0 END
      FROM unnest(recent) r CROSS JOIN LATERAL (SELECT hour_of_day(r.hour) AS n) h
      JOIN pairs p ON p.day = utc_day(r.hour)
        AND (h.n BETWEEN p.lower AND p.upper OR h.n BETWEEN p.next_lower AND p.next_upper)) a
    GROUP BY 1, 2
  ), small AS MATERIALIZED (
    SELECT s.of_group FROM series s WHERE s.of_group <> '' GROUP BY 1
    ORDER BY sum(s.total) DESC, 1 OFFSET max_groups
  ), shown AS (
    SELECT s.of_group, s.measure, s.places, s.amounts, s.next_amounts FROM series s
    WHERE s.of_group NOT IN (SELECT l.of_group FROM small l)
    UNION ALL
    SELECT 'other', o.measure, array_agg(o.place), array_agg(o.amount), array_agg(o.next_amount) FROM (
      SELECT s.measure, x.place, sum(x.amount)::bigint AS amount, sum(x.next_amount)::bigint AS next_amount
      FROM series s CROSS JOIN LATERAL unnest(s.places, s.amounts, s.next_amounts)
        AS x (place, amount, next_amount)
      WHERE s.of_group IN (SELECT l.of_group FROM small l) GROUP BY 1, 2) o
    GROUP BY o.measure
  )
  SELECT json_build_object(
    'pairs', (SELECT coalesce(json_agg(json_build_array(p.start, p.next_start) ORDER BY p.place), '[]')
      FROM pairs p),
    'series', coalesce(json_agg(json_build_object('group', nullif(s.of_group, ''), 'measure', s.measure,
      'places', s.places, 'amounts', s.amounts, 'next_amounts', s.next_amounts)), '[]'))
  FROM shown s);
END $$;
