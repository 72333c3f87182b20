import type { Twilio } from 'twilio';
import { type AdapterHost, linkedSignal, waitMsIn } from '../../../src/contract/index.js';
import { answerError, transportError, unreadableAnswer } from './errors.js';

type RequestClient = Twilio['httpClient'];
type RequestOptions = Parameters<RequestClient['request']>[0];
type Answer = Awaited<ReturnType<RequestClient['request']>>;

const CALL_TIMEOUT_MS = 15_000;

/**
 * The HTTP client of Twilio's SDK. Every request goes through the bridge's guarded fetch to `apiBaseUrl`, once, without
 * following redirects. Error responses become PlatformErrors here, because the SDK's exceptions lose the Retry-After
 * header and fail on responses that are not JSON.
 */
export function guardedClient(host: AdapterHost, apiBaseUrl: string, signal?: AbortSignal): RequestClient {
  const request = async (options: RequestOptions): Promise<Answer> => {
    const limit = linkedSignal(signal, AbortSignal.timeout(CALL_TIMEOUT_MS));
    try {
      const response = await send(host, apiBaseUrl, options, limit.signal);
      return answerOf(response, await response.text());
    } catch (error) {
      throw transportError(error);
    } finally {
      limit.release();
    }
  };
  // The SDK calls only `request`. Its class would add axios and an agent to every call.
  return { request } as unknown as RequestClient;
}

function send(
  host: AdapterHost,
  apiBaseUrl: string,
  options: RequestOptions,
  signal: AbortSignal,
): Promise<Response> {
  return host.fetch(target(apiBaseUrl, options), {
    method: options.method.toUpperCase(),
    headers: headers(options),
    redirect: 'manual',
    signal,
    ...(options.data ? { body: form(options.data) } : {}),
  });
}

function answerOf(response: Response, body: string): Answer {
  const json = parse(body);
  if (!response.ok) throw refusal(response, json);
  if (json === undefined) throw unreadableAnswer();
  return {
    statusCode: response.status,
    body: json,
    headers: Object.fromEntries(response.headers),
  } as Answer;
}

/** Moves the SDK's address to `apiBaseUrl`, which may have a path of its own. */
function target(apiBaseUrl: string, { uri, params }: RequestOptions): URL {
  const asked = new URL(uri);
  const url = new URL(apiBaseUrl.replace(/(?<!\/)\/+$/, '') + asked.pathname + asked.search);
  for (const [name, value] of form(params ?? {})) url.searchParams.append(name, value);
  return url;
}

function headers({ headers: given, username, password }: RequestOptions): Record<string, string> {
  const basic = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  return { ...(given as Record<string, string> | undefined), Authorization: `Basic ${basic}` };
}

/** A list becomes a repeated field, as Twilio expects. */
function form(fields: object): URLSearchParams {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) encoded.append(name, String(one));
  }
  return encoded;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function refusal(response: Response, json: unknown): Error {
  const code = typeof json === 'object' && json !== null && 'code' in json ? Number(json.code) : Number.NaN;
  const retryAfterMs = waitMsIn(response.headers.get('retry-after'));
  return answerError({
    status: response.status,
    ...(Number.isSafeInteger(code) ? { code } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
