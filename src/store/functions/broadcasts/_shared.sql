-- Helpers for broadcasts. Each step of a broadcast is one transaction that leaves an outbox job for the next
-- step, so an interrupted broadcast continues at that step. Lock order: recipients to be sent, contacts,
-- conversations, messages, deliveries, recipients that follow them, broadcast.

-- The field of a broadcast's counts for the status of a recipient.
CREATE OR REPLACE FUNCTION recipient_count_field(status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status IN ('queued', 'sending') THEN 'pending' ELSE status END
$$;

-- The share of a broadcast's recipients that is not pending.
CREATE OR REPLACE FUNCTION completed_share(b broadcasts) RETURNS float8 LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN (b.counts->>'total')::bigint = 0
    THEN CASE WHEN b.status IN ('completed', 'expired', 'canceled') THEN 1 ELSE 0 END
    ELSE ((b.counts->>'total')::float8 - (b.counts->>'pending')::float8) / (b.counts->>'total')::float8 END
$$;

-- Adds the job that continues a broadcast, at `at` or now.
CREATE OR REPLACE FUNCTION queue_broadcast(broadcast uuid, at timestamptz DEFAULT NULL) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at)
  VALUES ('broadcast', jsonb_build_object('broadcast_id', broadcast), at)
$$;

-- Writes the events of a changed broadcast from its previous state; null: the broadcast is new.
CREATE OR REPLACE FUNCTION announce_broadcast(b broadcasts, type text, former jsonb) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, data, extra) SELECT b.workspace_id, type, broadcast_record(b),
    CASE WHEN former IS NOT NULL THEN json_build_object('previous', former) END
      WHERE has_subscribers(b.workspace_id)
$$;

-- The names of the {{ }} placeholders of a text, in order.
CREATE OR REPLACE FUNCTION placeholder_names(text text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT m[1] FROM regexp_matches(text, '\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}', 'g') m)
$$;

-- The pieces of a text around its placeholders: one more than placeholder_names returns.
CREATE OR REPLACE FUNCTION placeholder_pieces(text text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_split_to_array(text, '\{\{\s*[^{}\s](?:[^{}]*[^{}\s])?\s*\}\}')
$$;

-- The variable values for one recipient; the more specific values take precedence.
CREATE OR REPLACE FUNCTION recipient_values(own jsonb, shared jsonb, u users) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object('user.display_name', u.display_name, 'user.username', u.username)
    || jsonb_strip_nulls(shared) || jsonb_strip_nulls(own)
$$;

-- Renders a text. Substituted values are not scanned again, so that the name of a recipient can't refer to
-- another variable.
CREATE OR REPLACE FUNCTION render_pieces(pieces text[], names text[], vars jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(x.piece || coalesce(vars->>x.name, ''), '' ORDER BY x.n)
  FROM unnest(pieces, names) WITH ORDINALITY AS x (piece, name, n)
$$;

-- Whether the rendered text of a message is invalid: a variable has no value, the text is blank without an
-- attachment, or it is too long.
CREATE OR REPLACE FUNCTION is_unsendable_text(pieces text[], names text[], vars jsonb,
  has_attachments boolean) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  rendered text;
BEGIN
  IF NOT vars ?& names THEN RETURN true; END IF;
  rendered := render_pieces(pieces, names, vars);
  RETURN length(rendered) > 10000 OR rendered !~ '\S' AND NOT (rendered = '' AND has_attachments);
END $$;

-- The wall clock time at which each recipient of a broadcast with local times is due: schedule.local_time, or
-- schedule.at as a time in UTC.
CREATE OR REPLACE FUNCTION wall_clock(schedule jsonb) RETURNS timestamp LANGUAGE sql STABLE AS $$
  SELECT coalesce((schedule->>'local_time')::timestamp, (schedule->>'at')::timestamptz AT TIME ZONE 'UTC')
$$;

-- A template may consist of attachments alone. A broadcast that replaces the attachments must still have
-- content.
CREATE OR REPLACE FUNCTION refuse_empty_content(b broadcasts, sent jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM broadcast_contents(b) t WHERE t.names = '{}' AND t.pieces[1] !~ '\S'
    AND t.attachments = '[]') THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', CASE
          WHEN jsonb_array_length(sent->'variants') > 0 THEN 'variants'
      WHEN sent ? 'attachments' THEN 'attachments' ELSE 'template_id' END, 'code', 'required'));
  END IF;
END $$;

-- Whether the audience depends on filters: its own or those of its segments.
CREATE OR REPLACE FUNCTION has_filters(b broadcasts) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN b.audience->>'filter' IS NOT NULL
    OR EXISTS (SELECT FROM segments s WHERE s.workspace_id = b.workspace_id AND s.kind = 'filter'
    AND s.id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid
      UNION ALL SELECT jsonb_array_elements_text(b.audience->'exclude'->'segment_ids')::uuid));
END $$;

-- When a broadcast is due. With schedule.local_time: when the first zone of its audience reaches that time.
-- Filters are not evaluated here. If there are filters, the zones of all users count, and a past time counts
-- only if no zone has a future one. The job that prepares the broadcast evaluates the filters and corrects
-- the time.
CREATE OR REPLACE FUNCTION due_time(b broadcasts) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  span record;
BEGIN
  IF b.schedule->>'local_time' IS NULL THEN RETURN (b.schedule->>'at')::timestamptz; END IF;
  SELECT * INTO span FROM local_span(b, NULL);
  RETURN CASE WHEN has_filters(b) THEN coalesce(span.upcoming, span.earliest) ELSE span.earliest END;
END $$;

-- A local time must lie in the future in at least one zone of the audience (with the tolerance for past
-- times), and before the end of the schedule.
CREATE OR REPLACE FUNCTION refuse_past_local_time(b broadcasts) RETURNS void LANGUAGE plpgsql AS $$
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

-- Whether a contact has reached the cap for recent marketing messages.
CREATE OR REPLACE FUNCTION is_capped(u users, b broadcasts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT b.cap IS NOT NULL AND b.category = 'marketing' AND (b.cap->>'count')::int <= (
    SELECT count(*) FROM unnest(u.marketed_at) t
    WHERE t > now() - make_interval(secs => (b.cap->>'seconds')::int))
$$;

-- The contacts that an audience excludes.
CREATE OR REPLACE FUNCTION excluded_contacts(b broadcasts, filtered found_audience) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT jsonb_array_elements_text(b.audience->'exclude'->'user_ids')::uuid
  UNION SELECT unnest(filtered.excluded_users)
  UNION SELECT m.user_id FROM segment_members m
  WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'exclude'->'segment_ids')::uuid)
    AND m.workspace_id = b.workspace_id;
END $$;

-- When the first and the last zone of an audience reach the wall clock time of the schedule, and the first of
-- the zones with a future time. An empty audience has the zone UTC.
CREATE OR REPLACE FUNCTION local_span(b broadcasts, filtered found_audience)
  RETURNS TABLE (earliest timestamptz, latest timestamptz, upcoming timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.at), shown AT TIME ZONE 'UTC'), coalesce(max(t.at), shown AT TIME ZONE 'UTC'),
    min(t.at) FILTER (WHERE t.at > now())
  FROM (SELECT wall_clock(b.schedule) AS shown) c
  LEFT JOIN LATERAL (SELECT shown AT TIME ZONE resolve_time_zone(z) AS at
    FROM audience_time_zones(b, filtered) z) t
    ON true GROUP BY shown
$$;

-- Whether the workspace is sending fewer than `max_sending` broadcasts. Stays true until the transaction
-- ends.
CREATE OR REPLACE FUNCTION can_start_sending(b broadcasts, max_sending int) RETURNS boolean
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('broadcasts ' || b.workspace_id, 0));
  RETURN (SELECT count(*) FROM broadcasts
    WHERE workspace_id = b.workspace_id AND status = 'sending') < max_sending;
END $$;

-- When the last recipient will have been enqueued, as far as the throttle, local times and the end of the
-- schedule decide it.
CREATE OR REPLACE FUNCTION expected_end(b broadcasts) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(e.last_at, CASE WHEN e.last_at IS NOT NULL THEN (b.schedule->>'expires_at')::timestamptz END)
  FROM (
    SELECT greatest(now() + b.waiting / (b.throttle->>'per_minute')::numeric * interval '1 minute',
      CASE WHEN b.local THEN (
        SELECT max(r.due_at) FROM broadcast_recipients r
              WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL) END) AS last_at) e
$$;

-- The quiet hours from the day before a timestamp to a week after it. Each period belongs to the day on which
-- it begins; 0 is Sunday; an empty list means every day. Days are timestamps without time zone that are then
-- read in the zone of the schedule.
CREATE OR REPLACE FUNCTION quiet_times(schedule jsonb, at timestamptz)
  RETURNS TABLE (begins timestamptz, ends timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT (day + (q->>'from')::time) AT TIME ZONE zone,
    (day + (q->>'to')::time + CASE WHEN q->>'to' <= q->>'from' THEN interval '1 day'
        ELSE interval '0' END) AT TIME ZONE zone
  FROM (SELECT schedule->'quiet_hours' AS q,
    resolve_time_zone(coalesce(schedule->'quiet_hours'->>'timezone', 'UTC')) AS zone) s,
    generate_series(((at AT TIME ZONE zone)::date - 1)::timestamp,
      ((at AT TIME ZONE zone)::date + 7)::timestamp, interval '1 day') AS day
  WHERE jsonb_typeof(q) = 'object' AND q->>'from' IS NOT NULL AND q->>'to' IS NOT NULL
    AND (jsonb_array_length(coalesce(nullif(q->'days', 'null'), '[]')) = 0
      OR q->'days' @> to_jsonb(extract(dow FROM day)::int))
$$;

-- The end of the current quiet hours, if any.
CREATE OR REPLACE FUNCTION quiet_until(schedule jsonb, at timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN jsonb_typeof(schedule->'quiet_hours') = 'object' THEN (
    SELECT min(q.ends) FROM quiet_times(schedule, at) q WHERE at >= q.begins AND at < q.ends) END
$$;

-- Adds a job for the start of the next quiet hours, which holds back the queued deliveries even if no
-- recipient is pending.
CREATE OR REPLACE FUNCTION queue_quiet_hours(b broadcasts) RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast(b.id, min(q.begins)) FROM quiet_times(b.schedule, now()) q WHERE q.begins > now()
  HAVING min(q.begins) IS NOT NULL
$$;

-- Moves a broadcast from one state to another if it is still in the first, writes its event, and adds the job
-- that continues it.
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
  IF becomes = 'sending' THEN PERFORM queue_quiet_hours(b); END IF;
  RETURN b;
END $$;

-- Moves a number of recipients of a broadcast from one count to another.
CREATE OR REPLACE FUNCTION shift_counts(broadcast uuid, was text, becomes text, n int) RETURNS void
  LANGUAGE sql AS $$
  UPDATE broadcasts SET updated_at = now(), counts = counts || jsonb_build_object(
    was, (counts->>was)::bigint - n, becomes, (counts->>becomes)::bigint + n)
  WHERE id = broadcast
$$;

-- Holds or releases deliveries and sets their expiry. The caller holds the locks of the messages.
CREATE OR REPLACE FUNCTION set_held(ids uuid[], becomes boolean, ends timestamptz) RETURNS void
  LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE deliveries SET held = becomes, expires_at = ends, updated_at = now()
    WHERE id = ANY (ids) AND status = 'queued' AND held <> becomes RETURNING message_id
  )
  UPDATE messages SET expires_at = ends WHERE id IN (SELECT message_id FROM changed)
$$;

-- Whether a recipient in this status has the message, or may have it.
CREATE OR REPLACE FUNCTION was_sent(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status IN ('sent', 'delivered', 'read', 'uncertain')
$$;

-- Makes the next step of a change of a broadcast due after `wait`, and adds the job for it.
CREATE OR REPLACE FUNCTION queue_broadcast_change(change uuid, wait interval) RETURNS void LANGUAGE sql AS $$
  UPDATE broadcast_changes SET look_at = now() + wait WHERE id = change;
  INSERT INTO outbox (topic, payload, run_at)
  SELECT 'timer', jsonb_build_object('broadcast_change_id', id, 'workspace_id', workspace_id),
    CASE WHEN wait > interval '0' THEN look_at END
  FROM broadcast_changes WHERE id = change
$$;
