-- Edits and recalls of broadcasts that have ended. A job applies them, recipient by recipient.
-- Works from: 0025

CREATE TABLE broadcast_changes (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  broadcast_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('edit', 'recall')),
  text text CHECK ((kind = 'edit') = (text IS NOT NULL)),
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'stopping', 'completed', 'stopped')),
  created_by uuid NOT NULL,
  look_at timestamptz NOT NULL DEFAULT now(),
  progressed_at timestamptz NOT NULL DEFAULT now(),
  has_rows boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3)
);
COMMENT ON COLUMN broadcast_changes.look_at IS
  'When the next step is due. A worker that takes the change moves it on, and does so with each step.';
COMMENT ON COLUMN broadcast_changes.progressed_at IS 'When a recipient last got a result.';
COMMENT ON COLUMN broadcast_changes.has_rows IS 'Whether its recipients are still listed.';
CREATE INDEX broadcast_changes_list ON broadcast_changes (broadcast_id, created_at DESC, id DESC);
CREATE INDEX broadcast_changes_due ON broadcast_changes (look_at) WHERE status IN ('running', 'stopping');
CREATE INDEX broadcast_changes_old ON broadcast_changes (ended_at) WHERE has_rows;
-- Two changes of a broadcast at once would change a message in any order.
CREATE UNIQUE INDEX broadcast_changes_one ON broadcast_changes (broadcast_id)
  WHERE status IN ('running', 'stopping');

CREATE TABLE broadcast_change_platforms (
  change_id uuid NOT NULL REFERENCES broadcast_changes,
  platform text NOT NULL,
  workspace_id uuid NOT NULL,
  supported boolean NOT NULL,
  max_age_s integer,
  total integer NOT NULL,
  open integer NOT NULL DEFAULT 0,
  changed integer NOT NULL DEFAULT 0,
  unsupported integer NOT NULL DEFAULT 0,
  impossible integer NOT NULL DEFAULT 0,
  reached_at timestamptz(3) NOT NULL DEFAULT 'infinity',
  reached_id uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ended boolean NOT NULL DEFAULT false,
  worked_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (change_id, platform)
);
COMMENT ON COLUMN broadcast_change_platforms.max_age_s IS 'Older messages cannot be changed there.';
COMMENT ON COLUMN broadcast_change_platforms.open IS 'Recipients whose platform has not answered yet.';
COMMENT ON COLUMN broadcast_change_platforms.reached_id IS
  'The last recipient that was worked on, in the falling order of created_at and id.';
COMMENT ON COLUMN broadcast_change_platforms.ended IS 'Every recipient was worked on.';

-- The primary key makes sure that a change is applied once to each recipient: the row is written with it.
CREATE TABLE broadcast_change_recipients (
  change_id uuid NOT NULL REFERENCES broadcast_changes,
  recipient_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  platform text NOT NULL,
  result text CHECK (result IN ('changed', 'unsupported', 'impossible')),
  reason text,
  revision integer,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (change_id, recipient_id)
);
COMMENT ON COLUMN broadcast_change_recipients.recipient_id IS 'Also the id of the message.';
COMMENT ON COLUMN broadcast_change_recipients.result IS 'Null while the platform has not answered yet.';
COMMENT ON COLUMN broadcast_change_recipients.revision IS 'The revision of the message that the edit made.';
CREATE INDEX broadcast_change_recipients_list ON broadcast_change_recipients
  (change_id, created_at DESC, id DESC);
CREATE INDEX broadcast_change_recipients_result ON broadcast_change_recipients
  (change_id, result, created_at DESC, id DESC);
CREATE INDEX broadcast_change_recipients_open ON broadcast_change_recipients (change_id)
  WHERE result IS NULL;
