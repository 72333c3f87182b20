-- Notifications of members: what each one chooses, browsers that get pushes, and what is to be pushed.
-- Works from: 0027

CREATE TABLE notification_choices (
  user_id uuid PRIMARY KEY REFERENCES users,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  sound_mine boolean NOT NULL DEFAULT true,
  sound_unassigned boolean NOT NULL DEFAULT true,
  sound_calls boolean NOT NULL DEFAULT true,
  push_mine boolean NOT NULL DEFAULT true,
  push_unassigned boolean NOT NULL DEFAULT true,
  push_shows_text boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE notification_choices IS 'A member without a row has the defaults.';
COMMENT ON COLUMN notification_choices.push_shows_text IS
  'Whether a push contains the beginning of the message, which a locked device may show.';

CREATE TABLE push_keys (
  id uuid PRIMARY KEY,
  public_key text NOT NULL,
  secret bytea NOT NULL
);
COMMENT ON TABLE push_keys IS
  'The key pair by which push services know the installation (VAPID, RFC 8292). Browsers subscribe with it, '
  'so that it stays the same.';
COMMENT ON COLUMN push_keys.secret IS 'The private key, sealed.';
CREATE UNIQUE INDEX push_keys_one ON push_keys ((true));
ALTER TABLE push_keys ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER push_keys_live_master_key BEFORE INSERT OR UPDATE OF secret ON push_keys
  FOR EACH ROW EXECUTE FUNCTION refuse_former_master_key();

CREATE TABLE push_subscriptions (
  session_id uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  user_id uuid NOT NULL REFERENCES users,
  endpoint text NOT NULL UNIQUE CHECK (length(endpoint) <= 1024),
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE push_subscriptions IS 'Browsers that get pushes. Each one ends with its session.';
COMMENT ON COLUMN push_subscriptions.endpoint IS
  'An address at the push service of the browser. It is known to that browser and to us.';
COMMENT ON COLUMN push_subscriptions.p256dh IS 'The public key of the browser (RFC 8291), in base64url.';
COMMENT ON COLUMN push_subscriptions.auth IS 'What the browser adds to the key, in base64url.';
CREATE INDEX push_subscriptions_workspace ON push_subscriptions (workspace_id);

-- Without references, so that a message does not wait for the end of a session, nor the end for the message.
CREATE TABLE push_deliveries (
  session_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  message_id uuid NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (session_id, conversation_id)
);
COMMENT ON TABLE push_deliveries IS
  'What is to be pushed: the newest message of each conversation for each browser. Written with the message.';
CREATE INDEX push_deliveries_due ON push_deliveries (workspace_id, due_at);

CREATE TRIGGER messages_pushed AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_pushes();
