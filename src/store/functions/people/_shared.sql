-- Helpers for members, contacts and bots.

-- A generated username for a contact without one, such as telegram_ann_4f2a. Callers repeat the insert until
-- a name is free.
CREATE OR REPLACE FUNCTION contact_username(platform text, name text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT left(platform, 20) || '_' || coalesce(nullif(left(trim(BOTH '_.-' FROM
    regexp_replace(lower(coalesce(name, '')), '[^a-z0-9_.-]+', '_', 'g')), 30), ''), 'contact')
    || '_' || left(replace(gen_random_uuid()::text, '-', ''), 4)
$$;

-- The new display name of a contact from a platform; null if the name stays. An id never counts as a name. A
-- handle counts only if the contact has no better name so far.
CREATE OR REPLACE FUNCTION new_display_name(u users, i identities, new_name text, new_handle text)
  RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN left(btrim(new_name), 128) IN ('', u.display_name, left(i.external_id, 128)) THEN NULL
    WHEN left(btrim(new_name), 128) IN (left(i.handle, 128), left(btrim(new_handle), 128))
      AND u.display_name NOT IN (left(i.external_id, 128),
        coalesce(left(i.handle, 128), '')) THEN NULL
    ELSE left(btrim(new_name), 128) END
$$;

-- Whether a platform reports a new name or handle of a contact.
CREATE OR REPLACE FUNCTION has_new_name_or_handle(u users, i identities, new_name text, new_handle text)
  RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT (u.kind = 'contact' AND new_display_name(u, i, new_name, new_handle) IS NOT NULL)
    OR coalesce(left(nullif(btrim(new_handle), ''), 256) IS DISTINCT FROM i.handle
      AND nullif(btrim(new_handle), '') IS NOT NULL, false)
$$;

-- The phone number of an address; null on platforms whose addresses are not phone numbers.
CREATE OR REPLACE FUNCTION phone_of_address(platform text, address text) RETURNS text
  LANGUAGE sql STABLE AS $$
  SELECT address FROM installation WHERE platform = ANY (phone_platforms)
$$;

-- The first phone number among identities.
CREATE OR REPLACE FUNCTION phone_of_identities(identities jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT p.phone FROM jsonb_array_elements(identities) WITH ORDINALITY AS x (i, n)
  CROSS JOIN LATERAL phone_of_address(i->>'platform', i->>'external_id') AS p (phone)
  WHERE p.phone IS NOT NULL ORDER BY n LIMIT 1
$$;

-- Writes the event of a changed user, with the previous values of all changed fields except updated_at.
CREATE OR REPLACE FUNCTION announce_user(u users, before jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  answer jsonb := user_record(u);
  previous jsonb := previous_values(before, answer);
BEGIN
  INSERT INTO events (workspace_id, type, data, extra)
  SELECT u.workspace_id, e.type, user_record(u), json_build_object('previous', e.previous)
  FROM (VALUES ('user.status_changed', jsonb_build_object('status', previous->'status'), previous ? 'status'),
    ('user.presence_changed', jsonb_build_object('presence', previous->'presence'), previous ? 'presence'),
    ('user.updated', previous - 'status' - 'presence' - 'last_seen_at',
      previous - 'status' - 'presence' - 'last_seen_at' <> '{}')
  ) AS e (type, previous, changed) WHERE e.changed;
END $$;

-- Sets whether an identity can be reached. It can't after the platform reported a block or a deleted
-- account, until the contact writes again.
CREATE OR REPLACE FUNCTION set_reachable(identity uuid, becomes boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
BEGIN
  SELECT x.* INTO u FROM identities i JOIN users x ON x.id = i.user_id WHERE i.id = identity
  FOR NO KEY UPDATE OF x;
  before := user_record(u);
  UPDATE identities SET reachable = becomes WHERE id = identity AND reachable <> becomes;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE users SET updated_at = now() WHERE id = u.id RETURNING * INTO u;
  PERFORM announce_user(u, before);
END $$;

-- Adds identities to a user. Refuses an address of another user, with the id of that user. Inserts them in
-- the order of their addresses, which avoids deadlocks. Their ids keep the given order.
CREATE OR REPLACE FUNCTION add_identities(u users, added jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
BEGIN
  INSERT INTO identities (id, workspace_id, user_id, platform, external_id, handle)
  SELECT x.id, u.workspace_id, u.id, i->>'platform', i->>'external_id', i->>'handle'
  FROM (SELECT uuid7() AS id, i FROM jsonb_array_elements(added) i OFFSET 0) x ORDER BY 4, 5
  ON CONFLICT (workspace_id, platform, external_id) DO UPDATE SET handle = excluded.handle
    WHERE identities.user_id = excluded.user_id;
  SELECT o.user_id INTO owner FROM jsonb_array_elements(added) i CROSS JOIN LATERAL (
    SELECT x.user_id FROM identities x WHERE x.workspace_id = u.workspace_id AND x.platform = i->>'platform'
      AND x.external_id = i->>'external_id' OFFSET 0) o
  WHERE o.user_id <> u.id LIMIT 1;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'already_exists', 'id', owner)); END IF;
END $$;

-- Refuses a username that another user of the workspace has.
CREATE OR REPLACE FUNCTION refuse_username(workspace uuid, name text) RETURNS void LANGUAGE sql AS $$
  SELECT refuse(json_build_object('problem', 'already_exists',
    'id', (SELECT id FROM users WHERE workspace_id = workspace AND username = name AND deleted_at IS NULL)))
$$;

-- Records which consents of a user changed, compared with `before`. `cause`: {"source", "keyword",
-- "actor_id"}.
CREATE OR REPLACE FUNCTION record_consent(u users, before jsonb, cause jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO consent_changes (workspace_id, user_id, category, previous, state, source, keyword, actor_id)
  SELECT u.workspace_id, u.id, c.key, coalesce(before->>c.key, 'unknown'), c.value,
    coalesce(cause->>'source', 'api'), cause->>'keyword', (cause->>'actor_id')::uuid
  FROM jsonb_each_text(u.consent) c WHERE c.value <> coalesce(before->>c.key, 'unknown')
$$;

-- Sets the marketing and notification consent of a contact for all identities at once. `code` is the
-- delivery error after a denial.
CREATE OR REPLACE FUNCTION change_consent(u users, state text, source text, keyword text,
  code text DEFAULT 'opted_out') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  former jsonb := u.consent;
BEGIN
  UPDATE users SET consent = consent || jsonb_build_object('marketing', state, 'notification', state),
    stopped_at = CASE WHEN state = 'denied' THEN now() END,
      stopped_as = CASE WHEN state = 'denied' THEN code END,
    updated_at = now() WHERE id = u.id RETURNING * INTO u;
  PERFORM record_consent(u, former, jsonb_build_object('source', source, 'keyword', keyword));
  UPDATE identities
  SET opt_out = CASE WHEN state = 'denied' THEN '{marketing,notification}'::text[] ELSE '{}' END
  WHERE user_id = u.id;
  INSERT INTO events (workspace_id, type, data) VALUES (u.workspace_id,
    CASE WHEN state = 'denied' THEN 'user.opted_out' ELSE 'user.opted_in' END,
    json_build_object('user_id', u.id, 'identities', coalesce((
        SELECT json_agg(json_build_object('platform', platform, 'external_id', external_id)) FROM identities
            WHERE user_id = u.id), '[]'),
      'categories', json_build_array('marketing', 'notification'), 'source', source, 'keyword', keyword,
          'at', wire_time(now())));
  IF state = 'denied' THEN PERFORM block_queued_deliveries(u); END IF;
END $$;

-- Copies the denied consents of the user to all identities.
CREATE OR REPLACE FUNCTION sync_opt_out(u users) RETURNS void LANGUAGE sql AS $$
  UPDATE identities SET opt_out = w.wanted
  FROM (SELECT ARRAY(SELECT k FROM unnest(ARRAY['marketing', 'notification']) AS k
      WHERE u.consent->>k = 'denied') AS wanted) w
  WHERE user_id = u.id AND opt_out <> w.wanted
$$;

-- The requested name, or a similar one that is free.
CREATE OR REPLACE FUNCTION available_username(workspace uuid, requested_name text) RETURNS text
  LANGUAGE plpgsql AS $$
DECLARE
  named text := requested_name;
BEGIN
  WHILE EXISTS (SELECT FROM users WHERE workspace_id = workspace AND username = named
    AND deleted_at IS NULL) LOOP
    named := left(requested_name, 57) || '_' || substr(md5(random()::text), 1, 6);
  END LOOP;
  RETURN named;
END $$;
