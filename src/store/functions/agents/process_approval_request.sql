-- Processes the approval request that is due first in all workspaces: sends the request for a proposal to the
-- staff chat, or changes the request after the decision. A request that raises an error is tried up to six
-- times. Returns null if no request is due.
--
-- Locks: approval_requests, conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Returns: { id: string; problem: string | null } | null

-- The text of a request with the draft.
CREATE OR REPLACE FUNCTION approval_text(p proposals) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT marked_text(ARRAY['', to_single_line(p.proposer, 'An agent'),
    format(' drafted a message in conversation %s, ', c.number), to_single_line(c.title, 'without a title'),
    E'. Approve or refuse it with a button, where this chat has them, or in the inbox.\n', p.text],
    'code_block')
  FROM conversations c WHERE c.id = p.conversation_id
$$;

-- The text after the decision, without the draft.
CREATE OR REPLACE FUNCTION decision_text(p proposals) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.id IS NULL THEN marked_text(ARRAY['A draft was withdrawn.'])
    WHEN p.status = 'pending'
      THEN marked_text(ARRAY[format('The draft in conversation %s has expired.', c.number)])
    ELSE marked_text(ARRAY[format('The draft in conversation %s was %s by ', c.number, p.status),
      (SELECT to_single_line(u.display_name, 'a member') FROM users u WHERE u.id = p.decided_by), '.']) END
  FROM (SELECT (SELECT number FROM conversations WHERE id = p.conversation_id) AS number) c
$$;

-- Sends the request, or closes it if the chat should not get it.
CREATE OR REPLACE FUNCTION send_approval_request(a approval_requests, p proposals, w workspaces)
  RETURNS approval_requests LANGUAGE plpgsql AS $$
DECLARE
  answer json;
BEGIN
  IF w.staff_conversation_id IS NOT NULL AND w.staff_chat_approvals AND p.status = 'pending'
    AND p.expires_at > now() THEN
    -- Does not wait for the lock of the conversation, because this would delay other requests and could cause
    -- a deadlock.
    answer := accept_messages(jsonb_build_array(staff_chat_message(w, approval_text(p), NULL)
      || jsonb_build_object('metadata', jsonb_build_object('approval', p.id))), false)->0;
    IF answer->'busy' IS NOT NULL THEN
      a.next_at := now() + interval '1 s';
      RETURN a;
    END IF;
    a.message_id := (answer->'record'->>'id')::uuid;
    a.next_at := p.expires_at;
  END IF;
  IF a.message_id IS NULL THEN a.done_at := now(); END IF;
  RETURN a;
END $$;

-- Changes the message of the request, which removes its buttons.
CREATE OR REPLACE FUNCTION close_approval_request(a approval_requests, p proposals) RETURNS approval_requests
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM conversations WHERE id = (SELECT m.conversation_id FROM messages m WHERE m.id = a.message_id)
    FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND AND EXISTS (SELECT FROM messages WHERE id = a.message_id) THEN
    a.next_at := now() + interval '1 s';
    RETURN a;
  END IF;
  PERFORM edit_message(a.workspace_id, a.message_id, decision_text(p), NULL, false);
  -- Deletes the draft from the history, because it must not remain after its contact is erased.
  DELETE FROM message_versions WHERE message_id = a.message_id;
  a.done_at := now();
  RETURN a;
END $$;

CREATE OR REPLACE FUNCTION process_approval_request() RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  a approval_requests;
  p proposals;
  w workspaces;
BEGIN
  SELECT * INTO a FROM approval_requests WHERE done_at IS NULL AND next_at <= now() ORDER BY next_at LIMIT 1
    FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO p FROM proposals WHERE id = a.proposal_id;
  SELECT * INTO w FROM workspaces WHERE id = a.workspace_id;
  a.problem := NULL;
  BEGIN
    IF a.message_id IS NULL THEN a := send_approval_request(a, p, w);
    ELSIF p.id IS NULL OR p.status <> 'pending' OR p.expires_at <= now() THEN
      a := close_approval_request(a, p);
    ELSE a.next_at := p.expires_at;
    END IF;
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    a.tries := a.tries + 1;
    a.problem := left(SQLERRM, 500);
    a.next_at := now() + interval '5 s' * 2 ^ a.tries;
    IF a.tries >= 6 THEN a.done_at := now(); END IF;
  END;
  UPDATE approval_requests SET message_id = a.message_id, next_at = a.next_at, tries = a.tries,
    problem = a.problem, done_at = a.done_at WHERE proposal_id = a.proposal_id;
  IF a.done_at IS NULL AND a.next_at < now() + interval '1 minute' THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('timer', '{"approvals":"due"}', a.next_at);
  END IF;
  RETURN json_build_object('id', a.proposal_id, 'problem', a.problem);
END $$;
