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
  'The requested language; empty for detection by the provider.';
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
COMMENT ON COLUMN tv_sources.place IS
  'If two sources list a network, it belongs to the one with the lower place.';
COMMENT ON COLUMN tv_sources.next_check_at IS
  'When the source is due. During an import, until when no other process imports it.';

CREATE TABLE tv_networks (
  id text PRIMARY KEY,
  source text NOT NULL REFERENCES tv_sources ON DELETE CASCADE,
  run uuid NOT NULL,
  name text NOT NULL,
  languages text[] NOT NULL DEFAULT '{}',
  country text,
  icon_url text
);
COMMENT ON COLUMN tv_networks.run IS 'The import of the source that last listed the network.';
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
  'Null during the import: a programme without an end ends where the next one starts.';
CREATE INDEX tv_programmes_schedule ON tv_programmes (network_id, start_at, id);
CREATE INDEX tv_programmes_endless ON tv_programmes (run) WHERE end_at IS NULL;
CREATE INDEX tv_programmes_age ON tv_programmes (end_at);
