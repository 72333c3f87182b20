-- Locations of users, and sessions that track them with consent.

CREATE TABLE tracking_sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  conversation_id uuid REFERENCES conversations,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'denied', 'stopped', 'expired')),
  end_reason text CHECK (end_reason IN ('stopped', 'expired', 'denied', 'revoked')),
  purpose text,
  interval_seconds integer NOT NULL,
  duration_seconds integer NOT NULL,
  share_with uuid[] NOT NULL DEFAULT '{}',
  started_by uuid NOT NULL REFERENCES users,
  consent_status text NOT NULL CHECK (consent_status IN ('pending', 'granted', 'denied')),
  consent_method text CHECK (consent_method IN ('self', 'prior', 'platform', 'recorded')),
  consent_granted_at timestamptz(3),
  points_count bigint NOT NULL DEFAULT 0,
  last_location_id uuid,
  expires_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN tracking_sessions.expires_at IS
  'While pending, when the request for consent expires; from then on the end of the session.';
COMMENT ON COLUMN tracking_sessions.last_location_id IS 'Can refer to a purged point.';
CREATE UNIQUE INDEX tracking_sessions_live ON tracking_sessions
  (user_id, coalesce(conversation_id, '00000000-0000-0000-0000-000000000000'))
    WHERE status IN ('pending', 'active');
CREATE INDEX tracking_sessions_list ON tracking_sessions (workspace_id, created_at DESC, id DESC);
CREATE INDEX tracking_sessions_due ON tracking_sessions (expires_at) WHERE status IN ('pending', 'active');

CREATE TABLE locations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  accuracy double precision,
  altitude double precision,
  altitude_accuracy double precision,
  heading double precision,
  speed double precision,
  source text NOT NULL CHECK (source IN ('device', 'manual', 'platform')),
  platform text,
  address text,
  tracking_session_id uuid,
  recorded_at timestamptz(3) NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX locations_list ON locations (workspace_id, created_at DESC, id DESC);
CREATE INDEX locations_time ON locations (workspace_id, recorded_at DESC, id DESC);
CREATE INDEX locations_user ON locations (user_id, recorded_at DESC, id DESC);
CREATE INDEX locations_session ON locations (tracking_session_id, recorded_at DESC, id DESC)
  WHERE tracking_session_id IS NOT NULL;
CREATE INDEX locations_age ON locations (created_at);

CREATE TABLE location_feeds (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  full_at timestamptz NOT NULL,
  announced_at timestamptz,
  waiting_id uuid
);
COMMENT ON TABLE location_feeds IS
  'Per user: the remaining rate of points, and the point whose event is still to be written.';
COMMENT ON COLUMN location_feeds.full_at IS
  'When the whole burst is allowed again; each point adds a second.';
CREATE INDEX location_feeds_waiting ON location_feeds (announced_at) WHERE waiting_id IS NOT NULL;
