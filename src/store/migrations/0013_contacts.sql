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
  SELECT jsonb_agg(jsonb_build_object('id', w.id, 'from', '["queued"]'::jsonb, 'to', 'blocked', 'error', k.block))
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
  CROSS JOIN LATERAL message_blocks(m, c) k (block);
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
    consent = '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}', stopped_at = NULL, stopped_as = NULL, marketed_at = '{}',
    presence = 'offline', last_seen_at = NULL, status = 'deleted', deleted_at = now(), updated_at = now() WHERE id = u.id;
END $$;

-- What platforms sent and what was told of somebody who is erased is cleared afterwards, in portions: it may be much.
CREATE TABLE erasures (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  terms text[] NOT NULL,
  conversations uuid[] NOT NULL DEFAULT '{}',
  deliveries uuid[] NOT NULL DEFAULT '{}',
  scanned boolean NOT NULL DEFAULT false,
  look_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE erasures IS 'People whose traces in envelopes, events, broadcasts and locations are being cleared. The row goes with the last of them.';
COMMENT ON COLUMN erasures.terms IS 'What platforms and others call them by; itself a trace.';
COMMENT ON COLUMN erasures.conversations IS 'With nobody but them.';
COMMENT ON COLUMN erasures.deliveries IS 'To them, which were open then: they need their address until they have ended.';
COMMENT ON COLUMN erasures.scanned IS 'The scan of the workspace looks for them as well.';
COMMENT ON COLUMN erasures.look_at IS 'Something about them is still under way: whether it has ended is looked at then.';

CREATE TABLE erasure_scans (
  workspace_id uuid PRIMARY KEY,
  until xid8 NOT NULL DEFAULT pg_snapshot_xmax(pg_current_snapshot()),
  stage text NOT NULL DEFAULT 'envelopes' CHECK (stage IN ('envelopes', 'broadcasts', 'events', 'locations', 'done')),
  connection_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  dedupe_key text NOT NULL DEFAULT '',
  broadcast_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  event_xid xid8 NOT NULL DEFAULT '0',
  event_position bigint NOT NULL DEFAULT 0,
  continued_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE erasure_scans IS 'One way through all that a workspace keeps, for everybody whose erasure could begin when it began. Workspaces take turns.';
COMMENT ON COLUMN erasure_scans.until IS 'Events of later transactions name nobody whom this scan is about.';

-- Whether a text names one of these, standing alone.
CREATE FUNCTION names_any(content text, terms text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (SELECT FROM unnest(terms) AS term WHERE position(term IN content) > 0
    AND content ~ ('(^|[^0-9A-Za-z])' || regexp_replace(term, '([][*+?.^${}()|\\])', '\\\1', 'g') || '([^0-9A-Za-z]|$)'))
$$;

-- An error without what the platform said, where that names one of these.
CREATE FUNCTION unnamed_error(error jsonb, terms text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN names_any(error::text, terms) THEN error || '{"message":"Erased."}' ELSE error END
$$;

-- The data of an event, cut to its ids as too long ones are. What platforms call somebody is none.
CREATE FUNCTION cut_to_ids(data json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_object_agg(k, v) FROM (
    SELECT k, v FROM json_each(data) AS x (k, v) WHERE k = 'id' OR k LIKE '%\_id' AND k NOT LIKE 'external%'
    UNION ALL SELECT 'truncated', 'true') ids
$$;

-- Messages of conversations, deleted ones as well: no index is of both.
CREATE FUNCTION messages_in(chosen uuid[]) RETURNS SETOF messages LANGUAGE sql STABLE AS $$
  SELECT * FROM messages WHERE conversation_id = ANY (chosen) AND deleted_at IS NULL
  UNION ALL SELECT * FROM messages WHERE conversation_id = ANY (chosen) AND deleted_at IS NOT NULL
$$;

-- The erasure of somebody, from whom nothing was taken yet. `direct`: the conversations with nobody but them.
CREATE FUNCTION begin_erasure(u users, direct uuid[]) RETURNS erasures LANGUAGE sql AS $$
  INSERT INTO erasures (workspace_id, user_id, conversations, deliveries, terms)
  SELECT u.workspace_id, u.id, direct, ARRAY(
      SELECT d.id FROM links l JOIN deliveries d ON d.link_id = l.id AND d.status IN ('queued', 'sending', 'uncertain')
      WHERE l.conversation_id = ANY (direct)),
    coalesce(array_agg(DISTINCT ltrim(term, '+')) FILTER (WHERE length(ltrim(term, '+')) > 2), '{}')
  FROM (
    SELECT unnest(ARRAY[external_id, handle]) AS term FROM identities WHERE user_id = u.id
    UNION ALL SELECT unnest(ARRAY[external_id, address]) FROM links WHERE conversation_id = ANY (direct)
    UNION ALL SELECT unnest(ARRAY[u.phone, u.email])) x
  RETURNING *
$$;

-- Takes people who are named by their address from the audiences of broadcasts.
CREATE FUNCTION forget_recipients(chosen uuid[], terms text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE broadcasts b SET audience = jsonb_set(b.audience, '{recipients}', coalesce((
    SELECT jsonb_agg(r ORDER BY n) FROM jsonb_array_elements(b.audience->'recipients') WITH ORDINALITY AS x (r, n)
    WHERE NOT ltrim(r->>'address', '+') = ANY (terms)), '[]'))
  WHERE b.id = ANY (chosen) AND EXISTS (
    SELECT FROM jsonb_array_elements(b.audience->'recipients') r WHERE ltrim(r->>'address', '+') = ANY (terms))
$$;

-- DELETE users: {"workspace_id", "id"}. The chats with the contact end; addresses go from what is kept of them.
CREATE FUNCTION delete_contact(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  x record;
  direct uuid[];
BEGIN
  SELECT * INTO u FROM users WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF u.kind <> 'contact' THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  direct := ARRAY(SELECT c.id FROM participants p JOIN conversations c ON c.id = p.conversation_id AND c.type = 'direct'
    WHERE p.user_id = u.id AND NOT EXISTS (SELECT FROM participants o JOIN users v ON v.id = o.user_id AND v.kind = 'contact'
      WHERE o.conversation_id = c.id AND o.left_at IS NULL AND o.user_id <> u.id));
  FOR x IN SELECT c, p.left_at IS NULL AS is_there FROM participants p JOIN conversations c ON c.id = p.conversation_id
    WHERE p.user_id = u.id AND c.deleted_at IS NULL AND (p.left_at IS NULL OR c.id = ANY (direct))
    ORDER BY c.id FOR NO KEY UPDATE OF c
  LOOP
    UPDATE participants SET left_at = coalesce(left_at, now()) WHERE conversation_id = (x.c).id AND user_id = u.id;
    IF (x.c).id = ANY (direct) THEN
      PERFORM remove_link(x.c, l) FROM links l WHERE l.conversation_id = (x.c).id AND l.removed_at IS NULL;
    END IF;
    IF x.is_there THEN
      PERFORM announce_member(x.c, 'conversation.participant_removed', json_build_object('user_id', u.id));
    END IF;
  END LOOP;
  PERFORM erase_traces(u, direct);
  PERFORM erase_user(u);
  INSERT INTO events (workspace_id, type, data)
  VALUES (u.workspace_id, 'user.deleted', json_build_object('id', u.id, 'deleted_at', wire_time(now())));
  RETURN json_build_object('record', json_build_object('id', u.id));
END $$;

-- Addresses and what was known of a contact, wherever else they stand. `direct`: the conversations with nobody but them.
CREATE FUNCTION erase_traces(u users, direct uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  e erasures := begin_erasure(u, direct);
  said uuid[] := ARRAY(SELECT id FROM messages WHERE sender_id = u.id AND deleted_at IS NULL AND origin IS NOT NULL
    UNION ALL SELECT m.id FROM participants p JOIN messages m ON m.conversation_id = p.conversation_id
      AND m.deleted_at IS NOT NULL AND m.sender_id = u.id AND m.origin IS NOT NULL WHERE p.user_id = u.id);
  lanes uuid[] := ARRAY(SELECT id FROM links WHERE conversation_id = ANY (direct));
BEGIN
  PERFORM 1 FROM messages WHERE id = ANY (said) ORDER BY id FOR NO KEY UPDATE;
  UPDATE messages SET origin = origin || '{"external_sender_id":"erased"}' WHERE id = ANY (said);
  UPDATE messages m SET error = unnamed_error(m.error, e.terms)
  WHERE m.id IN (SELECT id FROM messages_in(direct) WHERE names_any(error::text, e.terms));
  DELETE FROM remote_messages WHERE message_id IN (SELECT id FROM messages_in(direct));
  DELETE FROM early_events x USING links l WHERE l.id = ANY (lanes) AND x.connection_id = l.connection_id
    AND x.external_chat_id = l.external_id;
  DELETE FROM early_events x USING identities i WHERE i.user_id = u.id AND x.workspace_id = u.workspace_id 
    AND i.external_id IN (x.event->'sender'->>'id', x.event->'actor'->>'id', x.event->'event'->'sender'->>'id');
  UPDATE attempts a SET error = unnamed_error(a.error, e.terms) FROM deliveries d
  WHERE d.link_id = ANY (lanes) AND a.delivery_id = d.id AND a.error IS NOT NULL;
  PERFORM erase_deliveries(e, ARRAY(SELECT id FROM deliveries WHERE link_id = ANY (lanes)));
  UPDATE links SET external_id = 'erased', title = NULL, address = NULL WHERE id = ANY (lanes);
  UPDATE conversations SET title = NULL WHERE id = ANY (direct);
  UPDATE broadcast_recipients r SET address = NULL, variables = '{}', error = unnamed_error(r.error, e.terms) FROM broadcasts b
  WHERE b.workspace_id = u.workspace_id AND r.broadcast_id = b.id AND r.user_id = u.id;
  -- Those that are still to be frozen would write to them.
  PERFORM forget_recipients(ARRAY(SELECT id FROM broadcasts WHERE workspace_id = u.workspace_id
    AND status IN ('draft', 'scheduled', 'preparing') ORDER BY id), e.terms);
  PERFORM drop_memberships(u.id);
END $$;

-- What has ended keeps no address; nothing more is asked of the platform for it.
CREATE FUNCTION erase_deliveries(e erasures, chosen uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE deliveries SET external_chat_id = 'erased', error = unnamed_error(error, e.terms),
    removal = CASE removal WHEN 'wanted' THEN 'failed' ELSE removal END
  WHERE id = ANY (chosen) AND status NOT IN ('queued', 'sending', 'uncertain') AND external_chat_id <> 'erased'
$$;

-- Begins a scan in each workspace that has none and where somebody is to be erased. Nobody is, as long as something is being
-- written to them, or something that names them is still to be applied: that is looked at again after a minute.
CREATE FUNCTION begin_erasure_scans() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  e erasures;
BEGIN
  FOR e IN SELECT x.* FROM erasures x WHERE NOT x.scanned AND x.look_at <= now()
    AND NOT EXISTS (SELECT FROM erasure_scans s WHERE s.workspace_id = x.workspace_id) ORDER BY x.id LIMIT 200
  LOOP
    PERFORM erase_deliveries(e, e.deliveries);
    DELETE FROM remote_messages WHERE message_id IN (SELECT message_id FROM deliveries WHERE id = ANY (e.deliveries));
    IF EXISTS (SELECT FROM deliveries WHERE id = ANY (e.deliveries) AND status IN ('queued', 'sending', 'uncertain'))
      OR EXISTS (SELECT FROM envelopes v WHERE v.status = 'pending' AND v.received_at <= e.created_at
        AND v.workspace_id = e.workspace_id AND names_any(concat_ws(' ', v.payload, v.context, v.lane), e.terms))
    THEN UPDATE erasures SET look_at = now() + interval '1 minute' WHERE id = e.id;
    ELSE
      UPDATE erasures SET scanned = true WHERE id = e.id;
      INSERT INTO erasure_scans (workspace_id) VALUES (e.workspace_id) ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
END $$;

-- One portion of the scan that waited longest. False when there is nothing to be done now. One process at a time.
CREATE FUNCTION continue_erasures(most int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  s erasure_scans;
  before erasure_scans;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('erasures', 0)) THEN RETURN false; END IF;
  PERFORM begin_erasure_scans();
  SELECT * INTO s FROM erasure_scans ORDER BY continued_at LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  before := s;
  s := CASE s.stage WHEN 'envelopes' THEN scan_envelopes(s, most) WHEN 'broadcasts' THEN scan_broadcasts(s)
    WHEN 'events' THEN scan_events(s, most) ELSE scan_locations(s, most) END;
  IF s.stage = 'done' THEN
    DELETE FROM erasures WHERE workspace_id = s.workspace_id AND scanned;
    DELETE FROM erasure_scans WHERE workspace_id = s.workspace_id;
    RETURN true;
  END IF;
  UPDATE erasure_scans SET stage = s.stage, connection_id = s.connection_id, dedupe_key = s.dedupe_key,
    broadcast_id = s.broadcast_id, event_xid = s.event_xid, event_position = s.event_position, continued_at = clock_timestamp()
  WHERE workspace_id = s.workspace_id;
  RETURN s IS DISTINCT FROM before OR s.stage <> 'events';
END $$;

-- What the people whom a scan is about are called by.
CREATE FUNCTION scanned_terms(workspace uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT DISTINCT unnest(terms) FROM erasures WHERE workspace_id = workspace AND scanned)
$$;

-- Envelopes go by connection and key, which an index has.
CREATE FUNCTION scan_envelopes(s erasure_scans, most int) RETURNS erasure_scans LANGUAGE plpgsql AS $$
DECLARE
  terms text[] := scanned_terms(s.workspace_id);
  last text;
  next uuid;
BEGIN
  WITH portion AS MATERIALIZED (
    SELECT id, dedupe_key, status, concat_ws(' ', payload, context, lane, error) AS content FROM envelopes
    WHERE connection_id = s.connection_id AND dedupe_key > s.dedupe_key ORDER BY dedupe_key LIMIT most
  ), cleared AS (
    UPDATE envelopes v SET payload = 'null', context = '{}', lane = 'erased', error = CASE WHEN v.error IS NOT NULL THEN 'Erased.' END FROM portion p
    WHERE v.id = p.id AND p.status <> 'pending' AND names_any(p.content, terms) AND EXISTS (
      SELECT FROM erasures e WHERE e.workspace_id = s.workspace_id AND e.scanned AND p.id < e.id AND names_any(p.content, e.terms))
  ) SELECT max(dedupe_key) INTO last FROM portion;
  IF last IS NOT NULL THEN
    s.dedupe_key := last;
    RETURN s;
  END IF;
  SELECT id INTO next FROM connections WHERE workspace_id = s.workspace_id AND id > s.connection_id ORDER BY id LIMIT 1;
  IF next IS NULL THEN s.stage := 'broadcasts';
  ELSE
    s.connection_id := next;
    s.dedupe_key := '';
  END IF;
  RETURN s;
END $$;

-- Audiences that name addresses, and recipients who were frozen while somebody was erased.
CREATE FUNCTION scan_broadcasts(s erasure_scans) RETURNS erasure_scans LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid[] := ARRAY(SELECT id FROM broadcasts WHERE workspace_id = s.workspace_id AND id > s.broadcast_id
    AND created_at <= (SELECT max(created_at) FROM erasures WHERE workspace_id = s.workspace_id AND scanned) ORDER BY id LIMIT 20);
BEGIN
  PERFORM forget_recipients(chosen, scanned_terms(s.workspace_id));
  UPDATE broadcast_recipients SET address = NULL, variables = '{}' WHERE broadcast_id = ANY (chosen)
    AND user_id IN (SELECT user_id FROM erasures WHERE workspace_id = s.workspace_id AND scanned) AND address IS NOT NULL;
  s.broadcast_id := coalesce(chosen[cardinality(chosen)], s.broadcast_id);
  IF cardinality(chosen) = 0 THEN s.stage := 'events'; END IF;
  RETURN s;
END $$;

-- Events about somebody, and those that name them, are cut to their ids: their records say no more. Messages of theirs in groups
-- lose the name. Events of transactions that are still open wait for the next portion.
CREATE FUNCTION scan_events(s erasure_scans, most int) RETURNS erasure_scans LANGUAGE plpgsql AS $$
DECLARE
  terms text[] := scanned_terms(s.workspace_id);
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  last record;
BEGIN
  WITH portion AS MATERIALIZED (
    SELECT position, xid, type, conversation_id, occurred_at, data, extra FROM events
    WHERE workspace_id = s.workspace_id AND (xid, position) > (s.event_xid, s.event_position) AND xid < least(s.until, ended)
    ORDER BY xid, position LIMIT most
  ), judged AS MATERIALIZED (
    SELECT p.*, h.cut, h.called FROM portion p
    CROSS JOIN LATERAL (SELECT names_any(concat_ws(' ', p.data, p.extra), terms) AS named OFFSET 0) n
    CROSS JOIN LATERAL (
      SELECT bool_or(event_is_about(p.type, p.conversation_id, p.data, e)
          OR n.named AND (p.occurred_at <= e.created_at OR p.conversation_id = ANY (e.conversations))
            AND names_any(concat_ws(' ', p.data, p.extra), e.terms)) AS cut,
        max(u.display_name) FILTER (WHERE p.extra->'sender'->>'id' = e.user_id::text) AS called
      FROM erasures e JOIN users u ON u.id = e.user_id WHERE e.workspace_id = s.workspace_id AND e.scanned) h
    WHERE p.type NOT IN ('user.deleted', 'user.merged') AND (h.cut OR h.called IS NOT NULL)
  ), cleared AS (
    UPDATE events v SET data = CASE WHEN j.cut THEN cut_to_ids(j.data) ELSE j.data END,
      extra = CASE WHEN NOT j.cut THEN jsonb_set(j.extra::jsonb, '{sender,display_name}', to_jsonb(j.called)) END
    FROM judged j WHERE v.position = j.position
  ) SELECT xid, position INTO last FROM portion ORDER BY xid DESC, position DESC LIMIT 1;
  IF last.xid IS NOT NULL THEN
    s.event_xid := last.xid;
    s.event_position := last.position;
  ELSIF ended >= s.until THEN
    s.stage := 'locations';
  END IF;
  RETURN s;
END $$;

-- Whether an event is about somebody, or about a conversation with nobody but them.
CREATE FUNCTION event_is_about(type text, conversation uuid, data json, e erasures) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE split_part(type, '.', 1)
    WHEN 'user' THEN e.user_id::text IN (data->>'id', data->>'user_id')
    WHEN 'location' THEN data->>'user_id' = e.user_id::text
    WHEN 'tracking' THEN data->>'user_id' = e.user_id::text
    WHEN 'conversation' THEN conversation = ANY (e.conversations)
    ELSE false END
$$;

CREATE FUNCTION scan_locations(s erasure_scans, most int) RETURNS erasure_scans LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM locations WHERE id IN (SELECT l.id FROM erasures e JOIN locations l ON l.user_id = e.user_id
    WHERE e.workspace_id = s.workspace_id AND e.scanned LIMIT most);
  IF NOT FOUND THEN s.stage := 'done'; END IF;
  RETURN s;
END $$;

-- POST users/{id}/merge: {"workspace_id", "id", "source_id", "claim"}. The source is deleted afterwards.
CREATE FUNCTION merge_contacts(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  s users;
  former text;
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
  former := u.status;
  UPDATE identities SET user_id = u.id WHERE user_id = s.id;
  PERFORM move_conversations(s.id, u.id);
  PERFORM move_audiences(s, u);
  UPDATE users SET phone = coalesce(phone, s.phone), email = coalesce(nullif(email, ''), s.email),
    status = CASE WHEN s.status = 'blocked' THEN s.status ELSE status END WHERE id = u.id;
  -- What platforms call the source is the target's now.
  s.phone := NULL;
  s.email := '';
  PERFORM begin_erasure(s, '{}');
  PERFORM erase_user(s);
  UPDATE users SET consent = strictest_consent(u.consent, s.consent), stopped_at = greatest(u.stopped_at, s.stopped_at),
    stopped_as = CASE WHEN u.stopped_at IS NULL THEN s.stopped_as ELSE u.stopped_as END,
    marketed_at = u.marketed_at || s.marketed_at,
    updated_at = now() WHERE id = u.id RETURNING * INTO u;
  PERFORM sync_opt_out(u);
  PERFORM hold_back_from(u);
  INSERT INTO events (workspace_id, type, data)
  VALUES (u.workspace_id, 'user.merged', json_build_object('id', u.id, 'merged_id', s.id));
  IF u.status <> former THEN
    INSERT INTO events (workspace_id, type, data, extra) VALUES (u.workspace_id, 'user.status_changed', user_record(u),
      json_build_object('previous', json_build_object('status', former)));
  END IF;
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
  PERFORM move_call_participants(ids, source, target);
  UPDATE reactions r SET user_id = target FROM messages m WHERE r.message_id = m.id AND r.user_id = source AND m.conversation_id = ANY (ids)
    AND NOT EXISTS (SELECT FROM reactions o WHERE o.message_id = r.message_id AND o.emoji = r.emoji AND o.user_id = target);
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

-- Ids of a list with one put in the place of another, each once.
CREATE FUNCTION put_in_place(list jsonb, former uuid, other uuid) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_agg(id ORDER BY n) FROM (
    SELECT id, min(n) AS n FROM (SELECT CASE id WHEN former::text THEN other::text ELSE id END AS id, n
      FROM jsonb_array_elements_text(list) WITH ORDINALITY AS x (id, n)) moved GROUP BY id) once
$$;

-- Who was to get something gets it as the other contact, once, and who was not to get it does not.
CREATE FUNCTION move_audiences(source users, target users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE broadcast_recipients r SET user_id = target.id FROM broadcasts b
  WHERE b.workspace_id = source.workspace_id AND r.broadcast_id = b.id AND r.user_id = source.id AND NOT EXISTS (
    SELECT 1 FROM broadcast_recipients o WHERE o.broadcast_id = b.id AND o.user_id = target.id);
  UPDATE broadcast_recipients r SET address = NULL, variables = '{}' FROM broadcasts b
  WHERE b.workspace_id = source.workspace_id AND r.broadcast_id = b.id AND r.user_id = source.id;
  UPDATE broadcasts SET audience = jsonb_set(audience, '{user_ids}', put_in_place(audience->'user_ids', source.id, target.id))
  WHERE workspace_id = source.workspace_id AND status IN ('draft', 'scheduled', 'preparing')
    AND audience->'user_ids' ? source.id::text;
  UPDATE broadcasts SET audience = jsonb_set(audience, '{exclude,user_ids}',
    put_in_place(audience->'exclude'->'user_ids', source.id, target.id))
  WHERE workspace_id = source.workspace_id AND status IN ('draft', 'scheduled', 'preparing')
    AND audience->'exclude'->'user_ids' ? source.id::text;
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
