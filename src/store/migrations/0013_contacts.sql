-- Contacts that go: deletion with erasure, and merging. Presence by heartbeats. What opting out brings along.

ALTER TABLE users ADD COLUMN presence_set boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.presence_set IS 'The user chose the presence; heartbeats and their absence no longer change it.';
CREATE INDEX users_present ON users (last_seen_at) WHERE presence <> 'offline' AND NOT presence_set;

-- Identities show what the consent of their user says.
CREATE FUNCTION sync_opt_out(u users) RETURNS void LANGUAGE sql AS $$
  UPDATE identities SET opt_out = w.wanted
  FROM (SELECT ARRAY(SELECT k FROM unnest(ARRAY['marketing', 'notification']) AS k WHERE u.consent->>k = 'denied') AS wanted) w
  WHERE user_id = u.id AND opt_out <> w.wanted
$$;

-- What waits for somebody who may not be written to any more is blocked.
CREATE FUNCTION hold_back_from(u users) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  items jsonb;
BEGIN
  IF u.kind <> 'contact' OR (u.status <> 'blocked' AND u.stopped_at IS NULL AND NOT u.consent @> '{"marketing":"denied"}'
    AND NOT u.consent @> '{"notification":"denied"}') THEN RETURN; END IF;
  SELECT jsonb_agg(jsonb_build_object('id', w.id, 'from', '["queued"]'::jsonb, 'to', 'blocked', 'error', message_block(m, c)))
  INTO items FROM (
    SELECT d.id, d.message_id FROM participants p JOIN conversations c ON c.id = p.conversation_id AND c.type = 'direct'
    JOIN links l ON l.conversation_id = c.id AND l.removed_at IS NULL
    JOIN deliveries d ON d.connection_id = l.connection_id AND (d.lane = l.id OR d.held AND d.link_id = l.id) AND d.status = 'queued'
    WHERE p.user_id = u.id AND p.left_at IS NULL
    UNION
    -- What broadcasts write to them where several share the chat.
    SELECT d.id, d.message_id FROM broadcasts b CROSS JOIN LATERAL (
      SELECT r.id FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.user_id = u.id OFFSET 0) r
    CROSS JOIN LATERAL (SELECT d.id, d.message_id FROM deliveries d WHERE d.message_id = r.id AND d.status = 'queued' OFFSET 0) d
    WHERE b.workspace_id = u.workspace_id AND b.status IN ('sending', 'paused', 'on_hold')) w
  JOIN messages m ON m.id = w.message_id JOIN conversations c ON c.id = m.conversation_id
  WHERE message_block(m, c) IS NOT NULL;
  IF items IS NOT NULL THEN PERFORM move_deliveries(items); END IF;
END $$;

-- What a keyword is answered with.
CREATE FUNCTION notice_text(kind text, workspace uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE kind
    WHEN 'opted_out' THEN 'You are unsubscribed and will get no more messages. Reply START to subscribe again.'
    WHEN 'help' THEN 'Messages of ' || left(w.name, 100) || '. Reply STOP to unsubscribe, START to subscribe again.'
  END FROM workspaces w WHERE w.id = coalesce((SELECT live_workspace_id FROM workspaces WHERE id = workspace), workspace)
$$;

-- Answers a keyword in the chat it came from, in the name of the connection's owner. Goes out whatever the consent is:
-- it is asked for by the contact.
CREATE FUNCTION send_notice(n connections, l links, kind text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  m messages;
  d deliveries;
  u users;
BEGIN
  IF kind IS NULL OR NOT takes_messages(l) THEN RETURN; END IF;
  SELECT * INTO u FROM users WHERE id = n.created_by;
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status,
    platform, expires_at, metadata)
  SELECT uuid7(), x.workspace_id, x.id, x.number, u.id, notice_text(kind, x.workspace_id), 'outbound', 'queued',
    l.platform, now() + interval '1 day', jsonb_build_object('notice', kind)
  FROM conversations x WHERE x.id = l.conversation_id RETURNING * INTO m;
  INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id,
    status, expires_at)
  VALUES (m.workspace_id, m.id, m.conversation_id, l.id, n.id, l.platform, l.external_id, 'queued', m.expires_at)
  RETURNING * INTO d;
  UPDATE conversations SET last_message_id = m.id, last_message_at = m.created_at WHERE id = m.conversation_id
  RETURNING * INTO c;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (m.workspace_id, 'message.created', c.id, message_record(m), render_context(c, l.platform, u)),
    (m.workspace_id, 'delivery.updated', c.id, delivery_record(d), '{"previous":{"status":null}}');
  PERFORM wake_connections(ARRAY[n.id]);
END $$;

-- Takes everything that tells who somebody was. The row stays, for records name its id.
CREATE FUNCTION erase_user(u users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM identities WHERE user_id = u.id;
  UPDATE users SET username = 'deleted_' || replace(id::text, '-', ''), display_name = 'Deleted', email = '',
    profile_image = NULL, phone = NULL, locale = NULL, timezone = NULL, channel_priority = '{}', metadata = '{}',
    consent = '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}', stopped_at = NULL, marketed_at = '{}',
    presence = 'offline', last_seen_at = NULL, status = 'deleted', deleted_at = now(), updated_at = now() WHERE id = u.id;
END $$;

-- What platforms sent and what was told of an erased contact is cleared afterwards, in portions: it may be much.
CREATE TABLE erasures (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  terms text[] NOT NULL,
  envelopes_after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  events_after bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE erasures IS 'Contacts whose traces in envelopes, events and locations are being cleared. The row goes with the last of them.';
COMMENT ON COLUMN erasures.terms IS 'By what platforms call them; itself a trace.';

-- Whether a text names one of these, standing alone.
CREATE FUNCTION names_any(content text, terms text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (SELECT FROM unnest(terms) AS term WHERE position(term IN content) > 0
    AND content ~ ('(^|[^0-9A-Za-z])' || regexp_replace(term, '([][*+?.^${}()|\\])', '\\\1', 'g') || '([^0-9A-Za-z]|$)'))
$$;

-- One portion of the oldest erasure. False when there is none. What is still to be applied is cleared when it was: the
-- erasure waits for it.
CREATE FUNCTION continue_erasures(most int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  e erasures;
  upto uuid;
  last bigint;
  busy boolean;
  done boolean := true;
BEGIN
  SELECT * INTO e FROM erasures ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH portion AS MATERIALIZED (
    SELECT id, workspace_id, status, payload, context, lane FROM envelopes WHERE id > e.envelopes_after AND id < e.id ORDER BY id LIMIT most
  ), named AS MATERIALIZED (
    SELECT id, status FROM portion
    WHERE workspace_id = e.workspace_id AND names_any(concat_ws(' ', payload, context, lane), e.terms)
  ), cleared AS (
    UPDATE envelopes v SET payload = 'null', context = '{}', lane = 'erased' FROM named n WHERE v.id = n.id AND n.status <> 'pending'
  )
  SELECT (SELECT id FROM portion ORDER BY id DESC LIMIT 1), EXISTS (SELECT FROM named WHERE status = 'pending')
  INTO upto, busy;
  done := upto IS NULL AND NOT busy;
  IF upto IS NOT NULL AND NOT busy THEN e.envelopes_after := upto; END IF;
  WITH portion AS MATERIALIZED (
    SELECT position, workspace_id, type, data, extra FROM events WHERE position > e.events_after AND occurred_at < e.created_at
    ORDER BY position LIMIT most
  ), cleared AS (
    UPDATE events v SET data = json_build_object('id', p.data->>'id', 'user_id', e.user_id, 'truncated', true), extra = NULL
    FROM portion p
    WHERE v.position = p.position AND p.workspace_id = e.workspace_id AND (
      (p.type LIKE 'user.%' AND e.user_id::text IN (p.data->>'id', p.data->>'user_id') AND p.type <> 'user.deleted')
      OR (p.type = 'location.updated' AND p.data->>'user_id' = e.user_id::text))
  ), unnamed AS (
    UPDATE events v SET extra = jsonb_set(p.extra::jsonb, '{sender,display_name}', '"Deleted"') FROM portion p
    WHERE v.position = p.position AND p.workspace_id = e.workspace_id AND p.type LIKE 'message.%'
      AND p.extra->'sender'->>'id' = e.user_id::text
  ) SELECT max(position) INTO last FROM portion;
  done := done AND last IS NULL;
  DELETE FROM locations WHERE id IN (SELECT id FROM locations WHERE user_id = e.user_id LIMIT most);
  IF FOUND THEN done := false; END IF;
  IF done THEN DELETE FROM erasures WHERE id = e.id;
  ELSE UPDATE erasures SET envelopes_after = e.envelopes_after, events_after = coalesce(last, e.events_after) WHERE id = e.id; END IF;
  RETURN NOT busy;
END $$;

-- DELETE users: {"workspace_id", "id"}. The chats with the contact end; addresses go from what is kept of them.
CREATE FUNCTION delete_contact(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  c conversations;
  direct uuid[];
BEGIN
  SELECT * INTO u FROM users WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF u.kind <> 'contact' THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  FOR c IN SELECT x.* FROM conversations x WHERE x.deleted_at IS NULL AND x.id IN (
    SELECT conversation_id FROM participants WHERE user_id = u.id AND left_at IS NULL) ORDER BY x.id FOR NO KEY UPDATE
  LOOP
    UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = u.id;
    IF c.type = 'direct' THEN
      PERFORM remove_link(c, l) FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL;
      direct := direct || c.id;
    END IF;
    PERFORM announce_member(c, 'conversation.participant_removed', json_build_object('user_id', u.id));
  END LOOP;
  PERFORM erase_traces(u, coalesce(direct, '{}'));
  PERFORM erase_user(u);
  INSERT INTO events (workspace_id, type, data)
  VALUES (u.workspace_id, 'user.deleted', json_build_object('id', u.id, 'deleted_at', wire_time(now())));
  RETURN json_build_object('record', json_build_object('id', u.id));
END $$;

-- Addresses and what was known of a contact, wherever else they stand. `direct`: the conversations with nobody but them.
CREATE FUNCTION erase_traces(u users, direct uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO erasures (workspace_id, user_id, terms)
  SELECT u.workspace_id, u.id, coalesce(array_agg(DISTINCT ltrim(term, '+')), '{}') FROM (
    SELECT external_id AS term FROM identities WHERE user_id = u.id
    UNION ALL SELECT handle FROM identities WHERE user_id = u.id
    UNION ALL SELECT external_id FROM links WHERE conversation_id = ANY (direct)) x
  WHERE length(ltrim(term, '+')) > 2;
  UPDATE messages SET origin = origin || '{"external_sender_id":"erased"}' WHERE sender_id = u.id AND origin IS NOT NULL
    AND conversation_id IN (SELECT conversation_id FROM participants WHERE user_id = u.id);
  DELETE FROM remote_messages x USING links l WHERE l.conversation_id = ANY (direct)
    AND x.connection_id = l.connection_id AND x.external_chat_id = l.external_id AND x.message_id IN (
      SELECT id FROM messages WHERE conversation_id = ANY (direct));
  UPDATE deliveries d SET external_chat_id = 'erased' FROM messages m
  WHERE m.conversation_id = ANY (direct) AND d.message_id = m.id AND d.status NOT IN ('queued', 'sending', 'uncertain');
  UPDATE links SET external_id = 'erased', title = NULL, address = NULL WHERE conversation_id = ANY (direct);
  UPDATE broadcast_recipients r SET address = NULL, variables = '{}' FROM broadcasts b
  WHERE b.workspace_id = u.workspace_id AND r.broadcast_id = b.id AND r.user_id = u.id;
  PERFORM drop_memberships(u.id);
END $$;

-- POST users/{id}/merge: {"workspace_id", "id", "source_id", "claim"}. The source is deleted afterwards.
CREATE FUNCTION merge_contacts(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  s users;
BEGIN
  PERFORM 1 FROM users WHERE id IN ((input->>'id')::uuid, (input->>'source_id')::uuid) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO u FROM users WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  SELECT * INTO s FROM users WHERE id = (input->>'source_id')::uuid AND workspace_id = u.workspace_id AND deleted_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"source_id"}'); END IF;
  IF u.kind <> 'contact' OR s.kind <> 'contact' THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  IF (SELECT count(*) FROM identities WHERE user_id IN (u.id, s.id)) > 50 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":50}');
  END IF;
  UPDATE identities SET user_id = u.id WHERE user_id = s.id;
  PERFORM move_conversations(s.id, u.id);
  PERFORM move_audiences(s, u);
  PERFORM erase_user(s);
  UPDATE users SET consent = strictest_consent(u.consent, s.consent), stopped_at = greatest(u.stopped_at, s.stopped_at),
    marketed_at = u.marketed_at || s.marketed_at,
    updated_at = now() WHERE id = u.id RETURNING * INTO u;
  PERFORM sync_opt_out(u);
  PERFORM hold_back_from(u);
  INSERT INTO events (workspace_id, type, data)
  VALUES (u.workspace_id, 'user.merged', json_build_object('id', u.id, 'merged_id', s.id));
  PERFORM complete_claim(input->'claim', 200, user_record(u));
  RETURN json_build_object('record', user_record(u));
END $$;

-- A refusal of either counts, then a grant of either.
CREATE FUNCTION strictest_consent(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(k, CASE WHEN 'denied' IN (one->>k, other->>k) THEN 'denied'
    WHEN 'granted' IN (one->>k, other->>k) THEN 'granted' ELSE 'unknown' END)
  FROM unnest(ARRAY['marketing', 'notification', 'tracking']) AS k
$$;

-- What one contact took part in becomes another's: conversations, messages, reactions, read receipts.
CREATE FUNCTION move_conversations(source uuid, target uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT conversation_id FROM participants WHERE user_id = source);
BEGIN
  PERFORM 1 FROM conversations WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE conversations SET created_by = target WHERE id = ANY (ids) AND created_by = source;
  PERFORM 1 FROM messages WHERE conversation_id = ANY (ids) AND sender_id = source ORDER BY id FOR NO KEY UPDATE;
  UPDATE messages SET sender_id = target WHERE conversation_id = ANY (ids) AND sender_id = source;
  UPDATE participants t SET joined_at = least(t.joined_at, s.joined_at), last_read_at = greatest(t.last_read_at, s.last_read_at),
    left_at = CASE WHEN t.left_at IS NOT NULL AND s.left_at IS NOT NULL THEN greatest(t.left_at, s.left_at) END
  FROM participants s WHERE s.user_id = source AND t.user_id = target AND t.conversation_id = s.conversation_id;
  DELETE FROM participants s WHERE s.user_id = source AND EXISTS (
    SELECT 1 FROM participants t WHERE t.user_id = target AND t.conversation_id = s.conversation_id);
  UPDATE participants SET user_id = target WHERE user_id = source;
  INSERT INTO reactions (message_id, emoji, user_id, workspace_id, platform, created_at)
  SELECT r.message_id, r.emoji, target, r.workspace_id, r.platform, r.created_at
  FROM messages m JOIN reactions r ON r.message_id = m.id AND r.user_id = source WHERE m.conversation_id = ANY (ids)
  ON CONFLICT DO NOTHING;
  DELETE FROM reactions r USING messages m WHERE r.message_id = m.id AND r.user_id = source AND m.conversation_id = ANY (ids);
  INSERT INTO read_receipts (message_id, user_id, workspace_id, read_at, platform, conversation_id, written_at, counted)
  SELECT r.message_id, target, r.workspace_id, r.read_at, r.platform, r.conversation_id, r.written_at, r.counted
  FROM messages m JOIN read_receipts r ON r.message_id = m.id AND r.user_id = source WHERE m.conversation_id = ANY (ids)
  ON CONFLICT DO NOTHING;
  DELETE FROM read_receipts r USING messages m
  WHERE r.message_id = m.id AND r.user_id = source AND m.conversation_id = ANY (ids);
  -- What one of them had read of the other is their own now.
  UPDATE read_receipts r SET counted = false FROM messages m
  WHERE r.user_id = target AND r.conversation_id = ANY (ids) AND r.counted AND m.id = r.message_id AND m.sender_id = target;
END $$;

-- Who was to get something gets it as the other contact, once.
CREATE FUNCTION move_audiences(source users, target users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE broadcast_recipients r SET user_id = target.id FROM broadcasts b
  WHERE b.workspace_id = source.workspace_id AND r.broadcast_id = b.id AND r.user_id = source.id AND NOT EXISTS (
    SELECT 1 FROM broadcast_recipients o WHERE o.broadcast_id = b.id AND o.user_id = target.id);
  PERFORM move_memberships(source.id, target.id);
END $$;

-- A sign of life of members. Who is offline without having chosen so comes online.
CREATE FUNCTION beat_presence(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
BEGIN
  UPDATE users SET last_seen_at = now() WHERE id = ANY (ids) AND deleted_at IS NULL AND (presence <> 'offline' OR presence_set);
  FOR u IN SELECT * FROM users WHERE id = ANY (ids) AND deleted_at IS NULL AND presence = 'offline' AND NOT presence_set
    ORDER BY id FOR NO KEY UPDATE
  LOOP
    before := user_record(u);
    UPDATE users SET presence = 'online', last_seen_at = now(), updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
  END LOOP;
END $$;

-- Who gave no sign of life for a minute is offline.
CREATE FUNCTION expire_presence() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
BEGIN
  FOR u IN SELECT * FROM users WHERE presence <> 'offline' AND NOT presence_set AND last_seen_at < now() - interval '60 seconds'
    ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    before := user_record(u);
    UPDATE users SET presence = 'offline', updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
  END LOOP;
END $$;
