-- Keys that see only chosen conversations. Older releases would show them all.

ALTER TABLE api_keys ADD COLUMN conversation_ids uuid[]
  CHECK (cardinality(conversation_ids) BETWEEN 1 AND 500);
COMMENT ON COLUMN api_keys.conversation_ids IS
  'The grant: the key sees only these conversations. Null: the key has no grant and sees what its user sees.';

CREATE TRIGGER audit_key_grant AFTER UPDATE OF conversation_ids ON api_keys FOR EACH ROW
  WHEN (OLD.conversation_ids IS DISTINCT FROM NEW.conversation_ids)
  EXECUTE FUNCTION note_in_audit_log('api_key.grant_changed', 'api_key');
