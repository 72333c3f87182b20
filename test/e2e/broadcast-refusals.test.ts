import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  // In a test workspace the address determines the outcome of each recipient.
  service = await shareService({ test: true });
  api = service.client();
});

describe('a broadcast is refused', () => {
  it.each<[string, Json, [string, string]]>([
    ['without text', { recipient_ids: [NOBODY] }, ['text', 'required']],
    [
      'with text and template',
      { text: 'x', template_id: NOBODY, recipient_ids: [NOBODY] },
      ['text', 'exclusive'],
    ],
    ['without audience', { text: 'x' }, ['audience', 'required']],
    ['for nobody', { text: 'x', audience: {} }, ['audience', 'required']],
    ['for nobody by id', { text: 'x', recipient_ids: [] }, ['audience', 'required']],
    [
      'with two audiences',
      { text: 'x', audience: { user_ids: [NOBODY] }, recipient_ids: [NOBODY, NOBODY] },
      ['recipient_ids', 'exclusive'],
    ],
    ['with a blank text', { text: ' \n', recipient_ids: [NOBODY] }, ['text', 'too_short']],
    [
      'with a blank variant',
      { text: 'x', recipient_ids: [NOBODY], variants: [{ key: 'a', weight: 1, text: '\u00a0' }] },
      ['variants.0.text', 'too_short'],
    ],
    [
      'of another category',
      { text: 'x', category: 'spam', recipient_ids: [NOBODY] },
      ['category', 'invalid_value'],
    ],
    [
      'with a wrong filter',
      { text: 'x', audience: { filter: 'nope:1' } },
      ['audience.filter', 'invalid_value'],
    ],
    [
      'in the past',
      { text: 'x', recipient_ids: [NOBODY], schedule: { at: '2020-01-01T00:00:00Z' } },
      ['schedule.at', 'too_small'],
    ],
    [
      'at no clock time',
      { text: 'x', recipient_ids: [NOBODY], schedule: { quiet_hours: { from: '25:00' } } },
      ['schedule.quiet_hours.from', 'invalid_format'],
    ],
    [
      'with a wrong throttle',
      { text: 'x', recipient_ids: [NOBODY], throttle: { per_minute: 0 } },
      ['throttle.per_minute', 'too_small'],
    ],
  ])('%s', async (_what, body, [field, code]) => {
    const problems = fieldsOf(await api.post('/openapi/broadcasts', body));
    expect(problems).toContainEqual([field, code]);
  });

  it('for an unknown user, and nothing is stored', async () => {
    const before = await api.must<{ meta: Json }>(200, 'GET', '/openapi/broadcasts');
    const wrong: [Json, string][] = [
      [{ text: 'x', recipient_ids: [NOBODY] }, 'recipient_ids'],
      [{ text: 'x', audience: { segment_ids: [NOBODY] } }, 'audience.segment_ids'],
      [
        { template_id: NOBODY, audience: { recipients: [{ platform: 'sandbox', address: 'sent' }] } },
        'template_id',
      ],
    ];
    for (const [body, field] of wrong) {
      const answer = await api.post('/openapi/broadcasts', body);
      expect([answer.status, answer.body.details]).toEqual([404, { field }]);
    }
    expect((await api.must<{ meta: Json }>(200, 'GET', '/openapi/broadcasts')).meta).toEqual(before.meta);
    for (const path of [NOBODY, 'x', `${NOBODY}/recipients`])
      await api.must(404, 'GET', `/openapi/broadcasts/${path}`);
    for (const move of ['start', 'pause', 'resume', 'retry'])
      await api.must(404, 'POST', `/openapi/broadcasts/${NOBODY}/${move}`);
    await api.must(404, 'DELETE', `/openapi/broadcasts/${NOBODY}`);
  });
});
