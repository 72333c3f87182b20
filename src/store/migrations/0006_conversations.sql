-- Conversations with their participants, links and people. Each function is one change with its events. A refusal is
-- raised with code TL001 and its reason as JSON, so that nothing of the change stays.

CREATE FUNCTION refuse(reason json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'refused' USING ERRCODE = 'TL001', DETAIL = reason::text;
END $$;

-- A name for a contact who has none, such as telegram_ann_4f2a. Callers insert until one is free.
CREATE FUNCTION contact_username(platform text, name text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT left(platform, 20) || '_' || coalesce(nullif(left(trim(BOTH '_.-' FROM
    regexp_replace(lower(coalesce(name, '')), '[^a-z0-9_.-]+', '_', 'g')), 30), ''), 'contact')
    || '_' || left(replace(gen_random_uuid()::text, '-', ''), 4)
$$;

-- The name a platform gives a contact anew, if it does: null says nothing. Nor does an id or a handle in place of a name, unless
-- the contact has no better one so far.
CREATE FUNCTION given_name(u users, known identities, named text, tagged text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN left(btrim(named), 128) IN ('', u.display_name, left(known.external_id, 128)) THEN NULL
    WHEN left(btrim(named), 128) IN (left(known.handle, 128), left(btrim(tagged), 128))
      AND u.display_name NOT IN (left(known.external_id, 128), coalesce(left(known.handle, 128), '')) THEN NULL
    ELSE left(btrim(named), 128) END
$$;

-- Whether a platform calls a contact otherwise than before.
CREATE FUNCTION is_renamed(u users, known identities, named text, tagged text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (u.kind = 'contact' AND given_name(u, known, named, tagged) IS NOT NULL)
    OR coalesce(left(nullif(btrim(tagged), ''), 256) IS DISTINCT FROM known.handle AND nullif(btrim(tagged), '') IS NOT NULL, false)
$$;

-- The phone number that an address is; null on platforms whose addresses are none.
CREATE FUNCTION phone_at(platform text, address text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT address FROM installation WHERE platform = ANY (phone_platforms)
$$;

-- The first phone number among identities.
CREATE FUNCTION phone_in(identities jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT p.phone FROM jsonb_array_elements(identities) WITH ORDINALITY AS x (i, n)
  CROSS JOIN LATERAL phone_at(i->>'platform', i->>'external_id') AS p (phone) WHERE p.phone IS NOT NULL ORDER BY n LIMIT 1
$$;

-- The contact behind a platform's account. What the platform knows of it now replaces what it knew before.
CREATE FUNCTION find_or_create_contact(workspace uuid, platform text, external_id text, handle text, display_name text,
  locale text) RETURNS users LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  known identities;
  u users;
  before jsonb;
  named text := left(nullif(btrim(find_or_create_contact.display_name), ''), 128);
  tagged text := left(nullif(btrim(find_or_create_contact.handle), ''), 256);
BEGIN
  LOOP
    SELECT * INTO known FROM identities WHERE workspace_id = workspace
      AND identities.platform = find_or_create_contact.platform
      AND identities.external_id = find_or_create_contact.external_id;
    IF FOUND THEN
      -- Users are locked before their identities and before conversations, here as everywhere.
      SELECT * INTO u FROM users WHERE id = known.user_id FOR NO KEY UPDATE;
      EXIT WHEN EXISTS (SELECT 1 FROM identities i WHERE i.id = known.id AND i.user_id = u.id);
      -- Meanwhile the contact was deleted or merged into another one.
      CONTINUE;
    END IF;
    u := insert_contact(workspace, jsonb_build_object('display_name',
      coalesce(named, tagged, left(find_or_create_contact.external_id, 128)), 'locale', find_or_create_contact.locale,
      'phone', phone_at(find_or_create_contact.platform, find_or_create_contact.external_id)),
      find_or_create_contact.platform, coalesce(tagged, named, find_or_create_contact.external_id));
    INSERT INTO identities (workspace_id, user_id, platform, external_id, handle, last_used_at)
    VALUES (workspace, u.id, find_or_create_contact.platform, find_or_create_contact.external_id, tagged, now())
    ON CONFLICT (workspace_id, platform, external_id) DO NOTHING;
    IF FOUND THEN
      INSERT INTO events (workspace_id, type, data) VALUES (workspace, 'user.created', user_record(u));
      RETURN u;
    END IF;
    -- Someone else was faster: theirs is the contact.
    DELETE FROM users WHERE id = u.id;
  END LOOP;
  IF is_renamed(u, known, named, tagged) THEN
    before := user_record(u);
    UPDATE identities SET handle = coalesce(tagged, handle), last_used_at = now() WHERE id = known.id;
    named := given_name(u, known, named, tagged);
    UPDATE users SET display_name = CASE WHEN kind = 'contact' THEN coalesce(named, display_name) ELSE display_name END,
      updated_at = now() WHERE id = u.id RETURNING * INTO u;
    PERFORM announce_user(u, before);
  ELSE
    UPDATE identities SET last_used_at = now() WHERE id = known.id;
  END IF;
  RETURN u;
END $$;

-- Tells of a changed user what it was before: every field that differs, but for the time of the change.
CREATE FUNCTION announce_user(u users, before jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  answer jsonb := user_record(u);
  previous jsonb := former_values(before, answer);
BEGIN
  INSERT INTO events (workspace_id, type, data, extra)
  SELECT u.workspace_id, e.type, user_record(u), json_build_object('previous', e.previous)
  FROM (VALUES ('user.status_changed', jsonb_build_object('status', previous->'status'), previous ? 'status'),
    ('user.presence_changed', jsonb_build_object('presence', previous->'presence'), previous ? 'presence'),
    ('user.updated', previous - 'status' - 'presence' - 'last_seen_at',
      previous - 'status' - 'presence' - 'last_seen_at' <> '{}')
  ) AS e (type, previous, told) WHERE e.told;
END $$;

-- Whether somebody may be reached by an identity: not after the platform said that they refuse us or are gone, until they write again.
CREATE FUNCTION set_reachable(identity uuid, becomes boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  u users;
  before jsonb;
BEGIN
  SELECT x.* INTO u FROM identities i JOIN users x ON x.id = i.user_id WHERE i.id = identity FOR NO KEY UPDATE OF x;
  before := user_record(u);
  UPDATE identities SET reachable = becomes WHERE id = identity AND reachable <> becomes;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE users SET updated_at = now() WHERE id = u.id RETURNING * INTO u;
  PERFORM announce_user(u, before);
END $$;

-- Adds identities to a user; an address that is someone else's is refused with the id of that user. They are written in
-- the order of their addresses, as everybody does who waits for others there, and shown in the order given.
CREATE FUNCTION add_identities(u users, added jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
BEGIN
  INSERT INTO identities (id, workspace_id, user_id, platform, external_id, handle)
  SELECT x.id, u.workspace_id, u.id, i->>'platform', i->>'external_id', i->>'handle'
  FROM (SELECT uuid7() AS id, i FROM jsonb_array_elements(added) i OFFSET 0) x ORDER BY 4, 5
  ON CONFLICT (workspace_id, platform, external_id) DO UPDATE SET handle = excluded.handle
    WHERE identities.user_id = excluded.user_id;
  SELECT o.user_id INTO owner FROM jsonb_array_elements(added) i CROSS JOIN LATERAL (
    SELECT x.user_id FROM identities x WHERE x.workspace_id = u.workspace_id AND x.platform = i->>'platform'
      AND x.external_id = i->>'external_id' OFFSET 0) o
  WHERE o.user_id <> u.id LIMIT 1;
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'already_exists', 'id', owner)); END IF;
END $$;

-- A contact without identities and event. A username that is asked for and taken is refused with the id of who has it.
CREATE FUNCTION insert_contact(workspace uuid, input jsonb, platform text, name text) RETURNS users LANGUAGE plpgsql AS $$
DECLARE
  u users;
  asked text := input->>'username';
  -- Four digits tell some thousands of one name apart, and many have none that a username could hold. Who meets another gets more.
  more text := '';
BEGIN
  LOOP
    INSERT INTO users (id, workspace_id, kind, username, display_name, email, profile_image, phone, locale, timezone,
      channel_priority, consent, metadata)
    VALUES (coalesce((input->>'id')::uuid, uuid7()), workspace, 'contact', coalesce(asked, contact_username(platform, name) || more),
      input->>'display_name', coalesce(input->>'email', ''), input->>'profile_image', input->>'phone',
      input->>'locale', input->>'timezone', ARRAY(SELECT jsonb_array_elements_text(input->'channel_priority')),
      '{"marketing":"unknown","notification":"unknown","tracking":"unknown"}' || coalesce(input->'consent', '{}'),
      coalesce(input->'metadata', '{}'))
    ON CONFLICT (workspace_id, username) WHERE deleted_at IS NULL DO NOTHING RETURNING * INTO u;
    IF FOUND THEN RETURN u; END IF;
    IF asked IS NOT NULL THEN PERFORM refuse_username(workspace, asked); END IF;
    more := left(gen_random_uuid()::text, 8);
  END LOOP;
END $$;

-- What POST users makes: {"workspace_id", "id", "claim", and the fields of a contact}. The same id again answers the same.
CREATE FUNCTION create_contact(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  u users;
  first jsonb := input->'identities'->0;
BEGIN
  SELECT x.* INTO u FROM (SELECT * FROM users WHERE id = (input->>'id')::uuid OFFSET 0) x
  WHERE x.workspace_id = (input->>'workspace_id')::uuid;
  IF NOT FOUND THEN
    input := input || jsonb_build_object('phone', coalesce(input->>'phone', phone_in(coalesce(input->'identities', '[]'))));
    u := insert_contact((input->>'workspace_id')::uuid, input, coalesce(first->>'platform', 'contact'),
      coalesce(first->>'handle', input->>'display_name'));
    PERFORM add_identities(u, coalesce(input->'identities', '[]'));
    PERFORM sync_opt_out(u);
    INSERT INTO events (workspace_id, type, data) VALUES (u.workspace_id, 'user.created', user_record(u));
    PERFORM complete_claim(input->'claim', 201, user_record(u));
  END IF;
  RETURN json_build_object('record', user_record(u));
END $$;

CREATE FUNCTION refuse_username(workspace uuid, name text) RETURNS void LANGUAGE sql AS $$
  SELECT refuse(json_build_object('problem', 'already_exists',
    'id', (SELECT id FROM users WHERE workspace_id = workspace AND username = name AND deleted_at IS NULL)))
$$;

-- Changes a user: {"workspace_id", "id", "patch", "kind": what the user must be, or absent}. Nothing new changes nothing.
CREATE FUNCTION update_user(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
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
  -- Chosen is also what a sign of life had brought about already.
  IF patch ? 'presence' AND NOT u.presence_set THEN
    UPDATE users SET presence_set = true WHERE id = u.id RETURNING * INTO u;
  END IF;
  IF patch ? 'consent' THEN patch := patch || jsonb_build_object('consent', u.consent || (patch->'consent')); END IF;
  asked := patch - 'identities';
  IF NOT before @> (asked - 'profile_image') OR (patch ? 'profile_image' AND u.profile_image IS DISTINCT FROM patch->>'profile_image')
    OR asked->'metadata' <> u.metadata OR asked->'channel_priority' <> to_jsonb(u.channel_priority) THEN
    BEGIN
      UPDATE users SET username = coalesce(patch->>'username', username),
        display_name = coalesce(patch->>'display_name', display_name), email = coalesce(patch->>'email', email),
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
    PERFORM hold_back_from(u);
  END IF;
  IF patch ? 'identities' AND replace_identities(u, patch->'identities') THEN
    UPDATE users SET updated_at = now(),
      phone = CASE WHEN patch ? 'phone' THEN phone ELSE coalesce(phone, phone_in(patch->'identities')) END
    WHERE id = u.id RETURNING * INTO u;
  END IF;
  PERFORM sync_opt_out(u);
  IF user_record(u)::jsonb <> before THEN PERFORM announce_user(u, before); END IF;
  RETURN json_build_object('record', user_record(u));
END $$;

-- Makes the identities of a user these. Answers whether that changed anything.
CREATE FUNCTION replace_identities(u users, wanted jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := user_record(u);
BEGIN
  DELETE FROM identities o WHERE o.user_id = u.id AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(wanted) i
    WHERE i->>'platform' = o.platform AND i->>'external_id' = o.external_id);
  PERFORM add_identities(u, wanted);
  RETURN user_record(u)::jsonb <> before;
END $$;

CREATE FUNCTION announce_consent(u users, before jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, data)
  SELECT u.workspace_id, CASE x.granted WHEN true THEN 'user.opted_in' ELSE 'user.opted_out' END,
    json_build_object('user_id', u.id, 'identities', (SELECT coalesce(json_agg(json_build_object(
      'platform', i.platform, 'external_id', i.external_id)), '[]') FROM identities i WHERE i.user_id = u.id),
      'categories', x.categories, 'source', 'api', 'keyword', NULL, 'at', wire_time(now()))
  FROM (SELECT value = 'granted' AS granted, json_agg(key ORDER BY key) AS categories FROM jsonb_each_text(u.consent)
    WHERE key IN ('marketing', 'notification') AND value IN ('granted', 'denied')
      AND value IS DISTINCT FROM before->>key GROUP BY 1) x
$$;

-- The default role of a user in a conversation that another one created.
CREATE FUNCTION default_role(kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'member' THEN 'agent' WHEN 'contact' THEN 'customer' ELSE 'bot' END
$$;

-- A conversation with its participants, under the next number. announce_conversation follows when its links are in. A
-- contact whose message begins it is a customer there, like all contacts.
-- extra: team, labels, priority, metadata.
CREATE FUNCTION create_conversation(workspace uuid, id uuid, kind text, title text, creator uuid, participant_ids uuid[],
  extra jsonb) RETURNS conversations LANGUAGE plpgsql
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  c conversations;
  next bigint;
  others uuid[] := array_remove(ARRAY(SELECT DISTINCT unnest(participant_ids)), creator);
BEGIN
  IF cardinality(others) > 249 THEN PERFORM refuse('{"problem":"limit_reached","limit":250}'); END IF;
  IF (SELECT count(*) FROM users u WHERE u.id = ANY (others) AND u.workspace_id = workspace AND u.deleted_at IS NULL)
    < cardinality(others) THEN PERFORM refuse('{"problem":"not_found","field":"participant_ids"}'); END IF;
  UPDATE workspaces w SET conversation_count = conversation_count + 1 WHERE w.id = workspace
  RETURNING conversation_count INTO next;
  INSERT INTO conversations (id, workspace_id, number, type, title, team, labels, priority, created_by, metadata)
  VALUES (create_conversation.id, workspace, next, kind, create_conversation.title, extra->>'team',
    ARRAY(SELECT jsonb_array_elements_text(extra->'labels')), coalesce(extra->>'priority', 'none'), creator,
    coalesce(extra->'metadata', '{}'))
  RETURNING * INTO c;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, u.id, workspace, CASE WHEN u.id = creator AND u.kind <> 'contact' THEN 'owner' ELSE default_role(u.kind) END
  FROM users u WHERE u.id = ANY (others || creator) ORDER BY u.id = creator DESC, u.id;
  RETURN c;
END $$;

CREATE FUNCTION announce_conversation(c conversations) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES (c.workspace_id, 'conversation.created', c.id, conversation_record(c, NULL))
$$;

-- Links a platform chat: {"id", "connection_id", "external_id", "external_thread_id", "title", "direction",
-- "attribution", "address", "field": where the client named the connection}. A chat that is linked already is refused with the id of its link.
CREATE FUNCTION add_link(c conversations, link jsonb) RETURNS links LANGUAGE plpgsql AS $$
DECLARE
  l links;
  k connections;
BEGIN
  PERFORM 1 FROM conversations WHERE id = c.id FOR NO KEY UPDATE;
  SELECT * INTO k FROM connections WHERE id = (link->>'connection_id')::uuid AND workspace_id = c.workspace_id
    AND deleted_at IS NULL;
  IF NOT FOUND THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', coalesce(link->>'field', 'connection_id')));
  END IF;
  IF (SELECT count(*) FROM links WHERE conversation_id = c.id AND removed_at IS NULL) >= 20 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":20}');
  END IF;
  INSERT INTO links (id, workspace_id, conversation_id, connection_id, platform, external_id, external_thread_id, title,
    direction, attribution, address)
  VALUES (coalesce((link->>'id')::uuid, uuid7()), c.workspace_id, c.id, k.id, k.platform, link->>'external_id',
    link->>'external_thread_id', link->>'title', coalesce(link->>'direction', 'two_way'),
    coalesce(link->>'attribution', 'prefix'), link->>'address')
  ON CONFLICT (connection_id, external_id, coalesce(external_thread_id, ''), (CASE WHEN removed_at IS NOT NULL THEN links.id END))
    DO NOTHING
  RETURNING * INTO l;
  IF FOUND THEN RETURN l; END IF;
  SELECT * INTO l FROM links WHERE connection_id = k.id AND external_id = link->>'external_id' AND removed_at IS NULL
    AND coalesce(external_thread_id, '') = coalesce(link->>'external_thread_id', '');
  PERFORM refuse((SELECT json_build_object('problem', 'already_exists', 'id', l.id,
    'holder', format('conversation %s%s', h.number, ' (' || nullif(h.title, '') || ')')) FROM conversations h WHERE h.id = l.conversation_id));
END $$;

-- The ways to reach a user, best first: the platforms asked for in their order, else the user's own, else by last use.
CREATE FUNCTION contact_routes(contact uuid, wanted text[]) RETURNS TABLE (rank bigint, platform text, address text,
  connection_id uuid, opt_out text[]) LANGUAGE sql STABLE AS $$
  SELECT row_number() OVER (ORDER BY array_position(wanted, i.platform), array_position(u.channel_priority, i.platform),
      i.last_used_at DESC NULLS LAST, i.created_at, i.id), i.platform, i.external_id, k.id, i.opt_out
  FROM users u JOIN identities i ON i.user_id = u.id
  CROSS JOIN LATERAL (
    SELECT k.id FROM connections k WHERE k.workspace_id = u.workspace_id AND k.platform = i.platform AND k.enabled
      AND k.deleted_at IS NULL ORDER BY k.created_at, k.id LIMIT 1) k
  WHERE u.id = contact AND i.reachable AND (cardinality(wanted) = 0 OR i.platform = ANY (wanted))
$$;

-- The direct conversation of two users: without a platform theirs alone, else the one that is linked to the other's chat
-- there, whoever opened it, since a chat has one conversation. What is looked up by its key is a subquery of its own: who writes
-- to many has as many conversations, and a join might read them all.
CREATE FUNCTION find_direct(workspace uuid, one uuid, other uuid, on_platform text, on_connection uuid)
RETURNS SETOF conversations LANGUAGE sql STABLE AS $$
  SELECT c.* FROM participants p
  CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = p.conversation_id OFFSET 0) c
  LEFT JOIN LATERAL (
    SELECT q.user_id FROM participants q WHERE q.conversation_id = c.id AND q.user_id = one AND q.left_at IS NULL OFFSET 0) q ON true
  WHERE p.user_id = other AND p.left_at IS NULL AND p.workspace_id = workspace AND c.type = 'direct'
    AND c.deleted_at IS NULL AND CASE WHEN on_platform IS NULL
      THEN q.user_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL)
      ELSE EXISTS (SELECT 1 FROM links l WHERE l.conversation_id = c.id AND l.removed_at IS NULL
        AND l.platform = on_platform AND (on_connection IS NULL OR l.connection_id = on_connection)) END
  ORDER BY q.user_id IS NOT NULL DESC, c.last_message_at DESC NULLS LAST, c.id LIMIT 1
$$;

-- Who asks for a chat by its address wants it tried, also where it was gone: somebody may have come back without a word.
CREATE FUNCTION try_again(c conversations, on_platform text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  gone uuid;
BEGIN
  FOR gone IN SELECT l.id FROM links l WHERE l.conversation_id = c.id AND l.platform = on_platform AND l.status = 'broken'
    AND l.removed_at IS NULL ORDER BY l.id
  LOOP
    PERFORM mend_link(gone);
    PERFORM set_reachable(p.identity, true) FROM person_of_chat(gone) p WHERE p.certain;
  END LOOP;
END $$;

-- Who opens a conversation is in it, also where somebody else or the contact had begun it.
CREATE FUNCTION take_part(c conversations, who uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  joined boolean;
BEGIN
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  SELECT c.id, u.id, c.workspace_id, default_role(u.kind) FROM users u WHERE u.id = who
    AND (SELECT count(*) FROM participants p WHERE p.conversation_id = c.id AND p.left_at IS NULL) < 250
  ON CONFLICT (conversation_id, user_id) DO UPDATE SET joined_at = now(), left_at = NULL WHERE participants.left_at IS NOT NULL
  RETURNING true INTO joined;
  IF joined THEN PERFORM announce_member(c, 'conversation.participant_added', json_build_object('user_id', who)); END IF;
END $$;

-- Finds or creates a direct conversation; of parallel callers for one pair one creates it. connection and address are
-- null where nothing is to be linked; any_connection: a chat on another connection of the platform is as good.
CREATE FUNCTION direct_conversation(workspace uuid, creator uuid, other users, platform text, connection uuid,
  address text, any_connection boolean, input jsonb, OUT c conversations, OUT created boolean) LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = other.id OR (id = creator AND other.kind <> 'contact') ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO c FROM find_direct(workspace, creator, other.id, platform,
    CASE WHEN NOT any_connection THEN connection END);
  created := NOT FOUND;
  IF NOT created THEN
    IF address IS NOT NULL THEN PERFORM try_again(c, platform); END IF;
    -- Who acts within their own conversations gets into nobody else's that way.
    IF input->>'participant_id' IS NULL THEN PERFORM take_part(c, creator); END IF;
    RETURN;
  END IF;
  c := create_conversation(workspace, (input->>'id')::uuid, 'direct', input->>'title', creator, ARRAY[other.id], input);
  IF connection IS NOT NULL THEN
    PERFORM add_link(c, jsonb_build_object('connection_id', connection, 'external_id', address, 'address', address,
      'title', CASE WHEN other.kind = 'contact' THEN other.display_name END));
  END IF;
END $$;

-- The connection a recipient is reached through: the one named, else the oldest that is enabled.
CREATE FUNCTION recipient_connection(workspace uuid, recipient jsonb, field text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  k connections;
BEGIN
  SELECT * INTO k FROM connections WHERE workspace_id = workspace AND deleted_at IS NULL
    AND CASE WHEN recipient->>'connection_id' IS NULL THEN platform = recipient->>'platform' AND enabled
      ELSE id = (recipient->>'connection_id')::uuid END
  ORDER BY created_at, id LIMIT 1;
  IF NOT FOUND AND recipient->>'connection_id' IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', field || '.connection_id'));
  ELSIF NOT FOUND OR NOT k.enabled THEN
    PERFORM refuse(json_build_object('problem', 'no_connection', 'platform', recipient->>'platform'));
  ELSIF k.platform <> recipient->>'platform' THEN
    PERFORM refuse(json_build_object('problem', 'invalid', 'field', field || '.connection_id'));
  END IF;
  RETURN k.id;
END $$;

-- Finds or creates what POST conversations asks for: {"workspace_id", "id", "creator_id", "type", "title", "team",
-- "labels", "priority", "metadata", "participant_ids", "platform", "recipient", "recipient_field": its name in the request, or
-- absent, "links", "message", "claim"}.
-- Answers {"record", "created"}.
CREATE FUNCTION open_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  other users;
  route record;
  opened record;
  connection uuid;
  answer json;
  created boolean := true;
  workspace uuid := (input->>'workspace_id')::uuid;
  creator uuid := (input->>'creator_id')::uuid;
  recipient jsonb := nullif(input->'recipient', 'null');
  ids uuid[] := array_remove(ARRAY(SELECT DISTINCT x::uuid FROM jsonb_array_elements_text(input->'participant_ids') x), creator);
  kind text := coalesce(input->>'type', CASE WHEN recipient IS NOT NULL OR cardinality(ids) = 1 THEN 'direct' ELSE 'group' END);
BEGIN
  -- By its id alone: while the statistics know of no rows, any index that begins with the workspace would do as well.
  SELECT x.* INTO c FROM (SELECT * FROM conversations WHERE id = (input->>'id')::uuid OFFSET 0) x WHERE x.workspace_id = workspace;
  IF FOUND THEN RETURN json_build_object('record', conversation_record(c, creator), 'created', true); END IF;
  IF recipient IS NOT NULL THEN
    connection := recipient_connection(workspace, recipient, coalesce(input->>'recipient_field', 'recipient'));
    other := find_or_create_contact(workspace, recipient->>'platform', recipient->>'address', NULL, NULL, NULL);
    SELECT * INTO opened FROM direct_conversation(workspace, creator, other, recipient->>'platform',
      connection, recipient->>'address', recipient->>'connection_id' IS NULL, input);
  ELSIF kind = 'direct' AND cardinality(ids) = 1 AND input->'links' IS NULL THEN
    SELECT * INTO other FROM users WHERE id = ids[1] AND workspace_id = workspace AND deleted_at IS NULL;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"participant_ids"}'); END IF;
    SELECT r.* INTO route FROM contact_routes(other.id, CASE WHEN input->>'platform' IS NULL THEN '{}'
      ELSE ARRAY[input->>'platform'] END) r WHERE other.kind = 'contact' ORDER BY r.rank LIMIT 1;
    IF NOT FOUND AND other.kind = 'contact' AND input->>'platform' IS NOT NULL THEN
      PERFORM refuse(json_build_object('problem', 'no_connection', 'platform', input->>'platform'));
    END IF;
    SELECT * INTO opened FROM direct_conversation(workspace, creator, other, route.platform,
      route.connection_id, route.address, true, input);
  ELSE
    c := create_conversation(workspace, (input->>'id')::uuid, kind, input->>'title', creator, ids, input);
    PERFORM add_link(c, l || jsonb_build_object('field', format('links.%s.connection_id', n - 1)))
    FROM jsonb_array_elements(input->'links') WITH ORDINALITY AS x (l, n);
  END IF;
  IF opened IS NOT NULL THEN
    c := opened.c;
    created := opened.created;
  END IF;
  IF created THEN PERFORM announce_conversation(c); END IF;
  IF jsonb_typeof(input->'message') = 'object' THEN
    answer := accept_message(input->'message' || jsonb_build_object('workspace_id', workspace, 'conversation_id', c.id,
      'sender_id', creator));
    IF answer->>'problem' IS NOT NULL THEN
      PERFORM refuse((answer::jsonb || jsonb_build_object('field', 'message.' || (answer->>'field')))::json);
    END IF;
    SELECT * INTO c FROM conversations WHERE id = c.id;
  END IF;
  answer := conversation_record(c, creator);
  PERFORM complete_claim(input->'claim', CASE WHEN created THEN 201 ELSE 200 END, answer);
  RETURN json_build_object('record', answer, 'created', created);
END $$;

-- Sends to an address: finds or creates the contact and the direct conversation as POST conversations does, and accepts the message
-- there, in one transaction. {"workspace_id", "creator_id", "to", "message": input of accept_message without its conversation,
-- "participant_id": who may write to people they share a conversation with only, or absent}.
CREATE FUNCTION send_to_address(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  chat text;
  answer json;
BEGIN
  IF input->>'participant_id' IS NOT NULL THEN PERFORM refuse_foreign_call(input, '{}', NULL); END IF;
  chat := open_conversation(jsonb_build_object('workspace_id', input->'workspace_id', 'creator_id', input->'creator_id',
    'id', uuid7(), 'recipient', input->'to', 'recipient_field', 'to'))->'record'->>'id';
  answer := accept_message(input->'message' || jsonb_build_object('conversation_id', chat));
  IF answer->>'problem' IS NOT NULL THEN PERFORM refuse(answer); END IF;
  RETURN answer;
END $$;

-- The conversation a request is about, locked: {"workspace_id", "conversation_id" or "conversation_number",
-- "participant_id": whom it must be visible to, or absent}.
CREATE FUNCTION lock_conversation(input jsonb) RETURNS conversations LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE workspace_id = (input->>'workspace_id')::uuid AND deleted_at IS NULL
    AND CASE WHEN input->>'conversation_id' IS NULL THEN number = (input->>'conversation_number')::bigint
      ELSE id = (input->>'conversation_id')::uuid END
    AND (input->>'participant_id' IS NULL OR EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = conversations.id
      AND p.user_id = (input->>'participant_id')::uuid AND p.left_at IS NULL))
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN c;
END $$;

CREATE FUNCTION conversation_may_move(was text, becomes text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (was, becomes) IN (VALUES
    ('open', 'pending'), ('open', 'snoozed'), ('open', 'resolved'), ('open', 'archived'),
    ('pending', 'open'), ('pending', 'snoozed'), ('pending', 'resolved'), ('pending', 'archived'),
    ('snoozed', 'open'), ('snoozed', 'pending'), ('snoozed', 'resolved'), ('snoozed', 'archived'),
    ('resolved', 'open'), ('resolved', 'archived'), ('archived', 'open'))
$$;

-- What of a conversation a change can be about.
CREATE FUNCTION conversation_fields(c conversations) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('title', c.title, 'team', c.team, 'status', c.status, 'assignee_id', c.assignee_id,
    'snoozed_until', wire_time(c.snoozed_until), 'labels', c.labels, 'priority', c.priority,
    'closed_at', wire_time(c.closed_at), 'metadata', c.metadata)
$$;

-- Stores a changed conversation with the events of what changed, and the timer of a snooze.
CREATE FUNCTION store_conversation(was conversations, n conversations) RETURNS conversations LANGUAGE plpgsql AS $$
DECLARE
  previous jsonb;
BEGIN
  SELECT jsonb_object_agg(k, v) INTO previous FROM jsonb_each(conversation_fields(was)) AS f (k, v)
  WHERE conversation_fields(n)->k <> v;
  IF previous IS NULL THEN RETURN was; END IF;
  UPDATE conversations SET title = n.title, team = n.team, status = n.status, assignee_id = n.assignee_id,
    snoozed_until = n.snoozed_until, labels = n.labels, priority = n.priority, closed_at = n.closed_at,
    metadata = n.metadata, updated_at = now() WHERE id = n.id RETURNING * INTO n;
  -- What is further away is found by the sweep of its day.
  IF n.snoozed_until < now() + interval '365 days' AND previous ? 'snoozed_until' THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('timer', jsonb_build_object('conversation_id', n.id), n.snoozed_until);
  END IF;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT n.workspace_id, e.type, n.id, conversation_record(n, NULL), json_build_object('previous', e.previous)
  FROM (VALUES
    ('conversation.updated', previous - 'assignee_id' - CASE WHEN previous ? 'status'
      THEN ARRAY['status', 'snoozed_until', 'closed_at'] ELSE '{}' END),
    ('conversation.status_changed', CASE WHEN previous ? 'status'
      THEN previous - ARRAY['title', 'team', 'labels', 'priority', 'metadata', 'assignee_id'] ELSE '{}' END),
    ('conversation.assigned', previous - ARRAY['title', 'team', 'labels', 'priority', 'metadata', 'status', 'snoozed_until',
      'closed_at'])) AS e (type, previous)
  WHERE e.previous <> '{}';
  RETURN n;
END $$;

-- The conversation in another status, with what that brings along. A move that is not in the table is refused.
CREATE FUNCTION moved_conversation(c conversations, becomes text) RETURNS conversations LANGUAGE plpgsql AS $$
BEGIN
  IF c.status = becomes THEN RETURN c; END IF;
  IF NOT conversation_may_move(c.status, becomes) THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status));
  END IF;
  c.status := becomes;
  c.closed_at := CASE WHEN becomes IN ('resolved', 'archived') THEN coalesce(c.closed_at, now()) END;
  IF becomes <> 'snoozed' THEN c.snoozed_until := NULL; END IF;
  RETURN c;
END $$;

-- Changes a conversation: input of lock_conversation with "viewer_id" and "patch".
CREATE FUNCTION update_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  n conversations;
  patch jsonb := input->'patch';
BEGIN
  n := c;
  IF patch->>'assignee_id' IS NOT NULL THEN
    -- Locked: a member who is being removed must not be assigned after their conversations were collected.
    PERFORM 1 FROM users WHERE id = (patch->>'assignee_id')::uuid
      AND workspace_id = c.workspace_id AND kind = 'member' AND deleted_at IS NULL FOR SHARE;
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"assignee_id"}'); END IF;
  END IF;
  IF patch ? 'status' THEN n := moved_conversation(n, patch->>'status'); END IF;
  IF patch ? 'snoozed_until' AND (patch->>'snoozed_until' IS NOT NULL) <> (n.status = 'snoozed') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status));
  END IF;
  IF patch->>'snoozed_until' IS NOT NULL THEN n.snoozed_until := (patch->>'snoozed_until')::timestamptz; END IF;
  IF patch ? 'title' THEN n.title := patch->>'title'; END IF;
  IF patch ? 'team' THEN n.team := patch->>'team'; END IF;
  IF patch ? 'assignee_id' THEN n.assignee_id := (patch->>'assignee_id')::uuid; END IF;
  IF patch ? 'labels' THEN n.labels := ARRAY(SELECT jsonb_array_elements_text(patch->'labels')); END IF;
  n.priority := coalesce(patch->>'priority', n.priority);
  n.metadata := coalesce(patch->'metadata', n.metadata);
  n := store_conversation(c, n);
  RETURN json_build_object('record', conversation_record(n, (input->>'viewer_id')::uuid));
END $$;

-- Opens a snoozed conversation whose time has come. Answers whether it was still snoozed.
CREATE FUNCTION end_snooze(conversation uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = conversation AND status = 'snoozed' AND snoozed_until <= now()
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM store_conversation(c, moved_conversation(c, 'open'));
  RETURN true;
END $$;

CREATE FUNCTION cancel_deliveries(ids uuid[]) RETURNS uuid[] LANGUAGE sql AS $$
  SELECT move_deliveries(coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'from', '["queued"]'::jsonb,
    'to', 'canceled')) FROM unnest(ids) AS i (id)), '[]'))
$$;

-- Deletes a conversation: its links go, unsent deliveries are canceled, its messages are gone with it.
CREATE FUNCTION delete_conversation(input jsonb) RETURNS json LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  c conversations := lock_conversation(input);
  unsent uuid[];
BEGIN
  PERFORM refuse_live_call(c.id);
  -- Links before messages, here as everywhere: what is recorded of a send meanwhile is not waited for in a circle.
  PERFORM 1 FROM links WHERE conversation_id = c.id AND removed_at IS NULL ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM messages WHERE conversation_id = c.id AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE;
  -- By the messages: no index tells what of a conversation waits.
  unsent := ARRAY(SELECT d.id FROM messages m JOIN deliveries d ON d.message_id = m.id
    WHERE m.conversation_id = c.id AND m.deleted_at IS NULL AND d.status = 'queued');
  UPDATE messages SET deleted_at = now(), updated_at = now(),
    status = CASE WHEN status IN ('scheduled', 'queued') THEN 'canceled' ELSE status END
  WHERE conversation_id = c.id AND deleted_at IS NULL;
  PERFORM cancel_deliveries(unsent);
  UPDATE links SET removed_at = now(), updated_at = now() WHERE conversation_id = c.id AND removed_at IS NULL;
  UPDATE conversations SET deleted_at = now(), updated_at = now() WHERE id = c.id;
  INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES (c.workspace_id, 'conversation.deleted', c.id, json_build_object('id', c.id, 'number', c.number,
    'deleted_at', wire_time(now()), 'deleted_by', input->>'viewer_id'));
  RETURN json_build_object('record', json_build_object('id', c.id));
END $$;

-- Tells what happened to a conversation's people and links. The record shows it after the change.
CREATE FUNCTION announce_member(c conversations, type text, extra json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (c.workspace_id, type, c.id, conversation_record(c, NULL), extra)
$$;

-- Input of lock_conversation with "link" and "claim".
CREATE FUNCTION link_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  l links;
BEGIN
  SELECT * INTO l FROM links WHERE id = (input->'link'->>'id')::uuid AND conversation_id = c.id;
  IF NOT FOUND THEN
    l := add_link(c, input->'link');
    PERFORM announce_member(c, 'conversation.link_added', json_build_object('link', link_record(l)));
    PERFORM complete_claim(input->'claim', 201, link_record(l));
  END IF;
  RETURN json_build_object('record', link_record(l));
END $$;

-- Cancels what is scheduled in conversations from which the last link went that takes messages out.
CREATE FUNCTION cancel_unlinked(chats uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH canceled AS (
    UPDATE messages SET status = 'canceled', updated_at = now() WHERE id IN (
      SELECT m.id FROM messages m WHERE m.conversation_id = ANY (chats) AND m.due_at IS NOT NULL AND NOT m.note
        AND NOT EXISTS (SELECT FROM links l WHERE l.conversation_id = m.conversation_id AND l.removed_at IS NULL AND l.direction <> 'inbound')
      ORDER BY m.id FOR NO KEY UPDATE)
    RETURNING messages
  )
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT (x.messages).workspace_id, 'message.updated', (x.messages).conversation_id, message_record(x.messages),
    '{"previous":{"status":"scheduled"}}'
  FROM canceled x
$$;

-- Takes a link from its conversation. Its unsent deliveries are canceled; what was scheduled for it alone as well.
CREATE FUNCTION remove_link(c conversations, l links) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM cancel_deliveries(ARRAY(SELECT id FROM deliveries
    WHERE connection_id = l.connection_id AND (lane = l.id OR held AND link_id = l.id) AND status = 'queued'));
  UPDATE links SET removed_at = now(), updated_at = now() WHERE id = l.id RETURNING * INTO l;
  IF l.direction <> 'inbound' THEN PERFORM cancel_unlinked(ARRAY[c.id]); END IF;
  PERFORM announce_member(c, 'conversation.link_removed', json_build_object('link', link_record(l)));
END $$;

-- Input of lock_conversation with "link_id".
CREATE FUNCTION unlink_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  l links;
BEGIN
  SELECT * INTO l FROM links WHERE id = (input->>'link_id')::uuid AND conversation_id = c.id AND removed_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  PERFORM remove_link(c, l);
  RETURN json_build_object('record', json_build_object('id', l.id));
END $$;

-- Input of lock_conversation with "user_id", "role" and "claim". Who left before comes back.
CREATE FUNCTION add_participant(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  u users;
  p participants;
BEGIN
  SELECT * INTO u FROM users WHERE id = (input->>'user_id')::uuid AND workspace_id = c.workspace_id
    AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"user_id"}'); END IF;
  IF c.type = 'direct' THEN PERFORM refuse('{"problem":"invalid_state","current":"direct"}'); END IF;
  IF EXISTS (SELECT 1 FROM participants WHERE conversation_id = c.id AND user_id = u.id AND left_at IS NULL) THEN
    PERFORM refuse(json_build_object('problem', 'already_exists', 'id', u.id));
  END IF;
  IF (SELECT count(*) FROM participants WHERE conversation_id = c.id AND left_at IS NULL) >= 250 THEN
    PERFORM refuse('{"problem":"limit_reached","limit":250}');
  END IF;
  INSERT INTO participants (conversation_id, user_id, workspace_id, role)
  VALUES (c.id, u.id, c.workspace_id, coalesce(input->>'role', default_role(u.kind)))
  ON CONFLICT (conversation_id, user_id) DO UPDATE SET role = excluded.role, joined_at = now(), left_at = NULL
  RETURNING * INTO p;
  PERFORM announce_member(c, 'conversation.participant_added', json_build_object('user_id', u.id));
  PERFORM complete_claim(input->'claim', 201, participant_record(p));
  RETURN json_build_object('record', participant_record(p));
END $$;

-- Input of lock_conversation with "user_id".
CREATE FUNCTION remove_participant(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
BEGIN
  UPDATE participants SET left_at = now() WHERE conversation_id = c.id AND user_id = (input->>'user_id')::uuid
    AND left_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  PERFORM announce_member(c, 'conversation.participant_removed', json_build_object('user_id', input->>'user_id'));
  RETURN json_build_object('record', json_build_object('user_id', input->>'user_id'));
END $$;
