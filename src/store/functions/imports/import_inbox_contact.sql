-- Imports a contact of another inbox. Its id is derived from the contact there, so that a repeated call finds
-- it. If no contact has this id, uses an existing contact: one with one of the addresses, otherwise one with
-- the e-mail address, otherwise one with the phone number. Missing values are added to it. Writes no events,
-- because the contact was already known in the other inbox. A dry run changes nothing.
--
-- Locks: users, list_progress.
-- Arguments: input: InboxContact & { dry_run: boolean }
-- Returns: { status: "created" | "existing" | "skipped"; user_id: string | null; reason: string | null }
--   | Refusal

-- Finds up to two existing contacts that match the imported one.
CREATE OR REPLACE FUNCTION inbox_contacts_matching(workspace uuid, given jsonb) RETURNS uuid[]
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  fitting uuid[];
BEGIN
  fitting := ARRAY(SELECT DISTINCT u FROM jsonb_array_elements(given->'identities') i
    CROSS JOIN LATERAL contacts_matching(workspace, 'address.' || (i->>'platform'), i->>'external_id') u
    LIMIT 2);
  IF cardinality(fitting) = 0 AND given->>'email' <> '' THEN
    fitting := ARRAY(SELECT contacts_matching(workspace, 'email', given->>'email'));
  END IF;
  IF cardinality(fitting) = 0 AND given->>'phone' IS NOT NULL THEN
    fitting := ARRAY(SELECT contacts_matching(workspace, 'phone', given->>'phone'));
  END IF;
  RETURN fitting;
END $$;

-- Adds missing values to a contact. Existing values are kept. Metadata is not added if the result would
-- exceed the limits.
CREATE OR REPLACE FUNCTION fill_contact(u users, given jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  merged jsonb := (given->'metadata') || u.metadata;
BEGIN
  PERFORM add_identities(u, (SELECT coalesce(jsonb_agg(g), '[]')
    FROM jsonb_array_elements(given->'identities') g
    WHERE NOT EXISTS (SELECT FROM identities i WHERE i.user_id = u.id AND i.platform = g->>'platform'
      AND i.external_id = g->>'external_id')));
  IF (SELECT count(*) FROM jsonb_object_keys(merged)) > 50 OR octet_length(merged::text) > 4096 THEN
    merged := u.metadata;
  END IF;
  UPDATE users SET email = coalesce(nullif(email, ''), given->>'email', ''),
    phone = coalesce(phone, given->>'phone'), metadata = merged, updated_at = now()
  WHERE id = u.id AND (merged <> metadata OR (email = '' AND given->>'email' <> '')
    OR (phone IS NULL AND given->>'phone' IS NOT NULL));
END $$;

CREATE OR REPLACE FUNCTION import_inbox_contact(input jsonb) RETURNS json LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  fitting uuid[];
  u users;
BEGIN
  SELECT x.* INTO u FROM (SELECT * FROM users WHERE id = (input->>'id')::uuid OFFSET 0) x
  WHERE x.workspace_id = workspace;
  IF FOUND THEN
    RETURN CASE WHEN u.deleted_at IS NULL
      THEN json_build_object('status', 'existing', 'user_id', u.id, 'reason', NULL)
      ELSE '{"status":"skipped","user_id":null,"reason":"erased"}' END;
  END IF;
  fitting := inbox_contacts_matching(workspace, input);
  IF cardinality(fitting) > 1 THEN
    RETURN '{"status":"skipped","user_id":null,"reason":"several_contacts"}';
  END IF;
  IF cardinality(fitting) = 1 THEN
    IF NOT (input->>'dry_run')::boolean THEN
      SELECT * INTO u FROM users WHERE id = fitting[1] AND deleted_at IS NULL FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the contact was removed concurrently' USING ERRCODE = 'serialization_failure';
      END IF;
      IF u.kind = 'contact' THEN PERFORM fill_contact(u, input); END IF;
    END IF;
    RETURN json_build_object('status', 'existing', 'user_id', fitting[1], 'reason', NULL);
  END IF;
  IF (input->>'dry_run')::boolean THEN
    RETURN json_build_object('status', 'created', 'user_id', input->'id', 'reason', NULL);
  END IF;
  u := insert_contact(workspace, input, coalesce(input->'identities'->0->>'platform', 'contact'),
    input->>'display_name');
  PERFORM add_identities(u, input->'identities');
  UPDATE users SET created_at = (input->>'created_at')::timestamptz,
    updated_at = (input->>'created_at')::timestamptz WHERE id = u.id;
  PERFORM restart_list_index(workspace);
  RETURN json_build_object('status', 'created', 'user_id', u.id, 'reason', NULL);
END $$;
