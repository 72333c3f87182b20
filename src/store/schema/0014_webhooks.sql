-- Webhooks and their deliveries.

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  url text NOT NULL,
  events text[] NOT NULL,
  scopes text[] NOT NULL,
  secret bytea NOT NULL,
  secret_hint text NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  rotation_id uuid,
  api_version text NOT NULL,
  status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled', 'auto_disabled')),
  headers bytea,
  header_names text[] NOT NULL DEFAULT '{}',
  description text,
  rate_limit integer,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  created_by uuid NOT NULL REFERENCES users,
  created_by_key uuid REFERENCES api_keys,
  disabled_reason text
    CHECK (disabled_reason IN ('requested', 'failing', 'gone', 'key_revoked', 'key_expired')),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  wake_at timestamptz,
  next_start_at timestamptz,
  -- Since when a webhook receives its subscribed events: earlier events are not delivered to it.
  subscribed_at timestamptz(3) NOT NULL DEFAULT now(),
  former_subscription jsonb,
  CHECK ((status = 'enabled') = (disabled_reason IS NULL))
);
CREATE INDEX webhooks_created_by_key ON webhooks (created_by_key) WHERE deleted_at IS NULL;
COMMENT ON COLUMN webhooks.secret IS 'Encrypted.';
CREATE INDEX webhooks_workspace ON webhooks (workspace_id) WHERE deleted_at IS NULL;
COMMENT ON COLUMN webhooks.wake_at IS 'The time of the pending wake-up; no other one is added before.';
COMMENT ON COLUMN webhooks.next_start_at IS 'When the rate limit allows the next delivery.';
COMMENT ON COLUMN webhooks.former_subscription IS
  'The previous subscription and its start: {"events", "scopes", "since"}. Some of its events may not '
  'be delivered yet.';

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  webhook_id uuid NOT NULL REFERENCES webhooks,
  event_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  subject text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'dead', 'canceled')),
  attempts jsonb NOT NULL DEFAULT '[]',
  tries integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (webhook_id, event_id)
);
COMMENT ON COLUMN webhook_deliveries.leased_until IS
  'End of the lease of a worker; a delivery of a dead worker is free afterwards.';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (webhook_id, next_attempt_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook_id)
  WHERE status = 'pending' AND leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

CREATE TABLE webhook_answers (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  delivery_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  excerpt text NOT NULL CHECK (length(excerpt) BETWEEN 1 AND 1024),
  PRIMARY KEY (workspace_id, delivery_id, at)
);
COMMENT ON TABLE webhook_answers IS
  'The beginning of what receivers answered, kept for 7 days. Hostile text. Deliveries are kept longer, so '
  'that there is no foreign key.';
COMMENT ON COLUMN webhook_answers.at IS 'The time of the attempt.';
CREATE INDEX webhook_answers_age ON webhook_answers (at);
