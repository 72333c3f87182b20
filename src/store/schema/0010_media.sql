-- Stored copies of files.

CREATE TABLE media (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  source text NOT NULL CHECK (source IN ('upload', 'url', 'remote')),
  source_url text,
  connection_id uuid,
  remote_ref text,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'ready', 'failed')),
  type text,
  name text,
  mime_type text,
  alt_text text,
  size bigint,
  width integer,
  height integer,
  sha256 bytea,
  tries smallint NOT NULL DEFAULT 0,
  due_at timestamptz DEFAULT now(),
  leased_until timestamptz(3),
  error text,
  expires_at timestamptz(3) DEFAULT now() + interval '24 hours',
  removed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE media IS 'A stored copy of a file. Its id is the id of every attachment that shows it.';
COMMENT ON COLUMN media.source IS
  'upload: sent by a client; url: fetched from source_url; remote: fetched by a connection''s adapter from '
  'remote_ref.';
COMMENT ON COLUMN media.tries IS 'Number of started fetches; a result of an earlier one is ignored.';
COMMENT ON COLUMN media.expires_at IS 'When an unused file is deleted; null while it is in use.';
COMMENT ON COLUMN media.removed_at IS 'The file is being deleted, and the row afterwards.';
CREATE INDEX media_due ON media (workspace_id, due_at) WHERE state = 'pending';
CREATE INDEX media_expiring ON media (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE media_uses (
  media_id uuid NOT NULL REFERENCES media ON DELETE CASCADE,
  owner_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  PRIMARY KEY (media_id, owner_id)
);
COMMENT ON TABLE media_uses IS 'The messages, broadcasts and templates that use a stored copy.';
CREATE INDEX media_uses_owner ON media_uses (owner_id);

-- HMAC-SHA-256 (RFC 2104) needs only these two blocks of the key.
CREATE TABLE media_signing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_inner bytea,
  key_outer bytea
);
INSERT INTO media_signing DEFAULT VALUES;
COMMENT ON TABLE media_signing IS
  'The key for signing media links; derived from the master key, which can''t be computed from it. Not '
  'readable for the role that reads lists.';
