-- Adds the rows of an uploaded list to a segment. If several lines name the same person, the first one
-- counts. Refuses an unknown user with its line.
--
-- Locks: users.
-- Events: user.updated, user.created.
-- Arguments: listed: (Omit<ListedMember, 'userId' | 'displayName'> & { user_id: string | null; display_name:
--   string | null | undefined })[]
-- Returns: void

-- Creates contacts for addresses without one, with the data of the first line of each address.
CREATE OR REPLACE FUNCTION create_listed_contacts(workspace uuid, listed listed_member[]) RETURNS void
  LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  made uuid[];
  linked uuid[];
  phones text[] := (SELECT phone_platforms FROM installation);
BEGIN
  WITH unknown AS MATERIALIZED (
    SELECT uuid7() AS id, x.*,
      contact_username(x.platform, x.address) || left(gen_random_uuid()::text, 8) AS username
    FROM (SELECT DISTINCT ON (platform, address) platform, address, display_name, locale, timezone
      FROM unnest(listed) AS a
      WHERE address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM identities i
        WHERE i.workspace_id = workspace AND i.platform = a.platform AND i.external_id = a.address OFFSET 0)
      ORDER BY platform, address, line) x
  ), stored AS (
    INSERT INTO users (id, workspace_id, kind, username, display_name, phone, locale, timezone)
    SELECT id, workspace, 'contact', username, coalesce(display_name, left(address, 128)),
      CASE WHEN platform = ANY (phones) THEN address END, locale, timezone FROM unknown RETURNING id
  ), known AS (
    -- Another transaction created the contact first.
    INSERT INTO identities (workspace_id, user_id, platform, external_id)
    SELECT workspace, id, platform, address FROM unknown ORDER BY platform, address
    ON CONFLICT (workspace_id, platform, external_id) DO NOTHING RETURNING user_id
  )
  SELECT (SELECT array_agg(id) FROM stored), (SELECT array_agg(user_id) FROM known) INTO made, linked;
  IF made IS NULL THEN RETURN; END IF;
  DELETE FROM users WHERE id = ANY (made) AND NOT id = ANY (coalesce(linked, '{}'));
  INSERT INTO events (workspace_id, type, data)
  SELECT workspace, 'user.created', user_record(u)
  FROM (SELECT WHERE has_subscribers(workspace)) h CROSS JOIN users u WHERE u.id = ANY (linked) ORDER BY u.id;
END $$;

-- Adds the name, locale and time zone of a list to contacts without them. A name that equals an address
-- counts as missing. Locks users before it writes identities.
CREATE OR REPLACE FUNCTION fill_profiles(workspace uuid, listed listed_member[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  ids uuid[];
  former jsonb;
BEGIN
  ids := ARRAY(SELECT DISTINCT coalesce(x.user_id, i.user_id) FROM unnest(listed) x
    LEFT JOIN LATERAL (SELECT k.user_id FROM identities k
      WHERE k.workspace_id = workspace AND k.platform = x.platform
      AND k.external_id = x.address OFFSET 0) i ON true
    WHERE coalesce(x.display_name, x.locale, x.timezone) IS NOT NULL
      AND coalesce(x.user_id, i.user_id) IS NOT NULL);
  IF ids = '{}' THEN RETURN; END IF;
  PERFORM 1 FROM users WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  WITH given AS MATERIALIZED (
    SELECT coalesce(x.user_id, i.user_id) AS id, (array_agg(x.display_name ORDER BY x.line)
      FILTER (WHERE x.display_name IS NOT NULL))[1] AS name,
      (array_agg(x.locale ORDER BY x.line) FILTER (WHERE x.locale IS NOT NULL))[1] AS locale,
      (array_agg(x.timezone ORDER BY x.line) FILTER (WHERE x.timezone IS NOT NULL))[1] AS timezone
    FROM unnest(listed) x LEFT JOIN LATERAL (SELECT k.user_id FROM identities k
      WHERE k.workspace_id = workspace
      AND k.platform = x.platform AND k.external_id = x.address OFFSET 0) i ON true
    WHERE coalesce(x.user_id, i.user_id) IS NOT NULL GROUP BY 1
  ), lacking AS MATERIALIZED (
    SELECT u.id, u.display_name, u.locale, u.timezone,
      CASE WHEN EXISTS (SELECT FROM identities k WHERE k.user_id = u.id
        AND left(k.external_id, 128) = u.display_name) THEN coalesce(g.name, u.display_name)
          ELSE u.display_name END AS new_name,
      coalesce(u.locale, g.locale) AS new_locale, coalesce(u.timezone, g.timezone) AS new_timezone
    FROM given g CROSS JOIN LATERAL (SELECT * FROM users x
      WHERE x.id = g.id AND x.workspace_id = workspace AND x.kind = 'contact'
      AND x.deleted_at IS NULL OFFSET 0) u
  ), filled AS (
    UPDATE users u SET display_name = l.new_name, locale = l.new_locale, timezone = l.new_timezone,
      updated_at = now()
    FROM lacking l WHERE u.id = l.id
      AND (l.display_name, l.locale, l.timezone) IS DISTINCT FROM (l.new_name, l.new_locale, l.new_timezone)
    RETURNING u.id
  )
  SELECT coalesce(jsonb_object_agg(l.id, previous_values(
      jsonb_build_object('display_name', l.display_name, 'locale', l.locale, 'timezone', l.timezone),
      jsonb_build_object('display_name', l.new_name, 'locale', l.new_locale, 'timezone', l.new_timezone))),
        '{}')
  INTO former FROM lacking l JOIN filled f ON f.id = l.id;
  INSERT INTO events (workspace_id, type, data, extra)
  SELECT workspace, 'user.updated', user_record(u), json_build_object('previous', former->u.id::text)
  FROM (SELECT WHERE has_subscribers(workspace)) h CROSS JOIN users u
  WHERE u.id IN (SELECT key::uuid FROM jsonb_object_keys(former) AS key) ORDER BY u.id;
END $$;

CREATE OR REPLACE FUNCTION add_members(segment uuid, workspace uuid, listed listed_member[]) RETURNS void
  LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
DECLARE
  missing int;
BEGIN
  SELECT min(x.line) INTO missing FROM unnest(listed) AS x
  WHERE x.user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users u
    WHERE u.id = x.user_id AND u.workspace_id = workspace AND u.deleted_at IS NULL);
  IF missing IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', 'file', 'line', missing));
  END IF;
  PERFORM fill_profiles(workspace, listed);
  PERFORM create_listed_contacts(workspace, listed);
  INSERT INTO segment_members (segment_id, workspace_id, user_id, platform, address, variables)
  SELECT segment, workspace, coalesce(x.user_id, i.user_id), x.platform, x.address, x.variables
  FROM unnest(listed) AS x
  LEFT JOIN LATERAL (SELECT i.user_id FROM identities i
    WHERE i.workspace_id = workspace AND i.platform = x.platform
    AND i.external_id = x.address OFFSET 0) i ON true
  ORDER BY x.line
  ON CONFLICT DO NOTHING;
END $$;
