import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import type { AdapterDefinition } from '../../../src/contract/index.js';
import { PlayedAudience } from '../../../src/core/broadcasts/rehearsal/played-audience.js';
import { simulate } from '../../../src/core/broadcasts/rehearsal/simulate.js';
import { Platforms } from '../../../src/core/platforms/catalogue.js';
import { PostgresRehearsals } from '../../../src/store/broadcasts/rehearsals.js';
import { type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
});

const FILTERS = { included: [], excluded: [], addressForms: {}, cap: null };
const addresses = (platform: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    platform,
    address: String(100_000 + n),
    variables: {},
    ...more,
  }));

/** Without a live connection, so that the result follows from the definitions of the platforms. */
async function play(fields: object, signal = new AbortController().signal) {
  const broadcast = {
    id: uuidv7(),
    workspace_id: stage.workspaceId,
    created_by: stage.memberId,
    draft: true,
    text: 'Hello',
    ...fields,
  };
  const services = {
    connections: { find: () => undefined },
    platforms: new Platforms([smsDefinition, telegramDefinition] as AdapterDefinition[]),
  };
  const audience = new PlayedAudience(services, broadcast as never, () => undefined, signal);
  await new PostgresRehearsals(stage.pool).play(broadcast as never, FILTERS, audience);
  const end = await simulate(audience.simulated);
  return { audience, end, simulated: audience.simulated };
}

it('a rehearsal assigns known chats to their connection and new ones to the first of the platform', async () => {
  const first = await stage.connection('telegram', { rate_per_second: 10 });
  const second = await stage.connection('telegram', { rate_per_second: 20 });
  for (let n = 0; n < 3; n += 1)
    await stage.link(await stage.conversation(), second, String(100_000 + n), { address: null });
  const { audience, simulated } = await play({ audience: { recipients: addresses('telegram', 10) } });
  const counts = audience.tallies.map(({ stand, place }) => [
    stand.connection?.id,
    stand.account?.perSecond,
    simulated.recipients.filter((kind) => simulated.kinds[kind]?.connection === place).length,
  ]);
  expect(counts.sort()).toEqual(
    [
      [first, 10, 7],
      [second, 20, 3],
    ].sort(),
  );
});

it('a rehearsal counts recipients whose chat takes no messages, and leaves nothing behind', async () => {
  const connection = await stage.connection('telegram');
  await stage.link(await stage.conversation(), connection, '100000', { direction: 'inbound' });
  const { audience } = await play({ audience: { recipients: addresses('telegram', 4) } });
  expect(audience.closed).toBe(1);
  for (const table of ['broadcasts', 'broadcast_recipients', 'users WHERE kind = $2']) {
    const [scope, where = 'true'] = table.split(' WHERE ');
    const [count] = await values<number>(
      stage.pool,
      `SELECT count(*)::int FROM ${scope} WHERE workspace_id = $1 AND ${where.replace('$2', `'contact'`)}`,
      [stage.workspaceId],
    );
    expect([scope, count]).toEqual([scope, 0]);
  }
});

it('a rehearsal with local times lasts from the first zone to the last', async () => {
  await stage.connection('sms');
  const ids: string[] = [];
  for (const timezone of ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York']) {
    const id = uuidv7();
    ids.push(id);
    await stage.users.create({
      id,
      workspace_id: stage.workspaceId,
      display_name: timezone,
      timezone,
      identities: [{ platform: 'sms', external_id: `+4930${ids.length}` }],
    } as never);
  }
  const schedule = { at: null, local_time: '2031-01-15T09:00', mode: 'recipient_local', quiet_hours: null };
  const { end } = await play({ schedule, audience: { user_ids: ids } });
  // Nine o'clock in Tokyo is 14 hours before nine o'clock in New York.
  expect(Math.round(end.durationMs / 3_600_000)).toBe(14);
});

it('a rehearsal stops between two batches when its client disconnects', async () => {
  await stage.connection('telegram');
  const stopped = new AbortController();
  stopped.abort();
  const { simulated } = await play(
    { audience: { recipients: addresses('telegram', 5_000) } },
    stopped.signal,
  );
  expect(simulated.recipients.length).toBeLessThan(5_000);
});
