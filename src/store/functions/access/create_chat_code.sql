-- Stores a new code of a member for ten minutes. It replaces the previous code. `hash`: SHA-256 of the code
-- in hexadecimal. A member gets at most ten codes per hour.
--
-- Locks: chat_codes.
-- Returns: { expires_at: string } | Refusal
CREATE OR REPLACE FUNCTION create_chat_code(workspace uuid, person uuid, hash text) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  c chat_codes;
BEGIN
  INSERT INTO chat_codes (user_id, workspace_id, code_hash, expires_at)
  VALUES (person, workspace, decode(hash, 'hex'), now() + interval '10 minutes')
  ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at,
    made = CASE WHEN chat_codes.counted_from > now() - interval '1 hour' THEN chat_codes.made + 1 ELSE 1 END,
    counted_from = CASE WHEN chat_codes.counted_from > now() - interval '1 hour' THEN chat_codes.counted_from
      ELSE now() END
  RETURNING * INTO c;
  IF c.made > 10 THEN PERFORM refuse('{"problem":"limit_reached","limit":10}'); END IF;
  RETURN json_build_object('expires_at', wire_time(c.expires_at));
END $$;
