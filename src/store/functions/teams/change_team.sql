-- Renames a team, replaces its members, or both. Its conversations show the new name.
--
-- Locks: teams, users.
-- Arguments: input: ChangeTeamBody & { workspace_id: string; id: string }
-- Returns: { record: TeamRecord } | Refusal
CREATE OR REPLACE FUNCTION change_team(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t teams := lock_team(input);
  called text := coalesce(input->>'name', t.name);
  changed boolean := called <> t.name;
BEGIN
  IF changed THEN PERFORM refuse_taken_team_name(t.workspace_id, called); END IF;
  IF input ? 'member_ids' THEN
    changed := set_team_members(t, distinct_ids(input->'member_ids')) OR changed;
  END IF;
  IF changed THEN
    UPDATE teams SET name = called, updated_at = now() WHERE id = t.id RETURNING * INTO t;
  END IF;
  RETURN json_build_object('record', team_record(t));
EXCEPTION WHEN unique_violation THEN
  PERFORM refuse_raced_team_name((input->>'workspace_id')::uuid, input->>'name');
  RETURN NULL;
END $$;
