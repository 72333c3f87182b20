-- Changes notification choices of a member.
--
-- Locks: notification_choices.
-- Arguments: patch: Partial<NotificationChoices>
-- Returns: NotificationChoices
CREATE OR REPLACE FUNCTION change_notification_choices(workspace uuid, person uuid, patch jsonb) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  n notification_choices;
BEGIN
  INSERT INTO notification_choices (user_id, workspace_id) VALUES (person, workspace) ON CONFLICT DO NOTHING;
  SELECT * INTO n FROM notification_choices WHERE user_id = person FOR UPDATE;
  n := jsonb_populate_record(n, patch);
  UPDATE notification_choices SET sound_mine = n.sound_mine, sound_unassigned = n.sound_unassigned,
    sound_calls = n.sound_calls, push_mine = n.push_mine, push_unassigned = n.push_unassigned,
    push_shows_text = n.push_shows_text, push_calls = n.push_calls
  WHERE user_id = person;
  RETURN notification_choices_record(n);
END $$;
