import { DiscordAPIError, HTTPError, RateLimitError } from '@discordjs/rest';
import {
  type Dispatched,
  PlatformError,
  type PlatformProblem,
  type RejectionReason,
} from '../../../src/contract/index.js';

/** State of one request at the time of its failure. */
export interface RequestTrace {
  /** Whether the request left this process. */
  sent: boolean;
  /** HTTP status of the response, if one arrived. */
  status?: number;
  /** Headers of the response. */
  headers?: Headers;
  /** A read writes nothing, so its failure is never ambiguous. */
  readonly write: boolean;
}

interface Verdict {
  readonly problem: PlatformProblem;
  readonly message: string;
  readonly fix?: string;
}

const rejected = (reason: RejectionReason, message: string, fix?: string): Verdict => ({
  problem: { kind: 'rejected', reason },
  message,
  ...(fix === undefined ? {} : { fix }),
});
const wait = (retryAfterMs: number, scope: 'account' | 'chat' | 'method', message: string): Verdict => ({
  problem: { kind: 'rate_limited', retryAfterMs, scope },
  message,
});

const unauthorized: Verdict = {
  problem: { kind: 'unauthorized' },
  message: 'Discord does not accept the bot token.',
  fix: 'Reset the token in the developer portal under Bot and enter the new one.',
};
const permission = 'Give the bot the permissions View Channel, Send Messages and Read Message History there.';

/** Discord's JSON error codes (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json). */
const byCode: Readonly<Record<string, Verdict>> = {
  '10003': rejected(
    'recipient_gone',
    'The Discord channel does not exist any more.',
    'Link another channel.',
  ),
  '10004': rejected('recipient_gone', 'The Discord server does not exist or the bot has left it.'),
  '10008': rejected('edit_expired', 'The message does not exist on Discord any more.'),
  '10013': rejected('recipient_gone', 'The Discord user does not exist.'),
  '10014': rejected('unsupported', 'Discord knows no such emoji here.'),
  '10015': rejected('forbidden', 'The Discord webhook does not exist any more.'),
  '20016': wait(5_000, 'chat', 'The channel is in slow mode.'),
  '20028': wait(5_000, 'chat', 'Discord limits writes to this channel.'),
  '20029': wait(5_000, 'account', 'Discord limits writes to this server.'),
  '30007': rejected(
    'forbidden',
    'The Discord channel has all the webhooks it may have.',
    'Delete one there.',
  ),
  '30010': rejected('unsupported', 'The Discord message has all the reactions it may have.'),
  '30046': wait(60_000, 'chat', 'Discord limits edits of old messages for now.'),
  '40003': wait(60_000, 'method', 'Discord finds that direct messages are opened too fast.'),
  '40005': rejected('too_large', 'The request is too large for Discord.'),
  '40007': rejected('forbidden', 'The user is banned from this Discord server.'),
  '40062': wait(10_000, 'method', 'Discord limits this service for now.'),
  '50001': rejected('forbidden', 'The bot has no access to this Discord channel.', permission),
  '50005': rejected('forbidden', 'Discord allows edits of own messages only.'),
  '50006': rejected('content_rejected', 'Discord refuses an empty message.'),
  '50007': rejected('blocked_by_recipient', 'The person does not accept direct messages from this bot.'),
  '50008': rejected('unsupported', 'Text cannot be sent to this kind of Discord channel.'),
  '50013': rejected('forbidden', 'The bot lacks a permission in this Discord channel.', permission),
  '50014': unauthorized,
  '50024': rejected('unsupported', 'This kind of Discord channel does not allow that.'),
  '50027': rejected('forbidden', 'Discord does not accept the token of the webhook.'),
  '50033': rejected('recipient_gone', 'Discord knows no such person to write to.'),
  '50035': rejected('content_rejected', 'Discord found the content of the message invalid.'),
  '50045': rejected('too_large', 'The file is too large for Discord.'),
  '50083': rejected('forbidden', 'The Discord thread is archived and locked.', 'Unlock the thread.'),
  '50278': rejected('recipient_gone', 'The bot shares no Discord server with this person.'),
  '90001': rejected('forbidden', 'The person accepts no reactions from this bot.'),
  '130000': wait(5_000, 'account', 'Discord is overloaded for now.'),
  '160005': rejected('forbidden', 'The Discord thread is locked.', 'Unlock the thread.'),
  '160002': rejected('forbidden', 'The bot may not reply without reading the message history.', permission),
  '200000': rejected('content_rejected', 'The AutoMod of the Discord server blocked the message.'),
  '200001': rejected('content_rejected', 'The AutoMod of the Discord server blocked the title.'),
  '240000': rejected('content_rejected', 'Discord blocked the message for a harmful link.'),
};

const byStatus: Readonly<Record<number, Verdict>> = {
  401: unauthorized,
  403: rejected('forbidden', 'Discord does not allow this to the bot.', permission),
  404: rejected('recipient_gone', 'Discord does not know this address.'),
  413: rejected('too_large', 'The request is too large for Discord.'),
};

/** Errors that occur before any byte of a request can be written. */
const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|UNABLE_TO_|SELF_SIGNED)/;

/**
 * Maps any failure of a request to a PlatformError. The SDK's error is dropped, because it contains the request with
 * its text.
 */
export function platformError(error: unknown, trace: RequestTrace): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof RateLimitError) return rateLimited(error, trace);
  if (error instanceof DiscordAPIError) return answered(String(error.code ?? error.status), error, trace);
  if (error instanceof HTTPError) return unavailable(trace, error.status);
  if (trace.status !== undefined && trace.status >= 400 && trace.status < 500)
    return answered(String(trace.status), { status: trace.status, rawError: undefined }, trace);
  return unavailable(trace, trace.status, error);
}

/** Wait if the response contains no readable wait. */
const UNKNOWN_WAIT_MS = 5_000;

/**
 * Discord describes each of its limits in headers and in JSON. A 429 without both is from the servers in front of it, which block
 * all requests of an address that sent too many or too many invalid ones
 * (https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans).
 */
const isBlocked = ({ status, headers }: RequestTrace): boolean =>
  status === 429 &&
  headers?.has('x-ratelimit-scope') !== true &&
  headers?.get('content-type')?.startsWith('application/json') !== true;

/** Handles the SDK's predicted rate limits and real 429 responses. The SDK is configured never to wait. */
function rateLimited(error: RateLimitError, trace: RequestTrace): PlatformError {
  const method = error.majorParameter === 'global';
  // NaN means that the SDK could not read the wait, 0 that the response had none. A 429 requires a wait in both cases.
  const waits = [error.retryAfter, error.sublimitTimeout]
    .map(Math.ceil)
    .filter((ms) => Number.isFinite(ms) && ms > 0);
  return new PlatformError(
    {
      kind: 'rate_limited',
      retryAfterMs: waits.length === 0 ? UNKNOWN_WAIT_MS : Math.max(...waits),
      scope: error.global || isBlocked(trace) ? 'account' : method ? 'method' : 'chat',
    },
    { dispatched: 'no', message: 'Discord asks to wait.', code: '429' },
  );
}

function answered(
  code: string,
  error: { readonly status: number; readonly rawError: unknown },
  trace: RequestTrace,
): PlatformError {
  // A 408 does not say whether the request took effect.
  if (error.status === 408) return unavailable(trace, error.status);
  const status = isOfDiscord(error.rawError) || error.status === 413 ? byStatus[error.status] : undefined;
  const verdict = tooLong(code, error.rawError) ?? byCode[code] ?? status ?? unknownRefusal(code);
  return new PlatformError(verdict.problem, {
    dispatched: 'no',
    message: verdict.message,
    code: code === '0' ? String(error.status) : code,
    ...(verdict.fix === undefined ? {} : { fix: verdict.fix }),
  });
}

/** Discord answers with an object. The page of a proxy, which the SDK reads as bytes, says nothing about the chat or the token. */
const isOfDiscord = (body: unknown): boolean =>
  body instanceof ArrayBuffer ? body.byteLength === 0 : typeof body === 'object';

/** Content that is too long gives the general error 50035 with BASE_TYPE_MAX_LENGTH inside. */
function tooLong(code: string, rawError: unknown): Verdict | undefined {
  if (code !== '50035' || !JSON.stringify(rawError ?? '').includes('BASE_TYPE_MAX_LENGTH')) return undefined;
  return rejected('too_long', 'The message is longer than Discord allows.');
}

const unknownRefusal = (code: string): Verdict =>
  rejected('platform_error', `Discord refused the request with code ${code}.`);

function unavailable(trace: RequestTrace, status?: number, error?: unknown): PlatformError {
  const code = status === undefined ? networkCode(error) : String(status);
  const reason = status === undefined ? 'network' : 'platform_down';
  return new PlatformError(
    { kind: 'unavailable', cause: reason },
    {
      dispatched: certainty(trace, code),
      message: reason === 'network' ? 'Discord could not be reached.' : 'Discord gave no usable answer.',
      ...(code === undefined ? {} : { code }),
    },
  );
}

const CHECK_ADDRESS = 'Check api_base_url; Discord itself is at https://discord.com/api.';

/** The error of a successful response without the requested object. The message may exist. */
export const unreadable = (write: boolean): PlatformError =>
  new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      dispatched: write ? 'unknown' : 'no',
      message: 'The server at api_base_url gave an answer that is not from Discord.',
      fix: CHECK_ADDRESS,
    },
  );

/** The error of a response that leads elsewhere. The request was not executed. */
export const redirected = (status: number): PlatformError =>
  new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      dispatched: 'no',
      message: `The server at api_base_url answered with status ${status}.`,
      fix: CHECK_ADDRESS,
      code: String(status),
    },
  );

function certainty(trace: RequestTrace, code: string | undefined): Dispatched {
  if (!trace.write || !trace.sent) return 'no';
  return code !== undefined && neverSent.test(code) ? 'no' : 'unknown';
}

/** The system's error code of a failed connection. fetch wraps it in one or more causes. */
function networkCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string') return code;
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    current = current.cause ?? inner;
  }
  return error instanceof Error ? error.name : undefined;
}
