-- Helpers for calls. Locks are taken in this order: conversation, call, participants. A call never locks a
-- message.

-- A participant of a call in the form of the API.
CREATE OR REPLACE FUNCTION call_participant_record(p call_participants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', p.user_id, 'status', p.status, 'joined_at', wire_time(p.joined_at),
    'left_at', wire_time(p.left_at))
$$;

-- Writes an event about a call, with the additional fields in `extra`.
CREATE OR REPLACE FUNCTION announce_call(c calls, type text, extra json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  VALUES (c.workspace_id, type, c.conversation_id, call_record(c), extra)
$$;

-- Writes the event of one participant. The record shows the call after the change.
CREATE OR REPLACE FUNCTION announce_call_participant(call uuid, member uuid, event text) RETURNS void
  LANGUAGE sql AS $$
  SELECT announce_call(c, event, json_build_object('participant', call_participant_record(p)))
  FROM calls c JOIN call_participants p ON p.call_id = c.id WHERE c.id = call AND p.user_id = member
$$;

-- Whether one of these participants has an open socket that can be used for the call.
CREATE OR REPLACE FUNCTION has_call_socket(c calls, members uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM call_sockets s
    WHERE s.user_id = ANY (members) AND s.workspace_id = c.workspace_id
    AND (s.call_id IS NULL OR s.call_id = c.id))
$$;

-- Sends a frame to the sockets of participants, but not to members who no longer see the conversation.
-- Returns whether any of them has a socket.
CREATE OR REPLACE FUNCTION send_call_frame(c calls, members uuid[], frame json) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  signal bigint;
BEGIN
  members := ARRAY(SELECT m FROM unnest(members) m WHERE sees_conversation(m, c.conversation_id));
  IF NOT has_call_socket(c, members) THEN RETURN false; END IF;
  INSERT INTO call_signals (workspace_id, call_id, recipients, frame)
  VALUES (c.workspace_id, c.id, members, send_call_frame.frame) RETURNING id INTO signal;
  PERFORM pg_notify('call_signals', signal::text);
  RETURN true;
END $$;

-- The users in a call, except one.
CREATE OR REPLACE FUNCTION call_members(call uuid, without uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(user_id ORDER BY user_id) FROM call_participants
  WHERE call_id = call AND user_id IS DISTINCT FROM without AND removed_at IS NULL
$$;

-- Ends a call as `ended` or `failed`, and updates its participants.
CREATE OR REPLACE FUNCTION finish_call(c calls, becomes text, reason text, actor uuid, fault jsonb)
  RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  was text := c.status;
BEGIN
  UPDATE calls SET status = becomes, end_reason = reason, ended_by = actor, error = fault, ended_at = now(),
    join_token = NULL, vacant_since = NULL, updated_at = now() WHERE id = c.id RETURNING * INTO c;
  UPDATE call_participants SET socketless_since = NULL,
    left_at = CASE WHEN status = 'joined' OR user_id = c.initiator_id THEN coalesce(left_at, now())
      ELSE left_at END,
    status = CASE WHEN status = 'joined' OR user_id = c.initiator_id THEN 'left' ELSE 'missed' END
  WHERE call_id = c.id AND status IN ('invited', 'ringing', 'joined');
  PERFORM announce_call(c, 'call.' || becomes,
    json_build_object('previous', json_build_object('status', was)));
  PERFORM send_call_frame(c, call_members(c.id, NULL),
    json_build_object('type', 'ended', 'call', call_record(c)));
  PERFORM schedule_call_deadline(c.id);
  RETURN c;
END $$;

-- Moves participants of these kinds to ringing, and the call too if it is not ringing yet.
CREATE OR REPLACE FUNCTION ring_call(c calls, kinds text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_participants p SET status = 'ringing' FROM users u
  WHERE p.call_id = c.id AND p.user_id <> c.initiator_id AND p.status = 'invited' AND u.id = p.user_id
    AND u.kind = ANY (kinds);
  IF NOT FOUND AND EXISTS (SELECT 1 FROM call_participants
    WHERE call_id = c.id AND user_id <> c.initiator_id) THEN
    RETURN;
  END IF;
  UPDATE calls SET status = 'ringing', updated_at = now() WHERE id = c.id AND status = 'initiated'
  RETURNING * INTO c;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM announce_call(c, 'call.ringing', '{"previous":{"status":"initiated"}}');
  PERFORM send_call_frame(c, call_members(c.id, NULL),
    json_build_object('type', 'ringing', 'call', call_record(c)));
  PERFORM schedule_call_deadline(c.id);
END $$;

-- Whether two users take part in the same conversation.
CREATE OR REPLACE FUNCTION have_common_conversation(one uuid, other uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM participants mine JOIN participants theirs USING (conversation_id)
    JOIN conversations c ON c.id = conversation_id AND c.deleted_at IS NULL
    WHERE mine.user_id = one AND mine.left_at IS NULL AND theirs.user_id = other AND theirs.left_at IS NULL)
$$;

-- A caller with access to their own conversations can call only people they share a conversation with, and
-- only in their own conversations.
CREATE OR REPLACE FUNCTION refuse_foreign_call(input jsonb, ids uuid[], conversation uuid) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  caller uuid := (input->>'participant_id')::uuid;
  named uuid[] := CASE WHEN input ? 'to' THEN ARRAY(SELECT i.user_id FROM identities i
    WHERE i.workspace_id = (input->>'workspace_id')::uuid AND i.platform = input->'to'->>'platform'
      AND i.external_id = input->'to'->>'address') ELSE ids END;
BEGIN
  IF input ? 'to' AND named = '{}' OR EXISTS (SELECT FROM unnest(named) n
    WHERE NOT have_common_conversation(caller, n))
    OR conversation IS NOT NULL AND NOT EXISTS (SELECT FROM participants p
      WHERE p.conversation_id = conversation AND p.user_id = caller AND p.left_at IS NULL) THEN
    PERFORM refuse(json_build_object('problem', 'not_found', 'field', CASE WHEN input ? 'to' THEN 'to'
          ELSE 'participant_ids' END));
  END IF;
END $$;

-- Refuses a conversation with a live call.
CREATE OR REPLACE FUNCTION refuse_live_call(conversation uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  live uuid;
BEGIN
  SELECT id INTO live FROM calls c WHERE conversation_id = conversation
    AND status IN ('initiated', 'ringing', 'active');
  IF FOUND THEN PERFORM refuse(json_build_object('problem', 'active_call', 'id', live)); END IF;
END $$;

-- Locks and returns the call of a request: {"workspace_id", "call_id", "participant_id": the user who must
-- see its conversation, or absent}.
CREATE OR REPLACE FUNCTION lock_call(input jsonb) RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = (input->>'call_id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid
    AND (input->>'participant_id' IS NULL OR EXISTS (SELECT 1 FROM participants p
      WHERE p.conversation_id = calls.conversation_id AND p.user_id = (input->>'participant_id')::uuid
        AND p.left_at IS NULL))
    AND shows_conversation(conversation_id)
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  RETURN c;
END $$;

-- Refuses a call that has ended.
CREATE OR REPLACE FUNCTION refuse_ended_call(c calls) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_live_call(c) THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status));
  END IF;
END $$;

-- Removes a participant from a call, as `left` or `declined`. Notifies the others.
CREATE OR REPLACE FUNCTION remove_call_participant(c calls, member uuid, new_status text, is_busy boolean)
  RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_participants SET status = new_status, busy = is_busy, socketless_since = NULL,
    left_at = CASE new_status WHEN 'left' THEN now() ELSE left_at END
  WHERE call_id = c.id AND user_id = member;
  UPDATE calls SET updated_at = now() WHERE id = c.id;
  PERFORM announce_call_participant(c.id, member, 'call.participant_left');
  RETURN send_call_frame(c, call_members(c.id, member),
    json_build_object('type', new_status, 'call_id', c.id, 'user_id', member));
END $$;

-- A participant leaves a call. The call ends when the last participant leaves.
CREATE OR REPLACE FUNCTION leave_call(c calls, p call_participants) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  delivered boolean;
BEGIN
  delivered := remove_call_participant(c, p.user_id, 'left', false);
  IF c.status = 'active' AND NOT EXISTS (SELECT 1 FROM call_participants
    WHERE call_id = c.id AND status = 'joined') THEN
    PERFORM finish_call(c, 'ended', 'completed', p.user_id, NULL);
  END IF;
  RETURN delivered;
END $$;

-- Ends an unanswered call when every other participant has declined or was removed.
CREATE OR REPLACE FUNCTION end_unanswered_call(c calls, actor uuid) RETURNS void LANGUAGE plpgsql AS $$
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

-- Fails calls if signaling was unreachable because no process was running. A row lock lets one process do
-- this.
CREATE OR REPLACE FUNCTION fail_unreachable_calls() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  silent_since timestamptz;
BEGIN
  SELECT reachable_at INTO silent_since FROM signaling FOR NO KEY UPDATE;
  IF silent_since > clock_timestamp() - interval '60 s' THEN RETURN; END IF;
  FOR c IN SELECT * FROM calls WHERE status IN ('ringing', 'active')
    AND started_at <= clock_timestamp() - interval '60 s'
    ORDER BY id FOR NO KEY UPDATE LOOP
    PERFORM finish_call(c, 'failed', 'timed_out', NULL,
      '{"code":"network","message":"Signaling was unreachable.","permanent":false,"platform_code":null}');
  END LOOP;
END $$;

-- Updates, for the calls that a user has joined, whether the user has a socket. With `only_call`, only for
-- that call.
CREATE OR REPLACE FUNCTION sync_call_sockets(workspace uuid, member uuid, only_call uuid, moment timestamptz)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  FOR c IN SELECT * FROM calls WHERE workspace_id = workspace AND status IN ('initiated', 'ringing', 'active')
    AND id IN (SELECT call_id FROM call_participants WHERE user_id = member AND status = 'joined')
    AND (only_call IS NULL OR id = only_call) ORDER BY id FOR NO KEY UPDATE LOOP
    UPDATE call_participants SET socketless_since = CASE WHEN NOT has_call_socket(c, ARRAY[member])
      THEN coalesce(socketless_since, moment) END
    WHERE call_id = c.id AND user_id = member AND status = 'joined';
    PERFORM schedule_call_deadline(c.id);
  END LOOP;
END $$;
