-- Checks that every user, segment and template of a broadcast exists, before anything is stored.
--
-- Locks: templates.
-- Returns: void
CREATE OR REPLACE FUNCTION check_audience(workspace uuid, input jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  field text;
BEGIN
  IF input->>'template_id' IS NOT NULL THEN
    -- Locks the template, so that its deletion waits until its text is copied.
    PERFORM 1 FROM templates WHERE id = (input->>'template_id')::uuid AND workspace_id = workspace
    FOR KEY SHARE;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"template_id"}'); END IF;
  END IF;
  SELECT x.field INTO field FROM (
    SELECT 'audience.segment_ids' AS field, i.id
    FROM jsonb_array_elements_text(input->'audience'->'segment_ids') i (id)
    UNION ALL
    SELECT 'audience.exclude.segment_ids', i.id
    FROM jsonb_array_elements_text(input->'audience'->'exclude'->'segment_ids') i (id)) x
  LEFT JOIN segments s ON s.id = x.id::uuid AND s.workspace_id = workspace AND s.deleted_at IS NULL
  WHERE s.id IS NULL LIMIT 1;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'not_found', 'field', field)); END IF;
  SELECT x.field INTO field FROM (
    SELECT 'audience.user_ids' AS field, i.id
    FROM jsonb_array_elements_text(input->'audience'->'user_ids') i (id)
    UNION ALL
    SELECT 'audience.exclude.user_ids', i.id
      FROM jsonb_array_elements_text(input->'audience'->'exclude'->'user_ids') i (id)) x
  LEFT JOIN users u ON u.id = x.id::uuid AND u.workspace_id = workspace AND u.deleted_at IS NULL
  WHERE u.id IS NULL LIMIT 1;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'not_found', 'field', field)); END IF;
END $$;
