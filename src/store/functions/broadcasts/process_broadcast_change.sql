-- One step of a change of a broadcast: records the results of the platforms, and changes the messages of up
-- to `batch_size` further recipients of one platform. At most 500 messages of a platform are in progress at
-- once, so that a large change does not delay other edits. If there is no progress for a day, the open
-- messages get the reason no_answer.
--
-- Locks: broadcast_changes, conversations, messages, connections, broadcasts.
-- Events: message.updated, message.deleted, delivery.updated, delivery.failed, delivery.uncertain,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Returns: 'continue' | 'idle' | 'ended'

-- Whether the chat of a delivery can still be written to.
CREATE OR REPLACE FUNCTION is_linked(d deliveries) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM links l JOIN connections k ON k.id = l.connection_id
    WHERE l.id = d.link_id AND l.removed_at IS NULL AND k.deleted_at IS NULL)
$$;

-- The outcome of a change that was handed to a delivery: 'changed', the reason why it failed, or null while
-- it is in progress.
CREATE OR REPLACE FUNCTION change_outcome(c broadcast_changes, d deliveries, wanted int) RETURNS text
  LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN d.id IS NULL THEN 'deleted'
    WHEN c.kind = 'recall' AND d.removal = 'done' THEN 'changed'
    WHEN c.kind = 'recall' AND d.removal = 'failed' THEN 'refused'
    WHEN c.kind = 'recall' AND d.removal IS NULL THEN 'not_sent'
    WHEN c.kind = 'edit' AND d.revision >= wanted AND d.status IN ('sent', 'delivered', 'read') THEN 'changed'
    WHEN c.kind = 'edit' AND d.removal IS NOT NULL THEN 'deleted'
    WHEN c.kind = 'edit' AND d.status IN ('failed', 'expired', 'blocked', 'canceled') THEN 'not_sent'
    WHEN c.kind = 'edit' AND d.wanted_revision < wanted THEN 'refused'
    WHEN NOT is_linked(d) THEN 'unlinked'
    WHEN d.status = 'uncertain' AND d.next_attempt_at IS NULL THEN 'uncertain'
    WHEN c.progressed_at < now() - interval '1 day' THEN 'no_answer' END
$$;

-- Records the results of messages that were handed to their platforms. Returns how many got one.
CREATE OR REPLACE FUNCTION settle_change(c broadcast_changes) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  settled int;
BEGIN
  WITH judged AS (
    SELECT x.recipient_id, change_outcome(c, d.delivery, x.revision) AS outcome
    FROM broadcast_change_recipients x LEFT JOIN LATERAL (SELECT e AS delivery FROM deliveries e
      WHERE e.message_id = x.recipient_id AND e.superseded_by IS NULL ORDER BY e.position DESC LIMIT 1) d
      ON true
    WHERE x.change_id = c.id AND x.result IS NULL
  ), updated AS (
    UPDATE broadcast_change_recipients x SET reason = nullif(j.outcome, 'changed'),
      result = CASE j.outcome WHEN 'changed' THEN 'changed' ELSE 'impossible' END
    FROM judged j WHERE j.outcome IS NOT NULL AND x.change_id = c.id AND x.recipient_id = j.recipient_id
    RETURNING x.platform, x.result
  ), counted AS (
    SELECT platform, count(*) AS n, count(*) FILTER (WHERE result = 'changed') AS changed
    FROM updated GROUP BY platform
  ), counted_up AS (
    UPDATE broadcast_change_platforms p SET open = p.open - t.n, changed = p.changed + t.changed,
      impossible = p.impossible + t.n - t.changed
    FROM counted t WHERE p.change_id = c.id AND p.platform = t.platform RETURNING t.n
  ) SELECT coalesce(sum(n), 0) INTO settled FROM counted_up;
  RETURN settled;
END $$;

-- Changes the message of one recipient. A null result means that the change was handed to the platform. A
-- message that cannot be changed on its platform is not changed here, because the recipient still sees the
-- original.
CREATE OR REPLACE FUNCTION change_message(c broadcast_changes, p broadcast_change_platforms,
  r broadcast_recipients, shared jsonb, OUT result text, OUT reason text, OUT revision int)
  LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  d deliveries;
  names text[] := placeholder_names(c.text);
  pieces text[] := placeholder_pieces(c.text);
  vars jsonb;
  answer json;
BEGIN
  SELECT * INTO m FROM messages WHERE id = r.id AND deleted_at IS NULL;
  SELECT * INTO d FROM deliveries WHERE message_id = r.id AND superseded_by IS NULL
  ORDER BY position DESC LIMIT 1;
  IF c.kind = 'edit' THEN
    SELECT recipient_values(r.variables, shared, u) INTO vars FROM users u WHERE u.id = r.user_id;
  END IF;
  result := 'impossible';
  reason := CASE WHEN m.id IS NULL THEN 'deleted'
    WHEN d.id IS NULL OR d.status NOT IN ('sent', 'delivered', 'read', 'uncertain') THEN 'not_sent'
    WHEN NOT is_linked(d) THEN 'unlinked'
    WHEN coalesce(d.sent_at, d.created_at) < now() - make_interval(secs => p.max_age_s) THEN 'too_old'
    WHEN c.kind = 'edit' AND is_unsendable_text(pieces, names, vars, m.attachments <> '[]')
      THEN 'missing_variable' END;
  IF reason IS NOT NULL THEN RETURN; END IF;
  answer := CASE c.kind WHEN 'recall' THEN delete_message(c.workspace_id, m.id, c.created_by, NULL, false)
    ELSE edit_message(c.workspace_id, m.id, jsonb_build_object('text', render_pieces(pieces, names, vars)),
      NULL, false) END;
  reason := CASE answer->>'problem' WHEN 'not_found' THEN 'deleted' WHEN 'invalid_state' THEN 'not_sent'
    ELSE answer->>'problem' END;
  IF reason IS NULL THEN
    result := NULL;
    revision := (answer->'record'->>'revision')::int;
  END IF;
END $$;

-- Processes the next batch of recipients of a platform. Returns its size.
CREATE OR REPLACE FUNCTION change_batch(c broadcast_changes, p broadcast_change_platforms, batch_size int)
  RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  shared jsonb := (SELECT variables FROM broadcasts WHERE id = c.broadcast_id);
  batch broadcast_recipients[];
  ids uuid[];
  last broadcast_recipients;
BEGIN
  batch := ARRAY(SELECT r FROM broadcast_recipients r
    WHERE r.broadcast_id = c.broadcast_id AND r.platform = p.platform
      AND (r.created_at, r.id) < (p.reached_at, p.reached_id)
    ORDER BY r.created_at DESC, r.id DESC
    LIMIT CASE WHEN p.supported THEN batch_size ELSE batch_size * 10 END);
  IF cardinality(batch) = 0 THEN
    UPDATE broadcast_change_platforms x SET ended = true,
      total = x.open + x.changed + x.unsupported + x.impossible
    WHERE x.change_id = c.id AND x.platform = p.platform;
    RETURN 0;
  END IF;
  last := batch[cardinality(batch)];
  ids := ARRAY(SELECT r.id FROM unnest(batch) r WHERE was_sent(r.status) ORDER BY r.id);
  IF p.supported THEN
    IF c.kind = 'recall' THEN
      PERFORM 1 FROM conversations WHERE id IN (SELECT conversation_id FROM messages WHERE id = ANY (ids))
      ORDER BY id FOR NO KEY UPDATE;
    END IF;
    PERFORM 1 FROM messages WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  END IF;
  WITH done AS (
    INSERT INTO broadcast_change_recipients (change_id, recipient_id, workspace_id, platform, result, reason,
      revision)
    SELECT c.id, r.id, c.workspace_id, p.platform, x.result, x.reason, x.revision
    FROM unnest(batch) r CROSS JOIN LATERAL (
      SELECT 'unsupported' AS result, NULL AS reason, NULL::int AS revision WHERE NOT p.supported
      UNION ALL SELECT o.result, o.reason, o.revision FROM change_message(c, p, r, shared) o
      WHERE p.supported) x
    WHERE was_sent(r.status)
    RETURNING result
  )
  UPDATE broadcast_change_platforms x SET reached_at = last.created_at, reached_id = last.id,
    worked_at = clock_timestamp(), open = x.open + d.open, unsupported = x.unsupported + d.unsupported,
    impossible = x.impossible + d.impossible
  FROM (SELECT count(*) FILTER (WHERE result IS NULL) AS open,
    count(*) FILTER (WHERE result = 'unsupported') AS unsupported,
    count(*) FILTER (WHERE result = 'impossible') AS impossible FROM done) d
  WHERE x.change_id = c.id AND x.platform = p.platform;
  RETURN cardinality(batch);
END $$;

-- The delay until the next check. It is short after progress and grows without progress.
CREATE OR REPLACE FUNCTION change_poll_delay(c broadcast_changes) RETURNS interval LANGUAGE sql STABLE AS $$
  SELECT least(interval '30 s', greatest(interval '1 s', (now() - c.progressed_at) / 4))
$$;

CREATE OR REPLACE FUNCTION process_broadcast_change(change uuid, batch_size int) RETURNS text LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  window_size CONSTANT int := 500;
  c broadcast_changes;
  p broadcast_change_platforms;
  worked int := 0;
BEGIN
  SELECT * INTO c FROM broadcast_changes WHERE id = change FOR NO KEY UPDATE;
  IF NOT FOUND OR c.status NOT IN ('running', 'stopping') THEN RETURN 'ended'; END IF;
  IF settle_change(c) > 0 THEN c.progressed_at := now(); END IF;
  IF c.status = 'running' THEN
    SELECT * INTO p FROM broadcast_change_platforms
    WHERE change_id = c.id AND NOT ended AND open <= window_size - least(batch_size, window_size)
    ORDER BY worked_at, platform LIMIT 1;
    IF FOUND THEN
      worked := change_batch(c, p, least(batch_size, window_size));
      c.progressed_at := now();
    END IF;
  END IF;
  IF NOT EXISTS (SELECT FROM broadcast_change_platforms
    WHERE change_id = c.id AND (open > 0 OR NOT ended AND c.status = 'running')) THEN
    UPDATE broadcast_changes SET status = CASE status WHEN 'stopping' THEN 'stopped' ELSE 'completed' END,
      progressed_at = c.progressed_at, ended_at = now() WHERE id = c.id;
    RETURN 'ended';
  END IF;
  UPDATE broadcast_changes SET progressed_at = c.progressed_at, look_at = now() + interval '15 s'
  WHERE id = c.id;
  IF p.change_id IS NOT NULL THEN RETURN 'continue'; END IF;
  PERFORM queue_broadcast_change(c.id, change_poll_delay(c));
  RETURN 'idle';
END $$;
