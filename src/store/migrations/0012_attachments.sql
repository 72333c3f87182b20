-- Media: the stored copies of files. A row says what the file is and where it comes from, the file itself lies on disk under
-- the row's id. What attachments say beside it (a name, an alternative text) stands with the message or broadcast.

CREATE TABLE media (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  source text NOT NULL CHECK (source IN ('upload', 'url', 'remote')),
  source_url text,
  connection_id uuid,
  remote_ref text,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'ready', 'failed')),
  type text,
  name text,
  mime_type text,
  alt_text text,
  size bigint,
  width integer,
  height integer,
  sha256 bytea,
  tries smallint NOT NULL DEFAULT 0,
  due_at timestamptz DEFAULT now(),
  leased_until timestamptz(3),
  error text,
  expires_at timestamptz(3) DEFAULT now() + interval '24 hours',
  removed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE media IS 'A stored copy of a file. Its id is the id of every attachment that shows it.';
COMMENT ON COLUMN media.source IS 'upload: sent by a client; url: fetched from source_url; remote: fetched by a connection''s adapter from remote_ref.';
COMMENT ON COLUMN media.tries IS 'Fetches begun; a result of an earlier one changes nothing.';
COMMENT ON COLUMN media.expires_at IS 'When the file goes unless something uses it; null while something does.';
COMMENT ON COLUMN media.removed_at IS 'Given up: the file is being removed, then the row.';
CREATE INDEX media_due ON media (workspace_id, due_at) WHERE state = 'pending';
CREATE INDEX media_expiring ON media (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE media_uses (
  media_id uuid NOT NULL REFERENCES media ON DELETE CASCADE,
  owner_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  PRIMARY KEY (media_id, owner_id)
);
COMMENT ON TABLE media_uses IS 'Which messages, broadcasts and templates a stored copy is kept for.';
CREATE INDEX media_uses_owner ON media_uses (owner_id);

-- HMAC-SHA-256 (RFC 2104) needs the key only as these two blocks.
CREATE TABLE media_signing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_inner bytea,
  key_outer bytea
);
INSERT INTO media_signing DEFAULT VALUES;
COMMENT ON TABLE media_signing IS 'Signs media links and nothing else; derived from the master key, which can''t be computed from it. Not for the role that reads lists.';

-- What media_url signs. Runs as its owner, because its callers may not read the key.
CREATE FUNCTION media_signature(told bytea) RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT sha256(key_outer || sha256(key_inner || told)) FROM public.media_signing WHERE only_row
$$;

-- A link to a stored copy that is valid for 24 hours from `since`: id, end in Unix seconds and signature, in base64url.
CREATE FUNCTION media_url(media uuid, since timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT public_url() || '/media/' || rtrim(translate(encode(t.told || media_signature(t.told), 'base64'), E'+/\n', '-_'), '=')
  FROM (SELECT uuid_send(media) || int8send(extract(epoch FROM since + interval '24 hours')::bigint) AS told) t
$$;

-- What an attachment without a type of its own is shown as.
CREATE FUNCTION media_type(mime_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN split_part(mime_type, '/', 1) IN ('image', 'video', 'audio') THEN split_part(mime_type, '/', 1) ELSE 'file' END
$$;

-- An attachment in the shape of the interface. `e` is what the message says, `m` the stored copy; places have none, and
-- one that is to be fetched gets its row at the end of the statement that stores its message.
CREATE FUNCTION attachment_record(e jsonb, m media, since timestamptz DEFAULT now()) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', e->>'id', 'type', coalesce(e->>'type', m.type, media_type(coalesce(m.mime_type, e->>'mime_type'))),
    'url', CASE WHEN m.state = 'ready' THEN media_url(m.id, since) END,
    'source_url', e->>'source_url', 'thumbnail_url', NULL,
    'state', coalesce(m.state, CASE WHEN NOT has_file(e) THEN 'ready' WHEN e ? 'upload' THEN 'failed' ELSE 'pending' END),
    'metadata', coalesce(e->'metadata', '{}'), 'name', coalesce(e->>'name', m.name),
    'mime_type', coalesce(m.mime_type, e->>'mime_type'), 'alt_text', coalesce(e->>'alt_text', m.alt_text),
    'size', coalesce(m.size, (e->>'size')::bigint), 'width', m.width, 'height', m.height,
    'duration_ms', (e->>'duration_ms')::bigint, 'latitude', e->'latitude', 'longitude', e->'longitude')
$$;

-- Keeps the stored copies that `list` shows for its owner, and makes those that must still be fetched. Copies that the
-- owner no longer shows are let go. Answers whether one of them is still to be fetched.
CREATE FUNCTION use_media(owner uuid, workspace uuid, connection uuid, list jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  wanted uuid[] := ARRAY(SELECT DISTINCT (e->>'id')::uuid FROM jsonb_array_elements(list) e WHERE has_file(e));
BEGIN
  WITH made AS (
    INSERT INTO media (id, workspace_id, source, source_url, connection_id, remote_ref, name, mime_type)
    SELECT (e->>'id')::uuid, workspace, CASE WHEN e->>'source_url' IS NULL THEN 'remote' ELSE 'url' END,
      e->>'source_url', connection, e->>'remote_ref', e->>'name', e->>'mime_type'
    FROM jsonb_array_elements(list) e
    WHERE e->>'source_url' IS NOT NULL OR (e->>'remote_ref' IS NOT NULL AND connection IS NOT NULL)
    ON CONFLICT (id) DO NOTHING RETURNING id
  )
  INSERT INTO outbox (topic, payload)
  SELECT 'media', jsonb_build_object('media_id', id, 'workspace_id', workspace) FROM made;
  -- In the order of their ids, also those that are let go, so that two owners of the same never wait for each other.
  PERFORM 1 FROM media WHERE id = ANY (wanted || ARRAY(SELECT media_id FROM media_uses WHERE owner_id = owner))
  ORDER BY id FOR NO KEY UPDATE;
  UPDATE media SET expires_at = NULL WHERE id = ANY (wanted) AND expires_at IS NOT NULL AND removed_at IS NULL;
  IF (SELECT count(*) FROM media m WHERE m.id = ANY (wanted) AND m.workspace_id = workspace AND m.removed_at IS NULL)
    < cardinality(wanted) THEN PERFORM refuse('{"problem":"not_found","field":"attachments"}'); END IF;
  INSERT INTO media_uses (media_id, owner_id, workspace_id) SELECT id, owner, workspace FROM unnest(wanted) id
  ON CONFLICT DO NOTHING;
  PERFORM drop_media(owner, wanted);
  RETURN EXISTS (SELECT 1 FROM media WHERE id = ANY (wanted) AND state = 'pending');
END $$;

-- Lets go what an owner used, but for `kept`. What nothing else uses is removed, uploads not before their day is over.
CREATE FUNCTION drop_media(owner uuid, kept uuid[]) RETURNS void LANGUAGE sql AS $$
  -- Whoever begins or ends to use the same now is waited for: the next statement sees what they did.
  SELECT 1 FROM media WHERE id = ANY (ARRAY(SELECT media_id FROM media_uses WHERE owner_id = owner AND NOT media_id = ANY (kept)))
  ORDER BY id FOR NO KEY UPDATE;
  WITH dropped AS (
    DELETE FROM media_uses WHERE owner_id = owner AND NOT media_id = ANY (kept) RETURNING media_id
  )
  UPDATE media m SET expires_at = greatest(m.created_at + interval '24 hours', now()) FROM dropped d
  WHERE m.id = d.media_id AND NOT EXISTS (
    SELECT 1 FROM media_uses u WHERE u.media_id = m.id AND u.owner_id <> owner)
$$;

-- A message's media live as long as it does; what is to be sent waits until all of them are there or given up.
CREATE FUNCTION follow_message_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM drop_media(OLD.id, '{}');
  ELSIF NEW.deleted_at IS NOT NULL THEN
    PERFORM drop_media(NEW.id, '{}');
  ELSIF use_media(NEW.id, NEW.workspace_id, (NEW.origin->>'connection_id')::uuid, NEW.attachments) THEN
    UPDATE deliveries SET next_attempt_at = now() + interval '10 minutes'
    WHERE message_id = NEW.id AND status = 'queued' AND next_attempt_at IS NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER message_media_used AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.attachments <> '[]') EXECUTE FUNCTION follow_message_media();
CREATE TRIGGER message_media_changed AFTER UPDATE OF attachments, deleted_at ON messages FOR EACH ROW
  WHEN (OLD.attachments IS DISTINCT FROM NEW.attachments OR (NEW.attachments <> '[]' AND OLD.deleted_at IS DISTINCT FROM NEW.deleted_at))
  EXECUTE FUNCTION follow_message_media();
CREATE TRIGGER message_media_dropped AFTER DELETE ON messages FOR EACH ROW
  WHEN (OLD.attachments <> '[]') EXECUTE FUNCTION follow_message_media();

-- All that a broadcast shows, in any of its variants.
CREATE FUNCTION follow_broadcast_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM drop_media(OLD.id, '{}'); RETURN NULL; END IF;
  PERFORM use_media(NEW.id, NEW.workspace_id, NULL, NEW.attachments || coalesce((
    SELECT jsonb_agg(e) FROM jsonb_array_elements(NEW.variants) v, jsonb_array_elements(
      CASE jsonb_typeof(v->'attachments') WHEN 'array' THEN v->'attachments' ELSE '[]' END) e), '[]'));
  RETURN NULL;
END $$;

CREATE TRIGGER broadcast_media_used AFTER INSERT ON broadcasts FOR EACH ROW
  WHEN (NEW.attachments <> '[]' OR NEW.variants <> '[]') EXECUTE FUNCTION follow_broadcast_media();
CREATE TRIGGER broadcast_media_changed AFTER UPDATE OF attachments, variants ON broadcasts FOR EACH ROW
  WHEN (OLD.attachments IS DISTINCT FROM NEW.attachments OR OLD.variants IS DISTINCT FROM NEW.variants)
  EXECUTE FUNCTION follow_broadcast_media();
CREATE TRIGGER broadcast_media_dropped AFTER DELETE ON broadcasts FOR EACH ROW
  WHEN (OLD.attachments <> '[]' OR OLD.variants <> '[]') EXECUTE FUNCTION follow_broadcast_media();

-- All that a template shows.
CREATE FUNCTION follow_template_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM drop_media(OLD.id, '{}');
  ELSE PERFORM use_media(NEW.id, NEW.workspace_id, NULL, NEW.attachments); END IF;
  RETURN NULL;
END $$;

-- An upload that is complete on disk. The same id again, from a try whose answer was lost, gets the record that it made.
CREATE FUNCTION store_upload(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m media;
BEGIN
  INSERT INTO media (id, workspace_id, source, state, type, name, mime_type, alt_text, size, width, height, sha256, due_at)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, 'upload', 'ready', input->>'type', input->>'name',
    input->>'mime_type', input->>'alt_text', (input->>'size')::bigint, (input->>'width')::int, (input->>'height')::int,
    decode(input->>'sha256', 'hex'), NULL)
  ON CONFLICT (id) DO NOTHING;
  SELECT * INTO m FROM media WHERE id = (input->>'id')::uuid;
  RETURN attachment_record(jsonb_build_object('id', m.id), m);
END $$;

-- Takes a file that is due for a fetch, if nobody else has it. Null: there is nothing to do.
CREATE FUNCTION claim_media(media_id uuid, lease_seconds int) RETURNS json LANGUAGE sql AS $$
  UPDATE media SET tries = tries + 1, leased_until = now() + make_interval(secs => lease_seconds)
  WHERE id = media_id AND state = 'pending' AND due_at <= now() AND removed_at IS NULL AND (leased_until IS NULL OR leased_until < now())
  RETURNING json_build_object('id', id, 'source', source, 'source_url', source_url, 'connection_id', connection_id,
    'remote_ref', remote_ref, 'name', name, 'mime_type', mime_type, 'tries', tries, 'created_at', wire_time(created_at))
$$;

-- Makes deliveries due that wait for files alone and have all of them. The caller holds the locks of the files.
CREATE FUNCTION free_with_files(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  woken uuid[];
BEGIN
  WITH held AS (
    SELECT d.id FROM deliveries d WHERE d.id = ANY (ids) AND d.status = 'queued' AND d.next_attempt_at > now()
      -- Not those whose platform asked for a wait.
      AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.delivery_id = d.id AND a.error->>'platform_code' IS DISTINCT FROM 'media_pending')
      AND NOT EXISTS (SELECT 1 FROM media_uses u JOIN media o ON o.id = u.media_id
        WHERE u.owner_id = d.message_id AND o.state = 'pending')
    ORDER BY d.id FOR NO KEY UPDATE
  ), freed AS (
    UPDATE deliveries d SET next_attempt_at = NULL FROM held h WHERE d.id = h.id RETURNING d.connection_id
  ) SELECT array_agg(DISTINCT connection_id) INTO woken FROM freed;
  IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
END $$;

-- Locks the files that deliveries show, by id. A fetch that is ending at this moment is waited for.
CREATE FUNCTION lock_files(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  SELECT 1 FROM media WHERE id IN (SELECT u.media_id FROM deliveries d JOIN media_uses u ON u.owner_id = d.message_id WHERE d.id = ANY (ids))
  ORDER BY id FOR NO KEY UPDATE
$$;

-- A fetch ended for good. Deliveries that waited for nothing else are due now. A result of an earlier try changes nothing.
-- Locks: all files of the messages that show this one, by id, and then deliveries. Of files that end at the same time, each would
-- else see the other as pending, and none would wake what waits for both.
CREATE FUNCTION finish_media(media_id uuid, try int, facts jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM media WHERE id IN (SELECT finish_media.media_id UNION SELECT o.media_id
    FROM media_uses u JOIN media_uses o ON o.owner_id = u.owner_id WHERE u.media_id = finish_media.media_id)
  ORDER BY id FOR NO KEY UPDATE;
  UPDATE media SET state = facts->>'state', name = coalesce(name, facts->>'name'),
    mime_type = coalesce(facts->>'mime_type', mime_type), size = (facts->>'size')::bigint, width = (facts->>'width')::int,
    height = (facts->>'height')::int, sha256 = decode(facts->>'sha256', 'hex'), error = facts->>'error', due_at = NULL,
    leased_until = NULL, updated_at = now()
  WHERE id = media_id AND state = 'pending' AND tries = try;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM free_with_files(ARRAY(SELECT d.id FROM media_uses u JOIN deliveries d ON d.message_id = u.owner_id
    WHERE u.media_id = finish_media.media_id AND d.status = 'queued' AND d.next_attempt_at > now()));
  RETURN true;
END $$;

-- A fetch is tried again later; `counted` false: it could not even begin.
CREATE FUNCTION postpone_media(media_id uuid, try int, wait_seconds int, counted boolean) RETURNS void LANGUAGE sql AS $$
  WITH postponed AS (
    UPDATE media SET due_at = now() + make_interval(secs => wait_seconds), leased_until = NULL,
      tries = CASE WHEN counted THEN tries ELSE tries - 1 END
    WHERE id = media_id AND state = 'pending' AND tries = try RETURNING id, workspace_id, due_at
  )
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'media', jsonb_build_object('media_id', id, 'workspace_id', workspace_id), due_at FROM postponed
$$;

-- Files whose reminder was lost or whose worker died: the first of each workspace, then the second of each, so that many of one
-- don't hide those of another. The owners are found by jumps through the index.
CREATE FUNCTION wake_forgotten_media() RETURNS void LANGUAGE sql AS $$
  WITH RECURSIVE owners AS (
    (SELECT workspace_id FROM media WHERE state = 'pending' ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT m.workspace_id FROM media m WHERE m.state = 'pending' AND m.workspace_id > o.workspace_id
      ORDER BY m.workspace_id LIMIT 1) FROM owners o WHERE o.workspace_id IS NOT NULL
  ), waiting AS (
    SELECT f.id, f.workspace_id, f.due_at, row_number() OVER (PARTITION BY f.workspace_id ORDER BY f.due_at) AS place
    FROM owners o CROSS JOIN LATERAL (
      SELECT m.id, m.workspace_id, m.due_at FROM media m
      WHERE m.workspace_id = o.workspace_id AND m.state = 'pending' AND m.due_at < now() - interval '5 s'
        AND (m.leased_until IS NULL OR m.leased_until < now())
      ORDER BY m.due_at LIMIT 100) f
  )
  INSERT INTO outbox (topic, payload)
  SELECT 'media', jsonb_build_object('media_id', id, 'workspace_id', workspace_id) FROM waiting
  ORDER BY place, due_at LIMIT 100
$$;

-- Gives up files that nothing uses any more, and answers them until forget_media says that they are removed.
CREATE FUNCTION expire_media(most int) RETURNS uuid[] LANGUAGE sql AS $$
  WITH gone AS (
    UPDATE media SET removed_at = now() WHERE id IN (
      SELECT id FROM media WHERE expires_at <= now() ORDER BY expires_at LIMIT most FOR UPDATE SKIP LOCKED)
    RETURNING id
  ) SELECT coalesce(array_agg(id), '{}') FROM gone
$$;
