-- Names of tables and types that only database functions use. Running processes of the former release call
-- these functions, which are replaced in the same transaction.
-- Works from: 0038

ALTER TABLE early_events RENAME TO parked_events;
ALTER SEQUENCE early_events_id_seq RENAME TO parked_events_id_seq;
ALTER INDEX early_events_id RENAME TO parked_events_id;
ALTER INDEX early_events_chat RENAME TO parked_events_chat;
ALTER INDEX early_events_waiting RENAME TO parked_events_waiting;
ALTER INDEX early_events_expiry RENAME TO parked_events_expiry;
ALTER INDEX early_events_copies RENAME TO parked_events_copies;

-- The constraints keep their suffix. PostgreSQL 18 and later also name the NOT NULL constraints.
DO $$
DECLARE
  c record;
BEGIN
  FOR c IN SELECT conname AS name, replace(conname, 'early_events', 'parked_events') AS new_name
    FROM pg_constraint WHERE conrelid = 'parked_events'::regclass
  LOOP
    EXECUTE format('ALTER TABLE parked_events RENAME CONSTRAINT %I TO %I', c.name, c.new_name);
  END LOOP;
END $$;

ALTER TYPE wanted_room RENAME TO wanted_capacity;
ALTER TYPE wanted_capacity RENAME ATTRIBUTE most TO capacity;
ALTER TYPE wanted_capacity RENAME ATTRIBUTE patience_ms TO max_wait_ms;
ALTER TYPE found_room RENAME TO found_capacity;
