-- The installation and its workspaces.

DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT uuidv7()';
  ELSE
    -- RFC 9562, method 3: 48 bits of Unix milliseconds, the version, 12 bits of their fraction, so that rows
    -- of one transaction keep their order, and the rest of a version 4 value. PostgreSQL 18 does the same.
    CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS
      'SELECT (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 4096000)::bigint), 15, ''0'')
        PLACING ''7'' FROM 13 FOR 0)
        || substr(gen_random_uuid()::text, 20))::uuid';
  END IF;
END $$;

CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  master_key_check bytea,
  public_url text NOT NULL DEFAULT '',
  phone_platforms text[] NOT NULL DEFAULT '{}',
  place jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN installation.phone_platforms IS 'Installed platforms whose addresses are phone numbers.';
COMMENT ON COLUMN installation.place IS
  'The location of this database at the last run of the service. A copy has another location. See '
  'recognise_installation.';
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'unlimited' CHECK (plan IN ('default', 'team', 'business', 'unlimited')),
  live_workspace_id uuid UNIQUE REFERENCES workspaces,
  opt_out_keywords text[] NOT NULL DEFAULT '{STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,REVOKE,OPTOUT,OPT OUT}',
  retain_messages_days integer CHECK (retain_messages_days BETWEEN 1 AND 36500),
  conversation_count bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN workspaces.retain_messages_days IS
  'Older messages are deleted; null: as the installation says.';
COMMENT ON COLUMN workspaces.live_workspace_id IS 'The live workspace of a test workspace; otherwise null.';
