-- Starts to edit or recall the sent messages of a broadcast that has ended. `limits` has the platforms that
-- support it: {"telegram": {"max_age_s": 172800}}. A platform that is not listed does not support it.
--
-- Locks: broadcasts.
-- Arguments: input: NewBroadcastChange
-- Returns: { record: BroadcastChangeRecord } | Refusal
CREATE OR REPLACE FUNCTION start_broadcast_change(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts := lock_broadcast(jsonb_build_object('id', input->'broadcast_id',
    'workspace_id', input->'workspace_id'));
  c broadcast_changes;
BEGIN
  IF b.status NOT IN ('completed', 'expired', 'canceled') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  IF EXISTS (SELECT FROM broadcast_changes WHERE broadcast_id = b.id AND status IN ('running', 'stopping'))
  THEN PERFORM refuse('{"problem":"invalid_state","current":"changing"}'); END IF;
  -- A recall that was stopped can be started again.
  IF EXISTS (SELECT FROM broadcast_changes WHERE broadcast_id = b.id AND kind = 'recall'
    AND status = 'completed')
  THEN PERFORM refuse('{"problem":"invalid_state","current":"recalled"}'); END IF;
  INSERT INTO broadcast_changes (id, workspace_id, broadcast_id, kind, text, created_by)
  VALUES ((input->>'id')::uuid, b.workspace_id, b.id, input->>'kind', input->>'text',
    (input->>'created_by')::uuid) RETURNING * INTO c;
  INSERT INTO broadcast_change_platforms (change_id, platform, workspace_id, supported, max_age_s, total)
  SELECT c.id, r.platform, b.workspace_id, input->'limits' ? r.platform,
    (input->'limits'->r.platform->>'max_age_s')::int, r.n
  FROM (SELECT platform, count(*) AS n FROM broadcast_recipients
    WHERE broadcast_id = b.id AND was_sent(status) GROUP BY platform) r;
  IF NOT EXISTS (SELECT FROM broadcast_change_platforms WHERE change_id = c.id AND supported) THEN
    PERFORM refuse('{"problem":"invalid_state","current":"unchangeable"}');
  END IF;
  PERFORM queue_broadcast_change(c.id, interval '0');
  RETURN json_build_object('record', broadcast_change_record(c));
END $$;
