import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import type { Caller } from '../core/access/caller.js';
import { isDatabaseAway } from '../core/common/database-away.js';
import { AppError, conflict, invalidField } from '../core/common/errors.js';
import {
  type Claim,
  ClaimLost,
  type IdempotencyStore,
  type IdempotentRequest,
  type StoredAnswer,
} from '../core/common/idempotency.js';
import type { Log } from '../core/common/log.js';
import type { ErrorBody } from './error-answer.js';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';

const KEY = /^[\x20-\x7e]{1,255}$/;
const MAX_PATH_LENGTH = 1_024;
const EXTEND_EVERY_MS = 20_000;
/** The total is well below the lifetime of a claim. */
const LAPSE_WAITS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000];
/**
 * Maximum time that a response waits for the release of its idempotency key. In this case, the database is unavailable, and the
 * client has already waited for it.
 */
const LAPSE_WAIT_MS = 1_000;

/** The idempotency key of a request; undefined without one and on methods that ignore it. */
export function idempotencyKey(exchange: Exchange, route: Route): string | undefined {
  if (route.method !== 'POST' || route.dashboard === true) return undefined;
  const key = exchange.header('idempotency-key');
  if (key === undefined) return undefined;
  if (!KEY.test(key)) {
    throw invalidField('Idempotency-Key', 'invalid_format', 'Expected 1 to 255 printable ASCII characters.');
  }
  return key;
}

/** Identifies a request by its key. The fingerprint detects a different request with the same key. */
export async function idempotentRequest(
  exchange: Exchange,
  route: Route,
  caller: Caller,
  key: string,
): Promise<IdempotentRequest> {
  const body = await bodyOf(exchange, route);
  const fingerprint = createHash('sha256')
    .update(`${exchange.version}\n${exchange.target.queryText}\n${grantOf(caller)}`)
    .update(body)
    .digest();
  const path = named(exchange.target.unversionedPath);
  return { credentialId: claimantOf(caller), method: route.method, path, key, fingerprint };
}

/**
 * Part of the fingerprint. A response from before a change of the grant may show a conversation that the grant no longer
 * contains, so its key counts as used.
 */
function grantOf({ restriction }: Caller): string {
  return restriction?.by === 'grant' ? `${restriction.version}\n` : '';
}

/** The path as part of the identity. A path that is too long for an index is hashed. Only invalid paths are that long. */
function named(path: string): string {
  return path.length <= MAX_PATH_LENGTH ? path : createHash('sha256').update(path).digest('hex');
}

/**
 * An app can act for several users with one key and a token of each user. Separate ids prevent that a user gets the response of
 * another user.
 */
function claimantOf({ credential, oauthScopes, userId }: Caller): string {
  const actsForUser = credential.kind === 'api_key' && oauthScopes !== undefined;
  return actsForUser ? uuidv5(userId, credential.id) : credential.id;
}

async function bodyOf(exchange: Exchange, route: Route): Promise<Buffer> {
  const streamed = await exchange.streamedForm(route);
  return streamed === undefined ? exchange.rawBody(route) : streamed.digest;
}

/** Runs a request unless it ran before, and stores its response. A stored error is thrown again. */
export async function runOnce(
  store: IdempotencyStore,
  log: Log,
  request: IdempotentRequest,
  run: (claim: Claim) => Promise<StoredAnswer>,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const outcome = await store.claim(request);
  switch (outcome.kind) {
    case 'finished':
      return { answer: outcome.answer, replayed: true };
    case 'running':
      throw conflict(
        'idempotency_in_progress',
        'The first request with this Idempotency-Key is still running.',
      );
    case 'reused':
      throw conflict('idempotency_key_reused', 'This Idempotency-Key belongs to a different request.');
    case 'claimed':
      return runClaimed(store, log, outcome.claim, run);
  }
}

async function runClaimed(
  store: IdempotencyStore,
  log: Log,
  claim: Claim,
  run: (claim: Claim) => Promise<StoredAnswer>,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const extend = () =>
    store
      .extend(claim)
      .catch((error: unknown) => log.warn({ err: error }, 'idempotency_claim.extend_failed'));
  const timer = setInterval(extend, EXTEND_EVERY_MS).unref();
  try {
    const answer = await run(claim);
    await store.complete(claim, answer);
    return { answer, replayed: false };
  } catch (error) {
    const answer = (await ownsKey(store, log, claim, error)) ? undefined : await otherAnswer(store, claim);
    if (answer !== undefined) {
      log.debug({ err: error }, 'idempotency_claim.answered_before');
      return { answer, replayed: true };
    }
    if (error instanceof ClaimLost)
      throw conflict(
        'idempotency_in_progress',
        'Another request with this Idempotency-Key is still running.',
      );
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Stores the error, or releases the key. Resolves with whether this attempt still had the key. */
async function ownsKey(store: IdempotencyStore, log: Log, claim: Claim, error: unknown): Promise<boolean> {
  if (error instanceof ClaimLost) return false;
  const stored = storedError(error);
  return stored === undefined ? freeKey(store, log, claim, error) : store.complete(claim, stored);
}

/**
 * The response of another attempt of the same request, which finished first and caused the error of this one. Its process took
 * the claim over, or its connection was lost while its transaction was running.
 */
async function otherAnswer(store: IdempotencyStore, claim: Claim): Promise<StoredAnswer | undefined> {
  const outcome = await store.claim(claim.request);
  if (outcome.kind === 'claimed') await store.release(outcome.claim);
  return outcome.kind === 'finished' ? outcome.answer : undefined;
}

/** Releases the key. Resolves with false if a response is stored. The original error is reported, even if this fails. */
async function freeKey(store: IdempotencyStore, log: Log, claim: Claim, cause: unknown): Promise<boolean> {
  if (isDatabaseAway(cause)) {
    const limit = new AbortController();
    const waited = sleep(LAPSE_WAIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([lapsed(store, log, claim), waited]);
    limit.abort();
    return true;
  }
  return store.release(claim).catch((err: unknown) => {
    log.warn({ err }, 'idempotency_claim.release_failed');
    return true;
  });
}

/**
 * After a lost database connection, the outcome is unknown and the transaction may still be running. The next attempt must find
 * the outcome. Releases the claim as long as no other process can hold it. After that time, the claim has expired.
 */
async function lapsed(store: IdempotencyStore, log: Log, claim: Claim): Promise<void> {
  for (const waitMs of LAPSE_WAITS_MS) {
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
    try {
      await store.lapse(claim);
      return;
    } catch (error) {
      log.debug({ err: error }, 'idempotency_claim.lapse_failed');
    }
  }
}

/** Errors about the state of records are stored. Errors of the request and of the service are not. */
function storedError(error: unknown): StoredAnswer | undefined {
  if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'conflict'))
    return undefined;
  const { code, message, details } = error;
  const body: ErrorBody = { error: code, message, ...(details && { details }) };
  return { status: code === 'not_found' ? 404 : 409, body };
}
