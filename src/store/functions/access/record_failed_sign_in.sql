-- Adds failed sign-ins of these people to the audit log. `action_name` is the action, which names the failed
-- step. Only the first failure of a person and step per hour is added, so that a stranger cannot fill a log
-- whose rows are never deleted. Of concurrent failures only one is added, because the others do not get the
-- lock.
--
-- Returns: void
CREATE OR REPLACE FUNCTION record_failed_sign_in(user_ids uuid[], action_name text, ip_address text)
  RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  u record;
BEGIN
  FOR u IN SELECT id, workspace_id FROM users WHERE id = ANY (user_ids) ORDER BY id LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended(action_name || ' ' || u.id, 0));
    IF NOT EXISTS (SELECT FROM audit_log a WHERE a.workspace_id = u.workspace_id AND a.actor_id IS NULL
      AND a.created_at > now() - interval '1 hour' AND a.action = action_name AND a.object_id = u.id)
    THEN PERFORM write_audit_log(u.workspace_id, action_name, 'user', u.id, NULL, ip_address); END IF;
  END LOOP;
END $$;
