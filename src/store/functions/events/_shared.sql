-- Whether events of a workspace have a receiver. Events that nothing can receive are not written.

-- Whether a workspace has a subscriber for events.
CREATE OR REPLACE FUNCTION has_subscribers(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = workspace AND i.until > now())
$$;

-- Whether a webhook or a stream of a workspace may receive events called delivery.updated.
CREATE OR REPLACE FUNCTION has_delivery_subscribers(workspace uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = workspace AND i.moves_until > now())
$$;

-- Whether any of these workspaces has a subscriber for events.
CREATE OR REPLACE FUNCTION has_any_subscriber(workspaces uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_interest i WHERE i.workspace_id = ANY (workspaces)
    AND greatest(i.until, i.moves_until) > now())
$$;
