-- Disables the second step of a member who lost the app and the recovery codes, and ends their sessions:
-- {"workspace_id", "id"}.
--
-- Locks: workspaces, users.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: null } | Refusal
CREATE OR REPLACE FUNCTION reset_second_step(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := lock_member((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  DELETE FROM second_steps WHERE user_id = u.id;
  IF FOUND THEN PERFORM end_sessions(ARRAY(SELECT id FROM sessions WHERE user_id = u.id)); END IF;
  RETURN json_build_object('record', NULL);
END $$;
