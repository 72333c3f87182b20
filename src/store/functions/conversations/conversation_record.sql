-- A conversation in the form of the API. unread_count depends on the viewer and counts among the newest 500
-- messages; without a viewer (in events) it is 0. A scheduled message counts once it is sent, and never if it
-- is canceled before. Imported history does not count. The function keeps one generic plan, as other records
-- do, because planning for each conversation would take longer than running. The plan is kept until the
-- statistics change, so it must stay efficient after a table that was empty has grown. Therefore ORDER BY and
-- LIMIT select the index.
--
-- Returns: ConversationRecord
CREATE OR REPLACE FUNCTION conversation_record(c conversations, viewer uuid) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT json_build_object(
    'id', c.id, 'number', c.number, 'type', c.type, 'title', c.title,
    'team', (SELECT t.name FROM teams t WHERE t.id = c.team_id AND t.deleted_at IS NULL), 'status', c.status,
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
      SELECT foreign_count - (SELECT count(*) FROM read_receipts r
        WHERE r.user_id = viewer AND r.conversation_id = c.id
          AND r.counted AND (r.written_at, r.message_id) >= (n.since, n.first_id))
        - (SELECT count(*) FROM (SELECT m.id FROM messages m
          WHERE m.conversation_id = c.id AND m.rare_status BETWEEN 'canceled' AND 'canceled'
            AND m.deleted_at IS NULL AND (m.created_at, m.id) >= (n.since, n.first_id)
            AND (m.send_at IS NULL) IS FALSE AND m.sent_at IS NULL AND m.sender_id <> viewer
          ORDER BY m.rare_status, m.created_at DESC, m.id DESC LIMIT 500) withdrawn
          WHERE NOT coalesce((SELECT r.counted FROM read_receipts r
            WHERE r.message_id = withdrawn.id AND r.user_id = viewer), false))
        + (SELECT count(*) FROM messages m
          WHERE m.conversation_id = c.id AND m.due_at IS NOT NULL
            AND (m.created_at, m.id) >= (n.since, n.first_id) AND coalesce((
              SELECT r.counted FROM read_receipts r WHERE r.message_id = m.id AND r.user_id = viewer), false))
      FROM (
        SELECT count(*) FILTER (WHERE sender_id <> viewer) AS foreign_count, min(created_at) AS since,
          (array_agg(id))[count(*)] AS first_id
        FROM (SELECT m.id, m.created_at, m.sender_id FROM messages m
          WHERE m.conversation_id = c.id AND m.deleted_at IS NULL AND m.due_at IS NULL
            AND m.created_at >= coalesce(greatest(c.imported_until, (SELECT p.joined_at FROM participants p
              WHERE p.conversation_id = c.id AND p.user_id = viewer)), '-infinity')
          ORDER BY m.created_at DESC, m.id DESC LIMIT 500) newest) n) END,
    'last_message', (
      SELECT CASE m.content_type WHEN 'markdown'
        THEN json_build_object('id', m.id, 'text', m.text, 'content_type', 'markdown',
          'sender_id', m.sender_id, 'created_at', wire_time(m.created_at))
        ELSE json_build_object('id', m.id, 'text', m.text, 'sender_id', m.sender_id,
          'created_at', wire_time(m.created_at)) END
      FROM messages m WHERE m.id = c.last_message_id AND m.deleted_at IS NULL),
    'links', coalesce((
      SELECT json_agg(link_record(l) ORDER BY l.created_at, l.id)
      FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL), '[]'),
    'created_by', c.created_by, 'last_message_at', wire_time(c.last_message_at),
    'closed_at', wire_time(c.closed_at), 'metadata', c.metadata,
    'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at))
$$;
