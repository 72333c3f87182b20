-- Inserts a contact without identities or events. Refuses a requested username that is taken, with the id of
-- its user.
--
-- Returns: UserRow
CREATE OR REPLACE FUNCTION insert_contact(workspace uuid, input jsonb, platform text, name text)
  RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
  asked text := input->>'username';
  -- Four digits suffice for some thousands of contacts with the same name, and many names contain no valid
  -- characters. After a collision the suffix gets longer.
  more text := '';
BEGIN
  LOOP
    INSERT INTO users (id, workspace_id, kind, username, display_name, email, profile_image, phone,
      locale, timezone,
      channel_priority, consent, metadata)
    VALUES (coalesce((input->>'id')::uuid, uuid7()), workspace, 'contact',
      coalesce(asked, contact_username(platform, name) || more),
      input->>'display_name', coalesce(input->>'email', ''), input->>'profile_image', input->>'phone',
      input->>'locale', input->>'timezone',
        ARRAY(SELECT jsonb_array_elements_text(input->'channel_priority')),
      '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}'
        || coalesce(input->'consent', '{}'),
      coalesce(input->'metadata', '{}'))
    ON CONFLICT (workspace_id, username) WHERE deleted_at IS NULL DO NOTHING RETURNING * INTO u;
    IF FOUND THEN RETURN u; END IF;
    IF asked IS NOT NULL THEN PERFORM refuse_username(workspace, asked); END IF;
    more := left(gen_random_uuid()::text, 8);
  END LOOP;
END $$;
