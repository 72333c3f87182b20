-- Accepts a batch of messages, each separately: stores it with its deliveries and events, or refuses it.
-- Returns in the order of the inputs: {"record": …}, {"problem": "not_found" | "invalid", "field": …}, or
-- {"busy": true} for a message whose conversation another transaction has locked. If `patient`, waits for
-- such conversations. A repeated id returns the existing record. If `brief`, a record may have only its id,
-- and the caller dispatches the deliveries.
--
-- Locks: conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Arguments: inputs: NewMessage[]
-- Returns: AcceptAnswer[]

-- Checks that a referenced message is in the same conversation. Returns null if so, otherwise the problem.
-- For a participant, conversations without that participant do not exist.
CREATE OR REPLACE FUNCTION reference_problem(c conversations, participant uuid, field text, ref uuid,
  as_root boolean) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  r messages;
BEGIN
  IF ref IS NULL THEN RETURN NULL; END IF;
  SELECT * INTO r FROM messages m WHERE m.id = ref AND m.workspace_id = c.workspace_id
    AND m.deleted_at IS NULL
    AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p
        WHERE p.conversation_id = m.conversation_id
      AND p.user_id = participant AND p.left_at IS NULL))
    AND shows_conversation(m.conversation_id);
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found', 'field', field); END IF;
  IF r.conversation_id <> c.id OR (as_root AND r.thread_id IS NOT NULL) THEN
    RETURN json_build_object('problem', 'invalid', 'field', field);
  END IF;
  RETURN NULL;
END $$;

-- Checks that a reply of a client to a message in a thread names no other thread. Returns null if so,
-- otherwise the problem.
CREATE OR REPLACE FUNCTION thread_problem(a new_message) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('problem', 'invalid', 'field', 'thread_id') FROM messages r
  WHERE r.id = a.reply_to_id AND r.thread_id <> a.thread_id AND a.direction IS DISTINCT FROM 'inbound'
$$;

-- Checks a batch of messages. Returns for each, in order, its input, its conversation, and its routing or
-- the problem.
CREATE OR REPLACE FUNCTION validate_messages(inputs jsonb, chats uuid[])
  RETURNS TABLE (n bigint, a new_message, c conversations,
  problem json, due boolean, inbound boolean, thread uuid, targets bigint, direction text, status text,
    platform text, error jsonb)
LANGUAGE sql STABLE AS $$
  SELECT x.n, x.a, k.c,
    CASE WHEN (k.c).id IS NULL THEN json_build_object('problem', 'not_found', 'field', 'conversation_id')
      WHEN (x.a).reply_to_id IS NOT NULL OR (x.a).thread_id IS NOT NULL THEN coalesce(
        reference_problem(k.c, (x.a).participant_id, 'reply_to_id', (x.a).reply_to_id, false),
        reference_problem(k.c, (x.a).participant_id, 'thread_id', (x.a).thread_id, true),
        thread_problem(x.a))
    END,
    x.due, x.inbound,
    coalesce((x.a).thread_id, (SELECT r.thread_id FROM messages r WHERE r.id = (x.a).reply_to_id)),
    f.targets, f.direction, CASE WHEN x.due THEN f.status ELSE 'scheduled' END,
    CASE WHEN x.inbound THEN (x.a).platform WHEN x.due THEN f.platform END, CASE WHEN x.due THEN f.error END
  FROM (SELECT i.n, i.a, coalesce((i.a).send_at <= now(), true) AS due,
    coalesce((i.a).direction = 'inbound', false) AS inbound
    FROM (SELECT n, jsonb_populate_record(NULL::new_message, j) AS a FROM jsonb_array_elements(inputs)
      WITH ORDINALITY AS e (j, n)
      OFFSET 0) i) x
  -- Looks up by id alone, so that the planner can't choose a partial index of undeleted conversations.
  LEFT JOIN LATERAL (SELECT o AS c FROM conversations o WHERE o.id = chats[x.n] OFFSET 0) k
    ON (k.c).workspace_id = (x.a).workspace_id AND (k.c).deleted_at IS NULL
    AND ((x.a).participant_id IS NULL OR EXISTS (SELECT 1 FROM participants p
        WHERE p.conversation_id = (k.c).id
      AND p.user_id = (x.a).participant_id AND p.left_at IS NULL))
    AND shows_conversation((k.c).id)
  LEFT JOIN LATERAL route_message(k.c, (x.a).sender_id, coalesce((x.a).category, 'conversational'),
    coalesce((x.a).note OR (x.a).stays, false),
    x.inbound, (x.a).from_link_id) f ON true
$$;

-- Writes the events of accepted messages in workspaces with subscribers.
CREATE OR REPLACE FUNCTION announce_messages(kept accepted_message[], copies accepted_copy[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (r.m).workspace_id, e.type, (r.m).conversation_id, e.data, e.extra
  FROM unnest(kept) r CROSS JOIN LATERAL (
    SELECT 0 AS rank, 0 AS position, 'message.created' AS type, r.record AS data, (
      SELECT render_context(r.c, p.platform, u)
      FROM users u LEFT JOIN shown_platform((r.c).id, coalesce((r.a).from_link_id, (r.c).last_link_id)) p
        ON true
      WHERE u.id = (r.m).sender_id) AS extra
    WHERE has_subscribers((r.m).workspace_id)
    UNION ALL SELECT 1, 0, 'message.failed', r.record, NULL
      WHERE (r.m).status = 'blocked' AND has_subscribers((r.m).workspace_id)
    UNION ALL SELECT 2, d.position, 'delivery.updated', d.record, '{"previous":{"status":null}}'
      FROM unnest(copies) d
      WHERE d.message_id = (r.m).id AND has_delivery_subscribers((r.m).workspace_id)
    UNION ALL SELECT 3, d.position, 'delivery.failed', d.record, NULL FROM unnest(copies) d
      WHERE d.message_id = (r.m).id AND d.status = 'blocked' AND has_subscribers((r.m).workspace_id)) e
  ORDER BY r.n, e.rank, e.position;
END $$;

-- Stores the responses of accepted messages whose request has an idempotency key.
CREATE OR REPLACE FUNCTION complete_claims(kept accepted_message[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE idempotency_keys k SET status = 201, body = r.record FROM unnest(kept) r
  WHERE k.credential_id = ((r.a).claim->>'credential_id')::uuid AND k.method = (r.a).claim->>'method'
    AND k.path = (r.a).claim->>'path' AND k.key = (r.a).claim->>'key' AND k.status IS NULL;
END $$;

CREATE OR REPLACE FUNCTION accept_messages(inputs jsonb, patient boolean, brief boolean DEFAULT false)
  RETURNS json LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  chats uuid[];
  locked uuid[];
  answers json;
  kept accepted_message[];
  copies accepted_copy[];
  has_events boolean := has_any_subscriber(ARRAY(
    SELECT (j->>'workspace_id')::uuid FROM jsonb_array_elements(inputs) j));
  claimed boolean := inputs @? '$[*].claim ? (@ != null)';
  is_full boolean := has_events OR claimed OR NOT brief;
BEGIN
  SELECT array_agg(coalesce((j->>'conversation_id')::uuid, (SELECT c.id FROM conversations c
    WHERE c.workspace_id = (j->>'workspace_id')::uuid AND c.number = (j->>'conversation_number')::bigint))
    ORDER BY n)
  INTO chats FROM jsonb_array_elements(inputs) WITH ORDINALITY AS e (j, n);
  IF patient THEN
    PERFORM 1 FROM conversations WHERE id = ANY (chats) ORDER BY id FOR NO KEY UPDATE;
    locked := chats;
  ELSE
    locked := ARRAY(SELECT id FROM conversations WHERE id = ANY (chats) FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  -- Releases earlier messages that are due first.
  PERFORM release_due_messages(c.id) FROM (SELECT DISTINCT id FROM unnest(locked) l (id) ORDER BY id) c
  WHERE EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.due_at <= now());

  WITH validated AS MATERIALIZED (
    SELECT j.*, j.problem IS NULL AND (chats[j.n] = ANY (locked)) IS TRUE
      AND row_number() OVER (PARTITION BY (j.a).id ORDER BY j.n) = 1 AS fine
    FROM validate_messages(inputs, chats) j
  ), stored AS (
    INSERT INTO messages AS m (id, workspace_id, conversation_id, conversation_number, sender_id, text,
      spans, content_type,
      attachments, direction, status, platform, category, reply_to_id, thread_id, origin, error,
        broadcast_id, note,
      ttl_seconds, send_at, expires_at, sent_at, failed_at, metadata)
    SELECT (a).id, (c).workspace_id, (c).id, (c).number, (a).sender_id, (a).text, (a).spans,
      coalesce((a).content_type, 'text'),
      coalesce((a).attachments, '[]'), direction, status, platform, coalesce((a).category, 'conversational'),
      (a).reply_to_id, thread, (a).origin, error, (a).broadcast_id, coalesce((a).note, false),
      coalesce((a).ttl_seconds, 86400), (a).send_at,
      -- A past send_at counts as now.
      CASE WHEN NOT due
        OR direction = 'outbound' THEN greatest((a).send_at,
          now()) + make_interval(secs => coalesce((a).ttl_seconds, 86400)) END,
      CASE WHEN status = 'sent' THEN now() END, CASE WHEN status = 'blocked' THEN now() END,
        coalesce((a).metadata, '{}')
    FROM validated WHERE fine ORDER BY n
    ON CONFLICT (id) DO NOTHING RETURNING m
  ), made AS (
    INSERT INTO deliveries AS d (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
      external_chat_id, priority, status, wanted_revision, relay_of_link_id, error, expires_at, failed_at)
    SELECT (s.m).workspace_id, (s.m).id, (s.m).conversation_id, l.id, l.connection_id, l.platform,
      l.external_id,
      coalesce((j.a).priority, 0), CASE WHEN j.error IS NULL THEN 'queued' ELSE 'blocked' END, 1,
        (j.a).from_link_id, j.error,
      coalesce((s.m).expires_at, (s.m).created_at + make_interval(secs => (s.m).ttl_seconds)),
        CASE WHEN j.error IS NOT NULL THEN now() END
    FROM validated j JOIN stored s ON (s.m).id = (j.a).id AND j.fine
      JOIN links l ON l.conversation_id = (s.m).conversation_id
    WHERE j.due AND j.targets > 0 AND can_send_to_link(l) AND l.id IS DISTINCT FROM (j.a).from_link_id
    ORDER BY j.n, l.created_at, l.id
    RETURNING d
  ), rendered AS MATERIALIZED (
    SELECT (d).message_id, (d).position, (d).status, (d).connection_id,
      CASE WHEN is_full THEN render_delivery(d, '[]') END AS record FROM made
  ), records AS MATERIALIZED (
    SELECT j.n, j.a, j.c, s.m,
      CASE WHEN is_full THEN render_message(s.m, '[]', 0, '[]', coalesce(r.list, '[]'))
      ELSE json_build_object('id', (s.m).id) END AS record
    FROM validated j JOIN stored s ON (s.m).id = (j.a).id AND j.fine
    LEFT JOIN (SELECT message_id, json_agg(record ORDER BY position) AS list FROM rendered
      WHERE is_full GROUP BY 1) r
      ON r.message_id = (s.m).id
  ), woken AS (
    INSERT INTO outbox (topic, payload, run_at)
    SELECT 'deliver', jsonb_build_object('connection_id', connection_id), NULL::timestamptz FROM rendered
    WHERE status = 'queued' AND NOT brief GROUP BY connection_id
    UNION ALL SELECT 'timer', jsonb_build_object('message_id', (m).id), (m).send_at FROM records
      WHERE (m).status = 'scheduled'
  ), touched AS (
    UPDATE conversations o SET last_message_id = x.id, last_message_at = now(),
      last_link_id = coalesce(x.link, o.last_link_id)
    FROM (SELECT DISTINCT ON ((m).conversation_id) (m).conversation_id AS chat, (m).id,
      (a).from_link_id AS link FROM records
      WHERE (m).status <> 'scheduled' ORDER BY (m).conversation_id, n DESC) x WHERE o.id = x.chat
  )
  SELECT json_agg(CASE WHEN j.problem IS NOT NULL THEN j.problem
    WHEN (chats[j.n] = ANY (locked)) IS NOT TRUE THEN '{"busy":true}'
    WHEN r.n IS NULL THEN json_build_object('repeat', (j.a).id)
        ELSE json_build_object('record', r.record) END ORDER BY j.n),
    array_agg(ROW(r.n, r.a, r.c, r.m, r.record)::accepted_message ORDER BY r.n)
      FILTER (WHERE r.n IS NOT NULL AND (has_events OR claimed)),
    CASE WHEN has_events THEN ARRAY(SELECT ROW(d.message_id, d.position, d.status, d.record)::accepted_copy
        FROM rendered d) END
  INTO answers, kept, copies FROM validated j LEFT JOIN records r ON r.n = j.n;
  -- Separate calls, because a statement has the setup cost of all its parts, used or not.
  IF has_events THEN PERFORM announce_messages(kept, copies); END IF;
  IF claimed THEN PERFORM complete_claims(kept); END IF;
  RETURN CASE WHEN strpos(answers::text, '{"repeat"') = 0 THEN answers ELSE (
    -- A separate statement sees the rows that were committed while the one above waited.
    SELECT json_agg(coalesce((SELECT json_build_object('record', message_record(m)) FROM messages m
      WHERE m.id = (x->>'repeat')::uuid AND m.workspace_id = (inputs->(n::int - 1)->>'workspace_id')::uuid),
        x) ORDER BY n)
    FROM json_array_elements(answers) WITH ORDINALITY AS e (x, n)) END;
END $$;
