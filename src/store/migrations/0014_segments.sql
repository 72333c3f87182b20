-- Segments, which are audiences with a name, and templates, which are texts with one.

CREATE TABLE templates (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  text text NOT NULL,
  content_type text NOT NULL DEFAULT 'text' CHECK (content_type IN ('text', 'markdown')),
  attachments jsonb NOT NULL DEFAULT '[]',
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TRIGGER template_media_used AFTER INSERT OR UPDATE OF attachments OR DELETE ON templates FOR EACH ROW
  EXECUTE FUNCTION follow_template_media();
CREATE INDEX templates_list ON templates (workspace_id, created_at DESC, id DESC);

CREATE TABLE segments (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('static', 'filter')),
  filter text,
  size integer NOT NULL DEFAULT 0,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CHECK ((kind = 'filter') = (filter IS NOT NULL))
);
COMMENT ON COLUMN segments.size IS 'Members of a static segment; those of a filter are counted when they are asked for.';
COMMENT ON COLUMN segments.deleted_at IS 'The members stay until no broadcast that was accepted with them waits any more.';
CREATE INDEX segments_list ON segments (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX segments_deleted ON segments (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE segment_members (
  segment_id uuid NOT NULL REFERENCES segments,
  user_id uuid NOT NULL REFERENCES users,
  id bigint GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  platform text,
  address text,
  variables jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (segment_id, user_id)
);
COMMENT ON COLUMN segment_members.id IS 'Order of the members.';
COMMENT ON COLUMN segment_members.address IS 'Where the list says the person is reached; null: by the order of their own.';
CREATE INDEX segment_members_user ON segment_members (user_id);

CREATE FUNCTION template_record(t templates) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id, 'name', t.name, 'text', t.text, 'content_type', t.content_type,
    'attachments', attachment_records(t.attachments),
    'variables', ARRAY(SELECT name FROM unnest(placeholder_names(t.text)) WITH ORDINALITY AS x (name, n)
      GROUP BY name ORDER BY min(n)),
    'metadata', t.metadata, 'created_at', wire_time(t.created_at), 'updated_at', wire_time(t.updated_at))
$$;

CREATE FUNCTION segment_record(s segments) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'size', s.size, 'filter', s.filter,
    'metadata', s.metadata, 'created_at', wire_time(s.created_at), 'updated_at', wire_time(s.updated_at))
$$;

-- {"workspace_id", "id", "name", "text", "content_type", "attachments", "metadata", "claim"}. The same id again answers
-- the same.
CREATE FUNCTION create_template(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t templates;
BEGIN
  SELECT * INTO t FROM templates WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN
    INSERT INTO templates (id, workspace_id, name, text, content_type, attachments, metadata)
    VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, input->>'name', input->>'text', input->>'content_type',
      input->'attachments', input->'metadata') RETURNING * INTO t;
    PERFORM complete_claim(input->'claim', 201, template_record(t));
  END IF;
  RETURN json_build_object('record', template_record(t));
END $$;

-- {"workspace_id", "id", "patch"}.
CREATE FUNCTION update_template(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  t templates;
  n templates;
  patch jsonb := input->'patch';
BEGIN
  SELECT * INTO t FROM templates WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  n := t;
  n.name := coalesce(patch->>'name', n.name);
  n.text := coalesce(patch->>'text', n.text);
  n.content_type := coalesce(patch->>'content_type', n.content_type);
  IF patch ? 'attachments' THEN n.attachments := keep_attachments(patch->'attachments', t.attachments); END IF;
  n.metadata := coalesce(patch->'metadata', n.metadata);
  IF n.text = '' AND n.attachments = '[]' THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', CASE WHEN patch ? 'text' THEN 'text' ELSE 'attachments' END));
  END IF;
  IF n IS DISTINCT FROM t THEN
    UPDATE templates SET name = n.name, text = n.text, content_type = n.content_type, attachments = n.attachments,
      metadata = n.metadata, updated_at = now() WHERE id = t.id RETURNING * INTO n;
  END IF;
  RETURN json_build_object('record', template_record(n));
END $$;

-- {"workspace_id", "id"}. Broadcasts keep what they took of it.
CREATE FUNCTION delete_template(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM templates WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN json_build_object('record', json_build_object('id', input->>'id'));
END $$;

-- A segment without members yet: {"workspace_id", "id", "name", "filter", "user_ids", "metadata", "claim"}. The same id
-- again answers the same.
CREATE FUNCTION create_segment(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s segments;
BEGIN
  SELECT * INTO s FROM segments WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  IF FOUND THEN RETURN json_build_object('record', segment_record(s)); END IF;
  INSERT INTO segments (id, workspace_id, name, kind, filter, metadata)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, input->>'name',
    CASE WHEN input->>'filter' IS NULL THEN 'static' ELSE 'filter' END, input->>'filter', coalesce(input->'metadata', '{}'))
  RETURNING * INTO s;
  IF input ? 'user_ids' THEN s := replace_members(s, input->'user_ids'); END IF;
  PERFORM complete_claim(input->'claim', 201, segment_record(s));
  RETURN json_build_object('record', segment_record(s));
END $$;

-- Makes these users the members. All must exist.
CREATE FUNCTION replace_members(s segments, user_ids jsonb) RETURNS segments LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM jsonb_array_elements_text(user_ids) i (id) WHERE NOT EXISTS (SELECT 1 FROM users u
    WHERE u.id = i.id::uuid AND u.workspace_id = s.workspace_id AND u.deleted_at IS NULL)) THEN
    PERFORM refuse('{"problem":"not_found","field":"user_ids"}');
  END IF;
  DELETE FROM segment_members WHERE segment_id = s.id;
  INSERT INTO segment_members (segment_id, workspace_id, user_id)
  SELECT s.id, s.workspace_id, i.id::uuid FROM jsonb_array_elements_text(user_ids) WITH ORDINALITY AS i (id, n) ORDER BY n
  ON CONFLICT DO NOTHING;
  RETURN measure_segment(s.id);
END $$;

CREATE FUNCTION measure_segment(segment uuid) RETURNS segments LANGUAGE sql AS $$
  UPDATE segments SET size = (SELECT count(*) FROM segment_members WHERE segment_id = segment), updated_at = now()
  WHERE id = segment RETURNING *
$$;

-- {"workspace_id", "id", "patch": {"name", "filter", "user_ids", "metadata"}}. The kind of a segment stays.
CREATE FUNCTION update_segment(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s segments;
  n segments;
  patch jsonb := input->'patch';
BEGIN
  SELECT * INTO s FROM segments WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF s.kind = 'filter' AND patch ? 'user_ids' THEN
    PERFORM refuse('{"problem":"invalid","field":"user_ids","code":"exclusive"}');
  ELSIF s.kind = 'static' AND patch->>'filter' IS NOT NULL THEN
    PERFORM refuse('{"problem":"invalid","field":"filter","code":"exclusive"}');
  ELSIF s.kind = 'filter' AND patch ? 'filter' AND patch->>'filter' IS NULL THEN
    PERFORM refuse('{"problem":"invalid","field":"filter","code":"required"}');
  END IF;
  n := s;
  n.name := coalesce(patch->>'name', n.name);
  n.filter := coalesce(patch->>'filter', n.filter);
  n.metadata := coalesce(patch->'metadata', n.metadata);
  IF n IS DISTINCT FROM s THEN
    UPDATE segments SET name = n.name, filter = n.filter, metadata = n.metadata, updated_at = now()
    WHERE id = s.id RETURNING * INTO n;
  END IF;
  IF patch ? 'user_ids' AND NOT has_members(s.id, patch->'user_ids') THEN n := replace_members(n, patch->'user_ids'); END IF;
  RETURN json_build_object('record', segment_record(n));
END $$;

-- Whether a segment consists of just these users.
CREATE FUNCTION has_members(segment uuid, user_ids jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT user_id, platform, variables FROM segment_members WHERE segment_id = segment
      EXCEPT SELECT id::uuid, NULL, '{}' FROM jsonb_array_elements_text(user_ids) i (id))
    AND NOT EXISTS (SELECT id::uuid FROM jsonb_array_elements_text(user_ids) i (id)
      EXCEPT SELECT user_id FROM segment_members WHERE segment_id = segment)
$$;

-- {"workspace_id", "id"}.
CREATE FUNCTION delete_segment(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  UPDATE segments SET deleted_at = now(), updated_at = now() WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid AND deleted_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN json_build_object('record', json_build_object('id', input->>'id'));
END $$;

-- Rows of a list: a line has a user id, or a platform and an address. The name, locale and time zone are for contacts without.
CREATE TYPE listed_member AS (line int, user_id uuid, platform text, address text, variables jsonb, display_name text, locale text,
  timezone text);

-- Contacts for the addresses that nobody has yet, as the first line of each says.
CREATE FUNCTION create_contacts_at(workspace uuid, listed listed_member[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  made uuid[];
  linked uuid[];
  phones text[] := (SELECT phone_platforms FROM installation);
BEGIN
  WITH unknown AS MATERIALIZED (
    SELECT uuid7() AS id, x.*, contact_username(x.platform, x.address) || left(gen_random_uuid()::text, 8) AS username
    FROM (SELECT DISTINCT ON (platform, address) platform, address, display_name, locale, timezone FROM unnest(listed) AS a
      WHERE address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM identities i
        WHERE i.workspace_id = workspace AND i.platform = a.platform AND i.external_id = a.address OFFSET 0)
      ORDER BY platform, address, line) x
  ), stored AS (
    INSERT INTO users (id, workspace_id, kind, username, display_name, phone, locale, timezone)
    SELECT id, workspace, 'contact', username, coalesce(display_name, left(address, 128)),
      CASE WHEN platform = ANY (phones) THEN address END, locale, timezone FROM unknown RETURNING id
  ), known AS (
    -- Where another writer was faster, theirs is the contact.
    INSERT INTO identities (workspace_id, user_id, platform, external_id)
    SELECT workspace, id, platform, address FROM unknown ORDER BY platform, address
    ON CONFLICT (workspace_id, platform, external_id) DO NOTHING RETURNING user_id
  )
  SELECT (SELECT array_agg(id) FROM stored), (SELECT array_agg(user_id) FROM known) INTO made, linked;
  IF made IS NULL THEN RETURN; END IF;
  DELETE FROM users WHERE id = ANY (made) AND NOT id = ANY (coalesce(linked, '{}'));
  INSERT INTO events (workspace_id, type, data)
  SELECT workspace, 'user.created', user_record(u)
  FROM (SELECT WHERE events_heard(workspace)) h CROSS JOIN users u WHERE u.id = ANY (linked) ORDER BY u.id;
END $$;

-- Gives contacts the name, locale and time zone that a list has for them and they lack. The name of a contact who is called by
-- an address is none. Users are locked before identities are written, here as everywhere.
CREATE FUNCTION fill_profiles(workspace uuid, listed listed_member[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  ids uuid[];
  former jsonb;
BEGIN
  ids := ARRAY(SELECT DISTINCT coalesce(x.user_id, i.user_id) FROM unnest(listed) x
    LEFT JOIN LATERAL (SELECT k.user_id FROM identities k WHERE k.workspace_id = workspace AND k.platform = x.platform
      AND k.external_id = x.address OFFSET 0) i ON true
    WHERE coalesce(x.display_name, x.locale, x.timezone) IS NOT NULL AND coalesce(x.user_id, i.user_id) IS NOT NULL);
  IF ids = '{}' THEN RETURN; END IF;
  PERFORM 1 FROM users WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  WITH given AS MATERIALIZED (
    SELECT coalesce(x.user_id, i.user_id) AS id, (array_agg(x.display_name ORDER BY x.line) FILTER (WHERE x.display_name IS NOT NULL))[1] AS name,
      (array_agg(x.locale ORDER BY x.line) FILTER (WHERE x.locale IS NOT NULL))[1] AS locale,
      (array_agg(x.timezone ORDER BY x.line) FILTER (WHERE x.timezone IS NOT NULL))[1] AS timezone
    FROM unnest(listed) x LEFT JOIN LATERAL (SELECT k.user_id FROM identities k WHERE k.workspace_id = workspace
      AND k.platform = x.platform AND k.external_id = x.address OFFSET 0) i ON true
    WHERE coalesce(x.user_id, i.user_id) IS NOT NULL GROUP BY 1
  ), lacking AS MATERIALIZED (
    SELECT u.id, u.display_name, u.locale, u.timezone, CASE WHEN EXISTS (SELECT FROM identities k WHERE k.user_id = u.id
        AND left(k.external_id, 128) = u.display_name) THEN coalesce(g.name, u.display_name) ELSE u.display_name END AS new_name,
      coalesce(u.locale, g.locale) AS new_locale, coalesce(u.timezone, g.timezone) AS new_timezone
    FROM given g CROSS JOIN LATERAL (SELECT * FROM users x WHERE x.id = g.id AND x.workspace_id = workspace AND x.kind = 'contact'
      AND x.deleted_at IS NULL OFFSET 0) u
  ), filled AS (
    UPDATE users u SET display_name = l.new_name, locale = l.new_locale, timezone = l.new_timezone, updated_at = now()
    FROM lacking l WHERE u.id = l.id AND (l.display_name, l.locale, l.timezone) IS DISTINCT FROM (l.new_name, l.new_locale, l.new_timezone)
    RETURNING u.id
  )
  SELECT coalesce(jsonb_object_agg(l.id, former_values(
      jsonb_build_object('display_name', l.display_name, 'locale', l.locale, 'timezone', l.timezone),
      jsonb_build_object('display_name', l.new_name, 'locale', l.new_locale, 'timezone', l.new_timezone))), '{}')
  INTO former FROM lacking l JOIN filled f ON f.id = l.id;
  INSERT INTO events (workspace_id, type, data, extra)
  SELECT workspace, 'user.updated', user_record(u), json_build_object('previous', former->u.id::text)
  FROM (SELECT WHERE events_heard(workspace)) h CROSS JOIN users u
  WHERE u.id IN (SELECT key::uuid FROM jsonb_object_keys(former) AS key) ORDER BY u.id;
END $$;

-- Adds rows of a list. The first of several lines about one person counts. Raises a refusal with the line of a user who does not
-- exist.
CREATE FUNCTION add_members(segment uuid, workspace uuid, listed listed_member[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
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
  PERFORM create_contacts_at(workspace, listed);
  INSERT INTO segment_members (segment_id, workspace_id, user_id, platform, address, variables)
  SELECT segment, workspace, coalesce(x.user_id, i.user_id), x.platform, x.address, x.variables
  FROM unnest(listed) AS x
  LEFT JOIN LATERAL (SELECT i.user_id FROM identities i WHERE i.workspace_id = workspace AND i.platform = x.platform
    AND i.external_id = x.address OFFSET 0) i ON true
  ORDER BY x.line
  ON CONFLICT DO NOTHING;
END $$;

-- The record of a segment whose list is complete.
CREATE FUNCTION complete_segment(segment uuid, claim jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s segments := measure_segment(segment);
BEGIN
  PERFORM complete_claim(claim, 201, segment_record(s));
  RETURN segment_record(s);
END $$;

-- What one contact was a member of, another is. Who is it already stays so.
CREATE FUNCTION move_memberships(source uuid, target uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE segment_members m SET user_id = target WHERE user_id = source AND NOT EXISTS (
    SELECT 1 FROM segment_members o WHERE o.segment_id = m.segment_id AND o.user_id = target);
  PERFORM drop_memberships(source);
END $$;

CREATE FUNCTION drop_memberships(member uuid) RETURNS void LANGUAGE sql AS $$
  WITH dropped AS (DELETE FROM segment_members WHERE user_id = member RETURNING segment_id)
  UPDATE segments SET size = size - 1 WHERE id IN (SELECT segment_id FROM dropped)
$$;

-- Members of deleted segments that no broadcast waits for, in portions, and then the segments themselves.
CREATE FUNCTION purge_segments() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  unused uuid[] := ARRAY(SELECT s.id FROM segments s WHERE s.deleted_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM broadcasts b WHERE b.workspace_id = s.workspace_id AND b.status IN ('draft', 'scheduled', 'preparing')
      AND (b.audience->'segment_ids' ? s.id::text OR b.audience->'exclude'->'segment_ids' ? s.id::text)) LIMIT 100);
BEGIN
  DELETE FROM segment_members WHERE (segment_id, user_id) IN (
    SELECT segment_id, user_id FROM segment_members WHERE segment_id = ANY (unused) LIMIT 10000);
  DELETE FROM segments s WHERE s.id = ANY (unused) AND NOT EXISTS (
    SELECT 1 FROM segment_members m WHERE m.segment_id = s.id);
END $$;
