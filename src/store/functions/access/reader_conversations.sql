-- The conversations in the grant of the API key that reads, if its user also sees them. Empty for every other
-- reader. See reader_teams.
--
-- Returns: uuid[]
CREATE OR REPLACE FUNCTION reader_conversations() RETURNS uuid[] LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public AS $$
DECLARE
  k api_keys;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = current_reader();
  IF NOT FOUND THEN RETURN '{}'; END IF;
  IF NOT is_restricted(k.user_id) THEN RETURN coalesce(k.conversation_ids, '{}'); END IF;
  RETURN ARRAY(SELECT c FROM unnest(k.conversation_ids) c WHERE user_sees_conversation(k.user_id, c));
END $$;
