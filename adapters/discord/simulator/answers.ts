import type { APIAllowedMentions, RESTError, RESTRateLimit } from 'discord-api-types/v10';
import type { JsonValue } from '../../../src/contract/index.js';
import type { SimulatedAnswer, SimulatedFile } from '../../../src/contract/simulation/index.js';
import { type Extras, isVisible } from './extras.js';
import type { Allowance } from './limits.js';
import type { Channel } from './shapes.js';

const MAX_CHARACTERS = 2000;
const NONCE_CHARACTERS = 25;
/** https://docs.discord.com/developers/reference#uploading-files */
const MAX_FILES = 10;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_REQUEST_BYTES = 25 * 1024 * 1024;

/** A request for a handler. `ids` are the ids of the path, in order. */
export interface Request {
  readonly ids: readonly string[];
  /** The token in the path of a webhook or an interaction, otherwise empty. */
  readonly token: string;
  readonly emoji: string;
  readonly channel: Channel | undefined;
  readonly messageId: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly files: readonly SimulatedFile[];
}
export type Handler = (request: Request) => SimulatedAnswer;

export type StoredMessage = NonNullable<ReturnType<Channel['messages']['get']>>;

export const unauthorized = failure(401, 0, '401: Unauthorized');

/** Removes the nonce, which Discord omits when a message is read. */
export function unmarked(message: StoredMessage['message']): StoredMessage['message'] {
  const { nonce: _, ...rest } = message;
  return rest;
}

export function inChannel(handler: (channel: Channel, request: Request) => SimulatedAnswer): Handler {
  return (request) =>
    request.channel === undefined
      ? failure(404, 10003, 'Unknown Channel')
      : handler(request.channel, request);
}

export function onMessage(
  handler: (channel: Channel, stored: StoredMessage, request: Request) => SimulatedAnswer,
): Handler {
  return inChannel((channel, request) => {
    const stored = channel.messages.get(request.messageId);
    if (stored === undefined || stored.deleted) return failure(404, 10008, 'Unknown Message');
    return handler(channel, stored, request);
  });
}

/** Checks the content. Blank content is allowed only with other visible content. */
export function invalid(content: string, files: number, extras: Extras = {}): SimulatedAnswer | undefined {
  if (typeof content !== 'string')
    return invalidForm('content', 'STRING_TYPE_CONVERT', 'Could not interpret the value as string.');
  if (content.trim() === '' && files === 0 && !isVisible(extras))
    return failure(400, 50006, 'Cannot send an empty message');
  if (content.length <= MAX_CHARACTERS) return undefined;
  return invalidForm('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_CHARACTERS} or fewer in length.`);
}

export function invalidFiles(files: readonly SimulatedFile[]): SimulatedAnswer | undefined {
  if (files.length > MAX_FILES) return invalidForm('attachments', 'BASE_TYPE_MAX_LENGTH', 'Too many files.');
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const large = files.some(({ bytes }) => bytes.length > MAX_FILE_BYTES) || total > MAX_REQUEST_BYTES;
  return large ? failure(413, 40005, 'Request entity too large') : undefined;
}

export function invalidNonce(nonce: string | number | undefined): SimulatedAnswer | undefined {
  if (nonce === undefined || String(nonce).length <= NONCE_CHARACTERS) return undefined;
  return invalidForm('nonce', 'NONCE_TYPE_TOO_LONG', `Nonce must be ${NONCE_CHARACTERS} or fewer in length.`);
}

export function invalidForm(field: string, code: string, message: string): SimulatedAnswer {
  return failure(400, 50035, 'Invalid Form Body', { [field]: { _errors: [{ code, message }] } });
}

export function failure(
  status: number,
  code: number,
  message: string,
  errors?: RESTError['errors'],
): SimulatedAnswer {
  const body: RESTError = { message, code, ...(errors === undefined ? {} : { errors }) };
  return { status, body: body as unknown as JsonValue };
}

export function tooMany(ms: number, scope: 'user' | 'shared' | 'global'): SimulatedAnswer {
  const global = scope === 'global';
  const body: RESTRateLimit = { message: 'You are being rate limited.', retry_after: ms / 1000, global };
  return {
    status: 429,
    body: { ...body },
    headers: {
      'retry-after': String(ms / 1000),
      'x-ratelimit-scope': scope,
      // Without this header discord.py assumes a ban by the proxy in front of Discord and does not retry.
      via: '1.1 google',
      ...(global ? { 'x-ratelimit-global': 'true' } : {}),
    },
  };
}

export function bucketHeaders(
  call: string,
  { limit, remaining, resetAfterMs }: Allowance,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String((Date.now() + resetAfterMs) / 1000),
    'x-ratelimit-reset-after': String(resetAfterMs / 1000),
    'x-ratelimit-bucket': Buffer.from(call).toString('hex').slice(0, 32),
  };
}

/** Discord's empty responses do not claim to be JSON. */
export const nothing: SimulatedAnswer = {
  status: 204,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.alloc(0),
};
export const ok = (body: object): SimulatedAnswer => ({ status: 200, body: body as unknown as JsonValue });
export const changed = (body: object): SimulatedAnswer => ({ ...ok(body), committed: true });
/** Fields of a body that creates something. Discord treats null as absent there, and discord.py sends it. */
export const given = <Body>(body: unknown): { [Field in keyof Body]?: NonNullable<Body[Field]> } =>
  Object.fromEntries(Object.entries(record<Body>(body)).filter(([, value]) => value !== null)) as never;
export const record = <Body>(body: unknown): Partial<Body> =>
  typeof body === 'object' && body !== null ? (body as Partial<Body>) : {};

/** The allowed group mentions. Without the object all mentions ping. */
export function allowedIn(mentions: APIAllowedMentions | null | undefined) {
  const parse: readonly string[] | undefined = mentions ? (mentions.parse ?? []) : undefined;
  return { everyone: parse?.includes('everyone') ?? true, roles: parse?.includes('roles') ?? true };
}
