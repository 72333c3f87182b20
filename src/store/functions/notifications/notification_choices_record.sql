-- The notification choices of a member, or the defaults if the member has no row.
--
-- Returns: NotificationChoices
CREATE OR REPLACE FUNCTION notification_choices_record(n notification_choices) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object('sound_mine', coalesce(n.sound_mine, true),
    'sound_unassigned', coalesce(n.sound_unassigned, true), 'sound_calls', coalesce(n.sound_calls, true),
    'push_mine', coalesce(n.push_mine, true), 'push_unassigned', coalesce(n.push_unassigned, true),
    'push_calls', coalesce(n.push_calls, true), 'push_shows_text', coalesce(n.push_shows_text, true))
$$;
