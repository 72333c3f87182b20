import { v7 as uuid7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createWebhookBody, updateWebhookBody } from '../../../src/core/webhooks/bodies.js';
import { webhookDeliveryRecord, webhookRecord } from '../../../src/core/webhooks/record.js';
import { verifySignature } from '../../../src/core/webhooks/signature.js';
import { duringUncommitted } from '../../support/lock-waiters.js';
import type { WebhookStage } from '../../support/webhook-stage.js';
import { beforeWebhooks, receivers } from '../../support/webhook-tests.js';

let stage: WebhookStage;

beforeWebhooks((made) => {
  stage = made;
});
const { answering } = receivers();

const callEvent = (id: string) => ({ type: 'call.ended', data: { id } });
const denied = (required: string[]) =>
  expect.objectContaining({ code: 'access_denied', details: expect.objectContaining({ required }) });
const conflicting = (details: object) => expect.objectContaining({ code: 'conflict', details });
const statuses = async (id: string) => (await stage.records(id)).map(({ status }) => status);

describe('registering', () => {
  it('gives the record with its secret, once, and keeps both secrets and headers encrypted', async () => {
    const caller = await stage.caller(['calls:read', 'messages:read']);
    const url = 'https://does-not-resolve.invalid/hook';
    const made = await stage.register(caller, url, {
      events: ['calls', 'calls'],
      headers: { 'X-Token': 'hidden' },
    });
    expect(webhookRecord.parse(made)).toEqual(made);
    expect(made).toMatchObject({
      url,
      events: ['calls'],
      scopes: ['calls:read'],
      status: 'enabled',
      api_version: '1.0',
    });
    expect(made.secret).toMatch(/^whsec_/);
    expect(made.secret_hint).toBe(made.secret!.slice(-4));
    expect(await stage.get.execute(caller, made.id)).toEqual({ ...made, secret: null });
    const { rows } = await stage.pool.query('SELECT secret, headers FROM webhooks WHERE id = $1', [made.id]);
    expect(Buffer.concat([rows[0].secret, rows[0].headers]).toString('latin1')).not.toMatch(/whsec_|hidden/);
  });

  it('has no further effect with the same id', async () => {
    const caller = await stage.caller();
    const body = createWebhookBody.parse({ url: 'https://one.invalid/', events: ['*'] });
    const options = { apiVersion: '1.0', id: uuid7() } as const;
    const first = await stage.create.execute(caller, body, options);
    expect(await stage.create.execute(caller, body, options)).toEqual(first);
  });

  it('stops at 50 per workspace, also when asked in parallel', async () => {
    const caller = await stage.caller();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 53 }, (_, n) => stage.register(caller, `https://h${n}.invalid/`)),
    );
    const refused = outcomes.filter((each) => each.status === 'rejected').map((each) => each.reason);
    expect(refused).toHaveLength(3);
    expect(refused[0]).toEqual(conflicting({ reason: 'limit_reached', limit: 50 }));
  });

  it.each([
    ['is revoked', 'revoked_at = now()'],
    ['expires', "expires_at = now() - interval '1 ms', expiry_handled = true"],
  ])('is refused to a key that %s during the request', async (_what, change) => {
    const caller = await stage.caller();
    const key = uuid7();
    await stage.pool.query(
      `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, hash, hint)
       VALUES ($1, $2, $3, 'Key', 'live', '{}', 0, $4, 'hint')`,
      [key, caller.workspaceId, caller.userId, Buffer.from(key)],
    );
    const withKey = { ...caller, credential: { kind: 'api_key', id: key } } as const;
    const ending = { text: `UPDATE api_keys SET ${change} WHERE id = $1`, values: [key] };
    await duringUncommitted(stage.pool, ending, () =>
      expect(stage.register(withKey, 'https://one.invalid/')).rejects.toMatchObject({ code: 'unauthorized' }),
    );
    expect((await stage.pool.query('SELECT 1 FROM webhooks WHERE created_by_key = $1', [key])).rowCount).toBe(
      0,
    );
  });

  it('refuses forbidden targets', async () => {
    const caller = await stage.caller();
    await expect(stage.register(caller, 'https://10.0.0.1/')).rejects.toMatchObject({
      details: { fields: [{ field: 'url', code: 'forbidden_target' }] },
    });
  });
});

describe('access', () => {
  it('requires all scopes of the webhook, and hides webhooks of other workspaces', async () => {
    const owner = await stage.caller();
    const { id } = await stage.register(owner, 'https://one.invalid/', { events: ['calls', 'messages'] });
    const poor = { ...owner, scopes: new Set(['calls:read']) };
    await expect(stage.get.execute(poor, id)).rejects.toThrow(denied(['messages:read', 'calls:read']));
    await expect(stage.update.execute(poor, id, { status: 'disabled' })).rejects.toThrow(
      denied(['messages:read', 'calls:read']),
    );
    await expect(stage.remove.execute(poor, id)).rejects.toMatchObject({ code: 'access_denied' });
    await expect(
      stage.update.execute({ ...owner, scopes: new Set(['calls:read', 'messages:read']) }, id, {
        events: ['users:read', 'user.*'],
      }),
    ).rejects.toThrow(denied(['profile:read']));
    const stranger = await stage.caller();
    await expect(stage.get.execute(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(stage.test.execute(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(stage.get.execute({ ...owner, scopes: new Set() }, uuid7())).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('changing', () => {
  it('changes only the fields that are sent, and keeps updated_at when nothing differs', async () => {
    const caller = await stage.caller();
    const made = await stage.register(caller, 'https://one.invalid/', {
      headers: { 'X-A': '1' },
      description: 'first',
    });
    const patch = (body: object) => stage.update.execute(caller, made.id, updateWebhookBody.parse(body));
    const same = {
      url: made.url,
      events: ['*'],
      headers: { 'X-A': '1' },
      description: 'first',
      status: 'enabled',
    };
    expect(await patch({})).toEqual({ ...made, secret: null });
    expect((await patch(same)).updated_at).toBe(made.updated_at);
    const changed = await patch({
      description: null,
      rate_limit: 5,
      headers: { 'X-B': '2' },
      events: ['calls'],
    });
    expect(changed).toMatchObject({
      description: null,
      rate_limit: 5,
      headers: { 'X-B': '***' },
      scopes: ['calls:read'],
    });
    expect(changed.url).toBe(made.url);
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
  });

  it('keeps headers that cannot be read any more until they are replaced', async () => {
    const caller = await stage.caller();
    const { id } = await stage.register(caller, 'https://one.invalid/', { headers: { 'X-A': '1' } });
    await stage.pool.query(`UPDATE webhooks SET headers = '\\x00' WHERE id = $1`, [id]);
    const patch = (body: object) => stage.update.execute(caller, id, updateWebhookBody.parse(body));
    expect(await patch({ description: 'second' })).toMatchObject({
      description: 'second',
      headers: { 'X-A': '***' },
    });
    expect(await patch({ headers: { 'X-B': '2' } })).toMatchObject({ headers: { 'X-B': '***' } });
    expect(await patch({ headers: {} })).toMatchObject({ headers: {} });
  });

  it('cancels pending deliveries when a webhook is disabled or deleted, and records none while it is disabled', async () => {
    const caller = await stage.caller();
    const target = await answering(200);
    const { id } = await stage.register(caller, target.url);
    await stage.emit(caller, callEvent('a'));
    await stage.update.execute(caller, id, { status: 'disabled' });
    await stage.emit(caller, callEvent('b'));
    await stage.update.execute(caller, id, { status: 'enabled' });
    await stage.deliver(id);
    expect(await statuses(id)).toEqual(['canceled']);
    await stage.emit(caller, callEvent('c'));
    await stage.remove.execute(caller, id);
    await stage.deliver(id);
    expect(await statuses(id)).toEqual(['canceled', 'canceled']);
    expect(target.received).toHaveLength(0);
    await expect(stage.remove.execute(caller, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('rotates the secret; both sign during the overlap and one after it', async () => {
    const caller = await stage.caller();
    const target = await answering(200);
    const made = await stage.register(caller, target.url);
    const rotated = await stage.rotate.execute(caller, made.id, { overlap_seconds: 60 });
    expect(rotated.secret).not.toBe(made.secret);
    await stage.test.execute(caller, made.id);
    await stage.pool.query(
      "UPDATE webhooks SET previous_secret_until = now() - interval '1 s' WHERE id = $1",
      [made.id],
    );
    await stage.test.execute(caller, made.id);
    const signedBy = (secret: string) =>
      target.received.map(({ body, headers }) => verifySignature(body, headers, secret));
    expect(signedBy(rotated.secret!)).toEqual([true, true]);
    expect(signedBy(made.secret!)).toEqual([true, false]);
    const final = await stage.rotate.execute(caller, made.id, { secret: made.secret!, overlap_seconds: 0 });
    expect(final.secret).toBe(made.secret);
    await stage.test.execute(caller, made.id);
    expect(signedBy(rotated.secret!)).toEqual([true, true, false]);
  });
});

it('rotates once when a request is repeated because its response was lost', async () => {
  const caller = await stage.caller();
  const target = await answering(200);
  const made = await stage.register(caller, target.url);
  const id = uuid7();
  const rotated = await stage.rotate.execute(caller, made.id, { overlap_seconds: 60 }, id);
  expect(await stage.rotate.execute(caller, made.id, { overlap_seconds: 60 }, id)).toEqual(rotated);
  await stage.test.execute(caller, made.id);
  const [{ body, headers } = { body: '', headers: {} }] = target.received;
  const signs = [made, rotated].map(({ secret }) => verifySignature(body, headers, secret!));
  expect(signs).toEqual([true, true]);
});

describe('a test', () => {
  it('is one attempt of webhook.test to this endpoint only, whatever its outcome', async () => {
    const caller = await stage.caller();
    const target = await answering(200, 500);
    const { id } = await stage.register(caller, target.url, { events: ['calls'] });
    const other = await stage.register(caller, target.url);
    const first = await stage.test.execute(caller, id);
    expect(webhookDeliveryRecord.parse(first)).toEqual(first);
    expect(first).toMatchObject({
      event: 'webhook.test',
      status: 'succeeded',
      attempts: [{ status_code: 200 }],
    });
    expect(JSON.parse(target.received[0]!.body)).toMatchObject({
      id: first.event_id,
      event: 'webhook.test',
      data: { webhook_id: id, message: expect.any(String), sequence: expect.any(Number) },
    });
    const { rows } = await stage.pool.query("SELECT position FROM events WHERE type = 'webhook.test'");
    await stage.fanOut.run(rows.map(({ position }) => position));
    expect(await statuses(other.id)).toEqual([]);
    expect(await stage.test.execute(caller, id)).toMatchObject({
      status: 'dead',
      next_attempt_at: null,
      attempts: [{ status_code: 500, error: 'http_status' }],
    });
  });
});

describe('automatic disabling', () => {
  const disabledEvents = async (id: string) => {
    const { rows } = await stage.pool.query(
      "SELECT position FROM events WHERE type = 'webhook.disabled' AND data->>'webhook_id' = $1",
      [id],
    );
    return rows.map(({ position }) => position);
  };

  it('follows a 410 at once, is reported to the other webhooks, and keeps events as dead until they are recovered on request', async () => {
    const caller = await stage.caller();
    const target = await answering(410, 200);
    const { id } = await stage.register(caller, target.url);
    const witness = await stage.register(caller, target.url, { events: ['webhook.disabled'] });
    const since = new Date(Date.now() - 60_000);
    await stage.emit(caller, callEvent('a'));
    await stage.deliver(id);
    await stage.emit(caller, callEvent('b'));
    expect((await stage.get.execute(caller, id)).status).toBe('auto_disabled');
    expect(await statuses(id)).toEqual(['dead', 'dead']);

    await stage.fanOut.run(await disabledEvents(id));
    await stage.deliver(witness.id);
    expect(JSON.parse(target.received.at(-1)!.body)).toMatchObject({
      event: 'webhook.disabled',
      data: { webhook_id: id },
    });
    expect(await statuses(id)).toEqual(['dead', 'dead']);

    await expect(stage.update.execute(caller, id, { status: 'disabled' })).rejects.toThrow(
      conflicting({ reason: 'invalid_state', current: 'auto_disabled' }),
    );
    await expect(stage.recover.execute(caller, id, since)).rejects.toThrow(
      conflicting({ reason: 'invalid_state', current: 'auto_disabled' }),
    );
    await stage.update.execute(caller, id, { status: 'enabled' });
    await stage.deliver(id);
    expect(await statuses(id)).toEqual(['dead', 'dead']);
    expect(await stage.recover.execute(caller, id, since)).toBe(2);
    await stage.deliver(id);
    expect(await statuses(id)).toEqual(['succeeded', 'succeeded']);
    expect(await stage.recover.execute(caller, id, since)).toBe(0);
    await expect(
      stage.recover.execute(caller, id, new Date(Date.now() - 31 * 86_400_000)),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('follows only after 120 hours of failures, counted from the first one after a success', async () => {
    const caller = await stage.caller();
    const target = await answering(500);
    const { id } = await stage.register(caller, target.url);
    const failingFor = (hours: number) =>
      stage.pool.query("UPDATE webhooks SET failing_since = now() - $2 * interval '1 hour' WHERE id = $1", [
        id,
        hours,
      ]);
    await stage.emit(caller, callEvent('a'), callEvent('b'));
    await failingFor(119.9);
    await stage.deliver(id);
    expect((await stage.get.execute(caller, id)).status).toBe('enabled');
    await failingFor(120.1);
    await stage.makeDue(id);
    await stage.deliver(id);
    expect((await stage.get.execute(caller, id)).status).toBe('auto_disabled');
    expect(await statuses(id)).toEqual(['dead', 'dead']);
    expect(await disabledEvents(id)).toHaveLength(1);
    expect(await stage.update.execute(caller, id, { status: 'enabled' })).toMatchObject({
      failing_since: null,
    });
  });
});
