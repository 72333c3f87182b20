-- Whether the reader on whose behalf the transaction runs sees a conversation. Functions that take a
-- conversation check this. The function is inlined, so that an unrestricted reader costs only one read of the
-- setting.
--
-- Returns: boolean

-- The restricted member, or the API key with a grant, on whose behalf the transaction runs, from the setting
-- `trunkline.reader_id`. Null for everyone else.
CREATE OR REPLACE FUNCTION current_reader() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('trunkline.reader_id', true), '')::uuid
$$;

CREATE OR REPLACE FUNCTION shows_conversation(conversation uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_reader() IS NULL OR sees_conversation(current_reader(), conversation)
$$;
