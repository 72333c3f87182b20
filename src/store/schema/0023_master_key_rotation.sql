-- The rotation of the master key: which key seals, and which ones may not any more.
-- Works from: 0022

ALTER TABLE installation
  ADD COLUMN former_master_key bytea,
  ADD COLUMN retired_master_keys bytea[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN installation.master_key_check IS
  'A known text, sealed. Every process seals with the key of this value.';
COMMENT ON COLUMN installation.former_master_key IS
  'The id of the key that a rotation replaces. Null once nothing is sealed under it.';
COMMENT ON COLUMN installation.retired_master_keys IS
  'Ids of the keys that nothing may be sealed under any more.';

CREATE TRIGGER webhooks_live_master_key BEFORE INSERT OR UPDATE OF secret, previous_secret, headers
  ON webhooks
  FOR EACH ROW EXECUTE FUNCTION refuse_former_master_key();

CREATE TRIGGER connections_live_master_key BEFORE INSERT OR UPDATE OF credentials ON connections
  FOR EACH ROW EXECUTE FUNCTION refuse_former_master_key();

CREATE TRIGGER second_steps_live_master_key BEFORE INSERT OR UPDATE OF secret ON second_steps
  FOR EACH ROW EXECUTE FUNCTION refuse_former_master_key();
