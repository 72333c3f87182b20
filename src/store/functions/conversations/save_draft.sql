-- Stores the draft of a member in a conversation. `base` is the version that the browser knows. If another
-- browser has stored a newer version with other content, that version is kept and returned, with `is_saved`
-- false. An empty draft deletes the stored one.
--
-- Locks: message_drafts.
-- Arguments: input: NewDraft
-- Returns: SavedDraftRecord
CREATE OR REPLACE FUNCTION save_draft(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  n message_drafts := jsonb_populate_record(NULL::message_drafts, input
    || jsonb_build_object('version', uuid7(), 'written_at', now()));
  base uuid := (input->>'base')::uuid;
  d message_drafts;
BEGIN
  -- Serializes two browsers that save the first draft at once.
  PERFORM pg_advisory_xact_lock(hashtextextended('draft ' || n.user_id || n.conversation_id, 0));
  SELECT * INTO d FROM message_drafts WHERE user_id = n.user_id AND conversation_id = n.conversation_id
    AND workspace_id = n.workspace_id;
  IF FOUND AND d.device <> n.device AND d.version IS DISTINCT FROM base
    AND (d.text, d.is_note, d.reply_to_id) IS DISTINCT FROM (n.text, n.is_note, n.reply_to_id)
  THEN RETURN json_build_object('is_saved', false, 'draft', draft_record(d)); END IF;
  IF n.text = '' AND n.reply_to_id IS NULL THEN
    DELETE FROM message_drafts WHERE user_id = n.user_id AND conversation_id = n.conversation_id
      AND workspace_id = n.workspace_id;
    RETURN json_build_object('is_saved', true, 'draft', NULL);
  END IF;
  INSERT INTO message_drafts SELECT n.* ON CONFLICT (user_id, conversation_id) DO UPDATE SET
    text = excluded.text, is_note = excluded.is_note, reply_to_id = excluded.reply_to_id,
    device = excluded.device, version = excluded.version, written_at = excluded.written_at;
  RETURN json_build_object('is_saved', true, 'draft', draft_record(n));
END $$;
