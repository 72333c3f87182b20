-- Creates a member or an invited member: {"workspace_id", "id", "kind", "role", "email", "username" (null:
-- derived from "suggested"), "suggested", "display_name", "own_teams_only" or absent, "created_by",
-- "token_hash" and "days" of the invitation}.
--
-- Locks: workspaces.
-- Events: user.created.
-- Arguments: input: Omit<NewMember, 'token_hash'> & { token_hash?: string; days: number }
-- Returns: { record: MemberRecord } | Refusal
CREATE OR REPLACE FUNCTION create_member(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  known uuid;
  u users;
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  SELECT id INTO known FROM users WHERE workspace_id = workspace AND kind = 'member'
    AND input->>'kind' = 'member'
    AND lower(email) = lower(input->>'email') AND deleted_at IS NULL;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'already_exists', 'id', known)); END IF;
  LOOP
    INSERT INTO users (id, workspace_id, kind, status, role, username, display_name, email)
    VALUES ((input->>'id')::uuid, workspace, input->>'kind',
      CASE input->>'kind' WHEN 'bot' THEN 'active' ELSE 'invited' END,
      input->>'role', coalesce(input->>'username', available_username(workspace, input->>'suggested')),
        input->>'display_name',
      input->>'email')
    ON CONFLICT (workspace_id, username) WHERE deleted_at IS NULL DO NOTHING RETURNING * INTO u;
    EXIT WHEN FOUND;
    IF input->>'username' IS NOT NULL THEN PERFORM refuse_username(workspace, input->>'username'); END IF;
  END LOOP;
  IF u.kind = 'member' THEN
    INSERT INTO invitations (user_id, workspace_id, token_hash, created_by, expires_at)
    VALUES (u.id, workspace, decode(input->>'token_hash', 'base64'), (input->>'created_by')::uuid,
      now() + make_interval(days => (input->>'days')::int));
  END IF;
  -- Updated separately, so that the audit log has its own entry for the restriction.
  IF (input->>'own_teams_only')::boolean THEN
    UPDATE users SET own_teams_only = true WHERE id = u.id RETURNING * INTO u;
  END IF;
  INSERT INTO events (workspace_id, type, data) VALUES (workspace, 'user.created', user_record(u));
  RETURN json_build_object('record', member_record(u));
END $$;
