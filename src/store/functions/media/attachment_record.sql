-- An attachment in the form of the API. `e` is the attachment of the message, `m` the stored copy. Locations
-- have no stored copy. A file that must be fetched has no row yet while the statement that stores its
-- message runs: a trigger adds the row at the end of it.
--
-- Returns: AttachmentRecord

-- The signature for media_url. Runs with the rights of its owner, because its callers may not read the key.
CREATE OR REPLACE FUNCTION media_signature(payload bytea) RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public AS $$
  SELECT sha256(key_outer || sha256(key_inner || payload)) FROM public.media_signing WHERE only_row
$$;

-- A link to a stored copy that is valid for 24 hours from `since`: id, expiry in Unix seconds and signature,
-- in base64url.
CREATE OR REPLACE FUNCTION media_url(media uuid, since timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT public_url() || '/media/'
    || rtrim(translate(encode(t.payload || media_signature(t.payload), 'base64'), E'+/\n', '-_'), '=')
  FROM (SELECT uuid_send(media)
    || int8send(extract(epoch FROM since + interval '24 hours')::bigint) AS payload) t
$$;

-- The type of an attachment without a type, from its MIME type.
CREATE OR REPLACE FUNCTION media_type(mime_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN split_part(mime_type, '/', 1) IN ('image', 'video', 'audio')
    THEN split_part(mime_type, '/', 1) ELSE 'file' END
$$;

CREATE OR REPLACE FUNCTION attachment_record(e jsonb, m media, since timestamptz DEFAULT now()) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', e->>'id', 'type', coalesce(e->>'type', m.type, media_type(coalesce(m.mime_type, e->>'mime_type'))),
    'url', CASE WHEN m.state = 'ready' THEN media_url(m.id, since) END,
    'source_url', e->>'source_url', 'thumbnail_url', NULL,
    'state', coalesce(m.state, CASE WHEN NOT has_file(e) THEN 'ready' WHEN e ? 'upload' THEN 'failed'
        ELSE 'pending' END),
    'metadata', coalesce(e->'metadata', '{}'), 'name', coalesce(e->>'name', m.name),
    'mime_type', coalesce(m.mime_type, e->>'mime_type'), 'alt_text', coalesce(e->>'alt_text', m.alt_text),
    'size', coalesce(m.size, (e->>'size')::bigint), 'width', m.width, 'height', m.height,
    'duration_ms', (e->>'duration_ms')::bigint, 'latitude', e->'latitude', 'longitude', e->'longitude')
$$;
