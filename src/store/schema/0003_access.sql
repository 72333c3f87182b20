-- Credentials and permissions: API keys, request limits, idempotent requests, sessions, OAuth 2.0.

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  scopes text[] NOT NULL DEFAULT '{}',
  rate_limit integer NOT NULL DEFAULT 100 CHECK (rate_limit >= 0),
  ip_allowlist text[] NOT NULL DEFAULT '{}',
  hash bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  keeps_webhooks boolean NOT NULL DEFAULT false,
  expiry_handled boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN api_keys.workspace_id IS 'The workspace of the key: for a test key the test workspace.';
COMMENT ON COLUMN api_keys.keeps_webhooks IS
  'The webhooks that the key registered stay unchanged after its revocation.';
COMMENT ON COLUMN api_keys.expiry_handled IS
  'The webhooks of the expired key were handled; they can be enabled again afterwards.';
COMMENT ON COLUMN api_keys.hash IS 'SHA-256 of the whole key.';
CREATE INDEX api_keys_workspace ON api_keys (workspace_id);
CREATE INDEX api_keys_user ON api_keys (user_id);
CREATE INDEX api_keys_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND NOT expiry_handled;

CREATE TABLE rate_windows (
  key_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  used integer NOT NULL DEFAULT 0,
  holder uuid,
  shared boolean NOT NULL DEFAULT false,
  PRIMARY KEY (key_id, hour)
);
COMMENT ON COLUMN rate_windows.holder IS
  'The counter that counts locally and reports. Vacant if null or expired.';
COMMENT ON COLUMN rate_windows.shared IS
  'A second counter has asked for the window: once it is vacant, each request is counted here.';
CREATE INDEX rate_windows_asked ON rate_windows (holder) WHERE shared AND holder IS NOT NULL;

CREATE TABLE rate_counters (
  id uuid PRIMARY KEY,
  leased_until timestamptz(3) NOT NULL
);
COMMENT ON TABLE rate_counters IS
  'Processes that count requests. A process with an expired lease loses its windows when another one '
  'deletes its row.';

CREATE TABLE idempotency_keys (
  credential_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  resource_id uuid NOT NULL,
  status integer,
  body json,
  claimed_until timestamptz(3) NOT NULL,
  holder integer,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (credential_id, method, path, key)
);
COMMENT ON COLUMN idempotency_keys.resource_id IS
  'Id of the record from the first attempt, so that an attempt after a crash finds it.';
COMMENT ON COLUMN idempotency_keys.status IS 'Null while the first request runs.';
COMMENT ON COLUMN idempotency_keys.holder IS
  'The lock of the process that runs the request; null if it took none.';
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT ''
);
COMMENT ON COLUMN sessions.address IS 'Network address of the sign-in.';
COMMENT ON COLUMN sessions.user_agent IS 'User-Agent of the sign-in, cut to 256 characters.';
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the whole token. An ended session has no row.';
CREATE INDEX sessions_user ON sessions (user_id, created_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE invitations (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  token_hash bytea NOT NULL UNIQUE,
  created_by uuid NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE invitations IS 'Invitations of members; deleted once one is accepted.';
CREATE INDEX invitations_expiry ON invitations (expires_at);

CREATE TABLE sign_in_failures (
  account bytea NOT NULL,
  address text NOT NULL,
  failed_at timestamptz[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (account, address)
);
COMMENT ON TABLE sign_in_failures IS
  'These rows have no workspace, because the user is not known before the sign-in.';
COMMENT ON COLUMN sign_in_failures.account IS
  'SHA-256 of the e-mail address in lower case, which need not belong to a user.';

CREATE TABLE second_steps (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  secret bytea NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  enabled_at timestamptz(3)
);
COMMENT ON TABLE second_steps IS 'Users who prove their sign-in with a code of an authenticator app.';
COMMENT ON COLUMN second_steps.secret IS 'What the codes are made of, sealed.';
COMMENT ON COLUMN second_steps.last_step IS
  'Time step of the last code that was accepted. Only codes of later ones are.';
COMMENT ON COLUMN second_steps.enabled_at IS 'Null until the first code was accepted.';

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES second_steps ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
COMMENT ON TABLE recovery_codes IS 'The ones that were not used yet.';
COMMENT ON COLUMN recovery_codes.hash IS 'SHA-256 of the code without hyphens.';

CREATE TABLE provider_identities (
  issuer text NOT NULL,
  client_id text NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, client_id, user_id)
);
COMMENT ON TABLE provider_identities IS 'Accounts at OpenID Connect providers that sign in as a member.';
COMMENT ON COLUMN provider_identities.subject IS
  'The account at the provider. Some providers give each client another one.';
CREATE INDEX provider_identities_subject ON provider_identities (issuer, client_id, subject);
CREATE INDEX provider_identities_user ON provider_identities (user_id);

CREATE TABLE audit_log (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  actor_type text NOT NULL CHECK (actor_type IN ('member', 'api_key', 'system')),
  actor_id uuid,
  action text NOT NULL,
  object_type text NOT NULL,
  object_id uuid,
  address text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE audit_log IS 'Who changed what may be done in a workspace. Rows are only added.';
COMMENT ON COLUMN audit_log.actor_id IS 'The user or the API key; null for the system.';
COMMENT ON COLUMN audit_log.address IS 'Network address of the request.';
CREATE INDEX audit_log_list ON audit_log (workspace_id, created_at DESC, id DESC);
CREATE INDEX audit_log_actor ON audit_log (workspace_id, actor_id, created_at DESC, id DESC);

CREATE TABLE oauth_apps (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('public', 'confidential')),
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  client_id uuid NOT NULL UNIQUE,
  client_secret_hash bytea,
  secret_hint text,
  created_by uuid NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_apps.client_secret_hash IS 'SHA-256 of the whole secret; null for public apps.';
CREATE INDEX oauth_apps_list ON oauth_apps (workspace_id, created_at DESC, id DESC);

CREATE TABLE oauth_grants (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  app_id uuid NOT NULL REFERENCES oauth_apps ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users,
  scopes text[] NOT NULL,
  code_hash bytea NOT NULL UNIQUE,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  code_expires_at timestamptz(3) NOT NULL,
  code_used_at timestamptz(3),
  live_until timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_grants.live_until IS
  'When the grant expires: with its code, and after the use of the code with its last refresh token.';
CREATE INDEX oauth_grants_app ON oauth_grants (app_id);
CREATE INDEX oauth_grants_user ON oauth_grants (workspace_id, user_id, created_at DESC, id DESC);
CREATE INDEX oauth_grants_end ON oauth_grants (live_until);

CREATE TABLE oauth_tokens (
  id uuid PRIMARY KEY DEFAULT uuid7(),
  workspace_id uuid NOT NULL REFERENCES workspaces,
  grant_id uuid NOT NULL REFERENCES oauth_grants ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_tokens.used_at IS
  'When a refresh token was rotated. It is kept, so that a second use is noticed.';
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_end ON oauth_tokens (expires_at) WHERE kind = 'access';
