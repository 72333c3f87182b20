-- Starts a session of the member that an account at an OpenID Connect provider belongs to. The account is
-- linked at its first sign-in, by an e-mail address that the provider has verified. An invited member becomes
-- active. The member gets the role, unless the workspace would lose its last owner.
--
-- Locks: workspaces, users.
-- Events: user.status_changed, user.presence_changed, user.updated.
-- Arguments: input: ProviderSignInRow
-- Returns: { outcome: ProviderOutcome }

-- The member that the account may sign in as: the linked member, or a member with the e-mail address who is
-- not linked to another account.
CREATE OR REPLACE FUNCTION provider_member(input jsonb) RETURNS users LANGUAGE sql STABLE AS $$
  SELECT p FROM users p
  LEFT JOIN provider_identities i ON i.user_id = p.id AND i.issuer = input->>'issuer'
    AND i.client_id = input->>'client_id'
  WHERE p.kind = 'member' AND p.role IS NOT NULL AND p.live_user_id IS NULL AND p.deleted_at IS NULL
    AND (input->>'workspace_id' IS NULL OR p.workspace_id = (input->>'workspace_id')::uuid)
    AND (p.status = 'active' OR EXISTS (SELECT FROM invitations v
      WHERE v.user_id = p.id AND p.status = 'invited' AND v.expires_at > now()))
    AND (i.subject = input->>'subject' OR (i.subject IS NULL AND lower(p.email) = lower(input->>'email')))
  ORDER BY i.subject IS NULL, p.created_at, p.id LIMIT 1
$$;

-- The reason why there is no such member.
CREATE OR REPLACE FUNCTION provider_refusal(input jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT CASE p.status WHEN 'suspended' THEN 'suspended' ELSE 'other_account' END
    FROM users p
    WHERE p.kind = 'member' AND p.role IS NOT NULL AND p.live_user_id IS NULL AND p.deleted_at IS NULL
      AND (input->>'workspace_id' IS NULL OR p.workspace_id = (input->>'workspace_id')::uuid)
      AND p.status IN ('active', 'suspended') AND lower(p.email) = lower(input->>'email')
    ORDER BY p.created_at, p.id LIMIT 1), 'unknown')
$$;

-- Applies the data of the provider to the member: the name if the member was invited, and the role.
CREATE OR REPLACE FUNCTION apply_provider_profile(u users, input jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := user_record(u);
BEGIN
  DELETE FROM invitations WHERE user_id = u.id AND u.status = 'invited';
  IF FOUND THEN
    UPDATE users SET status = 'active', display_name = coalesce(input->>'name', display_name),
      updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
  END IF;
  IF input->>'role' <> u.role AND NOT is_last_owner(u) THEN
    PERFORM change_member(jsonb_build_object('workspace_id', u.workspace_id, 'id', u.id,
      'role', input->>'role'));
  END IF;
END $$;

CREATE OR REPLACE FUNCTION sign_in_by_provider(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users := provider_member(input);
BEGIN
  -- The audit log has the address with each change. The actor is the system, because there is no session yet.
  PERFORM set_config('trunkline.actor', json_build_object('address', input->>'address')::text, true);
  IF u.id IS NOT NULL THEN
    PERFORM 1 FROM workspaces WHERE id = u.workspace_id FOR NO KEY UPDATE;
    PERFORM 1 FROM users WHERE id = u.id FOR NO KEY UPDATE;
    -- Read again, because the member may have changed before the lock was taken.
    u := provider_member(input);
  END IF;
  IF u.id IS NULL THEN RETURN json_build_object('outcome', provider_refusal(input)); END IF;
  INSERT INTO provider_identities (issuer, client_id, user_id, workspace_id, subject)
  VALUES (input->>'issuer', input->>'client_id', u.id, u.workspace_id, input->>'subject')
  ON CONFLICT (issuer, client_id, user_id) DO NOTHING;
  PERFORM apply_provider_profile(u, input);
  -- Processes of the former release name the maximum "most".
  PERFORM start_member_session(u.id, decode(input->>'token_hash', 'base64'),
    decode(input->>'replaced', 'base64'), (input->>'lifetime')::interval,
    coalesce(input->>'max_sessions', input->>'most')::int, input->>'address', input->>'agent');
  RETURN json_build_object('outcome', 'opened');
END $$;
