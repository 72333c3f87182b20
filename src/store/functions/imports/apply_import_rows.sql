-- Imports rows that have no result: [{"number", "contact", "match": {"field", "value"}} or {"number",
-- "problems"}]. A row that is refused fails without any effect. Returns the status of the import.
--
-- Locks: contact_imports, users, messages, connections, broadcasts.
-- Events: user.created, user.opted_in, user.opted_out, delivery.updated, delivery.failed,
--   delivery.uncertain, message.updated, message.sent, message.delivered, message.read, message.failed,
--   broadcast.canceled, broadcast.completed, user.status_changed, user.presence_changed, user.updated.
-- Arguments: entries: readonly ImportEntry[]
-- Returns: ContactImportStatus | null

-- Finds up to two contacts that a field identifies. ORDER BY selects the index of the field. Without it, and
-- without statistics of the table, an index that begins with the workspace costs the same, and its scan would
-- read all contacts.
CREATE OR REPLACE FUNCTION contacts_matching(workspace uuid, field text, value text) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF field = 'email' THEN
    RETURN QUERY SELECT x.id FROM (SELECT DISTINCT v FROM unnest(ARRAY[value, lower(value)]) v) w
      CROSS JOIN LATERAL (SELECT id FROM users WHERE workspace_id = workspace AND kind = 'contact'
        AND deleted_at IS NULL AND email <> '' AND email BETWEEN w.v AND w.v ORDER BY email LIMIT 2) x
      LIMIT 2;
  ELSIF field = 'phone' THEN
    RETURN QUERY SELECT id FROM users WHERE workspace_id = workspace AND kind = 'contact'
      AND deleted_at IS NULL AND phone BETWEEN value AND value ORDER BY phone LIMIT 2;
  ELSIF field = 'username' THEN
    RETURN QUERY SELECT id FROM users WHERE workspace_id = workspace AND kind = 'contact'
      AND deleted_at IS NULL AND username BETWEEN value AND value ORDER BY username LIMIT 2;
  ELSIF field LIKE 'address.%' THEN
    RETURN QUERY SELECT user_id FROM identities WHERE workspace_id = workspace
      AND platform = substr(field, 9) AND external_id = value;
  END IF;
END $$;

-- The changes that an import makes to an existing contact. Addresses and metadata are added to the existing
-- ones. A denied consent stays denied.
CREATE OR REPLACE FUNCTION import_patch(u users, given jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT given
    || CASE WHEN given ? 'metadata' THEN jsonb_build_object('metadata', u.metadata || (given->'metadata'))
      ELSE '{}' END
    || CASE WHEN given ? 'consent' THEN jsonb_build_object('consent', coalesce((
        SELECT jsonb_object_agg(key, value) FROM jsonb_each(given->'consent')
        WHERE u.consent->>key IS DISTINCT FROM 'denied'), '{}')) ELSE '{}' END
    || CASE WHEN given ? 'identities' THEN jsonb_build_object('identities', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('platform', i.platform, 'external_id', i.external_id,
          'handle', i.handle)), '[]') FROM identities i WHERE i.user_id = u.id)
        || (SELECT coalesce(jsonb_agg(g), '[]') FROM jsonb_array_elements(given->'identities') g
          WHERE NOT EXISTS (SELECT FROM identities i WHERE i.user_id = u.id
            AND i.platform = g->>'platform' AND i.external_id = g->>'external_id'))) ELSE '{}' END
$$;

-- Refuses metadata and addresses that exceed the limits of a contact.
CREATE OR REPLACE FUNCTION check_import_bounds(patch jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM jsonb_object_keys(coalesce(patch->'metadata', '{}'))) > 50
    OR octet_length((patch->'metadata')::text) > 4096
    OR jsonb_array_length(coalesce(patch->'identities', '[]')) > 50 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":50}');
  END IF;
END $$;

-- Updates an existing contact from a row.
CREATE OR REPLACE FUNCTION update_by_import(i contact_imports, contact uuid, given jsonb) RETURNS jsonb
  LANGUAGE plpgsql AS $$
DECLARE
  u users;
  patch jsonb;
  before jsonb;
  notes jsonb;
  after users;
BEGIN
  SELECT * INTO u FROM users WHERE id = contact AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF u.kind <> 'contact' THEN PERFORM refuse('{"problem":"not_a_contact"}'); END IF;
  IF i.mapping->>'existing' = 'skip' THEN
    RETURN jsonb_build_object('result', 'unchanged', 'user_id', u.id);
  END IF;
  before := user_record(u)::jsonb - 'updated_at';
  patch := import_patch(u, given);
  PERFORM check_import_bounds(patch);
  PERFORM update_user(jsonb_build_object('workspace_id', i.workspace_id, 'id', u.id, 'kind', 'contact',
    'patch', patch, 'cause', jsonb_build_object('source', 'import', 'actor_id', i.started_by)));
  SELECT * INTO after FROM users WHERE id = u.id;
  -- If an earlier row of this import created the contact, this update does not count as a later change, so an
  -- undo still removes the contact.
  UPDATE contact_import_rows SET user_updated_at = after.updated_at
  WHERE import_id = i.id AND user_id = u.id AND result = 'created' AND user_updated_at = u.updated_at;
  SELECT coalesce(jsonb_agg(jsonb_build_object('field', 'consent.' || key, 'code', 'consent_kept')), '[]')
  INTO notes FROM jsonb_each_text(given->'consent')
  WHERE u.consent->>key = 'denied' AND value <> 'denied';
  RETURN jsonb_build_object('user_id', u.id, 'problems', notes, 'result',
    CASE WHEN user_record(after)::jsonb - 'updated_at' = before THEN 'unchanged' ELSE 'updated' END);
END $$;

-- Imports one row. Returns the result to be stored.
CREATE OR REPLACE FUNCTION import_row(i contact_imports, entry jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  made uuid := uuid7();
  given jsonb := entry->'contact';
  fitting uuid[] := ARRAY(SELECT contacts_matching(i.workspace_id, entry->'match'->>'field',
    entry->'match'->>'value'));
BEGIN
  IF cardinality(fitting) > 1 THEN PERFORM refuse('{"problem":"several_contacts"}'); END IF;
  IF cardinality(fitting) = 1 THEN RETURN update_by_import(i, fitting[1], given); END IF;
  PERFORM create_contact(jsonb_build_object('display_name', entry->'name') || given || jsonb_build_object(
    'id', made, 'workspace_id', i.workspace_id,
    'cause', jsonb_build_object('source', 'import', 'actor_id', i.started_by)));
  RETURN (SELECT jsonb_build_object('result', 'created', 'user_id', id, 'user_updated_at', updated_at)
    FROM users WHERE id = made);
END $$;

-- Imports one row, or returns why it failed.
CREATE OR REPLACE FUNCTION try_import_row(i contact_imports, entry jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  reason text;
BEGIN
  IF entry ? 'problems' THEN
    RETURN jsonb_build_object('result', 'failed', 'problems', entry->'problems');
  END IF;
  RETURN import_row(i, entry);
EXCEPTION
  WHEN SQLSTATE 'TL001' THEN
    GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
    RETURN jsonb_build_object('result', 'failed', 'problems', jsonb_build_array(
      jsonb_strip_nulls(jsonb_build_object('field', NULL, 'code', reason::jsonb->'problem',
        'user_id', reason::jsonb->'id'))));
  WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
    RETURN '{"result":"failed","problems":[{"code":"not_storable"}]}';
END $$;

CREATE OR REPLACE FUNCTION apply_import_rows(import uuid, entries jsonb) RETURNS text LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  i contact_imports;
  entry jsonb;
  outcome jsonb;
BEGIN
  SELECT * INTO i FROM contact_imports WHERE id = import FOR NO KEY UPDATE;
  IF i.status IS DISTINCT FROM 'running' THEN RETURN i.status; END IF;
  FOR entry IN SELECT e FROM jsonb_array_elements(entries) AS e
    JOIN contact_import_rows r ON r.import_id = import AND r.number = (e->>'number')::int
    WHERE r.result IS NULL ORDER BY r.number
  LOOP
    outcome := try_import_row(i, entry);
    UPDATE contact_import_rows SET result = outcome->>'result', user_id = (outcome->>'user_id')::uuid,
      user_updated_at = (outcome->>'user_updated_at')::timestamptz,
      problems = coalesce(outcome->'problems', '[]')
    WHERE import_id = import AND number = (entry->>'number')::int;
    i.created := i.created + (outcome->>'result' = 'created')::int;
    i.updated := i.updated + (outcome->>'result' = 'updated')::int;
    i.unchanged := i.unchanged + (outcome->>'result' = 'unchanged')::int;
    i.failed := i.failed + (outcome->>'result' = 'failed')::int;
  END LOOP;
  IF NOT EXISTS (SELECT FROM contact_import_rows WHERE import_id = import AND result IS NULL) THEN
    i.status := 'completed';
  END IF;
  UPDATE contact_imports SET created = i.created, updated = i.updated, unchanged = i.unchanged,
    failed = i.failed, status = i.status, look_at = now() + interval '15 s',
    completed_at = CASE WHEN i.status = 'completed' THEN now() END,
    leased_until = CASE i.status WHEN 'completed' THEN '-infinity' ELSE now() + interval '15 s' END
  WHERE id = import;
  RETURN i.status;
END $$;
