-- Calls, their participants, and the signaling between them.

CREATE TABLE calls (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  conversation_id uuid NOT NULL REFERENCES conversations,
  type text NOT NULL CHECK (type IN ('voice', 'video')),
  direction text NOT NULL DEFAULT 'outbound' CHECK (direction IN ('outbound', 'inbound')),
  status text NOT NULL DEFAULT 'initiated'
    CHECK (status IN ('initiated', 'ringing', 'active', 'ended', 'failed')),
  end_reason text CHECK (end_reason IN ('completed', 'canceled', 'declined', 'busy', 'no_answer',
      'connection_lost',
    'max_duration', 'shutdown', 'media_failure', 'provider_error', 'timed_out')),
  ended_by uuid REFERENCES users,
  error jsonb,
  platform text NOT NULL DEFAULT 'webrtc',
  initiator_id uuid NOT NULL REFERENCES users,
  join_token text UNIQUE,
  recording_url text,
  ring_timeout integer NOT NULL,
  max_duration integer NOT NULL,
  invitation_id uuid,
  vacant_since timestamptz(3),
  deadline timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  duration integer GENERATED ALWAYS AS (floor(extract(epoch FROM ended_at - answered_at))::integer) STORED,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN calls.join_token IS 'For the link to the call page; null after the end of the call.';
COMMENT ON COLUMN calls.invitation_id IS
  'The message that invites contacts through the links of the conversation.';
COMMENT ON COLUMN calls.vacant_since IS 'Since when the active call has no joined participants.';
COMMENT ON COLUMN calls.deadline IS 'The next deadline of the call; null after its end.';
CREATE UNIQUE INDEX calls_live ON calls (conversation_id) WHERE status IN ('initiated', 'ringing', 'active');
CREATE INDEX calls_due ON calls (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX calls_list ON calls (workspace_id, created_at DESC, id DESC);
CREATE INDEX calls_conversation ON calls (conversation_id);
CREATE UNIQUE INDEX calls_invitation ON calls (invitation_id) WHERE invitation_id IS NOT NULL;

CREATE TABLE call_participants (
  call_id uuid NOT NULL REFERENCES calls,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'invited'
    CHECK (status IN ('invited', 'ringing', 'joined', 'left', 'declined', 'missed')),
  busy boolean NOT NULL DEFAULT false,
  join_token text NOT NULL UNIQUE,
  socketless_since timestamptz(3),
  joined_at timestamptz(3),
  left_at timestamptz(3),
  removed_at timestamptz(3),
  PRIMARY KEY (call_id, user_id)
);
COMMENT ON COLUMN call_participants.busy IS 'Declined while in another call.';
COMMENT ON COLUMN call_participants.removed_at IS
  'When the user left the conversation: they can''t join or receive frames.';
COMMENT ON COLUMN call_participants.join_token IS 'For the participant''s own link to the call page.';
COMMENT ON COLUMN call_participants.socketless_since IS
  'Since when the joined participant has no open socket.';
CREATE INDEX call_participants_user ON call_participants (user_id) WHERE status = 'joined';
CREATE INDEX call_participants_history ON call_participants (user_id, call_id);

-- Open sockets per process. Sockets of a dead process end with its heartbeat.
CREATE TABLE signaling_processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL
);

CREATE TABLE call_sockets (
  id uuid PRIMARY KEY,
  process_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  call_id uuid,
  opened_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN call_sockets.call_id IS 'The only call of the socket; null: every call of its user.';
CREATE INDEX call_sockets_user ON call_sockets (user_id);
CREATE INDEX call_sockets_process ON call_sockets (process_id);

-- Frames for sockets in any process. A notification carries only their id, because a frame may be too large.
CREATE TABLE call_signals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  call_id uuid NOT NULL,
  recipients uuid[] NOT NULL,
  frame json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX call_signals_age ON call_signals (created_at);

CREATE TABLE signaling (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  reachable_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO signaling DEFAULT VALUES;
COMMENT ON COLUMN signaling.reachable_at IS
  'Last heartbeat of any process while there was a live call or an open socket.';
