-- A fingerprint of the conversations that a key may see. It changes with the grant of the key and with the
-- members of the teams of its user. Null if neither restricts the key.
--
-- Returns: string | null
CREATE OR REPLACE FUNCTION key_view_fingerprint(k api_keys) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN k.conversation_ids IS NULL THEN member_view_fingerprint(k.user_id)
    ELSE md5(k.conversation_ids::text || coalesce(member_view_fingerprint(k.user_id), '')) END
$$;
