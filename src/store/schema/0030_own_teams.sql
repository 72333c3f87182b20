-- Members who see only the conversations of their teams. Older releases would show them all.

ALTER TABLE users ADD COLUMN own_teams_only boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.own_teams_only IS
  'The member sees only the conversations of their teams. Has no effect for owners and admins.';

ALTER TABLE media ADD COLUMN uploaded_by uuid;
COMMENT ON COLUMN media.uploaded_by IS
  'Who uploaded the file. Restricted members send only files of their own.';

DROP TRIGGER users_credentials ON users;
CREATE TRIGGER users_credentials AFTER UPDATE OF status, role, deleted_at, own_teams_only ON users
  FOR EACH ROW WHEN (NEW.kind <> 'contact'
    AND (OLD.status, OLD.role, OLD.deleted_at, OLD.own_teams_only)
      IS DISTINCT FROM (NEW.status, NEW.role, NEW.deleted_at, NEW.own_teams_only))
  EXECUTE FUNCTION user_credentials_changed();

CREATE TRIGGER audit_member_restricted AFTER UPDATE OF own_teams_only ON users FOR EACH ROW
  WHEN (NEW.live_user_id IS NULL AND NOT OLD.own_teams_only AND NEW.own_teams_only)
  EXECUTE FUNCTION note_in_audit_log('member.restricted', 'user');

CREATE TRIGGER audit_member_unrestricted AFTER UPDATE OF own_teams_only ON users FOR EACH ROW
  WHEN (NEW.live_user_id IS NULL AND OLD.own_teams_only AND NOT NEW.own_teams_only)
  EXECUTE FUNCTION note_in_audit_log('member.unrestricted', 'user');

-- The role that reads for restricted members. protect_conversations() adds its policies. If the application
-- may not create roles, an operator creates it; otherwise no member can be restricted.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'trunkline_restricted') THEN
    CREATE ROLE trunkline_restricted NOLOGIN;
  END IF;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
  RAISE NOTICE 'The role trunkline_restricted was not made: %', SQLERRM;
END $$;

DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 160000 THEN
    EXECUTE format('GRANT trunkline_restricted TO %I WITH SET TRUE, INHERIT FALSE', current_user);
  ELSE
    EXECUTE format('GRANT trunkline_restricted TO %I', current_user);
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'The role trunkline_restricted is not granted: %', SQLERRM;
END $$;
