-- An OAuth app in the form of the API. Callers that may show client_secret add it.
--
-- Returns: OauthAppRecord
CREATE OR REPLACE FUNCTION oauth_app_record(a oauth_apps) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'redirect_uris', a.redirect_uris,
    'scopes', a.scopes, 'client_id', a.client_id, 'client_secret', NULL,
    'created_at', wire_time(a.created_at), 'updated_at', wire_time(a.updated_at))
$$;
