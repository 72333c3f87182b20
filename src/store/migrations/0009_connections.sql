-- Connections: their states, the lease of the one process that owns the ingress, and what restarts a live adapter.

-- Moves a connection and tells of it. A state in which the connection no longer is moves nothing; the same state with
-- other health is recorded without an event. What the adapter of an older generation has to say concerns no one any more.
CREATE FUNCTION move_connection(connection uuid, froms text[], target text, new_health jsonb, who jsonb, problem jsonb,
  of_generation int DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c connections;
  old text;
  event text;
BEGIN
  SELECT * INTO c FROM connections WHERE id = connection AND deleted_at IS NULL AND status = ANY (froms)
    AND generation = coalesce(of_generation, generation) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  old := c.status;
  target := coalesce(target, old);
  IF old = target AND c.health->>'code' = new_health->>'code' AND c.health->>'message' = new_health->>'message'
    AND c.health->>'fix' IS NOT DISTINCT FROM new_health->>'fix' AND (who IS NULL OR c.identity = who) THEN RETURN true; END IF;
  UPDATE connections SET status = target, updated_at = now(),
    health = new_health || jsonb_build_object('since', CASE WHEN c.health->>'code' = new_health->>'code'
      THEN c.health->>'since' ELSE wire_time(now()) END),
    identity = coalesce(who, identity),
    last_error = CASE WHEN problem IS NOT NULL THEN problem WHEN target = 'connected' THEN NULL ELSE last_error END
  WHERE id = c.id RETURNING * INTO c;
  event := CASE WHEN old = target THEN NULL
    WHEN target = 'connected' THEN 'platform.connected'
    WHEN target IN ('degraded', 'disabled') THEN 'platform.disconnected'
    WHEN target = 'error' THEN 'platform.error' END;
  IF event IS NOT NULL THEN
    INSERT INTO events (workspace_id, type, data, extra) VALUES (c.workspace_id, event, connection_record(c),
      json_build_object('previous', json_build_object('status', old)));
  END IF;
  IF target = 'connected' AND new_health->>'code' = 'ok' THEN PERFORM wake_connections(ARRAY[c.id]); END IF;
  -- The other processes call it no more either.
  IF target = 'error' THEN PERFORM pg_notify('connections', c.id::text); END IF;
  RETURN true;
END $$;

-- The platform asked the whole account to wait. A wait of more than a minute shows on the connection. An older generation may
-- have been another account.
CREATE FUNCTION pause_connection(connection uuid, until timestamptz, of_generation int DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE connections SET paused_until = greatest(paused_until, until)
  WHERE id = connection AND generation = coalesce(of_generation, generation);
  IF FOUND AND until > now() + interval '60 s' THEN
    PERFORM move_connection(connection, ARRAY['connected', 'degraded'], 'degraded', jsonb_build_object('code', 'rate_limited',
      'message', format('The platform asked to wait until %s.', wire_time(until)), 'fix', NULL), NULL, NULL);
  END IF;
END $$;

-- Waits that are over.
CREATE FUNCTION end_pauses() RETURNS void LANGUAGE sql AS $$
  SELECT move_connection(id, ARRAY['degraded'], 'connected', '{"code":"ok","message":"Connected.","fix":null}', NULL, NULL)
  FROM connections WHERE status = 'degraded' AND health->>'code' = 'rate_limited' AND deleted_at IS NULL
    AND (paused_until IS NULL OR paused_until <= now()) LIMIT 100
$$;

-- New credentials, settings or name. Whatever the live adapter depends on raises the generation and so restarts it. A wait of
-- the account ends early with other credentials, and when somebody reconnects.
-- `merged_with`: the generation whose settings and credentials the new ones were merged with. When it is over: {"stale": true}.
CREATE FUNCTION change_connection(workspace uuid, connection uuid, patch jsonb, sealed bytea, names text[],
  merged_with bigint DEFAULT NULL)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c connections;
  old connections;
  restart boolean;
BEGIN
  SELECT * INTO old FROM connections WHERE id = connection AND workspace_id = workspace AND deleted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF old.generation <> merged_with AND (sealed IS NOT NULL OR patch ? 'settings') THEN RETURN '{"stale":true}'; END IF;
  restart := sealed IS NOT NULL OR (patch ? 'settings' AND patch->'settings' <> old.settings)
    OR (patch ? 'enabled' AND (patch->>'enabled')::boolean <> old.enabled);
  IF NOT restart AND coalesce(patch->>'name', old.name) = old.name THEN
    RETURN json_build_object('record', connection_record(old));
  END IF;
  UPDATE connections SET name = coalesce(patch->>'name', name), settings = coalesce(patch->'settings', settings),
    credentials = coalesce(sealed, credentials), credentials_set = coalesce(names, credentials_set),
    enabled = coalesce((patch->>'enabled')::boolean, enabled), generation = generation + restart::int,
    paused_until = CASE WHEN sealed IS NULL THEN paused_until END, updated_at = now()
  WHERE id = connection RETURNING * INTO c;
  IF NOT c.enabled AND old.status <> 'disabled' THEN
    PERFORM move_connection(c.id, ARRAY[old.status], 'disabled', '{"code":"disabled","message":"Switched off.","fix":null}', NULL, NULL);
  ELSIF c.enabled AND restart THEN
    PERFORM move_connection(c.id, ARRAY[old.status], 'connecting', '{"code":"connecting","message":"Connecting.","fix":null}', NULL, NULL);
  END IF;
  SELECT * INTO c FROM connections WHERE id = connection;
  PERFORM pg_notify('connections', c.id::text);
  RETURN json_build_object('record', connection_record(c));
END $$;

-- Removes a connection: its links go, unsent deliveries are canceled, and what was scheduled for these links alone.
CREATE FUNCTION delete_connection(workspace uuid, connection uuid) RETURNS json LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  c connections;
  l links;
  chats uuid[] := '{}';
BEGIN
  SELECT * INTO c FROM connections WHERE id = connection AND workspace_id = workspace AND deleted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF c.status <> 'disabled' THEN
    PERFORM move_connection(c.id, ARRAY[c.status], 'disabled', '{"code":"disabled","message":"Removed.","fix":null}', NULL, NULL);
  END IF;
  -- Each in words of an index: those in their lanes, and those beside them.
  PERFORM cancel_deliveries(ARRAY(SELECT d.id FROM deliveries d WHERE d.connection_id = c.id AND d.duty = 'send' AND d.status = 'queued'
    UNION ALL SELECT d.id FROM deliveries d WHERE d.connection_id = c.id AND d.held AND d.status = 'queued'));
  FOR l IN UPDATE links SET removed_at = now(), updated_at = now() WHERE connection_id = c.id AND removed_at IS NULL RETURNING * LOOP
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT v.workspace_id, 'conversation.link_removed', v.id, conversation_record(v, NULL), json_build_object('link', link_record(l))
    FROM conversations v WHERE v.id = l.conversation_id;
    IF l.direction <> 'inbound' THEN chats := chats || l.conversation_id; END IF;
  END LOOP;
  PERFORM cancel_unlinked(chats);
  UPDATE connections SET deleted_at = now(), enabled = false, credentials = NULL, updated_at = now() WHERE id = c.id;
  PERFORM pg_notify('connections', c.id::text);
  RETURN json_build_object('record', json_build_object('id', c.id));
END $$;

-- Lets the live adapter start anew, also after its credentials were refused. Somebody asked for it, so a wait of the account ends
-- as well: a platform that asks for a day by mistake can't be told otherwise.
CREATE FUNCTION restart_connection(workspace uuid, connection uuid) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c connections;
BEGIN
  UPDATE connections SET generation = generation + 1, paused_until = NULL
  WHERE id = connection AND workspace_id = workspace AND deleted_at IS NULL AND enabled RETURNING * INTO c;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  PERFORM move_connection(c.id, ARRAY[c.status], 'connecting', '{"code":"connecting","message":"Connecting.","fix":null}', NULL, NULL);
  PERFORM pg_notify('connections', c.id::text);
  SELECT * INTO c FROM connections WHERE id = connection;
  RETURN json_build_object('record', connection_record(c));
END $$;

-- Turns of an account, `spacing` apart: reserves the next `amount` of them, whoever else does so in whatever process. A
-- turn that nobody took may be made up for within `leeway`. Answers the milliseconds until the first.
CREATE FUNCTION reserve_turns(connection uuid, amount int, spacing interval, leeway interval) RETURNS double precision LANGUAGE sql AS $$
  INSERT INTO rate_buckets AS r (connection_id, key, workspace_id, next_at, idle_at)
  SELECT id, 'account', workspace_id, clock_timestamp() + amount * spacing, clock_timestamp() + amount * spacing + leeway
  FROM connections WHERE id = connection
  ON CONFLICT (connection_id, key) DO UPDATE SET next_at = greatest(r.next_at, clock_timestamp() - leeway) + amount * spacing,
    idle_at = greatest(r.next_at, clock_timestamp()) + amount * spacing + leeway
  RETURNING extract(epoch FROM next_at - amount * spacing - clock_timestamp()) * 1000
$$;

-- When a bucket has room for `amount`: `taken` are the times of its last writes, of which it allows `most` within `per_ms`.
CREATE FUNCTION room_in(taken timestamptz[], held_until timestamptz, most int, per_ms int, amount int) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(held_until, CASE WHEN cardinality(taken) > most - amount
    THEN taken[cardinality(taken) - most + amount] + per_ms * interval '1 ms' END)
$$;

-- A bucket of the n-th write that asks for room.
CREATE TYPE wanted_room AS (n int, chat text, patience_ms int, key text, most int, per_ms int, amount int);
-- From when there is room for the n-th write, and from when there is room for another one like it.
CREATE TYPE found_room AS (n int, chat text, at timestamptz, next timestamptz);

-- Room for writes, where there is some within their patience; what has to wait for longer takes none. No two of them share a
-- bucket. The caller holds the locks.
CREATE FUNCTION take_rooms(connection uuid, wanted wanted_room[], moment timestamptz) RETURNS SETOF found_room LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
  RETURN QUERY WITH asked AS MATERIALIZED (
    SELECT w.*, r.place, max(greatest(moment, room_in(r.taken, r.held_until, w.most, w.per_ms, w.amount))) OVER (PARTITION BY w.n) AS at
    FROM unnest(wanted) w CROSS JOIN LATERAL (
      SELECT x.ctid AS place, x.taken, x.held_until FROM rate_buckets x WHERE x.connection_id = connection AND x.key = w.key OFFSET 0) r
  ), taken AS (
    UPDATE rate_buckets r SET
      taken = (r.taken || array_fill(a.at, ARRAY[a.amount]))[greatest(1, cardinality(r.taken) + a.amount - a.most + 1):],
      idle_at = greatest(r.idle_at, a.at + a.per_ms * interval '1 ms')
    FROM asked a WHERE r.ctid = a.place AND a.at <= moment + a.patience_ms * interval '1 ms'
    RETURNING a.n, room_in(r.taken, r.held_until, a.most, a.per_ms, a.amount) AS next
  )
  SELECT a.n, min(a.chat), min(a.at), coalesce((SELECT max(t.next) FROM taken t WHERE t.n = a.n), min(a.at)) FROM asked a GROUP BY a.n;
END $$;

-- Takes room for writes, each given as {"chat", "patience_ms", "buckets": [{"key", "count", "per_ms", "amount"}]}: one after the
-- other where they share buckets, the others together. Answers for each the milliseconds to wait. The lanes of chats
-- without room are held until there is.
CREATE FUNCTION take_room(connection uuid, writes jsonb) RETURNS double precision[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  wanted wanted_room[] := ARRAY(
    SELECT ROW(w.n, w.write->>'chat', (w.write->>'patience_ms')::int, b.key, b.count, b.per_ms, b.amount)::wanted_room
    FROM jsonb_array_elements(writes) WITH ORDINALITY AS w (write, n)
    CROSS JOIN LATERAL jsonb_to_recordset(w.write->'buckets') b (key text, count int, per_ms int, amount int));
  sharing int[] := ARRAY(SELECT DISTINCT s.n FROM (
    SELECT w.n, count(*) OVER (PARTITION BY w.key) AS users FROM unnest(wanted) w) s WHERE s.users > 1 ORDER BY s.n);
  keys text[] := ARRAY(SELECT DISTINCT w.key FROM unnest(wanted) w ORDER BY 1);
  moment timestamptz;
  found found_room[];
  full_chats jsonb;
BEGIN
  -- All of them under lock, in the order of their keys, so that two processes never wait for each other.
  INSERT INTO rate_buckets (connection_id, key, workspace_id, idle_at)
  SELECT c.id, k.key, c.workspace_id, clock_timestamp() FROM connections c CROSS JOIN unnest(keys) AS k (key) WHERE c.id = connection
  ORDER BY k.key ON CONFLICT DO NOTHING;
  PERFORM 1 FROM rate_buckets WHERE connection_id = connection AND key = ANY (keys) ORDER BY key FOR NO KEY UPDATE;
  moment := clock_timestamp();
  found := ARRAY(SELECT f FROM take_rooms(connection, ARRAY(SELECT w FROM unnest(wanted) w WHERE w.n <> ALL (sharing)), moment) f);
  FOR i IN 1 .. cardinality(sharing) LOOP
    found := found || ARRAY(SELECT f FROM take_rooms(connection, ARRAY(SELECT w FROM unnest(wanted) w WHERE w.n = sharing[i]), moment) f);
  END LOOP;
  SELECT jsonb_agg(jsonb_build_object('chat', f.chat, 'until', f.next)) INTO full_chats FROM unnest(found) f WHERE f.next > moment;
  IF full_chats IS NOT NULL THEN PERFORM hold_lanes(connection, full_chats); END IF;
  RETURN ARRAY(SELECT extract(epoch FROM coalesce(f.at, moment) - moment)::double precision * 1000
    FROM generate_series(1, jsonb_array_length(writes)) AS s (n) LEFT JOIN unnest(found) f ON f.n = s.n ORDER BY s.n);
END $$;

-- Nothing is claimed for a chat before its time: [{"chat", "until"}].
CREATE FUNCTION hold_lanes(connection uuid, chats jsonb) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM links WHERE connection_id = connection AND removed_at IS NULL
    AND external_id IN (SELECT c->>'chat' FROM jsonb_array_elements(chats) c) ORDER BY id FOR NO KEY UPDATE;
  UPDATE links l SET held_until = x.until FROM (
    SELECT c->>'chat' AS chat, max((c->>'until')::timestamptz) AS until FROM jsonb_array_elements(chats) c GROUP BY 1) x
  WHERE l.connection_id = connection AND l.external_id = x.chat AND l.removed_at IS NULL
    AND (l.held_until IS NULL OR l.held_until < x.until);
END $$;

-- The platform asked for a wait: nothing counts against these buckets before its end, and the chat's lanes are held.
CREATE FUNCTION hold_buckets(connection uuid, keys text[], chat text, wait interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  until timestamptz := clock_timestamp() + wait;
BEGIN
  INSERT INTO rate_buckets AS r (connection_id, key, workspace_id, held_until, idle_at)
  SELECT c.id, k, c.workspace_id, until, until FROM connections c, unnest(keys) k WHERE c.id = connection ORDER BY k
  ON CONFLICT (connection_id, key) DO UPDATE SET held_until = greatest(r.held_until, until), idle_at = greatest(r.idle_at, until);
  IF chat IS NOT NULL THEN PERFORM hold_lanes(connection, jsonb_build_array(jsonb_build_object('chat', chat, 'until', until))); END IF;
END $$;

-- Milliseconds until the first chat that is held and has something to send may be written to again: 0 when its time came
-- just after the look that left it out.
CREATE FUNCTION next_held(connection uuid) RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT greatest(0, extract(epoch FROM held_until - clock_timestamp()) * 1000) FROM links l
  WHERE connection_id = connection AND held_until > now() - interval '2 s' AND removed_at IS NULL
    AND (held_until > now() OR l.leased_until IS NULL OR l.leased_until < now() AND NOT is_left_sending(connection, l.id)) AND (
    EXISTS (SELECT FROM (SELECT * FROM deliveries d WHERE d.connection_id = connection AND d.lane = l.id ORDER BY d.position LIMIT 1) head
      WHERE l.held_until > now() OR (head.status = 'queued' AND head.expires_at > now()
        AND (head.next_attempt_at IS NULL OR head.next_attempt_at <= now())))
    OR EXISTS (SELECT FROM deliveries d WHERE d.connection_id = connection AND d.link_id = l.id
      AND d.duty IN ('edit', 'delete', 'lookup')
      AND (l.held_until > now() OR d.next_attempt_at IS NULL OR d.next_attempt_at <= now())))
  ORDER BY held_until LIMIT 1
$$;
