import { GrammyError, HttpError } from 'grammy';
import {
  PlatformError,
  type PlatformErrorOptions,
  type PlatformProblem,
  type RejectionReason,
  remoteChatId,
  waitMsIn,
} from '../../../src/contract/index.js';

/**
 * Telegram explains refusals only in words, so a rule matches the status and a lower-case part of the description. The
 * words come from the source of the Bot API server (github.com/tdlib/telegram-bot-api, Client.cpp). The first match
 * wins.
 */
interface Rule {
  readonly status: number;
  readonly words: string;
  readonly reason: RejectionReason | 'misconfigured';
  readonly message: string;
  readonly fix?: string;
}

const ADD_AGAIN = 'Add the bot to the chat again.';
const GRANT = 'Give the bot the right to send messages in this chat.';
const CHECK_ID =
  'Check the chat id. The bot sees only chats it was added to and people who wrote to it first.';

const rule = (
  status: number,
  words: string,
  reason: Rule['reason'],
  message: string,
  fix?: string,
): Rule => ({
  status,
  words,
  reason,
  message,
  ...(fix === undefined ? {} : { fix }),
});

const rules: readonly Rule[] = [
  rule(403, 'bot was blocked', 'blocked_by_recipient', 'The person has blocked the bot.'),
  rule(403, 'user is deactivated', 'recipient_gone', 'The account of this person no longer exists.'),
  rule(
    403,
    "can't initiate conversation",
    'forbidden',
    'The person has never written to the bot, and a bot must not write first.',
    'Ask the person to open the bot and press Start.',
  ),
  rule(403, "can't send messages to bots", 'unsupported', 'Bots cannot write to other bots.'),
  rule(403, 'bot was kicked', 'recipient_gone', 'The bot was removed from the chat.', ADD_AGAIN),
  rule(403, 'bot is not a member', 'recipient_gone', 'The bot is not a member of the chat.', ADD_AGAIN),
  rule(403, 'chat was deleted', 'recipient_gone', 'The chat was deleted.'),
  rule(403, '', 'forbidden', 'Telegram does not allow this in the chat.', GRANT),
  rule(400, 'chat not found', 'recipient_gone', 'Telegram does not know this chat.', CHECK_ID),
  rule(400, 'user not found', 'recipient_gone', 'Telegram does not know this person.', CHECK_ID),
  rule(400, 'peer_id_invalid', 'recipient_gone', 'Telegram does not know this chat.', CHECK_ID),
  rule(400, 'chat was deactivated', 'recipient_gone', 'The chat was closed.'),
  rule(400, 'message thread not found', 'recipient_gone', 'The topic no longer exists.'),
  rule(400, 'topic_deleted', 'recipient_gone', 'The topic no longer exists.'),
  rule(400, 'topic_closed', 'forbidden', 'The topic is closed.', 'Open the topic again.'),
  rule(400, 'message is too long', 'too_long', 'The text is longer than Telegram allows.'),
  rule(400, 'message_too_long', 'too_long', 'The text is longer than Telegram allows.'),
  rule(400, 'caption is too long', 'too_long', 'The caption is longer than Telegram allows.'),
  rule(400, 'caption_too_long', 'too_long', 'The caption is longer than Telegram allows.'),
  rule(400, 'reaction_', 'unsupported', 'The chat does not allow this reaction.'),
  rule(400, 'message to react not found', 'edit_expired', 'The message no longer exists.'),
  rule(400, 'text is empty', 'content_rejected', 'The message has no visible text.'),
  rule(400, 'text must be non-empty', 'content_rejected', 'The message has no visible text.'),
  rule(400, 'message to edit not found', 'edit_expired', 'The message to be changed no longer exists.'),
  rule(400, "can't be edited", 'edit_expired', 'Telegram no longer lets the bot change this message.'),
  rule(400, 'message_id_invalid', 'edit_expired', 'The message no longer exists.'),
  rule(
    400,
    "can't be deleted",
    'edit_expired',
    'Telegram no longer lets the bot delete this message.',
    'Only messages of the last 48 hours can be deleted.',
  ),
  rule(400, 'not enough rights', 'forbidden', 'The bot may not do this in the chat.', GRANT),
  rule(400, 'no rights', 'forbidden', 'The bot may not write in the chat.', GRANT),
  rule(
    400,
    'need administrator rights',
    'forbidden',
    'The bot is not an administrator of the channel.',
    GRANT,
  ),
  rule(400, 'chat_admin_required', 'forbidden', 'The bot is not an administrator of the chat.', GRANT),
  rule(400, 'chat_write_forbidden', 'forbidden', 'The bot may not write in the chat.', GRANT),
  rule(400, 'chat_restricted', 'forbidden', 'The bot may not write in the chat.', GRANT),
  rule(400, 'chat_send_', 'forbidden', 'The chat allows no messages of this kind.', GRANT),
  rule(400, "can't parse", 'content_rejected', 'Telegram could not read the formatting of the message.'),
  rule(400, 'entit', 'content_rejected', 'Telegram could not read the formatting of the message.'),
  rule(
    400,
    'bad webhook',
    'misconfigured',
    'Telegram does not accept the webhook address of the bridge.',
    'PUBLIC_URL must be an https address that Telegram can reach, on port 443, 80, 88 or 8443.',
  ),
  rule(
    404,
    'method not found',
    'unsupported',
    'The Bot API server does not know this method.',
    'Update the server at api_base_url.',
  ),
  rule(
    409,
    'webhook',
    'misconfigured',
    'Another program has set a webhook for this bot, so that polling is refused.',
    'Stop the other program, or use a bot of its own for each.',
  ),
  rule(
    409,
    '',
    'misconfigured',
    'Another program fetches the messages of this bot with the same token.',
    'Stop the other program, or revoke the token with @BotFather and enter the new one.',
  ),
  rule(413, '', 'too_large', 'The request is larger than Telegram allows.'),
];

/** A response that is not from the Bot API, for example from a proxy or another server at this address. */
export class UnexpectedResponse extends Error {
  constructor(
    readonly status: number,
    readonly retryAfter: string | null,
  ) {
    super(`HTTP ${status} without a Bot API body`);
    this.name = 'UnexpectedResponse';
  }
}

/** Maps any error of a call to a PlatformError. `inChat`: the call concerned one chat. */
export function platformErrorOf(error: unknown, inChat: boolean): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof GrammyError) return answered(error, inChat);
  const inner = error instanceof HttpError ? error.error : error;
  // The address guard refused the target. A retry would be refused as well.
  if (inner instanceof PlatformError && inner.problem.kind === 'misconfigured') return inner;
  return inner instanceof UnexpectedResponse ? foreign(inner, inChat) : unanswered(inner);
}

function answered({ error_code, description, parameters }: GrammyError, inChat: boolean): PlatformError {
  const code = `${error_code} ${description}`.slice(0, 200);
  if (parameters.migrate_to_chat_id !== undefined)
    return failure(
      // A new supergroup numbers its messages from one.
      { kind: 'moved', toChatId: remoteChatId(parameters.migrate_to_chat_id), renumbered: true },
      { code, message: 'The group became a supergroup and has a new id.' },
    );
  if (error_code === 429) return waiting((parameters.retry_after ?? DEFAULT_WAIT_S) * 1000, inChat, code);
  // Telegram writes an album completely or not at all. The response names the file that it refused.
  const inAlbum = /^bad request: failed to send message .*too many requests: retry after (\d+)/i.exec(
    description,
  );
  if (inAlbum !== null) return waiting(Number(inAlbum[1]) * 1000, inChat, code);
  if (error_code >= 500) return down(code);
  // Telegram responds to a malformed token as to an unknown path. An older server lacks newer methods.
  if (error_code === 401 || (error_code === 404 && !/method not found/i.test(description)))
    return failure(
      { kind: 'unauthorized' },
      {
        code,
        message: 'Telegram does not accept the bot token.',
        fix: 'Get the token from @BotFather (/token) and enter it again.',
      },
    );
  return refusal(error_code, description, code);
}

function refusal(status: number, description: string, code: string): PlatformError {
  const text = description.toLowerCase();
  const found = rules.find((candidate) => candidate.status === status && text.includes(candidate.words));
  if (found === undefined)
    return failure(
      { kind: 'rejected', reason: 'platform_error' },
      { code, message: 'Telegram refused the request.' },
    );
  const { reason, message, fix } = found;
  const problem: PlatformProblem =
    reason === 'misconfigured' ? { kind: 'misconfigured' } : { kind: 'rejected', reason };
  return failure(problem, fix === undefined ? { code, message } : { code, message, fix });
}

/** The wait when Telegram limits the rate without naming a duration. */
const DEFAULT_WAIT_S = 5;

function foreign({ status, retryAfter }: UnexpectedResponse, inChat: boolean): PlatformError {
  const code = `http_${status}`;
  if (status === 429) {
    return waiting(waitMsIn(retryAfter) ?? DEFAULT_WAIT_S * 1000, inChat, code);
  }
  if (status >= 300 && status < 400) return redirected(code);
  // A gateway timeout does not say whether the server behind it executed the request.
  if (status >= 500 || status === 408 || status < 300) return down(code);
  return refusal(status, '', code);
}

/** Socket errors that occur before a request can have been written. */
const beforeDispatch = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function unanswered(error: unknown): PlatformError {
  const code = socketCode(error);
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    {
      // The cause is omitted: its text may contain the request URL, which contains the token.
      dispatched: code !== undefined && beforeDispatch.has(code) ? 'no' : 'unknown',
      message: 'Telegram could not be reached or did not respond.',
      ...(code === undefined ? {} : { code }),
    },
  );
}

/** The innermost error code of a failed fetch, through causes and the attempts of several addresses. */
function socketCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner =
    socketCode(cause, depth + 1) ?? (Array.isArray(errors) ? socketCode(errors[0], depth + 1) : undefined);
  return inner ?? (typeof code === 'string' ? code : undefined);
}

function waiting(retryAfterMs: number, inChat: boolean, code: string): PlatformError {
  // The response does not name the scope of the limit. The bridge keeps the account limit itself, so this one belongs
  // to the chat.
  return failure(
    { kind: 'rate_limited', retryAfterMs, scope: inChat ? 'chat' : 'account' },
    { code, message: 'Telegram limits the rate of requests.' },
  );
}

const down = (code: string) =>
  new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'unknown', code, message: 'Telegram has an internal problem.' },
  );

/** The response leads elsewhere, so the request was not executed. */
const redirected = (code: string) =>
  failure(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      code,
      message: 'The server at api_base_url redirects to another address.',
      fix: 'Check api_base_url; Telegram itself is at https://api.telegram.org.',
    },
  );

/** Telegram responded with an error, so nothing was written. */
const failure = (problem: PlatformProblem, options: Omit<PlatformErrorOptions, 'dispatched'>) =>
  new PlatformError(problem, { ...options, dispatched: 'no' });

const answeredWith = (error: unknown, ...words: string[]) =>
  error instanceof GrammyError &&
  error.error_code === 400 &&
  words.some((piece) => error.description.toLowerCase().includes(piece));

/** The message already has the requested content. */
export const isNotModified = (error: unknown) => answeredWith(error, 'message is not modified');

/** The topic does not exist any more, or it is closed. */
export const isTopicClosed = (error: unknown) =>
  answeredWith(error, 'message thread not found', 'topic_deleted', 'topic_closed');

/** The message to delete does not exist any more. */
export const isAlreadyGone = (error: unknown) =>
  answeredWith(error, 'message to delete not found', 'message_id_invalid');

/** Telegram refused the formatting, not the text. */
export const isFormattingRefused = (error: unknown) =>
  answeredWith(error, "can't parse", 'entity', 'entities', 'user not found', 'user_id_invalid');

/** Telegram refused the file as its type. It may accept the file as a document. */
export const isMediaRefused = (error: unknown) =>
  answeredWith(error, 'photo_', 'image_process_failed', 'sticker_', 'video_', 'voice_messages_forbidden');
