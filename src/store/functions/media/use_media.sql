-- Records that an owner uses the files in `list`. Adds a row and a job for each file that must still be
-- fetched. Releases files that the owner no longer uses. Returns whether a file is still pending.
--
-- Locks: media.
-- Returns: boolean
CREATE OR REPLACE FUNCTION use_media(owner uuid, workspace uuid, connection uuid, list jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  wanted uuid[] := ARRAY(SELECT DISTINCT (e->>'id')::uuid FROM jsonb_array_elements(list) e
    WHERE has_file(e));
BEGIN
  WITH made AS (
    INSERT INTO media (id, workspace_id, source, source_url, connection_id, remote_ref, name, mime_type)
    SELECT (e->>'id')::uuid, workspace, CASE WHEN e->>'source_url' IS NULL THEN 'remote' ELSE 'url' END,
      e->>'source_url', connection, e->>'remote_ref', e->>'name', e->>'mime_type'
    FROM jsonb_array_elements(list) e
    WHERE e->>'source_url' IS NOT NULL OR (e->>'remote_ref' IS NOT NULL AND connection IS NOT NULL)
    ON CONFLICT (id) DO NOTHING RETURNING id
  )
  INSERT INTO outbox (topic, payload)
  SELECT 'media', jsonb_build_object('media_id', id, 'workspace_id', workspace) FROM made;
  -- Locks files in the order of their ids, including released ones, so that two owners of the same files
  -- can't deadlock.
  PERFORM 1 FROM media
  WHERE id = ANY (wanted || ARRAY(SELECT media_id FROM media_uses WHERE owner_id = owner))
  ORDER BY id FOR NO KEY UPDATE;
  UPDATE media SET expires_at = NULL WHERE id = ANY (wanted) AND expires_at IS NOT NULL
    AND removed_at IS NULL;
  IF (SELECT count(*) FROM media m WHERE m.id = ANY (wanted) AND m.workspace_id = workspace
    AND m.removed_at IS NULL)
    < cardinality(wanted) THEN PERFORM refuse('{"problem":"not_found","field":"attachments"}'); END IF;
  INSERT INTO media_uses (media_id, owner_id, workspace_id) SELECT id, owner, workspace FROM unnest(wanted) id
  ON CONFLICT DO NOTHING;
  PERFORM release_media(owner, wanted);
  RETURN EXISTS (SELECT 1 FROM media WHERE id = ANY (wanted) AND state = 'pending');
END $$;
