import type { Dispatched, PlatformProblem, RejectionReason } from '../../../src/contract/index.js';

/**
 * The meaning of one Slack error code. An error response means that nothing was written, unless the row says otherwise.
 */
export interface Meaning {
  readonly codes: readonly string[];
  readonly problem: PlatformProblem;
  readonly dispatched?: Dispatched;
  readonly message: string;
  readonly fix?: string;
}

/** The wait if Slack responds "rate limited" without a duration. Its buckets are per minute. */
export const DEFAULT_RETRY_AFTER_MS = 30_000;

export const rejected = (reason: RejectionReason): PlatformProblem => ({ kind: 'rejected', reason });
const unauthorized: PlatformProblem = { kind: 'unauthorized' };
export const misconfigured: PlatformProblem = { kind: 'misconfigured' };
export const down: PlatformProblem = { kind: 'unavailable', cause: 'platform_down' };
export const network: PlatformProblem = { kind: 'unavailable', cause: 'network' };
const newToken = 'Install the app in the workspace again and enter its current bot token.';
export const askAdmin = 'Ask an administrator of the Slack workspace.';

/** Error lists of the methods used: docs.slack.dev/reference/methods/chat.postMessage, chat.update, chat.delete, apps.connections.open. */
export const meanings: readonly Meaning[] = [
  {
    codes: ['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive'],
    problem: unauthorized,
    message: 'Slack no longer accepts the token.',
    fix: newToken,
  },
  {
    codes: ['user_removed_from_team', 'team_disabled'],
    problem: unauthorized,
    message: 'The app has lost its access to the Slack workspace.',
    fix: newToken,
  },
  {
    codes: ['not_allowed_token_type'],
    problem: unauthorized,
    message: 'Slack does not accept this kind of token here.',
    fix: 'Enter a bot token (xoxb-) as bot_token and an app-level token (xapp-) as app_token.',
  },
  {
    codes: ['missing_scope'],
    problem: misconfigured,
    message: 'The Slack app lacks a permission.',
    fix: 'Add the scopes named in the adapter’s README to the app and install it again.',
  },
  {
    codes: ['forbidden_team', 'socket_mode_not_enabled'],
    problem: misconfigured,
    message: 'The Slack app is not allowed to do this.',
    fix: askAdmin,
  },
  {
    codes: ['ekm_access_denied', 'org_login_required', 'two_factor_setup_required'],
    problem: misconfigured,
    message: 'The Slack workspace is locked by its administrators.',
    fix: askAdmin,
  },
  {
    codes: ['channel_not_found', 'is_archived', 'user_not_found', 'user_disabled', 'users_not_found'],
    problem: rejected('recipient_gone'),
    message: 'The Slack channel or person does not exist any more.',
    fix: 'Check the channel id; private channels are invisible until the app is invited.',
  },
  {
    codes: ['not_in_channel', 'no_permission'],
    problem: rejected('forbidden'),
    message: 'The app is not a member of the Slack channel.',
    fix: 'Write /invite and the name of the app in the channel.',
  },
  // These concern one channel or one file, so the connection goes on.
  {
    codes: [
      'access_denied',
      'team_access_not_granted',
      'posting_to_channel_denied',
      'posting_to_general_channel_denied',
    ],
    problem: rejected('forbidden'),
    message: 'Slack does not let the app write in this channel.',
    fix: askAdmin,
  },
  {
    codes: [
      'slack_connect_blocked_file_type',
      'slack_connect_canvas_sharing_blocked',
      'slack_connect_clip_sharing_blocked',
      'slack_connect_file_link_sharing_blocked',
      'slack_connect_file_upload_sharing_blocked',
    ],
    problem: rejected('forbidden'),
    message: 'Slack does not take this file or link in a channel that is shared with another workspace.',
    fix: askAdmin,
  },
  {
    codes: ['messages_tab_disabled', 'cannot_dm_bot', 'user_is_bot', 'user_not_visible'],
    problem: rejected('forbidden'),
    message: 'This person or app can not be written to directly.',
    fix: 'Turn on the Messages Tab in the App Home of the Slack app.',
  },
  {
    codes: [
      'cant_update_message',
      'cant_delete_message',
      'message_not_owned_by_app',
      'cannot_reply_to_message',
    ],
    problem: rejected('forbidden'),
    message: 'Slack does not let the app change this message.',
  },
  {
    codes: ['edit_window_closed'],
    problem: rejected('edit_expired'),
    message: 'The time in which the workspace allows edits is over.',
  },
  {
    codes: ['message_not_found', 'thread_not_found'],
    problem: rejected('edit_expired'),
    message: 'The message does not exist on Slack any more.',
  },
  {
    codes: ['bad_timestamp', 'thread_locked', 'no_item_specified'],
    problem: rejected('unsupported'),
    message: 'Slack has no such message that could be changed so.',
  },
  {
    codes: ['invalid_name', 'too_many_emoji', 'too_many_reactions'],
    problem: rejected('unsupported'),
    message: 'Slack does not take this reaction to the message.',
  },
  {
    codes: ['file_uploads_disabled', 'file_upload_size_restricted', 'file_uploads_except_images_disabled'],
    problem: rejected('too_large'),
    message: 'The Slack workspace does not take this file.',
    fix: askAdmin,
  },
  {
    codes: ['msg_too_long', 'msg_blocks_too_long'],
    problem: rejected('too_long'),
    message: 'The text is too long for Slack.',
  },
  {
    codes: [
      'no_text',
      'invalid_blocks',
      'invalid_blocks_format',
      'too_many_attachments',
      'invalid_metadata_format',
    ],
    problem: rejected('content_rejected'),
    message: 'Slack refuses the content of the message.',
  },
  {
    codes: ['ratelimited', 'rate_limited', 'message_limit_exceeded'],
    problem: { kind: 'rate_limited', retryAfterMs: DEFAULT_RETRY_AFTER_MS, scope: 'method' },
    message: 'Slack asks to wait.',
  },
  // "Some aspect of the operation may have succeeded" is Slack's own text for both.
  {
    codes: ['fatal_error', 'internal_error'],
    problem: down,
    dispatched: 'unknown',
    message: 'Slack failed while it handled the call.',
  },
  {
    codes: ['service_unavailable', 'team_added_to_org', 'request_timeout', 'accesslimited'],
    problem: down,
    message: 'Slack is not available at the moment.',
  },
];
