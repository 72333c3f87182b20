-- Whether events of a workspace have a receiver. Events that nothing may receive are not written.

-- Whether anybody may ever see events of a workspace; moves: those called delivery.updated.
CREATE OR REPLACE FUNCTION events_heard(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = workspace AND i.until > now())
$$;

-- Whether a webhook or a stream may receive events called delivery.updated of a workspace.
CREATE OR REPLACE FUNCTION moves_heard(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = workspace AND i.moves_until > now())
$$;

-- Whether anybody may see any event of these workspaces.
CREATE OR REPLACE FUNCTION any_heard(workspaces uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = ANY (workspaces)
    AND greatest(i.until, i.moves_until) > now())
$$;
