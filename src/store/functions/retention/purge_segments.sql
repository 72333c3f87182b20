-- Purges deleted segments that no pending broadcast uses: first their members, in batches, then the
-- segments.
--
-- Returns: void
CREATE OR REPLACE FUNCTION purge_segments() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  unused uuid[] := ARRAY(SELECT s.id FROM segments s WHERE s.deleted_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM broadcasts b WHERE b.workspace_id = s.workspace_id
      AND b.status IN ('draft', 'scheduled', 'preparing')
      AND (b.audience->'segment_ids' ? s.id::text OR b.audience->'exclude'->'segment_ids' ? s.id::text))
        LIMIT 100);
BEGIN
  DELETE FROM segment_members WHERE (segment_id, user_id) IN (
    SELECT segment_id, user_id FROM segment_members WHERE segment_id = ANY (unused) LIMIT 10000);
  DELETE FROM segments s WHERE s.id = ANY (unused) AND NOT EXISTS (
    SELECT 1 FROM segment_members m WHERE m.segment_id = s.id);
END $$;
