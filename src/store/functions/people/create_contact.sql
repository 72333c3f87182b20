-- Creates a contact (POST users): {"workspace_id", "id", "claim", "cause" of its consent, and the fields of
-- a contact}. A repeated id returns the same record.
--
-- Events: user.created.
-- Arguments: input: NewContact
-- Returns: { record: UserRecord } | Refusal
CREATE OR REPLACE FUNCTION create_contact(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  first jsonb := input->'identities'->0;
BEGIN
  SELECT x.* INTO u FROM (SELECT * FROM users WHERE id = (input->>'id')::uuid OFFSET 0) x
  WHERE x.workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN
    input := input || jsonb_build_object('phone',
      coalesce(input->>'phone', phone_of_identities(coalesce(input->'identities', '[]'))));
    u := insert_contact((input->>'workspace_id')::uuid, input, coalesce(first->>'platform', 'contact'),
      coalesce(first->>'handle', input->>'display_name'));
    PERFORM add_identities(u, coalesce(input->'identities', '[]'));
    PERFORM sync_opt_out(u);
    PERFORM record_consent(u, '{}', input->'cause');
    INSERT INTO events (workspace_id, type, data) VALUES (u.workspace_id, 'user.created', user_record(u));
    PERFORM complete_claim(input->'claim', 201, user_record(u));
  END IF;
  RETURN json_build_object('record', user_record(u));
END $$;
