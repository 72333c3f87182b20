import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conflict } from '../../../src/core/common/errors.js';
import { type Claim, ClaimLost, type IdempotentRequest } from '../../../src/core/common/idempotency.js';
import { route } from '../../../src/http/route.js';
import { connectClient } from '../../../src/store/connection/client.js';
import { ProcessLiveness } from '../../../src/store/connection/process-liveness.js';
import { inTransaction } from '../../../src/store/connection/transaction.js';
import { completeIn, PostgresIdempotency } from '../../../src/store/idempotency/idempotency.js';
import { AesSecretBox } from '../../../src/store/secrets/secret-box.js';
import { PostgresTemplates } from '../../../src/store/templates/templates.js';
import { ALL, testServer } from '../../support/http.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitUntil } from '../../support/wait-for.js';

let database: TestDatabase;
let store: PostgresIdempotency;
beforeAll(async () => {
  database = await testDatabase();
  store = new PostgresIdempotency(database.pool, new AesSecretBox(randomBytes(32)), new ProcessLiveness());
});
afterAll(() => database.drop());

const requestOf = (body: string, key: string = randomUUID()): IdempotentRequest => ({
  credentialId: '019b76da-a800-7000-8000-0000000000f1',
  method: 'POST',
  path: '/openapi/messages',
  key,
  fingerprint: createHash('sha256').update(body).digest(),
});

async function claimed(request: IdempotentRequest): Promise<Claim> {
  const outcome = await store.claim(request);
  if (outcome.kind !== 'claimed') throw new Error(`Expected a claim, found ${outcome.kind}.`);
  return outcome.claim;
}

const age = (request: IdempotentRequest, column: 'claimed_until' | 'expires_at') =>
  database.pool.query(`UPDATE idempotency_keys SET ${column} = now() - interval '1 s' WHERE key = $1`, [
    request.key,
  ]);

it('an idempotency key works with a path of any length', async () => {
  const read = route({
    method: 'POST',
    path: '/openapi/notes/{id}/read',
    summary: 'Read',
    tag: 'Notes',
    scopes: [],
    oauth: 'any',
    success: 204,
    handler: async () => undefined,
  });
  const server = testServer([read], { all: ALL }, { idempotency: store });
  const headers = { 'x-api-key': 'all', 'idempotency-key': 'long' };
  const post = (id: string) => server.inject({ method: 'POST', url: `/openapi/notes/${id}/read`, headers });
  // No two pieces are alike, so that the text cannot be compressed.
  const long = randomBytes(3_500).toString('hex');
  const answers = [await post(long), await post(long), await post(`${long.slice(1)}x`)];
  expect(answers.map((answer) => [answer.statusCode, answer.headers['idempotent-replayed']])).toEqual([
    [204, undefined],
    [204, 'true'],
    [204, undefined],
  ]);
});

describe('a stored idempotency key', () => {
  it('is claimed by exactly one of many requests', async () => {
    const request = requestOf('x');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.claim(request)));
    expect(outcomes.filter((one) => one.kind === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((one) => one.kind === 'running')).toHaveLength(19);
  });

  it('returns the stored response to the same request, and refuses another', async () => {
    const request = requestOf('x');
    await store.complete(await claimed(request), { status: 201, body: { id: 'r' } });
    expect(await store.claim(request)).toEqual({
      kind: 'finished',
      answer: { status: 201, body: { id: 'r' } },
    });
    expect(await store.claim(requestOf('y', request.key))).toEqual({ kind: 'reused' });
  });

  it('is free after release, but not once it has a response', async () => {
    const request = requestOf('x');
    await store.release(await claimed(request));
    const claim = await claimed(request);
    await store.complete(claim, { status: 200, body: null });
    await store.release(claim);
    expect((await store.claim(request)).kind).toBe('finished');
  });

  it('of a process that died is taken over with the same record id', async () => {
    const request = requestOf('x');
    const dead = await claimed(request);
    await age(request, 'claimed_until');
    expect(await store.claim(requestOf('y', request.key))).toEqual({ kind: 'reused' });
    const next = await claimed(request);
    expect(next.resourceId).toBe(dead.resourceId);
    expect((await store.claim(request)).kind).toBe('running');
  });

  it('of a process that holds its liveness lock is taken over as soon as the process has ended', async () => {
    const liveness = new ProcessLiveness();
    const client = await connectClient(database.connection);
    await liveness.give(client);
    const other = new PostgresIdempotency(database.pool, new AesSecretBox(randomBytes(32)), liveness);
    const request = requestOf('x');
    const first = await other.claim(request);
    expect((await store.claim(request)).kind).toBe('running');
    await client.end();
    expect(liveness.number).toBeUndefined();
    expect(await store.claim(requestOf('y', request.key))).toEqual({ kind: 'reused' });
    const next = await waitUntil(async () => {
      const outcome = await store.claim(request);
      return outcome.kind === 'claimed' && outcome;
    });
    expect(next.claim.resourceId).toBe(first.kind === 'claimed' && first.claim.resourceId);
  });

  it('of a process that renewed its connection stays claimed when the old connection ends', async () => {
    const liveness = new ProcessLiveness();
    const [old, next] = [await connectClient(database.connection), await connectClient(database.connection)];
    await liveness.give(old);
    await liveness.give(next);
    await old.end();
    expect(liveness.number).toBeDefined();
    const other = new PostgresIdempotency(database.pool, new AesSecretBox(randomBytes(32)), liveness);
    const request = requestOf('x');
    await other.claim(request);
    expect((await store.claim(request)).kind).toBe('running');
    await next.end();
  });

  it('of a request that lost the database is taken over at once, with the same record id', async () => {
    const request = requestOf('x');
    const lost = await claimed(request);
    await store.lapse(lost);
    expect((await claimed(request)).resourceId).toBe(lost.resourceId);
    await store.complete(lost, { status: 201, body: null });
    await store.lapse(lost);
    expect((await store.claim(request)).kind).toBe('finished');
  });

  it('stays with a process that extends it', async () => {
    const request = requestOf('x');
    const claim = await claimed(request);
    await age(request, 'claimed_until');
    await store.extend(claim);
    expect((await store.claim(request)).kind).toBe('running');
  });

  it('is completed in the transaction of the effect, or not at all', async () => {
    const request = requestOf('x');
    const claim = await claimed(request);
    const failing = inTransaction(database.pool, async (client) => {
      await completeIn(client, claim.name, { status: 201, body: { id: 'r' } });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect((await store.claim(request)).kind).toBe('running');
    await inTransaction(database.pool, (client) =>
      completeIn(client, claim.name, { status: 201, body: { id: 'r' } }),
    );
    expect((await store.claim(request)).kind).toBe('finished');
  });

  it('is completed once: the second transaction has to roll back', async () => {
    const request = requestOf('x');
    const slow = await claimed(request);
    await age(request, 'claimed_until');
    const fast = await claimed(request);
    await inTransaction(database.pool, (client) => completeIn(client, fast.name, { status: 201, body: 1 }));
    const second = inTransaction(database.pool, (client) =>
      completeIn(client, slow.name, { status: 201, body: 2 }),
    );
    await expect(second).rejects.toThrow(ClaimLost);
  });

  it('undoes the effect of a database function if another attempt was answered meanwhile', async () => {
    const workspace_id = randomUUID();
    await database.pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'W')", [workspace_id]);
    const templates = new PostgresTemplates(database.pool);
    const claim = await claimed(requestOf('x'));
    const create = (id: string) =>
      templates.create({
        ...{ id, workspace_id, name: 'T', text: 'x', content_type: 'text', attachments: [], metadata: {} },
        claim: claim.name,
      });
    const first = await create(randomUUID());
    await expect(create(randomUUID())).rejects.toThrow(ClaimLost);
    const { rows } = await database.pool.query('SELECT id FROM templates WHERE workspace_id = $1', [
      workspace_id,
    ]);
    expect(rows).toEqual([{ id: first.id }]);
  });

  it('can be used again after a day', async () => {
    const request = requestOf('x');
    const first = await claimed(request);
    await store.complete(first, { status: 201, body: { id: 'r' } });
    await age(request, 'expires_at');
    const again = await claimed(requestOf('y', request.key));
    expect(again.resourceId).not.toBe(first.resourceId);
    await age(request, 'expires_at');
    await store.forgetExpired();
    const { rows } = await database.pool.query('SELECT 1 FROM idempotency_keys WHERE key = $1', [
      request.key,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a POST with a key', () => {
  it('takes effect once, and gets its stored response even if an error follows the commit', async () => {
    const effects: string[] = [];
    const create = route({
      method: 'POST',
      path: '/openapi/notes',
      summary: 'Write a note',
      tag: 'Notes',
      scopes: [],
      oauth: null,
      success: 201,
      handler: async ({ resourceId, claim }) => {
        await inTransaction(database.pool, async (client) => {
          effects.push(resourceId);
          if (claim) await completeIn(client, claim.name, { status: 201, body: { id: resourceId } });
        });
        throw new Error('after the commit');
      },
    });
    const server = testServer([create], { all: ALL }, { idempotency: store });
    const headers = { 'x-api-key': 'all', 'idempotency-key': randomUUID() };
    const post = () => server.inject({ method: 'POST', url: '/v1/openapi/notes', headers });
    const first = await post();
    const answers = [first, ...(await Promise.all([post(), post(), post()]))];
    for (const answer of answers) {
      expect([answer.statusCode, answer.json(), answer.headers['idempotent-replayed']]).toEqual([
        201,
        { id: effects[0] },
        'true',
      ]);
    }
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['a conflict', conflict('invalid_state', 'The notes have ended.', { current: 'ended' })],
    ['an error', new Error('duplicate key value violates unique constraint')],
  ])(
    'gets the response of an earlier attempt that commits while it runs, not %s with its effect',
    async (_, clash) => {
      const end = route({
        method: 'POST',
        path: '/openapi/notes/end',
        summary: 'End the notes',
        tag: 'Notes',
        scopes: [],
        oauth: null,
        success: 200,
        handler: async ({ claim }) => {
          await inTransaction(database.pool, async (client) => {
            if (claim !== undefined)
              await completeIn(client, claim.name, { status: 200, body: { ended: true } });
          });
          throw clash;
        },
      });
      const server = testServer([end], { all: ALL }, { idempotency: store });
      const headers = { 'x-api-key': 'all', 'idempotency-key': randomUUID() };
      const answer = await server.inject({ method: 'POST', url: '/v1/openapi/notes/end', headers });
      expect([answer.statusCode, answer.json(), answer.headers['idempotent-replayed']]).toEqual([
        200,
        { ended: true },
        'true',
      ]);
    },
  );
});
