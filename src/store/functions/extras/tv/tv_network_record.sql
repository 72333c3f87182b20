-- A television network in the form of the API.
--
-- Returns: TvNetworkRecord
CREATE OR REPLACE FUNCTION tv_network_record(n tv_networks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', n.id, 'name', n.name, 'languages', n.languages, 'country', n.country,
    'icon_url', n.icon_url)
$$;
