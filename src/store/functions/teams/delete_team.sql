-- Deletes a team: {"workspace_id", "id"}. Its conversations remain, without a team.
--
-- Locks: teams.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_team(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t teams := lock_team(input);
BEGIN
  PERFORM notify_team(t.id);
  DELETE FROM team_members WHERE team_id = t.id;
  UPDATE teams SET deleted_at = now(), updated_at = now() WHERE id = t.id;
  RETURN json_build_object('record', json_build_object('id', t.id));
END $$;
