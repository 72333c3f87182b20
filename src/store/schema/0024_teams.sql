-- Teams. A conversation refers to its team, so that renaming one changes a single row.

CREATE TABLE teams (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
COMMENT ON COLUMN teams.deleted_at IS
  'A deleted team stays, because conversations may refer to it. They show no team then.';
CREATE UNIQUE INDEX teams_name ON teams (workspace_id, name) WHERE deleted_at IS NULL;
CREATE INDEX teams_list ON teams (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE team_members (
  team_id uuid NOT NULL REFERENCES teams,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX team_members_user ON team_members (user_id);

ALTER TABLE conversations ADD COLUMN team_id uuid REFERENCES teams;
INSERT INTO teams (id, workspace_id, name)
SELECT uuid7(), workspace_id, team FROM conversations WHERE team IS NOT NULL GROUP BY workspace_id, team;
UPDATE conversations c SET team_id = t.id FROM teams t
WHERE t.workspace_id = c.workspace_id AND t.name = c.team;
ALTER TABLE conversations DROP COLUMN team;
CREATE INDEX conversations_team ON conversations (workspace_id, team_id, created_at DESC, id DESC)
  WHERE team_id IS NOT NULL AND deleted_at IS NULL;

-- Not of a team that a request names for a conversation: these requests do not say who acts.
CREATE TRIGGER audit_team_created AFTER INSERT ON teams FOR EACH ROW
  WHEN (nullif(current_setting('trunkline.actor', true), '') IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('team.created', 'team');

CREATE TRIGGER audit_team_changed AFTER UPDATE OF updated_at ON teams FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION note_in_audit_log('team.changed', 'team');

CREATE TRIGGER audit_team_deleted AFTER UPDATE OF deleted_at ON teams FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('team.deleted', 'team');
