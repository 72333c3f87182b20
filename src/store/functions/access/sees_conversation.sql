-- Whether a user sees a conversation: everyone does except restricted members, who see those of their teams
-- and those that are assigned to them or to a member of their teams.
--
-- Returns: boolean

-- Whether a user is a member who sees only the conversations of their teams.
CREATE OR REPLACE FUNCTION is_restricted(person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = person AND u.own_teams_only
    AND coalesce(u.role, '') NOT IN ('owner', 'admin'))
$$;

-- Whether a team or an assignee brings a conversation into the view of a restricted member.
CREATE OR REPLACE FUNCTION is_of_own_teams(person uuid, team uuid, assignee uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(assignee = person, false) OR EXISTS (SELECT FROM team_members m WHERE m.user_id = person
    AND (m.team_id = team OR EXISTS (SELECT FROM team_members o
      WHERE o.team_id = m.team_id AND o.user_id = assignee)))
$$;

CREATE OR REPLACE FUNCTION sees_conversation(person uuid, conversation uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT NOT is_restricted(person) OR EXISTS (SELECT FROM conversations c WHERE c.id = conversation
    AND is_of_own_teams(person, c.team_id, c.assignee_id))
$$;
