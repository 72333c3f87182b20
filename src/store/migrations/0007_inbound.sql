-- Inbound: an envelope is stored once, and its effects are committed with it.

-- The conversation that a chat's next inbound message belongs to. A closed direct conversation is reopened within a day;
-- later a new one is begun and the link moves to it. Where the chat has got another conversation, or lost this one, while the lock
-- was waited for, the transaction begins anew.
CREATE FUNCTION continue_conversation(l links, author uuid) RETURNS conversations LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = l.conversation_id FOR UPDATE;
  IF NOT EXISTS (SELECT FROM links k WHERE k.id = l.id AND k.conversation_id = c.id AND k.removed_at IS NULL) THEN
    RAISE EXCEPTION 'the chat was unlinked or moved meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  IF c.status = 'open' THEN RETURN c; END IF;
  IF c.status IN ('resolved', 'archived') AND c.type = 'direct' AND c.closed_at < now() - interval '24 hours'
    AND (SELECT count(*) FROM links WHERE conversation_id = c.id AND removed_at IS NULL) = 1 THEN
    c := create_conversation(c.workspace_id, uuid7(), 'direct', c.title, author, ARRAY(
      SELECT user_id FROM participants WHERE conversation_id = c.id AND left_at IS NULL AND user_id <> author), '{}');
    UPDATE links SET conversation_id = c.id, updated_at = now() WHERE id = l.id;
    PERFORM announce_conversation(c);
    RETURN c;
  END IF;
  RETURN store_conversation(c, moved_conversation(c, 'open'));
END $$;

-- The link of a chat: the thread's own one, else that of the whole chat. A thread that is a chat of its own has only its own.
CREATE FUNCTION find_link(connection uuid, chat jsonb) RETURNS links LANGUAGE sql STABLE AS $$
  SELECT l FROM links l WHERE l.connection_id = connection AND l.external_id = chat->>'id' AND l.removed_at IS NULL
    AND (l.external_thread_id = chat->>'threadId' OR (l.external_thread_id IS NULL AND chat->>'threadIsChat' IS DISTINCT FROM 'true'))
  ORDER BY l.external_thread_id NULLS LAST LIMIT 1
$$;

-- Somebody to whom a link leads by their address writes before it is known which chat that is: it is this one.
CREATE FUNCTION adopt_chat(connection uuid, chat jsonb, person text) RETURNS links LANGUAGE plpgsql AS $$
DECLARE
  unopened uuid;
BEGIN
  IF chat->>'kind' IS DISTINCT FROM 'direct' THEN RETURN NULL; END IF;
  SELECT l.id INTO unopened FROM links l WHERE l.connection_id = connection AND l.external_id = person AND l.address = person
    AND l.external_thread_id IS NULL AND l.removed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM open_chat(unopened, chat->>'id');
  RETURN find_link(connection, chat);
END $$;

-- The link that a message comes by, made for the whole chat (or for the thread that is a chat of its own) with its conversation
-- when the connection takes in unknown chats. Null: drop the message.
CREATE FUNCTION inbound_link(n connections, chat jsonb, author uuid) RETURNS links LANGUAGE plpgsql AS $$
DECLARE
  l links;
  c conversations;
  kind text := CASE chat->>'kind' WHEN 'direct' THEN 'direct' ELSE 'group' END;
BEGIN
  l := find_link(n.id, chat);
  IF l.id IS NOT NULL THEN RETURN l; END IF;
  IF n.settings->>'unlinked_chats' = 'ignore' THEN RETURN NULL; END IF;
  -- Two first messages of one chat at once: the lock lets the second find what the first made.
  PERFORM pg_advisory_xact_lock(hashtextextended(n.id::text || (chat->>'id'), 0));
  l := find_link(n.id, chat);
  IF l.id IS NOT NULL THEN RETURN l; END IF;
  c := create_conversation(n.workspace_id, uuid7(), kind, left(chat->>'title', 256), author, '{}', '{}');
  l := add_link(c, jsonb_build_object('id', uuid7(), 'connection_id', n.id, 'platform', n.platform,
    'external_id', chat->>'id', 'title', left(chat->>'title', 256))
    || CASE WHEN chat->>'threadIsChat' = 'true' THEN jsonb_build_object('external_thread_id', chat->>'threadId') ELSE '{}' END);
  PERFORM announce_conversation(c);
  RETURN l;
END $$;

-- Blanks of Unicode (White_Space) and its format characters (Cf), which stand unseen around words that are copied or typed on phones.
CREATE FUNCTION unseen_around() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT E'\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009'
    '\u200a\u2028\u2029\u202f\u205f\u3000\u00ad\u0600\u0601\u0602\u0603\u0604\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2'
    '\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068'
    '\u2069\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\ufff9\ufffa\ufffb\U000110bd\U000110cd\U00013430\U00013431\U00013432'
    '\U00013433\U00013434\U00013435\U00013436\U00013437\U00013438\U00013439\U0001343a\U0001343b\U0001343c\U0001343d'
    '\U0001343e\U0001343f\U0001bca0\U0001bca1\U0001bca2\U0001bca3\U0001d173\U0001d174\U0001d175\U0001d176\U0001d177'
    '\U0001d178\U0001d179\U0001d17a\U000e0001\U000e0020\U000e0021\U000e0022\U000e0023\U000e0024\U000e0025\U000e0026'
    '\U000e0027\U000e0028\U000e0029\U000e002a\U000e002b\U000e002c\U000e002d\U000e002e\U000e002f\U000e0030\U000e0031'
    '\U000e0032\U000e0033\U000e0034\U000e0035\U000e0036\U000e0037\U000e0038\U000e0039\U000e003a\U000e003b\U000e003c'
    '\U000e003d\U000e003e\U000e003f\U000e0040\U000e0041\U000e0042\U000e0043\U000e0044\U000e0045\U000e0046\U000e0047'
    '\U000e0048\U000e0049\U000e004a\U000e004b\U000e004c\U000e004d\U000e004e\U000e004f\U000e0050\U000e0051\U000e0052'
    '\U000e0053\U000e0054\U000e0055\U000e0056\U000e0057\U000e0058\U000e0059\U000e005a\U000e005b\U000e005c\U000e005d'
    '\U000e005e\U000e005f\U000e0060\U000e0061\U000e0062\U000e0063\U000e0064\U000e0065\U000e0066\U000e0067\U000e0068'
    '\U000e0069\U000e006a\U000e006b\U000e006c\U000e006d\U000e006e\U000e006f\U000e0070\U000e0071\U000e0072\U000e0073'
    '\U000e0074\U000e0075\U000e0076\U000e0077\U000e0078\U000e0079\U000e007a\U000e007b\U000e007c\U000e007d\U000e007e'
    '\U000e007f'
$$;

-- A message as the keyword that it may be; empty when it is too long for one. A command may name whom it is for.
CREATE FUNCTION said_word(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN word LIKE '/%@%' THEN split_part(word, '@', 1) ELSE word END FROM (
    SELECT CASE WHEN length(bare) > 256 THEN '' ELSE upper(regexp_replace(bare, '[[:space:]\u00a0\u202f]+', ' ', 'g')) END
    FROM btrim(said, unseen_around()) AS b (bare)) AS x (word)
$$;

CREATE FUNCTION is_stop(word text, workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT word = '/STOP' OR word = ANY (SELECT upper(k) FROM workspaces w, unnest(w.opt_out_keywords) k WHERE w.id = workspace)
$$;

CREATE FUNCTION is_keyword(said text, workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT said_word(said) IN ('START', 'YES', 'UNSTOP', 'HELP', 'INFO') OR is_stop(said_word(said), workspace)
$$;

-- STOP, START and HELP words in a direct conversation, before the message itself is stored. Answers which notice the
-- contact gets for it, once per change.
CREATE FUNCTION apply_keyword(u users, conversation_type text, said text, identity_platform text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  word text := said_word(said);
  stop boolean := is_stop(word, u.workspace_id);
  state text;
BEGIN
  IF conversation_type <> 'direct' OR NOT (stop OR word IN ('START', 'YES', 'UNSTOP')) THEN
    UPDATE users SET stopped_at = NULL WHERE id = u.id AND stopped_at IS NOT NULL;
    RETURN CASE WHEN conversation_type = 'direct' AND word IN ('HELP', 'INFO') THEN 'help' END;
  END IF;
  state := CASE WHEN stop THEN 'denied' ELSE 'granted' END;
  IF u.consent @> jsonb_build_object('marketing', state, 'notification', state) AND (u.stopped_at IS NOT NULL) = stop THEN
    RETURN NULL;
  END IF;
  PERFORM change_consent(u, state, 'keyword', word);
  RETURN CASE WHEN stop THEN 'opted_out' END;
END $$;

-- Marketing and notification consent of a contact on all identities at once. `code`: the delivery error that a denial leads to.
CREATE FUNCTION change_consent(u users, state text, source text, keyword text, code text DEFAULT 'opted_out') RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET consent = consent || jsonb_build_object('marketing', state, 'notification', state),
    stopped_at = CASE WHEN state = 'denied' THEN now() END, stopped_as = CASE WHEN state = 'denied' THEN code END,
    updated_at = now() WHERE id = u.id RETURNING * INTO u;
  UPDATE identities SET opt_out = CASE WHEN state = 'denied' THEN '{marketing,notification}'::text[] ELSE '{}' END
  WHERE user_id = u.id;
  INSERT INTO events (workspace_id, type, data) VALUES (u.workspace_id,
    CASE WHEN state = 'denied' THEN 'user.opted_out' ELSE 'user.opted_in' END,
    json_build_object('user_id', u.id, 'identities', coalesce((
        SELECT json_agg(json_build_object('platform', platform, 'external_id', external_id)) FROM identities WHERE user_id = u.id), '[]'),
      'categories', json_build_array('marketing', 'notification'), 'source', source, 'keyword', keyword, 'at', wire_time(now())));
  IF state = 'denied' THEN PERFORM hold_back_from(u); END IF;
END $$;

-- The contact of a direct chat and by which identity they are in it. A chat may have an address of its own, which tells nothing of
-- the identity: it is certain then if they have one on the platform.
CREATE FUNCTION person_of_chat(link uuid) RETURNS TABLE (identity uuid, user_id uuid, certain boolean) LANGUAGE sql STABLE AS $$
  SELECT i.id, i.user_id, i.external_id IN (l.external_id, l.address) IS TRUE OR count(*) OVER () = 1 FROM links l
  JOIN conversations c ON c.id = l.conversation_id AND c.type = 'direct'
  JOIN participants p ON p.conversation_id = c.id AND p.left_at IS NULL
  JOIN users x ON x.id = p.user_id AND x.kind = 'contact' AND x.deleted_at IS NULL
  JOIN identities i ON i.user_id = x.id AND i.platform = l.platform
  WHERE l.id = link ORDER BY i.external_id IN (l.external_id, l.address) DESC NULLS LAST, i.last_used_at DESC NULLS LAST LIMIT 1
$$;

-- A platform says that somebody has blocked the account there or has unsubscribed, or takes it back: as if they had said STOP or
-- START, told once however often it says so.
CREATE FUNCTION take_platform_consent(contact uuid, state text, code text DEFAULT 'opted_out') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  SELECT * INTO u FROM users WHERE id = contact FOR NO KEY UPDATE;
  IF u.consent @> jsonb_build_object('marketing', state, 'notification', state) AND (u.stopped_at IS NOT NULL) = (state = 'denied') THEN
    RETURN;
  END IF;
  PERFORM change_consent(u, state, 'platform', NULL, code);
END $$;

-- The platform refused a direct message for good: its recipient has blocked the account, or has unsubscribed there.
CREATE FUNCTION suppress_recipient(link uuid, reason text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  refused record;
BEGIN
  SELECT * INTO refused FROM person_of_chat(link);
  IF NOT FOUND THEN RETURN; END IF;
  IF reason = 'blocked_by_recipient' THEN PERFORM set_reachable(refused.identity, false); END IF;
  PERFORM take_platform_consent(refused.user_id, 'denied', reason);
END $$;

-- Early events ------------------------------------------------------------------------------------------------------------
-- An event can arrive before the message that it is about: platforms without an order redeliver a failed event late, the envelope of
-- the message may be postponed, and the id of a message of ours is known only once its send is recorded.

-- Counts something that the caller reports in its answer, for the log.
CREATE FUNCTION note_inbound(what text, many int DEFAULT 1) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('trunkline.inbound_' || what, (coalesce(nullif(current_setting('trunkline.inbound_' || what, true), '')::int, 0) + many)::text, true)
$$;

-- What was noted in this transaction, as {"dropped", "refused"}; null when nothing was.
CREATE FUNCTION inbound_notes() RETURNS jsonb LANGUAGE sql AS $$
  SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
    'dropped', nullif(current_setting('trunkline.inbound_dropped', true), '')::int,
    'refused', nullif(current_setting('trunkline.inbound_refused', true), '')::int)), '{}')
$$;

-- Where a change stands among the others of its message: by the platform's time and sequence, then by its arrival.
CREATE FUNCTION change_order(e jsonb, arrived timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char((e->>'at')::timestamptz AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS') || lpad(coalesce(e->>'sequence', '0'), 16, '0')
    || to_char(arrived AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')
$$;

-- How long an event waits for its message: as long as the platform may redeliver, and no shorter than a postponed envelope is retried.
CREATE FUNCTION early_for(e jsonb) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(interval '1 hour', make_interval(secs => coalesce((e->>'redeliveryS')::int, 0)))
$$;

-- Stores an early event. A chat holds 512 that wait, 512 replies and 512 that were applied, a connection 8,192 in all; what is too
-- much is dropped, the oldest first and a quarter at once, so that the log has a line for many of them.
CREATE FUNCTION keep_early(n connections, chat text, remote_id text, what jsonb, is_waiting boolean, lasts interval) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  kept bigint;
  oldest bigint;
  gone int := 0;
BEGIN
  INSERT INTO early_events (connection_id, external_chat_id, external_id, workspace_id, event, waits, expires_at)
  VALUES (n.id, chat, remote_id, n.workspace_id, what, is_waiting, now() + lasts) RETURNING id INTO kept;
  PERFORM 1 FROM early_events WHERE connection_id = n.id AND external_chat_id = chat AND event->>'type' <> 'receipt'
    AND waits = is_waiting AND (event->>'type' = 'reply') = (what->>'type' = 'reply') ORDER BY id DESC OFFSET 512 LIMIT 1;
  IF FOUND THEN
    SELECT id INTO oldest FROM early_events WHERE connection_id = n.id AND external_chat_id = chat AND event->>'type' <> 'receipt'
      AND waits = is_waiting AND (event->>'type' = 'reply') = (what->>'type' = 'reply') ORDER BY id DESC OFFSET 384 LIMIT 1;
    WITH dropped AS (
      DELETE FROM early_events WHERE id IN (SELECT id FROM early_events
        WHERE connection_id = n.id AND external_chat_id = chat AND event->>'type' <> 'receipt' AND waits = is_waiting
          AND (event->>'type' = 'reply') = (what->>'type' = 'reply') AND id <= oldest FOR UPDATE SKIP LOCKED) RETURNING 1
    ) SELECT count(*) INTO gone FROM dropped;
  END IF;
  IF kept % 64 = 0 THEN
    SELECT id INTO oldest FROM early_events WHERE connection_id = n.id AND event->>'type' <> 'receipt' ORDER BY id DESC OFFSET 8192 LIMIT 1;
    IF FOUND THEN
      WITH dropped AS (
        DELETE FROM early_events WHERE id IN (SELECT id FROM early_events WHERE connection_id = n.id AND event->>'type' <> 'receipt'
          AND id <= oldest FOR UPDATE SKIP LOCKED) RETURNING 1
      ) SELECT gone + count(*) INTO gone FROM dropped;
    END IF;
  END IF;
  IF gone > 0 THEN PERFORM note_inbound('dropped', gone); END IF;
END $$;

-- Whether an unknown message of a chat may be one that we are writing right now: the chat is being written to, or was within the last
-- minute, or the platform is asked for a lost answer.
CREATE FUNCTION is_written_to(n connections, chat text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM links l WHERE l.connection_id = n.id AND l.external_id = chat AND l.removed_at IS NULL
    AND (l.leased_until IS NOT NULL OR l.last_outbound_at > now() - interval '1 minute'
      OR EXISTS (SELECT 1 FROM deliveries d WHERE d.connection_id = n.id AND d.link_id = l.id AND d.duty = 'lookup')))
$$;

-- Whether messages of a chat come in, so that a change of an unknown one is worth waiting.
CREATE FUNCTION takes_in(n connections, chat jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN l.id IS NULL THEN n.settings->>'unlinked_chats' IS DISTINCT FROM 'ignore' ELSE l.direction <> 'outbound' END
  FROM find_link(n.id, chat) l
$$;

CREATE FUNCTION is_known(n connections, chat text, remote_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM remote_messages x WHERE x.connection_id = n.id AND x.external_chat_id = chat AND x.external_id = remote_id)
$$;

-- Keeps a change of a message that the caller found unknown. One that is recorded since then is found by the sweeper.
CREATE FUNCTION await_message(n connections, e jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce((e->>'echo')::boolean, false) OR (e ? 'copyOf' AND is_known(n, e->'copyOf'->>'chatId', e->'copyOf'->>'messageId')) OR takes_in(n, e->'chat') IS NOT TRUE
    OR (e->>'type' = 'message_deleted' AND is_of_reaction(n, e)) THEN RETURN false; END IF;
  PERFORM keep_early(n, e->'chat'->>'id', e->>'messageId', e - 'redeliveryS', true, early_for(e));
  RETURN true;
END $$;

-- A stored message names an original that is not known: it may be one that we are writing, one whose envelope was postponed, or, where
-- the platform keeps no order, one that is redelivered.
CREATE FUNCTION await_original(n connections, chat text, e jsonb, reply uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF is_written_to(n, chat) OR coalesce((e->>'redeliveryS')::int, 0) > 0
    OR EXISTS (SELECT FROM envelopes v WHERE v.status = 'pending' AND v.connection_id = n.id)
  THEN PERFORM keep_early(n, chat, e->>'replyToId', jsonb_build_object('type', 'reply', 'message_id', reply), true, early_for(e)); END IF;
END $$;

-- Whether a change may be made: its actor is the author, a moderator by the platform's word, or is not named because the platform lets
-- nobody else change a message.
CREATE FUNCTION is_authorized(e jsonb, author text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT e->>'authority' IN ('platform', 'moderator') IS TRUE OR coalesce(e->'actor'->>'id', e->'sender'->>'id', author) IS NOT DISTINCT FROM author
$$;

-- Whether the deletion of a message arrived before it.
CREATE FUNCTION is_withdrawn(early early_events[], author text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM unnest(early) x WHERE x.event->>'type' = 'message_deleted' AND is_authorized(x.event, author))
$$;

-- An inbound message turns out to be a reply to one of ours: it refers to it from now on and joins its thread, unless it has
-- become the root of one. Copies that are not written yet quote it. Answers false when somebody else holds the reply: its
-- turn comes with the next look, for here messages are locked that may be greater.
CREATE FUNCTION name_original(reply uuid, original uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  thread uuid;
BEGIN
  SELECT * INTO m FROM messages WHERE id = reply FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NOT EXISTS (SELECT 1 FROM messages WHERE id = reply); END IF;
  IF m.deleted_at IS NOT NULL OR m.reply_to_id IS NOT NULL THEN RETURN true; END IF;
  SELECT o.thread_id INTO thread FROM messages o WHERE o.id = original AND o.conversation_id = m.conversation_id
    AND o.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN true; END IF;
  IF EXISTS (SELECT 1 FROM messages t WHERE t.thread_id = m.id) THEN thread := NULL; END IF;
  UPDATE messages SET reply_to_id = original, thread_id = coalesce(thread_id, thread), updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT m.workspace_id, 'message.updated', m.conversation_id, message_record(m), json_build_object('previous',
    jsonb_build_object('reply_to_id', NULL) || CASE WHEN thread IS NULL THEN '{}' ELSE jsonb_build_object('thread_id', NULL) END)
  WHERE events_heard(m.workspace_id);
  RETURN true;
END $$;

-- What another bot does in a chat stays there, unless the connection says otherwise: it may be the copy of another bridge
-- in the same chats, which has its own copy of this answer in turn.
CREATE FUNCTION stays_in_chat(n connections, who jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce((who->>'isBot')::boolean, false) AND n.settings->>'messages_of_bots' IS DISTINCT FROM 'relay'
$$;

CREATE FUNCTION early_events_of(n connections, chat text, remote_id text) RETURNS early_events[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(x), '{}') FROM early_events x WHERE x.connection_id = n.id AND x.external_id = remote_id AND x.external_chat_id = chat
$$;

-- The contact of a person on a platform, locked.
CREATE FUNCTION meet(n connections, who jsonb) RETURNS users LANGUAGE sql AS $$
  SELECT find_or_create_contact(n.workspace_id, n.platform, who->>'id', who->>'handle', who->>'displayName', who->>'locale')
$$;

-- Who reacted to a message before it was stored becomes a contact now, together with its author and in one order: contacts are locked
-- before anything else.
CREATE FUNCTION meet_reactors(n connections, early early_events[], author jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  who jsonb;
BEGIN
  FOR who IN SELECT DISTINCT ON (p->>'id') p FROM (SELECT author UNION ALL SELECT x.event->'sender' FROM unnest(early) x
    WHERE x.waits AND x.event->>'type' = 'reaction') y (p) WHERE p->>'id' IS NOT NULL ORDER BY p->>'id'
  LOOP PERFORM meet(n, who); END LOOP;
END $$;

-- Applies what waited for a message, in the platform's order. Removals stay: an older addition may still come.
CREATE FUNCTION catch_up(n connections, chat text, remote_id text, message uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  early early_events;
BEGIN
  FOR early IN SELECT * FROM early_events x WHERE x.connection_id = n.id AND x.external_id = remote_id AND x.external_chat_id = chat
    AND x.waits AND x.event->>'type' <> 'receipt' ORDER BY x.event->>'order' NULLS FIRST, x.id FOR UPDATE SKIP LOCKED
  LOOP
    IF apply_early_event(early, message) THEN PERFORM settle_early(early); END IF;
  END LOOP;
END $$;

CREATE FUNCTION settle_early(early early_events) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF early.event->>'change' = 'removed' OR early.event->>'type' IN ('reactions_cleared', 'message_deleted') THEN
    UPDATE early_events SET waits = false WHERE id = early.id;
  ELSE
    DELETE FROM early_events WHERE id = early.id;
  END IF;
END $$;

-- Brings together events and messages that were committed at the same moment and did not see each other. For the sweeper.
CREATE FUNCTION join_early_events() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  late record;
  n connections;
BEGIN
  FOR late IN
    SELECT DISTINCT x.message_id, x.connection_id, x.external_chat_id, x.external_id FROM (
      SELECT * FROM early_events WHERE waits AND event->>'type' <> 'receipt' AND received_at < now() - interval '2 s' ORDER BY id DESC LIMIT 2000) e
    JOIN remote_messages x ON x.connection_id = e.connection_id AND x.external_chat_id = e.external_chat_id AND x.external_id = e.external_id
    WHERE x.delivery_id IS NULL ORDER BY x.message_id
  LOOP
    SELECT * INTO n FROM connections WHERE id = late.connection_id;
    PERFORM meet_reactors(n, early_events_of(n, late.external_chat_id, late.external_id), NULL);
    PERFORM catch_up(n, late.external_chat_id, late.external_id, late.message_id);
  END LOOP;
END $$;

-- Copies of the platform -------------------------------------------------------------------------------------------------

-- A message of the platform is another name of one that is known. What waited for it is applied.
CREATE FUNCTION name_copy(n connections, chat text, remote_id text, message uuid, delivery uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id, delivery_id, alias)
  VALUES (n.id, chat, remote_id, n.workspace_id, message, delivery, true) ON CONFLICT DO NOTHING;
  PERFORM catch_up(n, chat, remote_id, message);
END $$;

-- A copy that the platform made of another message. If the original is known, the copy is the same message. If its chat is linked, it
-- is on its way here or is one of ours that is not recorded yet: the copy waits for it. Answers false when it is a message of its own.
CREATE FUNCTION take_copy(n connections, e jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  source text := e->'copyOf'->>'chatId';
  original remote_messages;
BEGIN
  SELECT * INTO original FROM remote_messages x WHERE x.connection_id = n.id AND x.external_chat_id = source
    AND x.external_id = e->'copyOf'->>'messageId';
  IF FOUND THEN
    PERFORM name_copy(n, e->'chat'->>'id', e->>'messageId', original.message_id, original.delivery_id);
    RETURN true;
  END IF;
  IF NOT is_written_to(n, source) AND NOT EXISTS (SELECT FROM links l WHERE l.connection_id = n.id AND l.external_id = source
    AND l.removed_at IS NULL AND l.direction <> 'outbound') THEN RETURN false; END IF;
  PERFORM keep_early(n, source, e->'copyOf'->>'messageId', jsonb_build_object('type', 'copy', 'event', e), true, interval '1 day');
  RETURN true;
END $$;

-- A message of ours in a chat that the platform has copied, and of whose send nobody knows whether it was written.
CREATE FUNCTION unrecorded_original(n connections, source text, said text) RETURNS deliveries LANGUAGE sql STABLE AS $$
  SELECT d FROM links l
  CROSS JOIN LATERAL (SELECT x.id, x.text FROM messages x WHERE x.conversation_id = l.conversation_id
    AND x.created_at > now() - interval '1 day' ORDER BY x.created_at DESC LIMIT 100) m
  JOIN deliveries d ON d.message_id = m.id AND d.link_id = l.id AND d.status IN ('sending', 'uncertain')
  WHERE l.connection_id = n.id AND l.external_id = source AND l.removed_at IS NULL AND m.text <> ''
    AND said <> '' AND (strpos(m.text, said) > 0 OR strpos(said, m.text) > 0) LIMIT 1
$$;

-- Copies whose original did not become known within a minute are messages of their own. For the sweeper.
CREATE FUNCTION release_copies() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  early early_events;
  n connections;
  e jsonb;
  ours deliveries;
  record json;
  made uuid[];
BEGIN
  FOR early IN SELECT * FROM early_events WHERE event->>'type' = 'copy' AND received_at < now() - interval '1 minute'
    ORDER BY received_at LIMIT 50 FOR UPDATE SKIP LOCKED
  LOOP
    DELETE FROM early_events WHERE id = early.id;
    SELECT * INTO n FROM connections WHERE id = early.connection_id AND deleted_at IS NULL;
    CONTINUE WHEN NOT FOUND;
    e := early.event->'event';
    ours := unrecorded_original(n, early.external_chat_id, e->'content'->>'text');
    IF ours.id IS NOT NULL THEN
      PERFORM name_copy(n, e->'chat'->>'id', e->>'messageId', ours.message_id, ours.id);
    ELSIF is_known(n, early.external_chat_id, early.external_id) THEN
      PERFORM take_copy(n, e);
    ELSE
      record := apply_inbound_message(n, e - 'copyOf');
      CONTINUE WHEN record IS NULL;
      made := made || (record->>'id')::uuid;
      PERFORM name_copy(n, early.external_chat_id, early.external_id, (record->>'id')::uuid, NULL);
    END IF;
  END LOOP;
  IF made IS NOT NULL THEN PERFORM lease_copies(made, '{}', 0); END IF;
END $$;

-- An inbound message as accept_messages takes it.
CREATE FUNCTION inbound_input(n connections, link uuid, conversation uuid, author uuid, message uuid, reply uuid, e jsonb)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', message, 'workspace_id', n.workspace_id, 'conversation_id', conversation,
    'sender_id', author, 'text', e->'content'->>'text', 'spans', nullif(e->'content'->'spans', '[]'),
    'attachments', coalesce(e->'attachments', '[]'), 'direction', 'inbound', 'platform', n.platform,
    'stays', stays_in_chat(n, e->'sender'), 'reply_to_id', reply, 'from_link_id', link, 'origin', jsonb_build_object(
      'connection_id', n.id, 'link_id', link, 'external_id', e->>'messageId', 'external_sender_id', e->'sender'->>'id'))
$$;

-- Long texts ----------------------------------------------------------------------------------------------------------------
-- A text that is too long for one message goes on in further ones. The event holds them in `content.rest`, so that they follow it
-- whenever it is applied.

-- Changes a message to what its platform reports, and the messages in which its text goes on.
CREATE FUNCTION edit_inbound(n connections, original uuid, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  record json := edit_message(n.workspace_id, original, jsonb_build_object('text', e->'content'->>'text',
    'spans', nullif(e->'content'->'spans', '[]')), NULL, true)->'record';
BEGIN
  IF record IS NOT NULL THEN PERFORM store_rest(n, original, e); END IF;
  RETURN record;
END $$;

-- Makes the messages in which a text goes on equal to `content.rest`: they are added, changed or deleted.
CREATE FUNCTION store_rest(n connections, original uuid, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place int := 2;
  known uuid;
  part jsonb;
  added json;
  author jsonb;
BEGIN
  LOOP
    SELECT x.message_id INTO known FROM remote_messages x WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = rest_id(e->>'messageId', place) AND x.delivery_id IS NULL;
    part := e->'content'->'rest'->(place - 2);
    EXIT WHEN known IS NULL AND part IS NULL;
    IF part IS NULL THEN
      PERFORM delete_rest(original, place);
      EXIT;
    ELSIF known IS NOT NULL THEN
      PERFORM edit_message(n.workspace_id, known, jsonb_build_object('text', part->>'text', 'spans', nullif(part->'spans', '[]')), NULL, true);
    ELSE
      -- An edit may leave out who wrote the message.
      author := coalesce(nullif(e->'sender', 'null'), (SELECT jsonb_build_object('id', m.origin->>'external_sender_id') FROM messages m WHERE m.id = original));
      added := apply_inbound_message(n, jsonb_build_object('type', 'message', 'chat', e->'chat', 'at', e->'at', 'sender', author,
        'messageId', rest_id(e->>'messageId', place), 'answered', true, 'content', part));
      IF added IS NOT NULL THEN PERFORM lease_copies(ARRAY[(added->>'id')::uuid], '{}', 0); END IF;
    END IF;
    place := place + 1;
  END LOOP;
END $$;

CREATE FUNCTION apply_inbound_message(n connections, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  l links;
  c conversations;
  message uuid := uuid7();
  original uuid;
  reply uuid;
  joined boolean;
  answer json;
  notice text;
  early early_events[];
BEGIN
  IF coalesce((e->>'echo')::boolean, false) THEN RETURN NULL; END IF;
  IF is_known(n, e->'chat'->>'id', e->>'messageId') THEN RETURN NULL; END IF;
  IF e ? 'copyOf' AND take_copy(n, e) THEN RETURN NULL; END IF;
  l := find_link(n.id, e->'chat');
  IF l.id IS NULL THEN l := adopt_chat(n.id, e->'chat', e->'sender'->>'id'); END IF;
  IF l.direction = 'outbound' OR (l.id IS NULL AND n.settings->>'unlinked_chats' = 'ignore') THEN RETURN NULL; END IF;
  early := early_events_of(n, e->'chat'->>'id', e->>'messageId');
  IF cardinality(early) > 0 THEN PERFORM meet_reactors(n, early, e->'sender'); END IF;
  u := meet(n, e->'sender');
  IF u.status = 'blocked' THEN RETURN NULL; END IF;
  l := inbound_link(n, e->'chat', u.id);
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN NULL; END IF;
  c := continue_conversation(l, u.id);
  -- Links before messages, here as everywhere: a STOP takes back what waits.
  PERFORM 1 FROM links WHERE id = l.id FOR NO KEY UPDATE;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES (c.id, u.id, c.workspace_id, 'customer')
  ON CONFLICT (conversation_id, user_id) DO UPDATE SET left_at = NULL WHERE participants.left_at IS NOT NULL
  RETURNING true INTO joined;
  IF joined THEN
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    VALUES (c.workspace_id, 'conversation.participant_added', c.id, conversation_record(c, NULL), json_build_object('user_id', u.id));
  END IF;
  IF c.type = 'direct' THEN
    PERFORM set_reachable(i.id, true) FROM identities i WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform
      AND i.external_id = e->'sender'->>'id' AND NOT i.reachable;
  END IF;
  notice := apply_keyword(u, c.type, e->'content'->>'text', n.platform);
  -- A deletion that overtook its message: what was said counts as a keyword, and is neither stored nor relayed.
  IF is_withdrawn(early, e->'sender'->>'id') THEN RETURN NULL; END IF;
  SELECT x.message_id INTO original FROM remote_messages x
  WHERE x.connection_id = n.id AND x.external_chat_id = l.external_id AND x.external_id = e->>'replyToId';
  SELECT m.id INTO reply FROM messages m WHERE m.id = original AND m.conversation_id = c.id AND m.deleted_at IS NULL;
  answer := accept_messages(jsonb_build_array(inbound_input(n, l.id, c.id, u.id, message, reply, e)
    || CASE WHEN l.pause_reason IS NOT NULL THEN '{"stays":true}'::jsonb ELSE '{}' END), true, true)->0;
  IF answer->'record' IS NULL THEN
    RAISE EXCEPTION 'what the message answers was deleted meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id, external_thread_id)
  VALUES (n.id, l.external_id, e->>'messageId', n.workspace_id, message, e->'chat'->>'threadId');
  IF e ? 'editedAt' THEN
    UPDATE messages SET edit_order = change_order(jsonb_build_object('at', e->'editedAt'), now()) WHERE id = message;
  END IF;
  IF e ? 'copyOf' THEN PERFORM name_copy(n, e->'copyOf'->>'chatId', e->'copyOf'->>'messageId', message, NULL); END IF;
  IF original IS NULL AND e->>'replyToId' IS NOT NULL THEN PERFORM await_original(n, l.external_id, e, message); END IF;
  UPDATE links SET last_inbound_at = now(), title = coalesce(title, left(e->'chat'->>'title', 256)) WHERE id = l.id;
  PERFORM mend_link(l.id);
  -- A deliverer that passed by meanwhile found the lane locked.
  IF EXISTS (SELECT 1 FROM deliveries WHERE connection_id = l.connection_id AND lane = l.id AND status = 'queued') THEN
    PERFORM wake_connections(ARRAY[n.id]);
  END IF;
  IF notice IS NOT NULL AND e->'answered' IS DISTINCT FROM 'true' AND NOT stays_in_chat(n, e->'sender') THEN PERFORM send_notice(n, l, notice); END IF;
  IF e->'content' ? 'rest' THEN PERFORM store_rest(n, message, e); END IF;
  IF cardinality(early) > 0 THEN PERFORM catch_up(n, l.external_id, e->>'messageId', message); END IF;
  RETURN answer->'record';
END $$;

-- The inbound message that an edit or deletion on the platform is about. Our own copies and the platform's are none of them. Whether the
-- message is known is read once, so that one that is recorded at this moment either is found here or finds the event that waits.
CREATE FUNCTION inbound_original(n connections, e jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  known remote_messages;
BEGIN
  SELECT * INTO known FROM remote_messages WHERE connection_id = n.id AND external_chat_id = e->'chat'->>'id' AND external_id = e->>'messageId';
  IF known.message_id IS NULL THEN PERFORM await_message(n, e); END IF;
  RETURN CASE WHEN known.delivery_id IS NULL AND NOT known.alias AND NOT coalesce((e->>'echo')::boolean, false) THEN known.message_id END;
END $$;

-- An edit on the platform. One that is older than what the message shows is out of date, whenever it arrives.
CREATE FUNCTION take_edit(n connections, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  original uuid := inbound_original(n, e);
  m messages;
BEGIN
  IF original IS NULL THEN RETURN NULL; END IF;
  SELECT * INTO m FROM messages WHERE id = original AND deleted_at IS NULL FOR UPDATE;
  -- Of somebody who is blocked nothing comes in by way of what they wrote before either.
  IF NOT FOUND OR m.edit_order > e->>'order' OR EXISTS (SELECT FROM users WHERE id = m.sender_id AND status = 'blocked') THEN RETURN NULL; END IF;
  IF NOT is_authorized(e, m.origin->>'external_sender_id') THEN PERFORM note_inbound('refused'); RETURN NULL; END IF;
  UPDATE messages SET edit_order = e->>'order' WHERE id = m.id;
  RETURN edit_inbound(n, m.id, e);
END $$;

CREATE FUNCTION take_deletion(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  original uuid := inbound_original(n, e);
BEGIN
  IF original IS NULL THEN RETURN; END IF;
  IF is_authorized(e, (SELECT m.origin->>'external_sender_id' FROM messages m WHERE m.id = original)) THEN
    PERFORM delete_message(n.workspace_id, original, NULL, NULL, true);
  ELSE
    PERFORM note_inbound('refused');
  END IF;
END $$;

-- What was written by a link to a chat that is out of reach now: its ids there name nothing any more.
CREATE FUNCTION forget_parts(link uuid, chat text) RETURNS void LANGUAGE sql AS $$
  UPDATE delivery_parts p SET external_id = NULL FROM deliveries d
  WHERE d.link_id = link AND d.external_chat_id = chat AND p.delivery_id = d.id AND p.external_id IS NOT NULL
$$;

-- A chat has another address from now on: links, waiting deliveries and the id map follow. `renumbered`: messages are counted
-- anew there, so that an id of the old chat would name another one; what was written in that stays behind, out of reach.
CREATE FUNCTION move_chat(connection uuid, old_id text, new_id text, renumbered boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links;
BEGIN
  -- Of an old group its platform may have said that the account is no longer in it.
  FOR l IN UPDATE links SET external_id = new_id, address = NULL, status = CASE WHEN pause_reason IS NULL THEN 'active' ELSE status END, updated_at = now()
    WHERE connection_id = connection AND external_id = old_id AND removed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM links o WHERE o.connection_id = connection AND o.external_id = new_id
        AND coalesce(o.external_thread_id, '') = coalesce(links.external_thread_id, '') AND o.removed_at IS NULL)
    RETURNING *
  LOOP
    IF renumbered THEN PERFORM forget_parts(l.id, old_id), forget_reaction_ids(l.id); END IF;
    UPDATE deliveries SET external_chat_id = new_id WHERE link_id = l.id;
    PERFORM announce_link(l);
  END LOOP;
  IF renumbered THEN
    PERFORM forget_parts(id, old_id), forget_reaction_ids(id) FROM links WHERE connection_id = connection AND external_id = old_id AND removed_at IS NULL;
  END IF;
  -- A link that can't follow, for another one holds the new chat, keeps its id; what it sends goes there all the same.
  UPDATE deliveries d SET external_chat_id = new_id FROM links k
  WHERE k.connection_id = connection AND k.external_id = old_id AND k.removed_at IS NULL AND d.lane = k.id AND d.external_chat_id <> new_id;
  -- Nobody sees these any more; what was written by them is still there, and known by its chat.
  UPDATE links SET external_id = new_id
  WHERE connection_id = connection AND external_id = old_id AND removed_at IS NOT NULL;
  UPDATE remote_messages SET external_chat_id = new_id WHERE NOT renumbered AND connection_id = connection AND external_chat_id = old_id
    AND NOT EXISTS (SELECT 1 FROM remote_messages o WHERE o.connection_id = connection
      AND o.external_chat_id = new_id AND o.external_id = remote_messages.external_id);
  UPDATE early_events SET external_chat_id = new_id, event = CASE WHEN event ? 'chat' THEN jsonb_set(event, '{chat,id}', to_jsonb(new_id)) ELSE event END
  WHERE NOT renumbered AND connection_id = connection AND external_chat_id = old_id;
END $$;

CREATE FUNCTION rename_chat(n connections, e jsonb) RETURNS void LANGUAGE sql AS $$
  WITH renamed AS (
    UPDATE links SET title = left(e->>'title', 256), title_order = e->>'order', updated_at = now()
    WHERE connection_id = n.id AND (title_order > e->>'order') IS NOT TRUE AND external_id = e->'chat'->>'id'
      AND coalesce(external_thread_id, '') = coalesce(e->'chat'->>'threadId', '') AND removed_at IS NULL
    RETURNING links
  )
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT c.workspace_id, 'conversation.link_updated', c.id, conversation_record(c, NULL),
    json_build_object('link', link_record(r.links))
  FROM renamed r JOIN conversations c ON c.id = (r.links).conversation_id
$$;

-- A receipt for a message that is not known yet waits until the record of its send arrives.
CREATE FUNCTION take_receipt(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  failure jsonb := CASE WHEN jsonb_typeof(e->'failure') = 'object' THEN jsonb_build_object('code', e->'failure'->>'reason',
    'message', e->'failure'->>'message', 'permanent', true, 'platform_code', e->'failure'->>'code') END;
BEGIN
  IF NOT apply_receipt(n.id, e->'chat'->>'id', e->>'messageId', e->>'status', failure, (e->>'at')::timestamptz, e->>'reference') THEN
    INSERT INTO early_events (connection_id, external_chat_id, external_id, workspace_id, event, expires_at)
    VALUES (n.id, coalesce(e->'chat'->>'id', ''), e->>'messageId', n.workspace_id,
      jsonb_build_object('type', 'receipt', 'status', e->>'status', 'failure', failure, 'at', e->>'at', 'reference', e->>'reference'),
      now() + interval '2 days');
  END IF;
END $$;

-- The message that an event waited for is known. Answers false when it has to wait on.
CREATE FUNCTION apply_early_event(early early_events, original uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  e jsonb := early.event;
  n connections;
BEGIN
  IF e->>'type' = 'receipt' THEN
    RETURN apply_receipt(early.connection_id, early.external_chat_id, early.external_id, e->>'status',
      nullif(e->'failure', 'null'), (e->>'at')::timestamptz, e->>'reference');
  END IF;
  IF e->>'type' = 'reply' THEN RETURN name_original((e->>'message_id')::uuid, original); END IF;
  SELECT * INTO n FROM connections WHERE id = early.connection_id;
  CASE e->>'type'
    WHEN 'copy' THEN PERFORM take_copy(n, e->'event');
    WHEN 'message_edited' THEN PERFORM take_edit(n, e);
    WHEN 'message_deleted' THEN PERFORM take_deletion(n, e);
    WHEN 'reaction' THEN PERFORM take_early_reaction(n, e, original);
    ELSE PERFORM clear_reactions(n, e);
  END CASE;
  RETURN true;
END $$;

CREATE FUNCTION apply_inbound_event(n connections, e jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
BEGIN
  CASE e->>'type'
    WHEN 'message' THEN RETURN apply_inbound_message(n, e);
    WHEN 'message_edited' THEN RETURN take_edit(n, e);
    WHEN 'message_deleted' THEN PERFORM take_deletion(n, e);
    WHEN 'receipt' THEN PERFORM take_receipt(n, e);
    WHEN 'chat_moved' THEN PERFORM move_chat(n.id, e->'chat'->>'id', e->>'toChatId', coalesce((e->>'renumbered')::boolean, false));
    WHEN 'chat_renamed' THEN PERFORM rename_chat(n, e);
    WHEN 'location' THEN PERFORM take_platform_location(n, e);
    WHEN 'consent' THEN
      u := find_or_create_contact(n.workspace_id, n.platform, e->'user'->>'id', e->'user'->>'handle', e->'user'->>'displayName', NULL);
      IF e->>'change' <> 'opted_out' THEN
        PERFORM set_reachable(i.id, true) FROM identities i WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform
          AND i.external_id = e->'user'->>'id' AND NOT i.reachable;
      END IF;
      PERFORM take_platform_consent(u.id, CASE e->>'change' WHEN 'opted_out' THEN 'denied' ELSE 'granted' END);
    ELSE PERFORM take_signal(n, e);
  END CASE;
  RETURN NULL;
END $$;

-- The events of an envelope that arrived at a time, in their order. Answers what the last message among them was made or changed to, and
-- the ids of those that were made: their copies are still to be leased or reminded of.
CREATE FUNCTION apply_inbound_events(n connections, inbound_events jsonb, arrived timestamptz, OUT answer json, OUT made uuid[]) LANGUAGE plpgsql AS $$
DECLARE
  e jsonb;
  record json;
BEGIN
  FOR e IN SELECT jsonb_array_elements(inbound_events) LOOP
    IF e->>'type' IN ('message_edited', 'message_deleted', 'reaction', 'reactions_cleared', 'membership', 'chat_renamed') THEN
      e := e || jsonb_build_object('order', change_order(e, arrived));
    END IF;
    record := apply_inbound_event(n, e);
    answer := coalesce(record, answer);
    IF e->>'type' = 'message' AND record IS NOT NULL THEN made := made || (record->>'id')::uuid; END IF;
  END LOOP;
END $$;

-- Leases the lanes of copies that were just made for the process that makes them, which can send for these connections: what
-- claim_deliveries would do for it right after. Nobody else can know of these copies yet. Only lanes that are free and in which
-- nothing comes before the copy; of the others their senders are reminded. Answers {"tasks": as claim_deliveries does,
-- "waiting": [{"connection_id", "link_id"}]}.
CREATE FUNCTION lease_copies(made uuid[], senders uuid[], lease_seconds int) RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
DECLARE
  able uuid[] := ARRAY(SELECT id FROM connections WHERE id = ANY (senders) AND status <> 'error' AND (paused_until > now()) IS NOT TRUE);
  tasks leased_task[];
  workspaces uuid[];
  waiting_for uuid[];
  waiting json;
BEGIN
  WITH copies AS MATERIALIZED (
    SELECT id, workspace_id, link_id, connection_id, wanted_revision, expires_at FROM deliveries
    WHERE message_id = ANY (made) AND status = 'queued'
  ), heads AS (
    SELECT c.id, c.workspace_id, c.wanted_revision, l.id AS link_id, l.fence + 1 AS fence FROM copies c CROSS JOIN LATERAL (
      SELECT e.id FROM deliveries e WHERE e.connection_id = c.connection_id AND e.lane = c.link_id ORDER BY e.position LIMIT 1) h CROSS JOIN LATERAL (
      SELECT k.id, k.fence FROM links k WHERE k.id = c.link_id
        AND is_free(k)
      FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE h.id = c.id AND c.connection_id = ANY (able) AND c.expires_at > now()
  ), leased AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = h.fence FROM heads h WHERE l.id = h.link_id
  ), begun AS (
    UPDATE deliveries d SET status = 'sending', attempt_count = 1, updated_at = now() FROM heads h WHERE d.id = h.id
  ), tried AS (
    INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
    SELECT h.workspace_id, h.id, h.link_id, h.fence, 'send', h.wanted_revision FROM heads h RETURNING id, workspace_id, delivery_id, fence
  ), others AS (
    SELECT connection_id, link_id FROM copies WHERE id NOT IN (SELECT id FROM heads)
  )
  SELECT (SELECT array_agg(ROW('send', t.delivery_id, t.id, t.fence, 1)::leased_task) FROM tried t), ARRAY(SELECT DISTINCT workspace_id FROM tried),
    (SELECT array_agg(connection_id) FROM others),
    (SELECT json_agg(json_build_object('connection_id', connection_id, 'link_id', link_id)) FROM others)
  INTO tasks, workspaces, waiting_for, waiting;
  IF waiting_for IS NOT NULL THEN PERFORM wake_connections(waiting_for); END IF;
  IF tasks IS NULL THEN RETURN json_build_object('tasks', '[]'::json, 'waiting', coalesce(waiting, '[]')); END IF;
  IF any_heard(workspaces) THEN
    PERFORM announce_moves(ARRAY(SELECT t.delivery_id FROM unnest(tasks) t), array_fill('queued'::text, ARRAY[cardinality(tasks)]));
  END IF;
  RETURN json_build_object('tasks', describe_tasks(tasks), 'waiting', coalesce(waiting, '[]'));
END $$;

-- Stores an envelope and applies what it means. Answers {"stored": bool, "message": brief record | null, "leased": what lease_copies
-- answers}; stored is false for a repeat. `state` is the status the envelope gets; with `pending` its events are applied later.
-- `senders` are the connections that copies may be leased for.
CREATE FUNCTION receive_envelope(connection uuid, envelope jsonb, inbound_events jsonb, state text, senders uuid[], lease_seconds int) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  n connections;
  stored uuid;
  applied record;
BEGIN
  SELECT * INTO n FROM connections WHERE id = connection AND deleted_at IS NULL;
  IF NOT FOUND THEN RETURN json_build_object('stored', false, 'message', NULL); END IF;
  INSERT INTO envelopes (workspace_id, connection_id, dedupe_key, lane, payload, context, status)
  VALUES (n.workspace_id, n.id, envelope->>'dedupeKey', envelope->>'lane', coalesce(envelope->'payload', 'null'),
    coalesce(envelope->'context', '{}'), state)
  ON CONFLICT (connection_id, dedupe_key) DO NOTHING RETURNING id INTO stored;
  IF stored IS NULL THEN RETURN json_build_object('stored', false, 'message', NULL); END IF;
  SELECT * INTO applied FROM apply_inbound_events(n, inbound_events, now());
  IF state = 'pending' THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('envelope', jsonb_build_object('envelope_id', stored), now() + interval '5 s');
  END IF;
  INSERT INTO connection_inflow AS i (connection_id, slot, workspace_id, received, last_event_at)
  VALUES (n.id, pg_backend_pid() % 64, n.workspace_id, 1, now())
  ON CONFLICT (connection_id, slot) DO UPDATE SET received = i.received + 1, last_event_at = now();
  RETURN json_build_object('stored', true, 'message', applied.answer, 'notes', inbound_notes(),
    'leased', CASE WHEN applied.made IS NOT NULL THEN lease_copies(applied.made, senders, lease_seconds) END);
END $$;

-- A message that changes nothing beyond its conversation: its chat is known and the conversation open, its author takes part in
-- it already, is called as before and says no keyword. `input` is what accept_messages takes.
CREATE TYPE plain_message AS (n bigint, connection_id uuid, workspace_id uuid, link_id uuid, identity_id uuid, chat text,
  thread text, title text, external_id text, unknown_reply jsonb, input jsonb);

-- Those of the items that were stored whose message is plain, with contact, conversation and link locked. What somebody else
-- holds is left out: nobody is waited for, so the order in which many are locked does not matter. Each is looked up by its
-- key, one after the other, whatever the statistics say.
CREATE FUNCTION plain_messages(items jsonb, stored uuid[]) RETURNS SETOF plain_message LANGUAGE plpgsql ROWS 10
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
  RETURN QUERY SELECT i.n, k.id, k.workspace_id, l.id, a.id, l.external_id, i.e->'chat'->>'threadId', left(i.e->'chat'->>'title', 256), i.e->>'messageId',
    CASE WHEN o.id IS NULL AND i.e->>'replyToId' IS NOT NULL THEN jsonb_build_object('replyToId', i.e->'replyToId',
      'redeliveryS', i.e->'redeliveryS') END, inbound_input(k, l.id, c.id, u.id, i.id, CASE WHEN o.id IS NOT NULL THEN (
      SELECT m.id FROM messages m WHERE m.id = o.id AND m.conversation_id = c.id AND m.deleted_at IS NULL) END, i.e)
  FROM (SELECT j.n, (x->>'connection_id')::uuid AS connection, x->'event' AS e, uuid7() AS id
    FROM jsonb_array_elements(items) WITH ORDINALITY AS j (x, n) WHERE stored[j.n] IS NOT NULL OFFSET 0) i
  CROSS JOIN LATERAL (SELECT * FROM connections x WHERE x.id = i.connection LIMIT 1) k
  CROSS JOIN LATERAL (SELECT (find_link(k.id, i.e->'chat')).id LIMIT 1) f
  CROSS JOIN LATERAL (SELECT * FROM identities x WHERE x.workspace_id = k.workspace_id AND x.platform = k.platform
    AND x.external_id = i.e->'sender'->>'id' FOR NO KEY UPDATE SKIP LOCKED) a
  CROSS JOIN LATERAL (SELECT * FROM users x WHERE x.id = a.user_id AND x.deleted_at IS NULL AND x.status <> 'blocked'
    AND x.stopped_at IS NULL FOR NO KEY UPDATE SKIP LOCKED) u
  CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.id = f.id AND x.external_id = i.e->'chat'->>'id' AND x.removed_at IS NULL
    AND x.direction <> 'outbound' AND x.status = 'active' FOR NO KEY UPDATE SKIP LOCKED) l
  CROSS JOIN LATERAL (SELECT * FROM conversations x WHERE x.id = l.conversation_id AND x.status = 'open' AND x.deleted_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED) c
  CROSS JOIN LATERAL (SELECT FROM participants x WHERE x.conversation_id = c.id AND x.user_id = u.id AND x.left_at IS NULL
    FOR SHARE SKIP LOCKED) p
  LEFT JOIN LATERAL (SELECT x.message_id AS id FROM remote_messages x WHERE x.connection_id = k.id
    AND x.external_chat_id = l.external_id AND x.external_id = i.e->>'replyToId' LIMIT 1) o ON true
  WHERE NOT is_renamed(u, a, i.e->'sender'->>'displayName', i.e->'sender'->>'handle')
    AND (c.type <> 'direct' OR (a.reachable AND NOT is_keyword(i.e->'content'->>'text', k.workspace_id)))
    AND (SELECT x.message_id FROM remote_messages x WHERE x.connection_id = k.id AND x.external_chat_id = l.external_id
      AND x.external_id = i.e->>'messageId' LIMIT 1) IS NULL
    AND (SELECT x.id FROM early_events x WHERE x.connection_id = k.id AND x.external_id = i.e->>'messageId'
      AND x.external_chat_id = l.external_id LIMIT 1) IS NULL;
END $$;

-- What follows for the id map, contacts, links and figures.
CREATE FUNCTION note_plain_messages(plain plain_message[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
  WITH p AS MATERIALIZED (SELECT * FROM unnest(plain)
  ), known AS (
    INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id, external_thread_id)
    SELECT connection_id, chat, external_id, workspace_id, (input->>'id')::uuid, thread FROM p
  ), used AS (
    UPDATE identities SET last_used_at = now() WHERE id = ANY (ARRAY(SELECT identity_id FROM p))
  ), written AS (
    UPDATE links l SET last_inbound_at = now(), title = coalesce(l.title, x.title)
    FROM (SELECT link_id, min(title) AS title FROM p GROUP BY 1) x WHERE l.id = x.link_id
  ), counted AS (
    INSERT INTO connection_inflow AS i (connection_id, slot, workspace_id, received, last_event_at)
    SELECT connection_id, pg_backend_pid() % 64, workspace_id, count(*), now() FROM p GROUP BY 1, 3 ORDER BY 1
    ON CONFLICT (connection_id, slot) DO UPDATE SET received = i.received + excluded.received, last_event_at = now()
  )
  -- A deliverer that passed by meanwhile found the lane locked.
  INSERT INTO outbox (topic, payload)
  SELECT DISTINCT 'deliver', jsonb_build_object('connection_id', connection_id) FROM p
  WHERE (SELECT d.id FROM deliveries d WHERE d.connection_id = p.connection_id AND d.lane = p.link_id AND d.status = 'queued' ORDER BY d.position LIMIT 1) IS NOT NULL;
  IF EXISTS (SELECT FROM unnest(plain) p WHERE p.unknown_reply IS NOT NULL) THEN
    PERFORM await_original(k, p.chat, p.unknown_reply, (p.input->>'id')::uuid)
    FROM unnest(plain) p JOIN connections k ON k.id = p.connection_id WHERE p.unknown_reply IS NOT NULL;
  END IF;
END $$;

-- Envelopes of one message each that arrived at the same time. Those whose message is plain are stored with it, all in one go;
-- the others are left alone, and with them what comes behind in the same lane. Answers {"answers": in the order of the items what
-- receive_envelope answers, or {"alone": true}, "leased": what lease_copies answers}. Each: {"connection_id", "envelope", "event"},
-- and none twice.
CREATE FUNCTION receive_envelopes(items jsonb, senders uuid[], lease_seconds int) RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  stored uuid[];
  plain plain_message[];
  records json;
BEGIN
  WITH made AS (
    -- In the order of their keys: others may be storing the same ones.
    INSERT INTO envelopes (workspace_id, connection_id, dedupe_key, lane, payload, context, status)
    SELECT k.workspace_id, k.id, v->>'dedupeKey', v->>'lane', coalesce(v->'payload', 'null'), coalesce(v->'context', '{}'), 'processed'
    FROM (SELECT (x->>'connection_id')::uuid AS connection, x->'envelope' AS v FROM jsonb_array_elements(items) x OFFSET 0) i
    JOIN connections k ON k.id = i.connection AND k.deleted_at IS NULL ORDER BY k.id, v->>'dedupeKey'
    ON CONFLICT (connection_id, dedupe_key) DO NOTHING RETURNING id, connection_id, dedupe_key
  )
  SELECT array_agg(m.id ORDER BY n) INTO stored FROM jsonb_array_elements(items) WITH ORDINALITY AS j (x, n)
  LEFT JOIN made m ON m.connection_id = (x->>'connection_id')::uuid AND m.dedupe_key = x->'envelope'->>'dedupeKey';
  plain := ARRAY(SELECT p FROM plain_messages(items, stored) p ORDER BY p.n);
  IF cardinality(plain) < cardinality(stored) THEN
    SELECT array_agg(o.p ORDER BY o.n) FILTER (WHERE o.in_turn) INTO plain FROM (
      SELECT j.n, p, bool_and(p.n IS NOT NULL OR stored[j.n] IS NULL) OVER (
        PARTITION BY x->'connection_id', x->'envelope'->'lane' ORDER BY j.n) AND p.n IS NOT NULL AS in_turn
      FROM jsonb_array_elements(items) WITH ORDINALITY AS j (x, n) LEFT JOIN unnest(plain) p ON p.n = j.n) o;
    DELETE FROM envelopes WHERE id = ANY (stored) AND id <> ALL (ARRAY(SELECT stored[p.n] FROM unnest(plain) p));
  END IF;
  IF plain IS NOT NULL THEN
    records := accept_messages((SELECT jsonb_agg(p.input ORDER BY p.n) FROM unnest(plain) p), true, true);
    IF EXISTS (SELECT FROM json_array_elements(records) a WHERE a->'record' IS NULL) THEN RAISE 'A message was refused.'; END IF;
    PERFORM note_plain_messages(plain);
  END IF;
  RETURN json_build_object('leased', CASE WHEN plain IS NOT NULL THEN
    lease_copies(ARRAY(SELECT (p.input->>'id')::uuid FROM unnest(plain) p), senders, lease_seconds) END, 'answers', (
    SELECT json_agg(CASE WHEN stored[s.n] IS NULL THEN '{"stored":false,"message":null}'
      WHEN o.a IS NULL THEN '{"alone":true}' ELSE json_build_object('stored', true, 'message', o.a->'record') END ORDER BY s.n)
    FROM generate_subscripts(stored, 1) AS s (n)
    LEFT JOIN json_array_elements(records) WITH ORDINALITY AS o (a, i) ON (plain[o.i]).n = s.n));
END $$;

-- Another try at an envelope whose events could not be applied when it arrived.
CREATE FUNCTION retry_envelope(envelope uuid, inbound_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n connections;
  v envelopes;
  made uuid[];
BEGIN
  SELECT * INTO v FROM envelopes WHERE id = envelope AND status = 'pending' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO n FROM connections WHERE id = v.connection_id;
  made := (apply_inbound_events(n, inbound_events, v.received_at)).made;
  IF made IS NOT NULL THEN PERFORM lease_copies(made, '{}', 0); END IF;
  UPDATE envelopes SET status = 'processed', error = NULL WHERE id = v.id;
END $$;

-- A try failed: the next comes later, the fifth failure is the last.
CREATE FUNCTION fail_envelope(envelope uuid, reason text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v envelopes;
BEGIN
  UPDATE envelopes SET tries = tries + 1, error = left(reason, 500),
    status = CASE WHEN tries + 1 >= 5 THEN 'dead' ELSE 'pending' END
  WHERE id = envelope AND status = 'pending' RETURNING * INTO v;
  IF v.status = 'pending' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('envelope', jsonb_build_object('envelope_id', v.id), now() + make_interval(secs => 5 * power(4, v.tries - 1)));
  END IF;
  RETURN v.status;
END $$;

-- Envelopes whose reminder was lost.
CREATE FUNCTION wake_pending_envelopes() RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload)
  SELECT 'envelope', jsonb_build_object('envelope_id', id) FROM envelopes
  WHERE status = 'pending' AND received_at < now() - make_interval(secs => 10 * power(4, tries)) LIMIT 100
$$;

-- Loops -----------------------------------------------------------------------------------------------------------------
-- The last line of defence against what the bridge writes coming back by a way that nothing tells of, such as another relay between
-- the same chats. People repeat words too. What they don't write is what the bridge writes: the words with the name in front.

-- The most hops that a text has made through a conversation within two minutes: a message is one further than an earlier one of which
-- it ends with the words, with the name that the bridge put in front of them in its copies. A loop comes back by the same account in the
-- same chat each time. People who quote each other add words of their own behind the quote.
CREATE FUNCTION most_hops(conversation uuid) RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  texts text[];
  copies text[];
  ways text[];
  hops int[] := '{}';
  most int := 0;
BEGIN
  SELECT array_agg(rtrim(m.text) ORDER BY m.created_at, m.id), array_agg(m.sender_id || ' ' || (m.origin->>'link_id') ORDER BY m.created_at, m.id), array_agg(CASE WHEN m.was_sent THEN u.display_name || ': ' || rtrim(m.text) END ORDER BY m.created_at, m.id)
  INTO texts, ways, copies FROM (SELECT x.*, EXISTS (SELECT FROM deliveries d WHERE d.message_id = x.id AND d.status IN ('sent', 'delivered', 'read')) AS was_sent
    FROM messages x WHERE x.conversation_id = conversation AND x.created_at > now() - interval '2 minutes' AND x.direction = 'inbound'
      AND x.text <> '' AND x.deleted_at IS NULL ORDER BY x.created_at DESC, x.id DESC LIMIT 128) m JOIN users u ON u.id = m.sender_id;
  FOR later IN 1 .. coalesce(cardinality(texts), 0) LOOP
    hops[later] := 0;
    FOR earlier IN 1 .. later - 1 LOOP
      IF right(texts[later], length(copies[earlier])) = copies[earlier] AND (hops[earlier] = 0 OR ways[earlier] = ways[later]) THEN hops[later] := greatest(hops[later], hops[earlier] + 1); END IF;
    END LOOP;
    most := greatest(most, hops[later]);
  END LOOP;
  RETURN most;
END $$;

-- How often one account has said the same by a link within ten minutes. Where the bridge puts no names in front this is all that tells,
-- so only a number counts that no person reaches.
CREATE FUNCTION most_repeats(l links) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(r.times), 0) FROM (SELECT count(*) AS times FROM (
      SELECT x.sender_id, x.text FROM messages x WHERE x.conversation_id = l.conversation_id AND x.created_at > now() - interval '10 minutes'
        AND x.direction = 'inbound' AND x.text <> '' AND x.deleted_at IS NULL AND (x.origin->>'link_id')::uuid = l.id
      ORDER BY x.created_at DESC, x.id DESC LIMIT 1000) m GROUP BY m.sender_id, m.text) r
  WHERE EXISTS (SELECT FROM links k WHERE k.conversation_id = l.conversation_id AND k.id <> l.id AND takes_messages(k) AND k.attribution <> 'prefix')
$$;

-- Pauses the link of a chat when what comes by it goes round. Answers {"link_id", "conversation_id"}, or null.
CREATE FUNCTION pause_loop(connection uuid, chat jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  l links := find_link(connection, chat);
BEGIN
  IF l.id IS NULL OR l.status <> 'active' OR (most_hops(l.conversation_id) < 5 AND most_repeats(l) < 100) THEN RETURN NULL; END IF;
  UPDATE links SET status = 'broken', pause_reason = 'loop', updated_at = now() WHERE id = l.id AND status = 'active' AND removed_at IS NULL
  RETURNING * INTO l;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM announce_link(l, 'loop');
  RETURN json_build_object('link_id', l.id, 'conversation_id', l.conversation_id);
END $$;

-- An operator lets a paused link go on. Answers whether it was paused.
CREATE FUNCTION resume_link(link uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  l links;
BEGIN
  UPDATE links SET status = 'active', pause_reason = NULL, updated_at = now() WHERE id = link AND pause_reason IS NOT NULL AND removed_at IS NULL RETURNING * INTO l;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM announce_link(l);
  RETURN true;
END $$;
