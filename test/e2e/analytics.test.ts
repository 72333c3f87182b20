import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

interface Analytics {
  readonly resource: string;
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly group_by: string | null;
  readonly totals: Record<string, number>;
  readonly series: {
    readonly start: string;
    readonly group: string | null;
    readonly values: Record<string, number>;
  }[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let service: SharedService;
let api: ApiClient;
let me: Json;
let receiver: LoopbackServer;

const read = (path: string) => api.must<Analytics>(200, 'GET', `/openapi/analytics/${path}`);
const totals = async (path: string) => (await read(path)).totals;

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  service = await shareService({ test: true });
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
  await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['conversations'] });
});
afterAll(async () => {
  await receiver?.close();
});

describe('analytics', () => {
  it('are zero for every bucket of the last 7 days without activity', async () => {
    for (const [resource, names] of [
      ['messages', ['inbound', 'outbound', 'internal', 'failed']],
      ['conversations', ['created', 'resolved']],
      ['calls', ['started', 'answered', 'failed', 'duration_seconds']],
      ['broadcasts', ['started', 'recipients', 'sent', 'delivered', 'read', 'failed']],
      ['webhooks', ['attempts', 'succeeded', 'failed']],
    ] as const) {
      const found = await read(resource);
      const nothing = Object.fromEntries(names.map((name) => [name, 0]));
      expect(found).toMatchObject({ resource, interval: 'day', group_by: null, totals: nothing });
      expect(Date.parse(found.to) - Date.parse(found.from)).toBe(7 * DAY_MS);
      expect(found.series.length).toBeGreaterThanOrEqual(7);
      for (const { start, group, values } of found.series) {
        expect([Date.parse(start) % DAY_MS, group, values]).toEqual([0, null, nothing]);
      }
    }
  });

  it('count messages and conversations immediately', async () => {
    for (const address of ['deliver+1', 'fail+1']) {
      await api.must(201, 'POST', '/openapi/conversations', {
        recipient: { platform: 'sandbox', address },
        message: { text: 'Hi' },
      });
    }
    const { id } = await api.must(201, 'POST', '/openapi/conversations', {
      links: [],
      participant_ids: [me.id],
    });
    await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text: 'Note' });
    await api.must(201, 'POST', '/openapi/sandbox/inbound', { address: 'deliver+2', text: 'Hello' });
    await api.must(200, 'PATCH', `/openapi/conversations/${id}`, { status: 'resolved' });
    expect(await totals('messages')).toMatchObject({ inbound: 1, outbound: 2, internal: 1 });
    expect(await totals('conversations')).toEqual({ created: 4, resolved: 1 });
    await eventually(
      () => totals('messages'),
      ({ failed }) => failed === 1,
    );
    await eventually(
      () => totals('webhooks'),
      ({ attempts, succeeded }) => attempts === succeeded && (attempts ?? 0) >= 5,
    );
  });

  it('are grouped by platform, status or agent, every bucket in each group', async () => {
    const byPlatform = await read('messages?group_by=platform&interval=hour');
    const groups = [...new Set(byPlatform.series.map(({ group }) => group))];
    expect([byPlatform.group_by, groups]).toEqual(['platform', ['sandbox', null]]);
    const starts = [...new Set(byPlatform.series.map(({ start }) => start))];
    expect(byPlatform.series).toHaveLength(starts.length * 2);
    expect(starts.every((start) => Date.parse(start) % HOUR_MS === 0)).toBe(true);
    const sum = (group: string | null) =>
      byPlatform.series
        .filter((one) => one.group === group)
        .reduce((all, { values }) => all + (values.outbound ?? 0), 0);
    expect([sum('sandbox'), sum(null), byPlatform.totals.outbound]).toEqual([2, 0, 2]);
    const byAgent = await read('messages?group_by=agent');
    expect(new Set(byAgent.series.map(({ group }) => group))).toEqual(new Set([me.id, null]));
    const byStatus = await read('conversations?group_by=status');
    expect(new Set(byStatus.series.map(({ group }) => group))).toEqual(new Set(['open', 'resolved']));
  });

  it('contain each bucket of the requested period', async () => {
    const days = await read('messages?from=2026-01-01T12:00:00Z&to=2026-01-04T00:00:00Z');
    expect(days.series.map(({ start }) => start.slice(0, 10))).toEqual([
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
    ]);
    expect([days.from, days.to]).toEqual(['2026-01-01T12:00:00.000Z', '2026-01-04T00:00:00.000Z']);
    const hours = await read('messages?from=2026-01-01T22:30:00Z&to=2026-01-02T00:00:01Z&interval=hour');
    expect(hours.series.map(({ start }) => start.slice(11, 13))).toEqual(['22', '23', '00']);
    const longest = await read('messages?from=2025-01-01T00:00:00Z&to=2026-02-05T00:00:00Z');
    expect(longest.series).toHaveLength(400);
  });

  it.each<[string, string, [string, string]]>([
    ['over 400 days', 'from=2025-01-01T00:00:00Z&to=2026-02-05T00:00:01Z', ['from', 'too_large']],
    [
      'over 31 days by hour',
      'interval=hour&from=2026-01-01T00:00:00Z&to=2026-02-01T01:00:00Z',
      ['from', 'too_large'],
    ],
    [
      'a time that ends before it begins',
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      ['from', 'invalid_value'],
    ],
    ['another interval', 'interval=week', ['interval', 'invalid_value']],
    ['another group', 'group_by=team', ['group_by', 'invalid_value']],
    ['a word for a time', 'from=yesterday', ['from', 'invalid_format']],
  ])('refuse %s', async (_what, query, problem) => {
    expect(fieldsOf(await api.get(`/openapi/analytics/messages?${query}`))).toEqual([problem]);
  });

  it('return 404 for an unknown resource, and require their scope', async () => {
    await api.must(404, 'GET', '/openapi/analytics/users');
    const other = service.client(await service.createKey({ scopes: 'messages:read', test: true }));
    expect((await other.must(403, 'GET', '/openapi/analytics/messages')).details).toEqual({
      required: ['analytics:read'],
      provided: ['messages:read'],
    });
  });
});
