-- Whether the reader for whom the transaction writes sees a conversation. Functions that take a conversation
-- ask this. It is inlined, so that others pay for one look at the setting.
--
-- Returns: boolean

-- The restricted member, or the API key with a grant, on whose behalf the transaction writes, from the
-- setting `trunkline.reader_id`. Null for everyone else.
CREATE OR REPLACE FUNCTION current_reader() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('trunkline.reader_id', true), '')::uuid
$$;

CREATE OR REPLACE FUNCTION shows_conversation(conversation uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_reader() IS NULL OR sees_conversation(current_reader(), conversation)
$$;
