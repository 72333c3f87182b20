-- What is done with messages after they are there: reading, reacting, trying again; and signs of typing. Reactions reach
-- platforms by way of reaction_copies, which say what each chat should show and what it does.

ALTER TABLE reactions ADD COLUMN link_id uuid REFERENCES links, ADD COLUMN external_id text;
COMMENT ON COLUMN reactions.link_id IS 'The chat it was made in; null: through the interface.';
COMMENT ON COLUMN reactions.external_id IS 'The platform''s id of the reaction itself, where it has one: some removals name nothing else.';
CREATE UNIQUE INDEX reactions_external_id ON reactions (link_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE reaction_copies (
  message_id uuid NOT NULL REFERENCES messages,
  link_id uuid NOT NULL REFERENCES links,
  emoji text NOT NULL,
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL REFERENCES connections,
  wanted boolean NOT NULL,
  shown boolean NOT NULL DEFAULT false,
  tries smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  leased_until timestamptz(3),
  PRIMARY KEY (message_id, link_id, emoji)
);
COMMENT ON COLUMN reaction_copies.wanted IS 'Somebody who is not in this chat has reacted so: the chat should show it.';
COMMENT ON COLUMN reaction_copies.next_attempt_at IS 'Null: nothing to do, or given up.';
CREATE INDEX reaction_copies_due ON reaction_copies (connection_id, next_attempt_at)
  WHERE wanted <> shown AND next_attempt_at IS NOT NULL;

CREATE INDEX conversations_snoozed ON conversations (snoozed_until) WHERE status = 'snoozed' AND deleted_at IS NULL;

-- The message a request is about, locked: {"workspace_id", "message_id", "participant_id": whom it must be visible to, or
-- absent}. `own`: that participant must be who sent it.
CREATE FUNCTION lock_message(input jsonb, own boolean) RETURNS messages LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  participant uuid := (input->>'participant_id')::uuid;
BEGIN
  SELECT * INTO m FROM messages WHERE id = (input->>'message_id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p
      WHERE p.conversation_id = messages.conversation_id AND p.user_id = participant AND p.left_at IS NULL))
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF own AND m.sender_id <> participant THEN PERFORM refuse('{"problem":"not_own"}'); END IF;
  RETURN m;
END $$;

-- Reading ---------------------------------------------------------------------------------------------------------------

CREATE FUNCTION read_receipt_record(r read_receipts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', r.user_id, 'read_at', wire_time(r.read_at), 'platform', r.platform)
$$;

-- A user has read a message: null when that was known. The participant's last_read_at follows.
CREATE FUNCTION note_reader(m messages, reader uuid, at timestamptz, platform text) RETURNS read_receipts LANGUAGE plpgsql AS $$
DECLARE
  r read_receipts;
BEGIN
  INSERT INTO read_receipts (message_id, user_id, workspace_id, read_at, platform, conversation_id, written_at, counted)
  VALUES (m.id, reader, m.workspace_id, at, note_reader.platform, m.conversation_id, m.created_at, m.sender_id <> reader)
  ON CONFLICT DO NOTHING RETURNING * INTO r;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE participants SET last_read_at = greatest(last_read_at, r.read_at)
  WHERE conversation_id = m.conversation_id AND user_id = reader;
  RETURN r;
END $$;

-- Input of lock_message with "reader_id" and "claim". The first to read an inbound message moves it to read.
CREATE FUNCTION mark_read(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, false);
  was text := m.status;
  r read_receipts;
  answer json;
BEGIN
  r := note_reader(m, (input->>'reader_id')::uuid, now(), NULL);
  IF r.message_id IS NOT NULL THEN
    IF m.direction = 'inbound' AND m.status = 'received' THEN
      UPDATE messages SET status = 'read', updated_at = now() WHERE id = m.id RETURNING * INTO m;
    END IF;
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT m.workspace_id, 'message.read', m.conversation_id, message_record(m), CASE WHEN m.status = was
      THEN json_build_object('reader', read_receipt_record(r))
      ELSE json_build_object('previous', json_build_object('status', was), 'reader', read_receipt_record(r)) END
    WHERE events_heard(m.workspace_id);
  END IF;
  answer := message_record(m);
  PERFORM complete_claim(input->'claim', 200, answer);
  RETURN json_build_object('record', answer);
END $$;

-- A platform's receipt says that somebody has read the message: the other person of a direct conversation, or in a larger one whom the
-- chat it was written to belongs to.
CREATE FUNCTION note_remote_reader() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  reader uuid;
BEGIN
  SELECT * INTO m FROM messages WHERE id = NEW.message_id;
  SELECT u.id INTO reader FROM conversations c JOIN participants p ON p.conversation_id = c.id AND p.left_at IS NULL
  JOIN users u ON u.id = p.user_id AND u.kind = 'contact'
  WHERE c.id = m.conversation_id AND u.id <> m.sender_id AND (c.type = 'direct' OR EXISTS (
    SELECT FROM identities i WHERE i.user_id = u.id AND i.platform = NEW.platform AND i.external_id = NEW.external_chat_id))
  ORDER BY p.joined_at LIMIT 1;
  IF FOUND THEN PERFORM note_reader(m, reader, coalesce(NEW.read_at, now()), NEW.platform); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER deliveries_read AFTER UPDATE OF status ON deliveries FOR EACH ROW
  WHEN (NEW.status = 'read' AND OLD.status <> 'read') EXECUTE FUNCTION note_remote_reader();

-- message.read says who has read, also where a move of deliveries led to it: the reader that a platform told of last.
CREATE FUNCTION name_reader() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.extra->'reader' IS NULL THEN
    NEW.extra := coalesce(NEW.extra::jsonb, '{}') || jsonb_build_object('reader', (
      SELECT r FROM jsonb_array_elements(NEW.data::jsonb->'read_by') WITH ORDINALITY AS x (r, n)
      WHERE r->>'platform' IS NOT NULL ORDER BY n DESC LIMIT 1));
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER events_reader BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.type = 'message.read') EXECUTE FUNCTION name_reader();

-- Trying again ----------------------------------------------------------------------------------------------------------

-- Puts ended deliveries of a message on their way again, see prepare_requeue: tries and time start anew. Who may not be
-- written to any more is not.
CREATE FUNCTION requeue_deliveries(m messages, ids uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  until timestamptz := now() + make_interval(secs => m.ttl_seconds);
  moved uuid[];
  block jsonb;
BEGIN
  PERFORM prepare_requeue(ids);
  moved := move_deliveries((SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'from', '["failed","expired"]'::jsonb,
    'to', 'queued', 'attempt_count', 0, 'error', NULL, 'expires_at', until)), '[]') FROM unnest(ids) AS i (id)));
  IF moved = '{}' THEN RETURN moved; END IF;
  UPDATE messages SET expires_at = greatest(expires_at, until) WHERE id = m.id AND direction = 'outbound';
  SELECT k.block INTO block FROM conversations c CROSS JOIN LATERAL message_blocks(m, c) k (block) WHERE c.id = m.conversation_id;
  IF block IS NOT NULL THEN
    PERFORM move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', id, 'from', '["queued"]'::jsonb, 'to', 'blocked',
      'error', block)) FROM unnest(moved) AS i (id)));
  ELSE
    PERFORM wake_connections(ARRAY(SELECT connection_id FROM deliveries WHERE id = ANY (moved)));
  END IF;
  RETURN moved;
END $$;

-- Whether a delivery may be put on its way again: it ended in vain, nothing took its place, and its chat is still linked.
CREATE FUNCTION may_retry(d deliveries) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT d.status IN ('failed', 'expired') AND d.superseded_by IS NULL
    AND EXISTS (SELECT 1 FROM links l WHERE l.id = d.link_id AND l.removed_at IS NULL)
$$;

-- Input of lock_message with "claim".
CREATE FUNCTION retry_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, true);
  answer json;
BEGIN
  IF requeue_deliveries(m, ARRAY(SELECT d.id FROM deliveries d WHERE d.message_id = m.id AND may_retry(d))) = '{}' THEN
    PERFORM refuse('{"problem":"nothing_to_retry"}');
  END IF;
  SELECT message_record(n) INTO answer FROM messages n WHERE n.id = m.id;
  PERFORM complete_claim(input->'claim', 200, answer);
  RETURN json_build_object('record', answer);
END $$;

-- The delivery a request is about, under the lock of its message: {"workspace_id", "delivery_id", "participant_id"}.
CREATE FUNCTION lock_delivery(input jsonb) RETURNS deliveries LANGUAGE plpgsql AS $$
DECLARE
  d deliveries;
BEGIN
  SELECT * INTO d FROM deliveries WHERE id = (input->>'delivery_id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  PERFORM lock_message(input || jsonb_build_object('message_id', d.message_id), true);
  SELECT * INTO d FROM deliveries WHERE id = d.id;
  RETURN d;
END $$;

CREATE FUNCTION answer_delivery(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  answer json;
BEGIN
  SELECT delivery_record(d) INTO answer FROM deliveries d WHERE id = (input->>'delivery_id')::uuid;
  PERFORM complete_claim(input->'claim', 200, answer);
  RETURN json_build_object('record', answer);
END $$;

-- Input of lock_delivery with "claim".
CREATE FUNCTION retry_delivery(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d deliveries := lock_delivery(input);
  m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE id = d.message_id;
  IF NOT may_retry(d) OR requeue_deliveries(m, ARRAY[d.id]) = '{}' THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', d.status));
  END IF;
  RETURN answer_delivery(input);
END $$;

-- Somebody knows what became of an uncertain delivery: input of lock_delivery with "outcome" (sent or failed) and "claim".
CREATE FUNCTION resolve_delivery(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  d deliveries := lock_delivery(input);
  outcome text := input->>'outcome';
  cause jsonb := coalesce(d.error, '{"code":"outcome_unknown","platform_code":null,"message":"Whether the message was sent is not known."}');
BEGIN
  IF d.status <> 'uncertain' THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', d.status));
  END IF;
  UPDATE delivery_parts SET status = outcome, sent_at = CASE WHEN outcome = 'sent' THEN coalesce(sent_at, now()) ELSE sent_at END
  WHERE delivery_id = d.id AND status <> 'sent';
  PERFORM move_deliveries(jsonb_build_array(jsonb_build_object('id', d.id, 'from', '["uncertain"]'::jsonb, 'to', outcome,
    'resolution', 'manual') || CASE WHEN outcome = 'sent'
      THEN jsonb_build_object('error', NULL, 'revision', tried_revision(d.id))
      -- What made it uncertain stays what it failed of; that may pass by another time.
      ELSE jsonb_build_object('error', cause || jsonb_build_object('permanent',
        cause->>'code' NOT IN ('rate_limited', 'network', 'platform_down'))) END));
  RETURN answer_delivery(input);
END $$;

-- Reactions -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION announce_reaction(m messages, what text, reactor uuid, emoji text, platform text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data)
  SELECT m.workspace_id, 'reaction.' || what, m.conversation_id, json_build_object('message_id', m.id,
    'conversation_id', m.conversation_id, 'user_id', reactor, 'emoji', emoji, 'platform', platform)
  WHERE events_heard(m.workspace_id)
$$;

-- What the other chats that have the message should show of a reaction now.
CREATE FUNCTION follow_reaction(m messages, emoji text) RETURNS void LANGUAGE sql AS $$
  WITH copies AS (
    SELECT l.id AS link_id, l.connection_id, EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.id
      AND r.emoji = follow_reaction.emoji AND r.link_id IS DISTINCT FROM l.id) AS wanted
    FROM links l WHERE l.conversation_id = m.conversation_id AND takes_messages(l)
      AND (l.id = (m.origin->>'link_id')::uuid OR EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = m.id AND d.link_id = l.id))
  ), changed AS (
    INSERT INTO reaction_copies AS x (message_id, link_id, emoji, workspace_id, connection_id, wanted, next_attempt_at)
    SELECT m.id, c.link_id, follow_reaction.emoji, m.workspace_id, c.connection_id, c.wanted, now() FROM copies c
    WHERE c.wanted OR EXISTS (SELECT 1 FROM reaction_copies o WHERE o.message_id = m.id AND o.link_id = c.link_id
      AND o.emoji = follow_reaction.emoji)
    ON CONFLICT (message_id, link_id, emoji) DO UPDATE SET wanted = excluded.wanted, tries = 0, next_attempt_at = now()
      WHERE x.wanted <> excluded.wanted
    RETURNING x.connection_id
  )
  INSERT INTO outbox (topic, payload)
  SELECT 'signal', jsonb_build_object('connection_id', connection_id) FROM changed GROUP BY connection_id
$$;

-- Adds a reaction to a locked message. An emoji that is there keeps the form it was first written in: variation selectors
-- make no difference. Answers added, present or full.
-- `made`: where the platform's event stands among the changes of the message. `named`: the platform's id of the reaction.
CREATE FUNCTION add_reaction(m messages, reactor uuid, emoji text, platform text, link uuid, made text DEFAULT NULL, named text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  form text;
BEGIN
  SELECT r.emoji INTO form FROM reactions r WHERE r.message_id = m.id
    AND replace(r.emoji, chr(65039), '') = replace(add_reaction.emoji, chr(65039), '') LIMIT 1;
  IF NOT FOUND AND (SELECT count(DISTINCT r.emoji) FROM reactions r WHERE r.message_id = m.id) >= 20 THEN RETURN 'full'; END IF;
  form := coalesce(form, add_reaction.emoji);
  INSERT INTO reactions (message_id, emoji, user_id, workspace_id, platform, link_id, created_at, change_order, external_id)
  VALUES (m.id, form, reactor, m.workspace_id, add_reaction.platform, link, clock_timestamp(), made, named) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    -- It was put there again. The removal of the former one may still come, and must not take this one.
    UPDATE reactions r SET change_order = made, external_id = CASE WHEN r.link_id = link AND NOT EXISTS (
      SELECT FROM reactions o WHERE o.link_id = link AND o.external_id = named) THEN coalesce(named, r.external_id) ELSE r.external_id END
    WHERE r.message_id = m.id AND r.emoji = form AND r.user_id = reactor AND r.change_order < made;
    RETURN 'present';
  END IF;
  PERFORM announce_reaction(m, 'added', reactor, form, add_reaction.platform);
  PERFORM follow_reaction(m, form);
  RETURN 'added';
END $$;

-- Takes a user's reaction from a locked message, unless it was made after `removed`. Answers whether there was one.
CREATE FUNCTION remove_reaction(m messages, reactor uuid, emoji text, platform text, removed text DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  form text;
BEGIN
  DELETE FROM reactions r WHERE r.message_id = m.id AND r.user_id = reactor
    AND replace(r.emoji, chr(65039), '') = replace(remove_reaction.emoji, chr(65039), '')
    AND (r.change_order > removed) IS NOT TRUE RETURNING r.emoji INTO form;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM announce_reaction(m, 'removed', reactor, form, remove_reaction.platform);
  PERFORM follow_reaction(m, form);
  RETURN true;
END $$;

-- Input of lock_message with "user_id" and "emoji".
CREATE FUNCTION react_to_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, false);
BEGIN
  IF add_reaction(m, (input->>'user_id')::uuid, input->>'emoji', NULL, NULL) = 'full' THEN
    PERFORM refuse('{"problem":"limit_reached","limit":20}');
  END IF;
  RETURN json_build_object('record', message_record(m));
END $$;

-- Input of lock_message with "user_id" and "emoji".
CREATE FUNCTION unreact_to_message(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages := lock_message(input, false);
BEGIN
  IF NOT remove_reaction(m, (input->>'user_id')::uuid, input->>'emoji', NULL) THEN
    PERFORM refuse('{"problem":"not_found"}');
  END IF;
  RETURN json_build_object('record', json_build_object('id', m.id));
END $$;

-- What a chat knows a message by: the original where it came from, the first part of its copy elsewhere.
CREATE FUNCTION remote_copy(m messages, link uuid) RETURNS TABLE (external_chat_id text, external_id text, external_thread_id text)
LANGUAGE sql STABLE AS $$
  SELECT r.external_chat_id, platform_id(r.external_id), r.external_thread_id FROM remote_messages r LEFT JOIN deliveries d ON d.id = r.delivery_id
  WHERE r.message_id = m.id AND NOT r.alias AND CASE WHEN r.delivery_id IS NULL THEN (m.origin->>'link_id')::uuid ELSE d.link_id END = link
  ORDER BY r.part_index LIMIT 1
$$;

-- Reactions that a connection should show or take back on its platform now, where it has the message: each is leased, so
-- that one worker at a time writes it. `token` is the lease.
CREATE FUNCTION claim_reactions(connection uuid, most int, lease_seconds int) RETURNS json LANGUAGE sql AS $$
  WITH due AS (
    SELECT x.message_id, x.link_id, x.emoji, c.external_chat_id, c.external_id, c.external_thread_id
    FROM reaction_copies x
    CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = x.message_id AND deleted_at IS NULL OFFSET 0) m
    JOIN links l ON l.id = x.link_id AND l.removed_at IS NULL
    CROSS JOIN LATERAL remote_copy(m, x.link_id) c
    WHERE x.connection_id = connection AND x.wanted <> x.shown AND x.next_attempt_at <= now()
      AND (x.leased_until IS NULL OR x.leased_until < now())
      AND NOT EXISTS (SELECT 1 FROM connections k WHERE k.id = connection AND k.paused_until > now())
    ORDER BY x.next_attempt_at LIMIT most FOR NO KEY UPDATE OF x SKIP LOCKED
  ), taken AS (
    UPDATE reaction_copies x SET leased_until = now() + make_interval(secs => lease_seconds), tries = x.tries + 1
    FROM due d WHERE x.message_id = d.message_id AND x.link_id = d.link_id AND x.emoji = d.emoji
    RETURNING x.*, d.external_chat_id, d.external_id, d.external_thread_id
  )
  SELECT coalesce(json_agg(json_build_object('message_id', t.message_id, 'link_id', t.link_id, 'emoji', t.emoji,
    'wanted', t.wanted, 'tries', t.tries, 'token', wire_time(t.leased_until), 'external_chat_id', t.external_chat_id,
    'external_thread_id', coalesce(l.external_thread_id, t.external_thread_id), 'external_id', t.external_id)), '[]')
  FROM taken t JOIN links l ON l.id = t.link_id
$$;

-- What became of a leased reaction: {"message_id", "link_id", "emoji", "token", "wanted": as it was claimed,
-- "outcome": done, later or never, "at", "counted", "single"}. What changed meanwhile is due again. Where an account shows a
-- single reaction, one that is shown takes the place of the others, and one that is taken back makes room for the latest.
CREATE FUNCTION settle_reaction(input jsonb) RETURNS void LANGUAGE sql AS $$
  UPDATE reaction_copies o SET
    shown = CASE WHEN (input->>'wanted')::boolean THEN false ELSE o.shown END,
    next_attempt_at = CASE WHEN (input->>'wanted')::boolean THEN NULL ELSE now() END, tries = 0
  FROM reaction_copies x
  WHERE (input->>'single')::boolean AND input->>'outcome' = 'done'
    AND x.message_id = (input->>'message_id')::uuid AND x.link_id = (input->>'link_id')::uuid AND x.emoji = input->>'emoji'
    AND x.leased_until = (input->>'token')::timestamptz
    AND o.message_id = x.message_id AND o.link_id = x.link_id AND o.emoji <> x.emoji
    AND CASE WHEN (input->>'wanted')::boolean THEN o.shown ELSE o.emoji = (
      SELECT c.emoji FROM reaction_copies c
      WHERE c.message_id = x.message_id AND c.link_id = x.link_id AND c.emoji <> x.emoji AND c.wanted AND NOT c.shown
      ORDER BY (SELECT max(r.created_at) FROM reactions r WHERE r.message_id = c.message_id AND r.emoji = c.emoji) DESC LIMIT 1) END;
  UPDATE reaction_copies SET leased_until = NULL,
    shown = CASE WHEN input->>'outcome' = 'done' THEN (input->>'wanted')::boolean ELSE shown END,
    tries = CASE WHEN coalesce((input->>'counted')::boolean, true) THEN tries ELSE tries - 1 END,
    next_attempt_at = CASE
      WHEN wanted <> (input->>'wanted')::boolean THEN now()
      WHEN input->>'outcome' = 'later' THEN (input->>'at')::timestamptz END
  WHERE message_id = (input->>'message_id')::uuid AND link_id = (input->>'link_id')::uuid AND emoji = input->>'emoji'
    AND leased_until = (input->>'token')::timestamptz
$$;

-- Reminds the connections that have reactions to write. What found no copy of its message within a day is given up.
CREATE FUNCTION wake_reactions() RETURNS void LANGUAGE sql AS $$
  UPDATE reaction_copies SET next_attempt_at = NULL WHERE (message_id, link_id, emoji) IN (
    SELECT message_id, link_id, emoji FROM reaction_copies
    WHERE wanted <> shown AND next_attempt_at < now() - interval '1 day' LIMIT 1000);
  INSERT INTO outbox (topic, payload)
  SELECT 'signal', jsonb_build_object('connection_id', x.connection_id) FROM reaction_copies x
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = x.message_id AND deleted_at IS NULL OFFSET 0) m
  CROSS JOIN LATERAL remote_copy(m, x.link_id) c
  WHERE x.wanted <> x.shown AND x.next_attempt_at <= now() AND (x.leased_until IS NULL OR x.leased_until < now())
  GROUP BY x.connection_id
$$;

-- Typing ----------------------------------------------------------------------------------------------------------------

-- Tells that somebody types, and lets the other chats know. Nothing is stored but the event: a sign is worth something now
-- or never.
CREATE FUNCTION tell_typing(c conversations, who uuid, state text, platform text, from_link uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data)
  SELECT c.workspace_id, 'typing.' || state, c.id,
    json_build_object('conversation_id', c.id, 'user_id', who, 'platform', platform)
  WHERE events_heard(c.workspace_id);
  INSERT INTO outbox (topic, payload)
  SELECT 'signal', jsonb_strip_nulls(jsonb_build_object('conversation_id', c.id, 'state', state, 'at', wire_time(now()),
    'from_link_id', from_link))
  WHERE EXISTS (SELECT 1 FROM links l WHERE l.conversation_id = c.id AND takes_messages(l) AND l.id IS DISTINCT FROM from_link)
$$;

-- Input of lock_conversation with "user_id", "state" and "claim".
CREATE FUNCTION signal_typing(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
BEGIN
  PERFORM tell_typing(c, (input->>'user_id')::uuid, input->>'state', NULL, NULL);
  PERFORM complete_claim(input->'claim', 200, '{"accepted":true}');
  RETURN '{"record":{"accepted":true}}';
END $$;

-- Inbound ---------------------------------------------------------------------------------------------------------------

-- A person came to a linked group chat or left it. `made`: the place of this among their comings and goings.
CREATE FUNCTION take_membership(l links, u users, change text, made text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = l.conversation_id FOR NO KEY UPDATE;
  IF c.type = 'direct' OR EXISTS (SELECT FROM participants p WHERE p.conversation_id = c.id AND p.user_id = u.id AND p.change_order > made) THEN RETURN; END IF;
  UPDATE participants SET change_order = made WHERE conversation_id = c.id AND user_id = u.id;
  IF change = 'joined' THEN
    INSERT INTO participants (conversation_id, user_id, workspace_id, role, change_order) VALUES (c.id, u.id, c.workspace_id, default_role(u.kind), made)
    ON CONFLICT (conversation_id, user_id) DO UPDATE SET joined_at = now(), left_at = NULL WHERE participants.left_at IS NOT NULL;
  ELSE
    UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = u.id AND left_at IS NULL;
  END IF;
  IF FOUND THEN
    PERFORM announce_member(c, CASE change WHEN 'joined' THEN 'conversation.participant_added'
      ELSE 'conversation.participant_removed' END, json_build_object('user_id', u.id));
  END IF;
END $$;

-- The link by which a chat has the message that something is done to: platforms name the chat with it, and not always the thread.
-- Of a message that nobody knows, the link of its chat.
CREATE FUNCTION link_of_original(n connections, e jsonb) RETURNS links LANGUAGE plpgsql STABLE AS $$
DECLARE
  l links;
BEGIN
  SELECT k.* INTO l FROM remote_messages x JOIN messages m ON m.id = x.message_id LEFT JOIN deliveries d ON d.id = x.delivery_id
  JOIN links k ON k.id = CASE WHEN x.delivery_id IS NULL THEN (m.origin->>'link_id')::uuid ELSE d.link_id END AND k.removed_at IS NULL
  WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id' AND x.external_id = e->>'messageId' AND NOT x.alias;
  IF NOT FOUND THEN l := find_link(n.id, e->'chat'); END IF;
  RETURN l;
END $$;

-- A moderator took reactions of a message away on its platform: all, or those with one emoji. What people put on it there is
-- gone, and so is what was shown there for others, which is not shown again.
CREATE FUNCTION clear_reactions(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links := link_of_original(n, e);
  bare text := replace(e->>'emoji', chr(65039), '');
  m messages;
  gone record;
BEGIN
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN; END IF;
  SELECT * INTO m FROM messages WHERE deleted_at IS NULL AND id = (SELECT x.message_id FROM remote_messages x
    WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id' AND x.external_id = e->>'messageId') FOR NO KEY UPDATE;
  -- A deleted message is known for good.
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE reaction_copies SET wanted = false, shown = false, next_attempt_at = NULL WHERE message_id = m.id AND link_id = l.id
    AND (bare IS NULL OR replace(emoji, chr(65039), '') = bare);
  FOR gone IN SELECT r.user_id, r.emoji FROM reactions r WHERE r.message_id = m.id AND r.link_id = l.id
    AND (r.change_order > e->>'order') IS NOT TRUE AND (bare IS NULL OR replace(r.emoji, chr(65039), '') = bare) ORDER BY r.created_at
  LOOP
    PERFORM remove_reaction(m, gone.user_id, gone.emoji, n.platform);
  END LOOP;
END $$;

-- Reactions by their own ids -----------------------------------------------------------------------------------------------
-- Some platforms tell of a removal by nothing but the id of the reaction. An id names one reaction for ever, so that its removal
-- outlasts it whatever their times are.

-- Stands in the place of the id of a message in early_events, for a removal that names no message.
CREATE FUNCTION reaction_key(reaction_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT E'reaction\u001f' || reaction_id
$$;

CREATE FUNCTION reaction_by_id(n connections, e jsonb) RETURNS reactions LANGUAGE sql STABLE AS $$
  SELECT r FROM links l JOIN reactions r ON r.link_id = l.id AND r.external_id = e->>'reactionId'
  WHERE l.connection_id = n.id AND l.external_id = e->'chat'->>'id' AND l.removed_at IS NULL LIMIT 1
$$;

-- Whether the id that a deletion names is that of a reaction, known or taken back before. On some platforms the event is the same.
CREATE FUNCTION is_of_reaction(n connections, e jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (reaction_by_id(n, e || jsonb_build_object('reactionId', e->'messageId'))).message_id IS NOT NULL OR EXISTS (
    SELECT FROM early_events x WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = reaction_key(e->>'messageId') AND NOT x.waits)
$$;

-- Takes back a reaction that is named by its id. Answers false when there is none of that id yet.
CREATE FUNCTION withdraw_reaction(n connections, e jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  r reactions := reaction_by_id(n, e);
  m messages;
  author text;
BEGIN
  IF r.message_id IS NULL THEN RETURN false; END IF;
  SELECT * INTO m FROM messages WHERE id = r.message_id AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN true; END IF;
  r := reaction_by_id(n, e);
  IF r.message_id IS DISTINCT FROM m.id OR EXISTS (SELECT FROM users u WHERE u.id = r.user_id AND u.status = 'blocked')
    OR EXISTS (SELECT FROM links l WHERE l.id = r.link_id AND l.direction = 'outbound') THEN RETURN true; END IF;
  SELECT i.external_id INTO author FROM identities i WHERE i.user_id = r.user_id AND i.platform = n.platform
    AND i.external_id = coalesce(e->'actor'->>'id', e->'sender'->>'id');
  IF is_authorized(e, coalesce(author, '')) THEN PERFORM remove_reaction(m, r.user_id, r.emoji, n.platform);
  ELSE PERFORM note_inbound('refused'); END IF;
  RETURN true;
END $$;

-- A removal as a platform reports it that names only the reaction. It is kept, so that the reaction has no effect when it arrives later.
CREATE FUNCTION report_withdrawal(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  named jsonb := e || jsonb_build_object('messageId', reaction_key(e->>'reactionId'));
BEGIN
  IF withdraw_reaction(n, e) THEN PERFORM keep_change(n, named);
  ELSIF NOT is_known(n, e->'chat'->>'id', e->>'reactionId') THEN PERFORM await_message(n, named); END IF;
END $$;

-- Brings together reactions and removals that were committed at the same moment and did not see each other. For the sweeper.
CREATE FUNCTION join_withdrawals() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  early early_events;
BEGIN
  FOR early IN
    SELECT x.* FROM (SELECT * FROM early_events WHERE waits AND event ? 'reactionId' AND external_id = reaction_key(event->>'reactionId')
      AND received_at < now() - interval '2 s' ORDER BY id DESC LIMIT 2000) y
    JOIN early_events x ON x.id = y.id AND x.waits
    JOIN links l ON l.connection_id = x.connection_id AND l.external_id = x.external_chat_id AND l.removed_at IS NULL
    JOIN reactions r ON r.link_id = l.id AND r.external_id = x.event->>'reactionId' ORDER BY r.message_id FOR UPDATE OF x SKIP LOCKED
  LOOP
    PERFORM withdraw_reaction(n, early.event) FROM connections n WHERE n.id = early.connection_id;
    PERFORM settle_early(early);
  END LOOP;
END $$;

-- Messages of a chat are counted anew, and so are its reactions.
CREATE FUNCTION forget_reaction_ids(link uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE reactions SET external_id = NULL WHERE link_id = link AND external_id IS NOT NULL
$$;

-- Whether a reaction was taken back, or cleared by a moderator, after it was made: the removal arrived first.
CREATE FUNCTION is_outlasted(n connections, e jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM early_events x WHERE x.connection_id = n.id AND x.external_id = e->>'messageId'
    AND x.external_chat_id = e->'chat'->>'id' AND x.event->>'order' > e->>'order'
    AND coalesce(replace(x.event->>'emoji', chr(65039), '') = replace(e->>'emoji', chr(65039), ''), true)
    AND (x.event->>'type' = 'reactions_cleared' OR (x.event->>'change' = 'removed' AND x.event->'sender'->>'id' = e->'sender'->>'id')))
    OR (e ? 'reactionId' AND EXISTS (SELECT FROM early_events x WHERE x.connection_id = n.id AND x.external_chat_id = e->'chat'->>'id'
      AND x.external_id = reaction_key(e->>'reactionId') AND is_authorized(x.event, e->'sender'->>'id')))
$$;

CREATE FUNCTION take_reaction(n connections, l links, reactor uuid, e jsonb, original uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE id = original AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF e->>'change' = 'removed' THEN PERFORM remove_reaction(m, reactor, e->>'emoji', n.platform, e->>'order');
  ELSIF NOT is_outlasted(n, e) THEN PERFORM add_reaction(m, reactor, e->>'emoji', n.platform, l.id, e->>'order', e->>'reactionId'); END IF;
END $$;

-- A reaction that came before its message was known. Who made it became a contact when it came or when the message was stored; a person
-- who was deleted or blocked since, or whose chat was unlinked, is left alone. No contact is locked here: messages are.
CREATE FUNCTION take_early_reaction(n connections, e jsonb, original uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links := link_of_original(n, e);
  reactor uuid;
BEGIN
  SELECT u.id INTO reactor FROM identities i JOIN users u ON u.id = i.user_id
  WHERE i.workspace_id = n.workspace_id AND i.platform = n.platform AND i.external_id = e->'sender'->>'id' AND u.status <> 'blocked';
  IF reactor IS NOT NULL AND l.id IS NOT NULL AND l.direction <> 'outbound' THEN
    PERFORM take_reaction(n, l, reactor, e, original);
  END IF;
END $$;

-- The account itself was thrown out of a chat or thread, or the chat is gone; or it was let in again.
CREATE FUNCTION take_access(n connections, chat jsonb, change text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  link uuid;
BEGIN
  FOR link IN SELECT l.id FROM links l WHERE l.connection_id = n.id AND l.external_id = chat->>'id' AND l.removed_at IS NULL
    AND (chat->>'threadId' IS NULL OR l.external_thread_id = chat->>'threadId') ORDER BY l.id
  LOOP
    IF change = 'left' THEN PERFORM break_link(link); ELSE PERFORM mend_link(link); END IF;
  END LOOP;
END $$;

-- A reaction as a platform reports it. A removal is kept beside the message, and any of an unknown message waits for it.
CREATE FUNCTION report_reaction(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  original remote_messages;
  l links := link_of_original(n, e);
  u users;
BEGIN
  IF l.direction = 'outbound' THEN RETURN; END IF;
  IF NOT is_authorized(e, e->'sender'->>'id') THEN PERFORM note_inbound('refused'); RETURN; END IF;
  SELECT * INTO original FROM remote_messages x WHERE x.connection_id = n.id
    AND x.external_chat_id = e->'chat'->>'id' AND x.external_id = e->>'messageId';
  IF original.message_id IS NULL THEN
    -- Which of the links of its chat it is about, the message will show. Who reacts to a message that we are writing is a contact now, for
    -- contacts are locked before messages.
    IF await_message(n, e) AND is_written_to(n, e->'chat'->>'id') THEN PERFORM meet(n, e->'sender'); END IF;
    RETURN;
  END IF;
  IF l.id IS NULL THEN RETURN; END IF;
  u := meet(n, e->'sender');
  IF u.status = 'blocked' THEN RETURN; END IF;
  -- What is known only since a moment ago may have earlier ones waiting.
  IF original.delivery_id IS NOT NULL THEN PERFORM apply_early_events(ARRAY[original.delivery_id]); END IF;
  PERFORM take_reaction(n, l, u.id, e, original.message_id);
  IF e->>'change' = 'removed' THEN PERFORM keep_change(n, e); END IF;
END $$;

-- Keeps a removal that was applied, so that an older addition has no effect when it arrives.
CREATE FUNCTION keep_change(n connections, e jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT keep_early(n, e->'chat'->>'id', e->>'messageId', e - 'redeliveryS', false, early_for(e))
$$;

-- A moderator took reactions away.
CREATE FUNCTION report_cleared(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_authorized(e, NULL) THEN PERFORM note_inbound('refused'); RETURN; END IF;
  IF NOT is_known(n, e->'chat'->>'id', e->>'messageId') THEN PERFORM await_message(n, e); RETURN; END IF;
  PERFORM clear_reactions(n, e);
  PERFORM keep_change(n, e);
END $$;

-- Reactions, typing and membership as platforms report them. What we caused ourselves, what comes by a chat that takes
-- nothing in, what comes from a blocked person and how other bots react is left alone.
CREATE FUNCTION take_signal(n connections, e jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  l links;
  u users;
  who jsonb := coalesce(e->'sender', e->'user');
BEGIN
  IF e->>'type' = 'reactions_cleared' THEN PERFORM report_cleared(n, e); END IF;
  IF e->>'type' = 'membership' AND (e->>'self')::boolean THEN PERFORM take_access(n, e->'chat', e->>'change'); END IF;
  IF e->>'type' NOT IN ('reaction', 'typing', 'membership') OR coalesce((e->>'echo')::boolean, false)
    OR coalesce((e->>'self')::boolean, false) OR (e->>'type' <> 'membership' AND stays_in_chat(n, who)) THEN RETURN; END IF;
  IF e->>'type' = 'reaction' THEN
    IF e ? 'messageId' THEN PERFORM report_reaction(n, e); ELSE PERFORM report_withdrawal(n, e); END IF;
    RETURN;
  END IF;
  l := find_link(n.id, e->'chat');
  IF l.id IS NULL OR l.direction = 'outbound' THEN RETURN; END IF;
  u := meet(n, who);
  IF u.status = 'blocked' THEN RETURN; END IF;
  IF e->>'type' = 'membership' THEN PERFORM take_membership(l, u, e->>'change', e->>'order');
  ELSE PERFORM tell_typing(c, u.id, e->>'state', n.platform, l.id) FROM conversations c WHERE c.id = l.conversation_id; END IF;
END $$;

-- Snoozed conversations whose reminder was lost, or was too far away to be made.
CREATE FUNCTION sweep_snoozes() RETURNS void LANGUAGE sql AS $$
  SELECT end_snooze(id) FROM (SELECT id FROM conversations WHERE status = 'snoozed' AND snoozed_until <= now()
    AND deleted_at IS NULL ORDER BY snoozed_until LIMIT 500) c
$$;
