import { Readable } from 'node:stream';
import { Api, type ApiClientOptions } from 'grammy';
import { type AdapterHost, waitMsIn } from '../../../src/contract/index.js';
import { UnexpectedResponse } from './errors.js';

/** Update kinds the bridge asks for; the last two come only when they are named (#getupdates). */
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

/** A Bot API client whose requests go through the host's guarded fetch. It never retries by itself. */
export function telegramApi(token: string, baseUrl: string, host: AdapterHost, timeoutSeconds: number): Api {
  return new Api(token, {
    apiRoot: baseUrl.replace(/(?<!\/)\/+$/, ''),
    timeoutSeconds,
    sensitiveLogs: false,
    fetch: fetchThrough(host) as unknown as NonNullable<ApiClientOptions['fetch']>,
  });
}

/** The client's methods take the polyfill's type of signal, of which they use what the native one has too. */
export const clientSignal = (signal: AbortSignal) => signal as unknown as ClientSignal;

type ClientSignal = NonNullable<Parameters<Api['raw']['getMe']>[0]>;

/** The members of node-fetch's options that the client sets; with files the body is a stream. */
interface ClientRequest {
  readonly method?: string;
  readonly body?: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: ForeignSignal;
}

/** The client's signal comes from a polyfill, which the platform's own fetch need not accept. */
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
    // The client takes any JSON for an answer of the Bot API and loses the status of all else.
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

/** https://core.telegram.org/bots/api#making-requests: an object that always has a Boolean field `ok`. */
interface BotApiAnswer {
  readonly ok: boolean;
  readonly parameters?: { readonly retry_after?: number };
}

/** The wait that is asked for stands in the answer, or in its header alone, of which the client tells nothing. */
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

const isBotApiAnswer = (value: unknown): value is BotApiAnswer =>
  typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';
