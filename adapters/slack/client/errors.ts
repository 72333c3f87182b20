import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import {
  type Dispatched,
  PlatformError,
  type PlatformProblem,
  type RejectionReason,
} from '../../../src/contract/index.js';

/**
 * The meaning of one Slack error code. An error response means that nothing was written, unless the row says otherwise.
 */
interface Meaning {
  readonly codes: readonly string[];
  readonly problem: PlatformProblem;
  readonly dispatched?: Dispatched;
  readonly message: string;
  readonly fix?: string;
}

/** The wait if Slack responds "rate limited" without a duration. Its buckets are per minute. */
export const DEFAULT_RETRY_AFTER_MS = 30_000;

const rejected = (reason: RejectionReason): PlatformProblem => ({ kind: 'rejected', reason });
const unauthorized: PlatformProblem = { kind: 'unauthorized' };
const misconfigured: PlatformProblem = { kind: 'misconfigured' };
const down: PlatformProblem = { kind: 'unavailable', cause: 'platform_down' };
const network: PlatformProblem = { kind: 'unavailable', cause: 'network' };
const newToken = 'Install the app in the workspace again and enter its current bot token.';
const askAdmin = 'Ask an administrator of the Slack workspace.';

/** Error lists of the methods used: docs.slack.dev/reference/methods/chat.postMessage, chat.update, chat.delete, apps.connections.open. */
const meanings: readonly Meaning[] = [
  {
    codes: ['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive'],
    problem: unauthorized,
    message: 'Slack no longer accepts the token.',
    fix: newToken,
  },
  {
    codes: ['user_removed_from_team', 'team_disabled', 'team_access_not_granted'],
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
    codes: ['missing_scope', 'no_permission'],
    problem: misconfigured,
    message: 'The Slack app lacks a permission.',
    fix: 'Add the scopes named in the adapter’s README to the app and install it again.',
  },
  {
    codes: ['forbidden_team', 'socket_mode_not_enabled', 'slack_connect_blocked_file_type', 'access_denied'],
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
    codes: ['not_in_channel'],
    problem: rejected('forbidden'),
    message: 'The app is not a member of the Slack channel.',
    fix: 'Write /invite and the name of the app in the channel.',
  },
  {
    codes: ['messages_tab_disabled', 'cannot_dm_bot', 'user_is_bot', 'user_not_visible'],
    problem: rejected('forbidden'),
    message: 'This person or app cannot be written to directly.',
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
    message: 'Slack cannot change this message in this way.',
  },
  {
    codes: ['invalid_name', 'too_many_emoji', 'too_many_reactions'],
    problem: rejected('unsupported'),
    message: 'Slack does not accept this reaction to the message.',
  },
  {
    codes: ['file_uploads_disabled', 'file_upload_size_restricted', 'file_uploads_except_images_disabled'],
    problem: rejected('too_large'),
    message: 'The Slack workspace does not accept this file.',
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
    message: 'Slack limits the rate of requests.',
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

const byCode = new Map(meanings.flatMap((meaning) => meaning.codes.map((code) => [code, meaning] as const)));

/**
 * Error codes of Node's net, dns and tls modules and of undici that occur before the request is sent. Nothing can have
 * been written.
 */
const neverSent = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID'.split(
    ' ',
  ),
);

export interface FailedCall {
  /** Whether the call only reads. A lost response of a read is harmless. */
  readonly writes: boolean;
  /** The scope of a 429: the chat that is written to, or all chats for which the bridge would call this method. */
  readonly rateScope: 'chat' | 'method';
}

/** Maps any failure of the Web client to a PlatformError. */
export function toPlatformError(error: unknown, call: FailedCall): PlatformError {
  const mapped = translate(error, call);
  if (call.writes || mapped.dispatched === 'no') return mapped;
  return new PlatformError(mapped.problem, { ...mapped, message: mapped.message, dispatched: 'no' });
}

function translate(error: unknown, call: FailedCall): PlatformError {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1000, call);
  if (error instanceof WebAPIPlatformError) return fromCode(String(error.data.error), call);
  if (error instanceof WebAPIHTTPError) return fromStatus(error.statusCode);
  return fromNetwork(error instanceof WebAPIRequestError ? error.original : error);
}

function rateLimited(retryAfterMs: number, { rateScope }: FailedCall): PlatformError {
  return new PlatformError(
    { kind: 'rate_limited', retryAfterMs, scope: rateScope },
    { dispatched: 'no', code: 'ratelimited', message: 'Slack limits the rate of requests.' },
  );
}

function fromCode(code: string, call: FailedCall): PlatformError {
  // The SDK uses a body that is not JSON as the error code. It comes from a proxy, not from Slack.
  if (!/^[\w.-]{1,80}$/.test(code))
    return new PlatformError(down, {
      dispatched: 'unknown',
      message: 'The response of Slack could not be read.',
    });
  const meaning = byCode.get(code) ?? unlisted(code);
  if (meaning.problem.kind === 'rate_limited') return rateLimited(meaning.problem.retryAfterMs, call);
  return new PlatformError(meaning.problem, { dispatched: 'no', ...meaning, code });
}

function unlisted(code: string): Omit<Meaning, 'codes'> {
  if (code.startsWith('restricted_action'))
    return {
      problem: rejected('forbidden'),
      message: 'A preference of the workspace or channel forbids this.',
      fix: askAdmin,
    };
  return { problem: rejected('platform_error'), message: `Slack refused the call (${code}).` };
}

function fromStatus(status: number): PlatformError {
  const code = `http_${status}`;
  if (status >= 500)
    return new PlatformError(down, {
      dispatched: 'unknown',
      code,
      message: `Slack answered with status ${status}.`,
    });
  if (status === 408)
    return new PlatformError(network, {
      dispatched: 'unknown',
      code,
      message: 'Slack did not receive the whole request in time.',
    });
  // A proxy error concerns this call only. Any other body means that the address is not Slack's.
  if (status === 413)
    return new PlatformError(rejected('too_large'), {
      dispatched: 'no',
      code,
      message: 'A proxy refused the request to Slack because of its size.',
    });
  return new PlatformError(misconfigured, {
    dispatched: 'no',
    code,
    message: `The address of the Slack API answered with status ${status}.`,
    fix: 'Check api_base_url; Slack itself is at https://slack.com/api.',
  });
}

function fromNetwork(error: unknown): PlatformError {
  const causes = causesOf(error);
  // The guarded fetch may refuse a target with a PlatformError.
  const own = causes.find((cause) => cause instanceof PlatformError);
  if (own !== undefined) return own;
  const code = causes.map(codeOf).find((value) => value !== undefined);
  return new PlatformError(network, {
    dispatched: code !== undefined && neverSent.has(code) ? 'no' : 'unknown',
    message: 'The connection to Slack failed.',
    cause: error,
    ...(code === undefined ? {} : { code }),
  });
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
