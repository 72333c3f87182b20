import type { LookupFunction } from 'node:net';
import type { Dispatched } from '../../contract/errors.js';

/** Why an outgoing request got no answer. `forbidden_target`: the bridge refuses to connect there. */
export type OutgoingProblem = 'timeout' | 'connection' | 'tls' | 'dns' | 'forbidden_target';

const sentences: Readonly<Record<OutgoingProblem, string>> = {
  timeout: 'The server did not answer in time.',
  connection: 'The connection failed.',
  tls: 'No secure connection could be made.',
  dns: 'The host name does not resolve.',
  forbidden_target: 'The address is not one the service may connect to.',
};

/**
 * An outgoing request that got no answer. Its text is the same for every address, so that it tells nothing about
 * what is behind it; there is no `cause` for the same reason.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly problem: OutgoingProblem;
  /** `no` when nothing was written: refused, not resolved, not connected. */
  readonly dispatched: Dispatched;

  constructor(problem: OutgoingProblem, dispatched: Dispatched) {
    super(sentences[problem]);
    this.problem = problem;
    this.dispatched = dispatched;
  }
}

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How much of the answer is read at most; absent: little. */
  readonly answerBytes?: number;
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What was read of the body, up to the cap. */
  readonly body: Uint8Array;
}

/** `platform`: a socket's address, `tls://host:port`, is one as well. */
export type TargetKind = 'web' | 'platform';

/** Says which addresses the service may connect to. */
export interface TargetGuard {
  /**
   * For an address that is about to be saved. Raises `invalid_request` with `forbidden_target` (or `invalid_format`,
   * `too_long`) for `field`; an https or tls name that does not resolve now is accepted.
   */
  checkUrl(url: string, field: string, kind?: TargetKind): Promise<void>;

  /**
   * For http, https, ws, wss, tcp and tls addresses, before dialling. Resolves with a lookup that answers the addresses that
   * were checked. Raises OutgoingError.
   */
  assertTarget(url: string): Promise<LookupFunction>;
}

/** Single requests with caps: no redirects, bounded time, bounded answer. */
export interface OutgoingRequests {
  /** Any answer, whatever its status, resolves; no answer raises OutgoingError. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
}
