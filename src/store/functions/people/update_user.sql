-- Changes a user: {"workspace_id", "id", "patch", "kind": the required kind of the user, or absent, "cause"
-- of a change of consent}. Equal values change nothing.
--
-- Locks: users, messages, connections, broadcasts.
-- Events: user.opted_in, user.opted_out, delivery.updated, delivery.failed, delivery.uncertain,
--   message.updated, message.sent, message.delivered, message.read, message.failed, broadcast.canceled,
--   broadcast.completed, user.status_changed, user.presence_changed, user.updated.
-- Arguments: input: { workspace_id: string; id: string; patch: ChangeUserBody | ChangeMeBody; kind?:
--   'contact'; cause?: ConsentCause }
-- Returns: { record: UserRecord } | Refusal

-- Replaces the identities of a user. Returns whether they changed.
CREATE OR REPLACE FUNCTION replace_identities(u users, wanted jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := user_record(u);
BEGIN
  DELETE FROM identities o WHERE o.user_id = u.id AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(wanted) i
    WHERE i->>'platform' = o.platform AND i->>'external_id' = o.external_id);
  PERFORM add_identities(u, wanted);
  RETURN user_record(u)::jsonb <> before;
END $$;

-- Writes events for the consents of a contact that were granted or denied, compared with `before`.
CREATE OR REPLACE FUNCTION announce_consent(u users, before jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, data)
  SELECT u.workspace_id, CASE x.granted WHEN true THEN 'user.opted_in' ELSE 'user.opted_out' END,
    json_build_object('user_id', u.id, 'identities', (SELECT coalesce(json_agg(json_build_object(
      'platform', i.platform, 'external_id', i.external_id)), '[]') FROM identities i WHERE i.user_id = u.id),
      'categories', x.categories, 'source', 'api', 'keyword', NULL, 'at', wire_time(now()))
  FROM (SELECT value = 'granted' AS granted, json_agg(key ORDER BY key) AS categories
    FROM jsonb_each_text(u.consent)
    WHERE key IN ('marketing', 'notification') AND value IN ('granted', 'denied')
      AND value IS DISTINCT FROM before->>key GROUP BY 1) x
$$;

CREATE OR REPLACE FUNCTION update_user(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
  patch jsonb := input->'patch';
  asked jsonb;
BEGIN
  SELECT * INTO u FROM users WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF input->>'kind' <> u.kind THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  IF patch ? 'status' AND u.status NOT IN ('active', 'blocked') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', u.status));
  END IF;
  before := user_record(u);
  -- A chosen presence remains chosen even if a heartbeat had set the same value.
  IF patch ? 'presence' AND NOT u.presence_set THEN
    UPDATE users SET presence_set = true WHERE id = u.id RETURNING * INTO u;
  END IF;
  IF patch ? 'consent' THEN
    patch := patch || jsonb_build_object('consent', u.consent || (patch->'consent'));
  END IF;
  asked := patch - 'identities';
  IF NOT before @> (asked - 'profile_image')
    OR (patch ? 'profile_image' AND u.profile_image IS DISTINCT FROM patch->>'profile_image')
    OR asked->'metadata' <> u.metadata OR asked->'channel_priority' <> to_jsonb(u.channel_priority) THEN
    BEGIN
      UPDATE users SET username = coalesce(patch->>'username', username),
        display_name = coalesce(patch->>'display_name', display_name),
          email = coalesce(patch->>'email', email),
        profile_image = CASE WHEN patch ? 'profile_image' THEN patch->>'profile_image' ELSE profile_image END,
        status = coalesce(patch->>'status', status), presence = coalesce(patch->>'presence', presence),
        presence_set = presence_set OR patch ? 'presence',
        last_seen_at = CASE WHEN patch ? 'presence' THEN now() ELSE last_seen_at END,
        phone = CASE WHEN patch ? 'phone' THEN patch->>'phone' ELSE phone END,
        locale = CASE WHEN patch ? 'locale' THEN patch->>'locale' ELSE locale END,
        timezone = CASE WHEN patch ? 'timezone' THEN patch->>'timezone' ELSE timezone END,
        channel_priority = CASE WHEN patch ? 'channel_priority'
          THEN ARRAY(SELECT jsonb_array_elements_text(patch->'channel_priority')) ELSE channel_priority END,
        consent = coalesce(patch->'consent', consent), metadata = coalesce(patch->'metadata', metadata),
        updated_at = now()
      WHERE id = u.id RETURNING * INTO u;
    EXCEPTION WHEN unique_violation THEN
      PERFORM refuse_username(u.workspace_id, patch->>'username');
    END;
    PERFORM announce_consent(u, before->'consent');
    PERFORM record_consent(u, before->'consent', input->'cause');
    PERFORM block_queued_deliveries(u);
  END IF;
  IF patch ? 'identities' AND replace_identities(u, patch->'identities') THEN
    UPDATE users SET updated_at = now(),
      phone = CASE WHEN patch ? 'phone' THEN phone
        ELSE coalesce(phone, phone_of_identities(patch->'identities')) END
    WHERE id = u.id RETURNING * INTO u;
  END IF;
  PERFORM sync_opt_out(u);
  IF user_record(u)::jsonb <> before THEN PERFORM announce_user(u, before); END IF;
  RETURN json_build_object('record', user_record(u));
END $$;
