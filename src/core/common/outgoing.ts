import type { LookupFunction } from 'node:net';
import type { Dispatched } from '../../contract/errors.js';

/** Why an outgoing request got no response. `forbidden_target`: the service refuses to connect to this address. */
export type OutgoingProblem = 'timeout' | 'connection' | 'tls' | 'dns' | 'forbidden_target';

const sentences: Readonly<Record<OutgoingProblem, string>> = {
  timeout: 'The server did not answer in time.',
  connection: 'The connection failed.',
  tls: 'No secure connection could be made.',
  dns: 'The host name does not resolve.',
  forbidden_target: 'The address is not one the service may connect to.',
};

/**
 * An outgoing request that got no response. Its message does not depend on the address, so that it reveals nothing
 * about the network behind it. It has no `cause` for the same reason.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly problem: OutgoingProblem;
  /** `no` if nothing was sent: the connection was forbidden, not resolved or not established. */
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
  /** Maximum number of bytes of the response that are read. The default is small. */
  readonly answerBytes?: number;
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The part of the body that was read, up to the limit. */
  readonly body: Uint8Array;
}

/** With `platform`, an address of a socket, `tls://host:port`, is also valid. */
export type TargetKind = 'web' | 'platform';

/** Decides which addresses the service may connect to. */
export interface TargetGuard {
  /**
   * Checks an address before it is stored. Raises `invalid_request` with `forbidden_target` (or `invalid_format`,
   * `too_long`) for `field`. An https or tls name that does not resolve at present is accepted.
   */
  checkUrl(url: string, field: string, kind?: TargetKind): Promise<void>;

  /**
   * Checks an http, https, ws, wss, tcp or tls address before connecting. Resolves with a lookup function that returns
   * only the addresses that were checked. Raises OutgoingError.
   */
  assertTarget(url: string): Promise<LookupFunction>;
}

/** Single requests with limits: no redirects, limited time, limited response size. */
export interface OutgoingRequests {
  /** Resolves with the response, regardless of its status. Raises OutgoingError if there is none. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
}
