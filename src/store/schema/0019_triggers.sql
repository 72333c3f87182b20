-- Triggers. Their functions are in functions/triggers; the installer declares them before this file runs.

CREATE TRIGGER webhooks_interest AFTER INSERT OR UPDATE OF status, events, deleted_at ON webhooks
  FOR EACH ROW EXECUTE FUNCTION follow_webhook_interest();

CREATE TRIGGER webhooks_subscribed BEFORE UPDATE OF status, events ON webhooks
  FOR EACH ROW EXECUTE FUNCTION note_subscription();

CREATE TRIGGER api_keys_revoked AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND NOT NEW.keeps_webhooks)
  EXECUTE FUNCTION end_webhooks_of_revoked_key();

CREATE TRIGGER events_announced AFTER INSERT ON events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_events();

CREATE TRIGGER deliveries_read AFTER UPDATE OF status ON deliveries FOR EACH ROW
  WHEN (NEW.status = 'read' AND OLD.status <> 'read') EXECUTE FUNCTION note_remote_reader();

CREATE TRIGGER events_reader BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.type = 'message.read') EXECUTE FUNCTION name_reader();

CREATE TRIGGER message_media_used AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.attachments <> '[]') EXECUTE FUNCTION follow_message_media();

CREATE TRIGGER message_media_changed AFTER UPDATE OF attachments, deleted_at ON messages FOR EACH ROW
  WHEN (OLD.attachments IS DISTINCT FROM NEW.attachments
    OR (NEW.attachments <> '[]' AND OLD.deleted_at IS DISTINCT FROM NEW.deleted_at))
  EXECUTE FUNCTION follow_message_media();

CREATE TRIGGER message_media_dropped AFTER DELETE ON messages FOR EACH ROW
  WHEN (OLD.attachments <> '[]') EXECUTE FUNCTION follow_message_media();

CREATE TRIGGER broadcast_media_used AFTER INSERT ON broadcasts FOR EACH ROW
  WHEN (NEW.attachments <> '[]' OR NEW.variants <> '[]') EXECUTE FUNCTION follow_broadcast_media();

CREATE TRIGGER broadcast_media_changed AFTER UPDATE OF attachments, variants ON broadcasts FOR EACH ROW
  WHEN (OLD.attachments IS DISTINCT FROM NEW.attachments OR OLD.variants IS DISTINCT FROM NEW.variants)
  EXECUTE FUNCTION follow_broadcast_media();

CREATE TRIGGER broadcast_media_dropped AFTER DELETE ON broadcasts FOR EACH ROW
  WHEN (OLD.attachments <> '[]' OR OLD.variants <> '[]') EXECUTE FUNCTION follow_broadcast_media();

CREATE TRIGGER template_media_used AFTER INSERT OR UPDATE OF attachments OR DELETE ON templates FOR EACH ROW
  EXECUTE FUNCTION follow_template_media();

CREATE TRIGGER users_tracking_consent AFTER UPDATE OF consent, deleted_at ON users FOR EACH ROW
  WHEN (OLD.consent->'tracking' IS DISTINCT FROM NEW.consent->'tracking'
    OR (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL))
  EXECUTE FUNCTION follow_tracking_consent();

CREATE TRIGGER messages_noted AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_new_messages();

CREATE TRIGGER messages_changes_noted AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS was NEW TABLE AS becomes
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_messages();

CREATE TRIGGER messages_purge_noted AFTER DELETE ON messages
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION note_purged_messages();

CREATE TRIGGER webhook_deliveries_tried AFTER UPDATE OF tries ON webhook_deliveries FOR EACH ROW
  WHEN (NEW.tries > OLD.tries) EXECUTE FUNCTION note_webhook_try();

CREATE TRIGGER messages_invite AFTER UPDATE OF status ON messages FOR EACH ROW
  WHEN (NEW.status IN ('sent', 'delivered', 'read') AND OLD.status IN ('queued', 'sending', 'uncertain')
    AND NEW.metadata ? 'call_id')
  EXECUTE FUNCTION invitation_accepted();

-- Any removal of a user from a conversation, or return to it, updates its live call.
CREATE TRIGGER participants_calls AFTER UPDATE OF left_at ON participants FOR EACH ROW
  WHEN ((OLD.left_at IS NULL) <> (NEW.left_at IS NULL)) EXECUTE FUNCTION follow_participant();

CREATE TRIGGER users_credentials AFTER UPDATE OF status, role, deleted_at ON users FOR EACH ROW
  WHEN (NEW.kind <> 'contact'
    AND (OLD.status, OLD.role, OLD.deleted_at) IS DISTINCT FROM (NEW.status, NEW.role, NEW.deleted_at))
  EXECUTE FUNCTION user_credentials_changed();

CREATE TRIGGER oauth_apps_credentials BEFORE UPDATE OF scopes OR DELETE ON oauth_apps FOR EACH ROW
  EXECUTE FUNCTION oauth_app_changes();

CREATE TRIGGER messages_edit_noted AFTER UPDATE OF text, metadata ON messages FOR EACH ROW
  WHEN (OLD.text <> NEW.text OR OLD.metadata <> NEW.metadata) EXECUTE FUNCTION note_edited_record('messages');

CREATE TRIGGER users_edit_noted AFTER UPDATE OF username, display_name, email, phone, metadata ON users
  FOR EACH ROW
  WHEN ((OLD.username, OLD.display_name, OLD.email, OLD.phone, OLD.metadata)
    IS DISTINCT FROM (NEW.username, NEW.display_name, NEW.email, NEW.phone, NEW.metadata))
  EXECUTE FUNCTION note_edited_record('users');

CREATE TRIGGER conversations_edit_noted AFTER UPDATE OF title, metadata ON conversations FOR EACH ROW
  WHEN (OLD.title IS DISTINCT FROM NEW.title OR OLD.metadata <> NEW.metadata)
  EXECUTE FUNCTION note_edited_record('conversations');

CREATE TRIGGER messages_purge_forgotten AFTER DELETE ON messages
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION forget_purged_messages();

CREATE TRIGGER deliveries_purge_forgotten AFTER DELETE ON deliveries
  REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION forget_purged_deliveries();

CREATE TRIGGER conversations_labelled AFTER INSERT ON conversations FOR EACH ROW
  WHEN (NEW.labels <> '{}') EXECUTE FUNCTION note_labels();

CREATE TRIGGER conversations_relabelled AFTER UPDATE OF labels ON conversations FOR EACH ROW
  WHEN (OLD.labels <> NEW.labels) EXECUTE FUNCTION note_labels();
