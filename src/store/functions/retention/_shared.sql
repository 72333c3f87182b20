-- Helpers for the deletion of old records and the erasure of contacts.

-- Removes all personal data of a user. The row stays, because records refer to its id.
CREATE OR REPLACE FUNCTION erase_user(u users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM identities WHERE user_id = u.id;
  DELETE FROM consent_changes WHERE user_id = u.id;
  UPDATE contact_import_rows SET cells = NULL WHERE user_id = u.id;
  UPDATE users SET username = 'deleted_' || replace(id::text, '-', ''), display_name = 'Deleted', email = '',
    profile_image = NULL, phone = NULL, locale = NULL, timezone = NULL, channel_priority = '{}',
      metadata = '{}',
    consent = '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}', stopped_at = NULL,
      stopped_as = NULL, marketed_at = '{}',
    presence = 'offline', last_seen_at = NULL, status = 'deleted', deleted_at = now(), updated_at = now()
      WHERE id = u.id;
END $$;

-- Whether a text contains one of these terms as a whole word.
CREATE OR REPLACE FUNCTION contains_any_term(content text, terms text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (SELECT FROM unnest(terms) AS term WHERE position(term IN content) > 0
    AND content ~ ('(^|[^0-9A-Za-z])' || regexp_replace(term, '([][*+?.^${}()|\\])', '\\\1', 'g')
      || '([^0-9A-Za-z]|$)'))
$$;

-- An error without the platform's message, if the error contains one of these terms.
CREATE OR REPLACE FUNCTION redact_error(error jsonb, terms text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN contains_any_term(error::text, terms) THEN error || '{"message":"Erased."}' ELSE error END
$$;

-- Whether another user of the workspace has an address, as phone number, e-mail address or identity.
CREATE OR REPLACE FUNCTION is_shared_address(u users, address text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users x WHERE x.workspace_id = u.workspace_id AND x.phone = address
      AND x.id <> u.id AND x.deleted_at IS NULL)
    OR EXISTS (SELECT FROM users x WHERE x.workspace_id = u.workspace_id AND x.email = address
      AND x.email <> '' AND x.id <> u.id AND x.deleted_at IS NULL)
    OR EXISTS (SELECT FROM identities i WHERE i.external_id = address AND i.workspace_id = u.workspace_id
      AND i.user_id <> u.id)
$$;

-- Records the erasure of a contact. Must be called while the data of the contact is complete, because it
-- collects the terms to search for. A phone number or e-mail address that another user has is none of them,
-- because the search would find the data of that user. `direct`: the conversations with this contact alone.
CREATE OR REPLACE FUNCTION start_erasure(u users, direct uuid[]) RETURNS erasures LANGUAGE sql AS $$
  INSERT INTO erasures (workspace_id, user_id, conversations, deliveries, terms)
  SELECT u.workspace_id, u.id, direct, ARRAY(
      SELECT d.id FROM links l JOIN deliveries d ON d.link_id = l.id
        AND d.status IN ('queued', 'sending', 'uncertain')
      WHERE l.conversation_id = ANY (direct)),
    coalesce(array_agg(DISTINCT ltrim(term, '+')) FILTER (WHERE length(ltrim(term, '+')) > 2), '{}')
  FROM (
    SELECT unnest(ARRAY[external_id, handle]) AS term FROM identities WHERE user_id = u.id
    UNION ALL SELECT unnest(ARRAY[external_id, address]) FROM links WHERE conversation_id = ANY (direct)
    UNION ALL SELECT address FROM unnest(ARRAY[u.phone, u.email]) address
      WHERE CASE WHEN length(address) > 2 THEN NOT is_shared_address(u, address) END) x
  RETURNING *
$$;

-- Removes recipients with these addresses from the audiences of broadcasts.
CREATE OR REPLACE FUNCTION remove_audience_recipients(broadcast_ids uuid[], terms text[]) RETURNS void
  LANGUAGE sql AS $$
  UPDATE broadcasts b SET audience = jsonb_set(b.audience, '{recipients}', coalesce((
    SELECT jsonb_agg(r ORDER BY n) FROM jsonb_array_elements(b.audience->'recipients')
      WITH ORDINALITY AS x (r, n)
    WHERE NOT ltrim(r->>'address', '+') = ANY (terms)), '[]'))
  WHERE b.id = ANY (broadcast_ids) AND EXISTS (
    SELECT FROM jsonb_array_elements(b.audience->'recipients') r
    WHERE ltrim(r->>'address', '+') = ANY (terms))
$$;

-- Removes addresses from ended deliveries. Also cancels wanted removals of messages, because they need the
-- address.
CREATE OR REPLACE FUNCTION erase_deliveries(e erasures, chosen uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE deliveries SET external_chat_id = 'erased', error = redact_error(error, e.terms),
    removal = CASE removal WHEN 'wanted' THEN 'failed' ELSE removal END
  WHERE id = ANY (chosen) AND status NOT IN ('queued', 'sending', 'uncertain')
    AND external_chat_id <> 'erased'
$$;

-- The smallest id with this timestamp. Ids begin with their time, so the primary key finds old rows.
CREATE OR REPLACE FUNCTION uuid7_at(moment timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT rpad(lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Whether a message still has work and must not be purged. Deliveries of removed connections have no work,
-- except a send in progress.
CREATE OR REPLACE FUNCTION has_pending_work(m messages) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT m.status = 'scheduled'
    OR EXISTS (SELECT FROM deliveries d JOIN connections k ON k.id = d.connection_id
    WHERE d.message_id = m.id AND d.duty IS NOT NULL AND (k.deleted_at IS NULL OR d.status = 'sending'))
$$;
