-- Helpers for the deletion of old records and of the traces of erased contacts.

-- Takes everything that tells who somebody was. The row stays, for records name its id.
CREATE OR REPLACE FUNCTION erase_user(u users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM identities WHERE user_id = u.id;
  UPDATE users SET username = 'deleted_' || replace(id::text, '-', ''), display_name = 'Deleted', email = '',
    profile_image = NULL, phone = NULL, locale = NULL, timezone = NULL, channel_priority = '{}',
      metadata = '{}',
    consent = '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}', stopped_at = NULL,
      stopped_as = NULL, marketed_at = '{}',
    presence = 'offline', last_seen_at = NULL, status = 'deleted', deleted_at = now(), updated_at = now()
      WHERE id = u.id;
END $$;

-- Whether a text names one of these, standing alone.
CREATE OR REPLACE FUNCTION names_any(content text, terms text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (SELECT FROM unnest(terms) AS term WHERE position(term IN content) > 0
    AND content ~ ('(^|[^0-9A-Za-z])' || regexp_replace(term, '([][*+?.^${}()|\\])', '\\\1', 'g')
      || '([^0-9A-Za-z]|$)'))
$$;

-- An error without what the platform said, where that names one of these.
CREATE OR REPLACE FUNCTION unnamed_error(error jsonb, terms text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN names_any(error::text, terms) THEN error || '{"message":"Erased."}' ELSE error END
$$;

-- The erasure of somebody, from whom nothing was taken yet. `direct`: the conversations with nobody but them.
CREATE OR REPLACE FUNCTION begin_erasure(u users, direct uuid[]) RETURNS erasures LANGUAGE sql AS $$
  INSERT INTO erasures (workspace_id, user_id, conversations, deliveries, terms)
  SELECT u.workspace_id, u.id, direct, ARRAY(
      SELECT d.id FROM links l JOIN deliveries d ON d.link_id = l.id
        AND d.status IN ('queued', 'sending', 'uncertain')
      WHERE l.conversation_id = ANY (direct)),
    coalesce(array_agg(DISTINCT ltrim(term, '+')) FILTER (WHERE length(ltrim(term, '+')) > 2), '{}')
  FROM (
    SELECT unnest(ARRAY[external_id, handle]) AS term FROM identities WHERE user_id = u.id
    UNION ALL SELECT unnest(ARRAY[external_id, address]) FROM links WHERE conversation_id = ANY (direct)
    UNION ALL SELECT unnest(ARRAY[u.phone, u.email])) x
  RETURNING *
$$;

-- Takes people who are named by their address from the audiences of broadcasts.
CREATE OR REPLACE FUNCTION forget_recipients(chosen uuid[], terms text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE broadcasts b SET audience = jsonb_set(b.audience, '{recipients}', coalesce((
    SELECT jsonb_agg(r ORDER BY n) FROM jsonb_array_elements(b.audience->'recipients')
      WITH ORDINALITY AS x (r, n)
    WHERE NOT ltrim(r->>'address', '+') = ANY (terms)), '[]'))
  WHERE b.id = ANY (chosen) AND EXISTS (
    SELECT FROM jsonb_array_elements(b.audience->'recipients') r
    WHERE ltrim(r->>'address', '+') = ANY (terms))
$$;

-- What has ended keeps no address; nothing more is asked of the platform for it.
CREATE OR REPLACE FUNCTION erase_deliveries(e erasures, chosen uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE deliveries SET external_chat_id = 'erased', error = unnamed_error(error, e.terms),
    removal = CASE removal WHEN 'wanted' THEN 'failed' ELSE removal END
  WHERE id = ANY (chosen) AND status NOT IN ('queued', 'sending', 'uncertain')
    AND external_chat_id <> 'erased'
$$;

-- Ids begin with the moment of their making, so that a primary key leads to what is old.
CREATE OR REPLACE FUNCTION uuid7_at(moment timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT rpad(lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Whether something is still to be done for a message that may be purged otherwise. Nothing is for
-- connections that are gone.
CREATE OR REPLACE FUNCTION is_pending(m messages) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT m.status = 'scheduled'
    OR EXISTS (SELECT FROM deliveries d JOIN connections k ON k.id = d.connection_id
    WHERE d.message_id = m.id AND d.duty IS NOT NULL AND (k.deleted_at IS NULL OR d.status = 'sending'))
$$;
