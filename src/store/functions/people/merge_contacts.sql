-- Merges a contact into another one (POST users/{id}/merge): {"workspace_id", "id", "source_id", "claim"}.
-- The source is deleted afterwards.
--
-- Locks: users, conversations, messages, calls, connections, broadcasts.
-- Events: user.merged, user.status_changed, call.participant_left, delivery.updated, delivery.failed,
--   delivery.uncertain, message.updated, message.sent, message.delivered, message.read, message.failed,
--   broadcast.canceled, broadcast.completed.
-- Arguments: input: { workspace_id: string; id: string; source_id: string; claim?: ClaimKey; cause?:
--   ConsentCause }
-- Returns: { record: UserRecord } | Refusal

-- A denial of either contact takes precedence, then a grant of either.
CREATE OR REPLACE FUNCTION strictest_consent(one jsonb, other jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(k, CASE WHEN 'denied' IN (one->>k, other->>k) THEN 'denied'
    WHEN 'granted' IN (one->>k, other->>k) THEN 'granted' ELSE 'unknown' END)
  FROM unnest(ARRAY['marketing', 'notification', 'tracking']) AS k
$$;

-- Moves conversations, messages, reactions and read receipts of one contact to another.
CREATE OR REPLACE FUNCTION move_conversations(source uuid, target uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT conversation_id FROM participants WHERE user_id = source);
BEGIN
  PERFORM 1 FROM conversations WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE conversations SET created_by = target WHERE id = ANY (ids) AND created_by = source;
  PERFORM 1 FROM messages WHERE conversation_id = ANY (ids) AND sender_id = source ORDER BY id
  FOR NO KEY UPDATE;
  UPDATE messages SET sender_id = target WHERE conversation_id = ANY (ids) AND sender_id = source;
  UPDATE participants t SET joined_at = least(t.joined_at, s.joined_at),
    last_read_at = greatest(t.last_read_at, s.last_read_at),
    left_at = CASE WHEN t.left_at IS NOT NULL
      AND s.left_at IS NOT NULL THEN greatest(t.left_at, s.left_at) END
  FROM participants s WHERE s.user_id = source AND t.user_id = target
    AND t.conversation_id = s.conversation_id;
  DELETE FROM participants s WHERE s.user_id = source AND EXISTS (
    SELECT 1 FROM participants t WHERE t.user_id = target AND t.conversation_id = s.conversation_id);
  UPDATE participants SET user_id = target WHERE user_id = source;
  PERFORM move_call_participants(ids, source, target);
  UPDATE reactions r SET user_id = target FROM messages m
  WHERE r.message_id = m.id AND r.user_id = source AND m.conversation_id = ANY (ids)
    AND NOT EXISTS (SELECT FROM reactions o WHERE o.message_id = r.message_id AND o.emoji = r.emoji
      AND o.user_id = target);
  DELETE FROM reactions r USING messages m WHERE r.message_id = m.id AND r.user_id = source
    AND m.conversation_id = ANY (ids);
  INSERT INTO read_receipts (message_id, user_id, workspace_id, read_at, platform, conversation_id,
    written_at, counted)
  SELECT r.message_id, target, r.workspace_id, r.read_at, r.platform, r.conversation_id,
    r.written_at, r.counted
  FROM messages m JOIN read_receipts r ON r.message_id = m.id AND r.user_id = source
  WHERE m.conversation_id = ANY (ids)
  ON CONFLICT DO NOTHING;
  DELETE FROM read_receipts r USING messages m
  WHERE r.message_id = m.id AND r.user_id = source AND m.conversation_id = ANY (ids);
  -- A receipt of one contact for a message of the other is now a receipt of the sender, so it does not
  -- count.
  UPDATE read_receipts r SET counted = false FROM messages m
  WHERE r.user_id = target AND r.conversation_id = ANY (ids) AND r.counted AND m.id = r.message_id
    AND m.sender_id = target;
END $$;

-- Replaces an id in a list with another one, without duplicates.
CREATE OR REPLACE FUNCTION replace_id(list jsonb, old_id uuid, new_id uuid) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_agg(id ORDER BY n) FROM (
    SELECT id, min(n) AS n FROM (SELECT CASE id WHEN old_id::text THEN new_id::text ELSE id END AS id, n
      FROM jsonb_array_elements_text(list) WITH ORDINALITY AS x (id, n)) moved GROUP BY id) once
$$;

-- Replaces the source with the target as a recipient of broadcasts, without duplicates. If the source is
-- excluded from a broadcast, the target is excluded.
CREATE OR REPLACE FUNCTION move_audiences(source users, target users) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE broadcast_recipients r SET user_id = target.id FROM broadcasts b
  WHERE b.workspace_id = source.workspace_id AND r.broadcast_id = b.id AND r.user_id = source.id
    AND NOT EXISTS (
    SELECT 1 FROM broadcast_recipients o WHERE o.broadcast_id = b.id AND o.user_id = target.id);
  UPDATE broadcast_recipients r SET address = NULL, variables = '{}' FROM broadcasts b
  WHERE b.workspace_id = source.workspace_id AND r.broadcast_id = b.id AND r.user_id = source.id;
  UPDATE broadcasts
  SET audience = jsonb_set(audience, '{user_ids}', replace_id(audience->'user_ids', source.id, target.id))
  WHERE workspace_id = source.workspace_id AND status IN ('draft', 'scheduled', 'preparing')
    AND audience->'user_ids' ? source.id::text;
  UPDATE broadcasts SET audience = jsonb_set(audience, '{exclude,user_ids}',
    replace_id(audience->'exclude'->'user_ids', source.id, target.id))
  WHERE workspace_id = source.workspace_id AND status IN ('draft', 'scheduled', 'preparing')
    AND audience->'exclude'->'user_ids' ? source.id::text;
  PERFORM move_memberships(source.id, target.id);
END $$;

-- Moves the segment memberships of the source to the target, without duplicates.
CREATE OR REPLACE FUNCTION move_memberships(source uuid, target uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE segment_members m SET user_id = target WHERE user_id = source AND NOT EXISTS (
    SELECT 1 FROM segment_members o WHERE o.segment_id = m.segment_id AND o.user_id = target);
  PERFORM remove_from_segments(source);
END $$;

-- Replaces a merged contact in live calls, without duplicates. Locks the calls by id. The caller holds the
-- locks of the conversations.
CREATE OR REPLACE FUNCTION move_call_participants(conversations uuid[], source uuid, target uuid)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  FOR c IN SELECT k.* FROM calls k WHERE k.conversation_id = ANY (conversations)
    AND k.status IN ('initiated', 'ringing', 'active')
    AND EXISTS (SELECT FROM call_participants p WHERE p.call_id = k.id AND p.user_id = source) ORDER BY k.id
      FOR NO KEY UPDATE
  LOOP
    IF EXISTS (SELECT FROM call_participants WHERE call_id = c.id AND user_id = target) THEN
      PERFORM remove_from_live_call(c.conversation_id, source);
    ELSE
      UPDATE call_participants SET user_id = target WHERE call_id = c.id AND user_id = source;
      UPDATE calls SET updated_at = now() WHERE id = c.id;
      PERFORM schedule_call_deadline(c.id);
      PERFORM pg_notify('credentials', source::text);
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION merge_contacts(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  s users;
  former text;
  consented jsonb;
BEGIN
  PERFORM 1 FROM users WHERE id IN ((input->>'id')::uuid, (input->>'source_id')::uuid) ORDER BY id
  FOR NO KEY UPDATE;
  SELECT * INTO u FROM users WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND deleted_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  SELECT * INTO s FROM users WHERE id = (input->>'source_id')::uuid AND workspace_id = u.workspace_id
    AND deleted_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"source_id"}'); END IF;
  IF u.kind <> 'contact' OR s.kind <> 'contact' THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  IF (SELECT count(*) FROM identities WHERE user_id IN (u.id, s.id)) > 50 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":50}');
  END IF;
  former := u.status;
  consented := u.consent;
  UPDATE consent_changes SET user_id = u.id WHERE user_id = s.id;
  UPDATE identities SET user_id = u.id WHERE user_id = s.id;
  PERFORM move_conversations(s.id, u.id);
  PERFORM move_audiences(s, u);
  UPDATE users SET phone = coalesce(phone, s.phone), email = coalesce(nullif(email, ''), s.email),
    locale = coalesce(locale, s.locale), timezone = coalesce(timezone, s.timezone),
    status = CASE WHEN s.status = 'blocked' THEN s.status ELSE status END WHERE id = u.id;
  -- The identities of the source belong to the target now, so the erasure does not search for them. It
  -- removes a phone number and an e-mail address that the target did not take.
  PERFORM start_erasure(s, '{}');
  PERFORM erase_user(s);
  UPDATE users SET consent = strictest_consent(u.consent, s.consent),
    stopped_at = greatest(u.stopped_at, s.stopped_at),
    stopped_as = CASE WHEN u.stopped_at IS NULL THEN s.stopped_as ELSE u.stopped_as END,
    marketed_at = u.marketed_at || s.marketed_at,
    updated_at = now() WHERE id = u.id RETURNING * INTO u;
  PERFORM sync_opt_out(u);
  PERFORM record_consent(u, consented, input->'cause');
  PERFORM block_queued_deliveries(u);
  INSERT INTO events (workspace_id, type, data)
  VALUES (u.workspace_id, 'user.merged', json_build_object('id', u.id, 'merged_id', s.id));
  IF u.status <> former THEN
    INSERT INTO events (workspace_id, type, data, extra)
    VALUES (u.workspace_id, 'user.status_changed', user_record(u),
      json_build_object('previous', json_build_object('status', former)));
  END IF;
  PERFORM complete_claim(input->'claim', 200, user_record(u));
  RETURN json_build_object('record', user_record(u));
END $$;
