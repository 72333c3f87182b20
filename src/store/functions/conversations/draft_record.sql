-- A draft as the dashboard shows it.
--
-- Returns: DraftRecord
CREATE OR REPLACE FUNCTION draft_record(d message_drafts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('version', d.version, 'text', d.text, 'is_note', d.is_note,
    'reply_to_id', d.reply_to_id, 'written_at', wire_time(d.written_at))
$$;
