-- Helpers for teams.

-- Locks and returns the team of a request: {"workspace_id", "id"}.
CREATE OR REPLACE FUNCTION lock_team(input jsonb) RETURNS teams LANGUAGE plpgsql AS $$
DECLARE
  t teams;
BEGIN
  SELECT * INTO t FROM teams WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid AND deleted_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN t;
END $$;

-- Notifies all processes that the access of team members has changed. Affects only members who see only
-- their own teams.
CREATE OR REPLACE FUNCTION notify_team(team uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('credentials', m.user_id::text) FROM team_members m JOIN users u ON u.id = m.user_id
  WHERE m.team_id = team AND u.own_teams_only
$$;

-- Replaces the members of a team with these users. Returns whether this changed anything. Locks the users,
-- so that a concurrent removal of a member takes effect either before or after.
CREATE OR REPLACE FUNCTION set_team_members(t teams, wanted uuid[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  changed boolean;
BEGIN
  PERFORM 1 FROM users WHERE id = ANY (wanted) AND workspace_id = t.workspace_id AND kind = 'member'
    AND deleted_at IS NULL ORDER BY id FOR SHARE;
  IF (SELECT count(*) FROM users WHERE id = ANY (wanted) AND workspace_id = t.workspace_id
    AND kind = 'member' AND deleted_at IS NULL) < cardinality(wanted) THEN
    PERFORM refuse('{"problem":"not_found","field":"member_ids"}');
  END IF;
  PERFORM notify_team(t.id);
  DELETE FROM team_members WHERE team_id = t.id AND user_id <> ALL (wanted);
  changed := FOUND;
  INSERT INTO team_members (team_id, user_id, workspace_id)
  SELECT t.id, m, t.workspace_id FROM unnest(wanted) m ON CONFLICT DO NOTHING;
  changed := changed OR FOUND;
  PERFORM notify_team(t.id);
  RETURN changed;
END $$;

-- The ids in a list of a request, each once.
CREATE OR REPLACE FUNCTION distinct_ids(list jsonb) RETURNS uuid[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT DISTINCT x::uuid FROM jsonb_array_elements_text(list) x)
$$;

-- Refuses a name that another team of the workspace has.
CREATE OR REPLACE FUNCTION refuse_taken_team_name(workspace uuid, wanted text) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  taken uuid;
BEGIN
  SELECT id INTO taken FROM teams WHERE workspace_id = workspace AND name = wanted AND deleted_at IS NULL;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'already_exists', 'id', taken)); END IF;
END $$;

-- Refuses a name after the unique index has rejected it. If the other team has been deleted since, the
-- transaction is retried.
CREATE OR REPLACE FUNCTION refuse_raced_team_name(workspace uuid, wanted text) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_taken_team_name(workspace, wanted);
  RAISE EXCEPTION 'the team with this name was deleted concurrently' USING ERRCODE = 'serialization_failure';
END $$;
