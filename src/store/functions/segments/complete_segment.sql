-- Completes a segment whose list is fully added. Updates its size and returns its record.
--
-- Arguments: claim: ClaimKey | null
-- Returns: SegmentRecord
CREATE OR REPLACE FUNCTION complete_segment(segment uuid, claim jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s segments := update_segment_size(segment);
BEGIN
  PERFORM complete_claim(claim, 201, segment_record(s));
  RETURN segment_record(s);
END $$;
