-- A member, contact or bot in the form of the API, with its identities.
--
-- Returns: UserRecord
CREATE OR REPLACE FUNCTION user_record(u users) RETURNS json LANGUAGE sql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  SELECT json_build_object(
    'id', u.id, 'username', u.username, 'display_name', u.display_name, 'email', u.email,
    'profile_image', coalesce(u.profile_image, public_url() || '/avatars/' || u.id || '.svg'),
    'status', u.status, 'kind', u.kind,
    'presence', u.presence, 'last_seen_at', wire_time(u.last_seen_at),
    'phone', u.phone, 'locale', u.locale, 'timezone', u.timezone,
    'identities', coalesce((
      SELECT json_agg(json_build_object('platform', i.platform, 'external_id', i.external_id,
          'handle', i.handle,
        'verified', i.verified, 'reachable', i.reachable, 'opt_out', i.opt_out) ORDER BY i.created_at, i.id)
      FROM identities i WHERE i.user_id = u.id), '[]'),
    'channel_priority', u.channel_priority, 'consent', u.consent, 'metadata', u.metadata,
    'created_at', wire_time(u.created_at), 'updated_at', wire_time(u.updated_at))
$$;
