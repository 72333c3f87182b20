-- Processes the button press that is due first, and decides on its proposal if the person may do so. `roles`:
-- the roles that may decide. A person whose press decides nothing gets one reply in the chat per proposal. A
-- workspace sends at most 30 such replies per hour. A press that raises an error is tried up to six times.
-- Returns null if no press is due.
--
-- Locks: approval_presses, conversations, proposals, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Returns: { id: string; problem: string | null } | null

-- The reply to a press that decided nothing.
CREATE OR REPLACE FUNCTION press_reply_text(x approval_presses) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT marked_text(ARRAY['', x.name, CASE x.outcome
    WHEN 'unlinked' THEN ', this account is not linked to a member. Open Settings, Profile in the '
      || 'dashboard, get a code for this chat, and write it here.'
    WHEN 'forbidden' THEN ', you may not decide on this draft.'
    WHEN 'changed' THEN ', the request was changed after it was sent. Decide on the draft in the inbox.'
    WHEN 'failed' THEN ', the draft could not be decided on. Try it in the inbox.'
    ELSE ', this draft was decided on or has expired.' END])
$$;

-- Decides on the proposal as the member. Returns the outcome.
CREATE OR REPLACE FUNCTION decide_as_member(x approval_presses, member uuid, account uuid) RETURNS text
  LANGUAGE plpgsql AS $$
DECLARE
  former text := coalesce(current_setting('trunkline.actor', true), '');
  decision jsonb := jsonb_build_object('workspace_id', x.workspace_id, 'proposal_id', x.proposal_id,
    'decided_by', member);
  reason json;
  verdict text := CASE x.action WHEN 'approve' THEN 'approved' ELSE 'refused' END;
BEGIN
  PERFORM set_config('trunkline.actor', json_build_object('type', 'member', 'id', account, 'address',
    (SELECT c.platform FROM connections c WHERE c.id = x.connection_id))::text, true);
  PERFORM set_config('trunkline.reader_id',
    CASE WHEN is_restricted(account) THEN account::text ELSE '' END, true);
  DECLARE
    detail text;
  BEGIN
    IF x.action = 'approve' THEN
      PERFORM approve_proposal(decision || jsonb_build_object('message', jsonb_build_object('id', uuid7(),
        'sender_id', member, 'metadata', jsonb_build_object('proposal_id', x.proposal_id))));
    ELSE
      PERFORM refuse_proposal(decision);
    END IF;
  EXCEPTION WHEN SQLSTATE 'TL001' THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    verdict := CASE WHEN detail::json->>'problem' = 'invalid_state' THEN 'closed' ELSE 'forbidden' END;
  END;
  PERFORM set_config('trunkline.reader_id', '', true);
  PERFORM set_config('trunkline.actor', former, true);
  RETURN verdict;
END $$;

-- Checks a press and decides on its proposal. Returns the outcome.
CREATE OR REPLACE FUNCTION apply_press(x approval_presses, roles text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  member users;
  account users;
BEGIN
  SELECT u.* INTO member FROM chat_identities i JOIN users u ON u.id = i.user_id
  WHERE i.connection_id = x.connection_id AND i.external_id = x.external_id
    AND i.workspace_id = x.workspace_id;
  IF NOT FOUND THEN RETURN 'unlinked'; END IF;
  -- A test workspace has the roles of its live workspace. The lock waits for a suspension that is in
  -- progress.
  SELECT * INTO account FROM users WHERE id = coalesce(member.live_user_id, member.id) FOR SHARE;
  IF account.status <> 'active' OR account.deleted_at IS NOT NULL OR account.role IS NULL
    OR account.role <> ALL (roles) THEN RETURN 'forbidden'; END IF;
  -- The chat must still show the draft: the request is unchanged since it was sent, and its chat is the
  -- current staff chat.
  IF NOT EXISTS (SELECT FROM approval_requests a JOIN messages m ON m.id = a.message_id
    JOIN workspaces w ON w.id = a.workspace_id WHERE a.proposal_id = x.proposal_id AND m.deleted_at IS NULL
      AND (m.revision = 1 OR a.done_at IS NOT NULL) AND w.staff_conversation_id = m.conversation_id
      AND w.staff_chat_approvals) THEN RETURN 'changed'; END IF;
  IF NOT EXISTS (SELECT FROM proposals WHERE id = x.proposal_id) THEN RETURN 'closed'; END IF;
  RETURN decide_as_member(x, member.id, account.id);
END $$;

-- Explains in the chat why nothing was decided, unless the person or the workspace has reached its limit of
-- replies.
CREATE OR REPLACE FUNCTION reply_to_press(x approval_presses, w workspaces) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM approval_presses WHERE workspace_id = x.workspace_id AND answered
    AND created_at > now() - interval '1 hour') >= 30 THEN RETURN; END IF;
  UPDATE approval_presses SET answered = true WHERE id = x.id;
  PERFORM accept_messages(jsonb_build_array(staff_chat_message(w, press_reply_text(x),
    (SELECT a.message_id FROM approval_requests a WHERE a.proposal_id = x.proposal_id))), true);
EXCEPTION WHEN query_canceled OR OTHERS THEN
  -- The person already got a reply about this proposal, or the chat accepts no messages. The outcome is kept.
END $$;

CREATE OR REPLACE FUNCTION process_approval_press(roles text[]) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  x approval_presses;
  w workspaces;
  problem text;
BEGIN
  SELECT * INTO x FROM approval_presses WHERE outcome IS NULL AND next_at <= now() ORDER BY next_at LIMIT 1
    FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO w FROM workspaces WHERE id = x.workspace_id;
  BEGIN
    x.outcome := apply_press(x, roles);
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    problem := left(SQLERRM, 500);
    x.tries := x.tries + 1;
    x.next_at := now() + interval '1 s' * 2 ^ x.tries;
    IF x.tries >= 6 THEN x.outcome := 'failed'; END IF;
  END;
  UPDATE approval_presses SET outcome = x.outcome, tries = x.tries, next_at = x.next_at WHERE id = x.id;
  IF x.outcome IS NULL THEN
    INSERT INTO outbox (topic, payload, run_at) VALUES ('timer', '{"approvals":"due"}', x.next_at);
  ELSIF x.outcome NOT IN ('approved', 'refused') THEN
    PERFORM reply_to_press(x, w);
  END IF;
  RETURN json_build_object('id', x.id, 'problem', problem);
END $$;
