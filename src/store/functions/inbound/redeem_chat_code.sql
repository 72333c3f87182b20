-- If a message in the staff chat has the valid code of a member, links its author to that member. Such a
-- message is not stored, so that no other chat shows the code. Returns false for any other message.
--
-- Locks: chat_codes, conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Returns: boolean

-- Whether a text has the form of a message with a code. The slash is accepted because Telegram shows bots in
-- a group only messages that begin with one.
CREATE OR REPLACE FUNCTION contains_chat_code(content text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT content ~* '^/?link [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\s*$'
$$;

CREATE OR REPLACE FUNCTION redeem_chat_code(n connections, e jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  l links := find_link(n.id, e->'chat');
  w workspaces;
  code text := upper(right(btrim(e->'content'->>'text', E' \t\r\n'), 14));
  person uuid;
  name text := to_single_line(e->'sender'->>'displayName', 'Someone');
  former text := coalesce(current_setting('trunkline.actor', true), '');
BEGIN
  SELECT * INTO w FROM workspaces WHERE id = n.workspace_id;
  IF l.conversation_id IS DISTINCT FROM w.staff_conversation_id OR l.id IS NULL
    OR coalesce((e->'sender'->>'isBot')::boolean, false) THEN RETURN false; END IF;
  UPDATE chat_codes SET code_hash = NULL WHERE workspace_id = w.id AND expires_at > now()
    AND code_hash = sha256(convert_to(code, 'UTF8')) RETURNING user_id INTO person;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM set_config('trunkline.actor',
    json_build_object('type', 'member', 'id', person, 'address', n.platform)::text, true);
  -- An account that sends the code of another member acts for that member from now on.
  DELETE FROM chat_identities WHERE connection_id = n.id AND external_id = e->'sender'->>'id';
  DELETE FROM chat_identities WHERE id IN (SELECT i.id FROM chat_identities i WHERE i.user_id = person
    ORDER BY i.created_at DESC, i.id DESC OFFSET 9);
  INSERT INTO chat_identities (workspace_id, user_id, connection_id, external_id, name)
  VALUES (w.id, person, n.id, e->'sender'->>'id', name);
  PERFORM set_config('trunkline.actor', former, true);
  PERFORM accept_messages(jsonb_build_array(staff_chat_message(w, marked_text(ARRAY['', name,
    ' decides on drafts here for ', (SELECT to_single_line(u.display_name, 'a member') FROM users u
      WHERE u.id = person), '.']), NULL)), true);
  RETURN true;
END $$;
