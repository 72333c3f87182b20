import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

/** The UTC date and time in this many hours. */
const shown = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16);

async function contact(name: string, timezone?: string): Promise<unknown> {
  const identities = [{ platform: 'sandbox', external_id: `sent+${name}` }];
  const body = { display_name: name, identities, ...(timezone === undefined ? {} : { timezone }) };
  return (await api.must(201, 'POST', '/openapi/users', body)).id;
}
const broadcast = (userIds: readonly unknown[], schedule: object) => ({
  text: 'Hi',
  recipient_ids: userIds,
  schedule: { mode: 'recipient_local', ...schedule },
});

describe('a broadcast at a local time', () => {
  it('is sent at once in zones where the time is past, and scheduled in the others', async () => {
    const [ahead, behind] = [
      await contact('ahead', 'Pacific/Kiritimati'),
      await contact('behind', 'Pacific/Pago_Pago'),
    ];
    const local_time = shown(-4);
    const scheduled = await api.must(201, 'POST', '/openapi/broadcasts', broadcast([behind], { local_time }));
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      scheduled_at: new Date(Date.parse(`${local_time}Z`) + 11 * 3_600_000).toISOString(),
      schedule: { at: null, local_time, mode: 'recipient_local', quiet_hours: null, expires_at: null },
    });
    const both = await api.must(
      201,
      'POST',
      '/openapi/broadcasts',
      broadcast([ahead, behind], { local_time }),
    );
    const begun = await eventually(
      () => api.must(200, 'GET', `/openapi/broadcasts/${both.id}`),
      ({ counts }) => (counts as Json).sent === 1,
    );
    expect(begun).toMatchObject({ status: 'sending', counts: { total: 2, pending: 1, sent: 1 } });
    const path = `/openapi/broadcasts/${scheduled.id}`;
    expect(fieldsOf(await api.patch(path, { schedule: { local_time } }))).toEqual([
      ['schedule.mode', 'required'],
    ]);
    for (const { id } of [scheduled, both]) await api.must(204, 'DELETE', `/openapi/broadcasts/${id}`);
  });

  it('is refused if the time is past in every zone of the audience, or together with `at` or another mode', async () => {
    const tokyo = await contact('tokyo', 'Asia/Tokyo');
    const post = async (schedule: object) =>
      fieldsOf(await api.post('/openapi/broadcasts', broadcast([tokyo], schedule)));
    expect(await post({ local_time: shown(8) })).toEqual([['schedule.local_time', 'too_small']]);
    const at = new Date(Date.now() + 86_400_000).toISOString();
    expect(await post({ local_time: shown(24), at })).toEqual([['schedule.local_time', 'exclusive']]);
    expect(await post({ local_time: shown(24), mode: 'fixed' })).toEqual([
      ['schedule.mode', 'invalid_value'],
    ]);
  });

  it('reports in a dry run how many recipients have no time zone', async () => {
    const known = await contact('known', 'Asia/Tokyo');
    const unknown = [await contact('one'), await contact('two')];
    const warningsFor = async (users: readonly unknown[], schedule: object) =>
      (
        await api.must(
          200,
          'POST',
          '/openapi/broadcasts?dry_run=true',
          broadcast([known, ...users], schedule),
        )
      ).warnings;
    const local = { local_time: shown(24) };
    expect(await warningsFor(unknown, local)).toEqual(['2 recipients have no time zone']);
    expect(await warningsFor(unknown.slice(1), local)).toEqual(['1 recipient has no time zone']);
    expect(await warningsFor([], local)).toEqual([]);
    expect(await warningsFor(unknown, { mode: 'fixed' })).toEqual([]);
  });
});
