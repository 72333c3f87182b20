import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import { ProcessLiveness } from '../../../src/store/connection/process-liveness.js';
import { PostgresIdempotency } from '../../../src/store/idempotency/idempotency.js';
import type { WebhookStage } from '../../support/webhook-stage.js';
import { beforeWebhooks, receivers } from '../../support/webhook-tests.js';

let stage: WebhookStage;
let caller: Caller;
let id: string;
let claims: PostgresIdempotency;

beforeWebhooks((made) => {
  stage = made;
});
const { answering } = receivers();

beforeEach(async () => {
  caller = await stage.caller();
  const { url } = await answering(500);
  ({ id } = await stage.register(caller, url));
  claims = new PostgresIdempotency(stage.pool, stage.box, new ProcessLiveness());
  await stage.emit(caller, { type: 'call.ended', data: { id: 'a' } });
  await stage.pool.query("UPDATE webhook_deliveries SET status = 'dead' WHERE webhook_id = $1", [id]);
});

/** Begins a request with a new Idempotency-Key. */
async function begin() {
  const request = {
    credentialId: randomUUID(),
    method: 'POST',
    path: '/api/webhooks',
    key: 'lost',
    fingerprint: Buffer.alloc(32),
  };
  const outcome = await claims.claim(request);
  if (outcome.kind !== 'claimed') throw new Error(`Expected a claim, found ${outcome.kind}.`);
  return { claim: outcome.claim.name, repeated: () => claims.claim(request) };
}

it('the response of a retry is stored with its effect, so a repetition after a crash finds it', async () => {
  const [delivery] = await stage.records(id);
  const { claim, repeated } = await begin();
  const body = await stage.retry.execute(caller, id, String(delivery?.id), claim);
  expect(body.status).toBe('pending');
  expect(await repeated()).toEqual({ kind: 'finished', answer: { status: 200, body } });
});

it('the response of a recovery is stored with its effect, so a repetition after a crash finds it', async () => {
  const { claim, repeated } = await begin();
  const since = new Date(Date.now() - 60_000);
  expect(await stage.recover.execute(caller, id, since, claim)).toBe(1);
  expect(await repeated()).toEqual({ kind: 'finished', answer: { status: 200, body: { count: 1 } } });
});
