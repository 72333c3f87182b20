-- Adds the reader to a message.read event that a delivery caused: the reader that a platform reported last.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION name_reader() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.extra->'reader' IS NULL THEN
    NEW.extra := coalesce(NEW.extra::jsonb, '{}') || jsonb_build_object('reader', (
      SELECT r FROM jsonb_array_elements(NEW.data::jsonb->'read_by') WITH ORDINALITY AS x (r, n)
      WHERE r->>'platform' IS NOT NULL ORDER BY n DESC LIMIT 1));
  END IF;
  RETURN NEW;
END $$;
