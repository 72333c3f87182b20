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

-- The audit log. Triggers add its rows, so that each one is written with its change, whatever wrote that.

CREATE TRIGGER audit_member_invited AFTER INSERT ON users FOR EACH ROW
  WHEN (NEW.kind = 'member' AND NEW.live_user_id IS NULL AND NEW.status = 'invited')
  EXECUTE FUNCTION note_in_audit_log('member.invited', 'user');

CREATE TRIGGER audit_bot_created AFTER INSERT ON users FOR EACH ROW
  WHEN (NEW.kind = 'bot' AND NEW.role IS NOT NULL AND NEW.live_user_id IS NULL)
  EXECUTE FUNCTION note_in_audit_log('member.created', 'user');

CREATE TRIGGER audit_invitation_accepted AFTER UPDATE OF status ON users FOR EACH ROW
  WHEN (NEW.kind = 'member' AND NEW.live_user_id IS NULL AND OLD.status = 'invited' AND NEW.status = 'active')
  EXECUTE FUNCTION note_in_audit_log('invitation.accepted', 'user');

CREATE TRIGGER audit_member_suspended AFTER UPDATE OF status ON users FOR EACH ROW
  WHEN (NEW.live_user_id IS NULL AND NEW.role IS NOT NULL
    AND OLD.status <> 'suspended' AND NEW.status = 'suspended')
  EXECUTE FUNCTION note_in_audit_log('member.suspended', 'user');

CREATE TRIGGER audit_member_admitted AFTER UPDATE OF status ON users FOR EACH ROW
  WHEN (NEW.live_user_id IS NULL AND OLD.status = 'suspended' AND NEW.status = 'active')
  EXECUTE FUNCTION note_in_audit_log('member.admitted', 'user');

CREATE TRIGGER audit_role_changed AFTER UPDATE OF role ON users FOR EACH ROW
  WHEN (NEW.live_user_id IS NULL AND OLD.role <> NEW.role)
  EXECUTE FUNCTION note_in_audit_log('member.role_changed', 'user');

CREATE TRIGGER audit_password_changed AFTER UPDATE OF password_hash ON users FOR EACH ROW
  WHEN (OLD.password_hash <> NEW.password_hash)
  EXECUTE FUNCTION note_in_audit_log('password.changed', 'user');

CREATE TRIGGER audit_member_removed AFTER UPDATE OF status ON users FOR EACH ROW
  WHEN (NEW.live_user_id IS NULL AND OLD.role IS NOT NULL
    AND OLD.status <> 'deleted' AND NEW.status = 'deleted')
  EXECUTE FUNCTION note_in_audit_log('member.removed', 'user');

CREATE TRIGGER audit_contact_erased AFTER UPDATE OF status ON users FOR EACH ROW
  WHEN (NEW.kind = 'contact' AND OLD.status <> 'deleted' AND NEW.status = 'deleted')
  EXECUTE FUNCTION note_in_audit_log('contact.erased', 'user');

CREATE TRIGGER audit_session_opened AFTER INSERT ON sessions FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('session.opened', 'session');

CREATE TRIGGER audit_second_step_enabled AFTER UPDATE OF enabled_at ON second_steps FOR EACH ROW
  WHEN (OLD.enabled_at IS NULL AND NEW.enabled_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('second_step.enabled', 'user');

CREATE TRIGGER audit_second_step_disabled AFTER DELETE ON second_steps FOR EACH ROW
  WHEN (OLD.enabled_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('second_step.disabled', 'user');

CREATE TRIGGER audit_key_created AFTER INSERT ON api_keys FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('api_key.created', 'api_key');

CREATE TRIGGER audit_key_changed AFTER UPDATE OF name, ip_allowlist ON api_keys FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name
    OR OLD.ip_allowlist IS DISTINCT FROM NEW.ip_allowlist)
  EXECUTE FUNCTION note_in_audit_log('api_key.changed', 'api_key');

CREATE TRIGGER audit_key_revoked AFTER UPDATE OF revoked_at ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('api_key.revoked', 'api_key');

CREATE TRIGGER audit_app_created AFTER INSERT ON oauth_apps FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('oauth_app.created', 'oauth_app');

CREATE TRIGGER audit_app_changed AFTER UPDATE OF name, redirect_uris, scopes ON oauth_apps FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name
    OR OLD.redirect_uris IS DISTINCT FROM NEW.redirect_uris
    OR OLD.scopes IS DISTINCT FROM NEW.scopes)
  EXECUTE FUNCTION note_in_audit_log('oauth_app.changed', 'oauth_app');

CREATE TRIGGER audit_app_secret_rotated AFTER UPDATE OF client_secret_hash ON oauth_apps FOR EACH ROW
  WHEN (OLD.client_secret_hash IS DISTINCT FROM NEW.client_secret_hash)
  EXECUTE FUNCTION note_in_audit_log('oauth_app.secret_rotated', 'oauth_app');

CREATE TRIGGER audit_app_deleted AFTER DELETE ON oauth_apps FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('oauth_app.deleted', 'oauth_app');

CREATE TRIGGER audit_grant_given AFTER INSERT ON oauth_grants FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('oauth_grant.given', 'oauth_grant');

CREATE TRIGGER audit_grant_revoked AFTER UPDATE OF revoked_at ON oauth_grants FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('oauth_grant.revoked', 'oauth_grant');

CREATE TRIGGER audit_webhook_created AFTER INSERT ON webhooks FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('webhook.created', 'webhook');

CREATE TRIGGER audit_webhook_changed AFTER UPDATE OF url, events, scopes, status, headers, description
  ON webhooks FOR EACH ROW
  WHEN (OLD.url IS DISTINCT FROM NEW.url
    OR OLD.events IS DISTINCT FROM NEW.events
    OR OLD.scopes IS DISTINCT FROM NEW.scopes
    OR OLD.status IS DISTINCT FROM NEW.status
    OR OLD.header_names IS DISTINCT FROM NEW.header_names
    OR OLD.description IS DISTINCT FROM NEW.description)
  EXECUTE FUNCTION note_in_audit_log('webhook.changed', 'webhook');

CREATE TRIGGER audit_webhook_secret_rotated AFTER UPDATE OF secret ON webhooks FOR EACH ROW
  WHEN (OLD.secret IS DISTINCT FROM NEW.secret)
  EXECUTE FUNCTION note_in_audit_log('webhook.secret_rotated', 'webhook');

CREATE TRIGGER audit_webhook_deleted AFTER UPDATE OF deleted_at ON webhooks FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('webhook.deleted', 'webhook');

CREATE TRIGGER audit_connection_created AFTER INSERT ON connections FOR EACH ROW
  EXECUTE FUNCTION note_in_audit_log('connection.created', 'connection');

CREATE TRIGGER audit_connection_changed AFTER UPDATE OF name, enabled, settings, credentials
  ON connections FOR EACH ROW
  WHEN (NEW.deleted_at IS NULL AND (OLD.name IS DISTINCT FROM NEW.name
    OR OLD.enabled IS DISTINCT FROM NEW.enabled
    OR OLD.settings IS DISTINCT FROM NEW.settings
    OR OLD.credentials IS DISTINCT FROM NEW.credentials))
  EXECUTE FUNCTION note_in_audit_log('connection.changed', 'connection');

CREATE TRIGGER audit_connection_deleted AFTER UPDATE OF deleted_at ON connections FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION note_in_audit_log('connection.deleted', 'connection');

CREATE TRIGGER audit_workspace_changed AFTER UPDATE OF name, plan, opt_out_keywords, retain_messages_days
  ON workspaces FOR EACH ROW
  WHEN (NEW.live_workspace_id IS NULL AND (OLD.name IS DISTINCT FROM NEW.name
    OR OLD.plan IS DISTINCT FROM NEW.plan
    OR OLD.opt_out_keywords IS DISTINCT FROM NEW.opt_out_keywords
    OR OLD.retain_messages_days IS DISTINCT FROM NEW.retain_messages_days))
  EXECUTE FUNCTION note_in_audit_log('workspace.changed', 'workspace');

CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
