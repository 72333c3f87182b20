-- Counts one batch of events. Returns whether more can be counted now. Only one process at a time counts.
--
-- Locks: insight_progress.
-- Returns: boolean

-- Adds to the counts of all time.
CREATE OR REPLACE FUNCTION add_insight_totals(deltas insight_delta[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO insight_counts AS c (workspace_id, resource, span, start, measure, platform, status,
    agent_id, amount)
  SELECT d.workspace_id, d.resource, 'ever', '-infinity', d.measure, d.platform, d.status, d.agent_id,
    sum(d.amount)
  FROM unnest(deltas) d GROUP BY 1, 2, 5, 6, 7, 8
  ON CONFLICT (workspace_id, resource, span, start, measure, platform, status, agent_id)
  DO UPDATE SET amount = c.amount + excluded.amount
$$;

-- Adds to the counts of hours.
CREATE OR REPLACE FUNCTION add_insight_hours(deltas insight_delta[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO insight_counts AS c (workspace_id, resource, span, start, measure, platform, status,
    agent_id, amount)
  SELECT d.workspace_id, d.resource, 'hour', utc_hour(d.hour), d.measure, d.platform, d.status, d.agent_id,
    sum(d.amount)
  FROM unnest(deltas) d GROUP BY 1, 2, 4, 5, 6, 7, 8
  ON CONFLICT (workspace_id, resource, span, start, measure, platform, status, agent_id)
  DO UPDATE SET amount = c.amount + excluded.amount
$$;

-- Adds to the counts of days. Each element of `amounts` includes those before it, so an amount is added to
-- the element of its hour and to all that follow.
CREATE OR REPLACE FUNCTION add_insight_days(deltas insight_delta[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO insight_days AS c (workspace_id, resource, grouped_by, day, measure, of_group, amounts)
  WITH running AS (
    SELECT d.workspace_id, d.resource, g.grouped_by, utc_day(d.hour) AS day, d.measure, g.of_group, n,
      coalesce(sum(d.amount) FILTER (WHERE hour_of_day(d.hour) <= n), 0)::bigint AS amount
    FROM unnest(deltas) d CROSS JOIN LATERAL (VALUES ('nothing', ''), ('platform', d.platform),
      ('status', d.status), ('agent', coalesce(nullif(d.agent_id, no_agent())::text, '')))
      AS g (grouped_by, of_group)
    CROSS JOIN generate_series(1, 24) n
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  )
  SELECT r.workspace_id, r.resource, r.grouped_by, r.day, r.measure, r.of_group,
    array_agg(r.amount ORDER BY r.n)
  FROM running r GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (workspace_id, resource, grouped_by, day, measure, of_group)
  DO UPDATE SET amounts = ARRAY(SELECT x.before + x.more
    FROM unnest(c.amounts, excluded.amounts) WITH ORDINALITY AS x (before, more, n) ORDER BY x.n)
$$;

-- The position up to which events may be counted. An event can be committed after an event with a larger
-- position. Therefore the largest position seen is used only after all transactions have ended that were
-- running one second later.
CREATE OR REPLACE FUNCTION next_insight_position(p insight_progress) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF p.next_position IS NULL OR p.next_position <= p.position THEN
    UPDATE insight_progress SET next_position = (SELECT max(position) FROM events),
      sampled_at = clock_timestamp(),
      next_xid = NULL;
  ELSIF p.next_xid IS NULL THEN
    UPDATE insight_progress SET next_xid = pg_snapshot_xmax(pg_current_snapshot())
    WHERE sampled_at < clock_timestamp() - interval '1 s';
  ELSIF pg_snapshot_xmin(pg_current_snapshot()) >= p.next_xid THEN
    RETURN p.next_position;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_insights(batch_size int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  p insight_progress;
  limit_position bigint;
  upto bigint;
  moves insight_move[];
  changes insight_delta[];
  purged insight_delta[];
  is_full boolean;
BEGIN
  SELECT * INTO p FROM insight_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH taken AS (
    DELETE FROM insight_changes WHERE id IN (SELECT id FROM insight_changes ORDER BY id LIMIT batch_size)
    RETURNING ROW(workspace_id, resource, hour, measure, platform, status, agent_id,
      amount)::insight_delta AS delta, gone
  )
  SELECT array_agg(t.delta) FILTER (WHERE NOT t.gone), array_agg(t.delta) FILTER (WHERE t.gone)
  INTO changes, purged FROM taken t;
  PERFORM add_insight_totals(changes || purged);
  PERFORM add_insight_hours(changes);
  PERFORM add_insight_days(changes);
  DELETE FROM counted_records WHERE id IN (
    SELECT id FROM counted_records WHERE hour < now() - interval '30 days' ORDER BY hour LIMIT batch_size);
  limit_position := next_insight_position(p);
  is_full := coalesce(cardinality(changes || purged), 0) = batch_size;
  IF limit_position IS NULL THEN RETURN is_full; END IF;
  upto := least(limit_position, p.position + batch_size);
  moves := ARRAY(SELECT m FROM insight_moves(p.position, upto, NULL) m);
  changes := ARRAY(SELECT d FROM insight_deltas(moves) d);
  PERFORM add_insight_totals(changes);
  PERFORM add_insight_hours(changes);
  PERFORM add_insight_days(changes);
  INSERT INTO counted_records (id, workspace_id, resource, hour, platform, status, agent_id, measures)
  SELECT m.subject, m.workspace_id, m.resource, m.hour, m.platform, m.status, m.agent_id, m.measures
  FROM unnest(moves) m
  WHERE NOT m.flow AND m.hour >= now() - interval '30 days'
    AND (m.born OR EXISTS (SELECT 1 FROM counted_records c WHERE c.id = m.subject))
  ON CONFLICT (id) DO UPDATE SET platform = excluded.platform, status = excluded.status,
    agent_id = excluded.agent_id,
    measures = excluded.measures;
  UPDATE insight_progress SET position = upto;
  RETURN upto < limit_position OR is_full;
END $$;
