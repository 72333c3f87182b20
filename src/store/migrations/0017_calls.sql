-- Calls: their states with every event, what ends them by time, and the signaling between participants. Each function is one
-- change. Locks are taken in one order: conversation, call, participants. A call never locks a message.

CREATE TABLE calls (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  conversation_id uuid NOT NULL REFERENCES conversations,
  type text NOT NULL CHECK (type IN ('voice', 'video')),
  direction text NOT NULL DEFAULT 'outbound' CHECK (direction IN ('outbound', 'inbound')),
  status text NOT NULL DEFAULT 'initiated' CHECK (status IN ('initiated', 'ringing', 'active', 'ended', 'failed')),
  end_reason text CHECK (end_reason IN ('completed', 'canceled', 'declined', 'busy', 'no_answer', 'connection_lost',
    'max_duration', 'shutdown', 'media_failure', 'provider_error', 'timed_out')),
  ended_by uuid REFERENCES users,
  error jsonb,
  platform text NOT NULL DEFAULT 'webrtc',
  initiator_id uuid NOT NULL REFERENCES users,
  join_token text UNIQUE,
  recording_url text,
  ring_timeout integer NOT NULL,
  max_duration integer NOT NULL,
  invitation_id uuid,
  vacant_since timestamptz(3),
  deadline timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  duration integer GENERATED ALWAYS AS (floor(extract(epoch FROM ended_at - answered_at))::integer) STORED,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN calls.join_token IS 'Of the link to the call page; gone with the end of the call.';
COMMENT ON COLUMN calls.invitation_id IS 'The message that invites contacts through the links of the conversation.';
COMMENT ON COLUMN calls.vacant_since IS 'Active and nobody has joined since then.';
COMMENT ON COLUMN calls.deadline IS 'When time does the next thing to it; null once it is over.';
CREATE UNIQUE INDEX calls_live ON calls (conversation_id) WHERE status IN ('initiated', 'ringing', 'active');
CREATE INDEX calls_due ON calls (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX calls_list ON calls (workspace_id, created_at DESC, id DESC);
CREATE INDEX calls_conversation ON calls (conversation_id);
CREATE UNIQUE INDEX calls_invitation ON calls (invitation_id) WHERE invitation_id IS NOT NULL;

CREATE TABLE call_participants (
  call_id uuid NOT NULL REFERENCES calls,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'invited'
    CHECK (status IN ('invited', 'ringing', 'joined', 'left', 'declined', 'missed')),
  busy boolean NOT NULL DEFAULT false,
  join_token text NOT NULL UNIQUE,
  socketless_since timestamptz(3),
  joined_at timestamptz(3),
  left_at timestamptz(3),
  removed_at timestamptz(3),
  PRIMARY KEY (call_id, user_id)
);
COMMENT ON COLUMN call_participants.busy IS 'Declined while in another call.';
COMMENT ON COLUMN call_participants.removed_at IS 'No longer in the conversation: may neither join nor get frames.';
COMMENT ON COLUMN call_participants.join_token IS 'Of the link to the call page that is theirs alone.';
COMMENT ON COLUMN call_participants.socketless_since IS 'Joined, and without an open socket since then.';
CREATE INDEX call_participants_user ON call_participants (user_id) WHERE status = 'joined';
CREATE INDEX call_participants_history ON call_participants (user_id, call_id);

-- Open sockets, by the process that holds them. What a process that died left behind ends with its sign of life.
CREATE TABLE signaling_processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL
);

CREATE TABLE call_sockets (
  id uuid PRIMARY KEY,
  process_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  call_id uuid,
  opened_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN call_sockets.call_id IS 'The only call it is good for; null: every call of its user.';
CREATE INDEX call_sockets_user ON call_sockets (user_id);
CREATE INDEX call_sockets_process ON call_sockets (process_id);

-- Frames on their way to sockets in whatever process. A notification carries their id: they may be too large for one.
CREATE TABLE call_signals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  call_id uuid NOT NULL,
  recipients uuid[] NOT NULL,
  frame json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX call_signals_age ON call_signals (created_at);

CREATE TABLE signaling (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  reachable_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO signaling DEFAULT VALUES;
COMMENT ON COLUMN signaling.reachable_at IS 'Last sign of life of any process while there was a live call or an open socket.';

CREATE FUNCTION is_live(c calls) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT c.status IN ('initiated', 'ringing', 'active')
$$;

CREATE FUNCTION call_participant_record(p call_participants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', p.user_id, 'status', p.status, 'joined_at', wire_time(p.joined_at),
    'left_at', wire_time(p.left_at))
$$;

CREATE FUNCTION call_record(c calls) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', c.id, 'conversation_id', c.conversation_id, 'type', c.type, 'direction', c.direction, 'status', c.status,
    'end_reason', c.end_reason, 'ended_by', c.ended_by, 'error', c.error,
    'platform', c.platform, 'initiator_id', c.initiator_id,
    'participants', coalesce((
      SELECT json_agg(call_participant_record(p) ORDER BY p.user_id <> c.initiator_id, p.user_id)
      FROM call_participants p WHERE p.call_id = c.id), '[]'),
    'join_url', public_url() || '/join/' || c.join_token, 'recording_url', c.recording_url,
    'ring_timeout', c.ring_timeout, 'max_duration', c.max_duration,
    'started_at', wire_time(c.started_at), 'answered_at', wire_time(c.answered_at), 'ended_at', wire_time(c.ended_at),
    'duration', c.duration, 'metadata', c.metadata,
    'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at))
$$;

CREATE FUNCTION announce_call(c calls, type text, extra json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (c.workspace_id, type, c.conversation_id, call_record(c), extra)
$$;

-- Tells what happened to one participant. The record shows the call after it.
CREATE FUNCTION announce_call_participant(call uuid, member uuid, event text) RETURNS void LANGUAGE sql AS $$
  SELECT announce_call(c, event, json_build_object('participant', call_participant_record(p)))
  FROM calls c JOIN call_participants p ON p.call_id = c.id WHERE c.id = call AND p.user_id = member
$$;

-- Whether one of these participants has an open socket that is good for the call.
CREATE FUNCTION has_call_socket(c calls, members uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM call_sockets s WHERE s.user_id = ANY (members) AND s.workspace_id = c.workspace_id
    AND (s.call_id IS NULL OR s.call_id = c.id))
$$;

-- Sends a frame to the sockets of participants. Answers whether one of them has a socket.
CREATE FUNCTION push_frame(c calls, members uuid[], frame json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  signal bigint;
BEGIN
  IF NOT has_call_socket(c, members) THEN RETURN false; END IF;
  INSERT INTO call_signals (workspace_id, call_id, recipients, frame)
  VALUES (c.workspace_id, c.id, members, push_frame.frame) RETURNING id INTO signal;
  PERFORM pg_notify('call_signals', signal::text);
  RETURN true;
END $$;

CREATE FUNCTION call_members(call uuid, without uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(user_id ORDER BY user_id) FROM call_participants
  WHERE call_id = call AND user_id IS DISTINCT FROM without AND removed_at IS NULL
$$;

-- When time does the next thing to a call: the limits of 7.4 and of sockets.
CREATE FUNCTION call_deadline(c calls) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN is_live(c) THEN least(
    CASE c.status WHEN 'initiated' THEN c.started_at + interval '15 s' END,
    CASE WHEN c.status <> 'active' THEN c.started_at + make_interval(secs => c.ring_timeout) END,
    CASE c.status WHEN 'active' THEN c.answered_at + make_interval(secs => c.max_duration) END,
    CASE c.status WHEN 'active' THEN c.vacant_since + interval '30 s' END,
    (SELECT min(p.socketless_since) + interval '20 s' FROM call_participants p
     WHERE p.call_id = c.id AND p.status = 'joined')) END
$$;

-- Keeps the deadline and its reminder. Called last in every change of a call.
CREATE FUNCTION arm_call(call uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  due timestamptz;
BEGIN
  SELECT * INTO c FROM calls WHERE id = call;
  due := call_deadline(c);
  IF c.deadline IS NOT DISTINCT FROM due THEN RETURN; END IF;
  UPDATE calls SET deadline = due WHERE id = call;
  IF due IS NOT NULL THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('timer', jsonb_build_object('call_id', call), due);
  END IF;
END $$;

-- The call over, as `ended` or `failed`, with what that means for its participants.
CREATE FUNCTION finish_call(c calls, becomes text, reason text, actor uuid, fault jsonb) RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  was text := c.status;
BEGIN
  UPDATE calls SET status = becomes, end_reason = reason, ended_by = actor, error = fault, ended_at = now(),
    join_token = NULL, vacant_since = NULL, updated_at = now() WHERE id = c.id RETURNING * INTO c;
  UPDATE call_participants SET socketless_since = NULL,
    left_at = CASE WHEN status = 'joined' OR user_id = c.initiator_id THEN coalesce(left_at, now()) ELSE left_at END,
    status = CASE WHEN status = 'joined' OR user_id = c.initiator_id THEN 'left' ELSE 'missed' END
  WHERE call_id = c.id AND status IN ('invited', 'ringing', 'joined');
  PERFORM announce_call(c, 'call.' || becomes, json_build_object('previous', json_build_object('status', was)));
  PERFORM push_frame(c, call_members(c.id, NULL), json_build_object('type', 'ended', 'call', call_record(c)));
  PERFORM arm_call(c.id);
  RETURN c;
END $$;

-- Lets participants of some kinds ring, and the call with them when it did not yet.
CREATE FUNCTION ring_call(c calls, kinds text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_participants p SET status = 'ringing' FROM users u
  WHERE p.call_id = c.id AND p.user_id <> c.initiator_id AND p.status = 'invited' AND u.id = p.user_id AND u.kind = ANY (kinds);
  IF NOT FOUND AND EXISTS (SELECT 1 FROM call_participants WHERE call_id = c.id AND user_id <> c.initiator_id) THEN
    RETURN;
  END IF;
  UPDATE calls SET status = 'ringing', updated_at = now() WHERE id = c.id AND status = 'initiated' RETURNING * INTO c;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM announce_call(c, 'call.ringing', '{"previous":{"status":"initiated"}}');
  PERFORM push_frame(c, call_members(c.id, NULL), json_build_object('type', 'ringing', 'call', call_record(c)));
  PERFORM arm_call(c.id);
END $$;

-- Invites the contacts of a call through the links of its conversation. Without a link nothing is sent.
CREATE FUNCTION invite_contacts(c calls) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  contacts uuid[] := ARRAY(SELECT p.user_id FROM call_participants p JOIN users u ON u.id = p.user_id
    WHERE p.call_id = c.id AND p.user_id <> c.initiator_id AND u.kind = 'contact');
  token text := c.join_token;
  invitation uuid := uuid7();
BEGIN
  IF cardinality(contacts) = 0 OR NOT EXISTS (SELECT 1 FROM links l WHERE l.conversation_id = c.conversation_id
    AND takes_messages(l)) THEN RETURN; END IF;
  IF cardinality(contacts) = 1 AND (SELECT type FROM conversations WHERE id = c.conversation_id) = 'direct' THEN
    SELECT join_token INTO token FROM call_participants WHERE call_id = c.id AND user_id = contacts[1];
  END IF;
  UPDATE calls SET invitation_id = invitation WHERE id = c.id;
  PERFORM accept_message(jsonb_build_object('id', invitation, 'workspace_id', c.workspace_id,
    'conversation_id', c.conversation_id, 'sender_id', c.initiator_id, 'ttl_seconds', c.ring_timeout,
    'metadata', jsonb_build_object('call_id', c.id), 'text', format('%s is calling you (%s). Join: %s',
      (SELECT display_name FROM users WHERE id = c.initiator_id), c.type, public_url() || '/join/' || token)));
END $$;

-- The group of exactly these users, the one used last.
CREATE FUNCTION find_group(workspace uuid, members uuid[]) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT c.id FROM conversations c JOIN participants p ON p.conversation_id = c.id AND p.user_id = members[1] AND p.left_at IS NULL
  JOIN participants q ON q.conversation_id = c.id AND q.user_id = members[cardinality(members)] AND q.left_at IS NULL
  WHERE c.workspace_id = workspace AND c.type = 'group' AND c.deleted_at IS NULL
    AND ARRAY(SELECT o.user_id FROM participants o WHERE o.conversation_id = c.id AND o.left_at IS NULL ORDER BY o.user_id) = members
  ORDER BY c.last_message_at DESC NULLS LAST, c.id DESC LIMIT 1
$$;

-- Whether two users take part in a conversation together.
CREATE FUNCTION know_each_other(one uuid, other uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM participants mine JOIN participants theirs USING (conversation_id)
    JOIN conversations c ON c.id = conversation_id AND c.deleted_at IS NULL
    WHERE mine.user_id = one AND mine.left_at IS NULL AND theirs.user_id = other AND theirs.left_at IS NULL)
$$;

-- Who acts within their own conversations only calls nobody from outside, and in nobody else's conversation.
CREATE FUNCTION refuse_foreign_call(input jsonb, ids uuid[], conversation uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  caller uuid := (input->>'participant_id')::uuid;
  named uuid[] := CASE WHEN input ? 'to' THEN ARRAY(SELECT i.user_id FROM identities i
    WHERE i.workspace_id = (input->>'workspace_id')::uuid AND i.platform = input->'to'->>'platform'
      AND i.external_id = input->'to'->>'address') ELSE ids END;
BEGIN
  IF input ? 'to' AND named = '{}' OR EXISTS (SELECT FROM unnest(named) n WHERE NOT know_each_other(caller, n))
    OR conversation IS NOT NULL AND NOT EXISTS (SELECT FROM participants p
      WHERE p.conversation_id = conversation AND p.user_id = caller AND p.left_at IS NULL) THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', CASE WHEN input ? 'to' THEN 'to' ELSE 'participant_ids' END));
  END IF;
END $$;

-- The conversation of a group chat that is linked under this address, of {"platform", "address"}.
CREATE FUNCTION conversation_of_group_chat(workspace uuid, place jsonb) RETURNS uuid LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT c.id FROM connections k
  CROSS JOIN LATERAL (SELECT * FROM links x WHERE x.connection_id = k.id AND x.external_id = place->>'address'
    AND x.external_thread_id IS NULL AND x.removed_at IS NULL OFFSET 0) l
  JOIN conversations c ON c.id = l.conversation_id AND c.type <> 'direct' AND c.deleted_at IS NULL
  WHERE k.workspace_id = workspace AND k.platform = place->>'platform' AND k.enabled AND k.deleted_at IS NULL
  ORDER BY k.created_at, k.id LIMIT 1
$$;

-- The conversation a new call is for, found or created: see create_call.
CREATE FUNCTION call_conversation(input jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  creator uuid := (input->>'initiator_id')::uuid;
  asked jsonb := jsonb_build_object('workspace_id', workspace, 'creator_id', creator, 'id', uuid7(),
    'participant_id', input->'participant_id');
  ids uuid[] := ARRAY(SELECT DISTINCT x::uuid FROM jsonb_array_elements_text(input->'participant_ids') x
    WHERE x::uuid <> creator ORDER BY 1);
  members uuid[] := ARRAY(SELECT unnest(ids || creator) ORDER BY 1);
  chosen uuid;
BEGIN
  IF input ? 'conversation' THEN
    SELECT id INTO chosen FROM conversations c WHERE c.workspace_id = workspace AND c.deleted_at IS NULL
      AND CASE WHEN jsonb_typeof(input->'conversation') = 'number' THEN c.number = (input->>'conversation')::bigint
        ELSE c.id = (input->>'conversation')::uuid END
      AND (input->>'participant_id' IS NULL OR EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = c.id
        AND p.user_id = (input->>'participant_id')::uuid AND p.left_at IS NULL))
    FOR NO KEY UPDATE;
    IF chosen IS NULL THEN PERFORM refuse('{"problem":"not_found","field":"conversation_id"}'); END IF;
    RETURN chosen;
  END IF;
  -- Before anything is made: afterwards the caller would know whom the call is for.
  IF input->>'participant_id' IS NOT NULL THEN PERFORM refuse_foreign_call(input, ids, NULL); END IF;
  IF input ? 'to' THEN
    chosen := conversation_of_group_chat(workspace, input->'to');
  END IF;
  IF input ? 'to' AND chosen IS NULL THEN
    chosen := open_conversation(asked || jsonb_build_object('recipient', input->'to'))->'record'->>'id';
  ELSIF chosen IS NULL AND cardinality(ids) <> 1 THEN
    -- Of parallel callers for one group one creates it.
    PERFORM pg_advisory_xact_lock(hashtextextended(members::text, 0));
    chosen := find_group(workspace, members);
  END IF;
  IF chosen IS NULL THEN
    chosen := open_conversation(asked || jsonb_build_object('participant_ids', to_jsonb(ids)))->'record'->>'id';
  END IF;
  IF input->>'participant_id' IS NOT NULL THEN PERFORM refuse_foreign_call(input, ids, chosen); END IF;
  RETURN chosen;
END $$;

CREATE FUNCTION refuse_live_call(conversation uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  live uuid;
BEGIN
  SELECT id INTO live FROM calls c WHERE conversation_id = conversation AND status IN ('initiated', 'ringing', 'active');
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'active_call', 'id', live)); END IF;
END $$;

CREATE FUNCTION random_token() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

-- Starts a call: {"workspace_id", "id", "initiator_id", "type", "ring_timeout", "max_duration", "metadata", "claim",
-- "participant_id": whom the conversation must be visible to, or absent, and one of "conversation" (id or number),
-- "participant_ids", "to"}. Answers the record as created; members ring in the same transaction.
CREATE FUNCTION create_call(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  conversation uuid;
  answer json;
BEGIN
  SELECT * INTO c FROM calls WHERE id = (input->>'id')::uuid AND workspace_id = (input->>'workspace_id')::uuid;
  IF FOUND THEN RETURN json_build_object('record', call_record(c)); END IF;
  conversation := call_conversation(input);
  PERFORM 1 FROM conversations WHERE id = conversation FOR NO KEY UPDATE;
  PERFORM refuse_live_call(conversation);
  INSERT INTO calls (id, workspace_id, conversation_id, type, initiator_id, join_token, ring_timeout, max_duration, metadata)
  VALUES ((input->>'id')::uuid, (input->>'workspace_id')::uuid, conversation, input->>'type', (input->>'initiator_id')::uuid,
    random_token(), (input->>'ring_timeout')::int, (input->>'max_duration')::int, coalesce(input->'metadata', '{}'))
  RETURNING * INTO c;
  INSERT INTO call_participants (call_id, user_id, workspace_id, join_token)
  SELECT c.id, u.id, c.workspace_id, random_token() FROM (
    SELECT p.user_id AS id FROM participants p WHERE p.conversation_id = conversation AND p.left_at IS NULL
    UNION SELECT c.initiator_id) u;
  answer := call_record(c);
  PERFORM announce_call(c, 'call.created', NULL);
  PERFORM arm_call(c.id);
  PERFORM complete_claim(input->'claim', 201, answer);
  PERFORM ring_call(c, ARRAY['member', 'bot']);
  PERFORM invite_contacts(c);
  RETURN json_build_object('record', answer);
END $$;

-- The platform accepted the invitation of a contact.
CREATE FUNCTION invitation_accepted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE invitation_id = NEW.id FOR NO KEY UPDATE;
  IF FOUND AND is_live(c) THEN PERFORM ring_call(c, ARRAY['contact']); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_invite AFTER UPDATE OF status ON messages FOR EACH ROW
  WHEN (NEW.status IN ('sent', 'delivered', 'read') AND OLD.status IN ('queued', 'sending', 'uncertain') AND NEW.metadata ? 'call_id')
  EXECUTE FUNCTION invitation_accepted();

-- The call a request is about, locked: {"workspace_id", "call_id", "participant_id": whom its conversation must be visible
-- to, or absent}.
CREATE FUNCTION lock_call(input jsonb) RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = (input->>'call_id')::uuid AND workspace_id = (input->>'workspace_id')::uuid
    AND (input->>'participant_id' IS NULL OR EXISTS (SELECT 1 FROM participants p
      WHERE p.conversation_id = calls.conversation_id AND p.user_id = (input->>'participant_id')::uuid AND p.left_at IS NULL))
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN c;
END $$;

CREATE FUNCTION refuse_over(c calls) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_live(c) THEN PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status)); END IF;
END $$;

-- Ends a call: input of lock_call with "actor_id", "reason" or none, and "claim".
CREATE FUNCTION end_call(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c calls := lock_call(input);
BEGIN
  PERFORM refuse_over(c);
  c := finish_call(c, 'ended', coalesce(input->>'reason', CASE c.status WHEN 'active' THEN 'completed' ELSE 'canceled' END),
    (input->>'actor_id')::uuid, NULL);
  PERFORM complete_claim(input->'claim', 200, call_record(c));
  RETURN json_build_object('record', call_record(c));
END $$;

-- The first one who joins beside the initiator answers the call.
CREATE FUNCTION join_call(c calls, p call_participants) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was text := c.status;
BEGIN
  UPDATE call_participants SET status = 'joined', joined_at = coalesce(joined_at, now()), left_at = NULL, busy = false,
    socketless_since = CASE WHEN NOT has_call_socket(c, ARRAY[p.user_id]) THEN now() END
  WHERE call_id = c.id AND user_id = p.user_id;
  UPDATE calls SET vacant_since = NULL, updated_at = now(),
    status = CASE WHEN p.user_id = c.initiator_id THEN status ELSE 'active' END,
    answered_at = CASE WHEN p.user_id = c.initiator_id THEN answered_at ELSE coalesce(answered_at, now()) END
  WHERE id = c.id RETURNING * INTO c;
  IF c.status <> was THEN
    PERFORM announce_call(c, 'call.answered', json_build_object('previous', json_build_object('status', was)));
  END IF;
  PERFORM announce_call_participant(c.id, p.user_id, 'call.participant_joined');
END $$;

-- A participant out of the call: `left` or `declined`. The others are told.
CREATE FUNCTION part_from_call(c calls, member uuid, becomes text, is_busy boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_participants SET status = becomes, busy = is_busy, socketless_since = NULL,
    left_at = CASE becomes WHEN 'left' THEN now() ELSE left_at END
  WHERE call_id = c.id AND user_id = member;
  UPDATE calls SET updated_at = now() WHERE id = c.id;
  PERFORM announce_call_participant(c.id, member, 'call.participant_left');
  RETURN push_frame(c, call_members(c.id, member), json_build_object('type', becomes, 'call_id', c.id, 'user_id', member));
END $$;

CREATE FUNCTION leave_call(c calls, p call_participants) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  told boolean;
BEGIN
  told := part_from_call(c, p.user_id, 'left', false);
  IF c.status = 'active' AND NOT EXISTS (SELECT 1 FROM call_participants WHERE call_id = c.id AND status = 'joined') THEN
    PERFORM finish_call(c, 'ended', 'completed', p.user_id, NULL);
  END IF;
  RETURN told;
END $$;

-- Ends a call that is not answered and that nobody can answer any more: all others have declined or were removed.
CREATE FUNCTION finish_unanswered(c calls, actor uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reason text;
BEGIN
  IF c.status = 'active' THEN RETURN; END IF;
  SELECT CASE WHEN count(*) FILTER (WHERE status = 'declined') = 0 THEN 'canceled'
    WHEN bool_and(busy) FILTER (WHERE status = 'declined') THEN 'busy' ELSE 'declined' END INTO reason
  FROM call_participants WHERE call_id = c.id AND user_id <> c.initiator_id
  HAVING count(*) > 0 AND bool_and(status = 'declined' OR removed_at IS NOT NULL);
  IF FOUND THEN PERFORM finish_call(c, 'ended', reason, actor, NULL); END IF;
END $$;

CREATE FUNCTION decline_call(c calls, p call_participants) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  told boolean;
BEGIN
  told := part_from_call(c, p.user_id, 'declined', EXISTS (SELECT 1 FROM call_participants o
    WHERE o.user_id = p.user_id AND o.status = 'joined' AND o.call_id <> c.id));
  PERFORM finish_unanswered(c, p.user_id);
  RETURN told;
END $$;

-- Takes a user who left the conversation out of its live call. They can't join any more, and nobody waits for them. Locks: the
-- call; the caller holds the conversation.
CREATE FUNCTION remove_from_call(conversation uuid, member uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  p call_participants;
BEGIN
  SELECT * INTO c FROM calls WHERE conversation_id = conversation AND status IN ('initiated', 'ringing', 'active') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE call_participants SET removed_at = now() WHERE call_id = c.id AND user_id = member AND removed_at IS NULL RETURNING * INTO p;
  IF NOT FOUND THEN RETURN; END IF;
  IF p.status IN ('invited', 'ringing', 'joined') THEN
    PERFORM push_frame(c, ARRAY[member], json_build_object('type', 'left', 'call_id', c.id, 'user_id', member));
    PERFORM leave_call(c, p);
  END IF;
  IF member = c.initiator_id AND c.status <> 'active' THEN
    PERFORM finish_call(c, 'ended', 'canceled', NULL, NULL);
  ELSE
    PERFORM finish_unanswered(c, NULL);
  END IF;
  PERFORM arm_call(c.id);
  -- Sockets that were opened with a join token are checked again, and closed.
  PERFORM pg_notify('credentials', member::text);
END $$;

CREATE FUNCTION follow_participant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.left_at IS NOT NULL THEN
    PERFORM remove_from_call(NEW.conversation_id, NEW.user_id);
  ELSE
    UPDATE call_participants p SET removed_at = NULL FROM calls c WHERE c.conversation_id = NEW.conversation_id
      AND c.status IN ('initiated', 'ringing', 'active') AND p.call_id = c.id AND p.user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END $$;

-- Whatever takes a user out of a conversation, or back into it, reaches its live call.
CREATE TRIGGER participants_calls AFTER UPDATE OF left_at ON participants FOR EACH ROW
  WHEN ((OLD.left_at IS NULL) <> (NEW.left_at IS NULL)) EXECUTE FUNCTION follow_participant();

-- A merged contact's place in live calls becomes the other contact's, who has only one. Locks the calls by id; the caller holds
-- the conversations.
CREATE FUNCTION move_call_participants(conversations uuid[], source uuid, target uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  FOR c IN SELECT k.* FROM calls k WHERE k.conversation_id = ANY (conversations) AND k.status IN ('initiated', 'ringing', 'active')
    AND EXISTS (SELECT FROM call_participants p WHERE p.call_id = k.id AND p.user_id = source) ORDER BY k.id FOR NO KEY UPDATE
  LOOP
    IF EXISTS (SELECT FROM call_participants WHERE call_id = c.id AND user_id = target) THEN
      PERFORM remove_from_call(c.conversation_id, source);
    ELSE
      UPDATE call_participants SET user_id = target WHERE call_id = c.id AND user_id = source;
      UPDATE calls SET updated_at = now() WHERE id = c.id;
      PERFORM arm_call(c.id);
      PERFORM pg_notify('credentials', source::text);
    END IF;
  END LOOP;
END $$;

-- What a participant signals: {"workspace_id", "call_id", "user_id", "type", "to"}, and for offer, answer and candidate the
-- frame as the other side gets it. Answers {"record": {"delivered"}}: whether a socket is there to get it. What changes
-- nothing, such as leaving twice, is accepted.
CREATE FUNCTION signal_call(input jsonb, frame json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c calls := lock_call(input);
  p call_participants;
  told boolean := false;
BEGIN
  SELECT * INTO p FROM call_participants WHERE call_id = c.id AND user_id = (input->>'user_id')::uuid AND removed_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF input->>'to' IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM call_participants WHERE call_id = c.id AND user_id = (input->>'to')::uuid AND removed_at IS NULL) THEN
    PERFORM refuse('{"problem":"not_found","field":"to"}');
  END IF;
  PERFORM refuse_over(c);
  IF frame IS NOT NULL THEN
    told := push_frame(c, ARRAY[(input->>'to')::uuid], frame);
  ELSIF input->>'type' = 'join' THEN
    IF p.status <> 'joined' THEN PERFORM join_call(c, p); END IF;
    told := push_frame(c, call_members(c.id, p.user_id),
      json_build_object('type', 'joined', 'call_id', c.id, 'user_id', p.user_id));
  ELSIF input->>'type' = 'decline' AND p.status IN ('invited', 'ringing') AND p.user_id <> c.initiator_id THEN
    told := decline_call(c, p);
  ELSIF input->>'type' IN ('leave', 'bye') AND p.status = 'joined' THEN
    told := leave_call(c, p);
  END IF;
  PERFORM arm_call(c.id);
  RETURN json_build_object('record', json_build_object('delivered', told));
END $$;

-- Takes those out who had no socket for too long. When nobody is left, the time that takes to end the call has begun.
CREATE FUNCTION drop_socketless(c calls, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p call_participants;
BEGIN
  FOR p IN SELECT * FROM call_participants WHERE call_id = c.id AND status = 'joined'
    AND socketless_since + interval '20 s' <= moment ORDER BY socketless_since, user_id LOOP
    PERFORM part_from_call(c, p.user_id, 'left', false);
    UPDATE calls SET vacant_since = p.socketless_since + interval '20 s' WHERE id = c.id AND status = 'active'
      AND NOT EXISTS (SELECT 1 FROM call_participants WHERE call_id = c.id AND status = 'joined');
  END LOOP;
END $$;

-- Why nobody was invited in time.
CREATE FUNCTION invitation_error(c calls) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT m.error FROM messages m WHERE m.id = c.invitation_id), jsonb_build_object(
    'code', CASE WHEN c.invitation_id IS NULL THEN 'no_route' ELSE 'provider_error' END,
    'message', CASE WHEN c.invitation_id IS NULL THEN 'No platform leads to the participants.'
      ELSE 'The platform did not accept the invitation in time.' END, 'permanent', true, 'platform_code', NULL))
$$;

-- Does to a call what is due by time. Any number of processes may call it, at any time.
CREATE FUNCTION advance_call(call uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  moment timestamptz;
  ringing_ends timestamptz;
  longest timestamptz;
BEGIN
  SELECT * INTO c FROM calls WHERE id = call FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT is_live(c) THEN RETURN; END IF;
  moment := clock_timestamp();
  PERFORM drop_socketless(c, moment);
  SELECT * INTO c FROM calls WHERE id = call;
  ringing_ends := c.started_at + make_interval(secs => c.ring_timeout);
  longest := c.answered_at + make_interval(secs => c.max_duration);
  IF c.status = 'initiated' AND c.started_at + interval '15 s' < ringing_ends AND c.started_at + interval '15 s' <= moment THEN
    PERFORM finish_call(c, 'failed', 'provider_error', NULL, invitation_error(c));
  ELSIF c.status <> 'active' AND ringing_ends <= moment THEN
    PERFORM finish_call(c, 'ended', 'no_answer', NULL, NULL);
  ELSIF c.status = 'active' AND longest <= moment AND (c.vacant_since IS NULL OR longest < c.vacant_since + interval '30 s') THEN
    PERFORM finish_call(c, 'ended', 'max_duration', NULL, NULL);
  ELSIF c.status = 'active' AND c.vacant_since + interval '30 s' <= moment THEN
    PERFORM finish_call(c, 'ended', 'connection_lost', NULL, NULL);
  ELSE
    PERFORM arm_call(c.id);
    -- A clock that is ahead of the database's reminds too early.
    INSERT INTO outbox (topic, payload, run_at)
    SELECT 'timer', jsonb_build_object('call_id', call), deadline + interval '100 ms' FROM calls
    WHERE id = call AND deadline = c.deadline AND deadline < moment + interval '1 s';
  END IF;
END $$;

-- Fails the calls that nobody could signal for, while no process was there. The lock lets one do it.
CREATE FUNCTION fail_unreachable_calls() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  silent_since timestamptz;
BEGIN
  SELECT reachable_at INTO silent_since FROM signaling FOR NO KEY UPDATE;
  IF silent_since > clock_timestamp() - interval '60 s' THEN RETURN; END IF;
  FOR c IN SELECT * FROM calls WHERE status IN ('ringing', 'active') AND started_at <= clock_timestamp() - interval '60 s'
    ORDER BY id FOR NO KEY UPDATE LOOP
    PERFORM finish_call(c, 'failed', 'timed_out', NULL, '{"code":"network","message":"Signaling was unreachable.","permanent":false,"platform_code":null}');
  END LOOP;
END $$;

-- The calls that time has something to do to, and the portion of old frames removed.
CREATE FUNCTION sweep_calls() RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM calls WHERE status IN ('ringing', 'active')) THEN PERFORM fail_unreachable_calls(); END IF;
  DELETE FROM call_signals WHERE id IN (
    SELECT id FROM call_signals WHERE created_at < now() - interval '2 minutes' ORDER BY created_at LIMIT 1000);
  RETURN QUERY SELECT id FROM calls WHERE deadline <= now() ORDER BY deadline LIMIT 200;
END $$;

-- Notes for the calls a user has joined whether there is a socket. Given one call, for that alone.
CREATE FUNCTION note_sockets(workspace uuid, member uuid, only_call uuid, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  FOR c IN SELECT * FROM calls WHERE workspace_id = workspace AND status IN ('initiated', 'ringing', 'active')
    AND id IN (SELECT call_id FROM call_participants WHERE user_id = member AND status = 'joined')
    AND (only_call IS NULL OR id = only_call) ORDER BY id FOR NO KEY UPDATE LOOP
    UPDATE call_participants SET socketless_since = CASE WHEN NOT has_call_socket(c, ARRAY[member])
      THEN coalesce(socketless_since, moment) END
    WHERE call_id = c.id AND user_id = member AND status = 'joined';
    PERFORM arm_call(c.id);
  END LOOP;
END $$;

CREATE FUNCTION open_call_socket(socket uuid, process uuid, workspace uuid, member uuid, only_call uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO signaling_processes VALUES (process, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  INSERT INTO call_sockets (id, process_id, workspace_id, user_id, call_id)
  VALUES (socket, process, workspace, member, only_call) ON CONFLICT (id) DO NOTHING;
  PERFORM note_sockets(workspace, member, only_call, now());
END $$;

CREATE FUNCTION close_call_sockets(sockets uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s call_sockets;
BEGIN
  FOR s IN DELETE FROM call_sockets WHERE id = ANY (sockets) RETURNING * LOOP
    PERFORM note_sockets(s.workspace_id, s.user_id, s.call_id, now());
  END LOOP;
END $$;

-- A sign of life of a process with sockets; the others' that stopped giving one are taken for dead. Answers whether this one
-- was itself taken for dead, so that its sockets have to be opened again.
CREATE FUNCTION beat_signaling(process uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  dead record;
  forgotten boolean;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM calls WHERE status IN ('initiated', 'ringing', 'active'))
    AND NOT EXISTS (SELECT 1 FROM call_sockets) AND EXISTS (SELECT 1 FROM signaling_processes WHERE id = process)
  THEN RETURN false; END IF;
  PERFORM fail_unreachable_calls();
  UPDATE signaling SET reachable_at = clock_timestamp();
  UPDATE signaling_processes SET seen_at = clock_timestamp() WHERE id = process;
  forgotten := NOT FOUND;
  IF forgotten THEN INSERT INTO signaling_processes VALUES (process, clock_timestamp()) ON CONFLICT DO NOTHING; END IF;
  FOR dead IN DELETE FROM signaling_processes WHERE seen_at < clock_timestamp() - interval '10 s' RETURNING id, seen_at LOOP
    PERFORM note_sockets(s.workspace_id, s.user_id, s.call_id, dead.seen_at)
    FROM take_sockets(dead.id) s;
  END LOOP;
  RETURN forgotten;
END $$;

CREATE FUNCTION take_sockets(process uuid) RETURNS SETOF call_sockets LANGUAGE sql AS $$
  DELETE FROM call_sockets WHERE process_id = process RETURNING *
$$;
