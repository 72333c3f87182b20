-- Records in the shape of the interface, version 1.0. Lists, single reads, answers and events all come from these
-- functions, so a record looks the same wherever it is seen. json, not jsonb: it keeps the order of the fields.

-- As to_char is: declared immutable it would be called as a function each time instead of becoming part of its query.
CREATE FUNCTION wire_time(t timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE FUNCTION public_url() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  -- By its key: before PostgreSQL 18 a plan that has to read a table costs 1e10 where sequential scans are disabled.
  SELECT public_url FROM installation WHERE only_row
$$;

-- Whether an attachment, as it is stored, has a file.
CREATE FUNCTION has_file(e jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT e->>'source_url' IS NOT NULL OR e->>'remote_ref' IS NOT NULL OR coalesce((e->>'upload')::boolean, false)
$$;

-- Attachments with what is known of their stored copies, and links that are signed as at `since`. Not asked for an empty
-- list, which is what most messages have.
CREATE FUNCTION attachment_records(list jsonb, since timestamptz DEFAULT now()) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(json_agg(attachment_record(x.e, m, since) ORDER BY x.n), '[]')
    FROM jsonb_array_elements(list) WITH ORDINALITY AS x (e, n) LEFT JOIN media m ON m.id = (x.e->>'id')::uuid);
END $$;

-- The variants of a broadcast, with their attachments.
CREATE FUNCTION variant_records(variants jsonb) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('key', v->'key', 'weight', v->'weight', 'text', v->'text', 'attachments',
    CASE jsonb_typeof(v->'attachments') WHEN 'array' THEN attachment_records(v->'attachments') END) ORDER BY n), '[]')
  FROM jsonb_array_elements(variants) WITH ORDINALITY AS x (v, n)
$$;

-- Both records come in two steps: what a row holds itself, and what other tables say about it. Rows by the thousand put the
-- steps into their own query, of which they then become part; the functions that take both are called once per row.
CREATE FUNCTION render_delivery(d deliveries, parts json) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', d.id, 'message_id', d.message_id, 'conversation_id', d.conversation_id, 'link_id', d.link_id,
    'connection_id', d.connection_id, 'platform', d.platform, 'external_chat_id', d.external_chat_id,
    'status', d.status,
    'parts', parts,
    'attempt_count', d.attempt_count, 'revision', d.revision, 'degradations', d.degradations,
    'error', d.error, 'resolution', d.resolution, 'superseded_by', d.superseded_by,
    'next_attempt_at', wire_time(d.next_attempt_at), 'expires_at', wire_time(d.expires_at),
    'uncertain_at', wire_time(d.uncertain_at), 'sent_at', wire_time(d.sent_at),
    'delivered_at', wire_time(d.delivered_at), 'read_at', wire_time(d.read_at), 'failed_at', wire_time(d.failed_at),
    'created_at', wire_time(d.created_at), 'updated_at', wire_time(d.updated_at))
$$;

CREATE FUNCTION delivery_surroundings(delivery uuid) RETURNS TABLE (parts json) LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('index', p.index, 'kind', p.kind, 'status', p.status,
    'external_id', p.external_id, 'sent_at', wire_time(p.sent_at)) ORDER BY p.index), '[]')
  FROM delivery_parts p WHERE p.delivery_id = delivery
$$;

CREATE FUNCTION delivery_record(d deliveries) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT render_delivery(d, s.parts) FROM delivery_surroundings(d.id) s
$$;

CREATE FUNCTION render_message(m messages, read_by json, thread_count bigint, reactions json, deliveries json) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', m.id, 'conversation_id', m.conversation_id, 'conversation_number', m.conversation_number,
    'sender_id', m.sender_id, 'text', m.text, 'content_type', m.content_type,
    'attachments', CASE WHEN m.attachments = '[]' THEN '[]'::json ELSE attachment_records(m.attachments) END,
    'read_by', read_by, 'direction', m.direction, 'status', m.status, 'platform', m.platform, 'category', m.category,
    'reply_to_id', m.reply_to_id, 'thread_id', m.thread_id,
    'thread_count', thread_count, 'revision', m.revision, 'reactions', reactions, 'deliveries', deliveries,
    'origin', m.origin, 'error', m.error, 'broadcast_id', m.broadcast_id,
    'send_at', wire_time(m.send_at), 'expires_at', wire_time(m.expires_at), 'sent_at', wire_time(m.sent_at),
    'delivered_at', wire_time(m.delivered_at), 'failed_at', wire_time(m.failed_at),
    'edited_at', wire_time(m.edited_at), 'metadata', m.metadata,
    'created_at', wire_time(m.created_at), 'updated_at', wire_time(m.updated_at))
$$;

CREATE FUNCTION message_surroundings(message uuid, thread uuid)
RETURNS TABLE (read_by json, thread_count bigint, reactions json, deliveries json) LANGUAGE sql STABLE AS $$
  SELECT coalesce((
      SELECT json_agg(json_build_object('user_id', r.user_id, 'read_at', wire_time(r.read_at), 'platform', r.platform)
        ORDER BY r.read_at, r.user_id)
      FROM read_receipts r WHERE r.message_id = message), '[]'),
    CASE WHEN thread IS NULL
      THEN (SELECT count(*) FROM messages t WHERE t.thread_id = message AND t.deleted_at IS NULL) ELSE 0 END,
    coalesce((
      SELECT json_agg(json_build_object('emoji', g.emoji, 'count', g.count, 'user_ids', g.user_ids) ORDER BY g.first)
      FROM (SELECT x.emoji, count(*) AS count, array_agg(x.user_id ORDER BY x.created_at) AS user_ids,
              min(x.created_at) AS first
            FROM reactions x WHERE x.message_id = message GROUP BY x.emoji) g), '[]'),
    coalesce((
      SELECT json_agg(render_delivery(d, s.parts) ORDER BY d.position)
      FROM deliveries d CROSS JOIN LATERAL delivery_surroundings(d.id) s WHERE d.message_id = message), '[]')
$$;

CREATE FUNCTION message_record(m messages) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT render_message(m, s.read_by, s.thread_count, s.reactions, s.deliveries) FROM message_surroundings(m.id, m.thread_id) s
$$;

CREATE FUNCTION participant_record(p participants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', p.user_id, 'role', p.role, 'joined_at', wire_time(p.joined_at),
    'left_at', wire_time(p.left_at), 'last_read_at', wire_time(p.last_read_at))
$$;

CREATE FUNCTION link_record(l links) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', l.id, 'conversation_id', l.conversation_id, 'connection_id', l.connection_id, 'platform', l.platform,
    'external_id', l.external_id, 'external_thread_id', l.external_thread_id, 'title', l.title,
    'direction', l.direction, 'attribution', l.attribution, 'status', l.status,
    'last_inbound_at', wire_time(l.last_inbound_at), 'last_outbound_at', wire_time(l.last_outbound_at),
    'created_at', wire_time(l.created_at), 'updated_at', wire_time(l.updated_at))
$$;

-- The platform a conversation is shown under. A table, since that becomes part of the query that joins it.
CREATE FUNCTION shown_platform(conversation uuid, last_link uuid) RETURNS TABLE (platform text) LANGUAGE sql STABLE AS $$
  SELECT l.platform FROM links l WHERE l.conversation_id = conversation AND l.removed_at IS NULL
  ORDER BY (l.id = last_link) DESC NULLS LAST, l.created_at LIMIT 1
$$;

-- unread_count depends on who looks, and counts among the newest five hundred; viewer null (events) counts nothing.
-- One plan for all: otherwise it is planned anew for each conversation, which takes longer than all it does. It is kept for
-- as long as the statistics are, so it must be good for a table that was empty when it was made: here as in the other records.
CREATE FUNCTION conversation_record(c conversations, viewer uuid) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT json_build_object(
    'id', c.id, 'number', c.number, 'type', c.type, 'title', c.title, 'team', c.team, 'status', c.status,
    'platform', (SELECT p.platform FROM shown_platform(c.id, c.last_link_id) p),
    'platforms', coalesce((
      SELECT json_agg(DISTINCT l.platform ORDER BY l.platform) FROM links l
      WHERE l.conversation_id = c.id AND l.removed_at IS NULL), '[]'),
    'participants', coalesce((
      SELECT json_agg(participant_record(p) ORDER BY p.joined_at, p.user_id)
      FROM participants p WHERE p.conversation_id = c.id AND p.left_at IS NULL), '[]'),
    'assignee_id', c.assignee_id, 'snoozed_until', wire_time(c.snoozed_until), 'labels', c.labels,
    'priority', c.priority,
    'unread_count', CASE WHEN viewer IS NULL THEN 0 ELSE (
      SELECT foreign_count - (SELECT count(*) FROM read_receipts r WHERE r.user_id = viewer AND r.conversation_id = c.id
          AND r.counted AND (r.written_at, r.message_id) >= (n.since, n.first_id))
      FROM (
        SELECT count(*) FILTER (WHERE sender_id <> viewer) AS foreign_count, min(created_at) AS since,
          (array_agg(id))[count(*)] AS first_id
        FROM (SELECT m.id, m.created_at, m.sender_id FROM messages m
          WHERE m.conversation_id = c.id AND m.deleted_at IS NULL AND m.due_at IS NULL
            AND m.created_at >= coalesce((SELECT p.joined_at FROM participants p
              WHERE p.conversation_id = c.id AND p.user_id = viewer), '-infinity')
          ORDER BY m.created_at DESC, m.id DESC LIMIT 500) newest) n) END,
    'last_message', (
      SELECT json_build_object('id', m.id, 'text', m.text, 'sender_id', m.sender_id,
        'created_at', wire_time(m.created_at))
      FROM messages m WHERE m.id = c.last_message_id AND m.deleted_at IS NULL),
    'links', coalesce((
      SELECT json_agg(link_record(l) ORDER BY l.created_at, l.id)
      FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL), '[]'),
    'created_by', c.created_by, 'last_message_at', wire_time(c.last_message_at),
    'closed_at', wire_time(c.closed_at), 'metadata', c.metadata,
    'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at))
$$;

CREATE FUNCTION user_record(u users) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT json_build_object(
    'id', u.id, 'username', u.username, 'display_name', u.display_name, 'email', u.email,
    'profile_image', coalesce(u.profile_image, public_url() || '/avatars/' || u.id || '.svg'),
    'status', u.status, 'kind', u.kind,
    'presence', u.presence, 'last_seen_at', wire_time(u.last_seen_at),
    'phone', u.phone, 'locale', u.locale, 'timezone', u.timezone,
    'identities', coalesce((
      SELECT json_agg(json_build_object('platform', i.platform, 'external_id', i.external_id, 'handle', i.handle,
        'verified', i.verified, 'reachable', i.reachable, 'opt_out', i.opt_out) ORDER BY i.created_at, i.id)
      FROM identities i WHERE i.user_id = u.id), '[]'),
    'channel_priority', u.channel_priority, 'consent', u.consent, 'metadata', u.metadata,
    'created_at', wire_time(u.created_at), 'updated_at', wire_time(u.updated_at))
$$;

CREATE FUNCTION connection_record(c connections) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', c.id, 'platform', c.platform, 'name', c.name, 'enabled', c.enabled, 'status', c.status,
    'health', c.health, 'settings', c.settings, 'credentials_set', c.credentials_set,
    'webhook_url', public_url() || '/hooks/' || c.platform || '/' || c.id,
    'counters', json_build_object('received', i.received, 'sent', c.sent, 'failed', c.failed,
      'uncertain', c.uncertain),
    'created_by', c.created_by, 'identity', c.identity, 'last_error', c.last_error,
    'last_event_at', wire_time(i.last_event_at),
    'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at))
  FROM (SELECT coalesce(sum(received), 0)::bigint AS received, max(last_event_at) AS last_event_at
    FROM connection_inflow WHERE connection_id = c.id) i
$$;

CREATE FUNCTION broadcast_record(b broadcasts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', b.id, 'name', b.name, 'category', b.category, 'status', b.status, 'text', b.text,
    'template_id', b.template_id, 'content_type', b.content_type, 'attachments', attachment_records(b.attachments),
    'variables', b.variables, 'variants', variant_records(b.variants), 'platforms', b.platforms, 'audience', b.audience,
    'fallback', b.fallback, 'throttle', b.throttle, 'schedule', b.schedule, 'counts', b.counts,
    'progress', CASE WHEN (b.counts->>'total')::bigint = 0
      THEN CASE WHEN b.status IN ('completed', 'expired', 'canceled') THEN 1 ELSE 0 END
      ELSE ((b.counts->>'total')::float8 - (b.counts->>'pending')::float8) / (b.counts->>'total')::float8 END,
    'skip_reasons', b.skip_reasons, 'eta', wire_time(b.eta), 'error', b.error, 'created_by', b.created_by,
    'scheduled_at', wire_time(b.scheduled_at), 'started_at', wire_time(b.started_at),
    'completed_at', wire_time(b.completed_at), 'canceled_at', wire_time(b.canceled_at), 'metadata', b.metadata,
    'created_at', wire_time(b.created_at), 'updated_at', wire_time(b.updated_at))
$$;

CREATE FUNCTION broadcast_recipient_record(r broadcast_recipients) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', r.id, 'broadcast_id', r.broadcast_id, 'user_id', r.user_id, 'message_id', r.message_id,
    'platform', r.platform, 'address', r.address, 'variant', r.variant, 'status', r.status,
    'attempts', r.attempts, 'skip_reason', r.skip_reason, 'error', r.error,
    'queued_at', wire_time(r.queued_at), 'sent_at', wire_time(r.sent_at),
    'delivered_at', wire_time(r.delivered_at), 'read_at', wire_time(r.read_at),
    'created_at', wire_time(r.created_at), 'updated_at', wire_time(r.updated_at))
$$;
