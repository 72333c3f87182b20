-- Stores envelopes of one message each that arrived at the same time. Plain messages are stored together with
-- their envelopes, in one batch. The others, and envelopes after them in the same lane, are left to the
-- caller. Returns {"answers": per item the result of receive_envelope, or {"alone": true}, "leased": the
-- result of lease_copies}. Each item: {"connection_id", "envelope", "event"}, without duplicates.
--
-- Locks: identities, users, links, conversations, participants, messages, parked_events.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created,
--   delivery.uncertain.
-- Arguments: items: ArrivedMessage[]
-- Returns: ReceivedEnvelopes

-- Whether a text is a keyword for opt-out, opt-in or help.
CREATE OR REPLACE FUNCTION is_reserved_keyword(content text, workspace uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT normalize_keyword(content) IN ('START', 'YES', 'UNSTOP', 'HELP', 'INFO')
    OR is_opt_out_keyword(normalize_keyword(content), workspace)
$$;

-- The stored items whose message is plain, with contact, conversation and link locked. A message has the id
-- of its envelope. Skips rows that another transaction has locked: the query never waits, so the order of
-- locks does not matter. Each row is looked up by its key, one after the other, regardless of statistics.
CREATE OR REPLACE FUNCTION lock_plain_messages(items jsonb, stored uuid[]) RETURNS SETOF plain_message
  LANGUAGE plpgsql ROWS 10
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
  RETURN QUERY SELECT i.n, k.id, k.workspace_id, l.id, a.id, l.external_id, i.e->'chat'->>'threadId',
    left(i.e->'chat'->>'title', 256), i.e->>'messageId',
    CASE WHEN o.id IS NULL AND i.e->>'replyToId' IS NOT NULL
      THEN jsonb_build_object('replyToId', i.e->'replyToId',
      'redeliveryS', i.e->'redeliveryS') END,
        inbound_message_input(k, l.id, c.id, u.id, i.id, CASE WHEN o.id IS NOT NULL THEN (
      SELECT m.id FROM messages m WHERE m.id = o.id AND m.conversation_id = c.id AND m.deleted_at IS NULL)
        END, i.e)
  FROM (SELECT j.n, (x->>'connection_id')::uuid AS connection, x->'event' AS e, stored[j.n] AS id
    FROM jsonb_array_elements(items) WITH ORDINALITY AS j (x, n) WHERE stored[j.n] IS NOT NULL OFFSET 0) i
  CROSS JOIN LATERAL (SELECT * FROM connections x WHERE x.id = i.connection LIMIT 1) k
  CROSS JOIN LATERAL (SELECT (find_link(k.id, i.e->'chat')).id LIMIT 1) f
  CROSS JOIN LATERAL (SELECT * FROM identities x
    WHERE x.workspace_id = k.workspace_id AND x.platform = k.platform
    AND x.external_id = i.e->'sender'->>'id' FOR NO KEY UPDATE SKIP LOCKED) a
  CROSS JOIN LATERAL (SELECT * FROM users x WHERE x.id = a.user_id AND x.deleted_at IS NULL
    AND x.status <> 'blocked'
    AND x.stopped_at IS NULL FOR NO KEY UPDATE SKIP LOCKED) u
  CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.id = f.id AND x.external_id = i.e->'chat'->>'id'
    AND x.removed_at IS NULL
    AND x.direction <> 'outbound' AND x.status = 'active' FOR NO KEY UPDATE SKIP LOCKED) l
  CROSS JOIN LATERAL (SELECT * FROM conversations x WHERE x.id = l.conversation_id AND x.status = 'open'
    AND x.deleted_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED) c
  CROSS JOIN LATERAL (SELECT FROM participants x WHERE x.conversation_id = c.id AND x.user_id = u.id
    AND x.left_at IS NULL
    FOR SHARE SKIP LOCKED) p
  LEFT JOIN LATERAL (SELECT x.message_id AS id FROM remote_messages x WHERE x.connection_id = k.id
    AND x.external_chat_id = l.external_id AND x.external_id = i.e->>'replyToId' LIMIT 1) o ON true
  WHERE NOT i.e ? 'press' AND NOT contains_chat_code(i.e->'content'->>'text')
    AND NOT has_new_name_or_handle(u, a, i.e->'sender'->>'displayName', i.e->'sender'->>'handle')
    AND (c.type <> 'direct' OR (a.reachable
      AND NOT is_reserved_keyword(i.e->'content'->>'text', k.workspace_id)))
    AND (SELECT x.message_id FROM remote_messages x
      WHERE x.connection_id = k.id AND x.external_chat_id = l.external_id
      AND x.external_id = i.e->>'messageId' LIMIT 1) IS NULL
    AND (SELECT x.id FROM parked_events x WHERE x.connection_id = k.id AND x.external_id = i.e->>'messageId'
      AND x.external_chat_id = l.external_id LIMIT 1) IS NULL;
END $$;

-- Updates the id map, contacts, links and counters.
CREATE OR REPLACE FUNCTION record_plain_messages(plain plain_message[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off AS $$
BEGIN
  WITH p AS MATERIALIZED (SELECT * FROM unnest(plain)
  ), known AS (
    INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id,
      external_thread_id)
    SELECT connection_id, chat, external_id, workspace_id, (input->>'id')::uuid, thread FROM p
  ), used AS (
    UPDATE identities SET last_used_at = now() WHERE id = ANY (ARRAY(SELECT identity_id FROM p))
  ), written AS (
    UPDATE links l SET last_inbound_at = now(), title = coalesce(l.title, x.title)
    FROM (SELECT link_id, min(title) AS title FROM p GROUP BY 1) x WHERE l.id = x.link_id
  ), counted AS (
    INSERT INTO connection_inflow AS i (connection_id, slot, workspace_id, received, last_event_at)
    SELECT connection_id, pg_backend_pid() % 64, workspace_id, count(*), now() FROM p GROUP BY 1, 3 ORDER BY 1
    ON CONFLICT (connection_id, slot) DO UPDATE
    SET received = i.received + excluded.received, last_event_at = now()
  )
  -- A worker that tried to lease the lane in the meantime found it locked.
  INSERT INTO outbox (topic, payload)
  SELECT DISTINCT 'deliver', jsonb_build_object('connection_id', connection_id) FROM p
  WHERE (SELECT d.id FROM deliveries d WHERE d.connection_id = p.connection_id AND d.lane = p.link_id
    AND d.status = 'queued' ORDER BY d.position LIMIT 1) IS NOT NULL;
  IF EXISTS (SELECT FROM unnest(plain) p WHERE p.unknown_reply IS NOT NULL) THEN
    PERFORM park_reply(k, p.chat, p.unknown_reply, (p.input->>'id')::uuid)
    FROM unnest(plain) p JOIN connections k ON k.id = p.connection_id WHERE p.unknown_reply IS NOT NULL;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION receive_envelopes(items jsonb, local_connections uuid[], lease_seconds int)
  RETURNS json
  LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  stored uuid[];
  plain plain_message[];
  records json;
BEGIN
  WITH made AS (
    -- Inserts in the order of the keys, because other transactions may be storing the same envelopes. The ids
    -- have the order of arrival, because they become the ids of the messages.
    INSERT INTO envelopes (id, workspace_id, connection_id, dedupe_key, lane, payload, context, status)
    SELECT i.id, k.workspace_id, k.id, v->>'dedupeKey', v->>'lane', coalesce(v->'payload', 'null'),
      coalesce(v->'context', '{}'), 'processed'
    FROM (SELECT uuid7() AS id, (x->>'connection_id')::uuid AS connection, x->'envelope' AS v
      FROM jsonb_array_elements(items) x OFFSET 0) i
    JOIN connections k ON k.id = i.connection AND k.deleted_at IS NULL ORDER BY k.id, v->>'dedupeKey'
    ON CONFLICT (connection_id, dedupe_key) DO NOTHING RETURNING id, connection_id, dedupe_key
  )
  SELECT array_agg(m.id ORDER BY n) INTO stored FROM jsonb_array_elements(items) WITH ORDINALITY AS j (x, n)
  LEFT JOIN made m ON m.connection_id = (x->>'connection_id')::uuid
    AND m.dedupe_key = x->'envelope'->>'dedupeKey';
  plain := ARRAY(SELECT p FROM lock_plain_messages(items, stored) p ORDER BY p.n);
  IF cardinality(plain) < cardinality(stored) THEN
    SELECT array_agg(o.p ORDER BY o.n) FILTER (WHERE o.in_turn) INTO plain FROM (
      SELECT j.n, p, bool_and(p.n IS NOT NULL OR stored[j.n] IS NULL) OVER (
        PARTITION BY x->'connection_id', x->'envelope'->'lane' ORDER BY j.n) AND p.n IS NOT NULL AS in_turn
      FROM jsonb_array_elements(items) WITH ORDINALITY AS j (x, n) LEFT JOIN unnest(plain) p ON p.n = j.n) o;
    DELETE FROM envelopes WHERE id = ANY (stored)
      AND id <> ALL (ARRAY(SELECT stored[p.n] FROM unnest(plain) p));
  END IF;
  IF plain IS NOT NULL THEN
    records := accept_messages((SELECT jsonb_agg(p.input ORDER BY p.n) FROM unnest(plain) p), true, true);
    IF EXISTS (SELECT FROM json_array_elements(records) a WHERE a->'record' IS NULL) THEN
      RAISE 'A message was refused.';
    END IF;
    PERFORM record_plain_messages(plain);
  END IF;
  RETURN json_build_object('leased', CASE WHEN plain IS NOT NULL THEN
    lease_copies(ARRAY(SELECT (p.input->>'id')::uuid FROM unnest(plain) p),
      local_connections, lease_seconds) END,
      'answers', (
    SELECT json_agg(CASE WHEN stored[s.n] IS NULL THEN '{"stored":false,"message":null}'
      WHEN o.a IS NULL THEN '{"alone":true}'
      ELSE json_build_object('stored', true, 'message', json_build_object('id', o.a->'record'->'id'))
      END ORDER BY s.n)
    FROM generate_subscripts(stored, 1) AS s (n)
    LEFT JOIN json_array_elements(records) WITH ORDINALITY AS o (a, i) ON (plain[o.i]).n = s.n));
END $$;
