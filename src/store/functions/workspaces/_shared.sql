-- Helpers for messages that the service writes into the staff chat.

-- An untrusted name as one line of at most 64 characters, without control characters and characters that
-- change the text direction.
CREATE OR REPLACE FUNCTION to_single_line(content text, fallback text) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(btrim(left(regexp_replace(coalesce(content, ''),
    '[\x01-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+', ' ', 'g'), 64)), ''),
    fallback)
$$;

-- The number of UTF-16 code units of a text. Positions of styles are counted in them.
CREATE OR REPLACE FUNCTION utf16_code_units(content text) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT length(content) + length(regexp_replace(content, '[\u0001-\uffff]', '', 'g'))
$$;

-- Joins pieces to a text with styles. Every second piece is untrusted text. It is marked as code, because
-- platforms interpret no mentions, links or other markup in code. `block` is the style of the last untrusted
-- piece.
CREATE OR REPLACE FUNCTION marked_text(pieces text[], block text DEFAULT 'code') RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  said text := '';
  spans jsonb := '[]';
  start int;
BEGIN
  FOR i IN 1..cardinality(pieces) LOOP
    start := utf16_code_units(said);
    said := said || pieces[i];
    IF i % 2 = 0 AND pieces[i] <> '' THEN
      spans := spans || jsonb_build_object('mark', CASE WHEN i >= cardinality(pieces) - 1 THEN block
        ELSE 'code' END, 'start', start, 'end', start + utf16_code_units(pieces[i]));
    END IF;
  END LOOP;
  RETURN jsonb_build_object('text', said, 'spans', spans);
END $$;

-- The user as whom the service writes: the member who chose the staff chat, or the first owner if that
-- member is not active.
CREATE OR REPLACE FUNCTION staff_chat_author(w workspaces) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT u.id FROM users u WHERE u.workspace_id = w.id AND u.kind = 'member' AND u.status = 'active'
    AND u.deleted_at IS NULL AND (u.id = w.staff_chat_by OR u.role = 'owner')
  ORDER BY u.id = w.staff_chat_by DESC, u.created_at, u.id LIMIT 1
$$;

-- The input of accept_messages() for a text in the staff chat.
CREATE OR REPLACE FUNCTION staff_chat_message(w workspaces, marked jsonb, reply uuid) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
  SELECT marked || jsonb_build_object('id', uuid7(), 'workspace_id', w.id, 'conversation_id',
    w.staff_conversation_id, 'sender_id', staff_chat_author(w), 'reply_to_id', reply,
    'metadata', jsonb_build_object('notice', 'approval'))
$$;
