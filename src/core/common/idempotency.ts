/** The key of a claim in the database, for use cases that store the response in the same transaction as its effect. */
export interface ClaimKey {
  readonly credential_id: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Two requests with one key are the same request if all of these fields are equal. */
export interface IdempotentRequest {
  readonly credentialId: string;
  readonly method: string;
  /** Path without the version segment. */
  readonly path: string;
  readonly key: string;
  /** SHA-256 over body, query string and effective version. */
  readonly fingerprint: Buffer;
}

/**
 * The right to execute a request, held until it is completed or released.
 *
 * `resourceId` is the id of the record that the request creates. A retry after a crash gets the same id, so that a
 * record already stored is found instead of created again.
 */
export interface Claim {
  readonly name: ClaimKey;
  readonly request: IdempotentRequest;
  readonly resourceId: string;
}

/** A stored response: on success the record in its 1.0 format, for a 404 or 409 the error body. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'finished'; readonly answer: StoredAnswer }
  | { readonly kind: 'running' }
  | { readonly kind: 'reused' };

/** Idempotency keys of requests, kept for one day. Of all concurrent claims of one key, exactly one is `claimed`. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): Promise<ClaimOutcome>;
  /** Keeps the claim alive while its request runs. */
  extend(claim: Claim): Promise<void>;
  /**
   * Stores the response unless one is stored already, for example by the use case in its transaction. Resolves with whether it
   * was stored.
   */
  complete(claim: Claim, answer: StoredAnswer): Promise<boolean>;
  /**
   * Releases the key unless a response is stored. Resolves with whether it was released. Only valid for a request that certainly
   * had no effect.
   */
  release(claim: Claim): Promise<boolean>;
  /** Expires the claim early. The same request may then take it over, with the same resource id. */
  lapse(claim: Claim): Promise<void>;
}

/** Another process took over the claim and answered the request. The changes of this process must not be committed. */
export class ClaimLost extends Error {
  constructor() {
    super('The idempotency claim was answered by another process.');
    this.name = 'ClaimLost';
  }
}
