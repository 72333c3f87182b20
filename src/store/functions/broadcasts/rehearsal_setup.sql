-- The data that the rehearsal of a frozen broadcast needs in addition to its recipients: the connections of
-- the workspace, the attachments of each variant, whether each recipient has its own time, and some of the
-- recipients without a value for a variable. Their texts show the placeholders of these variables.
--
-- Returns: RehearsalSetup
CREATE OR REPLACE FUNCTION rehearsal_setup(broadcast uuid) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('is_local', b.local, 'total', b.waiting,
    'connections', coalesce((
      SELECT json_agg(json_build_object('id', k.id, 'platform', k.platform, 'name', k.name,
        'settings', json_build_object('rate_per_second', k.settings->'rate_per_second',
          'chat_pacing', k.settings->'chat_pacing'),
        'paused_ms', greatest(0, round(extract(epoch FROM k.paused_until - now()) * 1000)))
        ORDER BY k.created_at, k.id)
      FROM connections k WHERE k.workspace_id = b.workspace_id AND k.deleted_at IS NULL), '[]'),
    'contents', (SELECT json_agg(json_build_object('variant', t.key,
      'attachments', attachment_records(t.attachments))) FROM broadcast_contents(b) t),
    'lacking', coalesce((
      SELECT json_agg(json_build_object('user_id', x.user_id, 'platform', x.platform, 'variant', x.variant,
        'text', render_pieces(t.pieces, t.names, blanks || x.vals),
        'missing', ARRAY(SELECT DISTINCT m FROM unnest(t.names) m WHERE NOT x.vals ? m)))
      FROM (SELECT r.user_id, r.platform, r.variant, recipient_values(r.variables, b.variables, u) AS vals
        FROM broadcast_recipients r JOIN users u ON u.id = r.user_id
        WHERE r.broadcast_id = b.id AND r.skip_reason = 'missing_variable' ORDER BY r.id LIMIT 2) x
      JOIN broadcast_contents(b) t ON t.key IS NOT DISTINCT FROM x.variant
      CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(m, '{{' || m || '}}'), '{}') AS blanks
        FROM (SELECT DISTINCT unnest(t.names) AS m) d) e), '[]'))
  FROM broadcasts b WHERE b.id = broadcast
$$;
