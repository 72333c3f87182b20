-- Helpers of all areas. A change is either committed with its events or refused as a whole: see refuse().

-- The public address of the installation, without a trailing slash.
CREATE OR REPLACE FUNCTION public_url() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  -- Reads the row by its key. Before PostgreSQL 18, a plan that has to scan a table costs 1e10 if sequential
  -- scans are disabled.
  SELECT public_url FROM installation WHERE only_row
$$;


-- The previous values of the changed fields of a record, without updated_at.
CREATE OR REPLACE FUNCTION previous_values(before jsonb, after jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(k, v), '{}') FROM jsonb_each(before) AS b (k, v)
  WHERE k <> 'updated_at' AND after->k IS DISTINCT FROM v
$$;

-- Aborts the transaction with a refusal: code TL001, with the reason as JSON in its detail.
CREATE OR REPLACE FUNCTION refuse(reason json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'refused' USING ERRCODE = 'TL001', DETAIL = reason::text;
END $$;

-- Stores the response of an idempotent request in the transaction of its effect. Undoes the transaction if
-- another attempt of the request has been answered: this effect would be the second one.
CREATE OR REPLACE FUNCTION complete_claim(claim jsonb, answer_status int, answer json) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF claim->>'key' IS NULL THEN RETURN; END IF;
  UPDATE idempotency_keys SET status = answer_status, body = answer
  WHERE credential_id = (claim->>'credential_id')::uuid AND method = claim->>'method'
    AND path = claim->>'path' AND key = claim->>'key' AND status IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"claim_lost"}'); END IF;
END $$;

-- The strings of a JSON array.
CREATE OR REPLACE FUNCTION json_texts(list jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT jsonb_array_elements_text(list))
$$;
