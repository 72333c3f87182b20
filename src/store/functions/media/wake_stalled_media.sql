-- Adds jobs for files whose job was lost or whose worker died. Takes the first file of each workspace, then
-- the second of each, so that no workspace delays the others. Finds the workspaces by a skip scan of the
-- index.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_stalled_media() RETURNS void LANGUAGE sql AS $$
  WITH RECURSIVE owners AS (
    (SELECT workspace_id FROM media WHERE state = 'pending' ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT m.workspace_id FROM media m WHERE m.state = 'pending' AND m.workspace_id > o.workspace_id
      ORDER BY m.workspace_id LIMIT 1) FROM owners o WHERE o.workspace_id IS NOT NULL
  ), waiting AS (
    SELECT f.id, f.workspace_id, f.due_at, row_number()
      OVER (PARTITION BY f.workspace_id ORDER BY f.due_at) AS place
    FROM owners o CROSS JOIN LATERAL (
      SELECT m.id, m.workspace_id, m.due_at FROM media m
      WHERE m.workspace_id = o.workspace_id AND m.state = 'pending' AND m.due_at < now() - interval '5 s'
        AND (m.leased_until IS NULL OR m.leased_until < now())
      ORDER BY m.due_at LIMIT 100) f
  )
  INSERT INTO outbox (topic, payload)
  SELECT 'media', jsonb_build_object('media_id', id, 'workspace_id', workspace_id) FROM waiting
  ORDER BY place, due_at LIMIT 100
$$;
