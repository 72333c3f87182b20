import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const LATER = new Date(Date.now() + 86_400_000).toISOString();

let service: SharedService;
let api: ApiClient;

const create = (body: Json) => api.must(201, 'POST', '/openapi/broadcasts', body);
const read = (id: unknown) => api.must(200, 'GET', `/openapi/broadcasts/${id}`);
const recipientsOf = async (id: unknown, filter = '') =>
  (await api.must<{ data: Json[] }>(200, 'GET', `/openapi/broadcasts/${id}/recipients?limit=100${filter}`))
    .data;
const at = (...addresses: string[]) => addresses.map((address) => ({ platform: 'sandbox', address }));

function sumOf({ counts }: Json): [number, number] {
  const { total = 0, ...states } = counts as Record<string, number>;
  return [Object.values(states).reduce((sum, count) => sum + count, 0), total];
}

beforeAll(async () => {
  // In a test workspace the address determines the outcome of each recipient.
  service = await shareService({ test: true });
  api = service.client();
});

describe('a broadcast', () => {
  it('reaches every recipient once, and its counts always add up', async () => {
    const made = await create({
      name: 'News',
      text: 'Hello {{user.display_name}}, {{what}} and {{more}}',
      variables: { more: 'more' },
      metadata: { a: 1 },
      audience: {
        recipients: [
          ...at('deliver+1', 'sent+1', 'fail+1', 'block+1'),
          { platform: 'sandbox', address: 'deliver+2', variables: { what: 'news' } },
          ...at('deliver+1'),
        ],
      },
    });
    expect(made).toMatchObject({
      name: 'News',
      category: 'marketing',
      status: 'preparing',
      progress: 0,
      metadata: { a: 1 },
    });
    const seen = new Set<string>();
    const done = await eventually(
      async () => {
        const now = await read(made.id);
        seen.add(String(now.status));
        const [sum, total] = sumOf(now);
        expect(sum).toBe(total);
        return now;
      },
      ({ status, counts }) => status === 'completed' && (counts as Json).read === 1,
    );
    expect(done).toMatchObject({
      progress: 1,
      started_at: expect.any(String),
      completed_at: expect.any(String),
      error: null,
      counts: {
        total: 6,
        pending: 0,
        sent: 0,
        delivered: 0,
        read: 1,
        failed: 0,
        uncertain: 0,
        skipped: 5,
        canceled: 0,
        expired: 0,
      },
      skip_reasons: { missing_variable: 4, duplicate: 1 },
    });
    const recipients = await recipientsOf(made.id);
    expect(recipients).toHaveLength(6);
    const reached = recipients.find(({ status }) => status === 'read');
    expect(reached).toMatchObject({
      platform: 'sandbox',
      address: 'deliver+2',
      attempts: 1,
      skip_reason: null,
      error: null,
    });
    const message = await api.must(200, 'GET', `/openapi/messages/${reached?.message_id}`);
    expect(message).toMatchObject({
      text: 'Hello deliver+2, news and more',
      broadcast_id: made.id,
      category: 'marketing',
    });
    const skipped = await recipientsOf(made.id, '&filter=skip_reason:missing_variable&sort=created_at');
    expect(skipped.map(({ address }) => address).sort()).toEqual([
      'block+1',
      'deliver+1',
      'fail+1',
      'sent+1',
    ]);
    expect(skipped.every(({ message_id }) => message_id === null)).toBe(true);
  });

  it('records the error of each failed recipient, and can be retried only if a recipient failed', async () => {
    const made = await create({
      text: 'Hi',
      audience: { recipients: at('sent+a', 'fail+a', 'gone+a', 'block+a') },
    });
    const done = await eventually(
      () => read(made.id),
      ({ status }) => status === 'completed',
    );
    expect(done.counts).toMatchObject({ total: 4, sent: 1, failed: 3 });
    const errors = (await recipientsOf(made.id, '&filter=status:failed')).map(
      ({ error }) => (error as Json).code,
    );
    expect(errors.sort()).toEqual(['blocked_by_recipient', 'content_rejected', 'recipient_gone']);
    expect(await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/retry`)).toMatchObject({
      status: 'sending',
    });
    await eventually(
      () => read(made.id),
      ({ status }) => status === 'completed',
    );
    const clean = await create({ text: 'Hi', audience: { recipients: at('sent+b') } });
    await eventually(
      () => read(clean.id),
      ({ status }) => status === 'completed',
    );
    expect(reasonOf(await api.post(`/openapi/broadcasts/${clean.id}/retry`))).toBe('nothing_to_retry');
  });

  it('accepts recipient_ids as the users of the audience', async () => {
    const user = await api.must(201, 'POST', '/openapi/users', {
      display_name: 'Ann',
      identities: [{ platform: 'sandbox', external_id: 'deliver+ann' }],
    });
    const nowhere = await api.must(201, 'POST', '/openapi/users', { display_name: 'Bob' });
    const no = await api.must(201, 'POST', '/openapi/users', {
      display_name: 'No',
      consent: { marketing: 'denied' },
      identities: [{ platform: 'sandbox', external_id: 'deliver+no' }],
    });
    const made = await create({ text: 'Hi', recipient_ids: [user.id, nowhere.id, no.id] });
    expect(made.audience).toMatchObject({ user_ids: [user.id, nowhere.id, no.id] });
    const done = await eventually(
      () => read(made.id),
      ({ counts }) => (counts as Json).read === 1,
    );
    expect(done).toMatchObject({
      counts: { total: 3, skipped: 2 },
      skip_reasons: { no_route: 1, opted_out: 1 },
    });
  });

  it('previews its recipients and texts in a dry run, and stores nothing', async () => {
    const before = await api.must<{ meta: Json }>(200, 'GET', '/openapi/broadcasts');
    const body = {
      text: 'Hi {{name}}',
      audience: { recipients: [{ ...at('deliver+x')[0], variables: { name: 'X' } }, ...at('deliver+y')] },
    };
    const rehearsed = await api.must(200, 'POST', '/openapi/broadcasts?dry_run=true', body);
    expect(rehearsed).toMatchObject({ recipients: 1, parts: 1, skips: { missing_variable: 1 } });
    expect(rehearsed.samples).toMatchObject([
      { platform: 'sandbox', text: 'Hi X', parts: 1, degradations: [] },
    ]);
    expect((await api.must<{ meta: Json }>(200, 'GET', '/openapi/broadcasts')).meta).toEqual(before.meta);
    expect(
      (await api.must<{ data: Json[] }>(200, 'GET', '/openapi/users?filter=display_name:deliver%2Bx')).data,
    ).toEqual([]);
    expect(fieldsOf(await api.post('/openapi/broadcasts?dry_run=yes', body))).toEqual([
      ['dry_run', 'invalid_value'],
    ]);
  });
});

describe('the states of a broadcast', () => {
  it('a draft waits, can be changed, and starts', async () => {
    const made = await create({ draft: true, text: 'Draft', audience: { recipients: at('sent+d') } });
    expect(made).toMatchObject({ status: 'draft', counts: { total: 0 }, started_at: null });
    expect(
      await api.must(200, 'PATCH', `/openapi/broadcasts/${made.id}`, { name: 'Named', text: 'Changed' }),
    ).toMatchObject({ name: 'Named', text: 'Changed', status: 'draft' });
    for (const move of ['pause', 'resume']) {
      const refused = await api.post(`/openapi/broadcasts/${made.id}/${move}`);
      expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual(['invalid_state', 'draft']);
    }
    expect(await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/start`)).toMatchObject({
      status: 'preparing',
    });
    await eventually(
      () => read(made.id),
      ({ status }) => status === 'completed',
    );
    for (const move of ['start', 'pause'])
      expect(reasonOf(await api.post(`/openapi/broadcasts/${made.id}/${move}`))).toBe('invalid_state');
    expect(reasonOf(await api.patch(`/openapi/broadcasts/${made.id}`, { name: 'x' }))).toBe('invalid_state');
    expect(reasonOf(await api.delete(`/openapi/broadcasts/${made.id}`))).toBe('invalid_state');
  });

  it('a scheduled one starts at its time, and a canceled one never starts', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const made = await create({
      text: 'Soon',
      schedule: { at: soon },
      audience: { recipients: at('sent+s') },
    });
    expect(made).toMatchObject({ status: 'scheduled', scheduled_at: soon });
    const never = await create({
      text: 'Never',
      schedule: { at: LATER },
      audience: { recipients: at('sent+n') },
    });
    await api.must(204, 'DELETE', `/openapi/broadcasts/${never.id}`);
    const canceled = await eventually(
      () => read(never.id),
      ({ status }) => status === 'canceled',
    );
    expect(canceled).toMatchObject({ canceled_at: expect.any(String), started_at: null });
    const done = await eventually(
      () => read(made.id),
      ({ status }) => status === 'completed',
    );
    expect(Date.parse(String(done.started_at))).toBeGreaterThanOrEqual(Date.parse(soon));
  });

  it('a running one pauses, resumes and is canceled, and each recipient is either sent or canceled', async () => {
    const addresses = Array.from({ length: 60 }, (_, n) => `sent+p${n}`);
    const made = await create({
      text: 'Slow',
      throttle: { per_minute: 10 },
      audience: { recipients: at(...addresses) },
    });
    await eventually(
      () => read(made.id),
      ({ counts }) => Number((counts as Json).sent) > 0,
    );
    expect(await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/pause`)).toMatchObject({
      status: 'paused',
    });
    expect(await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/resume`)).toMatchObject({
      status: 'sending',
    });
    await api.must(204, 'DELETE', `/openapi/broadcasts/${made.id}`);
    const canceled = await eventually(
      () => read(made.id),
      ({ status }) => status === 'canceled',
    );
    const { total, sent, canceled: left } = canceled.counts as Record<string, number>;
    expect(total).toBe(60);
    expect((sent ?? 0) + (left ?? 0)).toBe(60);
    expect(left).toBeGreaterThan(0);
    expect(reasonOf(await api.delete(`/openapi/broadcasts/${made.id}`))).toBe('invalid_state');
  });

  it('a paused one holds its queued deliveries without an expiry, and sends them when it resumes', async () => {
    const made = await create({
      text: 'Held',
      audience: { recipients: at('ratelimit+h1', 'ratelimit+h2', 'sent+h3') },
    });
    // The platform requested a wait for two of them.
    await eventually(
      () => recipientsOf(made.id, '&filter=status:queued'),
      (queued) => queued.length === 2,
    );
    await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/pause`);
    const [held] = await recipientsOf(made.id, '&filter=status:queued');
    expect(await api.must(200, 'GET', `/openapi/messages/${held?.message_id}`)).toMatchObject({
      status: 'queued',
      expires_at: null,
      deliveries: [{ status: 'queued', expires_at: null }],
    });
    expect(
      (
        await api.must<{ data: Json[] }>(
          200,
          'GET',
          `/openapi/deliveries?filter=status:queued,message_id:${held?.message_id}`,
        )
      ).data,
    ).toHaveLength(1);
    await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/resume`);
    const done = await eventually(
      () => read(made.id),
      ({ status }) => status === 'completed',
    );
    expect(done.counts).toMatchObject({ total: 3, sent: 3 });
  });
});
