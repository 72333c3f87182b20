-- Helpers for broadcasts. Each step of a broadcast is one transaction that leaves an outbox job for the next
-- one, so that it continues wherever it was interrupted. Locks are taken in this order: recipients to be
-- sent, contacts, conversations, messages, deliveries, recipients that follow them, broadcast.

-- The field of a broadcast's counts that a recipient's status belongs to.
CREATE OR REPLACE FUNCTION counted_as(status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status IN ('queued', 'sending') THEN 'pending' ELSE status END
$$;

-- Adds the job that continues a broadcast, for `at` or for now.
CREATE OR REPLACE FUNCTION queue_broadcast(broadcast uuid, at timestamptz DEFAULT NULL) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at)
  VALUES ('broadcast', jsonb_build_object('broadcast_id', broadcast), at)
$$;

-- Tells of a broadcast, and of what it was before; null: it is new.
CREATE OR REPLACE FUNCTION announce_broadcast(b broadcasts, type text, former jsonb) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, data, extra) SELECT b.workspace_id, type, broadcast_record(b),
    CASE WHEN former IS NOT NULL THEN json_build_object('previous', former) END
      WHERE events_heard(b.workspace_id)
$$;

-- The names in {{ }} of a text, in order, and the pieces around them: one piece more than names.
CREATE OR REPLACE FUNCTION placeholder_names(text text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT m[1] FROM regexp_matches(text, '\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}', 'g') m)
$$;

-- The values for one recipient, the more particular ones first.
CREATE OR REPLACE FUNCTION recipient_values(own jsonb, shared jsonb, u users) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object('user.display_name', u.display_name, 'user.username', u.username)
    || jsonb_strip_nulls(shared) || jsonb_strip_nulls(own)
$$;

-- A replaced value is never looked at again: what a recipient is called can't name another variable.
CREATE OR REPLACE FUNCTION render_pieces(pieces text[], names text[], vars jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(x.piece || coalesce(vars->>x.name, ''), '' ORDER BY x.n)
  FROM unnest(pieces, names) WITH ORDINALITY AS x (piece, name, n)
$$;

-- The wall clock time at which each recipient gets a broadcast with local times: schedule.local_time, or what
-- the clocks of UTC show at schedule.at.
CREATE OR REPLACE FUNCTION wall_clock(schedule jsonb) RETURNS timestamp LANGUAGE sql STABLE AS $$
  SELECT coalesce((schedule->>'local_time')::timestamp, (schedule->>'at')::timestamptz AT TIME ZONE 'UTC')
$$;

-- A template may have attachments alone; a broadcast that takes its own instead must not be left with nothing
-- to say.
CREATE OR REPLACE FUNCTION refuse_empty(b broadcasts, sent jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM broadcast_contents(b) t WHERE t.names = '{}' AND t.pieces[1] !~ '\S'
    AND t.attachments = '[]') THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', CASE
          WHEN jsonb_array_length(sent->'variants') > 0 THEN 'variants'
      WHEN sent ? 'attachments' THEN 'attachments' ELSE 'template_id' END, 'code', 'required'));
  END IF;
END $$;

-- Whether an audience is decided by filters, its own or those of segments.
CREATE OR REPLACE FUNCTION has_filters(b broadcasts) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN b.audience->>'filter' IS NOT NULL
    OR EXISTS (SELECT FROM segments s WHERE s.workspace_id = b.workspace_id AND s.kind = 'filter'
    AND s.id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid
      UNION ALL SELECT jsonb_array_elements_text(b.audience->'exclude'->'segment_ids')::uuid));
END $$;

-- When a broadcast is due. With schedule.local_time: when the first zone of its audience shows that time. The
-- filters are not evaluated here. Where there are some, the zones of all users count, and a time that is past
-- counts only if no other lies ahead; the job that prepares the broadcast evaluates them and corrects the
-- time.
CREATE OR REPLACE FUNCTION due_time(b broadcasts) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  span record;
BEGIN
  IF b.schedule->>'local_time' IS NULL THEN RETURN (b.schedule->>'at')::timestamptz; END IF;
  SELECT * INTO span FROM local_span(b, NULL);
  RETURN CASE WHEN has_filters(b) THEN coalesce(span.upcoming, span.earliest) ELSE span.earliest END;
END $$;

-- A local time must lie ahead in some zone of the audience, as far as a time may be past, and before the end
-- of the schedule.
CREATE OR REPLACE FUNCTION refuse_past_clock(b broadcasts) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  span record;
BEGIN
  IF b.schedule->>'local_time' IS NULL THEN RETURN; END IF;
  SELECT * INTO span FROM local_span(b, NULL);
  IF span.latest < now() - interval '60 seconds' THEN
    PERFORM refuse('{"problem":"invalid","field":"schedule.local_time","code":"too_small"}');
  ELSIF (b.schedule->>'expires_at')::timestamptz <= span.earliest THEN
    PERFORM refuse('{"problem":"invalid","field":"schedule.expires_at","code":"too_small"}');
  END IF;
END $$;

-- Locks a broadcast of the workspace and returns it. Refuses one that does not exist.
CREATE OR REPLACE FUNCTION lock_broadcast(input jsonb) RETURNS broadcasts LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN b;
END $$;

-- Whether somebody got as much marketing of late as the cap allows.
CREATE OR REPLACE FUNCTION is_capped(u users, b broadcasts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT b.cap IS NOT NULL AND b.category = 'marketing' AND (b.cap->>'count')::int <= (
    SELECT count(*) FROM unnest(u.marketed_at) t
    WHERE t > now() - make_interval(secs => (b.cap->>'seconds')::int))
$$;

-- Whom an audience leaves out.
CREATE OR REPLACE FUNCTION left_out(b broadcasts, filtered found_audience) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT jsonb_array_elements_text(b.audience->'exclude'->'user_ids')::uuid
  UNION SELECT unnest(filtered.excluded_users)
  UNION SELECT m.user_id FROM segment_members m
  WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'exclude'->'segment_ids')::uuid)
    AND m.workspace_id = b.workspace_id;
END $$;

-- When the first and the last zone of an audience show the wall clock time of the schedule, and the first of
-- those that lie ahead. An audience that is empty by now has the zone of UTC.
CREATE OR REPLACE FUNCTION local_span(b broadcasts, filtered found_audience)
  RETURNS TABLE (earliest timestamptz, latest timestamptz, upcoming timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.at), shown AT TIME ZONE 'UTC'), coalesce(max(t.at), shown AT TIME ZONE 'UTC'),
    min(t.at) FILTER (WHERE t.at > now())
  FROM (SELECT wall_clock(b.schedule) AS shown) c
  LEFT JOIN LATERAL (SELECT shown AT TIME ZONE known_zone(z) AS at FROM audience_zones(b, filtered) z) t
    ON true GROUP BY shown
$$;

-- Whether fewer than `most` broadcasts of the workspace are being sent. Holds for this transaction.
CREATE OR REPLACE FUNCTION has_turn(b broadcasts, most int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('broadcasts ' || b.workspace_id, 0));
  RETURN (SELECT count(*) FROM broadcasts WHERE workspace_id = b.workspace_id AND status = 'sending') < most;
END $$;

-- When the last recipient will be on their way, as far as the throttle and local times decide it, or its time
-- is over.
CREATE OR REPLACE FUNCTION expected_end(b broadcasts) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(e.last_at, CASE WHEN e.last_at IS NOT NULL THEN (b.schedule->>'expires_at')::timestamptz END)
  FROM (
    SELECT greatest(now() + b.waiting / (b.throttle->>'per_minute')::numeric * interval '1 minute',
      CASE WHEN b.local THEN (
        SELECT max(r.due_at) FROM broadcast_recipients r
              WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL) END) AS last_at) e
$$;

-- The quiet hours from the day before a time to a week after it. Days are those on which they begin, 0 is
-- Sunday; none named means all. A day is what a calendar on the wall of the zone shows: without a zone of its
-- own until it is read there.
CREATE OR REPLACE FUNCTION quiet_times(schedule jsonb, at timestamptz)
  RETURNS TABLE (begins timestamptz, ends timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT (day + (q->>'from')::time) AT TIME ZONE zone,
    (day + (q->>'to')::time + CASE WHEN q->>'to' <= q->>'from' THEN interval '1 day'
        ELSE interval '0' END) AT TIME ZONE zone
  FROM (SELECT schedule->'quiet_hours' AS q,
    known_zone(coalesce(schedule->'quiet_hours'->>'timezone', 'UTC')) AS zone) s,
    generate_series(((at AT TIME ZONE zone)::date - 1)::timestamp,
      ((at AT TIME ZONE zone)::date + 7)::timestamp, interval '1 day') AS day
  WHERE jsonb_typeof(q) = 'object' AND q->>'from' IS NOT NULL AND q->>'to' IS NOT NULL
    AND (jsonb_array_length(coalesce(nullif(q->'days', 'null'), '[]')) = 0
      OR q->'days' @> to_jsonb(extract(dow FROM day)::int))
$$;

-- When quiet hours end, if it is quiet then.
CREATE OR REPLACE FUNCTION quiet_until(schedule jsonb, at timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN jsonb_typeof(schedule->'quiet_hours') = 'object' THEN (
    SELECT min(q.ends) FROM quiet_times(schedule, at) q WHERE at >= q.begins AND at < q.ends) END
$$;

-- A job for the beginning of the next quiet hours: what is queued then is held back, whoever still waits.
CREATE OR REPLACE FUNCTION remind_of_quiet(b broadcasts) RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast(b.id, min(q.begins)) FROM quiet_times(b.schedule, now()) q WHERE q.begins > now()
  HAVING min(q.begins) IS NOT NULL
$$;

-- Moves a broadcast between two states, if it still is in the first, with its event and, where sending goes
-- on, its job.
CREATE OR REPLACE FUNCTION move_broadcast(broadcast uuid, was text, becomes text, event text)
  RETURNS broadcasts
LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  UPDATE broadcasts SET status = becomes, updated_at = now(),
    eta = CASE WHEN becomes = 'sending' THEN expected_end(broadcasts) END
  WHERE id = broadcast AND status = was RETURNING * INTO b;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM announce_broadcast(b, event, jsonb_build_object('status', was));
  PERFORM queue_broadcast(b.id);
  IF becomes = 'sending' THEN PERFORM remind_of_quiet(b); END IF;
  RETURN b;
END $$;

-- Moves a number of recipients of a broadcast from one count to another.
CREATE OR REPLACE FUNCTION shift_counts(broadcast uuid, was text, becomes text, n int) RETURNS void
  LANGUAGE sql AS $$
  UPDATE broadcasts SET updated_at = now(), counts = counts || jsonb_build_object(
    was, (counts->>was)::bigint - n, becomes, (counts->>becomes)::bigint + n)
  WHERE id = broadcast
$$;

-- The caller holds the locks of the messages.
CREATE OR REPLACE FUNCTION set_held(ids uuid[], becomes boolean, ends timestamptz) RETURNS void
  LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE deliveries SET held = becomes, expires_at = ends, updated_at = now()
    WHERE id = ANY (ids) AND status = 'queued' AND held <> becomes RETURNING message_id
  )
  UPDATE messages SET expires_at = ends WHERE id IN (SELECT message_id FROM changed)
$$;
