-- Changes the role, the status or the restriction of a member: {"workspace_id", "id", "role" or absent,
-- "status" or absent, "own_teams_only" or absent}. The counterpart of the member in the test workspace is
-- changed as well. Webhooks that a member registered get the events of all conversations, so the restriction
-- disables them. Each webhook is updated before its pending deliveries, in the order of the ids.
--
-- Locks: workspaces, users, webhook_deliveries.
-- Events: user.updated, user.status_changed, user.presence_changed, webhook.disabled.
-- Arguments: input: ChangeMemberBody & { workspace_id: string; id: string }
-- Returns: { record: MemberRecord } | Refusal
CREATE OR REPLACE FUNCTION change_member(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := lock_member((input->>'workspace_id')::uuid, (input->>'id')::uuid);
  before jsonb := user_record(u);
  was text := u.role;
  t users;
  as_role text := coalesce(input->>'role', u.role);
  as_status text := coalesce(input->>'status', u.status);
  restricts boolean := coalesce((input->>'own_teams_only')::boolean, u.own_teams_only);
  was_restricted boolean := is_restricted(u.id);
BEGIN
  IF input ? 'status' AND u.status NOT IN ('active', 'suspended') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', u.status));
  END IF;
  IF as_role <> 'owner' OR as_status <> 'active' THEN PERFORM refuse_without_owner(u); END IF;
  IF (as_role, as_status) IS DISTINCT FROM (u.role, u.status) THEN
    UPDATE users SET role = as_role, status = as_status, updated_at = now() WHERE id = u.id
    RETURNING * INTO u;
    PERFORM announce_user(u, before);
    -- The user record does not show the role, but it shows the time of its change.
    IF as_role <> was THEN
      INSERT INTO events (workspace_id, type, data, extra)
      VALUES (u.workspace_id, 'user.updated', user_record(u), '{"previous":{}}');
    END IF;
    FOR t IN SELECT * FROM users WHERE live_user_id = u.id AND deleted_at IS NULL FOR NO KEY UPDATE LOOP
      before := user_record(t);
      UPDATE users SET role = as_role, status = as_status, updated_at = now() WHERE id = t.id
      RETURNING * INTO t;
      PERFORM announce_user(t, before);
    END LOOP;
    IF u.status = 'suspended' THEN PERFORM revoke_credentials(u.id); END IF;
  END IF;
  IF restricts <> u.own_teams_only THEN
    UPDATE users SET own_teams_only = restricts, updated_at = now() WHERE id = u.id RETURNING * INTO u;
    UPDATE users SET own_teams_only = restricts, updated_at = now()
    WHERE live_user_id = u.id AND deleted_at IS NULL;
  END IF;
  IF is_restricted(u.id) AND NOT was_restricted THEN
    PERFORM auto_disable_webhook(h.id, 'requested',
      'The member who registered this webhook sees only the conversations of their teams.')
    FROM (SELECT w.id FROM webhooks w WHERE w.status = 'enabled' AND w.deleted_at IS NULL AND w.created_by IN
      (SELECT p.id FROM users p WHERE p.id = u.id OR p.live_user_id = u.id) ORDER BY w.id) h;
  END IF;
  RETURN json_build_object('record', member_record(u));
END $$;
