-- Records the final result of a fetch. A result of an earlier attempt is ignored. Deliveries that waited
-- only for this file become due. Locks all files of the messages that use this file, by id, and then
-- deliveries. Otherwise two fetches that end at the same time would each see the other as pending, and
-- neither would wake a delivery that waits for both.
--
-- Locks: media, deliveries.
-- Arguments: facts: MediaOutcome
-- Returns: boolean
CREATE OR REPLACE FUNCTION finish_media(media_id uuid, try int, facts jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM media WHERE id IN (SELECT finish_media.media_id UNION SELECT o.media_id
    FROM media_uses u JOIN media_uses o ON o.owner_id = u.owner_id WHERE u.media_id = finish_media.media_id)
  ORDER BY id FOR NO KEY UPDATE;
  UPDATE media SET state = facts->>'state', name = coalesce(name, facts->>'name'),
    mime_type = coalesce(facts->>'mime_type', mime_type), size = (facts->>'size')::bigint,
      width = (facts->>'width')::int,
    height = (facts->>'height')::int, sha256 = decode(facts->>'sha256', 'hex'), error = facts->>'error',
      due_at = NULL,
    leased_until = NULL, updated_at = now()
  WHERE id = media_id AND state = 'pending' AND tries = try;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM release_deliveries_after_media(ARRAY(SELECT d.id FROM media_uses u
    JOIN deliveries d ON d.message_id = u.owner_id
    WHERE u.media_id = finish_media.media_id AND d.status = 'queued' AND d.next_attempt_at > now()));
  RETURN true;
END $$;
