import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { errors } from 'undici';
import { invalidField } from '../core/common/errors.js';
import {
  OutgoingError,
  type OutgoingRequests,
  type TargetGuard,
  type TargetKind,
} from '../core/common/outgoing.js';
import { createAddressPolicy } from './address-policy.js';
import { ANSWER_BYTES, limited } from './answer-limit.js';
import { cappedRequest } from './capped-request.js';
import { createDispatcher } from './dispatcher.js';
import { isPlain, leanFetch } from './lean-fetch.js';
import { pinnedLookup } from './pinned-lookup.js';
import { requestProblem } from './problem.js';
import { createSystemResolver, type Resolve } from './resolve.js';
import { sentBody } from './sent-body.js';
import { hostOf, type ListeningAddress, Targets } from './targets.js';

export interface GuardOptions {
  /** CIDRs that are allowed although they are not global. */
  readonly allowPrivateTargets: readonly string[];
  /** Undefined until the service listens. */
  readonly ownAddress: () => ListeningAddress | undefined;
  readonly resolve?: Resolve;
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
  readonly answerBytes?: number;
  /** Certificate authorities trusted instead of the system's. */
  readonly ca?: string;
}

/** All outgoing HTTP requests go through the guard. */
export interface Guard extends TargetGuard, OutgoingRequests {
  /**
   * Guarded fetch, also for SDKs. Redirects are returned, not followed. Connecting and inactivity have timeouts; the caller
   * limits the total time with a signal. The size of a response is limited, by default to more than any stored file.
   * Raises OutgoingError.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit, maxBytes?: number) => Promise<Response>;
  /** Closes the connections when the requests in progress are complete. */
  close(): Promise<void>;
}

const maxUrlLength = 2048;
const savedSchemes: Readonly<Record<TargetKind, ReadonlySet<string>>> = {
  web: new Set(['https:', 'http:']),
  platform: new Set(['https:', 'http:', 'tls:', 'tcp:']),
};
const secureSchemes = new Set(['https:', 'tls:']);

export function createGuard(options: GuardOptions): Guard {
  const { connectTimeoutMs = 5_000, totalTimeoutMs = 15_000, answerBytes = 64 * 1024 } = options;
  const policy = createAddressPolicy(options.allowPrivateTargets);
  const targets = new Targets(policy, options.resolve ?? createSystemResolver(), options.ownAddress);
  const { ca } = options;
  const agent = createDispatcher(targets, ca === undefined ? { connectTimeoutMs } : { connectTimeoutMs, ca });
  // The global fetch accepts any dispatcher. Only the types of the bundled undici version differ.
  const dispatcher = agent as unknown as NonNullable<RequestInit['dispatcher']>;

  return {
    checkUrl: (url, field, kind = 'web') => checkUrl(targets, { url, field, kind }, connectTimeoutMs),
    assertTarget: (url) => assertTarget(targets, url),
    async request(wanted) {
      targets.assertUrl(parseTarget(wanted.url));
      return cappedRequest(agent, wanted, { totalTimeoutMs, answerBytes: wanted.answerBytes ?? answerBytes });
    },
    async fetch(input, init = {}, maxBytes = ANSWER_BYTES) {
      const url = parseTarget(input instanceof Request ? input.url : input);
      targets.assertUrl(url);
      const sent = init.body instanceof ReadableStream ? sentBody(init.body) : undefined;
      try {
        if (!(input instanceof Request) && isPlain(init)) return await leanFetch(agent, url, init, maxBytes);
        const body = sent === undefined ? {} : { body: sent.stream };
        const answer = await globalThis.fetch(input, { ...init, ...body, redirect: 'manual', dispatcher });
        return limited(answer, maxBytes);
      } catch (error) {
        if (sent?.isWhole() === false) throw unfinished(error, init.signal);
        const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
        if (signal?.aborted) throw signal.reason ?? error;
        throw isNetworkFailure(error) ? requestProblem(error) : error;
      }
    },
    close: () => agent.close(),
  };
}

async function checkUrl(
  targets: Targets,
  { url: text, field, kind }: { readonly url: string; readonly field: string; readonly kind: TargetKind },
  timeoutMs: number,
): Promise<void> {
  if (text.length > maxUrlLength) throw invalidField(field, 'too_long', 'The URL is too long.');
  if (!isExact(text) || !URL.canParse(text)) {
    throw invalidField(field, 'invalid_format', 'Not an absolute URL.');
  }
  const url = new URL(text);
  try {
    if (!savedSchemes[kind].has(url.protocol)) throw new OutgoingError('forbidden_target', 'no');
    targets.assertUrl(url);
    await resolvedWithin(targets, url, timeoutMs);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    if (error.problem === 'dns' && secureSchemes.has(url.protocol)) return;
    throw invalidField(field, 'forbidden_target', 'The service may not connect to this address.');
  }
}

/** The URL parser removes line breaks and adds slashes. A stored URL must mean the same to every reader. */
function isExact(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && (!/^https?:/i.test(text) || /^https?:\/\/[^/\\]/i.test(text));
}

async function resolvedWithin(targets: Targets, url: URL, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: stop.signal }).then(
    () => Promise.reject(new OutgoingError('dns', 'no')),
    () => undefined,
  );
  await Promise.race([targets.addresses(url), late]).finally(() => stop.abort());
}

async function assertTarget(targets: Targets, text: string): Promise<LookupFunction> {
  const url = parseTarget(text);
  targets.assertUrl(url);
  return pinnedLookup(hostOf(url), await targets.addresses(url));
}

function parseTarget(url: string | URL): URL {
  if (url instanceof URL) return url;
  if (!URL.canParse(url)) throw new OutgoingError('forbidden_target', 'no');
  return new URL(url);
}

/** Converts the error of a request that ended before its body was completely read, so it was not dispatched. */
function unfinished(error: unknown, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted) return new OutgoingError('timeout', 'no');
  if (!isNetworkFailure(error)) return error;
  return new OutgoingError(requestProblem(error).problem, 'no');
}

/** Whether an error of either fetch is a network failure and not a wrong argument. */
function isNetworkFailure(error: unknown): boolean {
  if (error instanceof TypeError) return error.cause !== undefined;
  return error instanceof Error && !(error instanceof errors.InvalidArgumentError);
}
