-- A change of a broadcast as the dashboard shows it.
--
-- Returns: BroadcastChangeRecord
CREATE OR REPLACE FUNCTION broadcast_change_record(c broadcast_changes) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', c.id, 'broadcast_id', c.broadcast_id, 'kind', c.kind, 'text', c.text,
    'status', c.status, 'has_rows', c.has_rows, 'created_by', c.created_by,
    'created_at', wire_time(c.created_at), 'ended_at', wire_time(c.ended_at),
    'platforms', (SELECT coalesce(json_agg(json_build_object('platform', p.platform, 'total', p.total,
        'open', p.open, 'changed', p.changed, 'unsupported', p.unsupported, 'impossible', p.impossible)
        ORDER BY p.platform), '[]') FROM broadcast_change_platforms p WHERE p.change_id = c.id))
$$;
