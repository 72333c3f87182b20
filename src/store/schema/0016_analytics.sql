-- Counts per hour that analytics reads instead of the records themselves.

CREATE TABLE insight_counts (
  workspace_id uuid NOT NULL,
  resource text NOT NULL CHECK (resource IN ('messages', 'conversations', 'calls', 'webhooks')),
  span text NOT NULL CHECK (span IN ('hour', 'day', 'ever')),
  start timestamptz NOT NULL,
  measure text NOT NULL,
  platform text NOT NULL,
  status text NOT NULL,
  agent_id uuid NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (workspace_id, resource, span, start, measure, platform, status, agent_id)
);
COMMENT ON TABLE insight_counts IS
  'Counts of an hour, a day (UTC) or all time, which starts at -infinity. Without platform, status or '
  'agent: empty text, the nil UUID.';

-- The list of messages reads in which hours there is a message of a status, a platform or a direction.
CREATE INDEX insight_counts_status ON insight_counts (workspace_id, span, status, start)
  WHERE resource = 'messages';
CREATE INDEX insight_counts_platform ON insight_counts (workspace_id, span, platform, start)
  WHERE resource = 'messages';
CREATE INDEX insight_counts_measure ON insight_counts (workspace_id, span, measure, start)
  WHERE resource = 'messages';

CREATE TABLE counted_records (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  resource text NOT NULL,
  hour timestamptz NOT NULL,
  platform text NOT NULL,
  status text NOT NULL,
  agent_id uuid NOT NULL,
  measures jsonb NOT NULL
);
COMMENT ON TABLE counted_records IS
  'The counted values of a conversation or call of the last 30 days, so that a change can be counted.';
CREATE INDEX counted_records_age ON counted_records (hour);

CREATE TABLE insight_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0,
  next_position bigint,
  sampled_at timestamptz,
  next_xid xid8
);
COMMENT ON COLUMN insight_progress.position IS 'All events up to here are counted.';
COMMENT ON COLUMN insight_progress.next_position IS
  'Can be counted up to when every transaction before next_xid has ended: none can add an event with a '
  'smaller position any more.';
INSERT INTO insight_progress DEFAULT VALUES;

CREATE TABLE insight_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  resource text NOT NULL,
  hour timestamptz NOT NULL,
  measure text NOT NULL,
  platform text NOT NULL,
  status text NOT NULL,
  agent_id uuid NOT NULL,
  amount bigint NOT NULL,
  gone boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE insight_changes IS
  'Changes of the counts that are not added to them yet. Rows are only inserted, so that no transaction '
  'waits for another.';
COMMENT ON COLUMN insight_changes.gone IS
  'Purged rows: they reduce the number of records, but not the counts of their hour.';

-- A record according to its events: as it is to be counted, or (flow) something that is counted once.
CREATE TYPE insight_move AS (subject uuid, workspace_id uuid, resource text, flow boolean, born boolean,
  hour timestamptz,
  platform text, status text, agent_id uuid, measures jsonb);
CREATE TYPE insight_delta AS (workspace_id uuid, resource text, hour timestamptz, measure text,
  platform text, status text,
  agent_id uuid, amount bigint);
