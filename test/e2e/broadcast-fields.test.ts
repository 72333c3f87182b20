import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;

const create = (body: Json) => api.must(201, 'POST', '/openapi/broadcasts', body);
const read = (id: unknown) => api.must(200, 'GET', `/openapi/broadcasts/${id}`);
const finished = (id: unknown) =>
  eventually(
    () => read(id),
    ({ status }) => ['completed', 'failed', 'expired'].includes(String(status)),
  );
const recipientsOf = async (id: unknown, filter = '') =>
  (
    await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/broadcasts/${id}/recipients?limit=100${filter === '' ? '' : `&filter=${filter}`}`,
    )
  ).data;
const at = (...addresses: string[]) => addresses.map((address) => ({ platform: 'sandbox', address }));

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

describe('the record of a broadcast', () => {
  it('is named after its creation time, to the millisecond, by default', async () => {
    const draft = { text: 'Hi', draft: true, audience: { filter: 'kind:contact' } };
    for (const made of await Promise.all(Array.from({ length: 10 }, () => create(draft)))) {
      expect(made.name).toBe(`Broadcast ${made.created_at}`);
    }
  });

  it('stays unchanged when the same attachments are sent again, and keeps the unchanged ones of a changed list', async () => {
    const place = (latitude: number) => ({ type: 'location', latitude, longitude: 2 });
    const variants = [{ key: 'a', weight: 1, attachments: [place(3)] }];
    const attachments = [place(1), place(1)];
    const made = await create({
      text: 'Hi',
      draft: true,
      audience: { filter: 'kind:contact' },
      attachments,
      variants,
    });
    const path = `/openapi/broadcasts/${made.id}`;
    expect(await api.must(200, 'PATCH', path, { attachments, variants })).toEqual(made);
    const changed = await api.must(200, 'PATCH', path, { attachments: [place(2), place(1)] });
    const ids = (broadcast: Json) => (broadcast.attachments as Json[]).map(({ id }) => id);
    expect(ids(changed)[1]).toBe(ids(made)[0]);
    expect(ids(made)).not.toContain(ids(changed)[0]);
  });

  it('shows audience and schedule with every field', async () => {
    const made = await create({
      text: 'Hi',
      draft: true,
      audience: { filter: 'kind:contact' },
      schedule: { quiet_hours: { from: '22:00', to: '07:00' } },
      fallback: { after_seconds: 60, success_status: 'delivered' },
    });
    expect(made).toMatchObject({
      audience: {
        user_ids: [],
        segment_ids: [],
        recipients: [],
        filter: 'kind:contact',
        exclude: { user_ids: [], segment_ids: [] },
      },
      schedule: {
        at: null,
        mode: 'fixed',
        quiet_hours: { days: [], from: '22:00', to: '07:00', timezone: null },
        expires_at: null,
      },
      fallback: { after_seconds: 60, success_status: 'delivered' },
      throttle: null,
      scheduled_at: null,
      skip_reasons: {},
    });
    const path = `/openapi/broadcasts/${made.id}`;
    expect(await api.must(200, 'PATCH', path, { audience: { filter: 'kind:contact' } })).toEqual(made);
    expect(await api.must(200, 'PATCH', path, { schedule: null, fallback: null })).toMatchObject({
      schedule: null,
      fallback: null,
    });
    expect(fieldsOf(await api.patch(path, { status: 'sending', counts: {} }))).toEqual([
      ['status', 'read_only'],
      ['counts', 'read_only'],
    ]);
    expect(fieldsOf(await api.patch(path, { audience: { filter: 'nope:1' } }))).toEqual([
      ['audience.filter', 'invalid_value'],
    ]);
  });

  it('is due once its time is removed', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const made = await create({
      text: 'Hi',
      audience: { recipients: at('sent+now') },
      schedule: { at: later },
    });
    expect(made.status).toBe('scheduled');
    await api.must(200, 'PATCH', `/openapi/broadcasts/${made.id}`, { schedule: null });
    expect(await finished(made.id)).toMatchObject({ counts: { sent: 1 }, schedule: null });
  });

  it('is refused for unknown users before it is refused for its state', async () => {
    const made = await create({ text: 'Hi', audience: { recipients: at('sent+x') } });
    await finished(made.id);
    const path = `/openapi/broadcasts/${made.id}`;
    const unknown = await api.patch(path, { audience: { user_ids: [NOBODY] } });
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'audience.user_ids' }]);
    expect(reasonOf(await api.patch(path, { name: 'x' }))).toBe('invalid_state');
  });
});

describe('variants', () => {
  it('share the audience by weight and can be distinguished', async () => {
    const addresses = Array.from({ length: 60 }, (_, n) => `sent+v${n}`);
    const made = await create({
      text: 'Base {{user.display_name}}',
      audience: { recipients: at(...addresses) },
      variants: [
        { key: 'a', weight: 1, text: 'A' },
        { key: 'b', weight: 3 },
      ],
    });
    await finished(made.id);
    const [a, b] = [await recipientsOf(made.id, 'variant:a'), await recipientsOf(made.id, 'variant:b')];
    expect(a.length + b.length).toBe(60);
    expect(a.length).toBeGreaterThan(0);
    expect(b.length).toBeGreaterThan(a.length);
    const text = async (recipient: Json | undefined) =>
      (await api.must(200, 'GET', `/openapi/messages/${recipient?.message_id}`)).text;
    expect(await text(a[0])).toBe('A');
    expect(await text(b[0])).toBe(`Base ${b[0]?.address}`);
    const [one] = a;
    for (const filter of [
      `user_id:${one?.user_id}`,
      `user_id:${one?.user_id},platform:sandbox,status:sent`,
    ]) {
      expect(await recipientsOf(made.id, filter)).toEqual([one]);
    }
    expect(await recipientsOf(made.id, '-skip_reason:null')).toEqual([]);
  });
});

describe('a skipped recipient', () => {
  it('has a reason, which is counted once', async () => {
    const contact = (address: string | null, more: Json = {}) =>
      api.must(201, 'POST', '/openapi/users', {
        display_name: 'x',
        identities:
          address === null ? [] : at(address).map(({ platform }) => ({ platform, external_id: address })),
        ...more,
      });
    const denied = await contact('sent+no', { consent: { notification: 'denied' } });
    const market = await contact('sent+market', { consent: { marketing: 'denied' } });
    const blocked = await contact('sent+blocked');
    await api.must(200, 'PATCH', `/openapi/users/${blocked.id}`, { status: 'blocked' });
    const nowhere = await contact(null);
    const made = await create({
      category: 'transactional',
      text: 'Hi {{code}}',
      audience: {
        user_ids: [denied.id, blocked.id, nowhere.id, market.id],
        recipients: [
          { platform: 'sandbox', address: 'sent+market', variables: { code: 1 } },
          { platform: 'sandbox', address: ' ', variables: { code: 1 } },
          ...at('sent+nocode'),
        ],
      },
    });
    const done = await finished(made.id);
    expect(done).toMatchObject({
      counts: { total: 7, sent: 1, skipped: 6 },
      skip_reasons: {
        opted_out: 1,
        blocked: 1,
        no_route: 1,
        duplicate: 1,
        invalid_address: 1,
        missing_variable: 1,
      },
    });
    for (const reason of Object.keys(done.skip_reasons as Json)) {
      expect(await recipientsOf(made.id, `status:skipped,skip_reason:${reason}`)).toMatchObject([
        { message_id: null, attempts: 0 },
      ]);
    }
  });
});

describe('a broadcast dry run', () => {
  it('counts parts, and warns when no recipient remains', async () => {
    const rehearsed = await api.must(200, 'POST', '/openapi/broadcasts?dry_run=true', {
      text: 'x'.repeat(10_000),
      throttle: { per_minute: 1 },
      audience: { recipients: at('sent+long', 'sent+long2', 'sent+long') },
    });
    expect(rehearsed).toMatchObject({ recipients: 2, skips: { duplicate: 1 }, eta_seconds: 120 });
    expect(rehearsed.parts).toBe(2 * Number((rehearsed.samples as Json[])[0]?.parts));
    expect(
      await api.must(200, 'POST', '/openapi/broadcasts?dry_run=true', {
        text: 'Hi {{code}}',
        audience: { recipients: at('sent+nobody') },
      }),
    ).toMatchObject({ recipients: 0, parts: 0, samples: [], warnings: [expect.any(String)] });
  });
});

describe('quiet hours of a broadcast', () => {
  /** The UTC time of day in this many hours. */
  const clockIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);

  it.each([
    [{ from: '22:00' }, ['schedule.quiet_hours.to', 'required']],
    [{ to: '07:00', from: null }, ['schedule.quiet_hours.from', 'required']],
    [{ from: '22:00', to: '22:00' }, ['schedule.quiet_hours.to', 'invalid_value']],
  ])('are refused as %j', async (quiet_hours, problem) => {
    const body = { text: 'x', audience: { recipients: at('sent') }, schedule: { quiet_hours } };
    expect(fieldsOf(await api.post('/openapi/broadcasts', body))).toEqual([problem]);
  });

  it('accept null for their days and bounds', async () => {
    const schedule = { quiet_hours: { days: null, from: null, to: null, timezone: null } };
    const made = await create({ text: 'x', draft: true, schedule, audience: { recipients: at('sent') } });
    expect(made.schedule).toMatchObject({ quiet_hours: { days: [], from: null, to: null, timezone: null } });
  });

  it('are refused if the end of the broadcast is before its start', async () => {
    const time = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const schedule = { at: time(2), expires_at: time(1) };
    const body = { text: 'x', audience: { recipients: at('sent') }, schedule };
    expect(fieldsOf(await api.post('/openapi/broadcasts', body))).toEqual([
      ['schedule.expires_at', 'too_small'],
    ]);
  });

  it('put a broadcast on hold, in which it can be canceled but not paused', async () => {
    const made = await create({
      text: 'Quiet',
      schedule: { quiet_hours: { from: clockIn(-1), to: clockIn(2), timezone: 'UTC' } },
      audience: { recipients: at('sent+quiet') },
    });
    await eventually(
      () => read(made.id),
      ({ status }) => status === 'on_hold',
    );
    expect(reasonOf(await api.post(`/openapi/broadcasts/${made.id}/pause`))).toBe('invalid_state');
    await api.must(204, 'DELETE', `/openapi/broadcasts/${made.id}`);
    const canceled = await eventually(
      () => read(made.id),
      ({ status }) => status === 'canceled',
    );
    expect(canceled.counts).toMatchObject({ total: 1, canceled: 1 });
  });
});
