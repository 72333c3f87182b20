-- A read receipt in the form of the API.
--
-- Returns: ReadReceiptRecord
CREATE OR REPLACE FUNCTION read_receipt_record(r read_receipts) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', r.user_id, 'read_at', wire_time(r.read_at), 'platform', r.platform)
$$;
