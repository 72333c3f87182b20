-- Helpers for events that arrive from platforms. An envelope is stored once, and its effects are committed
-- with it. An event can arrive before its message: platforms without ordered delivery redeliver a failed
-- event late, the envelope of the message may be postponed, and the id of a sent message is known only once
-- its send is recorded. Such an event waits in parked_events.

-- Normalizes a message for the comparison with keywords; empty if it is too long. A command may include the
-- name of its bot.
CREATE OR REPLACE FUNCTION normalize_keyword(content text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN word LIKE '/%@%' THEN split_part(word, '@', 1) ELSE word END FROM (
    SELECT CASE WHEN length(bare) > 256 THEN ''
      ELSE upper(regexp_replace(bare, '[[:space:]\u00a0\u202f]+', ' ', 'g')) END
    FROM btrim(content, invisible_characters()) AS b (bare)) AS x (word)
$$;

-- Whether a keyword opts out of messages in a workspace.
CREATE OR REPLACE FUNCTION is_opt_out_keyword(word text, workspace uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT word = '/STOP' OR word = ANY (SELECT upper(k) FROM workspaces w, unnest(w.opt_out_keywords) k
    WHERE w.id = workspace)
$$;

-- The events of an envelope, with its id in the first message.
CREATE OR REPLACE FUNCTION add_envelope_id(inbound_events jsonb, envelope uuid) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(CASE WHEN x.n = x.first THEN x.e || jsonb_build_object('envelopeId', envelope)
    ELSE x.e - 'envelopeId' END ORDER BY x.n), '[]')
  FROM (SELECT e, n, min(n) FILTER (WHERE e->>'type' = 'message') OVER () AS first
    FROM jsonb_array_elements(inbound_events) WITH ORDINALITY AS i (e, n)) x
$$;

-- Applies the report of a platform that a contact has blocked the account or unsubscribed, or has undone
-- this. The report has the effect of STOP or START. Repeated reports have no further effect.
CREATE OR REPLACE FUNCTION apply_platform_consent(contact uuid, state text, code text DEFAULT 'opted_out')
  RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  SELECT * INTO u FROM users WHERE id = contact FOR NO KEY UPDATE;
  IF u.consent @> jsonb_build_object('marketing', state, 'notification', state)
    AND (u.stopped_at IS NOT NULL) = (state = 'denied') THEN
    RETURN;
  END IF;
  PERFORM change_consent(u, state, 'platform', NULL, code);
END $$;

-- Adds to a counter of the transaction, which is returned to the caller for its log.
CREATE OR REPLACE FUNCTION increment_inbound_counter(counter text, amount int DEFAULT 1) RETURNS void
  LANGUAGE sql AS $$
  SELECT set_config('trunkline.inbound_' || counter,
    (coalesce(nullif(current_setting('trunkline.inbound_' || counter, true), '')::int, 0) + amount)::text,
    true)
$$;

-- The position of a change among the changes of its message: by the platform's time and sequence, then by
-- arrival.
CREATE OR REPLACE FUNCTION change_order(e jsonb, arrived timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char((e->>'at')::timestamptz AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')
    || lpad(coalesce(e->>'sequence', '0'), 16, '0')
    || to_char(arrived AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')
$$;

-- How long an event waits for its message: as long as the platform may redeliver, and at least as long as a
-- postponed envelope is retried.
CREATE OR REPLACE FUNCTION parked_event_lifetime(e jsonb) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(interval '1 hour', make_interval(secs => coalesce((e->>'redeliveryS')::int, 0)))
$$;

-- Whether an unknown message of a chat may be one that we are sending: a send to the chat is running or ended
-- within the last minute, or a lost response is being looked up.
CREATE OR REPLACE FUNCTION may_have_unrecorded_send(n connections, chat text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM links l WHERE l.connection_id = n.id AND l.external_id = chat
    AND l.removed_at IS NULL
    AND (l.leased_until IS NOT NULL OR l.last_outbound_at > now() - interval '1 minute'
      OR EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = n.id AND d.link_id = l.id
          AND d.duty = 'lookup')))
$$;

-- Whether a message of a platform is in the id map.
CREATE OR REPLACE FUNCTION is_known_message(n connections, chat text, remote_id text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM remote_messages x WHERE x.connection_id = n.id AND x.external_chat_id = chat
    AND x.external_id = remote_id)
$$;

-- Parks a reply whose original is unknown: the original may be a running send, a message in a postponed
-- envelope, or one that a platform without ordered delivery redelivers.
CREATE OR REPLACE FUNCTION park_reply(n connections, chat text, e jsonb, reply uuid) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF may_have_unrecorded_send(n, chat) OR coalesce((e->>'redeliveryS')::int, 0) > 0
    OR EXISTS (SELECT FROM envelopes v WHERE v.status = 'pending' AND v.connection_id = n.id)
  THEN PERFORM park_event(n, chat, e->>'replyToId', jsonb_build_object('type', 'reply', 'message_id', reply),
    true, parked_event_lifetime(e)); END IF;
END $$;

-- Whether a change is allowed: its actor is the author, a moderator as reported by the platform, or unnamed
-- because only authors can change messages on the platform.
CREATE OR REPLACE FUNCTION is_authorized(e jsonb, author text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT e->>'authority' IN ('platform', 'moderator') IS TRUE
    OR coalesce(e->'actor'->>'id', e->'sender'->>'id', author) IS NOT DISTINCT FROM author
$$;

-- Actions of other bots stay in their chat unless the connection allows them: the bot may be another bridge
-- with the same chats, which has its own copy of our answer.
CREATE OR REPLACE FUNCTION is_unrelayed_bot(n connections, author jsonb) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce((author->>'isBot')::boolean, false)
    AND n.settings->>'messages_of_bots' IS DISTINCT FROM 'relay'
$$;

-- The events about a message of a platform that arrived before it was known.
CREATE OR REPLACE FUNCTION find_parked_events(n connections, chat text, remote_id text)
  RETURNS parked_events[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(x), '{}') FROM parked_events x
  WHERE x.connection_id = n.id AND x.external_id = remote_id AND x.external_chat_id = chat
$$;

-- Finds or creates the contact of a person on a platform. Returns it locked.
CREATE OR REPLACE FUNCTION find_or_create_sender(n connections, person jsonb) RETURNS users LANGUAGE sql AS $$
  SELECT find_or_create_contact(n.workspace_id, n.platform, person->>'id', person->>'handle',
    person->>'displayName', person->>'locale')
$$;

-- Creates contacts for people who reacted to a message before it was stored, together with its author and in
-- a fixed order, because contacts are locked before anything else.
CREATE OR REPLACE FUNCTION create_reactor_contacts(n connections, parked parked_events[], author jsonb)
  RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  who jsonb;
BEGIN
  FOR who IN SELECT DISTINCT ON (p->>'id') p
    FROM (SELECT author UNION ALL SELECT x.event->'sender' FROM unnest(parked) x
    WHERE x.waits AND x.event->>'type' = 'reaction') y (p) WHERE p->>'id' IS NOT NULL ORDER BY p->>'id'
  LOOP PERFORM find_or_create_sender(n, who); END LOOP;
END $$;

-- Applies the events that waited for a message, in the order of the platform. Removals stay, because an older
-- addition may still arrive.
CREATE OR REPLACE FUNCTION apply_parked_events_of_message(n connections, chat text, remote_id text,
  message uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parked parked_events;
BEGIN
  FOR parked IN SELECT * FROM parked_events x WHERE x.connection_id = n.id AND x.external_id = remote_id
    AND x.external_chat_id = chat
    AND x.waits AND x.event->>'type' <> 'receipt' ORDER BY x.event->>'order' NULLS FIRST, x.id
      FOR UPDATE SKIP LOCKED
  LOOP
    IF apply_parked_event(parked, message) THEN PERFORM close_parked_event(parked); END IF;
  END LOOP;
END $$;

-- Ends a parked event that was applied. A removal stays until it expires, so that an addition that arrives
-- later has no effect.
CREATE OR REPLACE FUNCTION close_parked_event(parked parked_events) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF parked.event->>'change' = 'removed'
    OR parked.event->>'type' IN ('reactions_cleared', 'message_deleted') THEN
    UPDATE parked_events SET waits = false WHERE id = parked.id;
  ELSE
    DELETE FROM parked_events WHERE id = parked.id;
  END IF;
END $$;

-- Adds an alias to a known message of a platform and applies the events that waited for it.
CREATE OR REPLACE FUNCTION add_message_alias(n connections, chat text, remote_id text, message uuid,
  delivery uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id,
    delivery_id, alias)
  VALUES (n.id, chat, remote_id, n.workspace_id, message, delivery, true) ON CONFLICT DO NOTHING;
  PERFORM apply_parked_events_of_message(n, chat, remote_id, message);
END $$;

-- The accounts of a workspace on the same platform, including this one. A chat that the platform copies
-- messages from has the same ids for all accounts, and another account may be the one in that chat.
CREATE OR REPLACE FUNCTION connections_of_same_platform(n connections) RETURNS SETOF connections
  LANGUAGE sql STABLE AS $$
  SELECT c FROM connections c WHERE c.workspace_id = n.workspace_id AND c.platform = n.platform
    AND c.deleted_at IS NULL
    AND c.settings->>'api_base_url' IS NOT DISTINCT FROM n.settings->>'api_base_url'
$$;

-- Handles a copy that the platform made of another message. If the original is known, the copy is an alias.
-- If its chat is linked, the original may still arrive or be an unrecorded send: the copy waits. Returns
-- false if the copy is a separate message.
CREATE OR REPLACE FUNCTION resolve_copy(n connections, e jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  source text := e->'copyOf'->>'chatId';
  original remote_messages;
  writer connections;
BEGIN
  SELECT x.* INTO original FROM connections_of_same_platform(n) c
    JOIN remote_messages x ON x.connection_id = c.id AND x.external_chat_id = source
    AND x.external_id = e->'copyOf'->>'messageId'
  ORDER BY c.id <> n.id, c.id LIMIT 1;
  IF FOUND THEN
    PERFORM add_message_alias(n, e->'chat'->>'id', e->>'messageId', original.message_id,
      original.delivery_id);
    RETURN true;
  END IF;
  SELECT c.* INTO writer FROM connections_of_same_platform(n) c
  WHERE may_have_unrecorded_send(c, source) OR EXISTS (
    SELECT FROM links l WHERE l.connection_id = c.id AND l.external_id = source
      AND l.removed_at IS NULL AND l.direction <> 'outbound')
  ORDER BY c.id <> n.id, c.id LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM park_event(writer, source, e->'copyOf'->>'messageId',
    jsonb_build_object('type', 'copy', 'event', e, 'connection_id', n.id), true, interval '1 day');
  RETURN true;
END $$;

-- An inbound message in the input format of accept_messages.
CREATE OR REPLACE FUNCTION inbound_message_input(n connections, link uuid, conversation uuid, author uuid,
  message uuid, reply uuid, e jsonb)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', message, 'workspace_id', n.workspace_id, 'conversation_id', conversation,
    'sender_id', author, 'text', e->'content'->>'text', 'spans', nullif(e->'content'->'spans', '[]'),
    'attachments', coalesce(e->'attachments', '[]'), 'direction', 'inbound', 'platform', n.platform,
    'stays', is_unrelayed_bot(n, e->'sender'), 'reply_to_id', reply, 'from_link_id', link,
      'origin', jsonb_build_object(
      'connection_id', n.id, 'link_id', link, 'external_id', e->>'messageId',
        'external_sender_id', e->'sender'->>'id'))
$$;

-- Changes a message, and the messages in which its text continues, to the content that its platform reports.
CREATE OR REPLACE FUNCTION edit_inbound_message(n connections, original uuid, e jsonb) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  record json := edit_message(n.workspace_id, original, jsonb_build_object('text', e->'content'->>'text',
    'spans', nullif(e->'content'->'spans', '[]')), NULL, true)->'record';
BEGIN
  IF record IS NOT NULL THEN PERFORM store_text_continuation(n, original, e); END IF;
  RETURN record;
END $$;

-- The inbound message that an edit or deletion on the platform is about. Copies that we sent and copies that
-- the platform made are excluded. The id map is read once: a message that is being recorded is either found
-- here or finds the waiting event.
CREATE OR REPLACE FUNCTION find_inbound_original(n connections, e jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  known remote_messages;
BEGIN
  SELECT * INTO known FROM remote_messages WHERE connection_id = n.id AND external_chat_id = e->'chat'->>'id'
    AND external_id = e->>'messageId';
  IF known.message_id IS NULL THEN PERFORM park_message_change(n, e); END IF;
  RETURN CASE WHEN known.delivery_id IS NULL AND NOT known.alias
    AND NOT coalesce((e->>'echo')::boolean, false) THEN known.message_id END;
END $$;

-- Applies an edit on the platform. An edit that is older than the shown content is ignored, whenever it
-- arrives.
CREATE OR REPLACE FUNCTION apply_inbound_edit(n connections, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  original uuid := find_inbound_original(n, e);
  m messages;
BEGIN
  IF original IS NULL THEN RETURN NULL; END IF;
  SELECT * INTO m FROM messages WHERE id = original AND deleted_at IS NULL FOR UPDATE;
  -- A blocked person can't change earlier messages either.
  IF NOT FOUND OR m.edit_order > e->>'order'
    OR EXISTS (SELECT FROM users WHERE id = m.sender_id AND status = 'blocked') THEN
    RETURN NULL;
  END IF;
  IF NOT is_authorized(e, m.origin->>'external_sender_id') THEN
    PERFORM increment_inbound_counter('refused'); RETURN NULL; END IF;
  UPDATE messages SET edit_order = e->>'order' WHERE id = m.id;
  RETURN edit_inbound_message(n, m.id, e);
END $$;

-- Deletes a message that was deleted on its platform, if the actor may do so.
CREATE OR REPLACE FUNCTION apply_inbound_deletion(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  original uuid := find_inbound_original(n, e);
BEGIN
  IF original IS NULL THEN RETURN; END IF;
  IF is_authorized(e, (SELECT m.origin->>'external_sender_id' FROM messages m WHERE m.id = original)) THEN
    PERFORM delete_message(n.workspace_id, original, NULL, NULL, true);
  ELSE
    PERFORM increment_inbound_counter('refused');
  END IF;
END $$;
