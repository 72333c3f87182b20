-- The event stream: what makes the order of commits readable, who has streams open, and how long events and deliveries
-- are kept.

ALTER TABLE events
  ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  ADD COLUMN seen pg_snapshot NOT NULL DEFAULT pg_current_snapshot();
COMMENT ON COLUMN events.xid IS 'The transaction that wrote it: whoever remembers a snapshot finds what was committed since.';
COMMENT ON COLUMN events.seen IS 'What was committed before the event was written: it has a smaller position, so whoever has this event has that too.';
DROP INDEX events_workspace;
CREATE INDEX events_stream ON events (workspace_id, xid, position);

-- Whether a user sees an event through a token: those of their conversations, and of people they share one with.
CREATE FUNCTION event_reaches(e events, viewer uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN split_part(e.type, '.', 1) = 'user' THEN
    coalesce(e.data->>'user_id', e.data->>'id')::uuid = viewer OR EXISTS (
      SELECT FROM participants mine JOIN participants theirs ON theirs.conversation_id = mine.conversation_id
      WHERE mine.user_id = viewer AND mine.left_at IS NULL AND theirs.left_at IS NULL
        AND theirs.user_id = coalesce(e.data->>'user_id', e.data->>'id')::uuid)
  ELSE EXISTS (
    SELECT FROM participants p WHERE p.user_id = viewer AND p.left_at IS NULL
      AND p.conversation_id = coalesce(e.conversation_id, (e.data->>'conversation_id')::uuid))
  END
$$;

-- One row per open stream, over all processes. A dead process frees its rows by time, and so does a crash of the server,
-- which empties the table: whoever lives writes its rows again.
CREATE UNLOGGED TABLE open_streams (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  credential_id uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX open_streams_credential ON open_streams (credential_id);
CREATE INDEX open_streams_workspace ON open_streams (workspace_id);

-- False when the credential has as many streams open as it may. The lock lets one request of a credential count at a time.
CREATE FUNCTION open_stream(stream uuid, workspace uuid, credential uuid, most int, lease interval)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended(credential::text, 20));
  DELETE FROM open_streams WHERE credential_id = credential AND expires_at <= clock_timestamp();
  IF (SELECT count(*) FROM open_streams WHERE credential_id = credential) >= most THEN RETURN false; END IF;
  INSERT INTO open_streams VALUES (stream, workspace, credential, clock_timestamp() + lease);
  RETURN true;
END $$;

-- Ends the tests of webhooks whose process died: a test is tried once, by whoever made it.
CREATE FUNCTION end_lost_webhook_tests() RETURNS void LANGUAGE sql AS $$
  UPDATE webhook_deliveries SET status = 'dead', leased_until = NULL, updated_at = now()
  WHERE status = 'pending' AND next_attempt_at IS NULL AND leased_until <= now();
$$;

-- Ids begin with the moment of their making, so that a primary key leads to what is old.
CREATE FUNCTION uuid7_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT rpad(lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Forgets a portion of what is older than it is kept: deliveries for 30 days. One that is tried again on its last day may
-- need its event for ten more, so events are kept longer than both. Answers how much went.
CREATE FUNCTION purge_history(most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  tries int;
  told int;
BEGIN
  PERFORM end_lost_webhook_tests();
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE id < uuid7_at(now() - interval '30 days') AND status <> 'pending'
    ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS tries = ROW_COUNT;
  DELETE FROM events WHERE position IN (
    SELECT position FROM events WHERE occurred_at < now() - interval '45 days' AND position <= (
      SELECT max(position) FROM (SELECT position, occurred_at FROM events ORDER BY position LIMIT most) oldest
      WHERE occurred_at < now() - interval '45 days')
    ORDER BY position LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS told = ROW_COUNT;
  DELETE FROM open_streams WHERE expires_at < now();
  RETURN greatest(tries, told);
END $$;

-- Which trace a request that made a record belongs to, for those who deliver it. Written only while traces are sent somewhere.
CREATE UNLOGGED TABLE traces (
  resource_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  traceparent text NOT NULL
);

-- Retention ---------------------------------------------------------------------------------------------------------------

-- Without it each delivery that goes would be looked for in all others.
CREATE INDEX deliveries_superseded ON deliveries (superseded_by) WHERE superseded_by IS NOT NULL;

ALTER TABLE conversations ADD COLUMN purged_at timestamptz(3);
COMMENT ON COLUMN conversations.purged_at IS 'Deleted, and nothing is left of it but its id.';
CREATE INDEX conversations_unpurged ON conversations (deleted_at) WHERE deleted_at IS NOT NULL AND purged_at IS NULL;

-- Whether something is still to be done for a message that may be purged otherwise. Nothing is for connections that are gone.
CREATE FUNCTION is_pending(m messages) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT m.status = 'scheduled' OR EXISTS (SELECT FROM deliveries d JOIN connections k ON k.id = d.connection_id
    WHERE d.message_id = m.id AND d.duty IS NOT NULL AND (k.deleted_at IS NULL OR d.status = 'sending'))
$$;

-- For the purge. A condition of its own, so that no other query takes it for one of its own.
CREATE INDEX messages_gone ON messages (deleted_at) WHERE (deleted_at IS NULL) IS FALSE;

-- Removes messages with everything that hangs on them, but those that are pending; answers how many went. Answers to them that
-- stay are answers to nothing then.
CREATE FUNCTION purge_messages(chosen uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  gone uuid[];
  sends uuid[];
  chats uuid[];
BEGIN
  gone := ARRAY(SELECT m.id FROM messages m WHERE m.id = ANY (chosen) AND NOT is_pending(m) ORDER BY m.id FOR UPDATE SKIP LOCKED);
  IF cardinality(gone) = 0 THEN RETURN 0; END IF;
  sends := ARRAY(SELECT d.id FROM deliveries d WHERE d.message_id = ANY (gone) ORDER BY d.id FOR UPDATE);
  UPDATE messages SET reply_to_id = NULL WHERE reply_to_id = ANY (gone);
  UPDATE messages SET thread_id = NULL WHERE thread_id = ANY (gone);
  chats := ARRAY(SELECT c.id FROM messages m JOIN conversations c ON c.id = m.conversation_id AND c.last_message_id = m.id
    WHERE m.id = ANY (gone) ORDER BY c.id FOR NO KEY UPDATE OF c);
  UPDATE broadcast_recipients SET message_id = NULL WHERE id = ANY (gone);
  DELETE FROM read_receipts WHERE message_id = ANY (gone);
  DELETE FROM reactions WHERE message_id = ANY (gone);
  DELETE FROM reaction_copies WHERE message_id = ANY (gone);
  DELETE FROM remote_messages WHERE message_id = ANY (gone);
  DELETE FROM delivery_parts WHERE delivery_id = ANY (sends);
  DELETE FROM attempts WHERE delivery_id = ANY (sends);
  DELETE FROM deliveries WHERE id = ANY (sends);
  DELETE FROM messages WHERE id = ANY (gone);
  PERFORM refresh_last_messages(chats);
  RETURN cardinality(gone);
END $$;

-- A portion of the messages that were deleted long enough ago, each by itself or with its conversation.
CREATE FUNCTION purge_deleted_messages(most int, keep interval) RETURNS int LANGUAGE sql AS $$
  SELECT purge_messages(ARRAY(SELECT m.id FROM messages m
    WHERE (m.deleted_at IS NULL) IS FALSE AND m.deleted_at < now() - keep AND NOT is_pending(m)
    ORDER BY m.deleted_at LIMIT most FOR UPDATE SKIP LOCKED))
$$;

-- A portion of what is left of conversations that were deleted long enough ago, once their messages went. Their ids stay: others
-- speak of them.
CREATE FUNCTION purge_conversations(most int, keep interval) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid[] := ARRAY(SELECT c.id FROM conversations c WHERE c.deleted_at < now() - keep AND c.purged_at IS NULL
    AND c.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.deleted_at IS NOT NULL OFFSET 0)
    AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.deleted_at IS NULL OFFSET 0)
    ORDER BY c.deleted_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  DELETE FROM participants WHERE conversation_id = ANY (chosen);
  UPDATE links SET external_id = 'purged', external_thread_id = NULL, title = NULL, address = NULL
  WHERE conversation_id = ANY (chosen) AND removed_at IS NOT NULL;
  UPDATE conversations SET title = NULL, team = NULL, labels = '{}', metadata = '{}', last_message_id = NULL,
    purged_at = now() WHERE id = ANY (chosen);
  RETURN cardinality(chosen);
END $$;

-- A portion of what is older than it is kept in test workspaces.
CREATE FUNCTION purge_test_data(most int, keep interval) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  tests uuid[] := ARRAY(SELECT id FROM workspaces WHERE live_workspace_id IS NOT NULL);
  before timestamptz := now() - keep;
  done int;
  old uuid[];
  x record;
BEGIN
  done := purge_messages(ARRAY(SELECT m.id FROM messages m WHERE m.workspace_id = ANY (tests) AND m.created_at < before
    AND m.deleted_at IS NULL AND NOT is_pending(m) LIMIT most FOR UPDATE SKIP LOCKED));
  done := done + purge_messages(ARRAY(SELECT m.id FROM messages m WHERE m.workspace_id = ANY (tests) AND m.created_at < before
    AND m.deleted_at IS NOT NULL AND NOT is_pending(m) LIMIT most FOR UPDATE SKIP LOCKED));
  FOR x IN SELECT c.id, c.workspace_id, c.created_by FROM conversations c
    WHERE c.workspace_id = ANY (tests) AND c.deleted_at IS NULL AND c.created_at < before AND c.updated_at < before
      AND coalesce(c.last_message_at < before, true)
      AND NOT EXISTS (SELECT FROM calls k WHERE k.conversation_id = c.id AND k.created_at >= before)
      AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.deleted_at IS NULL)
    LIMIT 50
  LOOP
    PERFORM delete_conversation(jsonb_build_object('workspace_id', x.workspace_id, 'conversation_id', x.id,
      'viewer_id', x.created_by));
    UPDATE conversations SET deleted_at = before WHERE id = x.id;
    done := done + 1;
  END LOOP;
  FOR x IN SELECT u.id, u.workspace_id FROM users u
    WHERE u.workspace_id = ANY (tests) AND u.kind = 'contact' AND u.deleted_at IS NULL AND u.created_at < before
      AND u.updated_at < before AND NOT EXISTS (SELECT FROM participants p WHERE p.user_id = u.id AND p.left_at IS NULL
        AND EXISTS (SELECT FROM conversations c WHERE c.id = p.conversation_id AND c.deleted_at IS NULL))
    LIMIT 50
  LOOP
    PERFORM delete_contact(jsonb_build_object('workspace_id', x.workspace_id, 'id', x.id));
    done := done + 1;
  END LOOP;
  old := ARRAY(SELECT id FROM broadcasts WHERE workspace_id = ANY (tests) AND updated_at < before
    AND status IN ('draft', 'completed', 'expired', 'failed', 'canceled') LIMIT 20);
  WITH told AS (DELETE FROM broadcast_recipients WHERE id IN (
    SELECT id FROM broadcast_recipients WHERE broadcast_id = ANY (old) LIMIT most) RETURNING 1)
  SELECT done + count(*) INTO done FROM told;
  DELETE FROM broadcasts b WHERE b.id = ANY (old)
    AND NOT EXISTS (SELECT FROM broadcast_recipients r WHERE r.broadcast_id = b.id);
  RETURN done + purge_test_calls(tests, before, most) + purge_test_lists(tests, before, most)
    + purge_test_webhooks(tests, before, most);
END $$;

-- Calls that are over, and sessions in which somebody was tracked.
CREATE FUNCTION purge_test_calls(tests uuid[], before timestamptz, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  old uuid[] := ARRAY(SELECT id FROM calls WHERE workspace_id = ANY (tests) AND ended_at < before ORDER BY id LIMIT most
    FOR UPDATE SKIP LOCKED);
  ended int;
BEGIN
  DELETE FROM call_signals WHERE call_id = ANY (old);
  DELETE FROM call_participants WHERE call_id = ANY (old);
  DELETE FROM calls WHERE id = ANY (old);
  DELETE FROM tracking_sessions WHERE id IN (SELECT id FROM tracking_sessions WHERE workspace_id = ANY (tests)
    AND status NOT IN ('pending', 'active') AND updated_at < before LIMIT most);
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN cardinality(old) + ended;
END $$;

-- Segments, whose members go afterwards, and templates, but those that a broadcast still waits for.
CREATE FUNCTION purge_test_lists(tests uuid[], before timestamptz, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  lists int;
  texts int;
BEGIN
  UPDATE segments s SET deleted_at = now(), updated_at = now() WHERE s.id IN (
    SELECT o.id FROM segments o WHERE o.workspace_id = ANY (tests) AND o.deleted_at IS NULL AND o.updated_at < before
      AND NOT EXISTS (SELECT FROM broadcasts b WHERE b.workspace_id = o.workspace_id
        AND (b.audience->'segment_ids' ? o.id::text OR b.audience->'exclude'->'segment_ids' ? o.id::text))
    LIMIT most);
  GET DIAGNOSTICS lists = ROW_COUNT;
  DELETE FROM templates t WHERE t.id IN (
    SELECT o.id FROM templates o WHERE o.workspace_id = ANY (tests) AND o.updated_at < before
      AND NOT EXISTS (SELECT FROM broadcasts b WHERE b.workspace_id = o.workspace_id AND b.template_id = o.id)
    LIMIT most);
  GET DIAGNOSTICS texts = ROW_COUNT;
  RETURN lists + texts;
END $$;

-- Webhooks to which nothing was brought for so long, and then what is left of deleted ones.
CREATE FUNCTION purge_test_webhooks(tests uuid[], before timestamptz, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  ended int;
  gone int;
BEGIN
  UPDATE webhooks w SET deleted_at = now(), updated_at = now() WHERE w.id IN (
    SELECT o.id FROM webhooks o WHERE o.workspace_id = ANY (tests) AND o.deleted_at IS NULL AND o.updated_at < before
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = o.id AND d.created_at >= before)
    ORDER BY o.id LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  GET DIAGNOSTICS ended = ROW_COUNT;
  DELETE FROM webhooks w WHERE w.id IN (
    SELECT o.id FROM webhooks o WHERE o.workspace_id = ANY (tests) AND o.deleted_at < before
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = o.id)
    LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN ended + gone;
END $$;

-- A portion of what is older than it is kept in any workspace; null keeps it. Answers how much went.
CREATE FUNCTION purge_aged(most int, envelopes_for interval, attempts_for interval, messages_for interval)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  sent int;
  tried int;
  traced int;
  gone int := 0;
BEGIN
  DELETE FROM envelopes WHERE id IN (SELECT id FROM envelopes WHERE id < uuid7_at(now() - envelopes_for) AND status <> 'pending'
    ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS sent = ROW_COUNT;
  DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE id < uuid7_at(now() - attempts_for) AND outcome IS NOT NULL
    ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS tried = ROW_COUNT;
  DELETE FROM traces WHERE resource_id IN (SELECT resource_id FROM traces WHERE resource_id < uuid7_at(now() - interval '2 days')
    ORDER BY resource_id LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS traced = ROW_COUNT;
  IF messages_for IS NOT NULL THEN
    gone := purge_messages(ARRAY(SELECT m.id FROM messages m WHERE m.id < uuid7_at(now() - messages_for) AND NOT is_pending(m)
      ORDER BY m.id LIMIT most FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN greatest(sent, tried, traced, gone);
END $$;

-- Long lists ------------------------------------------------------------------------------------------------------------

-- Each of these serves a filter or an order of the interface in the order of the page, so that a page costs its rows however
-- long the list is. Most are of rows that have something, and cost others nothing; no one speaks of what a move of status
-- writes, so that moves stay within their page: updated_at is written to an index only when it is more than ten minutes late.
ALTER TABLE messages ADD COLUMN revised_at timestamptz(3) GENERATED ALWAYS AS (
  CASE WHEN updated_at - created_at > interval '10 minutes' OR updated_at < created_at THEN updated_at END) STORED;
COMMENT ON COLUMN messages.revised_at IS 'updated_at, where that is later than ten minutes after created_at: the others are found by created_at.';
CREATE INDEX messages_revised ON messages (workspace_id, revised_at DESC, id DESC) WHERE revised_at IS NOT NULL AND deleted_at IS NULL;
ALTER TABLE messages ADD COLUMN mishap text GENERATED ALWAYS AS (
  CASE WHEN status IN ('failed', 'expired', 'blocked', 'uncertain', 'canceled') THEN status END) STORED;
COMMENT ON COLUMN messages.mishap IS 'The status, where it is one that few messages come to.';
CREATE INDEX messages_mishap ON messages (workspace_id, mishap, created_at DESC, id DESC) WHERE mishap IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_mishap_of ON messages (conversation_id, mishap, created_at DESC, id DESC)
  WHERE mishap IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_sender ON messages (sender_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX messages_category ON messages (workspace_id, category, created_at DESC, id DESC)
  WHERE category <> 'conversational' AND deleted_at IS NULL;
CREATE INDEX messages_content_type ON messages (workspace_id, content_type, created_at DESC, id DESC)
  WHERE content_type <> 'text' AND deleted_at IS NULL;
CREATE INDEX messages_send_at ON messages (workspace_id, send_at DESC, id DESC) WHERE send_at IS NOT NULL AND deleted_at IS NULL;
-- Asked for by a range of its values as well: which of the two indexes is shorter then, statistics of the column say.
CREATE INDEX messages_timed ON messages (workspace_id, created_at DESC, id DESC) WHERE send_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_broadcast ON messages (broadcast_id, created_at DESC, id DESC)
  WHERE broadcast_id IS NOT NULL AND deleted_at IS NULL;
-- (… IS NULL) IS FALSE: for what is asked for as not null, and not for what is asked for by its value.
CREATE INDEX messages_of_broadcasts ON messages (workspace_id, created_at DESC, id DESC)
  WHERE (broadcast_id IS NULL) IS FALSE AND deleted_at IS NULL;
CREATE INDEX messages_reply ON messages (reply_to_id) WHERE reply_to_id IS NOT NULL;
CREATE INDEX messages_replies ON messages (workspace_id, created_at DESC, id DESC)
  WHERE (reply_to_id IS NULL) IS FALSE AND deleted_at IS NULL;
DROP INDEX messages_thread;
CREATE INDEX messages_thread ON messages (thread_id, created_at DESC, id DESC) WHERE thread_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_in_threads ON messages (workspace_id, created_at DESC, id DESC)
  WHERE (thread_id IS NULL) IS FALSE AND deleted_at IS NULL;
CREATE INDEX messages_deleted ON messages (workspace_id, created_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE deliveries
  ADD COLUMN revised_at timestamptz(3) GENERATED ALWAYS AS (
    CASE WHEN updated_at - created_at > interval '10 minutes' OR updated_at < created_at THEN updated_at END) STORED,
  ADD COLUMN mishap text GENERATED ALWAYS AS (
    CASE WHEN status IN ('failed', 'expired', 'blocked', 'uncertain', 'canceled') THEN status END) STORED;
COMMENT ON COLUMN deliveries.revised_at IS 'As of messages.';
COMMENT ON COLUMN deliveries.mishap IS 'The status, where it is one that few deliveries come to.';
CREATE INDEX deliveries_revised ON deliveries (workspace_id, revised_at DESC, id DESC) WHERE revised_at IS NOT NULL;
CREATE INDEX deliveries_mishap ON deliveries (workspace_id, mishap, created_at DESC, id DESC) WHERE mishap IS NOT NULL;
CREATE INDEX deliveries_link ON deliveries (link_id, created_at DESC, id DESC);
CREATE INDEX deliveries_next_attempt ON deliveries (workspace_id, next_attempt_at DESC, id DESC) WHERE next_attempt_at IS NOT NULL;

CREATE INDEX users_updated ON users (workspace_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_name ON users (workspace_id, display_name DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_seen ON users (workspace_id, last_seen_at DESC, id DESC) WHERE last_seen_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX users_kind ON users (workspace_id, kind, created_at DESC, id DESC) WHERE kind <> 'contact' AND deleted_at IS NULL;
CREATE INDEX users_status ON users (workspace_id, status, created_at DESC, id DESC) WHERE status <> 'active' AND deleted_at IS NULL;
CREATE INDEX users_presence ON users (workspace_id, presence, created_at DESC, id DESC)
  WHERE presence <> 'offline' AND deleted_at IS NULL;
CREATE INDEX users_email ON users (workspace_id, email) WHERE email <> '' AND deleted_at IS NULL;
CREATE INDEX users_phone ON users (workspace_id, phone) WHERE phone IS NOT NULL AND deleted_at IS NULL;
