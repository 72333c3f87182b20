-- A change of consent as the dashboard shows it.
--
-- Returns: ConsentChangeRecord
CREATE OR REPLACE FUNCTION consent_change_record(c consent_changes) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT json_build_object('id', c.id, 'category', c.category, 'previous', c.previous, 'state', c.state,
    'source', c.source, 'keyword', c.keyword, 'actor_id', c.actor_id,
    'actor_name', (SELECT u.display_name FROM users u WHERE u.id = c.actor_id AND u.deleted_at IS NULL),
    'created_at', wire_time(c.created_at))
$$;
