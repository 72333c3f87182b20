-- Removes the link between a member and an account in a chat. Returns false if the member has no such link.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION remove_chat_identity(person uuid, identity uuid) RETURNS boolean
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM chat_identities WHERE id = identity AND user_id = person;
  RETURN FOUND;
END $$;
