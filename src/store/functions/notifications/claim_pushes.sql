-- Leases due pushes of a workspace, the oldest first, and deletes those that must not be sent any more.
-- `found` counts both.
--
-- Locks: push_deliveries.
-- Returns: { found: number; pushes: ClaimedPush[] }
CREATE OR REPLACE FUNCTION claim_pushes(workspace uuid, max_pushes int, lease interval) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  d push_deliveries;
  content json;
  found int := 0;
  pushes json[] := '{}';
BEGIN
  FOR d IN SELECT * FROM push_deliveries WHERE workspace_id = workspace AND due_at <= now()
      AND (leased_until IS NULL OR leased_until <= now())
    ORDER BY due_at LIMIT max_pushes FOR UPDATE SKIP LOCKED
  LOOP
    found := found + 1;
    content := push_content(d);
    IF content IS NULL THEN
      DELETE FROM push_deliveries WHERE session_id = d.session_id AND tag = d.tag;
    ELSE
      UPDATE push_deliveries SET leased_until = now() + lease
      WHERE session_id = d.session_id AND tag = d.tag;
      pushes := pushes || content;
    END IF;
  END LOOP;
  RETURN json_build_object('found', found, 'pushes', to_json(pushes));
END $$;
