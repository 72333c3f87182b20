-- Imports of contacts from CSV files. The rows of a file are stored first and imported by a job.

CREATE TABLE contact_imports (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  created_by uuid NOT NULL,
  file_name text NOT NULL,
  header text[] NOT NULL,
  total integer NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'uploaded'
    CHECK (status IN ('uploaded', 'running', 'completed', 'undoing', 'undone')),
  mapping jsonb,
  started_by uuid,
  undone_by uuid,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0,
  kept integer NOT NULL DEFAULT 0,
  leased_until timestamptz NOT NULL DEFAULT '-infinity',
  look_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  undone_at timestamptz(3)
);
COMMENT ON COLUMN contact_imports.mapping IS 'What the columns are, and how existing contacts are found.';
COMMENT ON COLUMN contact_imports.leased_until IS 'Until then a worker is at it, unless it died.';
COMMENT ON COLUMN contact_imports.look_at IS 'When a worker is reminded again of unfinished work.';
CREATE INDEX contact_imports_list ON contact_imports (workspace_id, created_at DESC, id DESC);
CREATE INDEX contact_imports_due ON contact_imports (look_at) WHERE status IN ('running', 'undoing');
CREATE INDEX contact_imports_created ON contact_imports (created_at);

-- The primary key makes sure that each row is imported once: its result is written with its contact.
CREATE TABLE contact_import_rows (
  import_id uuid NOT NULL REFERENCES contact_imports,
  number integer NOT NULL,
  id uuid NOT NULL DEFAULT uuid7(),
  workspace_id uuid NOT NULL,
  line integer NOT NULL,
  cells text[],
  result text CHECK (result IN ('created', 'updated', 'unchanged', 'failed')),
  problems jsonb NOT NULL DEFAULT '[]',
  user_id uuid,
  user_updated_at timestamptz(3),
  undo text CHECK (undo IN ('removed', 'kept')),
  kept_reason text,
  PRIMARY KEY (import_id, number)
);
COMMENT ON COLUMN contact_import_rows.line IS 'Where the row ends in the file.';
COMMENT ON COLUMN contact_import_rows.cells IS 'Null after the erasure of its contact.';
COMMENT ON COLUMN contact_import_rows.user_updated_at IS
  'updated_at of a created contact after the import. A contact with another one was changed since.';
CREATE INDEX contact_import_rows_pending ON contact_import_rows (import_id, number) WHERE result IS NULL;
CREATE INDEX contact_import_rows_failed ON contact_import_rows (import_id, number) WHERE result = 'failed';
CREATE INDEX contact_import_rows_created ON contact_import_rows (import_id, number)
  WHERE result = 'created' AND undo IS NULL;
CREATE INDEX contact_import_rows_user ON contact_import_rows (user_id) WHERE user_id IS NOT NULL;
