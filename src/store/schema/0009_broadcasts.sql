-- Broadcasts and their recipients.

CREATE TABLE broadcasts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  category text NOT NULL DEFAULT 'marketing' CHECK (category IN ('marketing', 'transactional')),
  status text NOT NULL
    CHECK (status IN ('draft', 'scheduled', 'preparing', 'sending', 'paused', 'on_hold', 'canceling',
    'completed', 'expired', 'failed', 'canceled')),
  text text,
  template_id uuid,
  content_type text NOT NULL DEFAULT 'text',
  attachments jsonb NOT NULL DEFAULT '[]',
  variables jsonb NOT NULL DEFAULT '{}',
  variants jsonb NOT NULL DEFAULT '[]',
  platforms text[] NOT NULL DEFAULT '{}',
  audience jsonb NOT NULL,
  fallback jsonb,
  throttle jsonb,
  schedule jsonb,
  counts jsonb NOT NULL DEFAULT
    '{"total":0,"pending":0,"sent":0,"delivered":0,"read":0,"failed":0,"uncertain":0,"skipped":0,'
    '"canceled":0,"expired":0}',
  waiting bigint NOT NULL DEFAULT 0,
  reached_at timestamptz(3),
  reached_id uuid,
  local boolean NOT NULL DEFAULT false,
  starts_at timestamptz(3),
  cap jsonb,
  skip_reasons jsonb NOT NULL DEFAULT '{}',
  eta timestamptz(3),
  error jsonb,
  created_by uuid NOT NULL REFERENCES users,
  scheduled_at timestamptz(3),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  canceled_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- A broadcast keeps the content of its template from the time it was accepted.
  template_text text
);
COMMENT ON COLUMN broadcasts.waiting IS 'The number of pending recipients that are not enqueued yet.';
CREATE INDEX broadcasts_list ON broadcasts (workspace_id, created_at DESC, id DESC);
CREATE INDEX broadcasts_live ON broadcasts (status)
  WHERE status NOT IN ('draft', 'completed', 'expired', 'failed', 'canceled');
COMMENT ON COLUMN broadcasts.reached_id IS
  'The last recipient, in the order of created_at and id, up to which all were claimed. A rolled-back '
  'claim may have left some: as long as `waiting` counts them, the search starts over at the end.';
COMMENT ON COLUMN broadcasts.local IS
  'Each recipient gets the message at the wall clock time of the schedule in their own time zone: '
  'broadcast_recipients.due_at.';
COMMENT ON COLUMN broadcasts.starts_at IS
  'When to check whether the first recipient is due: scheduled_at, or earlier with local times.';
COMMENT ON COLUMN broadcasts.cap IS 'The frequency cap from its preparation: {"count", "seconds"}.';
CREATE INDEX broadcasts_started ON broadcasts (workspace_id, started_at) WHERE started_at IS NOT NULL;

CREATE TABLE broadcast_recipients (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  broadcast_id uuid NOT NULL,
  user_id uuid NOT NULL,
  message_id uuid,
  platform text,
  address text,
  variant text,
  variables jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL
    CHECK (status IN ('pending', 'queued', 'sending', 'sent', 'delivered', 'read', 'failed',
    'uncertain', 'skipped', 'canceled', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  skip_reason text,
  error jsonb,
  queued_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  read_at timestamptz(3),
  due_at timestamptz(3),
  fallback_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  throttled_at timestamptz(3),
  -- The results of recipients that few of them have, as for deliveries.
  rare_status text GENERATED ALWAYS AS (
    CASE WHEN status IN ('failed', 'uncertain', 'canceled', 'expired') THEN status END) STORED
) WITH (fillfactor = 55);
CREATE INDEX broadcast_recipients_due ON broadcast_recipients (broadcast_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX broadcast_recipients_fallback ON broadcast_recipients (broadcast_id, fallback_at)
  WHERE fallback_at IS NOT NULL;
COMMENT ON TABLE broadcast_recipients IS
  'The message to a recipient has the id of the recipient. No index contains a column that is written '
  'when a recipient is enqueued or sent: pending recipients are found by broadcasts.reached_id.';
COMMENT ON COLUMN broadcast_recipients.message_id IS 'Equals id as soon as there is a message.';
COMMENT ON COLUMN broadcast_recipients.due_at IS 'With local times: when the recipient is due, until then.';
COMMENT ON COLUMN broadcast_recipients.throttled_at IS 'queued_at, if the broadcast has a throttle.';
COMMENT ON COLUMN broadcast_recipients.fallback_at IS
  'When the next platform is tried unless this one has reached the recipient; null: not any more, or '
  'never.';
CREATE INDEX broadcast_recipients_list ON broadcast_recipients (broadcast_id, created_at DESC, id DESC);
CREATE INDEX broadcast_recipients_throttled ON broadcast_recipients (broadcast_id, throttled_at)
  WHERE throttled_at IS NOT NULL;

-- One recipient row per person, and one more for each repeated entry in the audience.
CREATE UNIQUE INDEX broadcast_recipients_user ON broadcast_recipients
  (broadcast_id, user_id, (CASE WHEN skip_reason = 'duplicate' THEN id END)) NULLS NOT DISTINCT;
COMMENT ON COLUMN broadcast_recipients.rare_status IS 'The status, if it is one that few recipients have.';
CREATE INDEX broadcast_recipients_rare_status
  ON broadcast_recipients (broadcast_id, rare_status, created_at DESC, id DESC)
  WHERE rare_status IS NOT NULL;
CREATE INDEX broadcast_recipients_skipped
  ON broadcast_recipients (broadcast_id, skip_reason, created_at DESC, id DESC)
  WHERE skip_reason IS NOT NULL;
CREATE INDEX broadcast_recipients_variant
  ON broadcast_recipients (broadcast_id, variant, created_at DESC, id DESC)
  WHERE variant IS NOT NULL;
CREATE INDEX broadcast_recipients_platform
  ON broadcast_recipients (broadcast_id, platform, created_at DESC, id DESC);
ALTER TABLE broadcast_recipients
  ALTER COLUMN address SET STATISTICS 0, ALTER COLUMN variables SET STATISTICS 0, ALTER COLUMN attempts
    SET STATISTICS 0,
  ALTER COLUMN error SET STATISTICS 0, ALTER COLUMN sent_at SET STATISTICS 0, ALTER COLUMN delivered_at
    SET STATISTICS 0,
  ALTER COLUMN read_at SET STATISTICS 0;

-- A number of recipients of a broadcast that moved from one count to another, with the reason for being
-- skipped, now or before.
CREATE TYPE recipient_shift AS (broadcast_id uuid, was text, becomes text, skip_reason text, n bigint,
  former_reason text);

-- A recipient that an audience lists by address, in the listed order, and the contact with that address.
CREATE TYPE named_recipient AS (n bigint, platform text, address text, variables jsonb, user_id uuid,
  opt_out text[], reachable boolean);

-- The users that the filters of an audience include and exclude, and the address format per platform. Then
-- the frequency cap: {"count", "seconds"}, or null.
CREATE TYPE found_audience AS (extra_users uuid[], excluded_users uuid[], address_forms jsonb, cap jsonb);

-- A recipient and the chat for the message, with the copied fields of the chat.
CREATE TYPE recipient_chat AS (recipient_id uuid, link_id uuid, conversation_id uuid, connection_id uuid,
  external_id text);
