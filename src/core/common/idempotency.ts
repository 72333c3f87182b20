/** The name of a claim in the database, for use cases that store the answer in the transaction of its effect. */
export interface ClaimKey {
  readonly credential_id: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** What makes two requests with one key the same request. */
export interface IdempotentRequest {
  readonly credentialId: string;
  readonly method: string;
  /** Without version segment. */
  readonly path: string;
  readonly key: string;
  /** SHA-256 over body, query string and effective version. */
  readonly fingerprint: Buffer;
}

/**
 * The right to carry out a request, held until it is completed or released.
 *
 * `resourceId` is the id of the record the request creates: a later try after a crash gets the same one, so a
 * record that was stored already is found instead of stored again.
 */
export interface Claim {
  readonly name: ClaimKey;
  readonly request: IdempotentRequest;
  readonly resourceId: string;
}

/** An answer as it is stored: of a success the record in its 1.0 shape, of a 404 or 409 the error body. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'finished'; readonly answer: StoredAnswer }
  | { readonly kind: 'running' }
  | { readonly kind: 'reused' };

/** Keys of requests, kept a day. Of any number of parallel claims of one key exactly one is `claimed`. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): Promise<ClaimOutcome>;
  /** Keeps the claim alive while its request runs. */
  extend(claim: Claim): Promise<void>;
  /** Stores the answer unless one is stored already (the use case may have done it in its transaction). */
  complete(claim: Claim, answer: StoredAnswer): Promise<void>;
  /** Frees the key, unless an answer is stored. Only for a request that certainly had no effect. */
  release(claim: Claim): Promise<void>;
  /** Ends the claim as its time does: the same request may take it over, under the same resource id. */
  lapse(claim: Claim): Promise<void>;
}

/** The claim was taken over and answered by another process: what this one did must not be committed. */
export class ClaimLost extends Error {
  constructor() {
    super('The idempotency claim was answered by another process.');
    this.name = 'ClaimLost';
  }
}
