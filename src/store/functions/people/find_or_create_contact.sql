-- The contact of a platform account, created if there is none. New data of the platform replaces earlier
-- data.
--
-- Locks: users.
-- Events: user.created, user.status_changed, user.presence_changed, user.updated.
-- Returns: UserRow
CREATE OR REPLACE FUNCTION find_or_create_contact(workspace uuid, platform text, external_id text,
  handle text, display_name text,
  locale text) RETURNS users LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  known identities;
  u users;
  before jsonb;
  named text := left(nullif(btrim(find_or_create_contact.display_name), ''), 128);
  tagged text := left(nullif(btrim(find_or_create_contact.handle), ''), 256);
BEGIN
  LOOP
    SELECT * INTO known FROM identities WHERE workspace_id = workspace
      AND identities.platform = find_or_create_contact.platform
      AND identities.external_id = find_or_create_contact.external_id;
    IF FOUND THEN
      -- Users are locked before their identities and before conversations.
      SELECT * INTO u FROM users WHERE id = known.user_id FOR NO KEY UPDATE;
      EXIT WHEN EXISTS (SELECT 1 FROM identities i WHERE i.id = known.id AND i.user_id = u.id);
      -- Meanwhile the contact was deleted or merged into another one.
      CONTINUE;
    END IF;
    u := insert_contact(workspace, jsonb_build_object('display_name',
      coalesce(named, tagged, left(find_or_create_contact.external_id, 128)), 'locale',
        find_or_create_contact.locale,
      'phone', phone_of_address(find_or_create_contact.platform, find_or_create_contact.external_id)),
      find_or_create_contact.platform, coalesce(tagged, named, find_or_create_contact.external_id));
    INSERT INTO identities (workspace_id, user_id, platform, external_id, handle, last_used_at)
    VALUES (workspace, u.id, find_or_create_contact.platform, find_or_create_contact.external_id,
      tagged, now())
    ON CONFLICT (workspace_id, platform, external_id) DO NOTHING;
    IF FOUND THEN
      INSERT INTO events (workspace_id, type, data) VALUES (workspace, 'user.created', user_record(u));
      RETURN u;
    END IF;
    -- Another transaction created the contact first.
    DELETE FROM users WHERE id = u.id;
  END LOOP;
  IF has_new_name_or_handle(u, known, named, tagged) THEN
    before := user_record(u);
    UPDATE identities SET handle = coalesce(tagged, handle), last_used_at = now() WHERE id = known.id;
    named := new_display_name(u, known, named, tagged);
    UPDATE users SET display_name = CASE WHEN kind = 'contact' THEN coalesce(named, display_name)
      ELSE display_name END,
      updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
  ELSE
    UPDATE identities SET last_used_at = now() WHERE id = known.id;
  END IF;
  RETURN u;
END $$;
