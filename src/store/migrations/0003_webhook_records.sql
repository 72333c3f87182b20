-- Webhooks: their records in the shape of the interface, and the moves of their deliveries. Each move is one function,
-- so that a claim or the consequences of a try are one round trip and one transaction.

ALTER TABLE webhooks ADD COLUMN wake_at timestamptz, ADD COLUMN next_start_at timestamptz;
COMMENT ON COLUMN webhooks.wake_at IS 'A reminder is on its way for then; no other is sent before.';
COMMENT ON COLUMN webhooks.next_start_at IS 'When the rate limit allows the next delivery.';

CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook_id)
  WHERE status = 'pending' AND leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

-- The 128 bits in Crockford's base 32, five bits a character.
CREATE FUNCTION ulid_text(id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    substring(b FROM i * 5 + 1 FOR 5)::bit(5)::int + 1, 1), '' ORDER BY i)
  FROM (SELECT B'00' || ('x' || replace(id::text, '-', ''))::bit(128) AS b) bits, generate_series(0, 25) AS i
$$;

-- secret is filled in by whoever may show it.
CREATE FUNCTION webhook_record(w webhooks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', w.id, 'url', w.url, 'events', w.events, 'scopes', w.scopes, 'secret', NULL, 'secret_hint', w.secret_hint,
    'api_version', w.api_version, 'status', w.status,
    'headers', coalesce((SELECT json_object_agg(name, '***') FROM unnest(w.header_names) AS name), '{}'),
    'description', w.description, 'rate_limit', w.rate_limit, 'failing_since', wire_time(w.failing_since),
    'last_success_at', wire_time(w.last_success_at), 'last_failure_at', wire_time(w.last_failure_at),
    'created_by', w.created_by, 'created_by_key', w.created_by_key, 'disabled_reason', w.disabled_reason,
    'metadata', w.metadata,
    'created_at', wire_time(w.created_at), 'updated_at', wire_time(w.updated_at))
$$;

CREATE FUNCTION webhook_delivery_record(d webhook_deliveries) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', d.id, 'webhook_id', d.webhook_id, 'event_id', 'whk_' || ulid_text(d.event_id), 'event', d.event,
    'status', d.status, 'next_attempt_at', wire_time(d.next_attempt_at), 'attempts', d.attempts,
    'created_at', wire_time(d.created_at), 'updated_at', wire_time(d.updated_at))
$$;

-- Whether anybody may ever see events of a workspace; moves: those called delivery.updated.
CREATE FUNCTION events_heard(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = workspace AND i.until > now())
$$;

CREATE FUNCTION moves_heard(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = workspace AND i.moves_until > now())
$$;

-- Whether anybody may see any event of these workspaces.
CREATE FUNCTION any_heard(workspaces uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = ANY (workspaces) AND greatest(i.until, i.moves_until) > now())
$$;

-- A stream of events is open: what happens from now on is recorded for as long as the stream may be resumed. Answers whether
-- nothing was recorded before; then what began before this commit may still go unrecorded.
CREATE FUNCTION hear_events(workspace uuid, moves boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  i event_interest;
BEGIN
  SELECT * INTO i FROM event_interest WHERE workspace_id = workspace;
  IF i.until > now() + interval '24 hours' AND (NOT moves OR i.moves_until > now() + interval '24 hours') THEN RETURN false; END IF;
  INSERT INTO event_interest AS x (workspace_id, until, moves_until)
  VALUES (workspace, now() + interval '25 hours', CASE WHEN moves THEN now() + interval '25 hours' ELSE '-infinity' END)
  ON CONFLICT (workspace_id) DO UPDATE SET until = greatest(x.until, excluded.until), moves_until = greatest(x.moves_until, excluded.moves_until);
  RETURN i.until IS NULL OR i.until <= now() OR (moves AND i.moves_until <= now());
END $$;

-- A webhook hears without end, also while it is disabled for its failures, since those events are kept for it. What its
-- receiver saw last may be where a stream goes on within a day, so the interest outlives the webhook by that.
CREATE FUNCTION follow_webhook_interest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_interest (workspace_id) VALUES (NEW.workspace_id) ON CONFLICT DO NOTHING;
  PERFORM 1 FROM event_interest WHERE workspace_id = NEW.workspace_id FOR UPDATE;
  UPDATE event_interest i SET
    until = CASE WHEN h.all_events THEN 'infinity' WHEN i.until = 'infinity' THEN now() + interval '25 hours' ELSE i.until END,
    moves_until = CASE WHEN h.moves THEN 'infinity' WHEN i.moves_until = 'infinity' THEN now() + interval '25 hours' ELSE i.moves_until END
  FROM (SELECT count(*) > 0 AS all_events, coalesce(bool_or(w.events && '{delivery.updated,delivery.*}'), false) AS moves
    FROM webhooks w WHERE w.workspace_id = NEW.workspace_id AND w.status <> 'disabled' AND w.deleted_at IS NULL) h
  WHERE i.workspace_id = NEW.workspace_id;
  RETURN NULL;
END $$;

CREATE TRIGGER webhooks_interest AFTER INSERT OR UPDATE OF status, events, deleted_at ON webhooks
  FOR EACH ROW EXECUTE FUNCTION follow_webhook_interest();

-- Since when a webhook gets what it asks for: what happened before is not brought to it later.
ALTER TABLE webhooks ADD COLUMN subscribed_at timestamptz(3) NOT NULL DEFAULT now(), ADD COLUMN former_subscription jsonb;
COMMENT ON COLUMN webhooks.former_subscription IS 'What it asked for before subscribed_at, and since when: {"events", "scopes", "since"}. Some of that may still be on its way.';

CREATE FUNCTION note_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'disabled' AND NEW.status <> 'disabled' THEN
    NEW.subscribed_at := now();
    NEW.former_subscription := NULL;
  ELSIF NOT NEW.events <@ OLD.events THEN
    NEW.former_subscription := jsonb_build_object('events', OLD.events, 'scopes', OLD.scopes, 'since', OLD.subscribed_at);
    NEW.subscribed_at := now();
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER webhooks_subscribed BEFORE UPDATE OF status, events ON webhooks FOR EACH ROW EXECUTE FUNCTION note_subscription();

CREATE TABLE fan_out_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0,
  next_position bigint NOT NULL DEFAULT 0,
  sampled_at timestamptz NOT NULL DEFAULT '-infinity',
  next_xid xid8
);
COMMENT ON TABLE fan_out_progress IS 'Up to where it is certain that events reached the deliveries of webhooks, although a queue may lose its jobs.';
COMMENT ON COLUMN fan_out_progress.next_position IS 'May be looked at when every transaction before next_xid has ended: none can add an event below any more.';
INSERT INTO fan_out_progress DEFAULT VALUES;

-- Events in a range that a webhook may want and none has a delivery of. Most of them are wanted by nobody.
CREATE FUNCTION untold_events(after bigint, upto bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
  WITH range AS MATERIALIZED (
    SELECT e.id, e.position, e.workspace_id, e.occurred_at FROM events e WHERE e.position > after AND e.position <= upto
  ), told AS MATERIALIZED (
    SELECT d.event_id FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
    WHERE w.workspace_id IN (SELECT workspace_id FROM range) AND d.created_at >= (SELECT min(occurred_at) FROM range)
  )
  SELECT r.position FROM range r WHERE r.id NOT IN (SELECT event_id FROM told) AND EXISTS (
    SELECT FROM webhooks w WHERE w.workspace_id = r.workspace_id AND w.status <> 'disabled' AND w.deleted_at IS NULL
      AND coalesce((w.former_subscription->>'since')::timestamptz, w.subscribed_at) <= r.occurred_at)
  ORDER BY r.position
$$;

-- The next portion of events to look at again, once they are ten seconds old: those of the last moments are left to
-- their reminders. `upto` is null when there is none now. Every process may ask; who has brought them confirms it.
CREATE FUNCTION recheck_events(most int) RETURNS TABLE (upto bigint, untold bigint[]) LANGUAGE plpgsql AS $$
DECLARE
  p fan_out_progress;
BEGIN
  SELECT * INTO p FROM fan_out_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  IF p.next_position <= p.position THEN
    UPDATE fan_out_progress SET next_position = coalesce((SELECT max(position) FROM events), 0),
      sampled_at = clock_timestamp(), next_xid = NULL;
  ELSIF p.next_xid IS NULL THEN
    UPDATE fan_out_progress SET next_xid = pg_snapshot_xmax(pg_current_snapshot())
    WHERE sampled_at < clock_timestamp() - interval '1 s';
  ELSIF p.sampled_at < clock_timestamp() - interval '9 s' AND pg_snapshot_xmin(pg_current_snapshot()) >= p.next_xid THEN
    upto := least(p.next_position, p.position + most);
    untold := ARRAY(SELECT untold_events(p.position, upto));
    RETURN NEXT;
  END IF;
END $$;

-- What must not be in flight twice to one endpoint.
CREATE FUNCTION event_subject(e events) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE split_part(e.type, '.', 1)
    WHEN 'call' THEN e.data->>'id'
    WHEN 'user' THEN coalesce(e.data->>'user_id', e.data->>'id')
    WHEN 'location' THEN e.data->>'user_id'
    WHEN 'tracking' THEN e.data->>'id'
    WHEN 'broadcast' THEN e.data->>'id'
    WHEN 'platform' THEN e.data->>'id'
    WHEN 'webhook' THEN e.data->>'webhook_id'
    ELSE e.conversation_id::text END, '')
$$;

CREATE FUNCTION wake_webhooks(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload)
  SELECT 'webhook', jsonb_build_object('webhook_id', id) FROM (SELECT DISTINCT unnest(ids) AS id) w
$$;

-- Adds deliveries and leases those that nothing stands in the way of to whoever adds them; the rest is due, or dead where the
-- webhook was disabled for its failures. The lock lets no claim of the same webhook count meanwhile, and nobody disable it. A row
-- without id names a webhook that has something due.
CREATE FUNCTION add_webhook_deliveries(workspaces uuid[], hooks uuid[], positions bigint[], ids uuid[], types text[],
  subjects text[], room int, max_parallel int, lease interval)
RETURNS TABLE (hook uuid, id uuid, lease_end text, event_position bigint) LANGUAGE plpgsql ROWS 20
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
  idle uuid[];
BEGIN
  PERFORM FROM webhooks w WHERE w.id = ANY (hooks) ORDER BY w.id FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  idle := ARRAY(
    SELECT w.id FROM webhooks w
    WHERE w.id = ANY (hooks) AND w.status = 'enabled' AND w.deleted_at IS NULL AND w.failing_since IS NULL
      AND w.rate_limit IS NULL AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_attempt_at <= moment)
    LIMIT room);
  RETURN QUERY
  WITH given AS (
    SELECT n.*, CASE w.status WHEN 'enabled' THEN 'pending' ELSE 'dead' END AS status,
      row_number() OVER (PARTITION BY n.hook ORDER BY n.position) AS place,
      row_number() OVER (PARTITION BY n.hook, n.subject ORDER BY n.position) AS turn
    FROM unnest(workspaces, hooks, positions, ids, types, subjects) AS n (workspace, hook, position, event, type, subject)
    JOIN webhooks w ON w.id = n.hook AND w.status <> 'disabled' AND w.deleted_at IS NULL
  ), added AS (
    INSERT INTO webhook_deliveries AS d (workspace_id, webhook_id, event_position, event_id, event, subject, status,
      next_attempt_at, leased_until)
    SELECT g.workspace, g.hook, g.position, g.event, g.type, g.subject, g.status,
      CASE WHEN g.status = 'pending' THEN moment END,
      CASE WHEN g.status = 'pending' AND g.hook = ANY (idle) AND g.place <= max_parallel AND (g.turn = 1 OR g.subject = '')
        THEN moment + lease END
    FROM given g ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING d.webhook_id, d.id, d.leased_until, d.event_position, d.status
  )
  SELECT a.webhook_id, a.id, a.leased_until::text, a.event_position FROM added a WHERE a.leased_until IS NOT NULL
  UNION ALL
  SELECT DISTINCT a.webhook_id, NULL::uuid, NULL, NULL::bigint FROM added a
  WHERE a.status = 'pending' AND a.leased_until IS NULL;
END $$;

-- Takes due deliveries, oldest first. The lock on the webhook lets one claim count at a time.
CREATE FUNCTION claim_webhook_deliveries(hook uuid, room int, max_parallel int, lease interval)
RETURNS TABLE (id uuid, lease_end text, tries int, start_in_ms double precision, event_id uuid, event_position bigint)
LANGUAGE plpgsql ROWS 2
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  w webhooks;
  free int;
  start_at timestamptz;
  taken int;
  moment timestamptz;
  busy text[] := '{}';
BEGIN
  -- A lost lease only means one try more, so its commit need not wait for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO w FROM webhooks h WHERE h.id = hook AND h.status = 'enabled' AND h.deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();
  start_at := greatest(moment, w.next_start_at);
  free := least(room, max_parallel - (
    SELECT count(*) FROM webhook_deliveries d
    WHERE d.webhook_id = hook AND d.status = 'pending' AND d.leased_until IS NOT NULL
      AND d.leased_until > moment),
    floor(extract(epoch FROM moment + interval '1 second' - start_at) * w.rate_limit));
  IF free <= 0 THEN RETURN; END IF;
  IF w.failing_since IS NULL THEN
    busy := ARRAY(SELECT d.subject FROM webhook_deliveries d
      WHERE d.webhook_id = hook AND d.status = 'pending' AND d.leased_until IS NOT NULL AND d.leased_until > moment
        AND d.subject <> '');
  END IF;
  RETURN QUERY
  WITH candidates AS (
    SELECT d.id, d.subject, d.event_position, d.next_attempt_at FROM webhook_deliveries d
    WHERE d.webhook_id = hook AND d.status = 'pending' AND d.next_attempt_at <= moment
      AND (d.leased_until IS NULL OR d.leased_until <= moment) AND d.subject <> ALL (busy)
    ORDER BY d.next_attempt_at, d.event_position LIMIT 50
  ), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.subject ORDER BY c.event_position) AS place FROM candidates c
  ), picked AS (
    SELECT d.id, d.event_position FROM webhook_deliveries d JOIN ranked r ON r.id = d.id
    WHERE w.failing_since IS NOT NULL OR r.subject = '' OR r.place = 1
    ORDER BY r.next_attempt_at, r.event_position LIMIT free FOR UPDATE OF d SKIP LOCKED
  ), numbered AS (
    SELECT p.id, row_number() OVER (ORDER BY p.event_position) - 1 AS n FROM picked p
  ), claimed AS (
    UPDATE webhook_deliveries d SET leased_until = moment + lease FROM numbered n WHERE d.id = n.id
    RETURNING d.*, n.n
  )
  SELECT c.id, c.leased_until::text, c.tries,
    extract(epoch FROM start_at - moment + make_interval(secs => c.n / coalesce(w.rate_limit, 'Infinity'::float8)))
      ::double precision * 1000, c.event_id, c.event_position
  FROM claimed c ORDER BY c.event_position;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF w.rate_limit IS NOT NULL AND taken > 0 THEN
    UPDATE webhooks h SET next_start_at = start_at + make_interval(secs => taken::float8 / w.rate_limit) WHERE h.id = hook;
  END IF;
END $$;

-- Pending deliveries that nobody works at end; the others end when their try is recorded.
CREATE FUNCTION end_pending_webhook_deliveries(hook uuid, final text) RETURNS void LANGUAGE sql AS $$
  UPDATE webhook_deliveries SET status = final, next_attempt_at = NULL, leased_until = NULL, updated_at = now()
  WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE webhook_id = hook AND status = 'pending'
      AND (leased_until IS NULL OR leased_until <= clock_timestamp()) FOR UPDATE SKIP LOCKED)
$$;

-- Disables an enabled webhook and tells the others. Locks the webhook, then its pending deliveries.
CREATE FUNCTION auto_disable_webhook(hook uuid, reason text, message text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid;
BEGIN
  UPDATE webhooks SET status = 'auto_disabled', disabled_reason = reason, updated_at = now()
  WHERE id = hook AND status = 'enabled' AND deleted_at IS NULL RETURNING workspace_id INTO workspace;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM end_pending_webhook_deliveries(hook, 'dead');
  INSERT INTO events (workspace_id, type, data)
  VALUES (workspace, 'webhook.disabled', json_build_object('webhook_id', hook, 'message', message));
END $$;

-- Whatever revokes a key ends the webhooks that it registered, unless the revocation keeps them. Locks the webhooks by id.
CREATE FUNCTION end_webhooks_of_revoked_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM auto_disable_webhook(h.id, 'key_revoked', 'The API key that registered this webhook was revoked.')
  FROM (SELECT id FROM webhooks WHERE created_by_key = NEW.id AND status = 'enabled' AND deleted_at IS NULL ORDER BY id) h;
  RETURN NULL;
END $$;

CREATE TRIGGER api_keys_revoked AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND NOT NEW.keeps_webhooks)
  EXECUTE FUNCTION end_webhooks_of_revoked_key();

-- Ends the webhooks of keys that have expired, each key once. Locks the keys, then their webhooks, each by id.
CREATE FUNCTION end_webhooks_of_expired_keys() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  expired uuid[];
BEGIN
  WITH due AS (
    SELECT id FROM api_keys WHERE expires_at <= now() AND NOT expiry_handled ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
  ), handled AS (
    UPDATE api_keys SET expiry_handled = true WHERE id IN (SELECT id FROM due) RETURNING id
  ) SELECT array_agg(id) INTO expired FROM handled;
  IF expired IS NULL THEN RETURN; END IF;
  PERFORM auto_disable_webhook(h.id, 'key_expired', 'The API key that registered this webhook has expired.')
  FROM (SELECT id FROM webhooks WHERE created_by_key = ANY (expired) AND status = 'enabled' AND deleted_at IS NULL ORDER BY id) h;
END $$;

-- Records one try under its lease and what follows for the endpoint, and whether that has something due which nobody works
-- at. No row when the lease belongs to another by now. (Without its own estimates of rows the planner reads whole tables; it does
-- so as well for what it takes for frequent, such as something due while much of it is.)
CREATE FUNCTION record_webhook_try(delivery uuid, lease timestamptz, attempt jsonb, verdict text,
  retry_in_ms double precision, gone boolean, failing_limit interval)
RETURNS TABLE (status text, more boolean) LANGUAGE plpgsql ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  d webhook_deliveries;
  w webhooks;
BEGIN
  UPDATE webhook_deliveries SET status = verdict, attempts = attempts || attempt, tries = tries + 1,
    next_attempt_at = CASE WHEN verdict = 'pending' THEN now() + make_interval(secs => retry_in_ms / 1000) END,
    leased_until = NULL, updated_at = now()
  WHERE id = delivery AND leased_until = lease RETURNING * INTO d;
  IF NOT FOUND THEN RETURN; END IF;
  IF verdict = 'succeeded' THEN
    -- At most once a second: the row of a busy endpoint must not become the bottleneck.
    UPDATE webhooks SET last_success_at = now(), failing_since = NULL
    WHERE id = d.webhook_id AND (failing_since IS NOT NULL OR last_success_at IS NULL
      OR last_success_at < now() - interval '1 second');
  ELSE
    UPDATE webhooks SET last_failure_at = now(), failing_since = coalesce(failing_since, now())
    WHERE id = d.webhook_id RETURNING * INTO w;
    IF gone THEN
      PERFORM auto_disable_webhook(w.id, 'gone', 'The receiver answered 410.');
    ELSIF w.failing_since <= now() - failing_limit THEN
      PERFORM auto_disable_webhook(w.id, 'failing', 'All deliveries failed for too long.');
    END IF;
    SELECT * INTO w FROM webhooks WHERE id = w.id;
    IF d.status = 'pending' AND (w.status <> 'enabled' OR w.deleted_at IS NOT NULL) THEN
      UPDATE webhook_deliveries SET status = CASE WHEN w.status = 'auto_disabled' AND w.deleted_at IS NULL
        THEN 'dead' ELSE 'canceled' END, next_attempt_at = NULL WHERE id = d.id AND status = 'pending';
    END IF;
    SELECT * INTO d FROM webhook_deliveries WHERE id = delivery;
  END IF;
  RETURN QUERY SELECT d.status, coalesce((SELECT true FROM webhook_deliveries o
    WHERE o.webhook_id = d.webhook_id AND o.status = 'pending' AND o.next_attempt_at <= clock_timestamp()
      AND (o.leased_until IS NULL OR o.leased_until <= clock_timestamp()) ORDER BY o.next_attempt_at LIMIT 1), false);
END $$;

-- Sends one reminder for the time the next delivery is due, unless an earlier one is on its way.
CREATE FUNCTION wake_webhook_when_due(hook uuid, at_least interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz;
BEGIN
  SELECT min(greatest(next_attempt_at, leased_until)) INTO due
  FROM webhook_deliveries WHERE webhook_id = hook AND status = 'pending';
  IF due IS NULL THEN RETURN; END IF;
  due := greatest(due, clock_timestamp() + at_least);
  UPDATE webhooks SET wake_at = due
  WHERE id = hook AND status = 'enabled' AND (wake_at IS NULL OR wake_at <= clock_timestamp() OR wake_at > due);
  IF FOUND THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('webhook', jsonb_build_object('webhook_id', hook), due);
  END IF;
END $$;
