-- Makes an invited user a member: {"token_hash", "password_hash", "username", "display_name"}. Returns the id
-- of the user.
--
-- Locks: users.
-- Events: user.status_changed, user.presence_changed, user.updated.
-- Arguments: input: { token_hash: string; password_hash: string; username: string; display_name: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION accept_invitation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  token bytea := decode(input->>'token_hash', 'base64');
  before jsonb;
  u users;
BEGIN
  SELECT p.* INTO u FROM users p WHERE p.id = (SELECT user_id FROM invitations WHERE token_hash = token)
  FOR NO KEY UPDATE;
  DELETE FROM invitations WHERE token_hash = token AND expires_at > now() AND u.status = 'invited';
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  before := user_record(u);
  BEGIN
    UPDATE users SET status = 'active', password_hash = input->>'password_hash',
      username = input->>'username',
      display_name = input->>'display_name', updated_at = now() WHERE id = u.id RETURNING * INTO u;
  EXCEPTION WHEN unique_violation THEN
    PERFORM refuse_username(u.workspace_id, input->>'username');
  END;
  PERFORM announce_user(u, before);
  RETURN json_build_object('record', json_build_object('id', u.id));
END $$;
