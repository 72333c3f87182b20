-- Creates a team. A second call with the same id returns the same record.
--
-- Locks: teams, users.
-- Arguments: input: NewTeam
-- Returns: { record: TeamRecord } | Refusal
CREATE OR REPLACE FUNCTION create_team(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t teams;
  workspace uuid := (input->>'workspace_id')::uuid;
BEGIN
  SELECT * INTO t FROM teams WHERE id = (input->>'id')::uuid AND workspace_id = workspace;
  IF FOUND THEN RETURN json_build_object('record', team_record(t)); END IF;
  PERFORM refuse_taken_team_name(workspace, input->>'name');
  INSERT INTO teams (id, workspace_id, name) VALUES ((input->>'id')::uuid, workspace, input->>'name')
  ON CONFLICT (workspace_id, name) WHERE deleted_at IS NULL DO NOTHING RETURNING * INTO t;
  IF NOT FOUND THEN PERFORM refuse_raced_team_name(workspace, input->>'name'); END IF;
  PERFORM set_team_members(t, distinct_ids(input->'member_ids'));
  RETURN json_build_object('record', team_record(t));
END $$;
