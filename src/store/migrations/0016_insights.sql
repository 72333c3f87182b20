-- Insights: counts per hour and day that analytics reads instead of the messages themselves, translations that were made,
-- and the television guide.

CREATE TABLE insight_counts (
  workspace_id uuid NOT NULL,
  resource text NOT NULL CHECK (resource IN ('messages', 'conversations', 'calls', 'webhooks')),
  span text NOT NULL CHECK (span IN ('hour', 'day', 'ever')),
  start timestamptz NOT NULL,
  measure text NOT NULL,
  platform text NOT NULL,
  status text NOT NULL,
  agent_id uuid NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (workspace_id, resource, span, start, measure, platform, status, agent_id)
);
COMMENT ON TABLE insight_counts IS 'What happened in an hour, a day (UTC) or ever, which starts at -infinity. Without platform, status or agent: empty text, the nil UUID.';

-- The list of messages asks in which hours there is a message of a status, a platform or a direction.
CREATE INDEX insight_counts_status ON insight_counts (workspace_id, span, status, start) WHERE resource = 'messages';
CREATE INDEX insight_counts_platform ON insight_counts (workspace_id, span, platform, start) WHERE resource = 'messages';
CREATE INDEX insight_counts_measure ON insight_counts (workspace_id, span, measure, start) WHERE resource = 'messages';

CREATE TABLE counted_records (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  resource text NOT NULL,
  hour timestamptz NOT NULL,
  platform text NOT NULL,
  status text NOT NULL,
  agent_id uuid NOT NULL,
  measures jsonb NOT NULL
);
COMMENT ON TABLE counted_records IS 'As what a conversation or call of the last 30 days is counted now, so that it can be counted as something else.';
CREATE INDEX counted_records_age ON counted_records (hour);

CREATE TABLE insight_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0,
  next_position bigint,
  sampled_at timestamptz,
  next_xid xid8
);
COMMENT ON COLUMN insight_progress.position IS 'All events up to here are counted.';
COMMENT ON COLUMN insight_progress.next_position IS 'May be counted up to when every transaction before next_xid has ended: none can add an event below any more.';
INSERT INTO insight_progress DEFAULT VALUES;

CREATE TABLE insight_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  resource text NOT NULL,
  hour timestamptz NOT NULL,
  measure text NOT NULL,
  platform text NOT NULL,
  status text NOT NULL,
  agent_id uuid NOT NULL,
  amount bigint NOT NULL,
  gone boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE insight_changes IS 'What changed in the counts and is not added to them yet: only ever added to, so that nobody waits for anybody.';
COMMENT ON COLUMN insight_changes.gone IS 'Rows that were purged: there are fewer from now on, and what happened in their hour did happen.';

CREATE INDEX broadcasts_started ON broadcasts (workspace_id, started_at) WHERE started_at IS NOT NULL;

-- A record as events tell of it: as what it is to be counted, or (flow) something that is counted once and for all.
CREATE TYPE insight_move AS (subject uuid, workspace_id uuid, resource text, flow boolean, born boolean, hour timestamptz,
  platform text, status text, agent_id uuid, measures jsonb);
CREATE TYPE insight_delta AS (workspace_id uuid, resource text, hour timestamptz, measure text, platform text, status text,
  agent_id uuid, amount bigint);

CREATE FUNCTION utc_hour(t timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_trunc('hour', t, 'UTC')
$$;

CREATE FUNCTION no_agent() RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '00000000-0000-0000-0000-000000000000'::uuid
$$;

-- Messages and tries at webhooks are many, and not every change of theirs is an event: each statement notes what it changed.
CREATE FUNCTION note_new_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT m.workspace_id, 'messages', utc_hour(m.created_at), x.measure, coalesce(m.platform, ''), m.status,
    CASE WHEN m.direction = 'inbound' THEN no_agent() ELSE m.sender_id END, count(*)
  FROM added m CROSS JOIN LATERAL unnest(CASE WHEN m.status IN ('failed', 'expired', 'blocked')
    THEN ARRAY[m.direction, 'failed'] ELSE ARRAY[m.direction] END) AS x (measure)
  GROUP BY 1, 3, 4, 5, 6, 7;
  RETURN NULL;
END $$;

CREATE FUNCTION note_changed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT g.workspace_id, 'messages', g.hour, x.measure, g.platform, g.status, g.agent_id, g.n
  FROM (
    SELECT workspace_id, utc_hour(created_at) AS hour, direction, coalesce(platform, '') AS platform, status,
      CASE WHEN direction = 'inbound' THEN no_agent() ELSE sender_id END AS agent_id, sum(sign) AS n
    FROM (
      SELECT workspace_id, created_at, direction, platform, status, sender_id, 1 AS sign FROM becomes
      UNION ALL SELECT workspace_id, created_at, direction, platform, status, sender_id, -1 FROM was) m
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(sign) <> 0) g
  CROSS JOIN LATERAL unnest(CASE WHEN g.status IN ('failed', 'expired', 'blocked')
    THEN ARRAY[g.direction, 'failed'] ELSE ARRAY[g.direction] END) AS x (measure);
  RETURN NULL;
END $$;

CREATE TRIGGER messages_noted AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_new_messages();
CREATE TRIGGER messages_changes_noted AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS was NEW TABLE AS becomes FOR EACH STATEMENT EXECUTE FUNCTION note_changed_messages();

CREATE FUNCTION note_purged_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount, gone)
  SELECT m.workspace_id, 'messages', utc_hour(m.created_at), m.direction, coalesce(m.platform, ''), m.status,
    CASE WHEN m.direction = 'inbound' THEN no_agent() ELSE m.sender_id END, -count(*), true
  FROM purged m GROUP BY 1, 3, 4, 5, 6, 7;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_purge_noted AFTER DELETE ON messages
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION note_purged_messages();

CREATE FUNCTION note_webhook_try() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT NEW.workspace_id, 'webhooks', utc_hour(now()), x.measure, '', NEW.status, no_agent(), NEW.tries - OLD.tries
  FROM unnest(ARRAY['attempts', CASE NEW.status WHEN 'succeeded' THEN 'succeeded' ELSE 'failed' END]) AS x (measure);
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_deliveries_tried AFTER UPDATE OF tries ON webhook_deliveries FOR EACH ROW
  WHEN (NEW.tries > OLD.tries) EXECUTE FUNCTION note_webhook_try();

-- Conversations that no event tells of, since nobody hears it: they are counted as they begin, each with one link.
CREATE FUNCTION count_new_conversations(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH made AS (
    INSERT INTO counted_records (id, workspace_id, resource, hour, platform, status, agent_id, measures)
    SELECT c.id, c.workspace_id, 'conversations', utc_hour(c.created_at), l.platform, c.status, coalesce(c.assignee_id, no_agent()),
      '{"created":1}'
    FROM unnest(ids) AS i (id) JOIN conversations c ON c.id = i.id JOIN links l ON l.conversation_id = c.id
    RETURNING *
  )
  INSERT INTO insight_changes (workspace_id, resource, hour, measure, platform, status, agent_id, amount)
  SELECT m.workspace_id, m.resource, m.hour, 'created', m.platform, m.status, m.agent_id, count(*) FROM made m
  GROUP BY 1, 2, 3, 5, 6, 7
$$;

-- What the events of a range say of conversations and calls, in all workspaces or one: the last word on each, and the flows. An
-- event that was cut to its ids, as one about somebody who was erased, says what its record says now.
CREATE FUNCTION insight_moves(after bigint, upto bigint, workspace uuid) RETURNS SETOF insight_move LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY WITH told AS (
    SELECT e.position, e.type, e.workspace_id, e.occurred_at, split_part(e.type, '.', 1) AS subject, e.data->>'truncated' AS cut, d.*
    FROM events e CROSS JOIN LATERAL json_to_record(e.data) AS d (id uuid, status text, platform text,
      created_at timestamptz, started_at timestamptz, answered_at timestamptz, duration bigint, assignee_id uuid,
      initiator_id uuid)
    WHERE e.position > after AND e.position <= upto AND (workspace IS NULL OR e.workspace_id = workspace)
      AND e.type IN ('conversation.created', 'conversation.updated', 'conversation.status_changed', 'conversation.assigned',
        'call.created', 'call.ringing', 'call.answered', 'call.ended', 'call.failed')
  ), known AS (
    SELECT * FROM told WHERE cut IS NULL
    UNION ALL
    SELECT t.position, t.type, t.workspace_id, t.occurred_at, t.subject, t.cut, c.id, c.status, p.platform, c.created_at, NULL, NULL,
      NULL, c.assignee_id, NULL
    FROM told t JOIN conversations c ON c.id = t.id LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
    WHERE t.cut IS NOT NULL AND t.subject = 'conversation'
    UNION ALL
    SELECT t.position, t.type, t.workspace_id, t.occurred_at, t.subject, t.cut, c.id, c.status, c.platform, c.created_at, c.started_at,
      c.answered_at, c.duration, NULL, c.initiator_id
    FROM told t JOIN calls c ON c.id = t.id WHERE t.cut IS NOT NULL AND t.subject = 'call'
  ), ranked AS (
    SELECT t.*, bool_or(t.type LIKE '%.created') OVER (PARTITION BY t.id) AS born,
      row_number() OVER (PARTITION BY t.id ORDER BY t.position DESC) AS rank FROM known t
  )
  SELECT r.id, r.workspace_id, r.subject || 's', false, r.born, utc_hour(coalesce(r.started_at, r.created_at)),
    coalesce(r.platform, ''), r.status, coalesce(r.initiator_id, r.assignee_id, no_agent()),
    CASE r.subject WHEN 'conversation' THEN '{"created":1}'
      ELSE jsonb_build_object('started', 1, 'answered', (r.answered_at IS NOT NULL)::int,
        'failed', (r.status = 'failed')::int, 'duration_seconds', coalesce(r.duration, 0)) END
  FROM ranked r WHERE r.rank = 1
  UNION ALL
  SELECT NULL, r.workspace_id, 'conversations', true, false, utc_hour(r.occurred_at), coalesce(r.platform, ''), r.status,
    coalesce(r.assignee_id, no_agent()), '{"resolved":1}'
  FROM ranked r WHERE r.type = 'conversation.status_changed' AND r.status = 'resolved' AND (r.cut IS NULL OR r.rank = 1);
END $$;

-- What moves change in the counts. A record that is no longer kept among the counted ones stays counted as it was.
CREATE FUNCTION insight_deltas(moves insight_move[]) RETURNS SETOF insight_delta LANGUAGE sql STABLE AS $$
  WITH changes AS (
    SELECT m.workspace_id, m.resource, m.hour, m.platform, m.status, m.agent_id, m.measures, 1 AS sign
    FROM unnest(moves) m
    WHERE m.flow OR m.born OR EXISTS (SELECT 1 FROM counted_records c WHERE c.id = m.subject)
    UNION ALL
    SELECT c.workspace_id, c.resource, c.hour, c.platform, c.status, c.agent_id, c.measures, -1
    FROM unnest(moves) m JOIN counted_records c ON c.id = m.subject
  )
  SELECT c.workspace_id, c.resource, c.hour, x.measure, c.platform, c.status, c.agent_id, sum(c.sign * x.amount::bigint)::bigint
  FROM changes c CROSS JOIN LATERAL jsonb_each_text(c.measures) AS x (measure, amount)
  GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(c.sign * x.amount::bigint) <> 0
$$;

-- To the counts of these spans.
CREATE FUNCTION add_insights(deltas insight_delta[], spans text[] DEFAULT '{hour,day,ever}') RETURNS void LANGUAGE sql AS $$
  INSERT INTO insight_counts AS c (workspace_id, resource, span, start, measure, platform, status, agent_id, amount)
  SELECT d.workspace_id, d.resource, s.span,
    CASE s.span WHEN 'ever' THEN '-infinity' ELSE date_trunc(s.span, d.hour, 'UTC') END, d.measure, d.platform, d.status, d.agent_id,
    sum(d.amount)
  FROM unnest(deltas) d CROSS JOIN unnest(spans) AS s (span)
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (workspace_id, resource, span, start, measure, platform, status, agent_id)
  DO UPDATE SET amount = c.amount + excluded.amount
$$;

-- Up to where events may be counted. An event can be committed after one with a larger position, so the largest position
-- seen waits until every transaction has ended that was there a second later.
CREATE FUNCTION next_insight_position(p insight_progress) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF p.next_position IS NULL OR p.next_position <= p.position THEN
    UPDATE insight_progress SET next_position = (SELECT max(position) FROM events), sampled_at = clock_timestamp(),
      next_xid = NULL;
  ELSIF p.next_xid IS NULL THEN
    UPDATE insight_progress SET next_xid = pg_snapshot_xmax(pg_current_snapshot())
    WHERE sampled_at < clock_timestamp() - interval '1 s';
  ELSIF pg_snapshot_xmin(pg_current_snapshot()) >= p.next_xid THEN
    RETURN p.next_position;
  END IF;
  RETURN NULL;
END $$;

-- Counts a portion of what happened. Answers whether there is more to be counted now. One process at a time does this.
CREATE FUNCTION count_insights(most int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  p insight_progress;
  limit_position bigint;
  upto bigint;
  moves insight_move[];
  changes insight_delta[];
  purged insight_delta[];
BEGIN
  SELECT * INTO p FROM insight_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH taken AS (
    DELETE FROM insight_changes WHERE id IN (SELECT id FROM insight_changes ORDER BY id LIMIT most)
    RETURNING ROW(workspace_id, resource, hour, measure, platform, status, agent_id, amount)::insight_delta AS delta, gone
  )
  SELECT array_agg(t.delta) FILTER (WHERE NOT t.gone), array_agg(t.delta) FILTER (WHERE t.gone) INTO changes, purged FROM taken t;
  PERFORM add_insights(changes);
  PERFORM add_insights(purged, '{ever}');
  DELETE FROM counted_records WHERE id IN (
    SELECT id FROM counted_records WHERE hour < now() - interval '30 days' ORDER BY hour LIMIT most);
  limit_position := next_insight_position(p);
  IF limit_position IS NULL THEN RETURN coalesce(cardinality(changes || purged), 0) = most; END IF;
  upto := least(limit_position, p.position + most);
  moves := ARRAY(SELECT m FROM insight_moves(p.position, upto, NULL) m);
  PERFORM add_insights(ARRAY(SELECT d FROM insight_deltas(moves) d));
  INSERT INTO counted_records (id, workspace_id, resource, hour, platform, status, agent_id, measures)
  SELECT m.subject, m.workspace_id, m.resource, m.hour, m.platform, m.status, m.agent_id, m.measures FROM unnest(moves) m
  WHERE NOT m.flow AND m.hour >= now() - interval '30 days'
    AND (m.born OR EXISTS (SELECT 1 FROM counted_records c WHERE c.id = m.subject))
  ON CONFLICT (id) DO UPDATE SET platform = excluded.platform, status = excluded.status, agent_id = excluded.agent_id,
    measures = excluded.measures;
  UPDATE insight_progress SET position = upto;
  RETURN upto < limit_position OR coalesce(cardinality(changes || purged), 0) = most;
END $$;

-- What is not among the counts yet, as of one workspace and resource.
CREATE FUNCTION uncounted_insights(workspace uuid, wanted text) RETURNS SETOF insight_delta LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT c.workspace_id, c.resource, c.hour, c.measure, c.platform, c.status, c.agent_id, sum(c.amount)::bigint
    FROM insight_changes c WHERE c.workspace_id = workspace AND c.resource = wanted AND NOT c.gone GROUP BY 1, 2, 3, 4, 5, 6, 7;
  IF wanted IN ('conversations', 'calls') THEN
    RETURN QUERY SELECT d.* FROM insight_progress p CROSS JOIN LATERAL insight_deltas(ARRAY(
      SELECT m FROM insight_moves(p.position, 9223372036854775807, workspace) m)) d WHERE d.resource = wanted;
  END IF;
END $$;

-- Broadcasts are few and their counts are kept with them.
CREATE FUNCTION broadcast_insights(workspace uuid, since timestamptz, until timestamptz) RETURNS SETOF insight_delta
LANGUAGE sql STABLE AS $$
  SELECT b.workspace_id, 'broadcasts', utc_hour(b.started_at), x.measure,
    CASE WHEN cardinality(b.platforms) = 1 THEN b.platforms[1] ELSE '' END, b.status, b.created_by, x.amount
  FROM broadcasts b CROSS JOIN LATERAL (VALUES ('started', 1), ('recipients', (b.counts->>'total')::bigint),
    ('sent', (b.counts->>'sent')::bigint), ('delivered', (b.counts->>'delivered')::bigint),
    ('read', (b.counts->>'read')::bigint), ('failed', (b.counts->>'failed')::bigint)) AS x (measure, amount)
  WHERE b.workspace_id = workspace AND b.started_at >= since AND b.started_at < until
$$;

-- Less what the records say of the two hours that a time begins and ends in, as far as it lies beside that time: counts are of whole
-- hours. What was resolved and tries at webhooks have no record to be found by their moment; their hours stay whole.
CREATE FUNCTION beside_time(workspace uuid, wanted text, since timestamptz, until timestamptz) RETURNS SETOF insight_delta
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  edge record;
BEGIN
  FOR edge IN SELECT * FROM (VALUES (utc_hour(since), since), (until, utc_hour(until - interval '1 us') + interval '1 hour'))
    AS e (lower, upper) WHERE lower < upper
  LOOP
    RETURN QUERY SELECT workspace, wanted, utc_hour(edge.lower), x.measure, coalesce(m.platform, ''), m.status,
      CASE WHEN m.direction = 'inbound' THEN no_agent() ELSE m.sender_id END, -count(*)
    FROM (
      SELECT * FROM messages WHERE workspace_id = workspace AND deleted_at IS NULL AND created_at >= edge.lower AND created_at < edge.upper
      UNION ALL
      SELECT * FROM messages WHERE workspace_id = workspace AND deleted_at IS NOT NULL AND created_at >= edge.lower
        AND created_at < edge.upper) m
    CROSS JOIN LATERAL unnest(CASE WHEN m.status IN ('failed', 'expired', 'blocked')
      THEN ARRAY[m.direction, 'failed'] ELSE ARRAY[m.direction] END) AS x (measure)
    WHERE wanted = 'messages' GROUP BY 3, 4, 5, 6, 7;

    RETURN QUERY SELECT workspace, wanted, utc_hour(edge.lower), 'created', coalesce(p.platform, ''), c.status,
      coalesce(c.assignee_id, no_agent()), -count(*)
    FROM (
      SELECT * FROM conversations WHERE workspace_id = workspace AND deleted_at IS NULL AND created_at >= edge.lower
        AND created_at < edge.upper
      UNION ALL
      SELECT * FROM conversations WHERE workspace_id = workspace AND deleted_at IS NOT NULL AND created_at >= edge.lower
        AND created_at < edge.upper) c
    LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
    WHERE wanted = 'conversations' GROUP BY 3, 5, 6, 7;

    RETURN QUERY SELECT workspace, wanted, utc_hour(edge.lower), x.measure, c.platform, c.status, c.initiator_id, -sum(x.amount)::bigint
    FROM calls c CROSS JOIN LATERAL (VALUES ('started', 1), ('answered', (c.answered_at IS NOT NULL)::int),
      ('failed', (c.status = 'failed')::int), ('duration_seconds', coalesce(c.duration, 0))) AS x (measure, amount)
    WHERE wanted = 'calls' AND c.workspace_id = workspace AND c.created_at >= edge.lower AND c.created_at < edge.upper
    GROUP BY 3, 4, 5, 6, 7;
  END LOOP;
END $$;

-- Amounts per bucket, group and measure, from `since` to before `until`. Whole days come from the counts per day. Beyond the 100
-- largest groups the rest is one, named other.
CREATE FUNCTION read_insights(workspace uuid, wanted text, since timestamptz, until timestamptz, bucket text, grouped_by text)
RETURNS TABLE (start timestamptz, of_group text, measure text, amount bigint) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  first_hour timestamptz := utc_hour(since);
  first_day timestamptz := date_trunc('day', first_hour + interval '24 hours' - interval '1 us', 'UTC');
  last_day timestamptz := date_trunc('day', until, 'UTC');
BEGIN
  IF bucket = 'hour' OR last_day <= first_day THEN
    first_day := until;
    last_day := until;
  END IF;
  RETURN QUERY
  WITH parts AS (
    SELECT c.start, c.measure, c.platform, c.status, c.agent_id, c.amount FROM insight_counts c
    WHERE c.workspace_id = workspace AND c.resource = wanted AND c.span = 'day' AND c.start >= first_day AND c.start < last_day
    UNION ALL
    SELECT c.start, c.measure, c.platform, c.status, c.agent_id, c.amount FROM insight_counts c
    WHERE c.workspace_id = workspace AND c.resource = wanted AND c.span = 'hour' AND c.start >= first_hour AND c.start < first_day
    UNION ALL
    SELECT c.start, c.measure, c.platform, c.status, c.agent_id, c.amount FROM insight_counts c
    WHERE c.workspace_id = workspace AND c.resource = wanted AND c.span = 'hour' AND c.start >= last_day AND c.start < until
    UNION ALL
    SELECT d.hour, d.measure, d.platform, d.status, d.agent_id, d.amount FROM uncounted_insights(workspace, wanted) d
    WHERE d.hour >= first_hour AND d.hour < until
    UNION ALL
    SELECT d.hour, d.measure, d.platform, d.status, d.agent_id, d.amount FROM broadcast_insights(workspace, since, until) d
    WHERE wanted = 'broadcasts'
    UNION ALL
    SELECT d.hour, d.measure, d.platform, d.status, d.agent_id, d.amount FROM beside_time(workspace, wanted, since, until) d
  ), named AS (
    SELECT date_trunc(bucket, p.start, 'UTC') AS start, p.measure, p.amount, CASE grouped_by WHEN 'platform' THEN nullif(p.platform, '')
      WHEN 'status' THEN nullif(p.status, '') WHEN 'agent' THEN nullif(p.agent_id, no_agent())::text END AS of_group
    FROM parts p
  ), large AS (
    SELECT n.of_group FROM named n WHERE n.of_group IS NOT NULL GROUP BY 1 ORDER BY sum(n.amount) DESC, 1 LIMIT 100
  )
  SELECT n.start, CASE WHEN n.of_group IS NULL OR l.of_group IS NOT NULL THEN n.of_group ELSE 'other' END, n.measure,
    sum(n.amount)::bigint
  FROM named n LEFT JOIN large l ON l.of_group = n.of_group
  GROUP BY 1, 2, 3 HAVING sum(n.amount) > 0;
END $$;

CREATE TABLE translations (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  text_hash bytea NOT NULL,
  target_language text NOT NULL,
  source_language text NOT NULL,
  text text NOT NULL,
  detected_language text NOT NULL,
  provider text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, text_hash, target_language, source_language)
);
COMMENT ON COLUMN translations.source_language IS 'As it was asked for; empty when the provider was to find out.';
CREATE INDEX translations_age ON translations (created_at);

-- The television guide belongs to the installation and is the same in every workspace.
CREATE TABLE tv_sources (
  location text PRIMARY KEY,
  place integer NOT NULL,
  etag text,
  last_modified text,
  next_check_at timestamptz NOT NULL DEFAULT now(),
  imported_at timestamptz(3),
  error text
);
COMMENT ON COLUMN tv_sources.place IS 'Where two sources name a network, that with the lower place has it.';
COMMENT ON COLUMN tv_sources.next_check_at IS 'While somebody reads the source, until when nobody else does.';

CREATE TABLE tv_networks (
  id text PRIMARY KEY,
  source text NOT NULL REFERENCES tv_sources ON DELETE CASCADE,
  run uuid NOT NULL,
  name text NOT NULL,
  languages text[] NOT NULL DEFAULT '{}',
  country text,
  icon_url text
);
COMMENT ON COLUMN tv_networks.run IS 'The reading of the source that last named it.';
CREATE INDEX tv_networks_source ON tv_networks (source);
CREATE INDEX tv_networks_name ON tv_networks (name, id);

CREATE TABLE tv_programmes (
  id text PRIMARY KEY,
  network_id text NOT NULL REFERENCES tv_networks ON DELETE CASCADE,
  run uuid NOT NULL,
  title text NOT NULL,
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3),
  categories text[] NOT NULL DEFAULT '{}',
  description text,
  icon_url text
);
COMMENT ON COLUMN tv_programmes.end_at IS 'Null while the source is read: what has no end of its own ends where the next begins.';
CREATE INDEX tv_programmes_schedule ON tv_programmes (network_id, start_at, id);
CREATE INDEX tv_programmes_endless ON tv_programmes (run) WHERE end_at IS NULL;
CREATE INDEX tv_programmes_age ON tv_programmes (end_at);

CREATE FUNCTION tv_network_record(n tv_networks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', n.id, 'name', n.name, 'languages', n.languages, 'country', n.country, 'icon_url', n.icon_url)
$$;

CREATE FUNCTION tv_programme_record(p tv_programmes) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', p.id, 'network_id', p.network_id, 'title', p.title, 'start_at', wire_time(p.start_at),
    'end_at', wire_time(p.end_at), 'categories', p.categories, 'description', p.description, 'icon_url', p.icon_url)
$$;

-- The sources there are from now on, in their order; all of them are looked at soon. What came from others goes.
CREATE FUNCTION set_tv_sources(locations text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM tv_sources WHERE location <> ALL (locations);
  INSERT INTO tv_sources (location, place)
  SELECT l, n FROM unnest(locations) WITH ORDINALITY AS x (l, n)
  ON CONFLICT (location) DO UPDATE SET place = excluded.place, next_check_at = least(tv_sources.next_check_at, now());
$$;

-- Takes a source that is due, for half an hour at a time.
CREATE FUNCTION claim_tv_source() RETURNS SETOF tv_sources LANGUAGE sql AS $$
  UPDATE tv_sources SET next_check_at = now() + interval '30 min' WHERE location = (
    SELECT location FROM tv_sources WHERE next_check_at <= now() ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING *
$$;

CREATE FUNCTION import_tv_networks(from_source text, reading uuid, entries jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tv_networks AS n (id, source, run, name, languages, country, icon_url)
  SELECT DISTINCT ON (e->>'id') e->>'id', from_source, reading, e->>'name',
    ARRAY(SELECT jsonb_array_elements_text(e->'languages')), e->>'country', e->>'icon_url'
  FROM jsonb_array_elements(entries) WITH ORDINALITY AS x (e, i)
  WHERE EXISTS (SELECT 1 FROM tv_sources s WHERE s.location = from_source)
  ORDER BY e->>'id', i
  ON CONFLICT (id) DO UPDATE SET source = excluded.source, run = excluded.run, name = excluded.name,
    languages = excluded.languages, country = excluded.country, icon_url = excluded.icon_url
  WHERE n.source = excluded.source OR (SELECT place FROM tv_sources WHERE location = excluded.source)
    < (SELECT place FROM tv_sources WHERE location = n.source);
  UPDATE tv_sources SET next_check_at = now() + interval '30 min' WHERE location = from_source;
$$;

CREATE FUNCTION import_tv_programmes(from_source text, reading uuid, entries jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tv_programmes (id, network_id, run, title, start_at, end_at, categories, description, icon_url)
  SELECT DISTINCT ON (e->>'id') e->>'id', n.id, reading, e->>'title', (e->>'start_at')::timestamptz,
    (e->>'end_at')::timestamptz, ARRAY(SELECT jsonb_array_elements_text(e->'categories')), e->>'description', e->>'icon_url'
  FROM jsonb_array_elements(entries) WITH ORDINALITY AS x (e, i)
  JOIN tv_networks n ON n.id = e->>'network_id' AND n.source = from_source AND n.run = reading
  ORDER BY e->>'id', i
  ON CONFLICT (id) DO UPDATE SET run = excluded.run, title = excluded.title, end_at = excluded.end_at,
    categories = excluded.categories, description = excluded.description, icon_url = excluded.icon_url;
  UPDATE tv_sources SET next_check_at = now() + interval '30 min' WHERE location = from_source;
$$;

-- A source was read to its end: programmes get the ends they lack, and what it does not name any more goes.
CREATE FUNCTION finish_tv_import(from_source text, reading uuid, new_etag text, new_last_modified text, again interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE tv_programmes p SET end_at = coalesce((
      SELECT min(x.start_at) FROM tv_programmes x WHERE x.network_id = p.network_id AND x.run = reading
        AND x.start_at > p.start_at), p.start_at + interval '1 hour')
  WHERE p.run = reading AND p.end_at IS NULL;
  DELETE FROM tv_networks WHERE source = from_source AND run <> reading;
  DELETE FROM tv_programmes p USING tv_networks n WHERE n.id = p.network_id AND n.source = from_source AND p.run <> reading
    AND p.start_at >= coalesce((SELECT min(x.start_at) FROM tv_programmes x
      WHERE x.network_id = p.network_id AND x.run = reading), now());
  UPDATE tv_sources SET etag = new_etag, last_modified = new_last_modified, error = NULL, imported_at = now(),
    next_check_at = now() + again WHERE location = from_source;
$$;

-- A source was as before, or could not be read.
CREATE FUNCTION postpone_tv_source(from_source text, problem text, again interval) RETURNS void LANGUAGE sql AS $$
  UPDATE tv_sources SET error = problem, next_check_at = now() + again WHERE location = from_source
$$;

CREATE FUNCTION purge_tv_programmes() RETURNS void LANGUAGE sql AS $$
  DELETE FROM tv_programmes WHERE id = ANY (ARRAY(
    SELECT id FROM tv_programmes WHERE end_at < now() - interval '7 days' ORDER BY end_at LIMIT 5000))
$$;
