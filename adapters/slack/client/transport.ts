import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '@slack/bolt';
import { LogLevel } from '@slack/bolt';
import type { FetchFunction, WebClient, WebClientOptions } from '@slack/web-api';
import { type AdapterHost, linkedSignal, PlatformError, waitMsIn } from '../../../src/contract/index.js';
import { DEFAULT_RETRY_AFTER_MS } from './error-codes.js';
import { type FailedCall, toPlatformError } from './errors.js';
import { MethodWaits } from './method-waits.js';
import type { Scopes } from './scopes.js';

const CALL_TIMEOUT_MS = 15_000;

/** The Web client accepts no signal per call, so an asynchronous context passes it to the fetch hook. */
const callSignal = new AsyncLocalStorage<AbortSignal | undefined>();

/** Options of every Web client: no retries, no waiting on 429, a timeout, all HTTP through the host. */
export function clientOptions(apiBaseUrl: string, host: AdapterHost, scopes?: Scopes): WebClientOptions {
  return {
    slackApiUrl: `${apiBaseUrl.replace(/(?<!\/)\/+$/, '')}/`,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_TIMEOUT_MS,
    // The core paces calls. A queue here would also lose the caller's signal.
    maxRequestConcurrency: Number.POSITIVE_INFINITY,
    fetch: hostFetch(host, scopes),
    logger: sdkLogger(host),
  };
}

/** The SDK's fetch hook over the host's guarded fetch. A call to a rate limited method gets a local 429. */
export function hostFetch(host: AdapterHost, scopes?: Scopes): FetchFunction {
  const waits = new MethodWaits();
  return async (input, init) => {
    const url = String(input);
    const secondsLeft = waits.secondsLeft(url);
    if (secondsLeft > 0) return new Response(null, { status: 429, headers: waitOf(secondsLeft) });
    // Both signals belong to this call alone, and so does their combination.
    const { signal } = linkedSignal(init?.signal, callSignal.getStore());
    const response = await host.fetch(url, { ...init, signal, redirect: 'manual' } as RequestInit);
    scopes?.note(response.headers.get('x-oauth-scopes'));
    if (response.status !== 429) return response;
    const seconds = secondsIn(response.headers.get('retry-after'));
    waits.note(url, seconds);
    const headers = { ...Object.fromEntries(response.headers), ...waitOf(seconds) };
    return new Response(response.body, { status: response.status, headers });
  };
}

const waitOf = (seconds: number) => ({ 'retry-after': String(seconds) });

/** The SDK parses Retry-After only as a whole number and throws an unnamed error without one. */
function secondsIn(retryAfter: string | null): number {
  return Math.ceil((waitMsIn(retryAfter) ?? DEFAULT_RETRY_AFTER_MS) / 1000);
}

/** The Web API with PlatformErrors. */
export class SlackClient {
  constructor(readonly web: WebClient) {}

  /**
   * Makes a read call. `rateScope` is the scope of its 429: `chat` if a write depends on the call, because the write
   * has no bucket for the method.
   */
  read<T>(
    work: (web: WebClient) => Promise<T>,
    signal?: AbortSignal,
    rateScope: FailedCall['rateScope'] = 'method',
  ): Promise<T> {
    return this.#call(work, { writes: false, rateScope }, signal);
  }

  /** Makes a call that changes the workspace. */
  write<T>(
    work: (web: WebClient) => Promise<T>,
    rateScope: FailedCall['rateScope'],
    signal: AbortSignal,
  ): Promise<T> {
    return this.#call(work, { writes: true, rateScope }, signal);
  }

  async #call<T>(work: (web: WebClient) => Promise<T>, call: FailedCall, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted)
      throw new PlatformError(
        { kind: 'unavailable', cause: 'network' },
        { dispatched: 'no', message: 'The call was given up before it began.' },
      );
    try {
      return await callSignal.run(signal, () => work(this.web));
    } catch (error) {
      throw toPlatformError(error, call);
    }
  }
}

/** Logger of the SDKs without message bodies (their debug level) and without addresses that contain a ticket. */
export function sdkLogger(host: AdapterHost): Logger {
  const quiet = () => undefined;
  const say = (...parts: unknown[]) => host.log.warn('sdk.warned', { text: harmless(parts) });
  return {
    debug: quiet,
    info: quiet,
    warn: say,
    error: say,
    setLevel: quiet,
    setName: quiet,
    getLevel: () => LogLevel.WARN,
  };
}

function harmless(parts: readonly unknown[]): string {
  return parts
    .map((part) => (part instanceof Error ? part.message : String(part)))
    .join(' ')
    .replace(/\bwss?:\/\/\S+/g, 'wss://…')
    .replace(/\bx(?:ox[a-z]|app)-[\w-]+/g, '…')
    .slice(0, 300);
}
