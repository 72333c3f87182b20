-- Whether a reader sees a conversation. A user sees every conversation, except a restricted member. A
-- restricted member sees the conversations of their teams, and those that are assigned to them or to a member
-- of their teams. A key with a grant sees the conversations of the grant that its user sees. A key whose
-- grant has just been removed sees none until the next request.
--
-- Returns: boolean

-- Whether a user is a member who sees only the conversations of their teams.
CREATE OR REPLACE FUNCTION is_restricted(person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = person AND u.own_teams_only
    AND coalesce(u.role, '') NOT IN ('owner', 'admin'))
$$;

-- Whether a team or an assignee makes a conversation visible to a restricted member.
CREATE OR REPLACE FUNCTION is_of_own_teams(person uuid, team uuid, assignee uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(assignee = person, false) OR EXISTS (SELECT FROM team_members m WHERE m.user_id = person
    AND (m.team_id = team OR EXISTS (SELECT FROM team_members o
      WHERE o.team_id = m.team_id AND o.user_id = assignee)))
$$;

-- Whether a user sees a conversation.
CREATE OR REPLACE FUNCTION user_sees_conversation(person uuid, conversation uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT NOT is_restricted(person) OR EXISTS (SELECT FROM conversations c WHERE c.id = conversation
    AND is_of_own_teams(person, c.team_id, c.assignee_id))
$$;

-- Whether a reader is an API key. Only keys with a grant are readers.
CREATE OR REPLACE FUNCTION is_granted_key(reader uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM api_keys k WHERE k.id = reader)
$$;

-- `person` is a user or a key with a grant. The name of the parameter stays, because an upgrade cannot change
-- it.
CREATE OR REPLACE FUNCTION sees_conversation(person uuid, conversation uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT coalesce(conversation = ANY (k.conversation_ids), false)
      AND user_sees_conversation(k.user_id, conversation)
      FROM api_keys k WHERE k.id = person),
    user_sees_conversation(person, conversation))
$$;
