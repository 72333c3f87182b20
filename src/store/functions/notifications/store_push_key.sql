-- Stores the push key pair of the installation, unless one is stored. Returns the stored key pair.
--
-- Returns: { id: string; public_key: string; secret: Buffer }[]
CREATE OR REPLACE FUNCTION store_push_key(key_id uuid, key_public text, sealed bytea)
RETURNS TABLE (id uuid, public_key text, secret bytea) LANGUAGE plpgsql ROWS 1 AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO push_keys (id, public_key, secret) VALUES (key_id, key_public, sealed) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT k.id, k.public_key, k.secret FROM push_keys k;
END $$;
