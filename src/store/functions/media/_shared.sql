-- Helpers for attachments of messages, broadcasts and templates. A row of media describes a file and its
-- source; the file itself is on disk under the id of the row. A name or an alternative text is stored with
-- the message or broadcast.

-- Whether a stored attachment has a file.
CREATE OR REPLACE FUNCTION has_file(e jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT e->>'source_url' IS NOT NULL OR e->>'remote_ref' IS NOT NULL
    OR coalesce((e->>'upload')::boolean, false)
$$;

-- Attachments with the data of their stored copies, and links signed as at `since`. Not called for an empty
-- list, which most messages have.
CREATE OR REPLACE FUNCTION attachment_records(list jsonb, since timestamptz DEFAULT now()) RETURNS json
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(json_agg(attachment_record(x.e, m, since) ORDER BY x.n), '[]')
    FROM jsonb_array_elements(list) WITH ORDINALITY AS x (e, n)
      LEFT JOIN media m ON m.id = (x.e->>'id')::uuid);
END $$;

-- The new attachments of an owner. An attachment that equals a stored one keeps the id of the stored one,
-- and so its stored copy. An upload matches only by its id.
CREATE OR REPLACE FUNCTION merge_attachments(requested jsonb, stored jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(coalesce(o.e, w.e) ORDER BY w.n), '[]')
  FROM (SELECT e, n, row_number() OVER (PARTITION BY e - 'id' ORDER BY n) AS nth
    FROM jsonb_array_elements(requested) WITH ORDINALITY AS x (e, n)) w
  LEFT JOIN (SELECT e, row_number() OVER (PARTITION BY e - 'id' ORDER BY n) AS nth FROM jsonb_array_elements(
      CASE jsonb_typeof(stored) WHEN 'array' THEN stored ELSE '[]' END) WITH ORDINALITY AS x (e, n)) o
    ON o.e - 'id' = w.e - 'id' AND o.nth = w.nth AND NOT w.e ? 'upload'
$$;

-- Releases the files of an owner, except `kept`. Files without other uses expire now, but at the earliest 24
-- hours after they were added.
CREATE OR REPLACE FUNCTION release_media(owner uuid, kept uuid[]) RETURNS void LANGUAGE sql AS $$
  -- Waits for transactions that start or end a use of the same files, so that the next statement sees their
  -- result.
  SELECT 1 FROM media
  WHERE id = ANY (ARRAY(SELECT media_id FROM media_uses WHERE owner_id = owner AND NOT media_id = ANY (kept)))
  ORDER BY id FOR NO KEY UPDATE;
  WITH dropped AS (
    DELETE FROM media_uses WHERE owner_id = owner AND NOT media_id = ANY (kept) RETURNING media_id
  )
  UPDATE media m SET expires_at = greatest(m.created_at + interval '24 hours', now()) FROM dropped d
  WHERE m.id = d.media_id AND NOT EXISTS (
    SELECT 1 FROM media_uses u WHERE u.media_id = m.id AND u.owner_id <> owner)
$$;

-- Makes deliveries due that wait only for files, once all their files are fetched or have failed. The caller
-- holds the locks of the files.
CREATE OR REPLACE FUNCTION release_deliveries_after_media(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  woken uuid[];
BEGIN
  WITH held AS (
    SELECT d.id FROM deliveries d WHERE d.id = ANY (ids) AND d.status = 'queued' AND d.next_attempt_at > now()
      -- Skips deliveries with another kind of attempt: they may wait because the platform asked for it.
      AND NOT EXISTS (SELECT 1 FROM attempts a
        WHERE a.delivery_id = d.id AND a.error->>'platform_code' IS DISTINCT FROM 'media_pending')
      AND NOT EXISTS (SELECT 1 FROM media_uses u JOIN media o ON o.id = u.media_id
        WHERE u.owner_id = d.message_id AND o.state = 'pending')
    ORDER BY d.id FOR NO KEY UPDATE
  ), freed AS (
    UPDATE deliveries d SET next_attempt_at = NULL FROM held h WHERE d.id = h.id RETURNING d.connection_id
  ) SELECT array_agg(DISTINCT connection_id) INTO woken FROM freed;
  IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
END $$;
