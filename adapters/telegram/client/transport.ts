import { Readable } from 'node:stream';
import { Api, type ApiClientOptions } from 'grammy';
import { type AdapterHost, waitMsIn } from '../../../src/contract/index.js';
import { UnexpectedResponse } from './errors.js';

/** Update kinds that the bridge requests. Telegram sends the last two only if they are named (#getupdates). */
export const allowedUpdates = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'message_reaction',
] as const;

/** Creates a Bot API client that sends its requests through the host's guarded fetch. It never retries. */
export function telegramApi(token: string, baseUrl: string, host: AdapterHost, timeoutSeconds: number): Api {
  return new Api(token, {
    apiRoot: baseUrl.replace(/(?<!\/)\/+$/, ''),
    timeoutSeconds,
    sensitiveLogs: false,
    fetch: fetchThrough(host) as unknown as NonNullable<ApiClientOptions['fetch']>,
  });
}

/** The client's methods declare the polyfill's signal type. They only use members that the native signal has too. */
export const clientSignal = (signal: AbortSignal) => signal as unknown as ClientSignal;

type ClientSignal = NonNullable<Parameters<Api['raw']['getMe']>[0]>;

/** The options of node-fetch that the client sets. With files the body is a stream. */
interface ClientRequest {
  readonly method?: string;
  readonly body?: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: ForeignSignal;
}

/** Converts the client's polyfill signal, which the native fetch may not accept. */
type ForeignSignal = Pick<AbortSignal, 'aborted'> & {
  addEventListener(type: 'abort', listener: () => void): void;
};

function fetchThrough(host: AdapterHost) {
  return async (url: string | URL, request: ClientRequest): Promise<{ json(): Promise<BotApiAnswer> }> => {
    const response = await host.fetch(url, {
      method: request.method ?? 'POST',
      headers: { 'content-type': request.headers?.['content-type'] ?? 'application/json' },
      redirect: 'manual',
      ...(request.body === undefined ? {} : bodyOf(request.body)),
      ...(request.signal === undefined ? {} : { signal: nativeSignal(request.signal) }),
    });
    const answer = botApiAnswer(await response.text());
    // The client takes any JSON for a Bot API response and loses the status of everything else.
    if (answer === undefined)
      throw new UnexpectedResponse(response.status, response.headers.get('retry-after'));
    const waiting = withWait(answer, response.headers.get('retry-after'));
    return { json: () => Promise.resolve(waiting) };
  };
}

function bodyOf(body: string | Readable) {
  if (typeof body === 'string') return { body };
  return { body: Readable.toWeb(body) as unknown as ReadableStream, duplex: 'half' } as const;
}

function nativeSignal(signal: ForeignSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}

/**
 * A Bot API response is an object with a Boolean field `ok`. A refusal has a code and a description
 * (https://core.telegram.org/bots/api#making-requests).
 */
interface BotApiAnswer {
  readonly ok: boolean;
  readonly parameters?: { readonly retry_after?: number };
}

/** The requested wait, from the response body or from its header. The client does not expose the header. */
function withWait(answer: BotApiAnswer, header: string | null): BotApiAnswer {
  const waitMs = waitMsIn(header);
  if (answer.ok || answer.parameters?.retry_after !== undefined || waitMs === undefined) return answer;
  return { ...answer, parameters: { ...answer.parameters, retry_after: waitMs / 1000 } };
}

function botApiAnswer(body: string): BotApiAnswer | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isBotApiAnswer(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isBotApiAnswer(value: unknown): value is BotApiAnswer {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  if (value.ok !== false) return value.ok === true;
  const { error_code, description } = value as { error_code?: unknown; description?: unknown };
  return Number.isInteger(error_code) && typeof description === 'string';
}
