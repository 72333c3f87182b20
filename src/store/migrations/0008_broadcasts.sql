-- Broadcasts: creation, the frozen audience, and sending in chunks. Each step is one transaction that leaves an outbox
-- job for the next one, so that work goes on wherever it was interrupted. Locks are taken in the order
-- recipients to be sent, contacts, conversations, messages, deliveries, recipients that follow them, broadcast.

CREATE INDEX broadcast_recipients_throttled ON broadcast_recipients (broadcast_id, throttled_at) WHERE throttled_at IS NOT NULL;

-- One recipient row per person, and one more for each further time an audience names them.
ALTER TABLE broadcast_recipients DROP CONSTRAINT broadcast_recipients_broadcast_id_user_id_key;
CREATE UNIQUE INDEX broadcast_recipients_user ON broadcast_recipients
  (broadcast_id, user_id, (CASE WHEN skip_reason = 'duplicate' THEN id END)) NULLS NOT DISTINCT;

-- A broadcast keeps what its template said when it was accepted.
ALTER TABLE broadcasts ADD COLUMN template_text text;

CREATE FUNCTION queue_broadcast(broadcast uuid, at timestamptz DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload, run_at) VALUES ('broadcast', jsonb_build_object('broadcast_id', broadcast), at)
$$;

-- Tells of a broadcast, and of what it was before; null: it is new.
CREATE FUNCTION announce_broadcast(b broadcasts, type text, former jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, data, extra) SELECT b.workspace_id, type, broadcast_record(b),
    CASE WHEN former IS NOT NULL THEN json_build_object('previous', former) END WHERE events_heard(b.workspace_id)
$$;

-- The names in {{ }} of a text, in order, and the pieces around them: one piece more than names.
CREATE FUNCTION placeholder_names(text text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT m[1] FROM regexp_matches(text, '\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}', 'g') m)
$$;
CREATE FUNCTION placeholder_pieces(text text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_split_to_array(text, '\{\{\s*[^{}\s](?:[^{}]*[^{}\s])?\s*\}\}')
$$;

-- The values for one recipient, the more particular ones first.
CREATE FUNCTION recipient_values(own jsonb, shared jsonb, u users) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object('user.display_name', u.display_name, 'user.username', u.username)
    || jsonb_strip_nulls(shared) || jsonb_strip_nulls(own)
$$;

-- A replaced value is never looked at again: what a recipient is called can't name another variable.
CREATE FUNCTION render_pieces(pieces text[], names text[], vars jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(x.piece || coalesce(vars->>x.name, ''), '' ORDER BY x.n)
  FROM unnest(pieces, names) WITH ORDINALITY AS x (piece, name, n)
$$;

-- Whether a text with variables is no text of a message for want of a value, or with the values it gets: blank without an
-- attachment, or too long.
CREATE FUNCTION lacks_values(pieces text[], names text[], vars jsonb, attached boolean) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  rendered text;
BEGIN
  IF NOT vars ?& names THEN RETURN true; END IF;
  rendered := render_pieces(pieces, names, vars);
  RETURN length(rendered) > 10000 OR rendered !~ '\S' AND NOT (rendered = '' AND attached);
END $$;

-- What a broadcast says, per variant; one row with key null when it has none. Weights are ranges of 0 … total − 1.
CREATE FUNCTION broadcast_contents(b broadcasts) RETURNS TABLE (key text, from_weight bigint, to_weight bigint,
  pieces text[], names text[], attachments jsonb) LANGUAGE sql STABLE AS $$
  SELECT v->>'key', sum((v->>'weight')::int) OVER w - (v->>'weight')::int, sum((v->>'weight')::int) OVER w,
    placeholder_pieces(coalesce(v->>'text', b.text, b.template_text)),
    placeholder_names(coalesce(v->>'text', b.text, b.template_text)),
    coalesce(nullif(v->'attachments', 'null'), b.attachments)
  FROM jsonb_array_elements(b.variants) WITH ORDINALITY AS x (v, n) WINDOW w AS (ORDER BY n)
  UNION ALL
  SELECT NULL, 0, 1, placeholder_pieces(coalesce(b.text, b.template_text)),
    placeholder_names(coalesce(b.text, b.template_text)), b.attachments WHERE b.variants = '[]'
$$;

-- Everyone a broadcast names must exist, before anything is stored.
CREATE FUNCTION check_audience(workspace uuid, input jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  field text;
BEGIN
  IF input->>'template_id' IS NOT NULL THEN
    -- Whoever deletes it waits until its text is taken.
    PERFORM 1 FROM templates WHERE id = (input->>'template_id')::uuid AND workspace_id = workspace FOR KEY SHARE;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"template_id"}'); END IF;
  END IF;
  SELECT x.field INTO field FROM (
    SELECT 'audience.segment_ids' AS field, i.id FROM jsonb_array_elements_text(input->'audience'->'segment_ids') i (id)
    UNION ALL
    SELECT 'audience.exclude.segment_ids', i.id
    FROM jsonb_array_elements_text(input->'audience'->'exclude'->'segment_ids') i (id)) x
  LEFT JOIN segments s ON s.id = x.id::uuid AND s.workspace_id = workspace AND s.deleted_at IS NULL
  WHERE s.id IS NULL LIMIT 1;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'not_found', 'field', field)); END IF;
  SELECT x.field INTO field FROM (
    SELECT 'audience.user_ids' AS field, i.id FROM jsonb_array_elements_text(input->'audience'->'user_ids') i (id)
    UNION ALL
    SELECT 'audience.exclude.user_ids', i.id FROM jsonb_array_elements_text(input->'audience'->'exclude'->'user_ids') i (id)) x
  LEFT JOIN users u ON u.id = x.id::uuid AND u.workspace_id = workspace AND u.deleted_at IS NULL
  WHERE u.id IS NULL LIMIT 1;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'not_found', 'field', field)); END IF;
END $$;

-- The other names of a time zone in the IANA database (the file `backward`, and the zones that version 2024b made links). A
-- database that uses the time zone data of its system may lack older names, and takes CET, EET, MET and WET for abbreviations
-- without summer time.
CREATE FUNCTION other_zone_names() RETURNS TABLE (zone text, names text[]) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT z.zone, z.names::text[] FROM (VALUES
    ('Africa/Abidjan', '{Africa/Timbuktu,Iceland}'), ('Africa/Cairo', '{Egypt}'), ('Africa/Nairobi', '{Africa/Asmera}'),
    ('Africa/Tripoli', '{Libya}'), ('America/Adak', '{America/Atka,US/Aleutian}'), ('America/Anchorage', '{US/Alaska}'),
    ('America/Argentina/Buenos_Aires', '{America/Buenos_Aires}'),
    ('America/Argentina/Catamarca', '{America/Argentina/ComodRivadavia,America/Catamarca}'),
    ('America/Argentina/Cordoba', '{America/Cordoba,America/Rosario}'), ('America/Argentina/Jujuy', '{America/Jujuy}'),
    ('America/Argentina/Mendoza', '{America/Mendoza}'), ('America/Chicago', '{CST6CDT,US/Central}'),
    ('America/Denver', '{America/Shiprock,MST7MDT,Navajo,US/Mountain}'), ('America/Detroit', '{US/Michigan}'),
    ('America/Edmonton', '{America/Yellowknife,Canada/Mountain}'), ('America/Halifax', '{Canada/Atlantic}'),
    ('America/Havana', '{Cuba}'), ('America/Indiana/Indianapolis', '{America/Fort_Wayne,America/Indianapolis,US/East-Indiana}'),
    ('America/Indiana/Knox', '{America/Knox_IN,US/Indiana-Starke}'), ('America/Iqaluit', '{America/Pangnirtung}'),
    ('America/Jamaica', '{Jamaica}'), ('America/Kentucky/Louisville', '{America/Louisville}'),
    ('America/Los_Angeles', '{PST8PDT,US/Pacific}'), ('America/Manaus', '{Brazil/West}'), ('America/Mazatlan', '{Mexico/BajaSur}'),
    ('America/Mexico_City', '{Mexico/General}'), ('America/New_York', '{EST5EDT,US/Eastern}'),
    ('America/Noronha', '{Brazil/DeNoronha}'), ('America/Nuuk', '{America/Godthab}'), ('America/Panama', '{America/Coral_Harbour,EST}'),
    ('America/Phoenix', '{MST,US/Arizona}'),
    ('America/Puerto_Rico', '{America/Kralendijk,America/Lower_Princes,America/Marigot,America/St_Barthelemy,America/Virgin}'),
    ('America/Regina', '{Canada/Saskatchewan}'), ('America/Rio_Branco', '{America/Porto_Acre,Brazil/Acre}'),
    ('America/Santiago', '{Chile/Continental}'), ('America/Sao_Paulo', '{Brazil/East}'), ('America/St_Johns', '{Canada/Newfoundland}'),
    ('America/Tijuana', '{America/Ensenada,America/Santa_Isabel,Mexico/BajaNorte}'),
    ('America/Toronto', '{America/Montreal,America/Nipigon,America/Thunder_Bay,Canada/Eastern}'),
    ('America/Vancouver', '{Canada/Pacific}'), ('America/Whitehorse', '{Canada/Yukon}'),
    ('America/Winnipeg', '{America/Rainy_River,Canada/Central}'), ('Asia/Ashgabat', '{Asia/Ashkhabad}'), ('Asia/Dhaka', '{Asia/Dacca}'),
    ('Asia/Ho_Chi_Minh', '{Asia/Saigon}'), ('Asia/Hong_Kong', '{Hongkong}'), ('Asia/Jerusalem', '{Asia/Tel_Aviv,Israel}'),
    ('Asia/Kathmandu', '{Asia/Katmandu}'), ('Asia/Kolkata', '{Asia/Calcutta}'), ('Asia/Macau', '{Asia/Macao}'),
    ('Asia/Makassar', '{Asia/Ujung_Pandang}'), ('Asia/Nicosia', '{Europe/Nicosia}'), ('Asia/Seoul', '{ROK}'),
    ('Asia/Shanghai', '{Asia/Chongqing,Asia/Chungking,Asia/Harbin,PRC}'), ('Asia/Singapore', '{Singapore}'), ('Asia/Taipei', '{ROC}'),
    ('Asia/Tehran', '{Iran}'), ('Asia/Thimphu', '{Asia/Thimbu}'), ('Asia/Tokyo', '{Japan}'),
    ('Asia/Ulaanbaatar', '{Asia/Choibalsan,Asia/Ulan_Bator}'), ('Asia/Urumqi', '{Asia/Kashgar}'), ('Asia/Yangon', '{Asia/Rangoon}'),
    ('Atlantic/Faroe', '{Atlantic/Faeroe}'), ('Australia/Adelaide', '{Australia/South}'),
    ('Australia/Brisbane', '{Australia/Queensland}'), ('Australia/Broken_Hill', '{Australia/Yancowinna}'),
    ('Australia/Darwin', '{Australia/North}'), ('Australia/Hobart', '{Australia/Currie,Australia/Tasmania}'),
    ('Australia/Lord_Howe', '{Australia/LHI}'), ('Australia/Melbourne', '{Australia/Victoria}'),
    ('Australia/Perth', '{Australia/West}'), ('Australia/Sydney', '{Australia/ACT,Australia/Canberra,Australia/NSW}'),
    ('Etc/GMT', '{Etc/GMT+0,Etc/GMT-0,Etc/GMT0,Etc/Greenwich,GMT,GMT+0,GMT-0,GMT0,Greenwich}'),
    ('Etc/UTC', '{Etc/UCT,Etc/Universal,Etc/Zulu,UCT,UTC,Universal,Zulu}'), ('Europe/Athens', '{EET}'),
    ('Europe/Belgrade', '{Europe/Podgorica}'), ('Europe/Berlin', '{Arctic/Longyearbyen,Atlantic/Jan_Mayen}'),
    ('Europe/Brussels', '{CET,MET}'), ('Europe/Chisinau', '{Europe/Tiraspol}'), ('Europe/Dublin', '{Eire}'),
    ('Europe/Helsinki', '{Europe/Mariehamn}'), ('Europe/Istanbul', '{Asia/Istanbul,Turkey}'),
    ('Europe/Kyiv', '{Europe/Kiev,Europe/Uzhgorod,Europe/Zaporozhye}'), ('Europe/Lisbon', '{Portugal,WET}'),
    ('Europe/London', '{Europe/Belfast,GB,GB-Eire}'), ('Europe/Moscow', '{W-SU}'), ('Europe/Prague', '{Europe/Bratislava}'),
    ('Europe/Rome', '{Europe/San_Marino,Europe/Vatican}'), ('Europe/Warsaw', '{Poland}'), ('Europe/Zurich', '{Europe/Busingen}'),
    ('Pacific/Auckland', '{Antarctica/South_Pole,NZ}'), ('Pacific/Chatham', '{NZ-CHAT}'), ('Pacific/Easter', '{Chile/EasterIsland}'),
    ('Pacific/Guadalcanal', '{Pacific/Ponape}'), ('Pacific/Honolulu', '{HST,Pacific/Johnston,US/Hawaii}'),
    ('Pacific/Kanton', '{Pacific/Enderbury}'), ('Pacific/Kwajalein', '{Kwajalein}'), ('Pacific/Pago_Pago', '{Pacific/Samoa,US/Samoa}'),
    ('Pacific/Port_Moresby', '{Pacific/Truk,Pacific/Yap}')) AS z (zone, names)
$$;

-- The name by which this database knows a time zone: that of the zone a link leads to, the given one, or another link to it. UTC
-- if it knows none.
CREATE FUNCTION known_zone(given text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  candidate text;
  candidates text[];
BEGIN
  SELECT ARRAY[zone, given] || names INTO candidates FROM other_zone_names()
  WHERE lower(zone) = lower(given) OR EXISTS (SELECT FROM unnest(names) n WHERE lower(n) = lower(given));
  FOREACH candidate IN ARRAY coalesce(candidates, ARRAY[given]) LOOP
    BEGIN
      PERFORM now() AT TIME ZONE candidate;
      RETURN candidate;
    EXCEPTION WHEN invalid_parameter_value THEN
      NULL;
    END;
  END LOOP;
  RETURN 'UTC';
END $$;

-- The wall clock time at which each recipient gets a broadcast with local times: schedule.local_time, or what the clocks of
-- UTC show at schedule.at.
CREATE FUNCTION wall_clock(schedule jsonb) RETURNS timestamp LANGUAGE sql STABLE AS $$
  SELECT coalesce((schedule->>'local_time')::timestamp, (schedule->>'at')::timestamptz AT TIME ZONE 'UTC')
$$;

-- When the clocks of each time zone that a contact of the workspace has show a time. A time that a zone skips is read with the
-- offset before the change; of a time that a zone has twice, the one in standard time counts.
CREATE FUNCTION local_times(workspace uuid, shown timestamp) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(z.timezone, shown AT TIME ZONE known_zone(z.timezone)), '{}')
  FROM (SELECT DISTINCT timezone FROM users WHERE workspace_id = workspace AND timezone IS NOT NULL AND deleted_at IS NULL) z
$$;

-- A template may have attachments alone; a broadcast that takes its own instead must not be left with nothing to say.
CREATE FUNCTION refuse_empty(b broadcasts, sent jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM broadcast_contents(b) t WHERE t.names = '{}' AND t.pieces[1] !~ '\S' AND t.attachments = '[]') THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', CASE WHEN jsonb_array_length(sent->'variants') > 0 THEN 'variants'
      WHEN sent ? 'attachments' THEN 'attachments' ELSE 'template_id' END, 'code', 'required'));
  END IF;
END $$;

-- Whether an audience is decided by filters, its own or those of segments.
CREATE FUNCTION has_filters(b broadcasts) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN b.audience->>'filter' IS NOT NULL OR EXISTS (SELECT FROM segments s WHERE s.workspace_id = b.workspace_id AND s.kind = 'filter'
    AND s.id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid
      UNION ALL SELECT jsonb_array_elements_text(b.audience->'exclude'->'segment_ids')::uuid));
END $$;

-- When a broadcast is due. With schedule.local_time: when the first zone of its audience shows that time. The filters are not
-- evaluated here. Where there are some, the zones of all users count, and a time that is past counts only if no other lies
-- ahead; the job that prepares the broadcast evaluates them and corrects the time.
CREATE FUNCTION due_time(b broadcasts) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  span record;
BEGIN
  IF b.schedule->>'local_time' IS NULL THEN RETURN (b.schedule->>'at')::timestamptz; END IF;
  SELECT * INTO span FROM local_span(b, NULL);
  RETURN CASE WHEN has_filters(b) THEN coalesce(span.upcoming, span.earliest) ELSE span.earliest END;
END $$;

-- A local time must lie ahead in some zone of the audience, as far as a time may be past, and before the end of the schedule.
CREATE FUNCTION refuse_past_clock(b broadcasts) RETURNS void LANGUAGE plpgsql AS $$
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

-- Puts a new or drafted broadcast on its way: at its time, or now. With local times some may be due earlier: no clock is more
-- than 14 hours ahead of UTC, and from then on it is looked who is.
CREATE FUNCTION release_broadcast(b broadcasts, former jsonb) RETURNS broadcasts LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := due_time(b);
  by_local_time boolean := at IS NOT NULL AND coalesce(b.schedule->>'mode' = 'recipient_local', false);
  first timestamptz := CASE WHEN by_local_time THEN least(at, wall_clock(b.schedule) AT TIME ZONE 'UTC' - interval '14 hours')
    ELSE at END;
BEGIN
  UPDATE broadcasts SET status = CASE WHEN at > now() THEN 'scheduled' ELSE 'preparing' END, local = by_local_time,
    scheduled_at = at, starts_at = first, updated_at = now() WHERE id = b.id RETURNING * INTO b;
  PERFORM queue_broadcast(b.id, CASE WHEN first > now() THEN first END);
  IF b.schedule->>'expires_at' IS NOT NULL THEN
    PERFORM queue_broadcast(b.id, (b.schedule->>'expires_at')::timestamptz);
  END IF;
  IF b.status = 'scheduled' THEN PERFORM announce_broadcast(b, 'broadcast.scheduled', former); END IF;
  RETURN b;
END $$;

-- {"workspace_id", "id", "created_by", "draft", "claim", and the fields of a broadcast}. The same id again answers the same.
CREATE FUNCTION create_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  t record;
  workspace uuid := (input->>'workspace_id')::uuid;
  answer json;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid AND workspace_id = workspace;
  IF FOUND THEN RETURN json_build_object('record', broadcast_record(b)); END IF;
  PERFORM check_audience(workspace, input);
  SELECT * INTO t FROM templates WHERE id = (input->>'template_id')::uuid;
  INSERT INTO broadcasts (id, workspace_id, name, category, status, text, template_id, template_text, content_type,
    attachments, variables, variants, platforms, audience, fallback, throttle, schedule, created_by, scheduled_at, metadata)
  VALUES ((input->>'id')::uuid, workspace, coalesce(input->>'name', 'Broadcast ' || wire_time(now()::timestamptz(3))),
    coalesce(input->>'category', 'marketing'), 'draft', input->>'text', t.id, t.text,
    coalesce(input->>'content_type', t.content_type, 'text'), coalesce(input->'attachments', t.attachments, '[]'),
    coalesce(input->'variables', '{}'), coalesce(input->'variants', '[]'),
    ARRAY(SELECT jsonb_array_elements_text(input->'platforms')), input->'audience', nullif(input->'fallback', 'null'),
    nullif(input->'throttle', 'null'), nullif(input->'schedule', 'null'), (input->>'created_by')::uuid,
    (input->'schedule'->>'at')::timestamptz, coalesce(input->'metadata', '{}'))
  RETURNING * INTO b;
  PERFORM refuse_empty(b, input);
  IF b.schedule->>'local_time' IS NOT NULL THEN
    PERFORM refuse_past_clock(b);
    UPDATE broadcasts SET scheduled_at = due_time(b) WHERE id = b.id RETURNING * INTO b;
  END IF;
  IF NOT coalesce((input->>'draft')::boolean, false) THEN b := release_broadcast(b, NULL); END IF;
  -- It names its whole audience: rendered once.
  answer := broadcast_record(b);
  IF input->'claim' IS NOT NULL THEN PERFORM complete_claim(input->'claim', 201, answer); END IF;
  RETURN json_build_object('record', answer);
END $$;

CREATE FUNCTION lock_broadcast(input jsonb) RETURNS broadcasts LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN b;
END $$;

-- Variants to be stored in place of others, with the attachments that stay in those of the same key.
CREATE FUNCTION keep_variants(wanted jsonb, was jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(CASE jsonb_typeof(w.v->'attachments') WHEN 'array' THEN w.v || jsonb_build_object('attachments',
    keep_attachments(w.v->'attachments', (SELECT o->'attachments' FROM jsonb_array_elements(was) o WHERE o->'key' = w.v->'key' LIMIT 1)))
    ELSE w.v END ORDER BY w.n), '[]')
  FROM jsonb_array_elements(wanted) WITH ORDINALITY AS w (v, n)
$$;

-- {"workspace_id", "id", "patch"}. Only what was not begun yet can be changed.
CREATE FUNCTION update_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts := lock_broadcast(input);
  n broadcasts;
  t record;
  patch jsonb := input->'patch';
BEGIN
  PERFORM check_audience(b.workspace_id, patch);
  IF b.status NOT IN ('draft', 'scheduled') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  n := b;
  IF patch ? 'text' THEN n.text := patch->>'text'; END IF;
  IF patch ? 'template_id' AND (patch->>'template_id')::uuid IS DISTINCT FROM b.template_id THEN
    SELECT * INTO t FROM templates WHERE id = (patch->>'template_id')::uuid;
    n.template_id := t.id;
    n.template_text := t.text;
    n.content_type := coalesce(t.content_type, n.content_type);
    n.attachments := coalesce(t.attachments, n.attachments);
  END IF;
  IF (n.text IS NULL) = (n.template_id IS NULL) THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', 'text',
      'code', CASE WHEN n.text IS NULL THEN 'required' ELSE 'exclusive' END));
  END IF;
  n.name := coalesce(patch->>'name', n.name);
  n.category := coalesce(patch->>'category', n.category);
  n.content_type := coalesce(patch->>'content_type', n.content_type);
  IF patch ? 'attachments' THEN n.attachments := keep_attachments(patch->'attachments', b.attachments); END IF;
  n.variables := coalesce(patch->'variables', n.variables);
  IF patch ? 'variants' THEN n.variants := keep_variants(patch->'variants', b.variants); END IF;
  IF patch ? 'platforms' THEN n.platforms := ARRAY(SELECT jsonb_array_elements_text(patch->'platforms')); END IF;
  n.audience := coalesce(patch->'audience', n.audience);
  IF patch ? 'fallback' THEN n.fallback := nullif(patch->'fallback', 'null'); END IF;
  IF patch ? 'throttle' THEN n.throttle := nullif(patch->'throttle', 'null'); END IF;
  IF patch ? 'schedule' THEN n.schedule := nullif(patch->'schedule', 'null'); END IF;
  IF (n.schedule, n.audience) IS DISTINCT FROM (b.schedule, b.audience) THEN
    PERFORM refuse_past_clock(n);
    n.scheduled_at := due_time(n);
  END IF;
  n.metadata := coalesce(patch->'metadata', n.metadata);
  -- Without a time it is due, as with one that is over.
  IF b.status = 'scheduled' THEN n.scheduled_at := coalesce(n.scheduled_at, now()); END IF;
  IF n IS NOT DISTINCT FROM b THEN RETURN json_build_object('record', broadcast_record(b)); END IF;
  PERFORM refuse_empty(n, patch);
  UPDATE broadcasts SET name = n.name, category = n.category, text = n.text, template_id = n.template_id,
    template_text = n.template_text, content_type = n.content_type,
    attachments = n.attachments, variables = n.variables, variants = n.variants, platforms = n.platforms,
    audience = n.audience, fallback = n.fallback, throttle = n.throttle, schedule = n.schedule,
    scheduled_at = n.scheduled_at, metadata = n.metadata, updated_at = now() WHERE id = b.id RETURNING * INTO n;
  IF n.status = 'scheduled' AND (n.schedule, n.scheduled_at) IS DISTINCT FROM (b.schedule, b.scheduled_at) THEN
    n := release_broadcast(n, former_values(
      jsonb_build_object('schedule', b.schedule, 'scheduled_at', wire_time(b.scheduled_at)),
      jsonb_build_object('schedule', n.schedule, 'scheduled_at', wire_time(n.scheduled_at))));
  END IF;
  RETURN json_build_object('record', broadcast_record(n));
END $$;

-- Somebody whom an audience names by an address, in the order named, and the contact whose address it is.
CREATE TYPE named_recipient AS (n bigint, platform text, address text, variables jsonb, user_id uuid, opt_out text[], reachable boolean);

-- Contacts for the addresses that nobody has yet, all at once. Answers the recipients with these.
CREATE FUNCTION create_audience_contacts(workspace uuid, named named_recipient[]) RETURNS named_recipient[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_nestloop = off AS $$
DECLARE
  created uuid[];
  phones text[] := (SELECT phone_platforms FROM installation);
BEGIN
  WITH made AS MATERIALIZED (
    SELECT uuid7() AS id, platform, address
    FROM (SELECT DISTINCT platform, address FROM unnest(named) WHERE user_id IS NULL ORDER BY platform, address) unknown
  ), stored AS (
    INSERT INTO users (id, workspace_id, kind, username, display_name, phone)
    SELECT id, workspace, 'contact', contact_username(platform, address) || right(id::text, 4), left(address, 128),
      CASE WHEN platform = ANY (phones) THEN address END FROM made
  ), linked AS (
    INSERT INTO identities (workspace_id, user_id, platform, external_id)
    SELECT workspace, id, platform, address FROM made
    RETURNING user_id, platform, external_id, opt_out, reachable
  )
  SELECT array_agg(ROW(e.n, e.platform, e.address, e.variables, coalesce(e.user_id, l.user_id), coalesce(e.opt_out, l.opt_out),
    coalesce(e.reachable, l.reachable))::named_recipient), (SELECT array_agg(user_id) FROM linked) INTO named, created
  FROM unnest(named) e LEFT JOIN linked l ON l.platform = e.platform AND l.external_id = e.address;
  IF events_heard(workspace) THEN
    INSERT INTO events (workspace_id, type, data)
    SELECT workspace, 'user.created', user_record(u) FROM users u WHERE u.id = ANY (created) ORDER BY u.id;
  END IF;
  RETURN named;
EXCEPTION WHEN unique_violation THEN
  -- Another writer made one of them meanwhile; the job is tried again and finds it.
  RAISE EXCEPTION 'an address was taken meanwhile' USING ERRCODE = 'serialization_failure';
END $$;

-- Whom an audience names by their addresses, all or those from a place on up to before another one. Each is looked up by itself,
-- whatever the statistics say.
CREATE FUNCTION named_recipients(b broadcasts, first int DEFAULT 1, before int DEFAULT NULL) RETURNS named_recipient[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_memoize = off AS $$
DECLARE
  named named_recipient[];
  unknown boolean;
BEGIN
  SELECT array_agg(ROW(r.n, r.platform, r.address, coalesce(r.variables, '{}'), i.user_id, i.opt_out, i.reachable)::named_recipient),
    bool_or(i.user_id IS NULL) INTO named, unknown
  FROM ROWS FROM (jsonb_to_recordset(b.audience->'recipients') AS (platform text, address text, variables jsonb)) WITH ORDINALITY
    AS r (platform, address, variables, n)
  LEFT JOIN LATERAL (SELECT k.user_id, k.opt_out, k.reachable FROM identities k
    WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform AND k.external_id = r.address OFFSET 0) i ON true
  WHERE r.n >= first AND (before IS NULL OR r.n < before);
  RETURN CASE WHEN unknown THEN create_audience_contacts(b.workspace_id, named) ELSE named END;
END $$;

-- How many a broadcast that is being prepared names by their addresses, if many of them seem to be nobody's yet: an eighth of those
-- of every hundredth. Else 0.
CREATE FUNCTION count_newcomers(broadcast uuid) RETURNS int LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT coalesce(max(n.named) FILTER (WHERE n.unknown * 8 >= n.looked_at), 0) FROM (
    SELECT max(r.named) AS named, count(*) AS looked_at, count(*) FILTER (WHERE NOT EXISTS (
      SELECT FROM identities i WHERE i.workspace_id = r.workspace_id AND i.platform = r.recipient->>'platform'
        AND i.external_id = r.recipient->>'address' OFFSET 0)) AS unknown
    FROM (SELECT a.workspace_id, a.named, a.recipients->place AS recipient FROM (
        SELECT workspace_id, audience->'recipients' AS recipients, jsonb_array_length(audience->'recipients') AS named
        FROM broadcasts WHERE id = broadcast AND status = 'preparing' OFFSET 0) a
      CROSS JOIN LATERAL generate_series(0, a.named - 1, 100) AS place) r) n
$$;

-- Contacts for a part of the addresses that a broadcast names. Several parts can be met at the same time, by as many connections,
-- before the audience is frozen, which does what is left.
CREATE FUNCTION meet_newcomers(broadcast uuid, first int, before int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status = 'preparing';
  IF FOUND THEN PERFORM named_recipients(b, first, before); END IF;
END $$;

-- Whether nobody of a platform can have an address. forms: a regular expression per platform that says so.
CREATE FUNCTION is_invalid_address(platform text, address text, forms jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT address ~ '^\s*$' OR address ~ '[[:cntrl:]]' OR coalesce(address !~ (forms->>platform), false)
$$;

-- Whom the filters of an audience find, to be written to and to be left out, and the form of addresses per platform.
-- Then the frequency cap: {"count", "seconds"}, or null.
CREATE TYPE found_audience AS (extra_users uuid[], excluded_users uuid[], address_forms jsonb, cap jsonb);

-- Whether somebody got as much marketing of late as the cap allows.
CREATE FUNCTION is_capped(u users, b broadcasts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT b.cap IS NOT NULL AND b.category = 'marketing' AND (b.cap->>'count')::int <= (
    SELECT count(*) FROM unnest(u.marketed_at) t WHERE t > now() - make_interval(secs => (b.cap->>'seconds')::int))
$$;

-- Whom an audience leaves out.
CREATE FUNCTION left_out(b broadcasts, filtered found_audience) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT jsonb_array_elements_text(b.audience->'exclude'->'user_ids')::uuid
  UNION SELECT unnest(filtered.excluded_users)
  UNION SELECT m.user_id FROM segment_members m
  WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'exclude'->'segment_ids')::uuid) AND m.workspace_id = b.workspace_id;
END $$;

-- The time zones of the audience of a broadcast, as it is now. Without a zone a contact has that of UTC, as has an address that
-- is not known yet; no contact is created for it. Without the found audience (null) and with filters: the zones of all users.
CREATE FUNCTION audience_zones(b broadcasts, filtered found_audience) RETURNS SETOF text LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_memoize = off AS $$
BEGIN
  IF filtered IS NULL AND has_filters(b) THEN
    RETURN QUERY SELECT DISTINCT coalesce(u.timezone, 'UTC') FROM users u WHERE u.workspace_id = b.workspace_id AND u.deleted_at IS NULL;
  END IF;
  RETURN QUERY (WITH excluded AS MATERIALIZED (
    SELECT x.user_id FROM left_out(b, filtered) AS x (user_id)
  ), entries AS (
    SELECT i.user_id FROM jsonb_to_recordset(b.audience->'recipients') AS r (platform text, address text)
    LEFT JOIN LATERAL (SELECT k.user_id FROM identities k
      WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform AND k.external_id = r.address OFFSET 0) i ON true
    UNION ALL
    SELECT m.user_id FROM segment_members m
    WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid) AND m.workspace_id = b.workspace_id
    UNION ALL
    SELECT id::uuid FROM jsonb_array_elements_text(b.audience->'user_ids') AS x (id)
    UNION ALL
    SELECT unnest(filtered.extra_users)
  )
  SELECT DISTINCT coalesce(p.timezone, 'UTC') FROM entries e
  LEFT JOIN LATERAL (SELECT u.id, u.timezone FROM users u WHERE u.id = e.user_id AND u.deleted_at IS NULL OFFSET 0) p ON true
  WHERE (p.id IS NOT NULL OR e.user_id IS NULL) AND NOT EXISTS (SELECT 1 FROM excluded x WHERE x.user_id = e.user_id));
END $$;

-- When the first and the last zone of an audience show the wall clock time of the schedule, and the first of those that lie
-- ahead. An audience that is empty by now has the zone of UTC.
CREATE FUNCTION local_span(b broadcasts, filtered found_audience) RETURNS TABLE (earliest timestamptz, latest timestamptz, upcoming timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.at), shown AT TIME ZONE 'UTC'), coalesce(max(t.at), shown AT TIME ZONE 'UTC'), min(t.at) FILTER (WHERE t.at > now())
  FROM (SELECT wall_clock(b.schedule) AS shown) c
  LEFT JOIN LATERAL (SELECT shown AT TIME ZONE known_zone(z) AS at FROM audience_zones(b, filtered) z) t ON true GROUP BY shown
$$;

-- Whether a direct chat of somebody on a platform is gone.
CREATE FUNCTION has_gone(contact uuid, on_platform text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM participants p CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = p.conversation_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.conversation_id = c.id OFFSET 0) l
    WHERE p.user_id = contact AND p.left_at IS NULL AND c.type = 'direct' AND l.platform = on_platform AND l.status = 'broken'
      AND l.removed_at IS NULL)
$$;

-- Freezes who gets a broadcast, by which platform and address, or why not. An address beats a mere user id. Whatever the
-- statistics say, users are looked up by nothing but their id, since of an index that holds it somewhere all might be read.
CREATE FUNCTION freeze_audience(b broadcasts, filtered found_audience) RETURNS broadcasts LANGUAGE plpgsql
SET enable_seqscan = off SET enable_memoize = off AS $$
DECLARE
  purpose text := CASE WHEN b.category = 'marketing' THEN 'marketing' ELSE 'notification' END;
  times jsonb := CASE WHEN b.local THEN local_times(b.workspace_id, wall_clock(b.schedule)) END;
  connected text[] := ARRAY(SELECT DISTINCT platform FROM connections k WHERE k.workspace_id = b.workspace_id AND k.enabled
    AND k.deleted_at IS NULL);
  named named_recipient[] := named_recipients(b);
BEGIN
  b.cap := filtered.cap;
  -- Read from the broadcast once, and not for each recipient.
  WITH contents AS MATERIALIZED (
    SELECT *, max(to_weight) OVER () AS weights FROM broadcast_contents(b)
  ), entries AS (
    SELECT user_id, platform, address, variables AS vars, opt_out, reachable, n FROM unnest(named)
    UNION ALL
    SELECT m.user_id, i.platform, i.external_id, m.variables, i.opt_out, i.reachable, 1000000 + row_number() OVER (ORDER BY m.id)
    FROM segment_members m LEFT JOIN LATERAL (
      SELECT k.* FROM identities k WHERE k.workspace_id = m.workspace_id AND k.platform = m.platform
        AND k.external_id = m.address AND k.user_id = m.user_id OFFSET 0) i ON true
    WHERE m.segment_id IN (SELECT jsonb_array_elements_text(b.audience->'segment_ids')::uuid) AND m.workspace_id = b.workspace_id
    UNION ALL
    SELECT id::uuid, NULL, NULL, '{}', NULL, NULL, 200000000 + n
    FROM jsonb_array_elements_text(b.audience->'user_ids') WITH ORDINALITY AS x (id, n)
    UNION ALL
    SELECT id, NULL, NULL, '{}', NULL, NULL, 300000000 + n FROM unnest(filtered.extra_users) WITH ORDINALITY AS x (id, n)
  ), excluded AS MATERIALIZED (
    SELECT x.user_id FROM left_out(b, filtered) AS x (user_id)
  ), included AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY n) AS mention FROM entries e
    WHERE NOT EXISTS (SELECT 1 FROM excluded x WHERE x.user_id = e.user_id)
  ), chosen AS (
    SELECT * FROM included WHERE mention = 1
  ), routed AS (
    -- Who is named by an address gets it there or not at all; for others their platforms are tried in their order.
    SELECT c.*, p.person, t.key AS variant, t.names, t.pieces, t.attachments <> '[]' AS attached,
      CASE WHEN c.address IS NULL THEN r.platform WHEN c.reachable AND c.platform = ANY (connected) THEN c.platform END AS route_platform,
      coalesce(r.address, c.address) AS route_address, CASE WHEN c.address IS NULL THEN r.opt_out ELSE c.opt_out END AS route_opt_out
    FROM chosen c CROSS JOIN LATERAL (SELECT u AS person, u.deleted_at FROM users u WHERE u.id = c.user_id OFFSET 0) p
    JOIN contents t ON abs(hashtextextended(c.user_id::text || b.id, 0)) % t.weights BETWEEN t.from_weight AND t.to_weight - 1
    LEFT JOIN LATERAL (
      SELECT o.platform, o.address, o.opt_out FROM contact_routes(c.user_id, b.platforms) o WHERE c.address IS NULL
      ORDER BY purpose = ANY (o.opt_out), o.rank LIMIT 1) r ON true
    WHERE p.deleted_at IS NULL
  ), judged AS (
    SELECT r.*, CASE
      WHEN is_invalid_address(r.platform, r.address, filtered.address_forms) THEN 'invalid_address'
      WHEN blocked_by(r.person, b.category) = 'opted_out' THEN 'opted_out'
      WHEN blocked_by(r.person, b.category) IS NOT NULL THEN 'blocked'
      WHEN r.route_platform IS NULL THEN CASE WHEN EXISTS (SELECT 1 FROM identities i WHERE i.user_id = r.user_id AND NOT i.reachable
          AND (r.address IS NULL OR (i.platform, i.external_id) = (r.platform, r.address))
          AND NOT has_gone(i.user_id, i.platform)) THEN 'blocked' ELSE 'no_route' END
      WHEN purpose = ANY (r.route_opt_out) THEN 'opted_out'
      WHEN b.cap IS NOT NULL AND is_capped(r.person, b) THEN 'frequency_cap'
      WHEN r.names <> '{}' AND lacks_values(r.pieces, r.names, recipient_values(r.vars, b.variables, r.person), r.attached)
        THEN 'missing_variable' END AS reason
    FROM routed r
  ), frozen AS (
    INSERT INTO broadcast_recipients (workspace_id, broadcast_id, user_id, platform, address, variant, variables, status,
      skip_reason, due_at)
    SELECT b.workspace_id, b.id, user_id, coalesce(route_platform, platform), coalesce(route_address, address), variant,
      vars, CASE WHEN reason IS NULL THEN 'pending' ELSE 'skipped' END, reason,
      CASE WHEN b.local AND reason IS NULL THEN coalesce((times->>zone)::timestamptz, wall_clock(b.schedule) AT TIME ZONE 'UTC') END
    FROM (SELECT user_id, route_platform, platform, route_address, address, variant, vars, reason, n, (person).timezone AS zone
      FROM judged
      UNION ALL SELECT i.user_id, NULL, i.platform, NULL, i.address, NULL, i.vars, 'duplicate', i.n, NULL
      FROM included i WHERE i.mention > 1
        AND (SELECT u.deleted_at IS NULL FROM users u WHERE u.id = i.user_id)) x ORDER BY n
    RETURNING status, skip_reason
  ), totals AS (
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'pending') AS pending FROM frozen
  )
  UPDATE broadcasts SET updated_at = now(), cap = b.cap,
    counts = counts || jsonb_build_object('total', t.total, 'pending', t.pending, 'skipped', t.total - t.pending), waiting = t.pending,
    skip_reasons = coalesce((SELECT jsonb_object_agg(skip_reason, n) FROM (
      SELECT skip_reason, count(*) AS n FROM frozen WHERE skip_reason IS NOT NULL GROUP BY 1) x), '{}')
  FROM totals t WHERE id = b.id AND status = b.status AND audience = b.audience RETURNING broadcasts.* INTO b;
  IF NOT FOUND THEN
    -- Or somebody of its audience was merged or erased: the job is tried again.
    RAISE EXCEPTION 'the broadcast was changed meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN b;
END $$;

-- Whether fewer than `most` broadcasts of the workspace are being sent. Holds for this transaction.
CREATE FUNCTION has_turn(b broadcasts, most int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('broadcasts ' || b.workspace_id, 0));
  RETURN (SELECT count(*) FROM broadcasts WHERE workspace_id = b.workspace_id AND status = 'sending') < most;
END $$;

-- When the last recipient will be on their way, as far as the throttle and local times decide it, or its time is over.
CREATE FUNCTION expected_end(b broadcasts) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(e.last_at, CASE WHEN e.last_at IS NOT NULL THEN (b.schedule->>'expires_at')::timestamptz END) FROM (
    SELECT greatest(now() + b.waiting / (b.throttle->>'per_minute')::numeric * interval '1 minute',
      CASE WHEN b.local THEN (
        SELECT max(r.due_at) FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL) END) AS last_at) e
$$;

-- Sending begins when fewer than `most` broadcasts of the workspace are being sent; else this one waits its turn.
CREATE FUNCTION begin_sending(b broadcasts, most int) RETURNS broadcasts LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_turn(b, most) THEN
    PERFORM queue_broadcast(b.id, now() + interval '5 seconds');
    RETURN b;
  END IF;
  UPDATE broadcasts SET status = 'sending', started_at = now(), updated_at = now(), eta = expected_end(broadcasts)
  WHERE id = b.id AND status = 'preparing' RETURNING * INTO b;
  IF NOT FOUND THEN RAISE EXCEPTION 'the broadcast was canceled meanwhile' USING ERRCODE = 'serialization_failure'; END IF;
  PERFORM announce_broadcast(b, 'broadcast.started', '{"status":"preparing"}');
  PERFORM queue_broadcast(b.id);
  PERFORM remind_of_quiet(b);
  RETURN b;
END $$;

-- Whether nobody of the audience of a broadcast with local times is due yet. Then it is looked at again in ten minutes at the
-- latest: contacts, their zones and the broadcast can be changed until somebody is due.
CREATE FUNCTION awaits_first_zone(b broadcasts, filtered found_audience) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := (SELECT earliest FROM local_span(b, filtered));
  n broadcasts;
BEGIN
  IF b.schedule->>'local_time' IS NULL THEN first := least(b.scheduled_at, first); END IF;
  IF first <= now() THEN RETURN false; END IF;
  UPDATE broadcasts SET starts_at = least(first, now() + interval '10 minutes'),
    scheduled_at = CASE WHEN b.schedule->>'local_time' IS NULL THEN scheduled_at ELSE first END
  WHERE id = b.id AND status = 'scheduled' AND schedule = b.schedule AND audience = b.audience RETURNING * INTO n;
  IF FOUND THEN
    PERFORM queue_broadcast(n.id, n.starts_at);
    IF n.scheduled_at <> b.scheduled_at THEN
      UPDATE broadcasts SET updated_at = now() WHERE id = n.id RETURNING * INTO n;
      PERFORM announce_broadcast(n, 'broadcast.scheduled', jsonb_build_object('scheduled_at', wire_time(b.scheduled_at)));
    END IF;
  END IF;
  RETURN true;
END $$;

-- Brings a due broadcast from scheduled to preparing, and from there to sending. Answers the status it has now. Whoever
-- freezes a large audience keeps others from doing the same, and nobody from canceling it meanwhile.
CREATE FUNCTION prepare_broadcast(broadcast uuid, most int, filtered found_audience) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  first timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('prepare ' || broadcast, 0)) THEN RETURN NULL; END IF;
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  IF b.status = 'scheduled' AND b.local AND b.starts_at <= now() AND (b.scheduled_at > now() OR b.schedule->>'local_time' IS NOT NULL)
    AND awaits_first_zone(b, filtered) THEN
    RETURN b.status;
  END IF;
  UPDATE broadcasts SET status = 'preparing', updated_at = now()
  WHERE id = broadcast AND status = 'scheduled' AND least(scheduled_at, starts_at) <= now() AND schedule = b.schedule;
  IF FOUND THEN
    PERFORM queue_broadcast(broadcast);
    RETURN 'preparing';
  END IF;
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  IF NOT FOUND OR b.status <> 'preparing' THEN RETURN b.status; END IF;
  IF (b.counts->>'total')::int = 0 THEN b := freeze_audience(b, filtered); END IF;
  IF b.local THEN
    SELECT min(due_at) INTO first FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL;
    IF first > now() THEN
      PERFORM queue_broadcast(b.id, first);
      RETURN b.status;
    END IF;
  END IF;
  IF (b.counts->>'pending')::int > 0 THEN RETURN (begin_sending(b, most)).status; END IF;
  UPDATE broadcasts SET status = 'failed', updated_at = now(), error = jsonb_build_object('code', 'no_route',
    'message', 'Nobody of the audience can be reached.', 'permanent', true, 'platform_code', NULL)
  WHERE id = b.id AND status = 'preparing' RETURNING * INTO b;
  IF FOUND THEN PERFORM announce_broadcast(b, 'broadcast.failed', '{"status":"preparing"}'); END IF;
  RETURN b.status;
END $$;

-- The quiet hours from the day before a time to a week after it. Days are those on which they begin, 0 is Sunday; none
-- named means all. A day is what a calendar on the wall of the zone shows: without a zone of its own until it is read there.
CREATE FUNCTION quiet_times(schedule jsonb, at timestamptz) RETURNS TABLE (begins timestamptz, ends timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT (day + (q->>'from')::time) AT TIME ZONE zone,
    (day + (q->>'to')::time + CASE WHEN q->>'to' <= q->>'from' THEN interval '1 day' ELSE interval '0' END) AT TIME ZONE zone
  FROM (SELECT schedule->'quiet_hours' AS q, known_zone(coalesce(schedule->'quiet_hours'->>'timezone', 'UTC')) AS zone) s,
    generate_series(((at AT TIME ZONE zone)::date - 1)::timestamp, ((at AT TIME ZONE zone)::date + 7)::timestamp, interval '1 day') AS day
  WHERE jsonb_typeof(q) = 'object' AND q->>'from' IS NOT NULL AND q->>'to' IS NOT NULL
    AND (jsonb_array_length(coalesce(nullif(q->'days', 'null'), '[]')) = 0
      OR q->'days' @> to_jsonb(extract(dow FROM day)::int))
$$;

-- When quiet hours end, if it is quiet then.
CREATE FUNCTION quiet_until(schedule jsonb, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN jsonb_typeof(schedule->'quiet_hours') = 'object' THEN (
    SELECT min(q.ends) FROM quiet_times(schedule, at) q WHERE at >= q.begins AND at < q.ends) END
$$;

-- A job for the beginning of the next quiet hours: what is queued then is held back, whoever still waits.
CREATE FUNCTION remind_of_quiet(b broadcasts) RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast(b.id, min(q.begins)) FROM quiet_times(b.schedule, now()) q WHERE q.begins > now()
  HAVING min(q.begins) IS NOT NULL
$$;

-- Moves a broadcast between two states, if it still is in the first, with its event and, where sending goes on, its job.
CREATE FUNCTION move_broadcast(broadcast uuid, was text, becomes text, event text) RETURNS broadcasts
LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  UPDATE broadcasts SET status = becomes, updated_at = now(), eta = CASE WHEN becomes = 'sending' THEN expected_end(broadcasts) END
  WHERE id = broadcast AND status = was RETURNING * INTO b;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM announce_broadcast(b, event, jsonb_build_object('status', was));
  PERFORM queue_broadcast(b.id);
  IF becomes = 'sending' THEN PERFORM remind_of_quiet(b); END IF;
  RETURN b;
END $$;

-- Locks the next recipients who wait for their turn, up to `most`, in the order they were frozen; those that somebody else
-- has locked are left to them, or waited for. Read by the index of that order, from where the last one ended, also by plans
-- that were made while the statistics told of empty tables.
CREATE FUNCTION next_recipients(b broadcasts, most int, shared boolean, OUT ids uuid[], OUT reached_at timestamptz, OUT reached_id uuid)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  after_at timestamptz := coalesce(b.reached_at, '-infinity');
  after_id uuid := coalesce(b.reached_id, '00000000-0000-0000-0000-000000000000');
BEGIN
  LOOP
    IF shared THEN
      SELECT array_agg(x.id), max(x.created_at), (array_agg(x.id))[count(*)::int] INTO ids, reached_at, reached_id FROM (
        SELECT r.id, r.created_at FROM broadcast_recipients r
        WHERE r.broadcast_id = b.id AND r.status = 'pending' AND (r.created_at, r.id) > (after_at, after_id)
        ORDER BY r.created_at, r.id LIMIT most FOR NO KEY UPDATE SKIP LOCKED) x;
    ELSE
      SELECT array_agg(x.id), max(x.created_at), (array_agg(x.id))[count(*)::int] INTO ids, reached_at, reached_id FROM (
        SELECT r.id, r.created_at FROM broadcast_recipients r
        WHERE r.broadcast_id = b.id AND r.status = 'pending' AND (r.created_at, r.id) > (after_at, after_id)
        ORDER BY r.created_at, r.id LIMIT most FOR NO KEY UPDATE) x;
    END IF;
    EXIT WHEN ids IS NOT NULL OR after_at = '-infinity' OR b.waiting = 0;
    after_at := '-infinity';
  END LOOP;
END $$;

-- Ends pending recipients without sending, up to `most`, and answers how many. Their broadcast is locked after them.
CREATE FUNCTION drop_recipients(broadcast uuid, becomes text, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  next record;
  dropped int;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  SELECT * INTO next FROM next_recipients(b, most, false);
  dropped := coalesce(cardinality(next.ids), 0);
  IF dropped > 0 THEN
    UPDATE broadcast_recipients SET status = becomes, due_at = NULL, updated_at = now() WHERE id = ANY (next.ids);
    PERFORM shift_counts(broadcast, 'pending', becomes, dropped);
    UPDATE broadcasts SET waiting = waiting - dropped, reached_at = next.reached_at, reached_id = next.reached_id WHERE id = broadcast;
  END IF;
  RETURN dropped;
END $$;

CREATE FUNCTION shift_counts(broadcast uuid, was text, becomes text, n int) RETURNS void LANGUAGE sql AS $$
  UPDATE broadcasts SET updated_at = now(), counts = counts || jsonb_build_object(
    was, (counts->>was)::bigint - n, becomes, (counts->>becomes)::bigint + n)
  WHERE id = broadcast
$$;

-- How many recipients may be put on their way now: not too far ahead of the platforms, not above the throttle. Less than a
-- chunk is not worth a step of its own; there is room for one when as many more were sent as they were on average so far.
-- `reroutes`: how many may go on by another platform. They are on their way already, so only the throttle is asked.
CREATE FUNCTION broadcast_allowance(b broadcasts, most int, ahead int, OUT allowed int, OUT again_at timestamptz, OUT reroutes int)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  per_minute int := (b.throttle->>'per_minute')::int;
  room bigint := ahead - ((b.counts->>'pending')::bigint - b.waiting);
  missing bigint := least(most, b.waiting, ahead) - room;
  done numeric := (b.counts->>'total')::bigint - (b.counts->>'pending')::bigint;
BEGIN
  allowed := CASE WHEN missing <= 0 THEN least(most, room) ELSE 0 END;
  IF missing > 0 THEN
    again_at := now() + least(greatest(missing * extract(epoch FROM now() - b.started_at) / greatest(done, 1), 0.1), 2) * interval '1 second';
  END IF;
  reroutes := most;
  IF per_minute IS NULL THEN RETURN; END IF;
  SELECT least(allowed, per_minute - count(*)), least(most, per_minute - count(*)), CASE WHEN count(*) >= per_minute
    THEN min(throttled_at) + interval '1 minute' ELSE again_at END INTO allowed, reroutes, again_at
  FROM broadcast_recipients WHERE broadcast_id = b.id AND throttled_at > now() - interval '1 minute';
END $$;

-- One step of a broadcast that is being sent: holds back what is queued in a pause and in quiet hours, ends it in time,
-- tries the next platform for whom the first did not reach, or puts up to `most` recipients on their way. Recipients are
-- claimed by row locks, so that any number of workers share the work and nobody is written to twice. `takers` are
-- connections that the caller sends for, with how many it takes at once: {connection id: number}. Answers how many were put
-- on their way, and those among them that are leased for the caller, as claim_deliveries does.
CREATE FUNCTION send_broadcast_chunk(broadcast uuid, most int, ahead int DEFAULT 2000, sending_limit int DEFAULT 5, takers jsonb DEFAULT '{}',
  lease_seconds int DEFAULT 25, OUT sent int, OUT tasks json) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  b broadcasts;
  quiet timestamptz;
  allowance record;
  leased leased_task[];
BEGIN
  sent := 0;
  tasks := '[]';
  SELECT * INTO b FROM broadcasts WHERE id = broadcast;
  IF NOT FOUND OR b.status NOT IN ('sending', 'paused', 'on_hold') THEN RETURN; END IF;
  -- It was frozen into recipients, and may be large: each call below would copy it.
  b.audience := '{}';
  IF (b.schedule->>'expires_at')::timestamptz <= now() THEN
    -- One after the other, for deliveries are locked after the recipients to be sent.
    IF expire_queued(b.id, b.workspace_id, 2000) > 0 THEN PERFORM queue_broadcast(b.id);
    ELSIF drop_recipients(b.id, 'expired', 5000) > 0 THEN PERFORM queue_broadcast(b.id); END IF;
    PERFORM complete_broadcast(b.id);
    RETURN;
  END IF;
  quiet := quiet_until(b.schedule, now());
  IF b.status = 'sending' AND quiet IS NOT NULL THEN
    PERFORM move_broadcast(b.id, 'sending', 'on_hold', 'broadcast.paused');
  ELSIF b.status = 'paused' OR quiet IS NOT NULL THEN
    IF hold_queued(b.id, 2000) > 0 THEN PERFORM queue_broadcast(b.id);
    ELSIF quiet IS NOT NULL THEN PERFORM queue_broadcast(b.id, quiet); END IF;
  ELSIF b.status = 'on_hold' THEN
    IF has_turn(b, sending_limit) THEN PERFORM move_broadcast(b.id, 'on_hold', 'sending', 'broadcast.resumed');
    ELSE PERFORM queue_broadcast(b.id, now() + interval '5 seconds'); END IF;
  ELSIF release_held(b, 2000) > 0 THEN
    PERFORM queue_broadcast(b.id);
  ELSIF b.throttle IS NOT NULL AND NOT pg_try_advisory_xact_lock(hashtextextended('throttle ' || b.id, 0)) THEN
    -- What another worker puts on its way at this moment can't be counted yet.
    PERFORM queue_broadcast(b.id, now() + interval '100 ms');
  ELSE
    SELECT * INTO allowance FROM broadcast_allowance(b, most, ahead);
    IF allowance.reroutes > 0 AND reroute_recipients(b, allowance.reroutes) > 0 THEN
      PERFORM queue_broadcast(b.id);
      RETURN;
    END IF;
    IF allowance.allowed > 0 THEN
      SELECT d.sent, d.leased INTO sent, leased FROM dispatch_recipients(b, allowance.allowed, takers, lease_seconds) d;
    END IF;
    PERFORM remind_of_rest(b, allowance.again_at);
    IF leased IS NOT NULL THEN tasks := describe_tasks(leased); END IF;
  END IF;
END $$;

-- A job for whoever is still to be written to, by this platform or the next one. Else it is over.
CREATE FUNCTION remind_of_rest(b broadcasts, again_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  upcoming timestamptz;
  rest bigint := (SELECT waiting FROM broadcasts WHERE id = b.id);
BEGIN
  IF rest > 0 THEN
    IF b.local THEN
      SELECT min(due_at) INTO upcoming FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.due_at IS NOT NULL;
    END IF;
    -- Where nobody was found whose turn it is, other workers have them, or it is too early.
    PERFORM queue_broadcast(b.id, greatest(again_at, upcoming, CASE WHEN rest = b.waiting THEN now() + interval '100 ms' END));
  ELSE
    PERFORM complete_broadcast(b.id);
  END IF;
  IF b.fallback IS NOT NULL THEN
    SELECT min(fallback_at) INTO upcoming FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.fallback_at IS NOT NULL;
    IF upcoming IS NOT NULL THEN PERFORM queue_broadcast(b.id, greatest(upcoming, again_at)); END IF;
  END IF;
END $$;

-- Recipients whose contact may not be written to any more are skipped. Answers how many.
CREATE FUNCTION skip_recipients(b broadcasts, ids uuid[], reason text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  skipped int := coalesce(cardinality(ids), 0);
BEGIN
  IF skipped = 0 THEN RETURN 0; END IF;
  UPDATE broadcast_recipients SET status = 'skipped', skip_reason = reason, updated_at = now() WHERE id = ANY (ids);
  PERFORM shift_counts(b.id, 'pending', 'skipped', skipped);
  UPDATE broadcasts SET skip_reasons = skip_reasons
    || jsonb_build_object(reason, coalesce((skip_reasons->>reason)::bigint, 0) + skipped) WHERE id = b.id;
  RETURN skipped;
END $$;

-- A recipient and the chat where they are written to, with what is copied from it.
CREATE TYPE recipient_chat AS (recipient_id uuid, link_id uuid, conversation_id uuid, connection_id uuid, external_id text);

-- Opens direct chats of recipients who have none on their platform yet.
CREATE FUNCTION open_recipient_chats(b broadcasts, ids uuid[]) RETURNS recipient_chat[] LANGUAGE plpgsql AS $$
DECLARE
  conversation_ids uuid[] := ARRAY(SELECT uuid7() FROM unnest(ids));
  opened recipient_chat[];
  last_number bigint;
BEGIN
  UPDATE workspaces SET conversation_count = conversation_count + cardinality(ids) WHERE id = b.workspace_id
  RETURNING conversation_count INTO last_number;
  INSERT INTO conversations (id, workspace_id, number, type, created_by)
  SELECT c.id, b.workspace_id, last_number - cardinality(ids) + c.n, 'direct', b.created_by
  FROM unnest(conversation_ids) WITH ORDINALITY AS c (id, n);
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, p.user_id, b.workspace_id, p.role
  FROM unnest(conversation_ids, ids) AS c (id, recipient_id) JOIN broadcast_recipients r ON r.id = c.recipient_id
  JOIN users u ON u.id = r.user_id
  CROSS JOIN LATERAL (VALUES (b.created_by, 'owner'), (u.id, default_role(u.kind))) AS p (user_id, role)
  ON CONFLICT DO NOTHING;
  WITH made AS (
    INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id, address, title)
    SELECT uuid7(), b.workspace_id, c.id, k.id, r.platform, r.address, r.address, u.display_name
    FROM unnest(conversation_ids, ids) AS c (id, recipient_id)
    JOIN broadcast_recipients r ON r.id = c.recipient_id JOIN users u ON u.id = r.user_id
    CROSS JOIN LATERAL (SELECT k.id FROM connections k WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform
      AND k.deleted_at IS NULL ORDER BY k.enabled DESC, k.created_at, k.id LIMIT 1) k
    ON CONFLICT DO NOTHING RETURNING id, conversation_id, connection_id, external_id
  )
  SELECT array_agg(ROW(c.recipient_id, m.id, m.conversation_id, m.connection_id, m.external_id)::recipient_chat) INTO opened
  FROM unnest(conversation_ids, ids) AS c (id, recipient_id) JOIN made m ON m.conversation_id = c.id;
  IF coalesce(cardinality(opened), 0) < cardinality(ids) THEN
    -- The chat appeared meanwhile, or its connection went; the next try sees that.
    RAISE EXCEPTION 'a chat was linked meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  IF events_heard(b.workspace_id) THEN
    INSERT INTO events (workspace_id, type, conversation_id, data)
    SELECT b.workspace_id, 'conversation.created', c.id, conversation_record(c, NULL)
    FROM conversations c WHERE c.id = ANY (conversation_ids) ORDER BY c.number;
  ELSE
    PERFORM count_new_conversations(conversation_ids);
  END IF;
  RETURN opened;
END $$;

-- Connections that are switched off while another one of their platform is not.
CREATE FUNCTION idle_connections(workspace uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT k.id FROM connections k WHERE k.workspace_id = workspace AND k.deleted_at IS NULL AND NOT k.enabled
    AND EXISTS (SELECT FROM connections o WHERE o.workspace_id = workspace AND o.platform = k.platform AND o.enabled AND o.deleted_at IS NULL);
END $$;

-- The chats that recipients have, and whether they may be written to there: the one of their address first. A chat may have an id
-- that tells nothing of the address; it is theirs if they have no other address on the platform. The chat of the address is looked
-- for where there is no direct conversation: no more is read of an append than is asked for. Chats of a connection that is switched
-- off are left alone while another one of the platform is not.
CREATE FUNCTION known_recipient_chats(b broadcasts, ids uuid[], OUT known uuid[], OUT usable recipient_chat[]) LANGUAGE sql STABLE AS $$
  SELECT array_agg(r.id), array_agg(ROW(r.id, l.id, l.conversation_id, l.connection_id, l.external_id)::recipient_chat)
    FILTER (WHERE l.status = 'active' AND l.direction <> 'inbound')
  FROM broadcast_recipients r CROSS JOIN LATERAL (
    (SELECT l.* FROM participants p
    CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = p.conversation_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.conversation_id = c.id OFFSET 0) l
    LEFT JOIN LATERAL (SELECT q.user_id FROM participants q
      WHERE q.conversation_id = c.id AND q.user_id = b.created_by AND q.left_at IS NULL OFFSET 0) q ON true
    WHERE p.user_id = r.user_id AND p.left_at IS NULL AND p.workspace_id = b.workspace_id AND c.type = 'direct'
      AND c.deleted_at IS NULL AND l.platform = r.platform AND l.removed_at IS NULL
      AND l.connection_id <> ALL (ARRAY(SELECT idle_connections(b.workspace_id))) AND (l.external_id = r.address OR NOT EXISTS (SELECT FROM identities i
        WHERE i.user_id = r.user_id AND i.platform = r.platform AND i.external_id <> r.address OFFSET 0))
    ORDER BY l.external_id = r.address DESC, q.user_id IS NOT NULL DESC, c.last_message_at DESC NULLS LAST, c.id, l.created_at LIMIT 1)
    UNION ALL
    (SELECT l.* FROM connections k JOIN links l ON l.connection_id = k.id AND l.external_id = r.address
      AND coalesce(l.external_thread_id, '') = '' AND l.removed_at IS NULL
    WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform AND k.deleted_at IS NULL
      AND k.id <> ALL (ARRAY(SELECT idle_connections(b.workspace_id))) ORDER BY l.created_at LIMIT 1)
    LIMIT 1) l
  WHERE r.id = ANY (ids)
$$;

-- The chats of recipients, found or opened. Who has none and can get none is not among them.
CREATE FUNCTION recipient_chats(b broadcasts, ids uuid[]) RETURNS recipient_chat[] LANGUAGE plpgsql AS $$
DECLARE
  had record;
  meanwhile record;
  missing uuid[];
BEGIN
  SELECT * INTO had FROM known_recipient_chats(b, ids);
  IF cardinality(had.known) = cardinality(ids) THEN RETURN had.usable; END IF;
  missing := ARRAY(SELECT r.id FROM broadcast_recipients r WHERE r.id = ANY (ids) AND NOT r.id = ANY (coalesce(had.known, '{}'))
    AND EXISTS (SELECT 1 FROM connections k WHERE k.workspace_id = b.workspace_id AND k.platform = r.platform
      AND k.deleted_at IS NULL) ORDER BY r.id);
  IF cardinality(missing) = 0 THEN RETURN had.usable; END IF;
  -- Whoever opens a direct conversation locks the contact first, and looks again.
  PERFORM 1 FROM users u WHERE id IN (SELECT user_id FROM broadcast_recipients WHERE id = ANY (missing)) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO meanwhile FROM known_recipient_chats(b, missing);
  missing := ARRAY(SELECT m FROM unnest(missing) m WHERE NOT m = ANY (coalesce(meanwhile.known, '{}')));
  RETURN had.usable || meanwhile.usable || CASE WHEN missing <> '{}' THEN open_recipient_chats(b, missing) END;
END $$;

-- The platforms by which a recipient can still be reached, the first one first: none that was tried already.
CREATE FUNCTION next_routes(b broadcasts, r broadcast_recipients) RETURNS TABLE (rank bigint, platform text, address text)
LANGUAGE sql STABLE AS $$
  SELECT o.rank, o.platform, o.address FROM contact_routes(r.user_id, b.platforms) o
  WHERE o.platform <> r.platform
    AND NOT CASE WHEN b.category = 'marketing' THEN 'marketing' ELSE 'notification' END = ANY (o.opt_out)
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = r.message_id AND d.platform = o.platform)
  ORDER BY o.rank
$$;

-- The chats of recipients who get something for the first time. Whose chat was closed since they were frozen is tried by the next
-- platform at once, if the broadcast may.
CREATE FUNCTION first_chats(b broadcasts, ids uuid[]) RETURNS recipient_chat[] LANGUAGE plpgsql AS $$
DECLARE
  chats recipient_chat[] := recipient_chats(b, ids);
  rest uuid[];
BEGIN
  IF b.fallback IS NULL OR coalesce(cardinality(chats), 0) = cardinality(ids) THEN RETURN chats; END IF;
  rest := ARRAY(SELECT id FROM unnest(ids) AS i (id) EXCEPT SELECT recipient_id FROM unnest(chats));
  UPDATE broadcast_recipients r SET platform = n.platform, address = n.address FROM (
    SELECT x.id, o.platform, o.address FROM broadcast_recipients x CROSS JOIN LATERAL (SELECT * FROM next_routes(b, x) LIMIT 1) o
    WHERE x.id = ANY (rest)) n WHERE r.id = n.id;
  RETURN chats || recipient_chats(b, rest);
END $$;

-- Puts up to `most` pending recipients on their way: message, delivery, events and wake-ups, all rows of a kind at once.
CREATE FUNCTION dispatch_recipients(b broadcasts, most int, takers jsonb, lease_seconds int, OUT sent int, OUT leased leased_task[]) LANGUAGE plpgsql AS $$
DECLARE
  claimed uuid[];
  barred record;
  chats recipient_chat[];
  again uuid[];
  skipped int;
BEGIN
  IF b.local THEN
    SELECT array_agg(id) INTO claimed FROM (SELECT id FROM broadcast_recipients
      WHERE broadcast_id = b.id AND status = 'pending' AND due_at <= now() ORDER BY due_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED) x;
    UPDATE broadcast_recipients SET due_at = NULL WHERE id = ANY (claimed);
  ELSE
    SELECT n.ids, n.reached_at, n.reached_id INTO claimed, b.reached_at, b.reached_id FROM next_recipients(b, most, true) n;
  END IF;
  sent := 0;
  IF claimed IS NULL THEN RETURN; END IF;
  IF b.cap IS NOT NULL THEN
    -- Two broadcasts count one after the other what a contact got.
    PERFORM 1 FROM users u WHERE id IN (SELECT user_id FROM broadcast_recipients WHERE id = ANY (claimed))
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(r.id) FILTER (WHERE reason = 'opted_out') AS opted_out,
    array_agg(r.id) FILTER (WHERE reason = 'blocked_by_recipient') AS blocked,
    array_agg(r.id) FILTER (WHERE reason = 'frequency_cap') AS capped,
    array_agg(r.id) FILTER (WHERE reason IS NULL AND message_id IS NULL) AS free,
    array_agg(r.id) FILTER (WHERE reason IS NULL AND message_id IS NOT NULL) AS retried INTO barred
  FROM (SELECT r.id, r.message_id, coalesce(blocked_by(u, b.category), CASE WHEN u.deleted_at IS NOT NULL THEN 'blocked_by_recipient'
      WHEN b.cap IS NOT NULL AND is_capped(u, b) THEN 'frequency_cap' END) AS reason
    FROM broadcast_recipients r JOIN users u ON u.id = r.user_id WHERE r.id = ANY (claimed)) r;
  chats := first_chats(b, coalesce(barred.free, '{}'));
  leased := put_on_the_way(b, chats, takers, lease_seconds);
  again := put_back_on_the_way(b, barred.retried);
  skipped := skip_recipients(b, barred.opted_out, 'opted_out') + skip_recipients(b, barred.blocked, 'blocked')
    + skip_recipients(b, barred.capped, 'frequency_cap') + skip_recipients(b, ARRAY(SELECT unnest(barred.free || barred.retried)
      EXCEPT (SELECT c.recipient_id FROM unnest(chats) c UNION ALL SELECT unnest(again))), 'no_route');
  UPDATE broadcasts SET waiting = waiting - cardinality(claimed), reached_at = b.reached_at, reached_id = b.reached_id
  WHERE id = b.id AND status = 'sending';
  IF NOT FOUND THEN
    -- It was paused or canceled meanwhile, and whoever did that looked for the queued ones already.
    RAISE EXCEPTION 'the broadcast was stopped meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  sent := cardinality(claimed) - skipped;
END $$;

-- Leases those of these chats that are free, for sends that are about to be made: as claim_deliveries does, for up to so many of
-- a connection as `takers` says. Answers the fences in the order of the chats; null where the send has to wait for its turn.
CREATE FUNCTION lease_free_lanes(chats recipient_chat[], takers jsonb, lease_seconds int) RETURNS bigint[] LANGUAGE sql AS $$
  WITH wanted AS (
    SELECT x.n, x.link_id, row_number() OVER (PARTITION BY x.connection_id ORDER BY x.n) AS place, (takers->>x.connection_id::text)::int AS room
    FROM (SELECT DISTINCT ON (u.link_id) u.link_id, u.connection_id, u.n FROM unnest(chats) WITH ORDINALITY
      AS u (recipient_id, link_id, conversation_id, connection_id, external_id, n) ORDER BY u.link_id, u.n) x
    JOIN connections k ON k.id = x.connection_id
    WHERE takers ? x.connection_id::text AND k.status <> 'error' AND (k.paused_until > now()) IS NOT TRUE
  ), free AS (
    SELECT w.n, l.id FROM wanted w CROSS JOIN LATERAL (
      SELECT k.id FROM links k WHERE k.id = w.link_id AND is_free(k)
        AND NOT EXISTS (SELECT FROM deliveries e WHERE e.connection_id = k.connection_id AND e.lane = k.id) FOR NO KEY UPDATE SKIP LOCKED) l
    WHERE w.place <= w.room
  ), leased AS (
    UPDATE links l SET leased_until = now() + make_interval(secs => lease_seconds), fence = l.fence + 1
    FROM free f WHERE l.id = f.id RETURNING f.n, l.fence
  )
  SELECT array_agg(e.fence ORDER BY s.n) FROM generate_subscripts(chats, 1) AS s (n) LEFT JOIN leased e ON e.n = s.n
$$;

-- Makes message and delivery of each recipient, all rows of a kind at once. Answers what is leased for the caller: it is being
-- sent from the first, unless somebody listens to how deliveries move.
CREATE FUNCTION put_on_the_way(b broadcasts, chats recipient_chat[], takers jsonb, lease_seconds int) RETURNS leased_task[] LANGUAGE plpgsql AS $$
DECLARE
  ends timestamptz := least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz);
  recipients uuid[] := ARRAY(SELECT recipient_id FROM unnest(chats));
  fences bigint[];
  leased leased_task[];
BEGIN
  IF recipients = '{}' THEN RETURN NULL; END IF;
  -- One after the other by id: a lock of its own first would be written to the log once more for each.
  UPDATE conversations c SET last_message_id = n.recipient_id, last_message_at = now() FROM (
    SELECT DISTINCT ON (x.conversation_id) x.conversation_id, x.recipient_id FROM unnest(chats) x
    ORDER BY x.conversation_id, x.recipient_id DESC) n WHERE c.id = n.conversation_id;
  fences := CASE WHEN takers = '{}' OR moves_heard(b.workspace_id) THEN array_fill(NULL::bigint, ARRAY[cardinality(chats)])
    ELSE lease_free_lanes(chats, takers, lease_seconds) END;
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, content_type,
    attachments, direction, status, platform, category, broadcast_id, expires_at)
  SELECT r.id, b.workspace_id, c.id, c.number, b.created_by,
    CASE WHEN t.names = '{}' THEN t.pieces[1] ELSE render_pieces(t.pieces, t.names, recipient_values(r.variables, b.variables, u)) END,
    b.content_type, t.attachments,
    'outbound', CASE WHEN x.fence IS NULL THEN 'queued' ELSE 'sending' END, r.platform, b.category, b.id, ends
  FROM ROWS FROM (unnest(chats), unnest(fences)) AS x (recipient_id, link_id, conversation_id, connection_id, external_id, fence)
  JOIN broadcast_recipients r ON r.id = x.recipient_id JOIN users u ON u.id = r.user_id JOIN conversations c ON c.id = x.conversation_id
  JOIN broadcast_contents(b) t ON t.key IS NOT DISTINCT FROM r.variant;
  WITH made AS (
    INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id,
      priority, status, attempt_count, expires_at)
    SELECT b.workspace_id, x.recipient_id, x.conversation_id, x.link_id, x.connection_id, r.platform, x.external_id, 10,
      CASE WHEN x.fence IS NULL THEN 'queued' ELSE 'sending' END, CASE WHEN x.fence IS NULL THEN 0 ELSE 1 END, ends
    FROM ROWS FROM (unnest(chats), unnest(fences)) AS x (recipient_id, link_id, conversation_id, connection_id, external_id, fence)
    JOIN broadcast_recipients r ON r.id = x.recipient_id ORDER BY x.recipient_id
    RETURNING id, message_id
  )
  SELECT array_agg(ROW('send', m.id, NULL, x.fence, 1)::leased_task) INTO leased
  FROM made m JOIN unnest(recipients, fences) AS x (id, fence) ON x.id = m.message_id AND x.fence IS NOT NULL;
  UPDATE broadcast_recipients r SET status = CASE WHEN x.fence IS NULL THEN 'queued' ELSE 'sending' END, message_id = r.id,
    attempts = CASE WHEN x.fence IS NULL THEN 0 ELSE 1 END, queued_at = now(), updated_at = now(),
    throttled_at = CASE WHEN b.throttle IS NOT NULL THEN now() END
  FROM unnest(recipients, fences) AS x (recipient_id, fence) WHERE r.id = x.recipient_id;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT b.workspace_id, e.type, m.conversation_id, e.data, e.extra
  FROM (SELECT events_heard(b.workspace_id) AS heard, moves_heard(b.workspace_id) AS moves_heard) h JOIN messages m ON h.heard OR h.moves_heard JOIN deliveries d ON d.message_id = m.id JOIN conversations c ON c.id = m.conversation_id
  JOIN users u ON u.id = m.sender_id LEFT JOIN shown_platform(c.id, c.last_link_id) p ON true
  CROSS JOIN LATERAL (SELECT render_delivery(d, '[]') AS delivery OFFSET 0) r
  CROSS JOIN LATERAL (VALUES
    ('message.created', render_message(m, '[]', 0, '[]', json_build_array(r.delivery)), render_context(c, p.platform, u)),
    ('delivery.updated', r.delivery, '{"previous":{"status":null}}')) e (type, data, extra)
  WHERE m.id = ANY (recipients) AND CASE e.type WHEN 'delivery.updated' THEN h.moves_heard ELSE h.heard END
  ORDER BY m.id, e.type DESC;
  IF b.fallback IS NOT NULL THEN PERFORM await_fallback(b, recipients); END IF;
  IF b.cap IS NOT NULL AND b.category = 'marketing' THEN
    UPDATE users u SET marketed_at = now() || ARRAY(SELECT t FROM unnest(u.marketed_at) t
      WHERE t > now() - make_interval(secs => (b.cap->>'seconds')::int) ORDER BY t DESC LIMIT 1000)
    FROM broadcast_recipients r WHERE r.id = ANY (recipients) AND u.id = r.user_id;
  END IF;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT x.connection_id FROM ROWS FROM (unnest(chats), unnest(fences))
    AS x (recipient_id, link_id, conversation_id, connection_id, external_id, fence) WHERE x.fence IS NULL));
  RETURN leased;
END $$;

-- Recipients who have a further platform get it tried when this one has not reached them in time.
CREATE FUNCTION await_fallback(b broadcasts, recipients uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE broadcast_recipients r SET fallback_at = CASE WHEN EXISTS (SELECT 1 FROM next_routes(b, r))
    THEN now() + make_interval(secs => (b.fallback->>'after_seconds')::int) END
  WHERE r.id = ANY (recipients)
$$;

-- What of a broadcast waits to be sent. Found by the indexes of work: how many recipients it has does not matter.
CREATE FUNCTION queued_deliveries(broadcast uuid, workspace uuid) RETURNS TABLE (id uuid, held boolean)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  WITH waiting AS MATERIALIZED (
    SELECT d.* FROM connections k CROSS JOIN LATERAL (
      SELECT d.id, d.message_id, d.held FROM deliveries d
      WHERE d.connection_id = k.id AND d.duty = 'send' AND d.priority = 10 AND d.status = 'queued' OFFSET 0) d
    WHERE k.workspace_id = workspace
    UNION ALL
    SELECT d.* FROM connections k CROSS JOIN LATERAL (
      SELECT d.id, d.message_id, d.held FROM deliveries d
      WHERE d.connection_id = k.id AND d.held AND d.status = 'queued' OFFSET 0) d
    WHERE k.workspace_id = workspace
  )
  SELECT w.id, w.held FROM waiting w WHERE (SELECT m.broadcast_id FROM messages m WHERE m.id = w.message_id) = broadcast
$$;

-- Ends up to `most` queued deliveries of a broadcast whose time is over, as the sweeper would some seconds later. What somebody
-- tries again has a time of its own. Answers how many.
CREATE FUNCTION expire_queued(broadcast uuid, workspace uuid, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT q.id FROM queued_deliveries(broadcast, workspace) q
    WHERE (SELECT d.ends_at <= now() FROM deliveries d WHERE d.id = q.id) LIMIT most);
BEGIN
  IF ids = '{}' THEN RETURN 0; END IF;
  PERFORM move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', i.id, 'from', '["queued"]'::jsonb, 'to', 'expired',
    'error', jsonb_build_object('code', 'expired', 'permanent', true, 'platform_code', NULL,
      'message', 'The message could not be sent in time.'))) FROM unnest(ids) AS i (id)));
  RETURN cardinality(ids);
END $$;

-- Takes up to `most` queued deliveries of a broadcast that rests out of their lanes; live traffic passes them. They don't
-- expire meanwhile. Answers how many.
CREATE FUNCTION hold_queued(broadcast uuid, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  ids uuid[];
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status IN ('paused', 'on_hold');
  ids := ARRAY(SELECT d.id FROM queued_deliveries(b.id, b.workspace_id) d WHERE NOT d.held LIMIT most);
  IF cardinality(ids) = 0 THEN RETURN 0; END IF;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM deliveries WHERE id = ANY (ids)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM set_held(ids, true, (b.schedule->>'expires_at')::timestamptz);
  PERFORM 1 FROM broadcasts WHERE id = b.id AND status IN ('paused', 'on_hold') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the broadcast goes on meanwhile' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN cardinality(ids);
END $$;

-- The caller holds the locks of the messages.
CREATE FUNCTION set_held(ids uuid[], becomes boolean, ends timestamptz) RETURNS void LANGUAGE sql AS $$
  WITH changed AS (
    UPDATE deliveries SET held = becomes, expires_at = ends, updated_at = now()
    WHERE id = ANY (ids) AND status = 'queued' AND held <> becomes RETURNING message_id
  )
  UPDATE messages SET expires_at = ends WHERE id IN (SELECT message_id FROM changed)
$$;

-- Puts up to `most` held deliveries of a broadcast that goes on back into their lanes. Answers how many.
CREATE FUNCTION release_held(b broadcasts, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  -- Looked at in each step of a broadcast, so only what is held.
  ids := ARRAY(SELECT d.id FROM connections k CROSS JOIN LATERAL (
      SELECT h.id, h.message_id FROM deliveries h WHERE h.connection_id = k.id AND h.held AND h.status = 'queued' OFFSET 0) d
    WHERE k.workspace_id = b.workspace_id AND (SELECT m.broadcast_id FROM messages m WHERE m.id = d.message_id) = b.id LIMIT most);
  IF cardinality(ids) = 0 THEN RETURN 0; END IF;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM deliveries WHERE id = ANY (ids)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM set_held(ids, false, least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz));
  UPDATE broadcast_recipients r SET fallback_at = now() + make_interval(secs => (b.fallback->>'after_seconds')::int)
  FROM deliveries d WHERE d.id = ANY (ids) AND r.id = d.message_id AND r.fallback_at IS NOT NULL;
  PERFORM 1 FROM broadcasts WHERE id = b.id AND status = 'sending' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the broadcast was stopped meanwhile' USING ERRCODE = 'serialization_failure'; END IF;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT connection_id FROM deliveries WHERE id = ANY (ids)));
  RETURN cardinality(ids);
END $$;

-- What may not be sent, though it is queued or about to be: its message was deleted or its chat unlinked, its broadcast
-- rests or ends, another platform has taken its place, or its recipient has refused. What was uncertain when its broadcast was canceled does not begin again by itself
-- either; what somebody tries again has no resolution. `ids` are deliveries.
CREATE FUNCTION withheld_deliveries(ids uuid[]) RETURNS TABLE (id uuid, reason text, error jsonb, ends timestamptz) LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
  SELECT x.* FROM (
    SELECT d.id, CASE WHEN d.removal IS NOT NULL OR m.deleted_at IS NOT NULL OR l.removed_at IS NOT NULL THEN 'canceled'
        WHEN d.superseded_by IS NOT NULL OR b.status = 'canceling' OR b.status = 'canceled' AND d.resolution IS NOT NULL THEN 'canceled'
        WHEN k.block IS NOT NULL THEN 'blocked' WHEN b.status IN ('paused', 'on_hold') THEN 'held' END AS reason,
      k.block, (b.schedule->>'expires_at')::timestamptz
    FROM deliveries d JOIN messages m ON m.id = d.message_id JOIN conversations c ON c.id = m.conversation_id
    JOIN links l ON l.id = d.link_id LEFT JOIN broadcasts b ON b.id = m.broadcast_id
    LEFT JOIN LATERAL message_blocks(m, c) k (block) ON NOT m.metadata ? 'notice'
    WHERE d.id = ANY (ids)) x
  WHERE x.reason IS NOT NULL
$$;

-- Deliveries that came back to their lane while what stops them was looking at the queued ones. The caller holds the locks
-- of the messages.
CREATE FUNCTION withhold_requeued(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moves delivery_move[];
BEGIN
  PERFORM 1 FROM broadcasts WHERE id IN (SELECT m.broadcast_id FROM deliveries d JOIN messages m ON m.id = d.message_id
    WHERE d.id = ANY (ids)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM set_held(array_agg(w.id), true, w.ends) FROM withheld_deliveries(ids) w WHERE w.reason = 'held' GROUP BY w.ends;
  SELECT array_agg(read_move(jsonb_build_object('id', w.id, 'from', '["queued"]'::jsonb, 'to', w.reason)
    || CASE WHEN w.reason = 'blocked' THEN jsonb_build_object('error', w.error) ELSE '{}' END))
  INTO moves FROM withheld_deliveries(ids) w WHERE w.reason IN ('canceled', 'blocked');
  IF moves IS NOT NULL THEN PERFORM apply_moves(moves); END IF;
END $$;

-- Tries the next platform for up to `most` recipients whom the present one has not reached in time. Who has none left keeps
-- what they have. Answers how many were looked at.
CREATE FUNCTION reroute_recipients(b broadcasts, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  due uuid[];
  further record;
  chats recipient_chat[];
BEGIN
  IF b.fallback IS NULL THEN RETURN 0; END IF;
  due := ARRAY(SELECT id FROM broadcast_recipients WHERE broadcast_id = b.id AND fallback_at <= now() ORDER BY fallback_at LIMIT most);
  IF cardinality(due) = 0 THEN RETURN 0; END IF;
  PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM broadcast_recipients WHERE id = ANY (due)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM broadcast_recipients WHERE id = ANY (due)) ORDER BY id FOR NO KEY UPDATE;
  -- What is being written at this moment is waited for.
  UPDATE broadcast_recipients SET fallback_at = now() + interval '5 seconds'
  WHERE id = ANY (due) AND fallback_at <= now() AND status = 'sending';
  SELECT array_agg(r.id) AS ids, array_agg(o.platform) AS platforms, array_agg(o.address) AS addresses,
    array_agg(r.platform) AS old_platforms, array_agg(r.address) AS old_addresses INTO further
  FROM broadcast_recipients r JOIN users u ON u.id = r.user_id JOIN messages m ON m.id = r.message_id
  CROSS JOIN LATERAL (SELECT * FROM next_routes(b, r) LIMIT 1) o
  WHERE r.id = ANY (due) AND r.fallback_at <= now() AND blocked_by(u, b.category) IS NULL AND u.deleted_at IS NULL
    AND m.deleted_at IS NULL;
  UPDATE broadcast_recipients SET fallback_at = NULL WHERE id = ANY (due) AND fallback_at <= now();
  IF further.ids IS NOT NULL THEN
    UPDATE broadcast_recipients r SET platform = n.platform, address = n.address
    FROM unnest(further.ids, further.platforms, further.addresses) AS n (id, platform, address) WHERE r.id = n.id;
    chats := recipient_chats(b, further.ids);
    UPDATE broadcast_recipients r SET platform = n.platform, address = n.address
    FROM unnest(further.ids, further.old_platforms, further.old_addresses) AS n (id, platform, address)
    WHERE r.id = n.id AND NOT r.id = ANY (ARRAY(SELECT recipient_id FROM unnest(chats)));
    IF chats <> '{}' THEN PERFORM supersede_deliveries(b, chats); END IF;
  END IF;
  PERFORM 1 FROM broadcasts WHERE id = b.id AND status = 'sending' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the broadcast was stopped meanwhile' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN cardinality(due);
END $$;

-- A new delivery to each of these chats takes the place of the one a recipient's message has. The caller holds the locks of
-- the messages.
CREATE FUNCTION supersede_deliveries(b broadcasts, chats recipient_chat[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  recipients uuid[] := ARRAY(SELECT recipient_id FROM unnest(chats));
  made uuid[] := ARRAY(SELECT uuid7() FROM unnest(recipients));
  old uuid[];
  message_ids uuid[];
  shifts recipient_shift[];
  ends timestamptz := least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz);
BEGIN
  WITH fresh AS (
    INSERT INTO deliveries (id, workspace_id, message_id, conversation_id, link_id, connection_id, platform, external_chat_id,
      priority, status, expires_at)
    SELECT x.id, b.workspace_id, m.id, m.conversation_id, x.link_id, x.connection_id, r.platform, x.external_id, 10, 'queued', ends
    FROM ROWS FROM (unnest(made), unnest(chats)) AS x (id, recipient_id, link_id, conversation_id, connection_id, external_id)
    JOIN broadcast_recipients r ON r.id = x.recipient_id JOIN messages m ON m.id = r.message_id ORDER BY m.id
    RETURNING id, message_id
  ), replaced AS (
    UPDATE deliveries d SET superseded_by = f.id, updated_at = now() FROM fresh f
    WHERE d.message_id = f.message_id AND d.superseded_by IS NULL RETURNING d.id, d.message_id
  )
  SELECT array_agg(id), array_agg(message_id) INTO old, message_ids FROM replaced;
  PERFORM cancel_deliveries(old);
  WITH before AS (
    SELECT id, status FROM broadcast_recipients WHERE id = ANY (recipients)
  ), moved AS (
    UPDATE broadcast_recipients r SET status = 'queued', queued_at = now(), sent_at = NULL, attempts = 0, error = NULL,
      updated_at = now(), throttled_at = CASE WHEN b.throttle IS NOT NULL THEN now() END FROM before o WHERE r.id = o.id RETURNING o.status
  )
  SELECT array_agg(ROW(b.id, was, 'pending', NULL, n, NULL)::recipient_shift) INTO shifts
  FROM (SELECT counted_as(status) AS was, count(*) AS n FROM moved GROUP BY 1) x WHERE was <> 'pending';
  IF shifts IS NOT NULL THEN PERFORM recount_broadcasts(shifts); END IF;
  PERFORM await_fallback(b, recipients);
  UPDATE messages m SET platform = d.platform, expires_at = ends FROM deliveries d WHERE d.id = ANY (made) AND m.id = d.message_id;
  PERFORM follow_messages(message_ids);
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT m.workspace_id, e.type, m.conversation_id, e.data, e.extra
  FROM deliveries d JOIN messages m ON m.id = d.message_id JOIN deliveries o ON o.superseded_by = d.id AND o.message_id = m.id
  CROSS JOIN LATERAL (VALUES
    ('delivery.updated', delivery_record(d), '{"previous":{"status":null}}'::json),
    ('message.rerouted', message_record(m), json_build_object('from_platform', o.platform, 'to_platform', d.platform))
  ) e (type, data, extra)
  WHERE d.id = ANY (made) AND CASE e.type WHEN 'delivery.updated' THEN moves_heard(m.workspace_id) ELSE events_heard(m.workspace_id) END
  ORDER BY m.id, e.type;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT connection_id FROM deliveries WHERE id = ANY (made)));
END $$;

-- POST start, pause and resume: {"workspace_id", "id", "move", "claim", "most": how many may be sent at once}.
CREATE FUNCTION steer_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  most int := (input->>'most')::int;
  b broadcasts := lock_broadcast(input);
  n broadcasts;
BEGIN
  CASE input->>'move'
    WHEN 'start' THEN
      IF b.status = 'draft' THEN n := release_broadcast(b, '{"status":"draft"}');
      ELSIF b.status = 'scheduled' THEN
        UPDATE broadcasts SET status = 'preparing', local = false, updated_at = now() WHERE id = b.id RETURNING * INTO n;
        PERFORM queue_broadcast(n.id);
      END IF;
    WHEN 'pause' THEN n := move_broadcast(b.id, 'sending', 'paused', 'broadcast.paused');
    WHEN 'resume' THEN
      IF b.status = 'paused' AND NOT has_turn(b, most) THEN
        PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', most));
      END IF;
      n := move_broadcast(b.id, 'paused', 'sending', 'broadcast.resumed');
  END CASE;
  IF n.id IS NULL THEN PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status)); END IF;
  PERFORM complete_claim(input->'claim', 200, broadcast_record(n));
  RETURN json_build_object('record', broadcast_record(n));
END $$;

-- POST retry: failed recipients become pending again, and keep the message they have. Input of steer_broadcast.
CREATE FUNCTION retry_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  most int := (input->>'most')::int;
  b broadcasts;
  retried int;
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF b.status NOT IN ('completed', 'expired', 'failed') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  -- Recipients before their broadcast, as everywhere.
  UPDATE broadcast_recipients SET status = 'pending', attempts = 0, error = NULL, due_at = CASE WHEN b.local THEN now() END, updated_at = now()
  WHERE broadcast_id = b.id AND status = 'failed';
  GET DIAGNOSTICS retried = ROW_COUNT;
  IF retried = 0 THEN
    -- Of parallel retries the others waited here for the one that takes effect.
    SELECT status INTO b.status FROM broadcasts WHERE id = b.id;
    PERFORM refuse(CASE WHEN b.status IN ('completed', 'expired', 'failed') THEN '{"problem":"nothing_to_retry"}'
      ELSE json_build_object('problem', 'invalid_state', 'current', b.status) END);
  END IF;
  IF NOT has_turn(b, most) THEN PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', most)); END IF;
  PERFORM shift_counts(b.id, 'failed', 'pending', retried);
  -- An end that is over would end the retry as it begins.
  UPDATE broadcasts SET waiting = waiting + retried, reached_at = NULL, reached_id = NULL, completed_at = NULL,
    schedule = CASE WHEN (schedule->>'expires_at')::timestamptz <= now() THEN schedule || '{"expires_at":null}' ELSE schedule END
  WHERE id = b.id;
  b := move_broadcast(b.id, b.status, 'sending', 'broadcast.resumed');
  IF b.id IS NULL THEN PERFORM refuse('{"problem":"invalid_state","current":"sending"}'); END IF;
  PERFORM complete_claim(input->'claim', 200, broadcast_record(b));
  RETURN json_build_object('record', broadcast_record(b));
END $$;

-- Recipients of a retry are sent the message they have, by its latest delivery, see prepare_requeue. Answers those who have one to send.
CREATE FUNCTION put_back_on_the_way(b broadcasts, recipients uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  found_ids uuid[];
  delivery_ids uuid[];
BEGIN
  IF recipients IS NULL THEN RETURN '{}'; END IF;
  SELECT array_agg(r.id), array_agg(d.id) INTO found_ids, delivery_ids
  FROM broadcast_recipients r JOIN deliveries d ON d.message_id = r.message_id AND d.superseded_by IS NULL
    AND d.status IN ('failed', 'blocked')
  JOIN links l ON l.id = d.link_id AND l.removed_at IS NULL WHERE r.id = ANY (recipients);
  IF found_ids IS NULL THEN RETURN '{}'; END IF;
  UPDATE broadcast_recipients SET queued_at = now(), throttled_at = CASE WHEN b.throttle IS NOT NULL THEN now() END WHERE id = ANY (found_ids);
  PERFORM 1 FROM messages WHERE id IN (SELECT message_id FROM deliveries WHERE id = ANY (delivery_ids)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM prepare_requeue(delivery_ids);
  PERFORM move_deliveries((SELECT jsonb_agg(jsonb_build_object('id', id, 'from', '["failed","blocked"]'::jsonb, 'to', 'queued',
    'error', NULL, 'attempt_count', 0, 'expires_at', least(now() + interval '1 day', (b.schedule->>'expires_at')::timestamptz)))
    FROM unnest(delivery_ids) AS i (id)));
  IF b.fallback IS NOT NULL THEN PERFORM await_fallback(b, found_ids); END IF;
  PERFORM wake_connections(ARRAY(SELECT DISTINCT connection_id FROM deliveries WHERE id = ANY (delivery_ids)));
  RETURN found_ids;
END $$;

-- DELETE: from now on no chunk begins. What is pending is canceled in steps, here or by the job if this process dies.
CREATE FUNCTION cancel_broadcast(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts := lock_broadcast(input);
BEGIN
  IF b.status IN ('completed', 'expired', 'failed', 'canceled') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  IF b.status <> 'canceling' THEN
    UPDATE broadcasts SET status = 'canceling', canceled_at = now(), eta = NULL, updated_at = now()
    WHERE id = b.id RETURNING * INTO b;
    PERFORM queue_broadcast(b.id);
  END IF;
  RETURN json_build_object('record', broadcast_record(b));
END $$;

-- One step of a cancellation: first what waits to be sent, then who is pending. Answers whom it was about.
CREATE FUNCTION cancel_broadcast_step(broadcast uuid, most int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
  waiting uuid[];
BEGIN
  SELECT * INTO b FROM broadcasts WHERE id = broadcast AND status = 'canceling';
  IF NOT FOUND THEN RETURN 'none'; END IF;
  waiting := ARRAY(SELECT d.id FROM queued_deliveries(b.id, b.workspace_id) d LIMIT most);
  IF cardinality(waiting) > 0 THEN
    PERFORM cancel_deliveries(waiting);
    RETURN 'queued';
  END IF;
  IF drop_recipients(broadcast, 'canceled', most) > 0 THEN RETURN 'pending'; END IF;
  PERFORM complete_broadcast(broadcast);
  RETURN 'none';
END $$;

-- Broadcasts that have something to do get a job, for jobs can be lost.
CREATE FUNCTION requeue_broadcasts() RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast(id) FROM broadcasts b WHERE status IN ('preparing', 'canceling', 'on_hold')
    OR (status = 'scheduled' AND least(scheduled_at, starts_at) <= now())
    OR (status = 'paused' AND EXISTS (SELECT 1 FROM queued_deliveries(b.id, b.workspace_id) d WHERE NOT d.held))
    OR (status = 'sending' AND (quiet_until(schedule, now()) IS NOT NULL
      OR (waiting > 0 AND (NOT local OR EXISTS (SELECT 1 FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.due_at <= now())))
      OR EXISTS (SELECT 1 FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.fallback_at <= now())
      OR EXISTS (SELECT 1 FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE d.held AND m.broadcast_id = b.id)))
    OR (status IN ('sending', 'paused') AND (schedule->>'expires_at')::timestamptz <= now())
$$;

-- What each pending recipient of a frozen broadcast would read.
CREATE FUNCTION frozen_texts(broadcast uuid) RETURNS TABLE (id uuid, user_id uuid, platform text, text text)
LANGUAGE sql STABLE AS $$
  SELECT r.id, r.user_id, r.platform, render_pieces(t.pieces, t.names, recipient_values(r.variables, b.variables, u))
  FROM broadcasts b JOIN broadcast_recipients r ON r.broadcast_id = b.id AND r.status = 'pending' JOIN users u ON u.id = r.user_id
  CROSS JOIN LATERAL broadcast_contents(b) t WHERE b.id = broadcast AND t.key IS NOT DISTINCT FROM r.variant
$$;

-- What a broadcast would do, for a transaction that is rolled back: input of create_broadcast.
CREATE FUNCTION rehearse_broadcast(input jsonb, filtered found_audience) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  b broadcasts;
BEGIN
  PERFORM create_broadcast(input - 'claim' || '{"draft":true}');
  SELECT * INTO b FROM broadcasts WHERE id = (input->>'id')::uuid;
  b := freeze_audience(b, filtered);
  RETURN json_build_object('content_type', b.content_type, 'skips', b.skip_reasons,
    -- New chats of a platform are opened by the first of its connections.
    'rates', coalesce((SELECT json_object_agg(k.platform, (k.settings->>'rate_per_second')::numeric) FROM (
      SELECT DISTINCT ON (platform) platform, settings FROM connections
      WHERE workspace_id = b.workspace_id AND enabled AND deleted_at IS NULL ORDER BY platform, created_at, id) k), '{}'),
    'without_zone', CASE WHEN b.schedule->>'mode' = 'recipient_local' THEN (
      SELECT count(*) FROM broadcast_recipients r JOIN users u ON u.id = r.user_id
      WHERE r.broadcast_id = b.id AND r.status = 'pending' AND u.timezone IS NULL) ELSE 0 END,
    'samples', coalesce((
    SELECT json_agg(s) FROM (SELECT user_id, platform, text FROM frozen_texts(b.id) ORDER BY id LIMIT 5) s), '[]'));
END $$;
