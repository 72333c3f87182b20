-- Names of tables and types that only database functions use. Running processes of the former release call
-- these functions, which are replaced in the same transaction.
-- Works from: 0038

ALTER TABLE early_events RENAME TO parked_events;
ALTER TABLE parked_events RENAME CONSTRAINT early_events_pkey TO parked_events_pkey;
ALTER TABLE parked_events
  RENAME CONSTRAINT early_events_connection_id_fkey TO parked_events_connection_id_fkey;
ALTER SEQUENCE early_events_id_seq RENAME TO parked_events_id_seq;
ALTER INDEX early_events_id RENAME TO parked_events_id;
ALTER INDEX early_events_chat RENAME TO parked_events_chat;
ALTER INDEX early_events_waiting RENAME TO parked_events_waiting;
ALTER INDEX early_events_expiry RENAME TO parked_events_expiry;
ALTER INDEX early_events_copies RENAME TO parked_events_copies;

ALTER TABLE event_interest RENAME TO event_subscriptions_cache;
ALTER TABLE event_subscriptions_cache RENAME COLUMN moves_until TO deliveries_until;
ALTER TABLE event_subscriptions_cache RENAME CONSTRAINT event_interest_pkey TO event_subscriptions_cache_pkey;
ALTER TABLE event_subscriptions_cache
  RENAME CONSTRAINT event_interest_workspace_id_fkey TO event_subscriptions_cache_workspace_id_fkey;

ALTER TYPE wanted_room RENAME TO wanted_capacity;
ALTER TYPE wanted_capacity RENAME ATTRIBUTE most TO capacity;
ALTER TYPE wanted_capacity RENAME ATTRIBUTE patience_ms TO max_wait_ms;
ALTER TYPE found_room RENAME TO found_capacity;
