-- Ends the link of a member to an account in a chat. False: it is none of this member.
--
-- Returns: boolean
CREATE OR REPLACE FUNCTION remove_chat_identity(person uuid, identity uuid) RETURNS boolean
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM chat_identities WHERE id = identity AND user_id = person;
  RETURN FOUND;
END $$;
