-- Closes attempts and applies their parts, moves and changes, and releases their lanes, in one transaction. A
-- result whose fence is not the current one of the lane changes only its attempt, because another worker owns
-- the delivery. Results are task_results as JSON; `change` may have revision, given_up, removal, tries,
-- degradations and next_attempt_at; `chat` is the chat that a send to an address opened. Returns the released
-- lanes with more work. Waits for locks without a limit, because the response of a platform is stored nowhere
-- else and its delivery would soon become uncertain.
--
-- Locks: messages, media, connections, broadcasts, deliveries, parked_events, links, users, conversations, an
--   advisory lock.
-- Events: delivery.updated, delivery.failed, delivery.uncertain, message.updated, message.sent,
--   message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed,
--   user.status_changed, user.presence_changed, user.updated, user.opted_out, user.opted_in, message.deleted,
--   conversation.participant_added, user.created, conversation.created, conversation.updated,
--   conversation.status_changed, conversation.assigned, message.created, conversation.link_updated.
-- Arguments: results: (Omit<TaskResult, 'move'> & { move: DeliveryMoveRow | null })[]
-- Returns: string[]

-- The allowed move of this delivery. A delivery is not queued again if its message was deleted or its chat
-- was unlinked in the meantime.
CREATE OR REPLACE FUNCTION allowed_move(m delivery_move, delivery uuid, withdrawn boolean)
  RETURNS delivery_move LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(delivery, m.was, CASE WHEN withdrawn AND m.becomes = 'queued' THEN 'canceled'
      ELSE m.becomes END, m.attempt_count,
    m.revision, m.degradations, m.judged, m.error, m.resolution,
      CASE WHEN NOT (withdrawn AND m.becomes = 'queued') THEN m.next_attempt_at END,
    m.expires_at, m.at)::delivery_move
$$;

-- Applies the changes of edits, removals and lookups to deliveries that keep their status. Writes an event
-- only for visible changes: the revision that the platform shows, and degradations; not for the time of the
-- next attempt.
CREATE OR REPLACE FUNCTION apply_changes(done task_result[]) RETURNS void LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE deliveries d SET revision = coalesce((r.change->>'revision')::int, d.revision),
      wanted_revision = CASE WHEN d.wanted_revision <= (r.change->>'given_up')::int THEN d.revision
        ELSE d.wanted_revision END,
      removal = coalesce(r.change->>'removal', d.removal),
        change_tries = coalesce((r.change->>'tries')::int, d.change_tries),
      -- A lookup has no attempt. Its next time is ignored if a receipt or a user has resolved the delivery in
      -- the meantime.
      next_attempt_at = CASE WHEN r.attempt_id IS NOT NULL
        OR d.status = 'uncertain' THEN (r.change->>'next_attempt_at')::timestamptz END,
      updated_at = now(),
      -- A completed edit replaces the text and its degradations.
      degradations = CASE WHEN r.change ? 'degradations' THEN ARRAY(
        SELECT DISTINCT x FROM (SELECT jsonb_array_elements_text(r.change->'degradations') UNION ALL
          SELECT o FROM unnest(d.degradations) o
            WHERE NOT (r.change ? 'revision' AND (o = 'edit' OR o LIKE 'format.%'))) y (x))
        ELSE d.degradations END
    FROM unnest(done) r WHERE d.id = r.delivery_id AND r.change IS NOT NULL
    RETURNING d, r.change ? 'revision' OR coalesce(r.change->'degradations', '[]') <> '[]' AS shows
  )
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (c.d).workspace_id, 'delivery.updated', (c.d).conversation_id, delivery_record(c.d),
    json_build_object('previous', json_build_object('status', (c.d).status)) FROM changed c
  WHERE c.shows AND has_delivery_subscribers((c.d).workspace_id)
$$;

-- Locks the files that deliveries show, by id. Waits for a fetch that is ending right now.
CREATE OR REPLACE FUNCTION lock_files(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  SELECT 1 FROM media
  WHERE id IN (SELECT u.media_id FROM deliveries d JOIN media_uses u ON u.owner_id = d.message_id
    WHERE d.id = ANY (ids))
  ORDER BY id FOR NO KEY UPDATE
$$;

CREATE OR REPLACE FUNCTION settle_deliveries(results jsonb) RETURNS uuid[] LANGUAGE plpgsql
  SET lock_timeout = 0
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_material = off AS $$
DECLARE
  done task_result[] := ARRAY(SELECT r FROM jsonb_populate_recordset(NULL::task_result, results) r);
  owned task_result[];
  unlinked boolean[];
  lanes freed_lane[];
  moves delivery_move[];
  parts known_part[];
  moved uuid[] := '{}';
  requeued boolean;
  changed boolean;
  again boolean;
  opened boolean;
  without_files uuid[];
BEGIN
  -- The lanes, in the order of their ids. One statement releases them, since other transactions see the
  -- results at the same commit. A separate lock would write each row to the WAL once more.
  WITH released AS (
    UPDATE links l SET leased_until = CASE WHEN n.keep THEN l.leased_until END,
      last_outbound_at = CASE WHEN n.sent THEN now() ELSE l.last_outbound_at END
    FROM (SELECT r.link_id, r.fence, bool_or(r.keep IS NOT TRUE) IS FALSE AS keep,
      bool_or((r.move).becomes = 'sent' AND r.keep IS NOT TRUE) AS sent,
        array_agg(r::task_result) AS results
      FROM unnest(done) r GROUP BY r.link_id, r.fence ORDER BY r.link_id) n
    WHERE l.id = n.link_id AND l.fence = n.fence RETURNING n.results, l.removed_at IS NOT NULL AS unlinked
  )
  SELECT array_agg(r::task_result), array_agg(x.unlinked) INTO owned, unlinked
  FROM released x CROSS JOIN LATERAL unnest(x.results) r;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM unnest(done)) ORDER BY id FOR NO KEY UPDATE;
  UPDATE attempts a SET finished_at = clock_timestamp(), outcome = r.outcome, error = nullif(r.error, 'null')
  FROM unnest(done) r WHERE a.id = r.attempt_id;
  IF owned IS NULL THEN RETURN '{}'; END IF;
  done := owned;
  SELECT array_agg(allowed_move(r.move, r.delivery_id, d.removal IS NOT NULL OR r.unlinked))
    FILTER (WHERE (r.move).becomes IS NOT NULL),
    array_agg(ROW(r.link_id, d.connection_id)::freed_lane) FILTER (WHERE r.keep IS NOT TRUE),
    bool_or((r.move).becomes = 'queued'), bool_or(r.change IS NOT NULL),
    bool_or((r.move).next_attempt_at IS NOT NULL OR r.change IS NOT NULL), bool_or(r.chat IS NOT NULL),
    array_agg(r.delivery_id) FILTER (WHERE r.error->>'platform_code' = 'media_pending')
  INTO moves, lanes, requeued, changed, again, opened, without_files
  FROM ROWS FROM (unnest(owned), unnest(unlinked)) AS r (delivery_id, link_id, message_id, attempt_id, fence,
    outcome, error, parts,
    move, change, keep, chat, unlinked) JOIN deliveries d ON d.id = r.delivery_id;
  -- A file that was fetched while its message was being sent wakes no worker. Locked before the deliveries,
  -- as at the end of a fetch.
  IF without_files IS NOT NULL THEN PERFORM lock_files(without_files); END IF;
  IF opened THEN
    PERFORM assign_chat_id(r.link_id, r.chat) FROM unnest(done) r WHERE r.chat IS NOT NULL;
  END IF;
  SELECT array_agg(ROW(r.delivery_id, p.index, p.kind, p.status, p.external_id, p.thread)::known_part)
  INTO parts FROM unnest(done) r CROSS JOIN LATERAL unnest(r.parts) p;
  IF parts IS NOT NULL THEN
    PERFORM record_parts(parts);
    -- Partial sends continue after the parts that were written.
    IF requeued THEN
      UPDATE deliveries d SET resumed = true FROM unnest(done) r
      WHERE d.id = r.delivery_id AND (r.move).becomes = 'queued' AND r.parts <> '{}';
    END IF;
  END IF;
  IF moves IS NOT NULL THEN moved := apply_moves(moves); END IF;
  IF requeued THEN
    PERFORM stop_unsendable_deliveries(ARRAY(SELECT w.id FROM unnest(moves) w
        WHERE w.becomes = 'queued' AND w.id = ANY (moved)));
  END IF;
  IF without_files IS NOT NULL THEN PERFORM release_deliveries_after_media(without_files); END IF;
  IF changed THEN PERFORM apply_changes(done); END IF;
  IF again THEN
    PERFORM wake_connections(ARRAY[l.connection_id], r.again_at) FROM (
      SELECT x.link_id,
        coalesce((x.move).next_attempt_at, (x.change->>'next_attempt_at')::timestamptz) AS again_at
        FROM unnest(done) x) r
    JOIN links l ON l.id = r.link_id WHERE r.again_at IS NOT NULL;
  END IF;
  IF parts IS NOT NULL AND EXISTS (SELECT FROM parked_events WHERE waits) THEN
    PERFORM apply_parked_events(ARRAY(SELECT delivery_id FROM unnest(done)));
  END IF;
  RETURN ARRAY(SELECT f.link_id FROM unnest(lanes) f WHERE coalesce(
    (SELECT e.id FROM deliveries e WHERE e.connection_id = f.connection_id
      AND e.lane = f.link_id ORDER BY e.position LIMIT 1),
    (SELECT e.id FROM deliveries e WHERE e.connection_id = f.connection_id AND e.link_id = f.link_id
      AND e.duty IN ('edit', 'delete', 'lookup') LIMIT 1)) IS NOT NULL);
END $$;
