-- Messages: events, acceptance and the moves of deliveries. Each function is one change with its events; the outbox row
-- of the events follows by trigger, so that no change can be committed without it.

-- Only where somebody is there to be told: a webhook, or a stream that is open. What is recorded for whoever resumes a
-- stream later needs no job.
CREATE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (topic, payload)
  SELECT 'event', jsonb_build_object('events', string_agg(position::text, ',' ORDER BY position)) FROM added
  WHERE workspace_id IN (SELECT w.workspace_id FROM (SELECT DISTINCT workspace_id FROM added) w
    WHERE EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = w.workspace_id AND i.until = 'infinity')
      OR EXISTS (SELECT FROM open_streams o WHERE o.workspace_id = w.workspace_id AND o.expires_at > now()))
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER events_announced AFTER INSERT ON events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_events();

-- Wakes the deliverer of each connection that has work.
CREATE FUNCTION wake_connections(ids uuid[], at timestamptz DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'deliver', jsonb_build_object('connection_id', id), at FROM (SELECT DISTINCT unnest(ids) AS id) c
$$;

-- Stores the answer of an idempotent request in the transaction of its effect.
CREATE FUNCTION complete_claim(claim jsonb, answer_status int, answer json) RETURNS void LANGUAGE sql AS $$
  UPDATE idempotency_keys SET status = answer_status, body = answer
  WHERE credential_id = (claim->>'credential_id')::uuid AND method = claim->>'method' AND path = claim->>'path'
    AND key = claim->>'key' AND status IS NULL
$$;

-- What message.created adds to the message.
CREATE FUNCTION render_context(c conversations, platform text, u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'conversation', json_build_object('id', c.id, 'number', c.number, 'platform', platform),
    'sender', json_build_object('id', u.id, 'display_name', u.display_name, 'kind', u.kind))
$$;

-- Whether a contact may get a message of a category: null, or the delivery error code.
CREATE FUNCTION blocked_by(u users, category text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN u.status = 'blocked' THEN 'blocked_by_recipient'
    WHEN category = 'marketing' AND u.consent->>'marketing' = 'denied' THEN 'opted_out'
    WHEN category = 'transactional' AND u.consent->>'notification' = 'denied' THEN 'opted_out'
    WHEN category = 'conversational' AND u.stopped_at IS NOT NULL THEN coalesce(u.stopped_as, 'opted_out')
  END
$$;

-- The delivery error of somebody who may not be written to, from what blocked_by says.
CREATE FUNCTION block_error(code text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('code', code, 'permanent', true, 'platform_code', NULL,
    'message', CASE code WHEN 'opted_out' THEN 'The recipient has opted out.' ELSE 'The recipient is blocked.' END)
  WHERE code IS NOT NULL
$$;

-- The delivery error of the other person of a direct conversation, if that person may not be written to.
CREATE FUNCTION conversation_block(c conversations, category text, sender uuid) RETURNS jsonb LANGUAGE sql STABLE
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
  SELECT block_error(b.code)
  FROM (SELECT blocked_by(u, category) AS code
        FROM participants p JOIN users u ON u.id = p.user_id
        WHERE p.conversation_id = c.id AND p.left_at IS NULL AND u.kind = 'contact' AND u.id <> sender
        ORDER BY p.joined_at LIMIT 1) b
  WHERE c.type = 'direct' AND b.code IS NOT NULL
$$;

-- The same for a message, as one row or none: what a broadcast writes to a person's chat is judged by its recipient where several
-- share it. Part of the query that asks: a function that answered a value would be planned for each row.
CREATE FUNCTION message_blocks(m messages, c conversations) RETURNS SETOF jsonb LANGUAGE sql STABLE AS $$
  SELECT block_error(b.code) FROM (
    (SELECT blocked_by(u, m.category) AS code FROM participants p JOIN users u ON u.id = p.user_id
     WHERE c.type = 'direct' AND p.conversation_id = c.id AND p.left_at IS NULL AND u.kind = 'contact' AND u.id <> m.sender_id
     ORDER BY p.joined_at LIMIT 1)
    UNION ALL
    SELECT blocked_by(u, m.category) FROM broadcast_recipients r JOIN users u ON u.id = r.user_id
    WHERE c.type <> 'direct' AND m.broadcast_id IS NOT NULL AND r.id = m.id) b
  WHERE b.code IS NOT NULL
$$;

-- Whether messages of a conversation are sent to a link, but for those that came by it.
CREATE FUNCTION takes_messages(l links) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT l.removed_at IS NULL AND l.status = 'active' AND l.direction IN ('two_way', 'outbound')
$$;

-- What becomes of a message that is put on its way now: who gets it, and the status that follows.
CREATE FUNCTION message_fate(c conversations, sender uuid, category text, note boolean, inbound boolean, from_link uuid)
RETURNS TABLE (targets bigint, direction text, status text, platform text, error jsonb) LANGUAGE sql STABLE AS $$
  SELECT t.targets, CASE WHEN inbound THEN 'inbound' WHEN t.targets = 0 THEN 'internal' ELSE 'outbound' END,
    CASE WHEN inbound THEN 'received' WHEN t.targets = 0 THEN 'sent' WHEN b.error IS NOT NULL THEN 'blocked' ELSE 'queued' END,
    t.platform, b.error
  FROM (SELECT count(*) AS targets, CASE WHEN count(*) = 1 THEN min(l.platform) END AS platform FROM links l
    WHERE NOT note AND l.conversation_id = c.id AND takes_messages(l) AND l.id IS DISTINCT FROM from_link) t,
  LATERAL (SELECT CASE WHEN t.targets > 0 AND c.type = 'direct' THEN conversation_block(c, category, sender) END AS error) b
$$;

-- One delivery per outbound-capable link but the one the message came by, with their events and wake-ups.
CREATE FUNCTION create_deliveries(m messages, from_link uuid, prio smallint, block jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  woken uuid[];
BEGIN
  WITH made AS (
    INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
      external_chat_id, priority, status, wanted_revision, relay_of_link_id, error, expires_at, failed_at)
    SELECT m.workspace_id, m.id, m.conversation_id, l.id, l.connection_id, l.platform, l.external_id, prio,
      CASE WHEN block IS NULL THEN 'queued' ELSE 'blocked' END, m.revision, from_link, block,
      coalesce(m.expires_at, m.created_at + make_interval(secs => m.ttl_seconds)),
      CASE WHEN block IS NOT NULL THEN now() END
    FROM links l
    WHERE l.conversation_id = m.conversation_id AND l.removed_at IS NULL AND l.status = 'active'
      AND l.direction IN ('two_way', 'outbound') AND l.id IS DISTINCT FROM from_link
    ORDER BY l.created_at, l.id
    RETURNING *
  ), told AS (
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT d.workspace_id, e.type, d.conversation_id, delivery_record(d),
      CASE WHEN e.type = 'delivery.updated' THEN '{"previous":{"status":null}}'::json END
    FROM made d, LATERAL (SELECT 'delivery.updated' AS type WHERE moves_heard(d.workspace_id) UNION ALL
      SELECT 'delivery.failed' WHERE d.status = 'blocked' AND events_heard(d.workspace_id)) e
    RETURNING 1
  )
  SELECT array_agg(d.connection_id) INTO woken FROM made d WHERE d.status = 'queued';
  IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
END $$;

-- Former values of the fields of a record that a change changed, but for the time of the change.
CREATE FUNCTION former_values(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(k, v), '{}') FROM jsonb_each(before) AS b (k, v)
  WHERE k <> 'updated_at' AND after->k IS DISTINCT FROM v
$$;

-- Sends off a scheduled message whose time has come. The caller holds the locks of the conversation and of the message.
CREATE FUNCTION send_off(m messages) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  fate record;
  before json;
  answer json;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = m.conversation_id;
  SELECT * INTO fate FROM message_fate(c, m.sender_id, m.category, m.note, false, NULL);
  IF events_heard(m.workspace_id) THEN before := message_record(m); END IF;
  UPDATE messages SET direction = fate.direction, status = fate.status, platform = fate.platform, error = fate.error,
    sent_at = CASE WHEN fate.status = 'sent' THEN now() END,
    failed_at = CASE WHEN fate.status = 'blocked' THEN now() END,
    expires_at = CASE WHEN fate.direction = 'outbound' THEN expires_at END, updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  IF fate.targets > 0 THEN PERFORM create_deliveries(m, NULL, 0::smallint, fate.error); END IF;
  IF before IS NOT NULL THEN
    answer := message_record(m);
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT m.workspace_id, t, m.conversation_id, answer, CASE WHEN t = 'message.updated'
      THEN json_build_object('previous', former_values(before::jsonb - 'attachments', answer::jsonb)) END
    FROM unnest(CASE WHEN m.status = 'blocked' THEN ARRAY['message.updated', 'message.failed']
      ELSE ARRAY['message.updated'] END) AS t;
  END IF;
END $$;

-- Releases what is due in a conversation, by its time and then in the order in which it was accepted. Everything that is due is
-- released by whoever comes first, under the lock of the conversation: a later message never passes an earlier one, however many
-- workers release. Locks: the conversation, then the messages by id.
CREATE FUNCTION release_due(conversation uuid) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT int := 500;
  due uuid[];
BEGIN
  PERFORM 1 FROM conversations WHERE id = conversation FOR NO KEY UPDATE;
  due := ARRAY(SELECT id FROM messages WHERE conversation_id = conversation AND due_at <= now() ORDER BY due_at, created_at, id LIMIT most);
  IF due = '{}' THEN RETURN due; END IF;
  PERFORM 1 FROM messages WHERE id = ANY (due) ORDER BY id FOR UPDATE;
  PERFORM send_off(m) FROM (
    SELECT m FROM messages m WHERE m.id = ANY (due) AND m.due_at <= now() ORDER BY m.due_at, m.created_at, m.id OFFSET 0) x;
  UPDATE conversations c SET last_message_id = n.id, last_message_at = now() FROM (
    SELECT m.id FROM unnest(due) WITH ORDINALITY AS d (id, n) JOIN messages m ON m.id = d.id AND m.deleted_at IS NULL AND m.due_at IS NULL
    ORDER BY d.n DESC LIMIT 1) n WHERE c.id = conversation;
  RETURN due;
END $$;

-- The time of a scheduled message has come. Answers whether it was still waiting.
CREATE FUNCTION release_message(message uuid) RETURNS boolean LANGUAGE sql AS $$
  SELECT message = ANY (release_due(m.conversation_id)) FROM messages m WHERE m.id = message AND m.due_at <= now()
$$;

-- Releases what was not released at its time, those first that have waited longest.
CREATE FUNCTION release_overdue() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  chat uuid;
BEGIN
  FOR chat IN SELECT DISTINCT conversation_id FROM (
    SELECT conversation_id FROM messages WHERE due_at <= now() ORDER BY due_at LIMIT 500) m ORDER BY conversation_id
  LOOP
    PERFORM release_due(chat);
  END LOOP;
END $$;

-- What a message refers to must be in its conversation. Null when all is well, else the problem. With a participant, messages of
-- conversations they take no part in are not there.
CREATE FUNCTION reference_problem(c conversations, participant uuid, field text, ref uuid, as_root boolean) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  r messages;
BEGIN
  IF ref IS NULL THEN RETURN NULL; END IF;
  SELECT * INTO r FROM messages m WHERE m.id = ref AND m.workspace_id = c.workspace_id AND m.deleted_at IS NULL
    AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = m.conversation_id
      AND p.user_id = participant AND p.left_at IS NULL));
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found', 'field', field); END IF;
  IF r.conversation_id <> c.id OR (as_root AND r.thread_id IS NOT NULL) THEN
    RETURN json_build_object('problem', 'invalid', 'field', field);
  END IF;
  RETURN NULL;
END $$;

-- A message to be accepted, as its writer gives it. direction: only whether it is inbound. stays: it goes to no link.
CREATE TYPE new_message AS (id uuid, workspace_id uuid, conversation_id uuid, conversation_number bigint, participant_id uuid,
  sender_id uuid, text text, spans jsonb, content_type text, attachments jsonb, category text, reply_to_id uuid,
  thread_id uuid, send_at timestamptz, ttl_seconds int, note boolean, metadata jsonb, direction text, platform text,
  from_link_id uuid, origin jsonb, broadcast_id uuid, priority smallint, claim jsonb, stays boolean);

-- What the messages of a group refer to, in their order, each with what becomes of it or why it is refused.
CREATE FUNCTION judge_messages(inputs jsonb, chats uuid[]) RETURNS TABLE (n bigint, a new_message, c conversations,
  problem json, due boolean, inbound boolean, thread uuid, targets bigint, direction text, status text, platform text, error jsonb)
LANGUAGE sql STABLE AS $$
  SELECT x.n, x.a, k.c,
    CASE WHEN (k.c).id IS NULL THEN json_build_object('problem', 'not_found', 'field', 'conversation_id')
      WHEN (x.a).reply_to_id IS NOT NULL OR (x.a).thread_id IS NOT NULL THEN coalesce(
        reference_problem(k.c, (x.a).participant_id, 'reply_to_id', (x.a).reply_to_id, false),
        reference_problem(k.c, (x.a).participant_id, 'thread_id', (x.a).thread_id, true))
    END,
    x.due, x.inbound,
    coalesce((x.a).thread_id, (SELECT r.thread_id FROM messages r WHERE r.id = (x.a).reply_to_id)),
    f.targets, f.direction, CASE WHEN x.due THEN f.status ELSE 'scheduled' END,
    CASE WHEN x.inbound THEN (x.a).platform WHEN x.due THEN f.platform END, CASE WHEN x.due THEN f.error END
  FROM (SELECT i.n, i.a, coalesce((i.a).send_at <= now(), true) AS due, coalesce((i.a).direction = 'inbound', false) AS inbound
    FROM (SELECT n, jsonb_populate_record(NULL::new_message, j) AS a FROM jsonb_array_elements(inputs) WITH ORDINALITY AS e (j, n)
      OFFSET 0) i) x
  -- By its id alone, so that no index of the conversations that were not deleted fits as well.
  LEFT JOIN LATERAL (SELECT o AS c FROM conversations o WHERE o.id = chats[x.n] OFFSET 0) k
    ON (k.c).workspace_id = (x.a).workspace_id AND (k.c).deleted_at IS NULL
    AND ((x.a).participant_id IS NULL OR EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = (k.c).id
      AND p.user_id = (x.a).participant_id AND p.left_at IS NULL))
  LEFT JOIN LATERAL message_fate(k.c, (x.a).sender_id, coalesce((x.a).category, 'conversational'), coalesce((x.a).note OR (x.a).stays, false),
    x.inbound, (x.a).from_link_id) f ON true
$$;

-- What accept_messages stored of a message, and of each delivery of it.
CREATE TYPE accepted_message AS (n bigint, a new_message, c conversations, m messages, record json);
CREATE TYPE accepted_copy AS (message_id uuid, position bigint, status text, record json);

-- Their events, where somebody hears of them.
CREATE FUNCTION announce_messages(kept accepted_message[], copies accepted_copy[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (r.m).workspace_id, e.type, (r.m).conversation_id, e.data, e.extra FROM unnest(kept) r CROSS JOIN LATERAL (
    SELECT 0 AS rank, 0 AS position, 'message.created' AS type, r.record AS data, (
      SELECT render_context(r.c, p.platform, u)
      FROM users u LEFT JOIN shown_platform((r.c).id, coalesce((r.a).from_link_id, (r.c).last_link_id)) p ON true
      WHERE u.id = (r.m).sender_id) AS extra
    WHERE events_heard((r.m).workspace_id)
    UNION ALL SELECT 1, 0, 'message.failed', r.record, NULL WHERE (r.m).status = 'blocked' AND events_heard((r.m).workspace_id)
    UNION ALL SELECT 2, d.position, 'delivery.updated', d.record, '{"previous":{"status":null}}' FROM unnest(copies) d
      WHERE d.message_id = (r.m).id AND moves_heard((r.m).workspace_id)
    UNION ALL SELECT 3, d.position, 'delivery.failed', d.record, NULL FROM unnest(copies) d
      WHERE d.message_id = (r.m).id AND d.status = 'blocked' AND events_heard((r.m).workspace_id)) e
  ORDER BY r.n, e.rank, e.position;
END $$;

-- The answers of the idempotent requests among them.
CREATE FUNCTION complete_claims(kept accepted_message[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE idempotency_keys k SET status = 201, body = r.record FROM unnest(kept) r
  WHERE k.credential_id = ((r.a).claim->>'credential_id')::uuid AND k.method = (r.a).claim->>'method'
    AND k.path = (r.a).claim->>'path' AND k.key = (r.a).claim->>'key' AND k.status IS NULL;
END $$;

-- Accepts messages that arrive at the same time, each by itself: stores it with its deliveries and events, or refuses it.
-- Answers in the order of the inputs: {"record": …}, {"problem": "not_found" | "invalid", "field": …}, or {"busy": true}
-- for a message whose conversation somebody else is writing to, unless `patient`. The same id again, from a try whose
-- answer was lost, gets the record that it made. `brief`: of a record only its id is asked for, and the caller sees to it that
-- its copies are sent.
CREATE FUNCTION accept_messages(inputs jsonb, patient boolean, brief boolean DEFAULT false) RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  chats uuid[];
  locked uuid[];
  answers json;
  kept accepted_message[];
  copies accepted_copy[];
  heard boolean := any_heard(ARRAY(SELECT (j->>'workspace_id')::uuid FROM jsonb_array_elements(inputs) j));
  claimed boolean := inputs @? '$[*].claim ? (@ != null)';
  whole boolean := heard OR claimed OR NOT brief;
BEGIN
  SELECT array_agg(coalesce((j->>'conversation_id')::uuid, (SELECT c.id FROM conversations c
    WHERE c.workspace_id = (j->>'workspace_id')::uuid AND c.number = (j->>'conversation_number')::bigint)) ORDER BY n)
  INTO chats FROM jsonb_array_elements(inputs) WITH ORDINALITY AS e (j, n);
  IF patient THEN
    PERFORM 1 FROM conversations WHERE id = ANY (chats) ORDER BY id FOR NO KEY UPDATE;
    locked := chats;
  ELSE
    locked := ARRAY(SELECT id FROM conversations WHERE id = ANY (chats) FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  -- What was to be sent before goes before.
  PERFORM release_due(c.id) FROM (SELECT DISTINCT id FROM unnest(locked) l (id) ORDER BY id) c
  WHERE EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.due_at <= now());

  WITH judged AS MATERIALIZED (
    SELECT j.*, j.problem IS NULL AND (chats[j.n] = ANY (locked)) IS TRUE
      AND row_number() OVER (PARTITION BY (j.a).id ORDER BY j.n) = 1 AS fine
    FROM judge_messages(inputs, chats) j
  ), stored AS (
    INSERT INTO messages AS m (id, workspace_id, conversation_id, conversation_number, sender_id, text, spans, content_type,
      attachments, direction, status, platform, category, reply_to_id, thread_id, origin, error, broadcast_id, note,
      ttl_seconds, send_at, expires_at, sent_at, failed_at, metadata)
    SELECT (a).id, (c).workspace_id, (c).id, (c).number, (a).sender_id, (a).text, (a).spans, coalesce((a).content_type, 'text'),
      coalesce((a).attachments, '[]'), direction, status, platform, coalesce((a).category, 'conversational'),
      (a).reply_to_id, thread, (a).origin, error, (a).broadcast_id, coalesce((a).note, false),
      coalesce((a).ttl_seconds, 86400), (a).send_at,
      -- A send_at that is past counts as now.
      CASE WHEN NOT due OR direction = 'outbound' THEN greatest((a).send_at, now()) + make_interval(secs => coalesce((a).ttl_seconds, 86400)) END,
      CASE WHEN status = 'sent' THEN now() END, CASE WHEN status = 'blocked' THEN now() END, coalesce((a).metadata, '{}')
    FROM judged WHERE fine ORDER BY n
    ON CONFLICT (id) DO NOTHING RETURNING m
  ), made AS (
    INSERT INTO deliveries AS d (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
      external_chat_id, priority, status, wanted_revision, relay_of_link_id, error, expires_at, failed_at)
    SELECT (s.m).workspace_id, (s.m).id, (s.m).conversation_id, l.id, l.connection_id, l.platform, l.external_id,
      coalesce((j.a).priority, 0), CASE WHEN j.error IS NULL THEN 'queued' ELSE 'blocked' END, 1, (j.a).from_link_id, j.error,
      coalesce((s.m).expires_at, (s.m).created_at + make_interval(secs => (s.m).ttl_seconds)), CASE WHEN j.error IS NOT NULL THEN now() END
    FROM judged j JOIN stored s ON (s.m).id = (j.a).id AND j.fine JOIN links l ON l.conversation_id = (s.m).conversation_id
    WHERE j.due AND j.targets > 0 AND takes_messages(l) AND l.id IS DISTINCT FROM (j.a).from_link_id
    ORDER BY j.n, l.created_at, l.id
    RETURNING d
  ), rendered AS MATERIALIZED (
    SELECT (d).message_id, (d).position, (d).status, (d).connection_id, CASE WHEN whole THEN render_delivery(d, '[]') END AS record FROM made
  ), records AS MATERIALIZED (
    SELECT j.n, j.a, j.c, s.m, CASE WHEN whole THEN render_message(s.m, '[]', 0, '[]', coalesce(r.list, '[]'))
      ELSE json_build_object('id', (s.m).id) END AS record
    FROM judged j JOIN stored s ON (s.m).id = (j.a).id AND j.fine
    LEFT JOIN (SELECT message_id, json_agg(record ORDER BY position) AS list FROM rendered WHERE whole GROUP BY 1) r
      ON r.message_id = (s.m).id
  ), woken AS (
    INSERT INTO outbox (topic, payload, run_at)
    SELECT 'deliver', jsonb_build_object('connection_id', connection_id), NULL::timestamptz FROM rendered
    WHERE status = 'queued' AND NOT brief GROUP BY connection_id
    UNION ALL SELECT 'timer', jsonb_build_object('message_id', (m).id), (m).send_at FROM records WHERE (m).status = 'scheduled'
  ), touched AS (
    UPDATE conversations o SET last_message_id = x.id, last_message_at = now(), last_link_id = coalesce(x.link, o.last_link_id)
    FROM (SELECT DISTINCT ON ((m).conversation_id) (m).conversation_id AS chat, (m).id, (a).from_link_id AS link FROM records
      WHERE (m).status <> 'scheduled' ORDER BY (m).conversation_id, n DESC) x WHERE o.id = x.chat
  )
  SELECT json_agg(CASE WHEN j.problem IS NOT NULL THEN j.problem
    WHEN (chats[j.n] = ANY (locked)) IS NOT TRUE THEN '{"busy":true}'
    WHEN r.n IS NULL THEN json_build_object('repeat', (j.a).id) ELSE json_build_object('record', r.record) END ORDER BY j.n),
    array_agg(ROW(r.n, r.a, r.c, r.m, r.record)::accepted_message ORDER BY r.n) FILTER (WHERE r.n IS NOT NULL AND (heard OR claimed)),
    CASE WHEN heard THEN ARRAY(SELECT ROW(d.message_id, d.position, d.status, d.record)::accepted_copy FROM rendered d) END
  INTO answers, kept, copies FROM judged j LEFT JOIN records r ON r.n = j.n;
  -- Apart from the rest: a statement is set up whole, whatever of it has work.
  IF heard THEN PERFORM announce_messages(kept, copies); END IF;
  IF claimed THEN PERFORM complete_claims(kept); END IF;
  RETURN CASE WHEN strpos(answers::text, '{"repeat"') = 0 THEN answers ELSE (
    -- In a statement of its own, which sees what was committed while the one above waited.
    SELECT json_agg(coalesce((SELECT json_build_object('record', message_record(m)) FROM messages m
      WHERE m.id = (x->>'repeat')::uuid AND m.workspace_id = (inputs->(n::int - 1)->>'workspace_id')::uuid), x) ORDER BY n)
    FROM json_array_elements(answers) WITH ORDINALITY AS e (x, n)) END;
END $$;

-- One message, within a transaction that does more than this.
CREATE FUNCTION accept_message(input jsonb) RETURNS json LANGUAGE sql AS $$
  SELECT accept_messages(jsonb_build_array(input), true)->0
$$;

-- Attachments to be stored in place of others: one that says the same as one of those, stays that one, with its stored copy. An
-- upload is named by its id and is the same only under it.
CREATE FUNCTION keep_attachments(wanted jsonb, was jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(coalesce(o.e, w.e) ORDER BY w.n), '[]')
  FROM (SELECT e, n, row_number() OVER (PARTITION BY e - 'id' ORDER BY n) AS nth
    FROM jsonb_array_elements(wanted) WITH ORDINALITY AS x (e, n)) w
  LEFT JOIN (SELECT e, row_number() OVER (PARTITION BY e - 'id' ORDER BY n) AS nth FROM jsonb_array_elements(
      CASE jsonb_typeof(was) WHEN 'array' THEN was ELSE '[]' END) WITH ORDINALITY AS x (e, n)) o
    ON o.e - 'id' = w.e - 'id' AND o.nth = w.nth AND NOT w.e ? 'upload'
$$;

-- Changes a message's content. `by_platform`: the platform reports the edit of an inbound message; otherwise a client
-- asks, and only live outbound messages may change. Every copy on other platforms follows.
CREATE FUNCTION edit_message(workspace uuid, message uuid, patch jsonb, participant uuid, by_platform boolean)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  before json;
  answer json;
  previous jsonb := '{}';
  woken uuid[];
  f text;
  -- Styles are no field of the record, but of what its copies show.
  restyled boolean;
  renewed boolean;
BEGIN
  SELECT * INTO m FROM messages WHERE id = message AND workspace_id = workspace AND deleted_at IS NULL
    AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = messages.conversation_id
      AND p.user_id = participant AND p.left_at IS NULL)) FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF participant IS NOT NULL AND m.sender_id <> participant THEN RETURN json_build_object('problem', 'not_own'); END IF;
  IF NOT by_platform AND (m.direction = 'inbound' OR m.status IN ('failed', 'expired', 'canceled', 'blocked')
    OR (patch ? 'attachments' AND m.status NOT IN ('scheduled', 'queued'))
    OR (patch ? 'send_at' AND m.status <> 'scheduled')) THEN
    RETURN json_build_object('problem', 'invalid_state', 'current', m.status);
  END IF;
  IF NOT by_platform AND coalesce(patch->>'text', m.text) = '' AND coalesce(patch->'attachments', m.attachments) = '[]' THEN
    RETURN json_build_object('problem', 'invalid', 'field', CASE WHEN patch ? 'text' THEN 'text' ELSE 'attachments' END);
  END IF;
  before := message_record(m);
  IF patch ? 'attachments' THEN
    patch := patch || jsonb_build_object('attachments', keep_attachments(patch->'attachments', m.attachments));
  END IF;
  FOR f IN SELECT jsonb_object_keys(patch) LOOP
    -- Attachments are compared as they are stored: how they are shown changes with every look.
    IF (CASE WHEN f = 'attachments' THEN m.attachments ELSE before::jsonb->f END) IS DISTINCT FROM (CASE WHEN f = 'send_at'
      THEN coalesce(to_jsonb(wire_time((patch->>'send_at')::timestamptz)), 'null') ELSE patch->f END)
    THEN previous := previous || jsonb_build_object(f, before::jsonb->f); END IF;
  END LOOP;
  previous := previous - 'spans';
  restyled := patch ? 'spans' AND nullif(patch->'spans', 'null') IS DISTINCT FROM m.spans;
  IF previous = '{}' AND NOT restyled THEN RETURN json_build_object('record', before); END IF;
  renewed := restyled OR previous ?| ARRAY['text', 'content_type', 'attachments'];

  UPDATE messages SET
    text = coalesce(patch->>'text', text), content_type = coalesce(patch->>'content_type', content_type),
    spans = CASE WHEN patch ? 'spans' THEN nullif(patch->'spans', 'null') WHEN patch ? 'text' THEN NULL ELSE spans END,
    attachments = coalesce(patch->'attachments', attachments), metadata = coalesce(patch->'metadata', metadata),
    send_at = CASE WHEN patch ? 'send_at' THEN (patch->>'send_at')::timestamptz ELSE send_at END,
    expires_at = CASE WHEN patch ? 'send_at'
      THEN greatest((patch->>'send_at')::timestamptz, now()) + make_interval(secs => ttl_seconds) ELSE expires_at END,
    revision = revision + renewed::int, edited_at = CASE WHEN renewed THEN now() ELSE edited_at END,
    updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  IF renewed THEN
    WITH wanting AS (
      UPDATE deliveries SET wanted_revision = m.revision, change_tries = 0
      WHERE message_id = m.id AND status IN ('queued', 'sending', 'sent', 'delivered', 'read', 'uncertain')
      RETURNING connection_id
    ) SELECT array_agg(connection_id) INTO woken FROM wanting;
    IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
  END IF;
  IF previous ? 'send_at' THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('timer', jsonb_build_object('message_id', m.id), m.due_at);
  END IF;
  answer := message_record(m);
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (m.workspace_id, 'message.updated', m.conversation_id, answer, json_build_object('previous',
    previous || former_values(before::jsonb - 'attachments', answer::jsonb)));
  RETURN json_build_object('record', answer);
END $$;

-- A text that a platform allows and that is too long for one message goes on in further ones, each with an id that is made of the
-- platform's.
CREATE FUNCTION rest_id(external_id text, place int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(external_id, 250) || '…' || place
$$;

-- The platform's own id of a message, or of the one whose text goes on in it.
CREATE FUNCTION platform_id(external_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN strpos(external_id, '…') = 0 THEN external_id ELSE regexp_replace(external_id, '…[0-9]+$', '') END
$$;

-- Deletes the messages in which the text of another one goes on, from a place on.
CREATE FUNCTION delete_rest(message uuid, place int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  x remote_messages;
BEGIN
  LOOP
    DELETE FROM remote_messages r USING remote_messages o JOIN messages m ON m.id = o.message_id AND m.origin->>'external_id' = o.external_id
    WHERE o.message_id = message AND o.delivery_id IS NULL AND r.connection_id = o.connection_id
      AND r.external_chat_id = o.external_chat_id AND r.external_id = rest_id(o.external_id, place) AND r.delivery_id IS NULL
    RETURNING r.* INTO x;
    EXIT WHEN NOT FOUND;
    PERFORM delete_message(x.workspace_id, x.message_id, NULL, NULL, true);
    place := place + 1;
  END LOOP;
END $$;

-- Deletes a message: unsent deliveries are canceled, copies on platforms are removed where that is possible.
-- The newest message of each conversation that people see: not deleted, and not waiting for its time. A scheduled one counts from
-- the time at which it was sent, if it is among the last hundred accepted. Needs the lock of the conversations.
CREATE FUNCTION refresh_last_messages(chats uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE conversations c SET last_message_id = n.id, last_message_at = n.at
  FROM unnest(chats) AS chat LEFT JOIN LATERAL (
    SELECT x.id, greatest(x.created_at, x.send_at) AS at FROM (
      SELECT m.id, m.created_at, m.send_at FROM messages m
      WHERE m.conversation_id = chat AND m.deleted_at IS NULL AND m.due_at IS NULL
        AND NOT (m.status = 'canceled' AND m.send_at IS NOT NULL AND m.sent_at IS NULL)
      ORDER BY m.created_at DESC, m.id DESC LIMIT 100
    ) x ORDER BY at DESC, x.id DESC LIMIT 1
  ) n ON true WHERE c.id = chat
$$;

CREATE FUNCTION delete_message(workspace uuid, message uuid, actor uuid, participant uuid, by_platform boolean)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  woken uuid[];
BEGIN
  -- The conversation before the message, as everywhere: its last message may become another.
  PERFORM FROM conversations WHERE id = (SELECT conversation_id FROM messages WHERE id = message AND workspace_id = workspace)
  FOR NO KEY UPDATE;
  SELECT * INTO m FROM messages WHERE id = message AND workspace_id = workspace AND deleted_at IS NULL
    AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = messages.conversation_id
      AND p.user_id = participant AND p.left_at IS NULL)) FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF participant IS NOT NULL AND m.sender_id <> participant THEN RETURN json_build_object('problem', 'not_own'); END IF;
  UPDATE messages SET deleted_at = now(), updated_at = now(),
    status = CASE WHEN status IN ('scheduled', 'queued') THEN 'canceled' ELSE status END WHERE id = m.id;
  UPDATE read_receipts SET counted = false WHERE message_id = m.id;
  PERFORM refresh_last_messages(ARRAY[id]) FROM conversations WHERE id = m.conversation_id AND last_message_id = m.id;
  PERFORM move_deliveries(coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'from', '["queued"]'::jsonb, 'to', 'canceled'))
    FROM deliveries WHERE message_id = m.id AND status = 'queued'), '[]'));
  WITH unwanted AS (
    -- Also of what was given up after some of its parts were written. A lookup that is due stays due.
    UPDATE deliveries d SET removal = 'wanted', change_tries = 0, next_attempt_at = CASE WHEN status = 'uncertain' THEN next_attempt_at END
    WHERE message_id = m.id AND removal IS NULL AND (status IN ('sending', 'sent', 'delivered', 'read', 'uncertain')
      OR EXISTS (SELECT 1 FROM delivery_parts p WHERE p.delivery_id = d.id AND p.external_id IS NOT NULL))
    RETURNING connection_id
  ) SELECT array_agg(connection_id) INTO woken FROM unwanted;
  IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
  INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES (m.workspace_id, 'message.deleted', m.conversation_id, json_build_object('id', m.id,
    'conversation_id', m.conversation_id, 'deleted_at', wire_time(now()), 'deleted_by', actor));
  IF m.direction = 'inbound' THEN PERFORM delete_rest(m.id, 2); END IF;
  RETURN json_build_object('record', json_build_object('id', m.id));
END $$;
