-- Segments, which are named audiences, and templates, which are named texts.

CREATE TABLE templates (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  text text NOT NULL,
  content_type text NOT NULL DEFAULT 'text' CHECK (content_type IN ('text', 'markdown')),
  attachments jsonb NOT NULL DEFAULT '[]',
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX templates_list ON templates (workspace_id, created_at DESC, id DESC);

CREATE TABLE segments (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('static', 'filter')),
  filter text,
  size integer NOT NULL DEFAULT 0,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CHECK ((kind = 'filter') = (filter IS NOT NULL))
);
COMMENT ON COLUMN segments.size IS
  'Number of members of a static segment; members of a filter are counted on request.';
COMMENT ON COLUMN segments.deleted_at IS 'The members stay until no accepted broadcast needs them any more.';
CREATE INDEX segments_list ON segments (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX segments_deleted ON segments (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE segment_members (
  segment_id uuid NOT NULL REFERENCES segments,
  user_id uuid NOT NULL REFERENCES users,
  id bigint GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  platform text,
  address text,
  variables jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (segment_id, user_id)
);
COMMENT ON COLUMN segment_members.id IS 'Order of the members.';
COMMENT ON COLUMN segment_members.address IS
  'The address of the person in the list; null: by the order of their own platforms.';
CREATE INDEX segment_members_user ON segment_members (user_id);

-- Rows of a list: a line has a user id, or a platform and an address. The name, locale and time zone are for
-- contacts without them.
CREATE TYPE listed_member AS (line int, user_id uuid, platform text, address text, variables jsonb,
  display_name text, locale text,
  timezone text);
