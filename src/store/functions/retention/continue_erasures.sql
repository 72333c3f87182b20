-- Processes one batch of the scan that was continued longest ago. Returns false if there is nothing to do
-- now. Only one process at a time does this.
--
-- Returns: boolean

-- Reduces the data of an event to its ids, as for events that are too long. Platform addresses do not count
-- as ids here.
CREATE OR REPLACE FUNCTION reduce_to_ids(data json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_object_agg(k, v) FROM (
    SELECT k, v FROM json_each(data) AS x (k, v) WHERE k = 'id' OR k LIKE '%\_id' AND k NOT LIKE 'external%'
    UNION ALL SELECT 'truncated', 'true') ids
$$;

-- Starts a scan in each workspace with contacts to erase and no running scan. An erasure waits while a
-- delivery to the contact is in progress or a pending envelope names the contact. It is checked again after
-- a minute.
CREATE OR REPLACE FUNCTION start_erasure_scans() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  e erasures;
BEGIN
  FOR e IN SELECT x.* FROM erasures x WHERE NOT x.scanned AND x.look_at <= now()
    AND NOT EXISTS (SELECT FROM erasure_scans s WHERE s.workspace_id = x.workspace_id) ORDER BY x.id LIMIT 200
  LOOP
    PERFORM erase_deliveries(e, e.deliveries);
    DELETE FROM remote_messages
    WHERE message_id IN (SELECT message_id FROM deliveries WHERE id = ANY (e.deliveries));
    IF EXISTS (SELECT FROM deliveries WHERE id = ANY (e.deliveries)
      AND status IN ('queued', 'sending', 'uncertain'))
      OR EXISTS (SELECT FROM envelopes v WHERE v.status = 'pending' AND v.received_at <= e.created_at
        AND v.workspace_id = e.workspace_id
        AND contains_any_term(concat_ws(' ', v.payload, v.context, v.lane), e.terms))
    THEN UPDATE erasures SET look_at = now() + interval '1 minute' WHERE id = e.id;
    ELSE
      UPDATE erasures SET scanned = true WHERE id = e.id;
      INSERT INTO erasure_scans (workspace_id) VALUES (e.workspace_id) ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
END $$;

-- The names and addresses of the contacts in a scan.
CREATE OR REPLACE FUNCTION scanned_terms(workspace uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT DISTINCT unnest(terms) FROM erasures WHERE workspace_id = workspace AND scanned)
$$;

-- Clears envelopes that name an erased contact. Reads envelopes by connection and deduplication key, which
-- have an index.
CREATE OR REPLACE FUNCTION scan_envelopes(s erasure_scans, batch_size int) RETURNS erasure_scans
  LANGUAGE plpgsql AS $$
DECLARE
  terms text[] := scanned_terms(s.workspace_id);
  last text;
  next uuid;
BEGIN
  WITH batch AS MATERIALIZED (
    SELECT id, dedupe_key, status, concat_ws(' ', payload, context, lane, error) AS content FROM envelopes
    WHERE connection_id = s.connection_id AND dedupe_key > s.dedupe_key ORDER BY dedupe_key LIMIT batch_size
  ), cleared AS (
    UPDATE envelopes v SET payload = 'null', context = '{}', lane = 'erased',
      error = CASE WHEN v.error IS NOT NULL THEN 'Erased.' END FROM batch p
    WHERE v.id = p.id AND p.status <> 'pending' AND contains_any_term(p.content, terms) AND EXISTS (
      SELECT FROM erasures e WHERE e.workspace_id = s.workspace_id AND e.scanned AND p.id < e.id
        AND contains_any_term(p.content, e.terms))
  ) SELECT max(dedupe_key) INTO last FROM batch;
  IF last IS NOT NULL THEN
    s.dedupe_key := last;
    RETURN s;
  END IF;
  SELECT id INTO next FROM connections WHERE workspace_id = s.workspace_id AND id > s.connection_id
  ORDER BY id LIMIT 1;
  IF next IS NULL THEN s.stage := 'broadcasts';
  ELSE
    s.connection_id := next;
    s.dedupe_key := '';
  END IF;
  RETURN s;
END $$;

-- Removes erased contacts from audiences that list addresses, and clears their recipients that were frozen
-- during the erasure.
CREATE OR REPLACE FUNCTION scan_broadcasts(s erasure_scans) RETURNS erasure_scans LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid[] := ARRAY(SELECT id FROM broadcasts WHERE workspace_id = s.workspace_id AND id > s.broadcast_id
    AND created_at <= (SELECT max(created_at) FROM erasures WHERE workspace_id = s.workspace_id AND scanned)
      ORDER BY id LIMIT 20);
BEGIN
  PERFORM remove_audience_recipients(chosen, scanned_terms(s.workspace_id));
  UPDATE broadcast_recipients SET address = NULL, variables = '{}' WHERE broadcast_id = ANY (chosen)
    AND user_id IN (SELECT user_id FROM erasures WHERE workspace_id = s.workspace_id AND scanned)
    AND address IS NOT NULL;
  s.broadcast_id := coalesce(chosen[cardinality(chosen)], s.broadcast_id);
  IF cardinality(chosen) = 0 THEN s.stage := 'events'; END IF;
  RETURN s;
END $$;

-- Reduces events that are about contacts or name them to their ids. Replaces the sender name in events of
-- their messages in groups. Events of open transactions wait for the next batch.
CREATE OR REPLACE FUNCTION scan_events(s erasure_scans, batch_size int) RETURNS erasure_scans
  LANGUAGE plpgsql AS $$
DECLARE
  terms text[] := scanned_terms(s.workspace_id);
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  last record;
BEGIN
  WITH batch AS MATERIALIZED (
    SELECT position, xid, type, conversation_id, occurred_at, data, extra FROM events
    WHERE workspace_id = s.workspace_id AND (xid, position) > (s.event_xid, s.event_position)
      AND xid < least(s.until, ended)
    ORDER BY xid, position LIMIT batch_size
  ), judged AS MATERIALIZED (
    SELECT p.*, h.cut, h.called FROM batch p
    CROSS JOIN LATERAL (SELECT contains_any_term(concat_ws(' ', p.data, p.extra), terms) AS named OFFSET 0) n
    CROSS JOIN LATERAL (
      SELECT bool_or(is_event_about_contact(p.type, p.conversation_id, p.data, e)
          OR n.named AND (p.occurred_at <= e.created_at OR p.conversation_id = ANY (e.conversations))
            AND contains_any_term(concat_ws(' ', p.data, p.extra), e.terms)) AS cut,
        max(u.display_name) FILTER (WHERE p.extra->'sender'->>'id' = e.user_id::text) AS called
      FROM erasures e JOIN users u ON u.id = e.user_id WHERE e.workspace_id = s.workspace_id AND e.scanned) h
    WHERE p.type NOT IN ('user.deleted', 'user.merged') AND (h.cut OR h.called IS NOT NULL)
  ), cleared AS (
    UPDATE events v SET data = CASE WHEN j.cut THEN reduce_to_ids(j.data) ELSE j.data END,
      extra = CASE WHEN NOT j.cut THEN jsonb_set(j.extra::jsonb, '{sender,display_name}', to_jsonb(j.called))
        END
    FROM judged j WHERE v.position = j.position
  ) SELECT xid, position INTO last FROM batch ORDER BY xid DESC, position DESC LIMIT 1;
  IF last.xid IS NOT NULL THEN
    s.event_xid := last.xid;
    s.event_position := last.position;
  ELSIF ended >= s.until THEN
    s.stage := 'locations';
  END IF;
  RETURN s;
END $$;

-- Whether an event is about a contact, or about a conversation with this contact alone.
CREATE OR REPLACE FUNCTION is_event_about_contact(type text, conversation uuid, data json, e erasures)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE split_part(type, '.', 1)
    WHEN 'user' THEN e.user_id::text IN (data->>'id', data->>'user_id')
    WHEN 'location' THEN data->>'user_id' = e.user_id::text
    WHEN 'tracking' THEN data->>'user_id' = e.user_id::text
    WHEN 'conversation' THEN conversation = ANY (e.conversations)
    ELSE false END
$$;

-- Deletes up to `batch_size` locations of erased contacts. Continues with rows of imports when no locations
-- are left.
CREATE OR REPLACE FUNCTION scan_locations(s erasure_scans, batch_size int) RETURNS erasure_scans
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM locations WHERE id IN (SELECT l.id FROM erasures e JOIN locations l ON l.user_id = e.user_id
    WHERE e.workspace_id = s.workspace_id AND e.scanned LIMIT batch_size);
  IF NOT FOUND THEN s.stage := 'imports'; END IF;
  RETURN s;
END $$;

-- Whether the cells of a row contain one of these lower-case terms, in any letter case. Phone numbers match
-- with any spaces and punctuation.
CREATE OR REPLACE FUNCTION cells_contain_any_term(cells text[], terms text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE AS $$
  SELECT contains_any_term(lower(array_to_string(cells, ' ')) || ' ' || coalesce((
    SELECT string_agg(regexp_replace(cell, '[^0-9]', '', 'g'), ' ') FROM unnest(cells) AS cell), ''), terms)
$$;

-- Clears failed rows of imports that name an erased contact. Other rows are found by the id of their
-- contact.
CREATE OR REPLACE FUNCTION scan_import_rows(s erasure_scans, batch_size int) RETURNS erasure_scans
  LANGUAGE plpgsql AS $$
DECLARE
  terms text[] := ARRAY(SELECT lower(term) FROM unnest(scanned_terms(s.workspace_id)) AS term);
  last record;
BEGIN
  WITH batch AS MATERIALIZED (
    SELECT r.import_id, r.number, r.cells FROM contact_imports i
    JOIN contact_import_rows r ON r.import_id = i.id AND r.result = 'failed'
    WHERE i.workspace_id = s.workspace_id AND (r.import_id, r.number) > (s.import_id, s.import_row)
      AND i.created_at <= (SELECT max(created_at) FROM erasures
        WHERE workspace_id = s.workspace_id AND scanned)
    ORDER BY r.import_id, r.number LIMIT batch_size
  ), cleared AS (
    UPDATE contact_import_rows r SET cells = NULL FROM batch p
    WHERE r.import_id = p.import_id AND r.number = p.number AND cells_contain_any_term(p.cells, terms)
  ) SELECT import_id, number INTO last FROM batch ORDER BY import_id DESC, number DESC LIMIT 1;
  IF last.import_id IS NULL THEN s.stage := 'answers';
  ELSE
    s.import_id := last.import_id;
    s.import_row := last.number;
  END IF;
  RETURN s;
END $$;

-- Deletes up to `batch_size` excerpts of webhook responses, because they may quote any event in any form.
-- Ends the scan when no more are left. Later responses are to events that no longer name an erased contact.
CREATE OR REPLACE FUNCTION scan_answers(s erasure_scans, batch_size int) RETURNS erasure_scans
  LANGUAGE plpgsql AS $$
DECLARE
  deleted int;
BEGIN
  DELETE FROM webhook_answers WHERE workspace_id = s.workspace_id AND (delivery_id, at) IN (
    SELECT delivery_id, at FROM webhook_answers WHERE workspace_id = s.workspace_id
    ORDER BY delivery_id, at LIMIT batch_size);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted < batch_size THEN s.stage := 'done'; END IF;
  RETURN s;
END $$;

CREATE OR REPLACE FUNCTION continue_erasures(batch_size int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  s erasure_scans;
  before erasure_scans;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('erasures', 0)) THEN RETURN false; END IF;
  PERFORM start_erasure_scans();
  SELECT * INTO s FROM erasure_scans ORDER BY continued_at LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  before := s;
  s := CASE s.stage WHEN 'envelopes' THEN scan_envelopes(s, batch_size)
    WHEN 'broadcasts' THEN scan_broadcasts(s)
    WHEN 'events' THEN scan_events(s, batch_size) WHEN 'locations' THEN scan_locations(s, batch_size)
    WHEN 'imports' THEN scan_import_rows(s, batch_size)
    ELSE scan_answers(s, batch_size) END;
  IF s.stage = 'done' THEN
    DELETE FROM erasures WHERE workspace_id = s.workspace_id AND scanned;
    DELETE FROM erasure_scans WHERE workspace_id = s.workspace_id;
    RETURN true;
  END IF;
  UPDATE erasure_scans SET stage = s.stage, connection_id = s.connection_id, dedupe_key = s.dedupe_key,
    broadcast_id = s.broadcast_id, event_xid = s.event_xid, event_position = s.event_position,
      import_id = s.import_id, import_row = s.import_row, continued_at = clock_timestamp()
  WHERE workspace_id = s.workspace_id;
  RETURN s IS DISTINCT FROM before OR s.stage <> 'events';
END $$;
