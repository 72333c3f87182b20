import { expect, it } from 'vitest';
import { readStatus } from '../../../../src/app/routes/status.js';
import * as ports from '../../../../src/core/modules/tokens.js';

/** The status report with these values of the queue and of webhooks. */
async function told(
  queueSeconds: number,
  webhookSeconds: number,
  deliverySeconds: number,
  pingRedis?: () => Promise<void>,
) {
  const services = new Map<unknown, unknown>([
    [ports.ConnectionStore, { all: async () => [] }],
    [ports.InstalledPlatforms, { refused: [] }],
  ]);
  const housekeeping = { backlog: async () => ({ queueSeconds, webhookSeconds, deliverySeconds }) };
  const read = readStatus({ get: (token: unknown) => services.get(token) } as never, {
    housekeeping: housekeeping as never,
    commit: 'none',
    pingRedis,
  });
  const { status, components } = await read('workspace');
  return { status, parts: components.slice(1).map((part) => [part.name, part.status, part.message]) };
}

it('The status reports the age of the oldest job, late or not', async () => {
  expect(await told(0, 0, 0)).toEqual({
    status: 'operational',
    parts: [
      ['queue', 'operational', null],
      ['webhooks', 'operational', null],
    ],
  });
  expect(await told(3, 61, 7)).toEqual({
    status: 'degraded',
    parts: [
      ['queue', 'operational', 'The oldest job has waited 7 s.'],
      ['webhooks', 'degraded', 'The oldest job has waited 61 s.'],
    ],
  });
});

it('The status of the queue is degraded while Redis does not respond', async () => {
  const away = () => Promise.reject(new Error('connect ECONNREFUSED'));
  expect(await told(0, 0, 0, away)).toEqual({
    status: 'degraded',
    parts: [
      [
        'queue',
        'degraded',
        'Redis does not answer. Accepted work waits in the database and goes on when Redis is back.',
      ],
      ['webhooks', 'operational', null],
    ],
  });
  expect((await told(0, 0, 0, async () => undefined)).status).toBe('operational');
});
