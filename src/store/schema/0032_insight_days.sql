-- Works from: 0030
-- Counts by day, each for one way of grouping, so that a read takes as many rows as it shows.

-- No process counts until this is committed.
SELECT FROM insight_progress FOR UPDATE;

CREATE TABLE insight_days (
  workspace_id uuid NOT NULL,
  resource text NOT NULL,
  grouped_by text NOT NULL CHECK (grouped_by IN ('nothing', 'platform', 'status', 'agent')),
  day date NOT NULL,
  measure text NOT NULL,
  of_group text NOT NULL,
  amounts bigint[] NOT NULL CHECK (cardinality(amounts) = 24),
  PRIMARY KEY (workspace_id, resource, grouped_by, day, measure, of_group)
) WITH (fillfactor = 75);
COMMENT ON TABLE insight_days IS
  'Counts of the days of UTC by platform, status, agent or nothing. Without a group: empty text.';
COMMENT ON COLUMN insight_days.amounts IS
  'Element n is what happened in the first n hours of the day. The difference of two elements is what '
  'happened between them, so that a day of any time zone takes two.';

INSERT INTO insight_days (workspace_id, resource, grouped_by, day, measure, of_group, amounts)
WITH hours AS MATERIALIZED (
  SELECT c.workspace_id, c.resource, g.grouped_by, (c.start AT TIME ZONE 'UTC')::date AS day, c.measure,
    g.of_group, extract(hour FROM c.start AT TIME ZONE 'UTC')::int + 1 AS hour,
    sum(c.amount)::bigint AS amount
  FROM insight_counts c CROSS JOIN LATERAL (VALUES ('nothing', ''), ('platform', c.platform),
    ('status', c.status), ('agent', CASE WHEN c.agent_id = '00000000-0000-0000-0000-000000000000' THEN ''
      ELSE c.agent_id::text END)) AS g (grouped_by, of_group)
  WHERE c.span = 'hour' GROUP BY 1, 2, 3, 4, 5, 6, 7
), running AS (
  SELECT h.workspace_id, h.resource, h.grouped_by, h.day, h.measure, h.of_group, n,
    coalesce(sum(h.amount) FILTER (WHERE h.hour <= n), 0)::bigint AS amount
  FROM hours h CROSS JOIN generate_series(1, 24) n GROUP BY 1, 2, 3, 4, 5, 6, 7
)
SELECT workspace_id, resource, grouped_by, day, measure, of_group, array_agg(amount ORDER BY n)
FROM running GROUP BY 1, 2, 3, 4, 5, 6;

-- Nothing reads these any more.
DELETE FROM insight_counts WHERE span = 'day';
COMMENT ON TABLE insight_counts IS
  'Counts of an hour or all time, which starts at -infinity. Without platform, status or agent: empty text, '
  'the nil UUID. Lists of messages read in which hours there is something.';
