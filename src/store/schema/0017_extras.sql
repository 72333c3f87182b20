-- Stored translations and the television guide.

CREATE TABLE translations (
  workspace_id uuid NOT NULL REFERENCES workspaces,
  text_hash bytea NOT NULL,
  target_language text NOT NULL,
  source_language text NOT NULL,
  text text NOT NULL,
  detected_language text NOT NULL,
  provider text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, text_hash, target_language, source_language)
);
COMMENT ON COLUMN translations.source_language IS
  'As it was asked for; empty when the provider was to find out.';
CREATE INDEX translations_age ON translations (created_at);

-- The television guide belongs to the installation and is the same in every workspace.
CREATE TABLE tv_sources (
  location text PRIMARY KEY,
  place integer NOT NULL,
  etag text,
  last_modified text,
  next_check_at timestamptz NOT NULL DEFAULT now(),
  imported_at timestamptz(3),
  error text
);
COMMENT ON COLUMN tv_sources.place IS 'Where two sources name a network, that with the lower place has it.';
COMMENT ON COLUMN tv_sources.next_check_at IS 'While somebody reads the source, until when nobody else does.';

CREATE TABLE tv_networks (
  id text PRIMARY KEY,
  source text NOT NULL REFERENCES tv_sources ON DELETE CASCADE,
  run uuid NOT NULL,
  name text NOT NULL,
  languages text[] NOT NULL DEFAULT '{}',
  country text,
  icon_url text
);
COMMENT ON COLUMN tv_networks.run IS 'The reading of the source that last named it.';
CREATE INDEX tv_networks_source ON tv_networks (source);
CREATE INDEX tv_networks_name ON tv_networks (name, id);

CREATE TABLE tv_programmes (
  id text PRIMARY KEY,
  network_id text NOT NULL REFERENCES tv_networks ON DELETE CASCADE,
  run uuid NOT NULL,
  title text NOT NULL,
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3),
  categories text[] NOT NULL DEFAULT '{}',
  description text,
  icon_url text
);
COMMENT ON COLUMN tv_programmes.end_at IS
  'Null while the source is read: what has no end of its own ends where the next begins.';
CREATE INDEX tv_programmes_schedule ON tv_programmes (network_id, start_at, id);
CREATE INDEX tv_programmes_endless ON tv_programmes (run) WHERE end_at IS NULL;
CREATE INDEX tv_programmes_age ON tv_programmes (end_at);
