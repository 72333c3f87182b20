-- History that was imported from another inbox is not unread.
-- Works from: 0032

ALTER TABLE conversations ADD COLUMN imported_until timestamptz;
COMMENT ON COLUMN conversations.imported_until IS
  'Messages before this time are the history of another inbox: no member has to read them.';
