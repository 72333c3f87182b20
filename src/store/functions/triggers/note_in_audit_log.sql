-- Adds a change to the audit log. The arguments of the trigger are the action and the type of the object. If
-- the request names no actor, the actor is the user of the session or the user who accepts the invitation.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_in_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  person text := CASE WHEN TG_TABLE_NAME = 'sessions' THEN r->>'user_id'
    WHEN TG_ARGV[0] = 'invitation.accepted' THEN r->>'id' END;
BEGIN
  -- A rotation of the master key seals the same secrets again.
  IF current_setting('trunkline.sealing_again', true) = 'on' THEN RETURN NULL; END IF;
  PERFORM write_audit_log((coalesce(r->>'workspace_id', r->>'id'))::uuid, TG_ARGV[0], TG_ARGV[1],
    (coalesce(r->>'id', r->>'user_id'))::uuid, person::uuid, r->>'address');
  RETURN NULL;
END $$;
